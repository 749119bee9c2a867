"""Places what a language model wrote, or what is listed by strings alone, at the words of a key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..document.document import Document, Mention, Origin, unit_of
from ..document.reply import Reply
from ..formats.answer.replies import unwrapped
from ..formats.marked.marks import Dropped, scan
from ..formats.marked.read import DROPPED
from ..formats.marked.styles import styled
from ..formats.source import SKIP
from ..problems import Error, Problem
from ..texts.projection import Drifted, named
from ..texts.raw import CutText, with_text
from .candidates import REASONS, chosen
from .kinds.marks import MarkedReply, Marks
from .kinds.shapes import payload_of
from .payloads import Payload, Spot
from .placing import Item, Placed, once, placed
from .strings import KeyText


class Answered(NamedTuple):
    """What became of an answer: of which kind it is, why there is nothing in it, what was counted.

    `spots` has for each mention where it stands in the reply; `listed` are strings and where they could be otherwise.
    `strings` says whether places were found for strings, `documents` how many documents its numbers name.
    """

    kind: str
    reason: str | None
    counts: Counter[str]
    mentions: int = 0
    strings: bool = False
    spots: tuple[Spot | None, ...] = ()
    listed: Placed | None = None
    documents: int = 1
    read: str = ""  # how marks or numbers were read


class OnKey(NamedTuple):
    """A response at the words of its key, what became of the answer, and how the texts differ, if they were aligned.

    A fatal problem means that it cannot be compared.
    """

    response: Document
    answered: Answered | None = None
    drifted: Drifted | None = None
    problem: Problem | None = None
    dropped: tuple[Dropped, ...] = ()


def answer(text: str, document: str | Document | None = None, *, marks: str | None = None,
           ends: str = "inclusive") -> Document:  # fmt: skip
    """What a language model wrote, as a response to be scored.

    It is read beside the words of the key, in any shape: JSON, marks in the text, lists, tables, with reasoning and
    remarks around it. What cannot be read is scored as an empty response, and counted.

    >>> import scoref
    >>> mentions = [scoref.Mention.at(0, 0, "Ada"), scoref.Mention.at(2, 2, "Ada")]
    >>> key = scoref.Document("tale", "Ada lost her key .".split(), mentions)
    >>> scoref.score(key, scoref.answer('Sure! Here it is: [["Ada", "her"]]'))["muc"].f1
    1.0

    Args:
        text: the reply, as it came; also the JSON of an API around it.
        document: the name of the document, or the document of the key; a single answer needs none.
        marks: the style in which mentions are marked, or a template like `"<<{words}>>={id}"`; else it is found.
        ends: whether numbers without texts include the last word, `"inclusive"` or `"exclusive"`.
    """
    if not isinstance(text, str):
        raise Error("bad-answer", f"an answer is a text, not {type(text).__name__}", expected="what the model wrote")
    name = document.id if isinstance(document, Document) else document
    reply, *further = unwrapped(text)
    if further:
        raise Error("repeated-document", f"{1 + len(further)} answers in the reply of an API", document=name,
                    expected="one answer", remedy="make an answer of each of its choices")  # fmt: skip
    return Document(name or "", origin=Origin(reply=Reply(reply, marks, ends)))


def on_key(key: Document, response: Document, place: str) -> OnKey | None:
    """The response at the words of the key; None if it is no answer, and its mentions are not named by strings."""
    reply = response.origin.reply
    if response.mentions and not {mention.id for mention in response.mentions}.isdisjoint(_ids(key)):
        return None
    if reply is None or (response.mentions and not key.words):  # plain clusters beside others
        return _listed(key, response, place) if unit_of(key) == "words" and unit_of(response) == "names" else None
    if key.words:
        found = _read(key, response, reply, place)
        unread = found.answered is not None and found.answered.reason == "unreadable"
        return None if unread and response.mentions else found  # numbers that name mentions
    if not key.columns.get("text"):
        if reply.text.strip() == "[]":  # clusters that are none, beside a key of any kind
            return None
        message, remedy = "an answer cannot be placed in a key without words", "choose a key with a text"
        return OnKey(response, problem=named(response, remedy).problem("no-words", message, response.line, None,
                                                                       "the words of its document"))  # fmt: skip
    cut = CutText.of(key)
    found = _read(replace(key, words=cut.words), response, reply, place)
    mentions = [with_text(cut.at_characters(each), each, found.response) for each in found.response.mentions]
    return found._replace(response=replace(found.response, words=(), sentences=(), mentions=mentions))


def _read(key: Document, response: Document, reply: Reply, place: str) -> OnKey:
    """An answer at the words of the key."""
    text = KeyText(key.words, key.sentences)
    own = key.columns["text"][0] if key.columns.get("text") else None
    found = chosen(reply.text, text, Marks(key.words, reply.marks))
    response = replace(response, words=key.words, sentences=key.sentences, mentions=())
    if found.marked is not None:
        return _of_marks(response, found.marked, found.payloads)
    counts = Counter(payloads=found.payloads) if found.payloads else Counter[str]()
    if found.payload is None and reply.marks and (problem := _other_marks(response, reply, key.words)):
        return OnKey(response, problem=problem)
    if found.payload is None:
        return OnKey(response, Answered(found.kind, found.reason, counts))
    counts["truncated"] = int(found.payload.cut)
    return _of_payload(response, found.payload, text, own, reply.ends, place, +counts, found.kind)


def _of_payload(
    response: Document, payload: Payload, text: KeyText, own: str | None, ends: str, place: str,
    counts: Counter[str], kind: str, names: Sequence[Hashable] = (),
) -> OnKey:  # fmt: skip
    if place == "unique" and (problem := _ambiguous(response, payload, text)):
        return OnKey(response, problem=problem)
    listed = placed(payload, text, own, ends)
    mentions: list[Mention] = []
    spots: list[Spot | None] = []
    lost = 0
    entities = names if len(names) == len(listed.lists) else range(1, len(listed.lists) + 1)
    for entity, items in zip(entities, map(_once, listed.lists), strict=True):
        for item in items:
            lost += item.place is None
            mentions.append(_mention(item, entity, lost))
            spots.append(item.listed.spot)
    strings = any(each.text and (not each.numbers or listed.reading == "") for each in payload.mentions)
    documents = {each.document for each in payload.mentions if each.document is not None}
    counts = counts + listed.counts
    read = listed.reading if any(each.numbers for each in payload.mentions) else ""
    answered = Answered(kind, None, counts, len(mentions), strings, tuple(spots), listed, len(documents) or 1, read)
    return OnKey(replace(response, mentions=mentions), answered)


def _once(items: Sequence[Item]) -> list[Item]:
    return next(iter(once([items])), [])


def _mention(item: Item, entity: Hashable, lost: int) -> Mention:
    if item.place is not None:
        return Mention.at(*item.place, entity)
    return Mention((), entity, f"{item.listed.text or item.listed.numbers} (lost {lost})")


def _of_marks(response: Document, marked: MarkedReply, payloads: int) -> OnKey:
    assert marked.drift is not None
    mentions: list[Mention] = []
    spots: list[Spot] = []
    counts = marked.counts + Counter(payloads=payloads)
    seen = set()
    lost = 0
    for each in marked.mentions:
        if each.mention is None:
            lost += 1
            mentions.append(Mention((), each.entity, f"{each.text} (lost {lost})"))
        elif (each.entity, each.mention.span) in seen:
            counts["duplicate"] += 1
            continue
        else:
            seen.add((each.entity, each.mention.span))
            mentions.append(each.mention)
        spots.append(each.spot)
    answered = Answered("marks", None, counts, len(mentions), spots=tuple(spots), read=marked.style)
    drifted = Drifted(marked.drift, len(mentions), lost)
    return OnKey(replace(response, mentions=mentions), answered, drifted, dropped=marked.dropped)


def _listed(key: Document, response: Document, place: str) -> OnKey | None:
    """A response whose mentions are named by strings; None if they are not."""
    names = [*response.entities()]
    values = [[_thawed(mention.id) for mention in mentions] for mentions in response.entities().values()]
    payload = payload_of(values) if any(_has_text(each) for entity in values for each in entity) else None
    if payload is None or len(payload.mentions) < len(response.mentions):
        return None
    text = KeyText(key.words, key.sentences)
    words = replace(response, words=key.words)
    found = _of_payload(words, payload, text, None, "inclusive", place, Counter(), "strings", names)
    if found.problem is None and not any(mention.span for mention in found.response.mentions):
        return OnKey(replace(words, mentions=()), Answered("strings", "not-the-same-text", Counter()))
    return found


def _ids(key: Document) -> set[Hashable]:
    """The ids of the key's mentions, by which a response may name them."""
    return {mention.id for mention in key.mentions if mention.id is not None and mention.span}


def _thawed(name: Any) -> Any:
    return [*map(_thawed, name)] if isinstance(name, tuple) else name


def _has_text(name: Any) -> bool:
    return (isinstance(name, str) and bool(name.strip())) or (isinstance(name, list) and any(map(_has_text, name)))


def _ambiguous(response: Document, payload: Payload, text: KeyText) -> Problem | None:
    """The problem of a string that can be several mentions."""
    entities = payload.entities or [payload.mentions]
    listed = [(each.text, number) for number, entity in enumerate(entities) for each in entity
              if each.text and not each.numbers]  # fmt: skip
    for name, listings in Counter(name for name, _ in listed).items():
        occurs, owners = len(text.find(name or "").places), len({owner for each, owner in listed if each == name})
        if occurs and (occurs > listings or owners > 1):
            where = f"in {owners} entities" if owners > 1 else f"{listings} time{'s' * (listings != 1)}"
            message = f"a text that occurs {occurs} time{'s' * (occurs != 1)} in the key, and is listed {where}"
            remedy = "mark mentions in the text itself, [She](#1), give the numbers of their first and last word, "
            remedy += "[3, 5], or place them in the order of the text: --place order"
            expected = "texts that can be only one mention"
            return named(response, remedy).problem("ambiguous-mention", message, response.line, name, expected)
    return None


def _other_marks(response: Document, reply: Reply, words: Sequence[str]) -> Problem | None:
    """The problem of an answer without a mark of the style that was named, but with others."""
    assert reply.marks
    others = Marks(words, None).read(reply.text)
    sign = re.search(r"\[[^\[\]]*\]\S*|<[A-Za-z][^<>]*>", reply.text)
    if not others and (sign is None or scan(reply.text, reply.marks).mentions):
        return None
    there = styled(others[0].style).example if others else sign[0] if sign else ""
    message, remedy = "an answer without a mark of this style, but with others", "leave --marks out, or name that style"
    return named(response, remedy).problem("other-marks", message, response.line, reply.text.strip()[:200],
                                           f"marks like {styled(reply.marks).example}, not {there}")  # fmt: skip


def dropped_marks(found: OnKey, strict: bool) -> Iterator[Problem]:
    """A problem for each mark that is no mention."""
    for mark in found.dropped:
        code, message, expected = DROPPED[mark.kind]
        line = (found.response.line or 1) + mark.line - 1 if found.response.line else None
        yield named(found.response, SKIP).problem(code, message, line, mark.text, expected, fatal=strict)


def refused(response: Document, reason: str, strict: bool) -> Problem:
    """The problem of an answer with nothing in it: fatal under `--on-problem raise`."""
    message = f"an answer without any mention: {REASONS[reason]}"
    reply = response.origin.reply  # plain clusters of strings have none
    shown = (reply.text.strip()[:200] or None) if reply else None
    expected = "entities with their mentions, in JSON, marks, lists or tables"
    remedy = "leave --on-problem out: it is scored as an empty response then, and counted"
    remedy = remedy if strict else "see the answer beside its text with scoref report; it counts as empty"
    return named(response, remedy).problem(reason, message, response.line, shown, expected, fatal=strict)
