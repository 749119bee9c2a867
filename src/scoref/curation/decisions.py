"""Decisions of a curator: which mentions are kept, and with which other mention they are in one entity; their files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from ..document.document import Mention, word_of
from ..document.spans import EMPTY, runs
from ..problems import Error

_LIKE = 'like {"document": "d", "mention": "4-6", "keep": true}, or "with": another mention, or null'


class Decision(NamedTuple):
    """What was decided of a mention: whether it is kept, the mention that it is with; None where that is not decided.

    `alone`: it is with no other mention.
    """

    keep: bool | None = None
    other: str | None = None
    alone: bool = False


Decisions = Mapping[tuple[str, str], Decision]  # by document and mention


def written(mention: Mention) -> str:
    """A mention as files of decisions have it: its words from 0, `4-6,9`; an empty node as `4.1`; else its id.

    >>> written(Mention([1024, 1280, 1793], "e"))  # words 4 and 5, and the first empty node behind word 7
    '4-5,7.1'
    """
    if not mention.span:
        return str(mention.id)
    words = [word_of(place) for place in mention.span if not place & EMPTY]
    empty = [f"{word_of(place)}.{place & EMPTY}" for place in mention.span if place & EMPTY]
    stretches = [str(first) if first == last else f"{first}-{last}" for first, last in runs(words)]
    return ",".join([*stretches, *empty])


def read_decisions(path: str | os.PathLike[str]) -> dict[tuple[str, str], Decision]:
    """The decisions of a file, as the page writes it: {"decisions": [{"document", "mention", "keep" or "with"}]}."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise Error("unreadable-file", f"the decisions cannot be read: {error.strerror}", path=name) from None
    except ValueError as error:
        raise Error(
            "bad-decisions", f"this is no JSON: {error}", path=name, expected="a file that the page wrote"
        ) from None
    rows = data.get("decisions") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise Error("bad-decisions", "the file has no decisions", path=name, expected='{"decisions": [...]}')
    found: dict[tuple[str, str], Decision] = {}
    for number, row in enumerate(rows, 1):
        where = f"decision {number}"
        if not isinstance(row, dict) or not all(isinstance(row.get(each), str) for each in ("document", "mention")):
            raise Error("bad-decisions", f"{where} names no document and mention", path=name, expected=_LIKE)
        known = found.get((row["document"], row["mention"]), Decision())
        keep, other = row.get("keep"), row.get("with")
        if (
            ("keep" not in row and "with" not in row)
            or ("keep" in row and not isinstance(keep, bool))
            or (other is not None and not isinstance(other, str))
        ):
            raise Error("bad-decisions", f"{where} decides nothing", path=name, expected=_LIKE)
        new = Decision(keep if "keep" in row else None, other, "with" in row and other is None)
        if (known.keep is not None and new.keep is not None) or ("with" in row and (known.other or known.alone)):
            raise Error("bad-decisions", f"{where} is about what was decided before", path=name,
                        expected="one decision for each place")  # fmt: skip
        found[row["document"], row["mention"]] = Decision(
            new.keep if known.keep is None else known.keep, new.other or known.other, new.alone or known.alone
        )
    return found
