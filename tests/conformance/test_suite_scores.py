"""scoref gives the numbers of each scorer that was recorded, where it follows that scorer."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from as_scored import ALONE, AS, as_format, every, said, scored

import scoref
from peers import definition
from suite import cases, features, literal, scorers
from suite.cases import Case
from suite.files import WRITERS
from suite.numbers import same

HERE = Path(__file__).resolve().parent
GIVEN = json.loads((HERE / "departures.json").read_text(encoding="utf-8"))
PAIRS = [
    (scorer, name)
    for name in cases.names()
    if name != "broken"
    for scorer in sorted(scorers.known())
    if name in scorers.known()[scorer]["sets"].split()
]


class Departure(NamedTuple):
    """Cases of some sets with a feature, and metrics, in which scoref gives another number, and why."""

    feature: str
    sets: str
    reason: str
    metrics: str = ""

    def excuses(self, case: Case, metric: str) -> bool:
        here = case.set in self.sets.split() and self.feature in features.of(case)
        return here and metric in (self.metrics.split() or [metric])


DEPARTURES = {scorer: [Departure(**each) for each in some] for scorer, some in GIVEN.items()}


def wrong(scorer: str, name: str, folder: Path) -> list[tuple[Case, str, str]]:
    """The cases and metrics for which scoref gives another number."""
    given = said(scorer, name)
    alone = scorer in ALONE or (name == "documents" and scorer not in scorers.SETS[name].authorities)
    if alone and len(given) > 100:
        given = given[::4]  # one after the other: the authorities have all
    names = sorted({metric for _, numbers in given for metric in numbers})
    found = scored(scorer, [case for case, _ in given], names, folder)
    near = scorers.near(scorer)
    return [
        (case, metric, f"{ours[metric]}, not {number}")
        for (case, numbers), ours in zip(given, found, strict=True)
        for metric, number in numbers.items()
        if not same(ours[metric], number, near)
    ]


@pytest.mark.parametrize(("scorer", "name"), PAIRS)
def test_scoref_gives_the_numbers_of_other_scorers(scorer, name, tmp_path):
    assert said(scorer, name), "nothing was recorded"
    found = wrong(scorer, name, tmp_path)
    excuses = DEPARTURES.get(scorer, [])
    unexcused = [(c.name, m, both) for c, m, both in found if not any(each.excuses(c, m) for each in excuses)]
    assert unexcused == []
    stale = [each for each in excuses if name in each.sets.split() and not any(each.excuses(c, m) for c, m, _ in found)]
    assert not stale, "these agree: remove them from departures.json"


def test_every_scorer_is_followed_by_a_protocol_and_every_departure_has_a_reason():
    assert AS.keys() - {"definition of sets"} == {
        name for name, each in scorers.known().items() if each["sets"] != "broken"
    }
    assert DEPARTURES.keys() <= AS.keys()
    assert all(each.reason for some in DEPARTURES.values() for each in some)


@pytest.mark.parametrize("name", cases.names())
def test_every_case_names_its_authority(name):
    authorities = {scorers.DEFINITION, *scorers.known()}
    nameless = [case.name for case in every(name) if not case.row["expected"] or {*case.row["expected"]} - authorities]
    assert every(name)
    assert nameless == []
    twice = [title for title, number in Counter(case.name for case in every(name)).items() if number > 1]
    assert twice == []


@pytest.mark.parametrize(
    "name", [name for name, each in scorers.SETS.items() if scorers.DEFINITION in each.authorities]
)
def test_numbers_of_definitions_are_computed_again(name):
    """By slow literal versions in exact fractions, which import nothing of scoref."""
    given = [case for case in every(name) if scorers.DEFINITION in case.row["expected"]]
    chosen = given[::10] if len(given) > 1000 else given
    expected = [case.row["expected"][scorers.DEFINITION] for case in chosen]
    assert len(given) > 30
    again = definition.with_sets if name == "anaphora" else definition.given
    found = [again(case, numbers) for case, numbers in zip(chosen, expected, strict=True)]
    assert found == expected


def numbers_of(case: Case) -> dict[str, str]:
    """What the reference scorer and coval gave, but for crashes."""
    every = {**case.row["expected"]["perl-8.01"], **case.row["expected"]["coval"]}
    return {metric: each for metric, each in every.items() if ":" not in each}


@pytest.mark.parametrize("name", ["hand", "small"])
def test_what_scorers_gave_are_the_fractions_of_the_definitions(name):
    """Two independent ways for each number that follows a scorer: the scorer, and the definition."""
    given = [(case, numbers_of(case)) for case in every(name)]
    plain = [(case, numbers) for case, numbers in given if "repeated" not in case.get("about", "")]
    found = [(case, numbers, definition.given(case, numbers)) for case, numbers in plain]
    assert plain
    assert {case.name: (a, b) for case, a, b in found if any(not same(a[m], b[m]) for m in a)} == {}


def test_the_definitions_share_nothing_with_scoref():
    suite = Path(literal.__file__).parents[1]
    texts = {path: path.read_text(encoding="utf-8") for path in suite.rglob("*.py")}
    assert len(texts) > 10
    assert [str(path) for path, text in texts.items() if "import scoref" in text or "from scoref" in text] == []


@pytest.mark.parametrize("format", ["conll", "ua", "corefud", *WRITERS])
def test_files_of_every_format_have_the_same_scores(format, tmp_path):
    """A case as a file of this format, written by the suite, has the reference scorer's numbers."""
    chosen = [case for name in ("hand", "spans", "partitions") for case in every(name)[: 90 if name == "hand" else 60]]
    lacks = WRITERS[format].lacks if format in WRITERS else {"repeated", "crossing"} if format == "ua" else {"repeated"}
    given = [case for case in chosen if not lacks & {*features.of(case)}]
    wanted = [case.row["expected"]["perl-8.01"] for case in given]
    names = ["mentions", "muc", "b3", "ceafm", "ceafe"] + ([] if format == "table" else ["blanc"])
    found = [as_format(case, format, names, tmp_path) for case in given]
    assert len(given) > 100
    assert [
        c.name for c, a, b in zip(given, wanted, found, strict=True) if any(not same(a[m], b[m]) for m in names)
    ] == []


ALIGNED = "the text differs from the key's"
ACCEPTED = {  # what is said beside the score, and why it is one
    "conll: a word less": ALIGNED,
    "conll: a word more": ALIGNED,
    "ua: a word less": ALIGNED,
    "corefud: a word less": ALIGNED,
    "muc: other words": ALIGNED,
    "ua: too few columns": "",  # nothing is read from the columns that are missing
    "corefud: trees with a circle": "",  # trees are read where empty nodes need them
    "corefud: a parent that is not there": "",
}
ENDINGS = {
    "jsonl": "jsonl",
    "clusters": "json",
    "table": "csv",
    "muc": "sgm",
    "brat": "ann",
    "ecb": "xml",
    "text": "txt",
}


@pytest.mark.parametrize("case", every("broken"), ids=lambda case: case.row["name"])
def test_broken_files_are_refused_at_their_place(case, tmp_path):
    ending = ENDINGS.get(case.row["reads"], case.row["reads"])
    key, response = (tmp_path / f"{which}.{ending}" for which in ("key", "response"))
    for path in (key, response):
        path.write_text(case.row[f"{path.stem}_text"], encoding="utf-8")
    if case.row["name"] in ACCEPTED:
        assert ACCEPTED[case.row["name"]] in str(scoref.score(key, response, format=case.row["reads"]))
        return
    with pytest.raises(scoref.Error) as error:
        scoref.score(key, response, format=case.row["reads"])
    assert error.value.path == str(response)
    assert case.row["line"] in (None, error.value.line)
    assert str(error.value)
