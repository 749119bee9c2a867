"""Errors of coreference: their kinds, the mentions and entities they name, their sentences, the steps of repair."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..document.document import Document, Mention, position, word_of

KINDS = (
    "span error", "conflated entities", "extra mention", "extra entity",
    "divided entity", "missing mention", "missing entity",
)  # fmt: skip
DEICTIC = "deixis: "  # before the kind of an error of discourse deixis, where all layers are scored
_EMPTY = position(1) - 1  # the bits of a position that count empty nodes
_LONGEST = 50  # letters of the words that name an entity


class MentionPlace(NamedTuple):
    """Where a mention of an error is: its side, the number of its document, its index there, and the document."""

    side: str
    number: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which is not needed here
    document: Document

    @property
    def mention(self) -> Mention:
        """The mention itself."""
        return self.document.mentions[self.index]

    @property
    def text(self) -> str:
        """The words of the mention."""
        return self.document.text_of(self.mention)

    @property
    def label(self) -> str:
        """The words in quotes; before them id and span, if the mention has a line of its own in the file."""
        named = f"{self.document.named(self.mention)} " if self.document.origin.mentions else ""
        return f"{named}'{self.text}'"

    @property
    def line(self) -> int | None:
        """Its line in the file."""
        return self.document.line_of(self.mention)

    @property
    def entity(self) -> Hashable:
        """Its entity."""
        return self.mention.entity

    def context(self, words: int = 4) -> tuple[str, str]:
        """A few words before the mention, and a few after it; '' where the text is not known."""
        span, document = self.mention.span, self.document
        if not span:
            return "", ""
        first, last = word_of(span[0]), word_of(span[-1])
        if document.words:
            first += bool(span[0] & _EMPTY)  # an empty node stands behind its word
            before = document.words[max(first - words, 0) : first]
            return " ".join(before), " ".join(document.words[last + 1 : last + 1 + words])
        (text,) = document.columns.get("text", ("",))[:1] or ("",)  # positions are letters
        return " ".join(text[:first].split()[-words:]), " ".join(text[last + 1 :].split()[:words])

    @property
    def governor(self) -> str:
        """The word that a zero depends on, its verb mostly; '' where it is not known."""
        mention = self.mention
        words = [word_of(place) for place, _ in mention.parents] if mention.is_zero else []
        return next((self.document.words[word] for word in words if 0 <= word < len(self.document.words)), "")


class Operation(NamedTuple):
    """One step of a repair: what is done to which mentions; `to` has the right span, or stands for its entity."""

    name: str
    mentions: tuple[MentionPlace, ...]
    to: MentionPlace | None = None


@dataclass(eq=False, slots=True)
class Entity:
    """An entity in an error: its side, its number there, its label, the number of its mentions.

    The label of a key entity is its number in the order of the text, within its home (a document, a group of documents,
    or the corpus). A response entity has the label of its partner; one without a partner has letters. `find` gives the
    mention that names the entity best.
    """

    side: str
    number: int
    label: str
    size: int
    find: Callable[[Entity], MentionPlace]
    _place: MentionPlace | None = None
    _name: str = ""

    @property
    def place(self) -> MentionPlace:
        """The mention that names it best."""
        if self._place is None:
            self._place = self.find(self)
        return self._place

    @property
    def name(self) -> str:
        """Its label and the words that name it."""
        self._name = self._name or entity_name(self.label, self.place.label)
        return self._name


def entity_name(label: str, words: str) -> str:
    """The label of an entity and the words that name it, in quotes, shortened if they are long."""
    return f"{label} {words}" if len(words) <= _LONGEST else f"{label} {words[: _LONGEST - 2]}…'"


SentencePart = str | MentionPlace | Entity


class CoreferenceError(NamedTuple):
    """One error: its kind, its document (name and number), the mentions that are wrong.

    `anchor` is the key mention that a span is corrected to, or the first mention of the part of the entity that stays;
    an extra or missing entity has none. `given` is the response entity that the mentions are in, `wanted` their key
    entity; None where that side lacks the mentions.
    """

    kind: str
    document: str
    number: int
    mentions: tuple[MentionPlace, ...]
    anchor: MentionPlace | None
    given: Entity | None
    wanted: Entity | None

    @property
    def _kind(self) -> str:
        return self.kind.removeprefix(DEICTIC)

    @property
    def says(self) -> str:
        """What the response says of the mentions."""
        return in_words(self._says)

    @property
    def should(self) -> str:
        """What the key says of them."""
        return in_words(self._should)

    @property
    def sentence(self) -> str:
        """What is wrong, and what is right."""
        return in_words(self.parts)

    @property
    def parts(self) -> list[SentencePart]:
        """The sentence cut into words, mentions and entities."""
        return [*self._says, "; ", *self._should]

    @property
    def _says(self) -> list[SentencePart]:
        are = " is" if len(self.mentions) == 1 else " are"
        subject = listed_parts(self.mentions)
        if self.given is None:
            return [*subject, f"{are} missing"]
        if self._kind == "extra entity":
            return [*subject, f"{are} entity {self.given.label}"]
        return [*subject, f"{are} in ", self.given]

    @property
    def _should(self) -> list[SentencePart]:
        them = "it" if len(self.mentions) == 1 else "them"
        if self._kind == "span error" and self.anchor:
            return ["the key has ", self.anchor]
        if self.wanted is None:
            return ["the key has no such mention" if len(self.mentions) == 1 else "the key has none of them"]
        if self._kind == "missing entity":
            return [f"the key has {them} as entity {self.wanted.label}"]
        return [f"the key has {them} in ", self.wanted]

    @property
    def operations(self) -> list[Operation]:
        """The steps of the repair, in their order."""
        if self._kind == "span error":
            return [Operation("correct span", self.mentions, self.anchor)]
        if self.given and self.wanted:
            name = "merge into entity" if self._kind == "divided entity" else "split from entity"
            return [Operation(name, self.mentions, self.anchor)]
        first = self.anchor or self.mentions[0]
        single = "remove mention" if self.given else "introduce mention"
        moved = "split from entity" if self.given else "merge into entity"
        singles = [Operation(single, (place,)) for place in self.mentions]
        moves = [Operation(moved, (place,), first) for place in self.mentions if place != first]
        return [*moves, *singles] if self.given else [*singles, *moves]


def listed(places: Sequence[MentionPlace]) -> str:
    """Some mentions in words: three at most, those with the same words once."""
    return in_words(listed_parts(places))


def listed_parts(places: Sequence[MentionPlace]) -> list[SentencePart]:
    """Some mentions as parts of a sentence: three at most, those with the same words once."""
    if len(places) == 1:
        return [places[0]]
    different = list({place.label: place for place in reversed(places)}.values())[::-1]
    if len(different) == 1:
        return [different[0], f" ({len(places)} times)"]
    more = len(places) - 3
    some = different[:3] if more > 0 and len(different) > 3 else different
    parts: list[SentencePart] = [some[0]]
    for place in some[1:]:
        parts += [" and " if place is some[-1] and some is different else ", ", place]
    return parts if some is different else [*parts, f" and {more} more"]


def in_words(parts: Iterable[SentencePart]) -> str:
    """Parts of a sentence as text: mentions are quoted, entities have their label before their words."""
    words = (each if isinstance(each, str) else each.name if isinstance(each, Entity) else each.label for each in parts)
    return "".join(words)
