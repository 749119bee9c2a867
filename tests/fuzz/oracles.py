"""Checks with an answer from elsewhere: files that are known to be broken, slow literal metrics, another engine,
another way of adding up. See `checks` for what a check is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import scoref
from scoref import Document, Error, formats, processes
from scoref.results import saved

from .running import Runner

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / each) for each in ("tests", "conformance")]
import slow  # noqa: E402

_NEUTRAL = {"protocol": "conll-2012", "match": "exact", "singletons": "keep", "split": "ignore", "duplicates": "error"}
_QUICK = ("mentions", "muc", "b3", "b3-classes", "lea", "pairwise", "nonlinks", "entities-exact", "blanc", "b3-0",
          "b3-all", "b3-rn", "b3-sys")  # fmt: skip
_ASSIGNED = ("ceafm", "ceafe", "ceafm-rn", "ceafe-sys", "conll")  # slowly only for few entities
FEW, MANY = 6, 60  # entities for which assignments, and links, are found slowly


def refused(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A response that is broken in a known way is refused; or what is wrong is reported. The first option says how."""
    _, what, *rest = options
    for policy in ("raise", "skip"):
        found = run.json("score", key, response, "--on-problem", policy, *rest)
        told = found is None or found["problems"] or any("broke off" in note for note in found["notes"])
        if found is not None and not told and found["protocol"]["text"] != "align":
            run.found(f"{what}, and with --on-problem {policy} nothing is reported")


def literal(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """What is accepted has the scores of the slow literal versions, where these can express it."""
    sides = _read(run, key, response, options)
    if sides is None:
        return
    pairs = [tuple(map(_entities, pair)) for pair in zip(*sides, strict=True)]
    sets = [each for pair in pairs for each in pair]
    if None in sets or max((len(each) for each in sets), default=0) > MANY:
        return
    names = _QUICK + (_ASSIGNED if max((len(each) for each in sets), default=0) <= FEW else ())
    twinless = random.Random(len(pairs) + sum(map(len, sets))).choice(sorted(slow.TWINLESS))
    for treated in ("as-is", twinless):
        plain = [name for name in names if name not in slow.VARIANTS] if treated != "as-is" else [*names]
        try:
            found = scoref.score(*sides, metrics=plain, twinless=treated, **_NEUTRAL)
        except Error:
            return
        run.runs += 1
        for name in plain:
            expected = slow.score(name, pairs, "as-is" if name == "mentions" else treated)
            _equal(run, f"slowly, twinless {treated}", name, found[name], expected)


def _equal(run: Runner, what: str, name: str, one: Sequence[float], other: Sequence[float | Fraction]) -> None:
    if any(abs(value - float(there)) > 1e-9 for value, there in zip(one, other, strict=True)):
        run.found(f"{what}: {name} is {tuple(map(float, other))}, not {tuple(one)}")


def _read(run: Runner, key: str, response: str, options: tuple[str, ...]) -> list[list[Document]] | None:
    """The documents of both sides, in the same order; None if anything is wrong with them, or they are no documents."""
    how = {name.removeprefix("--"): word for name, word in zip(options[::2], options[1::2], strict=True)}
    try:
        sides = [scoref.read(path, on_problem="raise", side=side, **how)
                 for path, side in ((key, "key"), (response, "response"))]  # fmt: skip
    except Error:
        return None
    names = [[document.id for document in side] for side in sides]
    if sorted(names[0]) != sorted(names[1]) or len({*names[0]}) != len(names[0]):
        return None
    sides = [sorted(side, key=lambda document: document.id) for side in sides]
    texts = [[(document.words, document.columns.get("text")) for document in side] for side in sides]
    return sides if texts[0] == texts[1] else None  # other texts are aligned, which literal versions do not


def _entities(document: Document) -> slow.Entities | None:
    """The entities of a document as sets of numbers of spans; None where they are something else."""
    if document.sets or document.deixis or document.hidden or document.nonreferring:
        return None
    names = [mention.id if not mention.span else tuple(mention.span) for mention in document.mentions]
    if len({*names}) != len(names) or None in names:
        return None
    found: dict[object, set[Any]] = {}
    for mention, name in zip(document.mentions, names, strict=True):
        found.setdefault(mention.entity, set()).add(name)
    return [frozenset(hash(repr(each)) for each in entity) for entity in found.values()]


def engines(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Two engines, and the documents that a table is, have the same numbers."""
    metrics = ("--metrics", "mentions,muc,b3,ceafe,lea,blanc,conll,ari,v-measure")
    found = {
        engine: run.json("score", key, response, *options, *metrics, "--engine", engine)
        for engine in ("numpy", "duckdb")
    }
    one, other = found.values()
    if (one is None) != (other is None):
        run.found(f"one engine accepts it, the other does not: {run.said}")
    elif one and other:
        for name, score in one["scores"].items():
            _equal(run, "duckdb", name, [*score.values()], [*other["scores"][name].values()])
        codes = [sorted(each["code"] for each in result["problems"]) for result in (one, other)]
        if codes[0] != codes[1]:
            run.found(f"numpy reports {codes[0]}, duckdb {codes[1]}")


def table(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Documents as a table have the scores of the documents, on every engine."""
    sides = _read(run, key, response, options)
    if sides is None or any(_entities(document) is None for side in sides for document in side):
        return
    names = ("mentions", "muc", "b3", "ceafe", "lea", "blanc")
    try:
        before = scoref.score(*sides, metrics=names, **_NEUTRAL)
        for side, name in zip(sides, ("key.csv", "response.csv"), strict=True):
            Path(name).write_text(formats.dumps(side, "table"), encoding="utf-8")
    except Error:
        return  # names that a table cannot hold
    documents = [document for side in sides for document in side]
    if not all(document.mentions for document in documents):
        return  # a table has no documents without mentions
    if not all(isinstance(each.id, str | None) for document in documents for each in document.mentions):
        return  # nor names that are lists or numbers: they are written as text, and become the same as it
    for engine in ("numpy", "duckdb"):
        after = run.json("score", "key.csv", "response.csv", "--engine", engine, "--metrics", ",".join(names))
        if after is None:
            run.found(f"as a table it is refused: {run.said}")
            return
        for name in names:
            _equal(run, f"as a table, {engine}", name, before[name], [*after["scores"][name].values()])


def halves(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Documents scored in two halves, saved and merged, are the whole; so are three workers."""
    sides = _read(run, key, response, options)
    if sides is None or not sides[0]:
        return
    how = {"metrics": ["muc", "b3", "ceafe", "lea", "blanc", "conll"], "average": (options and "macro") or "micro"}
    middle = len(sides[0]) // 2
    try:
        whole = scoref.score(*sides, **how)
        parts = [scoref.score(*(side[first:last] for side in sides), **how)
                 for first, last in pairwise((0, middle, len(sides[0]))) if first < last]  # fmt: skip
        with mock.patch.object(processes, "LEAST", 0):
            many = scoref.score(*sides, jobs=1 if run.runs % 50 else 3, **how)
    except Error:
        return
    run.runs += 1
    for number, part in enumerate(parts):
        saved.save(part, f"{number}.json")
    merged = run.json("merge", *(f"{number}.json" for number in range(len(parts))))
    if merged is None:
        run.found(f"halves cannot be merged: {run.said}")
        return
    for name, score in whole.scores.items():
        _equal(run, "merged halves", name, score, [*merged["scores"][name].values()])
        _equal(run, "three workers", name, score, many[name])


ORACLES: Mapping[str, Any] = {check.__name__: check for check in (refused, literal, engines, table, halves)}
