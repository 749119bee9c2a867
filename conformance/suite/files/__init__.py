"""Cases as files of each format, written by hand from the formats' descriptions, without scoref."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..cases import Case
from . import conll, corefud, marked, tabular, tbf, ua

FORMATS = {"conll": conll, "ua": ua, "corefud": corefud, "tbf": tbf}  # that are one text for several documents

_ONE = frozenset({"several documents", "missing"})
_FLAT = frozenset({"crossing", "repeated"})


class Writer(NamedTuple):
    """Writes a side of a case into a folder, and gives the path; features of cases that the format cannot have."""

    write: Callable[[Case, str, Path], Path]
    lacks: frozenset[str]


WRITERS = {  # of formats that have files of their own for each case
    "jsonl": Writer(tabular.jsonl, frozenset()),
    "clusters": Writer(tabular.clusters, _ONE | {"repeated"}),
    "table": Writer(tabular.table, frozenset({"repeated", "empty"})),
    "webanno": Writer(tabular.webanno, _ONE | {"repeated"}),
    "booknlp": Writer(tabular.booknlp, _ONE | {"repeated"}),
    "muc": Writer(marked.muc, _FLAT),
    "text": Writer(marked.text, _ONE | _FLAT | {"empty"}),
    "brat": Writer(marked.brat, _ONE | {"repeated"}),
    "ecb": Writer(marked.ecb, _ONE | {"repeated"}),
}
