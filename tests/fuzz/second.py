"""Other mutators, which know nothing of formats and share nothing with `mutate`: `python -m tests.fuzz --second`.

They treat a file as bytes, as a sequence of pieces, or as a tree of brackets. What they know is what goes wrong between
machines and people: a transfer that stops, an editor that changes blanks and quotes, a merge that leaves its marks, a
spreadsheet that rewrites numbers, a disk that returns a block twice, a tool that escapes once too often.
"""

from __future__ import annotations

import base64
import gzip
import random
import re
import unicodedata
import zlib
from collections.abc import Callable
from html import escape
from urllib.parse import quote

Mutator = Callable[[bytes, random.Random], bytes]
_PIECES = re.compile(rb"\w+|\s+|[^\w\s]")


def mutated(text: str, chance: random.Random) -> bytes:
    """The text after one to three accidents."""
    data = text.encode(errors="replace")
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(MUTATORS)(data, chance)
    return data[:2_000_000]


def _cut(data: bytes, chance: random.Random) -> tuple[int, int]:
    """The ends of some stretch of the file."""
    first, last = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return first, last


def flip_bits(data: bytes, chance: random.Random) -> bytes:
    """A memory error: some bits are the others."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 4)) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def stop(data: bytes, chance: random.Random) -> bytes:
    """A transfer that stops, at any byte or in blocks of 16."""
    size = chance.randrange(len(data) + 1)
    return data[: size if chance.random() < 0.5 else size // 16 * 16]


def block_again(data: bytes, chance: random.Random) -> bytes:
    """A disk returns a block twice, or in the wrong place, or as zeros."""
    first, last = _cut(data, chance)
    block = chance.choice((data[first:last], b"\x00" * min(last - first, 64), data[first:last][::-1]))
    place = chance.randrange(len(data) + 1)
    return data[:place] + block[:4096] + data[place:]


def conflict(data: bytes, chance: random.Random) -> bytes:
    """A merge that leaves its marks."""
    lines = data.splitlines(keepends=True)
    place = chance.randrange(len(lines) + 1)
    ours, theirs = lines[place : place + 2], lines[place : place + 1]
    marked = [b"<<<<<<< ours\n", *ours, b"=======\n", *theirs, b">>>>>>> theirs\n"]
    return b"".join([*lines[:place], *marked, *lines[place + 2 :]])


def editor(data: bytes, chance: random.Random) -> bytes:
    """An editor that knows better: quotes, dashes, blanks, tabs, ends of lines, capitals."""
    changes = (
        (b'"', "“".encode()), (b"'", "’".encode()), (b"-", "–".encode()), (b"...", "…".encode()), (b"\t", b"    "),
        (b"\t", b" "), (b" ", b"\t"), (b" ", "\u00a0".encode()), (b"\n", b"\r\n"), (b"\n", b"\n\n"), (b"\n", b"\r"),
        (b"\n\n", b"\n"), (b"\n", b" \n"), (b"(", "（".encode()), (b"|", "｜".encode()), (b"_", b""), (b"=", b" = "),
    )  # fmt: skip
    old, new = chance.choice(changes)
    if chance.random() < 0.2:
        return chance.choice((data.upper(), data.lower(), data.title(), data.rstrip(), data.lstrip(), data + b"\x1a"))
    return data.replace(old, new, chance.choice((1, 3, -1)))


def spreadsheet(data: bytes, chance: random.Random) -> bytes:
    """A spreadsheet that rewrites numbers: as dates, floats, with blanks for thousands."""
    forms: tuple[Callable[[int], str], ...] = (
        lambda value: f"{value}.0", lambda value: f"{value:,}", lambda value: f"{value:.2E}", lambda value: f"0{value}",
        lambda value: "#REF!", lambda value: f"{value % 28 + 1}-Jan", lambda value: f" {value}",
        lambda value: f"{value}%",
        lambda value: str(-value), lambda value: str(value + 2**32), lambda value: str(value << 53), lambda value: "",
    )  # fmt: skip
    places = [*re.finditer(rb"\d{1,15}", data)]
    if not places:
        return data
    place, form = chance.choice(places), chance.choice(forms)
    return data[: place.start()] + form(int(place[0])).encode() + data[place.end() :]


def pieces(data: bytes, chance: random.Random) -> bytes:
    """Words, blanks and marks: some are exchanged, gone, there again, or many times."""
    found = _PIECES.findall(data)
    if len(found) < 2:
        return data + data
    one, other = chance.sample(range(len(found)), 2)
    kind = chance.randrange(5)
    if kind == 0:
        found[one], found[other] = found[other], found[one]
    elif kind == 1:
        found[one] = b""
    elif kind == 2:
        found[one] = found[other]
    elif kind == 3:
        found[one] *= chance.choice((2, 3, 100, 3000))
    else:
        first, last = sorted((one, other))
        part = found[first:last]
        chance.shuffle(part)
        found[first:last] = part
    return b"".join(found)


def nested(data: bytes, chance: random.Random) -> bytes:
    """Something in brackets is put into itself, up to some hundred times."""
    found = [*re.finditer(rb"\([^()\s]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}|\"[^\"]*\"", data)]
    if not found:
        return b"[" * 500 + data
    place = chance.choice(found)
    opener, inside, closer = place[0][:1], place[0][1:-1], place[0][-1:]
    depth = chance.choice((1, 2, 10, 300))
    return data[: place.start()] + opener * depth + inside + closer * depth + data[place.end() :]


def unbalanced(data: bytes, chance: random.Random) -> bytes:
    """A bracket, quote or tag more, or less, or turned round."""
    places = [*re.finditer(rb"[()\[\]{}<>\"|]", data)]
    if not places:
        return data
    place = chance.choice(places)
    turned = place[0].translate(bytes.maketrans(b"()[]{}<>", b")(][}{><"))
    return data[: place.start()] + chance.choice((b"", place[0] * 2, turned)) + data[place.end() :]


def shuffled_lines(data: bytes, chance: random.Random) -> bytes:
    """Lines that were sorted, turned round, made unique, or mixed from two places."""
    lines = data.split(b"\n")
    first, last = sorted(chance.randrange(len(lines) + 1) for _ in range(2))
    part = lines[first:last]
    ways = (sorted(part), part[::-1], [*dict.fromkeys(part)], [*part, *part],
            [b"".join(part)], [line + b" " for line in part], [b" " + line for line in part],
            part[1:] + part[:1])  # fmt: skip
    lines[first:last] = chance.choice(ways)
    return b"\n".join(lines)


def escaped(data: bytes, chance: random.Random) -> bytes:
    """A tool that escapes once too often, or in the wrong way, some of the file or all of it."""
    first, last = (0, len(data)) if chance.random() < 0.2 else _cut(data, chance)
    part = data[first:last][:500]
    text = part.decode(errors="replace")
    ways = (escape(text), quote(text), repr(text), text.encode("unicode_escape").decode(), text.replace("\\", "\\\\"),
            base64.b64encode(part).decode(), part.decode("latin-1"), unicodedata.normalize("NFD", text),
            unicodedata.normalize("NFKC", text), text[::-1])  # fmt: skip
    return data[:first] + chance.choice(ways).encode(errors="replace") + data[last:]


def packed(data: bytes, chance: random.Random) -> bytes:
    """Another encoding, or a packed file, whole or broken."""
    text = data.decode(errors="replace")
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: text.encode("utf-16"), lambda: text.encode("utf-32"), lambda: text.encode("cp1252", "replace"),
        lambda: b"\xef\xbb\xbf" * 2 + data, lambda: gzip.compress(data, mtime=0) * 2, lambda: zlib.compress(data),
        lambda: gzip.compress(gzip.compress(data, mtime=0), mtime=0), lambda: gzip.compress(data, mtime=0)[:-4],
        lambda: gzip.compress(data, mtime=0) + b"garbage", lambda: b"\x1f\x8b" + data,
    )  # fmt: skip
    return chance.choice(ways)() if chance.random() < 0.3 else data


MUTATORS: tuple[Mutator, ...] = (
    flip_bits, stop, block_again, conflict, editor, editor, spreadsheet, spreadsheet, pieces, pieces, pieces, nested,
    unbalanced, unbalanced, shuffled_lines, shuffled_lines, escaped, packed,
)  # fmt: skip
