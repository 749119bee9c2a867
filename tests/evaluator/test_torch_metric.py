from __future__ import annotations

import pickle

import pytest

import scoref

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'scoref[torch]'")
pytest.importorskip("torchmetrics", reason="torchmetrics is not installed: pip install 'scoref[torch]'")

from scoref.evaluator import CoreferenceScore  # noqa: E402

GOLD = [[["a", "b"], ["c", "d"]], [["a", "b", "c"]], [["x", "y"], ["z"]]]
PREDICTED = [[["a", "b", "c"]], [["a", "b"], ["c", "d"]], [["x", "y"], ["z"]]]


def expected(**choices):
    scorer = scoref.Scorer(**choices)
    for gold, predicted in zip(GOLD, PREDICTED, strict=True):
        scorer.update(gold, predicted)
    return scorer.compute()


def assert_same(metric, result):
    found = {name: value.item() for name, value in metric.compute().items()}
    wanted = {f"{name}_{part}": value for name, score in result.items() for part, value in score._asdict().items()}
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    "choices", [{}, {"average": "macro"}, {"average": "means"}, {"average": "weighted"}, {"protocol": "e2e"},
                {"singletons": "drop", "metrics": ["lea", "blanc"]}, {"protocol": "scorch"}],
)  # fmt: skip
def test_batches_give_what_a_scorer_gives(choices):
    metric = CoreferenceScore(**choices)
    metric.update(PREDICTED[:2], GOLD[:2])
    metric.update(PREDICTED[2:], GOLD[2:])
    assert_same(metric, expected(**choices))
    assert metric.evaluation().signature == expected(**choices).signature
    assert_same(pickle.loads(pickle.dumps(metric)), expected(**choices))
    metric.reset()
    metric.update(PREDICTED, GOLD)
    assert_same(metric, expected(**choices))


def test_sums_are_float64_and_are_added_up_over_processes():
    metric = CoreferenceScore()
    assert metric.sums.dtype == torch.float64
    assert metric._reductions == {"sums": torch.sum} or "sum" in str(metric._reductions["sums"])
    assert metric.higher_is_better


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_merged_states_give_what_one_metric_gives(average):
    parts = CoreferenceScore(average=average), CoreferenceScore(average=average)
    parts[0].update(PREDICTED[:1], GOLD[:1])
    parts[1].update(PREDICTED[1:], GOLD[1:])
    parts[0].merge_state(parts[1])
    assert_same(parts[0], expected(average=average))


def test_a_batch_alone():
    metric = CoreferenceScore(metrics=["muc"])
    assert metric(PREDICTED[:1], GOLD[:1])["muc_recall"].item() == 0.5
    assert metric(PREDICTED[2:], GOLD[2:])["muc_recall"].item() == 1
    assert metric.compute()["muc_recall"].item() == 2 / 3


def test_what_cannot_be_added_up_is_refused():
    with pytest.raises(scoref.Error) as error:
        CoreferenceScore(scope="corpus")
    assert error.value.code == "scope-corpus"
    with pytest.raises(scoref.Error) as error:
        CoreferenceScore().update(PREDICTED, GOLD[:1])
    assert error.value.code == "different-batches"


def worker(rank, address, results):
    torch.distributed.init_process_group("gloo", init_method=f"file://{address}", rank=rank, world_size=2)
    for average in ("micro", "macro"):
        metric = CoreferenceScore(average=average)
        metric.update(PREDICTED[rank::2], GOLD[rank::2])
        found = metric.compute()["conll_f1"].item()
        if rank == 0:
            results.put((average, found))
    torch.distributed.destroy_process_group()


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch without torch.distributed")
def test_two_processes(tmp_path):
    context = torch.multiprocessing.get_context("spawn")
    results = context.SimpleQueue()
    torch.multiprocessing.spawn(worker, (str(tmp_path / "meet"), results), nprocs=2)
    for average in ("micro", "macro"):
        assert results.get() == (average, pytest.approx(expected(average=average)["conll"].f1))
