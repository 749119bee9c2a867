"""Credit for split antecedents: the definitions, the papers' examples, the official scorer's numbers."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
import slow
from scoref.counting.corpus import SetMembers
from scoref.counting.split import credited
from scoref.counting.table import build
from scoref.document.document import Mention, position
from scoref.matching.lookup import lookups
from scoref.preparing.sets import accommodated
from scoref.problems import Problems
from scoref.protocol.protocol import CHOICES
from scoref.relations.registry import METRICS
from strategies import corpora, partitions
from suite import literal_sets
from suite.literal_sets import Side, Tied

some = settings(max_examples=100)
CREDITS = st.sampled_from([*CHOICES["credit"].words])

NAMES = tuple(literal_sets.METRICS)
PAUN = ("muc", "b3", "ceafm", "ceafe", "lea", "blanc", "conll")


def document(**entities: str) -> scoref.Document:
    """Entities as text: `A="1 5"` has two mentions, `C="6 = A B"` one and is the set of two others."""
    parts = {name: text.partition("=") for name, text in entities.items()}
    sets = {name: members.split() for name, (_, equals, members) in parts.items() if equals}
    return scoref.clusters({name: mentions.split() for name, (mentions, _, _) in parts.items()}, sets=sets)


def f1s(result: scoref.Evaluation, digits: int = 5) -> list[float]:
    return [round(score.f1, digits) for score in result.scores.values()]


# -- random documents with sets --------------------------------------------------------------------------------------


def _with_sets(entities: list[list[int]], share: float, random: Random) -> Side:
    """Sets of entities that come before them in some order, so that no set is a member of itself."""
    order = random.sample(range(len(entities)), len(entities))
    sets = {}
    for place, number in enumerate(order):
        if place and random.random() < share:
            sets[number] = random.sample(order[:place], min(place, random.choice([1, 2, 2, 2, 3])))
    return Side(entities, sets)


def _partition(mentions: int, entities: int, absent: float, random: Random) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for mention in range(mentions):
        if random.random() >= absent:
            found.setdefault(random.randrange(entities), []).append(mention)
    return list(found.values())


def _answer(key: Side, random: Random) -> Side:
    """A response to it: mentions missing, spurious, in other entities; members missing."""
    noise = random.choice([0, 0.1, 0.3])
    entities: list[list[int]] = [[] for _ in range(len(key.entities) + 1)]
    for number, mentions in enumerate(key.entities):
        for mention in mentions:
            fate = random.random()
            if fate >= noise:
                entities[random.randrange(len(entities)) if fate < 2 * noise else number].append(mention)
    entities[-1] += [99] * (random.random() < noise)
    place = {
        number: index for index, number in enumerate(number for number in range(len(entities)) if entities[number])
    }
    sets = {}
    for number, members in key.sets.items():
        kept = [place[member] for member in members if member in place and random.random() >= noise]
        if number in place and kept:
            sets[place[number]] = kept
    return Side([mentions for mentions in entities if mentions], sets)


def _sides(mentions: int, random: Random) -> tuple[Side, Side]:
    entities, share = random.choice([3, 5, 8]), random.choice([0.3, 0.6])
    key = _with_sets(_partition(mentions, entities, 0, random), share, random)
    if random.random() < 0.7:
        return key, _answer(key, random)
    return key, _with_sets(_partition(mentions, entities, 0.2, random), share, random)


sides = st.builds(_sides, st.integers(0, 11), st.randoms(use_true_random=True))


def clusters(side: Side) -> scoref.Document:
    return scoref.clusters(side.entities, sets=side.sets)


def placed(side: Side, id: str) -> scoref.Document:
    """The same with positions and names."""
    mentions = tuple(
        Mention((position(mention),), f"e{number}") for number, each in enumerate(side.entities) for mention in each
    )
    sets = {f"e{number}": tuple(f"e{member}" for member in members) for number, members in side.sets.items()}
    return scoref.Document(id, mentions=mentions, sets=sets)


# -- fast = slow -----------------------------------------------------------------------------------------------------


def assert_as_slow(result: scoref.Evaluation, expected: dict[str, list[Fraction]]) -> None:
    found = {name: result.counts[name].sum(axis=0).tolist() for name in expected}
    assert found == {name: pytest.approx([float(each) for each in sums], abs=1e-9) for name, sums in expected.items()}


def untied(function, *args):
    """What it gives for each metric whose best alignment of sets is a single one."""
    found = {}
    for name in NAMES:
        try:
            found[name] = function(name, *args)
        except Tied:
            continue
    return found


@pytest.mark.parametrize("seed", range(24))
def test_fast_equals_slow_on_fixed_documents(seed):
    pair, credit, beta = _sides(2 + seed % 8, Random(seed)), ["directional", "ua-1.0"][seed % 2], [1, 10][seed % 3 % 2]
    how = {"metrics": NAMES, "credit": credit}
    result = scoref.score(*map(clusters, pair), **how, beta=beta)
    assert_as_slow(result, untied(literal_sets.counts, *pair, credit, beta))
    result = scoref.score(*map(clusters, pair), **how, singletons="drop")
    assert_as_slow(result, untied(literal_sets.counts, *pair, credit, 1, "drop"))
    result = scoref.score(*map(clusters, pair), **how, split="only")
    assert_as_slow(result, untied(literal_sets.counts_of_sets, *pair, credit))


@pytest.mark.parametrize("credit", CHOICES["credit"].words)
@pytest.mark.parametrize("split", ["credit", "only"])
def test_fixed_documents_are_counted_each_alone(split, credit):
    pairs = [_sides(9, Random(seed)) for seed in range(12)]
    key, response = ([placed(pair[side], str(n)) for n, pair in enumerate(pairs)] for side in (0, 1))
    how = {"metrics": NAMES, "credit": credit, "split": split}
    whole = scoref.score(key, response, **how)
    alone = [scoref.score(*both, **how) for both in zip(key, response, strict=True)]
    rows = {name: np.concatenate([each.counts[name] for each in alone]) for name in NAMES}
    assert whole.counts == {name: pytest.approx(each, abs=1e-9) for name, each in rows.items()}


@settings(max_examples=200)
@given(sides, st.sampled_from(["directional", "ua-1.0"]), st.sampled_from([1, 10]))
def test_fast_equals_slow(pair, credit, beta):
    result = scoref.score(*map(clusters, pair), metrics=NAMES, credit=credit, beta=beta)
    assert_as_slow(result, untied(literal_sets.counts, *pair, credit, beta))


@some
@given(sides, st.sampled_from(["directional", "ua-1.0"]))
def test_fast_equals_slow_where_members_are_dropped_as_singletons(pair, credit):
    result = scoref.score(*map(clusters, pair), metrics=NAMES, credit=credit, singletons="drop")
    assert_as_slow(result, untied(literal_sets.counts, *pair, credit, 1, "drop"))


@some
@given(sides, st.sampled_from(["directional", "ua-1.0"]))
def test_fast_equals_slow_on_sets_alone(pair, credit):
    result = scoref.score(*map(clusters, pair), metrics=NAMES, credit=credit, split="only")
    assert_as_slow(result, untied(literal_sets.counts_of_sets, *pair, credit))


def test_the_slow_version_knows_ties():
    key = Side([[1], [2], [3], [4]], {2: [0, 1], 3: [0]})  # any two sets have the same coreference links, none
    with pytest.raises(Tied):
        literal_sets.counts("pairwise", key, key)
    assert literal_sets.counts("b3", key, key) == [6, 6, 6, 6]


# -- principle 1: without sets nothing changes -----------------------------------------------------------------------


@some
@given(corpora, CREDITS, st.sampled_from(["credit", "ignore"]), st.sampled_from([1, 7]))
def test_without_sets_the_counts_are_the_very_same(corpus, credit, split, beta):
    pairs = [[scoref.clusters(pair[side], str(number)) for number, pair in enumerate(corpus)] for side in (0, 1)]
    plain = scoref.score(*pairs, metrics=["all"])
    result = scoref.score(*pairs, metrics=["all"], credit=credit, split=split, beta=beta)
    assert result.counts.keys() == plain.counts.keys()
    assert all(np.array_equal(result.counts[name], plain.counts[name]) for name in plain.counts)


@some
@given(sides)
def test_ignored_sets_are_no_sets(pair):
    plain = scoref.score(*(each.entities for each in pair), metrics=NAMES)
    result = scoref.score(*map(clusters, pair), metrics=NAMES, split="ignore")
    assert all(np.array_equal(result.counts[name], plain.counts[name]) for name in NAMES)


@some
@given(sides)
def test_sets_of_one_side_earn_nothing_and_count_as_elements(pair):
    key, response = pair
    result = scoref.score(clusters(key), response.entities, metrics=NAMES)
    assert_as_slow(result, untied(literal_sets.counts, key, Side(response.entities, {})))


# -- principle 2: a perfectly resolved set is one more mention -------------------------------------------------------


@some
@given(partitions, partitions, st.randoms(use_true_random=True))
def test_a_perfect_set_counts_like_one_more_mention(atoms, plurals, random):
    # both sides have the same atomic entities and the same sets of them; mentions of the sets may differ
    atoms = [[f"a{mention}" for mention in entity] for entity in atoms]
    members = [random.sample(range(len(atoms)), random.randint(1, len(atoms))) for _ in plurals] if atoms else []
    distinct = {frozenset(each): each for each in members}
    names = [f"set {number}" for number in range(len(distinct))]
    sides = []
    for side in ("key", "response"):
        mentions = {name: [f"{name} of the {side}"] for name in names}
        for mention in {mention for entity in plurals for mention in entity} if names else ():
            mentions[random.choice(names)].append(f"p{mention}")
        sides.append({**{str(number): entity for number, entity in enumerate(atoms)}, **mentions})
    sets = {name: list(map(str, each)) for name, each in zip(names, distinct.values(), strict=True)}
    one_more = [
        {name: [*each, f"the {name}"] if name in sets else each for name, each in side.items()} for side in sides
    ]
    unambiguous = NAMES if len(sets) == 1 else ("muc", "b3", "ceafm", "ceafe", "lea")  # links alone may fit others too
    unambiguous = tuple(name for name in unambiguous if name != "mentions")
    expected = scoref.score(*one_more, metrics=unambiguous)
    result = scoref.score(*(scoref.clusters(side, sets=sets) for side in sides), metrics=unambiguous)
    assert unambiguous
    for name in unambiguous:
        assert result.counts[name] == pytest.approx(expected.counts[name], abs=1e-9), name


@some
@given(sides)
def test_a_perfect_response_scores_1(pair):
    key = clusters(pair[0])
    result = scoref.score(key, key, metrics=NAMES)
    assert result.counts.keys() == {*NAMES}
    for name, counts in result.counts.items():
        assert counts[0] == pytest.approx(np.repeat(counts[0, 1], 4)), name


def test_a_perfect_response_scores_1_for_its_sets_alone():
    key = document(A="1 2", B="3 4", S="5 = A B", T="6 = A")
    result = scoref.score(key, key, protocol="paun-2023", split="only")
    assert set(result.scores.values()) == {(1, 1, 1)}


@some
@given(sides, CREDITS)
def test_scores_lie_between_0_and_1(pair, credit):
    for split in ("credit", "only"):
        result = scoref.score(*map(clusters, pair), metrics=NAMES, split=split, credit=credit)
        assert all(0 <= value <= 1 + 1e-12 for score in result.scores.values() for value in score)


@some
@given(sides)
def test_exchanging_key_and_response_exchanges_recall_and_precision(pair):
    there, back = (scoref.score(*map(clusters, each), metrics=NAMES) for each in (pair, pair[::-1]))
    assert there.keys() == back.keys() == {*NAMES}
    for name in untied(literal_sets.counts, *pair):
        recall, precision, f1 = back[name]
        assert there[name] == pytest.approx((precision, recall, f1), abs=1e-12)


# -- order -----------------------------------------------------------------------------------------------------------


def _shuffled(documents: list[scoref.Document], random: Random) -> list[scoref.Document]:
    """The same documents: another order of documents, mentions, sets and members, other names of entities."""
    found = []
    for each in random.sample(documents, len(documents)):
        names = list(each.entities())
        new = dict(zip(names, random.sample([f"x{number}" for number in range(99)], len(names)), strict=True))
        mentions = [mention._replace(entity=new[mention.entity]) for mention in each.mentions]
        sets = [(new[name], tuple(new[member] for member in members)) for name, members in each.sets.items()]
        found.append(
            replace(
                each,
                mentions=tuple(random.sample(mentions, len(mentions))),
                sets={
                    name: tuple(random.sample(members, len(members)))
                    for name, members in random.sample(sets, len(sets))
                },
            )
        )
    return found


@some
@given(
    st.lists(sides, min_size=1, max_size=3),
    st.sampled_from(["paun-2023", "yu-2021"]),
    st.sampled_from(["credit", "only"]),
    st.randoms(use_true_random=True),
)
def test_orders_and_names_change_nothing(corpus, protocol, split, random):
    pairs = [[placed(pair[side], str(number)) for number, pair in enumerate(corpus)] for side in (0, 1)]
    metrics = [*NAMES, "split-lenient", "split-links"]
    before = scoref.score(*pairs, protocol=protocol, metrics=metrics, split=split)
    after = scoref.score(*(_shuffled(side, random) for side in pairs), protocol=protocol, metrics=metrics, split=split)
    assert after.scores == {name: pytest.approx(score, abs=1e-12) for name, score in before.scores.items()}


# -- Paun et al. 2023, sections 4 and 5: example (12) ----------------------------------------------------------------

EXAMPLE = document(
    K1="1 5", K2="2 3 4", K3="6 7 10 = K1 K2", K4="8 11 13", K5="9 14", K6="12 = K3 K4", K7="15 = K1 K2 K4 K5"
)
ALL_FOUR = {"A": "R1 R2 R5", "B": "R1 R2 R4 R5", "C": "R1 R2 R4", "D": "R2 R4 R5"}  # who the systems say they are
SYSTEMS = {
    name: document(R1="1 5", R2="2 4", R3="6 7 10 12 = R1 R2", R4="8 11", R5="9 14", R6=f"15 = {members}")
    for name, members in ALL_FOUR.items()
}


def deltas(metric: str, response: scoref.Document) -> dict[str, Fraction]:
    """The δ of recall that is not 0, for each key entity; MUC has none where the entities share no mention."""
    key, response = (accommodated(each, Problems()) for each in (EXAMPLE, response))
    tables, ours, theirs = build([(key, response, lookups(key, response, "exact"))], [0])
    table, _ = credited(METRICS[metric], tables, SetMembers(ours, theirs, (tables.every, tables.every)), "directional")
    cells = zip(table.row, table.column, table.n, table.credit, strict=True)
    return {
        f"{ours.name[row]} {theirs.name[column]}": Fraction(credit).limit_denominator(1000)
        for row, column, count, credit in cells
        if credit and (count or metric != "muc")
    }


PRINTED = """
A b3    K3 R3 2/3   K7 R6 8/15
B b3    K3 R3 2/3   K7 R6 2/3
C b3    K3 R3 2/3   K6 R6 7/12
D b3    K3 R3 2/3   K7 R6 7/15
A muc   K3 R3 2/3   K7 R6 1/2
B muc   K3 R3 2/3   K7 R6 2/3
C muc   K3 R3 2/3
D muc   K3 R3 2/3   K7 R6 1/2
A ceafm K3 R3 4/5   K7 R6 3/5
B ceafm K3 R3 4/5   K7 R6 4/5
C ceafm K3 R3 4/5   K6 R6 3/4
D ceafm K3 R3 4/5   K7 R6 3/5
A ceafe K3 R3 9/10  K7 R6 7/10
B ceafe K3 R3 9/10  K7 R6 9/10
C ceafe K3 R3 9/10  K6 R6 13/15
D ceafe K3 R3 9/10  K7 R6 13/20
"""


@pytest.mark.parametrize("line", PRINTED.strip().split("\n"))
def test_the_printed_terms(line):
    system, metric, *rest = line.split()
    expected = {f"{key} {response}": Fraction(delta) for key, response, delta in zip(*[iter(rest)] * 3, strict=True)}
    assert deltas(metric, SYSTEMS[system]) == expected


@pytest.mark.parametrize("first", ["X", "Y"])
def test_a_set_that_has_another_partner_is_not_looked_up_by_ua(first):
    """{A, B} and {A, C} have the same links, as B and C have one mention: the first of the file is the partner.

    The key has two links, (1, 2) and (4, set); the response (1, 2), (5, set) and (4, set).
    """
    sets = {"X": "5 = A C", "Y": "4 = A B"}
    key = document(A="1 2", B="3", D="4 = A B")
    response = document(A="1 2", B="3", C="9", **{name: sets[name] for name in sorted(sets, reverse=first == "Y")})
    found = scoref.score(key, response, metrics=["pairwise"], credit="ua-1.0").counts["pairwise"][0].tolist()
    assert found == ([1, 2, 1, 3] if first == "X" else [2, 2, 2, 3])


def test_of_sets_without_any_other_set_nothing_is_found():
    key, response = document(A="1 2", B="3", D="4 = A B"), document(A="1 2", B="3", D="4")
    for sides, expected in (((key, response), (0, 2, 0, 0)), ((response, key), (0, 0, 0, 2))):
        result = scoref.score(*sides, protocol="yu-2021", metrics=["split-lenient"])
        assert result.counts["split-lenient"][0].tolist() == [*expected]


def test_members_that_are_sets_are_replaced_by_their_members():
    assert accommodated(EXAMPLE, Problems()).sets["K6"] == ("K1", "K2", "K4")
    key = document(John="1", Mary="2", they="3 = John Mary", Bill="4", all="5 = they Bill", again="6 = all John")
    flat = accommodated(key, Problems())  # section 4.1, example (11)
    assert flat.sets == {"they": ("John", "Mary"), "all": ("John", "Mary", "Bill")}
    assert [mention.entity for mention in flat.mentions] == ["John", "Mary", "they", "Bill", "all", "all"]


def test_the_halves_of_blanc_have_terms_of_their_own():
    # sections 5.5.1 and 5.5.2, K3: coreference links of {1 5}, {2 3 4} in {1 5}, {2 4}, and links between the two
    assert deltas("pairwise", SYSTEMS["A"])["K3 R3"] == Fraction(1 + 1, 1 + 3)
    assert deltas("nonlinks", SYSTEMS["A"])["K3 R3"] == Fraction(2 * 2, 2 * 3)


# The Universal Anaphora scorer 1.0 on the same files: F1 of MUC, B³, CEAFe, CEAFm and their mean.
OFFICIAL = {
    "A": [0.75191, 0.75261, 0.82564, 0.82660, 0.77672],
    "B": [0.76190, 0.76049, 0.83333, 0.83502, 0.78524],
    "C": [0.68127, 0.70995, 0.76410, 0.78114, 0.71844],
    "D": [0.75191, 0.74887, 0.82125, 0.82660, 0.77401],
}


@pytest.mark.parametrize("system", OFFICIAL)
def test_the_numbers_of_the_official_scorer(system):
    metrics = ["muc", "b3", "ceafe", "ceafm", "conll"]
    assert f1s(scoref.score(EXAMPLE, SYSTEMS[system], protocol="codi-crac-2022", metrics=metrics)) == OFFICIAL[system]


def test_lea_is_that_of_the_official_scorer_2():
    found = [scoref.score(EXAMPLE, each, protocol="codi-crac-2022", metrics=["lea"]) for each in SYSTEMS.values()]
    assert [*map(f1s, found)] == [[0.68527], [0.69333], [0.60238], [0.67708]]


def test_better_systems_score_higher():
    # sections 5.1.2 to 5.3.2: B is best, C worst; A is ahead of D, but for MUC and CEAFm, where they are level
    results = {name: scoref.score(EXAMPLE, response, protocol="paun-2023") for name, response in SYSTEMS.items()}
    for metric in PAUN:
        a, b, c, d = (results[name][metric].f1 for name in "ABCD")
        assert b > a >= d > c
        assert (a == d) == (metric in ("muc", "ceafm", "blanc"))


# -- where definition and official scorer differ ---------------------------------------------------------------------

SUBSET = document(A="1", B="2", S="3 = A B"), document(A="1", B="2", S="3 = A")
HALF = document(A="1 2", B="3 4", S="5 6 7 = A B"), document(A="1 2", B="3", S="5 6 7 = A B")
DIFFERENCES = [
    # D1: δ of CEAF is recall in recall and precision in precision, or f1 in both
    (SUBSET, "ceafm", (3.5 / 4, 1), (11 / 12, 11 / 12)),
    (SUBSET, "ceafe", (2.75 / 3, 1), (17 / 18, 17 / 18)),
    # D2: likewise BLANC
    (HALF, "blanc", (0.65625, 1), (0.7, 25 / 28)),
    # D4: LEA counts δ·n links to a set, in both
    (HALF, "lea", (0.625, 16 / 21), (0.625, 16 / 21)),
    # D6: MUC inside sets has self-links, in both
    (SUBSET, "muc", (0.5, 1), (0.5, 1)),
    # D7: LEA has self-links, in both
    (({"A": ["1"]}, {"A": ["1"]}), "lea", (1, 1), (1, 1)),
    (({"A": ["1"]}, {"A": ["1", "2"]}), "lea", (0, 0), (0, 0)),
    # D9: BLANC leaves out links that neither side has, in both
    (({"A": ["1"]}, {"A": ["1"]}), "blanc", (0, 0), (0, 0)),
    (({"A": ["1", "2", "3"]}, {"A": ["1", "2"], "B": ["3"]}), "blanc", (1 / 6, 0.5), (1 / 6, 0.5)),
]


@pytest.mark.parametrize(("pair", "metric", "paper", "program"), DIFFERENCES)
def test_the_definition_and_the_official_scorer(pair, metric, paper, program):
    for protocol, expected in (("paun-2023", paper), ("codi-crac-2022", program)):
        result = scoref.score(*pair, protocol=protocol, metrics=[metric])
        assert result[metric][:2] == pytest.approx(expected), protocol


def test_f1_of_blanc_is_the_mean_of_the_halves():
    assert f1s(scoref.score(*HALF, protocol="paun-2023", metrics=["blanc"])) == [0.79202]
    assert f1s(scoref.score(*HALF, protocol="codi-crac-2022", metrics=["blanc"])) == [0.78235]
    assert f1s(scoref.score([["a", "b", "c"]], [["a", "b"], ["c"]], metrics=["blanc"])) == [0.5]  # links of the key


def test_nothing_to_find_and_nothing_found_is_right():
    # the members have one mention each: no coreference links; the official scorer finds the identical set
    key, response = SUBSET[0], document(A="1", B="2", S="3 = B A")
    for protocol in ("paun-2023", "codi-crac-2022"):
        assert scoref.score(key, response, protocol=protocol, metrics=["blanc"])["blanc"] == (1, 1, 1)
    alone = scoref.score(key, response, protocol="codi-crac-2022", metrics=["pairwise", "nonlinks"], split="only")
    assert alone.scores == {"pairwise": (0, 0, 0), "nonlinks": (1, 1, 1)}


# -- other proposals, section 6 --------------------------------------------------------------------------------------


def test_zhou_and_choi_align_john_with_bill():
    key = document(K1="1 2 3 4", K2="5", K3="6", K4="7 8 9 = K1 K2 K3")
    response = document(R1="1", R2="5", R3="7 8 9 = R1 R2")
    result = scoref.score(key, response, protocol="zhou-choi-2018", metrics=["ceafe"])
    assert result.counts["ceafe"][0] == pytest.approx([1 + 6 / 8, 3, 1 + 6 / 8, 2])  # K2 with R2, K3 with R1
    assert 6 / 8 > 8 / 11  # K1 with R1
    ours = scoref.score(key, response, protocol="paun-2023", metrics=["ceafe"])
    delta = (2 / 5 + 1) / 3  # of K4 with R3; K1 with R1 and K2 with R2 as they should be
    assert ours.counts["ceafe"][0, 0] == pytest.approx(2 / 5 + 1 + 2 * (3 + delta) / (4 + 4))


@pytest.mark.parametrize("metrics", [["muc"], ["conll"], ["lea"], ["mentions"], ["all"]])
def test_metrics_are_refused_where_plurals_are_distributed(metrics):
    with pytest.raises(scoref.Error, match="is not defined where a mention is in several entities"):
        scoref.score([["a"]], [["a"]], protocol="zhou-choi-2018", metrics=metrics)


def test_zhou_and_choi_is_the_authors_own_scorer():
    """What their evaluators give for the example of section 6."""
    key = document(K1="1 2 3 4", K2="5", K3="6", K4="7 8 9 = K1 K2 K3")
    response = document(R1="1", R2="5", R3="7 8 9 = R1 R2")
    scores = scoref.score(key, response, protocol="zhou-choi-2018").scores
    assert scores["b3"] == pytest.approx(((4 / 7 + 1 + 3 * 5 / 9) / 5, 1, 0.786127), abs=1e-6)
    assert scores["ceafe"].f1 == pytest.approx(0.7)
    assert scores["blanc"] == pytest.approx((2 / 3, 2 / 3, 0.5))  # 9 of 27 links, 9 of 9 and of 27 other pairs


def test_zhou_and_choi_count_mentions_that_the_key_lacks():
    scores = scoref.score([["a", "b"]], [["a", "x"]], protocol="zhou-choi-2018").scores
    assert scores["b3"] == pytest.approx((1 / 4, 1 / 4, 1 / 4))
    assert scores["blanc"] == pytest.approx((1 / 4, 1 / 4, 1 / 4))  # of a-b, a-x, b-x one is in no entity


@some
@given(sides)
def test_distributed_mentions_are_those_of_the_members(pair):
    overlapping = []
    for side in pair:
        owner = {
            frozenset(mentions): {*mentions} for number, mentions in enumerate(side.entities) if number not in side.sets
        }
        for number in side.sets:
            for atom in literal_sets.atoms(side, number):
                owner[atom].update(side.entities[number])
        overlapping.append([sorted(mentions) for mentions in owner.values()])
    names = ["ceafm", "ceafe"]
    result = scoref.score(*map(clusters, pair), metrics=names, split="distribute")
    expected = scoref.score(*overlapping, metrics=names, duplicates="keep")
    assert result.scores == {name: pytest.approx(score) for name, score in expected.scores.items()}


overlapping_entities = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=5), max_size=5)


@some
@given(overlapping_entities, overlapping_entities)
def test_overlapping_entities_are_counted_as_by_their_sets(key, response):
    sides = ([sorted(entity) for entity in side] for side in (key, response))
    names = ["b3", "pairwise", "nonlinks"]
    result = scoref.score(*sides, metrics=names, split="distribute", duplicates="keep")
    assert result.counts.keys() == {*names}
    for name, expected in slow.overlapping(key, response).items():
        assert result.counts[name].sum(axis=0) == pytest.approx([float(number) for number in expected]), name


@pytest.mark.parametrize("plural", [False, True], ids=["partitions", "one entity overlaps with all others"])
def test_overlapping_entities_take_memory_in_proportion_to_their_mentions(plural):
    # 2,000 mentions of one entity have two million pairs
    mentions = range(2000)
    giant, pairs = [[*mentions]], [[mention, mention + 1] for mention in mentions[::2]]
    sides = (giant + pairs, giant + pairs[::-1]) if plural else (giant, pairs)
    tracemalloc.start()
    try:
        scores = scoref.score(*sides, metrics=["b3", "blanc"], split="distribute", duplicates="keep").scores
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert scores["b3"] == pytest.approx((1, 1, 1) if plural else (2 / 2000, 1, 4 / 2002))


def test_yu_et_al_2021_take_the_same_response_set_twice():
    # K5 has two members in common with R4 and with R5, and takes R4; one to one it is R5
    key = document(K1="1 2 3 4", K2="5", K3="6", K4="7 = K1 K2", K5="8 = K1 K2 K3")
    response = document(R1="1 2 3 4", R2="5", R3="6", R4="7 = R1 R2", R5="8 = R1 R3")
    early = scoref.score(key, response, protocol="yu-2021", metrics=["lea", "split-lenient"])
    assert early.counts["lea"][0] == pytest.approx([4 + 1 + 1 + 2 + 0, 10, 10, 10])
    assert early.counts["split-lenient"].tolist() == [[4, 5, 4, 4]]
    late = scoref.score(key, response, protocol="paun-2023", metrics=["lea"])
    # K5 with R5: all mentions of K1 and K3 of those of K1, K2 and K3 are found, 5 of 6
    assert late.counts["lea"][0] == pytest.approx([4 + 1 + 1 + 2 + 2 * 5 / 6, 10, 10, 10])


def test_yu_et_al_2021_tell_halves_of_a_member_apart():
    key = document(K1="1 2 3 4", K2="5", K3="6 = K1 K2")
    one, other = (document(R1="1 3", R2="2 4", R3="5", R4=f"6 = {members}") for members in ("R1 R3", "R2 R3"))
    lenient = [scoref.score(key, each, protocol="yu-2021")["split-lenient"] for each in (one, other)]
    assert lenient == [(1, 1, 1), (0.5, 0.5, 0.5)]
    assert scoref.score(key, one, protocol="paun-2023").scores == scoref.score(key, other, protocol="paun-2023").scores


def test_yu_et_al_2021_align_members_by_the_mentions_that_they_share():
    # CEAFe: K1 with R1 (2 of 3 and 3) and not with R2 (1 of 3 and 3), so that S and T have both members in common
    key = document(K1="1 2 3", K2="4 5 6", K3="7 8", S="9 = K1 K3")
    response = document(R1="1 2 4", R2="3 5 6", R3="7 8", T="9 = R1 R3")
    result = scoref.score(key, response, protocol="yu-2021", metrics=["split-lenient"])
    assert result.counts["split-lenient"].tolist() == [[2, 2, 2, 2]]


# -- choices ---------------------------------------------------------------------------------------------------------


def test_sets_alone_without_a_partner_count_on_their_side():
    key = document(A="1 2", B="3 4", C="5 6", S="7 = A B", T="8 = B C")
    response = document(A="1 2", B="3 4", C="5 6", S="7 = A B")
    result = scoref.score(key, response, split="only", metrics=["b3", "muc", "ceafe"])
    assert result.counts["b3"].tolist() == [[4, 8, 4, 4]]
    assert result.counts["muc"].tolist() == [[2, 4, 2, 2]]
    assert result.counts["ceafe"].tolist() == [[2, 4, 2, 2]]
    nothing = scoref.score(key, [["1", "2"]], split="only", metrics=["b3"])
    assert nothing.counts["b3"].tolist() == [[0, 8, 0, 0]]


def test_beta_weighs_entities_with_sets_in_lea_alone():
    plain, heavy = (scoref.score(*HALF, protocol="paun-2023", beta=beta) for beta in (1, 10))
    # A and B: 2 each, B is not found; S: 4 elements, 4.5 of 6 links
    assert heavy["lea"].recall == pytest.approx((2 + 10 * 4 * 4.5 / 6) / (2 + 2 + 10 * 4))
    assert {name: score for name, score in heavy.scores.items() if name != "lea"} == {
        name: score for name, score in plain.scores.items() if name != "lea"
    }


def test_members_that_are_dropped_still_make_the_set():
    key, response = document(A="1", B="2", S="3 4 = A B"), document(A="1", B="2", S="3 4 = A")
    result = scoref.score(key, response, singletons="drop", metrics=["mentions", "b3", "ceafe"])
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]
    assert result.counts["b3"][0] == pytest.approx([2.5**2 / 3, 3, 3, 3])
    assert result.counts["ceafe"][0] == pytest.approx([2 * 2.5 / 6, 1, 1, 1])


def test_members_that_do_not_refer_still_make_the_set():
    key, response = (replace(each, nonreferring=frozenset({"B"})) for each in SUBSET)
    result = scoref.score(key, response, metrics=["mentions", "b3"])
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]
    assert result.counts["b3"][0] == pytest.approx([1 + 1.5**2 / 2, 3, 3, 3])


def test_sets_that_do_not_refer_are_none():
    key = replace(document(A="1", B="2", S="3 = A B"), nonreferring=frozenset({"S"}))
    assert scoref.score(key, key, metrics=["b3"]).counts["b3"].tolist() == [[2, 2, 2, 2]]
    assert scoref.score(key, key, metrics=["b3"], split="only").counts["b3"].tolist() == [[0, 0, 0, 0]]


def test_of_equally_good_alignments_that_with_more_mentions_in_common_counts():
    # by coreference links, of which the members have none, every set fits every other
    key = document(A="1", B="2", C="3", S="4 5 = A B", T="6 = A C", U="7 8 9 = B C")
    assert scoref.score(key, key, protocol="paun-2023", metrics=["pairwise"])["pairwise"] == (1, 1, 1)


def test_a_mention_of_two_members_of_a_set_counts_once():
    both = {"A": ["1", "2"], "B": ["2", "3"], "S": ["4"]}
    key = scoref.clusters(both, sets={"S": ["A", "B"]})
    result = scoref.score(key, key, metrics=NAMES, duplicates="keep", split="only")
    assert all(value <= 1 for score in result.scores.values() for value in score)


def test_a_scorer_gives_what_score_gives():
    pairs = [(EXAMPLE, response) for response in SYSTEMS.values()]
    scorer = scoref.Scorer("paun-2023", beta=2)
    for key, response in pairs:
        scorer.update(key, response)
    named = [[replace(pair[side], id=str(number)) for number, pair in enumerate(pairs)] for side in (0, 1)]
    result = scoref.score(*named, protocol="paun-2023", beta=2)
    assert scorer.compute().scores == result.scores
    alone = [scoref.score(key, response, protocol="paun-2023", beta=2) for key, response in pairs]
    for name, counts in result.counts.items():
        assert counts == pytest.approx(np.concatenate([each.counts[name] for each in alone]))


def test_sets_of_numbered_clusters_are_named_by_number():
    key = scoref.clusters([["a"], ["b"], ["c"]], sets={2: [0, 1]})
    named = document(A="a", B="b", C="c = A B")
    assert (
        scoref.score(key, key, protocol="paun-2023").scores == scoref.score(named, named, protocol="paun-2023").scores
    )


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (document(A="1", S="2 = A X"), "missing-member"),
        (document(A="1", B="2", X="= A B"), "missing-entity"),
        (document(A="1", S="2 = A T", T="3 = S A"), "cyclic-set"),
        (document(A="1", S="2 = S A"), "cyclic-set"),
    ],
)
def test_impossible_sets_are_errors(wrong, code):
    for pair in ((wrong, EXAMPLE), (EXAMPLE, wrong)):
        with pytest.raises(scoref.Error) as error:
            scoref.score(*pair)
        assert error.value.code == code
        assert scoref.score(*pair, split="ignore")["mentions"].f1 > 0
        assert code in {problem.code for problem in scoref.score(*pair, on_problem="skip").problems}


def test_a_set_of_one_entity_is_reported():
    result = scoref.score(*SUBSET)
    assert [(problem.code, problem.fatal) for problem in result.problems] == [("small-set", False)]


# -- reported: remove the mark with the fix --------------------------------------------------------------------------


def test_a_set_that_does_not_refer_is_not_merged_with_one_that_does():
    for first, second in (("3", "4"), ("4", "3")):
        key = replace(document(A="1", B="2", S=f"{first} = A B", X=f"{second} = A B"), nonreferring=frozenset({"X"}))
        assert scoref.score(key, key, metrics=["b3"]).counts["b3"].tolist() == [[4, 4, 4, 4]]


@pytest.mark.parametrize("zero", ["A", "S"])
def test_members_and_sets_without_a_mention_left_are_none(zero):
    key = Side([[1], [2], [3]], {2: [0, 1]})
    mentions = [mention._replace(entity=name) for mention, name in zip(placed(key, "d").mentions, "ABS", strict=True)]
    mentions = [each._replace(span=(each.span[0] + 1,)) if each.entity == zero else each for each in mentions]
    side = scoref.Document("d", mentions=tuple(mentions), sets={"S": ("A", "B")})
    assert scoref.score(side, side, zeros="drop", metrics=["b3"])["b3"] == (1, 1, 1)


def test_dropped_members_are_dropped_in_the_scope_corpus_too():
    key = [replace(document(**{f"A{n}": "1", f"B{n}": "2", f"S{n}": f"3 = A{n} B{n}"}), id=str(n)) for n in range(2)]
    result = scoref.score(key, key, singletons="drop", scope="corpus", metrics=["mentions"])
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


def test_entities_add_up_to_the_corpus():
    result = scoref.score(EXAMPLE, SYSTEMS["A"], metrics=NAMES)
    assert result.counts.keys() == {*NAMES}
    for name, counts in result.counts.items():
        for side, columns in (("key", slice(0, 2)), ("response", slice(2, 4))):
            entities = [entity.counts[name] for entity in result.by_entity() if entity.side == side]
            assert np.sum(entities, axis=0) == pytest.approx(counts.sum(axis=0)[columns]), name


def test_sets_of_sets_may_be_deep():
    deep = {number: [number - 1, 0] for number in range(1, 2000)}
    assert set(accommodated(scoref.clusters([[number] for number in range(2000)], sets=deep), Problems()).sets) == {1}


@pytest.mark.parametrize(
    ("near", "far"),
    [("1 2", "3 4 5 6 7 8"), ("1 2 3", "4 9 10")],
    ids=["the smaller of two that share as much", "the one that shares more"],
)
def test_members_are_the_same_if_ceafe_aligns_them(near: str, far: str) -> None:
    """2n/(k + r) of X = 1 2 3 4 by hand: 4/6 before 4/10, and 6/7 before 2/7; so X is A, and both members are found."""
    key = document(A=near, B=far, C="20 21", S="30 = A C")
    response = document(X="1 2 3 4", Y="20 21", T="30 = X Y")
    assert scoref.score(key, response, protocol="yu-2021", metrics=["split-lenient"])["split-lenient"].recall == 1
