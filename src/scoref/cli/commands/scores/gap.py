"""Score pronouns of the GAP challenge, by gender."""

from __future__ import annotations

import argparse

from .... import formats
from ....layout.render import rendered
from ....statistics.bias import gap
from ...messages import warn_beside_csv, width
from ...options import add_policy
from ...parsing import INPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the examples: gap-test.tsv, say")
    answers = "answers (ID, A-coref, B-coref), or entities in the texts, in any format"
    command.add_argument("response", metavar="RESPONSE", help=answers)
    found = "of entities; default: found from the content"
    command.add_to(INPUT, "--format", choices=list(formats.FORMATS), help=found)
    add_policy(command, "malformed lines: stop, or leave them out and report them")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The figures, as they were asked for."""
    result = gap(options.key, options.response, format=options.format, on_problem=options.on_problem)
    warn_beside_csv(options.output, result.notes())
    return rendered(result, options.output, width()), 0
