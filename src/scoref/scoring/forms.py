"""What kind of expression a mention is: zero, pronoun, name or noun phrase.

The part of speech of its head says it, where a file has parts of speech: `UPOS` of CorefUD, or the tags of the Penn
Treebank in a CoNLL file. A mention whose head is not given has the last word of its first run of nouns, else its last
word, as its head. Without parts of speech a rule for English looks at the words: one word of a list is a pronoun; a
mention whose last word has a capital letter, and is not the first word of its sentence, is a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import UNWRITTEN, Document, Mention, word_of

FORMS = ("zero", "pronoun", "name", "noun phrase", "other", "unknown")

_TAGS = {"PRON": "pronoun", "PROPN": "name", "NOUN": "noun phrase", "DET": "pronoun"}
_PENN = {
    **dict.fromkeys(("PRP", "PRP$", "WP", "WP$", "DT", "WDT", "EX"), "pronoun"),
    **dict.fromkeys(("NNP", "NNPS"), "name"),
    **dict.fromkeys(("NN", "NNS"), "noun phrase"),
}
_MEANINGS = {"UPOS": _TAGS, "pos": _PENN}
COLUMNS = tuple(_MEANINGS)  # that have parts of speech
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
    if mention.is_zero:
        return "zero"
    words = [word_of(place) for place in mention.span]
    if not words or words[-1] >= len(document.words):
        return "unknown"
    column, tag = _tag(document, mention, words)
    return _by_words(document, words) if not column else _MEANINGS[column].get(tag, "other")


def tag(document: Document, mention: Mention) -> str:
    """The part of speech of a mention's head, as the file has it; '' without one."""
    words = [word_of(place) for place in mention.span]
    return _tag(document, mention, words)[1] if words and words[-1] < len(document.words) else ""


def _tag(document: Document, mention: Mention, words: Sequence[int]) -> tuple[str, str]:
    """The column that has the parts of speech of a mention, and that of its head."""
    for column in _MEANINGS:
        tags = document.columns.get(column)
        if tags and tags[words[-1]] not in UNWRITTEN:
            head = word_of(mention.head) if mention.head is not None else _head([tags[word] for word in words], words)
            return column, tags[head]
    return "", ""


def _head(tags: Sequence[str], words: Sequence[int]) -> int:
    """The last word of the first run of nouns, else the last word."""
    nouns = [tag.startswith(("N", "PROPN")) and tag != "NUM" for tag in tags]
    if not any(nouns):
        return words[-1]
    first = nouns.index(True)
    return words[first + ([*nouns[first:], False].index(False)) - 1]


def _by_words(document: Document, words: Sequence[int]) -> str:
    texts = [document.words[word] for word in words]
    if not texts[-1] or texts[-1] in UNWRITTEN:
        return "unknown"
    if len(texts) == 1 and texts[0].lower() in _PRONOUNS:
        return "pronoun"
    starts = words[-1] == 0 or words[-1] in document.sentences
    return "name" if texts[-1][0].isupper() and not (starts and len(words) == 1) else "noun phrase"
