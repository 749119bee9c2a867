"""Names as a page shows them: characters that would turn the order of letters stand there as their code points."""

from __future__ import annotations

import re

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def legible(text: str) -> str:
    r"""A name, or JSON with many, in which no character can make `exe.doc` of `cod.exe`.

    >>> legible("txt.\u202ecod.exe")
    'txt.⟨U+202E⟩cod.exe'
    """
    return text if text.isascii() else _TURNING.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
