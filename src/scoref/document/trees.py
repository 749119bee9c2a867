"""Parse fragments of mentions: their root label and their minimum span.

The CoNLL parse column holds one bit of the tree a token, `(NP(NP*` or `*))`. The bits of a mention's own tokens make a
fragment of the tree. Its minimum span (Moosavi et al. 2019, *Using automatically extracted minimum spans*) is the set
of those units that carry the head, so that a response may cut or extend a mention at its edges and still be matched.
Units, validity and search follow the scorer `coval`; but a mention without any such unit is its own minimum span.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from .document import Document, Mention, Span, about, word_of

_NOMINAL = ("NP", "NM", "QP", "NX")
_VERBAL = ("VP",)
_EMPTY_TAGS = ("CC", "DT", "IN")
_BRACKETS = ("-LRB-", "-RRB-")

MinimumSpan = frozenset[tuple[Span, int]]


@dataclass
class _Node:
    """A phrase with its children, or a unit: words that stand together in one phrase, and the token that ended them."""

    label: str = ""
    words: tuple[int, ...] = ()
    ended: int = 0
    children: list[_Node] = field(default_factory=list)

    def has(self, *prefixes: str) -> bool:
        return self.label.startswith(prefixes)


def has_parse(document: Document) -> bool:
    """Whether each token has a parse bit that is no placeholder."""
    return "parse" in document.columns and all("*" in cell for cell in document.columns["parse"])


def root_label(document: Document, mention: Mention) -> str:
    """The label of the fragment's root; '' for a bare unit."""
    return _fragment(document, mention).label


def minimum_span(document: Document, mention: Mention) -> MinimumSpan:
    """The units that carry the mention's head, each as its words and the token that ended it."""
    root = _fragment(document, mention)
    units = [node for node in ([root] if root.words else root.children) if node.words and _valid(document, node)]
    if not units:
        tags = _tags(root)
        phrases = [child for child in root.children if child.children and child.has(*tags)]
        units = [unit for phrase in phrases for unit in _shallowest(document, phrase, tags)]
        if not phrases:
            units = _shallowest(document, root, ())
    if not units:
        return frozenset({(mention.span, -1)})
    return frozenset((unit.words, unit.ended) for unit in units)


def shared_minimum(document: Document, mention: Mention, first: Mapping[str, int]) -> tuple[int, ...]:
    """The minimum span as coval compares it, in numbers: mentions with the same one are the same mention there.

    It is a set of texts, each with a place: that of a unit in its sentence. Without a unit that carries the head, texts
    are the words of the mention, and places count from its first word, so that they may be those of others by chance.
    `first` says where each word of the document stands first, which stands for its text.
    """
    number = bisect_right(document.sentences, word_of(mention.span[0]))
    begin = document.sentences[number - 1] if number else 0
    units = minimum_span(document, mention)
    if units == {(mention.span, -1)}:
        units = frozenset(((word_of(place),), begin + order) for order, place in enumerate(mention.span))
    named = sorted((tuple(first[document.words[word]] for word in words), ended - begin) for words, ended in units)
    return (number, *(each for words, place in named for each in (*words, -1, place)))


def _tags(root: _Node) -> tuple[str, ...]:
    if root.has(*_VERBAL):
        return _VERBAL
    if root.has("NP", "NM") or any(child.has("NP", "NM") for child in root.children):
        return _NOMINAL
    return _VERBAL if any(child.has(*_VERBAL) for child in root.children) else _NOMINAL


def _shallowest(document: Document, start: _Node, tags: tuple[str, ...]) -> list[_Node]:
    """The valid units of the least depth, breadth first; without tags, those of the first nominal or verbal phrase."""
    queue = deque([(start, 0)])
    found: list[_Node] = []
    deepest = None
    while queue:
        node, depth = queue.popleft()
        if deepest is not None and depth > deepest:
            break
        if node.words:
            if _valid(document, node):
                found.append(node)
                deepest = depth
            continue
        if not tags:
            tags = _NOMINAL if node.has("NP", "NM") else _VERBAL if node.has(*_VERBAL) else ()
        if node is start or not tags or node.has(*tags):
            inside = bool(tags) and node.has(*tags)
            queue.extend((child, depth + 1) for child in node.children if inside or not child.words)
    return found


def _valid(document: Document, unit: _Node) -> bool:
    """Whether one of its words carries a head."""
    tags = document.columns["pos"]
    words = [document.words[word] for word in unit.words if tags[word] not in _EMPTY_TAGS]
    return any(word == "%" or (word not in _BRACKETS and any(map(str.isalnum, word))) for word in words)


def _fragment(document: Document, mention: Mention) -> _Node:
    if "parse" not in document.columns:
        report = about(document, remedy="add the parse to the key, or use --match exact and --mentions all")
        expected = "CoNLL-2012 files with at least 12 columns in the key"
        raise report.error("no-parse", "the document has no parse column", document.line, None, expected)
    return _Scanner().tree(document, mention)


class _Scanner:
    """Reads the parse bits of a mention's tokens from left to right."""

    def __init__(self) -> None:
        self.top = _Node("NP")  # the parent of phrases and units that are in no other phrase
        self.stack = [self.top]
        self.pending: list[int] = []
        self.label: str | None = None  # the label of the phrase that is being opened

    def tree(self, document: Document, mention: Mention) -> _Node:
        token = 0
        parse, words = document.columns["parse"], document.words
        tokens = map(word_of, mention.span)
        for token, letter in ((word, letter) for word in tokens for letter in parse[word]):
            if letter == "(":
                self._open_phrase()
                if any(words[word].isalpha() or words[word].isdigit() for word in self.pending):
                    self._close_unit(token, push=True)
                self.pending = []
                self.label = ""
            elif letter == "*":
                self.pending.append(token)
                self._open_phrase()
            elif letter == ")":
                self._close_unit(token)
                if len(self.stack) > 1:
                    self.stack.pop()
                self.label = None
            elif letter.isalpha() and self.label is not None:
                self.label += letter
        self._close_unit(token)
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
            self._add(_Node(words=tuple(self.pending), ended=token), push and len(self.stack) == 1)
        self.pending = []
