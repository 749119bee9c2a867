"""Event nuggets of key and response side by side, and which types and realis values were confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..matching.nuggets import agree, canonical, greedy, value
from ..results.evaluation import Evaluation
from .mistakes import MentionPlace


class NuggetRow(NamedTuple):
    """A key mention beside its response mention, or one of them alone, and what is wrong."""

    document: str
    status: str
    dice: float
    key: MentionPlace | None
    response: MentionPlace | None

    @property
    def kind(self) -> str:
        """The kind of error is the status."""
        return self.status

    @property
    def mentions(self) -> tuple[MentionPlace, ...]:
        """The key mention and the response mention, where they exist."""
        return tuple(place for place in (self.key, self.response) if place)

    @property
    def says(self) -> str:
        """What the response says of it."""
        if self.response is None:
            return f"{self.mentions[0].label} is missing"
        return f"{self.response.label} is {_labels(self.response)}"

    @property
    def should(self) -> str:
        """What the key says of it."""
        return f"the key has {self.key.label}, {_labels(self.key)}" if self.key else "the key has no such mention"

    @property
    def sentence(self) -> str:
        """What is wrong, and what is right."""
        return f"{self.says}; {self.should}"


def _labels(place: MentionPlace) -> str:
    """Type and realis of a nugget."""
    attributes = dict(place.mention.attributes)
    return " ".join(attributes[name] for name in ("type", "realis") if attributes.get(name)) or "without a type"


STATUSES = ("found", "partial", "wrong type", "wrong realis", "wrong type and realis", "missed", "spurious")


def nugget_rows(evaluation: Evaluation) -> list[NuggetRow]:
    """Every key mention beside the response mention that the span mapping gives it, then the others of the response.

    Of pairs with the same Dice coefficient, one with the same type, then with the same realis, is preferred.
    Status: found, partial (not the whole span), wrong type, wrong realis, wrong type and realis, missed, spurious.
    """
    rows: list[NuggetRow] = []
    for number, (name, (key, response, _)) in enumerate(
        zip(evaluation.names, evaluation.evidence.aligned, strict=True)
    ):
        ours = [MentionPlace("key", number, index, key) for index in range(len(key.mentions))]
        theirs = [MentionPlace("response", number, index, response) for index in range(len(response.mentions))]
        mapped = {k: (r, dice) for k, r, dice in greedy(key, response, prefer=("type", "realis"))}
        for k, mention in enumerate(key.mentions):
            if k not in mapped:
                rows.append(NuggetRow(name, "missed", 0.0, ours[k], None))
                continue
            other = response.mentions[mapped[k][0]]
            wrong = [name for name in ("type", "realis") if not agree(value(mention, name), value(other, name))]
            status = f"wrong {' and '.join(wrong)}" if wrong else "found" if mapped[k][1] == 1 else "partial"
            rows.append(NuggetRow(name, status, mapped[k][1], ours[k], theirs[mapped[k][0]]))
        used = {r for r, _ in mapped.values()}
        rows += [NuggetRow(name, "spurious", 0.0, None, place) for r, place in enumerate(theirs) if r not in used]
    return rows


def nugget_confusion(rows: Iterable[NuggetRow], field: str = "type") -> dict[tuple[str, str], int]:
    """How often event nuggets have which type (or realis) in the key and in the response; '' where there is none."""
    spelled: dict[str, str] = {}

    def label(place: MentionPlace | None) -> str:
        written = dict(place.mention.attributes).get(field, "") if place else ""
        return spelled.setdefault(canonical(written) or written, written)

    return dict(Counter((label(row.key), label(row.response)) for row in rows))
