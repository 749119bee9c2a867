"""Compare several responses: scores, differences, significance."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ....formats import ONE_SIDED
from ....output.scores import render_comparison, render_paper, render_runs
from ....problems import Error
from ....protocol.choices import OPTIONS
from ....results import saved
from ....statistics.comparison import Comparison
from ....statistics.inference.corrections import CORRECTIONS
from ....statistics.run_comparison import RunsComparison
from ....statistics.systems import PAIRS, compare
from ...evaluations import (
    given_names,
    keywords,
    refuse_lone_fields,
    refuse_standard_input,
    resampling,
    runs_given,
    shown,
    told_apart,
)
from ...messages import width
from ...options import add_names, add_power, add_report, add_scoring, add_slices, number
from ...parsing import OUTPUT, STATISTICS, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation, unless all others are saved evaluations")
    output = "a response to the key, an evaluation saved by score --save, or several runs: NAME=FILE,FILE,..."
    command.add_argument("responses", nargs="+", metavar="SYSTEM", help=output)
    add_scoring(command)
    pairs = "differences to the first system, or of all pairs (default: first)"
    command.add_to(STATISTICS, "--pairs", choices=PAIRS, default="first", help=pairs)
    correction = "of p-values, for the number of pairs (default: holm)"
    command.add_to(STATISTICS, "--correction", choices=list(CORRECTIONS), default="holm", help=correction)
    add_power(command)
    margin = "test whether a system is worse, or better, by this many points of f1 or more"
    command.add_to(STATISTICS, "--margin", type=number, metavar="POINTS", help=margin)
    across = "on how many groups of documents a system is better: dataset, genre or another field"
    command.add_to(STATISTICS, "--across", metavar="FIELD", help=across)
    add_slices(command, "by which the second of two systems gains on the first, or loses to it")
    add_names(command)
    command.add_to(OUTPUT, "--layout", choices=["paper"], help="the table of a paper, instead of all that is known")
    add_report(command, ci=False)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The comparison, as it was asked for."""
    key: str | None = options.key
    given = runs_given(options.responses)
    ((name, first),) = runs_given([options.key])
    if all(map(saved.is_saved, first)):  # then all inputs are saved evaluations, without a key
        key, given = None, [(name, first), *given]
        _refuse_scoring(options)
    names = _names(given, options)
    refuse_standard_input(key, [path for _, runs in given for path in runs])
    tests = {"pairs": options.pairs, "correction": options.correction, **resampling(options)}
    tests |= {name: getattr(options, name) for name in ("power", "difference", "margin", "across")}
    systems = {name: runs if len(runs) > 1 else runs[0] for name, (_, runs) in zip(names, given, strict=True)}
    comparison = compare(key, systems, **tests, **keywords(options))
    refuse_lone_fields(options)
    if options.slices:
        comparison = _with_slices(comparison, options)
    if isinstance(comparison, RunsComparison):
        if options.layout:
            raise Error("no-layout", "the table of a paper has no place for several runs",
                        remedy="leave --layout out; --output latex gives a table of means")  # fmt: skip
        text, full = render_runs(comparison, options.output, options.by, width()), comparison.signature_full
    elif options.layout and options.output != "json":
        text = render_paper(comparison, options.output, options.metrics is not None, width())
        full = comparison.first.signature_full
    else:
        text = render_comparison(comparison, options.output, options.by, width())
        full = comparison.first.signature_full
    if options.plot:
        comparison.plot(options.plot)
    return shown(text, comparison.notes(), full, options)


def _with_slices(comparison: Comparison | RunsComparison, options: argparse.Namespace) -> Comparison:
    """The comparison with slices beside it."""
    from ....errors.slicing.finding import slices  # not what a comparison usually needs

    if isinstance(comparison, RunsComparison) or len(comparison.systems) != 2:
        raise Error("two-systems", "--slices is for two systems with one run each",
                    remedy="name two responses, or use scoref errors KEY A B C --slices")  # fmt: skip
    (one, first), (other, second) = comparison.systems.items()
    found = slices(first, second, fields=options.fields, seed=options.seed, names=(one, other))
    return replace(comparison, beside={**comparison.beside, "slices": found})


def _refuse_scoring(options: argparse.Namespace) -> None:
    """Refuse options that score, for evaluations that were scored before."""
    known = ("protocol", "format", "tokens", *ONE_SIDED, *OPTIONS, "settings")
    if given := [name for name in known if name != "average" and getattr(options, name)]:
        message = f"saved evaluations cannot be scored with another {', '.join(given)}"
        expected = "only --metrics and --average"
        raise Error("saved-evaluations", message, expected=expected, remedy="score the files again")


def _names(given: list[tuple[str, list[str]]], options: argparse.Namespace) -> list[str]:
    """The names of systems: those in front of their runs, else from --names or from their files."""
    paths = [runs[0] for _, runs in given]
    if all(name for name, _ in given) and not options.names:
        return given_names(paths, ",".join(name for name, _ in given))
    names = given_names(paths, options.names)
    if not options.names and (options.output not in ("json", "csv") or options.layout):  # programs get full names
        names = told_apart(names)
    return names if options.names else [own or name for (own, _), name in zip(given, names, strict=True)]
