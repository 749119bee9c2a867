"""Engines that speak SQL: which statements are asked in which order, and what is made of the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...counting.table import Floats
from ...document.document import Integers
from ..assignment import Assigned, CellWeights, Gap, solved
from ..columns import PARTS, ROLES
from ..shapes import CellShapes, EntityShapes, Shapes
from .engine import INTEGER, SEPARATOR, SIDES, UNTYPED, Repeated, Request, RowNumbers, TableInput, Units, Worst
from .statements import LINES, Statements, field_column, part, summed

Fetched = Mapping[str, NDArray[Any]]

_SAMPLE, _SAMPLED = (
    0.01,
    20_000,
)  # the share of rows, or more of small tables, in which repeated mentions are looked for


def column_types(side: TableInput, known: Mapping[str, str]) -> dict[str, str]:
    """The type of mentions, entities, documents and fields, from those of the source's columns."""
    columns = side.columns
    wanted = {"mention": columns.mention, "entity": columns.entity, "document": columns.document, **columns.fields}
    untyped = side.given.kind in ("csv", "tsv")
    return {role: UNTYPED if untyped else known[name] for role, name in wanted.items()
            if name is not None and name in known}  # fmt: skip


def column_names(
    side: TableInput,
    types: Mapping[str, str],
    request: Request,
    quoted: Callable[[str], str],
    words: tuple[str, str | None],
) -> str:
    """The columns of the source under known names; `words` are the engine's for texts and for integers.

    Integers stay as they are where there is no word for them.
    """
    columns, parts = side.columns, []
    for role, column in (("mention", columns.mention), ("entity", columns.entity), ("document", columns.document)):
        if column is not None and (role != "document" or request.documents):
            kind = words[not request.as_text and types[role] == INTEGER]
            parts.append(f"{f'CAST({quoted(column)} AS {kind})' if kind else quoted(column)} AS {role}")
    fields = [(field, column) for field, column in columns.fields.items() if field in types]
    return ", ".join([*parts, *(f"{quoted(column)} AS {field_column(field)}" for field, column in fields)])


class Database(Protocol):
    """What speaks SQL."""

    name: str
    ordered: bool

    def rows(self, side: int, request: Request, name: str) -> None:
        """Make the rows of a side known under a name, with the columns mention, entity, document and fields."""

    def types(self, side: int) -> dict[str, str]:
        """The type of mentions, entities, documents and fields, of those that are there."""

    def keep(self, name: str, statement: str) -> None:
        """Keep the answer of a statement as a table."""

    def forget(self, *names: str) -> None:
        """Tables that are not needed any more."""

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name, without running it."""

    def fetch(self, statement: str) -> Fetched:
        """The answer, column by column."""

    def numbered(self, side: str, name: str) -> None:
        """Keep the rows of a side as a table, with their numbers in the column `place`, in their order."""

    def close(self) -> None:
        """Leave nothing behind."""


class SqlEngine:
    """An engine that asks a database."""

    def __init__(self, database: Database) -> None:
        self._ask = database
        self.name = database.name
        self.ordered = database.ordered

    def close(self) -> None:
        """Close the database."""
        self._ask.close()

    def types(self, side: int) -> dict[str, str]:
        """As the database has them."""
        return self._ask.types(side)

    def start(self, request: Request) -> None:
        """Name the tables and columns."""
        self._request = request
        units = (self._unit("ours", 0), self._unit("theirs", 1)) if request.fields and not request.home else None
        self._say = Statements(request.home, request.documents, units)
        self._rows = [0, 0]
        self._joined = False
        self._plain: bool | None = None
        for side, name in enumerate(SIDES):
            self._ask.rows(side, request, f"{name}_rows")
            self._ask.view(name, f"SELECT * FROM {name}_rows")

    def _unit(self, table: str, side: int) -> str:
        """What the fields say of a mention, several as one text."""
        there = self._ask.types(side)
        each = [
            part(table, "entity")
            if self._is_made(field)
            else (f"coalesce(CAST({table}.{field_column(field)} AS STRING), 'None')" if field in there else "''")
            for field in self._request.fields
        ]
        return f" || chr({ord(SEPARATOR)}) || ".join(each)

    def _is_made(self, field: str) -> bool:
        """Whether it is a field that tables do not have."""
        return field == PARTS and self._request.parts

    # -- rows --------------------------------------------------------------------------------------------------------

    def complete(self, side: int) -> RowNumbers:
        """One scan, which Parquet files answer from what they say of themselves."""
        name, ask = SIDES[side], self._ask
        lacking = {
            role: f"{role} IS NULL" + f" OR {role} = ''" * (self._request.as_text or ask.types(side)[role] != INTEGER)
            for role in ROLES
            if role != "document" or self._request.documents
        }
        there = ", ".join(
            f"count({f'CASE WHEN NOT ({test}) THEN 1 END' if ' OR ' in test else role}) AS {role}"
            for role, test in lacking.items()
        )
        found = ask.fetch(f"SELECT count(*) AS number, {there} FROM {name}")
        missing = {role: lost for role in lacking if (lost := _number(found["number"]) - _number(found[role]))}
        self._rows[side] = number = _number(found["number"])
        if missing:
            wrong = " OR ".join(lacking.values())
            ask.view(name, f"SELECT * FROM {name}_rows WHERE NOT ({wrong})")
            self._rows[side] = _number(ask.fetch(f"SELECT count(*) AS number FROM {name}")["number"])
        return RowNumbers(number, missing)

    def repeated(self, side: int) -> Repeated | None:
        """Seen from the join, which is needed anyway; only if there are some, by GROUP BY."""
        if not self._joined and not self._suspected():
            self._join()
        if self._joined and self._is_plain():
            return None
        again = self._ask.fetch(self._say.repeated_rows(SIDES[side]))
        rows = _number(again["number"])
        return Repeated(rows, str(again["example"][0]), _number(again["differing"])) if rows else None

    def _suspected(self) -> bool:
        """Whether so many mentions are repeated that some are in a sample."""
        shares = [min(1.0, max(_SAMPLE, _SAMPLED / (number + 1))) for number in self._rows]
        return any(_number(self._ask.fetch(self._say.sampled(name, share))["number"])
                   for name, share in zip(SIDES, shares, strict=True))  # fmt: skip

    def _join(self) -> None:
        self._ask.keep("joined", self._say.joined())
        self._joined = True

    def _is_plain(self) -> bool:
        """Whether each mention is there once on each side."""
        if self._plain is None:
            found = self._ask.fetch(self._say.totals())
            pairs, ours, theirs, again = (
                _number(found[name]) for name in ("pairs", "lone_keys", "lone_responses", "repeated")
            )
            self._plain = not again and [ours + pairs, theirs + pairs] == self._rows
        return self._plain

    def deduplicate(self, side: int, which: str) -> None:
        """By the number of rows, or by nothing where all rows of a mention agree."""
        name, order = SIDES[side], "entity"
        if self.ordered:
            self._ask.numbered(name, f"{name}_numbered")
            order = "place" + " DESC" * (which == "last")
        self._ask.keep(f"{name}_once", self._say.one_each(f"{name}_numbered" if self.ordered else name, order))
        self._ask.view(name, f"SELECT * FROM {name}_once")
        self._rows[side] = _number(self._ask.fetch(f"SELECT count(*) AS number FROM {name}")["number"])
        self._joined, self._plain = False, None

    # -- counting ----------------------------------------------------------------------------------------------------

    def count(self, singletons: bool) -> None:
        """Sizes, cells and units from the join."""
        ask, say = self._ask, self._say
        if not self._joined:
            self._join()
        if say.home or say.units:
            ask.keep("units", say.unit_numbers())
        self._measure()
        if not singletons:
            ask.keep("left_over", say.without_singletons())
            ask.forget("joined")
            ask.view("joined", "SELECT * FROM left_over")
            self._measure()
        if say.units:
            ask.keep("cells", say.cells())
        else:
            ask.view("cells", say.cells())

    def _measure(self) -> None:
        for side, (_, sizes) in LINES.items():
            self._ask.keep(sizes, self._say.sizes(side))

    def units(self) -> Units:
        """From the table of units."""
        if not self._say.home and not self._say.units:
            return Units(["all"], np.ones(1, np.bool_), np.ones(1, np.bool_))
        found = self._ask.fetch("SELECT name, ours, theirs FROM units ORDER BY unit")
        ours, theirs = (np.asarray(found[side]).astype(np.bool_) for side in ("ours", "theirs"))
        return Units([str(name) for name in found["name"].tolist()], ours, theirs)

    def fields(self) -> dict[str, list[tuple[str, str]]]:
        """By GROUP BY document."""
        found = {}
        for field in self._request.fields:
            made = self._is_made(field)
            value = part("every", "document") if made else f"CAST({field_column(field)} AS STRING)"
            sides = [name for number, name in enumerate(SIDES) if made or field in self._ask.types(number)]
            rows = " UNION ALL ".join(f"SELECT document, {value} AS value FROM {name} AS every" for name in sides)
            got = self._ask.fetch(
                "SELECT units.unit AS unit, coalesce(min(value), '') AS low, coalesce(max(value), '') AS high"
                f" FROM units LEFT JOIN ({rows}) AS said ON units.name = said.document"
                " GROUP BY units.unit ORDER BY units.unit"
            )
            found[field] = [(str(low), str(high)) for low, high in zip(got["low"], got["high"], strict=True)]
        return found

    def shapes(self) -> Shapes:
        """Three statements: of cells, of key entities, of response entities."""
        say = self._say
        keys, responses = (_sizes(self._fetched(say.size_shapes(side))) for side in SIDES)
        self._cells = _cells(self._fetched(say.cell_shapes()))
        return Shapes(self._cells, keys, responses, len(self.units().names), not say.units)

    def _fetched(self, statement: str) -> Fetched:
        """The rows of a statement with their units, sorted: the same from every engine."""
        found = self._ask.fetch(self._say.numbered(statement))
        wanted = {name: values for name, values in found.items() if name not in ("document", "u")}
        order = np.lexsort(list(wanted.values())[::-1])
        return {name: values[order] for name, values in wanted.items()}

    # -- assignments -------------------------------------------------------------------------------------------------

    def assigned(self, weights: CellWeights) -> Assigned:
        """Rounds of cells that decide themselves, as in `matching.assign`; what is left goes to the solver."""
        ask, say = self._ask, self._say
        ask.keep("live_0", say.weighed(weights.sql()))
        chosen = [_alone(self._cells, weights)]
        turn = 0
        while True:
            live = f"live_{turn}"
            ask.keep("taken", say.decided(live))
            found = _cells(self._fetched(say.taken_shapes(live)))
            if not len(found.n):
                break
            chosen.append(found)
            turn += 1
            ask.keep(f"live_{turn}", say.left(live))
            ask.forget(live)
        rest, bound = self._rest(f"live_{turn}")
        ask.forget(f"live_{turn}", "taken")
        return Assigned(CellShapes.joined([*chosen, rest]), bound)

    def _rest(self, live: str) -> tuple[CellShapes, Gap]:
        """What no rule decides, by the solver."""
        found = self._fetched(self._say.rest(live))
        i, j, weight = _integers(found["i"]), _integers(found["j"]), _floats(found["w"])
        _, first, cell = np.unique(i * (int(j.max(initial=0)) + 1) + j, return_index=True, return_inverse=True)
        chosen, bound = solved(i[first], j[first], weight[first]) if len(first) else (first, Gap())
        wanted = np.isin(cell, chosen)
        return _cells({name: values[wanted] for name, values in found.items()}), bound

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """Entities with cells in several entities of the other side."""
        self._ask.keep("cut", self._say.cut(SIDES[side]))
        whole = self._ask.fetch(f"SELECT count(*) AS number, {summed('parts - 1')} AS more FROM cut")
        order = ", ".join(("lost DESC", *self._say.home, "entity"))
        top = self._ask.fetch(f"SELECT * FROM cut ORDER BY {order} LIMIT {number}")
        self._ask.forget("cut")
        documents = top["document"].tolist() if self._say.home else [""] * len(top["entity"])
        columns = (top[name].tolist() for name in ("size", "parts", "largest", "lost"))
        found = [Worst(str(entity), str(document), *numbers) for entity, document, *numbers in
                 zip(top["entity"].tolist(), documents, *columns, strict=True)]  # fmt: skip
        return _number(whole["number"]), _number(whole["more"]), found


def _number(values: NDArray[Any]) -> int:
    """The one number of an answer; 0 where nothing was summed."""
    value = values.tolist()[0]
    return int(value) if value is not None and value == value else 0


def _integers(values: NDArray[Any]) -> Integers:
    return np.asarray(values).astype(np.int64)


def _floats(values: NDArray[Any]) -> Floats:
    return np.asarray(values).astype(np.float64)


def _cells(found: Fetched) -> CellShapes:
    n, k, r, s, c, mentions = (_floats(found[name]) for name in ("n", "k_size", "r_size", "s", "c", "mentions"))
    return CellShapes(_integers(found["unit"]), n, k, r, s, c, mentions / n)


def _alone(cells: CellShapes, weights: CellWeights) -> CellShapes:
    """The shapes of cells that are alone in their row and in their column, and weigh anything: they are all taken."""
    return cells.only((cells.n == cells.s) & (cells.n == cells.c) & (weights.cells(cells) > 0))


def _sizes(found: Fetched) -> EntityShapes:
    size, aligned, mentions = (_floats(found[name]) for name in ("size", "aligned", "mentions"))
    return EntityShapes(_integers(found["unit"]), size, aligned, mentions / size)
