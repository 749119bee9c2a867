"""Show what a command does, and its options."""

from __future__ import annotations

import argparse

from ... import program
from ...parsing import CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("of", nargs="?", metavar="COMMAND", help="a command; without it, what there is")
    topic = "options of one kind: input, what counts, statistics, output, other; or all"
    command.add_argument("topic", nargs="*", metavar="TOPIC", help=topic)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The help."""
    if not options.of:
        return program.overview(), 0
    return program.parser(options.of).format_help(" ".join(options.topic)).rstrip("\n"), 0
