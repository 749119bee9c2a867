"""How metrics react when a mention tagger finds fewer spurious mentions (Cai & Strube 2010, figures 1 and 2).

A response is thinned: of the mentions that the key lacks (the twinless ones), 0, 10, ..., 100 % are taken out at
random, all others stay where they are. A response without spurious mentions is better, so a score should rise. If it
hardly does, spurious mentions cost nothing: the metric can be tricked.

Only the sizes of response entities change, so mentions are matched once, and the table is thinned.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from ..counting.metrics import Links, document_counts
from ..counting.table import Floats, Settings, Tables, build, without
from ..document.document import Integers
from ..layout import grid, plots, render
from ..layout.render import Json
from ..problems import Error
from ..processes import reported
from ..protocol.keywords import ScoringKeywords
from ..relations.registry import METRICS, needed, on_table
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.scores import scored_name
from ..run.request import Request, Side
from ..run.score import scored
from .figures import printed
from .samples import refuse_bad_trials

FIGURES = {
    "B³ variants": ("muc", "b3", "b3-0", "b3-all", "b3-rn", "b3-sys"),
    "CEAF variants": ("muc", "ceafm", "ceafm-rn", "ceafm-sys", "ceafe", "ceafe-rn", "ceafe-sys"),
}
VARIANTS = tuple(dict.fromkeys(name for names in FIGURES.values() for name in names))
STEPS = tuple(number / 10 for number in range(11))
REPETITIONS, SEED = 10, 12345

_FLAT = 0.005  # half a point: a smaller gain counts as none


@dataclass(frozen=True, eq=False)
class Stability:
    """The f1 [steps, metrics] of a response that loses more and more of its spurious mentions.

    >>> from scoref import stability
    >>> result = stability([["a", "b", "c"]], [["a", "b", "c", "x", "y"]], metrics=["b3", "b3-0"], repetitions=2)
    >>> result.spurious
    2
    >>> result["b3"][0] < result["b3"][-1], result["b3-0"][0] == result["b3-0"][-1]
    (True, True)
    """

    evaluation: Evaluation
    metrics: tuple[str, ...]
    f1: Floats
    mentions: int
    spurious: int
    repetitions: int
    seed: int
    bands: Floats  # [2, steps, metrics]: the least and the greatest f1 of all repetitions

    __str__ = render.text
    _repr_html_ = render.html

    def __getitem__(self, metric: str) -> list[float]:
        """The f1 of a metric, step by step."""
        values: list[float] = self.f1[:, self.metrics.index(scored_name(metric, self.metrics))].tolist()
        return values

    @property
    def signature(self) -> str:
        """All choices, the repetitions, the seed and the version, in one line."""
        protocol, version = self.evaluation.protocol.signature(), self.evaluation.version
        return f"{protocol}|trials:{self.repetitions}|seed:{self.seed}|scoref:{version}"

    def whole_grid(self) -> grid.Grid:
        """All metrics in one table."""
        rows = [(step, *values) for step, values in zip(STEPS, self.f1.tolist(), strict=True)]
        return grid.Grid("", ("out", *self.metrics), rows)

    def grids(self) -> list[grid.Grid]:
        """A table for each figure, and one of what each metric gains from start to end."""
        tables = []
        for title, names in self._figures().items():
            steps = zip(STEPS, *map(self.__getitem__, names), strict=True)
            rows = [(f"{100 * step:.0f} %", *values) for step, *values in steps]
            tables.append(grid.Grid(f"{title}: f1 with spurious mentions taken out", ("out", *names), rows))
        gains = {name: self[name][-1] - self[name][0] for name in self.metrics}
        verdicts = [(name, grid.signed(gain), _verdict(gain)) for name, gain in gains.items()]
        return [*tables, grid.Grid("from 0 to 100 %", ("metric", "gain", "the score"), verdicts)]

    def _figures(self) -> dict[str, tuple[str, ...]]:
        shown = {title: tuple(name for name in names if name in self.metrics) for title, names in FIGURES.items()}
        other = tuple(name for name in self.metrics if name not in VARIANTS)
        return {title: names for title, names in {**shown, "Others": other}.items() if names and names != ("muc",)}

    def notes(self) -> list[str]:
        """The lines below the tables."""
        share = self.spurious / self.mentions if self.mentions else 0.0
        return [
            f"{self.spurious} of {self.mentions} response mentions are spurious ({100 * share:.1f} %); "
            f"means of {self.repetitions} repetitions",
            *self.evaluation.problem_notes(),
            f"signature {self.signature}",
        ]

    def to_frame(self) -> render.DataFrame:
        """The f1 as a frame of pandas: a row for each step, a column for each metric."""
        return render.frame(self.whole_grid())

    def to_dict(self) -> Json:
        """The result as `scoref stability --json` prints it."""
        return {
            "scoref": self.evaluation.version,
            "signature": self.signature,
            "mentions": self.mentions,
            "spurious": self.spurious,
            "repetitions": self.repetitions,
            "seed": self.seed,
            "removed": list(STEPS),
            "f1": {name: self[name] for name in self.metrics},
        }

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the curves of a figure, by the name of the file: b3, ceaf, others; a folder gets all of them."""
        figures = {title.split()[0].lower().replace("³", "3"): names for title, names in self._figures().items()}
        plots.draw({name: self._curves(names) for name, names in figures.items()}, path)

    def _curves(self, names: Sequence[str]) -> plots.Points:
        """The curves of some metrics, with bands from the least to the greatest f1 of all repetitions."""
        series = {printed(name): [(100 * x, 100 * y) for x, y in zip(STEPS, self[name], strict=True)] for name in names}
        bands = {printed(name): (100 * self.bands[:, :, self.metrics.index(name)]).T.tolist() for name in names}
        return plots.Points("spurious mentions taken out, %", "F1, %", series, joined=True, bands=bands)


def _verdict(gain: float) -> str:
    """Whether a score rises as the response gets better."""
    return "rises" if gain > _FLAT else "falls" if gain < -_FLAT else "hardly moves"


def stability(
    key: Side,
    response: Side,
    *,
    metrics: Iterable[str] | None = None,
    repetitions: int = REPETITIONS,
    seed: int = SEED,
    **keywords: Unpack[ScoringKeywords],
) -> Stability:
    """Thin the spurious mentions of a response in steps of 10 %, and score each step, averaged over repetitions.

    A mention removed at one step stays out at the next. Sets of entities (split antecedents) are ignored. Further
    keywords are those of `score`.
    """
    refuse_bad_trials(repetitions, seed, "repetition")
    request = Request.of(key, response, {**keywords, "metrics": metrics or VARIANTS, "split": "ignore", "jobs": 1})
    evaluation = scored(request.with_documents())
    metrics = evaluation.protocol.metrics
    unknown = [name for name in needed(metrics) if not on_table(name) or isinstance(METRICS[name].how, Links)]
    if unknown:
        known = [name for name in METRICS if on_table(name) and name in needed([name])]
        raise Error("unknown-metric", f"{', '.join(unknown)} is not computed from entities",
                    expected=f"some of {', '.join(known)}", remedy="choose others with --metrics")  # fmt: skip
    tables, owners = _thinnable(evaluation)
    random = np.random.default_rng(seed)
    each: list[list[list[float]]] = []
    for _ in reported(range(repetitions), "repetitions done", request.progress):
        order = random.permutation(owners)
        each.append([_f1(evaluation, _without(evaluation, tables, order, step)) for step in STEPS])
    f1 = np.array(each)
    mean, bands = f1.sum(axis=0) / repetitions, np.stack((f1.min(axis=0), f1.max(axis=0)))
    mentions = sum(len(pair[1].mentions) for pair in evaluation.evidence.aligned)
    return Stability(evaluation, metrics, mean, mentions, len(owners), repetitions, seed, bands)


def _thinnable(evaluation: Evaluation) -> tuple[Tables, Integers]:
    """The tables of a response, and the entity of each of its twinless mentions."""
    evidence = evaluation.evidence
    how = evaluation.protocol.counting
    tables, _, entities = build(evidence.aligned, evidence.homes, Settings(how.beta, how.frequent))
    number = {pair: index for index, pair in enumerate(zip(entities.document, entities.name, strict=True))}
    owners = []
    for home, (_, response, lookups) in zip(evidence.homes, evidence.aligned, strict=True):
        twins = {index for alignment in lookups[:3] for index in alignment.response}
        twinless = (mention for index, mention in enumerate(response.mentions) if index not in twins)
        owners += [number[home, mention.entity] for mention in twinless]
    return tables, np.array(owners, np.int64)


def _without(evaluation: Evaluation, tables: Tables, order: Integers, share: float) -> Tables:
    """The tables without that share of the twinless mentions, the first ones in this order."""
    size = tables.every.response.size
    left = size - np.bincount(order[: round(share * len(order))], minlength=len(size))
    least = 2 if evaluation.protocol.counting.singletons == "drop" else 1
    return tables.changed(
        lambda table: without(replace(table, response=table.response._replace(size=left)), response=left < least)
    )


def _f1(evaluation: Evaluation, tables: Tables) -> list[float]:
    protocol, counts = evaluation.protocol, {}
    for name in required(protocol):
        both = METRICS[name].rules.tables(tables, protocol.preparing.credit)
        counts[name] = document_counts(METRICS[name], both, protocol.counting.twinless)
    return [value.f1 for value in replace(evaluation, counts=counts).scores.values()]
