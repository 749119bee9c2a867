"""Make a Codabench competition from a key: one zip file to upload."""

from __future__ import annotations

import argparse

from ....bundle.competition import IMAGE, Competition, bundle
from ....storing import store
from ...evaluations import keywords
from ...options import add_force, add_key, add_scoring, add_task, limits
from ...parsing import EVERYDAY, INPUT, OUTPUT, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    command.add_to(EVERYDAY, "-o", "--out", required=True, metavar="F", help="the file to write: bundle.zip")
    command.add_to(EVERYDAY, "--title", metavar="TEXT", default="", help="the name of the competition")
    first = "when submissions are taken, YYYY-MM-DD HH:MM:SS in UTC (default: from today, without end)"
    command.add_to(EVERYDAY, "--start", metavar="DATE", help=first)
    command.add_to(EVERYDAY, "--end", metavar="DATE", help=argparse.SUPPRESS)
    shown = "show teams the report of their submission, WITH THE ANNOTATION OF THE KEY (default: scores alone)"
    command.add_to(EVERYDAY, "--reports", action="store_true", help=shown)
    add_scoring(command, policy=False)
    add_task(command)
    blind = "what teams get to annotate (default: the key without its annotation)"
    command.add_to(INPUT, "--blind", metavar="PATH", help=blind)
    baseline = "a submission for the starting kit (default: words with a capital that are repeated)"
    command.add_to(INPUT, "--baseline", metavar="PATH", help=baseline)
    image = f"the image that scores, with Python 3.11 or newer (default {IMAGE})"
    command.add_to(OUTPUT, "--image", metavar="NAME", default=IMAGE, help=image)
    wheels = "wheels of numpy and lapx for that image, to score without network if it lacks them"
    command.add_to(OUTPUT, "--wheels", metavar="DIR", help=wheels)
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write the zip file."""
    wanted = Competition(**{name: getattr(options, name) for name in Competition._fields})
    asked = {name: value for name, value in keywords(options).items() if name != "progress"}
    store({options.out: bundle(options.key, wanted, asked, options.missing, limits(options))})
    return f"{options.out}: upload it at Codabench (Management, Upload)", 0
