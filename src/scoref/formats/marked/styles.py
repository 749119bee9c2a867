"""The styles in which mentions are marked in running text: what each looks like, and the pattern of its marks."""

from __future__ import annotations

import re
from typing import NamedTuple


class Style(NamedTuple):
    """A way to mark mentions: what it looks like, and a regular expression of its marks.

    Its groups: `open` and `close` are marks; `bracket` and `end` are brackets that belong to the text, though they
    look like marks; `id` is the entity. `opens` and `closes` are unfinished marks, whose end after the id is missing:
    what follows them is text. A style without a pattern marks words one by one.
    """

    example: str
    marks: str | None
    flags: re.RegexFlag = re.NOFLAG

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """The compiled pattern of marks; `re` caches it."""
        return re.compile(self.marks, self.flags) if self.marks else None


def _brackets(close: str, unfinished: str = r"(?!)") -> str:
    return rf"(?P<open>\[)|(?P<close>{close})|(?P<closes>{unfinished})|(?P<end>\])"


def _id(ends: str, closes: str) -> str:
    """A pattern for an id on one line, up to a character that ends it; brackets in it must be closed."""
    other = rf"[^{ends}\[\]\n]"
    return rf"(?:{other}|\[(?={other}*\])|(?!{closes})\]){{0,1000}}+"


_TAG, _ID = r"<(?:coref|e)(?=[\s>])", r"\sid\s*+=\s*+"  # parts of XML tags
_LINK, _INDEX = r"\]\(\#", r"\]_"  # how closing marks begin
STYLES = {
    "markdown": Style("[the plumber](#2)", _brackets(rf"{_LINK}(?P<id>{_id(')', _LINK)})\)", _LINK)),
    "subscript": Style("[the plumber]_{2}",
        _brackets(rf"{_INDEX}(?P<brace>\{{)?(?P<id>(?(brace){_id('{}', _INDEX)}|\w+))(?(brace)\}})", rf"{_INDEX}\{{")),
    "colon": Style("[the plumber: 2]", _brackets(r":\s*+(?P<id>[^\s\[\]:]*+)\s*+\](?!\(\#|_)")),
    "crac": Style("the|[e2 plumber|e2]", None),
    "m-pipe": Style("<m> the plumber | 2 </m>",
        r"(?P<open><m>)|(?P<close>(?:\|\s*+(?P<id>[^\s|<>]*+)\s*+)?</m>)"),
    "m-hash": Style("<m>the plumber</m>#2",
        r"(?P<open><m>)|(?P<close></m>(?:\#(?P<id>\w+))?)"),
    "curly": Style("{2 the plumber}",
        r"(?P<open>(?<!\]_)\{(?P<id>[^\s{}]+)\s)|(?P<bracket>\{)|(?P<close>\})"),
    "xml": Style('<coref id="2">the plumber</coref>',
        rf"""(?P<open>{_TAG}(?=(?:[^<>]*?{_ID}(?:(?P<quote>["'])(?=[^<>]*?(?P=quote)))?["']?"""
        r"""(?P<id>(?(quote)(?:(?!(?P=quote))[^<>])*|[^"'\s<>]*)))?)[^<>]*>)"""
        rf"|(?P<close></(?:coref|e)\s*>)|(?P<opens>{_TAG}(?=(?>[^<>]*?{_ID})[^<>]*+(?:<|\Z)))", re.IGNORECASE),
}  # fmt: skip
EXAMPLES = ", ".join(f"{style.example} ({name})" for name, style in STYLES.items())
