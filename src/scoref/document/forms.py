"""What kind of expression a mention is: zero, pronoun, name or noun phrase.

The part of speech of its head decides, where a file has parts of speech: `UPOS` of CorefUD, or the tags of the Penn
Treebank in a CoNLL file. A mention whose head is not given has the last word of its first run of nouns, else its last
word, as its head. Without parts of speech a rule for English looks at the words: one word of a list is a pronoun; a
mention whose last word has a capital letter, and is not the first word of its sentence, is a name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache

from .document import UNWRITTEN, Document, Mention, Span, word_of
from .spans import EMPTY, is_stretch

NAMED_BY = 20  # of an entity only so many first mentions are considered as its name
NAMING = ("name", "noun phrase")  # the forms that name an entity best
FORMS = ("zero", "pronoun", "name", "noun phrase", "other", "unknown")

_TAGS = {"PRON": "pronoun", "PROPN": "name", "NOUN": "noun phrase", "DET": "pronoun"}
_PENN = {
    **dict.fromkeys(("PRP", "PRP$", "WP", "WP$", "DT", "WDT", "EX"), "pronoun"),
    **dict.fromkeys(("NNP", "NNPS"), "name"),
    **dict.fromkeys(("NN", "NNS"), "noun phrase"),
}
_MEANINGS = {"UPOS": _TAGS, "pos": _PENN}
COLUMNS = tuple(_MEANINGS)  # the columns with parts of speech
_PRONOUNS = frozenset(
    (
        "i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself", "yourselves", "he", "him", "his",
        "himself", "she", "her", "hers", "herself", "it", "its", "itself", "we", "us", "our", "ours", "ourselves",
        "they", "them", "their", "theirs", "themselves", "themself", "one", "oneself", "this", "that", "these", "those",
        "who", "whom", "whose", "which", "what", "here", "there",
    )
)  # fmt: skip


def form(document: Document, mention: Mention) -> str:
    """The form of a mention, one of `FORMS`."""
    return _form(document, mention, document.columns)


def naming(forms: Sequence[str]) -> int:
    """Which of the mentions with these forms names their entity: the first name, else noun phrase, else the first.

    >>> naming(["pronoun", "noun phrase", "name"]), naming(["pronoun", "other"])
    (2, 0)
    """
    return next((forms.index(form) for form in NAMING if form in forms), 0)


def forms(document: Document) -> list[str]:
    """The form of every mention of a document: its columns are read once."""
    columns = {name: tuple(tags) for name in _MEANINGS if (tags := document.columns.get(name))}
    mentions = document.mentions
    if mentions.ends is None or len(columns) != 1 or any(head is not None for head in mentions.heads):
        return [_form(document, mention, columns) for mention in mentions]
    ((column, tags),) = columns.items()
    return [
        _MEANINGS[column].get(_head(tags[first : last + 1]), "other")
        if last < len(tags) and tags[last] not in UNWRITTEN
        else _form(document, mentions[number], columns)
        for number, (first, last) in enumerate(zip(mentions.ends[::2], mentions.ends[1::2], strict=True))
    ]


def _form(document: Document, mention: Mention, columns: Mapping[str, Sequence[str]]) -> str:
    span = mention.span
    if mention.is_zero:
        return "zero"
    if not span or word_of(span[-1]) >= len(document.words):
        return "unknown"
    column, tag = _tag(columns, mention)
    return _by_words(document, span) if not column else _MEANINGS[column].get(tag, "other")


def tag(document: Document, mention: Mention) -> str:
    """The part of speech of a mention's head, as the file has it; '' without one."""
    span = mention.span
    return _tag(document.columns, mention)[1] if span and word_of(span[-1]) < len(document.words) else ""


def _tag(columns: Mapping[str, Sequence[str]], mention: Mention) -> tuple[str, str]:
    """The column that has the parts of speech of a mention, and that of its head."""
    last = word_of(mention.span[-1])
    for column in _MEANINGS:
        tags = columns.get(column)
        if tags and tags[last] not in UNWRITTEN:
            if mention.head is not None:
                return column, tags[word_of(mention.head)]
            if is_stretch(mention.span):
                return column, _head(tuple(tags[word_of(mention.span[0]) : last + 1]))
            return column, _head(tuple([tags[word_of(place)] for place in mention.span]))
    return "", ""


def head_words(document: Document) -> list[int | None]:
    """The words that head the mentions of a document, as their forms are read; None for one without words."""
    tags = next((tuple(tags) for name in _MEANINGS if (tags := document.columns.get(name))), ())
    return [_head_word(mention, tags) for mention in document.mentions]


def _head_word(mention: Mention, tags: Sequence[str]) -> int | None:
    span = [word_of(place) for place in mention.span if not place & EMPTY]
    if mention.is_zero or not span:
        return None
    if mention.head is not None:
        return word_of(mention.head)
    if span[-1] >= len(tags) or tags[span[-1]] in UNWRITTEN:
        return span[-1]
    return span[_head_at(tuple([tags[word] for word in span]))]


@lru_cache(4096)
def _head(tags: tuple[str, ...]) -> str:
    """The tag of the last word of the first run of nouns, else that of the last word."""
    return tags[_head_at(tags)]


def _head_at(tags: tuple[str, ...]) -> int:
    nouns = [tag.startswith(("N", "PROPN")) and tag != "NUM" for tag in tags]
    if not any(nouns):
        return len(tags) - 1
    first = nouns.index(True)
    return first + ([*nouns[first:], False].index(False)) - 1


def _by_words(document: Document, span: Span) -> str:
    last = word_of(span[-1])
    text = document.words[last]
    if not text or text in UNWRITTEN:
        return "unknown"
    if len(span) == 1 and text.lower() in _PRONOUNS:
        return "pronoun"
    place = bisect_left(document.sentences, last)
    starts = last == 0 or document.sentences[place : place + 1] == (last,)
    return "name" if text[0].isupper() and not (starts and len(span) == 1) else "noun phrase"
