"""What an engine is asked, and what it answers: the narrow interface that numpy, DuckDB and Spark share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...counting.table import Floats
from ...document.document import Integers
from ..course import Watch
from ..inputs import ColumnNames, Input
from ..shapes import Assigned, CellWeights, Shapes

Flags = NDArray[np.bool_]

SIDES = ("key", "response")
WEIGHT = "sampling weight"  # how engines call the weights of sampled entities
SEPARATOR = "\x1f"  # between the values of several fields in the name of a unit


def ending(name: str) -> str:
    """What a name ends in, read backwards: names that differ only in case, blanks or their beginnings are neighbours.

    >>> sorted(["Rec-31", "rec- 31", "31", "7", "0031"], key=ending)
    ['31', 'Rec-31', 'rec- 31', '0031', '7']
    """
    return "".join(name.split()).lower()[::-1]


class TableInput(NamedTuple):
    """One table that is scored: the input, and which of its columns are what."""

    given: Input
    columns: ColumnNames


TwoInputs = tuple[TableInput, TableInput]


class TableTask(NamedTuple):
    """What is to be counted.

    `home`: an entity belongs to one document, and units are documents. Otherwise entities may span documents, and units
    are the values of `fields` of mentions, if there are fields.
    """

    sides: TwoInputs
    home: bool
    fields: tuple[str, ...]
    parts: bool  # the key has no column `parts`, so it is made: parts by a hash of document or entity names
    as_text: bool  # one side is a text file without types, so all values are compared as texts

    @property
    def documents(self) -> bool:
        """Whether a mention is identified by its document as well."""
        return self.sides[0].columns.document is not None


class Units(NamedTuple):
    """The names of units in the order of their numbers, and which of them each side has (singletons included)."""

    names: list[str]
    ours: Flags
    theirs: Flags


class Repeated(NamedTuple):
    """Repeated mentions: how many rows they have, an example, and how many are in several entities."""

    rows: int
    example: str
    differing: int


class Worst(NamedTuple):
    """An entity whose mentions are in several entities of the other side: how many parts, and what that costs in B³."""

    entity: str
    document: str
    size: int
    parts: int
    largest: int
    lost: float


class Drawn(NamedTuple):
    """The entities of a sampled key, and the cells in which they share mentions with response entities.

    For each entity its name, its document, its size, its least and highest weight, and how many of its mentions have
    none; for each cell the number of the entity (`line`), the mentions it shares, and the size of the response entity.
    """

    entities: list[str]
    documents: list[str]
    size: Floats
    weight: Floats
    highest: Floats
    lacking: Floats
    line: Integers
    n: Floats
    r: Floats

    @classmethod
    def of(cls, names: Sequence[list[str]], entities: Sequence[Floats], cells: Sequence[Integers]) -> Drawn:
        """From names of entities and documents, numbers of entities, and cells, which are brought into order."""
        line, n, r = cells
        order = np.lexsort((r, n, line))
        return cls._make((*names, *entities, line[order], *(each[order].astype(np.float64) for each in (n, r))))


class Engine(Protocol):
    """What counts two tables. The calls are made in this order."""

    name: str
    ordered: bool  # whether rows have an order
    watch: Watch  # if it can say how far it is

    @property
    def types(self) -> Sequence[dict[str, str]]:
        """For each side the type of mentions, entities, documents and fields, of those that are there.

        They are integers, texts, cells of a text file, or another.
        """

    def start(self, task: TableTask) -> None:
        """Open the tables as the task says."""

    def complete(self, side: int) -> tuple[int, dict[str, int]]:
        """How many rows there are, and how many lack a mention, an entity or a document.

        Rows that lack something are left out from here on.
        """

    def repeated(self, side: int) -> Repeated | None:
        """Mentions with several rows; None if there are none."""

    def deduplicate(self, side: int, which: str) -> None:
        """Keep the first or last row of each mention."""

    def count(self, singletons: bool) -> None:
        """Make the cells, and the sizes of entities; without singletons, entities of one mention are left out first."""

    def units(self) -> Units:
        """The units, also those that had nothing but singletons, which were left out."""

    def fields(self) -> dict[str, list[tuple[str, str]]]:
        """The least and greatest value of each field for each unit, where units are documents."""

    def shapes(self) -> Shapes:
        """The shapes of all cells and entities."""

    def sampled(self) -> Drawn:
        """The entities of the key with their weights and cells, sorted by document and name, then by size."""

    def names(self, side: int, role: str, number: int) -> list[str]:
        """The first `number` different names of mentions or documents of a side, in the order of their endings."""

    def assigned(self, weights: CellWeights) -> Assigned:
        """The best assignment, as shapes of the chosen cells."""

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """How many entities are split, into how many parts beyond one each, and the costliest of them."""

    def close(self) -> None:
        """Close files and connections, remove temporary files."""
