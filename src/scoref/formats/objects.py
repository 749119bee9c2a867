"""Results of coreference models as Python objects: spaCy, fastcoref, maverick. None of these packages is imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..document.clusters import BUILT_IN
from ..document.document import Document, about, position, word_of
from ..document.mentions import FARTHEST
from ..document.spans import EMPTY
from ..problems import Error, Problems
from .source import Misread, Source

if TYPE_CHECKING:
    from .jsonl.shapes import Record

_GROUP = "coref_clusters_"  # the names of span groups that spaCy's component makes


class SpacyDoc(Protocol):
    """A `Doc` of spaCy, with entities in `spans` (`coref_clusters_1`, ...) or in `_.coref_clusters`."""

    @property
    def spans(self) -> object:
        """The span groups by their names."""

    @property
    def text(self) -> str:
        """The text."""


class ClusterResult(Protocol):
    """A `CorefResult` of fastcoref."""

    text: Any

    def get_clusters(self, as_strings: bool) -> object:
        """The entities, as offsets into the text or into the words."""


Result = SpacyDoc | ClusterResult | Mapping[str, Any]


def from_results(side: object, name: str, problems: Problems) -> list[Document] | None:
    """The documents of a result or of a list of results, most of them without names; None if it is neither."""
    if type(side) in BUILT_IN and {*map(type, cast("Collection[object]", side))} <= BUILT_IN:
        return None  # plain clusters, mostly
    single = _from_result(side, name, problems)
    if single is not None:
        return [single]
    if not isinstance(side, Sequence) or isinstance(side, str | bytes) or not side:
        return None
    found = [document for each in side if (document := _from_result(each, name, problems)) is not None]
    return found if len(found) == len(side) else None


def _from_result(value: object, name: str, problems: Problems) -> Document | None:
    if isinstance(value, Document):
        for layer in filter(None, (value, value.deixis)):
            _refuse_misplaced(layer)
        return value
    from .jsonl.read import document_of, said
    from .jsonl.shapes import NAMES

    record = next((record for record_of in MODELS.values() if (record := record_of(value)) is not None), None)
    if record is None:
        return None
    own = said(record, NAMES) or ""
    try:
        return document_of(record, own, 1, Source(b"", "", name), problems)
    except Misread as misread:
        code, message, shown, expected = misread.args
        raise Error(code, message, document=own or None, text=shown, expected=expected) from None


def _refuse_misplaced(document: Document) -> None:
    """Refuse mentions outside of the document's words, and mentions with neither positions nor an id."""
    ends = document.mentions.ends
    if ends and np.frombuffer(ends, np.uintc).max() < (len(document.words) or FARTHEST):  # unsigned: -1 is large
        return  # the usual case
    behind = position(len(document.words)) if document.words else inf
    for span, entity, id, *_ in document.mentions:
        placed = span and (span[0] >= 0 or span[0] & EMPTY) and span[-1] < behind
        if not placed and (span or id is None):  # an opaque mention is fine
            message = "a mention that is not within the document" if span else "a mention without words and name"
            below = f" and below {len(document.words)}" if document.words else ""
            expected = f"the first and the last word, counted from 0{below}"
            text = f"{word_of(span[0])}-{word_of(span[-1])} of {entity}" if span else f"of {entity}"
            raise about(document).of(document.id or None).error("bad-mention", message, document.line, text, expected)


def _from_maverick(value: object) -> Record | None:
    """A mapping with clusters, and words, a text or a name beside them."""
    from .jsonl.shapes import KEYS, NAMES, TOKENS

    if not isinstance(value, Mapping) or not any(key in value for key in KEYS):
        return None
    return dict(value) if any(key in value for key in (*NAMES, *TOKENS, "sentences", "text")) else None


def _from_fastcoref(value: Any) -> Record | None:
    """A `CorefResult`: clusters of offsets, ends excluded, into the text or into its words."""
    if not callable(getattr(value, "get_clusters", None)) or not hasattr(value, "text"):
        return None
    text = {"text": value.text} if isinstance(value.text, str) else {"tokens": list(value.text)}
    return {"clusters": value.get_clusters(as_strings=False), "ends": "exclusive", **text}


def _from_spacy(value: Any) -> Record | None:
    """A `Doc` with span groups, or with the clusters of fastcoref's component."""
    if not isinstance(getattr(value, "spans", None), Mapping) or not isinstance(getattr(value, "text", None), str):
        return None
    groups = [spans for key, spans in value.spans.items() if str(key).startswith(_GROUP)]
    characters = getattr(getattr(value, "_", None), "coref_clusters", None)
    if not groups and characters is not None:  # as fastcoref's component has them
        return {"text": value.text, "clusters": characters, "ends": "exclusive"}
    clusters = [[[span.start, span.end] for span in spans] for spans in groups]
    return {"tokens": [token.text for token in value], "ends": "exclusive", "clusters": clusters}


# For each package a function that turns a result of its models into a record of JSON lines; None for anything else.
# The first function that gives a record is taken.
MODELS: dict[str, Callable[[Any], Record | None]]
MODELS = {"maverick": _from_maverick, "fastcoref": _from_fastcoref, "spacy": _from_spacy}
