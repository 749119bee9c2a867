"""Mentions that are the same only if they agree in attributes (`--agree`)."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.cli import main
from scoref.document.document import Document, Mention
from scoref.matching.match import MATCHERS
from scoref.problems import Error
from scoref.protocol.choices import setting

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "pairwise", "hota"]
Side = dict[tuple[int, int, str, str], str]  # first and last word, two attributes, and the entity


def _side(random: Random) -> Side:
    mentions = ((random.randrange(4), random.randrange(2), random.choice("xy"), random.choice("uv")) for _ in range(9))
    return {(first, first + more, *said): f"E{random.randrange(4)}" for first, more, *said in mentions}


sides = st.builds(_side, st.randoms(use_true_random=True))


def document(side: Side) -> Document:
    """The side as a document in which the attributes are attributes."""
    mentions = [
        Mention.at(first, last, entity, head=256 * last, attributes=(("type", type), ("case", case)))
        for (first, last, type, case), entity in side.items()
    ]
    return Document("d", tuple("abcdef"), mentions)


def named(side: Side, fields: list[str]) -> dict[str, list[object]]:
    """The same as clusters of names, in which the attributes that must agree are a part of the name."""
    found: dict[str, list[object]] = {}
    for (first, last, type, case), entity in side.items():
        said = {"type": type, "case": case}
        found.setdefault(entity, []).append((first, last, *(said[field] for field in fields)))
    return found


@given(sides, sides)
@pytest.mark.parametrize("fields", [["type", "case"], ["case", "type"]])
def test_attributes_count_as_a_part_of_the_mention(fields: list[str], key: Side, response: Side) -> None:
    result = scoref.score(document(key), document(response), agree=",".join(fields), metrics=METRICS)
    expected = scoref.score(named(key, fields), named(response, fields), metrics=METRICS)
    assert result.scores == expected.scores
    assert "duplicate-mention" not in {each.code for each in result.problems}  # other attributes: no repeated mentions


matchers = pytest.mark.parametrize("matcher", [each for each in MATCHERS if each not in ("min", "min-coval", "dice")])


@matchers
def test_of_nothing_nothing_is_found(matcher: str) -> None:
    nothing = scoref.score(document({}), document({}), agree="type", match=matcher, duplicates="keep")
    assert nothing["mentions"].f1 == 0


@given(sides, sides)
@matchers
def test_no_matcher_pairs_mentions_that_disagree(matcher: str, key: Side, response: Side) -> None:
    sides = document(key), document(response)
    result = scoref.score(*sides, agree="type", match=matcher, duplicates="keep")
    (ours, theirs, found) = result.evidence.aligned[0]
    pairs = [pair for alignment in found[:4] for pair in zip(*alignment, strict=True)]
    assert [(k, r) for k, r in pairs if ours.mentions[k].attributes[0] != theirs.mentions[r].attributes[0]] == []
    same = scoref.score(sides[0], sides[0], agree="type", match=matcher, duplicates="keep")
    assert same["mentions"].recall == (1.0 if key else 0.0)


def test_where_all_agree_nothing_changes() -> None:
    side: Side = {(place, place, "x", "u"): f"E{place % 3}" for place in range(6)}
    other: Side = {(place, place, "x", "u"): f"E{place % 2}" for place in range(1, 6)}
    plain, agreeing = (
        scoref.score(document(side), document(other), agree=word, metrics=METRICS) for word in ("none", "type,case")
    )
    assert plain.scores == agreeing.scores
    assert 0 < plain["b3"].f1 < 1


def test_two_mentions_of_one_place_are_repeated_only_if_they_agree() -> None:
    both = Document("d", ("a", "b"), [
        Mention.at(0, 0, "E1", attributes=(("type", "x"),)), Mention.at(0, 0, "E2", attributes=(("type", "y"),)),
    ])  # fmt: skip
    assert [each.code for each in scoref.score(both, both, duplicates="first").problems] == ["duplicate-mention"]
    result = scoref.score(both, both, agree="type", duplicates="first")
    assert (result.problems, result.counts["mentions"].tolist()) == ((), [[2, 2, 2, 2]])


@pytest.mark.parametrize(("lacking", "side"), [(0, "key"), (1, "response")])
def test_a_side_without_the_attribute_is_refused(lacking: int, side: str) -> None:
    sides = [document({(0, 0, "x", "u"): "E1"}), document({(0, 0, "x", "u"): "E1"})]
    bare = [each._replace(attributes=(("case", "u"),)) for each in sides[lacking].mentions]
    sides[lacking] = Document("d", sides[0].words, bare)
    with pytest.raises(Error, match=f"no mention of the {side} has") as error:
        scoref.score(*sides, agree="type")
    assert error.value.code == "no-attribute"
    assert "there are case" in str(error.value)
    scorer = scoref.Scorer(agree="type")
    scorer.update(*sides)
    with pytest.raises(Error, match="no-attribute"):
        scorer.compute()


def test_an_empty_side_is_no_mistake() -> None:
    full = document({(0, 0, "x", "u"): "E1"})
    assert scoref.score(full, Document("d", full.words), agree="type")["b3"].f1 == 0


def test_lists_of_attributes_in_settings_and_signatures() -> None:
    assert setting("agree:type,case,match:exact") == {"agree": "type,case", "match": "exact"}
    protocol = scoref.Protocol.parse("conll-2012|agree:type,case")
    assert (protocol.agree, protocol.matching.fields) == ("type,case", ("type", "case"))
    assert scoref.Protocol.parse(protocol.full()) == protocol
    with pytest.raises(Error, match="no agree"):
        protocol.change(agree="type,")


def test_tables_refuse_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("mention,entity,type\nm1,e1,x\n")
    assert main(["score", *[str(tmp_path / "a.csv")] * 2, "--agree", "type"]) == 2
    assert "agree:type cannot be done on tables" in capsys.readouterr().err


def test_explain_says_what_it_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "d\t0\t0\tE1\t1\tPER\nd\t2\t2\tE1\t1\tPER\nd\t4\t4\tE1\t1\tPER\n"
    for name, text in (("key", lines), ("response", lines.replace("2\tE1\t1\tPER", "2\tE1\t1\tORG"))):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("key", "response")]
    assert main(["explain", *files, "--format", "edl", "--json"]) == 0
    effects = json.loads(capsys.readouterr().out)["choices"]
    (change,) = (each["words"]["type"]["muc"] for each in effects if each["choice"] == "agree")
    assert change == pytest.approx(1 / 2 - 1)  # one of two links is left
