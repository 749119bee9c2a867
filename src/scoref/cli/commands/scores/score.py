"""Score a response against a key."""

from __future__ import annotations

import argparse

from ...evaluations import reported, scored
from ...options import add_key, add_report, add_scoring
from ...parsing import OUTPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    output = "the system's output, likewise; may be left out if KEY holds both"
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=output)
    add_scoring(command)
    add_report(command)
    command.add_to(OUTPUT, "--save", metavar="F", help="write the sums to a file, for merge and compare")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores, as they were asked for."""
    return reported(scored(options, options.response), options, options.save)
