"""The words of a text in one piece, positions in it as integers, and spans: the positions of a mention."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

_EMPTY_BITS = 8
_WORD = 1 << _EMPTY_BITS  # the difference between the positions of neighbouring words
INITIAL = 128  # added to the numbers of empty nodes before a first word, as those of the word before may be there, too
EMPTY = _WORD - 1  # the bits of a position that hold the number of an empty node

_EIGHT = 8  # bytes of a 64-bit integer

Span = range | tuple[int, ...]  # a range if, and only if, it is a stretch of words


def position(word: int, empty: int = 0) -> int:
    """The position of a word (from 0), or of the n-th empty node behind it, as one integer that sorts in text order.

    Those before the first word of a text are behind word -1, and numbered from `INITIAL` on.

    >>> position(2), position(2, 1), position(3), position(-1, 1) == position(-1, INITIAL + 1)
    (512, 513, 768, True)
    """
    return word << _EMPTY_BITS | (empty if word >= 0 or not empty else empty | INITIAL)


def word_of(position: int) -> int:
    """The word of a position.

    >>> word_of(position(7, 2))
    7
    """
    return position >> _EMPTY_BITS


def stretch(first: int, last: int) -> range:
    """The positions of the words from `first` to `last`, both included.

    >>> [*stretch(1, 3)]
    [256, 512, 768]
    """
    return range(first << _EMPTY_BITS, (last << _EMPTY_BITS) + 1, _WORD)


def span_of(places: Iterable[int]) -> Span:
    """The positions in the one form that mentions use, a range for a stretch of words, so that spans can be compared.

    >>> span_of([256, 512]), span_of([256, 768]), span_of([])
    (range(256, 513, 256), (256, 768), ())
    """
    if type(places) is range and places.step == _WORD and places and not places[0] & EMPTY:
        return places
    span = tuple(places)
    if not span or span[0] & EMPTY or span[-1] - span[0] != (len(span) - 1) << _EMPTY_BITS:
        return span
    whole = range(span[0], span[-1] + 1, _WORD)
    return whole if span == tuple(whole) else span


def is_stretch(span: Sequence[int]) -> bool:
    """Whether a span, in the form that mentions use, is a stretch of words without gaps.

    >>> is_stretch(span_of((256, 512, 768))), is_stretch(span_of((256, 768)))
    (True, False)
    """
    return isinstance(span, range)


def text_order(span: Span) -> tuple[int, ...]:
    """A sort key for spans: the same order as comparing all positions one by one, but faster.

    Each stretch of words gives three numbers: its first position, whether a position behind the next word follows, and
    its last position. Of two that begin alike, the one that goes on with the next word comes after one that ends, and
    before one that leaves the next word out.

    >>> spans = [(256, 768), range(256, 1025, 256), (256,), (256, 257)]
    >>> sorted(spans, key=text_order) == sorted(spans, key=tuple)
    True
    """
    if type(span) is range:
        return span[0], 0, span[-1]
    found: list[int] = []
    first = 0
    for index, place in enumerate(span):
        after = span[index + 1] if index + 1 < len(span) else None
        if after != place + _WORD:
            leaps = after is not None and after > place + _WORD
            found += (span[first], leaps, -place if leaps else place)
            first = index + 1
    return tuple(found)


# Sort keys for the order in which mentions appear, from a span and its number in the list. `text` does not depend on
# the order of brackets at one word. Scorers that read a file bracket by bracket meet mentions as they are `opened`, or
# `closed`; at one word the order of the list decides, with mentions of one word first. Others sort mentions by their
# first words, the `longest` first.
APPEARANCES: dict[str, Callable[[Span, int], tuple[Any, ...]]] = {
    "text": lambda span, number: (span[0], len(span) > 1, text_order(span)),
    "opened": lambda span, number: (span[0], len(span) > 1, number),
    "closed": lambda span, number: (span[-1], len(span) > 1, -span[0], number),
    "longest": lambda span, number: (span[0], -len(span), span[-1], number),
}


def pieces(span: Span) -> list[tuple[int, int]]:
    """The first and last word of each piece of a span; empty nodes are no words.

    >>> pieces((256, 512, 513, 1024))
    [(1, 2), (4, 4)]
    """
    if type(span) is range:
        return [(word_of(span[0]), word_of(span[-1]))]
    return runs([word_of(place) for place in span if not place & EMPTY])


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last number of each stretch without gaps.

    >>> runs([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


class Words(Sequence[str]):
    """Words, or the cells of another column, as the bytes of a text that has each of them on a line of its own.

    None has a line break. No string is kept: thousands of documents stay as small as their bytes. Instead of the bytes
    there may be a function that finds them: it is called once, when somebody asks for a word.

    >>> words_of(["Ada", "phoned"]) == ("Ada", "phoned"), words_of(["Ada"])[0], Words(lambda: b"a", 1) == ["a"]
    (True, 'Ada', True)
    """

    __slots__ = ("_breaks", "_text", "size")

    def __init__(self, text: bytes | Callable[[], bytes], size: int) -> None:
        self._text, self.size = text, size
        self._breaks: array[int] | None = None

    @property
    def text(self) -> bytes:
        """The words as lines, without a line break at the end."""
        if not isinstance(self._text, bytes):
            self._text = self._text()
        return self._text

    def _values(self) -> tuple[str, ...]:
        return tuple(_decoded(self.text).split("\n")) if self.size else ()

    def _edges(self) -> array[int]:
        """Where the line breaks are, with one before the text and one behind it."""
        if self._breaks is None:
            breaks = np.flatnonzero(np.frombuffer(self.text, np.uint8) == ord("\n"))
            edges = np.concatenate(([-1], breaks, [len(self.text)]))
            self._breaks = array("i" if len(self.text) < 1 << 31 else "q")
            self._breaks.frombytes(edges.astype(f"i{self._breaks.itemsize}").tobytes())
        return self._breaks

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Any:
        edges = self._edges()
        if not isinstance(index, slice):
            number = range(self.size)[index]
            return _decoded(self.text[edges[number] + 1 : edges[number + 1]])
        places = range(self.size)[index]
        if places.step != 1:
            return tuple([self[number] for number in places])
        part = self.text[edges[places.start] + 1 : edges[places.stop]] if places else b""
        return tuple(_decoded(part).split("\n")) if places else ()

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Words):
            if self is other or self.size != other.size or self.text != other.text:
                return self is other
            other._text = self.text  # one copy is enough
            return True
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and self._values() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[object, ...]:
        return Words, (self.text, self.size)


def _decoded(text: bytes) -> str:
    return text.decode(errors="surrogatepass")


def words_of(words: Sequence[str]) -> Sequence[str]:
    """The words as `Words`; unchanged, if one of them has a line break."""
    if isinstance(words, Words):
        return words
    text = "\n".join(words)
    if text.count("\n") != len(words) - 1:
        return tuple(words)
    return Words(text.encode(errors="surrogatepass"), len(words))


def numbered(columns: Sequence[Words]) -> tuple[list[str], np.ndarray[tuple[Any, ...], np.dtype[np.int64]]]:
    r"""The different cells of several columns, and the number of each cell, one column after the other.

    Cells of eight bytes at most are compared as integers. No text has the bytes of the largest integers: these stand
    for the others, and for those with a zero byte.

    >>> names, of = numbered([Words(b"the\nold\nthe", 3), Words(b"parliamentary\nold", 2)])
    >>> [names[number] for number in of]
    ['the', 'old', 'the', 'parliamentary', 'old']
    """
    text = b"".join([each.text + b"\n" for each in columns if each.size]) + bytes(_EIGHT)
    bytes_ = np.frombuffer(text, np.uint8)[:-_EIGHT]
    end = np.flatnonzero(bytes_ == ord("\n"))
    start = np.append(0, end + 1)[: len(end)]
    size = end - start
    masks = np.array([(1 << 8 * number) - 1 for number in range(_EIGHT + 1)], np.uint64)
    code = np.ndarray(len(bytes_), "<u8", text, strides=(1,))[start] & masks[np.minimum(size, _EIGHT)]
    apart: dict[bytes, int] = {}
    zeros = np.searchsorted(end, np.flatnonzero(bytes_ == 0))
    for cell in {*np.flatnonzero(size > _EIGHT).tolist(), *zeros.tolist()}:
        code[cell] = apart.setdefault(text[start[cell] : end[cell]], (1 << 8 * _EIGHT) - 1 - len(apart))
    codes = np.unique(code)
    known = {number: cell for cell, number in apart.items()}
    cells = [known[each] if each in known else each.to_bytes(_EIGHT, "little").rstrip(b"\0") for each in codes.tolist()]
    return [*map(_decoded, cells)], np.searchsorted(codes, code)
