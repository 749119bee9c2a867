"""Event nuggets: the mappings of the scoring document of 2015, their averages, coreference and sequencing."""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES, SHARED, beside
from scoref import formats
from scoref.cli import main
from scoref.document.document import Document, Mention, position
from scoref.errors.other_layers import nugget_rows
from scoref.matching.nuggets import Overlapping, canonical, greedy, meeting
from scoref.problems import Problems
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.sequencing import sequence
from scoref.results.evaluation import Evaluation

RECORDED = SHARED / "data" / "tbf-ecb"
COMBINATIONS = {"span": (), "type": ("type",), "realis": ("realis",), "type+realis": ("type", "realis")}
COREFERENCE = ("muc", "b3", "ceafm", "ceafe", "blanc")

some = settings(max_examples=50)


def side(*lines: str, name: str = "d") -> Document:
    """A document from lines like `E1 t3,t4 Life_Marry Actual` and `@After E1,E2`; type and realis may be missing."""
    text = [f"#BeginOfDocument {name}"]
    for number, line in enumerate(lines):
        cells = line.split(" ")
        if line[0] == "@":
            text.append(f"{cells[0]}\tR{number}\t{cells[1]}")
        else:
            id, span, type, realis = [*cells, "Type", "Actual"][:2] + [*cells[2:], "Type", "Actual"][:2]
            text.append("\t".join(["run", name, id, span, "word", type, realis]))
    text += ["#EndOfDocument", ""]
    source = formats.Source("\n".join(text).encode(), "file")
    (document,) = formats.read_source(source, "tbf", Problems("skip"))[1]
    return document


def score(key: Document | list[Document], response: Document | list[Document], **choices: object) -> Evaluation:
    return scoref.score(key, response, **{"protocol": "evmeval-1.8", **choices})


def true_positives(key: Document, response: Document, combination: str = "span") -> float:
    return float(score(key, response).counts[f"nugget-{combination}"][0, 0])


# -- the mappings -----------------------------------------------------------------------------------------------------


def literal(key: Document, response: Document, attributes: Sequence[str]) -> list[tuple[int, int, Fraction]]:
    """Algorithms 1 and 2 of the document: the list of all pairs, from which the best is taken until none is left.

    Where the document leaves open which of several best pairs it is, the one of the first system line, then of the
    first gold line. Attributes are the same if their letters and digits are; gold ones may be not annotated.
    """
    left: dict[tuple[int, int], Fraction] = {}
    for s, theirs in enumerate(response.mentions):
        for g, ours in enumerate(key.mentions):
            common = len(set(ours.span) & set(theirs.span))
            left[s, g] = Fraction(2 * common, len(ours.span) + len(theirs.span))
    found: list[tuple[int, int, Fraction]] = []
    while left:
        best = max(left.values())
        s, g = min(pair for pair, dice in left.items() if dice == best)
        dice = left.pop((s, g))
        free = all(s != other_s and g != other_g for other_g, other_s, _ in found)
        if free and dice > 0 and all(_same(key.mentions[g], response.mentions[s], name) for name in attributes):
            found.append((g, s, dice))
    return found


def _same(gold: Mention, system: Mention, name: str) -> bool:
    ours, theirs = (
        "".join(letter for letter in dict(mention.attributes)[name].lower() if letter in "abcdefghijklmnopqrstuvwxyz")
        for mention in (gold, system)
    )
    return ours in (theirs, "notannotated")


def documents(
    mentions: int = 6, words: int = 9, types: Sequence[str] = ("A_b", "a-B", "Cd", "NOT_ANNOTATED")
) -> st.SearchStrategy[Document]:
    """Documents with few words, so that spans overlap and coefficients are often equal."""
    span = st.sets(st.integers(0, words - 1), min_size=1, max_size=4)
    row = st.tuples(span, st.sampled_from(types), st.sampled_from(["Actual", "actual", "Other"]))
    return st.lists(row, max_size=mentions).map(_document)


def _document(rows: list[tuple[set[int], str, str]]) -> Document:
    mentions = [
        Mention(tuple(map(position, sorted(words))), f"E{n}", f"E{n}", (), (("type", type), ("realis", realis)))
        for n, (words, type, realis) in enumerate(rows)
    ]
    return Document("d", mentions=tuple(mentions))


@some
@given(documents(), documents())
def test_the_mappings_are_those_of_algorithms_1_and_2(key: Document, response: Document) -> None:
    for attributes in COMBINATIONS.values():
        assert greedy(key, response, attributes) == [(g, s, float(d)) for g, s, d in literal(key, response, attributes)]


@some
@given(documents(), documents())
def test_no_more_pairs_are_looked_at_than_meet(key: Document, response: Document) -> None:
    ours, theirs = ([mention.span for mention in document.mentions] for document in (key, response))
    expected = [
        (i, j)
        for i, span in enumerate(ours)
        for j, other in enumerate(theirs)
        if span[0] <= other[-1] and other[0] <= span[-1]
    ]
    assert sorted(meeting(ours, theirs)) == expected


@some
@given(documents(), documents())
def test_scores_are_sums_of_the_mappings(key: Document, response: Document) -> None:
    result = score(key, response, empty="count")
    for name, attributes in COMBINATIONS.items():
        right = float(sum(dice for _, _, dice in literal(key, response, attributes)))
        expected = [right, len(key.mentions), right, len(response.mentions)]
        assert result.counts[f"nugget-{name}"][0].tolist() == pytest.approx(expected)


@some
@given(documents(), documents(), st.sampled_from([*COMBINATIONS.values()]))
def test_a_mapping_never_uses_a_mention_twice(key: Document, response: Document, attributes: tuple[str, ...]) -> None:
    found = greedy(key, response, attributes)
    assert len({k for k, _, _ in found}) == len({r for _, r, _ in found}) == len(found)
    assert all(0 < dice <= 1 for _, _, dice in found)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        pytest.param(["E1 t1", "E2 t1"], ["E1 t1"], [(0, 0, 1)], id="the earlier gold line"),
        pytest.param(["E1 t1"], ["E1 t1", "E2 t1"], [(0, 0, 1)], id="the earlier system line"),
        pytest.param(["E1 t1,t2", "E2 t2,t3"], ["E1 t2,t4", "E2 t1,t2"], [(0, 1, 1), (1, 0, 0.5)], id="Dice first"),
        pytest.param(["E1 t3", "E2 t1"], ["E1 t1,t3", "E2 t3,t1"], [(0, 0, 2 / 3), (1, 1, 2 / 3)], id="both"),
    ],
)
def test_ties(key: list[str], response: list[str], expected: list[tuple[int, int, float]]) -> None:
    assert greedy(side(*key), side(*response)) == expected


def test_the_mapping_is_greedy_not_the_best() -> None:
    key, response = side("E1 10,20", "E2 15,25"), side("E1 12,22", "E2 5,15")
    assert greedy(key, response) == [(0, 0, 0.8)]  # 1.2 would be possible


def _untied(key: Document, response: Document) -> bool:
    """No mention has two partners of equal Dice coefficient; what is equal elsewhere makes no difference."""
    pairs = [(k, r, Fraction(2 * len({*a.span} & {*b.span}), len(a.span) + len(b.span)))
             for k, a in enumerate(key.mentions) for r, b in enumerate(response.mentions)]  # fmt: skip
    pairs = [pair for pair in pairs if pair[2]]
    return all((a[0] != b[0] and a[1] != b[1]) or a[2] != b[2] for a, b in itertools.combinations(pairs, 2))


@some
@given(documents(4), documents(4), st.randoms(use_true_random=True))
def test_without_ties_the_order_of_lines_changes_nothing(key: Document, response: Document, random) -> None:
    assume(_untied(key, response))
    others = [
        replace(each, mentions=tuple(random.sample(each.mentions, len(each.mentions)))) for each in (key, response)
    ]
    ours, theirs = score(key, response).counts, score(*others).counts
    for name in COMBINATIONS:
        assert ours[f"nugget-{name}"] == pytest.approx(theirs[f"nugget-{name}"])


@some
@given(documents(4), documents(4))
def test_without_ties_exchanging_sides_exchanges_recall_and_precision(key: Document, response: Document) -> None:
    assume(_untied(key, response))
    ours, theirs = (score(*pair, empty="count")["nugget-span"] for pair in ((key, response), (response, key)))
    assert (ours.recall, ours.precision) == pytest.approx((theirs.precision, theirs.recall))


@some
@given(documents(), documents())
def test_more_attributes_find_no_more_where_mentions_have_one_partner_each(key: Document, response: Document) -> None:
    def partners(mention: Mention, other: Document) -> int:
        return sum(bool({*mention.span} & {*each.span}) for each in other.mentions)

    def alone(ours: Document, theirs: Document) -> Document:
        return Document("d", mentions=tuple([mention for mention in ours.mentions if partners(mention, theirs) < 2]))

    counts = score(alone(key, response), alone(response, key)).counts
    found = {name: counts[f"nugget-{name}"][0, 0] for name in COMBINATIONS}
    assert found["type+realis"] <= min(found["type"], found["realis"])
    assert max(found["type"], found["realis"]) <= found["span"]


def test_more_attributes_may_find_more_as_the_mapping_is_greedy() -> None:
    """A type that keeps the greedy mapping from its first choice: the span score is not an upper bound."""
    key, response = side("E1 10,20 A", "E2 15,25 B"), side("E1 12,22 B", "E2 5,15 A")
    assert true_positives(key, response, "span") == 0.8
    assert true_positives(key, response, "type") == pytest.approx(1.2)


@some
@given(documents(), documents())
def test_no_mapping_finds_more_than_twice_the_spans(key: Document, response: Document) -> None:
    """A greedy mapping has at least half of the best sum, and no mapping has more than that."""
    spans = sum(dice for _, _, dice in greedy(key, response))
    assert all(sum(dice for _, _, dice in greedy(key, response, each)) <= 2 * spans for each in COMBINATIONS.values())


@pytest.mark.parametrize(
    ("gold", "system", "same"),
    [
        ("Movement_Transport-Person", "movement transportPerson", True),
        ("Conflict_Attack", "Conflict_Attack2", False),
        ("Fête", "fte", True),
        ("NOT_ANNOTATED", "Conflict_Attack", True),
        ("not annotated", "", True),
        ("Conflict_Attack", "NOT_ANNOTATED", False),
        ("", "", True),
    ],
)
def test_attributes_are_compared_by_letters_and_digits_and_gold_ones_may_be_open(
    gold: str, system: str, same: bool
) -> None:
    def one(value: str, name: str) -> Document:
        attributes = tuple({"type": "T", "realis": "R", name: value}.items())
        return Document("d", mentions=(Mention((position(1),), "E1", "E1", (), attributes),))

    for name in ("type", "realis"):
        found = score(one(gold, name), one(system, name)).counts
        assert found["nugget-span"][0, 0] == 1
        assert found[f"nugget-{name}"][0, 0] == found["nugget-type+realis"][0, 0] == same
    assert (canonical(gold) in (canonical(system), "notannotated")) == same


# -- characters and tokens --------------------------------------------------------------------------------------------


@some
@given(documents(), documents())
def test_characters_and_tokens_agree_where_all_tokens_are_equally_long(key: Document, response: Document) -> None:
    def by_character(document: Document) -> Document:
        """Word n is in the characters 4n to 4n + 3, with a blank behind it."""
        mentions = [
            m._replace(span=tuple(4 * place + position(letter) for place in m.span for letter in range(3)))
            for m in document.mentions
        ]
        return replace(document, mentions=tuple(mentions))

    ours, theirs = score(key, response).counts, score(by_character(key), by_character(response)).counts
    assert all(ours[name] == pytest.approx(theirs[name]) for name in ours)


def test_characters_and_tokens_agree_on_whole_mentions_in_files(tmp_path: Path) -> None:
    text, tables = "They made their way home and rested", tmp_path / "tables"
    tokens = [(found, text.index(found), text.index(found) + len(found)) for found in text.split()]
    tables.mkdir()
    (tables / "d.tab").write_text("".join(f"{n}\t{w}\t{b}\t{e}\n" for n, (w, b, e) in enumerate(tokens, 1)))

    def write(name: str, mentions: list[list[int]], by_token: bool) -> str:
        rows = []
        for number, mention in enumerate(mentions):
            pieces = [f"t{n}" if by_token else f"{tokens[n - 1][1]},{tokens[n - 1][2]}" for n in mention]
            rows.append("\t".join(["run", "d", f"E{number}", (";,"[by_token]).join(pieces), "", "T", "Actual"]))
        lines = ["#BeginOfDocument d", *rows, "@Coreference\tC\tE0,E1", "#EndOfDocument"]
        (tmp_path / name).write_text("\n".join(lines))
        return str(tmp_path / name)

    sides = [[2, 4], [7], [5]], [[7], [2, 4], [1]]
    results = []
    for by_token, folder in ((True, tables), (True, None), (False, None)):
        files = [write(f"{by_token}{number}", each, by_token) for number, each in enumerate(sides)]
        results.append(scoref.score(*files, protocol="evmeval-1.8", tokens=folder))
    assert results[0].scores == results[1].scores == results[2].scores
    assert results[0]["muc"].f1 == 1


def _texts(tmp_path: Path, key: str, response: str) -> tuple[str, str, Path]:
    """Two files with a mention each, and the token table of "I take The bath when you take A bath"."""
    words = ["I", "take", "The", "bath", "when", "you", "take", "A", "bath", "quickly"]
    rows = [f"{n}\t{word}\t{9 * n}\t{9 * n + len(word)}\n" for n, word in enumerate(words)]
    (tmp_path / "d.tab").write_text("".join(rows))
    for name, span in (("key", key), ("response", response)):
        row = "\t".join(["run", "d", "E1", span, "", "T", "Actual"])
        (tmp_path / name).write_text(f"#BeginOfDocument d\n{row}\n#EndOfDocument\n")
    return str(tmp_path / "key"), str(tmp_path / "response"), tmp_path


@pytest.mark.parametrize(
    ("key", "response", "dice_2015", "dice"),
    [
        ("t1,t2,t3", "t1,t3", 1, 0.8),  # take The bath
        ("t0,t1", "t1", 1, 2 / 3),  # I
        ("t6,t7,t8,t9", "t6,t8", 0.8, 2 / 3),  # take A bath quickly
        ("t4,t5,t6", "t6", 1, 0.5),  # when you take
        ("t5", "t5", 0, 1),  # nothing is left to match
    ],
)
def test_words_of_the_list_of_2015_do_not_count(
    tmp_path: Path, key: str, response: str, dice_2015: float, dice: float
) -> None:
    files = _texts(tmp_path, key, response)
    for protocol, expected in (("kbp-2015", dice_2015), ("evmeval-1.8", dice)):
        counts = scoref.score(*files[:2], protocol=protocol, tokens=files[2]).counts["nugget-span"]
        assert counts[0].tolist() == pytest.approx([expected, 1, expected, 1])
    without = scoref.score(*files[:2], protocol="kbp-2015").counts["nugget-span"]
    assert without[0, 0] == pytest.approx(dice)  # no table, no words


# -- averages ---------------------------------------------------------------------------------------------------------


def corpus() -> tuple[list[Document], list[Document]]:
    """A document half found, one with a spurious mention, one without gold mentions, one without any of the system."""
    key = [side("E1 t1", "E2 t2"), side("E1 t1", name="e"), side(name="f"), side("E1 t5", "E2 t6", name="g")]
    response = [side("E1 t1"), side("E1 t1", "E2 t9", name="e"), side("E1 t1", "E2 t2", name="f"), side(name="g")]
    return key, response


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


@pytest.mark.parametrize(
    ("protocol", "micro", "macro"),
    [
        ("kbp-2015", (2 / 5, 2 / 5), (mean([0.5, 1, 0, 0]), mean([1, 0.5, 0, 0]))),
        ("evmeval-1.8", (2 / 5, 2 / 3), (mean([0.5, 1, 0]), mean([1, 0.5, 0]))),
    ],
)
def test_averages(protocol: str, micro: tuple[float, float], macro: tuple[float, float]) -> None:
    """Section 3.2: sums over documents, or means of recall and precision, and f1 from these.

    Documents without gold mentions count in the document of 2015, and do not in the scorer 1.8.
    """
    found = score(*corpus(), protocol=protocol).nuggets()["span"]
    assert found == {
        "micro": pytest.approx((*micro, f1(*micro))),
        "macro": pytest.approx((*macro, f1(*macro))),
    }


def test_macro_f1_is_not_the_mean_of_the_documents() -> None:
    result = score(*corpus(), protocol="kbp-2015")
    documents = [scores["nugget-span"].f1 for scores in result.by_document().values()]
    assert mean(documents) == pytest.approx(1 / 3)
    assert result.nuggets()["span"]["macro"].f1 == pytest.approx(3 / 8)


@pytest.mark.parametrize("protocol", ["kbp-2015", "evmeval-1.8"])
@pytest.mark.parametrize(
    ("key", "response"),
    [(["E1 t1"], ["E1 t2"]), (["E1 t1"], []), ([], ["E1 t1"]), ([], []), (["E1 1,1"], ["E1 1,1"])],
)
def test_nothing_found_is_0_and_never_nan(protocol: str, key: list[str], response: list[str]) -> None:
    result = score(side(*key), side(*response), protocol=protocol).to_dict()
    averages = [each for of in result["nuggets"].values() for each in of.values()]
    assert all(each == {"recall": 0.0, "precision": 0.0, "f1": 0.0} for each in averages)
    assert not any(math.isnan(number) for each in result["scores"].values() for number in each.values())


def test_json_has_nuggets_coreference_and_sequencing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["E1 t1 A", "E2 t2 A", "E3 t3 B", "@Coreference E1,E2", "@After E1,E3", "@Subevent E3,E1"]
    (tmp_path / "key").write_text(formats.dumps([side(*lines)], "tbf"))
    assert main(["score", *[str(tmp_path / "key")] * 2, "--protocol", "evmeval-1.8", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    perfect = {"recall": 1.0, "precision": 1.0, "f1": 1.0}
    assert result["nuggets"] == {name: {"micro": perfect, "macro": perfect} for name in COMBINATIONS}
    assert result["sequencing"] == {"after": perfect, "subevent": perfect, "after+subevent": perfect}
    assert {name: result["scores"][name] for name in ("muc", "b3", "ceafe", "blanc", "kbp")} == dict.fromkeys(
        ("muc", "b3", "ceafe", "blanc", "kbp"), perfect
    )


def test_scores_by_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = side("E1 t1 Attack", "E2 t2 Attack", "E3 t3 Die", "E4 t9 Meet")
    response = side("E1 t1 Attack Other", "E2 t2 Die", "E3 t3 Die", "E4 t4 Die")
    for name, document in (("key", key), ("response", response)):
        (tmp_path / name).write_text(formats.dumps([document], "tbf"))
    assert main(["score", str(tmp_path / "key"), str(tmp_path / "response"), "--by", "type", "--json"]) == 0
    groups = json.loads(capsys.readouterr().out)["by"]["type"]
    found = {name: [*scores["nugget-type"].values()][:2] for name, scores in groups.items()}
    assert found == {"Attack": [0.5, 1.0], "Die": [1.0, pytest.approx(1 / 3)], "Meet": [0.0, 0.0]}


def test_mentions_side_by_side() -> None:
    key = side("E1 t1 A", "E2 t2,t3 A", "E3 t4 A", "E4 t5 A", "E5 t6 A", "E6 t7 A", "E7 t8 NOT_ANNOTATED")
    response = side("S1 t1 a", "S2 t2 A", "S3 t4 B", "S4 t5 A Other", "S5 t6 B Other", "S6 t20 A", "S7 t8 B")
    rows = nugget_rows(score(key, response))
    assert [(row.key and row.key.mention.id, row.response and row.response.mention.id, row.kind) for row in rows] == [
        ("E1", "S1", "found"), ("E2", "S2", "partial"), ("E3", "S3", "wrong type"), ("E4", "S4", "wrong realis"),
        ("E5", "S5", "wrong type and realis"), ("E6", None, "missed"), ("E7", "S7", "found"), (None, "S6", "spurious"),
    ]  # fmt: skip


# -- coreference ------------------------------------------------------------------------------------------------------


def test_a_double_tagged_word_is_aligned_by_its_type() -> None:
    """Section 4.3: the system finds one of two events in a word, and the chain that it is in."""
    key = side("E1 t1 Life_Die", "E2 t1 Conflict_Attack", "E3 t2 Conflict_Attack", "@Coreference E2,E3")
    response = side("E1 t1 Conflict_Attack", "E2 t2 Conflict_Attack", "@Coreference E1,E2")
    result = score(key, response)
    assert result["muc"] == (1, 1, 1)
    assert result["b3"][:2] == pytest.approx((2 / 3, 1))
    assert result["nugget-type"][:2] == pytest.approx((2 / 3, 1))


def test_the_threshold_says_which_partial_mentions_are_the_same() -> None:
    key = side("E1 t1,t2,t3", "E2 t7", "@Coreference E1,E2")
    response = side("E1 t1,t2", "E2 t7", "@Coreference E1,E2")  # Dice 4/5
    for threshold, found in ((1, 0), (0.81, 0), (0.8, 1), (0.1, 1)):
        assert score(key, response, threshold=threshold)["muc"].recall == found
    assert score(key, response)["nugget-type"].recall == score(key, response, threshold=0.1)["nugget-type"].recall


def test_unmapped_mentions_stay_in_the_denominators() -> None:
    key = side("E1 t1", "E2 t2", "E3 t3 Other_Type", "@Coreference E1,E2")
    response = side("E1 t1", "E2 t9", "E3 t3", "E4 t4", "E5 t5", "@Coreference E1,E2")
    counts = score(key, response).counts
    assert counts["b3"][0].tolist() == [0.5, 3, 0.5, 5]
    assert counts["ceafm"][0].tolist() == [1, 3, 1, 5]


@st.composite
def clustered(draw: st.DrawFn) -> Document:
    """A document whose mentions are in clusters, as files have them."""
    document = draw(documents(types=("A", "a", "B")))
    entities = draw(st.lists(st.integers(0, 3), min_size=len(document.mentions), max_size=len(document.mentions)))
    mentions = [m._replace(entity=f"C{c}" if c else m.entity) for m, c in zip(document.mentions, entities, strict=True)]
    return replace(document, mentions=tuple(mentions))


@some
@given(clustered(), clustered(), st.sampled_from([1, 0.6]))
def test_coreference_is_that_of_a_table_of_lines(key: Document, response: Document, threshold: float) -> None:
    """A row for each gold line and the system line mapped to it, then one for each other system line."""
    twin = {s: g for g, s, dice in literal(key, response, ("type",)) if dice >= Fraction(str(threshold))}
    ours: dict[object, list[object]] = {}
    theirs: dict[object, list[object]] = {}
    for g, mention in enumerate(key.mentions):
        ours.setdefault(mention.entity, []).append(g)
    for s, mention in enumerate(response.mentions):
        theirs.setdefault(mention.entity, []).append(twin.get(s, f"only {s}"))
    expected = scoref.score(list(ours.values()), list(theirs.values()), metrics=COREFERENCE)
    result = score(key, response, threshold=threshold)
    assert {name: result[name] for name in COREFERENCE} == {
        name: pytest.approx(each, abs=1e-12) for name, each in expected.scores.items()
    }


@some
@given(clustered(), clustered())
def test_kbp_is_the_mean_of_four(key: Document, response: Document) -> None:
    scores = score(key, response).scores
    assert scores["kbp"].f1 == pytest.approx(mean(scores[name].f1 for name in ("muc", "b3", "ceafe", "blanc")))


# -- sequencing -------------------------------------------------------------------------------------------------------

EVENTS = tuple(f"E{number} t{number}" for number in range(1, 6))


def after(key: list[str], response: list[str], name: str = "After") -> tuple[float, ...]:
    """The counts for links like `12`, from E1 to E2, and clusters like `=12`."""
    sides = []
    for links in (key, response):
        ends = [",".join(f"E{number}" for number in link.strip("=")) for link in links]
        names = ["Coreference" if link[0] == "=" else name for link in links]
        sides.append(side(*EVENTS, *(f"@{each} {of}" for each, of in zip(names, ends, strict=True))))
    return tuple(score(*sides, sequencing="awareness").counts[name.lower()][0].tolist())


@pytest.mark.parametrize("name", ["After", "Subevent"])
@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        pytest.param(["12"], ["12"], (1, 1, 1, 1), id="the same"),
        pytest.param(["12"], ["21"], (0, 1, 0, 1), id="the other way round"),
        pytest.param(["12", "23"], ["12", "23", "13"], (2, 2, 2, 2), id="what follows from others is left out"),
        pytest.param(["12", "23", "13"], ["13"], (0, 2, 1, 1), id="what follows from the key is right"),
        pytest.param(["13"], ["12", "23"], (1, 1, 0, 2), id="what follows from the response is found"),
        pytest.param(["12", "23", "34"], ["14", "23"], (1, 3, 2, 2), id="over three links"),
        pytest.param(["=12", "13"], ["=12", "23"], (2, 2, 2, 2), id="a link holds for all mentions of its entities"),
        pytest.param(["=12", "13"], ["13"], (1, 2, 1, 1), id="and for each alone"),
        pytest.param(["12", "34", "=23"], ["14"], (0, 4, 1, 1), id="links meet in entities"),
        pytest.param(["=12", "12"], ["12"], (0, 0, 0, 1), id="not within an entity"),
        pytest.param(["12", "21"], ["12"], (1, 2, 1, 1), id="two in a circle"),
        pytest.param(["12"], ["12", "21"], (1, 1, 1, 2), id="two in a circle of the response"),
        pytest.param(["12", "23", "31"], ["12"], (0, 0, 0, 1), id="three in a circle all follow from others"),
        pytest.param(["12"], ["12", "23", "31"], (0, 1, 0, 0), id="three in a circle of the response"),
        pytest.param(["11"], ["11"], (0, 0, 0, 0), id="after itself"),
        pytest.param([], ["12"], (0, 0, 0, 1), id="no links"),
    ],
)
def test_links(key: list[str], response: list[str], expected: tuple[float, ...], name: str) -> None:
    assert after(key, response, name) == expected


def test_events_of_links_are_the_same_by_type_however_little_they_overlap() -> None:
    key = side("E1 t1,t2,t3", "E2 t5", "@After E1,E2")
    assert score(key, side("E1 t3,t4", "E2 t5", "@After E1,E2"))["after"].f1 == 1
    assert score(key, side("E1 t3,t4 Other", "E2 t5", "@After E1,E2"))["after"].f1 == 0


@st.composite
def linked(draw: st.DrawFn, acyclic: bool = False) -> Document:
    document = draw(clustered())
    ids = [str(mention.id) for mention in document.mentions]
    if len(ids) < 2:
        return document
    pairs = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=7))
    if acyclic:  # from entities to those that come behind them in the file
        order = [*dict.fromkeys(mention.entity for mention in document.mentions)]
        place = {str(mention.id): order.index(mention.entity) for mention in document.mentions}
        pairs = [tuple(sorted(pair, key=place.__getitem__)) for pair in pairs]
    return replace(document, relations=tuple([("After", f"R{n}", pair) for n, pair in enumerate(pairs)]))


Links = set[tuple[object, object]]


def literal_sequence(key: Document, response: Document) -> tuple[int, int, int, int]:
    """Links between events, as long as they are: all that holds, and of that the links without a detour."""

    def holds(document: Document, node: dict[int, object]) -> tuple[Links, Links]:
        entity = {str(mention.id): mention.entity for mention in document.mentions}
        links = {(entity[a], entity[b]) for _, _, (a, b) in document.relations if entity[a] != entity[b]}
        every = set(links)
        while more := {(a, d) for a, b in every for c, d in every if b == c} - every:
            every |= more
        least = {(a, d) for a, d in links if not any((a, b) in every and (b, d) in every for b in entity.values())}

        def mentions(pairs: Links) -> Links:
            at = [(m.entity, node[n]) for n, m in enumerate(document.mentions)]
            return {(x, y) for a, b in pairs for e, x in at for f, y in at if (e, f) == (a, b)}

        return mentions(least), mentions(every)

    twin = {s: g for g, s, _ in literal(key, response, ("type",))}
    ours = holds(key, {g: g for g in range(len(key.mentions))})
    theirs = holds(response, {s: twin.get(s, f"only {s}") for s in range(len(response.mentions))})
    return len(ours[0] & theirs[1]), len(ours[0]), len(theirs[0] & ours[1]), len(theirs[0])


@some
@given(linked(acyclic=True), linked(acyclic=True))
def test_links_are_counted_as_the_definition_says(key: Document, response: Document) -> None:
    assert sequence(("After",), key, response, Overlapping(key, response)) == literal_sequence(key, response)


@some
@given(linked(), linked(), st.randoms(use_true_random=True))
def test_names_of_mentions_and_the_order_of_links_change_nothing(key: Document, response: Document, random) -> None:
    """In the scorer 1.8 the names decide in which order links are put into its graph, and with it the score."""

    def renamed(document: Document) -> Document:
        numbers = random.sample(range(1000), len(document.mentions))
        names = {m.id: f"e{number}" for m, number in zip(document.mentions, numbers, strict=True)}
        mentions = [m._replace(id=names[m.id]) for m in document.mentions]
        relations = [(kind, id, tuple(names[end] for end in ends)) for kind, id, ends in document.relations]
        return replace(document, mentions=tuple(mentions), relations=tuple(random.sample(relations, len(relations))))

    same = {"sequencing": "awareness"}
    ours, theirs = score(key, response, **same).counts, score(renamed(key), renamed(response), **same).counts
    assert all((ours[name] == theirs[name]).all() for name in ours)


@some
@given(linked())
def test_a_document_against_itself_is_found_whole(document: Document) -> None:
    assume(all(m.span for m in document.mentions))
    distinct = {(m.span, canonical(dict(m.attributes)["type"])): m for m in document.mentions}
    kept = {str(m.id) for m in distinct.values()}
    relations = tuple(each for each in document.relations if kept.issuperset(each[2]))
    alone = replace(document, mentions=tuple(distinct.values()), relations=relations)
    recalled, links, precise, others = sequence(("After",), alone, alone, Overlapping(alone, alone))
    assert recalled == links == precise == others


# -- recorded scores --------------------------------------------------------------------------------------------------

MAPPINGS = dict(
    zip(("plain", "mention_type", "realis_status", "mention_type+realis_status"), COMBINATIONS, strict=True)
)
METRICS = {"bcub": "b3", "CoNLL": "kbp"}


def recorded() -> dict[tuple[str, str], list[dict[str, str]]]:
    """What EvmEval 1.8 printed for pairs of files."""
    found: dict[tuple[str, str], list[dict[str, str]]] = {}
    if (RECORDED / "reference_scores.tsv").is_file():
        with (RECORDED / "reference_scores.tsv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                found.setdefault((row["key"], row["response"]), []).append(row)
    return found


@cache
def documents_of(name: str) -> list[Document]:
    source = formats.Source((RECORDED / name).read_bytes(), name, files="evmeval-1.8")
    return formats.read_source(source, "tbf", Problems())[1]


@beside
@pytest.mark.parametrize("names", recorded() or [("", "")], ids="|".join)
def test_real_files_have_the_scores_of_evmeval(names: tuple[str, str]) -> None:
    result = score(*map(documents_of, names))
    averages = result.nuggets()
    for row in recorded()[names]:
        kind, _, name = row["metric"].partition(":")
        if kind == "coref":  # the original cuts off what it prints
            assert abs(100 * result[METRICS.get(name, name)].f1 - float(row["f1"])) < 0.0101
        else:
            found = averages[MAPPINGS[name]][kind]
            assert [f"{100 * value:.2f}" for value in found] == [row["recall"], row["precision"], row["f1"]]


def test_protocols_differ_in_what_the_documentation_says() -> None:
    ours, theirs = PROTOCOLS["kbp-2015"].to_dict(), PROTOCOLS["evmeval-1.8"].to_dict()
    differ = {name for name in ours if ours[name] != theirs[name]}
    assert differ == {"name", "invisible", "pieces", "sequencing", "files", "empty", "metrics"}


def test_types_have_scores_of_nuggets_and_of_entities():
    files = [EXAMPLES / "nuggets" / side for side in ("key", "response")]
    groups = scoref.score(*files, metrics=["nugget-type", "b3"]).by("type")
    alone = scoref.score(*files, metrics=["b3"]).by("type")
    assert all({"nugget-type", "b3"} == scores.keys() for scores in groups.values())
    assert {name: groups[name]["b3"] for name in alone} == {name: scores["b3"] for name, scores in alone.items()}
