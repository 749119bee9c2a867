"""What a page counts after edits is what the library counts for the edited documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from editing import Edited
from engine import Engine, case

import scoref
from scoref.counting.rules import SINGLETONS, TWINLESS
from scoref.document.document import Document, Mention, stretch

EXACT = 1e-12
WORDS = tuple("abcdefghijklmnopqrstuvwxyz")
METRICS = ("conll", "kbp", "hota", "ceafm", "lea", "mentions", "b3-classes", "entities-exact", "ari", "cc", "v-measure")


@pytest.fixture(scope="module")
def engine(request):
    return Engine(lambda: request.getfixturevalue("browser"))


def side(random, id):
    """A document of nested and crossing mentions, no two of the same words; some entities are alone."""
    entities = random.choice([1, 2, 4, 9])
    firsts = [random.randrange(len(WORDS)) for _ in range(random.choice([0, 4, 9, 16]))]
    spans = {(first, min(len(WORDS) - 1, first + random.choice([0, 0, 1, 3]))) for first in firsts}
    return Document(
        id, WORDS, tuple(Mention(stretch(*span), f"x{random.randrange(entities)}") for span in sorted(spans)), (0,)
    )


def corpus(random, number):
    names = [f"d{place}" for place in range(number)]
    return [side(random, name) for name in names], [side(random, name) for name in names]


def edited(random, key, response, steps, number=0, dropped=False):
    """Lists of edits, each one longer than that before, and the response after each."""
    now, edits, lists, states = Edited(key, response, number, dropped), [], [], []
    while len(lists) < steps:
        edit = now.random(random)
        if edit:
            edits = [*edits, edit]
            lists.append(edits)
            states.append(now.document())
    return lists, states


def differences(found, expected):
    """How far the scores of the page are from those of the library, metric by metric."""
    return [
        abs(mine - its)
        for scores, right in zip(found, expected, strict=True)
        for name in right
        for mine, its in zip(scores[name], right[name], strict=True)
    ]


CHOICES = [
    {"singletons": singletons, "twinless": twinless}
    for singletons, twinless in product(SINGLETONS, TWINLESS)
    if "keep" in (singletons, twinless) or "as-is" in (singletons, twinless)
]
LINKS = ("key", "both", "always", "scorch", "maven-ere")


def test_ten_thousand_random_edits_count_as_in_the_library(engine):
    """Every rule for singletons and for twinless mentions; texts are scored one by one."""
    random = Random(34)
    cases, expected = [], []
    for place, choices in enumerate(CHOICES * 2):
        choices |= {"links": LINKS[place % len(LINKS)], "metrics": METRICS, "on_problem": "skip"}
        keys, responses = corpus(random, 12)
        lists, copies, states = [], [], []
        for number, (key, response) in enumerate(zip(keys, responses, strict=True)):
            some, after = edited(random, key, response, 30, number, choices["singletons"] == "drop")
            lists += some
            names = [f"{number} {step}" for step in range(len(after))]
            copies += [replace(key, id=name) for name in names]
            states += [replace(each, id=name) for each, name in zip(after, names, strict=True)]
        cases.append(case({"r": scoref.score(keys, responses, **choices)}, lists))
        by_document = scoref.score(copies, states, **choices).by_document()
        expected += [by_document[each.id] for each in copies]
    found = [scores for each in engine.call("scoresOfDocuments", cases) for scores in each]
    assert len(found) == len(expected) > 10_000
    assert max(differences(found, expected)) < EXACT


AVERAGES = [
    {"average": "macro"}, {"average": "macro", "empty": "count"}, {"average": "means"}, {"average": "weighted"},
    {"average": "datasets"}, {"average": "datasets", "digits": "cut-2"}, {"average": "datasets", "digits": "round-1"},
    {"links": "both", "singletons": "drop"}, {"protocol": "stanza"}, {"protocol": "scorch"}, {"protocol": "corenlp"},
    {"protocol": "coval"}, {"protocol": "paun-2023"}, {"protocol": "codi-crac-2022"}, {"protocol": "asp"},
]  # fmt: skip


@pytest.mark.parametrize("choices", AVERAGES, ids=str)
def test_sums_and_averages_over_documents_are_those_of_the_library(engine, choices):
    random = Random(str(choices))
    keys, responses = corpus(random, 5)
    dropped = choices.get("singletons") == "drop"
    states = [Edited(*pair, at, dropped) for at, pair in enumerate(zip(keys, responses, strict=True))]
    edits, lists, expected = [], [], []
    metrics = {} if "protocol" in choices else {"metrics": METRICS}
    while len(lists) < 12:
        edit = random.choice(states).random(random)
        if edit:
            edits = [*edits, edit]
            lists.append(edits)
            scores = scoref.score(
                keys, [each.document() for each in states], on_problem="skip", **metrics, **choices
            ).scores
            expected.append(scores)
    evaluation = scoref.score(keys, responses, on_problem="skip", **metrics, **choices)
    (found,) = engine.call("scoresAfterEdits", [case({"r": evaluation}, [[], *lists])])
    assert max(differences(found, [evaluation.scores, *expected])) < EXACT
