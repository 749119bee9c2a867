"""What there is, as tables: metrics, formats, protocols, matchers."""

from __future__ import annotations

from collections.abc import Callable

from .. import formats
from ..layout.grid import Cell, Grid
from ..matching.match import MATCHERS
from ..protocol.choices import CHOICES
from ..protocol.protocol import PROTOCOLS
from ..protocol.tools import tools_of
from ..relations.registry import METRICS


def _metrics() -> Grid:
    rows: list[tuple[Cell, ...]] = [(each.name, each.title, each.citation) for each in METRICS.values()]
    return Grid("", ("metric", "what it is", "source"), rows)


def _formats() -> Grid:
    rows = [
        (each.name, each.title, each.protocol, "read, write" if each.writing else "read")
        for each in formats.FORMATS.values()
    ]
    return Grid("", ("format", "what it is", "protocol", "can"), list(rows))


def _protocols() -> Grid:
    usual = PROTOCOLS["conll-2012"]
    rows: list[tuple[Cell, ...]] = []
    for name, each in PROTOCOLS.items():
        pairs = [(choice, getattr(each, choice)) for choice in CHOICES]
        others = [f"{choice}:{word}" for choice, word in pairs if word != getattr(usual, choice)]
        rows.append((name, ", ".join(tools_of(name)), " ".join(others), " ".join(each.metrics)))
    return Grid("", ("protocol", "tools", f"unlike {usual.name}", "metrics"), rows)


def _matchers() -> Grid:
    return Grid(
        "", ("matcher", "which mentions count as the same"), [(each.name, each.title) for each in MATCHERS.values()]
    )


LISTS: dict[str, Callable[[], Grid]] = {
    "metrics": _metrics,
    "formats": _formats,
    "protocols": _protocols,
    "matchers": _matchers,
}
