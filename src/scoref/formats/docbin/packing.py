"""MessagePack as far as DocBin needs it, unpacked within a limit; and the numbers that spaCy has for strings.

Nothing is executed: objects of numpy, which spaCy's own reader unpickles, are not known here.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

_M, _MASK = 0xC6A4A7935BD1E995, (1 << 64) - 1
_DEEPEST = 20
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
            0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}  # fmt: skip
_SIZED = {0xC4: (1, "bytes"), 0xC5: (2, "bytes"), 0xC6: (4, "bytes"), 0xD9: (1, "text"), 0xDA: (2, "text"),
          0xDB: (4, "text"), 0xDC: (2, "list"), 0xDD: (4, "list"), 0xDE: (2, "map"), 0xDF: (4, "map")}  # fmt: skip


def unpacked(data: bytes, most: int) -> bytes | None:
    """The bytes that zlib packed; None if they are more than `most`. A ValueError if it did not."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, most)
    except zlib.error as reason:
        raise ValueError(str(reason)) from None
    if unpacker.unconsumed_tail:
        return None
    if not unpacker.eof:
        raise ValueError("the file ends in the middle")
    return found


def loads(data: bytes) -> Any:
    """The value of MessagePack; a ValueError for what it cannot be."""
    try:
        value, end = _value(data, 0, 0)
    except (struct.error, IndexError, UnicodeDecodeError, TypeError) as reason:
        raise ValueError(f"not MessagePack: {reason}") from None
    if end != len(data):
        raise ValueError("bytes behind the end")
    return value


def _value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    """The value that begins there, and the place behind it."""
    code, at = data[at], at + 1
    if code < 0x80 or code >= 0xE0:
        return code - (code >= 0xE0) * 0x100, at
    if code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], at
    if code in _NUMBERS:
        size = struct.calcsize(_NUMBERS[code])
        return struct.unpack_from(_NUMBERS[code], data, at)[0], at + size
    if code < 0xC0:
        kind = "map" if code < 0x90 else "list" if code < 0xA0 else "text"
        size = code & (0x1F if kind == "text" else 0x0F)
    elif code in _SIZED:
        width, kind = _SIZED[code]
        size, at = int.from_bytes(data[at : at + width], "big"), at + width
    else:
        raise ValueError(f"a value of the kind {code:#x}")
    if size > len(data) - at or depth > _DEEPEST:
        raise ValueError("a value that is longer than the file, or nested too deeply")
    if kind in ("bytes", "text"):
        found = data[at : at + size]
        return found if kind == "bytes" else found.decode(), at + size
    items = []
    for _ in range(size * (1 + (kind == "map"))):
        item, at = _value(data, at, depth + 1)
        items.append(item)
    return (items if kind == "list" else dict(zip(items[::2], items[1::2], strict=True))), at


def number_of(text: str) -> int:
    """The number of a string: MurmurHash64A with the seed 1; 0 for the empty string.

    >>> number_of("coffee"), number_of("")  # the first is in spaCy's documentation
    (3197928453018144401, 0)
    """
    data = text.encode()
    if not data:
        return 0
    found = 1 ^ (len(data) * _M & _MASK)
    whole = len(data) // 8 * 8
    for (block,) in struct.iter_unpack("<Q", data[:whole]):
        block = block * _M & _MASK
        block = (block ^ block >> 47) * _M & _MASK
        found = (found ^ block) * _M & _MASK
    if data[whole:]:
        found = (found ^ int.from_bytes(data[whole:], "little")) * _M & _MASK
    found = (found ^ found >> 47) * _M & _MASK
    return found ^ found >> 47
