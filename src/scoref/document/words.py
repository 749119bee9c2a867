"""The words of a document, or another of its columns, as one piece of memory: cut into strings when somebody asks."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np


class Words(Sequence[str]):
    """Words without line breaks, as the bytes of a text that has each of them on a line of its own.

    No string is kept: thousands of documents stay as small as their bytes. Instead of the bytes there may be a function
    that finds them: it is called once, when somebody asks for a word.

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
            return self is other or (self.size == other.size and self.text == other.text)
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and self._values() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Words, (self.text, self.size)


def _decoded(text: bytes) -> str:
    return text.decode(errors="surrogatepass")


def words_of(words: Sequence[str]) -> Sequence[str]:
    """The words in one piece, unless one of them has a line break."""
    text = "\n".join(words)
    if text.count("\n") != len(words) - 1:
        return tuple(words)
    return Words(text.encode(errors="surrogatepass"), len(words))
