"""What went wrong between two tables (`scoref errors`): every number that is shown, by hand."""

from __future__ import annotations

from typing import Any

import pytest

import scoref
from scoref.layout.grid import Number
from scoref.tables.inputs import Options
from scoref.tables.mistakes import Mistakes, mistakes

KEY = {"m1": "a", "m2": "a", "m3": "b", "m4": "b", "m5": "c"}
RESPONSE = {"m1": "x", "m2": "y", "m3": "y", "m4": "y", "m6": "z", "m7": "w"}
# {m1 m2} is in two parts of one mention: (2² - 1² - 1²)/2 = 1 of 5; {m2 m3 m4} has parts of one and two:
# (3² - 1² - 2²)/3 = 4/3 of 6. B³: a has 1 of 2, b 2 of 2, c 0 of 1; x has 1 of 1, y (1² + 2²)/3 of 3, z and w 0 of 1.
RECALL, PRECISION = 3 / 5, 8 / 18


def found(key: object, response: object, engine: str = "numpy", number: int | None = None, **how: Any) -> Mistakes:
    protocol = scoref.Protocol.parse("conll-2012").change(**how)
    asked = key, response, protocol, "raise", Options(engine=engine)
    return mistakes(*asked) if number is None else mistakes(*asked, number)


def test_all_numbers(engine: str) -> None:
    wrong = found(KEY, RESPONSE, engine)
    split = {"entity": "a", "document": "", "size": 2, "parts": 2, "largest": 1, "lost": pytest.approx(1 / 5)}
    merged = {"entity": "y", "document": "", "size": 3, "parts": 2, "largest": 2, "lost": pytest.approx(4 / 18)}
    f1 = 2 * RECALL * PRECISION / (RECALL + PRECISION)
    assert wrong.to_dict() == {
        "mentions": {"key": 5, "response": 6, "both": 4},
        "singletons": {"key": 1, "response": 3},
        "largest": {"key": 2, "response": 3},
        "b3": pytest.approx({"recall": RECALL, "precision": PRECISION, "f1": f1}),
        "problems": [],
        "splits": {"entities": 1, "of": 3, "more": 1, "worst": [split]},
        "merges": {"entities": 1, "of": 4, "more": 1, "worst": [merged]},
    }
    counts, splits, merges = wrong.grids()
    assert [(number, of) for _, number, of in counts.rows] == [
        (1, 3), (1, None), (1, 4), (1, None), (1, 5), (2, 6), (1, 3), (3, 4), (2, None), (3, None),
    ]  # fmt: skip
    assert splits.rows == [("a", "", 2, 2, 1, Number(1, "1.00"), Number(pytest.approx(1 / 5), "20.00"))]
    lost = Number(pytest.approx(4 / 3), "1.33"), Number(pytest.approx(4 / 18), "22.22")
    assert merges.rows == [("y", "", 3, 2, 2, *lost)]
    assert (splits.title, merges.title) == (
        "1 of 1 splits: key entities, by what they cost in B³ recall",
        "1 of 1 merges: response entities, by what they cost in B³ precision",
    )
    *said, signature = wrong.notes()
    assert said == ["key key: mention=mention, entity=entity", "response response: mention=mention, entity=entity",
                    f"engine {engine}"]  # fmt: skip
    assert signature == f"signature {wrong.protocol.signature()}|scoref:{scoref.__version__}"


def test_without_singletons(engine: str) -> None:
    """c, x, z and w are left out: m1 has no twin any more, so a is not split."""
    wrong = found(KEY, RESPONSE, engine, singletons="drop").to_dict()
    assert (wrong["mentions"], wrong["singletons"]) == ({"key": 4, "response": 3, "both": 3}, {"key": 0, "response": 0})
    assert (wrong["splits"]["entities"], wrong["merges"]["entities"]) == (0, 1)
    assert (wrong["splits"]["of"], wrong["merges"]["of"]) == (2, 1)


@pytest.mark.parametrize(("number", "shown"), [(None, 25), (3, 3), (99, 30)])
def test_of_many_the_costliest_are_shown(engine: str, number: int | None, shown: int) -> None:
    """Of 30 entities of 2 to 31 mentions each has one mention apart: what n of them lose is (n² - 1 - (n-1)²)/n."""
    sizes = range(2, 32)
    key = {f"{size}-{each}": f"e{size:02d}" for size in sizes for each in range(size)}
    response = {name: f"{entity}{'x' * name.endswith('-0')}" for name, entity in key.items()}
    splits = found(key, response, engine, number).splits
    assert (splits.entities, splits.of, splits.more) == (30, 30, 30)
    assert [each.size for each in splits.worst] == sorted(sizes, reverse=True)[:shown]
    assert [each.lost for each in splits.worst] == pytest.approx([2 - 2 / each.size for each in splits.worst])


def test_more_digits_where_two_would_show_nothing() -> None:
    """Of entities of two mentions one is split: 1 mention of 200 is 0.50 points; the largest shows two digits."""
    for mentions, shown in ((50, "2.00"), (200, "0.50"), (2000, "0.050"), (20_000, "0.0050"), (100_000, "0.0010")):
        key = {each: each // 2 for each in range(mentions)}
        wrong = found(key, key | {0: -1})
        _, grid, _ = wrong.grids()
        assert [row[-1] for row in grid.rows] == [Number(pytest.approx(1 / mentions), shown)]
        assert wrong.merges.worst == ()


def test_samples_are_refused() -> None:
    with pytest.raises(scoref.Error) as caught:
        found(KEY, RESPONSE, sampled="uniform", metrics=["b3"])
    problem = caught.value.problem
    assert (problem.code, problem.expected, problem.remedy) == ("not-sampled", "sampled:none", "leave out --sampled")
