"""EDL: lines of mentions with the ids of their entities, and the numbers of neleval."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import formats
from scoref.document.document import Document, Mention, Origin, unit_of
from scoref.formats.fitting import fitted
from scoref.problems import Error, Problems

KEY = """d1 0 2 E1 1.0 PER
d1 10 12 E1 1.0 PER
d1 20 25 NIL1 1.0 ORG
d2 0 4 E2 1.0 GPE
d2 7 9 NIL1 1.0 ORG
d2 30 33 E1 1.0 PER
d3 1 3 E2 1.0 GPE
""".replace(" ", "\t")
RESPONSE = """d1 0 2 E1 1.0 PER
d1 10 12 E7 1.0 PER
d1 20 25 NIL5 0.5 ORG
d2 0 4 E2 1.0 GPE
d2 7 9 NIL5 1.0 ORG
d2 30 33 E7 1.0 PER
d3 1 4 E2 1.0 GPE
d3 8 9 E2 1.0 GPE
""".replace(" ", "\t")

# neleval 3.1.1: `neleval evaluate -m b_cubed -m entity_ceaf -m mention_ceaf -m muc -m pairwise -m strong_mention_match
# -g key.edl response.edl` prints precision, recall, fscore with three digits.
PRINTED = {
    "b3": (0.667, 0.595, 0.629),
    "ceafe": (0.550, 0.733, 0.629),
    "ceafm": (0.625, 0.714, 0.667),
    "muc": (0.500, 0.500, 0.500),
    "pairwise": (0.400, 0.400, 0.400),
    "mentions": (0.750, 0.857, 0.800),
}


# The same of these two, `-m all`: recall, precision.
TYPED_KEY = """d1 0 2 E1 1.0 PER
d1 10 12 E1 1.0 PER
d1 20 25 NIL1 1.0 ORG
d1 30 31 E3 1.0 GPE
d2 0 4 E2 1.0 GPE
d2 7 9 NIL1 1.0 ORG
d2 30 33 E1 1.0 PER
d2 40 44 NIL2 1.0 PER
d3 1 3 E2 1.0 GPE
d3 5 6 NIL2 1.0 PER
""".replace(" ", "\t")
TYPED_RESPONSE = """d1 0 2 E1 1.0 ORG
d1 10 12 E1 1.0 PER
d1 20 25 NIL7 0.5 ORG
d1 30 31 E2 1.0 GPE
d2 0 4 E2 1.0 LOC
d2 7 9 E9 1.0 ORG
d2 30 33 E1 1.0 PER
d2 40 44 NIL8 1.0 PER
d3 1 4 E2 1.0 GPE
d3 5 6 NIL8 1.0 ORG
d3 8 9 E2 1.0 GPE
""".replace(" ", "\t")
MEASURES = {
    "b_cubed_plus": (6.0, 10, 6.25, 11),
    "mention_ceaf_plus": (7, 10, 7, 11),
    "typed_mention_ceaf": (5, 10, 5, 11),
    "typed_mention_ceaf_plus": (4, 10, 4, 11),
    "strong_mention_match": (9, 10, 9, 11),
    "strong_typed_mention_match": (6, 10, 6, 11),
    "strong_link_match": (4, 6, 4, 8),
    "strong_nil_match": (3, 4, 3, 3),
    "strong_all_match": (7, 10, 7, 11),
    "strong_typed_link_match": (2, 6, 2, 8),
    "strong_typed_nil_match": (2, 4, 2, 3),
    "strong_typed_all_match": (4, 10, 4, 11),
}  # rtp, rtp + fn, ptp, ptp + fp


def read(text: str, skip: bool = False, **options: str) -> list[Document]:
    source = formats.Source(text.encode(), "file", **options)
    return formats.read_source(source, None, Problems("skip" if skip else "raise"))[1]


def test_numbers_of_neleval(tmp_path: Path) -> None:
    paths = []
    for name, text in (("key.edl", KEY), ("response.edl", RESPONSE)):
        paths.append(tmp_path / name)
        paths[-1].write_text(text)
    result = scoref.score(*paths, metrics=[*PRINTED])
    assert result.protocol.name == "neleval"
    ours = {name: (each.precision, each.recall, each.f1) for name, each in result.scores.items()}
    assert {name: tuple(round(part, 3) for part in each) for name, each in ours.items()} == PRINTED


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_of_neleval_are_presets(tmp_path: Path, measure: str) -> None:
    paths = [tmp_path / "key.edl", tmp_path / "response.edl"]
    for path, text in zip(paths, (TYPED_KEY, TYPED_RESPONSE), strict=True):
        path.write_text(text)
    result = scoref.score(*paths, protocol=measure)
    (metric,) = result.protocol.metrics
    assert result.counts[metric].sum(axis=0).tolist() == pytest.approx(MEASURES[measure])


def test_the_linked_mentions_of_neleval_are_a_choice(tmp_path: Path) -> None:
    paths = [tmp_path / "key.edl", tmp_path / "response.edl"]
    for path, text in zip(paths, (TYPED_KEY, TYPED_RESPONSE), strict=True):
        path.write_text(text)
    result = scoref.score(*paths, protocol="strong_mention_match", types="linked")
    assert result.counts["mentions"].sum(axis=0).tolist() == [5, 6, 5, 8]  # strong_linked_mention_match


def test_only_linked_mentions_or_only_others_need_the_attribute() -> None:
    with pytest.raises(Error, match="linked cannot be told in a key without kbids"):
        scoref.score([["a", "b"]], [["a", "b"]], types="linked")


def test_lines_of_documents_need_not_stand_together() -> None:
    one, two = read("a\t3\t4\tE1\nb\t0\t0\tNIL\na\t0\t1\tNIL\t0.5\tPER\n")
    assert [each.id for each in (one, two)] == ["a", "b"]
    assert [each.entity for each in one.mentions] == ["E1", "NIL:a:3"]
    assert [dict(each.attributes) for each in one.mentions] == [
        {"kbid": "E1"},
        {"type": "PER", "confidence": "0.5", "kbid": "NIL"},
    ]
    assert [one.line_of(each) for each in one.mentions] == [1, 3]


def test_ends_may_be_excluded() -> None:
    assert read("a\t3\t4\tE1\n", ends="exclusive")[0].mentions == read("a\t3\t3\tE1\n")[0].mentions


def test_further_candidates_are_counted() -> None:
    problems = Problems()
    source = formats.Source(b"a\t3\t4\tE1\t0.4\tPER\tE2\t0.5\tORG\tE3\t0.5\tPER\n", "file")
    (document,) = formats.read_source(source, "edl", problems)[1]
    # neleval 3.1.1: Annotation.from_string(...).candidates is [<'E2'>, <'E3'>, <'E1'>]
    assert ([each.code for each in problems.found], document.mentions[0].entity) == (["other-candidates"], "E2")


def test_a_type_may_be_an_object_of_json() -> None:
    (document,) = read('a\t3\t4\tE1\t0.5\t{"type": "PER", "reftype": "NOM"}\n')
    assert dict(document.mentions[0].attributes) == {
        "type": "PER", "reftype": "NOM", "confidence": "0.5", "kbid": "E1"
    }  # fmt: skip
    (again,) = read(formats.dumps([document], "edl"))
    assert again.mentions[0].attributes == document.mentions[0].attributes


@pytest.mark.parametrize(
    ("line", "code"),
    [("d2\t7", "bad-line"), ("\t7\t9\tE1", "bad-line"), ("d2\t7\tx\tE1", "bad-line"), ("d2\t7\t9\t", "bad-line"),
     ("d2\t7\t9\tE1\t1\tPER\tE2\tx\tPER", "bad-candidates"), ('d2\t7\t9\tE1\t1\t{"type', "bad-candidates"),
     ("d2\t7\t9\tE1\t1\tPER\t\t2\tPER", "bad-candidates"),
     ("d2\t7\t9\tE1\t1\t" + '{"a":' * 5000, "bad-candidates"),
     ("d2\t7\t6\tE1", "bad-mention"), ("d2\t7\t999999\tE1", "bad-mention")],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_located(line: str, code: str) -> None:
    with pytest.raises(Error) as error:
        read(KEY + line + "\n")
    assert (error.value.code, error.value.line) == (code, 8)
    assert len(read(KEY + line + "\n", skip=True)) == 3


@pytest.mark.parametrize("to", ["edl", "table"])
def test_a_document_without_mentions_is_not_lost_without_a_word(to: str) -> None:
    documents = [scoref.Document("silent", ("It", "rained"))]
    assert any("documents without mentions: 1 left out" in note for note in fitted(documents, to)[1])
    assert not any("without mentions" in note for note in fitted(documents, "jsonl")[1])


def test_realis_is_kept_and_does_not_say_what_positions_count() -> None:
    """Numbers of EDL may count anything: a format that counts characters says so itself."""
    realis = (("type", "Life.Die"), ("realis", "Actual"))
    nuggets = Document("d", mentions=[Mention.at(0, 3, "E1", attributes=realis)], origin=Origin(unit="characters"))
    (read,) = formats.read_source(formats.Source(formats.dumps([nuggets], "edl").encode(), "x.edl"), "edl", Problems())[
        1
    ]
    assert dict(read.mentions[0].attributes)["realis"] == "Actual"
    assert (unit_of(nuggets), unit_of(read)) == ("characters", "numbers")
