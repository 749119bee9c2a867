"""Show what a command does, and its options."""

from __future__ import annotations

import argparse

from ... import program
from ...parsing import CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("of", nargs="?", metavar="COMMAND", help="a command; without it, what there is")


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The help."""
    return (program.parser(options.of).format_help().rstrip("\n") if options.of else program.overview()), 0
