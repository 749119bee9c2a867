"""Mentions marked in running text, as language models write them.

In `[Ada](#1) phoned [the plumber](#2).` there are two mentions. In every style (`styles.py`) but `crac` marks enclose
words and nest. `find_style` finds the style of a text, `documents` cuts a file into its documents, `scan` reads one of
them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from operator import attrgetter
from typing import NamedTuple

from .styles import STYLES, Style, attributes_id, styled

NO_ID = frozenset(("", "MASK", "___"))  # what models write in place of an id

# Han and kana letters, and the signs of their punctuation: there are no blanks between words.
_HAN = "\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WIDE = "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f"
_PIECE = re.compile(r"\S+")
LETTERS = re.compile(rf"[{_HAN}{_WIDE}]|[^\s{_HAN}{_WIDE}]+")
_BEHIND = re.compile(r"[ \t]*\S+")
_SHOWN = 100  # characters shown of the word after a mark
_LONGEST = 500  # characters shown of a dropped mark, which may enclose many others
_BEGIN = re.compile(r"#begin document\s(.*)$")
_END = re.compile(r"#end document\s*$")


class Marked(NamedTuple):
    """A marked mention: its entity, its first and last piece, and its empty nodes.

    A mention of empty nodes only has no pieces: `last` is one less than `first`. `zeros` is a range of the text's empty
    nodes, not a list, as nested mentions share them.
    """

    entity: str
    first: int
    last: int
    line: int
    zeros: tuple[int, int] = (0, 0)


class Dropped(NamedTuple):
    """A mark that is no mention: why (unclosed, unopened, empty, no-id), where it begins, how its text begins."""

    kind: str
    line: int
    offset: int
    text: str


class Scanned(NamedTuple):
    """A text without its marks: pieces, where each begins in the text and on which line, mentions, dropped marks.

    An empty node is given by the piece before it (-1 at the beginning) and its number there, from 1.
    """

    pieces: list[str]
    offsets: list[int]
    lines: list[int]
    mentions: list[Marked]
    dropped: list[Dropped]
    zeros: Sequence[tuple[int, int]] = ()


class MarkedText(NamedTuple):
    """A document of a file: its name, if it has one, its text, and the line of the file on which the text begins."""

    name: str | None
    text: str
    line: int


def find_style(text: str) -> list[str]:
    """The styles of marks that occur in a text, the one with the most mentions first; normally one.

    Tags of crac do not count for other styles, even if their brackets look like marks.

    >>> find_style("[Ada](#1) phoned [him](#2) [sic]"), find_style("[Ada](#1) phoned {2 him}"), find_style("Ada")
    (['markdown'], ['markdown', 'curly'], [])
    """
    found = Counter({"crac": len(scan(text, "crac").mentions)})
    rest = _PIECE.sub(_untagged, text) if found["crac"] else text
    found.update({name: len(scan(rest, name).mentions) for name in STYLES if name != "crac" and _may_be(rest, name)})
    return [name for name, count in found.most_common() if count]


def _may_be(text: str, name: str) -> bool:
    style = STYLES[name]
    return bool(re.search(style.hint, text) and re.search(style.guess, text))


def documents(text: str, style: str | None = None) -> list[MarkedText]:
    r"""The documents of a file: between lines that name them, or, in the style `crac`, one a line.

    Text outside of the named documents is a document without a name, unless it is only white space.

    >>> documents("#begin document a\nAda\n#end document\n#begin document b\nShe")
    [MarkedText(name='a', text='Ada\n', line=2), MarkedText(name='b', text='She', line=5)]
    >>> [part.text for part in documents("Ada|[e1]\nShe|[e1]\n", "crac")]
    ['Ada|[e1]', 'She|[e1]']
    """
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    if not any(_BEGIN.match(line) for line in lines):
        if style != "crac":
            return [MarkedText(None, text, 1)]
        return [MarkedText(None, line.rstrip(), number) for number, line in enumerate(lines, 1) if line.strip()]
    found: list[MarkedText] = []
    name: str | None = None
    start = 0
    for number, line in enumerate([*lines, "#end document"]):
        begin = _BEGIN.match(line)
        if begin or _END.match(line):
            part = MarkedText(name, "".join(lines[start:number]), start + 1)
            if name is not None or part.text.strip():
                found.append(part)
            name = begin[1].strip() if begin else None
            start = number + 1
    return found


def scan(
    text: str, style: str, line: int = 1, piece: re.Pattern[str] = _PIECE, literal: Set[str] = frozenset()
) -> Scanned:
    """The pieces and mentions of a text marked in a style; `line` is where it begins in its file.

    Pieces are what stands between blanks; with `LETTERS`, each letter of a language without blanks is one, too.
    Of marks that have no partner, those that are `literal` signs belong to the text.

    >>> found = scan("[Ada](#1)'s [old [sic] tap](#2) [drips.", "markdown")
    >>> found.pieces
    ['Ada', "'s", 'old', '[sic]', 'tap', 'drips.']
    >>> [(mention.entity, mention.first, mention.last) for mention in found.mentions]
    [('1', 0, 0), ('2', 2, 4)]
    >>> found.dropped
    [Dropped(kind='unclosed', line=1, offset=32, text='[drips.')]
    """
    found = styled(style)
    line_of = _Lines(text, line)
    return _scan_marks(text, found, line_of, piece, literal) if found.marks else _scan_words(text, line_of)


class _Lines:
    """A function from an offset in a text to its line."""

    def __init__(self, text: str, first: int) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self._first = first

    def __call__(self, offset: int) -> int:
        return self._first + bisect_left(self._ends, offset)


# -- marks around words ----------------------------------------------------------------------------------------------

_Match = re.Match[str]
_Pair = tuple[_Match | None, _Match | None]  # an opening and a closing mark


def _pairs(text: str, style: Style) -> Iterator[_Pair]:
    """Pairs of opening and closing marks, and marks without a partner; brackets of the text are left out."""
    assert style.pattern is not None
    marks = style.pattern.finditer(text)
    if "name" in style.pattern.groupindex:
        yield from _tagged_pairs([*marks])
        return
    if "one" in style.pattern.groupindex:
        yield from ((mark, mark) for mark in marks)
        return
    waiting: list[_Match] = []
    for mark in marks:
        if mark.lastgroup in ("open", "opens", "bracket"):
            waiting.append(mark)
            continue
        opening = waiting.pop() if waiting else None
        if mark.lastgroup != "end" and not (opening and opening.lastgroup == "bracket"):
            yield opening, mark
    for mark in waiting:
        if mark.lastgroup != "bracket":
            yield mark, None


def _tagged_pairs(marks: Sequence[_Match]) -> Iterator[_Pair]:
    """Pairs of tags of one name; closing tags of names that are never opened with an id are no marks."""
    names = {_tag_of(mark) for mark in marks if mark.lastgroup != "close"}
    waiting: list[_Match] = []
    opened = Counter[str]()
    for mark in marks:
        name = _tag_of(mark)
        if mark.lastgroup != "close":
            waiting.append(mark)
            opened[name] += 1
        elif not opened[name]:
            if name in names:
                yield None, mark
        else:
            while (other := _tag_of(opening := waiting.pop())) != name:
                opened[other] -= 1
                yield opening, None
            opened[name] -= 1
            yield opening, mark
    for mark in waiting:
        yield mark, None


def _tag_of(mark: _Match) -> str:
    known = mark.groupdict()
    return known["tag"] or known.get("unfinished") or known["name"]


def _scan_marks(text: str, style: Style, line_of: _Lines, piece: re.Pattern[str], literal: Set[str]) -> Scanned:
    pairs = [each for each in _pairs(text, style) if None not in each or {mark[0] for mark in each if mark} - literal]
    marks = sorted({_span(mark) for pair in pairs for mark in pair if mark})
    pieces: list[_Match] = []
    begin = 0
    for start, end in [*marks, (len(text), len(text))]:
        pieces += piece.finditer(text, begin, start)
        begin = end
    offsets = [each.start() for each in pieces]
    mentions: list[tuple[int, int, Marked]] = []
    dropped: list[Dropped] = []
    for opening, closing in pairs:
        start, end = (opening or closing).start(), (closing or opening).end()  # type: ignore[union-attr]
        first, last = bisect_left(offsets, start), bisect_left(offsets, end) - 1
        entity = _entity(opening) or _entity(closing)
        kind = _problem(opening, closing, first > last, entity)
        if not kind:
            mentions.append((start, -end, Marked(entity, first, last, line_of(start))))
            continue
        if kind == "unclosed":
            start, end = _unclosed(text, opening, closing)
        dropped.append(Dropped(kind, line_of(start), start, text[start : min(end, start + _LONGEST)]))
    dropped.sort(key=attrgetter("offset"))
    lines = [line_of(offset) for offset in offsets]
    return Scanned([each[0] for each in pieces], offsets, lines, [found for *_, found in sorted(mentions)], dropped)


def _span(mark: _Match) -> tuple[int, int]:
    return mark.span("close" if "one" in mark.re.groupindex else 0)


def _entity(mark: _Match | None) -> str:
    groups = mark.re.groupindex if mark else {}
    if mark and "attributes" in groups:
        return attributes_id(mark["attributes"] or "")
    return (mark["id"] or "").strip() if mark and "id" in groups else ""


def _problem(opening: _Match | None, closing: _Match | None, empty: bool, entity: str) -> str | None:
    if not closing or any(mark and mark.lastgroup in ("opens", "closes") for mark in (opening, closing)):
        return "unclosed"
    if not opening:
        return "unopened"
    return "empty" if empty else "no-id" if entity in NO_ID else None


def _unclosed(text: str, opening: _Match | None, closing: _Match | None) -> tuple[int, int]:
    """Where an unfinished or unclosed mark begins, and where the word after it ends."""
    mark = closing if closing and closing.lastgroup == "closes" else opening
    assert mark is not None
    rest = _BEHIND.match(text, mark.end(), mark.end() + _SHOWN)
    return mark.start(), (rest or mark).end()


# -- marks on words --------------------------------------------------------------------------------------------------

_TAG = re.compile(r"(\[?)([^\[\]]*)(\]?)")
_ZERO = "##"


def _tagged(word: str) -> tuple[str, list[str]]:
    """A word and its tags; a word that begins with a bar is text."""
    form, bar, tags = word.partition("|")
    return (form, re.split(r"[,|]", tags)) if form and bar else (word, [])


def _tag(tag: str) -> tuple[str, str, str]:
    """The opening bracket, entity and closing bracket of a tag; three empty strings if it is no tag."""
    shape = _TAG.fullmatch(tag)
    opens, entity, closes = shape.groups() if shape else ("", "", "")
    return (opens, entity, closes) if entity not in NO_ID and (opens or closes) else ("", "", "")


def _untagged(word: _Match) -> str:
    form, tags = _tagged(word[0])
    return form if all(any(_tag(tag)) for tag in tags) else word[0]


class _Open(NamedTuple):
    """An opening tag: line, offset and text of its word, the piece and the number of empty nodes that come next."""

    word: tuple[int, int, str]
    piece: int
    zero: int


def _scan_words(text: str, line_of: _Lines) -> Scanned:
    """The style `crac`: a word, a bar, tags. Tags of one entity nest, others may cross."""
    zeros: list[tuple[int, int]] = []
    found = Scanned([], [], [], [], [], zeros)
    waiting: dict[str, list[_Open]] = {}
    mentions: list[tuple[int, Marked]] = []
    for match in _PIECE.finditer(text):
        line, offset = line_of(match.start()), match.start()
        form, tags = _tagged(match[0])
        here = _Open((line, offset, match[0]), len(found.pieces), len(zeros))
        if form.startswith(_ZERO):
            number = zeros[-1][1] + 1 if zeros and zeros[-1][0] == here.piece - 1 else 1
            zeros.append((here.piece - 1, number))
        else:
            found.pieces.append(form)
            found.offsets.append(offset)
            found.lines.append(line)
        for opens, entity, closes in map(_tag, tags):
            if opens:
                waiting.setdefault(entity, []).append(here)
            if not entity or (closes and not waiting.get(entity)):
                found.dropped.append(Dropped("unopened" if entity else "no-id", *here.word))
            elif closes:
                start = waiting[entity].pop()
                within = start.zero, len(zeros)
                mention = Marked(entity, start.piece, len(found.pieces) - 1, start.word[0], within)
                mentions.append((start.word[1], mention))
    found.dropped.extend(Dropped("unclosed", *start.word) for starts in waiting.values() for start in starts)
    found.mentions.extend(mention for _, mention in sorted(mentions, key=lambda item: (item[0], -item[1].last)))
    found.dropped.sort(key=attrgetter("offset"))
    return found
