"""Integrations are added by one file, or by one entry: toys of both, from what a user has to a score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import scoref
from scoref import evaluator
from scoref.evaluator import integrations
from scoref.formats import objects

TOY = '''"""Scores as a metric of the package `toy`, which adds documents with a plus sign."""

from __future__ import annotations

import {package}

import scoref


class ToyMetric:
    def __init__(self) -> None:
        self.scorer = scoref.Scorer(metrics=["muc"])

    def __add__(self, both: {package}.SimpleNamespace) -> ToyMetric:
        self.scorer.update(both.gold, both.predicted)
        return self

    def value(self) -> float:
        return self.scorer.compute()["muc"].f1


class _Hidden: ...
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(integrations, "__path__", [*integrations.__path__, str(tmp_path)])
    evaluator._integrations.cache_clear()
    yield tmp_path
    evaluator._integrations.cache_clear()


def test_a_file_adds_a_metric_of_another_package(folder: Path) -> None:
    (folder / "toy.py").write_text(TOY.format(package="types"))
    assert "ToyMetric" in dir(evaluator)
    metric = evaluator.ToyMetric() + SimpleNamespace(gold=[["a", "b", "c"]], predicted=[["a", "b"]])
    assert metric.value() == pytest.approx(2 / 3)  # recall 1/2, precision 1
    assert not hasattr(evaluator, "_Hidden")


def test_what_is_missing_is_said(folder: Path) -> None:
    (folder / "toys.py").write_text(TOY.format(package="no_such_package"))
    with pytest.raises(ImportError, match=r"ToyMetric needs no_such_package .*: pip install 'scoref\[toys\]'"):
        evaluator.ToyMetric  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'Toy'"):
        evaluator.Toy  # noqa: B018


def test_an_entry_adds_results_of_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_toy(value: object) -> objects.Record | None:
        chains = getattr(value, "chains", None)
        return chains and {"tokens": ["Ada", "phoned", "her", "brother", ".", "She", "waited", "."], "clusters": chains}

    monkeypatch.setitem(objects.MODELS, "toy", from_toy)
    key, response = SimpleNamespace(chains=[[[0, 0], [2, 2], [5, 5]]]), SimpleNamespace(chains=[[[0, 0], [5, 5]]])
    result = scoref.score(key, response, metrics=["mentions", "muc"])
    assert result["mentions"].recall == pytest.approx(2 / 3)
    assert tuple(result["muc"]) == pytest.approx((1 / 2, 1, 2 / 3))
    scorer = scoref.Scorer(metrics=["muc"])
    scorer.update(key, response)
    assert scorer.compute()["muc"] == result["muc"]
