"""GAP and WinoBias: the official figures, answers from entities, what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import scoref
from scoref.document.document import position
from scoref.statistics.bias import KEY_COLUMNS, Example, Tally, _from_entities

TEXT = "Ada met Eve before she left."


def row(name: str, pronoun: str, right: Sequence[str], text: str = TEXT) -> str:
    text = text.replace("she", pronoun)
    places = [str(text.index(word)) for word in (pronoun, "Ada", "Eve")]
    cells = [name, text, pronoun, places[0], "Ada", places[1], right[0], "Eve", places[2], right[1], "http://x"]
    return "\t".join(cells)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    rows = [row("t-1", "she", ("TRUE", "FALSE")), row("t-2", "she", ("FALSE", "TRUE")),
            row("t-3", "he", ("FALSE", "FALSE")), row("t-4", "he", ("TRUE", "FALSE"))]  # fmt: skip
    path = tmp_path / "key.tsv"
    path.write_text("\n".join(["\t".join(KEY_COLUMNS), *rows, ""]), encoding="utf-8")
    return path


def answers(tmp_path: Path, text: str, name: str = "response.tsv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_figures_by_hand(key, tmp_path):
    """As the official scorer counts: two names each; a missing answer is two false negatives, whatever is right."""
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\nt-2\tTRUE\tTRUE\nt-4\tTRUE\tFALSE\n")
    result = scoref.gap(key, response)
    assert result.tallies == {
        "overall": Tally(tp=3, fp=1, fn=2, tn=2),
        "masculine": Tally(tp=1, fp=0, fn=2, tn=1),
        "feminine": Tally(tp=2, fp=1, fn=0, tn=1),
    }
    assert result.tallies["overall"].score == pytest.approx((3 / 5, 3 / 4, 2 * 0.6 * 0.75 / 1.35))
    assert result.bias == pytest.approx(0.8 / 0.5)
    assert (result.examples, result.missing) == (4, 1)


def test_right_answers_are_all_right(key, tmp_path):
    response = answers(tmp_path, "ID\tA-coref\tB-coref\nt-1\ttrue\tfalse\nt-2\tFALSE\tTRUE\n"
                                 "t-3\tFALSE\tFALSE\nt-4\tTRUE\tFALSE")  # fmt: skip
    result = scoref.gap(key, response)
    assert result.tallies["overall"] == Tally(3, 0, 0, 5)
    assert result.bias == 1


def test_answers_from_entities(key, tmp_path):
    """Smallest mentions that contain names and pronoun; if both names are in one mention, both answers are no."""
    words = ["Ada", "met", "Eve", "before", "she", "left", "."]
    clusters = {
        "t-1": [[[0, 0], [4, 4]], [[2, 2]]],  # Ada
        "t-2": [[[0, 0], [4, 4]], [[0, 2]], [[2, 2]]],  # Ada, by a mention inside of another
        "t-3": [[[0, 2], [4, 4]]],  # both names in one mention
        "t-4": [[[0, 0], [2, 2]]],  # the pronoun is nowhere
    }
    lines = []
    for name, each in clusters.items():
        tokens = ["he" if word == "she" and name in ("t-3", "t-4") else word for word in words]
        lines.append(json.dumps({"doc_key": name, "sentences": [tokens], "clusters": each}))
    result = scoref.gap(key, answers(tmp_path, "\n".join(lines), "response.jsonl"))
    assert result.tallies["feminine"] == Tally(tp=1, fp=1, fn=1, tn=1)
    assert result.tallies["masculine"] == Tally(tp=0, fp=0, fn=1, tn=3)


WORDS = ("X", "met", "Eve", ",", "who", "knew", "her", ".")  # pronoun 6, names 0 and 2


def literally(mentions: list[tuple[int, ...]], owners: list[int]) -> list[bool]:
    """Each mention as the set of its characters, from its first to its last word; one without place has none."""
    starts = [sum(len(word) + 1 for word in WORDS[:place]) for place in range(len(WORDS))]
    letters = [
        {*range(starts[words[0]], starts[words[-1]] + len(WORDS[words[-1]]))} if words else set() for words in mentions
    ]

    def smallest(word: int) -> int | None:
        wanted = {*range(starts[word], starts[word] + len(WORDS[word]))}
        inside = [number for number, each in enumerate(letters) if wanted <= each]
        return min(inside, key=lambda number: len(letters[number]), default=None)

    pronoun, *names = map(smallest, (6, 0, 2))
    together = names[0] is not None and names[0] == names[1]
    return [
        None not in (pronoun, name) and not together and owners[name or 0] == owners[pronoun or 0] for name in names
    ]


@pytest.mark.parametrize("seed", range(40))
def test_answers_from_any_entities_are_as_literal(seed):
    random = Random(seed)
    some = [[6, 0, 2][random.randrange(3)] for _ in range(random.randint(0, 4))]
    ends = [
        (max(word - random.choice([0, 0, 1, 2, 6]), 0), min(word + random.choice([0, 0, 1, 4]), 7)) for word in some
    ]
    places = [*dict.fromkeys(ends), *[()] * random.randrange(2)]
    owners = [random.randrange(2) for _ in places]
    text, mentions = " ".join(WORDS), [
        scoref.Mention(tuple(position(word) for word in words), owner)
        for words, owner in zip(places, owners, strict=True)
    ]  # fmt: skip
    document = scoref.Document("t-1", WORDS, tuple(mentions))
    characters = [(text.index(word), text.index(word) + len(word)) for word in ("her", "X", "Eve")]
    example = Example("t-1", text, "her", (characters[0], characters[1], characters[2]), (True, False))
    assert [*_from_entities(document, example)] == literally(places, owners)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("t-1\tTRUE\tMAYBE\n", "bad-answer"),
        ("t-1\tTRUE\tFALSE\nt-1\tTRUE\tFALSE\n", "bad-answer"),
        ("t-1\tTRUE\tFALSE\nt-2\tTRUE\n", "bad-row"),
        ("other-1\tTRUE\tFALSE\n", "no-common-example"),
    ],
)
def test_bad_answers_are_refused(run, key, tmp_path, text, code):
    exit_code, out, error = run("gap", key, answers(tmp_path, text))
    assert (exit_code, out) == (2, "")
    assert code in error


def test_bad_examples_are_refused(run, key, tmp_path):
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\n")
    shifted = answers(tmp_path, row("t-1", "she", ("TRUE", "FALSE")).replace("Ada\t0", "Ada\t1"), "bad.tsv")
    for bad in (shifted, answers(tmp_path, row("t-1", "they", ("TRUE", "FALSE")), "worse.tsv"),
                answers(tmp_path, row("t-1", "she", ("TRUE", "PERHAPS")), "worst.tsv")):  # fmt: skip
        code, out, error = run("gap", bad, response)
        assert (code, out) == (2, "")
        assert "bad-row" in error


@pytest.mark.parametrize("output", ["text", "csv", "markdown", "latex", "json"])
def test_outputs(run, key, tmp_path, output):
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\nx\tTRUE\tTRUE\n")
    code, out, error = run("gap", key, response, "--output", output)
    assert code == 0
    assert "feminine" in out
    assert "extra-example" in (error if output == "csv" else out)


def test_the_bias_is_in_every_output(run, tmp_path):
    rows = [row("t-1", "she", ("TRUE", "FALSE")), row("t-2", "he", ("TRUE", "FALSE"))]
    key = answers(tmp_path, "\n".join(["\t".join(KEY_COLUMNS), *rows, ""]), "both.tsv")
    response = answers(tmp_path, "t-1\tTRUE\tTRUE\nt-2\tTRUE\tFALSE\n")  # f1 2/3 and 1
    assert json.loads(run("gap", key, response, "--json")[1])["bias"] == pytest.approx(2 / 3)
    rows = [*csv.DictReader(io.StringIO(run("gap", key, response, "--output", "csv")[1]))]
    assert float(rows[-1]["f1"]) == pytest.approx(2 / 3)
    assert rows[-1]["pronouns"] == "feminine / masculine"
    for output in ("text", "markdown", "latex"):
        assert "0.6667" in run("gap", key, response, "--output", output)[1]


def test_what_is_left_out_is_told_and_the_rest_is_scored(tmp_path):
    """Rows that are not examples or answers, and those that are there already, are left out; the first ones count."""
    rows = [row("t-1", "she", ("TRUE", "FALSE")), "half a row", row("t-1", "he", ("FALSE", "FALSE")),
            row("t-2", "he", ("PERHAPS", "FALSE")), row("t-3", "he", ("TRUE", "FALSE"))]  # fmt: skip
    key = answers(tmp_path, "\n".join(["\t".join(KEY_COLUMNS), *rows]), "key.tsv")
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\r\n\r\nt-1\tFALSE\tTRUE\nt-3\tno\tFALSE\nx-9\tTRUE\tTRUE\n")
    result = scoref.gap(key, response, on_problem="skip")
    assert result.tallies == {"overall": Tally(1, 0, 2, 1), "masculine": Tally(0, 0, 2, 0),
                              "feminine": Tally(1, 0, 0, 1)}  # fmt: skip
    assert (result.examples, result.missing) == (2, 1)
    found = [(each.code, Path(each.path).name, each.line, each.document, each.text) for each in result.problems]
    assert found == [
        ("bad-row", "key.tsv", 3, None, "half a row"),
        ("repeated-example", "key.tsv", 4, "t-1", "t-1"),
        ("bad-row", "key.tsv", 5, "t-2", rows[3]),
        ("bad-answer", "response.tsv", 3, "t-1", "t-1\tFALSE\tTRUE"),
        ("bad-answer", "response.tsv", 4, "t-3", "t-3\tno\tFALSE"),
        ("extra-example", "response.tsv", None, "x-9", None),
    ]
    messages = [each.message for each in result.problems]
    assert messages[0] == "1 cells"
    assert messages[1] == "t-1 for the second time"
    assert "neither TRUE nor FALSE" in messages[2]
    assert messages[3] == "an example for the second time"
    assert "neither TRUE nor FALSE" in messages[4]


@pytest.mark.parametrize(
    ("offset", "wrong"), [("19", None), ("18", "is not at 18"), ("-1", "is not at -1"), ("9" * 13, "is not at 9999999")]
)
def test_a_name_is_where_its_offset_says(tmp_path, offset, wrong):
    key = answers(tmp_path, row("t-1", "she", ("TRUE", "FALSE")).replace("she\t19", f"she\t{offset}"), "key.tsv")
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\n")
    if wrong is None:
        assert scoref.gap(key, response).examples == 1
    else:
        with pytest.raises(scoref.Error, match=wrong):
            scoref.gap(key, response)


def test_tables_of_nothing_or_of_another_encoding_are_refused(tmp_path):
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\n")
    empty = answers(tmp_path, "\t".join(KEY_COLUMNS) + "\n", "empty.tsv")
    with pytest.raises(scoref.Error, match="no example of GAP in this file") as caught:
        scoref.gap(empty, response)
    assert caught.value.path == str(empty)
    assert "Pronoun-offset" in caught.value.problem.expected
    latin = tmp_path / "latin.tsv"
    latin.write_bytes(row("t-1", "she", ("TRUE", "FALSE"), "Ada met Eve, she left the caf\xe9").encode("latin1"))
    with pytest.raises(scoref.Error, match="not UTF-8") as caught:
        scoref.gap(latin, response)
    assert (caught.value.code, caught.value.path) == ("bad-encoding", str(latin))
    assert caught.value.problem.expected == "a table in UTF-8"


def test_answers_to_other_examples_are_refused_with_an_example_of_each(key, tmp_path):
    response = answers(tmp_path, "other-1\tTRUE\tFALSE\n")
    with pytest.raises(scoref.Error) as caught:
        scoref.gap(key, response)
    problem = caught.value.problem
    assert (problem.code, problem.path, problem.text) == ("no-common-example", str(response), "other-1")
    assert "t-1" in problem.expected
    assert "same part of GAP" in problem.remedy


def test_entities_of_characters_need_no_words(key, tmp_path):
    """Without words, positions are characters: Ada is 0 to 2, she is at 19."""
    start = TEXT.index("she")
    record = {"doc_key": "t-1", "clusters": [[[0, 2], [start, start + 2]], [[0, 1], [0, 6]]]}  # Ad, Ada met
    result = scoref.gap(key, answers(tmp_path, json.dumps(record), "response.jsonl"))
    assert result.tallies["feminine"] == Tally(tp=1, fp=0, fn=2, tn=1)  # t-2 has no answer
    assert result.missing == 3


def test_what_the_command_prints_adds_up(run, key, tmp_path):
    response = answers(tmp_path, "t-1\tTRUE\tFALSE\nt-2\tTRUE\tTRUE\nt-4\tTRUE\tFALSE\n")
    said = json.loads(run("gap", key, response, "--json")[1])
    assert (said["examples"], said["missing"], said["problems"]) == (4, 1, [])
    assert said["scores"]["overall"] == pytest.approx(
        {"recall": 0.6, "precision": 0.75, "f1": 2 / 3, "tp": 3, "fp": 1, "fn": 2, "tn": 2}
    )
    assert said["signature"] == f"gap|scoref:{said['scoref']}"
    out = run("gap", key, response)[1]
    assert "4 examples, two names each\n1 examples have no answer: both names count as missed (fn)\n" in out
    complete = answers(tmp_path, "".join(f"t-{number}\tTRUE\tFALSE\n" for number in range(1, 5)), "all.tsv")
    assert "no answer" not in run("gap", key, complete)[1]
    nothing = answers(tmp_path, "".join(f"t-{number}\tFALSE\tFALSE\n" for number in range(1, 5)), "none.tsv")
    assert json.loads(run("gap", key, nothing, "--json")[1])["bias"] is None
    assert "not defined" in run("gap", key, nothing)[1]


# -- WinoBias ----------------------------------------------------------------------------------------------------------


def conll(*cells: str) -> str:
    rows = [f"w{number}\t{cell}" for number, cell in enumerate(cells)]
    return "\n".join(["#begin document x", *rows, "#end document", ""])


def test_winobias_is_two_scores_their_mean_and_difference(run, tmp_path):
    paths = []
    for name, cells in (("pro-key", ("(1)", "(2)", "(1)")), ("pro", ("(1)", "(2)", "(1)")),
                        ("anti-key", ("(1)", "(2)", "(2)")), ("anti", ("(1)", "(2)", "(1)"))):  # fmt: skip
        paths.append(answers(tmp_path, conll(*cells), f"{name}.conll"))
    result = scoref.winobias((str(paths[0]), str(paths[1])), (str(paths[2]), str(paths[3])))
    pro, anti = scoref.score(str(paths[0]), str(paths[1])), scoref.score(str(paths[2]), str(paths[3]))
    for metric, *cells in result.whole_grid().rows:
        both = pro[metric].f1, anti[metric].f1
        assert cells == [*both, sum(both) / 2, abs(both[0] - both[1])]
    code, out, _ = run("winobias", *paths, "--json")
    assert code == 0
    assert "<table>" in result._repr_html_()
    assert json.loads(out)["f1"]["muc"] == {"pro": 1.0, "anti": 0.0, "mean": 0.5, "difference": 1.0}


def test_winobias_as_a_frame():
    pytest.importorskip("pandas", reason="pandas is not installed")
    result = scoref.winobias(([["a", "b"]], [["a", "b"]]), ([["a", "b"]], [["a"], ["b"]]), metrics=["muc"])
    assert result.to_frame().loc["muc"].to_dict() == {"pro": 1, "anti": 0, "mean": 0.5, "difference": 1}


def test_gap_as_a_frame(key, tmp_path):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = scoref.gap(key, answers(tmp_path, "t-1\tTRUE\tFALSE\nt-2\tTRUE\tTRUE\nt-4\tTRUE\tFALSE\n")).to_frame()
    assert frame.index.tolist() == ["overall", "masculine", "feminine", "feminine / masculine"]
    assert frame.loc["feminine / masculine", "f1"] == pytest.approx(0.8 / 0.5)  # as in the figures by hand
    assert frame.loc["overall", ["tp", "fp", "fn", "tn"]].tolist() == [3, 1, 2, 2]


def test_winobias_says_what_is_out_of_range(run, tmp_path):
    """CEAFm of a mention that stands in an entity twice is 2 of 1 under the rules of the reference scorer."""
    paths = [answers(tmp_path, conll(*cells), f"{name}.conll") for name, cells in
             (("key", ("(1)(1)", "(1)")), ("response", ("(1)", "-")))]  # fmt: skip
    code, out, _ = run("score", *paths, "--metrics", "ceafm")
    assert "\nout of range: ceafm above 100" in out
    code, out, _ = run("winobias", *paths, *paths, "--metrics", "ceafm")
    assert code == 0
    assert "\npro: out of range: ceafm above 100" in out
    assert "\nanti: out of range: ceafm above 100" in out


def test_words_that_are_not_those_of_the_text_are_refused_with_what_to_do(key, tmp_path):
    record = {"doc_key": "t-1", "sentences": [["Ada", "saw", "Eve"]], "clusters": [[[0, 0], [2, 2]]]}
    with pytest.raises(scoref.Error) as caught:
        scoref.gap(key, answers(tmp_path, json.dumps(record), "response.jsonl"))
    problem = caught.value.problem
    assert (problem.code, problem.document, problem.text) == ("different-word", "t-1", " met Eve before she left.")
    assert problem.expected == "the words of the text, in order"
    assert problem.remedy == "give character offsets, or a table of answers"
