"""What is read of a reply before anything has a place: listed mentions, entities, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Place = tuple[int, int]  # the first and the last word
NO_ANTECEDENT = frozenset(("", "none", "no antecedent", "null"))  # what stands for none
Spot = tuple[int, int]  # where something begins and ends in the reply


class Listed(NamedTuple):
    """A mention as a reply gives it: its text, numbers, or both; and where it stands in the reply.

    What the numbers count is not known yet. `document` is the first of three numbers, as cross-document models write.
    """

    text: str | None
    numbers: tuple[int, int] | None = None
    spot: Spot | None = None
    document: int | None = None

    def behind(self, begin: int) -> Listed:
        """The same mention, of a part of the reply that begins there."""
        return self._replace(spot=self.spot and (self.spot[0] + begin, self.spot[1] + begin))


class Link(NamedTuple):
    """A mention and its antecedent; without one it stands alone."""

    mention: Listed
    antecedent: Listed | None

    @classmethod
    def of(cls, mention: Listed, antecedent: Listed | None) -> Link:
        """The link; an antecedent that says that there is none is none."""
        none = antecedent is not None and (antecedent.text or "x").strip().casefold() in NO_ANTECEDENT
        return cls(mention, None if none else antecedent)


class Payload(NamedTuple):
    """Entities, or links between mentions.

    `pairs` are entities of two mentions that may turn out to be links. `cut` says that the reply broke off in it.
    """

    entities: Sequence[Sequence[Listed]] = ()
    links: Sequence[Link] = ()
    pairs: bool = False
    cut: bool = False

    @property
    def mentions(self) -> list[Listed]:
        """All mentions, those of links too."""
        linked = [each for link in self.links for each in (link.antecedent, link.mention) if each is not None]
        return [*(each for entity in self.entities for each in entity), *linked]

    def behind(self, begin: int) -> Payload:
        """The same, of a part of the reply that begins there."""
        entities = [[each.behind(begin) for each in entity] for entity in self.entities]
        links = [Link(link.mention.behind(begin), link.antecedent and link.antecedent.behind(begin))
                 for link in self.links]  # fmt: skip
        return self._replace(entities=entities, links=links)


def joined(payloads: Iterable[Payload]) -> Payload:
    """Several payloads as one."""
    parts = [*payloads]
    entities = [entity for part in parts for entity in part.entities]
    links = [link for part in parts for link in part.links]
    return Payload(entities, links, cut=any(part.cut for part in parts))
