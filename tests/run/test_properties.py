from __future__ import annotations

from contextlib import nullcontext
from copy import deepcopy
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import scoref
import slow
from scoref.protocol.choices import CHOICES
from scoref.protocol.protocol import PROTOCOLS, Protocol
from scoref.relations.registry import needed
from strategies import Partition, corpora, partitions, shuffled, sides

PLAIN = (*slow.PLAIN, "conll")  # metrics on key and response as they are, the same in both directions
ALL = slow.METRICS

some = settings(max_examples=60)


def documents(corpus: list[tuple[Partition, Partition]]) -> tuple[list[scoref.Document], list[scoref.Document]]:
    key, response = (
        [scoref.clusters(pair[side], f"document {number}") for number, pair in enumerate(corpus)] for side in (0, 1)
    )
    return key, response


def scores(key, response, metrics=ALL, **choices):
    return scoref.score(key, response, metrics=metrics, **choices).scores


def assert_same(one: scoref.Evaluation, other: scoref.Evaluation) -> None:
    """The same evaluation, down to the names of the documents and the last bit."""
    assert one.protocol == other.protocol
    assert one.documents == other.documents
    assert one.counts.keys() == other.counts.keys()
    assert all(np.array_equal(one.counts[name], other.counts[name]) for name in one.counts)


def approximately(scores: dict[str, scoref.Score]) -> dict[str, object]:
    return {name: pytest.approx(score, abs=1e-12) for name, score in scores.items()}


# -- scores ----------------------------------------------------------------------------------------------------------


@some
@given(partitions)
def test_a_perfect_response_scores_1(key):
    result = scoref.score(key, key, metrics=ALL)
    defined = {name: float(counts[0, 1] > 0) for name, counts in result.counts.items()}
    defined["blanc"] = max(defined["pairwise"], defined["nonlinks"])
    defined["conll"] = mean(defined[part] for part in ("muc", "b3", "ceafe"))
    assert result.scores == {name: pytest.approx([defined[name]] * 3) for name in ALL}


@some
@given(corpora)
def test_scores_lie_between_0_and_1(corpus):
    found = scores(*documents(corpus))
    assert found.keys() == {*ALL}
    for score in found.values():
        assert all(0 <= value <= 1 + 1e-12 for value in score)


@some
@given(sides)
def test_exchanging_key_and_response_exchanges_recall_and_precision(pair):
    there, back = scores(*pair, PLAIN), scores(*reversed(pair), PLAIN)
    assert {name: (score.precision, score.recall, score.f1) for name, score in back.items()} == approximately(there)


@some
@given(sides, st.data())
def test_the_order_of_mentions_and_entities_changes_nothing(pair, data):
    moved = [data.draw(shuffled(side)) for side in pair]
    assert scores(*moved) == approximately(scores(*pair))


@some
@given(corpora, st.data())
def test_the_order_of_documents_changes_nothing(corpus, data):
    key, response = documents(corpus)
    moved = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    assert scores(*moved) == approximately(scores(key, response))


@some
@given(sides)
def test_the_names_of_mentions_and_entities_change_nothing(pair):
    named = [{f"entity {number}": [f"m{m}" for m in entity] for number, entity in enumerate(side)} for side in pair]
    assert scores(*named) == scores(*pair)


@some
@given(corpora)
def test_dropping_a_response_document_never_raises_recall(corpus):
    key, response = documents(corpus)
    names = (*PLAIN, "blanc", "b3-0", "b3-all", "b3-rn", "b3-sys")
    before = scores(key, response, names)
    assert before.keys() == {*names}
    for number in range(len(response)):
        if left := response[:number] + response[number + 1 :]:
            after = scores(key, left, names)
            assert all(after[name].recall <= before[name].recall + 1e-12 for name in names)


# -- sums ------------------------------------------------------------------------------------------------------------


@some
@given(corpora)
def test_counts_of_a_corpus_are_those_of_its_documents(corpus):
    together = scoref.score(*documents(corpus), metrics=ALL)
    assert len(together.documents) == len(corpus)
    for number, pair in enumerate(corpus):
        alone = scoref.score(*pair, metrics=ALL)
        assert {name: counts[number].tolist() for name, counts in together.counts.items()} == {
            name: pytest.approx(counts[0].tolist(), abs=1e-12) for name, counts in alone.counts.items()
        }
        assert together.by_document()[f"document {number}"] == approximately(alone.scores)


@some
@given(corpora, st.sampled_from([*CHOICES["empty"].words]))
def test_the_macro_average_is_the_mean_of_the_documents_that_have_something_to_count(corpus, empty):
    result = scoref.score(*documents(corpus), metrics=ALL, average="macro", empty=empty)
    each = list(result.by_document().values())

    def literal(name):
        if name == "conll":
            return [mean(part) for part in zip(*map(literal, ("muc", "b3", "ceafe")), strict=True)]
        counted = [
            any(result.counts[part][number][1::2].any() for part in needed([name])) for number in range(len(each))
        ]
        scored = [one[name] for one, there in zip(each, counted, strict=True) if there or empty == "count"]
        return [mean(part) for part in zip(*scored, strict=True)] if scored else [0, 0, 0]

    assert result.keys() == {*ALL}
    for name, score in result.scores.items():
        assert score == pytest.approx(literal(name))


@pytest.mark.parametrize("average", ["macro", "means", "datasets"])
def test_a_perfect_response_is_perfect_in_every_mean(average):
    sides = [scoref.clusters([["a", "b"]], "one"), scoref.clusters([], "none"), scoref.clusters([["a"]], "single")]
    result = scoref.score(sides, sides, average=average)
    assert {score.f1 for score in result.scores.values()} == {1}
    assert scoref.score(sides, sides, average="macro", empty="count")["b3"].f1 == pytest.approx(2 / 3)  # as TANL has it


@some
@given(corpora)
def test_entities_add_up_to_the_corpus(corpus):
    result = scoref.score(*documents(corpus), metrics=[*slow.PLAIN])
    assert result.counts.keys() == {*slow.PLAIN}
    for name, counts in result.counts.items():
        for side, columns in (("key", slice(0, 2)), ("response", slice(2, 4))):
            entities = [entity.counts[name] for entity in result.by_entity() if entity.side == side]
            assert np.sum(entities or [(0, 0)], axis=0) == pytest.approx(counts.sum(axis=0)[columns], abs=1e-9)


@some
@given(corpora)
def test_a_scorer_gives_what_score_gives(corpus):
    scorer = scoref.Scorer(metrics=ALL)
    for key, response in zip(*documents(corpus), strict=True):
        scorer.update(key, response)
    assert_same(scorer.compute(), scoref.score(*documents(corpus), metrics=ALL))
    scorer.reset()
    scorer.update(*corpus[0])
    assert scorer.compute().scores == scores(*corpus[0])


@some
@given(corpora, st.integers(0, 4))
def test_merged_scorers_give_what_one_gives(corpus, cut):
    parts = scoref.Scorer(metrics=ALL), scoref.Scorer(metrics=ALL)
    for number, (key, response) in enumerate(corpus):
        parts[number >= cut].update(key, response, id=f"document {number}")
    parts[0].merge(parts[1])
    assert_same(parts[0].compute(), scoref.score(*documents(corpus), metrics=ALL))


def test_merged_scorers_keep_the_documents_apart():
    parts = scoref.Scorer(), scoref.Scorer()
    for part in parts:
        part.update([["a", "b"]], [["a", "b"]])
    parts[0].merge(parts[1])
    assert len(parts[0].compute().by_document()) == 2


def test_scorers_of_different_protocols_do_not_merge():
    with pytest.raises(scoref.Error) as error:
        scoref.Scorer().merge(scoref.Scorer(singletons="drop"))
    assert error.value.code == "different-protocols"


@pytest.mark.parametrize("average", [*CHOICES["average"].words])
def test_a_scorer_without_documents_scores_0(average):
    assert set(scoref.Scorer(average=average).compute().scores.values()) == {(0, 0, 0)}


def test_the_number_of_processes_changes_nothing():
    corpus = [([[*range(number)], [9]], [[9, *range(0, number, 2)]]) for number in range(1, 8)]
    one, two = (scoref.score(*documents(corpus), metrics=ALL, jobs=jobs) for jobs in (1, 2))
    assert_same(one, two)


# -- scope, signature, arguments -------------------------------------------------------------------------------------


def named_documents(corpus):
    named = [[{str(name): each for name, each in enumerate(side)} for side in pair] for pair in corpus]
    return documents(named)


def test_the_scope_corpus_needs_names_of_entities():
    with pytest.raises(scoref.Error, match="without names"):
        scoref.score(*documents([([["a"]], [["a"]]), ([["b"]], [["b"]])]), scope="corpus")


@some
@given(corpora, st.sampled_from([*CHOICES["singletons"].words]))
def test_the_scope_corpus_is_one_document_with_all_mentions(corpus, singletons):
    # entities of all documents with the same number are one entity; a mention is told apart by its document
    whole: tuple[dict, dict] = ({}, {})
    for number, pair in enumerate(corpus):
        for side, entities in zip(whole, pair, strict=True):
            for name, mentions in enumerate(entities):
                side.setdefault(str(name), []).extend((number, mention) for mention in mentions)
    result = scores(*named_documents(corpus), scope="corpus", singletons=singletons)
    assert result == approximately(scores(*whole, singletons=singletons))


@st.composite
def protocols(draw: st.DrawFn) -> Protocol:
    choices = {choice: draw(st.sampled_from([*CHOICES[choice].words])) for choice in CHOICES if CHOICES[choice].words}
    beta = draw(st.floats(0.01, 100))
    metrics = draw(st.none() | st.lists(st.sampled_from(ALL), min_size=1, unique=True))
    try:
        return draw(st.sampled_from(list(PROTOCOLS.values()))).change(metrics=metrics, beta=beta, **choices)
    except scoref.Error:  # not every metric goes with every layer
        reject()


@some
@given(protocols())
def test_a_signature_says_the_whole_protocol(protocol):
    assert Protocol.parse(protocol.signature()) == protocol
    assert Protocol.parse(protocol.full()) == protocol
    assert Protocol.parse(scoref.Evaluation(protocol, (), {}).signature) == protocol
    assert Protocol.parse(scoref.Evaluation(protocol, (), {}).signature_full) == protocol


def test_presets_can_be_read_back_from_their_signatures():
    assert {name: Protocol.parse(preset.signature()) for name, preset in PROTOCOLS.items()} == PROTOCOLS


@pytest.mark.parametrize(
    "signature",
    ["", "conll-2013", "conll-2013|match:exact", "conll-2012|match", "conll-2012|match:exact|match:min",
     "conll-2012|match:exact|scoref:0.1.0"],
)  # fmt: skip
def test_what_is_no_signature_is_refused(signature):
    with pytest.raises(scoref.Error):
        Protocol.parse(signature)


def test_documents_with_the_same_id_are_refused_or_paired_in_order():
    twice = [scoref.clusters([["a", "b"]], "same"), scoref.clusters([["c", "d"]], "same")]
    try:
        result = scoref.score(twice, twice, metrics=["muc"])
    except scoref.Error:
        return
    assert result["muc"] == (1, 1, 1)


@pytest.mark.parametrize("side", [None, 1, [1, 2], [[{}]], [[["a", {}]]]], ids=str)
def test_what_is_no_clusters_is_an_error(side):
    for key, response in ((side, [["a"]]), ([["a"]], side)):
        with pytest.raises(scoref.Error):
            scoref.score(key, response)
        scorer = scoref.Scorer()
        with pytest.raises(scoref.Error):  # noqa: PT012  # at once, or when it is scored
            scorer.update(key, response)
            scorer.compute()


@some
@given(corpora, st.sampled_from([*CHOICES["singletons"].words]), st.sampled_from([*CHOICES["scope"].words]))
def test_arguments_are_not_changed(corpus, singletons, scope):
    plain, made = corpus[0], named_documents(corpus)
    before = deepcopy((plain, made))
    scoref.score(*plain, metrics=ALL, singletons=singletons)
    with pytest.raises(scoref.Error, match="nothing-cut") if scope == "within" else nullcontext():
        scoref.score(*made, metrics=ALL, singletons=singletons, scope=scope)
    scorer = scoref.Scorer(metrics=ALL, singletons=singletons)
    scorer.update(*plain)
    scorer.compute()
    assert (plain, made) == before
