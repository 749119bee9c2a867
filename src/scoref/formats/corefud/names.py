"""Names of entities that CorefUD can have: others are changed before documents are written."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import replace

from ...document.document import Document

_UNWRITABLE = re.compile(r"[-()\[\]|\s,<:]")


def fit(documents: list[Document]) -> tuple[list[Document], list[str]]:
    """The documents with names that CorefUD can have, `4_Pseudo` for `4-Pseudo`, and a sentence if there are new ones.

    >>> from scoref import clusters
    >>> fit([clusters({"a-b": ["it"], "a_b": ["she"]})])[1]
    ['1 entity was renamed, as CorefUD has no such names: a-b is a_b_2']
    """
    names = [_new_names(document) for document in documents]
    renamed = [pair for new in names for pair in new.items()]
    if not renamed:
        return documents, []
    number = f"{len(renamed)} entities were" if len(renamed) > 1 else "1 entity was"
    note = f"{number} renamed, as CorefUD has no such names: {renamed[0][0]} is {renamed[0][1]}"
    return [_renamed(document, new) for document, new in zip(documents, names, strict=True)], [note]


def _new_names(document: Document) -> dict[Hashable, str]:
    """New names for the entities whose names cannot be written, different from all others."""
    taken = {str(name) for name in document.entities()}
    new: dict[Hashable, str] = {}
    for name in document.entities():
        if _UNWRITABLE.search(str(name)):
            wanted = written = _UNWRITABLE.sub("_", str(name))
            number = 1
            while written in taken:
                number += 1
                written = f"{wanted}_{number}"
            taken.add(written)
            new[name] = written
    return new


def _renamed(document: Document, new: dict[Hashable, str]) -> Document:
    if not new:
        return document
    sets = {
        new.get(name, name): tuple(new.get(member, member) for member in members)
        for name, members in document.sets.items()
    }
    return replace(
        document,
        mentions=tuple(mention.of(new.get(mention.entity, mention.entity)) for mention in document.mentions),
        sets=sets,
        nonreferring=frozenset(new.get(name, name) for name in document.nonreferring),
        hidden=frozenset(new.get(name, name) for name in document.hidden),
    )
