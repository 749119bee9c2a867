"""The choices on what metrics count."""

from typing import Annotated

from ..choice import FIRST, SECOND, Choice, Subject
from ..values import NamedTuple
from .rules import SINGLETONS, TWINLESS

_SINGLETONS = Subject("singletons", "singletons")
_TWINLESS = Subject("twinless", "mentions that only one side has")
_WEIGHTS = "what mentions weigh in B³, CEAF and LEA: the same, by their form, or as an attribute FIELD says"
_ATTRIBUTE = "an attribute of mentions"
_SEQUENCING = "event nuggets: links by the definition, or as EvmEval 1.8 counts them"
_RULES = ("awareness", "evmeval-1.8")
_BETA = "LEA: how much more entities with a set weigh"
_SAMPLED = "tables: the key has a sample of the entities, drawn evenly, or with the weights in this column"
_COLUMN = "a column of weights, without blanks in its name"
_DRAWN = ("none", "uniform")
_WINDOW = "long texts: score windows of so many words each as a document of its own; 0: whole documents"
_RULE = "which windows a text is cut into: side by side, or as the scripts of BookCoref or propp cut it"
_CUTS = ("clean", "bookcoref", "propp")
_PREFIX = "long texts: score mentions that begin in the first part of each text, in percent"
_FREQUENT = "major entities: how many mentions they have at least"


_GIVEN = "bridging: whether anaphors have to be found, or those of the key are given"
_ANTECEDENTS = "bridging: anaphors count for the share of right antecedents, or wholly if any is right"


class Counting(NamedTuple):
    """What is counted, where, and with which weights; extreme numbers are allowed, as long as scores stay finite."""

    singletons: Annotated[str, Choice("entities with one mention", SINGLETONS, 2, FIRST, subject=_SINGLETONS)] = "keep"
    twinless: Annotated[str, Choice("mentions that only one side has", TWINLESS, 5, FIRST, subject=_TWINLESS)] = "as-is"
    sequencing: Annotated[str, Choice(_SEQUENCING, _RULES, 16, SECOND, fixed=True)] = "awareness"
    weights: Annotated[str, Choice(_WEIGHTS, ("none", "form"), 26, SECOND, other=_ATTRIBUTE)] = "none"
    beta: Annotated[float, Choice(_BETA, (), 28, FIRST, range=(1e-6, 1e6), fixed=True)] = 1.0
    frequent: Annotated[float, Choice(_FREQUENT, (), 30, SECOND, range=(1, 10**9), fixed=True)] = 5.0
    given: Annotated[str, Choice(_GIVEN, ("nothing", "anaphors"), fixed=True)] = "nothing"
    antecedents: Annotated[str, Choice(_ANTECEDENTS, ("share", "any"), fixed=True)] = "share"
    prefix: Annotated[float, Choice(_PREFIX, (), range=(1e-6, 100.0), fixed=True)] = 100.0
    window: Annotated[float, Choice(_WINDOW, (), range=(0, 10**9), fixed=True)] = 0.0
    sampled: Annotated[str, Choice(_SAMPLED, _DRAWN, 1003, other=_COLUMN, fixed=True)] = "none"
    window_rule: Annotated[str, Choice(_RULE, _CUTS, fixed=True)] = "clean"
