"""What is written for people: the pages of a competition, the text of its kit, and a logo."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

_ASSETS = Path(__file__).with_name("assets")
PAGES = ("overview", "evaluation", "terms")  # the first two are pages of the competition
_SIZE = 128  # pixels of the logo
_BARS = ((24, 28, 80), (24, 56, 48), (24, 84, 72))  # left, top and width of each
_HIGH, _BLUE, _WHITE = 16, b"\x1f\x5f\x8b", b"\xff\xff\xff"


def asset(name: str) -> bytes:
    """The content of a file that bundles are made of."""
    return (_ASSETS / name).read_bytes()


def filled(name: str, facts: dict[str, str]) -> bytes:
    """A page with the facts of a task in it."""
    return asset(f"{name}.md").decode().format_map(facts).encode(errors="backslashreplace")


def logo() -> bytes:
    """A PNG picture for competitions that bring none: three bars."""
    rows = []
    for y in range(_SIZE):
        row = bytearray(_WHITE * _SIZE)
        for left, top, width in _BARS:
            if top <= y < top + _HIGH:
                row[3 * left : 3 * (left + width)] = _BLUE * width
        rows.append(b"\0" + bytes(row))
    header = struct.pack(">IIBBBBB", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    parts = {b"IHDR": header, b"IDAT": zlib.compress(b"".join(rows), 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )
