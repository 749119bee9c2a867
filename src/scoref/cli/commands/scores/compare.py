"""Compare several responses: scores, differences, significance."""

from __future__ import annotations

import argparse

from ....formats import ONE_SIDED
from ....output.scores import render_comparison, render_paper
from ....problems import Error
from ....protocol.choices import OPTIONS
from ....results import saved
from ....statistics.inference.corrections import CORRECTIONS
from ....statistics.systems import PAIRS, compare
from ...evaluations import given_names, keywords, refuse_standard_input, resampling, shown, told_apart
from ...messages import width
from ...options import add_names, add_report, add_scoring
from ...parsing import OUTPUT, STATISTICS, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation, unless all others are saved evaluations")
    output = "responses to the key, or evaluations saved by score --save"
    command.add_argument("responses", nargs="+", metavar="SYSTEM", help=output)
    add_scoring(command)
    pairs = "differences to the first system, or of all pairs (default: first)"
    command.add_to(STATISTICS, "--pairs", choices=PAIRS, default="first", help=pairs)
    correction = "of p-values, for the number of pairs (default: holm)"
    command.add_to(STATISTICS, "--correction", choices=list(CORRECTIONS), default="holm", help=correction)
    add_names(command)
    command.add_to(OUTPUT, "--layout", choices=["paper"], help="the table of a paper, instead of all that is known")
    add_report(command, ci=False)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The comparison, as it was asked for."""
    key: str | None = options.key
    paths = options.responses
    if saved.is_saved(options.key):  # then all inputs are saved evaluations, without a key
        key, paths = None, [options.key, *paths]
        known = ("protocol", "format", "tokens", *ONE_SIDED, *OPTIONS, "settings")
        if given := [name for name in known if name != "average" and getattr(options, name)]:
            message = f"saved evaluations cannot be scored with another {', '.join(given)}"
            expected = "only --metrics and --average"
            raise Error("saved-evaluations", message, expected=expected, remedy="score the files again")
    names = given_names(paths, options.names)
    if not options.names and (options.output not in ("json", "csv") or options.layout):  # programs get full names
        names = told_apart(names)
    refuse_standard_input(key, paths)
    tests = {"pairs": options.pairs, "correction": options.correction, **resampling(options)}
    comparison = compare(key, dict(zip(names, paths, strict=True)), **tests, **keywords(options))
    if options.layout and options.output != "json":
        text = render_paper(comparison, options.output, options.metrics is not None, width())
    else:
        text = render_comparison(comparison, options.output, options.by, width())
    if options.plot:
        comparison.plot(options.plot)
    return shown(text, comparison.notes(), next(iter(comparison.systems.values())).signature_full, options)
