"""What the CoNLL reader finds by array operations, against the slow way: cell by cell, bracket by bracket."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import Error
from scoref.document.document import Document, Mention, stretch
from scoref.formats.conll.read import read
from scoref.formats.conll.write import write
from scoref.formats.source import Source
from scoref.problems import Problems

NAMES = st.sampled_from(["1", "2", "01", "12", "e-3", "a" * 8, "a" * 9, "a" * 40, "é", "x.y"])
SPANS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), NAMES), max_size=8)
EXTRA = st.one_of(st.none(), st.tuples(st.integers(0, 5), st.sampled_from(["(1", "1)", "[2]", "(1+2)", ""])))
BLANKS = st.sampled_from([" ", "\t", "   ", " \t", "\x0b", " " * 70])
WORDS = st.sampled_from(["a", "the", "été", "w" * 8, "w" * 63, "w" * 64, "w" * 130, "-"])


def documents(text: str) -> list[Document]:
    return list(read(Source(text.encode(), "file"), Problems("skip")))


def written(spans: list[tuple[int, int, str]], extra: tuple[int, str] | None) -> list[str]:
    """The last cells of a text of nine words."""
    parts: list[list[str]] = [[] for _ in range(9)]
    for first, more, name in spans:
        if more:
            parts[first].append(f"({name}")
            parts[first + more].append(f"{name})")
        else:
            parts[first].append(f"({name})")
    if extra:
        parts[extra[0]].append(extra[1])
    return ["|".join(each) or "-" for each in parts]


def slow_mentions(cells: list[str]) -> list[tuple[int, int, str]] | None:
    """First word, last word and entity of each mention, in the order of what opens them; None if anything is wrong."""
    found: list[tuple[int, int, str]] = []
    opened: defaultdict[str, list[int]] = defaultdict(list)
    for word, cell in enumerate(cells):
        parts = [] if cell == "-" else cell.split("|")
        for part in parts:
            name = part.strip("()")
            if not name or "+" in part or "[" in part or (f"({name}" in parts and f"{name})" in parts):
                return None
            if part.startswith("("):
                opened[name].append(len(found))
                found.append((word, word, name))
            if part.endswith(")"):
                if not opened[name]:
                    return None
                place = opened[name].pop()
                found[place] = (found[place][0], word, name)
    return None if any(opened.values()) else found


@given(st.lists(st.tuples(SPANS, EXTRA), min_size=1, max_size=4))
def test_brackets(texts: list[tuple[list[tuple[int, int, str]], tuple[int, str] | None]]) -> None:
    """Each document has the mentions that a stack for each entity finds, whatever is wrong with documents around it."""
    cells = [written(*each) for each in texts]
    lines = [
        line
        for number, column in enumerate(cells)
        for line in (f"#begin document {number}", *(f"w {cell}" for cell in column), "#end document")
    ]
    found = documents("\n".join(lines))
    assert len(found) == len(cells)
    for document, column in zip(found, cells, strict=True):
        expected = slow_mentions(column)
        if expected is not None:
            ends = [*zip(document.mentions.ends[::2], document.mentions.ends[1::2], strict=True)]  # type: ignore[attr-defined]
            assert [(*each, mention.entity) for each, mention in zip(ends, document.mentions, strict=True)] == expected
            assert list(document.names) == list(dict.fromkeys(name for *_, name in expected))


@given(st.lists(st.lists(st.tuples(WORDS, BLANKS), min_size=0, max_size=7), min_size=1, max_size=12), st.booleans())
def test_words(rows: list[list[tuple[str, str]]], ends: bool) -> None:
    """The word of a line is its fourth cell, of a short line the one before the last; `_` where there is no other."""
    lines = ["".join(word + blank for word, blank in row) + "-" for row in rows]
    text = "\n".join(["#begin document a", *lines, *["#end document"] * ends])
    (document,) = documents(text)
    cells = [line.split() for line in lines]
    assert list(document.words) == [(["_", *each[:-1]][-1] if len(each) < 5 else each[3]) for each in cells]
    (other,) = documents("\n".join(["#begin document a", *(f"{word}\t-" for word in document.words), "#end document"]))
    assert document.words == other.words


@given(st.lists(st.tuples(st.lists(WORDS, min_size=11, max_size=13), BLANKS), min_size=1, max_size=6), st.booleans())
def test_columns_are_the_cells_of_their_lines(rows: list[tuple[list[str], str]], even: bool) -> None:
    width = len(rows[0][0]) if even else 13
    lines = [(blank.join((cells * 2)[:width] if even else cells) + blank + "-") for cells, blank in rows]
    (document,) = documents("\n".join(["#begin document (a); part 000", *lines, "#end document"]))
    cells = [line.split() for line in lines]
    full = [len(each) >= 12 for each in cells]
    assert ("pos" in document.columns) == (2 * sum(full) > len(full))
    for name, place in (("pos", 4), ("speaker", 9)) if "pos" in document.columns else ():
        assert list(document.columns[name]) == [each[place] if len(each) >= 12 else "-" for each in cells]


def test_comments_are_no_tokens_though_they_have_as_many_cells() -> None:
    text = "#begin document (d); part 000\n# y\na\t(1)\n# y\n# -\nb\t-\n#end document\n"
    (document,) = documents(text)
    assert list(document.words) == ["a", "#", "b"]  # the last cell of a token is one of coreference


def test_a_mention_that_crosses_an_inner_one_is_refused_inside_of_an_outer_one_too() -> None:
    """Brackets of one entity have one name: `(1 (1 1) 1)` would be read as nested ones."""
    spans = [stretch(0, 9), stretch(1, 3), stretch(2, 5)]
    words = tuple("abcdefghij")
    nested = Document("d", words, [Mention(span, "1") for span in spans[:2]])
    assert [mention.span for mention in documents(write([nested]))[0].mentions] == spans[:2]
    crossing = Document("d", words, [Mention(span, "1") for span in spans])
    with pytest.raises(Error) as caught:
        write([crossing])
    assert caught.value.code == "crossing-mentions"
