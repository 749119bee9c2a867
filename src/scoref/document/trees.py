"""Parse fragments of mentions: their root label and their minimum span.

The CoNLL parse column holds one bit of the tree a token, `(NP(NP*` or `*))`. The bits of a mention's own tokens make a
fragment of the tree. Its minimum span (Moosavi et al. 2019, *Using automatically extracted minimum spans*) is the set
of those units that carry the head, so that a response may cut or extend a mention at its edges and still be matched.
Units, validity and search follow the scorer `coval`; but a mention without any such unit is its own minimum span.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import repeat
from typing import NamedTuple, TypeVar

from .document import Document, Span, about, word_of
from .spans import is_stretch

_NOMINAL = ("NP", "NM", "QP", "NX")
_VERBAL = ("VP",)
_EMPTY_TAGS = ("CC", "DT", "IN")
_BRACKETS = ("-LRB-", "-RRB-")
_SHORT = 64  # fragments of so many tokens are remembered

MinimumSpan = frozenset[tuple[Span, int]]
Fact = TypeVar("Fact")


def has_parse(document: Document) -> bool:
    """Whether each token has a parse bit that is no placeholder."""
    return "parse" in document.columns and _once(document, _has_bits)


def fragments(document: Document) -> Fragments:
    """The fragments of a document's parse."""
    return _once(document, Fragments)


def _once(document: Document, find: Callable[[Document], Fact]) -> Fact:
    """A fact of the words, sentences and columns of a document.

    It is remembered with the columns where they are those of a file, which key and response share, else with mentions.
    """
    facts = getattr(document.columns, "facts", document.mentions.known)
    known = facts.setdefault((find, document.sentences), [None, None, None])
    if known[0] is not document.columns or known[1] is not document.words:
        known[:] = document.columns, document.words, find(document)
    fact: Fact = known[2]
    return fact


def _has_bits(document: Document) -> bool:
    return all("*" in cell for cell in {*document.columns["parse"]})


class Fragments:
    """What the fragments of a document's parse say of its mentions, by their spans."""

    def __init__(self, document: Document) -> None:
        columns, self._words = document.columns, document.words
        if "parse" not in columns:
            report = about(document, remedy="add the parse to the key, or use --match exact and --mentions all")
            expected = "CoNLL-2012 files with at least 12 columns in the key"
            raise report.error("no-parse", "the document has no parse column", document.line, None, expected)
        tags = columns["pos"] if "pos" in columns else repeat("")
        self._tokens = (*map(_token, columns["parse"], self._words, tags),)
        self._sentences = document.sentences
        self._shared: dict[Span, tuple[int, ...]] = {}

    def root_label(self, span: Span) -> str:
        """The label of the fragment's root; '' for a bare unit."""
        return self._fragment(_words_of(span)).label

    def minimum(self, span: Span) -> MinimumSpan:
        """The units that carry the mention's head, each as its words and the token that ended it."""
        words = _words_of(span)
        units = self._fragment(words).units
        if not units:
            return frozenset({(span, -1)})
        return frozenset((tuple([words[each] for each in unit]), words[ended]) for unit, ended in units)

    def shared_minimum(self, span: Span) -> tuple[int, ...]:
        """The minimum span as coval compares it, in numbers: mentions with the same one are the same mention there.

        It is a set of texts, each with a place: that of a unit in its sentence. Without a unit that carries the head,
        texts are the words of the mention, and places count from its first word, so that they may be those of others
        by chance. Where a word stands first stands for its text.
        """
        if span not in self._shared:
            self._shared[span] = self._shared_minimum(span)
        return self._shared[span]

    def _shared_minimum(self, span: Span) -> tuple[int, ...]:
        words = _words_of(span)
        number = bisect_right(self._sentences, words[0])
        begin = self._sentences[number - 1] if number else 0
        first = self._first
        units = self._fragment(words).units
        if len(units) == 1:  # mostly
            ((unit, ended),) = units
            return (number, *[first[words[each]] for each in unit], -1, words[ended] - begin)
        named = [([first[words[each]] for each in unit], words[ended] - begin) for unit, ended in units]
        if not units:
            named = [([first[word]], order) for order, word in enumerate(words)]
        return (number, *(each for texts, place in sorted(named) for each in (*texts, -1, place)))

    @cached_property
    def _first(self) -> list[int]:
        """For each word, where it stands first."""
        places: dict[str, int] = {}
        return [places.setdefault(word, place) for place, word in enumerate(self._words)]

    def _fragment(self, words: Sequence[int]) -> _Fragment:
        if isinstance(words, range):
            tokens = self._tokens[words.start : words.stop]
        else:
            tokens = tuple([self._tokens[word] for word in words])
        return _remembered(tokens) if len(tokens) <= _SHORT else _fragment(tokens)


def _words_of(span: Span) -> Sequence[int]:
    return range(word_of(span[0]), word_of(span[-1]) + 1) if is_stretch(span) else [*map(word_of, span)]


class _Fragment(NamedTuple):
    """The label of the root, and the units that carry the head: the numbers of their tokens, and of that at the end."""

    label: str
    units: tuple[tuple[Sequence[int], int], ...]


@dataclass
class _Node:
    """A phrase with its children, or a unit: words that stand together in one phrase, and the token that ended them.

    A unit is `valid` if one of its words carries a head.
    """

    label: str = ""
    words: tuple[int, ...] = ()
    ended: int = 0
    valid: bool = False
    children: list[_Node] = field(default_factory=list)

    def has(self, *prefixes: str) -> bool:
        return self.label.startswith(prefixes)


@lru_cache(1 << 16)
def _token(bit: str, word: str, tag: str) -> str:
    """What a fragment depends on: whether the word carries a head, whether it is one of letters or digits, its bit."""
    spoken = word == "%" or (word not in _BRACKETS and any(map(str.isalnum, word)))
    return f"{tag not in _EMPTY_TAGS and spoken:d}{word.isalpha() or word.isdigit():d}{bit}"


def _fragment(tokens: Sequence[str]) -> _Fragment:
    root = _Scanner(tokens).tree()
    units = [node for node in ([root] if root.words else root.children) if node.words and node.valid]
    if not units:
        tags = _tags(root)
        phrases = [child for child in root.children if child.children and child.has(*tags)]
        units = [unit for phrase in phrases for unit in _shallowest(phrase, tags)]
        if not phrases:
            units = _shallowest(root, ())
    return _Fragment(root.label, tuple([(unit.words, unit.ended) for unit in units]))


_remembered = lru_cache(1 << 14)(_fragment)


def _tags(root: _Node) -> tuple[str, ...]:
    if root.has(*_VERBAL):
        return _VERBAL
    if root.has("NP", "NM") or any(child.has("NP", "NM") for child in root.children):
        return _NOMINAL
    return _VERBAL if any(child.has(*_VERBAL) for child in root.children) else _NOMINAL


def _shallowest(start: _Node, tags: tuple[str, ...]) -> list[_Node]:
    """The valid units of the least depth, breadth first; without tags, those of the first nominal or verbal phrase."""
    queue = deque([(start, 0)])
    found: list[_Node] = []
    deepest = None
    while queue:
        node, depth = queue.popleft()
        if deepest is not None and depth > deepest:
            break
        if node.words:
            if node.valid:
                found.append(node)
                deepest = depth
            continue
        if not tags:
            tags = _NOMINAL if node.has("NP", "NM") else _VERBAL if node.has(*_VERBAL) else ()
        if node is start or not tags or node.has(*tags):
            inside = bool(tags) and node.has(*tags)
            queue.extend((child, depth + 1) for child in node.children if inside or not child.words)
    return found


class _Scanner:
    """Reads the parse bits of a mention's tokens from left to right."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.top = _Node("NP")  # the parent of phrases and units that are in no other phrase
        self.stack = [self.top]
        self.pending: list[int] = []
        self.label: str | None = None  # the label of the phrase that is being opened

    def tree(self) -> _Node:
        number = 0
        for number, token in enumerate(self.tokens):
            for letter in token[2:]:
                if letter == "(":
                    self._open_phrase()
                    if any(self.tokens[each][1] == "1" for each in self.pending):
                        self._close_unit(number, push=True)
                    self.pending = []
                    self.label = ""
                elif letter == "*":
                    self.pending.append(number)
                    self._open_phrase()
                elif letter == ")":
                    self._close_unit(number)
                    if len(self.stack) > 1:
                        self.stack.pop()
                    self.label = None
                elif letter.isalpha() and self.label is not None:
                    self.label += letter
        self._close_unit(number)
        return self.top.children[0] if len(self.top.children) == 1 else self.top

    def _add(self, node: _Node, push: bool) -> None:
        self.stack[-1].children.append(node)
        if push:
            self.stack.append(node)

    def _open_phrase(self) -> None:
        if self.label is not None:
            self._add(_Node(self.label), push=True)
        self.label = None

    def _close_unit(self, token: int, push: bool = False) -> None:
        if self.pending:
            valid = any(self.tokens[each][0] == "1" for each in self.pending)
            self._add(_Node("", tuple(self.pending), token, valid), push and len(self.stack) == 1)
        self.pending = []
