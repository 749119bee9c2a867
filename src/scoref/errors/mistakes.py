"""What an error of coreference is: its kind, its mentions and their places, the steps that repair it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..model import Document, Mention

KINDS = (
    "span error", "conflated entities", "extra mention", "extra entity",
    "divided entity", "missing mention", "missing entity",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A mention that has part in an error: its side, the number of its document, its index, and the document."""

    side: str
    number: int
    index: int
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
        """The words in quotes; before them, id and span of a mention that has a line of its own."""
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


class Operation(NamedTuple):
    """One step: what is done, to which mentions, and to which other mention or entity (by a mention of it)."""

    name: str
    mentions: tuple[Place, ...]
    to: Place | None = None


class CoreferenceError(NamedTuple):
    """One error: its kind, its document (name and number), the mentions that are repaired.

    `anchor` is the key mention that a span is corrected to, or the first mention of the entity that mentions are split
    from or merged into; `with_anchor` says that the anchor is removed, or introduced, by this repair.
    """

    kind: str
    document: str
    number: int
    mentions: tuple[Place, ...]
    anchor: Place | None = None
    with_anchor: bool = False

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The steps of the repair, in their order."""
        return tuple(self._operations())

    def _operations(self) -> Iterator[Operation]:
        singles = [(mention,) for mention in self.mentions]
        anchor = (self.anchor,) if self.anchor and self.with_anchor else ()
        match self.kind:
            case "span error":
                yield Operation("correct span", self.mentions, self.anchor)
            case "conflated entities":
                yield Operation("split from entity", self.mentions, self.anchor)
                yield from (Operation("remove mention", (mention,)) for mention in anchor)
            case "extra mention" | "extra entity":
                first = self.anchor or self.mentions[0]
                yield from (Operation("split from entity", each, first) for each in singles if each != (first,))
                yield from (Operation("remove mention", each) for each in singles)
            case "divided entity":
                yield from (Operation("introduce mention", (mention,)) for mention in anchor)
                yield Operation("merge into entity", self.mentions, self.anchor)
            case "missing mention" | "missing entity":
                first = self.anchor or self.mentions[0]
                yield from (Operation("introduce mention", each) for each in singles)
                yield from (Operation("merge into entity", each, first) for each in singles if each != (first,))
