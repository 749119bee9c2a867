"""Tangles as a table and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors.analysis import Analysis
from ..errors.mistakes import Entity
from ..errors.tangles import Tangle
from ..layout.grid import Cell, Grid, signed
from ..problems import Error

_SHOWN = 25
_NAMED = 4  # entities of a tangle that are named


def tangle_grid(analysis: Analysis) -> Grid:
    """The tangles that cost most: who shares mentions with whom, what is missing and extra, what a repair gains."""
    if not analysis.of_coreference:
        raise Error("no-coreference", "tangles are groups of entities",
                    remedy="choose --layer identity or deixis, or metrics of coreference")  # fmt: skip
    tangles, metric = analysis.tangles, analysis.metric
    known = metric in tangles.metrics
    rows: list[tuple[Cell, ...]] = []
    for place in range(min(_SHOWN, len(tangles))):
        tangle = tangles[place]
        cost = (signed(tangle.cost[metric]),) if metric and known else ()
        shared = sum(each.mentions for each in tangle.ribbons)
        rows.append((place + 1, tangle.document, *cost, named(tangle.keys), named(tangle.responses), shared,
                     sum(tangle.missing), sum(tangle.extra)))  # fmt: skip
    gained = (f"{metric}",) if known else ()
    what = f", the costliest first: points of {metric} when the tangle is repaired" if known else ""
    header = ("tangle", "document", *gained, "key entities", "response entities", "shared", "missing", "extra")
    return Grid(f"{len(rows)} of {len(tangles)} tangles{what}", header, rows)


def named(entities: Sequence[Entity]) -> str:
    """Some entities with the numbers of their mentions, those that have most first."""
    order = sorted(entities, key=lambda entity: -entity.size)
    shown = ", ".join(f"{each.name} ({each.size})" for each in order[:_NAMED])
    more = len(order) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown or "none"


def tangle_dict(tangle: Tangle, names: Sequence[str]) -> dict[str, Any]:
    """A tangle for JSON; ribbons are the place of the key entity, that of the response entity, and shared mentions."""
    return {
        "document": tangle.document,
        "documents": [names[number] for number in tangle.documents],
        "cost": tangle.cost,
        "key": [entity_dict(each) | {"missing": lost} for each, lost in zip(tangle.keys, tangle.missing, strict=True)],
        "response": [
            entity_dict(each) | {"extra": more} for each, more in zip(tangle.responses, tangle.extra, strict=True)
        ],
        "ribbons": [list(each) for each in tangle.ribbons],
    }


def entity_dict(entity: Entity) -> dict[str, Any]:
    """An entity for JSON: its name in the file, its label, the words that name it, its size."""
    return {"entity": str(entity.place.entity), "label": entity.label, "text": entity.place.text, "size": entity.size}
