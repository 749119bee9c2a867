"""Columns that stay bytes: they are sequences of texts like any others; lines, blanks and brackets found in bytes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.document.grouping import TEXTS
from scoref.document.mentions import Mention, Mentions
from scoref.document.spans import Words, words_of
from scoref.formats.columnar import Lines, TabbedLines, cells_at, nested, trim, words_at
from scoref.formats.conll.lines import COLUMNS, ConllColumns
from scoref.formats.known import named
from scoref.formats.source import Source
from scoref.problems import Problems

words = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8)
lines = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=5), max_size=8)


def cells(texts: list[str], between: str) -> Words:
    """A file with these cells, and others between them."""
    data, start, end = between.encode(), [], []
    for text in texts:
        start.append(len(data))
        data += text.encode()
        end.append(len(data))
        data += between.encode()
    return words_at(np.frombuffer(data, np.uint8), np.array(start, np.int64), np.array(end, np.int64))


@given(lines)
def test_cells_are_a_sequence_of_their_texts(texts):
    expected = tuple(texts)
    assert len(cells(texts, "\t")) == len(texts)
    assert cells(texts, "\t")[:] == expected
    found = cells(texts, "\t")
    assert [*found] == texts == [found[index] for index in range(len(texts))]
    assert expected == found
    assert found == texts
    assert (hash(found), repr(found)) == (hash(expected), repr(expected))


@given(lines, lines)
def test_cells_of_two_files_are_equal_if_their_texts_are(ours, theirs):
    assert cells(ours, " - ") == cells(ours, "\t_\t")
    assert (cells(ours, " ") == cells(theirs, "\n")) == (ours == theirs)


@given(lines)
def test_cells_are_stored_without_the_rest_of_the_file(texts):
    stored = pickle.dumps(cells(texts, "secret"))
    assert pickle.loads(stored) == texts
    assert b"secret" not in stored or any("secret" in text for text in texts)


def test_bytes_are_looked_for_once_and_only_if_somebody_asks():
    asked = []
    found = Words(lambda: asked.append("text") or b"a\nb", 2)
    assert (len(found), found == found, asked) == (2, True, [])
    assert (found[1], [*found], found == ("a", "b"), asked) == ("b", ["a", "b"], True, ["text"])


@given(lines)
def test_lines_are_those_of_the_text(texts):
    data = "\n".join(texts).encode()
    found, expected = Lines(data), data.decode().removesuffix("\n").split("\n")
    every = np.arange(len(expected))
    assert [found.text(line) for line in every] == expected == found.texts(every)
    assert found.comments() == {line: text for line, text in enumerate(expected) if text.startswith("#")}
    blank = found.blank(np.ones(len(expected), np.bool_)).tolist()
    assert blank == [not text.strip() for text in expected]
    assert TabbedLines(data).width.tolist() == [text.count("\t") + 1 for text in expected]


@pytest.mark.parametrize("number", [1, 8191, 8192, 8193, 16_384])
def test_any_number_of_cells_is_cut_out(number: int) -> None:
    """They are cut out in blocks of 8,192."""
    start = np.arange(number) * 3
    found = words_at(np.frombuffer(b"ab." * number, np.uint8), start, start + 1 + np.arange(number) % 2)
    assert [*found] == ["a" if each % 2 == 0 else "ab" for each in range(number)]


@given(
    st.lists(
        st.tuples(st.integers(0, 90), st.sampled_from(["", "a", "a b", "\t", "!", "!a!", "\x1f"]), st.integers(0, 90)),
        max_size=5,
    )
)
def test_blanks_around_cells_are_left_out(texts):
    data = "|".join(" " * before + text + " " * after for before, text, after in texts).encode()
    bars = [place for place, code in enumerate(data) if code == ord("|")]
    start, end = np.array([0, *(bar + 1 for bar in bars)]), np.array([*bars, len(data)])
    trim(np.frombuffer(data + b"|", np.uint8), start, end, range(ord(" "), ord(" ") + 1))
    found = [data[first:last].decode() for first, last in zip(start, end, strict=True)]
    assert found == ([text for _, text, _ in texts] or [""])


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=8), max_size=5))
def test_brackets_are_paired_as_a_stack_pairs_them(groups):
    expected, unfit, place = [], [], 0
    for brackets in groups:
        pairs, stack, fits = [], [], True
        for number, opens in enumerate(brackets, place):
            if opens:
                stack.append(number)
            elif stack:
                pairs.append([stack.pop(), number])
            else:
                fits = False
        fits = fits and not stack
        expected += pairs if fits else []
        unfit += [not fits] * len(brackets)
        place += len(brackets)
    group = np.repeat(np.arange(len(groups)), [len(brackets) for brackets in groups])
    opening = np.array([opens for brackets in groups for opens in brackets], np.bool_)
    found, wrong = nested(group, opening)
    assert sorted(found.tolist()) == sorted(expected)
    assert wrong.tolist() == unfit


@given(words, st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([1, 2, -1]))
def test_words_in_one_piece_are_a_sequence_of_their_texts(texts, first, last, step):
    found, expected = words_of(texts), tuple(texts)
    assert [*found] == texts == [found[index] for index in range(len(texts))]
    assert [found[-index] for index in range(1, len(texts) + 1)] == texts[::-1]
    assert found[first:last:step] == expected[first:last:step]
    assert (found, hash(found), repr(found)) == (expected, hash(expected), repr(expected))
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(IndexError):
        found[len(texts)]


ends = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from("xyz")), max_size=6)


@given(ends, st.integers(-7, 7), st.integers(-7, 7))
def test_mentions_as_arrays_are_a_sequence_of_mentions(given_, first, last):
    expected = tuple(Mention.at(start, start + more, entity) for start, more, entity in given_)
    found = Mentions.of([(start, start + more) for start, more, _ in given_], [entity for *_, entity in given_])
    assert (*found,) == expected == tuple(found[index] for index in range(len(given_)))
    assert [found[-index] for index in range(1, len(given_) + 1)] == [*expected[::-1]]
    assert found[first:last] == expected[first:last]
    assert (found, hash(found), repr(found)) == (expected, hash(expected), repr(expected))
    with pytest.raises(IndexError):
        found[len(given_)]


# -- columns of CoNLL ------------------------------------------------------------------------------------------------

_CELLS = st.lists(st.text("ab()-_é/*", min_size=1, max_size=3), min_size=1, max_size=15)
_CONLL_LINES = st.lists(
    st.tuples(_CELLS, st.sampled_from(["\t", " ", " \t"]), st.sampled_from(["", "\t", " "])), min_size=1
)


def cell_of(name: str, cells: list[str]) -> str:
    """The cell of a column in a line that was split: what the page on the format says of short and of long lines."""
    if name == "word":
        return cells[3] if len(cells) >= 5 else cells[-2] if len(cells) > 1 else "_"
    if name == "arguments":
        return " ".join(cells[11:-1])
    return cells[COLUMNS[name]] if len(cells) >= 12 else "-"


@given(_CONLL_LINES, st.sampled_from(["", "\n", "\n \n"]))
def test_columns_of_lines_of_any_width_are_those_of_lines_that_are_split(lines, between):
    text = f"\n{between}".join(separator.join(cells) + end for cells, separator, end in lines)
    columns = ConllColumns(text.encode(), slice(None), len(lines))
    for name in ("arguments", *COLUMNS):
        assert [*columns.column(name)] == [cell_of(name, cells) for cells, _, _ in lines]


@given(_CONLL_LINES, st.booleans())
def test_columns_that_are_cut_together_are_those_of_lines_that_are_split(lines, even):
    width = len(lines[0][0])
    rows = [(cells * width)[:width] if even else cells for cells, _, _ in lines]
    text = "\n".join(separator.join(cells) + end for cells, (_, separator, end) in zip(rows, lines, strict=True))
    columns = ConllColumns(text.encode(), slice(None), len(rows))
    together = columns.together()
    assert together.keys() == columns.keys()
    for name in {*together} - {TEXTS}:
        assert [*together[name]] == [cell_of(name, cells) for cells in rows]
    assert [*together.get(TEXTS, ())] == [*columns.get(TEXTS, ())]


@given(st.lists(_CONLL_LINES, min_size=1, max_size=3))
def test_columns_of_many_documents_are_cut_as_those_of_each_alone(documents):
    texts = ["\n".join(separator.join(cells) + end for cells, separator, end in lines) for lines in documents]
    data, places, begin = "\n\n".join(texts).encode(), [], 0
    for text in texts:
        places.append(slice(begin, begin + len(text.encode())))
        begin = places[-1].stop + 2
    together = [ConllColumns(data, place, len(lines)) for place, lines in zip(places, documents, strict=True)]
    ConllColumns.read_ahead(together, "parse", "pos")
    alone = [ConllColumns(text.encode(), slice(None), len(lines)) for text, lines in zip(texts, documents, strict=True)]
    assert [each.names for each in together] == [each.names for each in alone]
    known = [[name for name in ("parse", "pos", "lemma") if name in each.names] for each in alone]
    found = [[[*each[name]] for name in names] for each, names in zip(together, known, strict=True)]
    assert found == [
        [[cell_of(name, cells) for cells, _, _ in lines] for name in names]
        for lines, names in zip(documents, known, strict=True)
    ]


def test_cells_at_some_words_of_any_columns() -> None:
    text = "#begin document d\n" + "".join(f"d 0 {n} w{n} P{n} * - - - - * -\n" for n in range(3)) + "#end document\n"
    (document,) = named("conll").read(Source(text.encode(), "f"), Problems())
    for columns in (document.columns, {"pos": ["P0", "P1", "P2"]}):
        assert [*cells_at(columns, "pos", [2, 0, 5])] == ["P2", "P0"]
        assert [*cells_at(columns, "lemma of none", [0])] == []
