"""EDL: lines of mentions with the ids of their entities, and the numbers of neleval."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import formats
from scoref.document.document import Document
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


def test_lines_of_documents_need_not_stand_together() -> None:
    one, two = read("a\t3\t4\tE1\nb\t0\t0\tNIL\na\t0\t1\tNIL\t0.5\tPER\n")
    assert [each.id for each in (one, two)] == ["a", "b"]
    assert [each.entity for each in one.mentions] == ["E1", "NIL:a:3"]
    assert [dict(each.attributes) for each in one.mentions] == [{}, {"type": "PER", "confidence": "0.5"}]
    assert [one.line_of(each) for each in one.mentions] == [1, 3]


def test_ends_may_be_excluded() -> None:
    assert read("a\t3\t4\tE1\n", ends="exclusive")[0].mentions == read("a\t3\t3\tE1\n")[0].mentions


def test_further_candidates_are_counted() -> None:
    problems = Problems()
    source = formats.Source(b"a\t3\t4\tE1\t0.5\tPER\tE2\t0.4\tPER\n", "file")
    (document,) = formats.read_source(source, "edl", problems)[1]
    assert ([each.code for each in problems.found], document.mentions[0].entity) == (["other-candidates"], "E1")


@pytest.mark.parametrize(
    ("line", "code"),
    [("d2\t7", "bad-line"), ("\t7\t9\tE1", "bad-line"), ("d2\t7\tx\tE1", "bad-line"), ("d2\t7\t9\t", "bad-line"),
     ("d2\t7\t6\tE1", "bad-mention"), ("d2\t7\t999999\tE1", "bad-mention")],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_located(line: str, code: str) -> None:
    with pytest.raises(Error) as error:
        read(KEY + line + "\n")
    assert (error.value.code, error.value.line) == (code, 8)
    assert len(read(KEY + line + "\n", skip=True)) == 3
