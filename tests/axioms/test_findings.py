"""What is recorded about metrics: against stated facts, exact fractions, and searches in smaller cases."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import slow
from scoref.axioms.cases import normal, sizes, space
from scoref.axioms.findings import MOST, axioms, recorded, searched, words
from scoref.axioms.properties import PROPERTIES, Counterexample
from scoref.axioms.scoring import CaseScores, conventions, defined, metrics, score_all
from scoref.problems import Error

OFFICIAL = next(each for each, names in conventions().items() if "conll-2012" in names)
EXACT = ("mentions", "muc", "b3", "b3-classes", "ceafm", "ceafe", "lea", "pairwise", "blanc", "conll", "b3-sys")


def f1(metric: str, key: str, response: str) -> Fraction:
    sides = [[[ord(each) for each in entity] for entity in side.split("|") if entity] for side in (key, response)]
    return slow.score(metric, [(sides[0], sides[1])])[2]


def found(metric: str, name: str) -> Counterexample | None:
    return recorded()[words(OFFICIAL)][metric].found[name]


def test_facts_that_are_known_without_a_search():
    assert found("muc", "maximal") == (1, "a", "a", None, (0.0,))
    ceafm = found("ceafm", "monotone-add")
    assert ceafm is not None
    assert ceafm[:4] == (2, "ab", "a", "a|b")
    assert ceafm.scores == pytest.approx((2 / 3, 1 / 2), abs=1e-12)
    lea = found("lea", "homogeneity")
    assert lea is not None
    assert (lea.mentions, lea.scores) == (4, (0.0, 0.0))


def test_everything_is_recorded():
    assert {*recorded()} == {words(protocol) for protocol in conventions()}
    for protocol in conventions():
        here = recorded()[words(protocol)]
        assert {*here} == {*defined(metrics(), protocol)}, "search again: python docs/counterexamples.py --search"
        assert all([*each.found] == [*PROPERTIES] and len(each.jumps) == MOST for each in here.values())


@pytest.mark.parametrize("protocol", conventions(), ids=lambda each: conventions()[each][0])
def test_a_search_in_smaller_cases_finds_what_is_recorded(protocol):
    most = 4
    found = searched(most, metrics(), protocol)
    assert {*found} == {*defined(metrics(), protocol)}
    for metric, findings in found.items():
        known = recorded()[words(protocol)][metric]
        assert findings.jumps == pytest.approx(known.jumps[:most], abs=1e-12)
        for name, case in findings.found.items():
            before = known.found[name]
            within = before is not None and (before.mentions <= most or name == "size-quantity")
            if not within or before is None:
                assert case is None, (metric, name)
                continue
            assert case is not None, (metric, name)
            assert case[:4] == before[:4], (metric, name)
            assert case.scores == pytest.approx(before.scores, abs=1e-12)


@pytest.mark.parametrize("metric", EXACT)
def test_recorded_scores_are_those_of_exact_fractions(metric):
    cases = {name: case for name, case in recorded()[words(OFFICIAL)][metric].found.items() if case is not None}
    assert cases
    for name, case in cases.items():
        if name in ("baseline", "names"):
            continue
        exact = [f1(metric, case.key, case.response)]
        if name == "symmetry":
            exact.append(f1(metric, case.response, case.key))
        elif case.second is not None:
            exact.append(f1(metric, case.key, case.second))
        assert case.scores == pytest.approx([float(each) for each in exact], abs=1e-12), name


def partitions(letters: str) -> list[tuple[str, ...]]:
    return [side for side in space(len(letters)).sides if sorted("".join(side)) == [*letters]]


@pytest.mark.parametrize("metric", EXACT)
def test_rag_bag_of_five_mentions_by_its_definition(metric):
    failing = []
    for key in partitions("abcde"):
        alone = {entity for entity in key if len(entity) == 1}
        for response in partitions("abcde"):
            for entity in response:
                for bag in response:
                    for x in alone & {*entity}:
                        rest = {*entity} - {x}
                        clean = any(rest <= {*ours} for ours in key)
                        if bag == entity or len(rest) < 2 or not clean or len(bag) != len(rest) or not {*bag} <= alone:
                            continue
                        others = [each for each in response if each not in (entity, bag)]
                        second = "|".join(normal([*others, rest, {*bag, x}]))
                        case = "|".join(key), "|".join(response), second
                        if f1(metric, case[0], case[2]) <= f1(metric, case[0], case[1]):
                            failing.append(case)
    known = found(metric, "rag-bag")
    if failing:
        assert known is not None
        assert known[:4] == (5, *min(failing))
    else:
        assert known is None or known.mentions > 5


@pytest.mark.parametrize("metric", EXACT)
def test_size_against_quantity_by_its_definition(metric):
    """The last letter of the large entity makes the first word of all that split off one."""
    failing = None
    for pairs in range(8, 1, -1):
        letters = "abcdefghijklmnopqrstuvwxyz"[: 3 * pairs + 1]
        large, rest = letters[: pairs + 1], letters[pairs + 1 :]
        twos = [rest[place : place + 2] for place in range(0, len(rest), 2)]
        key, split = "|".join([large, *twos]), "|".join([large, *rest])
        chipped = min("|".join(normal([large.replace(x, ""), x, *twos])) for x in large)
        if f1(metric, key, chipped) <= f1(metric, key, split):
            failing = len(letters), key, split, chipped
    known = found(metric, "size-quantity")
    assert (known and known[:4]) == failing


@pytest.mark.parametrize("metric", EXACT)
def test_the_baseline_of_four_mentions_by_its_definition(metric):
    middle = [side for side in partitions("abcd") if 1 < len(side) < 4]
    failing = []
    for key in ["|".join(side) for side in middle]:
        means = []
        for each in sorted(each for each in sizes(4) if 1 < len(each) < 4):
            some = [f1(metric, key, "|".join(s)) for s in middle if sorted(map(len, s), reverse=True) == [*each]]
            means.append(("sizes " + "+".join(map(str, each)), sum(some) / len(some)))
        other = next((each for each in means if each[1] != means[0][1]), None)
        if other:
            failing.append((key, means[0][0], other[0], (means[0][1], other[1])))
    known = found(metric, "baseline")
    if not failing:
        assert known is None or known.mentions > 4
        return
    first = min(failing)
    assert known is not None
    assert known[:4] == (4, *first[:3])
    assert known.scores == pytest.approx([float(each) for each in first[3]], abs=1e-12)


def test_a_score_that_depends_on_names_is_found():
    named = np.zeros((len(space(4).sides),) * 2)
    named[space(4).number["b",], space(4).number["b",]] = 0.5
    nothing = np.zeros((0, 0))
    case = PROPERTIES["names"].search(CaseScores(nothing, nothing, named, nothing), 4)
    assert case == (1, "a", "a", "b : b", (0.0, 0.5))


def test_different_scores_are_far_further_apart_than_equal_ones():
    gaps = {name: np.diff(np.unique(each.plain)) for name, each in score_all(5, metrics(), OFFICIAL).items()}
    assert {*gaps} == {*metrics()}
    assert not [name for name, each in gaps.items() if ((each > 1e-14) & (each < 1e-8)).any()]


def test_links_fail_maximal_only_where_a_key_has_none():
    here = space(4)
    scores = score_all(4, ["muc", "pairwise", "blanc", "conll"], OFFICIAL)
    assert len(here.keys) == 1 + 1 + 2 + 3 + 5
    for place, key in enumerate(here.keys):
        own = {name: each.plain[place, here.number[key]] for name, each in scores.items()}
        linked = any(len(entity) > 1 for entity in key)
        assert [own[name] == pytest.approx(1) for name in ("muc", "pairwise", "conll")] == [linked] * 3
        assert (own["blanc"] == pytest.approx(1)) == (len("".join(key)) > 1)


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_a_picture(run):
    code, out, err = run("axioms", "--metrics", "ceafm,b3", "--properties", "monotone-add", "--protocol", "conll-2012")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["property", "ceafm", "b3"] in lines
    assert ["monotone-add", "2", "yes"] in lines
    assert ["key", "(a", "b)"] in lines
    assert ["response", "(a)", "66.67"] in lines
    assert ["then", "(a)", "(b)", "50.00"] in lines


def test_json_has_each_convention_with_counterexamples_and_both_scores(run):
    code, out, _ = run("axioms", "--json")
    said = json.loads(out)
    assert code == 0
    assert [*said["properties"]] == [*PROPERTIES]
    assert [each["presets"] for each in said["conventions"]] == [*conventions().values()]
    official = next(each for each in said["conventions"] if "conll-2012" in each["presets"])["metrics"]
    assert {*official} == {*metrics()}
    case = official["ceafm"]["monotone-add"]["counterexample"]
    assert [case[name] for name in ("mentions", "key", "response", "second")] == [2, "ab", "a", "a|b"]
    assert case["scores"] == pytest.approx([2 / 3, 1 / 2])
    assert official["b3"]["monotone-add"] == {"holds": True, "counterexample": None}
    assert len(official["b3"]["continuity"]["largest_changes"]) == MOST
    squares = official["cc"]["range"]["counterexample"]
    assert squares["signed_squares"] == pytest.approx([-0.25])


def test_csv_has_a_row_for_each_case(run):
    out = run("axioms", "--metrics", "b3", "--protocol", "scorch", "--output", "csv")[1]
    assert len(out.splitlines()) == 1 + len(PROPERTIES)


def test_a_convention_that_no_preset_has_is_called_by_its_signature(monkeypatch):
    monkeypatch.setattr("scoref.axioms.findings.MOST", 2)
    result = axioms(["b3"], ["range"], protocol="conll-2012|twinless:0")
    assert result.grids()[0].title == "under conll-2012|twinless:0"
    assert result.whole_grid().rows == [("conll-2012|twinless:0", "b3", "range", "yes", *(None,) * 6)]


def test_a_convention_that_is_not_recorded_is_searched(monkeypatch):
    monkeypatch.setattr("scoref.axioms.findings.MOST", 2)
    said = []
    result = axioms(["b3"], protocol=OFFICIAL, search=True, progress=lambda *each: said.append(each))
    assert said[-1] == ("conventions searched", 1, 1)
    assert result.table[OFFICIAL]["b3"].found["baseline"] is None  # needs 4 mentions


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--properties", "fair"), "unknown-property"),
        (("--properties", ","), "unknown-property"),
        (("--metrics", "mor"), "unknown-metric"),
    ],
)
def test_what_is_not_known_is_refused(run, arguments, code):
    status, out, err = run("axioms", *arguments)
    assert (status, out) == (2, "")
    assert f"[{code}]" in err


def test_unknown_names_are_refused_in_python():
    with pytest.raises(Error, match="none of the properties"):
        axioms(properties=["fair"])
