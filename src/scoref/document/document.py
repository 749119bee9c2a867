"""The values that every stage works on: positions, mentions, documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .identity import copies, identities, places
from .mentions import AnyMentions, as_mentions
from .mentions import Mention as Mention
from .spans import EMPTY, is_stretch, span_of
from .spans import INITIAL as INITIAL
from .spans import Span as Span  # for all that work on documents
from .spans import position as position
from .spans import runs as runs
from .spans import stretch as stretch
from .spans import word_of as word_of

Integers = NDArray[np.int64]

UNWRITTEN = frozenset(("_", "-", "[WORD]"))  # what files without words have in their place
COREFERENCE = "Coreference"  # the relation that says in a file which mentions are an entity


class Bridge(NamedTuple):
    """An associative anaphor and its antecedent, as indices of mentions; several bridges may share an anaphor."""

    anaphor: int
    antecedent: int
    attributes: tuple[tuple[str, str], ...] = ()


class Origin(NamedTuple):
    """Where a document was read: its file, its first line there, the line of each word, if known.

    `mentions` has the line of each mention by its id, where a mention has a line of its own (event nuggets). `marks` is
    the style of the marks of a running text, whose words are pieces between blanks and may differ from the key's.
    """

    source: str | None = None
    line: int | None = None
    lines: Sequence[int] = ()
    mentions: Mapping[Hashable, int] = {}
    marks: str | None = None


class MentionSequence:
    """How `Document.mentions` is typed: any sequence of mentions can be given, and is had as one with their facts."""

    if TYPE_CHECKING:

        def __get__(self, document: object, owner: type) -> AnyMentions: ...
        def __set__(self, document: object, mentions: Sequence[Mention]) -> None: ...


@dataclass(frozen=True)
class Document:
    """A text with its mentions; a mention is its index in `mentions`.

    `mentions` can be given as any sequence; they have facts about all of them, too: see `ListedMentions`.
    `sentences` holds the index of the first word of each sentence, `columns` what a file says of each word beside its
    form (part of speech, parse, speaker, ...), `comments` the comment lines and the index of the word they precede.

    `sets` gives the member entities of entities that stand for several others at once (split antecedents),
    `nonreferring` the entities that refer to nothing: expletives, predicates, quantifiers. `hidden` ones are not scored
    themselves, only as members of sets. `relations` are further links between mentions: name, id, ids of the mentions.
    `deixis` is the same text with its discourse-deictic mentions.

    `origin` says where it was read, and does not count when documents are compared.
    """

    id: str
    words: Sequence[str] = ()
    mentions: MentionSequence = ()  # type: ignore[assignment]
    sentences: tuple[int, ...] = ()
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    comments: tuple[tuple[int, str], ...] = ()
    sets: Mapping[Hashable, tuple[Hashable, ...]] = field(default_factory=dict)
    nonreferring: frozenset[Hashable] = frozenset()
    hidden: frozenset[Hashable] = frozenset()
    bridges: tuple[Bridge, ...] = ()
    relations: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    deixis: Document | None = None
    origin: Origin = field(default=Origin(), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Make the mentions a sequence that has facts about all of them."""
        object.__setattr__(self, "mentions", as_mentions(self.mentions))

    @property
    def source(self) -> str | None:
        """The file that the document was read from."""
        return self.origin.source

    @property
    def line(self) -> int | None:
        """The line of that file on which it begins."""
        return self.origin.line

    def line_of(self, mention: Mention) -> int | None:
        """The line of the file on which the mention begins, or that of the document."""
        if mention.id in self.origin.mentions:
            return self.origin.mentions[mention.id]
        word = word_of(mention.span[0]) if mention.span else -1
        lines = self.origin.lines
        return int(lines[word]) if 0 <= word < len(lines) else self.line

    def span_of(self, mention: Mention) -> str:
        """The place of an event nugget: ids of tokens, or pieces of characters, ends excluded.

        >>> Document("d").span_of(Mention((*stretch(4, 7), *stretch(13, 15)), "E1"))
        '4,8;13,16'
        """
        span, ids = mention.span, self.columns.get("token")
        if span and word_of(span[-1]) < len(ids or self.words):
            return ",".join(ids[word_of(place)] if ids else f"t{word_of(place)}" for place in span)
        if dict(mention.attributes).get("unit") == "token":
            return ",".join(f"t{word_of(place)}" for place in span)
        if is_stretch(span):
            return f"{word_of(span[0])},{word_of(span[-1]) + 1}"
        return ";".join(f"{first},{last + 1}" for first, last in runs([word_of(place) for place in span]))

    def named(self, mention: Mention) -> str:
        """Id and place of a mention that has a line of its own (event nuggets), the words of any other."""
        return f"{mention.id} {self.span_of(mention)}".strip() if self.origin.mentions else self.text_of(mention)

    def text_of(self, mention: Mention) -> str:
        """The words of a mention, `∅` for an empty node; the id of an opaque one.

        Documents without words may have their characters, or mentions that hold their text.
        """
        if not mention.span:
            return str(mention.id)
        if not self.words and (text := dict(mention.attributes).get("text")):
            return text
        if not self.words and is_stretch(mention.span) and (characters := self.columns.get("text")):
            return characters[0][word_of(mention.span[0]) : word_of(mention.span[-1]) + 1]
        if is_stretch(mention.span):
            return " ".join(self.words[word_of(mention.span[0]) : word_of(mention.span[-1]) + 1])
        return " ".join(
            "∅" if place & EMPTY else self.words[word_of(place)]
            for place in mention.span
            if place & EMPTY or word_of(place) < len(self.words)
        )

    def identities(self, by: str = "span") -> list[Hashable]:
        """What makes each mention the mention it is, by `span`, `head`, `minimum` or `line`: see `identities`."""
        return identities(self.mentions, by)

    def copies(self, by: str = "span") -> list[list[int]]:
        """The numbers of the mentions with one identity, for each identity that several have.

        Those of one identity are in the order in which their entities first appear in the text.
        """
        return copies(self.mentions, by)

    def repeats(self, by: str = "span") -> bool:
        """Whether there are two mentions with one identity."""
        return bool(self.copies(by))

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The entities in the order in which they appear."""
        return self.mentions.names

    def of_mentions(self, indices: Sequence[int]) -> Document:
        """The document with the mentions of these numbers alone, in that order."""
        return replace(self, mentions=self.mentions.take(indices))

    def on(self, other: Document) -> Document:
        """The same mentions on the words and the columns of another document; faster than `replace`."""
        document = object.__new__(Document)
        document.__dict__.update(self.__dict__, words=other.words or self.words, columns=other.columns)
        return document

    def entities(self) -> dict[Hashable, list[Mention]]:
        """The mentions of each entity, in the order in which the entities appear.

        >>> document = Document("d", mentions=[Mention((), entity, name) for name, entity in zip("abc", (0, 0, 1))])
        >>> [[mention.id for mention in mentions] for mentions in document.entities().values()]
        [['a', 'b'], ['c']]
        """
        found: dict[Hashable, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.entity, []).append(mention)
        return found


def places_of(documents: Iterable[Document], by: str = "span") -> list[Sequence[Hashable]]:
    """The identities of the mentions of each document, to be compared: see `identity.places`."""
    return places([document.mentions for document in documents], by)


def owners_of(documents: Iterable[Document]) -> Integers:
    """The number of each mention's entity in the `names` of its document, for all documents one after the other."""
    return np.frombuffer(b"".join([document.mentions.owners for document in documents]), np.intc).astype(np.int64)


def unit_of(document: Document) -> str:
    """What the positions of a document count: `words`, `characters`, `tokens` with ids, `names`, else `numbers`."""
    if document.words:
        return "words"
    if document.columns.get("text"):
        return "characters"
    if not document.mentions:
        return ""
    mention = document.mentions[0]
    attributes = dict(mention.attributes)
    if not mention.span:
        return "names"
    return "tokens" if "unit" in attributes else "characters" if "realis" in attributes else "numbers"


def components(names: Iterable[str], links: Iterable[Sequence[str]]) -> list[list[str]]:
    """The groups of names that are linked, directly or by way of others, in the order of the names.

    >>> components("abcd", [("d", "b"), ("b", "a")])
    [['a', 'b', 'd'], ['c']]
    """
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for first, *others in links:
        for other in others:
            parent[root(other)] = root(first)
    found: dict[str, list[str]] = {}
    for name in parent:
        found.setdefault(root(name), []).append(name)
    return [*found.values()]


def repeated_places(mention: Mention) -> Span:
    """The positions of the pieces that a mention was written with, in order; those of two pieces twice.

    Nothing, if it has no pieces beside its span, or if its span is another one by now.

    >>> mention = Mention(stretch(0, 3), "E1", attributes=(("pieces", "0 3;2 4"),))
    >>> [word_of(place) for place in repeated_places(mention)]
    [0, 1, 2, 2, 3]
    """
    written = dict(mention.attributes).get("pieces")
    if not written:
        return ()
    ends = [piece.split() for piece in written.split(";")]
    if not all(len(each) == 2 and all(end.isdecimal() and len(end) <= 12 for end in each) for each in ends):
        return ()
    if any(int(end) - int(begin) > len(mention.span) for begin, end in ends):
        return ()
    places = sorted(position(place) for begin, end in ends for place in range(int(begin), int(end)))
    return span_of(places) if span_of(dict.fromkeys(places)) == mention.span else ()
