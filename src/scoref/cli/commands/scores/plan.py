"""Plan a comparison: which differences can be found, with how many documents."""

from __future__ import annotations

import argparse

from ....layout.render import rendered
from ....results import saved
from ....statistics.planning import plan
from ...evaluations import keywords, refuse_standard_input, resampling, runs_given, shown
from ...messages import Misuse, width
from ...options import add_key, add_resampling, add_scoring, number
from ...parsing import STATISTICS, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    output = "its response, an evaluation saved by score --save, or several runs: NAME=FILE,FILE,..."
    command.add_argument("response", nargs="?", metavar="SYSTEM", help=output)
    add_scoring(command)
    difference = "count documents for a difference of this many points of f1 (default 1)"
    command.add_to(STATISTICS, "--difference", type=number, default=1.0, metavar="POINTS", help=difference)
    add_resampling(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What a comparison of the system with another one could find."""
    key, system = options.key, options.response
    if system is None:  # a saved evaluation needs no key
        key, system = None, options.key
    ((_, runs),) = runs_given([system])
    refuse_standard_input(key, runs)
    if key is None and not all(map(saved.is_saved, runs)):
        raise Misuse("no SYSTEM given", "expected: scoref plan KEY SYSTEM [options]")
    result = plan(key, runs, difference=options.difference, **resampling(options), **keywords(options))
    return shown(rendered(result, options.output, width()), result.notes(), result.runs[0].signature_full, options)
