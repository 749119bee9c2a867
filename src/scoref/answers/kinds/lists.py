"""Reads lists in which a language model gives an entity a line, or a line to each mention under the entity's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..cleaning import LINE
from ..payloads import Link, Listed, Payload
from ..strings import KeyText
from .cells import counts, strings

_MARKED = re.compile(r"(?P<blank>[ \t]*)(?:(?P<bullet>[-*•+])|(?P<number>[0-9]{1,4})[.)]|(?P<heading>#{1,6}))[ \t]+")
_INDENT = re.compile(r"[ \t]*")
_COLON = re.compile(r"[:：]")
_BOLD = re.compile(r"(\*\*|__).*\1\s*")
_ARROW = r"(?<!-)-++>|(?<!=)=++>|→|⇒|➜|⟶|(?<!\w)refers to(?!\w)"
_LINK = re.compile(rf"(?<!\s)\s*+(?:{_ARROW})\s*+", re.IGNORECASE)  # tried once in a run of blanks or dashes
_MEMBERS = re.compile(
    r"(?<!\w)(?:mention|name|pronoun|noun|reference|expression|span|member|alias)(?:s|es)?(?!\w)", re.IGNORECASE
)
_EMPHASIS = "*_ \t"
_NAME_WORDS = 6


class _Line(NamedTuple):
    """A line: how deep it is, its number or bullet, its name before a colon, its strings."""

    indent: int
    marker: str | None
    name: str | None
    listed: list[Listed]
    counts: bool
    title: bool  # a heading, bold, or with a colon at its end
    links: tuple[Listed, Listed] | None = None

    @property
    def is_bullet(self) -> bool:
        """Whether it may be one mention of the entity that is named above."""
        return self.marker is not None and self.name is None and len(self.listed) == 1 and not self.links

    @property
    def of_members(self) -> bool:
        return self.name is not None and _MEMBERS.search(self.name) is not None


class _Entity(NamedTuple):
    """An entity: its name and number, and its mentions."""

    name: str | None
    number: str | None
    members: list[Listed]


def lists(text: str, key: KeyText) -> list[Payload]:
    """What the lines of a text list: one payload, or several, if names or numbers come again."""
    lines = [*_lines(text, key)]
    parts = _parts([*_entities([*_with_bullets(lines)])])
    if parts:
        return [Payload([each.members for each in part]) for part in parts]
    links = [Link.of(*line.links) for line in lines if line.links and counts([*line.links], key)]
    return [Payload(links=links)] if links else []


def _lines(text: str, key: KeyText) -> Iterator[_Line]:
    for match in LINE.finditer(text):
        begin, end = match.start(), match.start() + len(match[0].rstrip())
        if not text[begin:end].strip():
            continue
        marked = _MARKED.match(text, begin, end)
        start = marked.end() if marked else _INDENT.match(text, begin, end).end()  # type: ignore[union-attr]
        indent = len((marked["blank"] if marked else text[begin:start]).expandtabs(4))
        heading = bool(marked and marked["heading"])
        marker = (marked["bullet"] or marked["number"]) if marked and not heading else None
        bold = _BOLD.fullmatch(text, start, end) is not None
        links = _linked(text, start, end, key)
        name, rest = _named(text, start, end)
        listed = strings(text, (rest, end), key)
        if heading or bold:
            listed = [each._replace(text=(each.text or "").strip("*_ ")) for each in listed]
        fitting = not links and (marker is not None or name is not None) and counts(listed, key)
        ends = bool(name is not None and not listed)
        yield _Line(indent, marker, name, listed, fitting, heading or bold or ends, links)


def _named(text: str, begin: int, end: int) -> tuple[str | None, int]:
    """The name before a colon, if there is one, and where the rest begins."""
    colon = _COLON.search(text, begin, end)
    if colon is None:
        return None, begin
    name = text[begin : colon.start()].strip(_EMPHASIS)
    if not name or len(name.split()) > _NAME_WORDS or name[0] in "\"'“[({":
        return None, begin
    rest = colon.end()
    while rest < end and text[rest] in _EMPHASIS:
        rest += 1
    return name, rest


def _linked(text: str, begin: int, end: int, key: KeyText) -> tuple[Listed, Listed] | None:
    """The mention and the antecedent of a line with an arrow, if one string is on each side of it."""
    arrows = [*_LINK.finditer(text, begin, end)]
    if len(arrows) != 1:
        return None
    sides = [strings(text, spot, key) for spot in ((begin, arrows[0].start()), (arrows[0].end(), end))]
    return (sides[0][0], sides[1][0]) if len(sides[0]) == len(sides[1]) == 1 else None


def _with_bullets(lines: Sequence[_Line]) -> Iterator[_Line]:
    """The lines, with bullets of one string each as the strings of the line that they are under."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        deep = next((each.indent for each in lines[number : number + 1]), -1)
        if deep <= line.indent and (line.marker is not None or not line.title):
            yield line
            continue
        last = number
        while last < len(lines) and lines[last].is_bullet and lines[last].indent == deep:
            last += 1
        under = lines[number:last]
        more = last < len(lines) and lines[last].marker is not None and lines[last].indent >= deep
        if not under or more:  # a bullet with others under it is itself a name
            yield line
            continue
        listed = [each for bullet in under for each in bullet.listed]
        # all of them, or there would be no saying which bullets are remarks
        fitting = any(bullet.counts for bullet in under) and 2 * sum(each.counts for each in under) >= len(under)
        name = line.name or next((each.text for each in line.listed), None)
        yield line._replace(name=name, listed=listed, counts=fitting, links=None)
        number = last


def _entities(lines: Sequence[_Line]) -> Iterator[_Entity]:
    """The entities that lines list; lines with names like "Mentions" are of the entity named above them."""
    above: _Line | None = None  # a line that counts, and may be a name only
    names: set[str] = set()
    block: list[Listed] | None = None
    header: _Line | None = None
    for line in lines:
        if line.of_members and line.counts:
            name = (line.name or "").casefold()
            if block is not None and name in names:
                yield _Entity(header and header.name, header and header.marker, block)
                block, header = None, None
            if block is None:
                block, header, names, above = [], above, set(), None
            names.add(name)
            block += line.listed
            continue
        if not line.counts and line.name is not None:
            continue  # such as "Type: person"
        if block is not None:
            yield _Entity(header and header.name, header and header.marker, block)
            block, header = None, None
        if above is not None:
            yield _Entity(above.name, above.marker, above.listed)
        above = line if line.counts else None
    if above is not None:
        yield _Entity(above.name, above.marker, above.listed)
    if block is not None:
        yield _Entity(header and header.name, header and header.marker, block)


def _parts(entities: Sequence[_Entity]) -> list[list[_Entity]]:
    """The entities, cut where a name or a number comes again; one name for all of them says nothing."""
    parts: list[list[_Entity]] = []
    alike = len({each.name for each in entities}) == 1 and not re.search(r"\d", entities[0].name or "")
    seen: set[str] = set()
    for each in entities:
        number = each.number if each.number and each.number.isdecimal() else None
        name = None if alike or not each.name or _MEMBERS.search(each.name) else each.name.casefold()
        own = {*([f"={name}"] if name else []), *([number] if number else [])}
        if not parts or own & seen:
            parts.append([])
            seen = set()
        seen |= own
        parts[-1].append(each)
    return parts
