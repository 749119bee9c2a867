"""Changes files as accidents and enemies do: bytes, letters, cells, lines, brackets, names, numbers, JSON values."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

NUMBERS = (
    "0", "-1", "1", "2", "²", "95\x1c", "٣", "1e9", "9" * 20, str(2**31), str(2**63), "9" * 4400, "1.5", "+1", "", "00",
    "1_0", "300", "0x1", "1e308",
)  # fmt: skip
WORDS = (
    "", "-", "_", "*", "(", ")", "(1", "1)", "(1)", "|", "=", "#", "\x00", "\x1b[2J", "\u202e", "\ufeff", "é", "\ud7ff",
    "\U0001f600", "\t", "\n", "\r", "\x0b", "\x85", "\u2028", "\xa0", "[1/2]", "[2/2]", "[2/3]", "a" * 3000, "NaN",
    "null", "true", "{}", "[]", '"', "\\", "\\u", "\\ud800", "<", "&x;", "&lt;", "]]>", "<!--", "@", "=1+1", "+a", "%s",
    "{0}", "$x", "`x`", "'", ";", "../x", "a/b", "##", "_{", "](#", "COREF", "x y",
    "\n# newdoc id = z\n", "\n#begin document (z); part 000\n", "\n# global.columns = ID FORM IDENTITY\n", "0.1",
    "<COREF ID='",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 1.5, 1e300, 2**31, 2**63, 10**30, "", "1", "²", "\u202e", [], {}, [[]], [0], [1, 0], [0, 99],
    [[0, 0]], [[[0, 0]]], {"a": []}, {"span": [0], "entity": 0},
    "x\n# newdoc id = z", "# newdoc id = z", "# global.Entity = eid", "#begin document (z)", "1-2\tab", "a\tb",
    "1.1\tq" + "\t_" * 8, [[-1, 1]], [[0, 129]],
)  # fmt: skip
_CELL = re.compile(r"[^\s|,;:<>\"\[\]{}=]+")
_MARKS = "()[]{}|-=:,;/<>\"'#@*_\\"


def mutated(text: str, chance: random.Random) -> bytes:
    """The text with one to four changes."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        text = chance.choice(_CHANGES)(text, chance)
    data = text.encode(errors="replace")
    if chance.random() < 0.05:
        data = _bytes(data, chance)
    return data


CHOSEN: Callable[[str, random.Random], bytes] = mutated  # `--second` chooses others


def chosen(text: str, chance: random.Random) -> bytes:
    """The text, changed by the mutators that were chosen."""
    return CHOSEN(text, chance)


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """Another byte somewhere; sometimes another encoding, or a packed file that is cut."""
    import gzip

    kind = chance.randrange(12)
    if kind == 0:
        return gzip.compress(data, mtime=0)[: chance.randrange(20, 400)]
    if kind == 1:
        return gzip.compress(data, mtime=0)
    if kind == 2:
        return data.decode(errors="replace").encode("utf-16")
    if kind == 3:
        return b"\xef\xbb\xbf" + data
    if kind == 4:
        return data.replace(b"\n", chance.choice((b"\r\n", b"\r")))
    place = chance.randrange(len(data) + 1)
    return data[:place] + bytes([chance.randrange(256)]) + data[place + chance.randrange(3) :]


def _one(found: Sequence[re.Match[str]], chance: random.Random) -> re.Match[str] | None:
    return chance.choice(found) if found else None


def _put(text: str, place: re.Match[str] | None, new: str) -> str:
    return text + new if place is None else text[: place.start()] + new + text[place.end() :]


def _number(text: str, chance: random.Random) -> str:
    place = _one([*re.finditer(r"\d+", text)], chance)
    old = place[0] if place else ""
    near = [str(int(old) + chance.choice((-1, 1)))] if old.isascii() and 0 < len(old) < 30 else []
    return _put(text, place, chance.choice((*near * 20, *NUMBERS)))


def _cell(text: str, chance: random.Random) -> str:
    place = _one([*_CELL.finditer(text)], chance)
    old = place[0] if place else ""
    return _put(text, place, chance.choice((*WORDS, old + old, old[:1], old[1:])))


def _other_cell(text: str, chance: random.Random) -> str:
    """A cell gets what another one has: most likely something that fits."""
    cells = [*_CELL.finditer(text)]
    return _put(text, _one(cells, chance), chance.choice(cells)[0]) if cells else text


def _column(text: str, chance: random.Random) -> str:
    """A cell gets what another line has at that place; or two lines exchange them."""
    lines = text.split("\n")
    wide = [number for number, line in enumerate(lines) if len(line.split("\t")) > 1]
    if len(wide) < 2:
        return _other_cell(text, chance)
    one, other = chance.sample(wide, 2)
    here, there = lines[one].split("\t"), lines[other].split("\t")
    place = chance.choice((-1, chance.randrange(min(len(here), len(there)))))
    if chance.random() < 0.5:
        here[place], there[place] = there[place], here[place]
    else:
        here[place] = there[place]
    lines[one], lines[other] = "\t".join(here), "\t".join(there)
    return "\n".join(lines)


def _name(text: str, chance: random.Random) -> str:
    """One name everywhere becomes another."""
    cells = sorted({each[0] for each in re.finditer(r"\w+", text)})
    if not cells:
        return text
    old, new = chance.choice(cells), chance.choice((*cells, *WORDS))
    return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text)


def _bracket(text: str, chance: random.Random) -> str:
    """A piece with a bracket is taken out, and perhaps put elsewhere."""
    found = [*re.finditer(r"\([\w.\[\]/-]*\)?|[\w.\[\]/-]*\)|<[^<>]*>|\[[^\[\]]*\]", text)]
    place = _one(found, chance)
    if place is None:
        return _mark(text, chance)
    rest = _put(text, place, chance.choice(("", "-", "_", place[0] * 2)))
    if chance.random() < 0.5:
        at = chance.randrange(len(rest) + 1)
        rest = rest[:at] + place[0] + rest[at:]
    return rest


def _mark(text: str, chance: random.Random) -> str:
    place = _one([*re.finditer(r"[^\w\s]", text)], chance)
    return _put(text, place, chance.choice(("", (place[0] if place else "") * 2, chance.choice(_MARKS))))


def _line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(6)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines.insert(first, lines[second])
    elif kind == 2:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 3:
        lines[first] = lines[first][: chance.randrange(len(lines[first]) + 1)]
    elif kind == 4:
        lines.insert(first, chance.choice(("", "#", "# x = y", " ", "\t")))
    else:
        first, second = sorted((first, second))
        lines[second:second] = lines[first:second]
    return "\n".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.3 else _other_cell(text, chance)


def _value(text: str, chance: random.Random) -> str:
    """Another value somewhere in a JSON text, or in one line of it."""
    lines = [text] if text.count("\n") < 2 else text.split("\n")
    number = chance.randrange(len(lines))
    try:
        record = json.loads(lines[number])
    except (ValueError, RecursionError):
        return _cell(text, chance)
    lines[number] = json.dumps(_other_value(record, chance))
    return "\n".join(lines) + "\n" * (len(lines) == 1)


def _other_value(record: Any, chance: random.Random) -> Any:
    places: list[tuple[Any, Any]] = []
    waiting = [record]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else range(len(each))
            places += [(each, key) for key in keys]
            waiting += [each[key] for key in keys]
    if not places:
        return chance.choice(VALUES)
    holder, key = chance.choice(places)
    other, name = chance.choice(places)
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(chance.randrange(len(holder) + 1), _copy(other[name]))
    elif kind == 2 and isinstance(holder, dict):
        holder[chance.choice((*WORDS, str(name)))] = _copy(other[name])
    elif kind == 3:
        holder[key] = chance.choice(VALUES)
    elif type(holder[key]) is int:
        holder[key] += chance.choice((-1, 1, 2))
    else:
        holder[key] = _copy(other[name])
    return record


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


_CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    _number, _number, _cell, _other_cell, _column, _column, _name, _bracket, _bracket, _mark, _line, _line, _cut,
    _value, _value,
)  # fmt: skip
