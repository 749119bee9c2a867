"""One annotation in any two formats is 100, or what keeps them apart is said: the matrix of all formats."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import scoref
from scoref import formats
from scoref.document.document import Document, Mention
from scoref.document.spans import position, stretch
from scoref.formats.fitting import fitted
from scoref.problems import Error

WORDS = ("Ada", "and", "her", "old", "cat", "saw", "Ben", "at", "home", ".", "He", "fed", "it", "and", "they", "left")
HEADS = ["6", "5", "5", "5", "1", "0", "6", "9", "6", "6", "2", "0", "2", "6", "6", "2"]
SENTENCES = (0, 10)
PLAIN = [Mention.at(0, 0, "1"), Mention.at(6, 6, "2"), Mention.at(10, 10, "2"), Mention.at(12, 12, "3")]
NESTED = [*PLAIN, Mention.at(2, 2, "1"), Mention.at(2, 4, "3")]
GAPS = [*NESTED, Mention((*stretch(0, 1), *stretch(4, 4)), "4"), Mention.at(14, 14, "4")]
ZEROS = [*NESTED, Mention((position(13, 1),), "2", head=position(13, 1), parents=((position(15), "nsubj"),))]


def typed(mentions: list[Mention]) -> list[Mention]:
    """The mentions as event nuggets."""
    attributes = (("type", "Conflict.Attack"), ("realis", "Actual"))
    return [each._replace(id=f"E{number}", attributes=attributes) for number, each in enumerate(mentions, 1)]


def headed(mentions: list[Mention]) -> list[Mention]:
    """The mentions with their first places as heads, which trees do not give."""
    return [each._replace(head=each.span[0]) for each in mentions]


SOURCES = {
    "plain": Document("d", WORDS, PLAIN, SENTENCES),
    "nested": Document("d", WORDS, NESTED, SENTENCES),
    "discontinuous": Document("d", WORDS, GAPS, SENTENCES),
    "zeros": Document("d", WORDS, ZEROS, SENTENCES),
    "sets": Document("d", WORDS, [*NESTED, Mention.at(14, 14, "5")], SENTENCES, sets={"5": ("1", "2")}),
    "types": Document("d", WORDS, typed(NESTED), SENTENCES),
    "heads": Document("d", WORDS, headed(NESTED), SENTENCES),
    "heads and trees": Document("d", WORDS, headed(NESTED), SENTENCES, {"HEAD": HEADS}),
}
WRITTEN = [name for name, format in formats.FORMATS.items() if format.writes]


def written(source: Document, name: str, folder: Path) -> tuple[Path, bool] | None:
    """The file of that format, and whether something was left out of it; None if it cannot be written."""
    try:
        documents, notes = fitted([source], name)
        path = folder / f"{name}{formats.named(name).suffix}"
        formats.save_all(formats.rendered(documents, path, name))
    except Error:
        return None
    return path, bool(notes)


@pytest.mark.parametrize("kind", SOURCES)
def test_one_annotation_in_two_formats_is_100_or_refused(kind: str, tmp_path: Path):
    files = {name: found for name in WRITTEN if (found := written(SOURCES[kind], name, tmp_path))}
    assert len(files) >= 4
    refused: dict[tuple[str, str], str | None] = {}
    scored = 0
    for (name, (key, less)), (other, (response, fewer)) in product(files.items(), repeat=2):
        try:
            result = scoref.score(key, response, metrics=["mentions", "muc", "b3", "ceafe", "conll"])
        except Error as error:
            refused[name, other] = error.problem.remedy
            continue
        scored += 1
        expected = ["mentions"] if less or fewer else ["mentions", "muc", "b3", "ceafe", "conll"]
        scores = {metric: result[metric].f1 for metric in expected}
        assert scores == dict.fromkeys(expected, pytest.approx(1)), f"{name} and {other}: {result}"
    assert scored > len(files)
    assert all(refused.values())
