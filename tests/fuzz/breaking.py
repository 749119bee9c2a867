"""Files that are broken in a known way: whatever else is in them, they must be refused, or what is wrong be reported.

A break is a function of a valid text, which gives a broken one; None if there is nothing to break in it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

Break = Callable[[str, random.Random], str | None]


def _without(pattern: str) -> Break:
    """One of the places is gone."""
    return _instead(pattern, lambda found: "")


def _instead(pattern: str, new: Callable[[re.Match[str]], str]) -> Break:
    """One of the places has another text."""

    def change(text: str, chance: random.Random) -> str | None:
        places = [*re.finditer(pattern, text, re.M)]
        if not places:
            return None
        place = chance.choice(places)
        return text[: place.start()] + new(place) + text[place.end() :]

    return change


def _twice(pattern: str) -> Break:
    """A document is there for the second time."""

    def change(text: str, chance: random.Random) -> str | None:
        found = re.search(pattern, text, re.M | re.S)
        return text + found[0] if found else None

    return change


def _record(change: Callable[[dict[str, Any], random.Random], bool]) -> Break:
    """A record of JSON is changed."""

    def changed(text: str, chance: random.Random) -> str | None:
        lines = text.splitlines()
        number = chance.randrange(len(lines))
        record = json.loads(lines[number])
        if not change(record, chance):
            return None
        lines[number] = json.dumps(record)
        return "\n".join(lines) + "\n"

    return changed


def _words(record: dict[str, Any]) -> int:
    return sum(map(len, record["sentences"]))


def _span(make: Callable[[dict[str, Any], list[int]], list[Any]]) -> Break:
    """A span of a cluster, in a record that says nothing else of mentions, becomes another one."""

    def change(record: dict[str, Any], chance: random.Random) -> bool:
        record.pop("scoref", None)
        spans = [(entity, place) for entity in record["clusters"] for place in range(len(entity))]
        if not spans:
            return False
        entity, place = chance.choice(spans)
        entity[place] = make(record, entity[place])
        return True

    return _record(change)


def _other_word(record: dict[str, Any], chance: random.Random) -> bool:
    sentence = chance.choice([each for each in record["sentences"] if each] or [[]])
    if not sentence:
        return False
    sentence[chance.randrange(len(sentence))] = "zzz"
    return True


def _member_twice(record: dict[str, Any], chance: random.Random) -> bool:
    clusters = record["clusters"]
    entities = clusters if isinstance(clusters, list) else [*clusters.values()]
    if len(entities) < 2 or not entities[0]:
        return False
    entities[1].append(entities[0][0])
    return True


_TOKEN = r"^(?!#)\S.*\n"
BREAKS: dict[str, dict[str, Break]] = {
    "conll": {
        "a closing bracket is gone": _instead(r"(?<=[\t|])\w+\)(?=\||$)", lambda _: "-"),
        "an opening bracket is gone": _instead(r"(?<=[\t|])\(\w+(?=\||$)", lambda _: "-"),
        "a bracket is not one": _instead(r"\((\w+)\)$", lambda found: f"({found[1]}))"),
        "a word is another": _instead(r"^(\S+\t\d+\t\d+\t)\S+", lambda found: f"{found[1]}zzz"),
        "a token is gone": _without(_TOKEN),
        "a document is there twice": _twice(r"#begin document.*?#end document\n"),
        "a document has another name": _instead(r"^#begin document .*", lambda _: "#begin document zzz"),
    },
    "corefud": {
        "a closing bracket is gone": _without(r"(?<=[=)])e\d+\)"),
        "an opening bracket is gone": _without(r"\(e\d+[^()|\t\n]*(?=[|\n])"),
        "a word is another": _instead(r"^(\d+\t)[^\t]+", lambda found: f"{found[1]}zzz"),
        "a cell is gone": _instead(r"^(\d+\t\S+)\t_", lambda found: found[1]),
        "a token has another number": _instead(r"^\d+(?=\t)", lambda found: f"{int(found[0]) + 5}"),
        "a document has another name": _instead(r"^# newdoc id = .*", lambda _: "# newdoc id = zzz"),
    },
    "ua": {
        "a closing bracket is gone": _instead(r"(?<=\t)\)(?=\t)", lambda _: "_"),
        "an entity has no name": _without(r"EntityID=[^|)]*\|"),
        "a markable has no name": _instead(r"MarkableID=[^|)\t]*\|?", lambda _: ""),
        "a word is another": _instead(r"^(\d+\t)[^\t]+", lambda found: f"{found[1]}zzz"),
        "a document has another name": _instead(r"^# newdoc id = .*", lambda _: "# newdoc id = zzz"),
    },
    "jsonl": {
        "a span goes beyond the words": _span(lambda record, span: [span[0], _words(record) + 3]),
        "a span ends before it begins": _span(lambda record, span: [span[1] + 2, span[0]]),
        "a span is no numbers": _span(lambda record, span: ["x", span[1]]),
        "a span is negative": _span(lambda record, span: [-2, span[1]]),
        "a span lacks its end": _span(lambda record, span: [span[0]]),
        "a word is another": _record(_other_word),
        "the record is cut": lambda text, chance: text[: -chance.randrange(3, 20)],
        "a document is there twice": lambda text, chance: text + text.splitlines()[0] + "\n",
    },
    "tbf": {
        "a cluster has an unknown mention": _instead(r"^(@Coreference\t\w+\t)", lambda found: f"{found[1]}E99,"),
        "a span is no numbers": _instead(r"(?<=\tE\d\t)[^\t]+", lambda _: "x,y"),
        "a span ends before it begins": _instead(r"(?<=\tE\d\t)[^\t]+", lambda _: "9,4"),
        "a span is empty": _instead(r"(?<=\tE\d\t)[^\t]+", lambda _: "4,4"),
        "a document is there twice": _twice(r"#BeginOfDocument.*?#EndOfDocument\n"),
        "a document has another name": _instead(r"^#BeginOfDocument .*", lambda _: "#BeginOfDocument zzz"),
        "a document has no end": _without(r"^#EndOfDocument\n"),
        "a mention has no type": _instead(r"^(\S+\t\S+\tE\d+\t\S+\t[^\t]*)\t.*", lambda found: found[1]),
    },
    "muc": {
        "a tag is not closed": _without(r"</COREF>"),
        "a tag is not opened": _without(r"<COREF [^>]*>"),
        "a link leads nowhere": _instead(r'REF="[^"]*"', lambda _: 'REF="zzz"'),
        "a mention has no name": _instead(r'(?<=<COREF )ID="[^"]*"', lambda _: ""),
    },
    "ecb": {
        "an anchor is of no token": _instead(r'token_anchor t_id="\d+"', lambda _: 'token_anchor t_id="999"'),
        "a link is of no mention": _instead(r'<source m_id="\d+"', lambda _: '<source m_id="999"'),
        "an element is not closed": _without(r"</Markables>|</Document>"),
    },
    "webanno": {
        "a line has too few cells": _instead(r"^(\d+-\d+\t\d+-\d+)\t.*", lambda found: found[1]),
        "a token has no number": _instead(r"^\d+-\d+(?=\t)", lambda _: "x"),
    },
    "clusters": {
        "a mention is in two entities": _record(_member_twice),
        "the record is cut": lambda text, chance: text[: -chance.randrange(3, 8)],
    },
    "text-markdown": {
        "a mark is not closed": _without(r"\]\(#\w+\)"),
        "a mark is not opened": _without(r"\[(?=[^\[\]()]*\]\(#)"),  # not one of an id
    },
    "csv": {
        "a row lacks a cell": _instead(r"^(r\d),\w.*", lambda found: found[1]),
        "a mention has no name": _instead(r"^r\d(?=,)", lambda _: ""),
        "an entity has no name": _instead(r"^(r\d),\w+", lambda found: f"{found[1]},"),
        "a mention is there twice": _instead(r"^(r\d),(\w+).*\n", lambda found: f"{found[0]}{found[1]},zz,2001\n"),
    },
}  # fmt: skip


def broken(kind: str, text: str, chance: random.Random) -> tuple[str, str] | None:
    """What was broken, and the broken text; None if there is no way to break it."""
    ways = BREAKS.get(kind, {})
    for name in chance.sample([*ways], len(ways)):
        changed = ways[name](text, chance)
        if changed is not None and changed != text:
            return name, changed
    return None
