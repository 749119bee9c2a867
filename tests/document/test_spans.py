"""Spans, mentions as arrays, words in one piece: their values, their order, memory in proportion to the input."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Document, Mention
from scoref.cli import main
from scoref.document.document import owners_of
from scoref.document.mentions import Mentions
from scoref.document.spans import (
    Words,
    numbered,
    pieces,
    position,
    runs,
    span_of,
    stretch,
    text_order,
    word_of,
    words_of,
)

PLACES = st.builds(position, st.integers(-1, 4), st.sampled_from([0, 0, 0, 1, 2, 129]))
ANY = st.one_of(
    st.sets(PLACES, max_size=6).map(sorted),
    st.lists(PLACES, max_size=4),  # also twice, and in any order
    st.builds(stretch, st.integers(0, 4), st.integers(0, 6)),
)


@given(ANY, ANY)
def test_spans_have_the_order_of_their_positions(one: list[int], other: list[int]) -> None:
    ours, theirs = span_of(one), span_of(other)
    assert (text_order(ours) < text_order(theirs)) == (tuple(one) < tuple(other))
    assert (text_order(ours) == text_order(theirs)) == (tuple(one) == tuple(other)) == (ours == theirs)
    assert ours != theirs or hash(ours) == hash(theirs)


@given(ANY)
def test_a_mention_has_one_form_however_it_is_made(places: list[int]) -> None:
    made = Mention(places, "e", minimum=places)
    assert tuple(made.span) == tuple(made.minimum) == tuple(places)
    words = [word_of(place) for place in places]
    plain = places and list(places) == [*stretch(words[0], words[-1])]
    assert isinstance(made.span, range) == bool(plain)
    bare = Mention((), "e")
    for other in (
        Mention(tuple(places), "e", None, tuple(places)),
        bare._replace(span=tuple(places), minimum=list(places)),
        Mention._make((iter(places), "e", None, [*places], (), None, ())),
        pickle.loads(pickle.dumps(made)),
        made.of("f").of("e"),
    ):
        assert other == made
        assert type(other.span) is type(made.span)


@given(ANY)
def test_pieces_are_runs_of_words(places: list[int]) -> None:
    assert pieces(span_of(places)) == runs([word_of(place) for place in places if not place & 255])


def nested(size: int) -> str:
    """Mentions inside each other, as deep as there are words."""
    cells = [f"({word}" for word in range(size // 2)] + [f"{word})" for word in reversed(range(size // 2))]
    rows = [f"d 0 {number} w - - - - - - - - {cell}" for number, cell in enumerate(cells)]
    return "\n".join(["#begin document (d); part 000", *rows, "#end document", ""])


def long(size: int) -> str:
    """Mentions of nearly as many words as there may be in a file without words."""
    return json.dumps({"doc_key": "d", "clusters": [[[first, first + 99_990] for first in range(size)]]}) + "\n"


def tags(size: int) -> str:
    """Mentions inside each other, as MUC has them."""
    openers = "".join(f'<COREF ID="{number}">w ' for number in range(size))
    return f"<DOC><DOCNO>d</DOCNO><TXT>{openers}{'w ' * 9 * size}{'</COREF>' * size}</TXT></DOC>\n"


def offsets(size: int) -> str:
    """Mentions of nearly all characters of a text."""
    record = {"doc_key": "d", "text": "w " * 10 * size, "clusters": [[[first, 20 * size] for first in range(size)]]}
    return json.dumps(record) + "\n"


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (nested(12_000), "key.conll"),
        (long(900), "key.jsonl"),
        (tags(3000), "key.sgm"),
        (offsets(5000), "key.jsonl"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        lambda key: ["score", key, key],
        lambda key: ["validate", key],
        lambda key: ["convert", key, f"{key}.json", "--to", "clusters"],
        lambda key: ["convert", key, f"{key}.jsonl"],
    ],
)
def test_long_and_nested_mentions_take_memory_in_proportion_to_the_file(
    made: str, name: str, command: Callable[[str], list[str]], tmp_path: Path
) -> None:
    key = tmp_path / name
    key.write_text(made)
    tracemalloc.start()
    try:
        assert main(command(str(key))) == 0
        assert tracemalloc.get_traced_memory()[1] < 200 * len(made) + 20_000_000  # positions one by one take gigabytes
    finally:
        tracemalloc.stop()


def test_long_mentions_come_back_from_json(tmp_path: Path) -> None:
    document = scoref.Document(
        "d", ["w"] * 100, (Mention.at(3, 90, "e", head=position(4)), Mention.at(5, 6, "e", minimum=stretch(5, 70)))
    )
    scoref.write([document], tmp_path / "d.jsonl")
    (again,) = scoref.read(tmp_path / "d.jsonl")
    assert again.mentions == document.mentions


ENDS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=8)


def as_arrays(ends: list[tuple[int, int]], random: Random, headed: bool) -> Mentions:
    """Mentions of few entities by their first words and further words, with heads and attributes or without."""
    spans = [(first, first + more) for first, more in ends]
    plain = Mentions.of(spans, [random.choice("abc") for _ in spans])
    if not headed:
        return plain
    heads = array("q", [position(random.randint(*span)) for span in spans])
    attributes = [random.choice([(), (("etype", "person"),)]) for _ in spans]
    return Mentions(plain.ends, plain.owners, plain.names, heads, attributes)


FACTS = "ends", "names", "owners", "spans", "entities", "ids", "minimums", "attributes", "heads", "zeros", "opaque"


@given(ENDS, st.randoms(use_true_random=False), st.booleans())
def test_mentions_as_arrays_are_the_mentions(ends: list[tuple[int, int]], random: Random, headed: bool) -> None:
    plain = as_arrays(ends, random, headed)
    values = tuple(
        Mention.at(first, first + more, plain.names[plain.owners[number]],
                   head=plain.heads[number], attributes=plain.attributes[number])
        for number, (first, more) in enumerate(ends)
    )  # fmt: skip
    assert plain == values
    assert values == plain == pickle.loads(pickle.dumps(plain))
    assert (tuple(plain), hash(plain), repr(plain), plain[1:]) == (values, hash(values), repr(values), values[1:])
    one, other = Document("d", mentions=plain), Document("d", mentions=values)
    assert one == other
    for fact in FACTS:
        assert [*getattr(one.mentions, fact)] == [*getattr(other.mentions, fact)]
    assert [*map(plain.span, range(len(plain)))] == [*map(other.mentions.span, range(len(plain)))]
    assert one.entities() == other.entities()
    indices = [random.randrange(len(ends)) for _ in ends]
    assert one.of_mentions(indices) == other.of_mentions(indices)
    assert [*one.of_mentions(indices).names] == [*other.of_mentions(indices).names]
    assert owners_of([one, other]).tolist() == 2 * [*other.mentions.owners]
    for by in ("span", "head", "minimum", "line"):
        assert one.identities(by) == other.identities(by)
        assert one.copies(by) == other.copies(by)
        assert one.repeats(by) == (len({*other.identities(by)}) < len(ends))


def test_mentions_given_as_any_sequence_have_the_facts() -> None:
    values = (Mention.at(0, 1, "a"), Mention((256, 768), "b", minimum=(256,)), Mention((), "a", "m3"),
              Mention((257,), "c", head=257))  # fmt: skip
    for mentions in (values, [*values]):
        document = Document("d", mentions=mentions)
        assert document.mentions == values
        assert hash(document.mentions) == hash(values)
        assert repr(document.mentions) == repr(values)
        assert pickle.loads(pickle.dumps(document)) == document
    found = document.mentions
    assert (found.names, [*found.owners], found.entities) == (("a", "b", "c"), [0, 1, 0, 2], ["a", "b", "a", "c"])
    assert (found.opaque, found.zeros, found.ends, found.heads[-1]) == ([2], [3], None, 257)
    assert (found.ids, found.minimums[:2]) == ([None, None, "m3", None], [(), stretch(1, 1)])
    assert document.identities() == [values[0].span, (256, 768), "m3", (257,)]
    assert document.identities("minimum")[1] == stretch(1, 1)
    assert found.take([2, 0]) == (values[2], values[0])
    assert found.take([2, 0]).names == ("a",)


def test_mentions_too_far_for_arrays() -> None:
    (far,) = Document("d", mentions=[Mention.at(1 << 33, 1 << 33, "a")]).mentions
    both = Document("d", mentions=[far, far.of("b")])
    assert both.mentions.ends is None
    assert both.copies() == [[0, 1]]


def test_copies_are_in_the_order_in_which_entities_appear() -> None:
    """The entity with the first word, the shorter mention, the earlier next mention; those without places last."""
    mentions = [
        Mention.at(4, 4, "late"), Mention.at(2, 4, "long"), Mention.at(2, 2, "short"), Mention.at(4, 4, "short"),
        Mention.at(4, 4, "long"), Mention.at(6, 6, "late"), Mention((), "named", "m"), Mention((), "late", "m"),
    ]  # fmt: skip
    assert Document("d", mentions=mentions).copies() == [[3, 4, 0], [7, 6]]
    assert Document("d", mentions=mentions[::-1]).copies() == [[0, 1], [4, 3, 7]]
    assert Document("d", mentions=mentions).copies("line") == []


CHOICES = [
    {},
    {"singletons": "drop"},
    {"protocol": "crac-2026", "metrics": ["conll", "mor", "zeros"]},
    {"protocol": "crac-2026", "singletons": "keep"},
    {"protocol": "crac-2026", "match": "partial", "zeros": "linear"},
    {"protocol": "crac-2026", "match": "head-1.1"},
    {"protocol": "codi-crac-2022"},
]


@given(ENDS, ENDS, st.randoms(use_true_random=False), st.sampled_from(CHOICES), st.booleans())
def test_mentions_as_arrays_score_as_values(
    ours: list[tuple[int, int]],
    theirs: list[tuple[int, int]],
    random: Random,
    choices: dict[str, Any],
    headed: bool,
) -> None:
    sides = [as_arrays(ends, random, headed) for ends in (ours, theirs)]
    plain = [Document("d", mentions=side) for side in sides]
    values = [Document("d", mentions=tuple(side)) for side in sides]
    scores = [scoref.score(*pair, **choices).to_dict()["scores"]
              for pair in (plain, values, (plain[0], values[1]), (values[0], plain[1]))]  # fmt: skip
    assert scores[0] == scores[1] == scores[2] == scores[3]


@given(st.lists(st.text(max_size=3), max_size=5))
def test_words_in_one_piece_are_the_words(words: list[str]) -> None:
    made = words_of(words)
    assert made == tuple(words)
    assert tuple(words) == made == words_of(list(words))
    assert (len(made), [*made], made[1:]) == (len(words), words, tuple(words[1:]))
    assert (hash(made), repr(made), bool(made)) == (hash(tuple(words)), repr(tuple(words)), bool(words))
    assert pickle.loads(pickle.dumps(made)) == made
    assert made != (*words, "x")


@given(
    st.lists(
        st.lists(st.text(st.sampled_from("aß\0\U00010000 N\r\ud800"), max_size=10), min_size=1, max_size=5), max_size=4
    )
)
def test_numbered_cells_are_the_cells(columns):
    names, of = numbered([Words("\n".join(each).encode(errors="surrogatepass"), len(each)) for each in columns])
    assert [names[number] for number in of.tolist()] == [cell for column in columns for cell in column]
    assert len({*names}) == len(names)
