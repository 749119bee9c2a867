"""Evaluations as small files: saved and loaded.

A file holds the sums of every document and metric, from which all scores, intervals and tests are made again; it holds
no text and no mentions. It is JSON, packed if its name ends in `.gz`:

| key | value |
|---|---|
| `scoref-evaluation` | the version of this layout |
| `scoref`, `signature` | the version and the protocol that the sums were made with |
| `documents`, `datasets` | the name of each document and of the file it is from |
| `size` | the number of documents, if they were scored as one |
| `key`, `response` | a hash of the annotation of each document |
| `fields` | what a field says of each document, if it was asked for |
| `kinds` | if asked for: by field, what mentions of each kind count; `(repaired)`: what repaired responses count |
| `counts` | by metric, for each document: recall numerator, denominator, precision numerator, denominator |
| `problems` | what was found on the way |
| `settings` | signature and counts of other settings of the same run, and documents, if they have other windows |
| `checksum` | a hash of all the rest |
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from .. import formats
from ..counting.metrics import OneToOne, Related, Whole
from ..counting.table import Floats
from ..document.document import Document
from ..document.grouping import DOCUMENT_FIELDS
from ..layout.render import Json
from ..problems import Error, Problem
from ..protocol.protocol import Protocol
from ..relations.registry import how_of
from .evaluation import Evaluation
from .evidence import KindSums
from .sums_only import SumsOnly

VERSION = 1

_NAME = "scoref-evaluation"
_TWICE = (
    "reference",
    "list",
    "list-coval",
)  # with these rules and repeated mentions, a numerator of CEAF may exceed its denominator
_MOST = 1e15  # numbers up to here can be added without loss
_ROUNDING = 1e-6
_UNHASHED = ("words", "sentences", "columns", "comments", "origin")  # no score depends on them


def save(
    evaluation: Evaluation,
    path: str | os.PathLike[str],
    unit: str = "document",
    kinds: Sequence[str] = (),
    sums: Mapping[str, KindSums] | None = None,
) -> None:
    """Write the sums of an evaluation to a file, packed if its name ends in `.gz`.

    A `unit` that does not follow from document names (a comment, say) is saved with its value for each document.
    `kinds` are fields of mentions, such as `form`: what each kind counts is saved, too. So are further `sums`, as
    `shares` has them.
    """
    formats.save(dumps(evaluation, unit, kinds, sums), os.fspath(path))


def dumps(
    evaluation: Evaluation,
    unit: str = "document",
    kinds: Sequence[str] = (),
    sums: Mapping[str, KindSums] | None = None,
) -> str:
    """The text of a saved evaluation."""
    import json

    known = {**evaluation.source.saved_fields}
    if unit not in DOCUMENT_FIELDS:
        known[unit] = evaluation.labels(unit)
    by_field = {**evaluation.source.kinds, **(sums or {})}
    by_field |= {field: _kind_sums(evaluation, field) for field in kinds if field not in by_field}
    record = {
        _NAME: VERSION,
        "scoref": evaluation.version,
        "signature": evaluation.protocol.full(),
        **_documents(evaluation),
        **({"size": evaluation.size} if evaluation.size != len(evaluation.documents) else {}),
        **({"counted": evaluation.source.counted} if evaluation.source.counted != "document" else {}),
        "fields": {name: list(values) for name, values in known.items()},
        "counts": _numbers(evaluation.counts),
        **({"kinds": {name: _kinds(each) for name, each in by_field.items()}} if by_field else {}),
        "problems": [problem.to_dict() for problem in evaluation.problems],
        "settings": {name: _setting(each, evaluation) for name, each in evaluation.settings.items()},
    }
    return json.dumps({**record, "checksum": _checksum(record)}) + "\n"


def _checksum(record: Json) -> str:
    import json

    return _hash(json.dumps(record))


def _hash(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode(), digest_size=16).hexdigest()


def _numbers(counts: Mapping[str, Floats]) -> dict[str, list[list[float]]]:
    """The counts for JSON; those that are whole numbers as integers: 3 instead of 3.0."""
    return {
        name: [[int(number) if number.is_integer() else number for number in row] for row in rows.tolist()]
        for name, rows in counts.items()
    }


def _documents(evaluation: Evaluation) -> Json:
    """The names of the documents, the files that they are from, hashes of their annotation."""
    hashes = {side: digests(evaluation, side) for side in formats.SIDES}
    return {"documents": evaluation.documents, "datasets": evaluation.datasets, **hashes}


def _setting(setting: Evaluation, whole: Evaluation) -> Json:
    """Another setting; with documents of its own, if it has other windows."""
    own = _documents(setting) if setting.documents != whole.documents else {}
    return {"signature": setting.protocol.full(), "counts": _numbers(setting.counts), **own}


def _kind_sums(evaluation: Evaluation, field: str) -> KindSums:
    from .kinds import kind_sums  # other evaluations do not need it

    return kind_sums(evaluation, evaluation.evidence, field)


def _kinds(sums: KindSums) -> Json:
    counts = {name: _numbers(counts) for name, counts in sums.counts.items()}
    return {"counts": counts, "left_out": dict(sums.left_out)}


def digests(evaluation: Evaluation, side: str) -> tuple[str, ...]:
    """A hash of the annotation of each document on one side, `key` or `response`; '' if it is not known."""
    number = formats.SIDES.index(side)
    if isinstance(evaluation.source, SumsOnly) and not evaluation.has_evidence:
        return evaluation.source.digests[number]
    protocol, pairs = evaluation.protocol, evaluation.evidence.pairs
    if not pairs:
        return ("",) * len(evaluation.documents)
    parsed = side == "key" and (protocol.matching.match in ("min", "min-coval") or protocol.preparing.mentions == "np")
    found = [_digest((pair.key, pair.response)[number], ("parse",) if parsed else ()) for pair in pairs]
    if parts_of := evaluation.evidence.parts_of:
        return tuple(found[number] for number in parts_of)
    if len(pairs) == len(evaluation.documents):
        return tuple(found)
    groups: list[list[tuple[str, str]]] = [[] for _ in evaluation.documents]
    for home, pair, digest in zip(evaluation.evidence.homes, pairs, found, strict=True):
        groups[home].append((pair.name, digest))
    return tuple(_hash(repr(sorted(group))) for group in groups)


def _digest(document: Document, columns: Sequence[str]) -> str:
    parts = [(name.name, _ordered(getattr(document, name.name))) for name in fields(document)
             if name.name not in (*_UNHASHED, "id", "deixis")]  # fmt: skip
    deixis = _digest(document.deixis, ()) if document.deixis else ""
    text = [" ".join(document.columns[name]) for name in columns if name in document.columns]
    return _hash(repr((len(document.words), parts, deixis, text)))


def _ordered(value: object) -> object:
    """The value; mappings and sets as sorted lists, so that equal values have equal hashes."""
    if isinstance(value, Mapping):
        return sorted(value.items(), key=repr)
    return sorted(value, key=repr) if isinstance(value, frozenset) else value


def is_saved(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like a saved evaluation; False for a pipe, which could not be read again."""
    import zlib

    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            start = file.read(1024)
        if start.startswith(b"\x1f\x8b"):
            start = zlib.decompressobj(wbits=31).decompress(start)
    except (OSError, ValueError, zlib.error):  # a folder, a missing or a broken file: whoever reads it says so
        return False
    return start.startswith(f'{{"{_NAME}"'.encode())


def load(path: str | os.PathLike[str]) -> Evaluation:
    """The evaluation that was saved in a file; an error says why if the file is damaged, or something else."""
    return loads(formats.load(path), os.fspath(path))


def loads(data: str | bytes, name: str | None = None) -> Evaluation:
    """The evaluation of the text of a saved one; `name` is the file's, for messages."""
    from ..formats.jsonl.shapes import loads as parsed

    def refuse(reason: str, expected: str | None = None) -> Error:
        return Error("bad-evaluation", f"not a saved evaluation that can be used: {reason}", path=name,
                     expected=expected, remedy="save it again: scoref score KEY RESPONSE --save F")  # fmt: skip

    try:
        record = parsed(data.decode() if isinstance(data, bytes) else data)
    except ValueError as reason:
        raise refuse(f"not JSON ({reason})") from None
    if not isinstance(record, dict) or _NAME not in record:
        raise refuse(f"the key {_NAME} is missing")
    if record[_NAME] != VERSION:
        raise refuse(f"it has layout {record[_NAME]}", f"layout {VERSION}; another version of scoref can read it")
    checksum = record.pop("checksum", None)
    if checksum != _checksum(record):
        raise refuse("its checksum is wrong: it was cut off or changed")
    try:
        return _evaluation(record)
    except Error as error:
        raise refuse(error.problem.message) from None
    except (KeyError, TypeError, ValueError, AttributeError) as reason:
        raise refuse(f"{type(reason).__name__}: {reason}") from None


def _evaluation(record: Json) -> Evaluation:
    protocol, problems = Protocol.parse(record["signature"]), tuple(map(_problem, record["problems"]))
    repeated = any(problem.code == "duplicate-mention" for problem in problems)
    documents, datasets, hashes = _read_documents(record)
    number = len(documents)
    known = {str(name): tuple(map(str, values)) for name, values in record["fields"].items()}
    if any(len(column) != number for column in known.values()):
        raise ValueError(f"fields do not fit {number} documents")
    counts = _counts(record["counts"], number, protocol, repeated)
    kinds = {}
    for name, each in record.get("kinds", {}).items():
        of_kind = {str(kind): _counts(values, number, protocol, repeated) for kind, values in each["counts"].items()}
        kinds[str(name)] = KindSums(of_kind, {str(metric): str(why) for metric, why in each["left_out"].items()})
    counted, version = str(record.get("counted", "document")), str(record["scoref"])
    source = SumsOnly(hashes, known, _size(record.get("size", 0)), counted=counted, version=version, kinds=kinds)
    whole = Evaluation(protocol, documents, counts, problems, datasets, source)
    settings = {str(name): _read_setting(each, whole, repeated) for name, each in record["settings"].items()}
    for evaluation in (whole, *settings.values()):
        evaluation.scores, evaluation.standard_errors  # noqa: B018  # raise KeyError if counts are missing
    return replace(whole, settings=settings)


def _read_documents(record: Json) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
    """The names of documents, their datasets, the hashes of key and response."""
    names = tuple(map(str, record["documents"]))
    columns = [tuple(map(str, record[name])) for name in ("datasets", *formats.SIDES)]
    if any(len(column) != len(names) for column in columns) or len(set(names)) != len(names):
        raise ValueError(f"columns do not fit {len(names)} documents with different names")
    return names, columns[0], (columns[1], columns[2])


def _read_setting(record: Json, whole: Evaluation, repeated: bool) -> Evaluation:
    """Another setting of the same documents, or of other windows of them."""
    documents, datasets, source = whole.documents, whole.datasets, whole.source
    if "documents" in record:
        documents, datasets, hashes = _read_documents(record)
        source = SumsOnly(hashes, {}, whole.size, counted=whole.source.counted, version=whole.version)
    protocol = Protocol.parse(record["signature"])
    counts = _counts(record["counts"], len(documents), protocol, repeated)
    return Evaluation(protocol, documents, counts, (), datasets, source)


def _counts(values: Json, documents: int, protocol: Protocol, repeated: bool) -> dict[str, Floats]:
    """The counts; an error if a numerator exceeds its denominator; CEAF of `repeated` mentions may, and estimates."""
    repeated = repeated and protocol.preparing.duplicates in _TWICE
    found = {str(name): np.array(rows, np.float64).reshape(documents, 4) for name, rows in values.items()}
    if not all((each >= 0).all() for each in found.values()):
        raise ValueError("a count that is no number from 0 on")
    for name, each in found.items():
        if (each > _MOST).any():
            raise ValueError(f"a count of {name} that is higher than any can be")
        how = how_of(name)
        if (
            not (repeated and isinstance(how, OneToOne))
            and not isinstance(how, Whole)  # its sums are no numerators and denominators
            and not (isinstance(how, Related) and not how.bounded)  # a bonus may lift it above 1
            and protocol.counting.sampled == "none"  # an estimate may be above 1
            and (each[:, [0, 2]] > each[:, [1, 3]] * (1 + _ROUNDING) + _ROUNDING).any()
        ):
            raise ValueError(f"a count of {name} that is higher than what it is a part of")
    return found


def _size(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError("a number of documents that is none")
    return value


def _problem(record: Json) -> Problem:
    kinds = {"line": int, "fatal": bool}
    if not all(type(value) is kinds.get(name, str) for name, value in record.items()):
        raise ValueError("a problem that is none")
    return Problem(**record)
