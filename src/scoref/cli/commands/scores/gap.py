"""Score pronouns of the GAP challenge, by gender."""

from __future__ import annotations

import argparse

from .... import formats
from ....layout.render import rendered
from ....statistics.bias import gap
from ...messages import warn_beside_csv, width
from ...parsing import INPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the examples: gap-test.tsv, say")
    command.add_argument("response", metavar="RESPONSE",
                         help="answers (ID, A-coref, B-coref), or entities in the texts, in any format")  # fmt: skip
    group = command.groups[INPUT]
    group.add_argument("--format", choices=list(formats.FORMATS), help="of entities; default: found from the content")
    group.add_argument("--on-problem", choices=("raise", "skip"), default="raise",
                       help="malformed lines: stop, or leave them out and report them")  # fmt: skip
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The figures, as they were asked for."""
    result = gap(options.key, options.response, format=options.format, on_problem=options.on_problem)
    warn_beside_csv(options.output, result.notes())
    return rendered(result, options.output, width()), 0
