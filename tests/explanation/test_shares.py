"""What is lost by mentions and by links: as slowly, by documents that are repaired; and of differences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings

import scoref
import slow
from places import EXAMPLES, SHARED
from strategies import Partition, corpora

Run = Callable[..., tuple[int, str, str]]
NAMES = ("mentions", "muc", "b3", "ceafm", "ceafe", "lea", "blanc", "conll", "hota")
KORKOR = [SHARED / "vectors" / "real-korkor" / "files" / name for name in ("key.conllu", "response.medium.conllu")]
TALES = [str(EXAMPLES / "tales" / name) for name in ("key.conll", "rules.conll", "model.conll")]
KEY, RESPONSE = [["a", "b", "c"], ["d", "e", "f", "g"]], [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def documents(sides: list[Partition]) -> list[scoref.Document]:
    return [scoref.clusters(side, str(number)) for number, side in enumerate(sides)]


def alone(mentions: frozenset[int]) -> Partition:
    return [[mention] for mention in sorted(mentions)]


def mentions_right(key: Partition, response: Partition) -> Partition:
    """The response with the mentions of the key: others are gone, missing ones are added alone."""
    there = slow.members(slow.entities(key))
    kept = [[mention for mention in entity if mention in there] for entity in response]
    missing = there - slow.members(slow.entities(response))
    return [entity for entity in kept if entity] + alone(missing)


def links_right(key: Partition, response: Partition) -> Partition:
    """The mentions of the response, together as in the key; those that the key lacks alone."""
    there = slow.members(slow.entities(response))
    kept = [[mention for mention in entity if mention in there] for entity in key]
    return [entity for entity in kept if entity] + alone(there - slow.members(slow.entities(key)))


@settings(max_examples=40)
@given(corpora)
def test_losses_are_those_of_repaired_documents(corpus):
    keys, responses = [key for key, _ in corpus], [response for _, response in corpus]
    assume(any(keys) or any(responses))
    made = [
        responses,
        [mentions_right(*pair) for pair in corpus],
        [links_right(*pair) for pair in corpus],
        keys,
    ]
    now, mentions, links, both = (scoref.score(documents(keys), documents(each), metrics=NAMES) for each in made)
    found = scoref.shares(now).losses
    expected = {}
    for name in NAMES:
        of_mentions = (mentions[name].f1 - now[name].f1 + both[name].f1 - links[name].f1) / 2
        expected[name] = (now[name].f1, of_mentions, both[name].f1 - now[name].f1 - of_mentions)
    assert found == {name: pytest.approx(each, abs=1e-9) for name, each in expected.items()}


class Shared(NamedTuple):
    """What key and response entities share by the pairs of one direction, and the sizes of both."""

    cells: Counter[tuple[Hashable, Hashable]]
    key: Counter[Hashable]
    response: Counter[Hashable]

    def found(self, side: int, entity: Hashable) -> int:
        return sum(number for cell, number in self.cells.items() if cell[side] == entity)


def shared(key: scoref.Document, response: scoref.Document, pairs: Iterable[tuple[int, int]]) -> Shared:
    names = [[mention.entity for mention in side.mentions] for side in (key, response)]
    return Shared(Counter((names[0][k], names[1][r]) for k, r in pairs), *map(Counter, names))


def repaired_mentions(now: Shared) -> Shared:
    """Spurious mentions are gone, missing ones are each alone."""
    cells, response = Counter(now.cells), {name: min(now.found(1, name), size) for name, size in now.response.items()}
    for name, size in now.key.items():
        for number in range(size - now.found(0, name)):
            cells[name, (name, number)] = response[name, number] = 1
    return Shared(cells, now.key, Counter({name: size for name, size in response.items() if size}))


def repaired_links(now: Shared) -> Shared:
    """Common mentions are together as in the key, spurious ones each alone."""
    common = {name: found for name in now.key if (found := now.found(0, name))}
    spurious = {(name, number): 1 for name, size in now.response.items() for number in range(size - now.found(1, name))}
    return Shared(Counter({(name, name): found for name, found in common.items()}), now.key,
                  Counter({**common, **spurious}))  # fmt: skip


def part(metric: str, here: Shared, side: int) -> tuple[float, int]:
    """Numerator and denominator of recall, or of precision for the other side."""
    sizes = (here.key, here.response)[side]
    if metric == "b3":
        return sum(n * n / sizes[cell[side]] for cell, n in here.cells.items()), sum(sizes.values())
    return sum(n - 1 for n in here.cells.values()), sum(size - 1 for size in sizes.values())


@pytest.mark.parametrize("metric", ["b3", "muc"])
def test_where_recall_and_precision_look_up_differently(metric):
    """A mention in two entities is looked up in the last of the other side, by each direction for itself."""
    pairs = [
        ([["a", "b", "c"], ["c", "d", "e"], ["f", "g"]], [["a", "c"], ["c", "d"], ["d", "b", "x"], ["f"]]),
        ([["a", "b"], ["b", "c"]], [["b", "c", "y"], ["a", "b", "c"]]),
    ]
    sides = [documents([pair[side] for pair in pairs]) for side in (0, 1)]
    whole = scoref.score(*sides, duplicates="keep", metrics=["muc", "b3"])
    aligned = whole.evidence.aligned
    assert any([*lookups.recall.key] != [*lookups.precision.key] for _, _, lookups in aligned)
    values = []
    for repair in (lambda now: now, repaired_mentions, repaired_links):
        sums = np.zeros(4)
        for key, response, lookups in aligned:
            for side, alignment in enumerate((lookups.recall, lookups.precision)):
                here = repair(shared(key, response, zip(*alignment, strict=True)))
                sums[2 * side : 2 * side + 2] += part(metric, here, side)
        recall, precision = sums[0] / sums[1], sums[2] / sums[3]
        values.append(2 * recall * precision / (recall + precision))
    found = scoref.shares(whole)
    assert not found.left_out
    by_mentions = (values[1] - values[0] + 1 - values[2]) / 2
    assert found.losses[metric] == pytest.approx((values[0], by_mentions, 1 - values[0] - by_mentions))


@pytest.mark.skipif(not KORKOR[0].exists(), reason="the files of KorKor are not here")
def test_zeros_by_the_official_rule():
    """Under that rule zeros are looked up by each direction for itself; mentions and links lose all that is lost."""
    found = scoref.shares(*map(str, KORKOR))
    assert [*found.losses] == ["mentions", "muc", "b3", "ceafe", "conll"]
    assert not found.left_out
    assert [sum(each) for each in found.losses.values()] == pytest.approx([1] * 5)


def test_by_hand():
    """The mentions metric loses by mentions alone; B³ of the example, with responses that were repaired by hand."""
    found = scoref.shares(KEY, RESPONSE, metrics=["mentions", "b3"]).losses
    assert found["mentions"] == pytest.approx((0.8, 0.2, 0.0))
    with_mentions = scoref.score(KEY, [["a", "b"], ["c", "d"], ["f", "g"], ["e"]], metrics=["b3"])["b3"].f1
    with_links = scoref.score(KEY, [["a", "b", "c"], ["d", "f", "g"], ["h"], ["i"]], metrics=["b3"])["b3"].f1
    assert found["b3"].mentions == pytest.approx((with_mentions - 5 / 11 + 1 - with_links) / 2)
    assert sum(found["b3"]) == pytest.approx(1)


def test_singletons_that_are_dropped_and_windows():
    """Repaired responses are treated as the protocol says."""
    dropped = scoref.shares([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "x"]], singletons="drop", metrics=["b3"])
    assert sum(dropped.losses["b3"]) == pytest.approx(1)
    cut = scoref.shares(*TALES[:2], window=50)
    assert [sum(each) for each in cut.losses.values()] == pytest.approx([1] * 5)


def test_of_a_difference_how_much_is_mention_detection():
    one, other = (scoref.shares(TALES[0], each) for each in TALES[1:])
    found = one.against(other)
    scores = [scoref.score(TALES[0], each) for each in TALES[1:]]
    for name, part in found.parts().items():
        assert part.f1 == pytest.approx(scores[1][name].f1 - scores[0][name].f1)
        assert part.mentions + part.links == pytest.approx(part.f1)
    assert found.parts()["mentions"].links == pytest.approx(0)


def test_commands(run: Run):
    code, out, _ = run("score", *TALES[:2], "--factors")
    assert code == 0
    assert "b3 recall     65.87     88.08    74.79" in out
    assert "detection share" in out
    said = json.loads(run("score", *TALES[:2], "--factors", "--json")[1])
    assert said["detection"]["mentions"]["share"] == pytest.approx(1)
    assert run("score", *TALES[:2], "--factors", "--output", "csv")[1].startswith("metric,f1,by mentions")
    code, out, _ = run("explain", *TALES[:2], "--against", TALES[2])
    assert code == 0
    assert "by mentions" in out
    for other in (TALES[2], "match:head"):
        said = json.loads(run("explain", *TALES[:2], "--against", other, "--json")[1])
        assert {*said["differences"]["b3"]} == {"first", "second", "difference", "mentions", "links"}


def test_tables_are_read_as_documents(run: Run, tmp_path):
    for name, side in (("key", KEY), ("response", RESPONSE)):
        rows = [f"{mention},{number}" for number, entity in enumerate(side) for mention in entity]
        (tmp_path / f"{name}.csv").write_text("\n".join(["mention,entity", *rows]) + "\n")
    files = [tmp_path / "key.csv", tmp_path / "response.csv"]
    assert run("score", *files, "--metrics", "b3,muc", "--factors", "--save", tmp_path / "sums.json")[0] == 0
    merged = json.loads(run("merge", tmp_path / "sums.json", "--factors", "--json")[1])["detection"]
    said = json.loads(run("score", *files, "--metrics", "b3,muc", "--factors", "--json")[1])
    expected = scoref.shares(KEY, RESPONSE, metrics=["b3", "muc"]).to_dict()
    assert said["detection"]["muc"] == pytest.approx(expected["muc"])
    assert merged["muc"] == pytest.approx(expected["muc"])


def test_tables_have_their_documents_in_another_order(run: Run, tmp_path):
    tales = [[*scoref.read(path)] * 3 for path in TALES[:2]]
    for name, side in zip(("key", "response"), tales, strict=True):
        rows = [f"d{number},{number}-{m.span[0]}-{m.span[-1]},{number}-{m.entity}"
                for number, each in enumerate(side) for m in each.mentions]  # fmt: skip
        (tmp_path / f"{name}.csv").write_text("\n".join(["document,mention,entity", *rows]) + "\n")
    files, how = [tmp_path / "key.csv", tmp_path / "response.csv"], ("--metrics", "b3", "--factors")
    said = json.loads(run("score", *files, *how, "--save", tmp_path / "sums.json", "--json")[1])["detection"]
    again = json.loads(run("merge", tmp_path / "sums.json", "--factors", "--json")[1])["detection"]
    assert again["b3"] == pytest.approx(said["b3"])
    loaded = scoref.load(tmp_path / "sums.json")
    repaired = loaded.source.kinds["(repaired)"].counts["both"]["b3"]
    assert loaded.documents[2] == "d10"
    assert repaired[:, 1].tolist() == loaded.counts["b3"][:, 1].tolist()  # the mentions of each document's key


def test_what_is_refused(run: Run, tmp_path):
    sets = str(EXAMPLES / "key.conllua"), str(EXAMPLES / "response.conllua")
    with pytest.raises(scoref.Error, match="split antecedents"):
        scoref.shares(*sets)
    with pytest.raises(scoref.Error, match="no metric here"):
        scoref.shares(KEY, RESPONSE, metrics=["links-within"])
    assert run("explain", *TALES[:2], "--against", "match:nothing")[0] == 2
    assert run("explain", *TALES[:2], "--against", "nothing.conll")[0] == 2
    scoref.save(scoref.score(*TALES[:2]), tmp_path / "sums.json")
    for wrong in ([tmp_path / "sums.json", TALES[1]], [*TALES[:2]]):
        code, out, err = run("explain", *wrong, "--against", tmp_path / "sums.json")
        assert (code, out) == (2, "")
        assert "holds sums only" in err


def test_shares_are_saved_and_merged(run: Run, tmp_path):
    """Those of two halves are those of all documents, also of some metrics, and under a mean over documents."""
    sides = [scoref.read(path) for path in TALES[:2]]
    for number, part in enumerate((slice(0, 1), slice(1, None))):
        for side, name in zip(sides, ("key", "response"), strict=True):
            scoref.write(side[part], tmp_path / f"{name}{number}.jsonl")
        files = [tmp_path / f"{name}{number}.jsonl" for name in ("key", "response")]
        assert run("score", *files, "--factors", "--save", tmp_path / f"{number}.json")[0] == 0
    saved = [tmp_path / f"{number}.json" for number in (0, 1)]
    merged = json.loads(run("merge", *saved, "--factors", "--json", "-o", tmp_path / "both.json")[1])["detection"]
    expected = scoref.shares(*TALES[:2]).to_dict()
    assert {name: [*each.values()] for name, each in merged.items()} == {
        name: pytest.approx([*each.values()]) for name, each in expected.items()
    }
    some = json.loads(run("merge", tmp_path / "both.json", "--factors", "--metrics", "b3", "--json")[1])["detection"]
    assert some == {"b3": pytest.approx(expected["b3"])}
    mean = run("merge", *saved, "--factors", "--metrics", "conll", "--average", "macro", "--json")[1]
    assert json.loads(mean)["detection"]["conll"] == pytest.approx(
        scoref.shares(*TALES[:2], metrics=["conll"], average="macro").to_dict()["conll"]
    )
    assert scoref.shares(scoref.load(tmp_path / "both.json")).left_out == ()
    assert run("score", *TALES[:2], "--save", tmp_path / "plain.json")[0] == 0
    code, out, err = run("merge", tmp_path / "plain.json", "--factors")
    assert (code, out) == (2, "")
    assert "holds sums only" in err


def test_csv_is_one_table(run: Run):
    """What is asked for beside it is not dropped in silence."""
    for asked in (("--curve", "window=40", "--factors"), ("--curve", "distance", "--by", "document")):
        code, out, err = run("score", *TALES[:2], *asked, "--output", "csv")
        assert (code, out) == (2, "")
        assert "[one-table]" in err
        assert run("score", *TALES[:2], *asked, "--json")[0] == 0
    code, out, err = run("compare", *TALES, "--slices", "--by", "genre", "--output", "csv")
    assert (code, out) == (2, "")
    assert "a breakdown by genre, slices" in err
