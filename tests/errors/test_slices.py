"""Slices: the search against a slow version and planted slices; results in words, JSON and tables; what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoref
import slow_slices
from places import EXAMPLES
from scoref import Document, Mention
from scoref.cli import main
from scoref.document.kinds import NONE, UNKNOWN, Kinds
from scoref.errors.slicing.search import Population, _candidates, _scores, _statistics, search

TALES = [str(EXAMPLES / "tales" / name) for name in ("key.conll", "rules.conll")]
NAMES = (("a", "b"), ("c", "d", "e"), ("f", "g", "h"))


def corpus(
    seed: int, documents: int = 40, planted: slow_slices.Conditions = (), rise: float = 0.0
) -> tuple[Population, list[Kinds], list[slow_slices.Mention]]:
    """Documents of 24 mentions in 8 entities, with three fields; also as a list of mentions."""
    random = np.random.default_rng(seed)
    number = documents * 24
    document = np.repeat(np.arange(documents), 24)
    entity = document * 8 + random.integers(0, 8, number)
    fields = [Kinds(names, random.integers(0, len(names), number)) for names in NAMES]
    inside = np.all([fields[field].of == kind for field, kind in planted] or [np.zeros(number, bool)], axis=0)
    loss = np.where(random.random(number) < 0.25 + rise * inside, random.random(number), 0.0)
    mentions = [{"loss": one, "document": home, "entity": of, "kinds": kinds} for one, home, of, kinds in zip(
        loss.tolist(), document.tolist(), entity.tolist(), zip(*(each.of.tolist() for each in fields), strict=True),
        strict=True)]  # fmt: skip
    return Population(loss, document, entity, document, 100 / number), fields, mentions


# -- the search ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "documents"), [(1, 9), (2, 10), (3, 14)])
def test_slices_that_take_part_and_their_statistic(seed: int, documents: int) -> None:
    population, fields, mentions = corpus(seed, documents)
    fields[1].of[fields[0].of == 0] = 0  # a kind that another field knows, too
    fields[2].of[200:] = 1  # and one that most documents have alone
    for number, each in enumerate(zip(*(field.of.tolist() for field in fields), strict=True)):
        mentions[number]["kinds"] = each
    found = _candidates(population, fields)
    assert {frozenset(each.members.tolist()): each.conditions for each in found} == slow_slices.taking_part(mentions)
    t, _ = _statistics(_scores(population, found)) if found else (np.empty(0), None)
    assert t.tolist() == pytest.approx([slow_slices.statistic(mentions, each.conditions) for each in found])


@pytest.mark.parametrize("planted", [((0, 1),), ((2, 0),), ((1, 2), (2, 0))])
def test_a_planted_slice_is_found_alone(planted: slow_slices.Conditions) -> None:
    population, fields, mentions = corpus(7, 60, planted, 0.6)
    found = search(population, fields, seed=1)
    assert [hit.conditions for hit in found.hits] == [planted]
    (hit,) = found.hits
    assert (hit.t, hit.p) == (pytest.approx(slow_slices.statistic(mentions, planted)), 1 / 1001)
    each, together = slow_slices.excess(mentions, planted)
    assert (hit.excess, hit.points) == (pytest.approx(each), pytest.approx(together * population.points))
    assert hit.excess_ci[0] < hit.excess < hit.excess_ci[1]
    assert hit.points_ci[0] < hit.points < hit.points_ci[1]
    assert hit.members.tolist() == [n for n, each in enumerate(mentions) if slow_slices.inside(each, planted)]


def test_where_nothing_is_planted_nothing_is_found() -> None:
    found = [search(*corpus(seed, 30)[:2], trials=200, seed=seed) for seed in range(20)]
    assert sum(bool(each.hits) for each in found) <= 1
    assert found[0].documents == 30
    shares = [found[0].finds[share] for share in (0.05, 0.1, 0.2)]
    assert shares == sorted(shares, reverse=True)


def test_what_is_found_explains_what_comes_after() -> None:
    """Two kinds are planted: both are found, and no pair with one of them; the second only by what the first leaves."""
    population, fields, mentions = corpus(11, 60, ((0, 0),), 0.4)
    more = (fields[1].of == 1) & (population.loss == 0)
    population.loss[more] += 0.5
    for each, loss in zip(mentions, population.loss.tolist(), strict=True):
        each["loss"] = loss
    hits = search(population, fields, seed=3).hits
    assert {hit.conditions for hit in hits[:2]} == {((0, 0),), ((1, 1),)}
    left = [each for each in mentions if not slow_slices.inside(each, hits[0].conditions)]
    assert hits[1].t == pytest.approx(slow_slices.statistic(left, hits[1].conditions))
    assert hits[1].mentions == sum(slow_slices.inside(each, hits[1].conditions) for each in left)
    assert not {*hits[0].members} & {*hits[1].members}


def test_the_sign_of_a_whole_entity_is_drawn() -> None:
    """Where one entity of each document holds the slice and all that is lost, 20 documents are 20 signs, not 200."""
    document = np.repeat(np.arange(20), 20)
    inside = np.tile([0] * 10 + [1] * 10, 20)
    random = np.random.default_rng(5)
    loss = (
        np.where(inside == 1, np.repeat(random.integers(0, 2, 20), 20), np.repeat(random.integers(0, 2, 20), 20)) * 1.0
    )
    apart = Population(loss, document, np.arange(400), document, 1.0)
    fields = [Kinds(("a", "b"), inside)]
    together = apart._replace(unit=document * 2 + inside)
    t = [_statistics(_scores(each, _candidates(each, fields)))[0][0] for each in (apart, together)]
    assert abs(t[1]) * 10**0.5 == pytest.approx(abs(t[0]))


def test_words_for_no_kind_make_no_slices() -> None:
    population, fields, _ = corpus(13, 40, ((0, 0),), 0.6)
    for unknown in (UNKNOWN, NONE):
        nameless = [Kinds((unknown, "b"), fields[0].of), *fields[1:]]
        assert ((0, 0),) not in [each.conditions for each in _candidates(population, nameless)]


# -- of evaluations --------------------------------------------------------------------------------------------------

PERSONS = ("she", "Ada", "the plumber", "he", "Bob", "a tap")


def told(number: int, response: str = "") -> list[Document]:
    """Documents of some entities, each with a name, a noun phrase and pronouns.

    The response "pronouns" has half of the pronouns in entities of their own, "phrases" two of three noun phrases.
    """
    found = []
    for place in range(number):
        words: list[str] = []
        mentions: list[Mention] = []
        for entity, forms in product(range(5), ("Ada", "she", "the plumber", "her", "she")):
            chance = (place * 7 + entity * 3 + len(mentions) * 5) % 6
            parted = (chance < 3 and forms in ("she", "her")) * (response == "pronouns")
            parted += (chance < 4 and forms == "the plumber") * (response == "phrases")
            first = len(words)
            words += [*forms.split(), "slept"]
            name = f"alone {len(mentions)}" if parted else f"e{entity}"
            mentions.append(Mention.at(first, len(words) - 2, name))
        found.append(Document(f"d{place}", words, tuple(mentions)))
    return found


METRICS = ["mentions", "muc", "b3", "lea", "conll"]
FIELDS = ("form", "position")
KEY = told(14)
PRONOUNS = scoref.score(KEY, told(14, "pronouns"), metrics=METRICS)
PHRASES = scoref.score(KEY, told(14, "phrases"), metrics=METRICS)


def test_a_response_that_parts_pronouns_loses_at_pronouns() -> None:
    found = scoref.slices(PRONOUNS, fields=FIELDS)
    first = found.of("recall").slices[0]
    assert (first.kinds, first.name) == ((("form", "pronoun"),), "form: pronoun")
    groups = PRONOUNS.by_mention("form")
    assert (first.mentions, first.documents) == (14 * 15, 14)
    assert first.loss == pytest.approx(1 - groups["pronoun"]["b3"].recall)
    assert "210 mentions in 14 documents lose" in first.sentence()
    assert {(place.side, place.text) for place in first.places} == {("key", "she"), ("key", "her")}
    assert len(first.places) == 210
    assert first.points == pytest.approx(100 * first.excess * first.mentions / (14 * 25))
    assert [*found] == [each for one in found.searches for each in one.slices]


def test_where_one_response_gains_the_other_loses() -> None:
    found = scoref.slices(PRONOUNS, PHRASES, fields=FIELDS, names=("A", "B"))
    again = scoref.slices(PHRASES, PRONOUNS, fields=FIELDS, names=("B", "A"))
    assert found.of("recall", better=True).slices[0].name == "form: pronoun"
    assert found.of("recall", better=False).slices[0].name == "form: noun phrase"
    both = [(each.of(value, flag), other.of(value, not flag)) for value, flag in product(("recall", "precision"),
            (True, False)) for each, other in [(found, again)]]  # fmt: skip
    assert [[each.kinds for each in one.slices] for one, _ in both] == [
        [each.kinds for each in one.slices] for _, one in both
    ]
    first, other = (each.of("recall", flag).slices[0] for each, flag in ((found, True), (again, False)))
    assert (first.kinds, first.p, first.places) == (other.kinds, other.p, other.places)
    assert (first.excess, *first.excess_ci) == pytest.approx((other.excess, *other.excess_ci))
    losses = [1 - each.by_mention("form")["pronoun"]["b3"].recall for each in (PRONOUNS, PHRASES)]
    assert first.loss == pytest.approx(losses[0] - losses[1])
    assert "gain" in found.of("recall", better=True).sentence(first)
    assert not [*scoref.slices(PRONOUNS, PRONOUNS, fields=FIELDS)]


def test_losses_crossed() -> None:
    table = scoref.crossed_losses(PRONOUNS, "form", "first")
    assert table.columns == ("first", "later")
    groups = PRONOUNS.by_mention("form")
    mean = {name: float(np.average(loss, weights=number)) for name, number, loss in zip(
            table.rows, table.mentions, table.loss, strict=True)}  # fmt: skip
    assert mean == {name: pytest.approx(1 - groups[name]["b3"].recall) for name in groups}
    assert np.sum(table.mentions) == 14 * 25
    assert json.loads(json.dumps(table.to_dict()))["fields"] == ["form", "first"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"metric": "conll"}, "no-kinds"),
        ({"metric": "ceafm"}, "no-kinds"),
        ({"fields": ["gender"]}, "unknown-field"),
        ({"trials": 0}, "bad-trials"),
    ],
)
def test_what_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.slices(PRONOUNS, **options)
    assert error.value.code == code


def test_other_documents_are_refused() -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.slices(PRONOUNS, scoref.score(KEY[:12], told(12, "phrases"), metrics=METRICS))
    assert error.value.code == "different-documents"
    turned = scoref.score(KEY[::-1], told(14, "phrases")[::-1], metrics=METRICS)
    with pytest.raises(scoref.Error, match="in another order"):
        scoref.slices(PRONOUNS, turned)


def test_what_so_many_documents_can_show() -> None:
    few = scoref.slices(scoref.score(KEY[:9], told(14, "pronouns")[:9]))
    assert few.notes()[0] == "recall (b3): 9 documents, but slices need 10"
    assert few.grids() == []
    perfect = scoref.slices(scoref.score(KEY, KEY))
    assert "no slice with 2% of the loss" in perfect.notes()[0]
    known = scoref.slices(PRONOUNS, fields=FIELDS).notes()
    assert "with 14 documents, 80 of 100 slices are found that lose more than others by" in known[0]
    nothing = scoref.slices(PRONOUNS, fields=["position"])
    assert "nothing stands out beyond chance; with 14 documents" in nothing.notes()[0]


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "pronouns", "phrases")]
    for path, response in zip(paths, ("", "pronouns", "phrases"), strict=True):
        scoref.write(told(14, response), path)
    return paths


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def test_errors_prints_slices(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    key, pronouns, phrases = files
    text = ran(capsys, "errors", key, pronouns, "--slices", "--fields", "form,position")
    assert "form: pronoun       210" in text
    assert text.splitlines()[-1].startswith("signature")
    record = json.loads(ran(capsys, "errors", key, pronouns, "--slices", "--json"))
    first = record["slices"]["searches"][0]["slices"][0]
    assert first["kinds"][0] == ["form", "pronoun"]
    assert first["examples"][0]["text"] in ("she", "her")
    rows = [*csv.reader(ran(capsys, "errors", key, pronouns, "--slices", "--output", "csv").splitlines())]
    assert rows[0][:4] == ["value", "better", "slice", "mentions"]
    assert rows[1][0] == "recall"
    text = ran(capsys, "errors", key, pronouns, phrases, "--slices", "--fields", "form")
    assert "recall (b3), phrases against pronouns" in text
    record = json.loads(ran(capsys, "errors", key, pronouns, phrases, "--slices", "--json"))
    assert record["slices"]["phrases"]["systems"] == ["pronouns", "phrases"]


def test_compare_prints_slices(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    key, pronouns, phrases = files
    asked = ["compare", key, pronouns, phrases, "--slices", "--fields", "form", "--trials", "100", "--metrics", "b3"]
    assert "recall (b3), phrases against pronouns" in ran(capsys, *asked)
    assert json.loads(ran(capsys, *asked, "--json"))["slices"]["metric"] == "b3"
    assert ran(capsys, *asked, "--output", "csv").startswith("value,better,slice")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


@pytest.mark.parametrize("more", [["--by", "form"], ["--list"], ["--form", "name"]])
def test_slices_stand_alone(more: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "slices-alone" in refused(capsys, "errors", *TALES, "--slices", *more)


def test_compare_has_slices_of_two_systems(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "two-systems" in refused(capsys, "compare", *files, files[0], "--slices", "--names", "a,b,c")
    assert "no-entities" in refused(capsys, "compare", *saved(files), "--slices")


def test_another_metric_than_usual_is_explained() -> None:
    """With sets B³ is no sum over mentions: slices are those of another metric, and it is said why."""
    result = scoref.score(str(EXAMPLES / "key.conllua"), str(EXAMPLES / "response.conllua"))
    found = scoref.slices(result)
    assert found.metric == "mentions"
    assert any(note.startswith("by mentions, as b3 cannot be: its rule for these files") for note in found.notes())
    assert not scoref.slices(scoref.score([["a", "b"]], [["a", "b"]])).instead


def test_fields_are_for_slices(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no-slices" in refused(capsys, "errors", *TALES, "--fields", "form")


def saved(files: list[str]) -> list[str]:
    """Saved evaluations of the responses."""
    for path in files[1:]:
        scoref.save(scoref.score(files[0], path), path + ".saved")
    return [path + ".saved" for path in files[1:]]


def test_documents_without_words_have_mentions_of_unknown_kinds():
    words = [Document(str(n), ("a", "b"), (Mention.at(0, 0, 1), Mention.at(1, 1, 1))) for n in range(6)]
    without = [scoref.clusters([["a", "b"]], f"c{n}") for n in range(6)]
    found = scoref.slices(scoref.score([*words, *without], [*words, *without]), fields=["quoted"])
    assert [each.documents for each in found.searches] == [12, 12]
    alone = scoref.score(without, without)
    assert [each.documents for each in scoref.slices(alone).searches] == [6, 6]


def test_slices_are_looked_for_in_some_documents_and_measured_in_all() -> None:
    population, fields, mentions = corpus(7, 200, ((2, 0),), 0.6)
    everywhere, some = (search(population, fields, seed=1, most=most) for most in (200, 60))
    assert everywhere.finds == search(population, fields, seed=1).finds
    assert some.documents == 200
    assert some.finds[0.1] > everywhere.finds[0.1]  # fewer documents show less
    for found in (everywhere, some):
        (hit,) = found.hits
        assert hit.conditions == ((2, 0),)
        assert hit.members.tolist() == [n for n, each in enumerate(mentions) if slow_slices.inside(each, ((2, 0),))]
        assert hit.excess == pytest.approx(slow_slices.excess(mentions, ((2, 0),))[0])
