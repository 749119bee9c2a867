"""Add up saved evaluations."""

from __future__ import annotations

import argparse

from ...scoring.choices import CHOICES
from ...statistics import saved
from ..inputs import file_names, metrics
from ..options import HELP, add_output, add_report
from ..reporting import reported


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("files", nargs="+", metavar="STATS", help="evaluations saved by score --save")
    command.add_argument("-o", "--out", metavar="F", help="write the sum to a file")
    command.add_argument("--metrics", metavar="A,B", help="some of the metrics that were saved")
    command.add_argument("--average", choices=CHOICES["average"], help=HELP["average"])
    add_report(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores of the sum."""
    names = file_names(options.files)
    merged = saved.merge({name: saved.load(path) for name, path in zip(names, options.files, strict=True)})
    return reported(saved.adapted(merged, metrics(options), options.average), options, options.out)
