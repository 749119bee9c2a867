"""The words of a document as one piece of memory, cut into strings when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


class Words(Sequence[str]):
    """Words without line breaks, as the bytes of a text that has each of them on a line of its own.

    >>> words_of(["Ada", "phoned"]) == ("Ada", "phoned"), words_of(["Ada"])[0]
    (True, 'Ada')
    """

    __slots__ = ("_made", "size", "text")

    def __init__(self, text: bytes, size: int) -> None:
        self.text, self.size = text, size
        self._made: tuple[str, ...] | None = None

    def _values(self) -> tuple[str, ...]:
        if self._made is None:
            self._made = tuple(self.text.decode(errors="surrogatepass").split("\n")) if self.size else ()
        return self._made

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Any:
        return self._values()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Words):
            return self.size == other.size and self.text == other.text
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and self._values() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Words, (self.text, self.size)


def words_of(words: Sequence[str]) -> Sequence[str]:
    """The words in one piece, unless one of them has a line break."""
    text = "\n".join(words)
    if text.count("\n") != len(words) - 1:
        return tuple(words)
    return Words(text.encode(errors="surrogatepass"), len(words))
