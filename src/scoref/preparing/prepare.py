"""Documents as they were read to documents as they are scored: the steps that the choices of `Preparing` ask for.

The order is fixed: lost mentions, types of event nuggets, pieces of spans, shared minimum spans, invisible words,
duplicates, sets, non-referring mentions, singletons, mentions that are not noun phrases, nested mentions, zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..document.document import Document
from ..pairing.pairs import Pair
from ..problems import Problems
from . import checks, nesting, sets, steps
from .choices import Preparing


class Needs(NamedTuple):
    """What later stages need of documents: the matcher, what makes mentions the same for it, which singletons count."""

    match: str
    identity: str
    singletons: str


def prepare(
    pairs: Sequence[Pair],
    preparing: Preparing,
    needs: Needs,
    problems: Problems,
    homes: Sequence[int],
    copies: bool = False,
) -> list[tuple[Document, Document]]:
    """Key and response of each pair, as they are scored; with all `copies` of a mention in one entity or not.

    Entities live in what `homes` numbers. The scorer ua-1.0 counts copies where it ignores sets, and in their members.
    """
    lists = preparing.duplicates in ("list", "reference")
    copies = copies or lists or (preparing.duplicates == "ua-1.0" and preparing.split == "ignore")
    keys, responses = [pair.key for pair in pairs], [pair.response for pair in pairs]
    ours, theirs = (_prepared(side, preparing, needs, problems, homes, keys, copies) for side in (keys, responses))
    _check(ours, theirs, preparing, needs.match, problems)
    return list(zip(ours, theirs, strict=True))


def _check(
    keys: list[Document], responses: list[Document], preparing: Preparing, match: str, problems: Problems
) -> None:
    """Report documents that lack what they are matched by: parents of zeros, heads, minimum spans, a parse."""
    both, heads = [*keys, *responses], match.startswith("head")
    wanted: list[tuple[bool, list[Document], Callable[[Document, Problems], None]]] = [
        (preparing.zeros.startswith("dependent"), both, checks.check_parents),
        (match == "min", keys, checks.check_minimums),
        (heads or match.startswith("partial"), both if heads else keys, checks.check_heads),
        (match == "min" or preparing.mentions == "np", keys, checks.check_parse),
    ]
    for needed, documents, check in wanted:
        for document in documents if needed else ():
            check(document, problems)


def _prepared(
    documents: list[Document],
    preparing: Preparing,
    needs: Needs,
    problems: Problems,
    homes: Sequence[int],
    keys: list[Document],
    copies: bool,
) -> list[Document]:
    """The documents of one side, as they are scored; `keys` are those of the key as they were read."""
    response, dropped = documents is not keys, needs.singletons == "drop"
    if preparing.lost == "drop":
        documents = [steps.only(each, lambda mention: bool(mention.span)) if each.words else each for each in documents]
    if preparing.types != "all":
        documents = [steps.of_types(document, preparing.types, problems) for document in documents]
    if preparing.pieces == "twice":
        documents = [steps.with_repeats(document) for document in documents]
    if needs.match == "min-coval":
        documents = [steps.with_shared_minimums(document) for document in documents]
    if preparing.invisible == "2015":
        documents = [steps.visible(document, problems) for document in documents]
    documents = [steps.unique(document, preparing.duplicates, problems, needs.identity) for document in documents]
    if preparing.duplicates == "reference" and response:
        documents = [steps.without_repeats(*pair) for pair in zip(keys, documents, strict=True)]
    if preparing.split == "ignore":
        documents = [replace(document, sets={}) if document.sets else document for document in documents]
    order = "file" if preparing.credit == "ua-1.0" else "text"
    documents = [sets.accommodated(document, problems, order) for document in documents]
    if not copies:
        documents = [steps.once_per_entity(document, needs.identity) for document in documents]
    if preparing.split == "distribute":
        documents = [sets.distributed(document) for document in documents]
    documents = [steps.referring(document) for document in documents]
    if dropped:
        documents = steps.drop_singletons(documents, homes)
    if preparing.mentions == "np":
        documents = steps.noun_phrases(documents, homes)
    if preparing.nested == "drop-coval":
        documents = [nesting.unnested_as_coval(document, needs.singletons) for document in documents]
    if preparing.nested == "drop":
        documents = [nesting.unnested(document) for document in documents]
        if dropped:
            documents = steps.drop_singletons(documents, homes)
    if preparing.zeros == "drop":
        documents = [steps.only(document, lambda mention: not mention.is_zero) for document in documents]
    return [sets.with_mentions(document) for document in documents]
