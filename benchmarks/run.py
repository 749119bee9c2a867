"""Measures scoref against the limit of the machine, against other scorers and against itself, in one command.

    python benchmarks/run.py                        everything that needs no other scorer
    python benchmarks/run.py a f --quick            two parts, on smaller corpora
    python benchmarks/run.py b --peer perl=scorers/scorer.pl --peer coval=scorers/coval --peer scorch

What is compared is run in turn, several times, and the best time of each counts, so that the noise of the machine hits
all sides alike. A further benchmark is one more function and one more line of `PARTS`.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import corpus
import drift
import formats
import scoref
import systems
from scoref.layout import grid
from scoref.scoring.drift import align
from scoref.scoring.metrics import METRICS, document_counts

READ = "import sys, numpy; [print(open(path, 'rb').read().count(b'\\n')) for path in sys.argv[1:]]"


class Settings(NamedTuple):
    """What the command line says."""

    folder: Path
    quick: bool
    repetitions: int
    peers: dict[str, str]
    patience: float


class Row(NamedTuple):
    """One line of the table."""

    what: str
    measured: str
    target: str = ""
    met: str = ""


# -- measuring -------------------------------------------------------------------------------------------------------


def best(tasks: dict[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """The least seconds that each task took; the tasks take turns."""
    seconds = dict.fromkeys(tasks, float("inf"))
    for _ in range(repetitions):
        for name, task in tasks.items():
            gc.collect()
            started = CLOCK["now"]()
            task()
            seconds[name] = min(seconds[name], CLOCK["now"]() - started)
    return seconds


def processor_time() -> float:
    """Seconds that this process and those it started have spent on a processor."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


CLOCK: dict[str, Callable[[], float]] = {"now": time.perf_counter}


def process(*command: str | Path, patience: float | None = None) -> Callable[[], object]:
    """A task that runs a whole process."""
    arguments = [str(part) for part in command]

    def run() -> None:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=patience, check=False)
        if done.returncode:
            raise SystemExit(f"failed: {' '.join(arguments)}\n{done.stderr}")

    return run


def scoref_command() -> list[str]:
    """How to start scoref: as its users do, by the script beside this Python."""
    script = shutil.which("scoref", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-m", "scoref"]


def at_most(what: str, value: float, limit: float, unit: str, detail: str = "") -> Row:
    """A row whose value is not to exceed the limit."""
    return Row(what, f"{_number(value)} {unit}{detail}", f"≤ {limit:g} {unit}", "yes" if value <= limit else "no")


def at_least(what: str, value: float, limit: float, unit: str, detail: str = "") -> Row:
    """A row whose value is to reach the limit."""
    return Row(what, f"{_number(value)} {unit}{detail}", f"≥ {limit:g} {unit}", "yes" if value >= limit else "no")


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.3g}"


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _against(ours: float, theirs: float) -> str:
    return f" ({_time(ours)} : {_time(theirs)})"


# -- the parts -------------------------------------------------------------------------------------------------------


def limit(settings: Settings) -> list[Row]:
    """(a) A whole process with all metrics, against reading the files and counting their lines."""
    documents = 10 if settings.quick else 100
    key, response = corpus.write_conll(corpus.texts(documents, 2000), settings.folder)
    seconds = best(
        {
            "limit": process(sys.executable, "-c", READ, key, response),
            "scoref": process(*scoref_command(), "score", key, response, "--metrics", "all"),
        },
        3 * settings.repetitions,
    )
    what = f"score --metrics all, {documents} documents of 2,000 tokens : numpy, read, count lines"
    return [at_most(what, seconds["scoref"] / seconds["limit"], 4, "×", _against(seconds["scoref"], seconds["limit"]))]


def peers(settings: Settings) -> list[Row]:
    """(b) Other scorers on the same files, against scoref with all metrics."""
    documents = 5 if settings.quick else 100
    texts = corpus.texts(documents, 2000)
    files = {
        "conll": corpus.write_conll(texts, settings.folder),
        "clusters": corpus.write_clusters(texts, settings.folder),
    }
    rows = []
    for name, peer in PEERS.items():
        what = f"{name}, {documents} documents : score --metrics all"
        if name not in settings.peers:
            rows.append(Row(what, f"not given (--peer {name}=PATH)", f"≥ {peer.factor:g} ×"))
            continue
        key, response = files[peer.format]
        theirs = process(*peer.command(settings.peers[name], key, response), patience=settings.patience)
        ours = process(*scoref_command(), "score", key, response, "--metrics", "all")
        try:
            seconds = best({"scoref": ours, "peer": theirs, "scoref again": ours}, settings.repetitions)
        except subprocess.TimeoutExpired:
            rows.append(Row(what, f"stopped after {settings.patience:g} s", f"≥ {peer.factor:g} ×"))
            continue
        our_seconds = min(seconds["scoref"], seconds["scoref again"])
        detail = _against(seconds["peer"], our_seconds)
        rows.append(at_least(what, seconds["peer"] / our_seconds, peer.factor, "×", detail))
    return rows


class Peer(NamedTuple):
    """Another scorer: how many times faster scoref is to be, the format it reads, its command line."""

    factor: float
    format: str
    command: Callable[[str, Path, Path], list[str | Path]]


PEERS = {
    "perl": Peer(100, "conll", lambda path, key, response: ["perl", path, "all", key, response, "none"]),
    "coval": Peer(10, "conll", lambda path, *files: [sys.executable, Path(path) / "scorer.py", *files]),
    "scorch": Peer(1, "clusters", lambda path, *files: [path or "scorch", *files]),
}


def growth(settings: Settings) -> list[Row]:
    """(c) Ten times the input, as a library call: longer documents, and more of them."""
    rows = []
    steps = 2 if settings.quick else 3
    for what, shapes in {
        "1 document of {} tokens": [(1, 2_000), (1, 20_000), (1, 200_000)][:steps],
        "{} documents of 100 tokens": [(30, 100), (300, 100), (3_000, 100)][:steps],
    }.items():
        tasks: dict[str, Callable[[], object]] = {}
        for documents, tokens in shapes:
            folder = settings.folder / f"{documents}-{tokens}"
            folder.mkdir()
            files = corpus.write_conll(corpus.texts(documents, tokens), folder)
            size = documents if documents > 1 else tokens
            tasks[f"{size:,}"] = partial(scoref.score, *files, metrics=["all"])
        seconds = best(tasks, settings.repetitions)
        for before, after in pairwise(seconds):
            detail = _against(seconds[after], seconds[before])
            ratio = seconds[after] / seconds[before]
            rows.append(at_most(f"{what.format(after)} : {before}", ratio, 12, "×", detail))
    return rows


def large_table(settings: Settings) -> list[Row]:
    """(d) One million mentions in 250,000 entities, metric by metric."""
    mentions = 100_000 if settings.quick else 1_000_000
    tables = {f"{noise} %": corpus.table(*corpus.labels(mentions, mentions // 4, noise / 100)) for noise in (5, 20)}
    rows = []
    for name, metric in METRICS.items():
        seconds = best({noise: partial(document_counts, metric, table) for noise, table in tables.items()}, 2)
        what = f"{name}, {mentions:,} mentions in {mentions // 4:,} entities, 5 % (20 %) noise"
        rows.append(at_most(what, seconds["5 %"], 5, "s", f" ({_number(seconds['20 %'])} s)"))
    return rows


def scorer(settings: Settings) -> list[Row]:
    """(e) A training loop: `update` with clusters, and its share of `compute`."""
    documents = 20 if settings.quick else 200
    tokens = int(300 / corpus.MENTIONS)
    sides = [
        [list(corpus.clusters(mentions).values()) for mentions in (text.key, text.response)]
        for text in corpus.texts(documents, tokens)
    ]

    def loop(metrics: list[str] | None, compute: bool) -> None:
        scorer = scoref.Scorer(metrics=metrics)
        for key, response in sides:
            scorer.update(key, response)
        if compute:
            scorer.compute()["conll"]

    seconds = best(
        {
            "update": lambda: loop(None, False),
            "default": lambda: loop(None, True),
            "all": lambda: loop(["all"], True),
        },
        3 * settings.repetitions,
    )
    each = {name: 1000 * second / documents for name, second in seconds.items()}
    return [
        at_most("Scorer.update, a document of 300 mentions", each["update"], 1, "ms"),
        at_most("the same and its share of compute, default metrics", each["default"], 2, "ms"),
        at_most("the same and its share of compute, all metrics", each["all"], 2, "ms"),
    ]


def start(settings: Settings) -> list[Row]:
    """(f) A whole process on two tiny files, against one that imports numpy."""
    key, response = corpus.write_conll(corpus.texts(1, 60), settings.folder)
    seconds = best(
        {
            "numpy": process(sys.executable, "-c", "import numpy"),
            "scoref": process(*scoref_command(), "score", key, response),
        },
        10 * settings.repetitions,
    )
    detail = _against(seconds["scoref"], seconds["numpy"])
    return [at_most("score on two tiny files : import numpy", seconds["scoref"] / seconds["numpy"], 3, "×", detail)]


def solvers(settings: Settings) -> list[Row]:
    """(g) What the library for assignments costs before it does anything, against the usual choice."""
    modules = {"lapx": "lap", "scipy": "scipy.optimize"}
    missing = [name for name, module in modules.items() if find_spec(module.split(".")[0]) is None]
    if missing:
        return [Row("import of lapx : of scipy.optimize", f"not installed: {', '.join(missing)}")]
    tasks = {"numpy": process(sys.executable, "-c", "import numpy")}
    for name, module in modules.items():
        tasks[name] = process(sys.executable, "-c", f"import numpy, {module}")
    seconds = best(tasks, 5 * settings.repetitions)
    lapx, scipy = (seconds[name] - seconds["numpy"] for name in modules)
    sizes = [_installed(name) for name in modules]
    return [
        Row("import of lapx, of scipy.optimize, beyond numpy", f"{_time(max(lapx, 0))}, {_time(scipy)}"),
        Row("installed size of lapx, of scipy", f"{sizes[0]:.1f} MB, {sizes[1]:.1f} MB"),
    ]


def _installed(name: str) -> float:
    files = [file.locate() for file in metadata.files(name) or []]
    return sum(Path(str(file)).stat().st_size for file in files if Path(str(file)).is_file()) / 1e6


def comparing(settings: Settings) -> list[Row]:
    """(h) Tests and intervals of two systems beyond scoring them, and how often the test is wrong on equal ones."""
    documents = 50 if settings.quick else 350
    first, second = systems.equal_systems(documents)
    seconds = best({"": lambda: scoref.compare(None, {"A": first, "B": second})}, settings.repetitions)
    speed = f"compare, 10,000 trials, {len(first.scores)} metrics, {documents} documents"
    simulations = 200 if settings.quick else 2000
    shares = [100 * share for share in systems.rejected(simulations, 100, 1000).values()]
    mean = sum(shares) / len(shares)
    what = f"rejections at 5 %, equal systems, 100 documents, {simulations:,} simulations"
    measured = f"{mean:.2f} % (by metric {min(shares):.2f} to {max(shares):.2f} %)"
    return [at_most(speed, seconds[""], 2, "s"), Row(what, measured, "4 to 6 %", "yes" if 4 <= mean <= 6 else "no")]


def _whole_runs(
    settings: Settings, format: str, lines: int, peer: str, runs: dict[str, tuple[list[str], float]]
) -> list[Row]:
    """Whole processes on files of about that many lines, against a peer if its path is given, else as seconds."""
    texts = corpus.texts(2 if settings.quick else max(lines // 1000, 1), 1000)
    files = formats.write(texts, format, settings.folder)
    tasks = {name: process(*scoref_command(), "score", *files, *options) for name, (options, _) in runs.items()}
    seconds = best(tasks, settings.repetitions)
    rows = [
        Row(f"score, {format}, {1000 * len(texts):,} tokens a side, {name}", f"{seconds[name]:.2f} s", "", "")
        for name in runs
    ]
    if peer in settings.peers:
        for name, (_, least) in runs.items():
            command = [part.format(key=files[0], response=files[1]) for part in PEER_COMMANDS[peer][name]]
            other = best({peer: process(*[settings.peers[peer] if part == "PATH" else part for part in command])}, 1)[
                peer
            ]
            rows.append(at_least(f"{peer} : score, {name}", other / seconds[name], least, "×"))
    return rows


PEER_COMMANDS = {
    "ua": {"all metrics": [sys.executable, "PATH", "{key}", "{response}"]},
    "corefud": {
        "default": [sys.executable, "PATH", "{key}", "{response}"],
        "with singletons": [sys.executable, "PATH", "{key}", "{response}", "-s"],
    },
}


def universal_anaphora(settings: Settings) -> list[Row]:
    """(i) Whole runs on a CONLL-UA pair, against the official scorer (--peer ua=DIR/ua-scorer.py)."""
    return _whole_runs(settings, "ua", 27_000, "ua", {"all metrics": (["--metrics", "all"], 20)})


def corefud(settings: Settings) -> list[Row]:
    """(j) Whole runs on a CorefUD pair, against its scorer (--peer corefud=DIR/corefud-scorer.py); several settings."""
    runs = {"default": ([], 25.0), "with singletons": (["--singletons", "keep"], 50.0)}
    rows = _whole_runs(settings, "corefud", 44_000, "corefud", runs)
    files = settings.folder / "key.corefud", settings.folder / "response.corefud"
    three = ["--with", "match:exact", "--with", "singletons:keep"]
    seconds = best(
        {
            "one": process(*scoref_command(), "score", *files),
            "three": process(*scoref_command(), "score", *files, *three),
        },
        settings.repetitions,
    )
    ratio = seconds["three"] / seconds["one"]
    return [
        *rows,
        at_most("three settings in one run : one setting", ratio, 1.5, "×", _against(seconds["three"], seconds["one"])),
    ]


def nuggets(settings: Settings) -> list[Row]:
    """(k) Event nuggets: 200 documents of 100 mentions, and ten times the mentions in a document."""
    tokens = int(100 / corpus.MENTIONS)
    seconds = {}
    for name, documents, size in (
        ("many", 20 if settings.quick else 200, tokens),
        ("short", 5, tokens),
        ("long", 5, 10 * tokens),
    ):
        folder = settings.folder / name
        folder.mkdir(exist_ok=True)
        files = formats.write(corpus.texts(documents, size), "tbf", folder)
        seconds[name] = best(
            {name: lambda files=files: scoref.score(*files, protocol="evmeval-1.8")}, settings.repetitions
        )[name]
    ratio = seconds["long"] / seconds["short"]
    return [
        Row("score, 200 documents of 100 nuggets", f"{seconds['many']:.2f} s", "", ""),
        at_most("documents of 1,000 nuggets : of 100", ratio, 12, "×", _against(seconds["long"], seconds["short"])),
    ]


def looking(settings: Settings) -> list[Row]:
    """(l) Whole processes that find errors and that write a page, against scoring."""
    documents = 10 if settings.quick else 100
    files = corpus.write_conll(corpus.texts(documents, 2000), settings.folder)
    page = settings.folder / "report.html"
    tasks = {
        "score": process(*scoref_command(), "score", *files),
        "errors": process(*scoref_command(), "errors", *files),
        "report": process(*scoref_command(), "report", *files, "-o", page),
    }
    seconds = best(tasks, 3 * settings.repetitions)
    what = f"{documents} documents of 2,000 tokens"
    most = 2 * seconds["score"] + 2
    return [
        at_most(f"errors, {what} : score", seconds["errors"] / seconds["score"], 2, "×",
                _against(seconds["errors"], seconds["score"])),
        Row(f"report, {what}", f"{seconds['report']:.2f} s", f"≤ 2 × {seconds['score']:.2f} s + 2 s",
            "yes" if seconds["report"] <= most else "no"),
        at_most("size of that page", page.stat().st_size / 1e6, 6, "MB"),
    ]  # fmt: skip


def explaining(settings: Settings) -> list[Row]:
    """(m) Whole processes that score a corpus under every setting there is, against scoring it once."""
    documents = 10 if settings.quick else 100
    files = corpus.write_conll(corpus.texts(documents, 2000), settings.folder, parse=False)
    tasks = {
        "score": process(*scoref_command(), "score", *files, "--metrics", "all"),
        "explain": process(*scoref_command(), "explain", *files),
        "grid": process(*scoref_command(), "explain", *files, "--number", "conll=12.00"),
    }
    seconds = best(tasks, 3 * settings.repetitions)
    what = f"{documents} documents of 2,000 tokens : score --metrics all"
    return [
        at_most(f"explain, {what}", seconds["explain"] / seconds["score"], 5, "×",
                _against(seconds["explain"], seconds["score"])),
        at_most(f"explain --number, {what}", seconds["grid"] / seconds["score"], 5, "×",
                _against(seconds["grid"], seconds["score"])),
    ]  # fmt: skip


def marked(settings: Settings) -> list[Row]:
    """(n) Marked text of which 3 % of the words drifted: aligning it, and scoring the file."""
    size = 10_000 if settings.quick else 100_000
    words = drift.text(size)
    pieces = drift.drifted(words, drift.CHANGED)
    key = scoref.Document("d", tuple(words), tuple(scoref.Mention.at(n, n, n % 500) for n in range(0, size, 10)))
    path = settings.folder / "marked.txt"
    marked = (f"[{piece}](#{number % 500})" if number % 10 == 0 else piece for number, piece in enumerate(pieces))
    path.write_text(" ".join(marked), encoding="utf-8")
    tasks = {
        "align": lambda: align(words, pieces),
        "score": lambda: scoref.score(key, path, format="text", marks="markdown"),
    }
    seconds = best(tasks, settings.repetitions)
    return [
        at_most(f"align {size:,} words, 3 % changed", seconds["align"], 2, "s"),
        Row(f"score that text, {size // 10:,} mentions", f"{seconds['score']:.2f} s"),
    ]


PARTS: dict[str, Callable[[Settings], list[Row]]] = {
    "a": limit,
    "b": peers,
    "c": growth,
    "d": large_table,
    "e": scorer,
    "f": start,
    "g": solvers,
    "h": comparing,
    "i": universal_anaphora,
    "j": corefud,
    "k": nuggets,
    "l": looking,
    "m": explaining,
    "n": marked,
}


# -- the command -----------------------------------------------------------------------------------------------------


def main() -> None:
    """Run the parts that were asked for and print one table."""
    contents = "\n".join(f"  {name}  {(part.__doc__ or '').split(') ', 1)[1]}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        description=f"Measures scoref. Parts:\n{contents}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="letters (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller corpora, fewer repetitions")
    parser.add_argument(
        "--peer", action="append", default=[], metavar="NAME[=PATH]", help=f"of {', '.join([*PEERS, *PEER_COMMANDS])}"
    )
    parser.add_argument("--repetitions", type=int, metavar="N", help="more of them for a noisy machine (default 3)")
    parser.add_argument("--cpu", action="store_true", help="processor time, for a machine that is busy otherwise")
    parser.add_argument("--patience", type=float, default=900, metavar="SECONDS", help="for a peer (default 900)")
    parser.add_argument("--markdown", action="store_true", help="a Markdown table")
    options = parser.parse_args()
    given = dict(peer.partition("=")[::2] for peer in options.peer)
    if unknown := {*options.parts} - {*PARTS} | {*given} - {*PEERS, *PEER_COMMANDS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if options.cpu:
        CLOCK["now"] = processor_time
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's import starts threads that wait for work by spinning
    rows: list[tuple[grid.Cell, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        # all processes find their bytecode cached, as that of an installed package is
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        for name in options.parts or PARTS:
            print(f"{name} ...", file=sys.stderr)
            files = Path(folder, name)
            files.mkdir()
            repetitions = options.repetitions or (1 if options.quick else 3)
            settings = Settings(files, options.quick, repetitions, given, options.patience)
            rows += [(name, *row) for row in PARTS[name](settings)]
    table = ("", "what", "measured", "target", "met"), rows
    versions = f"scoref {scoref.__version__}, numpy {np.__version__}, Python {sys.version.split()[0]}"
    print(f"{versions}, {'processor' if options.cpu else 'elapsed'} time, {os.cpu_count()} cores\n")
    print(grid.markdown(grid.Grid("", *table)) if options.markdown else _text(*table))
    if options.quick:
        print("\n--quick: the targets are meant for the full sizes.")


def _text(header: tuple[str, ...], rows: list[tuple[grid.Cell, ...]]) -> str:
    lines = [header, *rows]
    widths = [max(len(str(line[column])) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


if __name__ == "__main__":
    main()
