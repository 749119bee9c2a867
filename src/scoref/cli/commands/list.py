"""List metrics, formats, protocols or matchers."""

from __future__ import annotations

import argparse
import json

from ...output.lists import LISTS
from ...output.sheet import sheet
from ..messages import width
from ..options import add_output


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("what", choices=list(LISTS))
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What there is, as a table."""
    grid = LISTS[options.what]()
    if options.output == "json":
        return json.dumps([dict(zip(grid.header, row, strict=True)) for row in grid.rows], ensure_ascii=False), 0
    return sheet([grid._replace(prose=True)], [], options.output, width()), 0
