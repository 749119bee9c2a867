"""Prepares documents for scoring, by the steps that the choices of `Preparing` ask for.

The order is fixed: lost mentions, types of event nuggets, pieces of spans, heads, shared minimum spans, invisible
words, duplicates, sets, non-referring mentions, singletons, mentions that are not noun phrases, nested mentions, zeros.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Annotated

from ..choice import BETWEEN, FIRST, SECOND, Choice, Subject
from ..document.document import Document, about
from ..pairing.pairs import Pair
from ..problems import Problems
from ..values import NamedTuple
from . import sets, steps

_DUPLICATES = "the same mention twice: which occurrence counts"
_OCCURRENCES = ("first", "last", "keep", "list", "list-coval", "ua-1.0", "reference", "error")
_ZEROS = "zeros: matched by position, by what they depend on, or dropped"
_PLACES = ("linear", "linear-1.1", "dependent", "dependent-corrected", "drop")
_NESTED = "mentions inside mentions of the same entity"
_MENTIONS = "all mentions, or noun phrases only (needs a parse column)"
_LOST = "running text: mentions none of whose words is in the key"
_INVISIBLE = "event nuggets: words that never count"
_PIECES = "event nuggets: characters that two pieces of a span share count once or twice in its length"
_SPLIT = "split antecedents: scored with credit, ignored, or only they are scored"
_SPLITS = ("credit", "ignore", "only", "distribute")
_CREDIT = "what aligned sets of split antecedents are worth"
_CREDITS = ("directional", "ua-1.0", "yu-2021")
_REPEATS, _SPLIT_SETS = Subject("repeats", "repeated mentions"), Subject("sets", "split antecedents")
_TYPES = "score only the types of the file, one a line; ECB+: only events, or entities; EDL: only linked, or nil"
_KINDS = ("all", "events", "entities", "linked", "nil")  # `all`, and the kinds of `typed.KINDS`
_LISTED = "types in lower case, letters and digits, with commas"
_TYPE = "[a-z0-9]+(,[a-z0-9]+)*"
_OWNERS = {"reference": "reference", "list-coval": "closed"}  # by the value of `duplicates`


PARSE = Subject("parse", "a parse column")


class Preparing(NamedTuple):
    """What is left out, merged or changed in documents before mentions are matched."""

    duplicates: Annotated[str, Choice(_DUPLICATES, _OCCURRENCES, 4, FIRST, subject=_REPEATS)] = "reference"
    zeros: Annotated[str, Choice(_ZEROS, _PLACES, 3, FIRST, subject=Subject("zeros", "zeros"))] = "linear"
    nested: Annotated[str, Choice(_NESTED, ("keep", "drop", "drop-coval"), 6, FIRST)] = "keep"
    mentions: Annotated[str, Choice(_MENTIONS, ("all", "np"), 7, FIRST, needs={"np": (PARSE,)})] = "all"
    lost: Annotated[str, Choice(_LOST, ("count", "drop"), 10, SECOND)] = "count"
    invisible: Annotated[str, Choice(_INVISIBLE, ("none", "2015"), 13, BETWEEN, fixed=True)] = "none"
    pieces: Annotated[str, Choice(_PIECES, ("once", "twice"), 14, SECOND, fixed=True)] = "once"
    split: Annotated[str, Choice(_SPLIT, _SPLITS, 21, FIRST, subject=_SPLIT_SETS)] = "credit"
    credit: Annotated[str, Choice(_CREDIT, _CREDITS, 22, FIRST, subject=_SPLIT_SETS)] = "directional"
    types: Annotated[
        str, Choice(_TYPES, _KINDS, 31, SECOND, other=_LISTED, pattern=_TYPE, from_file=True, fixed=True)
    ] = "all"

    @property
    def owner(self) -> str:
        """The rule for the entity of a mention that is in several: the `last` of them, or another scorer's rule."""
        return _OWNERS.get(self.duplicates, "last") if self.split != "distribute" else "last"


class Needs(NamedTuple):
    """What preparing must know of later stages: the matcher, its identity of mentions, the rule for singletons.

    `places` is the identity by spans, whatever the matcher is. `homes` has for each document the number of the scope of
    its entities: the document, a group, or the corpus.
    """

    match: str
    identity: str
    singletons: str
    homes: Sequence[int]
    places: str = "span"


def prepare(
    pairs: Sequence[Pair], preparing: Preparing, needs: Needs, problems: Problems, copies: bool = False
) -> list[tuple[Document, Document]]:
    """Key and response of each pair, as they are scored; `copies` keeps repeated mentions within an entity.

    The scorer ua-1.0 counts such copies where sets are ignored, and in the members of sets.
    """
    lists = preparing.duplicates in ("list", "list-coval", "reference")
    copies = copies or lists or (preparing.duplicates == "ua-1.0" and preparing.split == "ignore")
    keys: list[Document] | None = None
    sides = []
    for documents in ([pair.key for pair in pairs], [pair.response for pair in pairs]):
        placed = _taken(_steps_of_spans(preparing, needs, problems, keys is not None), documents)
        sides.append(_taken(_steps(preparing, needs, problems, copies, keys), placed))
        keys = placed
    _check(sides, preparing, needs.match, problems)
    return list(zip(sides[0], sides[1], strict=True))


def _check(sides: list[list[Document]], preparing: Preparing, match: str, problems: Problems) -> None:
    """Report documents that lack what the matcher needs: parents of zeros, heads, minimum spans, a parse."""
    keys, both, heads = sides[0], [*sides[0], *sides[1]], match.startswith("head")
    wanted: list[tuple[bool, list[Document], Callable[[Document, Problems], None]]] = [
        (preparing.zeros.startswith("dependent"), both, check_parents),
        (match == "min", keys, check_minimums),
        (heads or match.startswith("partial"), both if heads else keys, check_heads),
        (match == "min" or preparing.mentions == "np", keys, check_parse),
    ]
    for needed, documents, check in wanted:
        for document in documents if needed else ():
            check(document, problems)


_Step = Callable[[list[Document]], list[Document]]
_SETS = attrgetter("sets")
_Steps = list[tuple[bool, _Step]]  # in order: whether the step is wanted, and the step


def _taken(steps: _Steps, documents: list[Document]) -> list[Document]:
    for wanted, step in steps:
        documents = step(documents) if wanted else documents
    return documents


def _steps_of_spans(preparing: Preparing, needs: Needs, problems: Problems, response: bool) -> _Steps:
    """The first steps: they settle which mentions there are, and at which words."""
    blind = needs.match == "exact" or (needs.match == "partial-1.0" and response)  # the matcher ignores heads
    return [
        (preparing.lost == "drop", _each(steps.without_lost)),
        (preparing.types != "all", _each(_of_types, preparing.types, problems)),
        (preparing.pieces == "twice", _each(steps.with_repeats)),
        (preparing.zeros == "linear-1.1" and blind, _each(steps.without_heads)),
        (needs.match == "min-coval", _each(steps.with_shared_minimums)),
        (preparing.invisible == "2015", _each(steps.visible, problems)),
    ]


def _steps(preparing: Preparing, needs: Needs, problems: Problems, copies: bool, keys: list[Document] | None) -> _Steps:
    """All further steps; `keys`, given only for responses, are the keys after the first steps."""
    dropped, order = needs.singletons == "drop", "file" if preparing.credit == "ua-1.0" else "text"

    def repeated(document: Document) -> bool:
        return document.repeats(needs.identity)

    def without_singletons(documents: list[Document]) -> list[Document]:
        return steps.drop_singletons(documents, needs.homes)

    def without_repeats(responses: list[Document]) -> list[Document]:
        both = zip(keys or (), responses, strict=True)
        same = needs.places
        return [steps.without_repeats(key, each, same) if each.repeats(same) else each for key, each in both]

    return [
        (True, _each(steps.unique, preparing.duplicates, problems, needs.identity, where=repeated)),
        (preparing.duplicates == "reference" and keys is not None, without_repeats),
        (preparing.split == "ignore", _each(sets.without_sets, where=_SETS)),
        (True, _each(sets.accommodated, problems, order, where=_SETS)),
        (not copies, _each(steps.once_per_entity, needs.identity)),
        (preparing.split == "distribute", _each(sets.distributed)),
        (True, _each(steps.referring, where=attrgetter("nonreferring"))),
        (dropped, without_singletons),
        (preparing.mentions == "np", lambda documents: steps.noun_phrases(documents, needs.homes)),
        (preparing.nested == "drop-coval", _each(steps.unnested_as_coval, needs.singletons)),
        (preparing.nested == "drop", _each(steps.unnested)),
        (preparing.nested == "drop" and dropped, without_singletons),
        (preparing.zeros == "drop", _each(steps.only, lambda mention: not mention.is_zero)),
        (True, _each(sets.with_mentions, where=_SETS)),
    ]


def _of_types(document: Document, types: str, problems: Problems) -> Document:
    from .typed import of_types  # few choose types

    return of_types(document, types, problems)


def _each(
    step: Callable[..., Document], *choices: object, where: Callable[[Document], object] = lambda document: True
) -> _Step:
    """A step that is applied to each document by itself, but only `where` it has something to do."""
    return lambda documents: [step(document, *choices) if where(document) else document for document in documents]


def check_parents(document: Document, problems: Problems) -> None:
    """Report zeros without parents, for matching zeros by their parents."""
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
    """Report a document without heads, for matching by heads."""
    mentions = document.mentions
    headers = [text for _, text in document.comments if "global.Entity" in text]
    unsaid = any("head" not in text.partition("=")[2].strip().split("-") for text in headers)
    headed = (index for index, head in enumerate(mentions.heads) if head is not None)
    if not unsaid and any(len(mentions.span(index)) > 1 for index in headed):
        return
    if any(len(mentions.span(index)) > 1 for index in range(len(mentions))):
        how = "the first word of each counts as its head" if unsaid else "they are matched by all their words"
        report = about(document, problems, "add heads, or use --match exact")
        expected, message = "heads, as mentions are matched by them", "a document whose mentions have no heads"
        report("no-heads", f"{message}: {how}", document.line, None, expected, fatal=False)


def check_parse(document: Document, problems: Problems) -> None:
    """Report a document whose parse cannot be used: mentions there match by all their words, and none is dropped."""
    from ..document.trees import has_parse

    if document.mentions and not any(document.mentions.minimums) and not has_parse(document):
        remedy = "add the parse; until then mentions of this document are matched by all their words"
        expected = "the parse column of CoNLL-2012, with a * for each token"
        report = about(document, problems, remedy)
        report("no-parse", "a document without a parse of all its tokens", document.line, None, expected, fatal=False)
