"""The metrics, formats, protocols and matchers of scoref, as tables."""

from __future__ import annotations

from collections.abc import Callable

from ..layout.grid import Cell, Grid
from ..run.registries import USUAL, list_formats, list_matchers, list_metrics, list_protocols


def _formats() -> Grid:
    rows = [(*each[:3], "read, write" if each.can_write else "read") for each in list_formats()]
    return Grid("", ("format", "what it is", "protocol", "can"), [*rows])


def _protocols() -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (each.name, ", ".join(each.tools), " ".join(each.changes), " ".join(each.metrics)) for each in list_protocols()
    ]
    return Grid("", ("protocol", "tools", f"unlike {USUAL}", "metrics"), rows)


LISTS: dict[str, Callable[[], Grid]] = {
    "metrics": lambda: Grid("", ("metric", "what it is", "source"), [*list_metrics()]),
    "formats": _formats,
    "protocols": _protocols,
    "matchers": lambda: Grid("", ("matcher", "which mentions count as the same"), [*list_matchers()]),
}
