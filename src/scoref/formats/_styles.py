"""The styles in which mentions are marked in running text: what each looks like, and the pattern of its marks."""

from __future__ import annotations

import re
from typing import NamedTuple


class Style(NamedTuple):
    """A way to mark mentions: what it looks like, and a regular expression of its marks.

    Its groups: `open` and `close` are marks, `bracket` opens and `end` closes something that is text,
    though it looks like a mark; `id` is the entity. A style without one marks words one by one.
    """

    example: str
    marks: str | None
    flags: re.RegexFlag = re.NOFLAG

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """The pattern of marks; `re` remembers it."""
        return re.compile(self.marks, self.flags) if self.marks else None


def _brackets(close: str) -> str:
    return rf"(?P<open>\[)|(?P<close>{close})|(?P<end>\])"


STYLES = {
    "markdown": Style("[the plumber](#2)", _brackets(r"\]\(#(?P<id>[^)]{0,1000})\)")),
    "subscript": Style("[the plumber]_{2}", _brackets(r"\]_(?P<brace>\{)?(?P<id>(?(brace)[^{}]*|\w+))(?(brace)\})")),
    "colon": Style("[the plumber: 2]", _brackets(r":\s*+(?P<id>[^\s\[\]:]*+)\s*+\](?!\(\#|_)")),
    "crac": Style("the|[e2 plumber|e2]", None),
    "m-pipe": Style("<m> the plumber | 2 </m>",
        r"(?P<open><m>)|(?P<close>(?:\|\s*+(?P<id>[^\s|<>]*+)\s*+)?</m>)"),
    "m-hash": Style("<m>the plumber</m>#2",
        r"(?P<open><m>)|(?P<close></m>(?:\#(?P<id>\w+))?)"),
    "curly": Style("{2 the plumber}",
        r"(?P<open>\{(?P<id>[^\s{}]+)\s)|(?P<bracket>\{)|(?P<close>\})"),
    "xml": Style('<coref id="2">the plumber</coref>',
        r"""(?P<open><(?:coref|e)(?=[\s>])(?=(?:[^<>]*?\sid\s*=\s*["']?(?P<id>[^"'\s<>]*))?)[^<>]*>)"""
        r"|(?P<close></(?:coref|e)\s*>)", re.IGNORECASE),
}  # fmt: skip
