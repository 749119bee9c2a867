"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
import re
from typing import Any

from .. import formats
from ..choice import Choice
from ..document.grouping import DOCUMENT_FIELDS
from ..formats.marked.styles import STYLES
from ..output.scores import BREAKDOWNS
from ..protocol.choices import CHOICES, OPTIONS
from ..protocol.metric_names import closest_metric, listed, metric_name
from ..protocol.protocol import PROTOCOLS
from ..relations.registry import METRICS, metric
from ..results.scores import SEED, TRIALS, UNIT
from ..spelling import closest
from ..storing import PICTURES
from ..tables.inputs import ENGINES
from ..texts.projection import DRIFTS
from .parsing import COUNTS, EVERYDAY, INPUT, OTHER, OUTPUT, STATISTICS, CommandParser, Unfit

PLOT = f"draw a figure, by the name of the file ({', '.join(PICTURES)}); a folder gets all figures"


def add_report(command: CommandParser, ci: bool = True) -> None:
    """The options on what is made of an evaluation."""
    fields = f"{', '.join(BREAKDOWNS)} or an attribute of entities"
    add_breakdown(command, fields)
    if ci:
        command.groups[EVERYDAY].add_argument("--ci", action="store_true", help="a bootstrap interval for every score")
        command.groups[EVERYDAY].add_argument("--no-ci", action="store_false", dest="ci", help=argparse.SUPPRESS)
    add_resampling(command)
    add_plot(command)


def add_breakdown(command: CommandParser, fields: str) -> None:
    """The option for scores of groups."""
    command.groups[EVERYDAY].add_argument("--by", metavar="FIELD", help=f"a breakdown as well as the total: {fields}")


def add_plot(command: CommandParser) -> None:
    """The option for a picture."""
    command.groups[OUTPUT].add_argument("--plot", metavar="FILE", help=PLOT)
    add_force(command)


def add_names(command: CommandParser, what: str = "systems") -> None:
    """The option for names of systems."""
    command.groups[OUTPUT].add_argument(
        "--names", metavar="A,B", help=f"names of the {what} (default: what differs in those of the files)"
    )


def add_force(command: CommandParser) -> None:
    """The option to write over files."""
    if not command.option("force"):
        command.groups[OUTPUT].add_argument("--force", action="store_true",
                                            help="write over files that are no output of scoref, too")  # fmt: skip


def add_resampling(command: CommandParser) -> None:
    """The options on how intervals and tests are made."""
    group = command.groups[STATISTICS]
    group.add_argument("--trials", type=positive, metavar="N",
                       help=f"resamples for intervals and tests (default {TRIALS}, more for many)")  # fmt: skip
    add_seed(command)
    fields = f"{', '.join(DOCUMENT_FIELDS)} or a comment of documents"
    group.add_argument("--unit", default=UNIT, metavar="FIELD",
                       help=f"what is resampled as a whole: {fields} (default {UNIT})")  # fmt: skip


def add_seed(command: CommandParser) -> None:
    """The option for random numbers."""
    command.groups[STATISTICS].add_argument(
        "--seed", type=natural, default=SEED, metavar="N", help=f"of random numbers (default {SEED})"
    )


def add_scoring(command: CommandParser) -> None:
    """The options that all commands share which score."""
    everyday, counts = command.groups[EVERYDAY], command.groups[COUNTS]
    everyday.add_argument("--protocol", type=protocol, metavar="NAME",
                          help=f"a preset: {', '.join(PROTOCOLS)} (default: the format's)")  # fmt: skip
    add_metrics(command, f"{', '.join(METRICS)}, or all (default: the protocol's)")
    add_reading(command)
    add_tables(command)
    choices = [CHOICES[name] for name in OPTIONS]
    numbers = [choice for choice in choices if choice.range or choice.from_file]
    for choice in choices:
        if choice not in numbers:
            _add_choice(command, choice)
    counts.add_argument("--drift", choices=DRIFTS, default="check",
                        help="running text without half of the key's words: an error, or scored")  # fmt: skip
    for choice in numbers:
        _add_choice(command, choice)
    counts.add_argument("--with", dest="settings", action="append", default=[], metavar="CHOICE:WORD",
                        help="score that setting too, in the same run (may be given several times)")  # fmt: skip
    command.groups[OTHER].add_argument(
        "--jobs", type=positive, metavar="N", help="worker processes (default: as many as pay, for large files)"
    )


def _add_choice(command: CommandParser, choice: Choice) -> None:
    """The option for a choice of protocols."""
    how: dict[str, Any] = {"help": choice.help}
    if choice.range:
        whole, share = isinstance(choice.range[0], int), choice.range[1] <= 1
        how |= {"type": positive if whole else number, "metavar": "X" if share else "N"}
        how["help"] += f" ({choice.default:g})"
    elif choice.from_file:
        how["metavar"] = "FILE"
    elif choice.other:
        how["metavar"] = f"{{{','.join(choice.words)},FIELD}}"
    else:
        how["choices"] = [*choice.words]
    command.groups[COUNTS].add_argument(f"--{choice.name}", **how)


def add_metrics(command: CommandParser, known: str) -> None:
    """The option for metrics."""
    command.groups[EVERYDAY].add_argument("--metrics", type=metric_names, metavar="A,B", help=f"some of {known}")


def add_reading(command: CommandParser, policy: bool = True) -> None:
    """The options on how files are read."""
    group = command.groups[INPUT]
    group.add_argument("--format", choices=list(formats.FORMATS), help="default: found from the content")
    group.add_argument("--ends", choices=formats.ENDS, default="inclusive",
                       help="whether [3, 5] of a JSON file includes word 5 (default: inclusive)")  # fmt: skip
    group.add_argument("--glob", metavar="PATTERN", help="of folders read only files like this: '*.conll'")
    group.add_argument("--marks", choices=list(STYLES), help="running text: the style of marks (default: found)")
    group.add_argument("--tokens", metavar="DIR", help="event nuggets: folder of token tables, DOCUMENT.tab")
    group.add_argument("--max-size", type=size, default=formats.MOST, metavar="SIZE",
                       help="to what a packed file may be unpacked, like 500MB (default 4GB)")  # fmt: skip
    if policy:
        group.add_argument("--on-problem", choices=("raise", "skip"), default="raise",
                           help="stop at malformed input, or leave it out and say so (default: raise)")  # fmt: skip


TABLES = ("engine", "memory", "temp")


def add_tables(command: CommandParser) -> None:
    """The options on tables."""
    group = command.groups[INPUT]
    group.add_argument("--columns", metavar="A=X,B=Y", help="tables: which column is the mention, the entity, the"
                       " document; further ones are fields (default: guessed from their names)")  # fmt: skip
    group.add_argument("--engine", choices=ENGINES, default="auto", help="tables: what counts them (default: auto)")
    group.add_argument("--memory", metavar="SIZE", help="tables: what DuckDB may take, like 4GB (default: its own)")
    group.add_argument("--temp", metavar="DIR", help="tables: where DuckDB puts what does not fit")


def positive(text: str) -> int:
    """A number from 1 on."""
    return _whole(text, 1)


def size(text: str) -> int:
    """A number of bytes, like 500MB."""
    found = re.fullmatch(r"([0-9]{1,15}) ?([KMGT]?)B?", text.strip().upper())
    if not found:
        raise argparse.ArgumentTypeError("a number of bytes, like 500MB or 4GB")
    return positive(found[1] + "000" * " KMGT".index(found[2] or " "))


def natural(text: str) -> int:
    """A number from 0 on."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or len(text) > 18 or int(text) < least:
        raise Unfit(f"'{text[:60]}' is no whole number that is at least {least}")
    return int(text)


def number(text: str) -> float:
    """Any number."""
    try:
        return float(text)
    except ValueError:
        raise Unfit(f"'{text[:60]}' is no number") from None


def protocol(text: str) -> str:
    """A preset in any case; a signature, a TOML file."""
    if "|" in text or text.endswith(".toml"):
        return text
    words = {name.casefold(): name for name in PROTOCOLS}
    if text.casefold() not in words:
        meant = closest(text, PROTOCOLS)
        raise Unfit(f"no protocol '{text}'", text, meant, code="unknown-protocol", see="scoref list protocols")
    return words[text.casefold()]


def metric_names(text: str) -> list[str]:
    """The names of metrics in a list with commas or blanks, in any spelling, as scoref has them."""
    names = [*map(metric_name, listed(text))]
    unknown = [name for name in names if not _is_metric(name)]
    if not names or unknown:
        was = next(iter(unknown), "")
        said = f"no metric '{', '.join(unknown)}'"
        raise Unfit(said, was, closest_metric(was), code="unknown-metric", see="scoref list metrics")
    return names


def _is_metric(name: str) -> bool:
    name = name.removeprefix("deixis:")
    return name == "all" or name in METRICS or metric(name) is not None


def with_metrics_joined(arguments: list[str]) -> list[str]:
    """The arguments with `--metrics muc b3` as `--metrics muc,b3`; a word that names a file is no metric."""
    made: list[str] = []
    joining = False
    for word in arguments:
        if joining and not os.path.exists(word) and all(_is_metric(metric_name(each)) for each in _parts(word)):
            made[-1] += f",{word}"
            continue
        joining = bool(made) and made[-1] == "--metrics" and not word.startswith("-")
        made.append(word)
    return made


def _parts(word: str) -> list[str]:
    return [each for each in word.split(",") if each] or [word]
