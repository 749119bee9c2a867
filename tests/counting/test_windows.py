"""Windows of long texts: recorded cases, BookCoref's numbers, a slow version, and what is refused."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES, SHARED, recorded
from scoref import Document, Mention
from scoref.counting import windows
from scoref.counting.choices import Counting
from scoref.document.document import Origin
from scoref.document.spans import position
from scoref.matching.lookup import Lookups
from scoref.matching.match import Alignment
from scoref.results import saved

Run = Callable[..., tuple[int, str, str]]
some = settings(max_examples=60)
RULES = ("clean", "bookcoref", "propp")
NAMES = ("muc", "b3", "ceafe")
TALES = str(EXAMPLES / "tales" / "key.conll"), str(EXAMPLES / "tales" / "rules.conll")
Side = list[list[tuple[int, int]]]


def document(side: Side, words: int, name: str = "d") -> Document:
    mentions = [Mention.at(*ends, f"e{number}") for number, entity in enumerate(side) for ends in entity]
    return Document(name, ["w"] * words, tuple(mentions))


@pytest.mark.parametrize("case", recorded(SHARED / "data" / "insight" / "windows.jsonl"))
def test_recorded_cases(case):
    sides = [document(case[side], case["words"]) for side in ("key", "response")]
    how = {"window": case["N"], "window_rule": case["rule"]}
    found = scoref.score(*sides, metrics=[*case["counts"]], **how)
    assert {name: found.counts[name].sum(axis=0).tolist() for name in case["counts"]} == {
        name: pytest.approx(values, abs=1e-9) for name, values in case["counts"].items()
    }
    for name, score in case["scores"].items():
        assert found[name]._asdict() == pytest.approx(score, abs=1e-9)
    if mean := case.get("propp_mean_f1"):
        as_scorch = {"twinless": "pad-key", "average": "macro", "empty": "count"}
        means = scoref.score(*sides, metrics=[*mean], **as_scorch, **how)
        assert {name: means[name].f1 for name in mean} == pytest.approx(mean, abs=1e-9)


BOOKS = {  # precision, recall, f1 of its evaluate.py; of windows side by side; of whole books
    "bookcoref": {"muc": (80.6646, 85.6100, 83.0637), "b3": (60.0431, 44.0875, 50.8428),
                  "ceafe": (9.5641, 64.5238, 16.6590), "conll": (50.0906, 64.7404, 50.1885)},
    "clean": {"muc": (80.7260, 85.6179, 83.1000), "b3": (60.0917, 44.0182, 50.8141),
              "ceafe": (9.6042, 64.5717, 16.7213), "conll": (50.1406, 64.7359, 50.2118)},
    "": {"muc": (80.0862, 92.6776, 85.9230), "b3": (51.5569, 23.6387, 32.4152),
         "ceafe": (0.6522, 43.9473, 1.2853), "conll": (44.0984, 53.4212, 39.8745)},
}  # fmt: skip


BOOKCOREF = Path(os.environ.get("SCOREF_BOOKCOREF", "nowhere"))
BOOK_FILES = [BOOKCOREF / "predictions" / name for name in ("finetuned_bookcoref/maverick_xl", "off_the_shelf/booknlp")]
PREDICTIONS = [str(each.with_suffix(".jsonl")) for each in BOOK_FILES]
with_books = pytest.mark.skipif(
    not all(map(os.path.exists, PREDICTIONS)),
    reason="no files of BookCoref: set SCOREF_BOOKCOREF to a copy of SapienzaNLP/bookcoref",
)


@with_books
@pytest.mark.parametrize("rule", BOOKS)
def test_the_numbers_of_bookcoref(rule):
    how = {"window": 1500, "window_rule": rule} if rule else {}
    found = scoref.score(*PREDICTIONS, protocol="maverick", **how)
    assert {name: [round(100 * found[name][place], 4) for place in (1, 0, 2)] for name in BOOKS[rule]} == {
        name: [*values] for name, values in BOOKS[rule].items()
    }


@with_books
@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("windows", [False, True])
def test_the_code_of_bookcoref_gives_the_same(windows, exchanged, monkeypatch: pytest.MonkeyPatch):
    """Its functions are run on the files, without the packages that download its key and print."""
    monkeypatch.syspath_prepend(str(BOOKCOREF))
    for module, names in {"datasets": ["DatasetDict", "load_dataset"], "rich": ["print"], "tap": ["Tap"]}.items():
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(**dict.fromkeys(names, object)))
    evaluate = importlib.import_module("evaluate")
    printed: dict[str, dict[str, float]] = {}
    monkeypatch.setattr(evaluate, "print_results", printed.update)
    files = PREDICTIONS[::-1] if exchanged else PREDICTIONS
    key, response = ([json.loads(line) for line in Path(file).read_text().splitlines()] for file in files)
    if windows:
        evaluate.evaluate_split(key, response, length=1500)
    else:
        evaluate.evaluate(key, response)
    how = {"window": 1500, "window_rule": "bookcoref"} if windows else {}
    found = scoref.score(*files, protocol="maverick", **how)
    names = {"muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "conll2012": "conll"}
    assert {name: found[ours]._asdict() for name, ours in names.items()} == {
        name: pytest.approx(printed[name], abs=1e-12) for name in names
    }


# -- as slowly ---------------------------------------------------------------------------------------------------------


def slow_windows(rule: str, words: int, size: int) -> list[Callable[[int, int], bool]]:
    """Which mentions each window has, by their first and last word, as the rules are written."""
    if rule == "clean":
        return [lambda f, e, i=i: i <= f < i + size for i in range(0, words, size)]
    if rule == "propp":
        return [lambda f, e, i=i: e >= i and f <= i + size for i in range(0, words, size) if i + size <= words]
    cuts = [size * number for number in range(1, words // size + 1)] + [words]
    return [lambda f, e, s=s: s - size < f < s for s in cuts]


def slowly(key: Side, response: Side, rule: str, words: int, size: int, singletons: str) -> list[tuple[Side, Side]]:
    found = []
    for inside in slow_windows(rule, words, size):
        sides = [[[m for m in entity if inside(*m)] for entity in side] for side in (key, response)]
        least = 2 if singletons == "drop" else 1
        found.append(tuple([entity for entity in side if len(entity) >= least] for side in sides))
    return found


def side_of(random: Random, words: int) -> Side:
    places = [(first, min(first + random.choice([0, 0, 1, 3]), words - 1)) for first in range(words)]
    chosen = random.sample(places, random.randint(0, words))
    found: dict[int, list[tuple[int, int]]] = {}
    for place in chosen:
        found.setdefault(random.randrange(4), []).append(place)
    return [*found.values()]


@pytest.mark.parametrize("seed", range(24))
def test_windows_of_fixed_documents_are_as_slow(seed):
    assert_as_slow(Random(seed), RULES[seed % 3], ["keep", "drop"][seed % 2])


@some
@given(st.randoms(use_true_random=True), st.sampled_from(RULES), st.sampled_from(["keep", "drop"]))
def test_windows_are_as_slow(random, rule, singletons):
    assert_as_slow(random, rule, singletons)


def assert_as_slow(random, rule, singletons):
    words, size = random.randint(1, 25), random.randint(1, 12)
    sides = side_of(random, words), side_of(random, words)
    both = [document(side, words) for side in sides]
    found = scoref.score(*both, metrics=NAMES, window=size, window_rule=rule, singletons=singletons)
    parts = slowly(*sides, rule, words, size, singletons)
    each = [[document(part[side], words, str(n)) for n, part in enumerate(parts)] for side in (0, 1)]
    assert len(found.documents) == len(parts)
    expected = scoref.score(*each, metrics=NAMES) if parts else None
    for name in NAMES if expected else ():
        np.testing.assert_allclose(found.counts[name], expected.counts[name], atol=1e-9)
    assert expected or not any(values.any() for values in found.counts.values())


@pytest.mark.parametrize("share", [10.0, 50.0, 75.0, 99.0])
def test_prefixes_of_fixed_documents_are_as_slow(share):
    for seed in range(5):
        assert_prefix_as_slow(Random(seed), share)


@some
@given(st.randoms(use_true_random=True), st.sampled_from([10.0, 50.0, 75.0, 100.0]))
def test_prefixes_are_as_slow(random, share):
    assert_prefix_as_slow(random, share)


def assert_prefix_as_slow(random, share):
    words = random.randint(1, 25)
    sides = side_of(random, words), side_of(random, words)
    both = [document(side, words) for side in sides]
    part = [[[m for m in entity if 100 * m[0] < share * words] for entity in side] for side in sides]
    expected = scoref.score(*(document([e for e in side if e], words) for side in part), metrics=NAMES)
    assert scoref.score(*both, metrics=NAMES, prefix=share).scores == expected.scores


# -- what follows ------------------------------------------------------------------------------------------------------


def test_one_window_is_the_whole_text():
    whole = scoref.score(*TALES)
    assert scoref.score(*TALES, window=10**6).scores == whole.scores
    assert scoref.score(*TALES, prefix=100).signature == whole.signature


def test_a_response_mention_is_where_its_twin_is_and_an_empty_node_at_the_word_before_it():
    key = Document("d", ["w"] * 8, (Mention.at(3, 5, "a", head=position(4)), Mention.at(0, 0, "a")))
    response = Document("d", ["w"] * 8, (Mention.at(4, 4, "x", head=position(4)), Mention.at(0, 0, "x")))
    assert scoref.score(key, response, match="partial", window=4, metrics=["muc"])["muc"].f1 == 1.0
    zero = Document("d", ["w"] * 4, (Mention((position(1) + 1,), "a"), Mention.at(0, 0, "a")))
    assert scoref.score(zero, zero, window=2, metrics=["muc"])["muc"].f1 == 1.0
    before = Document("d", ["w"] * 4, (Mention((position(0) - 255,), "a"), Mention.at(0, 0, "a")))
    assert scoref.score(before, before, window=1, metrics=["muc"])["muc"].f1 == 1.0


def test_a_mention_with_several_twins_is_where_the_last_of_them_is():
    """Recall finds it from two windows, of which it is in one: no pair is made in the other."""
    key = Document("d", ["w"] * 8, (Mention.at(0, 0, "a"), Mention.at(5, 5, "b"), Mention.at(6, 6, "b")))
    response = Document("d", ["w"] * 8, (Mention.at(0, 0, "x"), Mention.at(7, 7, "y"), Mention.at(6, 6, "y")))
    recall, precision = Alignment([0, 1, 2], [0, 0, 2]), Alignment([0, 2], [0, 2])
    found = windows.cut(
        [(key, response, Lookups(recall, precision, recall, recall, ([2], [0, 1])))], Counting(window=4)
    )
    assert [lookups[:2] for *_, lookups in found.aligned] == [
        (Alignment([0], [0]), Alignment([0], [0])), (Alignment([1], [1]), Alignment([1], [1]))]  # fmt: skip
    assert [lookups.copies for *_, lookups in found.aligned] == [([], [0]), ([1], [0])]
    assert [[len(side.mentions) for side in sides] for *sides, _ in found.aligned] == [[1, 1], [2, 2]]


@pytest.mark.parametrize(
    ("rule", "words", "places"),
    [
        ("clean", 5, ["words 0-1", "words 2-3", "words 4-4"]),
        ("bookcoref", 5, ["words 1-1", "words 3-3", "words 4-4"]),
        ("bookcoref", 1, ["words 0-0"]),
        ("propp", 5, ["words 0-2", "words 2-4"]),
    ],
)
def test_windows_are_named_by_their_words(rule, words, places):
    """Where the words of a text are not known, it ends with its last mention."""
    nothing = Alignment([], [])
    for number in (words, 0):
        ours = Document("d", ["w"] * number, (Mention.at(0, words - 1, "a"),))
        found = windows.cut(
            [(ours, replace(ours, mentions=()), Lookups(nothing, nothing, nothing, nothing))],
            Counting(window=2, window_rule=rule),
        )
        assert found.places == places
        assert found.named(["text"]) == tuple(f"text; {place}" for place in places)


def test_mentions_of_a_window_keep_their_order():
    """That of the file, of which many rules depend; pairs, that of the key."""
    order = Random(1).sample(range(200), 200)
    ours = Document("d", ["w"] * 200, tuple(Mention.at(word, word, word % 7) for word in order))
    theirs = replace(ours, mentions=ours.mentions[::-1])
    pairs = Alignment([*range(200)], [*range(199, -1, -1)])
    found = windows.cut([(ours, theirs, Lookups(pairs, pairs, pairs, pairs))], Counting(window=100))
    for first, (key, response, lookups) in zip((0, 100), found.aligned, strict=True):
        inside = [word for word in order if first <= word < first + 100]
        assert [mention.span[0] for mention in key.mentions] == [position(word) for word in inside]
        assert [mention.span[0] for mention in response.mentions] == [position(word) for word in inside[::-1]]
        assert lookups.recall == Alignment([*range(100)], [*range(99, -1, -1)])


def test_mentions_in_pieces_and_empty_nodes_end_where_their_words_do():
    """An empty node before the first word is at the first word."""
    spans = (position(0), position(2)), (position(-1, 1),), (position(3), position(4), position(4, 1))
    document = Document("d", ["w"] * 5, tuple(Mention(span, "a") for span in spans))
    assert windows._ends(document).tolist() == [[0, 0, 3], [2, 0, 4]]
    assert windows._ends(replace(document, mentions=())).shape == (2, 0)


def test_signature_json_merging_and_groups(tmp_path: Path, run: Run):
    sums = tmp_path / "sums.json"
    code, out, _ = run("score", *TALES, "--window", "40", "--window-rule", "bookcoref", "--json", "--save", sums)
    said = json.loads(out)
    assert code == 0
    assert "|window:40|window-rule:bookcoref|" in said["signature"]
    assert (said["protocol"]["window"], said["protocol"]["window_rule"]) == (40, "bookcoref")
    assert any("windows of 40 words (bookcoref)" in note for note in said["notes"])
    assert scoref.score(*TALES, protocol=said["signature"]).to_dict()["scores"] == said["scores"]
    again = json.loads(run("merge", sums, "--json")[1])
    assert again["scores"] == said["scores"]
    assert run("score", *TALES, "--save", tmp_path / "whole.json")[0] == 0
    assert "they have window:40 and window:0" in run("merge", sums, tmp_path / "whole.json")[2]
    windows = scoref.score(*TALES, window=40)
    assert [*windows.by("text")] == [*scoref.score(*TALES).by("text")]
    assert len(windows.by_document()) == len(windows.documents)
    assert windows.by("size")
    assert scoref.score(*TALES, window=40, jobs=2).scores == windows.scores
    both = run("score", *TALES, "--with", "window:40", "--with", "window-rule:propp,window:100")[1]
    assert "window:40" in both
    assert scoref.score(*TALES, settings=["window:40"]).settings["window:40"].scores == windows.scores


@pytest.mark.parametrize(
    ("sides", "how", "code"),
    [
        (([["a", "b"]], [["a", "b"]]), {}, "no-positions"),
        ((str(EXAMPLES / "key.conllua"), str(EXAMPLES / "response.conllua")), {}, "windowed-sets"),
        (TALES, {"scope": "corpus"}, "windowed-scope"),
        (TALES, {"metrics": ["mor"]}, "undefined-metric"),
        (TALES, {"window_rule": "none"}, "unknown-choice"),
        (({"a": "A"}, {"a": "A"}), {}, "not-on-tables"),
    ],
)
def test_what_cannot_be_cut_is_refused(sides, how, code):
    with pytest.raises(scoref.Error) as raised:
        scoref.score(*sides, window=40, **how)
    assert raised.value.code == code


@pytest.mark.parametrize(
    "how",
    [{"window": 40.5}, {"window": 0.5}, {"settings": ["window:40.5"]}, {"protocol": "conll-2012|window:40.5"},
     {"frequent": 2.5}],
)  # fmt: skip
def test_a_window_has_a_whole_number_of_words(how):
    """It is not cut off in silence under a signature that says otherwise."""
    with pytest.raises(scoref.Error, match=r"is \d+\.5(.|\n)*a whole number from"):
        scoref.score(*TALES, metrics=["b3"], **how)


def test_windows_of_characters_are_refused():
    """Event nuggets without token tables are at characters; a window of 40 of them is none of 40 words."""
    key = Document("d", (), (Mention.at(0, 7, "a"),), origin=Origin(unit="characters"))
    for how in ({"window": 40}, {"prefix": 50}):
        with pytest.raises(scoref.Error, match="positions are characters"):
            scoref.score(key, key, metrics=["b3"], **how)


@pytest.mark.parametrize("command", ["score", "errors"])
def test_a_rule_without_windows_is_said_to_change_nothing(run: Run, command: str):
    code, out, _ = run(command, *TALES, "--window-rule", "propp")
    assert code == 0
    assert "window-rule:propp changes nothing, as there are no windows without --window" in " ".join(out.split())
    assert "changes nothing" not in run(command, *TALES, "--window-rule", "clean")[1]
    assert scoref.score(*TALES, window_rule="propp").scores == scoref.score(*TALES).scores


def test_a_rule_of_windows_is_refused_for_tables():
    with pytest.raises(scoref.Error) as raised:
        scoref.score({"a": "A"}, {"a": "A"}, window_rule="propp")
    assert raised.value.code == "not-on-tables"


def test_errors_in_windows_are_refused():
    with pytest.raises(scoref.Error, match="whole texts"):
        scoref.analyse(*TALES, window=40)


def test_settings_of_other_windows_are_saved_and_merged(tmp_path: Path, run: Run):
    """Windows of two halves are those of all texts."""
    asked = {
        "settings": ["window:40", "prefix:50", "window:30,window_rule:propp,average:macro"],
        "metrics": ["b3", "conll"],
    }
    sides = [scoref.read(path) for path in TALES]
    whole = scoref.score(*sides, **asked)
    for number, part in enumerate((slice(0, 1), slice(1, None))):
        scoref.save(scoref.score(*(side[part] for side in sides), **asked), tmp_path / f"{number}.json")
    scoref.save(scoref.merge([scoref.load(tmp_path / f"{number}.json") for number in (0, 1)]), tmp_path / "both.json")
    again = scoref.load(tmp_path / "both.json")
    assert again.scores == whole.scores
    for name, each in whole.settings.items():
        found = again.settings[name]
        assert (found.scores, found.documents, found.signature) == (each.scores, each.documents, each.signature)
        assert [*found.by("text")] == [*each.by("text")]
    with_intervals = [scoref.with_intervals(one.settings["window:40"], 50) for one in (whole, again)]
    assert with_intervals[0].intervals.scores == with_intervals[1].intervals.scores
    text = run("merge", tmp_path / "0.json", tmp_path / "1.json")[1]
    assert text.splitlines()[:3] == str(whole).splitlines()[:3]


def test_saved_windows_that_do_not_fit_are_refused(tmp_path: Path):
    path = tmp_path / "sums.json"
    scoref.save(scoref.score(*TALES, settings=["window:40"]), path)
    record = json.loads(path.read_text())
    record["settings"]["window:40"]["key"].pop()
    record.pop("checksum")
    path.write_text(json.dumps({**record, "checksum": saved._checksum(record)}))
    with pytest.raises(scoref.Error, match="columns do not fit"):
        scoref.load(path)
