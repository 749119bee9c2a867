"""Readers have quick ways for what is usual: they are taken there, and give what the slow ones give."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.document.document import Document, word_of
from scoref.document.grouping import TEXTS
from scoref.formats.conll.brackets import match
from scoref.formats.conll.lines import ConllColumns, WordCells, find_brackets, find_lines
from scoref.formats.corefud.brackets import FileBrackets
from scoref.formats.corefud.entities import EntityHeader, OpenMentions
from scoref.formats.corefud.lines import ConlluLines, ConlluTexts
from scoref.formats.jsonl.shapes import SHAPES, RecordText, plain_mentions
from scoref.formats.known import named
from scoref.formats.source import Source
from scoref.formats.ua.lines import UATable
from scoref.formats.ua.markables import Layer
from scoref.problems import Problems

# -- CoNLL: words -----------------------------------------------------------------------------------------------------

CELL = st.sampled_from(["a", "été", "w" * 20, "w" * 63, "w" * 64, "w" * 65, "x" * 130, "-"])
BLANK = st.sampled_from([" ", "\t", "   ", " \t"])
ROWS = st.lists(st.tuples(st.lists(CELL, min_size=1, max_size=7), BLANK), min_size=1, max_size=9)


def words_of(cells: list[str]) -> str:
    """The fourth cell of a line, of a short one the last but one."""
    return cells[min(3, len(cells) - 2)]


@given(ROWS, st.integers(0, 3), st.sampled_from(["", "\n", "\n" + "#" * 200 + "\n"]))
def test_words_are_found_for_all_lines_at_once(rows: list[tuple[list[str], str]], first: int, end: str) -> None:
    cells = [[*each, "(1)"] for each, _ in rows]
    data = "\n".join(blank.join(each) for each, (_, blank) in zip(cells, rows, strict=True)) + end
    lines, written, _ = find_lines(data.encode())
    found = WordCells(lines, np.flatnonzero(written))
    first = min(first, len(rows))
    assert found.text(0, len(rows)) == "\n".join(map(words_of, cells)).encode()
    if first < len(rows):
        assert found.text(first, len(rows)) == "\n".join(map(words_of, cells[first:])).encode()
    (document,) = named("conll").read(Source(f"#begin document d\n{data}\n".encode(), "f"), Problems("skip"))
    assert [*document.words] == [*map(words_of, cells)]


@pytest.mark.parametrize("size", range(60, 80))
def test_the_last_word_is_found_wherever_the_file_ends(size: int) -> None:
    """Bytes are searched by eights and by windows of 64: none goes beyond the end."""
    word = "w" * size
    for data, text in ((f"{word} -\na -", f"{word}\na"), (f"a -\n{word} -\n", f"a\n{word}"), (f"{word} -", word)):
        lines, written, _ = find_lines(data.encode())
        assert WordCells(lines, np.flatnonzero(written)).text(0, text.count("\n") + 1) == text.encode()


@pytest.mark.parametrize("line", ["(1)", "1" * 200, "a\x0bb (1)", "a\x00 (1)"])
def test_lines_of_one_cell_and_control_characters_are_left_to_the_slow_way(line: str) -> None:
    for odd_one in range(3):
        rows = ["a b (1)", "c d -", f"e f -{' g' * 99}"]
        rows.insert(odd_one, line)
        lines, written, _ = find_lines("\n".join(rows).encode())
        found = WordCells(lines, np.flatnonzero(written))
        assert found.text(0, 4) is None
        assert [found.text(n, n + 1) for n in range(4) if n != odd_one] == [b"b", b"d", b"g"]


def test_many_lines_are_found_in_blocks() -> None:
    rows = [f"w{number} -" for number in range(20_000)]
    lines, written, _ = find_lines("\n".join(rows).encode())
    found = WordCells(lines, np.flatnonzero(written)).text(0, len(rows))
    assert found == "\n".join(row[:-2] for row in rows).encode()


# -- CoNLL: brackets --------------------------------------------------------------------------------------------------


def matched(*cells: str) -> list[tuple[object, int, int]] | None:
    """The mentions that are found at once; None if they are left to the slow way."""
    lines, written, _ = find_lines("\n".join(f"w\t{cell}" for cell in cells).encode())
    tokens = np.flatnonzero(written)
    brackets = find_brackets(lines, tokens)
    found = match(lines.codes, brackets, brackets.token, np.zeros(len(brackets.token), np.int64), 1).mentions(0)
    return None if found is None else [(each.entity, word_of(each.span[0]), word_of(each.span[-1])) for each in found]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(1)", "-", "_", "*"], [("1", 0, 0)]),
        (["(1", "1)"], [("1", 0, 1)]),
        (["(1|(2)", "(3", "1)|3)"], [("1", 0, 2), ("2", 0, 0), ("3", 1, 2)]),
        (["(1", "(1", "1)", "1)"], [("1", 0, 3), ("1", 1, 2)]),
        (["(1|(1", "1)|1)"], [("1", 0, 1), ("1", 0, 1)]),
        (["(" + "a" * 32 + ")"], [("a" * 32, 0, 0)]),
        (["(" + "a" * 33 + ")"], None),
        (
            ["(" + "a" * 31 + ")", "(" + "a" * 30 + "b)", "(" + "a" * 31, "a" * 31 + ")"],
            [("a" * 31, 0, 0), ("a" * 30 + "b", 1, 1), ("a" * 31, 2, 3)],
        ),
        (["(abcdefgh)", "(abcdefghi)", "(abcdefgh)"], [("abcdefgh", 0, 0), ("abcdefghi", 1, 1), ("abcdefgh", 2, 2)]),
        (["(é)"], None),
        (["(a-b)"], None),
        (["(a*)"], None),
        (["(a+b)"], None),
        (["(1"], None),
        (["1)"], None),
        (["1"], None),
        (["()"], None),
        (["(1)|"], None),
        (["(1)-"], None),
        (["(1)_"], None),
        (["1*"], None),
        (["-"], []),
        (["--"], None),
        (["(1", "1)|(1", "1)"], None),
        (["(1", "(1)", "1)"], [("1", 0, 2), ("1", 1, 1)]),
        (["(1", "2)"], None),
    ],
)
def test_plain_brackets_are_matched_at_once(cells: list[str], expected: list[tuple[object, int, int]] | None) -> None:
    assert matched(*cells) == expected


def test_one_stretch_with_odd_brackets_leaves_the_others_alone() -> None:
    lines, written, _ = find_lines(b"w (1)\nw (2\nw (3)\nw (3)|(4)\n")
    brackets = find_brackets(lines, np.flatnonzero(written))
    found = match(lines.codes, brackets, np.array([0, 0, 0, 1]), np.array([0, 1, 2, 2]), 4)
    assert [found.usual[number] for number in range(4)] == [True, False, True, True]
    first, third, last = (found.mentions(number) for number in (0, 2, 3))
    assert first is not None
    assert third is not None
    assert last is not None
    assert ([each.entity for each in first], [each.entity for each in third], len(last)) == (["1"], ["3", "3", "4"], 0)
    assert [word_of(each.span[0]) for each in third] == [0, 1, 1]
    assert third.names == ("3", "4")


# -- CoNLL: columns ---------------------------------------------------------------------------------------------------

TOPIC_CELLS = st.sampled_from(["1", "1_1", "1_2", "1_1x", "2", "a", "a_1", "b", "7"])
TOPIC_ROWS = st.lists(st.lists(TOPIC_CELLS, min_size=2, max_size=8), min_size=1, max_size=5)


def slow_columns(rows: list[list[str]]) -> tuple[list[str], list[str] | None]:
    """The words, and the names of texts if there are several, each a stretch of lines."""
    ends = (rows[0], rows[-1])
    by_topic = all(
        len(row) > 6 and row[1].startswith(f"{row[0]}_") and f"{row[2]}_".startswith(f"{row[0]}_") for row in ends
    )
    words = [(row[5] if len(row) > 5 else "_") if by_topic else words_of(row) for row in rows]
    place = 2 if by_topic else 0
    texts = [row[place] if len(row) > place else "_" for row in rows]
    names = [row[place] if len(row) > place + 2 else "" for row in ends]
    stretches = 1 + sum(one != other for one, other in pairwise(texts))
    several = names[0] != names[1] and all(names) and not any(map(str.isdigit, names)) and stretches == len({*texts})
    return words, texts if several else None


def columns_of(rows: list[list[str]]) -> tuple[list[str], list[str] | None]:
    text = "\n".join(["#begin document d", *(" ".join(row) for row in rows), "#end document"])
    problems = Problems("skip")
    (document,) = named("conll").read(Source(text.encode(), "f"), problems)
    return [*document.words], [*document.columns[TEXTS]] if TEXTS in document.columns else None


@given(TOPIC_ROWS)
def test_lines_that_begin_with_topics_and_texts(rows: list[list[str]]) -> None:
    rows = [[*row, "-"] for row in rows]
    assert columns_of(rows) == slow_columns(rows)


@pytest.mark.parametrize(
    ("rows", "words", "texts"),
    [
        (
            [["1", "1_1", "1_1x", "0", "0", "Ada", "-"], ["1", "1_1", "1_2x", "0", "1", "ran", "-"]],
            ["Ada", "ran"],
            ["1_1x", "1_2x"],
        ),
        (
            [["1", "1_1", "1_1x", "0", "0", "Ada", "-"], ["1", "1_1", "1_1x", "0", "1", "ran", "-"]],
            ["Ada", "ran"],
            None,
        ),
        ([["1", "1_1", "1_1x", "0", "Ada", "-"], ["1", "1_1", "1_2x", "0", "ran", "-"]], ["0", "0"], None),
        ([["1", "1_1", "1", "0", "0", "Ada", "-"]], ["Ada"], None),
        ([["1", "1_1", "10_1x", "0", "0", "Ada", "-"]], ["0"], None),
        ([["a", "x", "-"], ["a", "y", "-"], ["b", "z", "-"]], ["x", "y", "z"], ["a", "a", "b"]),
        ([["a", "x", "-"], ["b", "y", "-"], ["a", "z", "-"], ["c", "z", "-"]], ["x", "y", "z", "z"], None),
        ([["a", "-"], ["b", "-"]], ["a", "b"], None),
        ([["1", "x", "-"], ["2", "y", "-"]], ["x", "y"], None),
    ],
)
def test_topics_and_texts_by_hand(rows: list[list[str]], words: list[str], texts: list[str] | None) -> None:
    assert slow_columns(rows) == columns_of(rows) == (words, texts)


@pytest.mark.parametrize("place", range(1, 4))
def test_columns_of_a_document_with_a_comment_among_its_tokens(place: int) -> None:
    """A comment is no token, also not in a second document."""
    rows = [f"d\t0\t{n}\tw{n}\tP{n}\t*\t-\t-\t-\t-\t*\t-" for n in range(3)]
    rows.insert(place, "# a comment")
    text = "\n".join(["#begin document a", *rows[:1], "#end document", "#begin document b", *rows, "#end document", ""])
    problems = Problems("skip")
    _, document = named("conll").read(Source(text.encode(), "f"), problems)
    assert [problem.code for problem in problems.found] == ["comment-line"]
    assert ([*document.words], [*document.columns["pos"]]) == (["w0", "w1", "w2"], ["P0", "P1", "P2"])
    assert document.columns.together()["pos"][2] == "P2"  # type: ignore[attr-defined]


def test_cells_are_found_at_once_where_no_control_characters_are() -> None:
    def columns(data: bytes, size: int) -> ConllColumns:
        return ConllColumns(data, slice(None), size)

    for text in (b"a b -\nc d -", b"a\tb -\n\n \nc d\t-"):
        found = columns(text, 2)._cells_of_lines()
        assert found is not None
        assert (found.width.tolist(), found.first.tolist()) == ([3, 3], [0, 3])
    assert columns(b"a\x0bb -\nc d -", 2)._cells_of_lines() is None
    assert columns(b"a b -\nc d -", 3)._cells_of_lines() is None


# -- CorefUD ----------------------------------------------------------------------------------------------------------


def row(number: str, misc: str) -> str:
    return "\t".join([number, f"w{number}", *"_" * 7, misc])


def conllu(*documents: list[str]) -> str:
    """Documents of values of Entity, or of whole lines; "" ends a sentence."""
    lines = []
    for number, cells in enumerate(documents):
        lines += [f"# newdoc id = {number}", "# global.Entity = eid-etype-head-other"]
        word = 0
        for cell in cells:
            word = 0 if not cell else word + ("\t" not in cell)
            lines.append(cell if "\t" in cell or not cell else row(str(word), f"Entity={cell}" if cell != "_" else "_"))
        lines.append("")
    return "\n".join([*lines, ""])


def odd(*documents: list[str]) -> list[bool]:
    """Which of these documents are left to the slow way."""
    file = ConlluLines(conllu(*documents).encode())
    texts = ConlluTexts(file, [*file.newdocs])
    header = EntityHeader("# global.Entity = eid-etype-head-other", 2)
    return [bool(each) for each in FileBrackets(texts, header.meaning).odd]


USUAL = [
    ["(e1--1-)"],
    ["(e1--1-", "e1)"],
    ["(e1--2-", "e1)"],
    ["(e1--2-(e2--1-)", "e1)(e3--1-)"],
    ["(e1--1-(e1--1-", "e1)", "e1)"],
    ["(e1--1-", "(e2--1-", "e1)", "e2)"],
    ["(e1)", "(e2-x)"],
    ["(e1--0-)"],
    ["_"],
    ["(e1--1-)", "", "(e1--1-)"],
    ["(e1--1-a-b)"],
    ["(é--1-)"],
]
ODD = [
    ["(e1--2-)"],
    ["(e1--3-", "e1)"],
    ["(e1--x-)"],
    ["(e1--1-"],
    ["e1)"],
    ["(e1--1-", "", "e1)"],
    ["(e1[1/1]--1-)"],
    ["(-x-1-)"],
    ["(e1)x"],
    ["x"],
    ["x(e1)"],
    ["(e1)(e2"],
    ["(e1--1-) "],
    ["(e1--1- ", "e1)"],
    ["(e1--1-", "e1) "],
    ["(e1", row("1.1", "_"), "e1)"],
    [row("0.1", "Entity=(e1)"), "_"],
    ["_", row("1.1", "Entity=(e1--1-)")],
    ["(e1--1-é"],
    ["(e1", "e2)"],
]


def test_documents_with_usual_brackets_are_read_at_once() -> None:
    assert [cells for cells in USUAL if odd(cells) != [False]] == []
    assert [cells for cells in ODD if odd(cells) != [True]] == []
    assert odd(["(e1)"], ["(e1"], ["(e1--1-", "e1)"], ["_"]) == [False, True, False, False]
    assert odd(["(e1"], ["e1)"], ["(e1)"]) == [True, True, False]


@pytest.mark.parametrize("cells", USUAL)
def test_both_ways_give_the_same_mentions(cells: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = conllu(cells)

    def read() -> Document:
        (document,) = named("corefud").read(Source(text.encode(), "f"), Problems())
        return document

    quick = read()
    monkeypatch.setattr("scoref.formats.corefud.read.FileBrackets", lambda *_: None)
    called: list[OpenMentions] = []
    whole = OpenMentions.read_all
    monkeypatch.setattr(OpenMentions, "read_all", lambda self: called.append(self) or whole(self))
    assert read() == quick
    assert len(called) == 1


# -- CONLL-UA ---------------------------------------------------------------------------------------------------------


def test_usual_cells_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise AssertionError(arguments)

    monkeypatch.setattr(Layer, "_read", fail)
    monkeypatch.setattr(UATable, "_checked", fail)
    cells = [
        "(EntityID=1|MarkableID=a",
        ")",
        "(EntityID=1|MarkableID=b)",
        "(EntityID=2|MarkableID=c|Min=4|x=y)",
        "_",
        "_",
    ]
    blank = "\t".join("_" * 8)
    rows = [f"{number}\tw\t{blank}\t{cell}" for number, cell in enumerate(cells, 1)]
    text = "\n".join(["# newdoc id = d", *rows, f"102345678\tw\t{blank}\t_\t_\t_\t_\t_", f"7\tw\t{blank}\t", ""])
    (document,) = named("ua").read(Source(text.encode(), "f"), Problems())
    assert [(each.id, each.attributes) for each in document.mentions] == [
        ("a", ()),
        ("b", ()),
        ("c", (("Min", "4"), ("x", "y"))),
    ]
    assert len(document.words) == 8


# -- JSON lines -------------------------------------------------------------------------------------------------------


def plain(chains: Any, words: int = 3, ends: str = "inclusive", **text: Any) -> Any:
    found = plain_mentions(chains, range(len(chains)), SHAPES[0]._replace(ends=ends), RecordText(["w"] * words, **text))
    return found and [(each.entity, word_of(each.span[0]), word_of(each.span[-1])) for each in found]


def test_plain_clusters_are_read_at_once() -> None:
    assert plain([[[0, 0], (1, 2)], ([2, 2],)]) == [(0, 0, 0), (0, 1, 2), (1, 2, 2)]
    assert plain([[[0, 1], [1, 3]]], ends="exclusive") == [(0, 0, 0), (0, 1, 2)]
    assert plain([[], [[0, 0]], []]) == [(1, 0, 0)]
    for odd_one in (
        [[[0, 3]]],
        [[[-1, 0]]],
        [[[1, 0]]],
        [[[0, True]]],
        [[[0.0, 1]]],
        [[[0]]],
        [[[0, 1, 2]]],
        [[3]],
        [3],
        ["ab"],
    ):
        assert plain(odd_one) is None
    assert plain([[[0, 0]]], ends="exclusive") is None
    assert plain([[[0, 0]]], words=0) is None
    assert plain([[[0, 0]]], places=[0, 1, 2]) is None
    assert plain_mentions([[0]], [0], SHAPES[-1], RecordText(["w"])) is None
