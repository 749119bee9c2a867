"""What counts of a reply: candidates in the order of their kinds, and the last that yields of the first kind that does.

A candidate yields if at least one of its mentions has a place in the key. The kinds: fenced blocks, JSON, running text
with marks, lists. In a fenced block the others are looked for in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .cleaning import cleaned, fences
from .kinds.lenient import FoundValue, Object, values
from .kinds.lists import lists
from .kinds.marks import MarkedReply, Marks
from .kinds.shapes import grouped, payload_of
from .kinds.tables import tables
from .payloads import Payload
from .placing import yields
from .strings import KeyText

REASONS = {
    "empty": "nothing is in it",
    "not-the-same-text": "nothing of what it lists or marks is in the key",
    "truncated": "it was cut off before a mention was complete",
    "unreadable": "brackets, tags or tables that are no mentions",
    "refusal": "prose, or the text without any mark",
}

# What may stand between objects, or lists of strings, that are one payload.
_BETWEEN = re.compile(r"[\s,]*(?:(?:[-*•]|[0-9]+[.)])\s*)?(?:[*_]{0,2}[^\n:\[\]{}\"]{1,60}:[*_]{0,2}\s*)?")
_SIGNS = re.compile(r"\[[^\[\]]*\]|[\[{]|<[A-Za-z/][^<>]*>|^[ \t]*+\|.*\|", re.MULTILINE)


class Chosen(NamedTuple):
    """What counts of a reply: a payload or a reply with marks, of which kind, and how many candidates yielded.

    Without either, `reason` says why there is nothing; without a reason there are no entities.
    """

    kind: str = ""
    payload: Payload | None = None
    marked: MarkedReply | None = None
    payloads: int = 0
    reason: str | None = None

    def behind(self, before: str) -> Chosen:
        """The same, found in the part of a text that stands behind another."""
        payload = self.payload and self.payload.behind(len(before))
        marked = self.marked and self.marked.behind(before)
        return self._replace(payload=payload, marked=marked)


class _Seen:
    """What was seen of a reply while nothing yielded."""

    def __init__(self) -> None:
        self.read = self.cut = self.nothing = False


class _Candidates:
    """Looks for candidates in a reply beside a key."""

    def __init__(self, key: KeyText, marks: Marks) -> None:
        self.key, self.marks, self.seen = key, marks, _Seen()

    def all(self, text: str) -> Chosen | None:
        spots = fences(text)
        fenced = [each for spot in spots for each in self.plain(text, *spot)]
        found = fenced or self.plain(text, 0, len(text))
        return found[-1]._replace(payloads=len(found)) if found else None

    def plain(self, text: str, begin: int, end: int) -> list[Chosen]:
        """The candidates of the first kind that yields, in a part of the text."""
        part = text[begin:end]
        for kind, find in _KINDS.items():
            if found := [each.behind(text[:begin])._replace(kind=kind) for each in find(self, part)]:
                return found
        return []

    def json(self, text: str) -> list[Chosen]:
        return self.those(_json(text, self.seen))

    def marked(self, text: str) -> list[Chosen]:
        found = self.marks.read(text)
        self.seen.read = self.seen.read or any(each.mentions for each in found)
        return [Chosen(marked=each) for each in found if each.yields]

    def lists(self, text: str) -> list[Chosen]:
        return self.those(tables(text, self.key)) or self.those(lists(text, self.key))

    def those(self, payloads: Sequence[Payload]) -> list[Chosen]:
        """The payloads that yield."""
        self.seen.read = self.seen.read or any(each.mentions for each in payloads)
        self.seen.cut = self.seen.cut or any(each.cut for each in payloads)
        self.seen.nothing = self.seen.nothing or any(not each.mentions and not each.cut for each in payloads)
        return [Chosen(payload=each) for each in payloads if yields(each, self.key)]


_KINDS: dict[str, Callable[[_Candidates, str], list[Chosen]]]
_KINDS = {"json": _Candidates.json, "marks": _Candidates.marked, "lists": _Candidates.lists}


def chosen(reply: str, key: KeyText, marks: Marks) -> Chosen:
    """What counts of a reply."""
    text, cut = cleaned(reply)
    if not text.strip():
        return Chosen(reason="truncated" if cut else "empty")
    if "".join(text.split()) == "".join("".join(key.words).split()):  # the text itself, which may look like a list
        return Chosen(reason="refusal")
    reader = _Candidates(key, marks)
    found = reader.all(text)
    if found is not None:
        return found
    seen = reader.seen
    if seen.nothing and not seen.read:
        return Chosen(kind="json", payload=Payload(), payloads=1)
    if seen.read:
        return Chosen(reason="not-the-same-text")
    if seen.cut:
        return Chosen(reason="truncated")
    return Chosen(reason="unreadable" if _SIGNS.search(text) else "refusal")


def _json(text: str, seen: _Seen) -> list[Payload]:
    """What each value of JSON, or each run of objects or lists of strings, says."""
    found = []
    for run in _runs(text):
        whole = grouped([each.value for each in run]) if len(run) > 1 else None
        parts = [(whole, run[-1].cut)] if whole else [(payload_of(each.value), each.cut) for each in run]
        seen.cut = seen.cut or any(cut for _, cut in parts)
        found += [part._replace(cut=cut) for part, cut in parts if part is not None]
    return found


def _runs(text: str) -> Iterator[list[FoundValue]]:
    """Values with nothing but commas, list markers and a label between them, if they are of a kind that goes so."""
    run: list[FoundValue] = []
    for each in values(text):
        if run and not (
            _kind(run[-1].value) == _kind(each.value) != "" and _BETWEEN.fullmatch(text, run[-1].end, each.begin)
        ):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _kind(value: Any) -> str:
    """Whether a value is an object or a flat list of strings."""
    if isinstance(value, Object):
        return "object"
    return "list" if value and all(isinstance(each, str) for each in value) else ""
