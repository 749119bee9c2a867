"""Cells of a file, one for each token: they stay bytes until somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..document.document import Integers

_BLOCK = 1 << 13


class Cells(Sequence[str]):
    """One column of a document, as the places in the bytes of its file where each cell begins and ends.

    Two columns are compared by their bytes, whatever stands between the cells.

    >>> data = b"1 the _ 2 old _"
    >>> Cells(data, np.array([2, 10]), np.array([5, 13])) == ("the", "old")
    True
    """

    def __init__(self, data: bytes, start: Integers, end: Integers) -> None:
        self._data, self._start, self._end = data, start, end

    def __len__(self) -> int:
        return len(self._start)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self._data[self._start[index] : self._end[index]].decode()
        return decoded(self._data, self._start[index], self._end[index])

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return isinstance(other, Sequence) and list(self) == list(other)
        sizes, others = self._end - self._start, other._end - other._start
        return np.array_equal(sizes, others) and self._joined() == other._joined()

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[object, ...]:
        """Without the other bytes of the file."""
        end = np.cumsum(self._end - self._start)
        return Cells, (self._joined(), end - (self._end - self._start), end)

    def _joined(self) -> bytes:
        return joined(np.frombuffer(self._data, np.uint8), self._start, self._end).tobytes()


def joined(codes: NDArray[np.uint8], start: Integers, end: Integers) -> NDArray[np.uint8]:
    """The bytes from each start to its end, one after the other."""
    size = end - start
    behind = np.concatenate((np.zeros(1, np.int64), np.cumsum(size)))
    found = np.empty(behind[-1], np.uint8)
    for block in range(0, len(start), _BLOCK):  # the memory for a block is used again and again
        here = slice(block, block + _BLOCK)
        place = slice(behind[block], behind[here.stop] if here.stop < len(behind) else behind[-1])
        moved = np.repeat(start[here] - behind[:-1][here], size[here])
        found[place] = codes[np.arange(place.start, place.stop) + moved]
    return found


def cut(data: bytes, start: Integers, end: Integers) -> list[bytes]:
    """What is between these places."""
    return [data[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)]


def decoded(data: bytes, start: Integers, end: Integers) -> list[str]:
    """The texts between these places; all are decoded at once, unless one goes beyond a line."""
    found = cut(data, start, end)
    texts = b"\n".join(found).decode().split("\n")
    return texts if len(texts) == len(found) else [each.decode() for each in found]
