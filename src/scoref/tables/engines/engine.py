"""What an engine is asked, and what it answers: the narrow interface that numpy, DuckDB and Spark share."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..assignment import Assigned, CellWeights
from ..columns import ColumnNames
from ..inputs import Input
from ..shapes import Shapes

Flags = NDArray[np.bool_]

SIDES = ("key", "response")
SEPARATOR = "\x1f"  # between the values of several fields in the name of a unit
INTEGER, TEXT, UNTYPED = "integers", "texts", "cells of a text file"


class TableInput(NamedTuple):
    """One table that is scored: the input, and which of its columns are what."""

    given: Input
    columns: ColumnNames


TwoInputs = tuple[TableInput, TableInput]


class Request(NamedTuple):
    """What is to be scored.

    `home`: entities live in documents, and units are documents. Else an entity may be in any document; units are then
    the values of `fields` of the mentions, if there are any.
    """

    sides: TwoInputs
    home: bool
    fields: tuple[str, ...]
    parts: bool  # the field `parts` is none of the key's, and made: parts of documents or entities, by a hash of names
    as_text: bool  # integers on one side, cells of a text file on the other: all are compared as texts

    @property
    def documents(self) -> bool:
        """Whether mentions are told apart by their documents, too."""
        return all(side.columns.document for side in self.sides)


class Units(NamedTuple):
    """The names of units, in the order of their numbers; and which of them each side has, with singletons."""

    names: list[str]
    ours: Flags
    theirs: Flags


class RowNumbers(NamedTuple):
    """The rows of a side: how many there are, and how many lack a mention, an entity or a document."""

    number: int
    missing: dict[str, int]


class Repeated(NamedTuple):
    """Mentions that are in several rows: how many such rows there are, a mention, how many are in several entities."""

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


class Engine(Protocol):
    """What counts two tables. The calls are made in this order."""

    name: str
    ordered: bool  # whether rows have an order

    def types(self, side: int) -> dict[str, str]:
        """The type of mentions, entities and documents: integers, texts, cells of a text file, or another."""

    def start(self, request: Request) -> None:
        """Open the tables as the request says."""

    def complete(self, side: int) -> RowNumbers:
        """What is missing; rows that lack something are left out from here on."""

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

    def assigned(self, weights: CellWeights) -> Assigned:
        """The best assignment, as shapes of the chosen cells."""

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """How many entities are cut up, into how many parts beyond one each, and the costliest of them."""

    def close(self) -> None:
        """Close files and connections, remove temporary files."""
