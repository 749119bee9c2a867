"""Leaves out mentions by what their attributes say: by listed types, as events, as linked to a knowledge base."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..document.document import Document, Mention, about
from ..problems import Problems
from ..spelling import canonical
from .steps import only

_ACTION = re.compile("(neg)?action")
_ECB = "types like ACTION_OCCURRENCE, as ECB+ has them"
_EDL = "ids of a knowledge base or NIL, as EDL has them"


def _is_event(type: str) -> bool:
    return bool(_ACTION.match(canonical(type)))


def _is_nil(kbid: str) -> bool:
    return kbid.startswith("NIL")


class Kind(NamedTuple):
    """A kind of mentions: the attribute that tells it, whether a value is of the kind, which values are expected."""

    attribute: str
    has: Callable[[str], bool]
    expected: str

    def known(self, document: Document) -> bool:
        """Whether mentions of the document have the attribute."""
        return any(dict(attributes).get(self.attribute) for attributes in document.mentions.attributes)


KINDS = {
    "events": Kind("type", _is_event, _ECB),
    "entities": Kind("type", lambda type: not _is_event(type), _ECB),
    "linked": Kind("kbid", lambda kbid: not _is_nil(kbid), _EDL),
    "nil": Kind("kbid", _is_nil, _EDL),
}


def of_kind(document: Document, name: str, problems: Problems) -> Document:
    """The document with only the mentions of a kind.

    A document whose mentions all lack the attribute is left unchanged and reported: a system may output events only.
    """
    kind = KINDS[name]
    if document.mentions and not kind.known(document):
        report = about(document, problems, f"nothing, if all its mentions are {name}")
        message = f"a document whose mentions have no {kind.attribute}s: all count as {name}"
        report(f"no-{kind.attribute}s", message, document.line, None, kind.expected, fatal=False)
        return document
    return only(document, lambda each: kind.has(dict(each.attributes).get(kind.attribute, "")))


def of_types(document: Document, types: str, problems: Problems) -> Document:
    """The document with only mentions of the listed types, or of a kind of `KINDS`; mentions left out are reported."""
    if types in KINDS:
        return of_kind(document, types, problems)
    known = set(types.split(","))
    report = about(document, problems)

    def wanted(mention: Mention) -> bool:
        type = dict(mention.attributes).get("type", "")
        if canonical(type) not in known:
            message = f"a mention of a type that is not listed, and not scored: {type}"
            where = document.line_of(mention), document.named(mention)
            report("other-type", message, *where, "a type of the list", fatal=False)
        return canonical(type) in known

    return only(document, wanted)
