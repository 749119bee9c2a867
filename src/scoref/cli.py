"""The command line; the only place that prints and that has exit codes."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from . import __version__, formats, report
from .evaluate import score
from .exceptions import Error, Problem, Problems
from .grid import WRITERS, Grid
from .match import MATCHERS
from .metrics import AVERAGES, METRICS, Average, Metric
from .normalise import duplicates
from .protocol import CHOICES, PROTOCOLS


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
        print(f"error: {error}", file=sys.stderr)
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
    sys.exit(main())


# -- commands --------------------------------------------------------------------------------------------------------


def _score(options: argparse.Namespace) -> tuple[str, int]:
    if options.key == "-" and options.response == "-":
        raise Error("two-standard-inputs", "key and response cannot both be standard input")
    evaluation = score(
        options.key,
        options.response,
        protocol=options.protocol,
        metrics=options.metrics and [name.strip() for name in options.metrics.split(",")],
        format=options.format,
        ends=options.ends,
        on_problem=options.on_problem,
        jobs=options.jobs,
        progress=_progress(),
        **{choice: getattr(options, choice) for choice in CHOICES},
    )
    return report.render(evaluation, options.output, options.by), 0


def _validate(options: argparse.Namespace) -> tuple[str, int]:
    found: list[Problem] = []
    number = 0
    for path in options.files:
        for file in formats.files(path).values():
            number += 1
            found += _problems_of(file, options.format, options.ends)
    if options.output == "json":
        return json.dumps({"files": number, "problems": [problem.to_dict() for problem in found]}), int(bool(found))
    lines = [
        f"{problem.path or ''}{f':{problem.line}' if problem.line else ''}: {_one_line(problem)}" for problem in found
    ]
    lines.append(f"{len(found)} problem{'s' * (len(found) != 1)} in {number} file{'s' * (number != 1)}")
    return "\n".join(lines), int(bool(found))


def _problems_of(file: Path, format: str | None, ends: str) -> list[Problem]:
    data = formats.load(file) if file.suffix != ".gz" else None
    problems = Problems("skip")
    try:
        source = formats.Source(formats.load(file) if data is None else data, str(file), ends=ends)
        _, documents = formats.read_source(source, format, problems)
        for document in documents:
            duplicates(document, "keep", problems)
        if not documents and not problems.found:
            problems.add(Problem("no-document", "no document in this file", str(file)))
    except Error as error:
        if error.code == "unreadable-file":
            raise
        problems.add(error.problem)
    return sorted(problems.found, key=lambda problem: problem.line or 0)


def _one_line(problem: Problem) -> str:
    parts = [f"{problem.message}  [{problem.code}]"]
    if problem.text:
        parts.append(f'at "{problem.text}"')
    if problem.expected:
        parts.append(f"expected {problem.expected}")
    return "  ".join(parts)


def _convert(options: argparse.Namespace) -> tuple[str, int]:
    problems = Problems(options.on_problem)
    sources = formats.files(options.input)
    target = formats.named(options.to) if options.to else None
    texts: dict[Path | None, str] = {}
    for name, file in sources.items():
        source = formats.Source(formats.load(file), str(file), options.side, options.ends)
        _, documents = formats.read_source(source, options.format, problems)
        if not name and options.output_path == "-":
            if target is None:
                raise Error(
                    "no-format", "standard output has no ending that names a format", remedy="name it with --to"
                )
            texts[None] = formats.dumps(documents, target.name)
            continue
        if name and target is None:
            raise Error("no-format", "a folder has no ending that names a format", remedy="name it with --to")
        out = Path(options.output_path)
        path = out / Path(name).with_suffix(target.suffix) if name and target else out
        to = target or formats.by_suffix(path)
        if to.single and len(documents) != 1:
            for number, document in enumerate(documents):
                texts[path / f"{number:04}-{_file_name(document.id)}{to.suffix}"] = formats.dumps([document], to.name)
        else:
            texts[path] = formats.dumps(documents, to.name)
    for problem in problems.found:
        print(f"skipped: {problem}", file=sys.stderr)
    if None in texts:
        return texts[None].rstrip("\n"), 0
    for file_path, text in texts.items():
        if file_path is not None:
            formats.save(text, file_path)
    return "", 0


def _file_name(id: str) -> str:
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in id)[:100].strip(".") or "document"
    )


def _list(options: argparse.Namespace) -> tuple[str, int]:
    grid = LISTS[options.what]()
    if options.output == "json":
        return json.dumps([dict(zip(grid.header, row, strict=True)) for row in grid.rows], ensure_ascii=False), 0
    return WRITERS[options.output](grid), 0


def _list_metrics() -> Grid:
    known: list[Metric | Average] = [*METRICS.values(), *AVERAGES.values()]
    return Grid("", ("metric", "what it is", "source"), [(each.name, each.title, each.citation) for each in known])


def _list_formats() -> Grid:
    rows = [
        (each.name, each.title, each.protocol, "read, write" if each.write else "read")
        for each in formats.FORMATS.values()
    ]
    return Grid("", ("format", "what it is", "protocol", "can"), list(rows))


def _list_protocols() -> Grid:
    return Grid("", ("protocol", "signature"), [(name, each.signature()) for name, each in PROTOCOLS.items()])


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
    "duplicates": "the same mention twice: which occurrence counts",
    "twinless": "mentions that only one side has",
    "nested": "mentions inside mentions of the same entity",
    "mentions": "all mentions, or noun phrases only (needs a parse column)",
    "words": "whether the words of key and response must agree",
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
    _add_reading(command)
    command.add_argument("--protocol", metavar="NAME", help=f"a preset: {', '.join(PROTOCOLS)} (default: the format's)")
    command.add_argument("--metrics", metavar="A,B", help="metrics, or all (default: the protocol's)")
    for choice, words in CHOICES.items():
        command.add_argument(f"--{choice}", choices=words, help=_CHOICE_HELP[choice])
    command.add_argument("--by", choices=report.BREAKDOWNS, help="a breakdown as well as the total")
    command.add_argument("--jobs", type=_positive, default=1, metavar="N", help="worker processes (default 1)")
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


def _add_reading(command: argparse.ArgumentParser, policy: bool = True) -> None:
    command.add_argument("--format", choices=list(formats.FORMATS), help="default: found from the content")
    command.add_argument("--ends", choices=formats.ENDS, default="inclusive",
                         help="whether [3, 5] of a JSON file includes word 5 (default: inclusive)")  # fmt: skip
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
