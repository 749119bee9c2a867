"""Scores by kind of mention: recorded cases, slow versions, sums that add up; what is refused, and what is printed."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import scoref
from places import EXAMPLES, SHARED, recorded
from scoref import Document, Mention
from scoref.cli import main
from scoref.document.document import Origin
from scoref.layout.grid import Number
from scoref.pairing.pairs import Pair
from scoref.problems import Problems
from scoref.protocol.protocol import Protocol
from scoref.results import saved as store
from scoref.results.kinds import summed
from scoref.run.stages import evaluate
from slow import entities, entity_of, members
from slow_kinds import BY_MENTION
from strategies import Partition, corpora, documents

METRICS = [*BY_MENTION, "ceafm"]
TALES = [str(EXAMPLES / "tales" / name) for name in ("key.conll", "rules.conll")]


def document(name: str, partition: Any, kinds: dict[int, str]) -> Document:
    """A text with a mention for each number, which has its kind as an attribute."""
    there = [(mention, f"e{number}") for number, entity in enumerate(partition) for mention in entity]
    found = [Mention.at(at, at, entity, attributes=(("kind", kinds[at]),)) for at, entity in there]
    return Document(name, ["word"] * 40, tuple(found))


def counts_of(groups: Any) -> dict[str, dict[str, list[float]]]:
    return {label: {metric: sums.sum(axis=0).tolist() for metric, sums in part.counts.items()}
            for label, part in groups.parts.items()}  # fmt: skip


@pytest.mark.parametrize("case", recorded(SHARED / "data" / "insight" / "kinds.jsonl"))
def test_recorded_cases(case: dict[str, Any]) -> None:
    sides = []
    for side in ("key", "response"):
        kinds = [{int(at): kind for at, kind in each[f"{side}_kinds"].items()} for each in case["documents"]]
        each = zip(case["documents"], kinds, strict=True)
        sides.append([document(f"d{number}", one[side], of) for number, (one, of) in enumerate(each)])
    result = scoref.score(*sides, metrics=[*BY_MENTION])
    wanted = case["expected"]
    whole = wanted.pop("(all)")
    assert {name: [*score] for name, score in result.scores.items()} == {
        name: pytest.approx([each["recall"], each["precision"], each["f1"]]) for name, each in whole.items()
    }
    fields = ["kind", *["first"] * (wanted.keys() <= {"first", "later"})]
    for field in fields:  # a kind of the file; the order of mentions, where that is the kind
        groups = result.by_mention(field)
        assert {label: {name: [*score] for name, score in each.items()} for label, each in groups.items()} == {
            label: {name: pytest.approx([one["recall"], one["precision"], one["f1"]]) for name, one in each.items()}
            for label, each in wanted.items()
        }
        assert counts_of(groups) == {
            label: {name: pytest.approx(one["counts"]) for name, one in each.items()} for label, each in wanted.items()
        }


def _kind(mention: int, side: int) -> str:
    return "abc"[(mention * 7 + side) % 3]


@given(corpora)
def test_kinds_are_sums_over_mentions(corpus: list[tuple[Partition, Partition]]) -> None:
    named = [{at: _kind(at, side) for at in range(12)} for side in range(2)]
    sides = [
        [document(f"d{number}", pair[side], named[side]) for number, pair in enumerate(corpus)] for side in range(2)
    ]
    wanted: dict[str, Counter[tuple[str, int]]] = {}
    for pair, side in product(corpus, range(2)):
        both = [entities(each) for each in pair]
        ours, theirs = both[side], both[1 - side]
        for (name, count), mention in product(BY_MENTION.items(), members(ours)):
            numerator, denominator = count(mention, ours, theirs)
            sums = wanted.setdefault(_kind(mention, side), Counter())
            sums[name, 2 * side] += numerator
            sums[name, 2 * side + 1] += denominator
    result = scoref.score(*sides, metrics=METRICS)
    found = counts_of(result.by_mention("kind"))
    assert {kind: {name: sums for name, sums in each.items() if name != "ceafm"} for kind, each in found.items()} == {
        kind: {name: pytest.approx([float(sums[name, place]) for place in range(4)]) for name in BY_MENTION}
        for kind, sums in sorted(wanted.items())
    }
    whole = {name: each.sum(axis=0) for name, each in result.counts.items()}
    total = {name: sum((np.array(each[name]) for each in found.values()), np.zeros(4)) for name in METRICS}
    assert {name: each.tolist() for name, each in total.items()} == {
        name: pytest.approx(each.tolist()) for name, each in whole.items()
    }


@given(corpora)
def test_assa_is_the_mean_over_common_mentions_by_the_kind_in_the_key(
    corpus: list[tuple[Partition, Partition]],
) -> None:
    named = [{at: _kind(at, side) for at in range(12)} for side in range(2)]
    sides = [
        [document(f"d{number}", pair[side], named[side]) for number, pair in enumerate(corpus)] for side in range(2)
    ]
    wanted: dict[str, np.ndarray] = {_kind(at, side): np.zeros(4) for side in range(2) for pair in corpus
                                     for at in members(entities(pair[side]))}  # fmt: skip
    for pair in corpus:
        key, response = map(entities, pair)
        for at in members(key) & members(response):
            ours, theirs = entity_of(at, key), entity_of(at, response)
            n = len(ours & theirs)
            wanted[_kind(at, 0)] += [n / len(ours), n / len(theirs), n / len(ours | theirs), 1]
    result = scoref.score(*sides, metrics=["assa", "hota"])
    groups = result.by_mention("kind")
    assert counts_of(groups) == {kind: {"assa": pytest.approx(sums)} for kind, sums in sorted(wanted.items())}
    assert [*groups.left_out] == ["hota"]
    with pytest.raises(scoref.Error, match="what mentions of a side lose"):
        scoref.slices(result)


@given(corpora)
def test_ceafm_takes_one_partner_for_each_entity(corpus: list[tuple[Partition, Partition]]) -> None:
    key, response = corpus[0]
    kinds = {at: str(at) for at in range(12)}  # each mention is a kind of its own
    result = scoref.score([document("d", key, kinds)], [document("d", response, kinds)], metrics=["ceafm"])
    if not key and not response:
        return
    parts = counts_of(result.by_mention("kind"))
    right = [int(kind) for kind, each in parts.items() if each["ceafm"][0] == 1]
    sides = entities(key), entities(response)
    partners = {(entity_of(at, sides[0]), entity_of(at, sides[1])) for at in right}
    assert len({one for one, _ in partners}) == len({other for _, other in partners}) == len(partners)
    assert sorted(right) == sorted(at for one, other in partners for at in one & other)
    assert [int(kind) for kind, each in parts.items() if each["ceafm"][2] == 1] == right


WHOLE = {"duplicates": "first", "twinless": "as-is", "split": "ignore"}  # nothing but sums over mentions
PROTOCOLS: list[tuple[str, dict[str, Any]]] = [
    ("conll-2012", WHOLE),
    ("conll-2012", {**WHOLE, "match": "partial"}),
    ("conll-2012", {**WHOLE, "scope": "corpus"}),
    ("conll-2012", {**WHOLE, "duplicates": "keep"}),
    ("codi-crac-2022", WHOLE),
    ("crac-2023", WHOLE),
    ("conll-2012", {}),
    ("scorch", {}),
    ("corenlp", {}),
]


@pytest.mark.parametrize(("preset", "choices"), PROTOCOLS)
@given(files=documents)
def test_kinds_add_up_or_are_left_out(
    preset: str, choices: dict[str, Any], files: tuple[list[Document], list[Document]]
) -> None:
    protocol = Protocol.parse(preset).change(metrics=tuple(METRICS), **choices)
    pairs = [Pair(key.id, key, response) for key, response in zip(*files, strict=True)]
    result = evaluate(pairs, protocol, Problems("skip"))
    try:
        groups = result.by_mention("form")
    except scoref.Error as error:
        if choices or error.code != "no-kinds":
            raise
        return
    assert not (choices and groups.left_out)
    total = {name: sum((part.counts[name] for part in groups.parts.values()), np.zeros((len(pairs), 4)))
             for name in METRICS if name not in groups.left_out}  # fmt: skip
    assert {name: np.allclose(each, result.counts[name]) for name, each in total.items()} == dict.fromkeys(total, True)


# -- what a kind is --------------------------------------------------------------------------------------------------

WORDS = "“ Ada has a new tap in the kitchen , ” he said . She likes it ."
TEXT = [*WORDS.split()]


def text(mentions: list[tuple[int, int, str]]) -> Document:
    return Document("d", TEXT, tuple(Mention.at(*each) for each in mentions), (0, 14))


def kinds(mentions: list[tuple[int, int, str]], field: str) -> list[str]:
    """The kind of each mention: what the counts of a response with this mention alone say."""
    found = []
    for each in mentions:
        groups = scoref.score(text(mentions), text([each]), metrics=["mentions"]).by_mention(field)
        found += [label for label, part in groups.parts.items() if part.counts["mentions"][0, 0]]
    return found


MENTIONS = [(1, 1, "Ada"), (3, 8, "tap"), (7, 8, "room"), (11, 11, "he"), (14, 14, "Ada"), (16, 16, "tap")]


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        ("form", ["name", "noun phrase", "noun phrase", "pronoun", "pronoun", "pronoun"]),
        ("nested", ["not nested", "not nested", "nested", "not nested", "not nested", "not nested"]),
        ("first", ["first", "first", "first", "first", "later", "later"]),
        ("distance", [*["first mention"] * 4, "1 sentence", "1 sentence"]),
        ("distance-words", [*["first mention"] * 4, "10-49 words", "10-49 words"]),
        ("length", ["1", "5-8", "2", "1", "1", "1"]),
        ("size", ["2", "2", "1", "1", "2", "2"]),
        ("position", ["first quarter", "first quarter", "second quarter", "third quarter", *["last quarter"] * 2]),
        ("quoted", ["quoted", "quoted", "quoted", "not quoted", "not quoted", "not quoted"]),
    ],
)
def test_kinds_of_a_text(field: str, wanted: list[str]) -> None:
    assert kinds(MENTIONS, field) == wanted


def test_a_kind_is_that_of_its_own_side() -> None:
    key, response = text([(1, 1, "Ada"), (14, 14, "Ada")]), text([(14, 14, "Ada")])
    groups = scoref.score(key, response, metrics=["mentions"]).by_mention("first")
    assert {label: [*each["mentions"]] for label, each in groups.items()} == {
        "first": [0.0, 1.0, 0.0],
        "later": [1.0, 0.0, 0.0],
    }
    assert "later" in str(groups)
    assert str(groups).splitlines()[-1].split()[-3:] == ["100.00", "–", "–"]


def test_columns_are_read_at_heads() -> None:
    words = ["the", "old", "tap", "of", "Ada"]
    tags = {"pos": ["DT", "JJ", "NN", "IN", "NNP"], "speaker": ["a", "a", "b", "b", "b"]}
    key = Document("d", words, (Mention.at(0, 4, "tap"), Mention.at(4, 4, "Ada")), columns=tags)
    result = scoref.score(key, key, metrics=["mentions"])
    assert [*result.by_mention("pos")] == ["NN", "NNP"]
    assert [*result.by_mention("speaker")] == ["b"]


# -- saying it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "field", "metrics", "code"),
    [
        ([["a", "b"]], "form", ["b3"], "unknown-field"),  # no text
        ([["a", "b"]], "gender", ["b3"], "unknown-field"),
        ([["a", "b"]], "size", ["ceafe", "conll", "blanc"], "no-kinds"),
    ],
)
def test_what_has_no_kinds_is_refused(key: Any, field: str, metrics: list[str], code: str) -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.score(key, key, metrics=metrics).by_mention(field)
    assert error.value.code == code


def test_a_field_that_one_side_lacks_gives_no_f1() -> None:
    """Where systems have no types, recall by the key's is no f1 of 0; but a type that is never predicted has f1 0."""
    key = document("d", [[1, 2], [3, 4]], {1: "a", 2: "a", 3: "b", 4: "b"})
    bare = replace(key, mentions=[mention._replace(attributes=()) for mention in key.mentions])
    groups = scoref.score(key, bare, metrics=["b3"]).by_mention("kind")
    assert [[cell.shown if isinstance(cell, Number) else cell for cell in row[4:]] for row in groups.grid().rows] == [
        [1.0, "–", "–"], [1.0, "–", "–"], ["–", 1.0, "–"],
    ]  # fmt: skip
    assert "the response says nothing of mention:kind: only recall can be told by it" in groups.notes()
    exchanged = scoref.score(bare, key, metrics=["b3"]).by_mention("kind")
    assert "the key says nothing of mention:kind: only precision can be told by it" in exchanged.notes()
    fewer = scoref.score(key, document("d", [[1, 2]], {1: "a", 2: "a"}), metrics=["b3"]).by_mention("kind")
    assert fewer.grid().rows[1][4:] == (0.0, fewer.grid().rows[1][5], 0.0)
    assert not fewer.notes()


@pytest.mark.parametrize("field", ["quoted", "form"])
def test_words_that_are_left_out_say_nothing(field: str) -> None:
    """Skeleton files have _ for every word: it is not said that there are no quotation marks."""
    skeleton = Document("d", ["_"] * 5, (Mention.at(0, 1, "a"), Mention.at(3, 3, "a")))
    with pytest.raises(scoref.Error, match="the words of the text are not known"):
        scoref.score(skeleton, skeleton, metrics=["b3"]).by_mention(field)
    groups = scoref.score(skeleton, skeleton, metrics=["b3"]).by_mention("length")
    assert [*groups] == ["1", "2"]


@pytest.mark.parametrize("field", ["length", "distance", "distance-words"])
def test_characters_are_no_words(field: str) -> None:
    nuggets = [Mention.at(10 * n, 10 * n + 6, "a") for n in range(3)]
    key = Document("d", (), tuple(nuggets), origin=Origin(unit="characters"))
    result = scoref.score(key, key, metrics=["b3"])
    if field == "length":
        with pytest.raises(scoref.Error, match="the words of the text are not known"):
            result.by_mention(field)
    else:
        assert [*result.by_mention(field)] == ["first mention", "unknown"]
    assert len(result.by_mention("position")) > 1


def test_saved_evaluations_have_no_mentions(tmp_path: Path) -> None:
    scoref.save(scoref.score(*TALES), tmp_path / "saved.json")
    with pytest.raises(scoref.Error, match="holds sums only"):
        scoref.load(tmp_path / "saved.json").by("mention:form")


@pytest.mark.parametrize("field", ["form", "distance", "size", "kind"])
def test_kinds_that_are_saved_add_up(tmp_path: Path, field: str) -> None:
    """Those of two halves, of which one lacks some kinds, are those of all documents."""
    sides = []
    for path in TALES:
        sides.append([])
        for place, each in enumerate(scoref.read(path)):
            numbers = [str(10 - number % 4 * (place > 1)) for number in range(len(each.mentions))]
            mentions = zip(each.mentions, numbers, strict=True)
            sides[-1].append(replace(each, mentions=[m._replace(attributes=(("kind", n),)) for m, n in mentions]))
    how = {"metrics": ["mentions", "muc", "b3", "conll", "assa"]}
    whole = scoref.score(*sides, **how)
    halves = []
    for number, part in enumerate((slice(0, 2), slice(2, None))):
        scoref.save(scoref.score(*(side[part] for side in sides), **how), tmp_path / f"{number}.json.gz", kinds=[field])
        halves.append(scoref.load(tmp_path / f"{number}.json.gz"))
    scoref.save(scoref.merge(halves), tmp_path / "both.json")  # what was saved is saved again
    merged, expected = scoref.load(tmp_path / "both.json"), whole.by(f"mention:{field}")
    kinds = merged.by(f"mention:{field}")
    assert [*kinds] == [*expected]
    assert kinds.to_dict() == expected.to_dict()
    assert kinds.notes() == expected.notes()
    order = [merged.documents.index(name) for name in whole.documents]
    for kind, part in expected.parts.items():
        assert {*kinds.parts[kind].counts} == {*part.counts}
        assert all(np.array_equal(kinds.parts[kind].counts[name][order], each) for name, each in part.counts.items())


def test_kinds_are_saved_by_the_command(tmp_path: Path, run: Any) -> None:
    saved, by = tmp_path / "sums.json", ("--by", "mention:form")
    code, text, _ = run("score", *TALES, *by, "--save", saved)
    assert code == 0
    assert run("merge", saved, *by)[:2] == (0, text)
    for more in (("--metrics", "b3", "--output", "csv"), ("--json", "--ci", "--trials", "20")):
        (_, one, _), (_, other, _) = run("merge", saved, *by, *more), run("score", *TALES, *by, *more)
        assert json.loads(one)["by"] == json.loads(other)["by"] if "--json" in more else one == other
    for field, code in (("nested", "[no-entities]"), ("form", "[no-kinds]")):
        status, out, err = run("merge", saved, "--by", f"mention:{field}", "--metrics", "conll")
        assert (status, out) == (2, "")
        assert code in err


def test_rules_that_are_no_sums_over_mentions_leave_a_metric_out() -> None:
    groups = scoref.score(*TALES, twinless="all", metrics=["mentions", "b3"]).by_mention("form")
    assert [*groups.left_out] == ["b3"]
    assert "b3: not by mention:form, its rule" in groups.notes()[0]


@pytest.mark.parametrize(("more", "kept"), [(0, True), (1e-12, True), (1e-7, False), (1e-3, False)])
def test_counts_that_mentions_do_not_add_up_to_are_left_out_and_rounding_is_not(more: float, kept: bool) -> None:
    result = scoref.score(*TALES, metrics=["mentions", "b3"])
    changed = replace(result, counts={**result.counts, "b3": result.counts["b3"] * (1 + more)})
    assert ("b3" in summed(changed, result.evidence).sums) is kept


def test_nothing_is_saved_by_kind_where_no_metric_is_a_sum_over_mentions() -> None:
    with pytest.raises(scoref.Error, match="ceafe: no sum over mentions; conll: no sum over mentions") as error:
        store.dumps(scoref.score(*TALES, metrics=["ceafe", "conll"]), kinds=["form"])
    assert error.value.code == "no-kinds"


def _many(number: int) -> tuple[list[Document], list[Document]]:
    sizes = [1 + 3 * place % 5 for place in range(number)]
    kinds = dict.fromkeys(range(12), "a")
    keys = [document(f"d{place}", [[*range(size + 1)]], kinds) for place, size in enumerate(sizes)]
    responses = [document(f"d{place}", [[*range(1, size + 1)]], kinds) for place, size in enumerate(sizes)]
    return keys, responses


def test_one_kind_has_the_intervals_of_the_whole() -> None:
    result = scoref.score(*_many(8), metrics=["mentions", "muc", "b3"])
    groups = scoref.with_intervals(result.by_mention("kind"), trials=200)
    whole = scoref.with_intervals(result, trials=200)
    assert whole.intervals is not None
    assert groups.intervals["a"].scores == whole.intervals.scores
    assert scoref.with_intervals(scoref.score(*_many(5)).by_mention("kind"), trials=10).intervals == {}


def test_a_rare_kind_has_no_interval() -> None:
    keys, responses = _many(8)
    kinds = dict.fromkeys(range(12), "rare")
    keys[3] = document("d3", [[0, 1]], kinds)
    groups = scoref.with_intervals(scoref.score(keys, responses, metrics=["b3"]).by_mention("kind"), trials=50)
    assert groups.intervals["rare"].scores == {}
    assert [*groups.intervals["a"].scores] == ["b3"]
    assert "f1 high" in str(groups)


def test_frames_and_copies() -> None:
    groups = scoref.score(*TALES).by_mention("form")
    frame = groups.to_frame()
    assert frame.index.names == ["mention:form", "metric"]
    assert [*frame.columns] == ["key", "response", "recall", "precision", "f1"]
    copy = pickle.loads(pickle.dumps(groups))
    assert (copy, str(copy)) == (groups, str(groups))


def test_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *TALES, "--by", "mention:first", "--ci", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    first = result["by"]["mention:first"]["first"]
    assert first["muc"] == {"recall": 0, "precision": 0, "f1": 0, "counts": {"recall": [0, 0], "precision": [0, 0]}}
    assert "conll" in result["notes"][-1]
    sums = [each["b3"]["counts"]["recall"] for each in result["by"]["mention:first"].values()]
    assert np.sum(sums, axis=0).tolist() == pytest.approx(result["counts"]["b3"]["recall"])
    assert main(["score", *TALES, "--by", "mention:first", "--output", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mention:first,metric,key,response,recall,precision,f1"
    assert [line.split(",")[:2] for line in lines[-3:]] == [["later", name] for name in ("mentions", "muc", "b3")]
    assert all(line.count(",") == 6 for line in lines)
    assert [line.split(",")[0] for line in lines[1:6]] == [""] * 5


def test_differences_by_kind_are_those_of_the_whole_where_there_is_one_kind() -> None:
    keys, responses = _many(8)
    system = {"A": responses, "B": [document("d", [], {}), *responses[1:]]}
    system["B"][0] = document("d0", [[1]], {1: "a"})
    result = scoref.compare(keys, system, metrics=["mentions", "b3"], trials=200)
    assert isinstance(result, scoref.Comparison)
    found = result.by("mention:kind")
    assert found.header == ("mention:kind", "metric", "A", "B", "difference", "low", "high")
    wanted = [(test.difference, *(test.ci or ())) for test in result.tests]
    assert [[cell.value for cell in row[4:] if isinstance(cell, Number)] for row in found.rows] == [
        pytest.approx([*each]) for each in wanted
    ]
    rare = [document("d0", [[1]], {1: "rare"}), *responses[1:]]
    rows = scoref.compare(keys, {"A": responses, "B": rare}, metrics=["b3"], trials=50).by("mention:kind").rows
    assert [(row[0], row[-1] is None) for row in rows] == [("a", False), ("rare", True)]


def test_systems_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *TALES, str(EXAMPLES / "tales" / "key.conll"), "--by", "mention:form"]) == 0
    assert "f1 by mention:form" in capsys.readouterr().out


def test_differences_by_kind_are_in_json(run: Any, tmp_path: Path) -> None:
    """They are those of the scores by kind, with the intervals that the table has; also of saved evaluations."""
    keys, responses = _many(8)
    others = [document("d0", [[1]], {1: "a"}), *responses[1:]]
    for name, side in (("key", keys), ("a", responses), ("b", others)):
        scoref.write(side, tmp_path / f"{name}.jsonl")
    files, by = [tmp_path / f"{name}.jsonl" for name in ("key", "a", "b")], ("--by", "mention:first")
    said = json.loads(run("compare", *files, *by, "--metrics", "b3", "--trials", "50", "--json")[1])
    scores, found = said["by"]["mention:first"], said["by_differences"]["mention:first"]
    assert {*found} == {"first", "later"}
    for kind, each in found.items():
        one, other = (scores[name][kind]["b3"]["f1"] for name in ("a.jsonl", "b.jsonl"))
        assert each["b3"]["difference"] == pytest.approx(other - one)
    rows = run("compare", *files, *by, "--metrics", "b3", "--trials", "50", "--output", "csv")[1].splitlines()[1:]
    ends = [[*map(float, row.split(",")[-2:])] for row in rows]
    assert ends == [each["b3"]["ci"] for each in found.values()]
    for name in ("a", "b"):
        assert (
            run("score", files[0], tmp_path / f"{name}.jsonl", *by, "--metrics", "b3", "--save", tmp_path / name)[0]
            == 0
        )
    saved = json.loads(run("compare", tmp_path / "a", tmp_path / "b", *by, "--trials", "50", "--json")[1])
    assert saved["by_differences"] == said["by_differences"]


def test_distances_are_in_order() -> None:
    groups = scoref.score(*TALES).by_mention("distance")
    order = ["same sentence", "1 sentence", "2 sentences", "3-5 sentences", "6+ sentences", "first mention"]
    there = [order.index(name) for name in groups]
    assert all(one < other for one, other in pairwise(there))
