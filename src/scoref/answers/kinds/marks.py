"""Mentions that a language model marked in the text, and the style of the marks: the key's text decides it.

The right style is the one without whose marks the reply is most nearly the key's text: the least cost of an alignment,
then the most marks, then the order of the styles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...document.document import Document, Mention
from ...formats.marked.marks import LETTERS, Dropped, Marked, Scanned, scan
from ...formats.marked.read import mentions_of
from ...formats.marked.styles import ALL_STYLES, Style, styled
from ...problems import Error
from ...texts.align import Drift, align
from ...texts.projection import moved, plainly_another
from ..payloads import Spot

_LEAST = 0.5  # the least share of words, or of pieces, that are aligned in the same text
_TAIL = 2000  # letters at the end of a reply in which half a mark is looked for
_TAG = re.compile(r"</?([A-Za-z][A-Za-z_-]*)\s*/?>")
_NO_TAG = re.compile(r"<(?:[^A-Za-z/{]|\{words\})")  # of a template: <<{words}>>={id}
_WITH_ATTRIBUTES = re.compile(r"<([A-Za-z][\w.-]*)\s[^<>=]*=")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SIGNS = "[]{}<*"
_GROUP = 4  # so many words can be one piece


class MarkedMention(NamedTuple):
    """A marked mention: where it is in the key (None: nowhere), its entity, its words and its place in the reply."""

    mention: Mention | None
    entity: str
    text: str
    spot: Spot


class MarkedReply(NamedTuple):
    """A reply with marks: their style, the mentions, what is to be counted, and how the texts differ.

    Without `drift` the texts have next to nothing in common.
    """

    style: str
    mentions: list[MarkedMention]
    counts: Counter[str]
    drift: Drift | None
    pieces: int
    dropped: tuple[Dropped, ...] = ()

    def behind(self, before: str) -> MarkedReply:
        """The same, read in the part of a reply that stands behind another."""
        moved = [each._replace(spot=(each.spot[0] + len(before), each.spot[1] + len(before))) for each in self.mentions]
        lines = before.count("\n")
        dropped = [each._replace(line=each.line + lines, offset=each.offset + len(before)) for each in self.dropped]
        return self._replace(mentions=moved, dropped=tuple(dropped))

    @property
    def placed(self) -> bool:
        """Whether some mention has a place in the key."""
        return any(each.mention for each in self.mentions)

    @property
    def yields(self) -> bool:
        """The same in a text that is the key's own: half of its words, or half of the reply's pieces, are aligned."""
        if self.drift is None or not self.placed:
            return False
        return self.drift.share >= _LEAST or len(self.drift.aligned) >= _LEAST * self.pieces

    @property
    def rank(self) -> tuple[bool, float, int]:
        """The better style has the lower rank; marks in a remark are marks of the style, too."""
        marks = len(self.mentions) + self.counts["outside"]
        return not self.placed, self.drift.cost if self.drift else float("inf"), -marks


class Marks:
    """Reads the marks of replies beside the words of a key, in the style of that name or template if there is one."""

    def __init__(self, words: Sequence[str], style: str | None) -> None:
        self.key = Document("", [*words])
        self.literal = frozenset(sign for sign in _SIGNS if any(sign in word for word in words))
        self.styles = [styled(style)] if style else [*ALL_STYLES.values()]

    def read(self, text: str) -> list[MarkedReply]:
        """The candidates of a reply: its paragraphs that are each a copy of the key, or the whole text."""
        styles = [style for style in self.styles if re.search(style.hint, text)]
        found = [each for style in styles if (each := self._read(text, (0, len(text)), style)) is not None]
        if not found:
            return []
        best = min(found, key=lambda each: each.rank)
        style = next(style for style in styles if style.template == best.style)
        copies = [each for spot in self._copies(text) if (each := self._read(text, spot, style)) is not None]
        copies = [each for each in copies if each.drift and each.drift.share >= _LEAST]
        return copies if len(copies) > 1 else [best]

    def _copies(self, text: str) -> Iterator[Spot]:
        """Paragraphs that may be copies of the key, if there are several."""
        ends = [each.span() for each in _PARAGRAPH.finditer(text)]
        spots = [(begin, end) for (_, begin), (end, _) in zip([(0, 0), *ends], [*ends, (len(text), 0)], strict=True)]
        least = _LEAST * len(self.key.words) / _GROUP
        spots = [(begin, end) for begin, end in spots if len(LETTERS.findall(text, begin, end)) >= least]
        yield from spots if len(spots) > 1 else ()

    def _read(self, text: str, spot: Spot, style: Style) -> MarkedReply | None:
        """A part of a reply in a style; None if it has no mentions in it."""
        part, cut = self._without_half(self._without_others(text[slice(*spot)], style), style)
        found = self._scanned(part, style)
        if not found.mentions:
            return None
        own = Document("", found.pieces, mentions_of(found))
        drift = _aligned(self.key, own)
        dropped = Counter(mark.kind for mark in found.dropped)
        late = _open(found)
        counts = Counter({
            "unopened": dropped["unopened"],
            "unclosed": 0 if style.template.startswith("**") else dropped["unclosed"] - late,
            "truncated": int(cut or (late > 0 and not style.template.startswith("**"))),
        })  # fmt: skip
        mentions: list[MarkedMention] = []
        for mark, mention in zip(found.mentions, own.mentions, strict=True):
            placed = moved(mention, drift) if drift else None
            if placed is None and drift and _is_outside(mark, drift):
                counts["outside"] += 1
                continue
            counts["lost"] += placed is None
            mentions.append(MarkedMention(placed, mark.entity, own.text_of(mention), _spot(mark, found)))
        late_from = len(found.dropped) - late if late else len(found.dropped)
        kept = [mark for mark in found.dropped[:late_from] if not style.template.startswith("**")]
        read = MarkedReply(style.template, mentions, +counts, drift, len(found.pieces), tuple(kept))
        return read.behind(text[: spot[0]])

    def _scanned(self, text: str, style: Style) -> Scanned:
        return scan(text, style.template, piece=LETTERS, literal=self.literal)

    def _without_others(self, text: str, style: Style) -> str:
        """The text without tags and emphasis that are no marks, if the key has no such signs."""
        if "<" not in self.literal and "<" in text and not _NO_TAG.search(style.template):
            marks = {*_WITH_ATTRIBUTES.findall(text), *re.findall(r"</?([A-Za-z]+)", style.template)}
            text = _TAG.sub(lambda tag: tag[0] if tag[1] in marks else " " * len(tag[0]), text)
        if "*" not in self.literal and "**" not in style.template:
            text = text.replace("**", "  ")
        return text

    def _without_half(self, text: str, style: Style) -> tuple[str, bool]:
        """The text without half a mark at its end, and whether there was one."""
        end = len(text.rstrip())
        tail = text[max(0, end - _TAIL) : end]
        half = next(re.finditer(rf"(?:{style.half})\Z", tail), None)
        if half is None or not half[0] or self.literal & {*half[0]} or _ends_closed(tail, style):
            return text, False
        rest = text[: end - len(half[0])]
        begins = half[0][0] == "<" or (len(half[0]) > 1 and half[0][0] in "[{")
        return (rest, True) if begins or _open(self._scanned(rest, style)) else (text, False)


def _ends_closed(text: str, style: Style) -> bool:
    """Whether a whole closing mark stands at the end."""
    marks = style.pattern.finditer(text) if style.pattern else ()
    return any(mark.end() == len(text) and mark.groupdict().get("close") for mark in marks)


def _open(found: Scanned) -> int:
    """How many marks are open at the end of a text, behind which no mark is closed."""
    ends = [found.offsets[mark.last] for mark in found.mentions if mark.last < len(found.offsets)]
    last = max([-1, *ends, *(mark.offset for mark in found.dropped if mark.kind != "unclosed")])
    return sum(mark.offset > last for mark in found.dropped if mark.kind == "unclosed")


def _spot(mark: Marked, found: Scanned) -> Spot:
    """Where the words of a mark stand in the text."""
    first = found.offsets[mark.first] if mark.first < len(found.offsets) else 0
    last = found.offsets[mark.last] + len(found.pieces[mark.last]) if mark.first <= mark.last else first
    return first, last


def _aligned(key: Document, own: Document) -> Drift | None:
    if plainly_another(key, own):
        return None
    try:
        return align(key.words, own.words)
    except Error:
        return None


def _is_outside(mark: Marked, drift: Drift) -> bool:
    """Whether all pieces of a mark are before the first or behind the last piece of the key's text: in a remark."""
    aligned = drift.aligned
    return len(aligned) > 0 and (mark.last < aligned[0] or mark.first > aligned[-1])
