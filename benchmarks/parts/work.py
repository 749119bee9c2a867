"""How work grows in every command, and what several processes save."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpus
import formats
from measuring import Row, Settings, against, at_most, best, grown_processes, process, scoref_command


def every_command(settings: Settings) -> Iterator[Row]:
    """Ten times the mentions, in many small documents and in one: each command, in time and in memory."""
    tokens = 2_000 if settings.quick else 20_000
    for shape in ("documents of 100 tokens", "tokens in one document"):
        files: dict[str, tuple[Path, Path]] = {}
        for size in (tokens, 10 * tokens):
            small = shape.startswith("documents")
            texts = corpus.texts(size // 100, 100) if small else corpus.texts(1, size)
            name = f"{size // 100 if small else size:,}"
            files[name] = corpus.write_conll(texts, settings.within(f"{shape} {name}").folder)
        for command, *options in _COMMANDS:
            commands: dict[str, list[str | Path]] = {}
            for name, (key, response) in files.items():
                sides = [response] if command == "convert" else [key, response]
                there = [str(option).format(folder=key.parent) for option in options]
                commands[name] = [*scoref_command(), command, *sides, *there]
            said = " ".join([command, *(Path(option).name for option in options)])
            yield from grown_processes(f"{said}, {{}} {shape}", commands)


_COMMANDS = [
    ["score", "--by", "entity"],
    ["score", "--nested", "drop"],
    ["score", "--scope", "corpus", "--singletons", "drop"],
    ["score", "--save", "{folder}/sums"],
    ["errors"],
    ["report", "-o", "{folder}/page.html"],
    ["explain"],
    ["agreement"],
    ["stability"],
    ["validate"],
    *(["convert", f"{{folder}}/{ending}.{ending}"] for ending in ("jsonl", "tbf", "ann", "conllu", "conllua", "txt")),
]


def workers(settings: Settings) -> Iterator[Row]:
    """`--jobs 2` against one process, on two files of 54 MB and more; with `--cpu`, the work of all together."""
    least = 10 if settings.quick else 1
    for number, tokens, format in ((400, 2000, "conll"), (1600, 2000, "conll"), (70_000, 100, "jsonl")):
        texts = corpus.texts(number // least, tokens)
        folder = settings.within(f"{number} {format}").folder
        files = corpus.write_conll(texts, folder) if format == "conll" else formats.write(texts, format, folder)
        tasks = {jobs: process(*scoref_command(), "score", *files, "--metrics", "all", "--jobs", jobs) for jobs in "12"}
        seconds = best(tasks, 3 * settings.repetitions)
        size = sum(file.stat().st_size for file in files) / 2e6
        what = f"score --jobs 2, {number // least:,} documents of {tokens:,} tokens, {format}, {size:.0f} MB : --jobs 1"
        yield at_most(what, seconds["2"] / seconds["1"], 0.6, "×", against(seconds["2"], seconds["1"]))


PARTS = (every_command, workers)
