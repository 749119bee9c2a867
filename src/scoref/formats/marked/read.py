"""Running text with marks of mentions, as language models write it.

In `[Ada](#1) phoned [the plumber](#2).` there are two mentions. The words of a document are its pieces, the text
between blanks and marks. They may differ from the key's, as models lose, add and respell words; scoring aligns both
texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...document.document import Document, Mention, Origin, position, stretch, word_of
from ...problems import Problems, Reporter
from ..source import SKIP, Source
from .marks import Marked, MarkedText, Scanned, documents, find_style, scan
from .styles import EXAMPLES, styled

_PLACES = 10**7  # limit of positions of mentions with empty nodes: nested ones must not fill the memory
_CLOSED = "a closing mark behind the words; what ends a mark behind its id, on the same line"
DROPPED = {
    "unclosed": ("unclosed-mark", "a mark that is never closed", _CLOSED),
    "unopened": ("unopened-mark", "a closing mark without an opening one", "an opening mark before the words"),
    "empty": ("empty-mark", "marks around nothing", "words between the marks"),
    "no-id": ("unnamed-mark", "a mark that names no entity", "a name or number of the entity"),
}


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file: between lines `#begin document NAME` and `#end document`, or, in crac, one a line."""
    report = Reporter(problems, source.name, remedy=SKIP)
    text = source.data.decode()
    style = _style(source, text, report)
    parts = documents(text, style)
    named = any(part.name is not None for part in parts)
    for number, part in enumerate(parts, 1):
        if named and part.name is None:
            start = part.text.strip().split("\n")[0]
            line = part.line + part.text[: part.text.index(start)].count("\n")
            expected = "all text between #begin document NAME and #end document"
            report("outside-document", "text outside of documents", line, start, expected)
            continue
        numbered = part.name is None and len(parts) > 1
        name = str(number) if numbered else part.name or ""
        document = _document(name, part, style, report.of(name or None))
        yield replace(document, origin=document.origin._replace(numbered=numbered))


def _style(source: Source, text: str, report: Reporter) -> str:
    """The style that the user names, or the only one that occurs."""
    if source.marks is not None:
        return styled(source.marks) and source.marks
    found = find_style(text)
    if not found:
        remedy = "leave --format out, if only the other side is text; "
        remedy += "name a style with --marks STYLE, if this is a text without any mention"
        expected = f"marks like {EXAMPLES}"
        raise report.error("no-marks", "no mention is marked in this text", expected=expected, remedy=remedy)
    if len(found) > 1:
        line = scan(text, found[1]).mentions[0].line
        message, shown = f"marks of {len(found)} styles: {' and '.join(found)}", text.split("\n")[line - 1].strip()
        remedy = "say which are marks with --marks STYLE, of one side with --key-marks or --response-marks; "
        remedy += "others are text then"
        raise report.error("ambiguous-marks", message, line, shown, "marks of one style", remedy=remedy)
    return found[0]


def _document(name: str, part: MarkedText, style: str, report: Reporter) -> Document:
    found = scan(part.text, style, part.line)
    for mark in found.dropped:
        code, message, expected = DROPPED[mark.kind]
        report(code, message, mark.line, mark.text, expected)
    for mention in _listing(found.mentions):
        message, expected = "a name that lists others is that of an entity of its own", "one entity for each mark"
        remedy = "nothing, if that is right (a plural); else mark it once for each entity"
        report("several-entities", message, mention.line, mention.entity, expected, remedy=remedy, fatal=False)
    if _places(found.mentions) > _PLACES:
        message, expected = "mentions with empty nodes within one another, far too many", f"{_PLACES:,} places in all"
        raise report.error("too-deep", message, part.line, expected=expected, remedy="check how the file was written")
    origin = Origin(report.path, part.line, found.lines, marks=style)
    return Document(name, tuple(found.pieces), tuple(mentions_of(found)), origin=origin)


def _listing(mentions: Sequence[Marked]) -> Iterator[Marked]:
    """Mentions whose entity name lists other entities of the document: `1,#4`."""
    names = {mention.entity for mention in mentions}
    for mention in mentions:
        listed = [each.strip().lstrip("#") for each in re.split("[,;]", mention.entity)]
        if len(listed) > 1 and not names.isdisjoint(listed):
            yield mention


def _places(mentions: Sequence[Marked]) -> int:
    """The number of positions of mentions with empty nodes, which are stored one by one; others are stretches."""
    return sum(
        each.last - each.first + each.zeros[1] - each.zeros[0] for each in mentions if each.zeros[0] < each.zeros[1]
    )


def mentions_of(found: Scanned) -> list[Mention]:
    """The mentions of a text."""
    return [_mention(each, found.zeros) for each in found.mentions]


def _mention(found: Marked, nodes: Sequence[tuple[int, int]]) -> Mention:
    """The mention; a zero depends on the word that it stands behind."""
    words, (start, end) = stretch(found.first, found.last), found.zeros
    if start == end:
        return Mention(words, found.entity)
    zeros = [position(word, number) for word, number in nodes[start:end]]
    if not words:
        return Mention(tuple(zeros), found.entity, head=zeros[0], parents=((position(word_of(zeros[0])), ""),))
    head = words[0] if zeros[0] < words[0] else None  # a word, so that the mention is no zero
    return Mention(tuple(sorted((*words, *zeros))), found.entity, head=head)
