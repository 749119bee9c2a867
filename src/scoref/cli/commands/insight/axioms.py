"""See which metric has which property, with the smallest counterexample of each failure."""

from __future__ import annotations

import argparse

from ....axioms.findings import MOST, axioms
from ....layout.render import rendered
from ...messages import progress, width
from ...options import add_metrics, positive, protocol
from ...parsing import EVERYDAY, OTHER, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    one = "the conventions of this protocol alone (default: those of all presets)"
    command.add_to(EVERYDAY, "--protocol", type=protocol, metavar="NAME", help=one)
    add_metrics(command, "the metrics of entities, or all (default)")
    some = "some of the properties (default: all)"
    command.add_to(EVERYDAY, "--properties", type=_names, metavar="A,B", help=some)
    again = f"search all cases of up to {MOST} mentions again, instead of showing what was found before (minutes)"
    command.add_to(OTHER, "--search", action="store_true", help=again)
    command.add_to(OTHER, "--jobs", type=positive, default=1, metavar="N", help="worker processes (default 1)")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The table of metrics and properties."""
    chosen = options.metrics, options.properties, options.protocol
    result = axioms(*chosen, search=options.search, jobs=options.jobs, progress=progress())
    return rendered(result, options.output, width()), 0


def _names(text: str) -> list[str]:
    return text.replace(",", " ").split()
