"""Matching of CorefUD: heads, parts, zeros by what they depend on; the metrics `mor` and `zeros`; the CRAC presets.

The slow versions follow specs of the CorefUD scorer literally, with the solver of scipy on the full matrix.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import scoref
from scoref import formats
from scoref.document.document import Document, Mention, position, stretch
from scoref.matching import ties
from scoref.matching.assign import strictly_best
from scoref.matching.lookup import lookups
from scoref.matching.match import align
from scoref.matching.ties import WeightedCells, first_best
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.registry import METRICS as REGISTRY

METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
MODES = ("exact", "partial", "head")

Pair = tuple[int, int]


# -- documents --------------------------------------------------------------------------------------------------------


def document(*entities: list[Mention]) -> Document:
    """The entities in the order of a file."""
    mentions = [mention._replace(entity=f"e{name}") for name, each in enumerate(entities) for mention in each]
    mentions.sort(key=lambda each: (each.span[0], -len(each.span), each.span[-1], each.entity))
    return Document("d", tuple(f"w{word}" for word in range(20)), tuple(mentions), (0,))


def words(first: int, last: int, head: int | None = None) -> Mention:
    return Mention(stretch(first, last), "", head=position(first if head is None else head))


def zero(word: int, number: int = 1, *parents: tuple[int, str]) -> Mention:
    place = position(word, number)
    return Mention((place,), "", head=place, parents=tuple((position(word), name) for word, name in parents))


def random_document(rnd: random.Random, size: int) -> Document:
    """Nested, crossing, discontinuous mentions and zeros of few words, so that there are many ties."""
    places = [position(word, empty) for word in range(6) for empty in range(rnd.choice([1, 1, 2, 3]))]
    found: dict[tuple[tuple[int, ...], int], Mention] = {}
    for _ in range(size):
        first = rnd.randrange(len(places))
        span = tuple(places[first : first + rnd.choice([1, 1, 2, 3, 5])])
        span = tuple(place for place in span if rnd.random() < 0.9) or span[:1]
        head = rnd.choice(span)
        parents = {
            (position(rnd.randrange(6)), rnd.choice(["nsubj", "obj"])) for _ in range(rnd.choice([0, 1, 1, 2, 3]))
        }
        mention = Mention(span, f"e{rnd.randrange(4)}", head=head, parents=tuple(parents) if head & 255 else ())
        found.setdefault((span, head), mention)
    mentions = sorted(found.values(), key=lambda each: (each.span[0], -len(each.span), each.span[-1]))
    return Document("d", mentions=tuple(mentions))


def random_pair(seed: int, same_words_once: bool) -> tuple[Document, Document]:
    rnd = random.Random(seed)
    sides = [random_document(rnd, rnd.choice([2, 5, 9])) for _ in range(2)]
    if rnd.random() < 0.5:  # a response that is nearly the key
        kept = [each for each in sides[0].mentions if rnd.random() < 0.7]
        sides[1] = replace(sides[1], mentions=tuple(kept) + sides[1].mentions[: rnd.randrange(3)])
    unique = [{(each.span, None if same_words_once else each.head): each for each in side.mentions} for side in sides]
    first, second = (replace(side, mentions=tuple(each.values())) for side, each in zip(sides, unique, strict=True))
    return first, second


# -- slow versions of 3.3 to 3.5 --------------------------------------------------------------------------------------


def assignment(key: Document, response: Document, rows: list[int], columns: list[int], weight) -> set[Pair]:  # type: ignore[no-untyped-def]
    def ordered(side: Document, indices: list[int]) -> list[int]:
        spans = [mention.span for mention in side.mentions]
        return sorted(indices, key=lambda index: (spans[index][0], spans[index][-1], len(spans[index])))

    rows, columns = ordered(key, rows), ordered(response, columns)
    matrix = np.array([[weight(key.mentions[k], response.mentions[r]) for r in columns] for k in rows])
    chosen = zip(*linear_sum_assignment(-matrix.reshape(len(rows), len(columns))), strict=True)
    return {(rows[i], columns[j]) for i, j in chosen if matrix[i, j] > 0}


def f1(ours: set[object], theirs: set[object]) -> float:
    common = len(ours & theirs)
    if not common:
        return 0
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * precision * recall / (precision + recall)


def by_parents(key: Mention, response: Mention) -> float:
    ours, theirs = ({place for place, _ in mention.parents} for mention in (key, response))
    return 10 * f1(set(key.parents), set(response.parents)) + f1(ours, theirs)


def by_part(key: Mention, response: Mention) -> float:
    fits = key.head in response.span and set(response.span) <= set(key.span)
    return len(response.span) / len(key.span) if fits else 0


def by_head(key: Mention, response: Mention) -> float:
    return len(set(key.span) & set(response.span)) / len(key.span) if key.head == response.head else 0


def slow_align(key: Document, response: Document, mode: str, zeros: str) -> set[Pair]:
    rows, columns = list(range(len(key.mentions))), list(range(len(response.mentions)))
    found: set[Pair] = set()
    if zeros.startswith("dependent"):
        of_key = [index for index in rows if key.mentions[index].is_zero]
        of_response = [index for index in columns if response.mentions[index].is_zero]
        found |= assignment(key, response, of_key, of_response, by_parents)

    def name(mention: Mention) -> object:
        return (mention.span, mention.head) if mode == "head" else mention.span

    def free() -> tuple[list[int], list[int]]:
        return [k for k in rows if k not in dict(found)], [r for r in columns if r not in {r for _, r in found}]

    free_key, free_response = free()
    found |= {
        (k, r) for k in free_key for r in free_response if name(key.mentions[k]) == name(response.mentions[r])
    }  # fmt: skip
    if mode != "exact":
        found |= assignment(key, response, *free(), by_part if mode == "partial" else by_head)
    return found


@pytest.mark.parametrize("zeros", ["linear", "dependent"])
@pytest.mark.parametrize("mode", MODES)
def test_alignments_are_those_of_the_slow_version(mode: str, zeros: str) -> None:
    for seed in range(400):
        key, response = random_pair(seed, mode != "head")
        assert set(zip(*align(key, response, mode, zeros), strict=True)) == slow_align(key, response, mode, zeros), seed


# -- the solvers ------------------------------------------------------------------------------------------------------


def matrices(number: int, seed: int) -> list[np.ndarray]:
    """Costs with many ties, of all shapes."""
    rng = np.random.default_rng(seed)
    values = [np.array([0, -1]), np.array([0, -1, -2]), -np.arange(7) / 6, np.array([0, 0, 0, -1 / 3, -2 / 3, -11])]
    return [rng.choice(values[index % 4], size=rng.integers(0, 8, 2)) for index in range(number)]


def sparse(cost: np.ndarray) -> WeightedCells:
    row, column = np.nonzero(cost)
    return WeightedCells(*cost.shape, row, column, -cost[row, column])


def scipy_best(cost: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(*(each.tolist() for each in linear_sum_assignment(cost)), strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_broken_as_scipy_does(seed: int) -> None:
    costs = matrices(2000, seed)
    assert len(costs) == 2000
    for cost in costs:
        assert first_best(sparse(cost)) == scipy_best(cost)


def groups_that_compete(seed: int) -> np.ndarray:
    """Costs of a text: a few groups of mentions that share words, in any places; the parts are fractions."""
    rng = np.random.default_rng(seed)
    shape = rows, columns = rng.integers(1, 60, 2)
    cost = np.zeros(shape)
    for _ in range(rng.integers(1, 12)):
        ours = rng.choice(rows, min(rows, rng.integers(1, 6)), replace=False)
        theirs = rng.choice(columns, min(columns, rng.integers(1, 6)), replace=False)
        lengths = rng.integers(1, 12, len(ours))
        cost[np.ix_(ours, theirs)] = -np.minimum.outer(lengths, rng.integers(1, 12, len(theirs))) / lengths[:, None]
    return cost


@pytest.mark.parametrize("wide", [0, 60])  # rows by array operations, and cell by cell
@settings(max_examples=1000)
@given(st.integers(0, 10**9))
def test_ties_of_groups_are_broken_as_scipy_does(wide: int, seed: int) -> None:
    cost = groups_that_compete(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ties, "_WIDE", wide)
        assert first_best(sparse(cost)) == scipy_best(cost)


def test_prices_that_rounding_lifts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns with a price above 0 are rare; so it is made sure that some of the cases have them."""
    lifted = []
    raise_prices = ties._Assignment._raise_prices

    def watched(self: ties._Assignment, *arguments: Any) -> None:
        raise_prices(self, *arguments)
        lifted.append(bool(self.lifted))

    monkeypatch.setattr(ties._Assignment, "_raise_prices", watched)
    for seed in range(1000):
        cost = groups_that_compete(seed)
        assert first_best(sparse(cost)) == scipy_best(cost), seed
    assert sum(lifted) > 20


@pytest.mark.parametrize("seed", range(4, 6))
def test_what_is_plainly_best_is_what_scipy_finds(seed: int) -> None:
    plain = 0
    for cost in matrices(1000, seed):
        row, column = np.nonzero(cost)
        chosen = strictly_best(row, column, -cost[row, column])
        if chosen is not None:
            rows, columns = linear_sum_assignment(cost)
            found = {(i, j) for i, j in zip(rows, columns, strict=True) if cost[i, j]}
            assert found == set(zip(row[chosen], column[chosen], strict=True))
            plain += len(chosen) > 1
    assert plain > 20


@pytest.mark.parametrize("zeros", ["linear", "dependent"])
@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_alignments_are_one_to_one(mode: str, zeros: str, seed: int) -> None:
    found = align(*random_pair(seed, mode != "head"), mode, zeros)
    assert len(set(found.key)) == len(found.key) == len(set(found.response)) == len(found.response)


# -- heads and parts --------------------------------------------------------------------------------------------------


def pairs(key: list[Mention], response: list[Mention], mode: str, zeros: str = "linear") -> set[Pair]:
    """The alignment of mentions by their numbers in these lists."""
    sides = [
        Document("d", mentions=tuple(mention._replace(entity="e") for mention in each)) for each in (key, response)
    ]
    return set(zip(*align(*sides, mode, zeros), strict=True))


@pytest.mark.parametrize(
    ("key", "response", "exact", "partial", "head"),
    [
        (words(0, 4, 2), words(0, 4, 2), True, True, True),
        (words(0, 4, 2), words(0, 4, 3), True, True, False),  # the same words with another head
        (words(0, 4, 2), words(1, 3, 2), False, True, True),
        (words(0, 4, 2), words(2, 2), False, True, True),
        (words(0, 4, 2), words(1, 3, 3), False, True, False),  # of the response, a part needs no head
        (words(0, 4, 2), words(0, 1), False, False, False),
        (words(0, 4, 2), words(3, 4), False, False, False),
        (words(0, 4, 2), words(2, 5, 2), False, False, True),  # longer than the key
        (words(0, 4, 2), words(0, 9, 2), False, False, True),
        (words(2, 2), words(0, 4, 2), False, False, True),
    ],
)
def test_what_matches(key: Mention, response: Mention, exact: bool, partial: bool, head: bool) -> None:
    assert [bool(pairs([key], [response], mode)) for mode in MODES] == [exact, partial, head]


def test_the_same_words_come_first() -> None:
    key, response = [words(0, 4, 2)], [words(1, 3, 2), words(0, 4, 2)]
    assert pairs(key, response, "partial") == pairs(key, response, "head") == {(0, 1)}


def test_the_longest_part_of_a_mention_is_its_twin() -> None:
    assert pairs([words(0, 4, 2)], [words(2, 2), words(1, 3, 2), words(1, 2, 2)], "partial") == {(0, 1)}


def test_of_equal_parts_the_earlier_is_the_twin() -> None:
    assert pairs([words(0, 4, 2)], [words(2, 4, 2), words(1, 3, 2), words(0, 2, 2)], "partial") == {(0, 2)}


def test_the_sum_counts_not_the_single_pair() -> None:
    """The short response mention fits both, the long one only the first: both are used."""
    key, response = [words(0, 4, 2), words(1, 3, 2)], [words(1, 2, 2), words(0, 3, 2)]
    assert pairs(key, response, "partial") == {(0, 1), (1, 0)}


def test_words_that_the_key_mention_lacks_cost_nothing_with_heads() -> None:
    """Q16: the CorefUD scorer prefers the response mention that has all words of the key's, however long it is."""
    assert pairs([words(0, 3, 1)], [words(0, 2, 1), words(0, 11, 1)], "head") == {(0, 1)}


# -- zeros ------------------------------------------------------------------------------------------------------------


def scores(key: Document, response: Document, **choices: object) -> dict[str, scoref.Score]:
    chosen = {"zeros": "dependent-corrected", **choices}
    return scoref.score(key, response, protocol="crac-2026", **chosen).scores  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ours", "theirs", "weight"),
    [
        ([(2, "nsubj")], [(2, "nsubj")], 11),
        ([(2, "nsubj")], [(2, "obj")], 1),
        ([(2, "nsubj")], [(3, "nsubj")], 0),
        ([(2, "nsubj"), (3, "obj")], [(2, "nsubj")], 10 * 2 / 3 + 2 / 3),
        ([(2, "nsubj"), (3, "obj")], [(2, "nsubj"), (3, "nsubj")], 10 / 2 + 1),
        ([(2, "nsubj"), (2, "obj")], [(2, "obj")], 10 * 2 / 3 + 1),
        ([], [(2, "nsubj")], 0),
        ([], [], 0),
    ],
)
def test_weights_of_zeros(ours: list[tuple[int, str]], theirs: list[tuple[int, str]], weight: float) -> None:
    key, response = zero(5, 1, *ours), zero(6, 1, *theirs)
    assert by_parents(key, response) == pytest.approx(weight)
    assert bool(pairs([key], [response], "exact", "dependent")) == (weight > 0)


def test_zeros_that_depend_on_nothing_are_matched_by_position() -> None:
    """Q8: the CorefUD scorer divides by zero here."""
    key = [zero(2, 1), zero(3, 1, (3, "obj")), zero(4, 1)]
    response = [zero(2, 1), zero(3, 1), zero(4, 1, (4, "obj")), zero(5, 1)]
    assert pairs(key, response, "exact", "dependent") == {(0, 0), (1, 1), (2, 2)}


def test_the_same_parent_is_enough_where_nothing_is_better() -> None:
    """Q18: an object is the twin of a subject, unless there is a subject."""
    key, response = zero(2, 1, (2, "nsubj")), zero(2, 1, (2, "obj"))
    assert pairs([key], [response], "exact", "dependent") == {(0, 0)}
    assert pairs([key], [response, zero(2, 2, (2, "nsubj"))], "exact", "dependent") == {(0, 1)}


RELATIONS_OF_ZEROS = ("nsubj", "obj", "iobj")


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
@pytest.mark.parametrize("match", MODES)
def test_zeros_in_another_order_are_a_perfect_response(order: tuple[int, ...], match: str) -> None:
    """Q9, Q10: the CorefUD scorer confuses zeros that stand at each other's positions."""
    key, response = (
        document(*([words(word, word), zero(4, number, (4, name))] for word, number, name in each))
        for each in (zip(range(3), which, RELATIONS_OF_ZEROS, strict=True) for which in ((1, 2, 3), order))
    )
    metrics = [*METRICS, "mor", "zeros"]
    assert scores(key, response, match=match, metrics=metrics) == dict.fromkeys(metrics, (1, 1, 1))
    by_position = scores(key, response, match=match, metrics=["muc", "zeros"], zeros="linear")
    right = sum(number == place for number, place in enumerate(order, 1)) / 3
    assert by_position["muc"].f1 == pytest.approx(right)
    assert by_position["zeros"].f1 == pytest.approx(right)


def test_node_10_is_another_node_than_node_1() -> None:
    """Q17: for the CorefUD scorer 2.10 is 2.1."""
    first, tenth = zero(1, 1, (1, "nsubj")), zero(1, 10, (1, "obj"))
    key = document([words(0, 0), first], [words(1, 1), tenth])
    for zeros in ("linear", "dependent", "dependent-corrected"):
        assert scores(key, key, zeros=zeros, metrics=METRICS) == dict.fromkeys(METRICS, (1, 1, 1))
    assert pairs([first], [tenth], "exact") == set()


def test_zeros_are_dropped_after_singletons() -> None:
    key = document([words(0, 0), zero(1)], [zero(2), zero(3)], [words(4, 4), words(5, 5)])
    response = document([words(0, 0), zero(1)], [words(4, 4), words(5, 5)])
    assert scores(key, response, zeros="drop", metrics=METRICS) == dict.fromkeys(METRICS, (1, 1, 1))
    assert scores(key, response, zeros="drop", metrics=["mentions"])["mentions"] == (1, 1, 1)
    assert scores(key, response, zeros="linear", metrics=["mentions"])["mentions"].recall == 4 / 6


def test_a_longer_mention_whose_head_is_an_empty_node_is_a_zero() -> None:
    key = Mention((position(2), position(2, 1)), "", head=position(2, 1), parents=((position(3), "nsubj"),))
    assert key.is_zero
    assert pairs([key], [zero(7, 1, (3, "nsubj"))], "exact", "dependent") == {(0, 0)}


@pytest.mark.parametrize("zeros", ["linear", "dependent", "dependent-corrected", "drop"])
@pytest.mark.parametrize("match", [*MODES, "partial-1.0", "head-1.1"])
def test_a_perfect_response_scores_1(match: str, zeros: str) -> None:
    for seed in range(60):
        key = random_pair(seed, same_words_once=True)[0]
        found = scores(key, key, match=match, zeros=zeros, singletons="keep", metrics=[*METRICS, "mor", "zeros"])
        assert all(score in ((1, 1, 1), (0, 0, 0)) for score in found.values()), seed
        assert zeros == "drop" or found["mentions"] == found["mor"] == found["b3"] == (1, 1, 1)


def test_exchanging_key_and_response_exchanges_recall_and_precision() -> None:
    for seed in range(100):
        key, response = random_pair(seed, same_words_once=True)
        there, back = (
            scores(*sides, match="exact", zeros="linear", singletons="keep", metrics=[*METRICS, "mor"])
            for sides in ((key, response), (response, key))
        )
        assert there.keys() == back.keys() == {*METRICS, "mor"}
        for metric, score in there.items():
            assert (score.recall, score.precision) == pytest.approx((back[metric].precision, back[metric].recall))


# -- mor and zeros ----------------------------------------------------------------------------------------------------


def test_mor_is_that_of_the_slow_version() -> None:
    for seed in range(200):
        key, response = random_pair(seed, same_words_once=False)
        overlap = [[len(set(k.span) & set(r.span)) for r in response.mentions] for k in key.mentions]
        matrix = np.array(overlap).reshape(len(key.mentions), len(response.mentions))
        common = matrix[linear_sum_assignment(-matrix)].sum()
        sizes = [sum(len(mention.span) for mention in side.mentions) for side in (key, response)]
        found = REGISTRY["mor"].how.function(key, response, lookups(key, response, "exact"))
        assert found == (common, sizes[0], common, sizes[1])


def test_mor_by_hand() -> None:
    key = document([words(0, 3), words(6, 6)], [words(1, 2)])
    response = document([words(0, 1), words(2, 4)], [zero(6)])
    found = scoref.score(key, response, metrics=["mor"])["mor"]
    assert (found.recall, found.precision) == (3 / 7, 3 / 6)  # 2 of 4 words, 1 of 2 words


def slow_zeros(key: Document, response: Document, twins: set[Pair]) -> tuple[int, int, int, int]:
    """Section 6.2, with the twin of a zero wherever it stands: right, wrong link, missed, extra."""

    def entities(side: Document) -> list[list[int]]:
        spans = [mention.span for mention in side.mentions]
        names = {mention.entity for mention in side.mentions}
        own = [[index for index, mention in enumerate(side.mentions) if mention.entity == name] for name in names]
        return [sorted(each, key=lambda index: (spans[index][0], spans[index][-1], len(spans[index]))) for each in own]

    right = wrong = missed = 0
    firsts, covered = {each[0] for each in entities(response)}, set()
    for each in entities(key):
        seen = set()
        for number, k in enumerate(each):
            twin = dict(twins).get(k)
            if number > 0 and key.mentions[k].is_zero:
                if twin is None or twin in firsts:
                    missed += 1
                elif response.mentions[twin].entity not in seen:
                    wrong += 1
                else:
                    right += 1
                covered.add(twin)
            if twin is not None:
                seen.add(response.mentions[twin].entity)
    zero_anaphors = {r for r, mention in enumerate(response.mentions) if mention.is_zero} - firsts
    return right, wrong, missed, len(zero_anaphors - covered)


@pytest.mark.parametrize("how", ["linear", "dependent-corrected"])
@pytest.mark.parametrize("mode", MODES)
def test_zeros_are_those_of_the_slow_version(mode: str, how: str) -> None:
    some = 0
    for seed in range(150):
        key, response = random_pair(seed, mode != "head")
        right, wrong, missed, extra = slow_zeros(key, response, slow_align(key, response, mode, how))
        found = REGISTRY["zeros"].how.function(key, response, lookups(key, response, mode, how))
        assert found == (right, right + wrong + missed, right, right + wrong + extra), seed
        some += right
    assert some > 20


ADA, BOB = words(0, 0), words(1, 1)
SUBJECT, OBJECT = zero(4, 1, (4, "nsubj")), zero(4, 2, (4, "obj"))


@pytest.mark.parametrize(
    ("what", "response", "recall", "precision"),
    [
        ("perfect", [[ADA, SUBJECT], [BOB, OBJECT]], 1, 1),
        ("nothing", [[ADA, BOB]], 0, 0),
        ("one is missing", [[ADA, SUBJECT], [BOB]], 1 / 2, 1),
        ("wrong antecedent", [[ADA, SUBJECT, OBJECT], [BOB]], 1 / 2, 1 / 2),
        ("antecedents exchanged", [[ADA, OBJECT], [BOB, SUBJECT]], 0, 0),
        ("no antecedent", [[ADA, SUBJECT], [BOB], [OBJECT]], 1 / 2, 1),
        ("one too many", [[ADA, SUBJECT, zero(6, 1, (6, "nsubj"))], [BOB, OBJECT]], 1, 2 / 3),
        ("all in one entity", [[ADA, SUBJECT, BOB, OBJECT]], 1, 1),
        ("the first is missing, the second has its number", [[ADA], [BOB, zero(4, 1, (4, "obj"))]], 1 / 2, 1),  # Q10
        ("numbers exchanged", [[ADA, zero(4, 2, (4, "nsubj"))], [BOB, zero(4, 1, (4, "obj"))]], 1, 1),  # Q10
    ],
)
def test_zeros_by_hand(what: str, response: list[list[Mention]], recall: float, precision: float) -> None:
    key = document([ADA, SUBJECT], [BOB, OBJECT])
    found = scores(key, document(*response), singletons="keep", metrics=["zeros"])["zeros"]
    assert (found.recall, found.precision) == (recall, precision)


def test_zeros_that_begin_an_entity_are_no_anaphors() -> None:
    key = document([zero(0, 1, (0, "nsubj")), words(5, 5)])
    assert scores(key, key, metrics=["zeros"])["zeros"] == (0, 0, 0)


def test_an_antecedent_may_be_any_earlier_mention() -> None:
    """The nearest antecedent is missing from the response entity, an earlier one is there."""
    key = document([ADA, words(2, 2), SUBJECT])
    assert scores(key, document([ADA, SUBJECT]), metrics=["zeros"])["zeros"] == (1, 1, 1)


# -- the scorers of 2022 and 2023 -------------------------------------------------------------------------------------


def looked_up(key: list[Mention], response: list[Mention], mode: str) -> tuple[set[Pair], set[Pair], set[Pair]]:
    """Pairs of mentions by their numbers in these lists, each its own entity: in recall, in precision, in CEAF."""
    sides = [
        Document("d", mentions=tuple(mention._replace(entity=index) for index, mention in enumerate(each)))
        for each in (key, response)
    ]
    recall, precision, every = (set(zip(*each, strict=True)) for each in lookups(*sides, mode)[:3])
    return recall, precision, every


def test_many_response_mentions_may_be_one_key_mention() -> None:
    key, response = [words(0, 4, 2)], [words(2, 2), words(1, 3, 2)]
    for mode in ("partial-1.0", "head-1.1"):
        assert looked_up(key, response, mode) == ({(0, 1)}, {(0, 0), (0, 1)}, {(0, 0), (0, 1)})


def test_many_key_mentions_may_be_one_response_mention() -> None:
    key, response = [words(0, 4, 2), words(1, 3, 2)], [words(2, 2)]
    for mode in ("partial-1.0", "head-1.1"):
        assert looked_up(key, response, mode) == ({(0, 0), (1, 0)}, {(1, 0)}, {(0, 0), (1, 0)})


@pytest.mark.parametrize(
    ("key", "response", "partial", "head"),
    [
        (words(0, 4, 2), words(0, 4, 2), True, True),
        (words(0, 4, 2), words(0, 4, 3), True, False),  # in 2022 the response has no heads
        (words(0, 4, 2), words(1, 3, 3), True, False),
        (words(0, 4, 2), words(3, 4, 3), False, False),
        (words(0, 4, 2), words(0, 5, 2), False, True),  # longer than the key
        (zero(2, 1), zero(2, 1), True, True),
        (zero(2, 1, (2, "nsubj")), zero(2, 2, (2, "nsubj")), False, False),  # zeros match by position
    ],
)
def test_what_was_alike(key: Mention, response: Mention, partial: bool, head: bool) -> None:
    expected = [bool(looked_up([key], [response], mode)[0]) for mode in ("partial-1.0", "head-1.1")]
    assert expected == [partial, head]


def test_the_nearest_has_the_smallest_share_of_words_of_its_own() -> None:
    far, near = words(2, 2), words(1, 6, 2)  # 4 of 5 words differ, 3 of 7
    assert looked_up([words(0, 4, 2)], [far, near], "head-1.1")[0] == {(0, 1)}


def test_of_equally_near_mentions_the_earlier_counts() -> None:
    for order in permutations([words(0, 2, 2), words(1, 3, 2), words(2, 4, 2)]):
        for mode in ("partial-1.0", "head-1.1"):
            ((_, found),) = looked_up([words(0, 4, 2)], list(order), mode)[0]
            assert order[found] == words(0, 2, 2)


def test_of_equally_near_mentions_that_begin_together_the_one_that_ends_first_counts() -> None:
    shorter, longer = words(0, 0), words(0, 3)  # 1 of 2 words differs, 2 of 4
    assert looked_up([words(0, 1)], [longer, shorter], "head-1.1")[0] == {(0, 1)}


def test_ceaf_counts_a_mention_in_every_entity_that_has_one_like_it() -> None:
    key = document([words(0, 4, 2), words(8, 8)])
    response = document([words(2, 2), words(8, 8)], [words(1, 3, 2), words(9, 9)])
    found = scores(key, response, match="partial-1.0", zeros="linear", metrics=["muc", "ceafm"])
    assert found["muc"].recall == 0  # the nearest to 0-4 is 1-3, in another entity than 8
    assert found["ceafm"].recall == 1


# -- presets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "match", "zeros"),
    [
        ("crac-2022", "partial-1.0", "linear"),
        ("crac-2023", "head-1.1", "linear-1.1"),
        ("crac-2024", "head", "dependent"),
        ("crac-2025", "head", "dependent"),
        ("crac-2026", "head", "dependent"),
    ],
)
def test_what_presets_of_crac_set(name: str, match: str, zeros: str) -> None:
    preset = PROTOCOLS[name]
    assert (preset.name, preset.match, preset.zeros) == (name, match, zeros)
    assert (preset.singletons, preset.duplicates, preset.split, preset.layer) == ("drop", "keep", "ignore", "identity")
    assert (preset.words, preset.twinless, preset.nested, preset.mentions) == ("check", "as-is", "keep", "all")
    assert (preset.scope, preset.average) == ("document", "datasets")
    assert "conll" in preset.metrics
    usual = PROTOCOLS["conll-2012"]
    changed = {"singletons": "drop", "duplicates": "keep", "split": "ignore", "credit": "ua-1.0", "links": "both"}
    assert preset.change(match="exact", zeros="linear", name="") == usual.change(name="", average="datasets", **changed)


def test_the_usual_preset_of_corefud_is_the_newest() -> None:
    assert formats.FORMATS["corefud"].protocol == "crac-2026"


FILE = """# newdoc id = d
# global.Entity = eid-etype-head-other
1	the	_	_	_	_	_	_	_	{the}
2	small	_	_	_	_	_	_	_	{small}
3	cat	_	_	_	_	_	_	_	Entity=a)
3.1	_	_	_	_	_	_	_	4:{first[0]}	Entity=({first[1]}--1-)
3.2	_	_	_	_	_	_	_	4:{second[0]}	Entity=({second[1]}--1-)
4	saw	_	_	_	_	_	_	_	_
5	Bob	_	_	_	_	_	_	_	Entity=(b--1-)

"""
KEY = {"the": "Entity=(a--3-", "small": "_", "first": ("nsubj", "a"), "second": ("obj", "b")}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        pytest.param({}, [1, 1, 1], id="the same"),
        pytest.param({"the": "Entity=(a--1-"}, [1, 0.5, 0.5], id="another head"),
        pytest.param({"the": "_", "small": "Entity=(a--2-"}, [1, 1, 1], id="a part"),
        pytest.param({"first": ("obj", "b"), "second": ("nsubj", "a")}, [0, 0, 1], id="zeros in another order"),
    ],
)
def test_presets_on_files(response: dict[str, str], expected: list[float], tmp_path: Path) -> None:
    for name, cells in (("key", KEY), ("response", KEY | response)):
        (tmp_path / name).write_text(FILE.format(**cells), encoding="utf-8")
    found = [
        scoref.score(tmp_path / "key", tmp_path / "response", protocol=f"crac-{year}", metrics=["muc"])["muc"].recall
        for year in (2022, 2023, 2024)
    ]
    assert found == expected
