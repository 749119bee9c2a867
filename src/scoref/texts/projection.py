"""Moves the mentions of a response to the words of the key, which may differ from its own.

A language model that writes a text down again changes it; other programs cut it into words in their own way, or read
more or less of it. Both texts are aligned (`align`); a mention moves to the words of the key that its own words are
aligned with. A mention without such words is *lost*: it keeps no positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ..document.document import Document, Mention, about
from ..document.spans import EMPTY, Span, is_stretch, pieces, position, stretch, word_of
from ..layout.render import Json
from ..problems import Error, Problem, Reporter

if TYPE_CHECKING:
    from .align import Drift

_LEAST = 0.5  # the least share of the key's words that must be aligned
_LONG = 1 << 25  # with more words times words, look for another text before aligning
_STRETCH, _SHARE = 12, 0.1  # a text that shares fewer than this share of stretches of so many letters is another


class Drifted(NamedTuple):
    """How the text of a response differs from that of its key, and how many of its mentions are lost."""

    drift: Drift
    mentions: int
    lost: int


def on_words_of(key: Document, response: Document) -> tuple[Document, Drifted]:
    """The response with its mentions at words of the key, and how the texts differ."""
    from .align import align

    try:
        drift = align(_words(key, response), _words(response, key))
    except Error as error:
        found = error.problem
        report = named(response, found.remedy)
        raise report.error(found.code, found.message, response.line, None, found.expected) from None
    other, lost = _moved_along(drift, key, response)
    if response.deixis:
        other = replace(other, deixis=_moved_along(drift, key, response.deixis)[0])
    return other, Drifted(drift, len(other.mentions), lost)


def _moved_along(drift: Drift, key: Document, response: Document) -> tuple[Document, int]:
    """A layer of the response at the words of the key, and how many of its mentions are lost."""
    mentions = []
    lost = 0
    for mention in response.mentions:
        placed = moved(mention, drift)
        if placed is None:
            lost += 1
            placed = Mention((), mention.entity, f"{response.text_of(mention)} (lost {lost})", (), mention.attributes)
        mentions.append(placed)
    origin = response.origin._replace(lines=_lines(response.origin.lines, drift))
    return replace(response, mentions=mentions, words=key.words, sentences=key.sentences, origin=origin), lost


def _lines(lines: Sequence[int], drift: Drift) -> list[int]:
    """For each key word the line of its piece, or of the last piece before."""
    if not len(lines):
        return []
    found = [0] * drift.words
    for line, first, last in zip(lines, drift.first.tolist(), drift.last.tolist(), strict=True):
        for word in range(first, last + 1) if first >= 0 else ():
            found[word] = found[word] or line
    return list(accumulate(found, lambda before, line: line or before, initial=lines[0]))[1:]


def _words(document: Document, other: Document) -> list[str]:
    """The words as they look in running text on the other side: without blanks, or in the style crac with `_`."""
    blank = "_" if other.origin.marks == "crac" else ""
    return [blank.join(word.split()) if " " in word or "\xa0" in word else word for word in document.words]


def moved(mention: Mention, drift: Drift) -> Mention | None:
    """The mention at words of the key; an empty node follows the key word that its own word is aligned with."""
    span = _span(mention.span, drift)
    if not span:
        return None
    head = _span((mention.head,), drift) if mention.head is not None else ()
    parents = tuple((place, name) for each, name in mention.parents for place in _span((each,), drift)[-1:])
    minimum = _span(mention.minimum, drift)
    return mention._replace(span=span, head=head[0] if head else None, parents=parents, minimum=minimum)


def _span(span: Span, drift: Drift) -> Span:
    from .align import place

    found = [place(drift, *piece) for piece in pieces(span)]
    if is_stretch(span):  # the ends are enough
        return stretch(*found[0]) if found[0] else ()
    places: set[int] = set()
    for each in found:
        places.update(stretch(*each) if each else ())
    for node in span:
        if node & EMPTY:
            word = word_of(node)
            behind = int(drift.last[word]) if word >= 0 else -1
            if behind >= 0 or word < 0:
                places.add(position(behind, node & EMPTY))
    return tuple(sorted(places))


def no_words(document: Document, text: Document) -> Problem:
    """The problem of a document that has no words, where the other one is running text."""
    message = "a document without words cannot be compared with running text"
    expected = f"words, to be aligned with {text.source}"
    return named(document, "choose a file with words").problem("no-words", message, document.line, None, expected)


def named(document: Document, remedy: str | None = None) -> Reporter:
    """A reporter for a document that may have no name."""
    return about(document, remedy=remedy).of(document.id or None)


def not_the_same(key: Document, response: Document, drifted: Drifted) -> Problem | None:
    """The problem that a text has less than half of the key's words; None if it has enough."""
    share = drifted.drift.share
    if share >= _LEAST:
        return None
    return _other_text(key, response, f"only {share:.1%} of the key's {drifted.drift.words:,} words are in this text")


def plainly_another(key: Document, response: Document) -> Problem | None:
    """The problem that a long text has next to nothing in common with the key's; aligning them would take minutes.

    Compares stretches of a few letters: texts that differ in a word here and there share most of them.
    """
    if len(key.words) * len(response.words) < _LONG:
        return None
    ours, theirs = ("".join(map(str.casefold, document.words)) for document in (key, response))
    known = {theirs[place : place + _STRETCH] for place in range(len(theirs))}
    stretches = [ours[place : place + _STRETCH] for place in range(0, len(ours), _STRETCH)]
    common = sum(stretch in known for stretch in stretches)
    if common >= _SHARE * len(stretches):
        return None
    return _other_text(key, response, f"hardly anything of the key's {len(key.words):,} words is in this text")


def _other_text(key: Document, response: Document, message: str) -> Problem:
    report = named(response, "check that it is the same document, or score it as it is with --drift ignore")
    expected = f"the text of {key.source}, at least half of it"
    return report.problem("not-the-same-text", message, response.line, None, expected)


def summary(documents: Mapping[str, Drifted], problems: Iterable[Problem]) -> Json:
    """How the texts differ from the key's, as JSON: steps by kind, words cut off, marks dropped, mentions lost."""
    if not documents:
        return {}
    from ..formats.marked.read import DROPPED
    from .align import KINDS

    drifts = [each.drift for each in documents.values()]
    steps = sum((Counter(drift.counts) for drift in drifts), Counter())
    words = sum(drift.words for drift in drifts)
    codes = Counter(problem.code for problem in problems)
    ends = {name: each.drift for name, each in documents.items() if each.drift.missing_at_end}
    cut = {name: {"after": drift.words - drift.missing_at_end, "of": drift.words} for name, drift in ends.items()}
    return {
        "steps": {kind: steps[kind] for kind in KINDS},
        "words": words,
        "share": 1 - steps["missing"] / words if words else 1.0,
        "cut_off": cut,
        "dropped": {kind: codes[code] for kind, (code, *_) in DROPPED.items()},
        "mentions": sum(each.mentions for each in documents.values()),
        "lost": sum(each.lost for each in documents.values()),
    }


def drift_sentences(found: Json, lost: str) -> list[str]:
    """The `summary` as sentences to show beside the scores; none if the texts are the same."""
    if not found:
        return []
    steps = [f"{number:,} {kind}" for kind, number in found["steps"].items() if number and kind != "same"]
    lines = []
    if steps:
        aligned = f"of whose words {found['share']:.2%} are aligned"
        lines.append(f"the text differs from the key's, {aligned}: {', '.join(steps)}")
    for name, cut in list(found["cut_off"].items())[:1]:
        more = f", and {len(found['cut_off']) - 1} more" * (len(found["cut_off"]) > 1)
        lines.append(f"cut off after word {cut['after']:,} of {cut['of']:,} ({name}{more})")
    dropped = [f"{number:,} {kind}" for kind, number in found["dropped"].items() if number]
    if dropped:
        lines.append(f"marks dropped: {', '.join(dropped)}")
    if found["lost"]:
        how = "count as mentions that the key lacks" if lost == "count" else "are left out"
        gone = f"{found['lost']:,} of {found['mentions']:,} mentions are lost"
        lines.append(f"{gone}, as none of their words is in the key, and {how}")
    return lines
