"""Text tables that DuckDB reads otherwise than `rows` does, without a word.

DuckDB takes a cell for quoted where a blank stands before or behind the quotes, leaves out empty cells behind the last
column, takes a blank line for a header, and finds no rows behind a header with a line break in a name. In `rows` such
quotes are letters or an error, such cells a bad row.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence

_BYTES = 1 << 20
_MARK = b"\xef\xbb\xbf"  # of UTF-8, at the begin of a file
_BLANK_AND_QUOTE, _QUOTE_AND_BLANK = b' "', b'" '


def read_otherwise(paths: Iterable[str], separator: str, header: Sequence[str]) -> bool:
    """Whether DuckDB may read one of these files otherwise. Only lines that look odd are taken apart."""
    if any(end in name for name in header for end in "\r\n"):
        return True
    mark, columns = separator.encode(), len(header)
    before = re.compile(rb"(?:[\r\n]|" + re.escape(mark) + rb'|\A) "')
    behind = re.compile(rb'" +(?:[\r\n]|' + re.escape(mark) + rb"|\Z)")
    ends = [mark + end for end in (b"\n", b"\r", b'""')]

    def is_odd(part: bytes) -> bool:
        if (_BLANK_AND_QUOTE in part and before.search(part)) or (_QUOTE_AND_BLANK in part and behind.search(part)):
            return True
        empty = part.endswith(mark) or any(end in part for end in ends)
        return empty and any(_has_more(line, separator, columns) for line in part.splitlines())

    for path in paths:
        for number, part in enumerate(_whole_lines(path)):
            if (number == 0 and part.startswith((b"\n", b"\r"))) or is_odd(part):
                return True
    return False


def _has_more(line: bytes, separator: str, columns: int) -> bool:
    """Whether a line ends in an empty cell and has not as many cells as there are columns, as far as it is known."""
    mark = separator.encode()
    if not line.endswith((mark, mark + b'""')):
        return False
    quotes = line.count(b'"')
    if not quotes:
        return line.count(mark) + 1 != columns
    if quotes % 2:  # the end of a cell of several lines: how many cells are before it is not known
        return True
    try:
        (cells,) = csv.reader([line.decode(errors="replace")], delimiter=separator, strict=True)
    except csv.Error:
        return True
    return len(cells) != columns


def _whole_lines(path: str) -> Iterator[bytes]:
    """The bytes of a file in parts of whole lines, unpacked, without the mark of UTF-8."""
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            part = file.read(_BYTES).removeprefix(_MARK)
            while part:
                yield part + file.readline()
                part = file.read(_BYTES)
    except (EOFError, OSError, zlib.error):  # whoever reads it says what is wrong
        return
