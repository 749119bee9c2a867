"""`Board`: submissions in the order of their main score, with intervals, letters and changes; and rejected ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from .. import __version__
from ..layout import grid, render
from ..layout.render import Json
from ..problems import varied
from ..protocol.protocol import shown_signature
from ..relations.registry import headline
from ..results.evaluation import Evaluation
from ..results.merging import adapted
from ..results.scores import TRIALS, Interval, Resampling, as_dict, number_of
from ..run.request import Request
from ..statistics.samples import Testing, with_intervals
from ..statistics.systems import compared
from .history import NAME, VERSION, Earlier
from .judging import Task, Verdict
from .repeating import repeat

_SHOWN = 3  # reasons of a rejected submission in text
_PER_PAIR = 40  # trials at least for each pair: letters need to know whether p is below 0.05, and no more


@dataclass(frozen=True)
class Row:
    """A submission that was accepted: its place on the board, its main score, and what is to be known beside it."""

    verdict: Verdict
    evaluation: Evaluation
    rank: int | None
    score: float | None
    interval: Interval | None
    letters: str
    was: tuple[int | None, float | None] | None
    repeat: str

    @property
    def name(self) -> str:
        """The name of the submission."""
        return self.verdict.submission.name

    @property
    def mark(self) -> str:
        """`*` if something was repaired, left out or not seen: the notes say what."""
        return "*" * bool(self.verdict.notes)


@dataclass(frozen=True)
class Board:
    """The result of a task: rows in their order, rejected submissions, and how all were scored."""

    task: Task
    rows: tuple[Row, ...]
    rejected: tuple[Verdict, ...]
    date: str
    earlier: tuple[Earlier, ...] = ()
    resampling: Resampling | None = None
    marks: str = ""

    __str__ = render.text

    @property
    def main(self) -> str:
        """The metric that submissions are ranked by."""
        return headline(self.task.protocol.metrics)

    @property
    def signature_full(self) -> str:
        """How all submissions were scored, with every choice, and the version."""
        return self.task.whole.signature_full

    @property
    def signature(self) -> str:
        """The same, in short."""
        return self.task.whole.signature

    @property
    def withdrawn(self) -> list[str]:
        """Submissions of the last board that are not on this one."""
        here = {row.name for row in self.rows}
        return [name for name in (self.earlier[-1].accepted if self.earlier else ()) if name not in here]

    def grids(self) -> list[grid.Grid]:
        """The ranks with all metrics, the main score of each dataset, and the rejected submissions."""
        main, others = self.main, [name for name in self.task.protocol.metrics if name != self.main]
        ends = any(row.interval for row in self.rows)
        header = ("rank", "submission", main, *("low", "high") * ends, *others, *("before",) * bool(self.earlier))
        rows: list[tuple[grid.Cell, ...]] = []
        for row in self.rows:
            score = grid.NOTHING if row.score is None else grid.percent(row.score, row.letters)
            cells = [_f1(row.evaluation, name) for name in others]
            before = (_before(row),) if self.earlier else ()
            interval = row.interval or (None, None) * ends
            rows.append((row.rank, row.name + row.mark, score, *interval, *cells, *before))
        found = [grid.Grid(f"f1; {self.marks}" if self.marks else "f1", header, rows)] if rows else []
        if rows and self.task.datasets:
            by = [(row.name + row.mark, *_by_dataset(row, main, self.task.datasets)) for row in self.rows]
            names = grid.without_common_end(self.task.datasets)
            found.append(grid.Grid(f"{main} f1 by dataset", ("submission", *names), by))
        if self.rejected:
            reasons = [(each.submission.name, *_first(each)) for each in self.rejected]
            found.append(grid.Grid("rejected", ("submission", "reasons", "the first ones"), reasons, prose=True))
        return found

    def whole_grid(self) -> grid.Grid:
        """A row for each submission, metric and dataset, rejected ones too: for programs."""
        rows: list[tuple[grid.Cell, ...]] = []
        for row in self.rows:
            notes = "; ".join(row.verdict.notes)
            for metric in row.evaluation:
                main = metric == self.main
                score = (grid.NOTHING,) * 3 if metric in row.evaluation.undefined else row.evaluation[metric]
                ends = (row.interval if main else None) or (None, None)
                letters = row.letters if main else ""
                rows.append((row.name, "accepted", row.rank, None, metric, *score, *ends, letters, notes))
            groups = replace(row.evaluation, settings={}).by_dataset()
            for name, metric in product(self.task.datasets, row.evaluation):
                score = groups[name][metric] if groups.defined(name, metric) else (grid.NOTHING,) * 3
                rows.append((row.name, "accepted", row.rank, name, metric, *score, None, None, "", notes))
        nothing = (None,) * 8
        rows += [(each.submission.name, "rejected", *nothing, "", _said(each)) for each in self.rejected]
        header = "submission state rank dataset metric recall precision f1 low high letters notes"
        return grid.Grid("", (*header.split(),), rows)

    def notes(self) -> list[str]:
        """The lines below the tables: what was repaired or left out, how intervals were made, the signature."""
        size = number_of(self.task.whole.size, "document")
        counts = f"{len(self.rows)} accepted, {len(self.rejected)} rejected; {size} in the key {self.task.digest}"
        lines = [f"{row.name}*: {note}" for row in self.rows for note in row.verdict.notes]
        if self.withdrawn:
            lines.append(f"on the last board, but not on this one: {', '.join(self.withdrawn)}")
        resampled = self.resampling.notes(any(row.interval for row in self.rows)) if self.resampling else []
        return [counts, *lines, *resampled, f"signature {shown_signature(self.signature)}"]

    def to_dict(self) -> Json:
        """The board for JSON."""
        whole = self.task.whole
        limits = self.task.limits
        return {
            NAME: VERSION,
            "scoref": __version__,
            "date": self.date,
            "key": {"path": self.task.key, "digest": self.task.digest, "documents": whole.size},
            "signature": self.signature,
            "signature_full": self.signature_full,
            "protocol": self.task.protocol.to_dict(),
            "main": self.main,
            "missing": self.task.missing,
            "limits": {"seconds": limits.seconds, "memory": limits.memory},
            "datasets": list(self.task.datasets),
            "marks": self.marks,
            **(self.resampling.to_dict() if self.resampling else {}),
            "accepted": [self._row(row) for row in self.rows],
            "rejected": [_rejected(each) for each in self.rejected],
            "withdrawn": self.withdrawn,
            "history": [each.to_dict() for each in self.earlier],
        }

    def _row(self, row: Row) -> Json:
        verdict = row.verdict
        scores = as_dict(row.evaluation.scores)
        if row.interval:
            scores[self.main]["ci"] = {"f1": list(row.interval)}
        groups = row.evaluation.by_dataset() if self.task.datasets else {}
        return {
            **_names(verdict),
            "rank": row.rank,
            "score": row.score,
            "letters": row.letters,
            "scores": scores,
            "undefined": row.evaluation.undefined,
            "datasets": {name: as_dict(each) for name, each in groups.items()},
            "notes": list(verdict.notes),
            "missing_documents": verdict.missing,
            "sums_only": verdict.sums_only,
            "before": {"rank": row.was[0], "score": row.was[1]} if row.was else None,
            "repeat": row.repeat,
        }


def ranked(task: Task, verdicts: Sequence[Verdict], testing: Testing, date: str, earlier: Sequence[Earlier]) -> Board:
    """The board of the verdicts: the best main score first; equal ones share a rank."""
    main = headline(task.protocol.metrics)
    accepted = {each.submission.name: each for each in verdicts if each.accepted}
    rejected = tuple(each for each in verdicts if not each.accepted)
    evaluations = {name: each.evaluation for name, each in accepted.items() if each.evaluation is not None}
    scores = {name: _score(each, main) for name, each in evaluations.items()}
    order = sorted(evaluations, key=lambda name: (-_number(scores[name]), name))
    tested = {name: adapted(evaluations[name], [main]) for name in order}
    letters: Mapping[str, str] = dict.fromkeys(order, "")
    marks, resampling = "", None
    if len(order) > 1:
        trials = testing.trials or max(TRIALS, _PER_PAIR * math.comb(len(order), 2))
        all_pairs = testing._replace(pairs="all", trials=trials)
        comparison = compared(Request.of(None, None, {}), tested, all_pairs)
        tested, letters = {**comparison.systems}, comparison.letters()[main]
        marks, resampling = comparison.marks_note(), comparison.resampling
    elif order:
        one = with_intervals(tested[order[0]], testing.trials, testing.seed, testing.unit)
        tested = {order[0]: one}
        resampling = one.intervals.resampling if one.intervals else None
    was = earlier[-1].accepted if earlier else {}
    rows = [
        Row(accepted[name], evaluations[name], _rank(scores, name), scores[name], _interval(tested[name], main),
            letters[name], was.get(name), repeat(task, accepted[name]))
        for name in order
    ]  # fmt: skip
    return Board(task, tuple(rows), rejected, date, tuple(earlier), resampling, marks)


def _score(evaluation: Evaluation, main: str) -> float | None:
    return None if main in evaluation.undefined else evaluation[main].f1


def _number(score: float | None) -> float:
    return -math.inf if score is None else score


def _rank(scores: Mapping[str, float | None], name: str) -> int | None:
    """1 more than the number of better ones; None if the score is not defined."""
    own = scores[name]
    return None if own is None else 1 + sum(_number(each) > own for each in scores.values())


def _interval(evaluation: Evaluation, main: str) -> Interval | None:
    found = evaluation.intervals.scores.get(main) if evaluation.intervals else None
    return found[2] if found else None


def _f1(evaluation: Evaluation, metric: str) -> grid.Cell:
    return grid.NOTHING if metric in evaluation.undefined else evaluation[metric].f1


def _by_dataset(row: Row, main: str, datasets: Sequence[str]) -> list[grid.Cell]:
    groups = replace(row.evaluation, settings={}).by_dataset()
    return [groups[name][main].f1 if groups.defined(name, main) else grid.NOTHING for name in datasets]


def _before(row: Row) -> str:
    """What stood on the board before: the rank and by how much the score has changed."""
    if row.was is None:
        return "new"
    rank, score = row.was
    change = "" if score is None or row.score is None else f" {grid.signed(row.score - score).shown}"
    return f"{'–' if rank is None else rank}{change}"


def _first(verdict: Verdict) -> tuple[int, str]:
    shown = varied(verdict.reasons, _SHOWN)
    first = [f"{each.message}{f' ({each.place})' if each.place else ''}" for each in shown]
    return verdict.number, "; ".join(first)


def _said(verdict: Verdict) -> str:
    number, first = _first(verdict)
    return f"{number_of(number, 'reason')}: {first}"


def _names(verdict: Verdict) -> Json:
    each = verdict.submission
    return {"name": each.name, "team": each.team, "run": each.run, "path": each.path, "digest": verdict.digest,
            "seconds": round(verdict.seconds, 2)}  # fmt: skip


def _rejected(verdict: Verdict) -> Json:
    return {
        **_names(verdict),
        "reasons": [each.to_dict() for each in verdict.reasons],
        "number_of_reasons": verdict.number,
        "notes": list(verdict.notes),
    }
