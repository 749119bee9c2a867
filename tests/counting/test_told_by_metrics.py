"""An error of counting says where it is, what was expected and what to do; what is only reported says it, too."""

from __future__ import annotations

import pytest

import scoref
from scoref import Document, Mention
from scoref.counting.choices import Counting
from scoref.counting.windows import cut
from scoref.document.document import Origin
from scoref.matching.lookup import Lookups
from scoref.matching.match import Alignment

WORDS = ("Ada", "saw", "her", "tap")


def weighing(*weights: str | None) -> Document:
    """A mention for each weight, all of one entity, on lines of their own."""
    mentions = [Mention.at(at, at, "Ada", attributes=(("w", each),) if each is not None else ())
                for at, each in enumerate(weights)]  # fmt: skip
    return Document("d", WORDS, tuple(mentions), origin=Origin("key.conll", 3, range(10, 14)))


GOOD = weighing("1", "2", "0.5")
SETS = scoref.clusters({"Ada": ["a"], "Bob": ["b"], "both": ["they"]}, sets={"both": ["Ada", "Bob"]})
OPAQUE = scoref.clusters([["a", "b"]], "tale")
AT_CHARACTERS = Document("d", (), (Mention.at(0, 7, "a"),), origin=Origin(unit="characters"))
PLACED_SETS = Document("d", WORDS, (Mention.at(0, 0, "a"), Mention.at(1, 1, "b")), sets={"b": ("a",)})
RANGE = "w=NUMBER, from 1e-15 to 1e+15"
MENTION_0, MENTION_1 = 'key.conll:10, "Ada", document d', 'key.conll:11, "saw", document d'

# what, the document, the choices, the code, where it is, words of what was expected, of what to do
ERRORS = [
    ("weights of sets", SETS, {"weights": "w"}, "weighted-sets", "", "entities without sets", "--split ignore"),
    ("no such weights", GOOD, {"weights": "v"}, "unknown-field", "", "form, w", "another --weights"),
    ("a weight of 0", weighing("1", "0"), {"weights": "w"}, "bad-weight", MENTION_1, RANGE, "weighs 1"),
    ("a weight below 0", weighing("-1"), {"weights": "w"}, "bad-weight", MENTION_0, RANGE, "weighs 1"),
    ("no number", weighing("x"), {"weights": "w"}, "bad-weight", MENTION_0, RANGE, "weighs 1"),
    ("too small", weighing("0.9e-15"), {"weights": "w"}, "bad-weight", MENTION_0, RANGE, "weighs 1"),
    ("too large", weighing("1.1e15"), {"weights": "w"}, "bad-weight", MENTION_0, RANGE, "weighs 1"),
    ("not finite", weighing("inf"), {"weights": "w"}, "bad-weight", MENTION_0, RANGE, "weighs 1"),
    ("no words", OPAQUE, {"window": 2}, "no-positions", '"a", document tale', "at words", "leave --window out"),
    ("characters", AT_CHARACTERS, {"window": 2}, "no-positions", "document d", "mentions at words", "--tokens DIR"),
    ("windows of sets", PLACED_SETS, {"window": 2}, "windowed-sets", "document d", "without sets", "--split ignore"),
    ("windows of a corpus", GOOD, {"window": 2, "scope": "corpus"}, "windowed-scope", "", "--scope document",
     "leave --scope out"),
    ("windows of relations", GOOD, {"window": 2, "metrics": ["b3", "mor"]}, "undefined-metric", "", "like muc and b3",
     "other metrics"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "choices", "code", "where", "expected", "remedy"),
    [pytest.param(*row, id=name) for name, *row in ERRORS],
)
def test_an_error_tells_all(
    document: Document, choices: dict[str, object], code: str, where: str, expected: str, remedy: str
) -> None:
    with pytest.raises(scoref.Error) as raised:
        scoref.score(document, document, **{"metrics": ["b3"], **choices})  # type: ignore[arg-type]
    problem = raised.value.problem
    assert (problem.code, problem.place) == (code, where)
    assert expected in (problem.expected or "")
    assert remedy in (problem.remedy or "")


@pytest.mark.parametrize("odd", [OPAQUE, AT_CHARACTERS, PLACED_SETS])
def test_windows_need_a_response_at_words_without_sets_too(odd: Document) -> None:
    nothing = Alignment([], [])
    for sides in ((odd, GOOD), (GOOD, odd)):
        with pytest.raises(scoref.Error) as raised:
            cut([(*sides, Lookups(nothing, nothing, nothing, nothing))], Counting(window=2))
        assert raised.value.code in ("no-positions", "windowed-sets")


def test_weights_that_do_not_stop_the_work_are_1() -> None:
    """A mention of the key without a weight is reported; in the response its twin's counts, and 1 without a twin."""
    key, response = weighing("3", None), weighing(None, None, None, "5")
    result = scoref.score(key, response, metrics=["b3"], weights="w")
    (problem,) = result.problems
    assert (problem.code, problem.fatal, problem.place) == ("no-weight", False, MENTION_1)
    assert problem.expected == RANGE
    assert "weighs 1" in (problem.remedy or "")
    assert result.counts["b3"].tolist() == [[4, 4, (3 + 1) * 4 / (3 + 1 + 1 + 5), 3 + 1 + 1 + 5]]
    skipped = scoref.score(weighing("0", "7"), response, metrics=["b3"], weights="w", on_problem="skip")
    assert [problem.code for problem in skipped.problems] == ["bad-weight"]
    assert skipped.counts["b3"][0, 1] == 1 + 7


@pytest.mark.parametrize("weight", ["1e-15", "1e15", "1"])
def test_numbers_that_can_be_squared_and_added_are_weights(weight: str) -> None:
    found = scoref.score(weighing(weight), weighing(weight), metrics=["b3"], weights="w")
    assert not found.problems
    assert found.counts["b3"][0] == pytest.approx([float(weight)] * 4)
