"""Documents made to fit a format that cannot hold all of them, and what that changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import replace

from ..document.document import COREFERENCE, Document, unit_of
from .known import FORMATS
from .tokens.spans import in_words

_KEEP_NONREFERRING = ("ua", "jsonl")
_OF_NUGGETS = ("text", "unit", "pieces", "trigger", "roles", "system", "confidence")  # how they were written
_UNSAID = ("", "*", "_", "NOT_ANNOTATED", "MENTION", "Mention")  # what formats write where there is nothing to say
_UNNAMED = re.compile(r"[-()\[\]|\s,<:]")  # what a name of CorefUD cannot have


def fitted(documents: list[Document], format: str) -> tuple[list[Document], list[str]]:
    """The documents as the format can have them, and a sentence for each kind of change.

    A text whose characters are counted is cut into words for formats of words. CorefUD has no hyphens in names of
    entities: `4-Pseudo` becomes `4_Pseudo`. Most formats cannot say that a mention does not refer: there it is a
    mention of an entity.

    >>> from scoref import clusters
    >>> (document,), notes = fitted([clusters({"4-Pseudo": ["it"]})], "corefud")
    >>> document.mentions[0].entity, notes[0]
    ('4_Pseudo', '1 entity was renamed, as CorefUD has no such names: 4-Pseudo is 4_Pseudo')
    """
    notes: list[str] = []
    if FORMATS[format].words:
        documents, notes = _in_words(documents)
    if format == "corefud":
        both = [_renamed(document) for document in documents]
        documents, renamed = [document for document, _ in both], [pair for _, new in both for pair in new.items()]
        if renamed:
            number = f"{len(renamed)} entities were" if len(renamed) > 1 else "1 entity was"
            notes.append(f"{number} renamed, as CorefUD has no such names: {renamed[0][0]} is {renamed[0][1]}")
    if format not in _KEEP_NONREFERRING:
        silent = [mention for each in documents for mention in each.mentions if mention.entity in each.nonreferring]
        if silent:
            number = f"{len(silent)} non-referring mention{'s' * (len(silent) > 1)}"
            notes.append(f"{number} written as of entities of their own, as {format} has no others")
    if format == "table":
        notes += _left_out_of_tables(documents)
    return documents, [*notes, *_left_out(documents, format)]


def _in_words(documents: list[Document]) -> tuple[list[Document], list[str]]:
    """The documents by words, and how texts whose characters were counted became words."""
    made = [*map(in_words, documents)]
    changed = [each for each, document in zip(made, documents, strict=True) if each.document is not document]
    notes = []
    if changed:
        notes.append("positions were characters: the text is cut into words at blanks, punctuation marks and symbols "
                     "are words of their own, a line is a sentence")  # fmt: skip
    words = {(each.document.id, one.token): one.token_text for each in changed for one in each.cut}
    if words:
        (name, _), word = next(iter(words.items()))
        number = f"{len(words)} words are" if len(words) > 1 else "1 word is"
        where = f" in {name}" * bool(name)
        notes.append(f"{number} cut, where a mention begins or ends inside ({word}{where}): files of the same text "
                     "with other mentions have other words there")  # fmt: skip
    if loose := sum(each.loose for each in changed):
        have = f"{loose} mentions have" if loose > 1 else "1 mention has"
        notes.append(f"{have} blanks at the ends, or in the place of a gap: others may have the same words")
    return [each.document for each in made], notes


def _left_out(documents: list[Document], format: str) -> list[str]:
    """A sentence for each kind of thing that the format has no place for: scores that need it will differ."""
    counts = {what: sum(map(count, documents)) for what, (count, formats) in _HELD.items() if format not in formats}
    notes = [
        f"{what}: {number} left out, as {format} has no place for them" for what, number in counts.items() if number
    ]
    unwritten = [each for each in documents if each.mentions and not each.words]
    if unwritten and FORMATS[format].words:
        notes.append("the words are not known: _ is written for each up to the last mention")
    if format in ("clusters", "table") and any(unit_of(each) == "characters" for each in unwritten):
        notes.append("positions are characters: mentions are named by their first and last character, not by words")
    if format in ("tbf", "brat") and any(not mention.attributes for each in unwritten for mention in each.mentions):
        notes.append(f"the words are not known: their numbers are written as characters in {format}")
    unknown = sum(word == "_" for each in documents for word in each.words) if format in _BY_CHARACTER else 0
    if unknown:
        notes.append(f"{unknown} words are not known, and written as _")
    twice = sum(map(_in_one_entity, documents)) if format == "tbf" else 0
    if twice:
        repeat = (
            f"{twice} mentions repeat spans of their entities"
            if twice > 1
            else "1 mention repeats a span of its entity"
        )
        notes.append(f"{repeat}: read it with --on-problem skip")
    if format == "text" and not any(each.mentions for each in documents):
        notes.append("nothing is marked: the style has to be named where this is read, with --marks")
    nothing = sum(not each.words and not each.mentions for each in documents) if format == "text" else 0
    if nothing:
        have = f"{nothing} documents have" if nothing > 1 else "1 document has"
        notes.append(f"{have} no words: beside a key with words an empty text is refused, as another text")
    return notes


def _in_one_entity(document: Document) -> int:
    """How many mentions have the span of one before them in their entity."""
    return len(document.mentions) - len({(each.entity, each.span or each.id) for each in document.mentions})


def _attributes(*kept: str) -> Callable[[Document], int]:
    """How many mentions say anything in other attributes than these."""
    return lambda document: sum(
        any(word not in _UNSAID and name not in kept for name, word in mention.attributes)
        for mention in document.mentions
    )


def _attribute(wanted: str) -> Callable[[Document], int]:
    """How many mentions say anything in that attribute."""
    return lambda document: sum(
        dict(mention.attributes).get(wanted, "") not in _UNSAID for mention in document.mentions
    )


# What only some formats can hold: how much of it a document has, and these formats.
_HELD: dict[str, tuple[Callable[[Document], int], tuple[str, ...]]] = {
    "split antecedents": (lambda document: len(document.sets), ("corefud", "ua", "jsonl")),
    "bridges": (lambda document: len(document.bridges), ("corefud", "ua", "jsonl")),
    "mentions of discourse deixis": (lambda document: len(document.deixis.mentions) if document.deixis else 0,
                                     ("ua", "jsonl")),
    "relations": (lambda document: sum(name != COREFERENCE for name, *_ in document.relations),
                 ("tbf", "brat", "jsonl")),
    "heads": (lambda document: sum(each.head is not None and len(each.span) > 1 for each in document.mentions),
             ("corefud", "jsonl")),
    "minimum spans": (lambda document: sum(bool(mention.minimum) for mention in document.mentions),
                     ("ua", "muc", "jsonl")),
    "types of mentions": (_attribute("type"), ("tbf", "brat", "ecb", "webanno", "ua", "jsonl")),
    "attributes of mentions": (_attributes("type", "realis", *_OF_NUGGETS), ("brat", "ecb", "corefud", "ua", "jsonl")),
    "realis of mentions": (_attribute("realis"), ("tbf", "brat", "ecb", "ua", "jsonl")),
    "other lines of brat files": (lambda document: len(document.columns.get("ann", ())), ("brat", "jsonl")),
    "parse trees": (lambda document: "parse" in document.columns, ("conll", "ua", "jsonl")),
}  # fmt: skip
_BY_CHARACTER = ("brat", "muc")  # places are characters of the text


def _left_out_of_tables(documents: list[Document]) -> list[str]:
    """What rows of mentions cannot say, or say twice."""
    empty = sum(not document.mentions for document in documents)
    twice = sum(len(each.mentions) - len({(mention.span, mention.id if not mention.span else None)
                                          for mention in each.mentions}) for each in documents)  # fmt: skip
    return [f"{number} {what}" for number, what in (
        (empty, "documents without mentions are not in a table"),
        (twice, "mentions are in several rows: read them with --duplicates first or last"),
    ) if number]  # fmt: skip


def _renamed(document: Document) -> tuple[Document, dict[Hashable, str]]:
    """The document with names that CorefUD can have, and the new names."""
    names = list(document.entities())
    taken = {str(name) for name in names}
    new: dict[Hashable, str] = {}
    for name in names:
        if _UNNAMED.search(str(name)):
            wanted = written = _UNNAMED.sub("_", str(name))
            number = 1
            while written in taken:
                number += 1
                written = f"{wanted}_{number}"
            taken.add(written)
            new[name] = written
    if not new:
        return document, new
    return replace(
        document,
        mentions=tuple(mention.of(new.get(mention.entity, mention.entity)) for mention in document.mentions),
        sets={new.get(name, name): tuple(new.get(each, each) for each in members)
              for name, members in document.sets.items()},
        nonreferring=frozenset(new.get(name, name) for name in document.nonreferring),
        hidden=frozenset(new.get(name, name) for name in document.hidden),
    ), new  # fmt: skip
