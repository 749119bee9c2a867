"""The small language of keys and responses: `ab|c` has two entities, of the words 0 and 1, and of the word 2.

A side of a document is a text of entities with `|` between them. An entity of letters alone has one mention of one
word for each letter: `a` is word 0. Else it has mentions with blanks between them, and may begin with its name and `=`;
names are else 1, 2, 3 in their order.

    0-2 4           two mentions: the words 0 to 2, and the word 4
    0+4-5           one mention in two pieces
    2.1             the first empty node after word 2
    0-2@1           the head is word 1
    0-2~1           the minimum is word 1
    4 {1 2}         the word 4, and the set of the entities 1 and 2 as antecedent
    !0              the entity refers to nothing
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

Place = tuple[int, int]  # the number of a word, and of an empty node after it; 0 for the word itself
Piece = tuple[Place, Place]


class Spot(NamedTuple):
    """A mention: its pieces in their order, its head, its minimum."""

    pieces: tuple[Piece, ...]
    head: Place | None = None
    least: Piece | None = None

    @property
    def first(self) -> Place:
        """Where it begins."""
        return self.pieces[0][0]

    @property
    def last(self) -> Place:
        """Where it ends."""
        return self.pieces[-1][1]


class Group(NamedTuple):
    """An entity: its name, its mentions, its sets of other entities' names, whether it refers to something."""

    name: str
    mentions: tuple[Spot, ...]
    sets: tuple[tuple[str, ...], ...] = ()
    refers: bool = True


Side = list[Group]


def place(text: str) -> Place:
    """A word or an empty node.

    >>> place("3"), place("3.1")
    ((3, 0), (3, 1))
    """
    word, _, empty = text.partition(".")
    return int(word), int(empty or 0)


def piece(text: str) -> Piece:
    """A stretch of words.

    >>> piece("0-2")
    ((0, 0), (2, 0))
    """
    first, _, last = text.partition("-")
    return place(first), place(last or first)


_MENTION = re.compile(r"([\d.+-]+)(?:@([\d.]+))?(?:~([\d.-]+))?$")


def mention(text: str) -> Spot:
    """A mention as it is written.

    >>> mention("0-2+5@1")
    Spot(pieces=(((0, 0), (2, 0)), ((5, 0), (5, 0))), head=(1, 0), least=None)
    """
    found = _MENTION.match(text)
    if found is None:
        raise ValueError(f"no mention: {text!r}")
    pieces, head, least = found.groups()
    return Spot(
        tuple(map(piece, pieces.split("+"))),
        None if head is None else place(head),
        None if least is None else piece(least),
    )


def entity(text: str, number: int) -> Group:
    """An entity as it is written.

    >>> entity("ac", 1).mentions == entity("0 2", 1).mentions
    True
    >>> entity("x=4 {1 2}", 3).sets, entity("!4", 3).refers
    ((('1', '2'),), False)
    """
    refers = not text.startswith("!")
    name, equals, rest = text.removeprefix("!").rpartition("=")
    sets = tuple(tuple(each.split()) for each in re.findall(r"\{(.*?)\}", rest))
    rest = re.sub(r"\{.*?\}", " ", rest)
    words = [str(ord(letter) - ord("a")) for letter in rest] if rest.isalpha() else rest.split()
    return Group(name if equals else str(number), tuple(map(mention, words)), sets, refers)


def side(text: str) -> Side:
    """The entities of a side of a document.

    >>> [len(each.mentions) for each in side("ab|c")], side("")
    ([2, 1], [])
    """
    return [entity(each, number) for number, each in enumerate(text.split("|"), 1)] if text else []


def letters(entities: Iterable[Iterable[int]]) -> str:
    """Entities of one-word mentions, as short as they can be written.

    >>> letters([[0, 1], [2]]), letters([[0, 27]])
    ('ab|c', '0 27')
    """
    groups = [list(each) for each in entities]
    short = all(word < 26 for each in groups for word in each)
    write = (
        (lambda each: "".join(chr(ord("a") + word) for word in each))
        if short
        else (lambda each: " ".join(map(str, each)))
    )
    return "|".join(map(write, groups))
