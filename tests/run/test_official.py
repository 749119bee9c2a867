"""Presets with an official name give the official number, defects included.

Expected values are what the Universal Anaphora scorer 1.0 and the CorefUD scorer 1.2 print for the same annotation, or
what their rules give by hand.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import scoref
from scoref.document.document import Document, Mention, position, stretch
from scoref.matching.match import align
from scoref.protocol.choices import CHOICES
from scoref.protocol.defects import DEFECTS
from scoref.protocol.protocol import PROTOCOLS

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"

Scores = dict[str, tuple[float, float]]


def ua(*cells: str) -> str:
    """One token for each cell; `a/m1<x,y` is a mention m1 of the entity a, which is an element of x and y."""
    lines = [f"# global.columns = {COLUMNS}", "# newdoc id = d"]
    for number, cell in enumerate(cells, 1):
        found = ""
        for mention in cell.split():
            name, _, of = mention.partition("<")
            entity, id = name.split("/")
            found += f"(EntityID={entity}|MarkableID={id}|Min={number}{'|ElementOf=' * bool(of)}{of})"
        lines.append("\t".join([str(number), "w", *["_"] * 8, found or "_", *["_"] * 4]))
    return "\n".join([*lines, ""])


def scored(folder: Path, key: str, response: str, **choices: object) -> scoref.Evaluation:
    for name, text in (("key", key), ("response", response)):
        (folder / name).write_text(text, encoding="utf-8")
    chosen = {"protocol": "codi-crac-2022", **choices}
    return scoref.score(folder / "key", folder / "response", format="ua", **chosen)  # type: ignore[arg-type]


def assert_scores(result: scoref.Evaluation, expected: Scores) -> None:
    found = {metric: result[metric][:2] for metric in expected}
    assert found == {metric: pytest.approx(score, abs=1e-12) for metric, score in expected.items()}


# -- Universal Anaphora -----------------------------------------------------------------------------------------------


def test_a_mention_twice_in_an_entity_counts_twice_where_sets_are_ignored(tmp_path: Path) -> None:
    sides = ua("1/a 1/b", "", "1/c"), ua("1/a", "", "1/c")
    metrics = ["muc", "b3", "ceafe", "ceafm", "lea", "blanc"]
    official = scored(tmp_path, *sides, split="ignore", metrics=metrics)
    ones: Scores = dict.fromkeys(["muc", "b3", "lea"], (1.0, 1.0))
    assert_scores(official, {**ones, "ceafe": (1.2, 1.2), "ceafm": (1.0, 1.5), "blanc": (1.0, 3.0)})
    assert official["blanc"].f1 == 1.5
    corrected = scored(tmp_path, *sides, split="ignore", metrics=metrics, duplicates="keep")
    assert_scores(corrected, dict.fromkeys(metrics, (1.0, 1.0)))


def test_a_mention_twice_in_a_member_of_a_set_counts_twice_there(tmp_path: Path) -> None:
    sides = ua("1/a<2 1/b", "2/c"), ua("1/a<2", "2/c")
    official = scored(tmp_path, *sides, metrics=["muc", "b3", "ceafe", "ceafm", "lea"])
    assert_scores(official, {"muc": (1, 0), "b3": (1, 1), "ceafe": (13 / 12,) * 2, "ceafm": (10 / 9,) * 2})
    assert_scores(official, {"lea": (1, 1 / 3)})
    corrected = scored(tmp_path, *sides, metrics=["muc", "b3", "ceafe", "ceafm", "lea"], duplicates="keep")
    assert_scores(corrected, dict.fromkeys(["muc", "b3", "ceafe", "ceafm", "lea"], (1.0, 1.0)))


def test_scores_above_1_have_a_note(tmp_path: Path) -> None:
    sides = ua("1/a 1/b", "", "1/c"), ua("1/a", "", "1/c")
    notes = scored(tmp_path, *sides, split="ignore", metrics=["muc", "ceafe", "blanc"]).notes()
    (note,) = [line for line in notes if line.startswith("out of range")]
    assert "ceafe, blanc above 100" in note
    assert "duplicates:ua-1.0" in note
    result = scored(tmp_path, *sides, split="ignore", metrics=["muc", "ceafe", "blanc"], duplicates="first")
    assert not [line for line in result.notes() if line.startswith("out of range")]


def headed(places: list[tuple[int, int, int]]) -> tuple[Mention, ...]:
    """Mentions of an entity from a word to another; the first word is the head."""
    return tuple(Mention.at(first, last, entity, head=position(first)) for entity, first, last in places)


@pytest.mark.parametrize(("preset", "own"), [("crac-2022", "partial"), ("crac-2023", "head")])
def test_mentions_that_are_matched_with_one_count_more_than_once(preset: str, own: str) -> None:
    """The CorefUD scorer 1.1 prints these numbers: the response mention of two words is left out as a singleton."""
    key = Document("d", ("the", "himself"), headed([(0, 0, 1), (0, 0, 0), (0, 1, 1)]))
    response = Document("d", ("the", "himself"), headed([(1, 0, 1), (0, 0, 0), (0, 1, 1)]))
    metrics = ["lea", "muc", "b3", "ceafe", "ceafm", "blanc", "conll"]
    official = scoref.score([key], [response], protocol=preset, metrics=metrics)
    ones: Scores = dict.fromkeys(["lea", "muc", "b3"], (1.0, 1.0))
    assert_scores(official, {**ones, "ceafe": (1.2, 1.2), "ceafm": (1.0, 1.5), "blanc": (1.0, 3.0)})
    assert f"{official['conll'].f1:.4f}" == "1.0667"
    (note,) = [line for line in official.notes() if line.startswith("out of range")]
    assert "as several mentions are matched with one" in note
    assert note.endswith(f"not so with --match {own}")


@pytest.mark.parametrize("duplicates", ["keep", "first", "ua-1.0", "reference"])
@pytest.mark.parametrize("preset", ["crac-2022", "crac-2023", "conll-2012"])
def test_what_notes_on_scores_above_1_offer_keeps_scores_in_range(preset: str, duplicates: str) -> None:
    random = Random(f"{preset} {duplicates}")
    metrics = ["ceafe", "ceafm", "blanc"]
    noted = 0
    both: list[list[Document]] = [[], []]
    for number in range(400):
        for into in both:
            firsts = [(random.randrange(3), random.randrange(3)) for _ in range(random.randint(2, 6))]
            places = [(entity, first, min(first + random.choice([0, 0, 1]), 2)) for entity, first in firsts]
            into.append(Document(f"d{number}", ("a", "b", "c"), headed(places)))
    above = scoref.score(*both, protocol=preset, duplicates=duplicates, metrics=metrics).by_document()
    for pair in zip(*both, strict=True):
        if not any(value > 1 for score in above[pair[0].id].values() for value in score):
            continue
        sides = [[each] for each in pair]
        official = scoref.score(*sides, protocol=preset, duplicates=duplicates, metrics=metrics)
        for note in [line for line in official.notes() if line.startswith("out of range")]:
            noted += 1
            words = note.partition("not so with ")[2].replace("--", "").split()
            offered = {"duplicates": duplicates} | dict(zip(words[::2], words[1::2], strict=True))
            own = scoref.score(*sides, protocol=preset, metrics=metrics, **offered)  # type: ignore[arg-type]
            assert max(max(own[metric]) for metric in metrics) <= 1 + 1e-9
    assert noted or duplicates != "reference"  # others lift scores rarely, or never


def test_ties_between_sets_are_decided_as_scipy_does_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Two key sets have one member of the response set each: the first of the file is its partner."""
    key = ua("", "", "P/1", "Z/2", "D/3<P", "Z/4", "A/5<Q", "X/6<Q,P", "Q/7")
    response = ua("x/1", "z/2", "Y/3<T", "a/4", "", "x/5", "x/6", "Y/7", "T/8")
    expected = {
        "muc": (0.0, 0.0),
        "b3": (0.4583333333333333, 0.35532407407407407),
        "ceafe": (0.38888888888888884, 0.4666666666666666),
        "ceafm": (0.4444444444444444, 0.4444444444444444),
    }
    assert_scores(scored(tmp_path, key, response, metrics=[*expected]), expected)
    shared = scored(tmp_path, key, response, metrics=["ceafm"], credit="directional", duplicates="first")
    assert shared["ceafm"].recall > 4 / 9


def test_names_of_markables_do_not_decide(tmp_path: Path) -> None:
    """A span in two entities is looked up in the last of the file, also where there are sets."""
    expected = {"muc": (0.25, 0.0), "b3": (0.59765625, 0.7142857142857143), "ceafm": (17 / 24, 17 / 21)}
    for name in ("x1", "a1"):
        key = ua(f"A/{name} B/m2<S", "A/m3", "C/m4<S", "S/m5", "B/m6", "C/m7")
        response = ua(f"A/{name}", "A/m3", "C/m4<S", "S/m5", "B/m6<S", "A/m7")
        assert_scores(scored(tmp_path, key, response, metrics=[*expected]), expected)


def test_blanc_of_a_file_against_itself_is_1(tmp_path: Path) -> None:
    """The members have one mention each: no links between them, but the response has the identical set."""
    text = ua("a/1<s", "b/2<s", "s/3")
    result = scored(tmp_path, text, text, metrics=["blanc", "pairwise", "nonlinks", "lea"])
    assert_scores(result, dict.fromkeys(result.protocol.metrics, (1.0, 1.0)))
    (note,) = [line for line in result.notes() if "may differ" in line]
    assert note.startswith("blanc, pairwise, nonlinks, lea: ")


# -- CorefUD ----------------------------------------------------------------------------------------------------------


def document(*entities: list[Mention]) -> Document:
    """The entities in the order of a file."""
    mentions = [mention._replace(entity=f"e{name}") for name, each in enumerate(entities) for mention in each]
    mentions.sort(key=lambda each: (each.span[0], -len(each.span), each.span[-1], each.entity))
    return Document("d", tuple(f"w{word}" for word in range(10)), tuple(mentions), (0,))


def word(place: int) -> Mention:
    return Mention(stretch(place, place), "", head=position(place))


def zero(place: int, number: int, *parents: tuple[int, str]) -> Mention:
    node = position(place, number)
    return Mention((node,), "", head=node, parents=tuple((position(parent), name) for parent, name in parents))


def renumbered(*numbers: int) -> Document:
    """Three zeros that depend on one word, each with its antecedent."""
    relations = ("nsubj", "obj", "iobj")
    each = zip(range(3), numbers, relations, strict=True)
    return document(*([word(place), zero(4, number, (4, relation))] for place, number, relation in each))


ROTATED: Scores = {
    "muc": (0, 1), "b3": (0.5, 1), "ceafe": (0.5, 0.5), "ceafm": (0.5, 0.5), "blanc": (0.375, 0.375), "lea": (0, 1),
    "zeros": (0, 0),
}  # fmt: skip


@pytest.mark.parametrize("preset", ["crac-2024", "crac-2025", "crac-2026"])
def test_one_dictionary_for_both_directions(preset: str) -> None:
    """The response is perfect, but its zeros have other numbers; two that are exchanged confuse `zeros` alone."""
    key = renumbered(1, 2, 3)
    assert_scores(scoref.score(key, renumbered(2, 3, 1), protocol=preset, metrics=[*ROTATED]), ROTATED)
    exchanged = scoref.score(key, renumbered(2, 1, 3), protocol=preset, metrics=[*ROTATED])
    assert_scores(exchanged, {**dict.fromkeys(ROTATED, (1.0, 1.0)), "zeros": (1 / 3, 1 / 3)})
    for response in (renumbered(2, 3, 1), renumbered(2, 1, 3)):
        corrected = scoref.score(key, response, protocol=preset, metrics=[*ROTATED], zeros="dependent-corrected")
        assert_scores(corrected, dict.fromkeys(ROTATED, (1.0, 1.0)))


def test_the_zero_at_the_same_place_comes_first() -> None:
    subject, object = zero(4, 1, (4, "nsubj")), zero(4, 2, (4, "obj"))
    key = document([word(0), subject], [word(1), object])
    response = document([word(0), word(2)], [word(1), zero(4, 1, (4, "obj"))])
    for rule, expected in (("dependent", (0.5, 0.5)), ("dependent-corrected", (0.5, 1.0))):
        found = scoref.score(key, response, protocol="crac-2024", metrics=["muc", "zeros"], zeros=rule)
        assert_scores(found, {"muc": (0.5, 0.5), "zeros": expected})


@pytest.mark.parametrize("rule", ["linear", "dependent", "dependent-corrected"])
def test_a_copy_of_a_zero_that_has_its_twin_is_not_extra(rule: str) -> None:
    """One zero is right, two more are extra; the right one stands in both response entities."""
    right = zero(4, 1, (4, "nsubj"))
    key = document([word(0), word(2)], [word(1), right])
    extra = [zero(place, 1, (place, "nsubj")) for place in (5, 6)]
    response = document([word(0), word(2), right, extra[0]], [word(1), right, extra[1]])
    assert_scores(
        scoref.score(key, response, protocol="crac-2024", metrics=["zeros"], zeros=rule), {"zeros": (1, 1 / 3)}
    )


@pytest.mark.parametrize("preset", ["crac-2022", "crac-2023"])
def test_system_mentions_of_a_file_against_itself_are_perfect_where_twins_are_shared(preset: str) -> None:
    """A mention that has several twins is one mention."""
    outer, inner = Mention(stretch(2, 5), "", head=position(3)), word(3)
    key = document([word(0), outer], [word(1), inner])
    metrics = ["ceafm-sys", "ceafe-sys", "ceafe-rn", "b3-sys"]
    assert_scores(scoref.score(key, key, protocol=preset, metrics=metrics), dict.fromkeys(metrics, (1.0, 1.0)))


def test_defects_have_a_corrected_word() -> None:
    for (choice, word), (corrected, _) in DEFECTS.items():
        assert {word, corrected} <= {*CHOICES[choice].words}
        assert any(getattr(preset, choice) == word for preset in PROTOCOLS.values())


# -- CRAFT 2019 -------------------------------------------------------------------------------------------------------


def pieces(*ends: tuple[int, int]) -> Mention:
    return Mention(tuple(place for first, last in ends for place in stretch(first, last)), "")


@pytest.mark.parametrize(
    ("key", "response", "pairs"),
    [
        ([pieces((0, 3))], [pieces((1, 2))], {(0, 0)}),  # inside
        ([pieces((1, 2))], [pieces((0, 3))], set()),  # not the other way round
        ([pieces((0, 2), (5, 6))], [pieces((5, 6))], set()),  # the first piece counts
        ([pieces((0, 2), (5, 6))], [pieces((1, 1), (8, 9))], {(0, 0)}),  # any piece of the response
        ([pieces((0, 4))], [pieces((0, 1)), pieces((3, 3))], {(0, 0)}),  # the first of the response takes it
        ([pieces((0, 4)), pieces((1, 3))], [pieces((1, 1)), pieces((2, 2))], {(0, 0)}),  # and the second tries no other
        (
            [pieces((0, 4)), pieces((1, 3))],
            [pieces((0, 4)), pieces((2, 2))],
            {(0, 0), (1, 1)},
        ),  # the same words go first
        ([zero(2, 1)], [pieces((2, 2))], set()),
    ],
)
def test_partial_craft(key: list[Mention], response: list[Mention], pairs: set[tuple[int, int]]) -> None:
    sides = [
        Document("d", mentions=tuple(m._replace(entity=n) for n, m in enumerate(each))) for each in (key, response)
    ]
    assert set(zip(*align(sides[0], sides[1], "partial-craft"), strict=True)) == pairs
