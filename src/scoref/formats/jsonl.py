"""JSON lines, one document a line, with clusters of token spans, as coreference models read and write them.

| keys | convention |
|---|---|
| `doc_key`, `id` or `document_id` | the document's name |
| `sentences` (lists of words), or `tokens` or `cased_words` (one list) | the words, optional |
| `clusters`; on the response side `predicted_clusters` if the file has them | lists of `[start, end]`, ends included |
| `span_clusters` | the same, ends excluded |
| `subtoken_map` | the word of each subtoken: spans count subtokens and are mapped back |
| `ends` | `"inclusive"` or `"exclusive"`: the file's own word on its ends; this is what the writer gives |
| `entities` | names of the clusters, if they have any |
| `topic`, `subtopic` | the group of documents that it belongs to |
| `scoref` | all that other formats know of the document: discontinuous mentions, zeros, sets, bridges, columns, ... |

Whether an end counts as part of the mention is never guessed: it does unless the file or the caller says otherwise,
and spans that do not fit are an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, Origin, stretch, word_of
from ._record import from_record, is_plain, to_record
from .source import ENDS, SKIP, Format, Source, loads

_NAMES = ("doc_key", "id", "document_id")
_FIELDS = ("topic", "subtopic")  # kept as comments of the document
_TOKENS = ("tokens", "cased_words")
_FARTHEST, _LONGEST = 10**7, 10**5  # of mentions in documents without words: a slip there must not fill the memory


class _Wrong(Exception):
    """A line that cannot be understood: code, message, text, what was expected."""


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file of JSON lines."""
    names: dict[str, int] = {}
    predicted: bool | None = None
    for number, text in enumerate(source.data.decode().split("\n"), 1):
        if not text.strip():
            continue
        name = None
        try:
            record = _record(text)
            name = _name(record)
            if name in names:
                raise _Wrong("repeated-document", f"document {name} for the second time", name,
                             f"another name than in line {names[name]}")  # fmt: skip
            names[name] = number
            if source.side == "response":
                has = "predicted_clusters" in record
                if predicted not in (None, has):
                    raise _Wrong("mixed-clusters", "some documents have predicted_clusters, some have not", name,
                                 "predicted_clusters in every line or in none")  # fmt: skip
                predicted = has
            yield _document(record, name, number, source, problems)
        except _Wrong as wrong:
            code, message, shown, expected = wrong.args
            problems.add(Problem(code, message, source.name, number, name, shown, expected, SKIP))


def _record(text: str) -> dict[str, Any]:
    try:
        record = loads(text)
    except ValueError as reason:
        raise _Wrong("bad-json", f"not JSON: {reason}", text[:100], "one JSON object a line") from None
    if not isinstance(record, dict):
        raise _Wrong("bad-json", "not a JSON object", text[:100], "one JSON object a line")
    return record


def _name(record: dict[str, Any]) -> str:
    for key in _NAMES:
        if type(record.get(key)) in (str, int):
            return str(record[key])
    raise _Wrong("unnamed-document", "a document without a name", None, f"one of the keys {', '.join(_NAMES)}")


def _words(record: dict[str, Any]) -> tuple[list[str] | None, tuple[int, ...]]:
    """The words, None if there are none in the file, and where sentences begin."""
    sentences = record.get("sentences")
    if sentences is None:
        tokens: Any = next((record[key] for key in _TOKENS if record.get(key) is not None), None)
        if tokens is None:
            return None, ()
        sentences = [tokens]
    if not isinstance(sentences, list) or not all(isinstance(sentence, list) for sentence in sentences):
        raise _Wrong("bad-words", "words that are not lists of strings", None, "sentences: [[word, ...], ...]")
    words: list[str] = []
    starts = []
    for sentence in sentences:
        if sentence:
            starts.append(len(words))
            words += sentence
    if not all(isinstance(word, str) for word in words):
        raise _Wrong("bad-words", "words that are not strings", None, "sentences: [[word, ...], ...]")
    return words, tuple(starts)


def _document(record: dict[str, Any], name: str, line: int, source: Source, problems: Problems) -> Document:
    words, sentences = _words(record)
    subtokens = record.get("subtoken_map")
    if subtokens is not None:
        _check_subtokens(subtokens, len(words or ()))
        words, sentences = _whole_words(words or [], sentences, subtokens)
    keys = ["predicted_clusters"] * (source.side == "response") + ["clusters", "span_clusters"]
    key = next((key for key in keys if key in record), None)
    if key is None:
        raise _Wrong("no-clusters", "a document without clusters", name, f"one of the keys {', '.join(keys)}")
    ends = "exclusive" if key == "span_clusters" else record.get("ends", source.ends)
    if ends not in ENDS:
        raise _Wrong("bad-ends", "ends that are neither inclusive nor exclusive", str(ends), "inclusive or exclusive")
    if not isinstance(record[key], list):
        raise _Wrong("bad-clusters", f"{key} that are not a list of clusters", name, "[[[start, end], ...], ...]")
    entities: Any = range(len(record[key]))
    if "entities" in record and key != "predicted_clusters":
        entities = record["entities"]
        _check_entities(entities, len(record[key]))
    limit = len(subtokens) if subtokens is not None else None if words is None else len(words)
    mentions = []
    for entity, cluster in zip(entities, record[key], strict=True):
        if not isinstance(cluster, list):
            raise _Wrong("bad-clusters", "a cluster that is not a list", json.dumps(cluster), "[[start, end], ...]")
        for mention in cluster:
            try:
                first, last = _span(mention, ends, limit)
            except _Wrong as wrong:
                code, message, shown, expected = wrong.args
                problems.add(Problem(code, message, source.name, line, name, shown, expected, SKIP))
                continue
            if subtokens is not None:
                first, last = subtokens[first], subtokens[last]
            mentions.append(Mention(stretch(first, last), entity))
    said = tuple((0, f"# {field} = {record[field]}") for field in _FIELDS if type(record.get(field)) in (str, int))
    origin = Origin(source.name, line)
    document = Document(name, tuple(words or ()), tuple(mentions), sentences, comments=said, origin=origin)
    if "scoref" not in record or key != "clusters":
        return document
    try:
        return from_record(record["scoref"], document)
    except (KeyError, TypeError, ValueError, AttributeError) as reason:
        raise _Wrong("bad-record", f"a description of the document that cannot be used: {reason}", None,
                     "the key scoref as scoref writes it") from None  # fmt: skip


def _check_subtokens(subtokens: Any, words: int) -> None:
    expected = "the number of each subtoken's word, in order: [0, 0, 1, ...]"
    if not isinstance(subtokens, list) or not all(type(word) is int and word >= 0 for word in subtokens):
        raise _Wrong("bad-subtokens", "a subtoken_map that is not a list of word numbers", None, expected)
    if subtokens != sorted(subtokens) or max(subtokens, default=-1) >= max(len(subtokens), words):
        raise _Wrong("bad-subtokens", "a subtoken_map that is not in order, or skips words", None, expected)


def _check_entities(entities: Any, size: int) -> None:
    if not isinstance(entities, list) or not all(type(name) in (str, int) for name in entities):
        raise _Wrong("bad-entities", "entities that are not a list of names", None, '["name", ...]')
    if not len(entities) == len(set(entities)) == size:
        expected = f"{size} different names, one for each cluster"
        raise _Wrong("bad-entities", "entities that are not the names of the clusters", None, expected)


def _span(mention: Any, ends: str, limit: int | None) -> tuple[int, int]:
    if not (isinstance(mention, list) and len(mention) == 2 and all(type(place) is int for place in mention)):
        raise _Wrong("bad-mention", "a mention that is not [start, end]", json.dumps(mention), "two whole numbers")
    first, last = mention[0], mention[1] - (ends == "exclusive")
    if first < 0 or last < first:
        expected = f"0 ≤ start {'<' if ends == 'exclusive' else '≤'} end, as ends are {ends}"
        raise _Wrong("bad-mention", "a mention without words", json.dumps(mention), f"{expected} (see --ends)")
    if limit is not None and last >= limit:
        expected = f"an end within the {limit} tokens, as ends are {ends} (see --ends)"
        raise _Wrong("bad-mention", "a mention that ends behind the document", json.dumps(mention), expected)
    if limit is None and (last >= _FARTHEST or last - first >= _LONGEST):
        expected = f"words in the file, or an end below {_FARTHEST} and at most {_LONGEST} words"
        raise _Wrong("bad-mention", "a mention too long to be one", json.dumps(mention), expected)
    return first, last


def _whole_words(
    words: list[str], sentences: tuple[int, ...], subtokens: list[int]
) -> tuple[list[str], tuple[int, ...]]:
    """Words and sentence starts counted in words, where the file has a piece of a word for each subtoken."""
    if len(words) != len(subtokens):
        return (words, sentences) if len(words) == max(subtokens, default=-1) + 1 else ([], ())
    whole = [""] * (max(subtokens, default=-1) + 1)
    for word, piece in zip(subtokens, words, strict=True):
        whole[word] += (
            piece.removeprefix("##").removeprefix("▁") if piece not in ("[CLS]", "[SEP]", "<s>", "</s>") else ""
        )
    return whole, tuple(sorted({subtokens[start] for start in sentences}))


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as JSON lines with inclusive ends."""
    return "".join(json.dumps(_json(document), ensure_ascii=False) + "\n" for document in documents)


def _json(document: Document) -> dict[str, Any]:
    def refuse(code: str, message: str, mention: Mention) -> Error:
        return Error(code, f"{message} cannot be written as JSONL", path=document.source, document=document.id,
                     text=document.text_of(mention), remedy="choose another format")  # fmt: skip

    for mention in document.mentions:
        if not mention.span:
            raise refuse("unwritable-mention", "a mention without positions", mention)
        if document.words and word_of(mention.span[-1]) >= len(document.words):
            raise refuse("unwritable-mention", "a mention that ends behind the document", mention)
        if type(mention.entity) not in (str, int):
            raise refuse("unwritable-entity", "an entity whose name is neither text nor number", mention)
    stretches = {
        entity: [[word_of(m.span[0]), word_of(m.span[-1])] for m in mentions if _is_stretch(m.span)]
        for entity, mentions in document.entities().items()
    }
    record: dict[str, Any] = {"doc_key": document.id, "ends": "inclusive"}
    words = list(document.words)
    if words:
        starts = sorted({0, *document.sentences, len(words)})
        record["sentences"] = [words[start:end] for start, end in pairwise(starts)]
    record["clusters"] = list(stretches.values())
    if list(stretches) != list(range(len(stretches))):
        record["entities"] = list(stretches)
    if not is_plain(document) or not all(_is_stretch(mention.span) for mention in document.mentions):
        record["scoref"] = to_record(document)
    return record


def _is_stretch(span: tuple[int, ...]) -> bool:
    return span == stretch(word_of(span[0]), word_of(span[-1]))


def sniff(data: bytes) -> bool:
    """Whether the first line is a JSON object with a document's name and clusters in lists."""
    first = data.lstrip().split(b"\n", 1)[0]
    if not first.startswith(b"{"):
        return False
    try:
        record = loads(first.decode())
    except ValueError:
        return b'"clusters"' in first and b'"type"' not in first
    return "type" not in record and any(key in record for key in (*_NAMES, "sentences", "tokens", "predicted_clusters"))


FORMAT = Format("jsonl", "JSON lines with clusters of spans", ".jsonl", "conll-2012", sniff, read, write)
