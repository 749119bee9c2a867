"""Limits of readers, as the pages of the formats and the errors say them: what reaches one is read, one more is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref import formats
from scoref.document.document import position
from scoref.formats import archives
from scoref.formats.jsonl.write import from_record

Files = dict[str, str]


def brat(number: int) -> Files:
    word = "a" * number
    return {"d.ann": f"T1\tPerson 0 {number}\t{word}\n", "d.txt": word}


def tbf(number: int) -> Files:
    row = "\t".join(["brat", "d", "E1", f"0,{number}", "word", "Attack", "Actual"])
    return {"d.tbf": f"#BeginOfDocument d\n{row}\n#EndOfDocument\n"}


def booknlp(number: int) -> Files:
    row = "\t".join(["1", "7", str(7 + number - 1), "PROP", "PER", "Ada"])
    return {"d.entities": f"COREF\tstart_token\tend_token\tprop\tcat\ttext\n{row}\n"}


def long_mention(number: int) -> Files:
    return {"d.jsonl": json.dumps({"doc_key": "d", "clusters": [[[0, number - 1]]]})}


def far_mention(number: int) -> Files:
    return {"d.jsonl": json.dumps({"doc_key": "d", "clusters": [[[number - 1, number - 1]]]})}


def edl(number: int) -> Files:
    return {"d.tab": f"d\t0\t{number - 1}\tE1\tNAM\n"}


# the limit, what it limits, the code of the error, and what the error says of the limit
LIMITS = [
    (100_000, brat, "bad-span", "at most 100000 characters"),
    (10_000, tbf, "bad-span", "at most 10000 characters"),
    (100_000, booknlp, "bad-mention", ""),
    (100_000, edl, "bad-mention", "start ≤ end"),
    (100_000, long_mention, "bad-mention", "at most 100000 words"),
    (10_000_000, far_mention, "bad-mention", "an end below 10000000"),
]


@pytest.mark.parametrize(("limit", "files", "code", "expected"), LIMITS, ids=[row[1].__name__ for row in LIMITS])
def test_what_reaches_a_limit_is_read_and_one_more_is_not(
    tmp_path: Path, limit: int, files: Callable[[int], Files], code: str, expected: str
) -> None:
    for number in (limit, limit + 1):
        for name, text in files(number).items():
            (tmp_path / str(number)).mkdir(exist_ok=True)
            (tmp_path / str(number) / name).write_text(text)
    name = next(iter(files(1)))
    (document,) = scoref.read(tmp_path / str(limit) / name)
    assert len(document.mentions) == 1
    with pytest.raises(scoref.Error) as caught:
        scoref.read(tmp_path / str(limit + 1) / name)
    assert caught.value.code == code
    assert expected in (caught.value.problem.expected or "")


def test_words_are_not_made_up_without_end(tmp_path: Path) -> None:
    document = scoref.Document("d", mentions=(scoref.Mention.at(10_000_000, 10_000_000, "1"),))
    with pytest.raises(scoref.Error) as caught:
        scoref.write([document], tmp_path / "d.conll")
    assert caught.value.code == "too-far"
    assert caught.value.problem.expected == "places below 10000000"


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("[" + "b" * 700, "unclosed-mark", 101),  # the mark, and 100 characters of the word behind it
        ("[" + "b" * 700 + "](#)", "unnamed-mark", 500),
    ],
)
def test_of_a_long_mark_the_beginning_is_shown(tmp_path: Path, text: str, code: str, shown: int) -> None:
    path = tmp_path / "d.txt"
    path.write_text(f"[Ada](#1) saw {text}")
    with pytest.raises(scoref.Error) as caught:
        scoref.read(path, "text", marks="markdown")
    assert (caught.value.code, caught.value.problem.text) == (code, text[:shown])


def test_a_zip_file_has_ten_thousand_files_at_most() -> None:
    assert archives.MOST_FILES == 10_000


# -- positions in the record that scoref writes beside the usual keys --------------------------------------------------

TEXT = scoref.Document("d", ("Ada", "saw", "her"))
FARTHEST = 1 << 48
SPANS: list[tuple[list[object], list[int] | None]] = [  # words, empty nodes, stretches; None: refused
    ([0], [0]), ([2], [512]), ([3], None), ([-1], None), ([0, 2], [0, 512]), ([2, 0], None), ([1, 1], None),
    ([[0, 1]], [1]), ([[2, 255]], [767]), ([[-1, 1]], [position(-1, 1)]), ([[0, 0]], None), ([[0, 256]], None),
    ([[3, 1]], None), ([[-2, 1]], None), ([0, [0, 1], 1], [0, 1, 256]), ([[0, 2, -1]], [0, 256, 512]),
    ([[1, 1, -1]], [256]), ([[0, 3, -1]], None), ([[-1, 2, -1]], None), ([[2, 1, -1]], None),
    ([[0, 1, 1]], None), ([[0]], None),
    ([["0", 1]], None), (["0"], None), ([True], None), ([0.0], None), ([0, [0, 2, -1]], None),
]  # fmt: skip


def described(document: scoref.Document = TEXT, **record: object) -> scoref.Document | None:
    """What the record says of a document; None if it is malformed."""
    try:
        return from_record(record, document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


@pytest.mark.parametrize(("written", "span"), SPANS, ids=str)
def test_positions_of_a_record(written: list[object], span: list[int] | None) -> None:
    for field in ("span", "minimum"):
        found = described(mentions=[{"span": [1], "entity": "e", field: written}])
        assert (found and [*getattr(found.mentions[0], field)]) == span
    if len(written) == 1 and "-1]]" not in str(written):
        found = described(mentions=[{"span": [1], "entity": "e", "head": written[0]}])
        assert (found and [found.mentions[0].head]) == span


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("comments", [[[0, "#"]], [[3, "#"]]], [[[-1, "#"]], [[4, "#"]]]),
        ("bridges", [[[0, 1, {}]], [[1, 0, {"a": "b"}]]], [[[0, 2, {}]], [[-1, 0, {}]], [["0", 1, {}]]]),
        ("columns", [{"a": [1, 2, 3]}, {"text": ["x"]}], [{"a": [1, 2]}, {"a": [1, 2, 3, 4]}]),
        ("unit", [None, "tokens", "characters"], ["letters", 3]),
        ("deixis", [None, {}, {"mentions": []}], [{"deixis": {}}]),
        ("sets", [[["e", ["f", 1]]]], [[["e", [1.5]]], [[["e"], ["f"]]]]),
        ("nonreferring", [["e", 1, None]], [[1.5], [["e"]]]),
        ("relations", [[["After", "R", ["a", 1]]]], [[["After", "R"]], [["After", "R", [1.5]]]]),
    ],
)
def test_other_fields_of_a_record(field: str, good: list[object], bad: list[object]) -> None:
    mentions = [{"span": [place], "entity": "e"} for place in (0, 2)]
    assert [value for value in good if described(mentions=mentions, **{field: value}) is None] == []
    assert [value for value in bad if described(mentions=mentions, **{field: value}) is not None] == []


def test_parents_are_within_the_text_or_before_it() -> None:
    for place, there in ((-256, True), (-257, False), (2 * 256 + 255, True), (3 * 256, False), ("0", False)):
        found = described(mentions=[{"span": [[0, 1]], "entity": "e", "parents": [[place, "nsubj"]]}])
        assert (found and found.mentions[0].parents) == (((place, "nsubj"),) if there else None)


def test_without_words_a_position_has_48_bits() -> None:
    for place, there in ((FARTHEST - 1, True), (FARTHEST, False)):
        for span in ([place], [[0, place, -1]]):
            found = described(scoref.Document("d"), mentions=[{"span": span, "entity": "e"}])
            assert (found and found.mentions[0].span[-1]) == (256 * place if there else None)


@pytest.mark.parametrize(("last", "written"), [(9, [*range(10)]), (10, [[0, 10, -1]])])
def test_stretches_of_more_than_ten_words_are_written_by_their_ends(last: int, written: list[object]) -> None:
    """A record is beside the usual keys where these do not say all, as of an id."""
    mention = scoref.Mention.at(0, last, "e", id="m")
    text = formats.dumps([scoref.Document("d", ("a",) * 12, (mention,))], "jsonl")
    assert json.loads(text)["scoref"]["mentions"][0]["span"] == written
