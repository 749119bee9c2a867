"""Make one self-contained HTML page to look at."""

from __future__ import annotations

import argparse
import os

from ....page.build import report
from ...evaluations import keywords, named_systems, refuse_standard_input, refuse_unreadable, resampling
from ...options import add_force, add_key, add_names, add_resampling, add_scoring
from ...parsing import EVERYDAY, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
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
    systems = named_systems(paths, options.names)
    report(options.key, systems, options.out, **resampling(options), **keywords(options))
    return f"{options.out}: {os.path.getsize(options.out) / 1e6:.1f} MB, open it in a browser", 0
