"""Add up saved evaluations."""

from __future__ import annotations

import argparse

from ....pairing.names import file_names
from ....protocol.choices import CHOICES
from ....results.merging import adapted, merge
from ....results.saved import load
from ...evaluations import reported
from ...options import add_force, add_metrics, add_report
from ...parsing import COUNTS, OUTPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("files", nargs="+", metavar="STATS", help="evaluations saved by score --save")
    add_metrics(command, "the metrics that were saved")
    command.add_to(COUNTS, "--average", choices=CHOICES["average"].words, help=CHOICES["average"].help)
    factors = "how much is lost by mentions and by links, of evaluations that were saved with score --factors --save"
    command.add_to(COUNTS, "--factors", action="store_true", help=factors)
    add_report(command)
    command.add_to(OUTPUT, "-o", "--out", metavar="F", help="write the sum to a file")
    add_force(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores of the sum."""
    names = file_names(options.files)
    merged = merge({name: load(path) for name, path in zip(names, options.files, strict=True)})
    found = adapted(merged, options.metrics, options.average)
    if not options.factors:
        return reported(found, options, options.out)
    from ....explanation.shares import shares

    return reported(found, options, options.out, {"detection": shares(found)})
