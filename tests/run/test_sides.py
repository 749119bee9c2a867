"""Each side as it is: format, ends, marks, columns, tokens and glob for the key or the response alone.

The oracle is one annotation written in two ways: its score is 100, or that of the same annotation written in one way.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoref
from places import EXAMPLES
from scoref import Error, processes
from scoref.cli.program import names, parser
from scoref.formats import ONE_SIDED, SIDED
from scoref.formats.source import option
from scoref.protocol.protocol import Protocol
from scoref.run import parts

Run = Callable[..., tuple[int, str, str]]
Clusters = list[list[tuple[int, int]]]

WORDS = ["Ann", "saw", "Bob", "and", "she", "liked", "him", "a", "lot", ",", "the", "old", "Bob", "."]
ENTITIES = [[(0, 0), (4, 4)], [(2, 2), (6, 6), (10, 12)]]
TALES = EXAMPLES / "tales"
FORMS = {option(name) for name in ONE_SIDED}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(path: str, entities: Clusters, exclusive: bool = False, number: int = 1) -> str:
    """A file of JSON lines that does not say which ends it has; all of its documents are alike."""
    spans = [[[first, last + exclusive] for first, last in entity] for entity in entities]
    lines = [json.dumps({"doc_key": f"d{n}", "sentences": [WORDS], "clusters": spans}) for n in range(number)]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n")
    return path


def scores(run: Run, *argv: object) -> dict[str, dict[str, float]]:
    code, out, err = run(*argv, "--json")
    assert (code, err) == (0, "")
    found: dict[str, dict[str, float]] = json.loads(out)["scores"]
    return found


def refused(run: Run, *argv: object) -> str:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    return err


# -- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({"response_ends": "exclusive"}, "response-exclusive"),
        ({"ends": "exclusive", "key_ends": "inclusive"}, "response-exclusive"),
        ({"ends": "exclusive", "key_ends": "inclusive", "response_ends": "exclusive"}, "response-exclusive"),
    ],
)
def test_exclusive_ends_against_inclusive_ones(run: Run, said: dict[str, Any], word: str) -> None:
    key, response = written("key.jsonl", ENTITIES), written("response.jsonl", ENTITIES, exclusive=True)
    result = scoref.score(key, response, **said)
    assert result["mentions"] == result["conll"] == (1, 1, 1)
    assert f"|ends:{word}|" in result.signature
    for signature in (result.signature, result.signature_full):
        assert Protocol.parse(signature) == result.protocol
    options = [each for name, value in said.items() for each in (option(name), value)]
    assert scores(run, "score", key, response, *options)["conll"]["f1"] == 1
    back = scoref.score(response, key, key_ends="exclusive")
    assert (back["conll"].f1, "|ends:key-exclusive|" in back.signature) == (1, True)
    assert scoref.score(key, response)["mentions"].f1 < 1


def test_both_sides_have_the_word_of_both() -> None:
    key = written("key.jsonl", ENTITIES, exclusive=True)
    both = scoref.score(key, key, ends="exclusive")
    each = scoref.score(key, key, key_ends="exclusive", response_ends="exclusive")
    assert each.signature == both.signature
    assert "|ends:exclusive|" in each.signature


def test_a_file_with_both_sides_may_have_other_ends_in_each() -> None:
    record = {"doc_key": "d", "sentences": [WORDS], "clusters": [[[0, 0], [4, 4]]],
              "predicted_clusters": [[[0, 1], [4, 5]]]}  # fmt: skip
    Path("both.jsonl").write_text(json.dumps(record) + "\n")
    assert scoref.score("both.jsonl", response_ends="exclusive")["conll"].f1 == 1


@pytest.mark.parametrize("command", ["score", "compare", "errors", "explain", "stability", "report", "winobias"])
def test_every_command_with_a_key_and_responses_obeys(run: Run, command: str) -> None:
    key, response = written("key.jsonl", ENTITIES), written("response.jsonl", ENTITIES, exclusive=True)
    files = {"compare": [key, response, response], "winobias": [key, response, key, response]}
    more = ["-o", "page.html"] if command == "report" else ["--json"]
    code, out, err = run(command, *files.get(command, [key, response]), "--response-ends", "exclusive", *more)
    assert (code, err) == (0, "")
    if command == "report":
        return
    assert "|ends:response-exclusive|" in out
    assert "|ends:inclusive|" not in out


def test_functions_obey_as_score_does() -> None:
    key, response = written("key.jsonl", ENTITIES), written("response.jsonl", ENTITIES, exclusive=True)
    compared = scoref.compare(key, {"a": response, "b": response}, response_ends="exclusive")
    assert [each["conll"].f1 for each in compared.systems.values()] == [1, 1]
    assert not sum(scoref.analyse(key, response, response_ends="exclusive").counts().values())
    assert scoref.stability(key, response, response_ends="exclusive", repetitions=2).evaluation["b3"].f1 == 1


def test_a_key_that_is_read_once_is_read_as_keys_are(run: Run) -> None:
    """Also one that can be read only once, and for several systems."""
    key = written("key.jsonl", ENTITIES, exclusive=True)
    written("a.jsonl", ENTITIES)
    written("b.jsonl", [ENTITIES[0]])
    result = scoref.compare(key, ["a.jsonl", "b.jsonl"], key_ends="exclusive")
    plain = scoref.compare(written("plain.jsonl", ENTITIES), ["a.jsonl", "b.jsonl"])
    assert [each["conll"] for each in result.systems.values()] == [each["conll"] for each in plain.systems.values()]
    documents = scoref.read("a.jsonl")
    assert scoref.score(key, documents, key_ends="exclusive")["conll"].f1 == 1
    assert scoref.score(documents, key, response_ends="exclusive")["conll"].f1 == 1


# -- parts -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether parts were added up, each time that several processes were asked for."""
    monkeypatch.setattr(processes, "LEAST", 0)
    found: list[bool] = []
    in_parts = parts.scored_in_parts

    def watched(*arguments: Any) -> Any:
        made = in_parts(*arguments)
        found.append(made is not None)
        return made

    monkeypatch.setattr(parts, "scored_in_parts", watched)
    return found


def test_large_files_in_parts_are_read_as_their_side_is(used: list[bool]) -> None:
    key, response = written("k.jsonl", ENTITIES, number=40), written("r.jsonl", ENTITIES[1:], exclusive=True, number=40)
    plain = scoref.score(key, written("plain.jsonl", ENTITIES[1:], number=40))
    one, two = (scoref.score(key, response, response_ends="exclusive", jobs=jobs) for jobs in (1, 2))
    assert used == [True]
    assert one.to_dict() == two.to_dict()
    assert two["conll"] == plain["conll"]


def test_files_of_two_formats_are_scored_by_several_processes(used: list[bool], run: Run) -> None:
    """Two folders are divided by files, which need not have one format; two files of two formats are not divided."""
    for number in range(6):
        some = random.Random(number).sample(ENTITIES, 1)
        written(f"all/{number}.jsonl", some, exclusive=True)
        assert run("convert", written(f"other/{number}.jsonl", some), f"all/{number}.conll")[0] == 0
    said: dict[str, Any] = {"key_glob": "*.conll", "response_glob": "*.jsonl", "response_ends": "exclusive"}
    one, two = (scoref.score("all", "all", **said, jobs=jobs) for jobs in (1, 3))
    assert one["conll"].f1 == two["conll"].f1 == 1
    assert one.to_dict() == two.to_dict()
    formats: dict[str, Any] = {"key_format": "conll", "response_format": "jsonl"}
    assert scoref.score("all/0.conll", "other/0.jsonl", **formats, jobs=2)["conll"].f1 == 1
    assert used == [True, False]


# -- tables ----------------------------------------------------------------------------------------------------------

TRUTH, PREDICTED = (
    {"a": "1", "b": "1", "c": "2", "d": "2", "e": "2"},
    {"a": "x", "b": "x", "c": "x", "d": "y", "e": "y"},
)
COLUMNS: dict[str, Any] = {"key_columns": "entity=person", "response_columns": "entity=cluster_id"}


def tables() -> tuple[str, str, str]:
    """The key and the response as tables of their own, and as two columns of one."""
    rows = [(name, TRUTH[name], PREDICTED[name]) for name in TRUTH]
    Path("truth.csv").write_text("".join(["id,person\n", *(f"{name},{one}\n" for name, one, _ in rows)]))
    Path("predicted.csv").write_text("".join(["id,cluster_id\n", *(f"{name},{two}\n" for name, _, two in rows)]))
    Path("both.csv").write_text("".join(["id,person,cluster_id\n", *(",".join(row) + "\n" for row in rows)]))
    return "truth.csv", "predicted.csv", "both.csv"


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_columns_of_each_side(run: Run, engine: str) -> None:
    pytest.importorskip(engine, reason=f"{engine} is not installed: pip install 'scoref[tables]'")
    truth, predicted, both = tables()
    clusters = scoref.score(TRUTH, PREDICTED, metrics="b3,pairwise")
    for pair in ((truth, predicted), (both, both)):
        found = scoref.score(*pair, **COLUMNS, metrics="b3,pairwise", engine=engine)
        assert found.scores == clusters.scores
        options = ["--key-columns", "entity=person", "--response-columns", "entity=cluster_id", "--engine", engine]
        assert scores(run, "score", *pair, *options)["b3"]["f1"] == clusters["b3"].f1


def test_columns_of_one_side_add_to_those_of_both() -> None:
    *_, both = tables()
    Path(both).write_text(Path(both).read_text().replace("id,", "number,", 1))
    found = scoref.score(both, both, columns="mention=number,entity=cluster_id", key_columns={"entity": "person"})
    assert found.scores == scoref.score(TRUTH, PREDICTED).scores


def test_one_frame_with_both_columns() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"id": [*TRUTH], "person": [*TRUTH.values()], "cluster_id": [*PREDICTED.values()]})
    assert scoref.score(frame, frame, **COLUMNS).scores == scoref.score(TRUTH, PREDICTED).scores


@pytest.mark.parametrize("command", ["compare", "errors", "explain", "stability", "report"])
def test_commands_that_show_tables_as_documents(run: Run, command: str) -> None:
    *_, both = tables()
    files = [both, both, both] if command == "compare" else [both, both]
    more = ["-o", "page.html"] if command == "report" else ["--json"]
    options = ["--key-columns", "entity=person", "--response-columns", "entity=cluster_id"]
    code, out, err = run(command, *files, *options, *more)
    assert (code, err) == (0, "")
    if command == "compare":
        b3 = [each["b3"]["f1"] for each in json.loads(out)["systems"].values()]
        assert b3 == [scoref.score(TRUTH, PREDICTED)["b3"].f1] * 2


def test_fields_have_a_column_in_each_side(run: Run) -> None:
    Path("truth.csv").write_text("id,entity,YEAR\na,1,7\nb,1,7\nc,2,8\nd,2,8\n")
    Path("predicted.csv").write_text("id,entity,when\na,1,7\nb,1,7\nc,2,8\nd,3,8\n")
    pair = ("score", "truth.csv", "predicted.csv", "--scope", "corpus", "--metrics", "b3", "--by", "year")
    code, out, err = run(*pair, "--key-columns", "year=YEAR", "--response-columns", "year=when", "--json")
    assert (code, err) == (0, "")
    groups = json.loads(out)["by"]["year"]
    assert {name: each["b3"]["recall"] for name, each in groups.items()} == {"7": 1, "8": 0.5}
    assert "--key-columns when=NAME" in refused(run, *pair[:-2], "--response-columns", "when")


# -- formats, marks, globs, tokens -----------------------------------------------------------------------------------


def test_formats_of_each_side(run: Run) -> None:
    """A format that is named counts for its side alone, and is no less strict than one that is found."""
    run("convert", TALES / "rules.conll", "rules.jsonl")
    pair = ("score", TALES / "key.conll", "rules.jsonl", "--key-format", "conll", "--response-format", "jsonl")
    assert scores(run, *pair) == scores(run, "score", TALES / "key.conll", TALES / "rules.conll")
    assert "rules.jsonl" in refused(run, *pair, "--response-format", "conll")
    assert "key.conll" in refused(run, *pair, "--key-format", "jsonl")
    shutil.copy(TALES / "key.conll", "key.csv")
    formats = ("--key-format", "conll", "--response-format", "conll")
    assert scores(run, "score", "key.csv", "key.csv", *formats)["conll"]["f1"] == 1
    assert "the response is no table" in refused(run, "score", *tables()[:1], "rules.jsonl", "--key-format", "table",
                                                 "--response-format", "jsonl")  # fmt: skip


def test_marks_of_each_side(run: Run) -> None:
    """What looks like a mark of another style is text in the response; the style of the key is found."""
    Path("key.txt").write_text("[Ann](#1) saw [Bob](#2) and [she](#1) liked [him](#2) a lot\n")
    marked = '<coref id="1">Ann</coref> saw <coref id="2">Bob</coref> and <coref id="1">she</coref> liked '
    Path("response.txt").write_text(marked + '<coref id="2">him</coref> a [lot](#7)\n')
    pair = ("score", "key.txt", "response.txt")
    assert "[ambiguous-marks]" in refused(run, *pair, "--response-format", "text")
    assert scores(run, *pair)["conll"]["f1"] == 1  # the key's text decides
    pair = (*pair, "--response-format", "text")
    assert "[not-the-same-text]" in refused(run, *pair, "--marks", "xml")
    assert scores(run, *pair, "--response-marks", "xml")["conll"]["f1"] == 1


def test_globs_of_each_side(run: Run) -> None:
    """Both sides in one folder, beside what is neither."""
    written("all/a.jsonl", ENTITIES)
    run("convert", "all/a.jsonl", "all/a.conllu")
    Path("all/a.conll").write_text("something else\n")
    globs = ("--key-glob", "*.conllu", "--response-glob", "*.jsonl", "--protocol", "conll-2012")
    assert scores(run, "score", "all", "all", *globs)["conll"]["f1"] == 1
    err = refused(run, "score", "all", "all", *globs, "--response-glob", "*.json")
    assert ("*.json" in err, "--response-glob" in err) == (True, True)


def test_tokens_of_each_side(run: Run) -> None:
    nuggets = EXAMPLES / "nuggets"
    pair = ("score", nuggets / "key", nuggets / "response")
    assert run("tokenize", nuggets / "texts", "-o", "tables", "--annotations", nuggets / "key")[0] == 0
    shutil.copytree("tables", "others")
    each = ("--key-tokens", "tables", "--response-tokens", "others")
    assert scores(run, *pair, *each) == scores(run, *pair, "--tokens", "tables")
    assert "[different-units]" in refused(run, *pair, *each[:2])
    assert "nowhere" in refused(run, *pair, *each, "--response-tokens", "nowhere")


def test_repaired_files_have_the_format_of_the_response(run: Run) -> None:
    run("convert", TALES / "rules.conll", "rules.jsonl")
    formats = ("--key-format", "conll", "--response-format", "jsonl")
    assert run("errors", TALES / "key.conll", "rules.jsonl", *formats, "--repaired", "better")[0] == 0
    assert {path.suffix for path in Path("better").rglob("*.*")} == {".jsonl"}


# -- wrong values, and who has these options ---------------------------------------------------------------------------

WRONG = {"format": "conl", "ends": "open", "marks": "html", "columns": "entity="}


@pytest.mark.parametrize("name", [name for name, (_, both) in ONE_SIDED.items() if both in WRONG])
def test_wrong_values_name_the_option(run: Run, name: str) -> None:
    key = written("key.jsonl", ENTITIES)
    wrong = WRONG[ONE_SIDED[name][1]]
    assert option(name) in refused(run, "score", key, key, option(name), wrong)
    with pytest.raises(Error) as error:
        scoref.score(key, key, **{name: wrong})  # type: ignore[arg-type]
    assert name in str(error.value) or option(name) in str(error.value)


def test_a_column_that_is_not_there_names_the_option(run: Run) -> None:
    truth, predicted, _ = tables()
    for side in ("key", "response"):
        given = COLUMNS | {f"{side}_columns": "entity=nothing"}
        err = refused(
            run, "score", truth, predicted, *(each for pair in given.items() for each in (option(pair[0]), pair[1]))
        )
        assert ("[unknown-column]" in err, f"--{side}-columns" in err) == (True, True)


def test_annotators_have_no_sides(run: Run) -> None:
    key = written("key.jsonl", ENTITIES)
    assert "--key-format" in refused(run, "agreement", key, key, "--key-format", "jsonl")
    with pytest.raises(Error, match="key_format"):
        scoref.agreement([key, key], key_format="jsonl")


def test_saved_evaluations_are_not_read_in_another_way(run: Run) -> None:
    key = written("key.jsonl", ENTITIES)
    for name in ("a.json", "b.json"):
        assert run("score", key, key, "--save", name)[0] == 0
    assert "response_ends" in refused(run, "compare", "a.json", "b.json", "--response-ends", "exclusive")
    assert "key_format" in refused(run, "explain", "a.json", "--key-format", "jsonl")


@pytest.mark.parametrize("command", names())
def test_commands_with_a_key_and_responses_have_all_forms(run: Run, command: str) -> None:
    """Help says once that they are there."""
    made = parser(command)
    has = FORMS & made._option_string_actions.keys()
    both = {f"--{name}" for name in SIDED} <= made._option_string_actions.keys()
    assert has == (FORMS if both and command != "agreement" else set())
    code, out, err = run("help", command, "all")
    assert (code, err) == (0, "")
    assert (out.count("--key-"), out.count("--response-")) == ((1, 1) if has else (0, 0))


# -- projects --------------------------------------------------------------------------------------------------------


def test_settings_of_a_project(run: Run) -> None:
    written("gold/key.jsonl", ENTITIES)
    written("gold/response.jsonl", ENTITIES, exclusive=True)
    put = Path("scoref.toml").write_text
    pair = ("score", "gold/key.jsonl", "gold/response.jsonl")
    put('response-ends = "exclusive"\n')
    assert scores(run, *pair)["conll"]["f1"] == 1
    put('[score]\nresponse_ends = "exclusive"\n')
    assert scores(run, *pair)["conll"]["f1"] == 1
    put('response-ends = "open"\n')
    err = refused(run, *pair)
    assert ("scoref.toml:1" in err, "--response-ends" in err) == (True, True)
    put('[agreement]\nkey-ends = "exclusive"\n')
    assert "[unknown-setting]" in refused(run, "agreement", *pair[1:])
    put('key-ends = "exclusive"\n')
    assert run("agreement", *pair[1:])[0] == 0


def test_what_is_nearer_counts_for_both_sides(run: Run) -> None:
    """A call, and the settings of a command, say of both sides what the project says of one."""
    key = written("key.jsonl", ENTITIES)
    response = written("response.jsonl", ENTITIES, exclusive=True)
    Path("scoref.toml").write_text('response-ends = "exclusive"\n')
    assert scores(run, "score", key, response)["conll"]["f1"] == 1
    assert scores(run, "score", key, key, "--ends", "inclusive")["conll"]["f1"] == 1
    assert (
        scores(run, "score", key, response, "--ends", "inclusive", "--response-ends", "exclusive")["conll"]["f1"] == 1
    )
    Path("scoref.toml").write_text('response-ends = "exclusive"\n[score]\nends = "inclusive"\n')
    assert scores(run, "score", key, key)["conll"]["f1"] == 1


def test_folders_of_tokens_are_seen_from_the_project(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    nuggets = EXAMPLES / "nuggets"
    assert run("tokenize", nuggets / "texts", "-o", "tables", "--annotations", nuggets / "key")[0] == 0
    Path("scoref.toml").write_text('key-tokens = "tables"\nresponse-tokens = "tables"\n')
    Path("below").mkdir()
    monkeypatch.chdir("below")
    pair = ("score", nuggets / "key", nuggets / "response")
    assert scores(run, *pair) == scores(run, *pair, "--no-config", "--tokens", "../tables")
