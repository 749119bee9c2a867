"""Saved evaluations: nothing is lost, sums of shards are those of the whole to the last bit, bad files are refused."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref import Document, Error, Evaluation, clusters, compare, load, merge, save, score
from scoref.document.document import Origin
from scoref.problems import HELP
from scoref.results import saved as store
from scoref.results.evidence import Evidence, KindSums
from scoref.results.merging import adapted, with_one_text
from strategies import Partition, sides

Result = tuple[int, str, str]
Run = Callable[..., Result]


def documents(pairs: list[tuple[Partition, Partition]]) -> tuple[list[Document], list[Document]]:
    keys, responses = ([clusters(pair[side], f"d{n}") for n, pair in enumerate(pairs)] for side in (0, 1))
    return keys, responses


def same(one: Evaluation, other: Evaluation) -> None:
    """Two evaluations agree to the last bit."""
    assert one.protocol == other.protocol
    assert one.documents == other.documents
    assert one.datasets == other.datasets
    assert one.problems == other.problems
    assert list(one.counts) == list(other.counts)
    for name, counts in one.counts.items():
        assert counts.dtype == other.counts[name].dtype == np.float64
        assert counts.tobytes() == other.counts[name].tobytes()
    assert one.scores == other.scores
    assert one.to_dict() == other.to_dict()


@given(st.lists(sides, min_size=1, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_shards_in_any_order_give_the_scores_of_the_whole(pairs: list[Any], random: Random) -> None:
    keys, responses = documents(pairs)
    whole = score(keys, responses, metrics=["all"])
    shard = [random.randrange(3) for _ in keys]
    parts = []
    for wanted in sorted(set(shard), key=lambda _: random.random()):
        places = [place for place, number in enumerate(shard) if number == wanted]
        parts.append(score(*([side[place] for place in places] for side in (keys, responses)), metrics=["all"]))
    merged = merge(parts)
    assert sorted(merged.documents) == sorted(whole.documents)
    assert merged.scores == whole.scores
    assert merged.to_dict()["counts"] == whole.to_dict()["counts"]
    order = [merged.documents.index(name) for name in whole.documents]
    for name, counts in whole.counts.items():
        assert merged.counts[name][order].tobytes() == counts.tobytes()


@given(st.lists(sides, min_size=2, max_size=6), st.data())
@settings(max_examples=30)
def test_shards_in_order_give_the_same_file(pairs: list[Any], data: st.DataObject) -> None:
    keys, responses = documents(pairs)
    cut = data.draw(st.integers(1, len(keys) - 1))
    parts = [score(keys[part], responses[part], metrics=["all"]) for part in (slice(0, cut), slice(cut, None))]
    whole = score(keys, responses, metrics=["all"])
    plain = tuple(
        problem for problem in whole.problems if problem.remedy != HELP
    )  # signs are of what was scored at once
    assert store.dumps(merge(parts)) == store.dumps(replace(whole, problems=plain))


def example(number: int = 4, **choices: Any) -> Evaluation:
    keys = [clusters([["a", "b", "c"], ["d", "e"]], f"d{n}") for n in range(number)]
    responses = [clusters([["a", "b"], ["c", "d", "e"][: n % 4], ["x"]], f"d{n}") for n in range(number - 1)]
    return score(keys, responses, **choices)


@pytest.mark.parametrize("name", ["x.json", "x.json.gz", "deep/x"])
def test_nothing_is_lost(tmp_path: Path, name: str) -> None:
    evaluation = example(metrics=["all"], settings=["singletons:drop", "match:exact,links:both"])
    save(evaluation, tmp_path / name)
    loaded = load(tmp_path / name)
    same(evaluation, loaded)
    for setting, other in evaluation.settings.items():
        assert loaded.settings[setting].scores == other.scores
        assert loaded.settings[setting].protocol == other.protocol
    assert store.is_saved(tmp_path / name)
    assert (tmp_path / name).read_bytes()[:2] == (b"\x1f\x8b" if name.endswith(".gz") else b'{"')
    save(loaded, tmp_path / "again")
    assert (tmp_path / "again").read_text() == store.dumps(evaluation)


def test_loaded_evaluations_say_what_they_cannot_do(tmp_path: Path) -> None:
    save(example(), tmp_path / "x")
    loaded = load(tmp_path / "x")
    assert loaded.by_document().keys() == {"d0", "d1", "d2", "d3"}
    assert list(loaded.by("dataset")) == [""]
    for ask in (loaded.by_entity, lambda: loaded.by("size")):
        with pytest.raises(Error, match="no-entities"):
            ask()


def test_fields_that_names_do_not_tell_are_saved_when_asked_for(tmp_path: Path) -> None:
    keys = [Document(str(n), comments=((0, f"# topic = {n % 2}"),), mentions=clusters([["a", "b"]]).mentions)
            for n in range(6)]  # fmt: skip
    evaluation = score(keys, keys[:3])
    save(evaluation, tmp_path / "plain")
    with pytest.raises(Error, match="unknown-field"):
        compare(None, {"A": tmp_path / "plain", "B": evaluation}, unit="topic")
    save(evaluation, tmp_path / "with", unit="topic")
    assert load(tmp_path / "with").labels("topic") == ("0", "1", "0", "1", "0", "1")
    result = compare(None, {"A": tmp_path / "with", "B": evaluation}, unit="topic", trials=10)
    assert result.resampling.units == 2
    halves = [replace(score(keys[part], keys[part])) for part in (slice(0, 3), slice(3, 6))]
    for number, half in enumerate(halves):
        save(half, tmp_path / f"{number}", unit="topic")
    assert merge([load(tmp_path / "0"), load(tmp_path / "1")]).labels("topic") == load(tmp_path / "with").labels(
        "topic"
    )


# -- files that are not whole -----------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(Error) as error:
        load(path)
    assert error.value.code == "bad-evaluation"
    assert error.value.path == str(path)
    return error.value.problem.message


def test_every_cut_and_every_change_is_found(tmp_path: Path) -> None:
    text = store.dumps(example())
    random = Random(0)
    assert len(text) > 100
    for place in random.sample(range(1, len(text) - 2), 60):
        (tmp_path / "cut").write_text(text[:place])
        refused(tmp_path / "cut")
        letter = "7" if text[place] != "7" else "8"
        (tmp_path / "changed").write_text(text[:place] + letter + text[place + 1 :])
        refused(tmp_path / "changed")


def resealed(change: Callable[[dict[str, Any]], object]) -> str:
    """The text of a saved evaluation that was changed by someone who knows how to seal it."""
    record = json.loads(store.dumps(example(2)))
    del record["checksum"]
    change(record)
    return json.dumps({**record, "checksum": store._checksum(record)})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda record: record.update({"scoref-evaluation": 2}), "it has layout 2"),
        (lambda record: record.pop("scoref-evaluation"), "the key scoref-evaluation is missing"),
        (lambda record: record.pop("documents"), "KeyError: 'documents'"),
        (lambda record: record["documents"].append("d9"), "columns do not fit 3 documents"),
        (lambda record: record.update(documents=["d", "d"]), "columns do not fit 2 documents with different names"),
        (lambda record: record["key"].pop(), "columns do not fit"),
        (lambda record: record["counts"]["muc"].pop(), "cannot reshape"),
        (
            lambda record: record.update(signature=record["signature"].replace("sampled:none", "sampled:given")),
            "KeyError: 'conll'",
        ),
        (lambda record: record["counts"]["muc"][0].__setitem__(0, -1), "no number from 0 on"),
        (lambda record: record["counts"]["muc"][0].__setitem__(0, "x"), "ValueError"),
        (lambda record: record["counts"].pop("muc"), "KeyError: 'muc'"),
        (lambda record: record.update(signature="conll-2013"), "the signature does not say"),
        (lambda record: record.update(signature=7), "AttributeError"),
        (lambda record: record["problems"].append({"colour": "red"}), "TypeError"),
        (lambda record: record["settings"].update(x={}), "KeyError: 'signature'"),
        (lambda record: record.update(fields=[1]), "AttributeError"),
        (lambda record: record.update(size=-1), "a number of documents that is none"),
        (lambda record: record.update(size=10**16), "a number of documents that is none"),
        (lambda record: record.update(size="4"), "a number of documents that is none"),
        (
            lambda record: record["counts"]["muc"][0].__setitem__(1, 2e15),
            "a count of muc that is higher than any can be",
        ),
        (lambda record: record["counts"]["muc"][0].__setitem__(1, 1e999), "Infinity is not a number"),
        (lambda record: record["counts"]["muc"][0].__setitem__(0, 99), "higher than what it is a part of"),
        (lambda record: record["counts"]["muc"][0].__setitem__(2, 99), "higher than what it is a part of"),
        (lambda record: record.update(fields={"topic": ["x"]}), "fields do not fit 2 documents"),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, change: Callable[[Any], object], reason: str) -> None:
    path = tmp_path / "bad"
    path.write_text(resealed(change))
    assert reason in refused(path)


def test_what_made_the_sums_and_what_they_are_of_is_kept_for_settings_too() -> None:
    record = json.loads(store.dumps(example(2, settings=["singletons:drop"])))
    del record["checksum"]
    record |= {"scoref": "0.0.9", "counted": "unit", "size": 7}
    found = store.loads(json.dumps({**record, "checksum": store._checksum(record)}))
    for each in (found, *found.settings.values()):
        assert (each.version, each.source.counted, each.size) == ("0.0.9", "unit", 7)
        assert each.signature.endswith("|scoref:0.0.9")
        assert store.digests(each, "key") == tuple(record["key"])
    ((name, of_setting),) = record["settings"].items()
    own = {"documents": ["w"], "datasets": ["x"], "key": ["1"], "response": ["2"]}
    record["settings"] = {
        name: of_setting | own | {"counts": {k: rows[:1] for k, rows in of_setting["counts"].items()}}
    }
    (each,) = store.loads(json.dumps({**record, "checksum": store._checksum(record)})).settings.values()
    assert (each.version, each.source.counted, each.size, each.documents, each.datasets) == (
        "0.0.9",
        "unit",
        7,
        ("w",),
        ("x",),
    )
    assert (store.digests(each, "key"), store.digests(each, "response")) == (("1",), ("2",))


def test_what_kinds_count_is_read_as_it_was_saved() -> None:
    result = score(*[[clusters([["a", "b"], ["c"]], name) for name in "12"]] * 2, metrics=["b3", "ceafe"])
    text = store.dumps(
        result, sums={"size": KindSums({"x": {"b3": np.array([[1.0, 2, 1, 3], [0, 1, 0, 1]])}}, {"ceafe": "no"})}
    )
    found = store.loads(text).source.kinds["size"]
    assert found.counts["x"]["b3"].tolist() == [[1, 2, 1, 3], [0, 1, 0, 1]]
    assert found.left_out == {"ceafe": "no"}
    assert store.dumps(store.loads(text)) == text


def test_counts_up_to_the_highest_and_rounding_are_accepted() -> None:
    def change(record: dict[str, Any]) -> None:
        record["counts"]["muc"][0] = [1e15, 1e15, 2 + 2e-6, 2]

    assert store.loads(resealed(change)).counts["muc"][0].tolist() == [1e15, 1e15, 2 + 2e-6, 2]


def test_another_layout_is_refused_with_the_one_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "new").write_text(resealed(lambda record: record.update({"scoref-evaluation": 2})))
    with pytest.raises(Error) as error:
        load(tmp_path / "new")
    assert error.value.problem.expected == "layout 1; another version of scoref can read it"
    assert error.value.problem.remedy == "save it again: scoref score KEY RESPONSE --save F"


@pytest.mark.parametrize("text", ["", "[]", "null", '{"scores": 1}', "{" * 100_000, '{"scoref-evaluation": NaN}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad").write_text(text)
    refused(tmp_path / "bad")


def test_broken_packing_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.gz").write_bytes(gzip.compress(store.dumps(example()).encode())[:-20])
    for name, code in (("bad.gz", "broken-gzip"), ("nothing", "unreadable-file")):
        with pytest.raises(Error) as error:
            load(tmp_path / name)
        assert error.value.code == code
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    refused(tmp_path / "bytes")
    assert not store.is_saved(tmp_path)
    assert not store.is_saved(tmp_path / "nothing")
    assert not store.is_saved(tmp_path / "bytes")


# -- merging ----------------------------------------------------------------------------------------------------------


def named(*names: str, **choices: Any) -> Evaluation:
    keys = [clusters([["a", "b"]], name) for name in names]
    return score(keys, keys, **choices)


def code_of(*parts: Evaluation) -> str:
    with pytest.raises(Error) as error:
        merge(parts)
    return error.value.code


def test_what_cannot_be_added_is_refused() -> None:
    one = named("x")
    assert code_of() == "no-evaluation"
    assert code_of(one, named("y", singletons="drop")) == "different-protocols"
    assert code_of(one, replace(named("y"), source=Evidence(version="0.0.1"))) == "different-versions"
    assert code_of(one, named("y", settings=["singletons:drop"])) == "different-settings"
    assert code_of(one, named("y", "x")) == "repeated-document"
    whole = [clusters({"e": ["a", "b"]}, "d")]
    across = score(whole, whole, scope="corpus")
    assert code_of(across, across) == "scope-corpus"
    assert merge([across]) is across
    assert merge(across) is across


def test_settings_that_differ_are_refused_with_those_of_the_first() -> None:
    plain, dropped = named("x"), named("y", settings=["singletons:drop"])
    for parts, expected in (((plain, dropped), "--with nothing"), ((dropped, plain), "--with singletons:drop")):
        with pytest.raises(Error) as error:
            merge(parts)
        assert (error.value.code, error.value.problem.expected) == ("different-settings", expected)


def test_hashes_are_as_long_as_those_of_saved_evaluations_with_which_they_are_compared() -> None:
    """Files of all versions have 16 bytes."""
    record = json.loads(store.dumps(named("x", "y")))
    assert {len(each) for each in (*record["key"], *record["response"], record["checksum"])} == {32}


def test_a_repeated_document_is_named_with_its_files() -> None:
    with pytest.raises(Error) as error:
        merge({"one.json": named("x", "y", "z"), "two.json": named("y", "z")})
    assert error.value.problem.message == "document y (and 1 more) was scored twice"
    problem = error.value.problem
    assert (problem.code, problem.document) == ("repeated-document", "y")
    assert (problem.expected, problem.remedy) == ("it in one of one.json, two.json", "leave one of them out")


def test_settings_and_problems_are_merged() -> None:
    keys = [clusters([["a", "b"], ["c"]], str(n)) for n in range(4)]
    responses = [clusters([["a", "b", "c"]], str(n)) for n in (0, 2)]
    whole = score(keys, responses, settings=["singletons:drop"])
    parts = [score(keys[:2], responses[:1], settings=["singletons:drop"]),
             score(keys[2:], responses[1:], settings=["singletons:drop"])]  # fmt: skip
    merged = merge(parts)
    assert merged.problems == whole.problems
    same(merged.settings["singletons:drop"], replace(whole.settings["singletons:drop"], problems=()))


def test_hashes_do_not_depend_on_where_a_document_was_read() -> None:
    keys = [clusters([["a", "b"], ["c"]], "d")]
    moved = [replace(keys[0], origin=Origin("elsewhere", 7))]
    assert store.digests(score(keys, keys), "key") == store.digests(score(moved, moved), "key")
    other = [clusters([["a"], ["b", "c"]], "d")]
    assert store.digests(score(keys, other), "key") == store.digests(score(keys, keys), "key")
    assert store.digests(score(keys, other), "response") != store.digests(score(keys, keys), "response")
    assert store.digests(score(other, keys), "key") != store.digests(score(keys, keys), "key")


def test_hashes_depend_on_no_order_of_what_has_none() -> None:
    """Members of sets by entity, and entities that refer to nothing, whose names may be numbers and texts."""
    mentions = [scoref.Mention.at(number, number, name) for number, name in enumerate((1, "a", 2, "they", "we"))]
    sets: list[tuple[Any, tuple[Any, ...]]] = [("they", (1, "a")), ("we", (1, 2))]
    names: list[Any] = [1, "a", 2, "b", 3, "c", 4]

    def digests(sets: list[tuple[Any, tuple[Any, ...]]], names: list[Any]) -> tuple[str, ...]:
        whole = Document("d", tuple("vwxyz"), tuple(mentions), sets=dict(sets), nonreferring=frozenset(names))
        return store.digests(score([whole], [whole]), "key")

    assert digests(sets, names) == digests(sets[::-1], names) == digests(sets, names[::-1])
    assert digests(sets, names) != digests(sets[:1], names) != digests(sets[:1], names[:3])


def test_documents_that_are_not_known_have_no_hash() -> None:
    """As where an evaluation was made of counts."""
    made = replace(named("x", "y"), source=Evidence())
    assert store.digests(made, "key") == store.digests(made, "response") == ("", "")
    assert merge([made, named("z")]).documents == ("x", "y", "z")


def test_names_that_cannot_be_written_have_a_hash() -> None:
    """Half of a pair of UTF-16, which Python's texts may hold."""
    made = [score([clusters({name: ["a", "b"]}, "d")], [clusters([["a", "b"]], "d")]) for name in ("\ud800", "\ud801")]
    assert len({store.digests(each, "key") for each in made}) == 2


def test_problems_are_those_of_the_merged_evaluation_and_not_of_its_settings() -> None:
    """Of a setting, too: here mentions without the attribute of their weight."""
    mentions = tuple(scoref.Mention.at(word, word, "e", attributes=(("w", "2"),) * (word < 8)) for word in range(9))
    keys = [Document(name, tuple("abcdefghi"), mentions) for name in "12"]
    parts = [
        score([key, replace(key, id=f"{key.id}x")], [key], settings=["window:4,weights:w", "weights:w"]) for key in keys
    ]
    assert [each.code for part in parts for setting in part.settings.values() for each in setting.problems]
    merged = merge(parts)
    assert [problem.code for problem in merged.problems] == ["missing-document"] * 2
    assert [len(each.documents) for each in merged.settings.values()] == [12, 4]
    assert [each.problems for each in merged.settings.values()] == [(), ()]


def test_documents_that_are_scored_as_one_have_one_hash_in_any_order() -> None:
    one, other, changed = (
        clusters({"e": each}, name) for each, name in ((["a", "b"], "1"), (["c"], "2"), (["d"], "2"))
    )

    def digests(*documents: Document) -> tuple[str, ...]:
        return store.digests(score([*documents], [*documents], scope="corpus"), "key")

    assert len(digests(one, other)) == 1
    assert digests(one, other) == digests(other, one)
    assert len({digests(one, other), digests(one, changed), digests(one)}) == 3


# -- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, noise: float, files: tuple[str, ...] = ("a", "b"), number: int = 3) -> None:
    random = Random(1)
    for file in files:
        lines = []
        for document in range(number):
            found: dict[int, list[list[int]]] = {0: []}
            for word in range(8):
                entity = random.randrange(3)
                moved = random.random() < noise
                found.setdefault((entity + moved) % 3, []).append([word, word])
            lines.append(json.dumps({"id": str(document), "clusters": [each for each in found.values() if each]}))
        Path(path).mkdir(exist_ok=True)
        Path(path, f"{file}.jsonl").write_text("\n".join(lines) + "\n")


def scored(run: Run, *argv: str) -> dict[str, Any]:
    code, out, err = run(*argv, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)  # type: ignore[no-any-return]


@pytest.mark.parametrize("average", ["micro", "macro", "datasets"])
def test_files_scored_alone_and_merged_are_the_folder(run: Run, average: str) -> None:
    """Documents of two files have the same names; the file is put before them in both cases."""
    write("key", 0)
    write("response", 0.3)
    whole = scored(run, "score", "key", "response", "--save", "whole.json", "--average", average)
    for file in ("a", "b"):
        run("score", f"key/{file}.jsonl", f"response/{file}.jsonl", "--save", f"{file}.json.gz", "--average", average)
    merged = scored(run, "merge", "a.json.gz", "b.json.gz", "-o", "merged.json")
    assert merged == whole
    assert Path("merged.json").read_text() == Path("whole.json").read_text()
    assert scored(run, "merge", "merged.json") == whole
    assert "a.jsonl:0" in scored(run, "merge", "merged.json", "--by", "document")["documents_scores"]


def test_another_average_of_what_was_saved(run: Run) -> None:
    write("key", 0)
    write("response", 0.3)
    run("score", "key", "response", "--save", "whole.json")
    for average in ("macro", "datasets"):
        expected = scored(run, "score", "key", "response", "--average", average)
        assert scored(run, "merge", "whole.json", "--average", average) == expected
    assert list(scored(run, "merge", "whole.json", "--metrics", "b3,conll")["scores"]) == ["b3", "conll"]
    assert "[unscored-metric]" in run("merge", "whole.json", "--metrics", "lea")[2]


def test_saved_evaluations_are_compared_like_responses(run: Run) -> None:
    write("key", 0)
    write("one", 0.4)
    write("two", 0.1)
    fresh = scored(run, "compare", "key", "one", "two", "--trials", "50")
    run("score", "key", "one", "--save", "one.json")
    run("score", "key", "two", "--save", "two.json.gz")
    names = ("--names", "one,two", "--trials", "50")
    assert scored(run, "compare", "one.json", "two.json.gz", *names) == fresh
    assert scored(run, "compare", "key", "one.json", "two", *names) == fresh
    assert scored(run, "compare", "key", "one", "two.json.gz", *names) == fresh
    assert [*scored(run, "compare", "one.json", "two.json.gz", "--trials", "9")["systems"]] == [
        "one.json",
        "two.json.gz",
    ]
    macro = scored(run, "compare", "key", "one", "two", "--trials", "50", "--average", "macro", "--metrics", "b3")
    assert scored(run, "compare", "one.json", "two.json.gz", *names, "--average", "macro", "--metrics", "b3") == macro


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("compare", "one.json", "two"), "[no-key]"),
        (("compare", "one.json", "two.json", "--match", "min"), "[saved-evaluations]"),
        (("compare", "one.json", "two.json", "--protocol", "conll-2011"), "[saved-evaluations]"),
        (("compare", "one.json", "two.json", "--metrics", "lea"), "[unscored-metric]"),
        (("compare", "other", "one.json", "two"), "[different-keys]"),
        (("compare", "key", "one.json", "two", "--singletons", "drop"), "[different-protocols]"),
        (("compare", "key", "cut.json", "two"), "[bad-evaluation]"),
        (("merge", "one.json", "two.json"), "[repeated-document]"),
        (("merge", "cut.json"), "[bad-evaluation]"),
        (("merge", "key"), "[unreadable-file]"),
        (("merge", "key/a.jsonl"), "[bad-evaluation]"),
        (("merge", "one.json", "--by", "entity"), "[no-entities]"),
        (("score", "key", "one", "--save", "key/a.jsonl/x.json"), "[unwritable-file]"),
    ],
)
def test_bad_usage_has_a_reason_and_no_output(run: Run, argv: tuple[str, ...], reason: str) -> None:
    for folder, noise in (("key", 0), ("other", 1), ("one", 0.4), ("two", 0.1)):
        write(folder, noise)
    run("score", "key", "one", "--save", "one.json")
    run("score", "key", "two", "--save", "two.json")
    Path("cut.json").write_text(Path("one.json").read_text()[:-30])
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert reason in err


def test_a_merged_file_has_intervals_breakdowns_and_pictures(run: Run) -> None:
    write("key", 0)
    write("one", 0.4)
    run("score", "key", "one", "--save", "one.json")
    whole = scored(run, "score", "key", "one", "--ci", "--trials", "50")
    assert scored(run, "merge", "one.json", "--ci", "--trials", "50") == whole
    assert scored(run, "merge", "one.json", "--by", "dataset")["by"]["dataset"].keys() == {"a.jsonl", "b.jsonl"}
    pytest.importorskip("matplotlib")
    assert run("merge", "one.json", "--plot", "x.svg")[0] == 0
    assert Path("x.svg").exists()


def test_the_scorer_can_be_saved() -> None:
    scorer = scoref.Scorer(metrics=["conll"])
    for number in range(3):
        scorer.update([["a", "b"]], [["a", "b"]] if number else [["a"], ["b"]], id=str(number))
    save(scorer.compute(), "scorer.json")
    assert load("scorer.json").scores == scorer.compute().scores


def test_only_ceaf_of_repeated_mentions_may_be_more_than_what_it_is_a_part_of(tmp_path):
    key = [["a", "b"], ["a", "c"]]
    path = tmp_path / "saved.json"
    for metric, rule, fine in (("ceafe", "reference", True), ("b3", "reference", False), ("ceafe", "keep", False)):
        scoref.save(scoref.score(key, key, metrics=["b3", "ceafe"], duplicates=rule), path)
        record = json.loads(path.read_text())
        record["counts"][metric][0][0] = record["counts"][metric][0][1] * 2
        record.pop("checksum")
        forged = tmp_path / "forged.json"
        forged.write_text(json.dumps({**record, "checksum": store._checksum(record)}))
        if fine:
            assert scoref.load(forged)[metric].recall == 2
        else:
            with pytest.raises(scoref.Error, match="higher than what it is a part of"):
                scoref.load(forged)


def test_documents_without_mentions_go_with_any_spans(tmp_path):
    """A part in which nothing is annotated does not know whether spans are words or tokens, and does not mind."""
    lines = {"empty": "", "full": "s\td1\tE1\tt1,t2\tattacked\tConflict_Attack\tActual\n"}
    found = []
    for name, line in lines.items():
        path = tmp_path / f"{name}.tbf"
        path.write_text(f"#BeginOfDocument {name}\n{line}#EndOfDocument\n")
        found.append(scoref.score(path, path))
    empty, full = found
    assert (empty.protocol.reading.spans, full.protocol.reading.spans) == ("words", "tokens")
    for parts in ([empty, full], [full, empty]):
        assert scoref.merge(parts).signature == full.signature
    nothing = {"one": empty, "two": replace(empty, protocol=full.protocol)}
    assert with_one_text(nothing) == nothing


def test_settings_beside_are_labelled_like_their_evaluation() -> None:
    plain = example(settings=["singletons:drop"], metrics=["b3"])

    def of(text: str) -> Evaluation:
        beside = {name: replace(each, protocol=each.protocol.change(text=text)) for name, each in
                  plain.settings.items()}  # fmt: skip
        return replace(plain, protocol=plain.protocol.change(text=text), settings=beside)

    for words, expected in ((("same", "same"), "same"), (("same", "align"), "align"), (("align", "strings"), "mixed")):
        found = with_one_text({word + str(number): of(word) for number, word in enumerate(words)})
        texts = [[some.protocol.reading.text for some in (each, *each.settings.values())] for each in found.values()]
        assert texts == [[expected] * (1 + len(plain.settings))] * len(words)


def test_errors_of_merging_say_what_to_do(tmp_path: Path) -> None:
    one, two = (score([clusters([["a", "b"]], name)], [clusters([["a", "b"]], name)], metrics=["muc"]) for name in "12")
    across = [replace(each, protocol=each.protocol.change(scope="corpus")) for each in (one, two)]
    with pytest.raises(Error) as caught:
        merge(across)
    problem = caught.value.problem
    assert (problem.expected, problem.remedy) == ("scope:document", "score all documents together")
    with pytest.raises(Error) as caught:
        merge([one, replace(two, protocol=two.protocol.change(singletons="drop"))])
    assert caught.value.code == "different-protocols"
    assert caught.value.problem.remedy == "score both again with one protocol"
    assert caught.value.problem.expected == "one protocol; they have singletons:keep and singletons:drop"
    save(one, tmp_path / "one.json")
    with pytest.raises(Error) as caught:
        compare(None, {"a": tmp_path / "one.json", "b": one}, metrics=["b3"])
    problem = caught.value.problem
    assert caught.value.code == "unscored-metric"
    assert (problem.expected, problem.remedy) == ("some of muc", "score it again, with that metric")


def test_messages_name_five_documents_and_count_the_rest() -> None:
    """And evaluations without names are numbered from 1."""
    few, more = [named(*(f"{side}{n}" for n in range(number))) for side, number in (("a", 5), ("b", 6))]
    with pytest.raises(Error) as error:
        compare(None, {"A": few, "B": more})
    expected = error.value.problem.expected or ""
    assert "A lacks b0, b1, b2, b3, b4 and 1 more" in expected
    assert expected.endswith("B lacks a0, a1, a2, a3, a4") or "B lacks a0, a1, a2, a3, a4;" in expected
    with pytest.raises(Error, match="evaluation 1 and evaluation 2 were scored with different protocols"):
        merge([named("a"), named("b", singletons="drop")])


def test_what_counts_is_saved_only_where_it_is_no_document() -> None:
    assert "counted" not in json.loads(store.dumps(example()))
    assert "size" not in json.loads(store.dumps(example()))


def test_the_parse_of_a_key_is_hashed_where_it_matters() -> None:
    """Minimum spans and noun phrases come from it; else two keys that differ in their parse are the same."""

    def key(parse: str) -> Document:
        mention = scoref.Mention.at(0, 1, "1")
        return Document("d", ("the", "cat"), (mention,), columns={"parse": ["(TOP(NP*", parse]})

    sides = [[key(parse)] for parse in ("*))", "(NP*)))")]
    for choices, differ in (({}, False), ({"match": "min"}, True), ({"mentions": "np"}, True)):
        first, second = ({store.digests(score(side, side, **choices), which) for which in ("key", "response")}
                         for side in sides)  # fmt: skip
        assert (first != second) == differ
        assert len(first) == (2 if differ else 1)  # the response's parse never counts


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names on this system")
def test_a_pipe_is_not_read_to_see_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not store.is_saved(tmp_path / "pipe")


def test_settings_beside_have_the_average_that_is_asked_for() -> None:
    evaluation = example(settings=["singletons:drop"], metrics=["b3"])
    found = adapted(evaluation, average="macro")
    expected = example(settings=["singletons:drop"], metrics=["b3"], average="macro")
    assert found.scores == expected.scores != evaluation.scores
    assert found.settings["singletons:drop"].scores == expected.settings["singletons:drop"].scores
    assert found.settings["singletons:drop"].scores != evaluation.settings["singletons:drop"].scores
