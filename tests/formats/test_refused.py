"""What writers refuse: documents that would be read back differently, each with the place that the error names."""

from __future__ import annotations

from typing import Any

import pytest

from scoref.document.document import Document, Mention, Origin, position, stretch
from scoref.formats.known import named
from scoref.problems import Error


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


A, B = Mention(stretch(0, 0), "1"), Mention(stretch(1, 1), "2")
ZERO = Mention((position(1, 1),), "1")
GAP = Mention((position(0), position(2)), "1")
CROSSING = (Mention(stretch(0, 1), "1"), Mention(stretch(1, 2), "1"))
BEHIND = Mention(stretch(2, 3), "1")
NAMELESS = Mention((), "1", "m")
ATTRIBUTED = Mention(stretch(1, 1), "1", attributes=(("x y", "1"),))


def doc(*mentions: Mention, words: tuple[str, ...] = ("a", "b", "c"), id: str = "d", **more: Any) -> Document:
    """A document of in.x, whose words are on the lines 3, 4, 5."""
    return Document(id, words, mentions, origin=Origin("in.x", 2, [3, 4, 5]), **more)


OTHER = "choose another format"
RENAME = "rename the document, or choose another format"
CHANGE = "change it, or choose another format"
MARKS = "choose another format or style of marks"
EVERY = [  # what formats are refused, and for each how: code, line, text, expected, remedy
    ("conll", doc(id=" d"), ("unwritable-name", None, " d", None, RENAME)),
    ("conll", doc(id="d\x1f"), ("unwritable-name", None, "d\x1f", None, RENAME)),
    ("conll", doc(words=("a", "b c")), ("unwritable-word", None, "b c", None, OTHER)),
    ("conll", doc(words=("a", "")), ("unwritable-word", None, "", None, OTHER)),
    ("conll", doc(A, GAP), ("unwritable-mention", 3, "a c", None, OTHER)),
    ("conll", doc(A, BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("conll", doc(NAMELESS), ("unwritable-mention", 2, "m", None, OTHER)),
    ("conll", doc(A, B._replace(entity="x y")), ("unwritable-entity", 4, "b", None, OTHER)),
    ("conll", doc(A, B._replace(entity=1)), ("unwritable-entity", 4, "b", None, OTHER)),
    ("conll", doc(B._replace(entity=None)), ("unwritable-entity", 4, "b", None, OTHER)),
    ("conll", doc(*CROSSING), ("crossing-mentions", 4, "b c", None, OTHER)),
    ("corefud", doc(id=" d"), ("unwritable-name", None, None, "a name in one line, without blanks around it", None)),
    ("corefud", doc(id="d\n"), ("unwritable-name", None, None, "a name in one line, without blanks around it", None)),
    ("corefud", doc(words=("a", "")), ("unwritable-word", None, "", "a word without tabs and line breaks", None)),
    ("corefud", doc(words=("a", "b\tc")),
     ("unwritable-word", None, "b\tc", "a word without tabs and line breaks", None)),
    ("corefud", doc(columns={"LEMMA": ["_", "x\ny", "_"]}),
     ("unwritable-word", None, "x\ny", "a cell without tabs and line breaks", None)),
    ("corefud", doc(A, B._replace(entity="x-y")),
     ("unwritable-mention", 4, "x-y: b", "words of one sentence, a name without brackets, hyphens and blanks",
      "rename such entities (scoref convert does, and says so), or choose another format")),
    ("corefud", doc(Mention(stretch(0, 1), "x"), sentences=(0, 1)),
     ("unwritable-mention", 3, "x: a b", "words of one sentence, a name without brackets, hyphens and blanks",
      "rename such entities (scoref convert does, and says so), or choose another format")),
    ("corefud", doc(BEHIND),
     ("unwritable-mention", 5, "1: c", "words of one sentence, a name without brackets, hyphens and blanks",
      "rename such entities (scoref convert does, and says so), or choose another format")),
    ("corefud", doc(A, B._replace(entity=1)), ("unwritable-entity", None, None, None, None)),
    ("corefud", doc(Mention(stretch(0, 2), "1"), Mention(stretch(1, 3), "1"), words=tuple("abcd")),
     ("crossing-mentions", None, "1", "mentions of one entity apart or inside of each other", None)),
    ("corefud", doc(A, sets={"1": ("7",)}), ("unwritable-set", None, "1", None, None)),
    ("corefud", doc(A, sets={"7": ("1",)}), ("unwritable-set", None, "7", None, None)),
    ("ua", doc(id=""), ("unwritable-name", None, "", None, CHANGE)),
    ("ua", doc(id="d "), ("unwritable-name", None, "d ", None, CHANGE)),
    ("ua", doc(id="d\nd"), ("unwritable-name", None, "d\nd", None, CHANGE)),
    ("ua", doc(words=("a", "b\nc")), ("unwritable-word", None, "b\nc", None, CHANGE)),
    ("ua", doc(words=("a", " b")), ("unwritable-word", None, " b", None, CHANGE)),
    ("ua", doc(words=("a", "")), ("unwritable-word", None, "", None, CHANGE)),
    ("ua", doc(A._replace(entity="x|y")), ("unwritable-entity", None, "x|y", None, CHANGE)),
    ("ua", doc(A._replace(entity="")), ("unwritable-entity", None, "('EntityID', '')", None, CHANGE)),
    ("ua", doc(A, B._replace(entity=1)), ("unwritable-entity", None, "1", None, CHANGE)),
    ("ua", doc(NAMELESS), ("unwritable-mention", None, "m", None, CHANGE)),
    ("ua", doc(A, sets={"1": ("7",)}), ("unwritable-entity", None, "7", None, CHANGE)),
    ("tbf", doc(id=""), ("unwritable-name", None, "", None, RENAME)),
    ("tbf", doc(id="d "), ("unwritable-name", None, "d ", None, RENAME)),
    ("tbf", doc(A, ZERO), ("unwritable-mention", 4, "E2", None, OTHER)),
    ("tbf", doc(NAMELESS), ("unwritable-mention", 2, "m", None, OTHER)),
    ("tbf", doc(B._replace(id="x,y")), ("unwritable-mention", 4, "x,y", None, OTHER)),
    ("tbf", doc(A._replace(id="m"), B._replace(id="m")), ("unwritable-mention", None, "m", None, OTHER)),
    ("tbf", doc(A._replace(id="E1"), relations=(("After", "R1", ("E1", "E2")),)),
     ("unwritable-relation", None, "After E1,E2", None, "remove it, or choose another format")),
    ("tbf", doc(A._replace(id="E1"), relations=((" ", "R1", ("E1", "E1")),)),
     ("unwritable-relation", None, "  E1,E1", None, "remove it, or choose another format")),
    ("brat", doc(A, ZERO), ("unwritable-mention", 4, "∅", None, OTHER)),
    ("brat", doc(BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("brat", doc(A, B, words=("a", " ", "c")), ("unwritable-mention", 4, " ", None, OTHER)),
    ("brat", doc(A, relations=(("Near", "R1", ("x", "y")),)),
     ("unwritable-relation", None, "Near x,y", None, "remove it, or choose another format")),
    ("brat", doc(A._replace(id="T1"), relations=(("Near", "R1", ("T1",)),)),
     ("unwritable-relation", None, "Near T1", None, "remove it, or choose another format")),
    ("jsonl", doc(NAMELESS),
     ("unwritable-mention", 2, "m", None, "choose a format of names without positions: clusters or table")),
    ("jsonl", doc(A, BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("jsonl", doc(A, B._replace(entity=(1, 2))), ("unwritable-entity", 4, "b", None, OTHER)),
    ("clusters", doc(A, B._replace(entity=1)), ("unwritable-entity", None, None, None, "rename the entities")),
    ("clusters", doc(A, GAP), ("unwritable-mention", 3, "a c", None, OTHER)),
    ("clusters", doc(NAMELESS._replace(id=frozenset())),
     ("unwritable-mention", None, None, None, "name mentions by texts, numbers or tuples of them")),
    ("clusters", doc(NAMELESS._replace(id=float("nan"))),
     ("unwritable-mention", None, None, None, "name mentions by texts, numbers or tuples of them")),
    ("table", doc(NAMELESS._replace(id="")),
     ("unwritable-name", 2, None, "a name in each cell of a table", None)),
    ("table", doc(B._replace(entity="")), ("unwritable-name", 4, None, "a name in each cell of a table", None)),
    ("table", doc(B._replace(entity="x\ry")), ("unwritable-name", 4, None, "a name in each cell of a table", None)),
    ("table", doc(NAMELESS._replace(id=(1, 2, 3))),
     ("unwritable-name", 2, "[1, 2, 3]", "texts and numbers as names", "rename it, or choose the format clusters")),
    ("table", doc(NAMELESS._replace(id=(1, -1))),
     ("unwritable-name", 2, "[1, -1]", "texts and numbers as names", "rename it, or choose the format clusters")),
    ("table", doc(NAMELESS._replace(id=("x", 1))),
     ("unwritable-name", 2, "['x', 1]", "texts and numbers as names", "rename it, or choose the format clusters")),
    ("table", doc(B._replace(entity=(1, 2))),
     ("unwritable-name", 4, "[1, 2]", "texts and numbers as names", "rename it, or choose the format clusters")),
    ("table", doc(NAMELESS._replace(id=1), NAMELESS._replace(id="1")),
     ("unwritable-name", None, "1", "names that a table can tell apart", None)),
    ("table", doc(A, B._replace(entity=1)),
     ("unwritable-name", None, "1", "names that a table can tell apart", None)),
    ("edl", doc(A, B._replace(entity="")), ("unwritable-entity", 4, "b", None, OTHER)),
    ("edl", doc(B._replace(entity="x\ty")), ("unwritable-entity", 4, "b", None, OTHER)),
    ("ecb", doc(A, ZERO), ("unwritable-mention", 4, "∅", None, OTHER)),
    ("ecb", doc(BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("ecb", doc(A, ATTRIBUTED), ("unwritable-mention", 4, "b", None, OTHER)),
    ("ecb", doc(B._replace(attributes=(("type", "x y"),))), ("unwritable-mention", 4, "b", None, OTHER)),
    ("ecb", doc(words=("a", "b c")), ("unwritable-word", None, None, None, OTHER)),
    ("ecb", doc(words=("a", "")), ("unwritable-word", None, None, None, OTHER)),
    ("ecb", doc(id="d\x01"), ("unwritable-text", None, None, None, OTHER)),
    ("muc", doc(id="d  d"), ("unwritable-name", None, "d  d", None, OTHER)),
    ("muc", doc(words=("a", "\t")), ("unwritable-word", None, "\t", None, OTHER)),
    ("muc", doc(A, GAP), ("unwritable-mention", 3, "a c", None, OTHER)),
    ("muc", doc(BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("muc", doc(*CROSSING), ("unwritable-mention", 4, "b c", None, OTHER)),
    ("webanno", doc(A, GAP), ("unwritable-mention", 3, "a c", None, OTHER)),
    ("webanno", doc(BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("webanno", doc(words=("a", "b c")), ("unwritable-word", None, None, None, OTHER)),
    ("webanno", doc(words=("a", "")), ("unwritable-word", None, None, None, OTHER)),
    ("xmi", doc(BEHIND), ("unwritable-mention", 5, "c", None, OTHER)),
    ("xmi", doc(words=("a", "b c")), ("unwritable-word", None, None, None, OTHER)),
    ("xmi", doc(words=("a", "")), ("unwritable-word", None, None, None, OTHER)),
    ("xmi", doc(words=("a", "\x01")), ("unwritable-text", None, None, None, OTHER)),
    ("text", doc(words=("a", "b"), id=""), None),
    ("text", doc(A, ZERO),
     ("unwritable-mention", 4, "∅", "words that stand together; zeros only in crac", MARKS)),
    ("text", doc(A, GAP),
     ("unwritable-mention", 3, "a c", "words that stand together; zeros only in crac", MARKS)),
    ("text", doc(BEHIND),
     ("unwritable-mention", 5, "c", "words that stand together; zeros only in crac", MARKS)),
    ("text", doc(A, id=" d"), ("unwritable-name", 2, " d", "another name", MARKS)),
    ("text", doc(A._replace(entity="x)")),
     ("unwritable-text", 2, None, "words and names without blanks, brackets and bars, mentions that nest", MARKS)),
    ("text", doc(A, words=("a b",)),
     ("unwritable-text", 2, None, "words and names without blanks, brackets and bars, mentions that nest", MARKS)),
    ("text", doc(A, B._replace(entity=1)),
     ("unwritable-text", 2, None, "words and names without blanks, brackets and bars, mentions that nest", MARKS)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("format", "document", "expected"),
    [pytest.param(*each, id=f"{each[0]}-{each[2][0] if each[2] else 'fine'}") for each in EVERY],
)
def test_what_cannot_be_written_is_refused_with_its_place(
    format: str, document: Document, expected: tuple[str, int | None, str | None, str | None, str | None] | None
) -> None:
    if expected is None:
        assert named(format).write([document])
        return
    with pytest.raises(Error) as caught:
        named(format).write([document])
    found = caught.value.problem
    assert (found.path, found.document) == ("in.x", document.id)
    assert (found.code, found.line, found.text, found.expected, found.remedy) == expected
