"""Convert between formats."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import cast

from .... import formats
from ....document.document import Document, about
from ....formats.fitting import fitted
from ....problems import Error, Problems, bounded
from ....processes import reported
from ....protocol.keywords import Keywords
from ....run.request import Request, opened
from ... import filenames
from ...messages import progress, warn
from ...options import add_force, add_reading
from ...parsing import EVERYDAY, INPUT, OUTPUT, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("input", metavar="IN", help="a file, a folder, or - for standard input")
    command.add_argument("output_path", metavar="OUT", help="a file, a folder, or - for standard output")
    written, side = "the format to write (default: by the ending of OUT)", "which side of a file that holds both"
    command.add_to(EVERYDAY, "--to", choices=list(formats.FORMATS), help=written)
    add_reading(command)
    beside = "the key of answers of language models, which have no words of their own: they are written at its words"
    command.add_to(INPUT, "--key", metavar="KEY", help=beside)
    command.add_to(INPUT, "--side", choices=formats.SIDES, default="key", help=side)
    styles = [style for format in formats.FORMATS.values() for style in format.styles]
    command.add_to(OUTPUT, "--style", choices=styles, help="of marks in text that is written")
    add_force(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Write the documents of the input in another format."""
    problems = Problems(options.on_problem)
    target = formats.named(options.to) if options.to else None
    if options.key is not None:
        return _beside_key(options, problems)
    texts: dict[str, str | bytes] = {}
    files = formats.files(options.input, options.glob)
    whole = None if target or "" in files else filenames.one_file(options.output_path)
    gathered: list[Document] = []
    by_file: dict[str, str] = {}  # documents that get the name of their file when read again
    for name, file in reported([*files.items()], "files read", progress()):
        data = formats.load(file, options.max_size)
        source = formats.Source(data, file, options.side, options.ends, options.tokens, marks=options.marks)
        found, documents = formats.read_source(source, options.format, problems)
        documents = formats.named_by_file(documents, found, name)
        _refuse_answers(documents)
        if whole:
            gathered += filenames.with_name(documents, name.removesuffix(found.suffix))
            continue
        path, to = filenames.goal(options.output_path, name.removesuffix(found.suffix), target)
        documents = _fitted(documents, to.name)
        for part, each in filenames.parts(path, documents, to).items():
            if "named by file" in to.traits and part != options.output_path:
                by_file[part.removesuffix(to.suffix)] = each[0].id
            new: dict[str, str | bytes] = {}
            if part == "-":
                new[part] = formats.dumps(each, to.name, options.style)
            else:
                new = formats.rendered(each, part, to.name, options.style)
            if texts.keys() & new.keys():
                message, remedy = "two files would be written to one", "rename one of them"
                raise Error("repeated-file", message, path=path, remedy=remedy)
            texts |= new
            formats.refuse_repeated(each, to)
    if whole:
        gathered = _fitted(gathered, whole.name)
        texts = formats.rendered(gathered, options.output_path, whole.name, options.style)
        formats.refuse_repeated(gathered, whole)  # after the error for documents that the format cannot hold
    if note := filenames.renamed(options.output_path, by_file):
        warn(bounded(f"note: {note}"))
    return _written(options, problems, texts)


def _written(options: argparse.Namespace, problems: Problems, texts: dict[str, str | bytes]) -> tuple[str, int]:
    for problem in problems.found:
        warn(f"{'skipped' if problem.fatal else 'note'}: {problem}")
    if options.output_path == "-":
        return str(texts["-"]).rstrip("\n"), 0
    formats.save_all(texts)
    return "", 0


def _beside_key(options: argparse.Namespace, problems: Problems) -> tuple[str, int]:
    """Write a response as it is scored beside a key, in one file."""
    names = ("marks", "ends", "tokens", "glob", "max_size")
    asked = {name: getattr(options, name) for name in names} | {"response_format": options.format}
    request = Request.of(options.key, options.input, cast("Keywords", asked))
    pairs, _ = opened(request, problems)
    path, to = filenames.goal(options.output_path, "", formats.named(options.to) if options.to else None)
    documents = _fitted([replace(pair.response, id=pair.key.id) for pair in pairs], to.name)
    texts: dict[str, str | bytes] = {}
    for part, each in filenames.parts(path, documents, to).items():
        formats.refuse_repeated(each, to)
        one = part == "-"
        texts |= (
            {part: formats.dumps(each, to.name, options.style)}
            if one
            else formats.rendered(each, part, to.name, options.style)
        )
    return _written(options, problems, texts)


def _refuse_answers(documents: list[Document]) -> None:
    for each in documents:
        if each.origin.reply is not None and not each.words:
            message, remedy = "an answer of a language model has no words of its own", "name its key with --key KEY"
            raise about(each, remedy=remedy).error("no-words", message, each.line, None, "the words of its document")


def _fitted(documents: list[Document], format: str) -> list[Document]:
    documents, notes = fitted(documents, format)
    for note in notes:
        warn(bounded(f"note: {note}"))
    return documents
