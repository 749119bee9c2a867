"""`Explanation`: why other tools and settings give other numbers, as a value, as text, as JSON."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..counting.metrics import Score
from ..layout import grid, render
from ..layout.grid import Cell, Grid, text_table
from ..layout.render import Json, html_lines, html_table
from ..problems import Problem
from ..protocol.protocol import Protocol
from .effects import NONE, Effect
from .experiments import Facts
from .fits import Fit, Fits, GivenNumber, shown
from .tools import ToolScores
from .wording import WIDTH, all_indented, brief, indented, inverted, options, points

_LISTED = 10  # settings shown for a number, of rounded and of cut-off ones each
_WORTH = (  # what a match is worth, by the share of nearby numbers that also match
    (0.25, "may well be chance; give more digits, or more numbers"),
    (0.05, "may be chance; more digits or numbers make it surer"),
    (0.0, "is hardly chance"),
)


class Why(NamedTuple):
    """One row explained: the part of each choice in the difference, by metric, and for each metric the reason."""

    row: ToolScores
    parts: Mapping[str, Mapping[str, float]]
    reasons: Mapping[str, str]

    def to_dict(self) -> Json:
        """The parts for JSON."""
        return {"choices": {choice: dict(each) for choice, each in self.parts.items()}, "reasons": dict(self.reasons)}


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why other tools and settings give other numbers for the same files.

    `yours` has the scores of your protocol, `tools` those of other tools, `missing` the tools that cannot score
    these files, with the reason. `effects` says how much each choice changes, `why` explains rows, `fits` has the
    settings that give the `numbers` you asked about. Differences are those of f1; rows are ranked by `metric`. The
    first table shows the metrics in `columns`, if it does not show all.

    >>> import scoref
    >>> found = scoref.explain([["a", "b", "c"], ["d"]], [["a", "b", "c"], ["d"]], like="e2e")
    >>> round(100 * found.row("e2e").difference, 2)
    -11.11
    """

    yours: ToolScores
    tools: tuple[ToolScores, ...]
    missing: Mapping[str, str]
    effects: tuple[Effect, ...]
    why: Mapping[str, Why]
    metrics: tuple[str, ...]
    metric: str
    facts: Facts
    asked: str | None = None
    numbers: tuple[GivenNumber, ...] = ()
    fits: Fits | None = None
    problems: tuple[Problem, ...] = ()
    saved: bool = False
    columns: tuple[str, ...] = ()

    @property
    def protocol(self) -> Protocol:
        """Your protocol."""
        return self.yours.protocol

    def row(self, name: str) -> ToolScores:
        """The row of that name."""
        return next(row for row in (self.yours, *self.tools) if row.name == name)

    def to_dict(self) -> Json:
        """The explanation as `scoref explain --json` prints it."""
        yours = self.yours.to_dict(self.protocol, self.metrics)
        return {
            "yours": {name: yours[name] for name in ("signature", "signature_full", "tools", "scores")},
            "metric": self.metric,
            "tools": [row.to_dict(self.protocol, self.metrics) for row in self.tools],
            "missing": dict(self.missing),
            "choices": [each.to_dict() for each in self.effects],
            "parts": {name: each.to_dict() for name, each in self.why.items()},
            "numbers": [each.text for each in self.numbers],
            "fits": [each.to_dict(self.metrics) for each in (self.fits.found if self.fits else ())],
            "nearest": [each.to_dict(self.metrics) for each in (self.fits.nearest if self.fits else ())],
            "chance": self.fits.chance._asdict() if self.fits else None,
            "counts": self.facts.to_dict(),
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def grid(self, rows: Sequence[ToolScores] | None = None) -> grid.Grid:
        """The first table: f1 of every metric, and the difference in the main one."""
        columns = self.columns or self.metrics
        places = [self.metrics.index(metric) for metric in columns]
        cells: list[tuple[Cell, ...]] = []
        for row in (self.yours, *(self.tools if rows is None else rows)):
            against = points(row.difference) if row is not self.yours else None
            cells.append((row.name, *map(float, row.values[places, 2]), against))
        return Grid("", ("", *columns, "against yours"), cells)

    def whole_grid(self) -> Grid:
        """All in one table: the settings that print the numbers, if there are numbers, else the rows of tools."""
        return self._fits_grid(self.fits) if self.fits else self._described()

    def to_frame(self) -> render.DataFrame:
        """The table for programs as a frame of pandas: a row for each tool or setting."""
        return render.frame(self.whole_grid())

    def grids(self) -> list[Grid]:
        """Your row and those of the tools that are explained, and the settings that print the numbers."""
        return [self._described(), *([self._fits_grid(self.fits)] if self.fits else [])]

    def _described(self) -> Grid:
        """The first table, with the settings of each row and the tools that print it."""
        table = self.grid(self._chosen)
        described = [(brief(row.protocol), ", ".join(row.tools)) for row in (self.yours, *self._chosen)]
        header = ("tool", *table.header[1:], "settings", "printed by")
        return Grid("", header, [(*cells, *more) for cells, more in zip(table.rows, described, strict=True)])

    @property
    def _chosen(self) -> Sequence[ToolScores]:
        """The rows that are shown beside yours: all, or that of the tool that was asked for, or none."""
        return () if self.fits else (self.row(self.asked),) if self.asked else self.tools

    def _fits_grid(self, fits: Fits) -> Grid:
        """The settings that print the numbers, or else the nearest, and how far they are off."""
        rows: list[tuple[Cell, ...]] = []
        unnamed = not all(number.metric for number in self.numbers)
        for fit in fits.found or fits.nearest:
            values = [grid.Number(value, shown(value)) for value, _ in self._printed(fit)]
            metrics = [", ".join(fit.metrics)] * unnamed
            rows.append((fit.name, brief(fit.protocol), *metrics, *values, fit.digits, "yes" if fit.exchanged else "",
                         grid.Number(fit.distance, shown(fit.distance)), ", ".join(fit.tools)))  # fmt: skip
        names = [*["metric"] * unnamed, *(f"{each.metric or 'any'}.{each.part}" for each in self.numbers)]
        return Grid("", ("tool", "settings", *names, "digits", "exchanged", "off by", "printed by"), rows)

    def notes(self) -> list[str]:
        """The lines below the tables, the signature last."""
        if self.fits:
            sentences = [*self.remarks(), *self._looked_at(self.fits)]
        else:
            lacking = [f"not here: {', '.join(names)}: {why}" for why, names in inverted(self.missing).items()]
            blocks = self._blocks()[1:]  # deeply indented lines continue the one before
            lines = [line for block in blocks for line in re.sub(r"\n {4,}", " ", block).splitlines()]
            sentences = [*(lacking if not self.asked else ()), *lines, *self.remarks()]
        return [*(" ".join(line.split()) for line in sentences), f"signature {self.protocol.signature()}"]

    def remarks(self) -> list[str]:
        """Sentences for every output format: that no setting gives the numbers, that the files have problems."""
        none = [self._none()] if self.fits and not self.fits.found else []
        return none + [f"{len(self.problems)} problems were found in the files: see scoref score"] * bool(self.problems)

    def __str__(self) -> str:
        return "\n\n".join([*self._blocks(), *self.remarks()[-1:] * bool(self.problems)])

    def _blocks(self) -> list[str]:
        """The parts of the text: the table, and what explains it."""
        if self.fits:
            return [self._table(), self._fits(self.fits)]
        if self.asked:
            return [self._table(), self._why(self.why[self.asked])]
        return [self._table(), self._effects(), *map(self._why, self._most())]

    def _repr_html_(self) -> str:
        rest = str(self).partition("\n\n")[2].splitlines()
        return html_table(self.grid(self._chosen)) + html_lines(rest)

    def _most(self) -> list[Why]:
        """The explanation of the row that most tools share."""
        there = [each for each in self.why.values() if abs(each.row.difference) >= 5e-5]
        return sorted(there, key=lambda each: (-len(each.row.tools), -abs(each.row.difference)))[:1]

    def _table(self) -> str:
        """The first table; below each row how its numbers are made, and which tools print them."""
        listed = self._chosen is self.tools  # all of them
        head, *row_lines = text_table(self.grid(self._chosen)).splitlines()
        lines = [head]
        for line, row in zip(row_lines, (self.yours, *self._chosen), strict=True):
            lines += [line, *all_indented(self._below(row, listed))]
        if listed and self.missing:
            reasons = inverted(self.missing)
            lines += ["not here", *all_indented(f"{', '.join(names)}: {why}" for why, names in reasons.items())]
        return "\n".join(lines)

    def _below(self, row: ToolScores, listed: bool) -> Iterator[str]:
        """The lines below a row of the table; tools and notes of your own row only if all tools are listed."""
        if row is self.yours:
            yield brief(row.protocol)
            if row.tools and listed:
                yield f"same numbers: {', '.join(row.tools)}"
        else:
            yield row.how
            others = [tool for tool in row.tools if tool.lower() != row.name.lower()]
            if others:
                yield ", ".join(others)
        if listed or row is not self.yours:
            yield from (f"({note})" for note in row.notes)

    def _effects(self) -> str:
        """How much each choice changes, which ones have no effect and why, which are unknown."""
        lines = [f"What moves {self.metric} in these files"]
        width = max(len("no effect"), *(len(each.choice) for each in self.effects)) + 4
        for each in self.effects:
            changes = {word: change[self.metric] for word, change in each.words.items()}
            if not changes:
                continue
            ordered = sorted(changes, key=lambda word: -abs(changes[word]))
            if each.largest(self.metric) < NONE:
                moved = [metric for metric in self.metrics if each.largest(metric) >= NONE]
                effect = f"nothing of {self.metric}, but {', '.join(moved)}"
            else:
                effect = "   ".join(f"{word} {points(changes[word]).shown}" for word in ordered)
            lines += indented(effect, f"  {each.choice}".ljust(width))
        none = inverted({each.choice: each.why_none for each in self.effects if each.why_none})
        unknown = [each.choice for each in self.effects if not each.words and not each.why_none]
        if none:
            choices = "; ".join(f"{', '.join(choices)} ({why})" for why, choices in none.items())
            lines += indented(choices, "  no effect".ljust(width))
        if unknown:
            choices = f"{', '.join(unknown)} (sums do not tell; they are taken as of files without split antecedents)"
            lines += indented(choices, "  not known".ljust(width))
        return "\n".join(lines)

    def _why(self, why: Why) -> str:
        """Why a row has other numbers: metric by metric, the parts of the choices, and what to do."""
        row, main = why.row, self.metrics.index(self.metric)
        value = float(row.values[main, 2])
        lines = [f"Why {row.name} prints {100 * value:.2f} ({points(row.difference).shown})"]
        changes = {metric: float(row.values[n, 2] - self.yours.values[n, 2]) for n, metric in enumerate(self.metrics)}
        width = max(map(len, why.reasons), default=0)
        before = None
        for metric in sorted(why.reasons, key=lambda metric: -abs(changes[metric])):
            start = f"  {metric.ljust(width)}  {points(changes[metric]).shown:>6}  "
            reason = why.reasons[metric]
            lines += indented("likewise" if reason and reason == before else reason, start)
            before = reason
        if len(why.parts) > 1:
            each = {choice: part[self.metric] for choice, part in why.parts.items()}
            shares = ", ".join(f"{choice} {points(part).shown}" for choice, part in each.items())
            lines += indented(f"{shares}; together {points(row.difference).shown}", "  parts  ")
        advice = f"To compare with such numbers: scoref score KEY RESPONSE {options(row.protocol)}"
        if "singletons" in why.parts:
            advice += ". To avoid the question: --singletons drop on both sides"
        return "\n".join([*lines, *textwrap.wrap(f"{advice}.", WIDTH, break_on_hyphens=False)])

    def _fits(self, fits: Fits) -> str:
        """The settings that give the numbers, or the nearest; how many were tried, how likely a match is by chance."""
        if not fits.found:
            rows = [line for each in fits.nearest for line in self._fit(each)]
            return "\n".join([*textwrap.wrap(f"{self._none()} The nearest:", WIDTH), *rows, *self._looked_at(fits)])
        numbers = ", ".join(each.text for each in self.numbers)
        lines: list[str] = []
        for digits in ("rounded", "cut off"):
            some = [each for each in fits.found if each.digits == digits and not each.further]
            if some:
                first = [line for each in some[:_LISTED] for line in self._fit(each)]
                more = [f"  and {len(some) - _LISTED} more, see --json"] * (len(some) > _LISTED)
                lines += [f"{numbers} ({digits}) is printed by", *first, *more]
        further = sum(each.further for each in fits.found)
        if further:
            lines.append(f"and by {further} that make further changes, see --json")
        return "\n".join([*lines, *self._looked_at(fits)])

    def _none(self) -> str:
        """The sentence that no setting prints the numbers, and what to check."""
        numbers, facts = ", ".join(each.text for each in self.numbers), self.facts
        return (f"no setting that scoref knows prints {numbers}; check that the files are the same (key mentions: "
                f"{facts.mentions[0]}, response: {facts.mentions[1]}, documents: {facts.documents}).")  # fmt: skip

    def _printed(self, fit: Fit) -> Iterator[tuple[float, str]]:
        """The value that a setting gives for each of the numbers, and its name."""
        for number, metric in zip(self.numbers, fit.metrics, strict=True):
            column = number.column(fit.exchanged)
            name = metric if column == 2 else f"{metric}.{Score._fields[column]}"
            yield float(fit.values[self.metrics.index(metric), column]), name

    def _fit(self, fit: Fit) -> list[str]:
        values = [f"{name} {shown(value)}" for value, name in self._printed(fit)]
        off = f"  off by {100 * fit.distance:.4f}" if not fit.digits else ""
        changed = " ".join(f"{choice}:{word}" for choice, word in sorted(fit.changes))
        named = fit.name + (f" ({changed})" if changed else "") if fit.name else brief(fit.protocol)
        lines = [f"  {named}  {', '.join(values)}{off}"]
        lines += ["    recall and precision exchanged"] if fit.exchanged else []
        return lines + (indented(", ".join(fit.tools), "    ") if fit.tools else [])

    def _looked_at(self, fits: Fits) -> list[str]:
        """How many settings were tried, and, if one matched, how many nearby numbers match as well."""
        more = "" if fits.complete else ", those with the fewest changes; there are more"
        looked_at = f"{fits.looked_at} different results were looked at{more}"
        if not fits.found:
            return [looked_at]
        number, printed, named = fits.chance
        around = "combinations of numbers around these" if len(self.numbers) > 1 else "numbers around this one"
        share = (named if fits.found[0].name else printed) / number
        worth = next(worth for least, worth in _WORTH if share >= least)
        sentence = (f"chance: {printed:,} of the {number:,} {around} are printed too, {named:,} by a tool or preset: "
                    f"the first match {worth}")  # fmt: skip
        return [looked_at, *textwrap.wrap(sentence, WIDTH, subsequent_indent="  ")]
