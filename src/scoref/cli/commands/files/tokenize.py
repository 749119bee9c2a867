"""Make token tables of texts, for event nuggets."""

from __future__ import annotations

import argparse
import os

from .... import formats
from ....formats.tokens.tables import SEPARATORS, tokenize, write_table
from ... import filenames
from ...messages import warn
from ...options import add_force
from ...parsing import EVERYDAY, INPUT, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("texts", nargs="+", metavar="TEXT", help="a text, or a folder of texts (*.txt)")
    tables = "where to write NAME.tab for each NAME.txt"
    command.add_to(EVERYDAY, "-o", "--out", dest="folder", required=True, metavar="DIR", help=tables)
    annotations = "brat annotation, NAME.ann for each text: tokens that it cuts are split"
    separators = "letters at which tokens are cut, too (default: / - \\; '' for none)"
    command.add_to(INPUT, "--annotations", metavar="DIR", help=annotations)
    command.add_to(INPUT, "--separators", default=SEPARATORS, metavar="CHARS", help=separators)
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write a token table for each text."""
    tables: dict[str, str] = {}
    for name, file in filenames.texts_in(options.texts).items():
        text = formats.load_text(file)
        spans = filenames.annotated(name, text, options.annotations) if options.annotations else []
        table, mismatches = tokenize(text, spans, options.separators)
        for mismatch in mismatches:
            warn(mismatch.message(name))
        tables[os.path.join(options.folder, f"{name}.tab")] = write_table(table)
    formats.save_all(tables)
    return "[INFO] Successfully completed.", 0
