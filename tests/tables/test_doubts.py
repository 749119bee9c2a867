"""Tables whose score cannot be meant: names written otherwise, nothing in common, a key that is a sample."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import scoref
from scoref.cli import main
from scoref.problems import Problems
from scoref.tables.doubts import doubts
from scoref.tables.inputs import Options
from scoref.tables.opening import opened

CODES = {"names-alike", "nothing-in-common", "mostly-other-records"}


def records(number: int, name: Callable[[int], str], step: int = 3) -> dict[str, int]:
    """A table of that many records, some in one entity."""
    return {name(each): each // step for each in range(number)}


def said(key: object, response: object, **choices: str) -> list[scoref.Problem]:
    result = scoref.score(key, response, on_problem="skip", **choices)
    return [problem for problem in result.problems if problem.code in CODES]


OTHERWISE: dict[str, Callable[[int], str]] = {
    "leading zeros": lambda each: f"{each:09d}",
    "case": lambda each: f"REC{each}X",
    "blanks": lambda each: f"rec{each}x ",
    "what stands before the number": lambda each: f"patent-{each}",
}
PLAIN: dict[str, Callable[[int], str]] = dict.fromkeys(("case", "blanks"), lambda each: f"rec{each}x")


@pytest.mark.parametrize("number", [24, 30_000], ids=["all", "a sample"])
@pytest.mark.parametrize("what", OTHERWISE)
def test_names_that_are_written_otherwise(engine, what, number):
    """Refused, with what differs and an example, whether all names are looked at or some of them."""
    key, response = records(number, PLAIN.get(what, str)), records(number // 2, OTHERWISE[what], 4)
    for sides in ((key, response), (response, key)):
        with pytest.raises(scoref.Error, match=f"differ in {what} alone") as caught:
            scoref.score(*sides, engine=engine)
        assert caught.value.code == "nothing-in-common"
        one, other = (json.loads(name) for name in str(caught.value).split("(")[1].split(")")[0].split(" and "))
        assert one in sides[0]
        assert other in sides[1]


def test_some_names_that_are_written_otherwise(engine):
    key = records(40, str)
    response = {name if number < 10 else f"0{name}": number for number, name in enumerate(key)}
    (found,) = said(key, response, engine=engine)
    assert (found.code, found.fatal) == ("names-alike", False)
    assert (
        "10 mentions of 40 are common: 30 of 40 mentions that were looked at differ in leading zeros" in found.message
    )
    assert found.message in " ".join(str(scoref.score(key, response, engine=engine)).split())
    half = {name if number < 20 else f"0{name}": number for number, name in enumerate(key)}
    assert not said(key, half, engine=engine)


def test_names_of_documents(engine, tmp_path):
    """Before all else: documents that the key does not have would be refused without the cause."""
    header = "document,mention,entity\n"
    for name, form in (("key.csv", "doc{}"), ("response.csv", "Doc{}")):
        lines = [f"{form.format(number // 4)},{number},{number // 2}\n" for number in range(40)]
        (tmp_path / name).write_text(header + "".join(lines))
    with pytest.raises(scoref.Error, match="10 of 10 documents that were looked at differ in case") as caught:
        scoref.score(str(tmp_path / "key.csv"), str(tmp_path / "response.csv"), engine=engine)
    assert caught.value.code == "nothing-in-common"


def test_nothing_in_common_without_a_cause(engine):
    """A note; numbers that are integers have no spelling."""
    texts = records(20, lambda each: f"{'x' * each}y"), records(20, lambda each: f"{'x' * each}z")
    integers = {each: each // 3 for each in range(20)}, {each: each // 3 for each in range(1000, 1020)}
    signs = {each: each // 3 for each in range(1, 21)}, {-each: each // 3 for each in range(1, 21)}
    for key, response in (texts, integers, signs):
        (found,) = said(key, response, engine=engine)
        assert (found.code, found.fatal) == ("nothing-in-common", False)
        assert found.message == "key and response have no mention in common, of 20 and 20: the cause is not known"


def test_a_key_that_is_a_sample(engine):
    key, response = records(20, str), records(100, str, 4)
    (found,) = said(key, response, engine=engine)
    assert found.code == "mostly-other-records"
    assert found.message.startswith("80 of 100 mentions of the response are not in the key")
    assert "--twinless common" in found.message
    assert "--sampled uniform" in found.message
    for others in ({"twinless": "common"}, {"twinless": "0"}):
        assert not said(key, response, engine=engine, **others)
    assert not said(response, key, engine=engine)
    assert not said(records(50, str), response, engine=engine)


def test_no_names_are_read_where_enough_is_common(engine, monkeypatch):
    protocol = scoref.Protocol.parse("conll-2012")
    asked = protocol, Problems(), Options(engine=engine)
    with opened(records(20, str), records(30, str), *asked) as (by, task, _):
        by.count(True)
        shapes = by.shapes()
        monkeypatch.setattr(type(by), "names", None)
        assert not [*doubts(by, task, shapes, protocol)]


def test_errors_say_it_too(tmp_path, capsys):
    for name, form in (("key.csv", "{:04d}"), ("response.csv", "{}")):
        rows = "".join(f"{form.format(number)},{number // 3}\n" for number in range(30))
        (tmp_path / name).write_text("mention,entity\n" + rows)
    assert main(["errors", str(tmp_path / "key.csv"), str(tmp_path / "response.csv")]) == 2
    assert "differ in leading zeros alone" in capsys.readouterr().err


def test_what_a_split_costs_is_seen_among_many_records(tmp_path, capsys):
    """Two records of 60,000 apart: (2² − 1² − 1²)/2 = 1 mention, 1/60,000 of recall."""
    for name, apart in (("key.csv", False), ("response.csv", True)):
        rows = "".join(f"{n},{'apart' if apart and n == 1 else n // 2}\n" for n in range(60_000))
        (tmp_path / name).write_text("mention,entity\n" + rows)
    assert main(["errors", str(tmp_path / "key.csv"), str(tmp_path / "response.csv"), "--output", "csv"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("0,,2,2,1,"))
    assert [float(cell) for cell in line.split(",")[-2:]] == [1.0, pytest.approx(1 / 60_000)]
    assert main(["errors", str(tmp_path / "key.csv"), str(tmp_path / "response.csv")]) == 0
    assert "1.00       0.0017" in capsys.readouterr().out


@pytest.mark.parametrize("number", [9, 10])
def test_from_ten_mentions_on_nothing_in_common_is_a_sign(engine, number):
    found = said(records(number, "a{}x".format, 2), records(number, "{}yz".format, 3), engine=engine)
    assert [problem.code for problem in found] == ["nothing-in-common"] * (number == 10)
