"""What goes wrong with files: some of it in a known way, most of it anyhow."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable

Hurt = Callable[[bytes, random.Random], bytes]

_NUMBERS = ["-1", "0", "00", "1e9", "1e400", "NaN", "inf", "99999999999999999999999", "0x10", "1_000", "٣", "²",
    "1.0", "+1", "-0", "2147483648", "", " "]  # fmt: skip
_BITS = ["\x00", "\ufeff", "\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\u00a0", "\u200b", "\u202e", "\u0301",
    "\r", "\r\n", "\t", "\t\t", "\ufffd", "\ud800", "\U0010ffff", "\x1b[2J", "|", "(", ")", "[", "]", "{", "}",
    "<", ">", "&", "&#0;", "&x;", '"', "'", "\\", "\\u0000", "%00", "#", "@", "*", "_", "-", ",", ";", ":", "=",
    "[" * 3000, "(" * 500, '{"a":' * 1500, "<a>" * 1500]  # fmt: skip


def _spot(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def insert(data: bytes, chance: random.Random) -> bytes:
    """Something odd somewhere."""
    at, what = _spot(data, chance), chance.choice(_BITS).encode("utf-8", "surrogatepass")
    return data[:at] + what * chance.choice([1, 1, 1, 2, 5]) + data[at:]


def number(data: bytes, chance: random.Random) -> bytes:
    """Another number."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return insert(data, chance)
    hit = chance.choice(found)
    return data[: hit.start()] + chance.choice(_NUMBERS).encode() + data[hit.end() :]


def cell(data: bytes, chance: random.Random) -> bytes:
    """A cell is gone, there twice, or exchanged with another."""
    cells = re.split(rb"([\t,|;]| (?=\S))", data)
    one, other = chance.randrange(len(cells)), chance.randrange(len(cells))
    what = chance.randrange(4)
    if what == 0:
        del cells[one]
    elif what == 1:
        cells.insert(one, cells[other])
    elif what == 2:
        cells[one], cells[other] = cells[other], cells[one]
    else:
        cells[one] = b""
    return b"".join(cells)


def line(data: bytes, chance: random.Random) -> bytes:
    """A line is gone, twice, elsewhere, empty or joined to the next."""
    lines = data.splitlines(keepends=True) or [b""]
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    what = chance.randrange(5)
    if what == 0:
        del lines[one]
    elif what == 1:
        lines.insert(other, lines[one])
    elif what == 2:
        lines.insert(other, b"\n")
    elif what == 3:
        lines[one] = lines[one].rstrip()
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def cut(data: bytes, chance: random.Random) -> bytes:
    """The file ends early, or begins late, or lacks its middle."""
    first, last = sorted((_spot(data, chance), _spot(data, chance)))
    return chance.choice([data[:first], data[first:], data[:first] + data[last:]])


def recode(data: bytes, chance: random.Random) -> bytes:
    """Another encoding, byte-order mark, or other line ends."""
    said = data.decode("utf-8", "replace")
    return chance.choice([
        lambda: said.encode("utf-16"), lambda: said.encode("utf-8-sig"), lambda: said.encode("latin-1", "replace"),
        lambda: said.encode("utf-32-le"), lambda: data.replace(b"\n", b"\r\n"), lambda: data.replace(b"\n", b"\r"),
        lambda: data.replace(b"\t", b" "), lambda: data.replace(b" ", b"\t"), lambda: data + b"\x1a",
        lambda: data.replace(b"\n", b"\n\r"), lambda: said.encode("utf-8-sig") + said.encode("utf-8-sig"),
        lambda: gzip.compress(data)[: chance.choice([None, 20, -3])], lambda: data.upper(), lambda: data[::-1],
    ])()  # fmt: skip


def byte(data: bytes, chance: random.Random) -> bytes:
    """A byte is another."""
    if not data:
        return b"\xff"
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def again(data: bytes, chance: random.Random) -> bytes:
    """All of it, or much of it, several times."""
    return data * chance.choice([2, 2, 3, 40])


def letter(data: bytes, chance: random.Random) -> bytes:
    """A sign of the syntax is gone or another."""
    found = [hit.start() for hit in re.finditer(rb"[^\w\s]", data)]
    if not found:
        return byte(data, chance)
    at = chance.choice(found)
    return data[:at] + chance.choice([b"", b"", b"(", b")", b'"', b"-", b" ", b"|", b"/"]) + data[at + 1 :]


_ALL: list[Hurt] = [insert, insert, number, number, cell, cell, line, line, cut, recode, byte, again, letter, letter]


def hurt(data: bytes, chance: random.Random) -> bytes:
    """After one to four accidents."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        data = chance.choice(_ALL)(data, chance)
    return data[:500_000]


# Known damage: each gives None where there is nothing to damage in this way.


def _sub(pattern: str, to: str, said: str, chance: random.Random) -> str | None:
    found = list(re.finditer(pattern, said, re.MULTILINE))
    if not found:
        return None
    hit = chance.choice(found)
    return said[: hit.start()] + hit.expand(to) + said[hit.end() :]


def broken(kind: str, said: str, chance: random.Random) -> tuple[str, str] | None:
    """A file that is certainly wrong, and what was done to it."""
    ways = {
        "conll": [
            ("no closing bracket", r"(?<=[|\t ])(\w+)\)$", "-"), ("no opening bracket", r"([\t ])\((\w+)$", r"\1-"),
            ("no end of document", r"^#end document\n", ""), ("word in a bracket", r"\((\w+)\)$", r"(\1"),
            ("a negative entity", r"\(\w+\)$", "(-1)"),
        ],
        "corefud": [
            ("no closing bracket", r"Entity=\w+\)$", "_"), ("no opening bracket", r"Entity=\(\w+-t-1$", "_"),
            ("a column too few", r"^1\t", ""), ("words out of turn", r"^2\t", "7\t"),
            ("no header", r"(?s)\A(.*global.*)\Z", lambda_(r"# global\.Entity.*\n")),
        ],
        "ua": [
            ("no closing bracket", r"\)\n", "_\n"), ("no MarkableID", r"\|MarkableID=\w+", ""),
            ("no EntityID", r"EntityID=\w+\|", ""), ("a column too many", r"$(?<=_)", "\t_\t_"),
        ],
        "jsonl": [
            ("no brace", r"\}$", ""), ("an end before its start", r"\[(\d+), (\d+)\]", r"[\2, -9\1]"),
            ("a span beyond the text", r"\[(\d+), (\d+)\]", r"[\1, 99999]"), ("half a span",
                r"\[(\d+), (\d+)\]", r"[\1]"),
            ("a fraction", r"\[(\d+), (\d+)\]", r"[\1.5, \2]"), ("no clusters", r'"(span_)?clusters"',
                '"clutters"'),
        ],
        "text": [("no end of a mark", r"\)(?= |$)|</m>|</coref>|\]_", "")],
        "tbf": [
            ("no end of document", r"^#EndOfDocument\n", ""), ("an unknown mention", r"(@Cor.*),m\w+",
                r"\1,nobody"),
            ("a span that is none", r"\t(\d+),(\d+)\t", r"\t\1,x\t"), ("an end before its start",
                r"\t(\d+),(\d+)\t", r"\t99\2,1\t"),
            ("a column too few", r"\tFire_Start\tActual", ""),
        ],
        "muc": [
            ("no end of a mention", r"</COREF>", ""), ("no ID", r'ID="\d+"', ""), ("a REF to nothing",
                r'REF="\d+"', 'REF="nobody"'),
        ],
        "ecb": [
            ("a token that is not there", r'token_anchor t_id="\d+"', 'token_anchor t_id="9999"'),
            ("no XML", r"</Markables>", ""), ("a markable that is not there", r'source m_id="\d+"',
                'source m_id="9998"'),
        ],
        "webanno": [("a link that is none", r"\*->(\d+)-(\d+)", r"*->\1"),
            ("a column too few", r"^(\d+-\d+)\t\d+-\d+\t", r"\1\t")],
        "table": [("no entity", r"^(.*),[^,\r\n]+(\r?)$(?<!entity)(?<!entity\r)", r"\1,\2"),
            ("a cell too many", r"^(\S+,\d.*)(\r?)$", r"\1,x,y\2")],
        "clusters": [("no brace", r"\}$", ""), ("a mention that is an object", r'"\d+-\d+"', '{"a": 1}')],
    }  # fmt: skip
    what, pattern, to = chance.choice(ways[kind])
    done = _sub(pattern, to, said, chance) if not to.startswith("without ") else re.sub(to[8:], "", said)
    return (done, what) if done is not None and done != said else None


def lambda_(pattern: str) -> str:
    """All of this is taken out."""
    return "without " + pattern


BREAKABLE = ["conll", "corefud", "ua", "jsonl", "text", "tbf", "muc", "ecb", "webanno", "table", "clusters"]
