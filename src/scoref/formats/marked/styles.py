"""The styles in which mentions are marked in running text: each a template with a name, and the pattern of its marks.

In a template `{words}` stands for the words of a mention, `{id}` for its entity. Ids are letters, digits, `_`, `.`, `:`
and `-`; between brackets a `#` before them may stand or not, and between parentheses they may be anything else. An id
in front of the words without a colon has a digit, or `[the old ferry]` would be "old ferry" of an entity "the".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...problems import Error

WORDS, ID = "{words}", "{id}"  # other braces are written as they are
_PARTNERS = {"[": "]", "{": "}", "(": ")", "<": ">", "⟪": "⟫", "〔": "〕", "【": "】", "「": "」"}


class Style(NamedTuple):
    """A way to mark mentions: its template, what it looks like, and a regular expression of its marks.

    Its groups: `open` and `close` are marks; `bracket` and `end` are brackets that belong to the text, though they
    look like marks; `id` is the entity. `opens` and `closes` are unfinished marks, whose end after the id is missing:
    what follows them is text. With a group `tag`, marks of one name belong together, and with a group `attributes`, the
    id is in these. `one` is a word that is marked behind it. A style without a pattern marks words one by one. `half`
    is half a mark at the end of a text, `hint` a pattern
    without which there are no marks, quick to look for; `guess` is a pattern
    without which a text whose words are not known is not taken to be in this style: other texts have such marks, too.
    """

    example: str
    template: str
    marks: str | None
    half: str = r"(?!)"
    hint: str = ""
    guess: str = ""

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """The compiled pattern of marks; `re` caches it."""
        return re.compile(self.marks) if self.marks else None


# -- templates --------------------------------------------------------------------------------------------------------


def styled(name: str, option: str = "--marks") -> Style:
    """The style of that name, or of that template; `option` is what names it, for messages.

    >>> style = styled("<<{words}>>={id}")
    >>> [mark.groupdict() for mark in style.pattern.finditer("<<Ada>>=1 ran")]
    [{'open': '<<', 'close': None, 'id': None}, {'open': None, 'close': '>>=1', 'id': '1'}]
    """
    if name in ALL_STYLES or name in _BY_TEMPLATE:
        return ALL_STYLES.get(name) or _BY_TEMPLATE[name]
    if name.count(WORDS) != 1 or not 1 <= name.count(ID) <= 2:
        expected = f"one of {', '.join(ALL_STYLES)}, or a template with {WORDS} and {ID}, like [{WORDS}](#{ID})"
        remedy = f"name another with {option}, or leave it out: it is found"
        raise Error("unknown-marks", f"no style of marks '{name}'", expected=expected, remedy=remedy)
    return of_template(name)


@lru_cache
def of_template(template: str) -> Style:
    """The style of a template."""
    before, _, behind = template.partition(WORDS)
    example = template.replace(WORDS, "the plumber").replace(ID, "2")
    if ID in before:
        return _in_front(template, example, before, behind)
    if not before:
        return _of_word(template, example, behind)
    return _behind(template, example, before, behind)


def _in_front(template: str, example: str, before: str, behind: str) -> Style:
    """A style whose opening marks have the id; a plain bracket is text, and so is the one that closes it."""
    start, _, end = before.partition(ID)
    spaced = not end.strip()
    numbered = r"(?=[\w.:-]*\d)" if spaced else ""
    id = r"[\w.:-]+?" if ":" in end else r"[\w.:-]+"
    enclosed = _unhashed(start)[-1:] in _PARTNERS
    begin = _literal(_unhashed(start)) + _HASH if enclosed else _literal(start)
    opening = f"{begin}(?P<id>{numbered}{id}){_literal(end)}"
    closing = _literal(behind.replace(ID, "\0")).replace("\0", r"[\w.:-]+")
    bracket = rf"|(?P<bracket>{re.escape(start[0])})" if _PARTNERS.get(start[:1]) == behind else ""
    half = f"{_prefixes(_unhashed(start), _HASH + id)}|{_prefixes(behind.partition(ID)[0])}"
    return Style(example, template, rf"(?P<open>{opening}){bracket}|(?P<close>{closing})", half, _plain(opening))


def _behind(template: str, example: str, before: str, behind: str) -> Style:
    """A style whose closing marks have the id; a plain closing bracket is text, and so is the one that it closes."""
    start, _, end = behind.partition(ID)
    enclosed = bool(end) and _PARTNERS.get(_unhashed(start)[-1:]) == end[0]
    id = r"[^()\n]{1,1000}+" if end[:1] == ")" else r"[\w.:-]+" if end else r"\w(?:[\w.:-]*\w)?"
    closing = (
        f"{_literal(_unhashed(start) if enclosed else start)}{_HASH if enclosed else ''}(?P<id>{id}){_literal(end)}"
    )
    partner = _PARTNERS.get(before, "\0")
    plain = rf"|(?P<end>{re.escape(partner)})" if partner in behind else ""
    opening = _literal(before)
    both = rf"(?P<close>{closing})|(?P<open>{opening})" if behind.startswith(before) else (
        rf"(?P<open>{opening})|(?P<close>{closing})")  # fmt: skip
    half = f"{_prefixes(start, _HASH + _SOME if end else '', end)}|{_prefixes(before)}"
    return Style(example, template, both + plain, half, _plain(closing))


def _of_word(template: str, example: str, behind: str) -> Style:
    """A style that marks one word, behind it."""
    start, _, end = behind.partition(ID)
    id = r"[\w.:-]+" if end else r"\w(?:[\w.:-]*\w)?"
    marks = rf"(?P<one>[^\W_][\w'’.&-]*)(?P<close>{_literal(start)}(?P<id>{id}){_literal(end)})"
    return Style(example, template, marks, _prefixes(start), _plain(rf"{_literal(start)}(?P<id>{id}){_literal(end)}"))


_HASH = r"\#?"
_SOME = r"[^()\[\]{}<>|\n]{0,100}"  # the beginning of an id


def _unhashed(literal: str) -> str:
    return literal.removesuffix("#") or literal


def _plain(pattern: str) -> str:
    """A pattern without names of groups."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _literal(text: str) -> str:
    """A pattern for a text of a template, in which blanks may be several."""
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", text))


def _prefixes(start: str, id: str = "", end: str = "") -> str:
    """A pattern for the beginnings of a mark that breaks off: of its first part, with the id, and of its last part."""
    if not start:
        return r"(?!)"
    pattern = ""
    for sign in reversed(end[:-1]):
        pattern = rf"(?:{re.escape(sign)}{pattern})?"
    pattern = f"(?:{id}{pattern})?" if id else ""
    for sign in reversed(start[1:] if id else start[1:-1]):
        pattern = rf"(?:{re.escape(sign)}{pattern})?"
    return f"{re.escape(start[0])}{pattern}" if len(start) > 1 or id else r"(?!)"


# -- styles with names ------------------------------------------------------------------------------------------------


def _brackets(close: str, unfinished: str = r"(?!)") -> str:
    return rf"(?P<open>\[)|(?P<close>{close})|(?P<closes>{unfinished})|(?P<end>\])"


def _id(ends: str, closes: str) -> str:
    """A pattern for an id on one line, up to a character that ends it; brackets in it must be closed."""
    other = rf"[^{ends}\[\]\n]"
    return rf"(?:{other}|\[(?={other}*\])|(?!{closes})\]){{0,1000}}+"


_LINK, _INDEX = r"\]\(\#?", r"\]_"  # how closing marks begin
_LINKED = r"\](?:\([^()\n]{0,1000})?"
_TAG = r"<(?P<{}>[A-Za-z][\w.-]*)"
_USUAL = "|".join(rf"(?<=<{name})(?=[\s>])" for name in ("e", "E", "coref", "COREF"))  # even without attributes
_ATTRIBUTES = rf"(?:(?=\s[^<>]*?[\w:-]\s*=)|{_USUAL})"
STYLES = {
    "markdown": Style("[the plumber](#2)", "[{words}](#{id})",
        _brackets(rf"{_LINK}(?P<id>{_id(')', _LINK)})\)", r"\]\(\#"), _LINKED, r"\]\(", r"\]\(\#"),
    "subscript": Style("[the plumber]_{2}", "[{words}]_{{id}}",
        _brackets(rf"{_INDEX}(?P<brace>\{{)?(?P<id>(?(brace){_id('{}', _INDEX)}|\w+))(?(brace)\}})", rf"{_INDEX}\{{"),
        r"\](?:_(?:\{[^{}\n]{0,1000})?)?", r"\]_"),
    "colon": Style("[the plumber: 2]", "[{words}: {id}]",
        _brackets(r":\s*+(?P<id>[^\s\[\]:]*+)\s*+\](?!\(\#|_)"), r"(?!)", r":\s*+[^\s\[\]:]*+\s*+\]"),
    "crac": Style("the|[e2 plumber|e2]", "{words}|[{id}]", None, r"(?!)", r"\|[^\s|]*[\[\]]"),
    "m-pipe": Style("<m> the plumber | 2 </m>", "<m> {words} | {id} </m>",
        r"(?P<open><m>)|(?P<close>(?:\|\s*+(?P<id>[^\s|<>]*+)\s*+)?</m>)", r"<(?:/?m?)", "<m>"),
    "m-hash": Style("<m>the plumber</m>#2", "<m>{words}</m>#{id}",
        r"(?P<open><m>)|(?P<close></m>(?:\#(?P<id>\w+))?)", r"<(?:/?m?>?\#?)", "</m>#"),
    "curly": Style("{2 the plumber}", "{{id} {words}}",
        r"(?P<open>(?<!\]_)\{\#?(?P<id>(?=[^\s{}]*\d)[^\s{}]+|___|MASK)\s)|(?P<bracket>\{)|(?P<close>\})",
        r"\{[^\s{}]{0,1000}", r"\{"),
    "xml": Style('<coref id="2">the plumber</coref>', '<coref id="{id}">{words}</coref>',
        rf"(?P<open>{_TAG.format('tag')}{_ATTRIBUTES}(?P<attributes>[^<>]*)>)|(?P<close></(?P<name>[A-Za-z][\w.-]*)\s*>)"
        rf"|(?P<opens>{_TAG.format('unfinished')}(?=\s++[\w:-]+\s*=[^<>]*(?:<|\Z)))", r"<[^<>]{0,1000}", "</",
        r"(?i:<(?:coref|e)\s)"),
}  # fmt: skip
_LOW, _RAISED = "₀-₉", "⁰¹²³⁴-⁹"
_FURTHER = {
    "reference": of_template("[{words}][{id}]"),
    "bar": of_template("[{words}|{id}]"),
    "brace": of_template("[{words}]{{id}}"),
    "hash": of_template("[{words}]#{id}"),
    "caret": of_template("[{words}]^{id}"),
    "digits": Style("[the plumber]₂", "[{words}]{id}",
        _brackets(rf"\](?P<id>[{_LOW}]+|[{_RAISED}]+)"), r"\]", rf"\][{_LOW}{_RAISED}]"),
    "sub": of_template("[{words}]<sub>{id}</sub>"),
    "behind": of_template("[{words}] (#{id})"),
    "front": of_template("[{id} {words}]"),
    "front-colon": of_template("[{id}: {words}]"),
    "bold": of_template("**{words}** ({id})"),
    "word": of_template("{words}|{id}"),
    "tag": Style("<e2>the plumber</e2>", "<{id}>{words}</{id}>",
        r"(?P<open><(?P<id>(?P<tag>(?=[^\s<>]*\d)[\w.:-]+))>)|(?P<close></(?P<name>(?=[^\s<>]*\d)[\w.:-]+)\s*>)",
        r"<[^<>]{0,1000}", "</"),
}  # fmt: skip
ALL_STYLES = {**STYLES, **_FURTHER}
_BY_TEMPLATE = {style.template: style for style in ALL_STYLES.values()}
EXAMPLES = ", ".join(f"{style.example} ({name})" for name, style in STYLES.items())

# Of several attributes of a tag, the first of these is the entity; else `id`, else the first one.
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|["']?([^\s"'<>]*))""")
_ENTITIES = ("cluster", "entity", "chain", "coref", "set", "group")


def attributes_id(attributes: str) -> str:
    """The entity that the attributes of a tag name.

    >>> attributes_id(' id="m4" type=PER cluster_id=2'), attributes_id("to='x'")
    ('2', 'x')
    """
    found = {name.lower(): a or b or c for name, a, b, c in reversed(_ATTRIBUTE.findall(attributes))}
    names = [name + more for name in _ENTITIES for more in ("", "_id")]
    return next((found[name] for name in (*names, "id", *reversed(found)) if name in found), "")
