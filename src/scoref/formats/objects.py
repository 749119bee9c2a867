"""Results of coreference models as Python objects: spaCy, fastcoref, maverick. None of these packages is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol

import numpy as np

from ..document.document import Document, position, word_of
from ..document.places import about
from ..document.mentions import FARTHEST
from ..document.spans import EMPTY
from ..problems import Error, Problems
from .source import Source

_GROUP = "coref_clusters_"  # the names of span groups that spaCy's component makes


class SpacyDoc(Protocol):
    """A `Doc` of spaCy, with entities in `spans` (`coref_clusters_1`, ...) or in `_.coref_clusters`."""

    @property
    def spans(self) -> Any:
        """The span groups by their names."""

    @property
    def text(self) -> str:
        """The text."""


class ClusterResult(Protocol):
    """A `CorefResult` of fastcoref."""

    text: Any

    def get_clusters(self, as_strings: bool) -> Any:
        """The entities, as offsets into the text or into the words."""


Result = SpacyDoc | ClusterResult | Mapping[str, Any]


def from_results(side: Any, name: str, problems: Problems) -> list[Document] | None:
    """The documents of a result or of a list of results, most of them without names; None if it is none."""
    single = _from_result(side, name, problems)
    if single is not None:
        return [single]
    if not isinstance(side, Sequence) or isinstance(side, str | bytes) or not side:
        return None
    found = [_from_result(each, name, problems) for each in side]
    if any(each is None for each in found):
        return None
    return [each for each in found if each is not None]


def _from_result(value: Any, name: str, problems: Problems) -> Document | None:
    if isinstance(value, Document):
        for layer in filter(None, (value, value.deixis)):
            _refuse_misplaced(layer)
        return value
    from .jsonl.read import document_of
    from .jsonl.shapes import KEYS, NAMES, TOKENS, BadRecord

    record: Any = None
    if isinstance(value, Mapping):
        beside = (*NAMES, *TOKENS, "sentences", "text")
        record = dict(value) if any(key in value for key in KEYS) and any(key in value for key in beside) else None
    elif callable(getattr(value, "get_clusters", None)) and hasattr(value, "text"):
        record = {"clusters": value.get_clusters(as_strings=False), "ends": "exclusive"}
        record |= {"text": value.text} if isinstance(value.text, str) else {"tokens": list(value.text)}
    elif isinstance(getattr(value, "spans", None), Mapping) and isinstance(getattr(value, "text", None), str):
        record = _from_spacy(value)
    if record is None:
        return None
    own = next((str(record[key]) for key in NAMES if type(record.get(key)) in (str, int)), "")
    try:
        return document_of(record, own, 1, Source(b"", "", name), problems)
    except BadRecord as wrong:
        code, message, shown, expected = wrong.args
        raise Error(code, message, document=own or None, text=shown, expected=expected) from None


def _refuse_misplaced(document: Document) -> None:
    """Refuse mentions that are nowhere, or not among the words."""
    ends = document.mentions.ends
    if ends and np.frombuffer(ends, np.uintc).max() < (len(document.words) or FARTHEST):  # negative ones are greater
        return  # as in most documents
    behind = position(len(document.words)) if document.words else inf
    for span, entity, id, *_ in document.mentions:
        placed = span and (span[0] >= 0 or span[0] & EMPTY) and span[-1] < behind
        if not placed and (span or id is None):  # else its name says which it is
            message = "a mention that is not within the document" if span else "a mention without words and name"
            expected = "the first and the last word, counted from 0"
            expected += f" and below {len(document.words)}" if document.words else ""
            text = f"{word_of(span[0])}-{word_of(span[-1])} of {entity}" if span else f"of {entity}"
            report = about(document).of(document.id or None)
            raise report.error("bad-mention", message, document.line, text, expected)


def _from_spacy(doc: Any) -> dict[str, Any]:
    groups = [spans for key, spans in doc.spans.items() if str(key).startswith(_GROUP)]
    characters = getattr(getattr(doc, "_", None), "coref_clusters", None)
    if not groups and characters is not None:  # as fastcoref's component has them
        return {"text": doc.text, "clusters": characters, "ends": "exclusive"}
    tokens = [token.text for token in doc]
    clusters = [[[span.start, span.end] for span in spans] for spans in groups]
    return {"tokens": tokens, "ends": "exclusive", "clusters": clusters}
