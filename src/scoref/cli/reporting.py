"""An evaluation as it was asked for: with intervals, saved, drawn, printed."""

from __future__ import annotations

import argparse

from ..output.scores import render
from ..results.evaluation import Evaluation
from .messages import progress, warn_beside_csv, width


def reported(evaluation: Evaluation, options: argparse.Namespace, save: str | None) -> tuple[str, int]:
    """An evaluation as it was asked for: with intervals, saved, drawn, printed."""
    if options.ci:
        from ..statistics.samples import with_intervals

        evaluation = with_intervals(evaluation, options.trials, options.seed, options.unit, progress())
    text = render(evaluation, options.output, options.by, width())
    if options.plot:
        from ..statistics.figures import plot

        plot(evaluation, options.plot)
    if save:
        from ..results import saved

        saved.save(evaluation, save, options.unit)
    warn_beside_csv(options.output, evaluation.notes())
    return with_full_signature(text, evaluation.signature_full, options), 0


def with_full_signature(text: str, signature: str, options: argparse.Namespace) -> str:
    """The text, and below it with `--verbose` the whole signature."""
    return f"{text}\nsignature_full {signature}" if options.verbose and options.output == "text" else text
