"""What is said when documents are fitted to a format that cannot hold everything, and what is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoref.document.document import Bridge, Document, Mention, position, stretch
from scoref.document.grouping import TEXTS
from scoref.formats.fitting import fitted

WORDS = ("Ada", "saw", "it")
A, B = Mention(stretch(0, 1), "e1"), Mention(stretch(2, 2), "e2")


def doc(*mentions: Mention, words: tuple[str, ...] = WORDS, sentences: tuple[int, ...] = (0,), **more: Any) -> Document:
    return Document("d", words, mentions or (A, B), sentences, **more)


def said(name: str, value: str) -> Document:
    return doc(A._replace(attributes=((name, value),)), B)


LOST: list[tuple[str, Document, str, str | None]] = [  # what, a document that has it, a format, what is said
    ("words", doc(), "clusters", None),
    ("sentences", doc(sentences=(0, 2)), "table", None),
    ("names of entities", doc(), "webanno", None),  # numbered anew
    ("names of entities", doc(), "conll", None),
    ("split antecedents", doc(sets={"e2": ("e1",)}), "conll", "split antecedents: 1"),
    ("split antecedents", doc(sets={"e2": ("e1",)}), "corefud", None),
    ("bridges", doc(bridges=(Bridge(1, 0), Bridge(0, 1))), "conll", "bridges: 2"),
    ("bridges", doc(bridges=(Bridge(1, 0),)), "ua", None),
    ("deixis", doc(deixis=doc(A, B, B)), "conll", "mentions of discourse deixis: 3"),
    ("relations", doc(relations=(("After", "R1", ("x",)), ("Coreference", "C", ("x",)))), "conll", "relations: 1"),
    ("heads", doc(A._replace(head=0), B._replace(head=position(2))), "conll", "heads: 1"),
    ("heads", doc(A._replace(head=0), B), "corefud", None),
    ("minimum spans", doc(A._replace(minimum=stretch(0, 0)), B), "conll", "minimum spans: 1"),
    ("types", said("type", "PER"), "conll", "types of mentions: 1"),
    *((f"a type {value!r}", said("type", value), "conll", None)
      for value in ("", "*", "_", "NOT_ANNOTATED", "MENTION", "Mention")),
    ("attributes", said("gender", "f"), "conll", "attributes of mentions: 1"),
    ("attributes that mean nothing", said("gender", "_"), "conll", None),
    *((f"how nuggets were written: {name}", said(name, "x"), "conll", None)
      for name in ("text", "pieces", "trigger", "roles", "system", "confidence")),
    ("realis", said("realis", "Actual"), "conll", "realis of mentions: 1"),
    ("brat lines", doc(columns={"ann": ["x", "y"]}), "conll", "other lines of brat files: 2"),
    ("parse trees", doc(columns={"parse": ["x", "y", "z"]}), "corefud", "parse trees: 1"),
    ("texts", doc(columns={TEXTS: ["x", "x", "y"]}), "corefud", "names of texts: 2"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "document", "format", "expected"), LOST)
def test_what_is_left_out_is_counted(what: str, document: Document, format: str, expected: str | None) -> None:
    _, notes = fitted([document], format)
    own = [note for note in notes if note.endswith(f"left out, as {format} has no place for them")]
    assert own == ([] if expected is None else [f"{expected} left out, as {format} has no place for them"]), what


def test_what_is_left_out_of_several_documents_is_added_up() -> None:
    _, notes = fitted([said("type", "PER"), said("type", "LOC")], "conll")
    assert notes == ["types of mentions: 2 left out, as conll has no place for them"]


def test_mentions_that_do_not_refer() -> None:
    document = doc(nonreferring=frozenset({"e1"}))
    single = "1 non-referring mention written as of entities of their own, as conll has no others"
    assert fitted([document], "conll")[1] == [single]
    for more, number in ((document, "2"), (doc(A, A, nonreferring=frozenset({"e1"})), "3")):
        assert fitted([document, more], "conll")[1] == [single.replace("1", number, 1).replace("mention ", "mentions ")]
    assert fitted([document], "ua")[1] == []


BLANKS = "the text is cut into words at blanks, punctuation marks and symbols are words of their own"
CUT = f"positions were characters: {BLANKS}, a line is a sentence"
OTHERS = "files of the same text with other mentions have other words there"


def letters(*ends: tuple[int, int], name: str = "d", text: str = "Ada's cat\nran home") -> Document:
    mentions = tuple(Mention(stretch(first, last), "e1") for first, last in ends)
    return Document(name, (), mentions, columns={"text": [text]})


def test_characters_become_words() -> None:
    (document,), notes = fitted([letters((0, 2), (6, 8))], "conll")
    assert notes[0] == CUT
    assert document.text_of(document.mentions[0]) == "Ada"
    (document,), notes = fitted([letters((6, 8))], "conll")
    assert notes == [CUT]
    assert document.sentences == (0, [*document.words].index("ran"))
    assert [document.text_of(mention) for mention in document.mentions] == ["cat"]
    where = "where a mention begins or ends inside"
    _, notes = fitted([letters((6, 7))], "conll")
    assert notes == [CUT, f"1 word is cut, {where} (cat in d): {OTHERS}"]
    _, notes = fitted([letters((6, 7), (10, 11))], "conll")
    assert notes == [CUT, f"2 words are cut, {where} (cat in d): {OTHERS}"]
    _, notes = fitted([letters((6, 7), name="")], "conll")
    assert notes == [CUT, f"1 word is cut, {where} (cat): {OTHERS}"]
    _, notes = fitted([letters((5, 8))], "conll")
    loose = "blanks at the ends, or in the place of a gap: others may have the same words"
    assert notes == [CUT, f"1 mention has {loose}"]
    _, notes = fitted([letters((5, 8)), letters((6, 9), name="e")], "conll")
    assert notes == [CUT, f"2 mentions have {loose}"]
    assert fitted([letters((6, 8))], "jsonl")[1] == []


UNKNOWN = doc(words=(), sentences=())


@pytest.mark.parametrize(
    ("document", "format", "expected"),
    [
        (UNKNOWN, "conll", ["the words are not known: _ is written for each up to the last mention"]),
        (UNKNOWN, "clusters", []),
        (UNKNOWN, "jsonl", []),
        (UNKNOWN, "tbf", ["the words are not known: their numbers are written as characters in tbf"]),
        (UNKNOWN, "table", []),
        (letters((6, 8)), "clusters",
         ["positions are characters: mentions are named by their first and last character, not by words"]),
        (letters((6, 8)), "table",
         ["positions are characters: mentions are named by their first and last character, not by words"]),
        (doc(words=("_", "saw", "_")), "muc", ["2 words are not known, and written as _"]),
        (doc(words=("_", "saw", "_")), "conll", []),
        (doc(words=("_", "saw", "_")), "jsonl", []),
        (Document("d"), "conll", []),
    ],
)  # fmt: skip
def test_what_is_said_of_unknown_words(document: Document, format: str, expected: list[str]) -> None:
    _, notes = fitted([document], format)
    assert [note for note in notes if "left out" not in note and "renamed" not in note] == expected


@pytest.mark.parametrize(
    ("documents", "format", "expected"),
    [
        ([doc(A._replace(entity="a-b"))], "corefud",
         ["1 entity was renamed, as CorefUD has no such names: a-b is a_b"]),
        ([doc(A._replace(entity="a-b"), B._replace(entity="a b")), doc(A._replace(entity="c|d"))], "corefud",
         ["3 entities were renamed, as CorefUD has no such names: a-b is a_b"]),
        ([doc(A._replace(entity="a-b"), B._replace(entity="a b"))], "corefud",
         ["2 entities were renamed, as CorefUD has no such names: a-b is a_b"]),
        ([doc(A, A), doc(A, A, B, B)], "table",
         ["3 mentions are in several rows: read them with --duplicates first or last"]),
        ([Document("d"), Document("e"), doc()], "table",
         ["documents without mentions: 2 left out, as table has rows of mentions alone"]),
        ([doc(A, A)], "tbf", ["1 mention repeats a span of its entity: read it with --on-problem skip"]),
        ([doc(A, A, A)], "tbf", ["2 mentions repeat spans of their entities: read it with --on-problem skip"]),
        ([Document("d", ("a",))], "text",
         ["nothing is marked: the style has to be named where this is read, with --marks"]),
        ([Document("d"), doc()], "text",
         ["1 document has no words: beside a key with words an empty text is an answer that cannot be read"]),
        ([Document("d"), Document("e"), doc()], "text",
         ["2 documents have no words: beside a key with words an empty text is an answer that cannot be read"]),
        ([doc(A._replace(attributes=(("a", "1"), ("b", "_"), ("etype", "x"))), B._replace(attributes=(("a", "2"),)))],
         "corefud", ["attributes of mentions that the header global.Entity does not name are left out: a (2)"]),
    ],
)  # fmt: skip
def test_what_formats_say_themselves(documents: list[Document], format: str, expected: list[str]) -> None:
    _, notes = fitted(documents, format)
    assert [note for note in notes if "no place for them" not in note] == expected


def test_comments_move_with_the_words() -> None:
    document = letters((0, 2), text="Ada ran\nhome")
    placed = replace(document, comments=((0, "# a"), (4, "# b"), (5, "# c"), (12, "# d")))
    (found,), _ = fitted([placed], "conll")
    assert found.comments == ((0, "# a"), (1, "# b"), (2, "# c"), (3, "# d"))
