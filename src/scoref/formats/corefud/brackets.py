"""Finds and pairs the brackets of Entity annotations, for all documents of a CorefUD file at once.

Most documents have only regular brackets. Their mentions are found here by array operations; those of all other
documents are read bracket by bracket.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import count

import numpy as np

from ...document.document import Integers, position
from ...document.mentions import Attributes, Mentions, numbered
from ..columnar import ZERO, cut, nested, separated
from .lines import ConlluTexts


class FileBrackets:
    """The mentions of documents whose brackets are in order, in the order of their first words, longer ones first.

    `odd` marks the other documents: with unmatched brackets, heads outside of mentions, or mentions with empty nodes or
    in pieces.
    """

    def __init__(self, texts: ConlluTexts, meaning: Callable[[str], tuple[int, Attributes]]) -> None:
        lines = texts.lines
        line, start, end = lines.values("Entity")
        node = lines.word[line] | lines.empty[line]
        line, start, end = line[node], start[node], end[node]
        document = texts.document[line]
        found = _LabelledBrackets(separated(lines.codes, start, end, "\n").tobytes())
        # a sentence ends with its document, too: both numbers only grow, so their sum changes whenever one of them does
        first, last = found.paired(lines.sentence[line] + document)
        self.odd = np.zeros(len(texts.first_line) - 1, np.bool_)
        self.odd[document[found.wrong]] = True
        meanings = {field: meaning(field.decode()) for field in dict.fromkeys(found.fields)}
        heads = {field: head for field, (head, _) in meanings.items()}
        head = np.fromiter(map(heads.__getitem__, found.fields), np.int64, len(found.fields))
        ends = np.stack((line[first], line[last]), 1)
        words = texts.before[ends] - 1
        nodes = np.cumsum(lines.word | lines.empty)[ends]
        size = nodes[:, 1] - nodes[:, 0] + 1
        odd = (size != words[:, 1] - words[:, 0] + 1) | lines.empty[ends[:, 0]] | found.piece | (head > size)
        self.odd[texts.document[ends[odd, 0]]] = True
        self._first = np.searchsorted(ends[:, 0], texts.first_line).tolist()
        self._order = _in_order(ends[:, 0], ends[:, 1], found.label, found.names)
        self._words = words.astype(np.intc)
        self._head = position(1) * (words[:, 0] + np.maximum(head - 1, 0))
        self._found, self._meanings = found, meanings

    def mentions(self, document: int) -> Mentions:
        """The mentions of a document that is not odd."""
        some = self._order[slice(*self._first[document : document + 2])]
        names, fields = self._found.names, self._found.fields
        owners, entities = numbered([names[label] for label in self._found.label[some].tolist()])
        ends, heads = array("i", self._words[some].tobytes()), array("q", self._head[some].tobytes())
        attributes = [self._meanings[fields[index]][1] for index in some.tolist()]
        return Mentions(ends, owners, entities, heads, attributes)


class _LabelledBrackets:
    """The brackets of lines of text: the labels of those that open and close, and the other fields.

    `wrong` are the numbers of lines with anything else; `piece` marks labels of pieces of mentions.
    """

    def __init__(self, text: bytes) -> None:
        codes = np.frombuffer(text, np.uint8)
        end = np.flatnonzero(codes == ord("\n"))
        start = np.concatenate((ZERO, end[:-1] + 1))[: len(end)]
        at = np.flatnonzero((codes == ord("(")) | (codes == ord(")")))
        opens, line = codes[at] == ord("("), np.searchsorted(end, at)
        same = line[1:] == line[:-1]
        followed, preceded = np.append(same, False)[: len(at)], np.append(False, same)[: len(at)]
        closed = followed & ~np.append(opens[1:], True)[: len(at)]  # a closing bracket comes next
        text_end = np.where(followed, np.roll(at, -1), end[line])
        text_start = np.where(preceded, np.roll(at, 1) + 1, start[line])
        closes = ~opens & ~(preceded & np.append(True, opens[:-1])[: len(at)])
        stray = np.where(opens, ~preceded & (at > start[line]), (text_end > at + 1) & ~closed)
        bare = (np.bincount(line, minlength=len(end)) == 0) & (end > start)
        bare |= (codes[end - 1] <= ord(" ")) | (codes[end - 1] > 127)  # perhaps blanks at the end, which are ignored
        dashes = np.append(np.flatnonzero(codes == ord("-")), len(codes))
        begin = at[opens] + 1
        label_end = np.minimum(dashes[np.searchsorted(dashes, begin)], text_end[opens])
        unnamed = label_end == begin
        self.piece = ~unnamed & (codes[label_end - 1] == ord("]"))
        self.wrong = np.concatenate((line[stray], np.flatnonzero(bare), line[opens][unnamed]))
        self.fields = cut(text, np.minimum(label_end + 1, text_end[opens]), text_end[opens])
        self._number = int(opens.sum())
        labels = cut(text, np.append(begin, text_start[closes]), np.append(label_end, at[closes]))
        numbers = dict(zip(dict.fromkeys(labels), count(), strict=False))
        self.names = b"\n".join(numbers).decode().split("\n")
        every = np.fromiter(map(numbers.__getitem__, labels), np.int64, len(labels))
        self.label, self._closed = every[: self._number], every[self._number :]
        self._single = closed[opens]
        self._line, self._opening = line, np.flatnonzero(opens)
        self._closing = np.flatnonzero(closes)

    def paired(self, sentence: Integers) -> tuple[Integers, Integers]:
        """The lines where each mention begins and ends; -1 where brackets of its label in the sentence do not match.

        Such lines are added to `wrong`. Brackets with the same label in a sentence are paired as nested.
        """
        line, long = self._line, np.flatnonzero(~self._single)
        first = line[self._opening]
        last = np.where(self._single, first, -1)
        bracket = np.append(self._opening[long], self._closing)
        group = sentence[line[bracket]] * len(self.names) + np.append(self.label[long], self._closed)
        order = np.lexsort((bracket, group))
        pairs, unfit = nested(group[order], order < len(long))
        self.wrong = np.append(self.wrong, line[bracket[order[unfit]]])
        pairs = order[pairs]
        last[long[pairs[:, 0]]] = line[bracket[pairs[:, 1]]]
        return first, last


def _in_order(first: Integers, last: Integers, label: Integers, names: list[str]) -> Integers:
    """Mentions by their first lines, longer ones first, then by the names of their entities."""
    return np.lexsort((np.unique(names, return_inverse=True)[1][label], (first << 32) - last))
