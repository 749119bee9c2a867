"""Engines that speak SQL: which statements are run in which order, and what is made of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from ...problems import Problems
from ..course import Watch
from ..inputs import PARTS, ROLES
from ..rows import INTEGER, UNTYPED, Values
from ..shapes import SHARES, Assigned, AssignmentGap, CellShapes, CellWeights, EntityShapes, Shapes, solved
from .engine import SEPARATOR, SIDES, WEIGHT, Drawn, Repeated, TableTask, TwoInputs, Units, Worst
from .sampled import sampled_key
from .statements import LINES, NUMBERS, Statements, field_column, part, summed

Fetched = Mapping[str, Values]
Chosen = dict[str, CellShapes]  # for each share of `CellWeights.shares`

# The share of rows in which repeated mentions are looked for, and the least number of them.
_SAMPLE, _SAMPLED = 0.01, 20_000


class SqlEngine:
    """An engine that runs SQL on a database; subclasses say what differs between databases.

    `quote` stands around names, `text` is the SQL type of texts. The rows of a side are in the table `key_source` or
    `response_source`.
    """

    name: str
    ordered: bool
    quote: str
    text: str
    watch: Watch = None

    def __init__(self, sides: TwoInputs, problems: Problems) -> None:
        self._sides, self._problems = sides, problems

    def _named(self, reason: Exception) -> tuple[str | None, str]:
        """The file that a database error is about, and its message with the name that the user gave to the file."""
        text = str(reason)
        for path, file in (item for side in self._sides for item in side.given.files.items()):
            if path in text:
                return file, text.replace(path, file)
        return None, text

    def described(self, table: str) -> dict[str, str]:
        """The types of the columns of a table."""
        raise NotImplementedError

    def keep(self, name: str, statement: str) -> None:
        """Keep the answer of a statement as a table."""

    def forget(self, *names: str) -> None:
        """Drop tables that are not needed any more."""

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name, without running it."""

    def ranked(self, name: str, statement: str, order: str, number: str) -> None:
        """Keep the answer of a statement, with numbers in the column `number` that rise in this order of its rows."""

    def fetch(self, statement: str) -> Fetched:
        """The answer of a statement, column by column."""
        raise NotImplementedError

    def numbered(self, side: str, name: str) -> None:
        """Keep the rows of a side as a table, with their numbers in the column `place`, if they have an order."""

    @cached_property
    def types(self) -> list[dict[str, str]]:
        """The types of the columns, as the database describes them."""
        found = []
        for side, name in zip(self._sides, SIDES, strict=True):
            known = self.described(f"{name}_source")
            wanted = {**side.columns.roles, **side.columns.fields}
            there = {role: known[column] for role, column in wanted.items() if column in known}
            found.append(dict.fromkeys(there, UNTYPED) if side.given.is_text else there)
        return found

    def start(self, task: TableTask) -> None:
        """Name the tables and columns."""
        self._task = task
        units = (self._unit("ours", 0), self._unit("theirs", 1)) if task.fields and not task.home else None
        self._say = Statements(task.home, task.documents, units)
        self._rows, self._joined = [0, 0], False
        self._plain: bool | None = None
        for side, name in enumerate(SIDES):
            self.view(f"{name}_rows", f"SELECT {self._columns(side)} FROM {name}_source")
            self.view(name, f"SELECT * FROM {name}_rows")

    def _columns(self, side: int) -> str:
        """The columns of the source under known names."""
        types, columns = self.types[side], self._sides[side].columns
        found = [f"{self._quoted(columns.weight)} AS {self._quoted(WEIGHT)}"] if columns.weight else []
        for role, column in columns.roles.items():
            is_number = types[role] == INTEGER and not self._task.as_text
            name = self._quoted(column)
            found.append(f"{name if is_number else f'CAST({name} AS {self.text})'} AS {role}")
        fields = {field: column for field, column in columns.fields.items() if field in types}
        return ", ".join([*found, *(f"{self._quoted(fields[field])} AS {field_column(field)}" for field in fields)])

    def _quoted(self, name: str) -> str:
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def _unit(self, table: str, side: int) -> str:
        """The expression for the unit of a mention: the values of its fields, joined to one text."""
        each = []
        for field in self._task.fields:
            said = f"coalesce(CAST({table}.{field_column(field)} AS STRING), 'None')"
            known = said if field in self.types[side] else "''"
            each.append(part(table, "entity") if self._is_made(field) else known)
        return f" || chr({ord(SEPARATOR)}) || ".join(each)

    def _is_made(self, field: str) -> bool:
        """Whether the field is made by scoref, not a column of the table."""
        return field == PARTS and self._task.parts

    # -- rows --------------------------------------------------------------------------------------------------------

    def complete(self, side: int) -> tuple[int, dict[str, int]]:
        """By one scan, which Parquet files answer from their metadata."""
        name = SIDES[side]
        lacking = {
            role: f"{role} IS NULL" + f" OR {role} = ''" * (self._task.as_text or self.types[side][role] != INTEGER)
            for role in ROLES
            if role != "document" or self._task.documents
        }
        there = ", ".join(
            f"count({f'CASE WHEN NOT ({test}) THEN 1 END' if ' OR ' in test else role}) AS {role}"
            for role, test in lacking.items()
        )
        found = self.fetch(f"SELECT count(*) AS number, {there} FROM {name}")
        missing = {role: lost for role in lacking if (lost := _number(found["number"]) - _number(found[role]))}
        self._rows[side] = number = _number(found["number"])
        if missing:
            wrong = " OR ".join(lacking.values())
            self.view(name, f"SELECT * FROM {name}_rows WHERE NOT ({wrong})")
            self._rows[side] = _number(self.fetch(f"SELECT count(*) AS number FROM {name}")["number"])
        return number, missing

    def repeated(self, side: int) -> Repeated | None:
        """Found from the join, which is needed anyway; only if there are some, they are counted by GROUP BY."""
        if not self._joined and not self._suspected():
            self._join()
        if self._joined and self._is_plain():
            return None
        again = self.fetch(self._say.repeated_rows(SIDES[side]))
        rows = _number(again["number"])
        return Repeated(rows, str(again["example"][0]), _number(again["differing"])) if rows else None

    def _suspected(self) -> bool:
        """Whether a sample of rows already has repeated mentions."""
        shares = [min(1.0, max(_SAMPLE, _SAMPLED / (number + 1))) for number in self._rows]
        return any(_number(self.fetch(self._say.sampled(name, share))["number"])
                   for name, share in zip(SIDES, shares, strict=True))  # fmt: skip

    def _join(self) -> None:
        self.keep("joined", self._say.joined())
        self._joined = True

    def _is_plain(self) -> bool:
        """Whether each mention is there once on each side."""
        if self._plain is None:
            found = self.fetch(self._say.totals())
            number = {name: _number(values) for name, values in found.items()}
            both = [number[lone] + number["pairs"] for lone in ("lone_keys", "lone_responses")]
            self._plain = not number["repeated"] and both == self._rows
        return self._plain

    def deduplicate(self, side: int, which: str) -> None:
        """By row number, or by any order if all rows of a mention agree."""
        name, order = SIDES[side], "entity"
        if self.ordered:
            self.numbered(name, f"{name}_numbered")
            order = "place" + " DESC" * (which == "last")
        self.keep(f"{name}_once", self._say.one_each(f"{name}_numbered" if self.ordered else name, order))
        self.view(name, f"SELECT * FROM {name}_once")
        self._rows[side] = _number(self.fetch(f"SELECT count(*) AS number FROM {name}")["number"])
        self._joined, self._plain = False, None

    # -- counting ----------------------------------------------------------------------------------------------------

    def count(self, singletons: bool) -> None:
        """Sizes, cells and units from the join."""
        say = self._say
        if not self._joined:
            self._join()
        self._number_units()
        self._measure()
        if not singletons:
            self.keep("left_over", say.without_singletons())
            self.forget("joined")
            self.view("joined", "SELECT * FROM left_over")
            self._measure()
        (self.keep if say.units else self.view)("cells", say.cells())

    def _measure(self) -> None:
        for side, (_, sizes) in LINES.items():
            self.keep(sizes, self._say.sizes(side))

    def _number_units(self) -> None:
        if not self._say.home and not self._say.units:
            self._units, self._unit_codes = Units(["all"], *[np.ones(1, np.bool_)] * 2), np.zeros(1)
            return
        self.ranked("units", self._say.unit_names(), "name", "unit")
        found = self.fetch("SELECT CAST(name AS STRING) AS name, unit, ours, theirs FROM units ORDER BY unit")
        ours, theirs = (np.asarray(found[side]).astype(np.bool_) for side in ("ours", "theirs"))
        self._units = Units(found["name"].tolist(), ours, theirs)
        self._unit_codes = np.asarray(found["unit"])

    def units(self) -> Units:
        """From the table of units."""
        return self._units

    def fields(self) -> dict[str, list[tuple[str, str]]]:
        """The least and greatest value of each field, by GROUP BY document."""
        found = {}
        for field in self._task.fields:
            made = self._is_made(field)
            value = part("every", "document") if made else f"CAST({field_column(field)} AS STRING)"
            sides = [name for number, name in enumerate(SIDES) if made or field in self.types[number]]
            rows = " UNION ALL ".join(f"SELECT document, {value} AS value FROM {name} AS every" for name in sides)
            got = self.fetch(
                "SELECT units.unit AS unit, coalesce(min(value), '') AS low, coalesce(max(value), '') AS high"
                f" FROM units LEFT JOIN ({rows}) AS said ON units.name = said.document"
                " GROUP BY units.unit ORDER BY units.unit"
            )
            found[field] = [(str(low), str(high)) for low, high in zip(got["low"], got["high"], strict=True)]
        return found

    def shapes(self) -> Shapes:
        """Three statements: of cells, of key entities, of response entities."""
        say = self._say
        names = "unit", "size", "aligned", "mentions"
        sides = [self._fetched(say.size_shapes(side)) for side in SIDES]
        keys, responses = (EntityShapes.of(*(found[name] for name in names)) for found in sides)
        self._cells = _cells(self._fetched(say.cell_shapes()))
        return Shapes(self._cells, keys, responses, len(self.units().names), not say.units)

    def _fetched(self, statement: str) -> Fetched:
        """The rows of a statement with their units, sorted, so that every engine gives the same."""
        found = self._with_units(statement)
        wanted = {name: values for name, values in found.items() if name not in ("document", "u")}
        order = np.lexsort(list(wanted.values())[::-1])
        return {name: values[order] for name, values in wanted.items()}

    def _with_units(self, statement: str) -> Fetched:
        """The rows of a statement with their units, numbered without gaps."""
        found = self.fetch(self._say.numbered(statement))
        return {**found, "unit": np.searchsorted(self._unit_codes, found["unit"])}

    def sampled(self) -> Drawn:
        """Two statements: of the entities with their weights, and of their cells."""
        return sampled_key(self, self._say, self._sides[0].columns.weight is not None)

    def names(self, side: int, role: str, number: int) -> list[str]:
        """By one scan of the rows."""
        found: list[str] = self.fetch(self._say.names(SIDES[side], role, number))["name"].tolist()
        return found

    # -- assignments -------------------------------------------------------------------------------------------------

    def assigned(self, weights: CellWeights) -> Assigned:
        """Takes cells that are surely best, round by round, as `matching.assign` does; the solver gets the rest."""
        say = self._say
        self.keep("live_0", say.weighed(weights.sql()))
        chosen = [self._alone(weights)]
        turn = 0
        while True:
            live = f"live_{turn}"
            self.keep("taken", say.decided(live))
            found = self._chosen(say.taken_cells(live), weights.shares)
            if not len(found[weights.sized[0]].n):
                break
            chosen.append(found)
            turn += 1
            self.keep(f"live_{turn}", say.left(live))
            self.forget(live)
        rest, bound = self._rest(f"live_{turn}", weights.shares)
        self.forget(f"live_{turn}", "taken")
        chosen.append(rest)
        return Assigned({share: CellShapes.joined([part[share] for part in chosen]) for share in rest}, bound)

    def _alone(self, weights: CellWeights) -> Chosen:
        """The cells that are alone in their row and in their column: they are all taken, if they weigh anything."""
        if self._say.units:
            found = self._chosen(self._say.alone(), weights.shares)
            return {share: cells.only(weights.cells(cells) > 0) for share, cells in found.items()}
        cells = self._cells
        alone = (cells.n == cells.s) & (cells.n == cells.c)
        return dict.fromkeys(weights.shares, cells.only(alone & (weights.cells(cells) > 0)))

    def _chosen(self, cells: str, shares: Sequence[str]) -> Chosen:
        """The shapes of chosen cells, by the mentions that they are shared by."""
        say = self._say
        if not say.units:
            return dict.fromkeys(shares, _cells(self._fetched(say.chosen_shapes(cells))))
        return {share: _cells(self._fetched(say.partner_shapes(cells, SHARES[share])), share) for share in shares}

    def _rest(self, live: str, shares: Sequence[str]) -> tuple[Chosen, AssignmentGap]:
        """What no rule decides, by the solver."""
        say = self._say
        for line in "kr":
            self.ranked(f"rest_{line}", *say.lines(live, line), "line")
        found = self.fetch(say.rest(live)) if say.units else self._with_units(say.rest(live))
        i, j = (np.unique(found[name], return_inverse=True)[1] for name in "ij")
        weight = found["w"].astype(np.float64)
        order = np.lexsort((j, i))
        taken, bound = solved(i[order], j[order], weight[order]) if len(order) else (order, AssignmentGap())
        taken = order[taken]
        cells = {name: values[taken] for name, values in found.items()}
        chosen = {share: self._of_rest(cells, share) if say.units else _cells(cells) for share in shares}
        self.forget("rest_k", "rest_r")
        return chosen, bound

    def _of_rest(self, cells: Fetched, share: str) -> CellShapes:
        """The shapes of chosen cells of what is left, by the mentions that they are shared by."""
        found = self._fetched(self._say.rest_lines(SHARES[share]))
        lines = cells["ij"[SHARES[share].side]]
        order = np.argsort(lines)
        there = np.isin(found["line"], lines)
        places = order[np.searchsorted(lines[order], found["line"][there])]
        numbers = {name: cells[name][places] for name in NUMBERS}
        return _cells({**numbers, **{name: found[name][there] for name in ("unit", "mentions")}}, share)

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """Entities with cells in several entities of the other side."""
        self.keep("cut", self._say.cut(SIDES[side]))
        whole = self.fetch(f"SELECT count(*) AS number, {summed('parts - 1')} AS more FROM cut")
        home = "CAST(document AS STRING)" if self._say.home else "''"
        names = f"CAST(entity AS STRING) AS named, {home} AS home, size, parts, largest, lost"
        order = ", ".join(("lost DESC", *self._say.home, "entity"))
        top = self.fetch(f"SELECT {names} FROM cut ORDER BY {order} LIMIT {number}")
        self.forget("cut")
        found = zip(*(values.tolist() for values in top.values()), strict=True)
        return _number(whole["number"]), _number(whole["more"]), [Worst(*values) for values in found]


def _number(values: Values) -> int:
    """The one number of an answer; 0 where nothing was summed."""
    value = values.tolist()[0]
    return int(value) if value is not None and value == value else 0


def _cells(found: Fetched, share: str = "n") -> CellShapes:
    return CellShapes.of(found["unit"], [found[name] for name in NUMBERS], found["mentions"], share)
