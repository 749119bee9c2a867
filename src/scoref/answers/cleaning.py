"""Takes away what language models write around an answer: reasoning, marks of chat templates, fences.

What is taken away becomes blanks, so that places in what is left are places in the reply. The last of them begins a
line (`LINE`), or what comes next would be indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .payloads import Spot

_NAMES = "think|thinking|thought|reasoning|scratchpad|analysis"
_REASONING = re.compile(rf"<(?P<end>/?)(?P<tag>{_NAMES})>|\[(?P<slash>/?)(?P<word>THINK)\]", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>")
_FINAL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>")
_TEMPLATE = re.compile(r"<\|[^|<>\n]{0,100}\|>|</?s>")
_FENCE = re.compile(r"(```+|~~~+)[^\S\n]*")
_WORD = re.compile(r"[\w.+#-]*(?=\s|\Z)")  # the language of a fenced block
_SIGN = re.compile(r"[^\n]")
_BREAK = "\x1f"  # a blank behind which a line begins
LINE = re.compile(rf"[^\n{_BREAK}]*[\n{_BREAK}]?")


class Cleaned(NamedTuple):
    """A reply without reasoning and marks of templates; whether the reasoning was never closed."""

    text: str
    cut: bool


def cleaned(reply: str) -> Cleaned:
    """The reply without reasoning and marks of chat templates, of the same length.

    >>> cleaned("<think>Ada?</think>Yes.<|im_end|>").text.split()
    ['Yes.']
    >>> cleaned("She is Ada, so</think>[]").text.strip(), cleaned("<think>Hm").cut
    ('[]', True)
    """
    text = reply
    if _CHANNEL.search(text):
        finals = [*_FINAL.finditer(text)]
        text = _blank(text, [(0, finals[-1].end() if finals else len(text))])
    away: list[Spot] = []
    opened: tuple[str, int] | None = None
    for tag in _REASONING.finditer(text):
        name = (tag["tag"] or tag["word"]).lower()
        closes = bool(tag["end"] or tag["slash"])
        if opened is None and closes:  # it was opened in the prompt
            away = [(0, tag.end())]
        elif opened is None:
            opened = name, tag.start()
        elif closes and name == opened[0]:
            away.append((opened[1], tag.end()))
            opened = None
    if opened is not None:
        away.append((opened[1], len(text)))
    text = _blank(text, away)
    return Cleaned(_blank(text, [each.span() for each in _TEMPLATE.finditer(text)]), opened is not None)


def fences(text: str) -> list[Spot]:
    """The contents of fenced blocks; one that is never closed runs to the end.

    >>> text = "Here: ```json [1] ``` and ~~~ [2]"
    >>> [text[begin:end] for begin, end in fences(text)]
    [' [1] ', '[2]']
    """
    return [*_fences(text)]


def _fences(text: str) -> Iterator[Spot]:
    place = 0
    while opening := _FENCE.search(text, place):
        word = _WORD.match(text, opening.end())
        begin = word.end() if word else opening.end()
        end = text.find(opening[1], begin)
        if end < 0:
            yield begin, len(text)
            return
        yield begin, end
        place = end + len(opening[1])


def _blank(text: str, spots: list[Spot]) -> str:
    """The text with blanks in these places; lines stay where they are."""
    parts = []
    place = 0
    for begin, end in spots:
        parts += [text[place:begin], _blanks(text[begin:end])]
        place = end
    return "".join([*parts, text[place:]])


def _blanks(text: str) -> str:
    """Blanks in place of a text, behind which a line begins."""
    return _SIGN.sub(" ", text[:-1]) + (_BREAK if text[-1:] not in ("", "\n") else text[-1:])
