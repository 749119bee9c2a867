"""Event nuggets as TBF files: `0-4+9-11 attack actual =1; ...` has a nugget for each part.

A nugget is its pieces (characters, the end exclusive), its type, its realis, and perhaps the event that it is a mention
of. Links are pairs of the numbers of nuggets: `after: 1>2`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from ..cases import Case


class Nugget(NamedTuple):
    """A nugget: its pieces, type and realis, and its event, '' for one of its own."""

    pieces: tuple[tuple[int, int], ...]
    type: str
    realis: str
    event: str


def nuggets(text: str) -> list[Nugget]:
    """Nuggets as they are written.

    >>> nuggets("0-4+9-11 attack actual =1; 5-7 die other")[1]
    Nugget(pieces=((5, 7),), type='die', realis='other', event='')
    """
    found = []
    for each in filter(None, (part.strip() for part in text.split(";"))):
        span, type, realis, *event = each.split()
        pieces = [piece.split("-") for piece in span.split("+")]
        places = tuple((int(first), int(last)) for first, last in pieces)
        found.append(Nugget(places, type, realis, event[0].removeprefix("=") if event else ""))
    return found


def lines(case: Case, which: str, document: int, name: str) -> list[str]:
    """A document; none where it is missing."""
    side = case.row[which]
    text = side if isinstance(side, str) else side[document]
    if text is None:
        return []
    found, events = [f"#BeginOfDocument {name}"], defaultdict(list)
    for number, nugget in enumerate(nuggets(text), 1):
        pieces = ";".join(f"{first},{last}" for first, last in nugget.pieces)
        found.append("\t".join(["run", name, f"E{number}", pieces, "word", nugget.type, nugget.realis]))
        if nugget.event:
            events[nugget.event].append(f"E{number}")
    found += [f"@Coreference\tC{number}\t{','.join(each)}" for number, each in enumerate(events.values(), 1)]
    for kind in ("after", "subevent"):
        links = case.get(kind, {}).get(which, "")
        pairs = [link.split(">") for link in (links if isinstance(links, str) else links[document]).split()]
        found += [f"@{kind.title()}\tR{n}\tE{one},E{other}" for n, (one, other) in enumerate(pairs, 1)]
    return [*found, "#EndOfDocument"]


def written(case: Case, which: str) -> str:
    """A side of a case as one file."""
    return together([case], which)


def together(every: list[Case], which: str) -> str:
    """Sides of cases as one file; their documents are numbered through, from d001."""
    found, number = [], 0
    for case in every:
        documents = 1 if isinstance(case.row["key"], str) else len(case.row["key"])
        for document in range(documents):
            number += 1
            found += lines(case, which, document, f"d{number:04}")
    return "".join(line + "\n" for line in found)
