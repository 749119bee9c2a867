"""Limits of readers, as the pages of the formats and the errors say them: what reaches one is read, one more is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref

Files = dict[str, str]


def brat(number: int) -> Files:
    word = "a" * number
    return {"d.ann": f"T1\tPerson 0 {number}\t{word}\n", "d.txt": word}


def tbf(number: int) -> Files:
    row = "\t".join(["brat", "d", "E1", f"0,{number}", "word", "Attack", "Actual"])
    return {"d.tbf": f"#BeginOfDocument d\n{row}\n#EndOfDocument\n"}


def booknlp(number: int) -> Files:
    row = "\t".join(["1", "7", str(7 + number - 1), "PROP", "PER", "Ada"])
    return {"d.entities": f"COREF\tstart_token\tend_token\tprop\tcat\ttext\n{row}\n"}


def long_mention(number: int) -> Files:
    return {"d.jsonl": json.dumps({"doc_key": "d", "clusters": [[[0, number - 1]]]})}


def far_mention(number: int) -> Files:
    return {"d.jsonl": json.dumps({"doc_key": "d", "clusters": [[[number - 1, number - 1]]]})}


# the limit, what it limits, the code of the error, and what the error says of the limit
LIMITS = [
    (100_000, brat, "bad-span", "at most 100000 characters"),
    (10_000, tbf, "bad-span", "at most 10000 characters"),
    (100_000, booknlp, "bad-mention", ""),
    (100_000, long_mention, "bad-mention", "at most 100000 words"),
    (10_000_000, far_mention, "bad-mention", "an end below 10000000"),
]


@pytest.mark.parametrize(("limit", "files", "code", "expected"), LIMITS, ids=[row[1].__name__ for row in LIMITS])
def test_what_reaches_a_limit_is_read_and_one_more_is_not(
    tmp_path: Path, limit: int, files: Callable[[int], Files], code: str, expected: str
) -> None:
    for number in (limit, limit + 1):
        for name, text in files(number).items():
            (tmp_path / str(number)).mkdir(exist_ok=True)
            (tmp_path / str(number) / name).write_text(text)
    name = next(iter(files(1)))
    (document,) = scoref.read(tmp_path / str(limit) / name)
    assert len(document.mentions) == 1
    with pytest.raises(scoref.Error) as caught:
        scoref.read(tmp_path / str(limit + 1) / name)
    assert caught.value.code == code
    assert expected in (caught.value.problem.expected or "")


def test_words_are_not_made_up_without_end(tmp_path: Path) -> None:
    document = scoref.Document("d", mentions=(scoref.Mention.at(10_000_000, 10_000_000, "1"),))
    with pytest.raises(scoref.Error) as caught:
        scoref.write([document], tmp_path / "d.conll")
    assert caught.value.code == "too-far"
    assert caught.value.problem.expected == "places below 10000000"


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("[" + "b" * 700, "unclosed-mark", 101),  # the mark, and 100 characters of the word behind it
        ("[" + "b" * 700 + "](#)", "unnamed-mark", 500),
    ],
)
def test_of_a_long_mark_the_beginning_is_shown(tmp_path: Path, text: str, code: str, shown: int) -> None:
    path = tmp_path / "d.txt"
    path.write_text(f"[Ada](#1) saw {text}")
    with pytest.raises(scoref.Error) as caught:
        scoref.read(path, "text", marks="markdown")
    assert (caught.value.code, caught.value.problem.text) == (code, text[:shown])
