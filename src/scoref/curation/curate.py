"""The function `curate`: from what annotators marked, and what a curator decided, to one key."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from ..document.document import Document
from ..layout import grid, render
from ..problems import Error, Problem, by_kind
from ..protocol.keywords import Keywords
from ..results.scores import number_of
from ..run.request import Side
from ..statistics.agreement import documents_of
from .decisions import Decision, read_decisions, written
from .merging import AGREED, DECIDED, MAJORITY, OPEN, Merged, Place, merged

_STATUSES = (AGREED, MAJORITY, DECIDED, OPEN)


@dataclass(frozen=True, eq=False)
class Curation:
    """A key from several annotators: its documents, and all places with what was agreed, decided, or is open.

    >>> import scoref
    >>> made = curate({"Ann": [["a", "b", "c"]], "Ben": [["a", "b"], ["c"]], "Cem": [["a", "b", "c"]]})
    >>> [[mention.id for mention in made.documents[0].mentions if mention.entity == 1], made.number(OPEN)]
    [['a', 'b', 'c'], 0]
    """

    annotators: tuple[str, ...]
    merged: tuple[Merged, ...]
    problems: tuple[Problem, ...] = ()

    __str__ = render.text
    _repr_html_ = render.html

    @property
    def documents(self) -> list[Document]:
        """The documents of the key."""
        return [each.document for each in self.merged]

    @property
    def places(self) -> list[Place]:
        """All places, document by document: first mentions, then entities."""
        return [place for each in self.merged for place in each.places]

    def number(self, status: str) -> int:
        """How many places are agreed, majority, decided or open."""
        return sum(place.status == status for place in self.places)

    def grids(self) -> list[grid.Grid]:
        """The numbers of places, and every place that not all annotators have alike."""
        numbers = Counter((place.what, place.status) for place in self.places)
        rows = [(what, *(numbers[what, status] for status in _STATUSES)) for what in ("mention", "entity")]
        return [
            grid.Grid("places", ("what", *_STATUSES), rows),
            _listed("places on which not all agree", [each for each in self.places if each.status != AGREED]),
        ]

    def whole_grid(self) -> grid.Grid:
        """Every place, for programs."""
        return _listed("", self.places)

    def to_dict(self) -> render.Json:
        """The annotators, the numbers of places, and every place."""
        header, rows = self.whole_grid().header, self.whole_grid().rows
        return {
            "annotators": list(self.annotators),
            "places": [dict(zip(header, row, strict=True)) for row in rows],
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def notes(self) -> list[str]:
        """The lines below the tables."""
        waiting = self.number(OPEN)
        lines = [f"{len(self.annotators)} annotators, {number_of(len(self.merged), 'document')}"]
        if waiting:
            lines.append(f"{number_of(waiting, 'open place')}: open mentions are left out, open groups stay apart")
            lines.append("decide them on the page of scoref agreement -o page.html, and give its file with --decisions")
        return [*lines, *by_kind(self.problems)]


def _listed(title: str, places: Sequence[Place]) -> grid.Grid:
    header = ("document", "place", "words", "what", "status", "taken", "annotators have")
    return grid.Grid(title, header, [_row(place) for place in places])


def _row(place: Place) -> tuple[grid.Cell, ...]:
    options = [f"{_said(place, number)} ({', '.join(option.annotators) or 'nobody'})"
               for number, option in enumerate(place.options)]  # fmt: skip
    words = place.document.text_of(place.mention)
    have = "; ".join(options) if place.status != AGREED else "all"
    return (
        place.document.id,
        written(place.mention),
        words,
        place.what,
        place.status,
        _said(place, place.chosen),
        have,
    )


def _said(place: Place, number: int) -> str:
    option = place.options[number]
    if option.decision.keep is not None and option.other is None:
        return "marked" if option.decision.keep else "not marked"
    if option.other is None:
        return "alone" if len(place.options) == 1 else "apart"
    return f"with {place.document.text_of(option.other)} [{written(option.other)}]"


def curate(
    annotators: Mapping[str, Side] | Sequence[Side],
    decisions: str | os.PathLike[str] | Mapping[tuple[str, str], Decision] | None = None,
    **keywords: Unpack[Keywords],
) -> Curation:
    """One key from what annotators marked; each is a path, documents, or plain clusters, best in a mapping by names.

    `decisions` is a file that the page of `scoref agreement` wrote. Further keywords are those of `score` that say how
    files are read and paired.
    """
    named, problems = documents_of(annotators, keywords)
    known = decisions if isinstance(decisions, Mapping) else read_decisions(decisions) if decisions is not None else {}
    path = None if decisions is None or isinstance(decisions, Mapping) else os.fspath(decisions)
    _refuse_unknown(known, named, path)
    return curated(named, known, problems)


def curated(
    named: Mapping[str, Sequence[Document]],
    decisions: Mapping[tuple[str, str], Decision],
    problems: tuple[Problem, ...] = (),
) -> Curation:
    """The key from documents of annotators, by name, that were paired and have the same words."""
    by_document: dict[str, dict[str, Decision]] = {}
    for (name, mention), decision in decisions.items():
        by_document.setdefault(name, {})[mention] = decision
    every = zip(*named.values(), strict=True)
    found = [merged(dict(zip(named, some, strict=True)), by_document.get(some[0].id, {})) for some in every]
    return Curation(tuple(named), tuple(found), problems)


def _refuse_unknown(
    decisions: Mapping[tuple[str, str], Decision], named: Mapping[str, Sequence[Document]], path: str | None
) -> None:
    """Every decision must be about a mention that somebody marked, and put it with one."""
    if not decisions:
        return
    there: dict[str, set[str]] = {}
    for documents in named.values():
        for document in documents:
            there.setdefault(document.id, set()).update(map(written, document.mentions))
    for (name, mention), decision in decisions.items():
        missing = [each for each in (mention, decision.other) if each is not None and each not in there.get(name, ())]
        if name not in there or missing:
            said = f"mention {missing[0]} of document {name}" if name in there else f"document {name}"
            raise Error("unknown-decision", f"a decision is about {said}, which no annotator has", path=path,
                        expected="decisions about these files", remedy="write them again on the page")  # fmt: skip
        if decision.other == mention:
            raise Error("bad-decisions", f"mention {mention} of document {name} is put with itself", path=path)
