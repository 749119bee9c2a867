"""Tangles: what they cost is what is gained when the response is really repaired and scored again."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from analysing import spans, spoken
from places import SHARED, beside
from scoref.errors.analysis import Analysis


def repaired(analysis, place):
    """The responses in which the entities of one tangle are those of the key."""
    evidence, twins = analysis.evaluation.evidence, analysis.twins
    found = []
    for number, (key, response, _) in enumerate(evidence.aligned):
        sides = []
        for side, document in enumerate((key, response)):
            entity = twins.sides[side].entity[twins.ranks(side, number)]
            inside = analysis.tangles.of[side][entity] == place
            wanted = inside if side == 0 else ~inside
            sides.append([m for m, there in zip(document.mentions, wanted, strict=True) if there])
        new = [mention.of(f"new {mention.entity}") for mention in sides[0]]
        found.append(replace(response, mentions=(*sides[1], *new)))
    return found


def check(analysis):
    evaluation = analysis.evaluation
    keys = [key for key, _, _ in evaluation.evidence.aligned]
    assert bool(analysis.tangles) == any(analysis.counts().values())
    for place, tangle in enumerate(analysis.tangles):
        again = scoref.score(keys, repaired(analysis, place), protocol=evaluation.protocol)
        assert tangle.cost.keys() <= evaluation.keys()
        for metric, gained in tangle.cost.items():
            assert evaluation[metric].f1 + gained == pytest.approx(again[metric].f1, abs=1e-12)


CHOICES = st.sampled_from(
    [
        {},
        {"protocol": "conll-2011"},
        {"protocol": "e2e"},
        {"protocol": "stanza"},
        {"protocol": "asp"},
        {"average": "macro", "metrics": ["conll", "blanc"]},
        {"average": "datasets"},
        {"metrics": ["b3-sys", "ceafe-rn", "b3-all", "lea", "entities-exact", "ari", "blanc"], "links": "both"},
        {"twinless": "all", "metrics": ["b3", "blanc", "lea"]},
        {"protocol": "scorch"},
    ]
)


@settings(max_examples=150)
@given(st.lists(st.tuples(spans, spans), min_size=1, max_size=3), CHOICES, st.sampled_from(["document", "corpus"]))
def test_a_tangle_costs_what_is_gained_by_its_repair(documents, choices, scope):
    sides = [
        [replace(spoken(pair[side]), id=f"d{number}") for number, pair in enumerate(documents)] for side in range(2)
    ]
    check(Analysis(scoref.score(*sides, scope=scope, **choices)))


@settings(max_examples=60)
@given(spans, spans)
def test_all_tangles_are_all_errors(key, response):
    analysis = Analysis(scoref.score(spoken(key), spoken(response)))
    assert bool(len(analysis.tangles)) == any(analysis.counts().values())
    for place, tangle in enumerate(analysis.tangles):
        shared = [sum(each.mentions for each in tangle.ribbons if each.key == n) for n in range(len(tangle.keys))]
        assert [n + lost for n, lost in zip(shared, tangle.missing, strict=True)] == [e.size for e in tangle.keys]
        shared = [sum(e.mentions for e in tangle.ribbons if e.response == n) for n in range(len(tangle.responses))]
        assert [n + more for n, more in zip(shared, tangle.extra, strict=True)] == [e.size for e in tangle.responses]
        assert (analysis.tangles.of[0] == place).sum() == len(tangle.keys)


def test_tangles_are_a_sequence():
    tangles = Analysis(scoref.score([["a", "b"], ["c"], ["d", "e"]], [["a", "c"], ["b"], ["d"], ["e"]])).tangles
    assert len(tangles) > 1
    assert tangles[:] == [*tangles] == [tangles[number] for number in range(len(tangles))]
    assert (tangles[-1], tangles[1:5]) == ([*tangles][-1], [*tangles][1:])
    with pytest.raises(IndexError):
        tangles[len(tangles)]


def test_a_tangle_is_named_by_its_words_and_ranked_by_its_cost():
    analysis = Analysis(
        scoref.score(
            [["a", "b", "c", "d"], ["p", "q"], ["s", "t"]], [["a", "b"], ["c", "d", "p", "q"], ["s", "t"], ["x", "y"]]
        )
    )
    tangle, lone = analysis.tangles
    assert [each.name for each in tangle.keys] == ["1 'a'", "2 'p'"]
    assert [each.name for each in tangle.responses] == ["1 'a'", "2 'p'"]
    assert [tuple(each) for each in tangle.ribbons] == [(0, 0, 2), (0, 1, 2), (1, 1, 2)]
    assert (lone.keys, [each.label for each in lone.responses], lone.extra) == ((), ["a"], (2,))
    assert tangle.cost["conll"] > lone.cost["conll"] > 0


REAL = [
    ("real-gum/files/gum.key.conll", "real-gum/files/gum.response.xrenner.conll", {}),
    ("real-wsj-skeleton/files/key.conll", "real-wsj-skeleton/files/response.stanford-system.conll", {}),
    ("real-wsj-skeleton/files/key.conll", "real-wsj-skeleton/files/response.stanford-system.conll",
     {"protocol": "conll-2011"}),
]  # fmt: skip


@beside
@pytest.mark.parametrize(("key", "response", "choices"), REAL)
def test_tangles_of_real_responses_cost_what_their_repair_gains(key, response, choices):
    evaluation = scoref.score(SHARED / "vectors" / key, SHARED / "vectors" / response, **choices)
    analysis = Analysis(evaluation)
    keys = [each for each, _, _ in evaluation.evidence.aligned]
    assert all(tangle.cost for tangle in analysis.tangles)
    for place in (0, 1, len(analysis.tangles) // 2, len(analysis.tangles) - 1):
        again = scoref.score(keys, repaired(analysis, place), protocol=evaluation.protocol)
        for metric, gained in analysis.tangles[place].cost.items():
            assert evaluation[metric].f1 + gained == pytest.approx(again[metric].f1, abs=1e-12)


def test_tangles_and_errors_are_printed_and_are_frames():
    pytest.importorskip("pandas")
    analysis = Analysis(scoref.score([["a", "b"], ["c", "d"], ["e", "f"]], [["a", "b", "c"], ["d"], ["e", "f"]]))
    (tangle,) = analysis.tangles
    frame = analysis.tangles.to_frame()
    assert frame["conll"].tolist() == [tangle.cost["conll"]]
    assert frame[["shared", "missing", "extra"]].to_numpy().tolist() == [[4, 0, 0]]
    assert frame["key entities"].tolist() == ["1 'a' (2), 2 'c' (2)"]
    assert "1 of 1 tangles" in str(analysis.tangles)
    assert str(analysis.tangles).endswith(analysis.evaluation.notes()[-1])
    costs = analysis.to_frame()
    assert costs["number"].to_dict() == analysis.counts()
    assert costs["conll alone"].tolist() == [cost.alone["conll"] for cost in analysis.costs()]
