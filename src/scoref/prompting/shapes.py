"""The shapes of answers that prompts can ask for: how the text is shown, and what a perfect answer looks like.

They are the styles of marks in running text, and two shapes of JSON. All are read back without an option.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import NamedTuple

from ..document.document import Document, Mention, stretch, word_of
from ..document.spans import EMPTY, is_stretch
from ..formats.marked.styles import STYLES
from ..formats.marked.write import write_crac
from ..formats.source import first_crossing, joined_words
from . import wording

_WORDS, _ID = "the plumber", "2"  # what is marked in the examples of styles, and as what


class AnswerShape(NamedTuple):
    """A shape of answers: the sentence that asks for it, the text as it is shown, a perfect answer.

    `nests` says which mentions cannot cross one another in it: "all", those of one "entity", or "none".
    """

    asks: str
    shown: Callable[[Document], str]
    answered: Callable[[Document], str]
    nests: str = "none"

    def instruction(self, singletons: str) -> str:
        """All that a model is told before the text."""
        example = self.asks.format(text=self.shown(EXAMPLE), answer=self.answered(EXAMPLE).strip())
        return " ".join([wording.TASK, wording.SINGLETONS[singletons], example])


class Shown(NamedTuple):
    """A document as an example: the mentions that its shape can show, and the number of those that it cannot."""

    document: Document
    left_out: int


def showable(document: Document, shape: AnswerShape, singletons: str) -> Shown:
    """The document with entities numbered from 1 in the order of the text; without what the shape cannot show.

    That are zeros, mentions with gaps and, in styles of marks, those that cross another one. Non-referring mentions
    are left out without being counted, and so are singletons, unless they are asked for.
    """
    entities = document.entities()
    wanted = [
        mention
        for name, mentions in entities.items()
        if name not in document.nonreferring and (singletons == "keep" or len(mentions) > 1)
        for mention in mentions
    ]
    plain = [each for each in wanted if each.span and is_stretch(each.span) and not each.span[0] & EMPTY]
    plain.sort(key=lambda mention: (mention.span[0], -mention.span[-1]))
    crossing = _crossing(plain, shape.nests)
    plain = [each for number, each in enumerate(plain) if number not in crossing]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(each.entity for each in plain), 1)}
    mentions = [Mention(each.span, numbers[each.entity]) for each in plain]
    return Shown(Document(document.id, document.words, mentions, document.sentences), len(wanted) - len(plain))


def _crossing(mentions: Sequence[Mention], nests: str) -> set[int]:
    """The numbers of mentions to leave out so that no two of the others cross."""
    found: set[int] = set()
    groups: dict[Hashable, list[tuple[int, int, int]]] = {}
    for number, each in enumerate(mentions if nests != "none" else ()):
        group = each.entity if nests == "entity" else None
        groups.setdefault(group, []).append((each.span[0], each.span[-1] + 1, number))
    for places in groups.values():
        while crossing := first_crossing(places):
            places.remove(crossing)
            found.add(crossing[2])
    return found


def _text(document: Document) -> str:
    return joined_words(document)[0]


def _numbered(document: Document) -> str:
    """The words with their numbers, a line for each sentence."""
    starts = {*document.sentences[1:]}
    parts = [("\n" if index in starts else " ") + f"{index}:{word}" for index, word in enumerate(document.words)]
    return "".join(parts)[1:]


def _ends(mention: Mention) -> tuple[int, int]:
    return word_of(mention.span[0]), word_of(mention.span[-1])


def _marked(document: Document, opening: str, closing: str) -> str:
    """The text with marks around mentions; those that begin or end at one word are nested."""
    before: list[str] = [""] * len(document.words)
    behind: list[str] = [""] * len(document.words)
    for mention in document.mentions:  # longer ones first where several begin
        first, last = _ends(mention)
        before[first] += opening.replace(_ID, str(mention.entity))
        behind[last] = closing.replace(_ID, str(mention.entity)) + behind[last]
    words = [a + word + b for a, word, b in zip(before, document.words, behind, strict=True)]
    return joined_words(Document("", words, sentences=document.sentences))[0]


def _listed(document: Document, of: Callable[[Document, Mention], object]) -> str:
    entities = [[of(document, mention) for mention in mentions] for mentions in document.entities().values()]
    return json.dumps({"clusters": entities}, ensure_ascii=False)


def _with_numbers(document: Document, mention: Mention) -> list[object]:
    return [document.text_of(mention), *_ends(mention)]


def _of_style(example: str) -> AnswerShape:
    opening, _, closing = example.partition(_WORDS)
    return AnswerShape(wording.MARKS, _text, partial(_marked, opening=opening, closing=closing), nests="all")


def _mentions(entities: Sequence[Sequence[tuple[int, int]]]) -> list[Mention]:
    return [Mention(stretch(*span), number) for number, spans in enumerate(entities, 1) for span in spans]


EXAMPLE = Document(
    "",
    ["Ada", "lost", "her", "key", ",", "but", "she", "found", "it", "again", "."],
    sorted(_mentions([[(0, 0), (2, 2), (6, 6)], [(2, 3), (8, 8)]]), key=lambda each: (each.span[0], -each.span[-1])),
)
SHAPES: dict[str, AnswerShape] = {
    **{name: _of_style(style.example) for name, style in STYLES.items() if style.pattern},
    "crac": AnswerShape(wording.MARKS, _text, lambda document: write_crac([document]).rstrip("\n"), nests="entity"),
    "json": AnswerShape(wording.STRINGS, _text, partial(_listed, of=Document.text_of)),
    "json-words": AnswerShape(wording.NUMBERED, _numbered, partial(_listed, of=_with_numbers)),
}
