"""Make one key of what several annotators marked."""

from __future__ import annotations

import argparse
from typing import cast

from .... import formats
from ....curation.curate import curate
from ....formats.fitting import fitted
from ....layout.render import rendered
from ....problems import bounded
from ....protocol.keywords import Keywords
from ...evaluations import named_systems, refuse_standard_input
from ...messages import warn, width
from ...options import add_force, add_names, add_reading
from ...parsing import EVERYDAY, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    marked = "what each annotator marked: a file, a folder, or - for standard input"
    command.add_argument("annotators", nargs="+", metavar="ANNOTATOR", help=marked)
    command.add_to(
        EVERYDAY, "-o", "--out", required=True, metavar="F", help="the key to write, by its ending: key.jsonl"
    )
    decided = "what was decided on the page of scoref agreement"
    command.add_to(EVERYDAY, "--decisions", metavar="FILE", help=decided)
    add_reading(command)
    add_names(command, "annotators")
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write the key, and list what was agreed, what a majority has, what is open."""
    refuse_standard_input(None, options.annotators)
    how = {name: getattr(options, name, None) for name in (*formats.SIDED, "glob", "max_size", "on_problem")}
    named = named_systems(options.annotators, options.names)
    made = curate(named, options.decisions, **cast("Keywords", how))
    target = formats.by_suffix(options.out)
    documents, notes = fitted(made.documents, target.name)
    for note in notes:
        warn(bounded(f"note: {note}"))
    texts = formats.rendered(documents, options.out, target.name, None)
    formats.refuse_repeated(documents, target)
    formats.save_all(texts)
    return rendered(made, "text", width()), 0
