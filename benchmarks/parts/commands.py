"""What else users do: training loops, comparisons, errors, pages, explanations, several settings, marked texts."""

from __future__ import annotations

import runpy
import sys
from typing import Any

import numpy as np

import corpus
import drift
import formats
import scoref
import systems
from measuring import Row, Settings, Task, against, at_least, at_most, best, process, scoref_command, took
from scoref.evaluator import CorefEvaluator
from scoref.texts.align import align


def scorer(settings: Settings) -> list[Row]:
    """A training loop: `Scorer.update` with clusters, and its share of `compute`."""
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
        *(row for mentions in (15, 75, 300) for row in _copied(settings, mentions)),
    ]


def _copied(settings: Settings, mentions: int) -> list[Row]:
    """An epoch of 100 documents, updates and scores together, against a copied evaluator on the same spans."""
    sides = [
        [[*map(tuple, _spans(each).values())] for each in (text.key, text.response)]
        for text in corpus.texts(100, int(mentions / corpus.MENTIONS))
    ]

    def epoch(evaluator: Any, *maps: bool) -> None:
        for key, response in sides:
            both = [{span: entity for entity in side for span in entity} for side in (response, key) if maps]
            evaluator.update(response, key, *both)
        evaluator.get_prf()

    tasks: dict[str, Task] = {"ours": lambda: epoch(CorefEvaluator())}
    if "evaluator" in settings.peers:
        copied = runpy.run_path(settings.peers["evaluator"])["CorefEvaluator"]
        tasks["theirs"] = lambda: epoch(copied(), True)
    seconds = best(tasks, 3 * settings.repetitions)
    number = sum(len(entity) for both in sides for side in both for entity in side)
    what = f"100 documents of {mentions} mentions"
    rows = [Row(f"an epoch of {what}, for each mention of both sides", f"{1e6 * seconds['ours'] / number:.3g} µs")]
    if "theirs" in seconds:
        ratio, detail = seconds["theirs"] / seconds["ours"], against(seconds["theirs"], seconds["ours"])
        return [*rows, at_least(f"copied evaluator : scoref, {what}", ratio, 20, "×", detail)]
    return [*rows, Row(f"copied evaluator : scoref, {what}", "not given (--peer evaluator=FILE)", "≥ 20 ×")]


def _spans(mentions: list[corpus.Mention]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for first, last, entity in mentions:
        found.setdefault(entity, []).append((first, last))
    return found


def comparing(settings: Settings) -> list[Row]:
    """Tests and intervals of two systems beyond scoring them, and how often the test is wrong on equal ones."""
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


def many_systems(settings: Settings) -> list[Row]:
    """Thirty systems in one comparison, as whole processes, against reading each file once."""
    texts = corpus.texts(10 if settings.quick else 100, 500)
    random, paths = np.random.default_rng(1), []
    for number in range(30):
        noisy = [text._replace(response=systems.noisy(text.key, random)) for text in texts]
        key, response = corpus.write_conll(noisy, settings.folder, parse=False)
        paths.append(response.rename(settings.folder / f"system{number:02}.conll"))
    read = "import gc, sys, scoref; gc.disable(); [list(scoref.read(path)) for path in sys.argv[1:]]"
    tasks = {
        "reading": process(sys.executable, "-c", read, key, *paths),
        "compare": process(*scoref_command(), "compare", key, *paths),
        "few": process(*scoref_command(), "compare", key, *paths, "--trials", "100"),
    }
    seconds = best(tasks, settings.repetitions)
    what = f"30 systems, {len(texts)} documents of 500 tokens : reading"
    return [
        at_most(f"compare, {what}", seconds["compare"] / seconds["reading"], 1.3, "×",
                against(seconds["compare"], seconds["reading"])),
        Row("the same with 100 trials", f"{seconds['few'] / seconds['reading']:.3g} ×"),
    ]  # fmt: skip


def settings_at_once(settings: Settings) -> list[Row]:
    """A CorefUD pair under three settings in one run, against one setting."""
    files = formats.write(corpus.texts(2 if settings.quick else 44, 1000), "corefud", settings.folder)
    three = ["--with", "match:exact", "--with", "singletons:keep"]
    seconds = best(
        {
            "one": process(*scoref_command(), "score", *files),
            "three": process(*scoref_command(), "score", *files, *three),
        },
        settings.repetitions,
    )
    ratio = seconds["three"] / seconds["one"]
    return [at_most("three settings : one setting", ratio, 1.5, "×", against(seconds["three"], seconds["one"]))]


def nuggets(settings: Settings) -> list[Row]:
    """Event nuggets: ten times the mentions in a document."""
    tokens = int(100 / corpus.MENTIONS)
    tasks = {}
    for name, size in (("100", tokens), ("1,000", 10 * tokens)):
        files = formats.write(corpus.texts(5, size), "tbf", settings.within(name).folder)
        tasks[name] = lambda files=files: scoref.score(*files, protocol="evmeval-1.8")
    seconds = best(tasks, settings.repetitions)
    detail = against(seconds["1,000"], seconds["100"])
    return [at_most("documents of 1,000 nuggets : of 100", seconds["1,000"] / seconds["100"], 12, "×", detail)]


def looking(settings: Settings) -> list[Row]:
    """Whole processes that find errors and that write a page, against scoring."""
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
                against(seconds["errors"], seconds["score"])),
        Row(f"report, {what}", f"{seconds['report']:.2f} s", f"≤ 2 × {seconds['score']:.2f} s + 2 s",
            "yes" if seconds["report"] <= most else "no"),
        at_most("size of that page", page.stat().st_size / 1e6, 2, "MB"),
        *_looking_at_many(settings),
    ]  # fmt: skip


def _looking_at_many(settings: Settings) -> list[Row]:
    """A page of thousands of short documents, against scoring them."""
    documents = 100 if settings.quick else 5000
    page = settings.folder / "many.html"
    rows = []
    for tokens in (100, 300):
        files = corpus.write_conll(corpus.texts(documents, tokens), settings.within(f"many-{tokens}").folder)
        score = min(took(*scoref_command(), "score", *files, "--jobs", "1") for _ in range(settings.repetitions))
        report = min(took(*scoref_command(), "report", *files, "-o", page) for _ in range(settings.repetitions))
        what = f"report, {documents:,} documents of {tokens} tokens : score --jobs 1"
        detail = against(report.seconds, score.seconds)
        rows.append(at_most(what, report.seconds / score.seconds, 3, "×", detail))
        rows.append(at_most("memory of that report", report.megabytes, 500, "MB", f"; score: {score.megabytes:.0f} MB"))
    return rows


def explaining(settings: Settings) -> list[Row]:
    """Whole processes that score a corpus under every setting there is, against scoring it once."""
    rows = []
    for number, tokens, parse in ((100, 2000, False), (100, 2000, True), (2000, 100, True)):
        documents = number // 10 if settings.quick else number
        folder = settings.within(f"{number} {parse}").folder
        files = corpus.write_conll(corpus.texts(documents, tokens), folder, parse=parse)
        tasks = {
            "score": process(*scoref_command(), "score", *files),
            "explain": process(*scoref_command(), "explain", *files),
            "explain --number": process(*scoref_command(), "explain", *files, "--number", "conll=12.00"),
        }
        seconds = best(tasks, settings.repetitions)
        score = seconds.pop("score")
        what = f"{documents:,} documents of {tokens:,} tokens, {'with' if parse else 'without'} a parse : score"
        for name, spent in seconds.items():
            rows.append(at_most(f"{name}, {what}", spent / score, 4, "×", against(spent, score)))
    return rows


def converting(settings: Settings) -> list[Row]:
    """Whole processes that write a CoNLL file with all columns in another format, against scoring it."""
    documents = 200 if settings.quick else 2000
    files = corpus.write_conll(corpus.texts(documents, 100), settings.folder)
    tasks = {"score": process(*scoref_command(), "score", *files)}
    for ending in ("jsonl", "conllu", "conllua", "ann", "tbf", "txt", "conll"):
        out = settings.folder / f"out.{ending}"
        tasks[ending] = process(*scoref_command(), "convert", files[1], out, "--force")
    seconds = best(tasks, settings.repetitions)
    score = seconds.pop("score")
    what = f"{documents:,} documents of 100 tokens : score"
    return [
        at_most(f"convert to {ending}, {what}", spent / score, 2, "×", against(spent, score))
        for ending, spent in seconds.items()
    ]


def marked(settings: Settings) -> list[Row]:
    """Marked text of which 3 % of the words drifted: aligning it, and scoring the file."""
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


PARTS = (scorer, comparing, many_systems, settings_at_once, nuggets, looking, explaining, converting, marked)
