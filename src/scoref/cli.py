"""The command line; the only place that prints and that has exit codes."""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from . import __version__, formats, report
from .evaluate import score
from .evaluation import Evaluation
from .exceptions import Error, Problem, Problems
from .grid import WRITERS, Cell, Grid, clean
from .match import MATCHERS
from .metrics import AVERAGES, METRICS, Average, Metric
from .normalise import check_minimums, unique
from .protocol import CHOICES, NUMBERS, PROTOCOLS
from .relations import RELATIONS, Relation


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit code: 0 done, 1 `validate` found problems, 2 bad usage or bad input."""
    try:
        options = _parser().parse_args(argv)
        text: str
        code: int
        text, code = options.command(options)
    except SystemExit as stop:  # argparse has said what was wrong, or printed its help
        return 2 if stop.code else 0
    except Error as error:
        _warn(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    try:
        if text:
            print(text)
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` perhaps, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run() -> None:
    """The entry point of the console script."""
    gc.disable()  # this process ends soon; looking for cycles would take a quarter of its time
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what is written to files is UTF-8 everywhere
    sys.exit(main())


def _warn(text: str) -> None:
    print("\n".join(map(clean, text.split("\n"))), file=sys.stderr)


# -- commands --------------------------------------------------------------------------------------------------------


def _score(options: argparse.Namespace) -> tuple[str, int]:
    evaluation = _scored(options, options.response)
    if options.output == "csv":  # has no place for them
        for note in evaluation.notes()[1:-1]:
            _warn(note)
    return report.render(evaluation, options.output, options.by), 0


def _errors(options: argparse.Namespace) -> tuple[str, int]:
    return report.render_errors(_scored(options, options.response), options.output, options.list), 0


def _scored(options: argparse.Namespace, response: str) -> Evaluation:
    """The evaluation of one response by the options that all scoring commands share."""
    if options.key == "-" and response == "-":
        raise Error("two-standard-inputs", "key and response cannot both be standard input",
                    remedy="name a file for one of them")  # fmt: skip
    return score(
        options.key,
        response,
        protocol=options.protocol,
        metrics=options.metrics and [name.strip() for name in options.metrics.split(",")],
        format=options.format,
        ends=options.ends,
        tokens=options.tokens,
        on_problem=options.on_problem,
        jobs=options.jobs,
        progress=_progress(),
        settings=options.settings,
        **{number: getattr(options, number) for number in NUMBERS},
        **{choice: getattr(options, choice) for choice in CHOICES},
    )


def _validate(options: argparse.Namespace) -> tuple[str, int]:
    found: list[Problem] = []
    number = 0
    for path in options.files:
        for file in formats.files(path).values():
            number += 1
            found += _problems_of(file, options.format, options.ends)
    if options.output == "json":
        return json.dumps({"files": number, "problems": [problem.to_dict() for problem in found]}), int(bool(found))
    lines = [_one_line(problem) for problem in found]
    lines.append(f"{len(found)} problem{'s' * (len(found) != 1)} in {number} file{'s' * (number != 1)}")
    return "\n".join(lines), int(bool(found))


def _problems_of(file: Path, format: str | None, ends: str) -> list[Problem]:
    problems = Problems("skip")
    try:
        data = formats.load(file)
        for side in formats.SIDES if b"predicted_clusters" in data else formats.SIDES[:1]:
            _, documents = formats.read_source(formats.Source(data, str(file), side, ends), format, problems)
            for document in documents:
                unique(document, "keep", problems)
                check_minimums(document, problems)
    except Error as error:
        if error.code == "unreadable-file":
            raise
        if error.code != "no-document" or not problems.found:
            problems.add(error.problem)
    return sorted(dict.fromkeys(problems.found), key=lambda problem: problem.line or 0)


def _one_line(problem: Problem) -> str:
    where = f"{problem.path or ''}{f':{problem.line}' if problem.line else ''}"
    parts = [f"{where}: {problem.message}  [{problem.code}]"]
    if problem.text:
        parts.append(f'at "{problem.text if len(problem.text) <= 60 else problem.text[:57] + "..."}"')
    if problem.expected:
        parts.append(f"expected {problem.expected}")
    return clean("  ".join(parts))


def _convert(options: argparse.Namespace) -> tuple[str, int]:
    problems = Problems(options.on_problem)
    target = formats.named(options.to) if options.to else None
    texts: dict[Path, str] = {}
    for name, file in formats.files(options.input).items():
        source = formats.Source(formats.load(file), str(file), options.side, options.ends)
        found, documents = formats.read_source(source, options.format, problems)
        path, to = _goal(options.output_path, name.removesuffix(found.suffix), target)
        if to.single and len(documents) != 1 and str(path) != "-":
            parts = {
                path / f"{number:04}-{_file_name(each.id)}{to.suffix}": [each] for number, each in enumerate(documents)
            }
        else:
            parts = {path: documents}
        if texts.keys() & parts.keys():
            raise Error(
                "repeated-file", "two files would be written to one", path=str(path), remedy="rename one of them"
            )
        texts |= {path: formats.dumps(part, to.name) for path, part in parts.items()}
    for problem in problems.found:
        _warn(f"skipped: {problem}")
    if options.output_path == "-":
        return texts[Path("-")].rstrip("\n"), 0
    for path, text in texts.items():
        formats.save(text, path)
    return "", 0


def _goal(out: str, name: str, format: formats.Format | None) -> tuple[Path, formats.Format]:
    """The file to write for a file of that name in the input folder ('' if the input is one file), and its format."""
    if name and out == "-":
        raise Error("no-folder", "a folder cannot be written to standard output", remedy="name a folder to write to")
    if format is None and (name or out == "-"):
        what = "a folder" if name else "standard output"
        raise Error("no-format", f"{what} has no ending that names a format", remedy="name the format: --to NAME")
    if format is None:
        return Path(out), formats.by_suffix(out)
    return Path(out, name + format.suffix) if name else Path(out), format


def _file_name(id: str) -> str:
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in id)[:50].strip(".") or "document"
    )


def _list(options: argparse.Namespace) -> tuple[str, int]:
    grid = LISTS[options.what]()
    if options.output == "json":
        return json.dumps([dict(zip(grid.header, row, strict=True)) for row in grid.rows], ensure_ascii=False), 0
    return WRITERS[options.output](grid._replace(prose=True)), 0


def _list_metrics() -> Grid:
    known: list[Metric | Average | Relation] = [*METRICS.values(), *AVERAGES.values(), *RELATIONS.values()]
    return Grid("", ("metric", "what it is", "source"), [(each.name, each.title, each.citation) for each in known])


def _list_formats() -> Grid:
    rows = [
        (each.name, each.title, each.protocol, "read, write" if each.write else "read")
        for each in formats.FORMATS.values()
    ]
    return Grid("", ("format", "what it is", "protocol", "can"), list(rows))


def _list_protocols() -> Grid:
    usual = PROTOCOLS["conll-2012"]
    rows: list[tuple[Cell, ...]] = []
    for name, each in PROTOCOLS.items():
        pairs = [(choice, getattr(each, choice)) for choice in CHOICES]
        others = [f"{choice}:{word}" for choice, word in pairs if word != getattr(usual, choice)]
        rows.append((name, " ".join(others), " ".join(each.metrics)))
    return Grid("", ("protocol", f"unlike {usual.name}", "metrics"), rows)


def _list_matchers() -> Grid:
    return Grid(
        "", ("matcher", "which mentions count as the same"), [(each.name, each.title) for each in MATCHERS.values()]
    )


LISTS: dict[str, Callable[[], Grid]] = {
    "metrics": _list_metrics,
    "formats": _list_formats,
    "protocols": _list_protocols,
    "matchers": _list_matchers,
}


# -- options ---------------------------------------------------------------------------------------------------------

_CHOICE_HELP = {
    "match": "which mentions count as the same",
    "singletons": "entities with one mention",
    "zeros": "zeros: matched by position, by what they depend on, or dropped",
    "duplicates": "the same mention twice: which occurrence counts",
    "twinless": "mentions that only one side has",
    "nested": "mentions inside mentions of the same entity",
    "mentions": "all mentions, or noun phrases only (needs a parse column)",
    "words": "whether the words of key and response must agree",
    "invisible": "event nuggets: words that never count",
    "empty": "event nuggets: documents without key mentions",
    "extra": "documents that the key does not have",
    "layer": "which annotation of a Universal Anaphora file",
    "split": "split antecedents: scored with credit, ignored, or only they are scored",
    "credit": "what aligned sets of split antecedents are worth",
    "links": "BLANC leaves out links that the key, or that both sides lack",
    "scope": "whether an entity lives in a document or in the corpus",
    "average": "over documents: sums, or the mean of their scores",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scoref", description="Scores coreference, anaphora and event nuggets.")
    parser.add_argument("--version", action="version", version=f"scoref {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("score", help="score a response against a key")
    command.set_defaults(command=_score)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    _add_scoring(command)
    fields = f"{', '.join(report.BREAKDOWNS)} or an attribute of entities"
    command.add_argument("--by", metavar="FIELD", help=f"a breakdown as well as the total: {fields}")
    _add_output(command, report.OUTPUTS)

    command = commands.add_parser("errors", help="what went wrong, counted and located")
    command.set_defaults(command=_errors)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    _add_scoring(command)
    command.add_argument("--list", action="store_true", help="every error, with its place")
    _add_output(command, report.OUTPUTS)

    command = commands.add_parser("validate", help="every problem in the files, with places")
    command.set_defaults(command=_validate)
    command.add_argument("files", nargs="+", metavar="FILE")
    _add_reading(command, policy=False)
    _add_output(command, ("text", "json"))

    command = commands.add_parser("convert", help="between formats")
    command.set_defaults(command=_convert)
    command.add_argument("input", metavar="IN", help="a file, a folder, or - for standard input")
    command.add_argument("output_path", metavar="OUT", help="a file, a folder, or - for standard output")
    _add_reading(command)
    command.add_argument(
        "--to", choices=list(formats.FORMATS), help="the format to write (default: by the ending of OUT)"
    )
    command.add_argument("--side", choices=formats.SIDES, default="key", help="which side of a file that holds both")

    command = commands.add_parser("list", help="what there is")
    command.set_defaults(command=_list)
    command.add_argument("what", choices=list(LISTS))
    _add_output(command, report.OUTPUTS)
    return parser


def _add_scoring(command: argparse.ArgumentParser) -> None:
    """The options that all commands share which score."""
    _add_reading(command)
    command.add_argument("--protocol", metavar="NAME", help=f"a preset: {', '.join(PROTOCOLS)} (default: the format's)")
    metrics = ", ".join((*METRICS, *AVERAGES, *RELATIONS))
    command.add_argument("--metrics", metavar="A,B", help=f"some of {metrics}, or all (default: the protocol's)")
    for choice, words in CHOICES.items():
        command.add_argument(f"--{choice}", choices=words, help=_CHOICE_HELP[choice])
    command.add_argument("--beta", type=float, metavar="N", help="LEA: how much more entities with a set weigh (1)")
    command.add_argument("--threshold", type=float, metavar="X", help="event nuggets: Dice needed for coreference (1)")
    command.add_argument("--with", dest="settings", action="append", default=[], metavar="CHOICE:WORD",
                         help="score that setting too, in the same run (may be given several times)")  # fmt: skip
    command.add_argument("--jobs", type=_positive, default=1, metavar="N", help="worker processes (default 1)")


def _add_reading(command: argparse.ArgumentParser, policy: bool = True) -> None:
    command.add_argument("--format", choices=list(formats.FORMATS), help="default: found from the content")
    command.add_argument("--ends", choices=formats.ENDS, default="inclusive",
                         help="whether [3, 5] of a JSON file includes word 5 (default: inclusive)")  # fmt: skip
    command.add_argument("--tokens", metavar="DIR", help="event nuggets: folder of token tables, DOCUMENT.tab")
    if policy:
        command.add_argument("--on-problem", choices=("raise", "skip"), default="raise",
                             help="stop at malformed input, or leave it out and say so (default: raise)")  # fmt: skip


def _add_output(command: argparse.ArgumentParser, outputs: tuple[str, ...]) -> None:
    command.add_argument("--output", choices=outputs, default="text", help="default: text")
    command.add_argument("--json", action="store_const", const="json", dest="output", help="short for --output json")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


# -- progress --------------------------------------------------------------------------------------------------------


def _progress() -> Callable[[str, int, int], None] | None:
    """A progress line on a terminal, from the second second on."""
    if not sys.stderr.isatty():
        return None
    started = shown = time.monotonic()

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done == total and shown > started:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        elif now - started > 1 and now - shown > 0.1:
            print(f"\r{done}/{total} {what}\x1b[K", end="", file=sys.stderr, flush=True)
            shown = now

    return show
