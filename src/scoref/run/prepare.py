"""Documents as they were read to documents as they are scored: the steps of `normalise`, as the protocol asks for them.

The order is fixed: types of event nuggets, pieces of spans, invisible words, duplicates, sets, non-referring mentions,
singletons, mentions that are not noun phrases, mentions inside mentions, zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..document.document import Document
from ..pairing.pairs import Pair
from ..preparing.checks import check_heads, check_minimums, check_parents, check_parse
from ..preparing.nesting import unnested, unnested_as_coval
from ..preparing.sets import accommodated, distributed, with_mentions
from ..preparing.steps import (
    drop_singletons,
    noun_phrases,
    of_types,
    once_per_entity,
    only,
    referring,
    unique,
    visible,
    with_repeats,
    with_shared_minimums,
    without_repeats,
)
from ..problems import Problems
from ..protocol.protocol import Protocol


def prepare(
    pairs: Sequence[Pair],
    protocol: Protocol,
    problems: Problems,
    homes: Sequence[int],
    identity: str,
    copies: bool = False,
) -> list[tuple[Document, Document]]:
    """Key and response of each pair, as the protocol wants them; with all `copies` of a mention in one entity or not.

    `identity` says what makes mentions the same. Entities live in what `homes` numbers. The scorer ua-1.0 counts
    copies where it ignores sets, and in their members.
    """
    lists = protocol.duplicates in ("list", "reference")
    copies = copies or lists or (protocol.duplicates == "ua-1.0" and protocol.split == "ignore")
    each = [pair.key for pair in pairs], [pair.response for pair in pairs]
    sides = [normalise(side, protocol, problems, homes, each[0], identity, copies) for side in each]
    if protocol.zeros.startswith("dependent"):
        for document in (*sides[0], *sides[1]):
            check_parents(document, problems)
    if protocol.match == "min":
        for document in sides[0]:
            check_minimums(document, problems)
    if protocol.match.startswith(("head", "partial")):
        for document in (*sides[0], *(sides[1] if protocol.match.startswith("head") else ())):
            check_heads(document, problems)
    if protocol.match == "min" or protocol.mentions == "np":
        for document in sides[0]:
            check_parse(document, problems)
    return list(zip(*sides, strict=True))


def normalise(
    documents: list[Document],
    protocol: Protocol,
    problems: Problems,
    homes: Sequence[int],
    keys: list[Document],
    identity: str,
    copies: bool = False,
) -> list[Document]:
    """The documents of one side, as the protocol wants them; `keys` are those of the key as they were read."""
    response = documents is not keys
    if protocol.lost == "drop":
        documents = [only(document, lambda mention: bool(mention.span)) if document.words else document
                     for document in documents]  # fmt: skip
    if protocol.types != "all":
        documents = [of_types(document, protocol.types, problems) for document in documents]
    if protocol.pieces == "twice":
        documents = [with_repeats(document) for document in documents]
    if protocol.match == "min-coval":
        documents = [with_shared_minimums(document) for document in documents]
    if protocol.invisible == "2015":
        documents = [visible(document, problems) for document in documents]
    documents = [unique(document, protocol.duplicates, problems, identity) for document in documents]
    if protocol.duplicates == "reference" and response:
        documents = [without_repeats(*pair) for pair in zip(keys, documents, strict=True)]
    if protocol.split == "ignore":
        documents = [replace(document, sets={}) if document.sets else document for document in documents]
    order = "file" if protocol.credit == "ua-1.0" else "text"
    documents = [accommodated(document, problems, order) for document in documents]
    if not copies:
        documents = [once_per_entity(document, identity) for document in documents]
    if protocol.split == "distribute":
        documents = [distributed(document) for document in documents]
    documents = [referring(document) for document in documents]
    if protocol.singletons == "drop":
        documents = drop_singletons(documents, homes)
    if protocol.mentions == "np":
        documents = noun_phrases(documents, homes)
    if protocol.nested == "drop-coval":
        documents = [unnested_as_coval(document, protocol.singletons) for document in documents]
    if protocol.nested == "drop":
        documents = [unnested(document) for document in documents]
        if protocol.singletons == "drop":
            documents = drop_singletons(documents, homes)
    if protocol.zeros == "drop":
        documents = [only(document, lambda mention: not mention.is_zero) for document in documents]
    return [with_mentions(document) for document in documents]
