"""Make one self-contained HTML page to look at."""

from __future__ import annotations

import argparse
import os

from ....page.build import report
from ....pairing.names import file_names
from ...evaluations import given_names, keywords, refuse_standard_input, refuse_unreadable, told_apart
from ...options import add_force, add_names, add_resampling, add_scoring
from ...parsing import EVERYDAY, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("responses", nargs="+", metavar="RESPONSE", help="the system's output, or several systems'")
    command.add_to(EVERYDAY, "-o", "--out", required=True, metavar="F", help="the page to write: report.html")
    add_scoring(command)
    add_resampling(command)
    add_names(command)
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write the page for one response or several."""
    paths = options.responses
    for path in paths:
        refuse_unreadable(options.key, path)
    if len(paths) > 1:
        refuse_standard_input(options.key, paths)
    names = given_names(paths, options.names) if options.names else told_apart(file_names(paths))
    systems = dict(zip(names, paths, strict=True))
    made = {"trials": options.trials, "seed": options.seed, "unit": options.unit}
    report(options.key, systems, options.out, **made, **keywords(options))
    return f"{options.out}: {os.path.getsize(options.out) / 1e6:.1f} MB, open it in a browser", 0
