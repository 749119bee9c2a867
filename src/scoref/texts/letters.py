"""Moves mentions of a response to positions of the key where the sides count different things.

Positions count words or characters, or mentions have only names. Two sides whose letters are the same, without white
space, have the same text: a mention goes where its letters are, however each side is cut into words.

Texts with other letters are aligned (`on_text_of`), and so is running text, whatever its letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..document.document import UNWRITTEN, Document, Integers, Mention, about, place, unit_of
from ..document.spans import EMPTY, Span, position, runs, stretch, word_of
from ..problems import Problem
from .projection import Drifted, no_words
from .raw import on_text_of, with_text

ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_CONTEXT = 20


class Letters(NamedTuple):
    """The letters of a document without white space, and the number of the word or character that each is (part of)."""

    text: str
    owner: Integers

    @classmethod
    def of(cls, document: Document, escapes: Mapping[str, str]) -> Letters:
        """The letters of the words, with escapes like -LRB- replaced; without words, those of the text."""
        if not document.words:
            text = document.columns["text"][0]
            owner = [number for number, letter in enumerate(text) if not letter.isspace()]
            return cls("".join([text[number] for number in owner]), np.array(owner, np.int64))
        words = ["".join(escapes.get(word, word).split()) for word in document.words]
        sizes = np.fromiter(map(len, words), np.int64, len(words))
        return cls("".join(words), np.repeat(np.arange(len(words)), sizes))

    def within(self, first: int, last: int) -> tuple[int, int]:
        """Where the letters of the words (characters) from `first` to `last` begin and end (excluded)."""
        begin, end = np.searchsorted(self.owner, [first, last + 1]).tolist()
        return begin, end


class Common(NamedTuple):
    """Two documents whose positions count the same, problems to report, and how the texts differ, if aligned.

    A fatal problem means that they cannot be compared; then they are unchanged.
    """

    key: Document
    response: Document
    problems: list[Problem]
    drifted: Drifted | None = None


def in_common(key: Document, response: Document) -> Common:
    """The two documents, with positions of the response changed to count what those of the key do."""
    ours, theirs = unit_of(key), unit_of(response)
    if key.words and (key.is_running or response.is_running):
        return _running(key, response)
    if response.is_running and ours in ("numbers", "tokens", "names"):
        return Common(key, response, [no_words(key, response)])
    if ours == theirs == "words" and len(key.words) == len(response.words):
        return Common(key, response, [])
    if "names" in (ours, theirs) and ours != theirs and ours and theirs:
        if theirs == "names" and (placed := at_ids(key, response)):
            return Common(key, placed[0], [problem for problem in placed[1:] if problem])
        positioned = _with_positions(key if ours == "names" else response)
        if positioned is None or not {ours, theirs} <= {"names", "words", "numbers"}:
            return Common(key, response, [_different_units(key, response, ours, theirs)])
        return _within(positioned, response) if ours == "names" else _within(key, positioned)
    known = all(document.words or document.columns.get("text") for document in (key, response))
    if known and (ours != theirs or (ours == "words" and len(key.words) != len(response.words))):
        return _by_letters(key, response)
    if known and ours == "characters" and key.columns["text"] != response.columns["text"]:
        return _by_letters(key, response)
    counted = {ours, theirs} - {"", "numbers"}
    if len(counted) > 1 or ("numbers" in (ours, theirs) and counted & {"characters", "tokens"}):
        return Common(key, response, [_different_units(key, response, ours, theirs)])
    return _within(key, response)


def _running(key: Document, response: Document) -> Common:
    """The documents, where one side is running text: mentions are placed by aligning the texts."""
    if not (response.words or response.is_running or response.columns.get("text")):
        return Common(key, response, [no_words(response, key)] if response.mentions else [])
    return _aligned(key, response)


def _aligned(key: Document, response: Document) -> Common:
    """The documents, with the response's mentions moved along an alignment of the texts."""
    moved, drifted = on_text_of(key, response)
    return Common(key, moved, [], drifted)


def _within(key: Document, response: Document) -> Common:
    """The documents unchanged; reports the first mention that ends behind the words of the other side."""
    for one, other in ((key, response), (response, key)):
        size = len(other.words) if not one.words else 0
        far = (mention for mention in one.mentions if mention.span and word_of(mention.span[-1]) >= size)
        if size and (mention := next(far, None)):
            report = about(one, remedy="check what the numbers count, and whether their ends are included (--ends)")
            expected = f"an end within the {size} words of {other.source or 'the other side'}"
            where, message = (one.line_of(mention), one.named(mention)), "a mention that ends behind the document"
            return Common(key, response, [report.problem("bad-mention", message, *where, expected)])
    return Common(key, response, [])


def _different_units(key: Document, response: Document, ours: str, theirs: str) -> Problem:
    says = {"words": "words", "numbers": "words", "tokens": "tokens with ids", "names": "mentions by their names"}
    message = f"{says.get(theirs, theirs)} in the response, {says.get(ours, ours)} in the key"
    remedy = "give both sides the text they are about"
    if "tokens" in (ours, theirs) or not (key.columns.get("text") or response.columns.get("text")):
        remedy = "convert one of them with a token table: scoref convert --tokens DIR"
    if "names" in (ours, theirs):
        remedy = "name mentions by their first and last word: [3, 5]"
    report = about(response, remedy=remedy)
    return report.problem("different-units", message, response.line, None, "the same unit as in the key")


def _with_positions(document: Document) -> Document | None:
    """The document with names like [3, 5] as positions, first and last word; None if there are other names."""
    mentions = []
    for mention in document.mentions:
        name = mention.id
        if not isinstance(name, tuple) or len(name) != 2 or not all(type(end) is int for end in name):
            return None
        first, last = name
        if not 0 <= first <= last < first + 10**5:
            return None
        mentions.append(mention._replace(span=stretch(first, last)))
    return replace(document, mentions=mentions)


def _by_letters(key: Document, response: Document) -> Common:
    """The documents, with the response's mentions moved to their letters in the key, or else by alignment."""
    for escapes in ({}, ESCAPES):  # first with brackets and quotes as written, then unescaped
        ours, theirs = Letters.of(key, escapes), Letters.of(response, escapes)
        if ours.text == theirs.text:
            break
    else:
        if any(document.words and UNWRITTEN.issuperset(document.words) for document in (key, response)):
            return Common(key, response, [_different_text(key, response, ours, theirs)])
        return _aligned(key, response)
    moved, problems = _at_letters(response, ours, theirs, key)
    if key.words and response.words:
        report = about(response, remedy="nothing: mentions are placed by their letters")
        message = f"{len(response.words)} words, but the key has {len(key.words)} of the same letters"
        expected = "the words of the key"
        problems.append(report.problem("other-words", message, response.line, None, expected, fatal=False))
    return Common(key, moved, problems)


def _at_letters(response: Document, ours: Letters, theirs: Letters, key: Document) -> tuple[Document, list[Problem]]:
    """The response with the mentions of all its layers at their letters in the key, and problems to report."""
    found: list[Mention] = []
    cut: list[Mention] = []
    lost: list[Mention] = []
    for mention in response.mentions:
        placed = _placed(mention.span, ours, theirs, key)
        if placed is None:
            lost.append(mention)
            continue
        span, whole = placed
        cut += [] if whole else [mention]
        head = _placed((mention.head,), ours, theirs, key) if mention.head is not None else None
        minimum = _placed(mention.minimum, ours, theirs, key) if mention.minimum else None
        shown = mention if key.words else with_text(mention, mention, response)
        least = minimum[0] if minimum else ()
        found.append(shown._replace(span=span, head=head[0][0] if head else None, minimum=least))
    expected = "mentions that begin and end where words of the key do: these have whole words now"
    problems = _of_mentions("cut-word", "begin or end inside of a word of the key", cut, response, expected)
    expected = "zeros and white space only in keys that have them"
    problems += _of_mentions("unplaced-mention", "have no letters in the text of the key", lost, response, expected)
    moved = replace(response, mentions=found, words=key.words, sentences=())
    if response.deixis:
        deixis, more = _at_letters(response.deixis, ours, theirs, key)
        moved, problems = replace(moved, deixis=deixis), [*problems, *more]
    return moved, problems


def _placed(span: Sequence[int], ours: Letters, theirs: Letters, key: Document) -> tuple[tuple[int, ...], bool] | None:
    """The positions of a span in the key, and whether they cover exactly its letters; None if there are none."""
    words = [word_of(place) for place in span if not place & EMPTY]
    pieces = [theirs.within(first, last) for first, last in runs(sorted(words))]
    found: list[Span] = []
    whole = True
    for begin, end in pieces:
        if begin < end:
            first, last = int(ours.owner[begin]), int(ours.owner[end - 1])
            found.append(stretch(first, last))
            whole = whole and ours.within(first, last) == (begin, end)
    if key.words:
        for place in span:
            if place & EMPTY:
                end = theirs.within(0, word_of(place))[1]
                found.append((position(int(ours.owner[end - 1]) if end else -1, place & EMPTY),))
    return (tuple(sorted({*chain(*found)})), whole) if found else None


def _of_mentions(code: str, message: str, mentions: list[Mention], response: Document, expected: str) -> list[Problem]:
    """A problem that names the first of these mentions; nothing without mentions."""
    message, report = f"{len(mentions)} mention{'s' * (len(mentions) != 1)} that {message}", about(response)
    return [report.problem(code, message, *place(response, each), expected, fatal=False) for each in mentions[:1]]


def _different_text(key: Document, response: Document, ours: Letters, theirs: Letters) -> Problem:
    if key.words and response.words:
        return _different_number(key, response)
    pairs = enumerate(zip(ours.text, theirs.text, strict=False))
    at = next((number for number, (our, their) in pairs if our != their), min(len(ours.text), len(theirs.text)))
    line = response.line_at(int(theirs.owner[at]) if response.words and at < len(theirs.owner) else -1)
    there, here = ours.text[at : at + _CONTEXT], theirs.text[at : at + _CONTEXT]
    expected = f'"{there}" as in {key.source}'
    return about(response).problem("different-text", "another text than in the key", line, here, expected)


def _different_number(key: Document, response: Document) -> Problem:
    """The problem that the sides have different numbers of tokens; it names the first token that differs."""
    ours, theirs = list(key.words), list(response.words)
    pairs = enumerate(zip(ours, theirs, strict=False))
    differing = (at for at, (our, their) in pairs if our != their and UNWRITTEN.isdisjoint((our, their)))
    at = next(differing, min(len(ours), len(theirs)))
    there = f"'{ours[at]}' (token {at + 1})" if at < len(ours) else "no more tokens"
    message, text = f"{len(theirs)} tokens, but the key has {len(ours)}", theirs[at] if at < len(theirs) else None
    expected = f"{there} here, as in {key.source}"
    return about(response).problem("token-count", message, response.line_at(at), text, expected)


def at_ids(key: Document, response: Document) -> tuple[Document, Problem | None] | None:
    """The response with mentions that are named by the ids of the key's mentions at their places, and what to report.

    None, if no name is an id of the key.
    """
    places = {mention.id: mention for mention in key.mentions if mention.id is not None and mention.span}
    lost = [mention for mention in response.mentions if mention.id not in places]
    if len(lost) == len(response.mentions):
        return None
    moved = [
        mention._replace(span=places[mention.id].span) if mention.id in places else mention
        for mention in response.mentions
    ]
    expected = f"ids of mentions of {key.source}"
    problems = _of_mentions("unplaced-mention", "the key does not have", lost, response, expected)
    return replace(response, mentions=moved, words=key.words), problems[0] if problems else None
