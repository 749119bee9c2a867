"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING

from .. import formats
from ..choice import Choice
from ..document.grouping import DOCUMENT_FIELDS
from ..formats import ONE_SIDED, SIDED
from ..formats.source import option
from ..layout.render import PICTURES
from ..output.scores import BREAKDOWNS
from ..pairing.pairs import DRIFTS
from ..protocol.choices import CHOICES, OPTIONS
from ..protocol.metric_names import closest_metric, listed, metric_name
from ..protocol.protocol import PROTOCOLS
from ..relations.registry import METRICS, metric
from ..results.scores import SEED, TRIALS, UNIT
from ..spelling import closest
from ..tables.inputs import ENGINES
from .parsing import COUNTS, EVERYDAY, INPUT, OTHER, OUTPUT, STATISTICS, CommandParser, Unfit

if TYPE_CHECKING:
    from ..board.limits import Limits

PLOT = f"draw a figure, by the name of the file ({', '.join(PICTURES)}); a folder gets all figures"


def add_key(command: CommandParser) -> None:
    """The argument for the key."""
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")


def add_report(command: CommandParser, ci: bool = True) -> None:
    """The options on what to do with an evaluation: intervals, saving, plots."""
    add_breakdown(
        command, f"{', '.join(BREAKDOWNS)}, an attribute of entities, or mention:form and so on, a kind of mentions"
    )
    if ci:
        command.add_to(EVERYDAY, "--ci", action="store_true", help="a bootstrap interval for every score")
        command.add_to(EVERYDAY, "--no-ci", action="store_false", dest="ci", help=argparse.SUPPRESS)
    add_resampling(command)
    add_plot(command)


def add_breakdown(command: CommandParser, fields: str) -> None:
    """The option for a breakdown by groups."""
    command.add_to(EVERYDAY, "--by", metavar="FIELD", help=f"a breakdown as well as the total: {fields}")


def add_slices(command: CommandParser, what: str) -> None:
    """The options on slices: mentions of one or two kinds that stand out."""
    command.add_to(EVERYDAY, "--slices", action="store_true", help=f"kinds of mentions, and pairs of kinds, {what}")
    made = "what kinds slices are made of (default: form, nested, first, distance, ..., attributes of mentions)"
    command.add_to(OUTPUT, "--fields", type=names, default=(), metavar="A,B", help=made)


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def add_plot(command: CommandParser) -> None:
    """The option for a picture."""
    command.add_to(OUTPUT, "--plot", metavar="FILE", help=PLOT)
    add_force(command)


def add_names(command: CommandParser, what: str = "systems") -> None:
    """The option for names of systems."""
    default = "what differs in those of the files"
    command.add_to(OUTPUT, "--names", metavar="A,B", help=f"names of the {what} (default: {default})")


def add_force(command: CommandParser) -> None:
    """The option to write over files."""
    if not command.option("force"):
        over = "write over files that are no output of scoref, too"
        command.add_to(OUTPUT, "--force", action="store_true", help=over)


def add_resampling(command: CommandParser) -> None:
    """The options on how intervals and tests are made."""
    trials = f"resamples for intervals and tests (default {TRIALS}, more for many)"
    unit = f"what is resampled as a whole: {', '.join(DOCUMENT_FIELDS)} or a comment of documents (default {UNIT})"
    command.add_to(STATISTICS, "--trials", type=positive, metavar="N", help=trials)
    add_seed(command)
    command.add_to(STATISTICS, "--unit", default=UNIT, metavar="FIELD", help=unit)


def add_power(command: CommandParser) -> None:
    """The options on how large a difference must be to be found."""
    power = "how large a difference must be to be found, and how many documents that takes"
    command.add_to(STATISTICS, "--power", action="store_true", help=power)
    difference = "count documents for a difference of this many points of f1 (default: the one found)"
    command.add_to(STATISTICS, "--difference", type=number, metavar="POINTS", help=difference)


def add_seed(command: CommandParser) -> None:
    """The option for random numbers."""
    said = f"of random numbers (default {SEED})"
    command.add_to(STATISTICS, "--seed", type=natural, default=SEED, metavar="N", help=said)


def add_scoring(command: CommandParser, sides: bool = True, policy: bool = True, without: tuple[str, ...] = ()) -> None:
    """The options of all scoring commands; with `sides`, also those for only the key or the response.

    A command that lists all that is malformed has no `policy`; `without` names choices that it declares itself.
    """
    presets = "a preset, like conll-2012; all: scoref list protocols (default: the format's)"
    command.add_to(EVERYDAY, "--protocol", type=protocol, metavar="NAME", help=presets)
    add_metrics(command, "those that scoref list metrics shows, or all (default: the protocol's)")
    add_reading(command, policy)
    sentences = "score only listed sentences, TOPIC,FILE,NUMBER in each line of the list (ECB+)"
    command.add_to(INPUT, "--sentences", metavar="FILE", help=sentences)
    add_tables(command)
    if sides:
        _add_one_sided(command)
    choices = [CHOICES[name] for name in OPTIONS if name not in without]
    numbers = [choice for choice in choices if choice.range or choice.from_file]
    for choice in choices:
        if choice not in numbers:
            _add_choice(command, choice)
    drift = "a text without half of the key's words: an error, or scored"
    command.add_to(COUNTS, "--drift", choices=DRIFTS, default="check", help=drift)
    for choice in numbers:
        _add_choice(command, choice)
    others = "score that setting too, in the same run (may be given several times)"
    command.add_to(COUNTS, "--with", dest="settings", action="append", default=[], metavar="CHOICE:WORD", help=others)
    jobs = "worker processes (default: as many as pay, for large files)"
    command.add_to(OTHER, "--jobs", type=positive, metavar="N", help=jobs)


def add_task(command: CommandParser) -> None:
    """The options on what a task accepts, and what each submission may take."""
    from ..board.limits import MISSING, Limits  # scoring a file does not need it

    lacking = "what a missing document is: a reason to reject, or empty, which is shown (default: reject)"
    command.add_to(INPUT, "--missing", choices=MISSING, default="reject", help=lacking)
    seconds = f"seconds that each submission may take (default {Limits().seconds})"
    command.add_to(OTHER, "--time-limit", type=positive, default=Limits().seconds, metavar="S", help=seconds)
    memory = "memory that each submission may take, like 2GB (default 4GB)"
    command.add_to(OTHER, "--memory-limit", type=size, default=Limits().memory, metavar="SIZE", help=memory)


def limits(options: argparse.Namespace) -> Limits:
    """What each submission may take."""
    from ..board.limits import Limits

    return Limits(options.time_limit, options.memory_limit, options.jobs)


def _add_one_sided(command: CommandParser) -> None:
    """Options for one side, like `--key-format`; they are hidden in help, where one sentence tells of all of them."""
    each = ", ".join(f"--{name}" for name in SIDED[1:])
    said = f"--format, {each} hold for both sides; --key-format, --response-format and so on for one"
    command.groups[INPUT].description = said
    for name, (_, both) in ONE_SIDED.items():
        known = command.option(both)
        if known is not None:
            how = {"choices": known.choices, "metavar": known.metavar}
            command.add_to(INPUT, option(name), help=argparse.SUPPRESS, **how)


def _add_choice(command: CommandParser, choice: Choice) -> None:
    """The option for a choice of protocols."""
    how: dict[str, object] = {}
    says = choice.help
    if choice.range:
        whole, share = isinstance(choice.range[0], int), choice.range[1] <= 1
        how |= {
            "type": (positive if choice.range[0] else natural) if whole else number,
            "metavar": "X" if share else "N",
        }
        says += f" ({choice.default:g})"
    elif choice.from_file:
        how["metavar"] = "FILE"
    elif choice.other:
        how["metavar"] = f"{{{','.join(choice.words)},FIELD}}"
    else:
        how["choices"] = [*choice.words]
    command.add_to(COUNTS, f"--{choice.spelled}", help=says, **how)


def add_metrics(command: CommandParser, known: str) -> None:
    """The option for metrics."""
    command.add_to(EVERYDAY, "--metrics", type=metric_names, metavar="A,B", help=f"some of {known}")


def add_reading(command: CommandParser, policy: bool = True) -> None:
    """The options on how files are read."""
    ends = "whether [3, 5] of a JSON file includes word 5 (default: inclusive)"
    unpacked = "to what a packed file may be unpacked, like 500MB (default 4GB, or a quarter of the memory)"
    command.add_to(INPUT, "--format", choices=list(formats.FORMATS), help="default: found from the content")
    command.add_to(INPUT, "--ends", choices=formats.ENDS, default="inclusive", help=ends)
    command.add_to(INPUT, "--glob", metavar="PATTERN", help="of folders read only files like this: '*.conll'")
    command.add_to(
        INPUT, "--marks", metavar="STYLE", help="marks in texts: a style, or like '<<{words}>>={id}' (found)"
    )
    command.add_to(INPUT, "--tokens", metavar="DIR", help="event nuggets: folder of token tables, DOCUMENT.tab")
    command.add_to(INPUT, "--max-size", type=size, default=formats.MOST, metavar="SIZE", help=unpacked)
    if policy:
        add_policy(command, "stop at malformed input, or leave it out and say so (default: raise)")


def add_policy(command: CommandParser, says: str) -> None:
    """The option on what to do with malformed input."""
    command.add_to(INPUT, "--on-problem", choices=("raise", "skip"), help=says)


def add_tables(command: CommandParser) -> None:
    """The options on tables."""
    columns = "tables: which column is the mention, the entity, the document; further ones are fields"
    default = "(default: guessed from their names)"
    command.add_to(INPUT, "--columns", metavar="A=X,B=Y", help=f"{columns} {default}")
    command.add_to(INPUT, "--engine", choices=ENGINES, default="auto", help="tables: what counts them (default: auto)")
    command.add_to(INPUT, "--memory", metavar="SIZE", help="tables: what DuckDB may take, like 4GB (default: its own)")
    command.add_to(INPUT, "--temp", metavar="DIR", help="tables: where DuckDB puts what does not fit")
    command.add_to(INPUT, "--resume", metavar="DIR", help="tables: keep finished stages there, to go on after a stop")


def positive(text: str) -> int:
    """An integer of at least 1."""
    return _whole(text, 1)


def size(text: str) -> int:
    """A number of bytes, like 500MB."""
    found = re.fullmatch(r"([0-9]{1,15}) ?([KMGT]?)B?", text.strip().upper())
    if not found:
        raise argparse.ArgumentTypeError("a number of bytes, like 500MB or 4GB")
    return positive(found[1] + "000" * " KMGT".index(found[2] or " "))


def natural(text: str) -> int:
    """An integer of at least 0."""
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
        was, what = next(iter(unknown), ""), f"no metric '{', '.join(unknown)}'"
        raise Unfit(what, was, closest_metric(was), code="unknown-metric", see="scoref list metrics")
    return names


def _is_metric(name: str) -> bool:
    name = name.removeprefix("deixis:")
    return name == "all" or name in METRICS or metric(name) is not None


def with_metrics_joined(arguments: list[str]) -> list[str]:
    """The arguments with `--metrics muc b3` joined to `--metrics muc,b3`; a word that names a file is left alone."""
    made: list[str] = []
    joining = False
    for word in arguments:
        parts = [each for each in word.split(",") if each] or [word]
        if joining and not os.path.exists(word) and all(_is_metric(metric_name(each)) for each in parts):
            made[-1] += f",{word}"
            continue
        joining = bool(made) and made[-1] == "--metrics" and not word.startswith("-")
        made.append(word)
    return made
