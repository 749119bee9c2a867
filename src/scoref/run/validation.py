"""Every problem of a file, and the event types that are allowed in one."""

from __future__ import annotations

from .. import formats
from ..document.document import Document, about
from ..formats import How
from ..matching.match import MATCHERS
from ..matching.nuggets import canonical
from ..pairing.pairs import refuse_repeated
from ..preparing.prepare import check_minimums
from ..preparing.sets import accommodated
from ..preparing.steps import unique
from ..problems import Error, Problem, Problems
from ..protocol.protocol import PROTOCOLS


def _answers(file: str, how: How) -> list[Document]:
    """The answers of language models that a file has, as a response."""
    try:
        found, documents = formats.read_source(how.source(file, "response", formats.load(file)), None, Problems("skip"))
    except Error:
        return []
    return documents if found.name == "answer" else []


def _unplaced(answer: Document) -> Problem:
    """The problem of an answer of a language model without its key."""
    remedy = "check it beside its key: scoref validate FILE --key KEY"
    message, expected = "an answer of a language model cannot be checked alone", f"its key: {remedy}"
    return about(answer, remedy=remedy).problem("no-words", message, answer.line, None, expected)


def event_types(path: str) -> set[str]:
    """The event types that a file lists, one in each line, in the spelling by which they are compared."""
    source = formats.checked(formats.Source(formats.load(path), path), Problems())
    types = {canonical(line) for line in source.data.decode().split("\n")} - {""}
    if not types:
        raise Error("no-event-types", "no type in this file", path=path, expected="a type in each line",
                    remedy="check the name of the file")  # fmt: skip
    return types


def problems_of(file: str, how: How, known: set[str] | None = None, texts: str | None = None) -> list[Problem]:
    """Every problem of a file, in the order of lines.

    Of event nuggets also types that are not among the `known` ones, and spans that are not those of the `texts`.
    """
    problems = Problems("skip")
    try:
        data = formats.load(file, how.max_size)
        for side in formats.SIDES if b"predicted_clusters" in data else formats.SIDES[:1]:
            source = how.source(file, side, data)
            found, documents = formats.read_source(source, how.format, problems)
            for document in documents:
                if MATCHERS[PROTOCOLS[found.protocol].matching.match].identity != "line":
                    for layer in filter(None, (document, document.deixis)):
                        accommodated(unique(layer, "keep", problems), problems)
                        check_minimums(layer, problems)
            if known or texts:
                if found.name != "tbf":
                    raise Error("no-event-types", f"--types and --texts are for tbf files, this one is {found.name}",
                                path=file, remedy="convert it first: scoref convert IN OUT.tbf")  # fmt: skip
                from ..formats.tbf.read import check

                listed = (lambda name: canonical(name) in known) if known else None
                check(formats.checked(source, Problems("skip")), problems, listed, texts)
            refuse_repeated(documents)
            for each in documents:
                if each.origin.reply is not None:
                    problems.add(_unplaced(each))
    except Error as error:
        if error.code in ("unreadable-file", "no-event-types"):
            raise
        if error.code == "unknown-format" and (answers := _answers(file, how)):
            return [_unplaced(answers[0])]
        if error.code != "no-document" or not problems.found:
            problems.add(error.problem)
    return sorted(dict.fromkeys(problems.found), key=lambda problem: problem.line or 0)
