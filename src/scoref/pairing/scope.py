"""The scope in which mentions can corefer, and the choices on reading and pairing files.

The scope of an entity is a document, a text within one, a group of documents, or the corpus.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Annotated

from ..choice import BETWEEN, FIRST, SECOND, Choice, Subject
from ..document.document import Document, about
from ..document.grouping import comments, distinct, grouped, labelled, parts
from ..formats import FOUND_ENDS
from ..formats.source import FILES
from ..problems import Error
from ..values import NamedTuple
from .pairs import Pair, datasets

SCOPES = ("document", "within", "corpus")  # or the name of a field of documents

_WORDS = "whether the words of key and response must agree"
_TEXT = "whether texts of key and response are the same, or were aligned, or strings were looked up, or both (mixed)"
_PLACE = "strings without positions: placed in the order of the text, or refused if one can be several mentions"
PLACES = ("order", "unique")
_ENDS = "JSON files: whether [3, 5] includes word 5; which side has exclusive ends, if one alone has"
_SPANS = "what positions count: words, or in event nuggets without words tokens or characters"
_HEADS = "where compared heads are from: the files, or the key's trees if a side has none; these; none, all words count"
_FILES = "event nuggets: what is malformed is refused, or taken as EvmEval 1.8 takes it"
_SCOPE = "where an entity lives: a document, a text within it, the documents of a FIELD (topic), the corpus"
_EXTRA, _LAYER = "documents that the key does not have", "which annotation of a Universal Anaphora file"
HEADS = ("file", "tree", "none")
_SENTENCES = "whether all sentences count, or only those of a list"
_COUNTED = ("words", "tokens", "characters")
_LAYERS = ("identity", "deixis", "bridging", "non-referring", "all")


_WITHIN = {"within": (Subject("texts", "documents of several texts"),)}


class Reading(NamedTuple):
    """How files are read and paired, and what of them is scored; choices marked `found` follow from the files."""

    words: Annotated[str, Choice(_WORDS, ("check", "ignore"), 8, FIRST, fixed=True)] = "check"
    text: Annotated[str, Choice(_TEXT, ("same", "align", "strings", "mixed"), 9, SECOND, found=True, fixed=True)] = (
        "same"
    )
    ends: Annotated[str, Choice(_ENDS, FOUND_ENDS, 11, SECOND, found=True, fixed=True)] = "inclusive"
    spans: Annotated[str, Choice(_SPANS, _COUNTED, 12, SECOND, found=True, fixed=True)] = "words"
    files: Annotated[str, Choice(_FILES, FILES, 17, SECOND, fixed=True)] = "strict"
    extra: Annotated[str, Choice(_EXTRA, ("refuse", "ignore"), 19, BETWEEN, fixed=True)] = "refuse"
    layer: Annotated[str, Choice(_LAYER, _LAYERS, 20, FIRST, fixed=True)] = "identity"
    heads: Annotated[str, Choice(_HEADS, HEADS, fixed=True)] = "file"
    place: Annotated[str, Choice(_PLACE, PLACES, 1001, fixed=True)] = "order"
    sentences: Annotated[str, Choice(_SENTENCES, ("all", "listed"), found=True, fixed=True)] = "all"
    scope: Annotated[str, Choice(_SCOPE, SCOPES, 24, FIRST, other="a field of documents", needs=_WITHIN)] = "document"


class Scoped(NamedTuple):
    """Pairs of documents, the number of the group that each is scored in, and names and datasets of the groups.

    `groups` is None where each document is scored by itself.
    """

    pairs: Sequence[Pair]
    homes: Sequence[int]
    groups: tuple[tuple[str, ...], tuple[str, ...]] | None


def scoped(pairs: Sequence[Pair], scope: str) -> Scoped:
    """The pairs for a scope: cut into texts (`within`), in one group (`corpus`), or grouped by a field of documents."""
    if scope == "within":
        pairs = [part for pair in pairs for part in _parts(pair)]
    if scope in ("document", "within"):
        return Scoped(pairs, range(len(pairs)), None)
    if scope == "corpus":
        return Scoped(pairs, [0] * len(pairs), (("corpus",), ("corpus",)))
    names = distinct([pair.name for pair in pairs])
    sources = datasets(pairs)
    try:
        labels = labelled(scope, names, sources, [comments(pair.key) for pair in pairs])
    except Error as error:
        expected = f"{', '.join(SCOPES)}, or {error.problem.expected}"
        raise Error.of(replace(error.problem, expected=expected, remedy="choose another --scope")) from None
    groups = grouped(labels)
    number = {label: place for place, label in enumerate(groups)}
    each = [{sources[place] for place in places} for places in groups.values()]
    of_groups = tuple(found.pop() if len(found) == 1 else "" for found in each)
    return Scoped(pairs, [number[label] for label in labels], (tuple(groups), of_groups))


_ENTITIES = 8  # with fewer entities, similar numbers may be chance
_ANEW = 0.9  # the least share of documents that begin from 0 or 1
_GAPS = 0.25  # the share of numbers that may be missing, such as those of dropped singletons


def numbered_anew(documents: Sequence[Document]) -> bool:
    """Whether a side numbers its entities anew in nearly every document: 0, 1, 2, ... or e1, e2, ...

    Only documents with several entities count. If all have the same names, these may be entities of the corpus.
    """
    several = {document.names for document in documents if len(document.names) > 1}
    from_one = sum(map(_from_one, several))
    enough = sum(map(len, several)) >= _ENTITIES and len({frozenset(names) for names in several}) > 1
    return enough and from_one >= _ANEW * len(several)


def _from_one(names: Sequence[Hashable]) -> bool:
    """Whether the names are numbers from 0 or 1 on, perhaps with the same prefix."""
    found = [re.fullmatch(_NUMBER, str(name)) for name in names]
    numbers = [int(match[2]) for match in found if match]
    if len(numbers) < len(names) or len({match[1] for match in found if match}) > 1:
        return False
    return min(numbers) < 2 and max(numbers) - min(numbers) < (1 + _GAPS) * len(numbers)


_NUMBER = r"(\D*)(\d{1,18})"


def _parts(pair: Pair) -> list[Pair]:
    """A pair for each text of a document, with all words and the mentions of that text."""
    sides = pair.key, pair.response
    texts = [parts(side) for side in sides]
    if None in texts or len({name for each in texts for name in each or ()}) < 2:
        return [pair]
    mentions = [grouped(each or ()) for each in texts]
    found = []
    for name in {**mentions[0], **mentions[1]}:
        key, response = (
            replace(side.of_mentions(own.get(name, [])), bridges=()) for side, own in zip(sides, mentions, strict=True)
        )
        found.append(pair._replace(name=name, key=key, response=response))
    return found


def refuse_uncut(pairs: Sequence[Pair]) -> None:
    """Refuse the scope `within` where documents are not made of several texts, or it is unknown of which."""
    texts = [(side, parts(side)) for pair in pairs for side in (pair.key, pair.response)]
    unknown = next((side for side, names in texts if names is None), None)
    if unknown is None and any(len({*(names or ())}) > 1 for _, names in texts):
        return
    document = unknown or pairs[0].key
    why = "it does not say of which texts it is made" if unknown else "no document is made of several texts"
    message = f"nothing can be cut at the borders of texts: {why}"
    expected = "lines named like TEXT_14, or a column with the names of texts"
    remedy = "use --scope document, if documents are the texts"
    raise about(document).error("nothing-cut", message, document.line, None, expected, remedy=remedy)


def cut(document: Document) -> Document:
    """The document with its entities split at the borders of its texts; sets are left out."""
    texts = parts(document)
    if texts is None:
        return replace(document, sets={}) if document.sets else document
    pairs = zip(document.mentions, texts, strict=True)
    hidden = frozenset((name, text) for name in document.hidden for text in {*texts})
    mentions = [mention.of((mention.entity, text)) for mention, text in pairs]
    return replace(document, mentions=mentions, sets={}, hidden=hidden)
