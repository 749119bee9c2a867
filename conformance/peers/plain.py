"""What peers that are given clusters share: clusters as tuples of spans, modules by their path."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from suite.cases import Case
from suite.numbers import triple
from suite.sides import Side

Cluster = tuple[tuple[int, int], ...]
Clusters = list[Cluster]
SETS = "small partitions documents hand papers"


def clusters(side: Side | None) -> Clusters:
    """The entities of a side as tuples of (first, last); a document that is missing has none."""
    return [tuple((spot.first[0], spot.last[0]) for spot in group.mentions) for group in side or []]


def pairs(case: Case) -> list[tuple[Clusters, Clusters]]:
    """The clusters of key and response, for each document."""
    return [(clusters(text.key), clusters(text.response)) for text in case.texts()]


def lookup(found: Clusters) -> dict[tuple[int, int], Cluster]:
    """The cluster of each mention, as all evaluators of this family want it."""
    return {mention: cluster for cluster in found for mention in cluster}


def module(path: Path, name: str) -> ModuleType:
    """A file as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    spec.loader.exec_module(found)
    return found


def stub(name: str, **content: object) -> ModuleType:
    """A module that stands for one that is imported, but not used."""
    found = ModuleType(name)
    for each, thing in content.items():
        setattr(found, each, thing)
    sys.modules[name] = found
    return found


def tried(function: Callable[[], str]) -> str:
    """What a function gives, or how it crashed."""
    try:
        return function()
    except Exception as error:
        return f"crash: {type(error).__name__}"


def updated(make: Callable[[], Any], case: Case) -> Any:
    """An evaluator with the interface of e2e-coref, after all documents of a case."""
    evaluator = make()
    for key, response in pairs(case):
        evaluator.update(response, key, lookup(response), lookup(key))
    return evaluator


def by_parts(make: dict[str, Callable[[], Any]], case: Case) -> dict[str, str]:
    """Recall, precision and f1 of evaluators that have a method for each; one evaluator for a metric."""

    def scores(each: Callable[[], Any]) -> str:
        found = updated(each, case)
        return triple(*(float(number()) for number in (found.get_recall, found.get_precision, found.get_f1)))

    return {name: tried(lambda each=each: scores(each)) for name, each in make.items()}


def facts(title: str, repository: str, command: str, metrics: str = "muc b3 ceafe", **more: str) -> dict[str, str]:
    """What is said of a scorer that is called by its functions."""
    return {"title": title, "repository": repository, "command": command, "reads": "clusters",
            "digits": "full, by its functions", "metrics": metrics, "sets": SETS, **more}  # fmt: skip
