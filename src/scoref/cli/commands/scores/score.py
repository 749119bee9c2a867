"""Score a response against a key."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from ....output.scores import ShownBeside
from ....results.evaluation import Evaluation
from ...evaluations import keywords, reported, scored
from ...options import add_key, add_report, add_scoring
from ...parsing import COUNTS, OUTPUT, CommandParser, add_output

if TYPE_CHECKING:
    from ....explanation.shares import Shares
    from ....results.evidence import KindSums


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    output = "the system's output, likewise; may be left out if KEY holds both"
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=output)
    add_scoring(command)
    add_report(command)
    factors = "how much of what each metric loses is mention detection, and how much is linking"
    command.add_to(COUNTS, "--factors", action="store_true", help=factors)
    curve = "scores by length of windows, parts of texts: window=500,1000 or prefix=10%%,20%% or distance or overlap"
    command.add_to(COUNTS, "--curve", metavar="OF", help=curve)
    command.add_to(OUTPUT, "--save", metavar="F", help="write the sums to a file, for merge and compare")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The scores, as they were asked for."""
    beside: dict[str, ShownBeside] = {}
    if options.curve is None:
        evaluation = scored(options, options.response)
    else:
        evaluation, beside["curve"] = _with_curve(options)
    sums: dict[str, KindSums] = {}
    if options.factors:
        found = _shares(options, evaluation)
        beside["detection"] = found
        sums = found.sums_in(evaluation.documents)
    return reported(evaluation, options, options.save, beside, sums)


def _with_curve(options: argparse.Namespace) -> tuple[Evaluation, ShownBeside]:
    """The evaluation, and the curve that is asked for; settings that are points of it are scored in the same run."""
    from ....statistics.curves import AskedCurve, drawn

    asked = AskedCurve.parse(options.curve)
    own = options.settings
    options.settings = [*own, *asked.settings]
    if not asked.settings:
        options.jobs = 1  # mentions are needed
    evaluation = scored(options, options.response)
    curve = drawn(evaluation, asked, (options.trials, options.seed, options.unit) if options.ci else None)
    return replace(evaluation, settings={name: evaluation.settings[name] for name in own}), curve


def _shares(options: argparse.Namespace, evaluation: Evaluation) -> Shares:
    """What is lost by mentions and by links; tables are read as documents for it."""
    from ....explanation.shares import shares

    if evaluation.has_evidence:
        return shares(evaluation)
    return shares(options.key, options.response, **keywords(options))
