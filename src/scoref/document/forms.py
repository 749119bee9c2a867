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
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .document import UNWRITTEN, Document, Integers, Mention, Span, word_of
from .grouping import read_ahead
from .spans import EMPTY, Words, is_stretch, numbered, words_of

NAMED_BY = 20  # of an entity only so many first mentions are considered as its name
NAMING = ("name", "noun phrase")  # the forms that name an entity best
FORMS = ("zero", "pronoun", "name", "noun phrase", "other", "unknown")

_TOGETHER = 1 << 17  # words whose parts of speech are looked at together
_NUMBERS = {form: number for number, form in enumerate(FORMS)}
Flags = NDArray[np.bool_]

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


class Headed(NamedTuple):
    """What heads each mention of some documents: its word, -1 for one without words; and the number of its form."""

    word: Integers
    form: Integers


def headed(documents: Sequence[Document]) -> Headed:
    """The heads and the forms of all mentions, document after document: their columns are read once."""
    sizes = [len(document.mentions) for document in documents]
    found = Headed(np.full(sum(sizes), -1), np.zeros(sum(sizes), np.int64))
    tagged: dict[str, list[tuple[int, Document, Words]]] = {name: [] for name in _MEANINGS}
    read_ahead(documents, "pos")
    for first, document in zip(accumulate([0, *sizes]), documents, strict=False):
        columns = {name: tags for name in _MEANINGS if (tags := document.columns.get(name))}
        mentions = document.mentions
        if len(columns) == 1 and mentions.ends and not any(head is not None for head in mentions.heads):
            ((name, tags),) = columns.items()
            if isinstance(cells := words_of(tags), Words):
                tagged[name].append((first, document, cells))
                continue
        columns = {name: tuple(tags) for name, tags in columns.items()}
        tags = next(iter(columns.values()), ())
        for number, mention in enumerate(mentions, first):
            word = _head_word(mention, tags)
            found.word[number] = -1 if word is None else word
            found.form[number] = _NUMBERS[_form(document, mention, columns)]
    for name, each in tagged.items():
        ends = accumulate(len(tags) for *_, tags in each)
        for _, some in groupby(zip(ends, each, strict=True), lambda pair: pair[0] // _TOGETHER):
            _find_heads(found, name, [one for _, one in some])
    return found


def _find_heads(found: Headed, column: str, tagged: Sequence[tuple[int, Document, Words]]) -> None:
    """Find the heads of stretches of words of which that column tells parts of speech, all of them at once."""
    ends = [np.frombuffer(document.mentions.ends or b"", np.intc).reshape(-1, 2) for _, document, _ in tagged]
    sizes, lengths = [*map(len, ends)], [len(tags) for _, _, tags in tagged]
    names, of = numbered([tags for *_, tags in tagged])
    place = np.concatenate([np.arange(first, first + size) for (first, _, _), size in zip(tagged, sizes, strict=True)])
    begin = np.repeat(np.cumsum(lengths) - lengths, sizes)
    first, last = np.concatenate(ends).astype(np.int64).T
    inside = last < np.repeat(lengths, sizes)
    known = np.array([tag not in UNWRITTEN for tag in names])
    inside[inside] = known[of[(begin + last)[inside]]]
    found.word[place] = last
    head = _last_of_nouns(np.array([*map(_is_noun, names)])[of], (begin + first)[inside], (begin + last)[inside])
    found.word[place[inside]] = head - begin[inside]
    meanings = np.array([_NUMBERS[_MEANINGS[column].get(tag, "other")] for tag in names])
    found.form[place[inside]] = meanings[of[head]]
    document = np.repeat(np.arange(len(tagged)), sizes)
    for at in np.flatnonzero(~inside).tolist():
        start, whole, tags = tagged[document[at]]
        found.form[place[at]] = _NUMBERS[_form(whole, whole.mentions[int(place[at]) - start], {column: tags})]


def _last_of_nouns(noun: Flags, first: Integers, last: Integers) -> Integers:
    """The last word of the first run of nouns in each stretch of words, else the last word of the stretch."""
    size = len(noun)
    behind = np.arange(size + 1)
    nearest, gap = (
        np.minimum.accumulate(np.where(np.append(flags, True), behind, size)[::-1])[::-1] for flags in (noun, ~noun)
    )
    begin = nearest[first]
    return np.where(begin <= last, np.minimum(gap[begin] - 1, last), last)


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
    nouns = [*map(_is_noun, tags)]
    if not any(nouns):
        return len(tags) - 1
    first = nouns.index(True)
    return first + ([*nouns[first:], False].index(False)) - 1


def _is_noun(tag: str) -> bool:
    return tag.startswith(("N", "PROPN")) and tag != "NUM"


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
