"""Which response document answers which key document: reading two sides and pairing them by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from .. import formats
from ..exceptions import Error, Problem, Problems
from ..model import UNWRITTEN, Document
from .parallel import ordered_map

Progress = Callable[[str, int, int], None]


class Pair(NamedTuple):
    """A key document, the response to it, the name they go by in reports, and the file (dataset) they are from."""

    name: str
    key: Document
    response: Document
    dataset: str = ""


def read_pairs(
    key: str,
    response: str,
    problems: Problems,
    *,
    format: str | None = None,
    ends: str = "inclusive",
    tokens: str | None = None,
    files: str = "strict",
    jobs: int = 1,
    progress: Progress | None = None,
    known: Known | None = None,
) -> tuple[formats.Format, list[tuple[str, list[Document], list[Document]]]]:
    """The documents of two files, or of two folders whose files are paired by their relative names.

    Files of the key that are `known` are not read again; those that are read become known.
    """
    sides = [formats.files(side) for side in (key, response)]
    if not sides[0].keys() & sides[1].keys():
        raise Error(
            "no-common-file", "no file of the response has the name of a file of the key", path=f"{key}, {response}",
            expected="two files, or two folders with files of the same names",
            remedy="rename the files: they are paired by their names relative to the folders",
        )  # fmt: skip
    for name in sorted(sides[1].keys() - sides[0].keys()):
        problems.add(Problem("extra-file", "a file that the key does not have", str(sides[1][name]),
                             remedy="remove it, or leave it out with --on-problem skip"))  # fmt: skip
    tasks = [
        (str(file), format, side, ends, tokens, files, problems.policy, len(sides[0]) > 1)
        for side, found_files in zip(formats.SIDES, sides, strict=True)
        for name, file in found_files.items()
        if name in sides[0]
    ]
    found, read = _read_all(tasks, problems, jobs, progress, {} if known is None else known)
    pairs = [
        (name, read["key", str(file)], read.get(("response", str(sides[1].get(name))), []))
        for name, file in sides[0].items()
    ]
    if found.by_file:  # the documents are paired already, as their files are
        pairs = [
            (name, ours, [replace(each, id=ours[0].id) if ours else each for each in theirs])
            for name, ours, theirs in pairs
        ]
    return found, pairs


_Task = tuple[str, str | None, str, str, str | None, str, str, bool]
Known = dict[_Task, tuple[str, list[Document], list[Problem]]]  # what was read of a file: format, documents, problems
_WITHOUT = ("empty-file", "no-document")  # errors of files that have no document


def _read_all(
    tasks: list[_Task], problems: Problems, jobs: int, progress: Progress | None, known: Known
) -> tuple[formats.Format, dict[tuple[str, str], list[Document]]]:
    """The documents of each side and file, which all have one format."""
    read: dict[tuple[str, str], list[Document]] = {}
    found: formats.Format | None = None
    fresh = iter(ordered_map(_read, new := [task for task in tasks if task not in known], jobs if len(new) > 2 else 1))
    for number, task in enumerate(tasks):
        name, documents, reported = known[task] if task in known else next(fresh)
        if task[2] == "key":
            known[task] = name, documents, reported
        problems.found += reported
        found = found or (formats.named(name) if name else None)
        if name and found and name != found.name:
            raise Error("mixed-formats", f"this file is {name}, the key is {found.name}", path=task[0],
                        expected=f"a {found.name} file", remedy="convert it first: scoref convert IN OUT")  # fmt: skip
        read[task[2], task[0]] = documents
        if progress:
            progress("files read", number + 1, len(tasks))
    if found is None:
        raise Error("no-document", "no file could be read", path=", ".join(task[0] for task in tasks[:2]))
    return found, read


def _read(task: _Task) -> tuple[str, list[Document], list[Problem]]:
    path, format, side, ends, tokens, files, policy, many = task
    problems = Problems(policy)
    try:
        source = formats.Source(formats.load(path), path, side, ends, tokens, files)
        found, documents = formats.read_source(source, format, problems)
    except Error as error:
        empty = side == "response" and error.code in _WITHOUT
        remedy = "check how it was written, or score it as an empty response with --on-problem skip"
        problem = replace(error.problem, remedy=remedy) if empty else error.problem
        if policy == "raise" or not (many or empty):
            raise Error.of(problem) from None
        return "", [], [*problems.found, problem]  # an empty response; of many files, one that cannot be read at all
    return found.name, documents, problems.found


def pair(
    files: Iterable[tuple[str, Sequence[Document], Sequence[Document]]],
    words: str,
    problems: Problems,
    extra: str = "refuse",
) -> list[Pair]:
    """Pairs of documents with the same id, file by file.

    A document missing from the response is an empty one and reported; an extra one is an error.
    """
    pairs: list[Pair] = []
    for file, keys, responses in files:
        for side in (keys, responses):
            _refuse_repeated(side)
        there = {document.id: document for document in responses}
        for key in keys:
            response = there.pop(key.id, None)
            if response is None:
                remedy = "nothing, if it is meant: its response counts as empty"
                problems.add(Problem("missing-document", f"the response lacks document {key.id or file}", key.source,
                                     key.line, key.id, remedy=remedy, fatal=False))  # fmt: skip
            elif (problem := _mismatch(key, response, words)) is not None:
                problems.add(problem)
                response = None
            if response is None:
                response = Document(key.id)
            else:  # trees of response mentions are cut from the key's parse
                response = replace(response, columns=key.columns, words=key.words or response.words)
            pairs.append(Pair(key.id or file or "document", key, response, file))
        for document in there.values():
            problems.add(Problem("extra-document", "a document that the key does not have", document.source,
                                 document.line, document.id, expected="only documents of the key",
                                 remedy="remove it, or leave it out with --on-problem skip",
                                 fatal=extra == "refuse"))  # fmt: skip
    names = Counter(pair.name for pair in pairs)
    if len(names) == len(pairs):
        return pairs
    return [pair._replace(name=f"{pair.dataset}:{pair.name}") for pair in pairs]


def _refuse_repeated(documents: Sequence[Document]) -> None:
    for name, number in Counter(document.id for document in documents).items():
        if number > 1:
            raise Error("repeated-document", f"{number} documents with the name '{name}'", document=name or None,
                        expected="a name of its own for each document of a side")  # fmt: skip


def _unit(document: Document) -> str | None:
    """What the positions of a document without words count, if its mentions say so."""
    return dict(document.mentions[0].attributes).get("unit")


def unit_of(pairs: Iterable[Pair]) -> str:
    """What positions count: words, or without words tokens or characters, as in the first document that tells."""
    for pair in pairs:
        if pair.key.words or pair.response.words:
            return "words"
        for side in (pair.key, pair.response):
            if side.mentions and side.mentions[0].span:
                return "tokens" if _unit(side) == "token" else "characters"
    return "words"


def _mismatch(key: Document, response: Document, words: str) -> Problem | None:
    """How the words of two documents differ, if they do; documents without words are not compared."""
    ours, theirs = key.words, response.words
    if not ours and not theirs and key.mentions and response.mentions and _unit(key) != _unit(response):
        return Problem("different-units", "spans of tokens on one side, of characters on the other", response.source,
                       response.line, response.id, None, "the same unit as in the key",
                       "convert one of them with a token table: scoref convert --tokens DIR")  # fmt: skip
    if not ours or not theirs:
        return None
    remedy = "score the response on the key's tokens; with --on-problem skip the document's response counts as empty"
    if len(ours) != len(theirs):
        return Problem("token-count", f"{len(theirs)} tokens, but the key has {len(ours)}", response.source,
                       response.line, response.id, None, f"the {len(ours)} tokens of {key.source}", remedy)  # fmt: skip
    if words == "ignore" or ours == theirs:
        return None
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if our != their and our not in UNWRITTEN and their not in UNWRITTEN:
            ours_at, theirs_at = key.origin.lines, response.origin.lines
            line = theirs_at[number] if theirs_at else response.line
            place = f"{key.source}:{ours_at[number]}" if ours_at else f"{key.source}"
            return Problem("different-word", "another word than in the key", response.source, line, response.id, their,
                           f'"{our}" as in {place}', remedy + "; or --words ignore")  # fmt: skip
    return None
