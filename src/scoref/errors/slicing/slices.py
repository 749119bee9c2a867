"""Slices as results, in tables and in words: where a response loses more than elsewhere, where one gains on another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...layout.grid import Cell, Grid, Number, digits
from ...layout.plots import Figure
from ...layout.render import Json, frame, html, text
from ...results.scores import Interval
from ..mistakes import MentionPlace
from .search import LEAST, SHARE

VALUES = ("recall", "precision")

_TELLING = ("nested", "quoted")  # fields whose kinds say what they are
_EXAMPLES = 5


@dataclass(frozen=True)
class Slice:
    """Mentions of one or two kinds that lose more than the others of their documents.

    `kinds` are pairs of a field and a kind of it. `mentions` and `documents` count what the slices before it leave.
    `loss` is what such a mention loses on the mean, `excess` how much more than others of the same documents, `points`
    how many points all of them cost so, both with 95 % intervals. Of two systems it is the difference of what they
    lose. `p` is that of the search up to here. `places` are its mentions, those that lose most first.
    """

    kinds: tuple[tuple[str, str], ...]
    mentions: int
    documents: int
    loss: float
    excess: float
    excess_ci: Interval
    points: float
    points_ci: Interval
    p: float
    places: Sequence[MentionPlace]

    @property
    def name(self) -> str:
        """Its kinds in words, with commas between them."""
        return ", ".join(kind if field in _TELLING else f"{field}: {kind}" for field, kind in self.kinds)

    def sentence(self, gains: bool = False) -> str:
        """What is known of it, in words; of two systems it is what the better one `gains`."""
        low, high = self.excess_ci
        least, most = self.points_ci
        worse = (self.loss < 0) == gains
        what = f"{'lose' if worse else 'gain'} {abs(self.loss):.2f} each"
        more = "less" if worse and gains else "more"
        return (
            f"{self.name}: {self.mentions} mentions in {self.documents} documents {what}, "
            f"{self.excess:.2f} {more} than the others of their documents (95 % interval {low:.2f} to {high:.2f}); "
            f"together {self.points:.2f} points ({least:.2f} to {most:.2f})"
        )

    def to_dict(self) -> Json:
        """The slice for JSON, with examples instead of all places."""
        shown = [{"side": each.side, "document": each.document.id, "line": each.line, "text": each.text}
                 for each in self.places[:_EXAMPLES]]  # fmt: skip
        return {
            "kinds": [list(each) for each in self.kinds], "mentions": self.mentions, "documents": self.documents,
            "loss": self.loss, "excess": self.excess, "excess_ci": list(self.excess_ci), "points": self.points,
            "points_ci": list(self.points_ci), "p": self.p, "examples": shown,
        }  # fmt: skip


@dataclass(frozen=True)
class SliceSearch:
    """What was found for recall or precision.

    `better` is None for one response; of two it says whether these are slices where the second gains on the first, or
    loses to it. `documents` have something that may be lost, `candidates` slices took part. `finds` has for shares of
    the mentions the excess that a slice of that size would need to be found in 80 of 100 cases.
    """

    value: str
    better: bool | None
    slices: tuple[Slice, ...]
    mentions: int
    documents: int
    candidates: int
    finds: Mapping[float, float]

    def to_dict(self) -> Json:
        """The search for JSON."""
        which = {} if self.better is None else {"better": self.better}
        finds = [{"share": share, "excess": excess} for share, excess in self.finds.items()]
        return {"value": self.value, **which, "mentions": self.mentions, "documents": self.documents,
                "candidates": self.candidates, "finds": finds,
                "slices": [{"sentence": self.sentence(each), **each.to_dict()} for each in self.slices]}  # fmt: skip

    def sentence(self, slice: Slice) -> str:
        """What is known of a slice, in words."""
        return slice.sentence(gains=self.better is not None)


@dataclass(frozen=True)
class Slices:
    """Slices of a response, or of two: for recall and precision apart.

    `systems` are the names of the two that are compared, if there are two. `instead` says why it is not of B³, where no
    metric was asked for. It prints as tables.

    >>> from scoref import score, slices
    >>> print(slices(score([["a", "b"]], [["a"], ["b"]])))
    recall (b3): 1 document, but slices need 10
    precision (b3): 1 document, but slices need 10
    each mention is compared with the others of its document; p from signs of entities (1,000 draws, seed 12345)
    """

    metric: str
    searches: tuple[SliceSearch, ...]
    trials: int
    seed: int
    systems: tuple[str, str] | None = None
    instead: str = ""

    __str__ = text
    _repr_html_ = html

    def __iter__(self) -> Iterator[Slice]:
        """All slices."""
        return (each for one in self.searches for each in one.slices)

    def of(self, value: str, better: bool | None = None) -> SliceSearch:
        """The search for recall or precision; of two systems where the second is better, or worse."""
        return next(each for each in self.searches if (each.value, each.better) == (value, better))

    def to_dict(self) -> Json:
        """The slices for JSON."""
        systems = {"systems": list(self.systems)} if self.systems else {}
        return {"metric": self.metric, **systems, "trials": self.trials, "seed": self.seed,
                "searches": [each.to_dict() for each in self.searches]}  # fmt: skip

    def grids(self) -> list[Grid]:
        """A table for each search that found something."""
        return [Grid(self._title(each), *_table(each, self.systems)) for each in self.searches if each.slices]

    def notes(self) -> list[str]:
        """What each search could have found, and how it was done."""
        how = "each mention is compared with the others of its document; p from signs of entities "
        lines = [f"{self._title(each)}: {_said(each)}" for each in self.searches]
        behind = any(each.loss < 0 for each in self)
        lines += [self.instead] * bool(self.instead)
        lines += ["a gain below 0: the system is behind there too, but less than elsewhere"] * behind
        return [*lines, f"{how}({self.trials:,} draws, seed {self.seed})"]

    def whole_grid(self) -> Grid:
        """A row for each slice, for programs."""
        header = ("value", "better", "slice", "mentions", "documents", "loss", "excess", "excess low", "excess high",
                  "points", "points low", "points high", "p")  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for one in self.searches:
            better = "" if one.better is None or not self.systems else self.systems[one.better]
            rows += [(one.value, better, each.name, each.mentions, each.documents, _plain(each.loss),
                      *map(_plain, (each.excess, *each.excess_ci, each.points, *each.points_ci, each.p)))
                     for each in one.slices]  # fmt: skip
        return Grid("", header, rows)

    def columns(self) -> dict[str, Sequence[Cell]]:
        """Nothing beside tests."""
        return {}

    def figures(self) -> dict[str, Figure]:
        """No pictures."""
        return {}

    def to_frame(self) -> Any:
        """The slices as a frame of pandas."""
        return frame(self.whole_grid())

    def _title(self, one: SliceSearch) -> str:
        if one.better is None or not self.systems:
            return f"{one.value} ({self.metric})"
        better, worse = self.systems[one.better], self.systems[not one.better]
        return f"{one.value} ({self.metric}), {better} against {worse}"


def _plain(number: float) -> Number:
    return Number(number, f"{number:.2f}")


def _table(one: SliceSearch, systems: tuple[str, str] | None) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    """Column names and rows for people."""
    lost = "loss each" if systems is None else "gain each"
    header = ("slice", "mentions", lost, "more than others", "low", "high", "points", "low", "high", "p")
    rows: list[tuple[Cell, ...]] = [
        (each.name, each.mentions, *map(_plain, (each.loss, each.excess, *each.excess_ci, each.points,
         *each.points_ci)), Number(each.p, digits(each.p)))
        for each in one.slices
    ]  # fmt: skip
    return header, rows


def _said(one: SliceSearch) -> str:
    """What was found, and what so many documents can show."""
    if one.documents < LEAST:
        return f"{one.documents} document{'s' * (one.documents != 1)}, but slices need {LEAST}"
    if not one.candidates:
        return f"no slice with {SHARE:.0%} of the loss has others beside it in {LEAST} documents"
    found = "nothing stands out beyond chance; " if not one.slices else ""
    needed = [(share, excess) for share, excess in one.finds.items() if excess < 1]
    if not needed:
        return f"{found}{one.documents} documents can show nothing of slices of up to a fifth of the mentions"
    known = ", ".join(f"{excess:.2f} ({100 * share:.0f} % of the mentions)" for share, excess in needed)
    how = "lose" if one.better is None else "gain"
    return f"{found}with {one.documents} documents, 80 of 100 slices are found that {how} more than others by {known}"
