"""Score a response against a key."""

from __future__ import annotations

import argparse

from ....output.scores import ShownBeside
from ....results.evaluation import Evaluation
from ...evaluations import keywords, reported, scored
from ...options import add_key, add_report, add_scoring
from ...parsing import EVERYDAY, OUTPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    output = "the system's output, likewise; may be left out if KEY holds both"
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=output)
    add_scoring(command)
    add_report(command)
    factors = "how much of what each metric loses is mention detection, and how much is linking"
    command.add_to(EVERYDAY, "--factors", action="store_true", help=factors)
    command.add_to(OUTPUT, "--save", metavar="F", help="write the sums to a file, for merge and compare")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores, as they were asked for."""
    evaluation = scored(options, options.response)
    return reported(evaluation, options, options.save, _beside(options, evaluation))


def _beside(options: argparse.Namespace, evaluation: Evaluation) -> dict[str, ShownBeside]:
    """What is asked for beside the scores, by its key in JSON."""
    if not options.factors:
        return {}
    from ....explanation.shares import shares

    if evaluation.has_evidence:
        return {"detection": shares(evaluation)}
    return {"detection": shares(options.key, options.response, **keywords(options))}
