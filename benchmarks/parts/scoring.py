"""Scoring well-formed files: against the limit of the machine, against other scorers, and its parts alone."""

from __future__ import annotations

import sys
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import corpus
import formats
import scoref
from measuring import READ, Row, Settings, Task, against, at_most, best, grown, number, process, scoref_command, span
from peers import raced
from scoref.counting.coreference import ON_TABLE
from scoref.counting.metrics import document_counts
from scoref.formats import Source, detect
from scoref.run.suspicion import observed, signs


def limit(settings: Settings) -> list[Row]:
    """A whole process with all metrics, against one that imports numpy, reads both files and counts their lines."""
    documents = 10 if settings.quick else 100
    files = corpus.write_conll(corpus.texts(documents, 2000), settings.folder)
    return _limited(settings, files, f"{documents} documents of 2,000 tokens")


def real(settings: Settings) -> list[Row]:
    """Files that are not made here (--files): CoNLL against the limit, all against other scorers (--peer)."""
    rows = []
    for name, files in settings.files.items():
        format = detect(Source(files[0].read_bytes(), str(files[0]))).name
        rows += _limited(settings, files, name) if format == "conll" else []
        rows += raced(settings, format, files, name)
    return rows or [Row("files", "none given (--files NAME=KEY,RESPONSE)")]


def _limited(settings: Settings, files: tuple[Path, Path], corpus: str) -> list[Row]:
    seconds = best(
        {
            "limit": process(sys.executable, "-c", READ, *files),
            "scoref": process(*scoref_command(), "score", *files, "--metrics", "all"),
        },
        3 * settings.repetitions,
    )
    what = f"score --metrics all, {corpus} : limit"
    return [at_most(what, seconds["scoref"] / seconds["limit"], 2.5, "×", against(seconds["scoref"], seconds["limit"]))]


def scorers(settings: Settings) -> list[Row]:
    """Other scorers on the same files, as whole processes (--peer)."""
    documents = 5 if settings.quick else 100
    texts = corpus.texts(documents, 2000)
    long = f"{documents} documents of 2,000 tokens"
    rows = raced(settings, "conll", corpus.write_conll(texts, settings.folder), long)
    rows += raced(settings, "clusters", corpus.write_clusters(texts, settings.folder), long)
    for format, thousands in (("ua", 27), ("corefud", 44)):
        texts = corpus.texts(2 if settings.quick else thousands, 1000)
        files = formats.write(texts, format, settings.folder)
        rows += raced(settings, format, files, f"{len(texts)} documents of 1,000 tokens")
    texts = corpus.texts(20 if settings.quick else 200, int(100 / corpus.MENTIONS))
    files = formats.write(texts, "tbf", settings.folder)
    return rows + raced(settings, "tbf", files, f"{len(texts)} documents of 100 nuggets")


def start(settings: Settings) -> list[Row]:
    """A whole process on two tiny files, against one that imports numpy; and one that only says its version."""
    files = corpus.write_conll(corpus.texts(1, 60), settings.folder)
    seconds = best(
        {
            "python": process(sys.executable, "-c", "pass"),
            "numpy": process(sys.executable, "-c", "import numpy"),
            "scoref": process(*scoref_command(), "score", *files),
            "version": process(*scoref_command(), "--version"),
            "help": process(*scoref_command(), "--help"),
        },
        10 * settings.repetitions,
    )
    rows = [
        at_most("score on two tiny files : import numpy", seconds["scoref"] / seconds["numpy"], 1.3, "×",
                against(seconds["scoref"], seconds["numpy"]))
    ]  # fmt: skip
    for name in ("version", "help"):
        detail = against(seconds[name], seconds["python"])
        rows.append(at_most(f"scoref --{name} : python -c pass", seconds[name] / seconds["python"], 4, "×", detail))
    return rows


def growth(settings: Settings) -> list[Row]:
    """Ten times the input, as a library call with all metrics: longer documents, and more of them."""
    rows = []
    steps = 2 if settings.quick else 3
    for what, shapes in {
        "1 document of {} tokens": [(1, 2_000), (1, 20_000), (1, 200_000)][:steps],
        "{} documents of 100 tokens": [(30, 100), (300, 100), (3_000, 100)][:steps],
    }.items():
        tasks: dict[str, Task] = {}
        for documents, tokens in shapes:
            folder = settings.within(f"{documents}-{tokens}").folder
            files = corpus.write_conll(corpus.texts(documents, tokens), folder)
            size = documents if documents > 1 else tokens
            tasks[f"{size:,}"] = partial(scoref.score, *files, metrics=["all"])
        rows += grown(what, tasks, settings.repetitions)
    return rows


def doubts(settings: Settings) -> list[Row]:
    """Looking for signs that a number is not what was meant, as a share of the process that scores."""
    documents = 10 if settings.quick else 100
    made = corpus.write_conll(corpus.texts(documents, 2000), settings.folder)
    rows = []
    for name, files in {f"{documents} documents of 2,000 tokens": made, **settings.files}.items():
        result = scoref.score(*files)
        seconds = best(
            {
                "looking": lambda result=result: signs(observed(result, result.evidence.pairs), result),
                "scoring": process(*scoref_command(), "score", *files, "--jobs", "1"),
            },
            3 * settings.repetitions,
        )
        share = 100 * seconds["looking"] / seconds["scoring"]
        rows.append(at_most(f"looking for signs, {name} : score", share, 5, "%"))
    return rows


def metrics(settings: Settings) -> list[Row]:
    """One table of a million mentions in 250,000 entities, metric by metric, with 5 % and 20 % of them moved."""
    mentions = 100_000 if settings.quick else 1_000_000
    tables = {f"{noise} %": corpus.table(*corpus.labels(mentions, mentions // 4, noise / 100)) for noise in (5, 20)}
    rows = []
    for name, metric in ON_TABLE.items():
        seconds = best({noise: partial(document_counts, metric, table) for noise, table in tables.items()}, 2)
        rows.append(at_most(f"{name}, 5 % (20 %)", seconds["5 %"], 5, "s", f" ({number(seconds['20 %'])} s)"))
    return rows


def solvers(settings: Settings) -> list[Row]:
    """What the library for assignments costs before it does anything, against the usual choice."""
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
        Row("import of lapx, of scipy.optimize, beyond numpy", f"{span(max(lapx, 0))}, {span(scipy)}"),
        Row("installed size of lapx, of scipy", f"{sizes[0]:.1f} MB, {sizes[1]:.1f} MB"),
    ]


def _installed(name: str) -> float:
    files = [file.locate() for file in metadata.files(name) or []]
    return sum(Path(str(file)).stat().st_size for file in files if Path(str(file)).is_file()) / 1e6


PARTS = (limit, scorers, real, start, growth, doubts, metrics, solvers)
