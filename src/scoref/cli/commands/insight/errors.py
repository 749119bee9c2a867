"""Find what went wrong, counted and located."""

from __future__ import annotations

import argparse
import os

from .... import formats
from ....document.document import Document
from ....document.forms import FORMS
from ....document.grouping import DOCUMENT_FIELDS
from ....errors.analysis import Analysis
from ....errors.listing import Wanted, plot
from ....errors.mistakes import KINDS
from ....errors.outcomes import VIEWS
from ....errors.slicing.finding import slices
from ....formats import How, Hows
from ....output.errors import error_notes, render_errors, render_mistakes, render_slices
from ....pairing.reading import refuse_twice
from ....problems import Error
from ....protocol.choices import OPTIONS
from ....protocol.protocol import protocol_of
from ....run.request import Key
from ....tables.inputs import TABLES, Options, are_tables, refuse_mixed
from ... import filenames
from ...evaluations import named_systems, reading, refuse_lone_fields, refuse_standard_input, scored, shown
from ...messages import warn, width
from ...options import add_breakdown, add_key, add_plot, add_scoring, add_seed, add_slices
from ...parsing import EVERYDAY, OUTPUT, CommandParser, add_output

_WANTED = {
    "kind": "one kind, like 'missing mention'",
    "form": f"mentions of one form: {', '.join(FORMS)}",
    "document": "documents with this name, or with this in their name",
    "dataset": "one dataset",
}


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_key(command)
    output = "the system's output, likewise; of further ones, what they fix and break"
    command.add_argument("responses", nargs="+", metavar="RESPONSE", help=output)
    add_scoring(command)
    command.add_to(EVERYDAY, "--list", action="store_true", help="every error, with its place and its words in context")
    for name, what in _WANTED.items():
        some = f"list the errors of {what}; may be given several times"
        command.add_to(OUTPUT, f"--{name}", action="append", default=[], metavar=name.upper(), help=some)
    add_breakdown(command, f"{', '.join([*DOCUMENT_FIELDS, 'entity', 'tangle', *VIEWS])} or an attribute of mentions")
    add_slices(command, "that lose more than the others of their documents; of further responses, how they differ")
    add_seed(command)
    command.add_to(OUTPUT, "--repaired", metavar="DIR", help="write the response with each kind of error repaired")
    add_plot(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What went wrong; `--repaired` writes the response without errors of each kind, alone and together."""
    paths = options.responses
    how = reading(options)
    if are_tables([options.key, *paths], how):
        return _of_tables(options, how)
    if options.repaired and len(paths) > 1:
        raise Error("one-response", "--repaired is for one response", remedy="name one response")
    if len(paths) > 1:
        refuse_standard_input(options.key, paths)
    refuse_lone_fields(options)
    if options.slices:
        return _slices(options, paths)
    if options.repaired and not how.response.format:  # its format is then found by reading it a second time
        refuse_twice([*paths, *paths])
    key, options.jobs = Key(options.key), 1  # one process, as documents are needed, not sums only
    analyses = {name: Analysis(scored(options, path, key)) for name, path in named_systems(paths, None).items()}
    found = next(iter(analyses.values()))
    if options.repaired and not found.of_coreference:
        raise Error("no-coreference", "--repaired is for coreference", remedy="choose --layer identity or deixis")
    given = Wanted(options.kind, options.form, options.document, options.dataset)
    wanted = given if any(given) else None
    if wanted and len(paths) > 1:
        message = "errors of some kinds, forms or documents are listed for one response"
        raise Error("one-response", message, remedy="name one response")
    text = render_errors(analyses, options.output, options.list, options.by, width(), wanted)
    if options.plot:
        plot(analyses, options.plot)
    if options.repaired:
        _write_repaired(found, options, how.response)
    return shown(text, error_notes(analyses), found.evaluation.signature_full, options)


def _slices(options: argparse.Namespace, paths: list[str]) -> tuple[str, int]:
    """Where a response loses more than elsewhere; where each further one gains on the first, or loses to it."""
    if given := [name for name in ("list", "by", "repaired", "plot", *_WANTED) if getattr(options, name)]:
        message = f"--slices stands alone, without --{given[0]}"
        raise Error("slices-alone", message, remedy=f"leave out --{given[0]}, or --slices")
    key = Key(options.key)
    (name, first), *others = [(name, scored(options, path, key)) for name, path in named_systems(paths, None).items()]
    how = {"fields": options.fields, "seed": options.seed}
    found = {other: slices(first, each, names=(name, other), **how) for other, each in others}
    return shown(render_slices(found or {name: slices(first, **how)}, first, options.output, width()), first.notes(),
                 first.signature_full, options)  # fmt: skip


def _of_tables(options: argparse.Namespace, how: Hows) -> tuple[str, int]:
    """The errors between tables: counts of splits and merges, and the costliest."""
    if len(options.responses) > 1 or options.repaired or options.by or options.plot or options.slices:
        message = "errors of tables are those of one response, not repaired, not by anything"
        raise Error("not-on-tables", message, remedy="name one response alone")
    from ....tables.mistakes import mistakes

    refuse_mixed([options.key, *options.responses], how)
    choices = {name: getattr(options, name) for name in OPTIONS if name != "types"}
    protocol = protocol_of(options.protocol or "conll-2012").change(**choices)
    most = options.max_size if options.max_size != formats.MOST else None
    tables = Options(how, **{name: getattr(options, name) for name in TABLES}, max_size=most)
    found = mistakes(options.key, options.responses[0], protocol, options.on_problem, tables)
    return render_mistakes(found, options.output), 0


def _write_repaired(found: Analysis, options: argparse.Namespace, how: How) -> None:
    """Write for each kind of error the response without it, and the one without it and all kinds before it."""
    path = options.responses[0]
    format = formats.named(how.format) if how.format else filenames.format_of(path, how.marks)
    by_file = os.path.isdir(path)
    if how.tokens and format.of_tokens != format.name:
        format, by_file = formats.named(format.of_tokens), False
    texts: dict[str, str | bytes] = {}
    wanted = {f"alone/{kind}": [kind] for kind in KINDS}
    wanted |= {f"together/{number}-{kind}": [*KINDS[:number]] for number, kind in enumerate(KINDS, 1)}
    for name, kinds in wanted.items():
        goal = os.path.join(options.repaired, name.replace(" ", "-"))
        files: dict[str, list[Document]] = {}
        for pair in found.repaired(kinds):
            file = os.path.join(goal, pair.dataset) if by_file else goal + format.suffix
            files.setdefault(file, []).append(pair.response)
        for file, documents in files.items():
            try:
                for part, each in filenames.parts(file, documents, format).items():
                    texts |= formats.rendered(each, part, format.name)
            except Error as error:  # a merged entity may have mentions that cross, say, which not all formats can hold
                warn(f"{file}: written as JSON lines, like the key, because: {error.problem.message}")
                texts[f"{file.removesuffix(format.suffix)}.jsonl"] = formats.dumps(documents, "jsonl")
                keys = [pair.key for pair in found.evaluation.evidence.pairs]
                texts[os.path.join(options.repaired, "key.jsonl")] = formats.dumps(keys, "jsonl")
    formats.save_all(texts)
