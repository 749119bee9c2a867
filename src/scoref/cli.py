"""The command line; the only place that prints and that has exit codes."""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import __version__, filing, formats, report, store, tokens
from .analysis import Analysis
from .compare import PAIRS, SEED, compare, with_intervals
from .comparison import Comparison, plot
from .evaluate import score
from .evaluation import Evaluation
from .exceptions import Error, Problem, Problems
from .formats import tbf
from .grid import WRITERS, clean
from .groups import DOCUMENT_FIELDS
from .listing import LISTS
from .model import Document
from .options import HELP, add_output, add_reading, add_report, add_resampling, add_scoring, natural, positive
from .outcomes import VIEWS
from .plots import SUFFIXES
from .protocol import CHOICES, NUMBERS
from .repair import KINDS
from .significance import CORRECTIONS
from .stability import REPETITIONS, stability
from .validation import event_types, problems_of


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
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # without taking a million objects apart one by one


def _warn(text: str) -> None:
    print("\n".join(map(clean, text.split("\n"))), file=sys.stderr)


# -- commands --------------------------------------------------------------------------------------------------------


def _score(options: argparse.Namespace) -> tuple[str, int]:
    return _reported(_scored(options, options.response), options, options.save)


def _reported(evaluation: Evaluation, options: argparse.Namespace, save: str | None) -> tuple[str, int]:
    """An evaluation as it was asked for: with intervals, saved, drawn, printed."""
    if options.ci:
        evaluation = with_intervals(evaluation, options.trials, options.seed, options.unit)
    text = report.render(evaluation, options.output, options.by)
    if options.plot:
        plot(evaluation, options.plot)
    if save:
        store.save(evaluation, save, options.unit)
    _warn_beside_csv(options, evaluation.notes())
    return text, 0


def _warn_beside_csv(options: argparse.Namespace, notes: list[str]) -> None:
    """Say what CSV has no place for: all but the number of documents and the signature."""
    for note in notes[1:-1] if options.output == "csv" else ():
        _warn(note)


def _merge(options: argparse.Namespace) -> tuple[str, int]:
    names = _system_names(options.files)
    merged = store.merge({name: store.load(path) for name, path in zip(names, options.files, strict=True)})
    return _reported(store.adapted(merged, _metrics(options), options.average), options, options.out)


def _compare(options: argparse.Namespace) -> tuple[str, int]:
    key: str | None = options.key
    paths = options.responses
    if store.is_saved(options.key):  # then there is no key, and all are
        key, paths = None, [options.key, *paths]
        given = [name for name in ("protocol", "format", "tokens", *NUMBERS, *CHOICES, "settings")
                 if getattr(options, name) and name != "average"]  # fmt: skip
        if given:
            raise Error("saved-evaluations", f"saved evaluations cannot be scored with another {', '.join(given)}",
                        expected="only --metrics and --average", remedy="score the files again")  # fmt: skip
    names = _names(paths, options)
    comparison = _compared(key, paths, names, options, pairs=options.pairs, correction=options.correction)
    text = report.render_comparison(comparison, options.output, options.by)
    if options.plot:
        comparison.plot(options.plot)
    _warn_beside_csv(options, comparison.notes())
    return text, 0


def _compared(
    key: str | None, paths: list[str], names: list[str], options: argparse.Namespace, **choices: Any
) -> Comparison:
    """The comparison of several responses, by the names that they are given."""
    _refuse_standard_input(key, paths)
    made: dict[str, Any] = {"trials": options.trials, "seed": options.seed, "unit": options.unit}
    return compare(key, dict(zip(names, paths, strict=True)), **choices, **made, **_keywords(options))


def _refuse_standard_input(key: str | None, paths: list[str]) -> None:
    """With several responses the key is read for each of them."""
    if key == "-" or paths.count("-") > 1:
        raise Error("two-standard-inputs", "standard input can be one of the responses only",
                    remedy="name files for the others")  # fmt: skip


def _report(options: argparse.Namespace) -> tuple[str, int]:
    """One page for one response or several, with intervals, and with tests of several."""
    from . import viewer

    paths = options.responses
    if len(paths) > 1:
        names = _names(paths, options) if options.names else _told_apart(_system_names(paths))
        comparison = _compared(options.key, paths, names, options)
        page = viewer.page(comparison.systems, comparison)
    else:
        evaluation = with_intervals(_scored(options, paths[0]), options.trials, options.seed, options.unit)
        page = viewer.page({_names(paths, options)[0]: evaluation})
    formats.save(page, options.out)
    return f"{options.out}: {len(page.encode()) / 1e6:.1f} MB, open it in a browser", 0


def _names(paths: list[str], options: argparse.Namespace) -> list[str]:
    names: list[str] = options.names.split(",") if options.names else _system_names(paths)
    if len(set(names)) != len(names) or len(names) != len(paths):
        raise Error("bad-names", f"{len(paths)} systems, but {len(set(names))} different names",
                    expected="a name of its own for each", remedy="name them: --names A,B")  # fmt: skip
    return names


def _system_names(paths: list[str]) -> list[str]:
    """The names of files, with as many folders before them as it takes to tell them apart."""
    for depth in range(1, max(len(Path(path).parts) for path in paths) + 1):
        names = ["/".join(Path(path).parts[-depth:]) or path for path in paths]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({paths[:number].count(path) + 1})" if path in paths[:number] else path
            for number, path in enumerate(paths)]  # fmt: skip


def _told_apart(names: list[str]) -> list[str]:
    """The names without the words at their ends that all have: `a.conll` and `b.conll` are `a` and `b`."""
    if len(names) == 1:
        return names
    words = [re.findall(r"[^._/-]+[._/-]*|^[._/-]+", name) for name in names]
    for end in (0, -1):
        while all(len(each) > 1 for each in words) and len({each[end].rstrip("._/-") for each in words}) == 1:
            words = [each[1:] if end == 0 else each[:-1] for each in words]
    short = ["".join(each).rstrip("._/-") for each in words]
    return short if len(set(short)) == len(names) else names


def _stability(options: argparse.Namespace) -> tuple[str, int]:
    keywords = _keywords(options) | {"settings": ()}
    result = stability(options.key, options.response, repetitions=options.repetitions, seed=options.seed, **keywords)
    if options.plot:
        result.plot(options.plot)
    return report.render_stability(result, options.output), 0


def _errors(options: argparse.Namespace) -> tuple[str, int]:
    """What went wrong; `--repaired` writes the response without errors of each kind, alone and together."""
    paths = options.responses
    if options.repaired and len(paths) > 1:
        raise Error("one-response", "--repaired is for one response", remedy="name one response")
    if len(paths) > 1:
        _refuse_standard_input(options.key, paths)
    names = _told_apart(_system_names(paths))
    analyses = {name: Analysis(_scored(options, path)) for name, path in zip(names, paths, strict=True)}
    found = analyses[names[0]]
    if options.repaired and not found.of_coreference:
        raise Error("no-coreference", "--repaired is for coreference", remedy="choose --layer identity or deixis")
    text = report.render_errors(analyses, options.output, options.list, options.by)
    if options.repaired:
        _write_repaired(found, options)
    _warn_beside_csv(options, report.error_notes(analyses))
    return text, 0


def _write_repaired(found: Analysis, options: argparse.Namespace) -> None:
    """For each kind of error the response without it, and without it and those before it, in files of its format."""
    path = options.responses[0]
    format = formats.named(options.format) if options.format else filing.format_of(path)
    texts: dict[Path, str] = {}
    wanted = {f"alone/{kind}": [kind] for kind in KINDS}
    wanted |= {f"together/{number}-{kind}": [*KINDS[:number]] for number, kind in enumerate(KINDS, 1)}
    for name, kinds in wanted.items():
        goal = Path(options.repaired, name.replace(" ", "-"))
        files: dict[Path, list[Document]] = {}
        for pair in found.repaired(kinds):
            file = goal / pair.dataset if Path(path).is_dir() else goal.with_name(goal.name + format.suffix)
            files.setdefault(file, []).append(pair.response)
        for file, documents in files.items():
            try:
                for part, each in filing.parts(file, documents, format).items():
                    texts |= formats.rendered(each, part, format.name)
            except Error as error:  # a merged entity may have mentions that cross, say, which not all formats can hold
                _warn(f"{file}: written as JSON lines, like the key, because: {error.problem.message}")
                texts[Path(f"{str(file).removesuffix(format.suffix)}.jsonl")] = formats.dumps(documents, "jsonl")
                keys = [pair.key for pair in found.evaluation.pairs]
                texts[Path(options.repaired, "key.jsonl")] = formats.dumps(keys, "jsonl")
    for goal, text in texts.items():
        formats.save(text, goal)


def _scored(options: argparse.Namespace, response: str) -> Evaluation:
    """The evaluation of one response by the options that all scoring commands share."""
    if options.key == "-" and response == "-":
        raise Error("two-standard-inputs", "key and response cannot both be standard input",
                    remedy="name a file for one of them")  # fmt: skip
    if store.is_saved(response):
        raise Error("no-texts", "a saved evaluation holds sums only, no texts", path=response,
                    remedy="name the response itself, or use scoref merge or compare")  # fmt: skip
    return score(options.key, response, **_keywords(options))


def _keywords(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say, as the keywords of `score`."""
    wanted = ("protocol", "format", "ends", "tokens", "on_problem", "jobs", "settings", *NUMBERS, *CHOICES)
    return {name: getattr(options, name) for name in wanted} | {"metrics": _metrics(options), "progress": _progress()}


def _metrics(options: argparse.Namespace) -> list[str] | None:
    return None if options.metrics is None else [name.strip() for name in options.metrics.split(",")]


def _validate(options: argparse.Namespace) -> tuple[str, int]:
    found: list[Problem] = []
    number = 0
    known = event_types(options.types) if options.types else None
    for path in options.files:
        for file in formats.files(path).values():
            number += 1
            found += problems_of(file, format=options.format, ends=options.ends, tokens=options.tokens,
                                 known=known, texts=options.texts)  # fmt: skip
    if options.output == "json":
        return json.dumps({"files": number, "problems": [problem.to_dict() for problem in found]}), int(bool(found))
    lines = [_one_line(problem) for problem in found]
    lines.append(f"{len(found)} problem{'s' * (len(found) != 1)} in {number} file{'s' * (number != 1)}")
    return "\n".join(lines), int(bool(found))


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
    files = formats.files(options.input)
    whole = None if target or "" in files else filing.one_file(options.output_path)
    gathered: list[Document] = []
    for name, file in files.items():
        source = formats.Source(formats.load(file), str(file), options.side, options.ends, options.tokens)
        found, documents = formats.read_source(source, options.format, problems)
        if options.tokens and found.name == "brat":
            documents = [tbf.by_tokens(document, options.tokens, problems) for document in documents]
        gathered += documents
        if whole:
            continue
        path, to = filing.goal(options.output_path, name.removesuffix(found.suffix), target)
        for part, each in filing.parts(path, documents, to).items():
            new = formats.rendered(each, part, to.name) if str(part) != "-" else {part: formats.dumps(each, to.name)}
            if texts.keys() & new.keys():
                raise Error(
                    "repeated-file", "two files would be written to one", path=str(path), remedy="rename one of them"
                )
            texts |= new
    if whole:
        filing.refuse_repeated(gathered)
        texts = formats.rendered(gathered, options.output_path, whole.name)
    for problem in problems.found:
        _warn(f"skipped: {problem}")
    if options.output_path == "-":
        return texts[Path("-")].rstrip("\n"), 0
    for path, text in texts.items():
        formats.save(text, path)
    return "", 0


def _tokenize(options: argparse.Namespace) -> tuple[str, int]:
    tables: dict[Path, str] = {}
    for name, file in filing.texts_in(options.texts).items():
        text = formats.load_text(file)
        spans = filing.annotated(name, text, options.annotations) if options.annotations else []
        table, mismatches = tokens.tokenize(text, spans, options.separators)
        for mismatch in mismatches:
            _warn(mismatch.message(name))
        tables[Path(options.out, f"{name}.tab")] = tokens.write_table(table)
    for path, text in tables.items():
        formats.save(text, path)
    return "[INFO] Successfully completed.", 0


def _list(options: argparse.Namespace) -> tuple[str, int]:
    grid = LISTS[options.what]()
    if options.output == "json":
        return json.dumps([dict(zip(grid.header, row, strict=True)) for row in grid.rows], ensure_ascii=False), 0
    return WRITERS[options.output](grid._replace(prose=True)), 0


# -- the parser -----------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scoref", description="Scores coreference, anaphora and event nuggets.")
    parser.add_argument("--version", action="version", version=f"scoref {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("score", help="score a response against a key")
    command.set_defaults(command=_score)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    add_scoring(command)
    add_report(command)
    command.add_argument("--save", metavar="F", help="write the sums to a file, for merge and compare")
    add_output(command, report.OUTPUTS)

    command = commands.add_parser("compare", help="several responses: scores, differences, significance")
    command.set_defaults(command=_compare)
    command.add_argument("key", metavar="KEY", help="the gold annotation, unless all others are saved evaluations")
    command.add_argument("responses", nargs="+", metavar="SYSTEM",
                         help="responses to the key, or evaluations saved by score --save")  # fmt: skip
    add_scoring(command)
    command.add_argument("--pairs", choices=PAIRS, default="first",
                         help="differences to the first system, or of all pairs (default: first)")  # fmt: skip
    command.add_argument("--correction", choices=list(CORRECTIONS), default="holm",
                         help="of p-values, for the number of pairs (default: holm)")  # fmt: skip
    command.add_argument("--names", metavar="A,B", help="names of the systems (default: those of the files)")
    add_report(command, ci=False)
    add_output(command, report.OUTPUTS)

    command = commands.add_parser("merge", help="add up saved evaluations")
    command.set_defaults(command=_merge)
    command.add_argument("files", nargs="+", metavar="STATS", help="evaluations saved by score --save")
    command.add_argument("-o", "--out", metavar="F", help="write the sum to a file")
    command.add_argument("--metrics", metavar="A,B", help="some of the metrics that were saved")
    command.add_argument("--average", choices=CHOICES["average"], help=HELP["average"])
    add_report(command)
    add_output(command, report.OUTPUTS)

    command = commands.add_parser("stability", help="which metrics a noisy mention tagger can trick")
    command.set_defaults(command=_stability)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("response", metavar="RESPONSE", help="the system's output, likewise")
    add_scoring(command)
    command.add_argument("--repetitions", type=positive, default=REPETITIONS, metavar="N",
                         help=f"how often mentions are drawn at random (default {REPETITIONS})")  # fmt: skip
    command.add_argument("--seed", type=natural, default=SEED, metavar="N", help=f"of random numbers (default {SEED})")
    command.add_argument("--plot", metavar="FILE", help=f"draw it: {', '.join(SUFFIXES)}")
    add_output(command, report.OUTPUTS)

    command = commands.add_parser("errors", help="what went wrong, counted and located")
    command.set_defaults(command=_errors)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("responses", nargs="+", metavar="RESPONSE",
                         help="the system's output, likewise; of further ones, what they fix and break")  # fmt: skip
    add_scoring(command)
    command.add_argument("--list", action="store_true", help="every error, with its place")
    fields = ", ".join([*DOCUMENT_FIELDS, "entity", *VIEWS])
    command.add_argument("--by", metavar="FIELD", help=f"a breakdown too: {fields} or an attribute of mentions")
    command.add_argument("--repaired", metavar="DIR", help="write the response with each kind of error repaired")
    add_output(command, report.OUTPUTS)

    command = commands.add_parser("report", help="one self-contained HTML page to look at")
    command.set_defaults(command=_report)
    command.add_argument("key", metavar="KEY", help="the gold annotation: a file, a folder, or - for standard input")
    command.add_argument("responses", nargs="+", metavar="RESPONSE", help="the system's output, or several systems'")
    command.add_argument("-o", "--out", required=True, metavar="F", help="the page to write: report.html")
    add_scoring(command)
    command.add_argument("--names", metavar="A,B", help="names of the systems (default: those of the files)")
    add_resampling(command)

    command = commands.add_parser("validate", help="every problem in the files, with places")
    command.set_defaults(command=_validate)
    command.add_argument("files", nargs="+", metavar="FILE")
    add_reading(command, policy=False)
    command.add_argument("--types", metavar="FILE", help="event nuggets: the types that there are, one a line")
    command.add_argument("--texts", metavar="DIR", help="event nuggets: folder of texts, DOCUMENT.txt, for offsets")
    add_output(command, ("text", "json"))

    command = commands.add_parser("convert", help="between formats")
    command.set_defaults(command=_convert)
    command.add_argument("input", metavar="IN", help="a file, a folder, or - for standard input")
    command.add_argument("output_path", metavar="OUT", help="a file, a folder, or - for standard output")
    add_reading(command)
    command.add_argument(
        "--to", choices=list(formats.FORMATS), help="the format to write (default: by the ending of OUT)"
    )
    command.add_argument("--side", choices=formats.SIDES, default="key", help="which side of a file that holds both")

    command = commands.add_parser("tokenize", help="token tables of texts, for event nuggets")
    command.set_defaults(command=_tokenize)
    command.add_argument("texts", nargs="+", metavar="TEXT", help="a text, or a folder of texts (*.txt)")
    command.add_argument("-o", "--out", required=True, metavar="DIR", help="where to write NAME.tab for each NAME.txt")
    command.add_argument("--annotations", metavar="DIR",
                         help="brat annotation, NAME.ann for each text: tokens that it cuts are split")  # fmt: skip
    command.add_argument("--separators", default=tokens.SEPARATORS, metavar="CHARS",
                         help="letters at which tokens are cut, too (default: / - \\; '' for none)")  # fmt: skip

    command = commands.add_parser("list", help="what there is")
    command.set_defaults(command=_list)
    command.add_argument("what", choices=list(LISTS))
    add_output(command, report.OUTPUTS)
    return parser


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
