"""The data of a page, read back by other code than that of its scripts."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from itertools import accumulate, zip_longest

_PART = re.compile(r'<script type="application/octet-stream" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def unpacked(page):
    """What is embedded in a page, by the ids of its elements; documents with their columns as lists."""
    data = {name: json.loads(zlib.decompress(b64decode(packed))) for name, packed in _PART.findall(page)}
    for name, chunk in data.items():
        if name.startswith("document-"):
            whole(chunk)
    return data


def whole(chunk):
    if isinstance(chunk["units"], str):
        chunk["units"] = chunk["units"].split("\n")
    for side in [*chunk["keys"], *(system["response"] for system in chunk["systems"])]:
        owners, more, firsts = (numbers(side[name]) for name in ("owners", "more", "firsts"))
        each = zip_longest(owners, accumulate(firsts), more)
        side["mentions"] = [[owner, first, first + size] for owner, first, size in each]
        for at, pieces in side.get("pieces", {}).items():
            side["mentions"][int(at)][1:] = pieces
        if isinstance(side.get("lines"), str):
            side["lines"] = [*accumulate(numbers(side["lines"]))]
    for system in chunk["systems"]:
        system["twins"] = once(numbers(system["twins"]))


def once(steps):
    """Numbers of which each occurs once, or -1, from their steps; 0 stands for -1."""
    return [sum(steps[: at + 1]) - 1 if step else -1 for at, step in enumerate(steps)]


def numbers(text):
    """Numbers from their letters: a last letter is one of the first 32."""
    found = []
    for digits in re.findall("[g-z0-9+/]*[A-Za-f]", text):
        value = sum((_LETTERS.index(letter) & 31) << 5 * place for place, letter in enumerate(digits))
        found.append(-(value >> 1) if value & 1 else value >> 1)
    assert "".join(re.findall("[g-z0-9+/]*[A-Za-f]", text)) == text
    return found
