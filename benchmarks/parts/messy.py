"""Files as messy as the world, and extremes: what well-formed corpora of one size do not show."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import corpus
import formats
import messy as made
from measuring import READ, Row, Settings, against, at_most, best, grown_processes, process, scoref_command, took
from peers import raced


def messy(settings: Settings) -> list[Row]:
    """Key and response differ in columns, blanks and the order of documents; mentions nest and cross, some repeat.

    In CONLL-UA and CorefUD, every third span of the response is cut shorter; CorefUD has zeros and mentions in two
    pieces, too; event nuggets have several types and pieces. The Perl scorer refuses files with more than ten repeated
    mentions, so these are a row of their own.
    """
    documents = 5 if settings.quick else 100
    what = f"{documents} documents of 2,000 tokens"
    files = made.write_conll(made.texts(documents, 2000), settings.folder)
    repeated = made.write_conll(made.texts(documents, 2000, repeated=0.01), settings.within("repeated").folder)
    tasks = {"limit": process(sys.executable, "-c", READ, *files)}
    tasks |= {name: process(*scoref_command(), "score", *each, "--metrics", "all")
              for name, each in (("once", files), ("repeated", repeated))}  # fmt: skip
    seconds = best(tasks, settings.repetitions)
    rows = [
        at_most(f"score --metrics all, {what}{more} : limit", seconds[name] / seconds["limit"], 3, "×",
                against(seconds[name], seconds["limit"]))
        for name, more in (("once", ""), ("repeated", ", 1 % in two entities"))
    ]  # fmt: skip
    rows += raced(settings, "conll", files, what)
    for format, thousands in (("ua", 27), ("corefud", 44)):
        texts = made.texts(2 if settings.quick else thousands, 1000, crossing=format != "ua")
        files = made.write(texts, format, settings.folder)
        rows += raced(settings, format, files, f"{len(texts)} documents of 1,000 tokens")
    texts = made.texts(20 if settings.quick else 200, int(100 / corpus.MENTIONS))
    nuggets = made.write_nuggets(texts, settings.folder)
    return rows + raced(settings, "tbf", nuggets, f"{len(texts)} documents of 130 nuggets")


def _scored(*options: str) -> Callable[[tuple[Path, Path]], list[str | Path]]:
    return lambda files: [*scoref_command(), "score", *files, *options]


def small_documents(settings: Settings) -> list[Row]:
    """Up to 100,000 documents of 20 tokens, in CoNLL and JSON lines: time and memory."""
    steps = [100, 1_000] if settings.quick else [10_000, 100_000]
    rows = []
    for format in ("conll", "jsonl"):
        commands = {}
        for number in steps:
            texts, folder = made.small_documents(number), settings.within(f"{format}-{number}").folder
            files = corpus.write_conll(texts, folder) if format == "conll" else formats.write(texts, format, folder)
            commands[f"{number:,}"] = _scored()(files)
        rows += grown_processes(f"score, {{}} documents of 20 tokens, {format}", commands)
    return rows


def many_mentions(settings: Settings) -> list[Row]:
    """A million mentions in 70,000 documents, JSON lines."""
    documents = 700 if settings.quick else 70_000
    files = formats.write(corpus.texts(documents, 100), "jsonl", settings.folder)
    used = took(*scoref_command(), "score", *files)
    what = f"score, {14 * documents:,} mentions in {documents:,} documents"
    return [at_most(what, used.seconds, 5, "s"), at_most("its memory", used.megabytes, 400, "MB")]


def long_document(settings: Settings) -> list[Row]:
    """One document of up to a million tokens, messy, in CoNLL: time and memory."""
    commands = {}
    for tokens in [1_000, 10_000] if settings.quick else [100_000, 1_000_000]:
        files = made.write_conll(made.texts(1, tokens), settings.within(str(tokens)).folder)
        commands[f"{tokens:,}"] = _scored("--metrics", "all")(files)
    return grown_processes("score --metrics all, {} tokens", commands)


def giant_entity(settings: Settings) -> list[Row]:
    """All mentions in one entity, against each in an entity of its own: scoring, errors, without singletons."""
    rows = []
    sizes = [1_000, 10_000] if settings.quick else [20_000, 200_000]
    files = {}
    for mentions in sizes:
        folder = settings.within(str(mentions)).folder
        files[f"{mentions:,}"] = corpus.write_conll([made.giant(2 * mentions)], folder, parse=False)
    for command in (["score", "--metrics", "all"], ["score", "--singletons", "drop"], ["score", "--nested", "drop"],
                    ["errors"]):  # fmt: skip
        name, *options = command
        commands = {size: [*scoref_command(), name, *each, *options] for size, each in files.items()}
        rows += grown_processes(f"{' '.join(command)}, {{}} mentions", commands)
    return rows


def ties(settings: Settings) -> list[Row]:
    """Several mentions around the same head in one document: head matching in CorefUD, minimum spans in CONLL-UA."""
    rows = []
    sizes = [500, 5_000] if settings.quick else [4_800, 48_000]
    for format, options in (("corefud", ["--match", "head"]), ("corefud", ["--match", "partial"]),
                            ("ua", ["--match", "min"])):  # fmt: skip
        commands = {}
        for mentions in sizes:
            files = made.write([made.tied(5 * mentions // 2)], format, settings.within(f"{format}-{mentions}").folder)
            commands[f"{mentions:,}"] = _scored(*options)(files)
        rows += grown_processes(f"score {' '.join(options)}, {{}} mentions, {format}", commands)
    return rows


PARTS = (messy, small_documents, many_mentions, long_document, giant_entity, ties)
