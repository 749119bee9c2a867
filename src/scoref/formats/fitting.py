"""Fits documents to a format that cannot hold everything, and says what was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..document.document import COREFERENCE, Document, unit_of
from ..document.grouping import TEXTS
from ..document.mentions import Attributes
from .format import Format
from .known import named
from .tokens.spans import in_words

_OF_NUGGETS = ("text", "pieces", "trigger", "roles", "system", "confidence")  # how nuggets were written
_UNSAID = ("", "*", "_", "NOT_ANNOTATED", "MENTION", "Mention")  # values that mean nothing


def fitted(documents: list[Document], format: str) -> tuple[list[Document], list[str]]:
    """The documents changed to fit the format, and a sentence for each kind of change.

    A text whose characters are counted is cut into words for formats of words. Most formats cannot say that a mention
    does not refer: there it is a mention of an entity. What a format does not declare to hold is left out.

    >>> from scoref import clusters
    >>> (document,), notes = fitted([clusters({"4-Pseudo": ["it"]})], "corefud")
    >>> document.mentions[0].entity, notes[0]
    ('4_Pseudo', '1 entity was renamed, as CorefUD has no such names: 4-Pseudo is 4_Pseudo')
    """
    to = named(format)
    notes: list[str] = []
    if "character places" not in to.holds:
        documents, notes = _in_words(documents)
    documents, changes = to.fit(documents)
    notes += changes
    if "non-referring" not in to.holds:
        silent = sum(mention.entity in each.nonreferring for each in documents for mention in each.mentions)
        if silent:
            number = f"{silent} non-referring mention{'s' * (silent > 1)}"
            notes.append(f"{number} written as of entities of their own, as {format} has no others")
    return documents, [*notes, *_left_out(documents, to), *_unknown_words(documents, to), *to.notes(documents)]


def _in_words(documents: list[Document]) -> tuple[list[Document], list[str]]:
    """The documents with words as positions, and notes on how texts of characters were cut into words."""
    by_words = [*map(in_words, documents)]
    changed = [each for each, document in zip(by_words, documents, strict=True) if each.document is not document]
    notes = []
    if changed:
        cut = "the text is cut into words at blanks, punctuation marks and symbols are words of their own"
        notes.append(f"positions were characters: {cut}, a line is a sentence")
    words = {(each.document.id, one.token): one.token_text for each in changed for one in each.cut}
    if words:
        (name, _), word = next(iter(words.items()))
        number = f"{len(words)} words are" if len(words) > 1 else "1 word is"
        where = f"where a mention begins or ends inside ({word}{f' in {name}' * bool(name)})"
        notes.append(f"{number} cut, {where}: files of the same text with other mentions have other words there")
    if loose := sum(each.loose for each in changed):
        have = f"{loose} mentions have" if loose > 1 else "1 mention has"
        notes.append(f"{have} blanks at the ends, or in the place of a gap: others may have the same words")
    return [each.document for each in by_words], notes


def _left_out(documents: list[Document], to: Format) -> list[str]:
    """A sentence for each kind of annotation that the format cannot hold; scores that need it will differ."""
    lost = [loss for loss in _LOSSES if loss.held not in to.holds and loss.unless not in to.traits]
    counts = [(loss.what, sum(map(loss.count, documents))) for loss in lost]
    notes = [f"{what}: {number} left out, as {to.name} has no place for them" for what, number in counts if number]
    silent = sum(not document.mentions for document in documents)
    if silent and "mentions alone" in to.traits:
        notes.append(f"documents without mentions: {silent} left out, as {to.name} has rows of mentions alone")
    return notes


def _unknown_words(documents: list[Document], to: Format) -> list[str]:
    """Notes on what is written in place of unknown words."""
    unwritten = [each for each in documents if each.mentions and not each.words]
    by_numbers = "word places" in to.holds
    notes = []
    if unwritten and to.of_words:
        notes.append("the words are not known: _ is written for each up to the last mention")
    if "mention names" in to.holds and any(unit_of(each) == "characters" for each in unwritten):
        notes.append("positions are characters: mentions are named by their first and last character, not by words")
    bare = any(not mention.attributes for each in unwritten for mention in each.mentions)
    if "standoff" in to.traits and not by_numbers and bare:
        notes.append(f"the words are not known: their numbers are written as characters in {to.name}")
    if "words" in to.holds and not by_numbers:
        unknown = sum([*each.words].count("_") for each in documents)
        if unknown:
            notes.append(f"{unknown} words are not known, and written as _")
    return notes


class _Loss(NamedTuple):
    """A kind of annotation that only some formats hold: its word in `HOLDS`, its name, how many a document has.

    Nothing is lost where a format has the trait `unless`.
    """

    held: str
    what: str
    count: Callable[[Document], int]
    unless: str | None = None


def _mentions(has: Callable[[Attributes], bool]) -> Callable[[Document], int]:
    """A function that counts the mentions of a document whose attributes are such; few have any."""
    return lambda document: sum(map(has, filter(None, document.mentions.attributes)))


def _says(name: str) -> Callable[[Attributes], bool]:
    """A function that tells whether there is a meaningful value of that attribute."""
    return lambda attributes: dict(attributes).get(name, "") not in _UNSAID


def _says_else(*names: str) -> Callable[[Attributes], bool]:
    """A function that tells whether there is a meaningful value of any other attribute."""
    return lambda attributes: any(name not in names and word not in _UNSAID for name, word in attributes)


def _heads(document: Document) -> int:
    headed = [index for index, head in enumerate(document.mentions.heads) if head is not None]
    return sum(len(document.mentions.span(index)) > 1 for index in headed)


_LOSSES = (
    _Loss("words", "words", lambda document: len(document.words), "standoff"),
    _Loss("sentences", "sentences", lambda document: len(document.sentences), "standoff"),
    _Loss("entity names", "names of entities", lambda document: sum(map(_is_named, document.names)), "numbered"),
    _Loss("split antecedents", "split antecedents", lambda document: len(document.sets)),
    _Loss("bridges", "bridges", lambda document: len(document.bridges)),
    _Loss("deixis", "mentions of discourse deixis", lambda each: len(each.deixis.mentions) if each.deixis else 0),
    _Loss("relations", "relations", lambda document: sum(name != COREFERENCE for name, *_ in document.relations)),
    _Loss("heads", "heads", _heads),
    _Loss("minimum spans", "minimum spans", lambda document: sum(map(bool, document.mentions.minimums))),
    _Loss("types", "types of mentions", _mentions(_says("type"))),
    _Loss("attributes", "attributes of mentions", _mentions(_says_else("type", "realis", *_OF_NUGGETS))),
    _Loss("realis", "realis of mentions", _mentions(_says("realis"))),
    _Loss("brat lines", "other lines of brat files", lambda document: len(document.columns.get("ann", ()))),
    _Loss("parse", "parse trees", lambda document: "parse" in document.columns),
    _Loss("texts", "names of texts", lambda document: len({*document.columns.get(TEXTS, ())})),
)


def _is_named(entity: object) -> bool:
    """Whether the name of an entity is more than a number."""
    return isinstance(entity, str) and not entity.isdecimal()
