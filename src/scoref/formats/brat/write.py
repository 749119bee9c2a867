"""Documents as brat annotation and the text beside it, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count, pairwise
from operator import itemgetter

from ...document.document import Document, Mention, position, runs, word_of
from ...document.spans import is_stretch
from ..source import joined_words, only, refusal

Span = tuple[int, int]
BOUND = re.compile(r"(\S+)\s+([0-9]{1,9} +[0-9]{1,9}(?: *; *[0-9]{1,9} +[0-9]{1,9})*)\s*")
IDENTITY = ("coreference", "coref", "equiv")
OWN = ("text", "type", "trigger", "roles", "pieces")  # attributes that are not written as A lines
NO_REALIS = "NOT_ANNOTATED"  # a realis that agrees with any other
ESCAPE = "brat."


def write(documents: list[Document]) -> str:
    """One document as annotation lines: events if it has any, else stretches of text."""
    document = only(documents, "a brat file", "write to a folder, or choose the format tbf or jsonl")
    return "".join(f"{line}\n" for line in _lines(document))


def beside(documents: list[Document]) -> dict[str, str]:
    """The text that the offsets refer to, if it is known."""
    text, _ = _layout(documents[0])
    if text and text.startswith("\ufeff"):
        message = "a text that begins with U+FEFF, the mark of UTF-8, cannot be written: it would be read without it"
        raise refusal(documents[0], "unwritable-text", message)
    return {".txt": text} if text is not None else {}


def _layout(document: Document) -> tuple[str | None, list[Span]]:
    """The text of the document and where its words are; made of its words, with a line for each sentence."""
    if not document.words:
        return next(iter(document.columns.get("text", ())), None), []
    text, places = joined_words(document)
    return f"{text}\n", places


def _lines(document: Document) -> Iterator[str]:
    text, words = _layout(document)
    document = document.having(words=tuple(document.words))
    mentions = [*document.mentions]
    kept = [] if words else list(document.columns.get("ann", ()))
    used = {line.partition("\t")[0] for line in kept}
    attributes = [dict(mention.attributes) for mention in mentions]
    types = [_word(each.get("type", "")) for each in attributes]
    blank = {number for number, word in enumerate(document.words) if not word.strip()}
    pieces = [_pieces(document, mention, text, words, blank) for mention in mentions]
    texts = [_text_of(document, mention, text, places) for mention, places in zip(mentions, pieces, strict=True)]
    if _has_events(document):
        ids = _assign("E", [mention.id for mention in mentions], used)
        groups = [(each.get("trigger", id), places) for each, id, places in zip(attributes, ids, pieces, strict=True)]
        triggers = list(dict.fromkeys(groups))
        bounds = dict(zip(triggers, _assign("T", [trigger for trigger, _ in triggers], used), strict=True))
        first = {group: index for index, group in reversed([*enumerate(groups)])}
        for group, index in sorted(first.items(), key=itemgetter(1)):
            yield f"{bounds[group]}\t{types[index] or 'Event'} {written_pieces(group[1])}\t{texts[index]}"
        for id, type, group, each in zip(ids, types, groups, attributes, strict=True):
            yield f"{id}\t{type or 'Event'}:{bounds[group]} {each.get('roles', '')}".rstrip()
    else:
        ids = _assign("T", [mention.id for mention in mentions], used)
        for id, type, places, surface in zip(ids, types, pieces, texts, strict=True):
            yield f"{id}\t{type or 'Mention'} {written_pieces(places)}\t{surface}"
    yield from _attribute_lines(mentions, ids, used)
    yield from _relation_lines(document, mentions, ids, used)
    yield from kept


def _has_events(document: Document) -> bool:
    """Whether the mentions are events: some have a realis or an id like E1, and none has an id like T1."""
    ids = [str(id) for id in document.mentions.ids if id is not None]
    attributes = map(dict, filter(None, document.mentions.attributes))
    events = any(re.match("E[0-9]", id) for id in ids) or any("realis" in each for each in attributes)
    return events and not any(re.match("T[0-9]", id) for id in ids)


def _assign(kind: str, wanted: Sequence[object], used: set[str]) -> list[str]:
    """An id of this kind for each: the wanted one if possible, else a new one."""
    found: list[str | None] = []
    for each in wanted:
        if isinstance(each, str) and each not in used and re.fullmatch(kind + r"[0-9]+\S*", each):
            found.append(each)
            used.add(each)
        else:
            found.append(None)
    fresh = (name for name in (f"{kind}{number}" for number in count(1)) if name not in used)
    names = [each or next(fresh) for each in found]
    used.update(names)
    return names


def _pieces(
    document: Document, mention: Mention, text: str | None, words: list[Span], blank: set[int]
) -> tuple[Span, ...]:
    """Where the mention is, in characters of the text; some words are blank."""
    span, whole = mention.span, is_stretch(mention.span)
    pieces = [(word_of(span[0]), word_of(span[-1]) + 1)] if whole else stretches([*map(word_of, span)])
    unseen = False
    if words:
        pieces = [piece for piece in pieces if piece[1] <= len(words)]
        unseen = any(word in blank for first, last in pieces for word in (first, last - 1))
        pieces = [(words[first][0], words[last - 1][1]) for first, last in pieces]
    elif (written := dict(mention.attributes).get("pieces")) and BOUND.fullmatch(f"_ {written}"):
        order = [(int(begin), int(end)) for begin, end in (piece.split() for piece in written.split(";"))]
        pieces = order if _joined(order) == pieces else pieces
    zeros = not whole and any(place != position(word_of(place)) for place in span)
    behind = text is not None and any(end > len(text) for _, end in pieces)
    if not pieces or zeros or behind or unseen or any(begin == end for begin, end in pieces):
        message = "a mention that is nowhere in the text, or begins or ends in a blank word, cannot be written as brat"
        raise refusal(document, "unwritable-mention", message, mention)
    return tuple(pieces)


def _joined(pieces: list[Span]) -> list[Span]:
    """The stretches that these pieces cover together; they may overlap, in any order."""
    found: list[Span] = []
    for begin, end in sorted(pieces):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif begin < end:
            found.append((begin, end))
    return found


def stretches(places: list[int]) -> list[Span]:
    """Begins and ends (excluded) of stretches without gaps."""
    return [(first, last + 1) for first, last in runs(places)]


def written_pieces(pieces: Iterable[Span]) -> str:
    """Pieces as brat writes them: `begin end;begin end`."""
    return ";".join([f"{begin} {end}" for begin, end in pieces])


def _text_of(document: Document, mention: Mention, text: str | None, pieces: tuple[Span, ...]) -> str:
    """The text of the mention as it was read, if it agrees with the document's text there; else the latter."""
    own = document.text_of(mention)
    if text is not None and own != (there := surface(text, pieces)) and own.split() != there.split():
        own = there
    return one_line(own)


def _word(text: str) -> str:
    """The text without blanks, as names must be."""
    return "_".join(text.split())


def _attribute_lines(mentions: Sequence[Mention], ids: list[str], used: set[str]) -> Iterator[str]:
    found = [
        (id, "Realis" if name == "realis" else name.removeprefix(ESCAPE), value)
        for id, mention in zip(ids, mentions, strict=True)
        for name, value in mention.attributes
        if name not in OWN and (name, value) != ("realis", NO_REALIS)
    ]
    for number, (id, name, value) in zip(_assign("A", [None] * len(found), used), found, strict=True):
        yield f"{number}\t{_word(name) or '_'} {id} {' '.join(value.split())}".rstrip()


def _relation_lines(document: Document, mentions: list[Mention], ids: list[str], used: set[str]) -> Iterator[str]:
    members: dict[Hashable, list[str]] = {}
    for mention, id in zip(mentions, ids, strict=True):
        if mention.entity is not None:
            members.setdefault(mention.entity, []).append(id)
    found: list[tuple[str, str, tuple[str, ...]]]
    found = [("Coreference", "", pair) for entity in members.values() for pair in pairwise(entity)]
    named = {mention.id: id for mention, id in zip(reversed(mentions), reversed(ids), strict=True)}
    for name, id, ends in document.relations:
        if name.lower() not in IDENTITY:
            if len(ends) < 2 or not all(end in named for end in ends):
                message, text = "a relation to what is no mention cannot be written as brat", f"{name} {','.join(ends)}"
                remedy = "remove it, or choose another format"
                raise refusal(document, "unwritable-relation", message, text=text, remedy=remedy)
            found.append((_word(name) or "_", id, tuple([named[end] for end in ends])))
    for number, (name, id, ends) in zip(_assign("R", [id for _, id, _ in found], used), found, strict=True):
        if id == "*" or len(ends) > 2:
            yield f"*\t{name} {' '.join(ends)}"
        else:
            yield f"{number}\t{name} Arg1:{ends[0]} Arg2:{ends[1]}"


def surface(text: str, pieces: Iterable[Span]) -> str:
    """The pieces of a text, with blanks between them."""
    return " ".join([text[begin:end] for begin, end in pieces])


def one_line(text: str) -> str:
    """The text with a blank for each line break."""
    return text.replace("\n", " ").replace("\r", " ")
