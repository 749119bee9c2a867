"""Changes files as accidents and enemies do: bytes, letters, cells, lines, brackets, numbers, JSON values."""

# ruff: noqa: E501
from __future__ import annotations

import json
import random
import re
from typing import Any

NUMBERS = [
    "0",
    "-1",
    "1",
    "2",
    "²",
    "95\x1c",
    "٣",
    "1e9",
    "9" * 20,
    str(2**63),
    "9" * 4400,
    "1.5",
    "+1",
    "",
    "00",
    "1_0",
]
WORDS = ["", "-", "_", "*", "(", ")", "(1", "1)", "|", "=", "#", "\x00", "\x1b[2J", "\u202e", "\ufeff", "é", "\ud7ff", "\t", "\n",
         "\r", "[1/2]", "[2/2]", "a" * 3000, "NaN", "null", "{}", "[]", '"', "\\", "<", "&x;", "]]>", "@"]  # fmt: skip
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    2**31,
    2**63,
    10**30,
    "",
    "1",
    "²",
    [],
    {},
    [[]],
    [0],
    [1, 0],
    [0, 99],
    {"a": []},
]


def mutated(text: str, chance: random.Random) -> bytes:
    """The text with one to three changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(_KINDS)(text, chance)
    data = text.encode(errors="replace")
    if chance.random() < 0.05 and data:
        place = chance.randrange(len(data))
        data = data[:place] + bytes([chance.randrange(256)]) + data[place + chance.randrange(3) :]
    return data


def _pieces(text: str, pattern: str, chance: random.Random) -> tuple[str, str, str]:
    found = [*re.finditer(pattern, text)]
    if not found:
        return text, "", ""
    one = chance.choice(found)
    return text[: one.start()], one[0], text[one.end() :]


def _number(text: str, chance: random.Random) -> str:
    before, old, after = _pieces(text, r"\d+", chance)
    near = [str(int(old) + chance.choice((-1, 1)))] if old.isascii() and 0 < len(old) < 30 else []
    return before + chance.choice(near * 8 + NUMBERS) + after


def _cell(text: str, chance: random.Random) -> str:
    before, old, after = _pieces(text, r"[^\s|,;:<>\"\[\]{}=]+", chance)
    return before + chance.choice((*WORDS, old + old, *old[:1])) + after


def _mark(text: str, chance: random.Random) -> str:
    before, old, after = _pieces(text, r"[^\w\s]", chance)
    return before + chance.choice(("", old * 2, chance.choice("()[]{}|-=:,;/<>\"'#@"))) + after


def _line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines.insert(first, lines[second])
    elif kind == 2:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines[first] = lines[first][: chance.randrange(len(lines[first]) + 1)]
    return "\n".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.3 else text


def _value(text: str, chance: random.Random) -> str:
    """Another value somewhere in a JSON text."""
    try:
        record = json.loads(text)
    except ValueError:
        return _cell(text, chance)
    places: list[tuple[Any, Any]] = []
    waiting = [record]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else range(len(each))
            places += [(each, key) for key in keys]
            waiting += [each[key] for key in keys]
    if places:
        holder, key = chance.choice(places)
        if chance.random() < 0.2:
            del holder[key]
        else:
            other, name = chance.choice(places)
            known = [json.loads(json.dumps(other[name]))] if isinstance(other, dict) and name in other else []
            holder[key] = chance.choice(VALUES + known)
    return json.dumps(record) + "\n"


_KINDS = (_number, _number, _cell, _mark, _line, _cut, _value)
