"""The values that every stage works on: positions, mentions, documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..problems import Problems, Reporter
from ..values import NamedTuple
from .mentions import AnyMentions, ListedMentions, Mention, values_of
from .spans import APPEARANCES, EMPTY, INITIAL, Span, is_stretch, pieces, position, runs, stretch, word_of

__all__ = ["INITIAL", "Mention", "Span", "position", "runs", "stretch", "word_of"]  # exported from here, too

# Arrays; `numpy.typing` has shorter names for these types, but importing it takes a while.
Integers = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Floats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Flags = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
if TYPE_CHECKING:
    from .reply import Reply

Fact = TypeVar("Fact")

UNWRITTEN = frozenset(("_", "-", "[WORD]"))  # placeholders in files without words
COREFERENCE = "Coreference"  # the name of the relation that makes entities, in files
_BEHIND = 1 << 62  # no text has that many positions


class Bridge(NamedTuple):
    """An associative anaphor and its antecedent, as indices of mentions; several bridges may share an anaphor."""

    anaphor: int
    antecedent: int
    attributes: tuple[tuple[str, str], ...] = ()


class Origin(NamedTuple):
    """Where a document was read: its file, its first line there, the line of each word, if known.

    `mentions` has the lines of mentions by their ids (event nuggets), `marks` is the style of a running text, whose
    words are pieces between blanks. `numbered` documents have no name of their own, only their number in the file.
    `reply` is what a language model wrote, which is read beside the words of a key. `unit` says what positions count
    where there are neither words nor a text: `characters`, or `tokens` with ids.
    """

    source: str | None = None
    line: int | None = None
    lines: Sequence[int] = ()
    mentions: Mapping[Hashable, int] = {}
    marks: str | None = None
    numbered: bool = False
    reply: Reply | None = None
    unit: str | None = None


class MentionSequence:
    """The type of `Document.mentions`: any sequence can be given; reading it gives `Mentions` or `ListedMentions`."""

    if TYPE_CHECKING:

        def __get__(self, document: object, owner: type) -> AnyMentions: ...
        def __set__(self, document: object, mentions: Sequence[Mention]) -> None: ...


@dataclass(frozen=True)
class Document:
    """A text with its mentions; a mention is its index in `mentions`.

    `mentions` can be given as any sequence; they become `Mentions` or `ListedMentions`. `sentences` holds the first
    word of each sentence, `columns` what a file has for each word beside its form (part of speech, parse, ...),
    `comments` the comment lines and the index of the word they precede.

    `sets` gives the member entities of entities that stand for several others at once (split antecedents),
    `nonreferring` the entities that refer to nothing: expletives, predicates, quantifiers. `hidden` ones are not scored
    themselves, only as members of sets. `relations` are further links between mentions: name, id, ids of the mentions.
    `deixis` is the same text with its discourse-deictic mentions.

    `origin` says where it was read from; documents are compared without it.
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
        """Turn a plain sequence of mentions into `ListedMentions`."""
        if not isinstance(self.mentions, AnyMentions):
            object.__setattr__(self, "mentions", ListedMentions(self.mentions))

    @property
    def source(self) -> str | None:
        """The file that the document was read from."""
        return self.origin.source

    @property
    def line(self) -> int | None:
        """The line of that file on which it begins."""
        return self.origin.line

    @property
    def is_running(self) -> bool:
        """Whether its words are pieces of a running text, which may differ from the key's."""
        return self.origin.marks is not None

    def line_of(self, mention: Mention) -> int | None:
        """The line of the file on which the mention begins, or that of the document."""
        if mention.id in self.origin.mentions:
            return self.origin.mentions[mention.id]
        return self.line_at(word_of(mention.span[0]) if mention.span else -1)

    def line_at(self, word: int) -> int | None:
        """The line of the file that has the word of that number, where it is known, else that of the document."""
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
        if self.origin.unit == "tokens":
            return ",".join(f"t{word_of(place)}" for place in span)
        return ";".join(f"{first},{last + 1}" for first, last in pieces(span))

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
        """The identity of each mention: two mentions of a document with the same identity are copies of one another.

        That is its span, its span and head, its minimum span, or (`line`) its number; for an opaque mention its id.
        Names of attributes may follow (`span+type`): then copies have the same values, too.
        """
        return self._once(_identities, by)

    def copies(self, by: str = "span", order: str = "text") -> list[list[int]]:
        """Groups of mentions that have the same identity, by their numbers.

        A group is sorted by where the entities of its mentions first appear: in the `text`, or by another order of
        `APPEARANCES`.

        >>> from .mentions import Mentions
        >>> Document("d", mentions=Mentions.of([(3, 3), (1, 2), (0, 0), (3, 3)], ["Ada", "tap", "tap", "tap"])).copies()
        [[3, 0]]
        """
        return self._once(_copies, by, order)

    def _once(self, find: Callable[..., list[Fact]], *by: str) -> list[Fact]:
        """The result of a function of the document, computed once and then remembered."""
        known = self.mentions.known
        if (find, by) not in known:
            known[find, by] = find(self, *by)
        return known[find, by]

    def repeats(self, by: str = "span") -> bool:
        """Whether two mentions have the same identity."""
        return bool(self._once(_groups, by))

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The entities in the order in which they appear."""
        return self.mentions.names

    def of_mentions(self, indices: Sequence[int]) -> Document:
        """The document with the mentions of these numbers alone, in that order."""
        return replace(self, mentions=self.mentions.take(indices))

    def having(self, **changes: object) -> Document:
        """The document with other values of some fields; faster than `replace`, as mentions are not looked at."""
        document = object.__new__(Document)
        document.__dict__.update(self.__dict__, **changes)
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


def about(document: Document, problems: Problems | None = None, remedy: str | None = None) -> Reporter:
    """A reporter for a document; without `problems`, one that only creates problems and errors.

    >>> print(about(Document("bn_01", origin=Origin("a.conll", 3))).problem("no-heads", "no heads", 3))
    no heads  [no-heads]
      where     a.conll:3, document bn_01
    """
    return Reporter(problems or Problems(), document.source, document.id, remedy)


def place(document: Document, mention: Mention) -> tuple[int | None, str]:
    """The line of a mention and its words, as a reporter takes them."""
    return document.line_of(mention), document.text_of(mention)


def places_of(documents: Sequence[Document], by: str = "span") -> list[Sequence[Hashable]]:
    """The identities of the mentions of each document, to be compared; plain numbers, where all are stretches.

    The bytes of both ends are taken as one number, which is faster to look up than a span.
    """
    sides = [document.mentions for document in documents]
    ends = [mentions.ends for mentions in sides if by in ("span", "head")]
    packed = [memoryview(each).cast("B").cast("q").tolist() if each else [] for each in ends if each is not None]
    if len(packed) < len(sides):
        return [document.identities(by) for document in documents]
    if by == "head":
        return [[*zip(each, mentions.heads, strict=True)] for each, mentions in zip(packed, sides, strict=True)]
    return [*packed]


def _identities(document: Document, by: str) -> list[Hashable]:
    mentions = document.mentions
    by, *fields = by.split("+")
    if fields:
        return [*zip(document.identities(by), values_of(mentions, fields), strict=True)]
    if by == "line":
        return [*range(len(mentions))]
    known: list[Hashable] = [*mentions.spans]
    if mentions.opaque:
        known = [span or id for span, id in zip(known, mentions.ids, strict=True)]
    if by == "head":
        return [*zip(known, mentions.heads, strict=True)]
    if by == "minimum":
        return [minimum or other for minimum, other in zip(mentions.minimums, known, strict=True)]
    return known


def _groups(document: Document, by: str) -> list[list[int]]:
    """The numbers of mentions with the same identity, where there are several."""
    first = by.partition("+")[0]
    if first == "line" or (by != "span" and first in ("span", "head") and not document.repeats()):  # different spans
        return []
    (names,) = places_of([document], by)
    last = dict(zip(names, count(), strict=False))
    groups: dict[Hashable, list[int]] = {}
    for index, other in enumerate(map(last.__getitem__, names)) if len(last) < len(names) else ():
        if other != index:
            groups.setdefault(names[index], []).append(index)
    return [[*same, last[name]] for name, same in groups.items()]


def _copies(document: Document, by: str, order: str) -> list[list[int]]:
    groups, mentions = document._once(_groups, by), document.mentions
    rank = _ranks(mentions, [index for same in groups for index in same], order) if groups else {}
    return [sorted(same, key=lambda index: rank[mentions.owners[index]]) for same in groups]


def _ranks(mentions: AnyMentions, indices: Sequence[int], order: str) -> dict[int, int]:
    """The rank of the entity of each of these mentions: entities in the order in which they first appear.

    Mentions without positions are in the order of the list, behind all others.
    """
    owners = np.array(mentions.owners, np.int64)
    wanted = np.zeros(len(mentions.names), np.bool_)
    wanted[owners[[*indices]]] = True
    places: dict[int, list[tuple[Any, ...]]] = {owner: [] for owner in np.flatnonzero(wanted).tolist()}
    some = np.flatnonzero(wanted[owners])
    for number, owner in zip(some.tolist(), owners[some].tolist(), strict=True):
        span = mentions.span(number)
        places[owner].append(APPEARANCES[order](span, number) if span else (_BEHIND, number))
    ordered = sorted(places, key=lambda owner: sorted({*places[owner]}))
    return {owner: rank for rank, owner in enumerate(ordered)}


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
    return document.origin.unit or "numbers" if document.mentions[0].span else "names"


def at_characters(document: Document) -> bool:
    """Whether its mentions are at characters of a text without words, so that lengths in words are not known."""
    return unit_of(document) == "characters"


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
