"""See which metrics a noisy mention tagger can trick."""

from __future__ import annotations

import argparse

from ...output.scores import render_result
from ...statistics.stability import REPETITIONS, stability
from ...statistics.systems import SEED
from ..inputs import keywords
from ..messages import width
from ..options import PLOT, add_output, add_scoring, natural, positive


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    add_scoring(command)
    command.add_argument("--repetitions", type=positive, default=REPETITIONS, metavar="N",
                         help=f"how often mentions are drawn at random (default {REPETITIONS})")  # fmt: skip
    command.add_argument("--seed", type=natural, default=SEED, metavar="N", help=f"of random numbers (default {SEED})")
    command.add_argument("--plot", metavar="FILE", help=PLOT)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Scores as spurious mentions are taken out."""
    how = keywords(options) | {"settings": ()}
    result = stability(options.key, options.response, repetitions=options.repetitions, seed=options.seed, **how)
    if options.plot:
        result.plot(options.plot)
    return render_result(result, options.output, width()), 0
