"""Rank a folder of submissions: scores, intervals, letters; those that are rejected, with reasons."""

from __future__ import annotations

import argparse
import os

from ....board.publishing import published
from ....board.run import board
from ....board.submissions import refuse_inside
from ....layout.render import OUTPUTS, rendered
from ....statistics.samples import Testing
from ...evaluations import keywords, resampling
from ...messages import warn_beside_csv, width
from ...options import add_force, add_key, add_resampling, add_scoring, add_task, limits
from ...parsing import EVERYDAY, OUTPUT, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    each = "a folder with a file, a folder, a zip file or a saved evaluation for each submission"
    command.add_argument("submissions", metavar="SUBMISSIONS", help=each)
    command.add_to(EVERYDAY, "-o", "--out", required=True, metavar="F", help="the page to write: board.html")
    command.add_to(EVERYDAY, "--json", dest="json_file", metavar="F", help="write the board as JSON, too")
    behind = "a folder for the report of each submission, and for the reasons of rejected ones"
    command.add_to(EVERYDAY, "--reports", metavar="DIR", help=behind)
    command.add_to(EVERYDAY, "--since", metavar="F", help="the JSON of the last board: what has changed since")
    command.add_to(OUTPUT, "--title", metavar="TEXT", default="", help="the heading of the page")
    add_scoring(command, policy=False)
    add_task(command)
    add_resampling(command)
    add_force(command)
    command.add_to(EVERYDAY, "--output", choices=OUTPUTS, default="text", help="what is printed (default: text)")
    command.add_to(OUTPUT, "--ascii", action="store_true", help="JSON: escapes for all that is not ASCII")


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write the page and what else is asked for, all of it or nothing; print the board."""
    testing = Testing(**resampling(options))
    refuse_inside((options.out, options.json_file, options.reports), (options.submissions, options.key))
    found = board(
        options.key, options.submissions, missing=options.missing, since=options.since, limits=limits(options),
        reports=options.reports is not None, testing=testing, **keywords(options),
    )  # fmt: skip
    published(found, options.out, options.json_file, options.reports and os.fspath(options.reports), options.title)
    warn_beside_csv(options.output, found.notes())
    return rendered(found, options.output, width()), 0
