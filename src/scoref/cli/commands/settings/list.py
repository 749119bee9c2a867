"""List metrics, formats, protocols or matchers."""

from __future__ import annotations

import argparse

from ....layout.grid import Grid
from ....layout.render import json_text, written
from ....output.registries import LISTS
from ...messages import width
from ...parsing import CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("what", nargs="?", choices=list(LISTS), help="what to list; without it, all names")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What there is, as a table."""
    if options.what is None:
        return _all(options.output), 0
    grid = LISTS[options.what]()
    if options.output == "json":
        return json_text([dict(zip(grid.header, row, strict=True)) for row in grid.rows]), 0
    return written([grid._replace(prose=True)], [], options.output, width()), 0


def _all(output: str) -> str:
    """The names of everything there is."""
    names = {what: [str(row[0]) for row in make().rows] for what, make in LISTS.items()}
    if output == "json":
        return json_text(names)
    grid = Grid("", ("list", "names"), [(what, ", ".join(each)) for what, each in names.items()], prose=True)
    return written([grid], ["what they are: scoref list metrics"], output, width())
