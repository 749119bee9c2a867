"""The choices on what is read, which documents belong together, and which of their annotation is scored."""

from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice
from ..formats.source import ENDS, FILES
from .scope import SCOPES

_WORDS = "whether the words of key and response must agree"
_TEXT = "whether the texts of key and response are the same, or were aligned as they differ"
_ENDS = "JSON files: whether [3, 5] includes word 5"
_SPANS = "what positions count: words, or in event nuggets without words tokens or characters"
_FILES = "event nuggets: what is malformed is refused, or taken as EvmEval 1.8 takes it"
_SCOPE = "where an entity lives: a document, a text within it, the documents of a FIELD (topic), the corpus"
_COUNTED = ("words", "tokens", "characters")
_LAYERS = ("identity", "deixis", "bridging", "non-referring", "all")


class Reading(NamedTuple):
    """How files are read and paired, and what of them is scored; `text`, `ends` and `spans` are found in them."""

    words: Annotated[str, Choice(_WORDS, ("check", "ignore"), 8, FIRST, fixed=True)] = "check"
    text: Annotated[str, Choice(_TEXT, ("same", "align"), 9, SECOND, found=True, fixed=True)] = "same"
    ends: Annotated[str, Choice(_ENDS, ENDS, 11, SECOND, found=True, fixed=True)] = "inclusive"
    spans: Annotated[str, Choice(_SPANS, _COUNTED, 12, SECOND, found=True, fixed=True)] = "words"
    files: Annotated[str, Choice(_FILES, FILES, 17, SECOND, fixed=True)] = "strict"
    extra: Annotated[
        str, Choice("documents that the key does not have", ("refuse", "ignore"), 19, BETWEEN, fixed=True)
    ] = "refuse"
    layer: Annotated[str, Choice("which annotation of a Universal Anaphora file", _LAYERS, 20, FIRST, fixed=True)] = (
        "identity"
    )
    scope: Annotated[str, Choice(_SCOPE, SCOPES, 24, FIRST, other="a field of documents")] = "document"
