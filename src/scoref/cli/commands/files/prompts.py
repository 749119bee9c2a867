"""Write prompts for language models; their answers are scored as they come."""

from __future__ import annotations

import argparse

from .... import formats
from ....problems import bounded
from ....prompting.prompts import SHOTS, prompts
from ....prompting.shapes import SHAPES
from ....prompting.wording import SINGLETONS
from ...messages import warn
from ...options import add_force, add_key, add_reading, positive
from ...parsing import EVERYDAY, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    out = "the file to write, a line of JSON for each document: id, prompt, text (default: standard output)"
    command.add_to(EVERYDAY, "-o", "--out", metavar="FILE", default="-", help=out)
    style = "the shape of answers: a style of marks, or JSON (default: markdown)"
    command.add_to(EVERYDAY, "--style", choices=list(SHAPES), default="markdown", help=style)
    few = "another key, whose first documents are given as examples"
    command.add_to(EVERYDAY, "--few", metavar="KEY", help=few)
    shots = f"how many examples (default: {SHOTS}, or as many as there are)"
    command.add_to(EVERYDAY, "--shots", type=positive, metavar="N", help=shots)
    chat = "messages of a chat instead of one prompt: the instruction, examples as turns, the text"
    command.add_to(EVERYDAY, "--chat", action="store_true", help=chat)
    with_key = "also the document of the key, which harnesses score the answer against"
    command.add_to(EVERYDAY, "--with-key", action="store_true", help=with_key)
    singletons = "whether entities with one mention are asked for (default: as the key has them)"
    command.add_to(EVERYDAY, "--singletons", choices=list(SINGLETONS), help=singletons)
    add_reading(command)
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write a prompt for each document."""
    how = {name: getattr(options, name, None) for name in formats.SIDED}
    made = prompts(
        options.key, options.style, few=options.few, shots=options.shots, singletons=options.singletons,
        on_problem=options.on_problem, **how, max_size=options.max_size,
    )  # fmt: skip
    for note in made.notes():
        warn(bounded(f"note: {note}"))
    for problem in made.problems:
        warn(f"{'skipped' if problem.fatal else 'note'}: {problem}")
    text = made.dumps(options.chat, options.with_key)
    if options.out == "-":
        return text.rstrip("\n"), 0
    formats.save(text, options.out)
    return "", 0
