"""The evaluators: recorded numbers of the projects they come from, and what callers do with them."""

from __future__ import annotations

import json
import pickle
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import SHARED, beside
from scoref import evaluator as e
from strategies import corpora

TOOLS = SHARED / "vectors" / "tools"
E2E = ("e2e-coref", "spanbert-coref", "coref-hoi", "s2e-coref", "fastcoref", "lingmess", "corefeval", "allennlp")
MAVERICK = ("maverick", "xcore", "bookcoref", "fast-coref", "long-doc-coref", "incremental-coref", "coreference-pypi")
REFERENCE = ("coval", "perl-8.01", "tanl-micro")
PREDICTED, GOLD = [[(0, 1), (3, 3)], [(5, 5)]], [[(0, 1), (3, 3), (5, 5)], [(7, 8), (9, 9)]]


@cache
def documents(name: str) -> dict[str, list[list[tuple[int, ...]]]]:
    found = scoref.read(TOOLS / "files" / name)
    return {each.id: [[m.span for m in entity] for entity in each.entities().values()] for each in found}


@cache
def cases(tool: str) -> list[dict]:
    lines = map(json.loads, (TOOLS / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    return [case for case in lines if case["id"].startswith(f"{tool}/")]


def both(case: dict):
    """Predicted and gold clusters of each document, with the maps that callers make."""
    key, response = documents(case["key"]), documents(case["response"])
    for name, gold in key.items():
        sides = [tuple(map(tuple, side)) for side in (response.get(name, []), gold)]
        yield (*sides, *({mention: entity for entity in side for mention in entity} for side in sides))


def close(found, expected, case):
    """Whether precision, recall and f1 are those that are recorded: all three, or f1 alone."""
    wanted = tuple(expected.get(part, value) for part, value in zip(("precision", "recall", "f1"), found, strict=True))
    assert found == pytest.approx(wanted, abs=case.get("tolerance", 1e-9)), case["id"]


@beside
@pytest.mark.parametrize(
    ("tool", "protocol"),
    [*((tool, "e2e") for tool in E2E), *((tool, "maverick") for tool in MAVERICK),
     *((tool, "conll-2012") for tool in REFERENCE), ("asp", "asp")],
)  # fmt: skip
def test_recorded_cases_through_the_class(tool, protocol):
    assert cases(tool)
    names = {"muc": "muc", "b3": "b_cubed", "ceafe": "ceafe", "lea": "lea", "mentions": "mentions"}
    for case in cases(tool):
        whole, official = e.CorefEvaluator(protocol), e.OfficialCoNLL2012CorefEvaluator(protocol)
        mentions = e.MentionEvaluator()
        for predicted, gold, to_predicted, to_gold in both(case):
            whole.update(predicted, gold, to_predicted, to_gold)
            official.update(
                pred_clusters := predicted, gold, mention_to_gold=to_gold, mention_to_predicted=to_predicted
            )
            mentions.update([m for entity in pred_clusters for m in entity], list(to_gold))
        expected = case["expected"]
        for metric, name in names.items():
            if metric in expected:
                close(official.get_prf(name), expected[metric], case)
                close(whole.evaluators[name].get_prf(), expected[metric], case)
        if "conll" in expected:
            close(whole.get_prf(), expected["conll"], case)
            assert official.get_f1("conll2012") == pytest.approx(expected["conll"]["f1"])
        if "mentions" in expected:
            close(mentions.get_prf(), expected["mentions"], case)


@beside
@pytest.mark.parametrize(("tool", "protocol"), [("e2e-coref", "e2e"), ("maverick", "maverick")])
def test_recorded_cases_through_the_functions(tool, protocol):
    assert cases(tool)
    for case in cases(tool):
        sums = {name: [0.0] * 4 for name in ("muc", "b3", "lea", "ceafe")}
        for predicted, gold, to_predicted, to_gold in both(case):
            for name, function in (("muc", e.muc), ("b3", e.b_cubed), ("lea", e.lea)):
                each = *function(predicted, to_gold, protocol), *function(gold, to_predicted, protocol)
                sums[name] = [a + b for a, b in zip(sums[name], each, strict=True)]
            sums["ceafe"] = [a + b for a, b in zip(sums["ceafe"], e.ceafe(predicted, gold, protocol), strict=True)]
        for name, counts in sums.items():
            assert e.f1(*counts) == pytest.approx(case["expected"][name]["f1"], abs=1e-9), case["id"]


@beside
def test_recorded_cases_of_stanza_through_the_checker():
    assert cases("stanza")
    for case in cases("stanza"):
        checker = e.ClusterChecker("stanza")
        for predicted, gold, *_ in both(case):
            checker.add_predictions(gold, predicted)
        expected = case["expected"]
        f1, precision, recall = checker.total_lea
        close((precision, recall, f1), expected["lea"], case)
        if {"muc", "b3", "ceafe"} <= expected.keys():
            wanted = [expected[metric]["f1"] for metric in ("muc", "b3", "ceafe")]
            assert checker.mbc == pytest.approx(wanted, abs=1e-6), case["id"]
            assert checker.bakeoff == pytest.approx(sum(wanted) / 3, abs=1e-6)


@settings(max_examples=50)
@given(corpora)
def test_it_is_the_scorer_with_sides_exchanged(corpus):
    evaluator, scorer = e.CorefEvaluator(), scoref.Scorer()
    for key, response in corpus:
        evaluator.update(response, key)
        scorer.update(key, response)
    result = scorer.compute()
    recall, precision, f1 = result["conll"]
    assert evaluator.get_prf() == (precision, recall, f1)
    for part, metric in zip(evaluator.evaluators, ("muc", "b3", "ceafe"), strict=True):
        r_num, r_den, p_num, p_den = result.counts[metric].sum(axis=0).tolist()
        assert part.get_counts() == pytest.approx((p_num, p_den, r_num, r_den))


@settings(max_examples=50)
@given(st.lists(st.integers(0, 20)), st.lists(st.integers(0, 20)))
def test_mentions_are_sets(predicted, gold):
    evaluator = e.OfficialMentionEvaluator()
    evaluator.update(predicted, gold)
    shared = len({*predicted} & {*gold})
    assert (evaluator.tp, evaluator.fp, evaluator.fn) == (shared, len({*predicted}) - shared, len({*gold}) - shared)


def test_what_callers_of_the_copies_do():
    evaluator = e.CorefEvaluator()
    maps = [{m: tuple(c) for c in side for m in c} for side in (PREDICTED, GOLD)]
    evaluator.update(predicted=PREDICTED, gold=GOLD, mention_to_predicted=maps[0], mention_to_gold=maps[1])
    lines = {name: part.get_prf() for name, part in zip(("muc", "b3", "ceafe"), evaluator.evaluators, strict=True)}
    assert lines["muc"] == (1.0, 1 / 3, 0.5)
    muc = evaluator.evaluators[0]
    assert (muc.p_num, muc.p_den, muc.r_num, muc.r_den) == muc.get_counts() == (1, 1, 1, 3)
    assert (muc.metric, muc.beta) == (e.muc, 1)
    assert muc.get_prf_str() == "Recall: 33.3, Precision: 100.0, F-score: 50.0"
    assert len(evaluator.evaluators) == 3
    assert evaluator.evaluators[0] is muc
    assert list(reversed(evaluator.evaluators))[-1] is muc
    assert [part.metric for part in evaluator.evaluators[1:]] == [e.b_cubed, e.ceafe]
    assert evaluator.get_muc() == evaluator.name_to_evaluator["muc"].get_prf() == lines["muc"]
    assert evaluator.get_b3() == lines["b3"]
    assert evaluator.get_ceafe() == lines["ceafe"]
    assert evaluator.get_f1() == pytest.approx(sum(prf[2] for prf in lines.values()) / 3)
    assert evaluator.get_full()[0] == "muc: 1.0000 0.3333 0.5000"
    assert evaluator.get_count() == 1
    assert evaluator.get_all()["muc_recall"] == evaluator.get_recall("muc") == 1 / 3
    assert evaluator.prf_str() == ", ".join(f"{value:.3f}" for value in evaluator.get_prf())


def test_names_of_arguments():
    official = e.OfficialCoNLL2012CorefEvaluator()
    official.update(pred=PREDICTED, gold=GOLD)
    assert official.get_precision("muc") == 1


def test_sums_can_be_read_and_not_written():
    part = e.CorefEvaluator().evaluators[0]
    for name in ("p_num", "p_den", "r_num", "r_den", "metric", "beta"):
        with pytest.raises(AttributeError):
            setattr(part, name, 1)


def test_a_part_takes_no_documents_of_its_own():
    with pytest.raises(scoref.Error) as error:
        e.CorefEvaluator().evaluators[0].update(PREDICTED, GOLD)
    assert error.value.code == "part-of-evaluator"


def test_results_are_kept_until_the_next_document(monkeypatch):
    calls = []
    compute = scoref.Scorer.compute
    monkeypatch.setattr(scoref.Scorer, "compute", lambda self: calls.append(1) or compute(self))
    evaluator = e.CorefEvaluator()
    evaluator.update(PREDICTED, GOLD)
    assert not calls, "nothing is computed before somebody asks"
    for _ in range(3):
        evaluator.get_prf(), evaluator.get_f1(), evaluator.evaluators["ceafe"].get_counts()
    assert len(calls) == 1
    evaluator.update(GOLD, GOLD)
    assert evaluator.get_recall("muc") == 4 / 6
    assert len(calls) == 2


def test_workers_are_pickled_and_merged():
    workers = e.CorefEvaluator(), e.CorefEvaluator()
    for number, worker in enumerate(workers):
        worker.update(PREDICTED, GOLD, id="padded")
        worker.update(GOLD, GOLD, id=f"document {number}")
        worker.get_prf()
    total = e.CorefEvaluator()
    for worker in workers:
        total.merge(pickle.loads(pickle.dumps(worker)))
    assert total.get_count() == 3
    assert total.get_recall("muc") == (1 + 3 + 3) / 9
    total.reset()
    assert total.get_prf() == (0, 0, 0)


def test_beta():
    part = e.Evaluator(e.muc, beta=2)
    part.update(PREDICTED, GOLD)
    assert part.get_f1() == pytest.approx(5 * 1 * (1 / 3) / (4 * 1 + 1 / 3)) == e.f1(1, 1, 1, 3, beta=2)


def test_singletons_are_where_the_copies_differ():
    reference, copied = e.CorefEvaluator(), e.CorefEvaluator(protocol="e2e")
    for evaluator in (reference, copied):
        evaluator.update([["a", "b", "c"], ["d"]], [["a", "b", "c"], ["d"]])
    assert reference.get_f1() == 1
    assert copied.get_f1() == pytest.approx(8 / 9)


@pytest.mark.parametrize("bad", [{"ab", "cd"}, "ab", [1], [["a", {}]]])
def test_what_is_no_clustering_is_refused(bad):
    with pytest.raises(scoref.Error) as error:
        e.CorefEvaluator().update(bad, [["a"]])
    assert error.value.code == "bad-clusters"
    assert "response" in str(error.value)


def test_names_of_metrics():
    with pytest.raises(scoref.Error) as error:
        e.CorefEvaluator().get_f1("bleu")
    assert error.value.code == "unknown-metric"
    with pytest.raises(AttributeError):
        e.nothing  # noqa: B018
