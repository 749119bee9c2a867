"""Rules of official scorers that are defects, and the rules that are right.

A preset with an official name gives the official number, defects included. Where a defect changes it, a remark beside
the score says by how much.
"""

from __future__ import annotations

from collections.abc import Callable

from ..document.document import Document
from ..document.mentions import repeated_places
from ..matching.match import MATCHERS
from ..values import NamedTuple
from .protocol import Protocol

_ONCE = ("first", "last", "keep", "error")  # values of `duplicates` with which no mention counts twice


class Defect(NamedTuple):
    """The value of the correct rule, and whether a document has something that the two rules treat differently."""

    corrected: str
    applies: Callable[[Document], bool]


DEFECTS: dict[tuple[str, str], Defect] = {  # by choice and its official value
    ("duplicates", "reference"): Defect("first", Document.repeats),
    ("duplicates", "ua-1.0"): Defect("keep", Document.repeats),
    ("zeros", "dependent"): Defect("dependent-corrected", lambda document: bool(document.mentions.zeros)),
    ("pieces", "twice"): Defect("once", lambda document: any(map(repeated_places, document.mentions))),
    ("sequencing", "evmeval-1.8"): Defect(
        "awareness", lambda document: any(name in ("After", "Subevent") for name, _, _ in document.relations)
    ),
}


def why_repeated(protocol: Protocol) -> str:
    """Why official rules may count a mention more than once, and the options for rules that do not."""
    duplicates, match = protocol.preparing.duplicates, protocol.matching.match
    why, remedy = "mentions stand in several entities or twice in one", "--duplicates first"
    if MATCHERS[match].alike:
        why, own = "several mentions are matched with one", f"--match {match.split('-')[0]}"
        remedy = own if duplicates in _ONCE else f"{own} {remedy}"
    rules = f"match:{match}, duplicates:{duplicates}, credit:{protocol.preparing.credit}"
    return f"as {why}, and the official rules ({rules}) count them more than once; not so with {remedy}"
