"""The page of annotators, where nobody is the key."""

from __future__ import annotations

from ..statistics.agreement import Agreement
from .build import page


def agreement_page(agreement: Agreement) -> str:
    """The first annotator, and each other beside it.

    >>> import scoref
    >>> agreement_page(scoref.agreement([[["a", "b"]], [["a"], ["b"]]]))[:15]
    '<!DOCTYPE html>'
    """
    first, *others = agreement.annotators
    systems = {name: agreement.evaluations[0, number] for number, name in enumerate(others, 1)}
    return page(systems, neutral=first)
