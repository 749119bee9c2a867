"""One key of several annotators: what is agreed, what a majority has, what is open, what was decided."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES
from scoref.cli import main
from scoref.curation.clustering import EXACT, clusters
from scoref.curation.curate import curate
from scoref.curation.decisions import Decision, read_decisions

TALES = EXAMPLES / "tales"
FILES = {"Ann": TALES / "key.conll", "Ben": TALES / "rules.conll", "Cem": TALES / "model.conll"}


def partitions(items):
    """All partitions of a list; slow and literal."""
    if not items:
        yield []
        return
    first, *rest = items
    for each in partitions(rest):
        yield [[first], *each]
        for at in range(len(each)):
            yield [*each[:at], [first, *each[at]], *each[at + 1 :]]


def broken(partition, votes, number):
    """The pairs of mentions that stand against what more than half, or less than half, of the annotators have."""
    of = {mention: at for at, cluster in enumerate(partition) for mention in cluster}
    return sum(
        (2 * votes(a, b) > number and of[a] != of[b]) or (2 * votes(a, b) < number and of[a] == of[b])
        for a, b in combinations(sorted(of), 2)
    )


def sets(entities):
    return {frozenset(map(str, each)) for each in entities}


def entities_of(document):
    found = {}
    for mention in document.mentions:
        found.setdefault(mention.entity, []).append(str(mention.id))
    return [*found.values()]


annotation = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.lists(annotation, min_size=2, max_size=5))
def test_the_key_has_what_a_majority_has_with_as_few_broken_pairs_as_can_be(annotators):
    sides = [[[m for m, e in side.items() if e == entity] for entity in {*side.values()}] for side in annotators]
    made = curate([scoref.clusters(side) for side in sides])
    number = len(annotators)
    kept = [m for m in "abcdef" if 2 * sum(m in side for side in annotators) > number]
    found = entities_of(made.documents[0])
    assert sorted(m for each in found for m in each) == kept

    def votes(a, b):
        return sum(side.get(a, "x") == side.get(b, "y") for side in annotators)

    best = min(broken(each, votes, number) for each in partitions(kept))
    assert broken(found, votes, number) == best
    turned = curate([scoref.clusters(side) for side in reversed(sides)])
    assert len(turned.places) == len(made.places)
    if all(sets(side) == sets(sides[0]) for side in sides):
        assert sets(found) == sets(sides[0])
        assert {place.status for place in made.places} <= {"agreed"}


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.data())
def test_clusters_keep_the_most_weight(number, data):
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=number, max_size=number))
    pairs = [*combinations(range(number), 2)]
    signs = {pair: data.draw(st.sampled_from([0, 1])) for pair in pairs if data.draw(st.booleans())}
    found, doubtful = clusters(sizes, signs)

    def kept(partition):
        return sum(signs.get(pair, -1) * sizes[pair[0]] * sizes[pair[1]]
                   for each in partition for pair in combinations(sorted(each), 2))  # fmt: skip

    every = [*partitions([*range(number)])]
    most = max(map(kept, every))
    assert kept(found) == most
    assert sorted(node for each in found for node in each) == [*range(number)]
    if sum(kept(each) == most for each in every) == 1:
        assert doubtful == set()


def test_large_components_are_built_up():
    size = 3 * EXACT
    signs = dict.fromkeys(combinations(range(size), 2), 1)
    assert clusters([1] * size, signs) == ([[*range(size)]], set())
    chain = {(at, at + 1): 1 for at in range(size - 1)}
    found, doubtful = clusters([1] * size, chain)
    assert max(map(len, found)) == 2
    assert doubtful


def test_what_two_annotators_have_differently_is_open_and_nothing_of_it_is_taken():
    made = curate({"Ann": [["a", "b", "c"], ["d"]], "Ben": [["a", "b"], ["c", "e"]]})
    assert entities_of(made.documents[0]) == [["a", "b"], ["c"]]
    opened = {(place.what, str(place.mention.id)): place for place in made.places if place.status == "open"}
    assert set(opened) == {("mention", "d"), ("mention", "e"), ("entity", "c")}
    options = opened["entity", "c"].options
    assert [(option.annotators, option.other and option.other.id) for option in options] == [
        (("Ann",), "a"),
        (("Ben",), None),
    ]


def test_decisions_are_applied(tmp_path):
    sides = {"Ann": [["a", "b", "c"], ["d"]], "Ben": [["a", "b"], ["c", "e"]]}
    file = tmp_path / "decisions.json"
    rows = [
        {"document": "", "mention": "c", "with": "a"},
        {"document": "", "mention": "d", "keep": False},
        {"document": "", "mention": "e", "keep": True},
        {"document": "", "mention": "e", "with": "c"},
    ]
    name = curate(sides).documents[0].id
    file.write_text(json.dumps({"decisions": [{**row, "document": name} for row in rows]}))
    made = curate(sides, file)
    assert entities_of(made.documents[0]) == [["a", "b", "c", "e"]]
    assert made.number("open") == 0
    assert made.number("decided") == 4
    with pytest.raises(scoref.Error, match="which is not kept"):
        curate(sides, {(name, "c"): Decision(other="d")})
    alone = curate(sides, {(name, "c"): Decision(alone=True)})
    assert entities_of(alone.documents[0]) == [["a", "b"], ["c"]]
    assert [place.status for place in alone.places if place.what == "entity" and place.mention.id == "c"] == ["decided"]


BAD = {
    "[": "this is no JSON",
    "[]": "the file has no decisions",
    '{"decisions": [{"mention": "a"}]}': "decision 1 names no document and mention",
    '{"decisions": [{"document": "", "mention": "a"}]}': "decision 1 decides nothing",
    '{"decisions": [{"document": "x", "mention": "a", "keep": true}]}': "document x, which no annotator has",
    '{"decisions": [{"document": "d", "mention": "z", "keep": true}]}': "mention z of document d, which no annotator",
    '{"decisions": [{"document": "d", "mention": "a", "with": "a"}]}': "is put with itself",
    '{"decisions": [{"document": "d", "mention": "a", "keep": true}, {"document": "d", "mention": "a", "keep": true}]}':
        "decision 2 is about what was decided before",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_bad_decisions_are_refused(tmp_path, text):
    file = tmp_path / "decisions.json"
    file.write_text(text)
    sides = [scoref.clusters([["a", "b"]], "d"), scoref.clusters([["a"], ["b"]], "d")]
    with pytest.raises(scoref.Error) as error:
        curate(sides, file)
    assert BAD[text] in str(error.value)
    assert error.value.path == str(file)


def test_the_command_writes_a_key_that_can_be_read_again(tmp_path, capsys):
    out = tmp_path / "key.jsonl"
    assert main(["curate", *map(str, FILES.values()), "-o", str(out), "--names", "Ann,Ben,Cem"]) == 0
    said = capsys.readouterr().out
    made = curate(FILES)
    assert "places on which not all agree" in said
    assert (
        f"mention     {made.number('agreed') - sum(p.what == 'entity' and p.status == 'agreed' for p in made.places)}"
        in said
    )
    assert scoref.score(scoref.read(out), made.documents)["conll"].f1 == 1
    assert main(["curate", *map(str, FILES.values()), "-o", str(out)]) == 2  # it is there
    assert main(["curate", str(TALES / "key.conll"), "-o", str(tmp_path / "one.jsonl")]) == 2
    assert main(["curate", *map(str, FILES.values()), "-o", str(tmp_path / "key.unknown")]) == 2
    assert not (tmp_path / "key.unknown").exists()


def test_of_annotators_that_agree_everything_is_agreed():
    key = TALES / "key.conll"
    made = curate([key, key, key])
    assert {place.status for place in made.places} == {"agreed"}
    assert scoref.score(key, made.documents)["conll"].f1 == 1
    attributes = [mention.attributes for document in made.documents for mention in document.mentions]
    assert attributes == [mention.attributes for document in scoref.read(key) for mention in document.mentions]


def test_the_same_decision_is_read_as_it_was_written(tmp_path):
    file = tmp_path / "d.json"
    file.write_text('{"decisions": [{"document": "d", "mention": "4-6,9", "keep": true, "with": null}]}')
    assert read_decisions(file) == {("d", "4-6,9"): Decision(True, None, True)}
