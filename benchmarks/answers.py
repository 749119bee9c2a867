"""Measures how long answers of language models take: marked texts that drifted, JSON of strings, hostile ones.

    python benchmarks/answers.py [answers] [letters of hostile answers]

Processor time of this process and those it starts; beside it the time for splitting the same texts into words.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import scoref
from drift import drifted, text

WORDS, CHANGED = 2_000, 0.03
STYLES = ("[{words}](#{id})", '<coref id="{id}">{words}</coref>', "[{words}]_{id}")
HOSTILE: dict[str, Callable[[int], str]] = {
    "opening brackets": lambda size: "[" * size,
    "empty brackets": lambda size: "[]" * (size // 2),
    "objects in objects": lambda size: '{"a":' * (size // 5),
    "marks that never close": lambda size: "[the](#" * (size // 7),
    "marks in marks": lambda size: "[" * (size // 10) + "the" + "](#1)" * (size // 6),
    "tags that never close": lambda size: '<e id="1">' * (size // 10),
    "fences": lambda size: "``` " * (size // 4),
    "bars": lambda size: "|" * size,
    "dashes below a table": lambda size: "|a|b|\n|" + "-" * size + "x\n",
    "line breaks": lambda size: "\n" * size + "x",
    "bullets": lambda size: "- the\n" * (size // 6),
    "comments in lists": lambda size: "[/*" * (size // 3),
    "backslashes": lambda size: '["' + "\\" * size,
    "strings": lambda size: json.dumps([["the"] * 10] * (size // 60)),
}


def processor_time() -> float:
    """Seconds of this process and of those that it started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def took(work: Callable[[], object]) -> float:
    """The seconds that some work takes."""
    before = processor_time()
    work()
    return processor_time() - before


def key(number: int) -> scoref.Document:
    """A text in which one word in eight begins a mention."""
    random_ = random.Random(number)
    words = text(WORDS, number)
    firsts = [first for first in range(0, WORDS - 4, 4) if random_.random() < 0.5]
    mentions = [scoref.Mention.at(first, first + random_.randrange(3), random_.randrange(60)) for first in firsts]
    return scoref.Document(f"text {number}", words, mentions)


def marked(document: scoref.Document, style: str) -> str:
    """The text with its marks, and with words that are lost, added and respelt."""
    before, behind = style.split("{words}")
    words = [*document.words]
    for each in document.mentions:
        first, last, id = each.span[0] >> 8, each.span[-1] >> 8, str(each.entity)
        words[first] = before.replace("{id}", id) + words[first]
        words[last] += behind.replace("{id}", id)
    return f"Sure! Here is the text:\n\n{' '.join(drifted(words, CHANGED))}\n\nLet me know if you need more."


def strings(document: scoref.Document) -> str:
    """The entities as lists of strings."""
    return json.dumps([[document.text_of(each) for each in entity] for entity in document.entities().values()])


def split(lines: list[str]) -> None:
    """Read the replies and split them: what any program must do at least."""
    for line in lines:
        json.loads(line)["output"].split()


def read(document: scoref.Document, reply: str) -> None:
    """Score an answer."""
    scoref.score(document, scoref.answer(reply), metrics=["muc"])


def main(number: int = 1_000, size: int = 1_000_000) -> None:
    """Print what was measured."""
    keys = [key(each) for each in range(number)]
    texts = [marked(each, STYLES[at % len(STYLES)]) for at, each in enumerate(keys)]
    kinds = {f"marks, {CHANGED:.0%} of the words changed": texts, "JSON of strings": [*map(strings, keys)]}
    with tempfile.TemporaryDirectory() as folder:
        scoref.write(keys, Path(folder, "key.jsonl"))
        for what, replies in kinds.items():
            lines = [json.dumps({"id": each.id, "output": reply}) for each, reply in zip(keys, replies, strict=True)]
            Path(folder, "answers.jsonl").write_text("\n".join(lines))
            least = took(partial(split, lines))
            for metric in ("mentions", "conll"):
                paths = Path(folder, "key.jsonl"), Path(folder, "answers.jsonl")
                seconds = took(lambda paths=paths, metric=metric: scoref.score(*paths, metrics=[metric]).to_dict())
                print(f"{number:,} answers of {WORDS:,} words, {what}, {metric}: {seconds:.1f} s, "
                      f"{seconds / least:.0f} times as long as splitting them")  # fmt: skip
    print(f"hostile answers of {size:,} letters, and how much longer four times as many take")
    for what, made in HOSTILE.items():
        few, many = (took(partial(read, keys[0], made(length))) for length in (size // 4, size))
        print(f"  {what}: {many:.2f} s, {many / max(few, 0.01):.1f} times")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
