"""List metrics, formats, protocols or matchers."""

from __future__ import annotations

import argparse
import json

from ....layout.grid import Grid
from ....output.registries import LISTS
from ....output.writing import sheet
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
        return json.dumps([dict(zip(grid.header, row, strict=True)) for row in grid.rows], ensure_ascii=False), 0
    return sheet([grid._replace(prose=True)], [], options.output, width()), 0


def _all(output: str) -> str:
    """The names of everything there is."""
    names = {what: [str(row[0]) for row in make().rows] for what, make in LISTS.items()}
    if output == "json":
        return json.dumps(names)
    grid = Grid("", ("list", "names"), [(what, ", ".join(each)) for what, each in names.items()], prose=True)
    return sheet([grid], ["what they are: scoref list metrics"], output, width())
