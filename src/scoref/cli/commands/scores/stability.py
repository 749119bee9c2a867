"""See which metrics a noisy mention tagger can trick."""

from __future__ import annotations

import argparse

from ....layout.render import rendered
from ....statistics.stability import REPETITIONS, stability
from ...evaluations import keywords
from ...messages import width
from ...options import add_key, add_plot, add_scoring, add_seed, positive
from ...parsing import STATISTICS, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    add_scoring(command)
    often = f"how often mentions are drawn at random (default {REPETITIONS})"
    command.add_to(STATISTICS, "--repetitions", type=positive, default=REPETITIONS, metavar="N", help=often)
    add_seed(command)
    add_plot(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores of the response as more and more of its spurious mentions are removed."""
    how = keywords(options) | {"settings": ()}
    result = stability(options.key, options.response, repetitions=options.repetitions, seed=options.seed, **how)
    if options.plot:
        result.plot(options.plot)
    return rendered(result, options.output, width()), 0
