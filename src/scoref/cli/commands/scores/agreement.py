"""See how far annotators agree: f1 of pairs, α, κ."""

from __future__ import annotations

import argparse

from ....document.grouping import DOCUMENT_FIELDS
from ....layout.render import rendered
from ....pairing.names import file_names
from ....statistics.annotators import LABELS, agreement
from ...evaluations import given_names, keywords, refuse_standard_input, told_apart, with_full_signature
from ...messages import warn_beside_csv, width
from ...options import add_breakdown, add_force, add_names, add_resampling, add_scoring
from ...parsing import COUNTS, OUTPUT, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("annotators", nargs="+", metavar="ANNOTATOR",
                         help="what each annotator marked: a file, a folder, or - for standard input")  # fmt: skip
    add_scoring(command)
    command.add_to(
        COUNTS,
        "--label",
        metavar="FIELD",
        help=f"the attribute of mentions that κ is for (default: {', '.join(LABELS)})",
    )
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
    names = given_names(paths, options.names) if options.names else told_apart(file_names(paths))
    made = {"trials": options.trials, "seed": options.seed, "unit": options.unit}
    named = dict(zip(names, paths, strict=True))
    result = agreement(named, label=options.label, by=options.by, **made, **keywords(options))
    text = rendered(result, options.output, width())
    if options.out:
        from ....formats import save
        from ....page.annotators import agreement_page

        save(agreement_page(result), options.out)
    warn_beside_csv(options.output, result.notes())
    return with_full_signature(text, result.signature_full, options), 0
