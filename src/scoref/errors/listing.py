"""Lists errors: as rows of a table, as changes between two responses, as plots."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..document.document import Integers, word_of
from ..document.forms import FORMS, form
from ..document.kinds import antecedents
from ..layout import plots
from ..problems import Error
from ..statistics.figures import proper, share_intervals
from .analysis import Analysis, Mistake
from .mistakes import CoreferenceError, MentionPlace
from .outcomes import NAMELESS, ORDERS, RESULTS


class ErrorRow(NamedTuple):
    """An error, its first mention, and details of that mention.

    `before` and `after` are a few words on either side; `verb` is the word that governs a zero. `distance` is the
    number of words from the start of the antecedent (the mention of its entity before it) to its own start; None for
    the first mention of an entity, and without positions. `tangle` is the index of its tangle, `cost` what that tangle
    costs; None for errors outside coreference.
    """

    mistake: Mistake
    place: MentionPlace
    dataset: str
    before: str
    after: str
    verb: str
    form: str
    distance: int | None
    tangle: int | None
    cost: float | None


class Wanted(NamedTuple):
    """Which errors are wanted: those of some kinds, forms, documents, datasets; an empty list means all.

    A document goes by its name, or by a part of it.
    """

    kind: Collection[str] = ()
    form: Collection[str] = ()
    document: Collection[str] = ()
    dataset: Collection[str] = ()


class Listing:
    """The errors of an analysis as rows."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        homes, datasets = analysis.evaluation.evidence.homes, analysis.evaluation.datasets
        self._datasets = [datasets[home] if home < len(datasets) else "" for home in homes]

    def rows(self, wanted: Wanted | None = None) -> Iterator[ErrorRow]:
        """The errors: all of them, or those that are wanted."""
        wanted = wanted or Wanted()
        self._refuse(wanted.kind, self.kinds, "kind of error")
        self._refuse(wanted.form, FORMS, "form")
        self._refuse(wanted.dataset, sorted({*self._datasets}), "dataset")
        numbers = self._numbers(wanted.document)
        mistakes = [*self.analysis.mistakes()]
        if self.analysis.of_coreference and self.analysis.evaluation.protocol.reading.layer != "all":
            mistakes += self.analysis.other_errors
        for mistake in mistakes:
            if _among(mistake.kind, wanted.kind) and _among(mistake.mentions[0].number, numbers):
                row = self.row(mistake)
                if _among(row.form, wanted.form) and _among(row.dataset, wanted.dataset):
                    yield row

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that rows can have: those of all scored layers, and of further layers in the files."""
        return tuple(dict.fromkeys([*self.analysis.kinds, *(error.kind for error in self.analysis.other_errors)]))

    def _refuse(self, words: Collection[str], known: Sequence[str], what: str) -> None:
        """Raise an error for the first word that is not known."""
        for word in words:
            if word not in known:
                raise Error("unknown-choice", f"no {what} is called '{word}'", expected=f"one of {', '.join(known)}")

    def _numbers(self, documents: Collection[str]) -> set[int]:
        """The numbers of documents with these names or, where no name is the same, with names that contain them."""
        numbers: set[int] = set()
        names = self.analysis.names
        for word in documents:
            same = [number for number, name in enumerate(names) if name == word]
            same = same or [number for number, name in enumerate(names) if word in name]
            if not same:
                raise Error("unknown-document", f"no document is called '{word}'",
                            expected=f"a name, or a part of one, like {names[0]}" if names else "")  # fmt: skip
            numbers.update(same)
        return numbers

    def row(self, mistake: Mistake) -> ErrorRow:
        """What is known of one error."""
        place = mistake.mentions[0]
        before, after = place.context()
        scored = self.analysis.twins.documents[place.side == "response"][place.number]
        inner = self if place.document is scored else self._deictic
        known = inner._known(place) if inner and isinstance(mistake, CoreferenceError) else (None, None, None)
        dataset, expression = self._datasets[place.number], form(place.document, place.mention)
        return ErrorRow(mistake, place, dataset, before, after, place.governor, expression, *known)

    @cached_property
    def _deictic(self) -> Listing | None:
        return Listing(self.analysis.deixis) if self.analysis.deixis else None

    @cached_property
    def _antecedents(self) -> list[Integers]:
        return [antecedents(side.entity) for side in self.analysis.twins.sides]

    def _known(self, place: MentionPlace) -> tuple[int | None, int | None, float | None]:
        """The distance of a mention, its tangle, and the cost of that."""
        twins, tangles, metric = self.analysis.twins, self.analysis.tangles, self.analysis.metric
        side = int(place.side == "response")
        rank = int(twins.ranks(side, place.number)[place.index])
        tangle = int(tangles.of[side][twins.sides[side].entity[rank]])
        cost = float(tangles.costs[tangle, tangles.metrics.index(metric)]) if metric in tangles.metrics else None
        twin = int(twins.sides[side].twin[rank])
        if side and twin >= 0:  # the distance is taken from the key
            side, rank = 0, twin
        return self._distance(side, rank), tangle, cost

    def _distance(self, side: int, rank: int) -> int | None:
        before = int(self._antecedents[side][rank])
        if before < 0:
            return None
        there, here = (self.analysis.twins.place(side, each) for each in (before, rank))
        spans = there.mention.span, here.mention.span
        known = there.number == here.number and all(spans)
        return word_of(spans[1][0]) - word_of(spans[0][0]) if known else None


def _among(value: str | int, wanted: Collection[str | int]) -> bool:
    """Whether a value is wanted; any value is, if nothing is named."""
    return not wanted or value in wanted


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

    Two errors are the same if they have the same kind and the same first mention.
    """
    old, new = identified(before), identified(after)
    changed = [Change("fixed", mistake) for identity, mistake in old.items() if identity not in new]
    changed += [Change("broken", mistake) for identity, mistake in new.items() if identity not in old]
    return changed + [Change("wrong in both", new[each]) for each in new if both and each in old]


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


def plot(analyses: Mapping[str, Analysis], path: str | os.PathLike[str]) -> None:
    """Draw a figure of one response or of several, by the name of the file: errors, distance, size, form.

    `errors` is a waterfall of the first response, the others are of all; a folder gets all figures.
    """
    first = next(iter(analyses.values()))
    if not first.of_coreference or not first.metric:
        remedy = "choose --layer identity or deixis, and metrics of coreference"
        raise Error("no-coreference", "figures of errors are of coreference", remedy=remedy)
    shares = {view: _shares(analyses, view) for view in ("distance", "size", "form")}
    plots.draw({"errors": waterfall(first), **shares}, path)


def waterfall(analysis: Analysis) -> plots.Steps:
    """From the score to what is left when all kinds of errors are repaired, one after the other."""
    metric = analysis.metric
    assert metric
    steps, before = [], 0.0
    for cost in analysis.costs():
        steps.append((cost.kind, 100 * (cost.together[metric] - before)))
        before = cost.together[metric]
    label = f"{proper(metric)} F1, %"
    return plots.Steps(label, ("response", 100 * analysis.evaluation[metric].f1), steps, "all repaired")


def _shares(analyses: Mapping[str, Analysis], view: str) -> plots.Dots:
    """The share of right mentions in groups of the key's mentions, with intervals where documents are enough."""
    found = {name: _rights(analysis, view) for name, analysis in analyses.items()}
    groups = sorted({group for each in found.values() for group in each if group not in NAMELESS}, key=ORDERS[view])
    none = 0, (0.0, 0.0, 0.0)
    series = {name: [each.get(group, none)[1] for group in groups] for name, each in found.items()}
    first = next(iter(found.values()))
    rows = [f"{group} ({first.get(group, none)[0]:,})" for group in groups]
    what = {"distance": "distance to the antecedent", "size": "mentions of the entity", "form": "form"}[view]
    ends = any(low < high for each in series.values() for _, low, high in each)
    return plots.Dots(f"right mentions by {what}{' with 95 % intervals' * ends}, %", rows, series)


def _rights(analysis: Analysis, view: str) -> dict[str, tuple[int, tuple[float, float, float]]]:
    """By group the number of the key's mentions, and the percentage of right ones with its interval."""
    names, of = analysis.outcomes.groups(view)
    document = analysis.twins.sides[0].document
    right = analysis.outcomes.results[: len(document)] == RESULTS.index("right")
    codes, size = document * len(names) + of[: len(document)], len(analysis.twins.aligned) * len(names)
    counts = [np.bincount(each, minlength=size).reshape(-1, len(names)) for each in (codes[right], codes)]
    shares = share_intervals(*(each.astype(np.float64) for each in counts))
    numbers = counts[1].sum(axis=0).tolist()
    return {name: (numbers[at], shares[at]) for at, name in enumerate(names) if numbers[at]}
