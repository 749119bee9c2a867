"""The shapes that JSON records of coreference have: one declaration for each, and what their numbers mean."""

from __future__ import annotations

import json
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, compress
from operator import le
from typing import Any, NamedTuple, NoReturn

from ...document.document import Mention, Span, position, stretch
from ...document.mentions import FARTHEST, Mentions
from ...document.spans import words_of
from ...problems import Reporter
from ..source import Misread

NAMES = ("doc_key", "id", "document_id", "doc_id")
PARTS = ("part_id", "part")
TOKENS = ("tokens", "cased_words")
ZERO = "##"
Record = dict[str, Any]  # an object of JSON
TextEntities = dict[str, list[str]] | list[list[str]]
_FARTHEST, _LONGEST = 10**7, 10**5  # limits for mentions without words: a wrong number must not fill the memory


class Shape(NamedTuple):
    """A key that holds entities, and what a mention is there.

    A mention is a `span` [start, end] of the document, a `sentence` with its [number, start, end], or a `word` by its
    number. `ends` is None where the file or the caller says it. With `zeros`, tokens that begin with ## are zeros.
    """

    key: str
    made_by: str
    mention: str = "span"
    ends: str | None = None
    zeros: bool = False


PREDICTED = Shape("predicted_clusters", "e2e-coref and its descendants, for the response")
SHAPES = (
    Shape("clusters", "e2e-coref and its descendants, fastcoref, bookcoref"),
    Shape("span_clusters", "wl-coref, CAW-coref, stanza", ends="exclusive"),
    Shape("clusters_token_offsets", "maverick, text2text-coref", ends="inclusive", zeros=True),
    Shape("coref_chains", "coref-data", "sentence", "inclusive"),
    Shape("mention_clusters", "PreCo", "sentence", "exclusive"),
    Shape("word_clusters", "wl-coref, stanza: the heads of mentions", "word", "inclusive"),
)
KEYS = (PREDICTED.key, *(shape.key for shape in SHAPES))


def entities_of_texts(record: object) -> TextEntities | None:
    """The entities of an object that holds lists of texts, directly or under `clusters`; None for anything else.

    None, too, for a record of JSON lines, and for clusters without any mention.

    >>> entities_of_texts({"1": ["Ada", "She"]}), entities_of_texts({"clusters": [["Ada", "She"]], "model": "m"})
    ({'1': ['Ada', 'She']}, [['Ada', 'She']])
    >>> entities_of_texts({"clusters": [[[0, 0]]]}), entities_of_texts({"text": "Ada", "clusters": [["Ada"]]})
    (None, None)
    """
    others = {*NAMES, *TOKENS, *KEYS, "type", "text", "sentences"} - {"clusters"}
    if not isinstance(record, dict) or not record.keys().isdisjoint(others):
        return None
    entities: TextEntities = record.get("clusters", record)
    lists = [*entities.values()] if isinstance(entities, dict) else entities if isinstance(entities, list) else []
    texts = all(isinstance(each, list) and all(isinstance(one, str) for one in each) for each in lists)
    return entities if texts and (any(lists) or (lists and isinstance(entities, dict))) else None


class RecordText(NamedTuple):
    """The text of a record.

    `words` are None if the file has none; `places` are the positions of the tokens that spans count, None if these are
    the words themselves; `offsets` the first token of each sentence, also of empty ones.
    """

    words: Sequence[str] | None
    sentences: tuple[int, ...] = ()
    offsets: Sequence[int] = ()
    places: Sequence[int] | None = None
    characters: str | None = None

    @property
    def size(self) -> int | None:
        """The number of tokens that spans count, if it is known."""
        known = (tokens for tokens in (self.places, self.characters, self.words) if tokens is not None)
        return next(map(len, known), None)

    def span(self, first: int, last: int) -> Span:
        """The positions of tokens."""
        if self.places is None:
            return stretch(first, last)
        return tuple(dict.fromkeys(self.places[first : last + 1]))


def text_of(record: Record, shape: Shape) -> RecordText:
    """The words of a record, or its text if it has no words."""
    sentences = record.get("sentences")
    if sentences is None:
        sentences = [record[key] for key in TOKENS if record.get(key) is not None][:1]
        if not sentences and isinstance(record.get("document"), list):  # AllenNLP; elsewhere it can be anything
            sentences = [record["document"]]
        if not sentences and record.get("subtoken_map") is None:
            text = record.get("text")
            return RecordText(None, characters=text if isinstance(text, str) else None)
    lists = sentences if type(sentences) is list and {*map(type, sentences)} <= {list} else _lists(sentences)
    words = _strings([*chain.from_iterable(lists)])
    offsets = tuple([*accumulate(map(len, lists), initial=0)][:-1])
    found = RecordText(words, offsets if all(lists) else tuple(compress(offsets, lists)), offsets)
    if record.get("subtoken_map") is not None:
        return _whole_words(found, record["subtoken_map"])
    return _without_zeros(found) if shape.zeros and any(word.startswith(ZERO) for word in words) else found


def _lists(sentences: object) -> list[Any]:
    """The tokens of each sentence."""
    rows = sentences if isinstance(sentences, list | tuple) else [None]
    lists = [sentence.get("tokens") if isinstance(sentence, dict) else sentence for sentence in rows]
    if not all(isinstance(tokens, list | tuple) for tokens in lists):
        raise Misread("bad-words", "words that are not lists of strings", None, "sentences: [[word, ...], ...]")
    return lists


def _strings(tokens: list[Any]) -> Sequence[str]:
    """The words of tokens, which are strings, or objects with a text."""
    try:
        return words_of(tokens)  # joins them, if all are strings
    except TypeError:
        words: list[Any] = [token.get("text") if isinstance(token, dict) else token for token in tokens]
    if not all(isinstance(word, str) for word in words):
        raise Misread("bad-words", "words that are not strings", None, "sentences: [[word, ...], ...]")
    return words_of(words)


def _without_zeros(text: RecordText) -> RecordText:
    """The text with zeros as empty nodes instead of words."""
    words: list[str] = []
    places: list[int] = []
    zeros = 0
    for token in text.words or ():
        zeros = zeros + 1 if token.startswith(ZERO) else 0
        if not zeros:
            words.append(token)
        places.append(position(len(words) - 1, zeros))
    number = [sum(not place & 255 for place in places[:start]) for start in text.sentences]
    return RecordText(words, tuple(sorted({start for start in number if start < len(words)})), text.offsets, places)


def _whole_words(text: RecordText, subtokens: object) -> RecordText:
    """The text counted in words, where mentions count subtokens."""
    expected = "the number of each subtoken's word, in order: [0, 0, 1, ...]"
    words = list(text.words or ())
    if not isinstance(subtokens, list | tuple) or not all(type(word) is int and word >= 0 for word in subtokens):
        raise Misread("bad-subtokens", "a subtoken_map that is not a list of word numbers", None, expected)
    size = subtokens[-1] + 1 if subtokens else 0
    if list(subtokens) != sorted(subtokens) or size > max(len(subtokens), len(words)):
        raise Misread("bad-subtokens", "a subtoken_map that is not in order, or skips words", None, expected)
    places = [position(word) for word in subtokens]
    if len(words) != len(subtokens):
        return RecordText(*((words, text.sentences) if len(words) == size else ([], ())), text.offsets, places)
    whole = [""] * size
    for word, piece in zip(subtokens, words, strict=True):
        if piece not in ("[CLS]", "[SEP]", "<s>", "</s>"):
            whole[word] += piece.removeprefix("##").removeprefix("▁")
    return RecordText(whole, tuple(sorted({subtokens[start] for start in text.sentences})), text.offsets, places)


def listed_mentions(
    record: Record, entities: Iterable[Hashable], shape: Shape, text: RecordText, report: Reporter, line: int
) -> Iterator[Mention]:
    """The mentions, read one by one; malformed ones are reported."""
    heads = _heads(record) if shape.mention == "word" else {}
    for entity, cluster in zip(entities, record[shape.key], strict=True):
        if not isinstance(cluster, list | tuple):
            raise Misread("bad-clusters", "a cluster that is not a list", json.dumps(cluster), "[[start, end], ...]")
        for mention in cluster:
            try:
                first, last = _ends(mention, shape, text, heads)
            except Misread as misread:
                misread.report_to(report, line)
                continue
            yield Mention(text.span(first, last), entity)


def _heads(record: Record) -> dict[int, tuple[int, int]]:
    """The first and last word of the mention with each head, if the record has them."""
    rows = record.get("head2span") or []
    if not isinstance(rows, list | tuple) or not all(_are_numbers(row, 3) for row in rows):
        message = "a head2span that is not a list of heads and spans"
        raise Misread("bad-heads", message, None, "[[head, start, end], ...]")
    return {head: (start, end - 1) for head, start, end in rows}


def _are_numbers(value: object, size: int) -> bool:
    """Whether it is a list of so many whole numbers."""
    return isinstance(value, list | tuple) and len(value) == size and {*map(type, value)} <= {int}


def _ends(mention: Any, shape: Shape, text: RecordText, heads: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """The first and the last token of a mention."""
    shown = json.dumps(mention)
    if shape.mention == "word":
        if type(mention) is not int:
            raise Misread("bad-mention", "a mention that is not the number of a word", shown, "a whole number")
        mention = heads.get(mention, (mention, mention))
    size = 3 if shape.mention == "sentence" else 2
    if not _are_numbers(mention, size):
        form, numbers = ("[sentence, start, end]", "three") if size == 3 else ("[start, end]", "two")
        raise Misread("bad-mention", f"a mention that is not {form}", shown, f"{numbers} whole numbers")
    start, limit = 0, text.size
    if shape.mention == "sentence":
        if not 0 <= mention[0] < len(text.offsets):
            expected = f"a sentence below {len(text.offsets)}"
            raise Misread("bad-mention", "a mention in a sentence that is not there", shown, expected)
        start = text.offsets[mention[0]]
        limit = [*text.offsets, text.size or 0][mention[0] + 1] - start
    first, last = mention[-2], mention[-1] - (shape.ends == "exclusive")
    if first < 0 or last < first:
        expected = f"0 ≤ start {'<' if shape.ends == 'exclusive' else '≤'} end, as ends are {shape.ends}"
        raise Misread("bad-mention", "a mention without words", shown, f"{expected} (see --ends)")
    if limit is not None and last >= limit:
        what = "characters" if text.characters is not None else "tokens"
        expected = f"an end within the {limit} {what}, as ends are {shape.ends} (see --ends)"
        raise Misread("bad-mention", "a mention that ends behind the document", shown, expected)
    if limit is None and (last >= _FARTHEST or last - first >= _LONGEST):
        expected = f"words in the file, or an end below {_FARTHEST} and at most {_LONGEST} words"
        raise Misread("bad-mention", "a mention too long to be one", shown, expected)
    return start + first, start + last


def plain_mentions(
    chains: Sequence[Any], entities: Sequence[Hashable], shape: Shape, text: RecordText
) -> Mentions | None:
    """All mentions of a record at once; None if one is malformed or not a stretch of words."""
    limit = len(text.words) if text.words and text.places is None and shape.mention == "span" else 0
    if not 0 < limit <= FARTHEST or not {*map(type, chains)} <= {list, tuple}:
        return None
    pairs = [*chain.from_iterable(chains)]
    if not {*map(type, pairs)} <= {list, tuple} or {*map(len, pairs)} != {2}:
        return None
    numbers = [*chain.from_iterable(pairs)]
    if {*map(type, numbers)} != {int}:
        return None
    firsts, lasts = numbers[::2], numbers[1::2]
    if shape.ends == "exclusive":
        numbers[1::2] = lasts = [last - 1 for last in lasts]
    if min(firsts) < 0 or max(lasts) >= limit or not all(map(le, firsts, lasts)):
        return None
    if not all(chains):
        entities, chains = [*compress(entities, chains)], [each for each in chains if each]
    owners = [number for number, each in enumerate(chains) for _ in each]
    return Mentions(array("i", numbers), array("i", owners), tuple(entities))


def loads(text: str) -> Any:
    """The value of a JSON text; a ValueError for bad JSON, repeated keys, NaN and lone surrogates."""
    try:
        value, end = _DECODER.raw_decode(text) if text[:1] == "{" else (None, -1)
        if end != len(text):  # blanks around it, or an error
            value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\" in text and ("\\ud" in text or "\\uD" in text):  # perhaps a lone surrogate, which cannot be encoded
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _unique(pairs: list[tuple[str, object]]) -> Record:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key '{next(name for name in names if names.count(name) > 1)}' twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
