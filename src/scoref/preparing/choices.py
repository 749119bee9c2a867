"""The choices on what documents are scored as: one step of `prepare` for each."""

from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice, Subject

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
