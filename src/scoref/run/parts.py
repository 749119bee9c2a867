"""Large inputs scored in parts, each by a process of its own that reads it and gives back sums.

A part is some of the files of two folders, or some of the documents of two files, the same in key and response. A part
with problems other than repeated mentions is given up, and then the whole is scored in one process. So the result never
depends on the number of processes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from mmap import ACCESS_READ, mmap
from typing import NamedTuple

import numpy as np

from .. import formats
from ..counting.table import Floats
from ..formats import Hows
from ..pairing.names import same_files
from ..pairing.pairs import Pair
from ..pairing.reading import FileRange, Pieces
from ..problems import Error, Problem, Problems
from ..processes import ordered_map, process_count, reported
from ..protocol.protocol import Protocol
from ..relations.registry import compares_common, split_name
from ..results.evaluation import Evaluation
from ..results.evidence import Evidence
from ..results.sums_only import SumsOnly
from .request import Key, Request, corrections, defect_remarks, evaluated, opened
from .stages import Memo
from .suspicion import observed, signs

_HEAD = 1 << 18  # bytes: enough of most files to find their format
_USUAL = ("duplicate-mention", "order-counts")  # problems with which a part can still be scored by itself


def divisible(protocol: Protocol) -> bool:
    """Whether documents are scored independently, and their sums are enough for everything that is printed."""
    reading = protocol.reading
    if protocol.cuts:
        return False
    alone = (reading.scope, reading.layer, protocol.counting.weights) == ("document", "identity", "none")
    whole = compares_common(protocol.metrics) or any(split_name(name)[0] for name in protocol.metrics)
    return alone and not whole and protocol.preparing.credit != "ua-1.0"


def divided(key: str, response: str, hows: Hows, number: int | None) -> list[Pieces]:
    """The two inputs cut into parts, as many as `number` or as are worth it; [] if they are small, or not parallel."""
    if not all(map(os.path.exists, (key, response))):
        return []  # also what no file can be called; reading says what is wrong
    places = [os.path.realpath(each) for each in (key, response)]
    if all(map(os.path.isfile, places)):
        sizes = [*map(os.path.getsize, places)]
        parts = process_count(sum(sizes), number)
        return _documents_of(key, response, hows, parts) if all(sizes) and parts > 1 else []
    if not all(map(os.path.isdir, places)):
        return []
    sides = formats.listed(key, hows.key), formats.listed(response, hows.response)
    partners = same_files(list(sides[0]), list(sides[1]))
    files = [(name, file, sides[1][partners[name]]) for name, file in sides[0].items() if name in partners]
    if not len(files) == len(sides[0]) == len(sides[1]) or not all(map(os.path.isfile, (*sides[0].values(),))):
        return []
    sizes = [sum(os.path.getsize(file) for file in each[1:] if os.path.isfile(file)) for each in files]
    parts = process_count(sum(sizes), number)
    if parts < 2:
        return []
    pieces = [(name, FileRange(str(one)), FileRange(str(other))) for name, one, other in files]
    return [Pieces(tuple(pieces[start:end])) for start, end in _cuts(sizes, parts)]


def _documents_of(key: str, response: str, hows: Hows, number: int) -> list[Pieces]:
    """Parts of two files that have the same documents in the same order."""
    try:
        data = [_mapped(path) for path in (key, response)]
    except OSError:
        return []  # reading the whole file will say what is wrong
    if any(each[:3].startswith((b"\x1f\x8b", b"\xef\xbb\xbf")) for each in data):
        return []  # gzip: unpacking takes longest anyway; byte-order marks are rare
    try:
        kinds = [
            formats.named(how.format) if how.format else formats.detect(formats.Source(_head(each), key))
            for how, each in zip(hows, data, strict=True)
        ]
    except Error:
        return []
    if kinds[0] is not kinds[1]:
        return []
    borders = [(0, 0), *kinds[0].borders(data[0], data[1], number), (len(data[0]), len(data[1]))]
    name = kinds[0].name
    return [
        Pieces((("", FileRange(key, first[0], last[0], name), FileRange(response, first[1], last[1], name)),))
        for first, last in pairwise(borders)
    ]


def _mapped(path: str) -> mmap:
    """The bytes of a file, read only where they are looked at."""
    with open(path, "rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _head(data: mmap) -> bytes:
    """Enough of a file to know its format: its beginning, or all of it if that is less than a line."""
    head = data[:_HEAD]
    return head if b"\n" in head else data[:]


def _cuts(sizes: Sequence[int], number: int) -> list[tuple[int, int]]:
    """At most `number` stretches of about the same size, each as (start, end) with the end excluded.

    >>> _cuts([1, 1, 1, 3], 2)
    [(0, 3), (3, 4)]
    """
    sums = [*accumulate(sizes)]
    borders = {int(np.searchsorted(sums, sums[-1] * part / number)) + 1 for part in range(1, number)}
    ends = sorted({*(border for border in borders if border < len(sizes)), len(sizes)})
    return [*zip([0, *ends[:-1]], ends, strict=True)]


def scored_in_parts(request: Request, protocol: Protocol, key: str, response: str) -> Evaluation | None:
    """The evaluation of large inputs by several processes; None if scoring the whole could give another result."""
    if not all(map(divisible, (protocol, *request.variants(protocol).values()))):
        return None
    portions = divided(key, response, request.reading, request.jobs)
    if len(portions) < 2:
        return None
    plain = request._replace(key=Key(key), response=response, jobs=1, progress=None)
    try:
        results = ordered_map(partial(_scored_part, plain), portions, len(portions))
        parts = [next(results) for _ in reported(portions, "parts scored", request.progress)]
    except Error as error:
        if error.code == "lost-worker":
            raise
        return None  # scoring the whole reports the error with its place in the whole file
    evaluations: dict[str, Evaluation] = {}
    for setting in parts[0]:
        joined = whole([part[setting] for part in parts], portions, partial(_evidence, plain, setting))
        if joined is None:
            return None
        evaluations[setting] = joined
    result = evaluations.pop("")
    return replace(result, settings=evaluations)


def _scored_part(request: Request, part: Pieces) -> dict[str, PartialEvaluation]:
    """The evaluations of a part, reduced to sums: the main one under '', those of other settings by their names."""
    problems, memo = Problems(request.on_problem), Memo()
    pairs, protocol = opened(request, problems, part)
    others = {
        setting: reduced(evaluated(pairs, variant, Problems(request.on_problem), memo=memo), pairs)
        for setting, variant in request.variants(protocol).items()
    }
    return {"": reduced(evaluated(pairs, protocol, problems, memo=memo), pairs), **others}


def _evidence(request: Request, setting: str) -> Evidence:
    """The evidence of an evaluation made in parts (of `setting`, unless it is ''), from scoring the whole again."""
    problems = Problems(request.on_problem)
    pairs, protocol = opened(request._replace(key=Key(request.key.side)), problems)  # a new key: no cached reading
    return evaluated(pairs, request.variants(protocol)[setting] if setting else protocol, problems).evidence


class PartialEvaluation(NamedTuple):
    """What a process gives back of a part: sums, names of documents, repeated mentions, sums by corrected rules."""

    protocol: Protocol
    documents: tuple[str, ...]
    datasets: tuple[str, ...]
    counts: dict[str, Floats]
    problems: tuple[Problem, ...]
    sources: frozenset[str | None]
    corrected: dict[str, tuple[Protocol, dict[str, Floats]] | None]
    seen: Counter[str]


def reduced(evaluation: Evaluation, pairs: Sequence[Pair]) -> PartialEvaluation:
    """The evaluation of a part, reduced to what can be added up; an error if that loses anything that is printed."""
    more = not divisible(evaluation.protocol) or any(
        problem.code not in _USUAL or problem.fatal for problem in evaluation.problems
    )
    unlike = any(pair.drifted or not pair.key.id or pair.key.id != pair.response.id for pair in pairs)
    if more or unlike or evaluation.documents != tuple(pair.name for pair in pairs):
        raise Error("not-apart", "a part that cannot be scored apart")
    right = corrections(evaluation, pairs)
    return PartialEvaluation(
        evaluation.protocol, evaluation.documents, evaluation.datasets, dict(evaluation.counts), evaluation.problems,
        frozenset(pair.key.source for pair in pairs),
        {choice: (each.protocol, dict(each.counts)) if each else None for choice, each in right.items()},
        observed(evaluation, pairs),
    )  # fmt: skip


def whole(
    parts: Sequence[PartialEvaluation], portions: Sequence[Pieces], evidence: Callable[[], Evidence]
) -> Evaluation | None:
    """The evaluation of all parts together; None if scoring the whole could give another result."""
    protocol = parts[0].protocol
    documents = tuple(name for part in parts for name in part.documents)
    if any(part.protocol != protocol for part in parts) or len(set(documents)) < len(documents):
        return None
    keys = frozenset[str | None]().union(*(part.sources for part in parts))
    problems = dict.fromkeys(problem for each in zip(parts, portions, strict=True) for problem in _placed(*each))
    ordered = sorted(problems, key=lambda problem: problem.path not in keys)  # problems of the key come first
    datasets = tuple(name for part in parts for name in part.datasets)
    source = SumsOnly(((), ()), {}, again=evidence)
    result = Evaluation(protocol, documents, _added(part.counts for part in parts), tuple(ordered), datasets, source)
    corrected: dict[str, Evaluation | None] = {}
    for choice in dict.fromkeys(choice for part in parts for choice in part.corrected):
        each = [part.corrected.get(choice, (protocol, part.counts)) for part in parts]  # unaffected: as it is
        known = [one for one in each if one is not None]
        rule = next((rule for rule, _ in known if rule != protocol), protocol)
        sums = _added(counts for _, counts in known)
        corrected[choice] = Evaluation(rule, documents, sums, (), datasets) if len(known) == len(parts) else None
    if signs(sum((part.seen for part in parts), Counter()), result):
        return None
    return replace(result, remarks=tuple(defect_remarks(result, corrected)))


def _placed(part: PartialEvaluation, pieces: Pieces) -> list[Problem]:
    """The problems of a part with their lines in the whole file."""
    if not part.problems:
        return []
    before = {place.path: place.lines_before() for _, *places in pieces.files for place in places if place.begin}
    return [replace(problem, line=(problem.line or 0) + before.get(problem.path or "", 0)) for problem in part.problems]


def _added(counts: Iterable[dict[str, Floats]]) -> dict[str, Floats]:
    """The counts of all documents, part after part."""
    parts = [*counts]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
