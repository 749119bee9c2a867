"""See how far annotators agree: f1 of pairs, α, κ."""

from __future__ import annotations

import argparse

from ....document.grouping import DOCUMENT_FIELDS
from ....layout.render import rendered
from ....statistics.agreement import LABELS, agreement
from ...evaluations import keywords, named_systems, refuse_standard_input, resampling, shown
from ...messages import width
from ...options import add_breakdown, add_force, add_names, add_resampling, add_scoring
from ...parsing import COUNTS, OUTPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    marked = "what each annotator marked: a file, a folder, or - for standard input"
    command.add_argument("annotators", nargs="+", metavar="ANNOTATOR", help=marked)
    add_scoring(command, sides=False)
    label = f"the attribute of mentions that κ is for (default: {', '.join(LABELS)})"
    command.add_to(COUNTS, "--label", metavar="FIELD", help=label)
    add_breakdown(command, f"{', '.join(DOCUMENT_FIELDS)} or a comment of documents")
    add_resampling(command)
    command.add_to(OUTPUT, "-o", "--out", metavar="F", help="write a page to look at, where nobody is the key")
    add_force(command)
    add_names(command, "annotators")
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The agreement, as it was asked for."""
    paths = options.annotators
    refuse_standard_input(None, paths)
    named = named_systems(paths, options.names)
    result = agreement(named, label=options.label, by=options.by, **resampling(options), **keywords(options))
    text = rendered(result, options.output, width())
    if options.out:
        from ....formats import save
        from ....page.build import agreement_page

        save(agreement_page(result), options.out)
    return shown(text, result.notes(), result.signature_full, options)
