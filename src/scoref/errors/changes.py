"""Two responses compared: the errors that one fixes, those that it breaks, and those of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from .analysis import Analysis, Mistake

CHANGES = ("fixed", "broken", "wrong in both")


class Change(NamedTuple):
    """An error of two responses: *fixed* if only the first has it, *broken* if only the second, or *wrong in both*."""

    status: str
    error: Mistake

    @property
    def located(self) -> tuple[str, str, str, int | None, str]:
        """The status, the kind of the error, its document, line and mentions."""
        words = dict.fromkeys(place.text for place in self.error.mentions)
        return self.status, self.error.kind, self.error.document, self.error.mentions[0].line, "; ".join(words)


def changes(before: Analysis, after: Analysis, both: bool = False) -> list[Change]:
    """What the second response fixes, and what it breaks; with `both`, also what is wrong in both.

    Errors are the same if they are of one kind and their first mentions are.
    """
    old, new = (identified(analysis) for analysis in (before, after))
    fixed, broken, in_both = CHANGES
    changed = [Change(fixed, mistake) for identity, mistake in old.items() if identity not in new]
    changed += [Change(broken, mistake) for identity, mistake in new.items() if identity not in old]
    if both:
        changed += [Change(in_both, mistake) for identity, mistake in new.items() if identity in old]
    return changed


def identified(analysis: Analysis) -> dict[Hashable, Mistake]:
    """The errors by what identifies them: kind, document, first mention; several that share these are numbered."""
    by_identity: dict[Hashable, Mistake] = {}
    seen: Counter[Hashable] = Counter()
    for mistake in analysis.mistakes():
        mention = mistake.mentions[0].mention
        identity = mistake.kind, mistake.document, mention.span or mention.id
        by_identity[identity, seen[identity]] = mistake
        seen[identity] += 1
    return by_identity
