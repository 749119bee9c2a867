"""Shared by commands that score: evaluating responses, naming systems, showing results."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..document.grouping import DOCUMENT_FIELDS, MENTION
from ..formats import ONE_SIDED, Hows
from ..output.scores import BREAKDOWNS, ShownBeside, render
from ..problems import Error
from ..protocol.choices import CHOICES, OPTIONS
from ..results.evaluation import Evaluation
from ..run.request import Key
from ..run.score import score
from .messages import progress, warn_beside_csv, width

if TYPE_CHECKING:
    from ..protocol.keywords import Keywords
    from ..results.evidence import KindSums


def scored(options: argparse.Namespace, response: str | None, key: Key | None = None) -> Evaluation:
    """The evaluation of one response by the options of all scoring commands; `key` may have been read before."""
    _refuse_two_pipes(options.key, response)
    if reading(options).response.format:
        _refuse_saved(response)
    try:
        return score(key or options.key, response, **keywords(options))
    except Error:  # a saved evaluation given as a response gets a better error
        _refuse_saved(response)
        raise


def refuse_unreadable(key: str, *responses: str | None, saved_key: bool = True) -> None:
    """Refuse standard input for several sides, and saved evaluations where texts are needed: as key, unless allowed."""
    for response in responses:
        _refuse_two_pipes(key, response)
        _refuse_saved(response)
    if not saved_key:
        _refuse_saved(key)


def _refuse_two_pipes(key: str, response: str | None) -> None:
    if key == "-" and response in ("-", None):
        message, remedy = "key and response cannot both be standard input", "name a file for one of them"
        raise Error("two-standard-inputs", message, remedy=remedy)


def _refuse_saved(response: str | None) -> None:
    from ..results.saved import is_saved

    if response is not None and is_saved(response):
        remedy = "name the response itself, or use scoref merge or compare"
        raise Error("no-texts", "a saved evaluation holds sums only, no texts", path=response, remedy=remedy) from None


def refuse_lone_fields(options: argparse.Namespace) -> None:
    """Refuse kinds of slices where no slices are asked for."""
    if options.fields and not options.slices:
        raise Error("no-slices", "--fields says what slices are made of, and none are asked for", remedy="add --slices")


def refuse_standard_input(key: str | None, paths: list[str]) -> None:
    """Refuse standard input for more than one of the inputs."""
    if [key, *paths].count("-") > 1:
        message = "standard input can be the key or one of the responses only"
        raise Error("two-standard-inputs", message, remedy="name files for the others")


def keywords(options: argparse.Namespace) -> Keywords:
    """The options as keywords of `score`, which have the same names."""
    said = {name: getattr(options, name, None) for name in (*(score.__kwdefaults__ or ()), *ONE_SIDED, *OPTIONS)}
    said |= {"progress": progress(), "types": _types(options), "columns": columns(options), "jobs": _jobs(options)}
    return cast("Keywords", said)


def reading(options: argparse.Namespace) -> Hows:
    """How each side is read, from the options."""
    return Hows.of(keywords(options))


def _jobs(options: argparse.Namespace) -> int | None:
    """The number of processes; 1 if documents are needed, as several processes return sums only."""
    save, plot, *fields = (getattr(options, name, None) for name in ("save", "plot", "by", "unit"))
    needed = any(field and field not in DOCUMENT_FIELDS for field in fields)
    return 1 if save or plot or needed else options.jobs


def _types(options: argparse.Namespace) -> str | None:
    """The types to score; the file is read once, as it may be a pipe."""
    word = os.path.basename(options.types or "")  # a word in project settings becomes a path beside them
    if word in CHOICES["types"].words and not os.path.exists(options.types):
        return str(word)
    if options.types and not hasattr(options, "listed_types"):
        from ..run.validation import event_types

        options.listed_types = ",".join(sorted(event_types(options.types)))
    return getattr(options, "listed_types", None)


def columns(options: argparse.Namespace) -> dict[str, str]:
    """The columns of tables that the user names, and those that `--by` and `--unit` need."""
    found: dict[str, str] = {}
    if options.columns:
        from ..formats.table import asked

        found = asked(options.columns)
    for field in (getattr(options, "by", None), getattr(options, "unit", None)):
        if field and field not in (*DOCUMENT_FIELDS, *BREAKDOWNS) and not field.startswith(MENTION):
            found.setdefault(field, field)
    return found


def resampling(options: argparse.Namespace) -> dict[str, Any]:
    """The options on intervals and tests, as keywords."""
    return {name: getattr(options, name) for name in ("trials", "seed", "unit")}


def given_names(paths: list[str], names: str | None) -> list[str]:
    """The names of systems as the user gives them, else those of the files."""
    found = names.split(",") if names else _of_files(paths)
    if len(set(found)) != len(found) or len(found) != len(paths):
        message = f"{len(paths)} systems, but {len(set(found))} different names"
        raise Error("bad-names", message, expected="a name of its own for each", remedy="name them: --names A,B")
    return found


def named_systems(paths: list[str], names: str | None) -> dict[str, str]:
    """The files by names of systems: those that the user gives, else the part in which the file names differ."""
    return dict(zip(given_names(paths, names) if names else told_apart(_of_files(paths)), paths, strict=True))


def _of_files(paths: list[str]) -> list[str]:
    from ..pairing.names import file_names  # for several systems

    return file_names(paths)


def runs_given(words: list[str]) -> list[tuple[str, list[str]]]:
    """The systems that words name: `A=a1.conll,a2.conll` is a system and its runs; a file has no name."""
    found = []
    for word in words:
        name, named, paths = word.partition("=")
        whole = os.path.exists(word) or not named or not name or "/" in name
        runs = [word] if whole else paths.split(",")
        if not all(runs):
            raise Error("bad-runs", f"no file for a run of {name}", text=word, expected="NAME=FILE,FILE,...",
                        remedy="name a file for each run, with commas between them")  # fmt: skip
        found.append(("" if whole else name, runs))
    return found


def told_apart(names: list[str]) -> list[str]:
    """The names without common words at beginning and end: `a.conll` and `b.conll` are `a` and `b`."""
    if len(names) == 1:
        return names
    words = [re.findall(r"[^._/-]+[._/-]*|^[._/-]+", name) for name in names]
    for end in (0, -1):
        while all(len(each) > 1 for each in words) and len({each[end].rstrip("._/-") for each in words}) == 1:
            words = [each[1:] if end == 0 else each[:-1] for each in words]
    short = ["".join(each).rstrip("._/-") or name for each, name in zip(words, names, strict=True)]
    return short if len(set(short)) == len(names) else names


def reported(
    evaluation: Evaluation,
    options: argparse.Namespace,
    save: str | None,
    beside: Mapping[str, ShownBeside] | None = None,
    sums: Mapping[str, KindSums] | None = None,
) -> tuple[str, int]:
    """The text and exit code for an evaluation, after intervals, plot and saving, as far as options ask for them.

    Further `sums` are saved with it.
    """
    if options.ci:
        from ..statistics.samples import with_intervals

        evaluation = with_intervals(evaluation, options.trials, options.seed, options.unit, progress())
    text = render(evaluation, options.output, options.by, width(), beside)
    if options.plot:
        from ..statistics.curves import Curve
        from ..statistics.figures import plot

        curves = {name: each.figure() for name, each in (beside or {}).items() if isinstance(each, Curve)}
        plot(evaluation, options.plot, curves)
    if save:
        from ..results import saved

        by = options.by or ""
        kinds = [by.removeprefix(MENTION)] if by.startswith(MENTION) else []
        saved.save(evaluation, save, options.unit, kinds, sums)
    return shown(text, evaluation.notes(), evaluation.signature_full, options)


def shown(text: str, notes: list[str], signature: str, options: argparse.Namespace) -> tuple[str, int]:
    """The text to print, with the full signature if `--verbose`, and the exit code; warns of what CSV lacks."""
    warn_beside_csv(options.output, notes)
    return f"{text}\nsignature_full {signature}" if options.verbose and options.output == "text" else text, 0
