"""Documents as they were read to documents as they are scored: the steps that the choices of `Preparing` ask for.

The order is fixed: lost mentions, types of event nuggets, pieces of spans, shared minimum spans, invisible words,
duplicates, sets, non-referring mentions, singletons, mentions that are not noun phrases, nested mentions, zeros.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice, Subject
from ..document.document import Document, about
from ..pairing.pairs import Pair
from ..problems import Problems
from . import sets, steps

_DUPLICATES = "the same mention twice: which occurrence counts"
_OCCURRENCES = ("first", "last", "keep", "list", "ua-1.0", "reference", "error")
_ZEROS = "zeros: matched by position, by what they depend on, or dropped"
_PLACES = ("linear", "dependent", "dependent-corrected", "drop")
_NESTED = "mentions inside mentions of the same entity"
_MENTIONS = "all mentions, or noun phrases only (needs a parse column)"
_LOST = "running text: mentions none of whose words is in the key"
_INVISIBLE = "event nuggets: words that never count"
_PIECES = "event nuggets: characters that two pieces of a span share count once or twice in its length"
_SPLIT = "split antecedents: scored with credit, ignored, or only they are scored"
_SPLITS = ("credit", "ignore", "only", "distribute")
_CREDIT = "what aligned sets of split antecedents are worth"
_CREDITS = ("directional", "ua-1.0", "yu-2021")
_SETS = Subject("sets", "split antecedents")
_TYPES = "event nuggets: score only the types of the file, one a line"
_LISTED = "types as they are compared (lower case, letters and digits) and commas"
_TYPE = "[a-z0-9]+(,[a-z0-9]+)*"


class Preparing(NamedTuple):
    """What of documents is left, merged or changed before mentions are matched."""

    duplicates: Annotated[
        str, Choice(_DUPLICATES, _OCCURRENCES, 4, FIRST, subject=Subject("repeats", "repeated mentions"))
    ] = "reference"
    zeros: Annotated[str, Choice(_ZEROS, _PLACES, 3, FIRST, subject=Subject("zeros", "zeros"))] = "linear"
    nested: Annotated[str, Choice(_NESTED, ("keep", "drop", "drop-coval"), 6, FIRST)] = "keep"
    mentions: Annotated[str, Choice(_MENTIONS, ("all", "np"), 7, FIRST)] = "all"
    lost: Annotated[str, Choice(_LOST, ("count", "drop"), 10, SECOND)] = "count"
    invisible: Annotated[str, Choice(_INVISIBLE, ("none", "2015"), 13, BETWEEN, fixed=True)] = "none"
    pieces: Annotated[str, Choice(_PIECES, ("once", "twice"), 14, SECOND, fixed=True)] = "once"
    split: Annotated[str, Choice(_SPLIT, _SPLITS, 21, FIRST, subject=_SETS)] = "credit"
    credit: Annotated[str, Choice(_CREDIT, _CREDITS, 22, FIRST, subject=_SETS)] = "directional"
    types: Annotated[
        str, Choice(_TYPES, ("all",), 31, SECOND, other=_LISTED, pattern=_TYPE, from_file=True, fixed=True)
    ] = "all"


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
        (preparing.zeros.startswith("dependent"), both, check_parents),
        (match == "min", keys, check_minimums),
        (heads or match.startswith("partial"), both if heads else keys, check_heads),
        (match == "min" or preparing.mentions == "np", keys, check_parse),
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
        documents = [steps.unnested_as_coval(document, needs.singletons) for document in documents]
    if preparing.nested == "drop":
        documents = [steps.unnested(document) for document in documents]
        if dropped:
            documents = steps.drop_singletons(documents, homes)
    if preparing.zeros == "drop":
        documents = [steps.only(document, lambda mention: not mention.is_zero) for document in documents]
    return [sets.with_mentions(document) for document in documents]


def check_parents(document: Document, problems: Problems) -> None:
    """Report zeros that depend on nothing, where zeros are matched by what they depend on."""
    report = about(document, problems, "this zero is matched by its position")
    for mention in map(document.mentions.__getitem__, document.mentions.zeros):
        if not mention.parents:
            line, entity = document.line_of(mention), str(mention.entity)
            report("no-parent", "a zero that depends on nothing", line, entity, "DEPS like 3:nsubj", fatal=False)


def check_minimums(document: Document, problems: Problems) -> None:
    """Report minimum spans that lie outside of their mentions; such mentions match exactly or not at all."""
    report = about(document, problems, "fix the file; until then this mention is matched by all its words")
    for mention in document.mentions:
        written = dict(mention.attributes).get("Min")
        if written and not mention.minimum:
            line, message = document.line_of(mention), "a minimum span outside of its mention"
            report("minimum-outside", message, line, f"Min={written}", "tokens of the mention", fatal=False)


def check_heads(document: Document, problems: Problems) -> None:
    """Report a document without heads, where mentions are matched by them."""
    mentions = document.mentions
    headers = [text for _, text in document.comments if "global.Entity" in text]
    unsaid = any("head" not in text.partition("=")[2].strip().split("-") for text in headers)
    headed = (index for index, head in enumerate(mentions.heads) if head is not None)
    if not unsaid and any(len(mentions.span(index)) > 1 for index in headed):
        return
    if any(len(mentions.span(index)) > 1 for index in range(len(mentions))):
        how = "the first word counts" if unsaid else "mentions of this document are matched by all their words"
        report = about(document, problems, f"use --match exact; here {how}")
        expected = "heads, as mentions are matched by them"
        report("no-heads", "a document whose mentions have no heads", document.line, None, expected, fatal=False)


def check_parse(document: Document, problems: Problems) -> None:
    """Report a document whose parse cannot be used: mentions there match by all their words, and none is dropped."""
    from ..document.trees import has_parse

    if document.mentions and not any(document.mentions.minimums) and not has_parse(document):
        remedy = "add the parse; until then mentions of this document are matched by all their words"
        expected = "the parse column of CoNLL-2012, with a * for each token"
        report = about(document, problems, remedy)
        report("no-parse", "a document without a parse of all its tokens", document.line, None, expected, fatal=False)
