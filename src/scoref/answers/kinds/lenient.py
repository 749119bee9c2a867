"""Reads JSON as language models write it: with remarks around it, single quotes, comments, tuples, or cut off.

`values` finds the outermost objects and arrays of a text in one pass, whatever is in it: where something is no JSON,
all brackets that are open there are given up, and what they hold is looked at by itself.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from ..payloads import Spot

_DEEPEST = 12  # levels of brackets; no shape has more than eight
_LONGEST = 15  # digits of a number

_START = re.compile(r"[\[{]")
_BLANK = re.compile(r"(?:\s+|//[^\n]*+|#[^\n]*+)+")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*+)(")?', re.DOTALL)
_ENDS = r"\s*[,:\]})]"
_SINGLE = re.compile(rf"'((?:[^'\\]|\\.|'(?!{_ENDS}))*+)('(?={_ENDS}))?", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z]+")
_CONSTANTS = {"null": None, "None": None, "true": True, "True": True, "false": False, "False": False}
_CLOSES = {"[": "]", "{": "}", "(": ")"}
_NOTHING = object()  # no value: what was cut off


class Text(str):
    """A string, and where it stands in the reply."""

    __slots__ = ("spot",)
    spot: Spot | None


class Object(NamedTuple):
    """An object: its names and values in their order, as a name may come again."""

    pairs: list[tuple[str, Any]]


class FoundValue(NamedTuple):
    """A value, where it begins and ends in the text, and whether the text broke off in it."""

    value: Any
    begin: int
    end: int
    cut: bool = False


class _Frame:
    """An open bracket: what it holds so far, and what may come next: a value, a comma, a name or a colon."""

    def __init__(self, bracket: str, begin: int) -> None:
        self.bracket, self.begin = bracket, begin
        self.items: list[Any] = []
        self.children: list[FoundValue] = []  # the objects and arrays among them
        self.name: str | None = None
        self.wants = "name" if bracket == "{" else "value"

    def value(self) -> Any:
        return Object(self.items) if self.bracket == "{" else self.items

    def add(self, value: Any) -> bool:
        """Whether the value may stand here."""
        if self.wants == "name":
            if not isinstance(value, str):
                return False
            self.name, self.wants = value, "colon"
            return True
        if self.wants != "value":
            return False
        self.items.append((self.name, value) if self.bracket == "{" else value)
        self.wants = "comma"
        return True

    def sign(self, sign: str) -> bool:
        """Whether the comma or colon may stand here."""
        if sign == ":" and self.wants == "colon":
            self.wants = "value"
        elif sign == "," and self.wants == "comma":
            self.wants = "name" if self.bracket == "{" else "value"
        else:
            return False
        return True

    def closes(self, sign: str) -> bool:
        """Whether the bracket may be closed here; a comma before it does not matter."""
        inside = self.wants == "value" and self.bracket == "{"  # behind a colon
        return sign == _CLOSES[self.bracket] and self.wants != "colon" and not inside


def values(text: str) -> list[FoundValue]:
    """The outermost objects and arrays of a text, with everything in them.

    >>> [each.value for each in values("So: [['Ada', ('x', 1),],] and [sic] {'a': None")]
    [[['Ada', ['x', 1]]], Object(pairs=[('a', None)])]
    """
    return _LenientReader(text).read()


class _LenientReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[FoundValue] = []
        self.stack: list[_Frame] = []
        self.unclosed = False  # whether a comment was opened behind which none is closed

    def read(self) -> list[FoundValue]:
        place = 0
        while True:
            if not self.stack:
                start = _START.search(self.text, place)
                if start is None:
                    return self.found
                place = start.start()
            else:
                place = self.skip(place)
            if place >= len(self.text):
                self.broken_off()
                return self.found
            after = self.token(place)
            if after is None:
                place = self.failed(place)
            else:
                place = after

    def skip(self, place: int) -> int:
        """The place behind blanks and comments."""
        while True:
            if blank := _BLANK.match(self.text, place):
                place = blank.end()
            if self.unclosed or not self.text.startswith("/*", place):
                return place
            end = self.text.find("*/", place + 2)
            if end < 0:
                self.unclosed = True
                return place
            place = end + 2

    def token(self, place: int) -> int | None:
        """Take what stands here, and say where it ends; None if it must not stand here."""
        sign = self.text[place]
        if sign in _CLOSES:
            return self.open(sign, place)
        top = self.stack[-1]
        if sign in "]})":
            return self.close(place) if top.closes(sign) else None
        if sign in ",:":
            return place + 1 if top.sign(sign) else None
        value, end = self.scalar(place)
        if end < 0:
            return None
        if value is _NOTHING:  # cut off
            return len(self.text) if top.wants in ("value", "name") else None
        return end if top.add(value) else None

    def open(self, sign: str, place: int) -> int | None:
        if self.stack and self.stack[-1].wants != "value":
            return None
        if len(self.stack) >= _DEEPEST:
            return None
        self.stack.append(_Frame(sign, place))
        return place + 1

    def close(self, place: int) -> int:
        frame = self.stack.pop()
        found = FoundValue(frame.value(), frame.begin, place + 1)
        if self.stack:
            self.stack[-1].add(found.value)
            self.stack[-1].children.append(found)
        else:
            self.found.append(found)
        return place + 1

    def failed(self, place: int) -> int:
        """Give up all open brackets: what they hold is outermost now."""
        inner = [child for frame in self.stack for child in frame.children]
        self.found += sorted(inner, key=lambda each: each.begin)
        self.stack = []
        return place if self.text[place] in "[{" else place + 1

    def broken_off(self) -> None:
        """Close all brackets that are open at the end of the text."""
        if not self.stack:
            return
        begin = self.stack[0].begin
        while self.stack:
            frame = self.stack.pop()
            if self.stack:
                self.stack[-1].add(frame.value())
            else:
                self.found.append(FoundValue(frame.value(), begin, len(self.text), cut=True))

    def scalar(self, place: int) -> tuple[Any, int]:
        """The string, number or constant that stands here, and where it ends; -1 if there is none."""
        sign = self.text[place]
        if sign in "\"'":
            match = (_DOUBLE if sign == '"' else _SINGLE).match(self.text, place)
            assert match is not None
            return (_text(match), match.end()) if match[2] else (_NOTHING, match.end())
        number, name = _NUMBER.match(self.text, place), _NAME.match(self.text, place)
        if number:
            if number.end() == len(self.text):
                return _NOTHING, number.end()
            return _number(number[0]), number.end()
        if name and name[0] in _CONSTANTS:
            return _CONSTANTS[name[0]], name.end()
        cut = name and name.end() == len(self.text) and any(each.startswith(name[0]) for each in _CONSTANTS)
        return (_NOTHING, len(self.text)) if cut else (None, -1)


def _text(match: re.Match[str]) -> Text:
    written = match[1]
    if "\\" in written:
        if match[0][0] == "'":
            written = written.replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\"')
        try:
            written = json.loads(f'"{written}"', strict=False)
        except ValueError:
            written = re.sub(r"\\(.)", r"\1", written)
        written = written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    found = Text(written)
    found.spot = match.span(1)
    return found


def _number(digits: str) -> int | float | None:
    if len(digits) > _LONGEST:
        return None
    value = float(digits)
    return None if math.isinf(value) else int(value) if value == int(value) else value
