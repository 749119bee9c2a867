"""The choice of a style of marks by the letter of the rules, for marks that are not in one another: slow and plain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import slow_drift

# How the marks of each style are written, in the order of the list in which ties are decided.
ID = r"[\w.:-]+"
DIGIT = r"(?=[\w.:-]*\d)[\w.:-]+"
STYLES = {
    "[{words}](#{id})": r"\[(?P<words>[^][]*)\]\(#?(?P<id>[^()]+)\)",
    "[{words}]_{{id}}": r"\[(?P<words>[^][]*)\]_(?:\{(?P<id>[^{}]+)\}|(?P<plain>\w+))",
    "[{words}: {id}]": r"\[(?P<words>[^][]*):\s*(?P<id>[^\s:]+)\s*\](?!\(#|_)",
    "<m> {words} | {id} </m>": r"<m>(?P<words>[^<>|]*)(?:\|\s*(?P<id>[^\s|<>]+)\s*)?</m>",
    "<m>{words}</m>#{id}": r"<m>(?P<words>[^<>]*)</m>(?:#(?P<id>\w+))?",
    '<coref id="{id}">{words}</coref>': r'<(?P<tag>\w+) [^<>=]*="?(?P<id>[^"<>]+)"?>(?P<words>[^<>]*)</(?P=tag)>',
    "[{words}][{id}]": rf"\[(?P<words>[^][]*)\]\[#?(?P<id>{ID})\]",
    "[{words}|{id}]": rf"\[(?P<words>[^][]*)\|(?P<id>{ID})\]",
    "[{words}]#{id}": rf"\[(?P<words>[^][]*)\]#(?P<id>{ID})",
    "[{words}]^{id}": rf"\[(?P<words>[^][]*)\]\^(?P<id>{ID})",
    "[{id} {words}]": rf"\[#?(?P<id>{DIGIT}) (?P<words>[^][]*)\]",
    "[{id}: {words}]": r"\[#?(?P<id>[\w.-]+): (?P<words>[^][]*)\]",
}


class Slow(NamedTuple):
    """A reading of a text in a style: what it costs, how many marks there are, the words of the key that they have."""

    cost: int
    marks: int
    places: list[object]


def read(key: Sequence[str], text: str, pattern: str) -> Slow:
    """The text without the marks of a style, aligned by the full table; a mark without an id is no mention."""
    pieces: list[str] = []
    marked: list[tuple[int, int]] = []
    place = 0
    for mark in re.finditer(pattern, text):
        pieces += text[place : mark.start()].split()
        first = len(pieces)
        pieces += mark["words"].split()
        if len(pieces) > first and (mark["id"] or mark.groupdict().get("plain")):
            marked.append((first, len(pieces) - 1))
        place = mark.end()
    pieces += text[place:].split()
    cost, found = slow_drift.align(key, pieces)
    places = [slow_drift.place(key, pieces, found, *each) for each in marked]
    return Slow(cost, len(marked), places)


def without_tags(text: str, style: str) -> str:
    """The text without tags that never have an attribute, and that the style does not use: they are no text."""
    names = {*re.findall(r"<(\w+) [^<>]*=", text), *re.findall(r"<(\w+)", style)}
    return re.sub(r"</?(\w+)>", lambda tag: tag[0] if tag[1] in names else " ", text)


def choice(key: Sequence[str], text: str) -> str | None:
    """The style without whose marks the text is most nearly the key's; None if no mark of any style has a place."""
    readings = {style: read(key, without_tags(text, style), pattern) for style, pattern in STYLES.items()}
    order = [*STYLES]
    found = [style for style in order if any(readings[style].places)]
    return min(
        found, key=lambda style: (readings[style].cost, -readings[style].marks, order.index(style)), default=None
    )
