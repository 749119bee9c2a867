"""Token tables of event nuggets: cuts a text into tokens that agree with annotation, reads and writes tables.

A table has a row for each token: its id, its text, where it begins, where it ends. Offsets are characters of the text
from 0, ends are excluded, ids are numbers from 1. Every character of a text that is not white space is in one token.

The tokens are those of NLTK, in the manner of the Penn Treebank; any function from a text to spans can take its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from unicodedata import category

from ...problems import Error, Problems, Reporter

Span = tuple[int, int]
Tokenizer = Callable[[str], Iterable[Span]]

SEPARATORS = "/-\\"
_COLUMNS = 4
_SKIP = "fix the table, or leave such rows out with --on-problem skip"


class Token(NamedTuple):
    """A token of a table: its id, its text, where it begins, where it ends (excluded)."""

    id: str
    text: str
    begin: int
    end: int


class Mismatch(NamedTuple):
    """A token that an annotated span cuts: where and what both are."""

    token: Span
    token_text: str
    span: Span
    span_text: str

    def message(self, document: str) -> str:
        """The warning that the scoring document of 2015 has for it.

        >>> print(Mismatch((0, 7), "in/hire", (3, 7), "hire").message("d"))
        [WARN] Boundary mismatch found in d: Token [0,7] [in/hire] vs. EventMentionSpan [3,7] [hire]
        """
        pairs = (self.token, self.token_text), (self.span, self.span_text)
        token, span = (f"[{begin},{end}] [{_cell(text)}]" for (begin, end), text in pairs)
        return f"[WARN] Boundary mismatch found in {document}: Token {token} vs. EventMentionSpan {span}"


# -- from a text -----------------------------------------------------------------------------------------------------


def tokenize(
    text: str, annotated: Iterable[Span] = (), separators: str = SEPARATORS, tokenizer: Tokenizer | None = None
) -> tuple[list[Token], list[Mismatch]]:
    """The tokens of a text, and where annotated spans do not agree with them; such tokens are split.

    Tokens are cut at separators first; a run of separators is a token of its own.

    >>> tokens, mismatches = tokenize("Don't hire/fire!", [(2, 5)])
    >>> [token.text for token in tokens]
    ['Do', "n't", 'hire', '/', 'fire', '!']
    >>> tokens, mismatches = tokenize("Don't hire/fire!", [(11, 15)], separators="")
    >>> [(token.id, token.text, token.begin, token.end) for token in tokens[2:4]]
    [('3', 'hire/', 6, 11), ('4', 'fire', 11, 15)]
    >>> mismatches[0][:2]
    ((6, 15), 'hire/fire')
    """
    whole = _complete(text, (tokenizer or treebank)(text))
    spans, mismatches = split(text, cut(text, whole, separators), annotated)
    return [Token(str(number), text[begin:end], begin, end) for number, (begin, end) in enumerate(spans, 1)], mismatches


def _complete(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in order and apart, and a token for each piece of text that they leave out.

    >>> list(_complete("a bc, d", [(0, 1), (2, 4)]))
    [(0, 1), (2, 4), (4, 5), (6, 7)]
    """
    end = 0
    for begin, stop in [*spans, (len(text), len(text))]:
        if begin < end or stop < begin:
            continue
        yield from ((end + found.start(), end + found.end()) for found in re.finditer(r"\S+", text[end:begin]))
        if stop > begin:
            yield begin, stop
        end = stop


def cut(text: str, spans: Iterable[Span], separators: str) -> Iterator[Span]:
    """The spans cut at separators, which are kept: a run of them is a span of its own.

    >>> [("well-to-do"[begin:end]) for begin, end in cut("well-to-do", [(0, 10)], "-")]
    ['well', '-', 'to', '-', 'do']
    """
    if not separators:
        yield from spans
        return
    letters = re.escape(separators)
    pieces = re.compile(f"[{letters}]+|[^{letters}]+")
    for begin, end in spans:
        yield from (piece.span() for piece in pieces.finditer(text, begin, end))


def split(text: str, spans: Iterable[Span], annotated: Iterable[Span]) -> tuple[list[Span], list[Mismatch]]:
    """The spans split at every boundary of annotation inside of them, and a mismatch for each annotated span that cuts.

    >>> split("abcdef gh", [(0, 6), (7, 9)], [(1, 3), (4, 8)])[0]
    [(0, 1), (1, 3), (3, 4), (4, 6), (7, 8), (8, 9)]
    """
    ends: dict[int, list[Span]] = {}
    for annotation in sorted(set(annotated)):
        for boundary in set(annotation):
            ends.setdefault(boundary, []).append(annotation)
    boundaries = sorted(ends)
    found: list[Span] = []
    mismatches: list[Mismatch] = []
    for begin, end in spans:
        inside = boundaries[bisect_right(boundaries, begin) : bisect_left(boundaries, end)]
        cutting = sorted({each for boundary in inside for each in ends[boundary]})
        mismatches += [Mismatch((begin, end), text[begin:end], each, text[slice(*each)]) for each in cutting]
        places = [begin, *inside, end]
        found += [piece for first, last in pairwise(places) if (piece := _bare(text, first, last))]
    return found, mismatches


def _bare(text: str, begin: int, end: int) -> Span | None:
    """The span without white space around it; None if there is nothing else."""
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    end = begin + len(piece.strip())
    return (begin, end) if begin < end else None


# -- the library -----------------------------------------------------------------------------------------------------

# Abbreviations whose period does not end a sentence, without those that are also common words.
_ABBREVIATIONS = """
    mr mrs ms messrs dr prof rev hon st ste gen col maj capt lt cmdr adm sgt cpl pvt gov sen sens rep reps pres supt
    det insp jr sr bros co cos corp inc ltd llc plc assn dept univ inst vs v etc al cf e.g i.e viz ca c vol pp p fig
    figs eq eds op approx jan feb apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri ave blvd rd hwy
    mt ft ala ariz ark calif cal colo conn fla ga kan ky md mich minn mo mont neb nev okla penn tenn tex va vt wis wyo
    a.m p.m ph.d
"""
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # U.S

# What stays in one piece: tags, addresses of pages and of mail. A blank line ends a sentence.
_WHOLE = re.compile(
    r"</?[A-Za-z!?][^<>\r\n]*>"
    r"|(?:(?:https?|ftp)://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]}']"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"
    r"|\n\s*\n|\Z"
)

# NLTK rewrites straight quotes, and knows some letters in one form only: replacements of the same length.
_STAND_INS = str.maketrans({'"': "”", "’": "'", "`": "'", "…": ";", "£": "$", "€": "$", "¥": "$", "¡": "!", "¿": "?"})


def treebank(text: str) -> Iterator[Span]:
    """The tokens of English text in the manner of the Penn Treebank and of Stanford's tokenizer, by NLTK."""
    start = 0
    for whole in _WHOLE.finditer(text):
        yield from _sentences(text[start : whole.start()], start)
        if whole[0].strip():
            yield whole.span()
        start = whole.end()


def _sentences(text: str, start: int) -> Iterator[Span]:
    sentences, words = _nltk()
    for begin, end in sentences.span_tokenize(text):
        sentence = text[begin:end].translate(_STAND_INS)
        yield from ((start + begin + first, start + begin + last) for first, last in _words(sentence, words))


def _words(sentence: str, words: Any) -> Iterator[Span]:
    """The tokens of a sentence; a final period is joined to an abbreviation."""
    place = 0
    before: Span | None = None
    for token in words.tokenize(sentence):
        begin = sentence.find(token, place)
        if begin < 0:  # quotes that NLTK rewrites
            continue
        place = begin + len(token)
        if token == "." and before and before[1] == begin and _is_short(sentence[slice(*before)]):
            before = (before[0], place)
            continue
        if before:
            yield before
        before = (begin, place)
    if before:
        yield before


def _is_short(word: str) -> bool:
    return word.lower() in _ABBREVIATIONS.split() or _INITIALS.fullmatch(word) is not None


def plain(text: str) -> Iterator[Span]:
    """The words of a text in any language: cut at blanks and signs; each sign (`.`, `-`, `'`, `€`) is a word.

    >>> text = "Ada's 2_b (№ 7)."
    >>> [text[begin:end] for begin, end in plain(text)]
    ['Ada', "'", 's', '2_b', '(', '№', '7', ')', '.']
    """
    for piece in re.finditer(r"\S+", text):
        begin, end = piece.span()
        for place in range(begin, end):
            if _is_sign(text[place]):
                yield from ((begin, place), (place, place + 1))[begin == place :]
                begin = place + 1
        if begin < end:
            yield begin, end


def _is_sign(letter: str) -> bool:
    """Whether it is punctuation or a symbol, except for marks on letters and characters that join words."""
    return not letter.isalnum() and letter != "_" and category(letter)[0] in "PS"


@cache
def _nltk() -> tuple[Any, Any]:
    """The sentence splitter, with our abbreviations, and the word tokenizer; neither needs data beside the package."""
    try:
        from nltk.tokenize.destructive import NLTKWordTokenizer
        from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    except ImportError:
        message, remedy = "tokenizing needs the package nltk", "install it: pip install 'scoref[tokens]'"
        raise Error("missing-package", message, expected="nltk 3.10.2 or newer", remedy=remedy) from None
    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS.split())
    return PunktSentenceTokenizer(parameters), NLTKWordTokenizer()


# -- tables ----------------------------------------------------------------------------------------------------------


def write_table(tokens: Iterable[Token]) -> str:
    r"""Tokens as the text of a table; tabs and line breaks in tokens are blanks there.

    >>> write_table([Token("1", "It", 0, 2), Token("2", "has", 3, 6)])
    '1\tIt\t0\t2\n2\thas\t3\t6\n'
    """
    return "".join(f"{token.id}\t{_cell(token.text)}\t{token.begin}\t{token.end}\n" for token in tokens)


def _cell(text: str) -> str:
    """The text with a blank for each tab or line break."""
    return re.sub(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", " ", text)


def read_table(data: bytes, name: str, problems: Problems) -> list[Token]:
    """The tokens of a table.

    Any text is an id: `1`, `t0`, `t1`. Ends are excluded (begin + length). Older tables include them: a
    table in which no end is begin + length, but some are one less, is read as such a table. This is reported, and so
    are a header and tokens whose length does not fit their text.
    """
    found: list[tuple[int, Token]] = []
    lines: dict[str, int] = {}
    report = Reporter(problems, name, remedy=_SKIP)
    header = True
    for number, line in enumerate(_decoded(data, name).split("\n"), 1):
        if not line.strip():
            continue
        token = _row(line.rstrip("\r"))
        if token is None and header:
            report("header-line", "a header, or a first row without offsets", number, line, "a token", fatal=False)
        elif token is None:
            report("bad-token", "not a token", number, line, f"{_COLUMNS} columns: id, text, begin, end")
        elif token.id in lines:
            expected = f"another id than in line {lines[token.id]}"
            report("repeated-token", f"token {token.id} for the second time", number, line, expected)
        else:
            lines[token.id] = number
            found.append((number, token))
        header = False
    tokens = _with_ends(found, report)
    for number, (before, token) in zip(list(lines.values())[1:], pairwise(tokens), strict=False):
        if token.begin < before.end:
            message, expected = "a token that begins before the last one ends", f"a begin from {before.end} on"
            report("token-order", message, number, token.text, expected, fatal=False)
    return tokens


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        report = Reporter(Problems(), name, remedy="convert the table to UTF-8")
        raise report.error("wrong-encoding", "the table is not UTF-8", line, None, "UTF-8") from None


def _row(line: str) -> Token | None:
    cells = line.split("\t")
    if len(cells) < _COLUMNS or not all(re.fullmatch(r"[0-9]{1,9}", cell.strip()) for cell in cells[2:_COLUMNS]):
        return None
    begin, end = (int(cell.strip()) for cell in cells[2:_COLUMNS])
    return Token(cells[0].strip(), cells[1], begin, end) if cells[0].strip() and begin <= end else None


def _with_ends(rows: list[tuple[int, Token]], report: Reporter) -> list[Token]:
    """The tokens with ends excluded, by the rule for older tables."""
    excess = [token.end - token.begin - len(token.text) for _, token in rows]
    older = 0 not in excess and -1 in excess
    if older:
        (line, first), expected = rows[0], "ends behind the last character"
        message = "a table whose ends are the last characters of tokens"
        report("inclusive-ends", message, line, first.text, expected, fatal=False)
    for (number, token), more in zip(rows, excess, strict=True):
        if more != -older:
            expected = f"an end of {token.begin + len(token.text) - older}"
            message = "a token whose length does not fit its text"
            report("token-length", message, number, token.text, expected, fatal=False)
    return [token._replace(end=token.end + older) for _, token in rows]
