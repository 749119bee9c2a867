"""The diagnosis of a page: its intervals against scoring what was drawn again, its sentences."""

from __future__ import annotations

import numpy as np
import pytest
from test_page_data import document

import scoref
from paging import unpacked
from places import EXAMPLES
from scoref.explanation.shares import share_interval, shares
from scoref.page import build as viewer
from scoref.results.scores import Resampling

WORDS = [f"w{number}" for number in range(40)]


def told(number, wrong):
    """A document of four entities of five mentions; so many are elsewhere or absent in the response."""
    entities = {e: [[place, place] for place in range(e, 20, 4)] for e in range(4)}
    response = {e: [*spans] for e, spans in entities.items()}
    for step in range(wrong):
        response[(step + 1) % 4].append(response[step % 4].pop(0)) if step % 3 else response[step % 4].pop(0)
    return document(f"d{number}", WORDS, entities), document(f"d{number}", WORDS, response)


def both(wrongs):
    return zip(*(told(number, wrong) for number, wrong in enumerate(wrongs)), strict=True)


def again(documents, picked):
    """The documents of these numbers, with names of their own."""
    return [scoref.Document(str(place), WORDS, documents[at].mentions) for place, at in enumerate(picked)]


WRONGS = (6, 0, 2, 5, 1, 3, 0, 4, 2, 1)


def test_the_interval_of_a_tangle_is_that_of_its_gain_among_other_documents():
    key, response = map(list, both(WRONGS))
    evaluation = scoref.score(key, response)
    tangles = scoref.Analysis(evaluation).tangles
    (place,) = (at for at in range(len(tangles)) if tangles[at].number == 0)
    found = tangles.interval(place, "conll", Resampling(4000, 1, "document", 10))
    random = np.random.default_rng(3)
    gains = []
    for _ in range(150):
        picked = [0, *random.integers(1, 10, 9).tolist()]
        theirs = again(response, picked)
        repaired = [again(key, picked)[0], *theirs[1:]]  # the only tangle of its document
        f1 = [scoref.score(again(key, picked), each)["conll"].f1 for each in (theirs, repaired)]
        gains.append(f1[1] - f1[0])
    assert found[0] < tangles[place].cost["conll"] < found[1]
    spread = np.std(gains)
    assert found == pytest.approx(tuple(np.quantile(gains, [0.025, 0.975])), abs=0.7 * spread)


def test_where_other_documents_are_alike_a_tangle_costs_the_same_among_all():
    key, response = both((6, 2, 2, 2, 2, 2, 2, 2))
    tangles = scoref.Analysis(scoref.score([*key], [*response])).tangles
    (place,) = (at for at in range(len(tangles)) if tangles[at].number == 0)
    cost = tangles[place].cost["conll"]
    found = tangles.interval(place, "conll", Resampling(100, 1, "document", 8))
    assert found == pytest.approx((cost, cost))
    assert tangles.interval(place, "mentions", Resampling(100, 1, "document", 8)) is not None


def test_with_few_documents_a_tangle_has_no_interval():
    key, response = both((6, 2, 2, 2, 2, 2))
    tangles = scoref.Analysis(scoref.score([*key], [*response])).tangles
    assert tangles.interval(0, "conll", Resampling(100, 1, "document", 6)) is None


def test_the_interval_of_the_share_of_mentions_is_that_of_documents_drawn_again():
    key, response = map(list, both(WRONGS))
    evaluation = scoref.score(key, response)
    found = share_interval(shares(evaluation), "conll", Resampling(4000, 1, "document", 10))
    random = np.random.default_rng(4)
    drawn = []
    for _ in range(150):
        picked = random.integers(0, 10, 10).tolist()
        loss = scoref.shares(again(key, picked), again(response, picked)).losses["conll"]
        drawn.append(loss.mentions / (loss.mentions + loss.links))
    assert found[0] < scoref.shares(evaluation).losses["conll"].share < found[1]
    assert found == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.7 * np.std(drawn))
    few = scoref.score(key[:5], response[:5])
    assert share_interval(shares(few), "conll", Resampling(100, 1, "document", 5)) is None


def sentences(page):
    (system,) = unpacked(page)["overview"]["systems"]
    return [
        "".join(part if isinstance(part, str) else part[0] for part in each["said"]) for each in system["diagnosis"]
    ]


def test_four_documents_tell_nothing_of_kinds_and_have_no_intervals():
    html = scoref.report(EXAMPLES / "tales/key.conll", EXAMPLES / "tales/rules.conll")
    kinds, tangle, share = sentences(html)
    assert kinds == "With 4 documents nothing can be said of kinds of mentions: that takes 10 or more."
    worst = scoref.Analysis(scoref.score(EXAMPLES / "tales/key.conll", EXAMPLES / "tales/rules.conll")).tangles[0]
    assert f"alone cost {100 * worst.cost['conll']:.2f} points of CoNLL F1 (no interval: 4 documents)" in tangle
    assert "Of the 30.0 points of CoNLL F1 that are lost" in share  # of 70.00
    assert "no interval" in share


def test_a_perfect_response_loses_nothing():
    key, _ = both(WRONGS)
    kinds, tangle, share = sentences(viewer.page({"r": scoref.score([*key], [*key])}))
    assert kinds.startswith("No kind of mention stands out beyond chance.")
    assert tangle == "No tangle of entities costs points of CoNLL F1."
    assert share == "Nothing is lost in CoNLL F1."


def planted(number):
    """Documents in which pronouns, and only they, are missing in the response."""
    words = ["Ada", "sang", ".", "she", "and", "Bo", "sang", ".", "he", "slept", "."] * 4
    key, response = {}, {}
    for at in range(0, 44, 11):
        for name, place in (("ada", 0), ("ada", 3), ("bo", 5), ("bo", 8)):
            key.setdefault(name, []).append([at + place, at + place])
            if place in (0, 5) or (at + number) % 3 == 0:
                response.setdefault(name, []).append([at + place, at + place])
    starts = tuple(place for at in range(0, 44, 11) for place in (at, at + 3, at + 8))
    return [document(f"d{number}", words, side, sentences=starts) for side in (key, response)]


def test_a_planted_slice_is_the_first_sentence_and_its_link_has_its_mentions():
    key, response = zip(*map(planted, range(20)), strict=True)
    evaluation = scoref.with_intervals(scoref.score([*key], [*response]), 50)
    data = unpacked(viewer.page({"r": evaluation}))
    (system,) = data["overview"]["systems"]
    first = system["diagnosis"][0]
    best = max(scoref.slices(evaluation), key=lambda each: each.points)
    assert ("form", "pronoun") in best.kinds
    assert first["said"][0].startswith("Pronouns")
    assert (
        f"{best.excess:.2f} more (95 % interval {best.excess_ci[0]:.2f} to {best.excess_ci[1]:.2f})" in first["said"][0]
    )
    assert first["to"] == {"view": "slices", "asked": {"of": "recall", "where": "form:pronoun"}}
    assert first["link"] == f"these {best.mentions} mentions"
    assert best.mentions == sum(WORD in ("she", "he") for each in key for WORD in each.words)


def test_nuggets_without_coreference_have_no_diagnosis():
    nuggets = [document("d", ["a", "b"], {})] * 1
    data = unpacked(viewer.page({"r": scoref.score(nuggets, nuggets, layer="bridging", protocol="codi-crac-2022")}))
    (system,) = data["overview"]["systems"]
    assert system["diagnosis"] == []
    assert system["slices"] == {"reason": "Slices are those of coreference."}
    assert "losses-0" not in data


def said(sentences):
    return ["".join(part if isinstance(part, str) else f"‘{part[0]}’" for part in each["said"]) for each in sentences]


def test_annotators_have_a_diagnosis_in_their_words():
    ann, ben = zip(*map(planted, range(20)), strict=True)
    agreement = scoref.agreement({"Ann": [*ann], "Ben": [*ben]}, trials=50)
    data = unpacked(viewer.agreement_page(agreement))
    (system,) = data["overview"]["systems"]
    kinds, tangle, share = said(system["diagnosis"])
    best = max(scoref.slices(agreement.evaluations[0, 1]), key=lambda each: each.points)
    assert kinds.startswith(f"Pronouns of ‘Ann’ differ by {best.loss:.2f} of their B³ each from those of ‘Ben’, ")
    low, high = best.excess_ci
    more = f"{best.excess:.2f} more (95 % interval {low:.2f} to {high:.2f}), together {best.points:.2f} points"
    assert f": {more}" in kinds
    assert system["diagnosis"][0]["to"] == {"view": "slices", "asked": {"of": "recall", "where": "form:pronoun"}}
    assert "95 % interval" in tangle
    loss = scoref.shares([*ann], [*ben]).losses["conll"]
    lost = 100 * (loss.mentions + loss.links)
    detected = f"{100 * loss.share:.0f} % is mention detection"
    assert share.startswith(f"Of the {lost:.1f} points of CoNLL F1 between the two, {detected}")
    assert "95 % interval" in share
    assert system["diagnosis"][2]["to"]["asked"] == {"where": "fared:only here"}
    assert data["losses-0"]["sides"][0]["kinds"]["fared"][-1] == "only here"
    slices = [*system["slices"]["notes"], *(each["said"] for each in system["slices"]["slices"])]
    words = set(" ".join([kinds, tangle, share, *slices]).split())
    assert not words & {"key", "response", "missing", "missed", "recall", "precision", "lose", "lost"}


def test_few_annotated_documents_say_so_without_intervals():
    sides = {"Ann": EXAMPLES / "tales/key.conll", "Ben": EXAMPLES / "tales/rules.conll"}
    (system,) = unpacked(viewer.agreement_page(scoref.agreement(sides)))["overview"]["systems"]
    kinds, tangle, share = said(system["diagnosis"])
    assert kinds == "With 4 documents nothing can be said of kinds of mentions: that takes 10 or more."
    assert "no interval" in tangle
    assert "no interval" in share


def test_what_sets_two_systems_apart_is_what_a_comparison_finds():
    key, bad = zip(*map(planted, range(20)), strict=True)
    systems = {"bad": scoref.score([*key], [*bad]), "good": scoref.score([*key], [*key])}
    overview = unpacked(viewer.page(systems))["overview"]
    found = scoref.slices(*systems.values(), names=("bad", "good"))
    best = max((each for one in found.searches if one.better for each in one.slices), key=lambda each: each.points)
    low, high = best.excess_ci
    sentence, *others = said(overview["differences"])
    assert sentence == (
        f"Pronouns: ‘good’ gains {best.loss:.2f} of B³ recall each on ‘bad’, {best.excess:.2f} more than on the others "
        f"of their documents (95 % interval {low:.2f} to {high:.2f}), together {best.points:.2f} points."
    )
    assert overview["differences"][0]["link"] == f"these {best.mentions} mentions"
    asked = {"of": "recall", "where": "form:pronoun", "against": "2"}
    assert overview["differences"][0]["to"] == {"view": "slices", "system": 0, "asked": asked}
    turned = unpacked(viewer.page({name: systems[name] for name in ("good", "bad")}))["overview"]["differences"]
    assert said(turned) == [*others, sentence]
    assert turned[-1]["to"] == {"view": "slices", "system": 1, "asked": {**asked, "against": "1"}}


def test_two_systems_that_are_alike_are_not_set_apart():
    key, response = map(list, both(WRONGS * 2))
    evaluation = scoref.score(key, response)
    data = unpacked(viewer.page({"A": evaluation, "B": evaluation}))["overview"]
    assert said(data["differences"]) == ["No kind of mention sets ‘A’ and ‘B’ apart beyond chance."]
    assert unpacked(viewer.page({"A": evaluation}))["overview"]["differences"] == []
    few = scoref.score(key[:5], response[:5])
    assert unpacked(viewer.page({"A": few, "B": few}))["overview"]["differences"] == []
