"""Event nuggets of key and response side by side, and what was taken for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from .evaluation import Evaluation
from .match import canonical, greedy
from .model import Mention


class NuggetRow(NamedTuple):
    """A key mention beside its response mention, or one of them alone, and what is wrong."""

    document: str
    status: str
    dice: float
    key: Mention | None
    response: Mention | None

    @property
    def kind(self) -> str:
        """The status: it says what is wrong."""
        return self.status


STATUSES = ("found", "partial", "wrong type", "wrong realis", "wrong type and realis", "missed", "spurious")


def nugget_rows(evaluation: Evaluation) -> list[NuggetRow]:
    """Every key mention beside the response mention that the span mapping gives it, then the others of the response.

    Status: found, partial (not the whole span), wrong type, wrong realis, wrong type and realis, missed, spurious.
    """
    rows: list[NuggetRow] = []
    for name, (key, response, _) in zip(evaluation.names, evaluation.aligned, strict=True):
        mapped = {k: (r, dice) for k, r, dice in greedy(key, response)}
        for k, mention in enumerate(key.mentions):
            if k not in mapped:
                rows.append(NuggetRow(name, "missed", 0.0, mention, None))
                continue
            other = response.mentions[mapped[k][0]]
            wrong = [
                field
                for field in ("type", "realis")
                if _value(mention, field) not in (_value(other, field), "notannotated")
            ]
            status = f"wrong {' and '.join(wrong)}" if wrong else "found" if mapped[k][1] == 1 else "partial"
            rows.append(NuggetRow(name, status, mapped[k][1], mention, other))
        used = {r for r, _ in mapped.values()}
        rows += [NuggetRow(name, "spurious", 0.0, None, m) for r, m in enumerate(response.mentions) if r not in used]
    return rows


def _value(mention: Mention, field: str) -> str:
    return canonical(dict(mention.attributes).get(field, ""))


def nugget_confusion(rows: Iterable[NuggetRow], field: str = "type") -> dict[tuple[str, str], int]:
    """How often event nuggets have which type (or realis) in the key and in the response; '' where there is none."""
    spelled: dict[str, str] = {}

    def label(mention: Mention | None) -> str:
        written = dict(mention.attributes).get(field, "") if mention else ""
        return spelled.setdefault(canonical(written), written)

    return dict(Counter((label(row.key), label(row.response)) for row in rows))
