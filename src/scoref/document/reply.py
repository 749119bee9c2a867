"""What a language model wrote, before it is read beside the words of a key."""

from __future__ import annotations

from typing import NamedTuple


class Reply(NamedTuple):
    """What a language model wrote, the style or template of its marks if it is named, and how ends of numbers count."""

    text: str
    marks: str | None = None
    ends: str = "inclusive"
