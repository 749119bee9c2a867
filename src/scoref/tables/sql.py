"""The statements, once for all engines that speak SQL: joins, GROUP BY and window functions, nothing else.

Tables that a database is asked to keep:

| name | a row for each | columns |
|---|---|---|
| `key`, `response` | mention | `mention`, `entity`, perhaps `document`, fields |
| `cells` | pair of entities that share mentions | `k`, `r`, `n` |
| `keys`, `responses` | entity | `entity`, `size`, `aligned`: how many of its mentions the other side has |
| `by_unit`, `keys_by_unit`, `responses_by_unit` | the same and unit, where an entity may be in several units | unit, `n` |
| `units` | unit | `name`, `unit`: its number |

Where entities live in documents, `document` stands in every one of them beside the entity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..model import Integers
from ..scoring.table import Floats
from .assignment import Assigned, Bound, Weights, solved
from .columns import PARTS
from .engine import SIDES, Faults, Request, Worst
from .shapes import Cells, Shapes, Sizes

Fetched = Mapping[str, NDArray[Any]]

_WHERE = {"key": ("k", "keys"), "response": ("r", "responses")}


class Database(Protocol):
    """What speaks SQL."""

    name: str
    ordered: bool

    def rows(self, side: int, request: Request, name: str) -> None:
        """Make the rows of a side known under a name, with the columns mention, entity, document and fields."""

    def types(self, side: int) -> dict[str, str]:
        """The type of mentions, entities and documents."""

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


class SqlEngine:
    """An engine that asks a database."""

    def __init__(self, database: Database) -> None:
        self._ask = database
        self.name = database.name
        self.ordered = database.ordered

    def types(self, side: int) -> dict[str, str]:
        """As the database has them."""
        return self._ask.types(side)

    def start(self, request: Request) -> None:
        """Name the columns."""
        self._request = request
        self._home = ("document",) if request.home else ()
        self._on = ("document", "mention") if request.documents else ("mention",)
        self._shares = bool(request.fields) and not request.home
        for side, name in enumerate(SIDES):
            self._ask.rows(side, request, f"{name}_0")
            self._ask.view(name, f"SELECT * FROM {name}_0")

    # -- rows --------------------------------------------------------------------------------------------------------

    def faults(self, side: int) -> Faults:
        """One scan for what is missing, one GROUP BY for what is repeated."""
        name = SIDES[side]
        roles = ["mention", "entity", *(["document"] if self._request.documents else [])]
        lacking = {role: f"{role} IS NULL OR CAST({role} AS STRING) = ''" for role in roles}
        if "integers" in self._ask.types(side)["mention"] and not self._request.as_text:
            lacking = {role: f"{role} IS NULL" for role in roles}
        sums = ", ".join(f"sum(CASE WHEN {test} THEN 1 ELSE 0 END) AS no_{role}" for role, test in lacking.items())
        found = self._ask.fetch(f"SELECT count(*) AS number, {sums} FROM {name}")
        missing = {role: number for role in roles if (number := _number(found[f"no_{role}"]))}
        if missing:
            tests = " OR ".join(lacking.values())
            self._ask.view(name, f"SELECT * FROM {name}_0 WHERE NOT ({tests})")
        on = ", ".join(self._on)
        again = self._ask.fetch(
            "SELECT count(*) AS mentions, sum(n) AS number, min(mention) AS example, sum(differing) AS differing FROM "
            f"(SELECT mention, count(*) AS n, CASE WHEN min(entity) < max(entity) THEN 1 ELSE 0 END AS differing"
            f" FROM {name} GROUP BY {on} HAVING count(*) > 1) AS repeated"
            if self._repeats(name, on)
            else "SELECT 0 AS mentions, 0 AS number, 0 AS example, 0 AS differing"
        )
        if not _number(again["mentions"]):
            return Faults(_number(found["number"]), missing)
        number, differing = _number(again["number"]), _number(again["differing"])
        return Faults(_number(found["number"]), missing, number, str(again["example"][0]), differing)

    def _repeats(self, name: str, on: str) -> bool:
        """Whether any mention is there twice: the cheap question, as mostly none is."""
        found = self._ask.fetch(
            f"SELECT count(*) AS number FROM (SELECT {on} FROM {name} GROUP BY {on} HAVING count(*) > 1) AS repeated"
        )
        return _number(found["number"]) > 0

    def deduplicate(self, side: int, which: str) -> None:
        """By the number of rows, or by nothing where all rows of a mention agree."""
        name, on = SIDES[side], ", ".join(self._on)
        if self.ordered:
            self._ask.numbered(name, f"{name}_1")
            order = "ORDER BY place" + " DESC" * (which == "last")
        else:
            self._ask.view(f"{name}_1", f"SELECT * FROM {name}_0")
            order = "ORDER BY entity"
        self._ask.keep(
            f"{name}_2",
            f"SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY {on} {order}) AS turn FROM {name}_1"
            " WHERE mention IS NOT NULL AND entity IS NOT NULL) AS numbered WHERE turn = 1",
        )
        self._ask.view(name, f"SELECT * FROM {name}_2")

    def drop_singletons(self) -> None:
        """By a semi-join with the entities that have two mentions."""
        for name in SIDES:
            entity = ", ".join((*self._home, "entity"))
            same = " AND ".join(f"large.{column} = every.{column}" for column in (*self._home, "entity"))
            self._ask.keep(f"{name}_large", f"SELECT {entity} FROM {name} GROUP BY {entity} HAVING count(*) > 1")
            self._ask.keep(
                f"{name}_3",
                f"SELECT every.* FROM {name} AS every WHERE EXISTS (SELECT 1 FROM {name}_large AS large WHERE {same})",
            )
            self._ask.view(name, f"SELECT * FROM {name}_3")

    # -- counting ----------------------------------------------------------------------------------------------------

    def count(self) -> None:
        """Join, group, sizes."""
        home, ask = self._home, self._ask
        same = " AND ".join(f"ours.{column} = theirs.{column}" for column in self._on)
        pair = [*(f"ours.{column}" for column in home), "ours.entity", "theirs.entity"]
        named = [*(f"ours.{column} AS {column}" for column in home), "ours.entity AS k", "theirs.entity AS r"]
        if self._shares:
            units = [self._unit("ours", 0), self._unit("theirs", 1)]
            ask.keep("by_unit", f"SELECT {', '.join(named)}, {units[0]} AS u, {units[1]} AS v, count(*) AS n"
                     f" FROM key AS ours JOIN response AS theirs ON {same} GROUP BY {', '.join(pair + units)}")  # fmt: skip
            ask.keep("cells", f"SELECT k, r, {_sum('n')} AS n FROM by_unit GROUP BY k, r")
        else:
            ask.keep("cells", f"SELECT {', '.join(named)}, count(*) AS n FROM key AS ours"
                     f" JOIN response AS theirs ON {same} GROUP BY {', '.join(pair)}")  # fmt: skip
        for number, (side, (line, sizes)) in enumerate(_WHERE.items()):
            self._count_side(number, side, line, sizes)
        if home:
            ask.keep("units", "SELECT name, row_number() OVER (ORDER BY name) - 1 AS unit FROM (SELECT document AS name"
                     " FROM keys UNION SELECT document AS name FROM responses) AS every")  # fmt: skip
        elif self._shares:
            ask.keep("units", "SELECT name, row_number() OVER (ORDER BY name) - 1 AS unit FROM (SELECT u AS name FROM"
                     " keys_by_unit UNION SELECT u AS name FROM responses_by_unit) AS every")  # fmt: skip

    def _count_side(self, number: int, side: str, line: str, sizes: str) -> None:
        home = "".join(f"{column}, " for column in self._home)
        of = ", ".join((*(f"every.{column}" for column in self._home), "every.entity"))
        same = " AND ".join(
            [f"found.{line} = every.entity", *(f"found.{column} = every.{column}" for column in self._home)]
        )
        source = f"(SELECT {home}entity, count(*) AS size FROM {side} GROUP BY {home}entity)"
        if self._shares:
            unit = self._unit(side, number)
            self._ask.keep(f"{sizes}_by_unit", f"SELECT entity, {unit} AS u, count(*) AS n FROM {side}"
                           f" GROUP BY entity, {unit}")  # fmt: skip
            source = f"(SELECT entity, {_sum('n')} AS size FROM {sizes}_by_unit GROUP BY entity)"
        self._ask.keep(
            sizes,
            f"SELECT {of}, every.size AS size, coalesce(found.aligned, 0) AS aligned FROM {source} AS every"
            f" LEFT JOIN (SELECT {home}{line}, {_sum('n')} AS aligned FROM cells GROUP BY {home}{line}) AS found"
            f" ON {same}",
        )

    def _unit(self, table: str, side: int) -> str:
        """What the fields say of a mention, several as one text."""
        known = self._request.sides[side].columns.fields
        each = [
            f"substr(md5(CAST({table}.entity AS STRING)), 1, 3)"
            if field == PARTS and self._is_made(field)
            else (f"coalesce(CAST({table}.{field_column(field)} AS STRING), 'None')" if field in known else "''")
            for field in self._request.fields
        ]
        return " || chr(31) || ".join(each)

    def _is_made(self, field: str) -> bool:
        return field not in self._ask.types(0)

    def units(self) -> list[str]:
        """From the table of units."""
        if not self._home and not self._shares:
            return ["all"]
        return [str(name) for name in self._ask.fetch("SELECT name FROM units ORDER BY unit")["name"].tolist()]

    def fields(self) -> dict[str, list[tuple[str, str]]]:
        """By GROUP BY document."""
        found = {}
        for field in self._request.fields:
            made = "substr(md5(CAST(document AS STRING)), 1, 3)"
            value = made if field == PARTS and self._is_made(field) else f"CAST({field_column(field)} AS STRING)"
            there = [name for name, side in zip(SIDES, self._request.sides, strict=True)
                     if field in side.columns.fields]  # fmt: skip
            rows = " UNION ALL ".join(f"SELECT document, {value} AS value FROM {name}" for name in there)
            got = self._ask.fetch(f"SELECT units.unit AS unit, coalesce(min(value), '') AS low, coalesce(max(value), '')"
                                  f" AS high FROM units LEFT JOIN ({rows}) AS every ON units.name = every.document"
                                  " GROUP BY units.unit ORDER BY units.unit")  # fmt: skip
            found[field] = [(str(low), str(high)) for low, high in zip(got["low"], got["high"], strict=True)]
        return found

    # -- shapes ------------------------------------------------------------------------------------------------------

    def _sized(self, columns: str = "") -> str:
        """The cells with the sizes of their entities."""
        home = "".join(f"cells.{column} AS {column}, " for column in self._home)
        joins = " ".join(
            f"JOIN {sizes} ON "
            + " AND ".join([f"{sizes}.entity = cells.{line}", *(f"{sizes}.{c} = cells.{c}" for c in self._home)])
            for line, sizes in _WHERE.values()
        )
        return (f"SELECT {home}{columns}cells.n AS n, keys.size AS k_size, responses.size AS r_size, keys.aligned AS s,"
                f" responses.aligned AS c FROM cells {joins}")  # fmt: skip

    def shapes(self) -> Shapes:
        """Three statements: of cells, of key entities, of response entities."""
        home = "".join(f"{column}, " for column in self._home)
        numbers = "n, k_size, r_size, s, c"
        if self._shares:
            cells = (f"SELECT by_unit.u AS u, sized.n AS n, k_size, r_size, s, c, {_sum('by_unit.n')} AS mentions FROM"
                     f" ({self._sized('cells.k AS k, cells.r AS r, ')}) AS sized JOIN by_unit ON by_unit.k = sized.k"
                     " AND by_unit.r = sized.r GROUP BY by_unit.u, sized.n, k_size, r_size, s, c")  # fmt: skip
            keys = ("SELECT u, size, aligned, " + _sum("n") + " AS mentions FROM keys_by_unit JOIN keys"
                    " ON keys.entity = keys_by_unit.entity GROUP BY u, size, aligned")  # fmt: skip
            responses = (f"SELECT u, size, aligned, {_sum('n')} AS mentions FROM ({self._response_mentions()}) AS every"
                         " JOIN responses ON responses.entity = every.entity GROUP BY u, size, aligned")  # fmt: skip
        else:
            cells = f"SELECT {home}{numbers}, {_sum('n')} AS mentions FROM ({self._sized()}) AS sized GROUP BY {home}{numbers}"
            keys, responses = (f"SELECT {home}size, aligned, {_sum('size')} AS mentions FROM {sizes}"
                               f" GROUP BY {home}size, aligned" for _, sizes in _WHERE.values())  # fmt: skip
        units = len(self.units())
        return Shapes(
            _cells(self._fetched(cells)), _sizes(self._fetched(keys)), _sizes(self._fetched(responses)),
            max(units, 1), not self._shares,
        )  # fmt: skip

    def _response_mentions(self) -> str:
        """Where the mentions of response entities count: aligned ones where the key has them, others where they are."""
        return ("SELECT r AS entity, u, n FROM by_unit UNION ALL SELECT every.entity AS entity, every.u AS u,"
                " every.n - coalesce(found.n, 0) AS n FROM responses_by_unit AS every LEFT JOIN"
                f" (SELECT r, v, {_sum('n')} AS n FROM by_unit GROUP BY r, v) AS found"
                " ON found.r = every.entity AND found.v = every.u WHERE every.n > coalesce(found.n, 0)")  # fmt: skip

    def _fetched(self, statement: str) -> Fetched:
        """The rows of a statement, with the number of their unit, sorted: the same from every engine."""
        if self._home or self._shares:
            name = "document" if self._home else "u"
            statement = (f"SELECT units.unit AS unit, every.* FROM ({statement}) AS every JOIN units"
                         f" ON units.name = every.{name}")  # fmt: skip
        found = {name: values for name, values in self._ask.fetch(statement).items() if name not in ("document", "u")}
        first = next(iter(found.values()))
        found = {"unit": found.get("unit", np.zeros(len(first), np.int64)), **found}
        order = np.lexsort(list(found.values())[::-1])
        return {name: values[order] for name, values in found.items()}

    # -- assignments -------------------------------------------------------------------------------------------------

    def assigned(self, weights: Weights) -> Assigned:
        """Rounds of cells that decide themselves, as in `scoring.assign`; what is left goes to the solver.

        A round takes the cells that weigh as much as the best other cell of their row and that of their column
        together. If several of a row or column do, the first one, by name.
        """
        home = "".join(f"{column}, " for column in self._home)
        sized = self._sized("cells.k AS k, cells.r AS r, ")
        self._ask.keep("live_0", f"SELECT * FROM (SELECT {home}k, r, n, k_size, r_size, s, c, {weights.sql()} AS w"
                       f" FROM ({sized}) AS sized) AS weighed WHERE w > 0")  # fmt: skip
        chosen: list[Cells] = []
        live = "live_0"
        for turn in range(1, 1000):
            self._ask.keep("taken", _decided(live, home))
            found = _cells(self._fetched(self._chosen(live)))
            if not len(found.n):
                break
            chosen.append(found)
            left = " AND ".join(
                f"NOT EXISTS (SELECT 1 FROM taken WHERE {' AND '.join(f'taken.{c} = every.{c}' for c in (*self._home, line))})"
                for line in "kr"
            )
            self._ask.keep(f"live_{turn}", f"SELECT every.* FROM {live} AS every WHERE {left}")
            self._ask.forget(live, "taken")
            live = f"live_{turn}"
        rest, bound = self._rest(live)
        self._ask.forget(live, "taken")
        parts = [*chosen, rest]
        return Assigned(Cells(*map(np.concatenate, zip(*parts, strict=True))), bound)

    def _chosen(self, live: str) -> str:
        """The shapes of the cells that were taken."""
        numbers = "n, k_size, r_size, s, c"
        home = "".join(f"every.{column}, " for column in self._home)
        same = " AND ".join(f"taken.{column} = every.{column}" for column in (*self._home, "k", "r"))
        every = "".join(f"every.{name}, " for name in numbers.split(", "))
        if self._shares:
            return (f"SELECT by_unit.u AS u, {every}{_sum('by_unit.n')} AS mentions FROM {live} AS every JOIN taken"
                    f" ON {same} JOIN by_unit ON by_unit.k = every.k AND by_unit.r = every.r"
                    f" GROUP BY by_unit.u, {every[:-2]}")  # fmt: skip
        return (f"SELECT {home}{every}{_sum('every.n')} AS mentions FROM {live} AS every JOIN taken ON {same}"
                f" GROUP BY {home}{every[:-2]}")  # fmt: skip

    def _rest(self, live: str) -> tuple[Cells, Bound]:
        """What no rule decides, by the solver; cells are numbered in the order of names."""
        home = "".join(f"{column}, " for column in self._home)
        ranked = (f"SELECT *, dense_rank() OVER (ORDER BY {home}k) - 1 AS i, dense_rank() OVER (ORDER BY {home}r) - 1"
                  f" AS j FROM {live}")  # fmt: skip
        if self._shares:
            ranked = (f"SELECT by_unit.u AS u, i, j, w, every.n AS n, k_size, r_size, s, c, by_unit.n AS mentions FROM"
                      f" ({ranked}) AS every JOIN by_unit ON by_unit.k = every.k AND by_unit.r = every.r")  # fmt: skip
        else:
            ranked = f"SELECT {home}i, j, w, n, k_size, r_size, s, c, n AS mentions FROM ({ranked}) AS every"
        found = self._fetched(ranked)
        i, j, weight = _integers(found["i"]), _integers(found["j"]), found["w"].astype(np.float64)
        place = i * (int(j.max(initial=0)) + 1) + j
        _, first, cell = np.unique(place, return_index=True, return_inverse=True)
        chosen, bound = solved(i[first], j[first], weight[first]) if len(first) else (first, Bound())
        wanted = np.isin(cell, chosen)
        return _cells({name: values[wanted] for name, values in found.items()}), bound

    # -- what went wrong ---------------------------------------------------------------------------------------------

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """Entities with cells in several entities of the other side."""
        line, sizes = list(_WHERE.values())[side]
        home = "".join(f"cells.{column}, " for column in self._home)
        same = " AND ".join([f"{sizes}.entity = cells.{line}", *(f"{sizes}.{c} = cells.{c}" for c in self._home)])
        self._ask.keep("cut", f"SELECT {home}cells.{line} AS entity, {sizes}.size AS size, count(*) AS parts, max(n) AS"
                       f" largest, CAST({sizes}.aligned * {sizes}.aligned - sum(n * n) AS DOUBLE) / {sizes}.size AS lost"
                       f" FROM cells JOIN {sizes} ON {same} GROUP BY {home}cells.{line}, {sizes}.size, {sizes}.aligned"
                       " HAVING count(*) > 1")  # fmt: skip
        whole = self._ask.fetch(f"SELECT count(*) AS number, {_sum('parts - 1')} AS more FROM cut")
        listed = ", ".join((*self._home, "entity"))
        top = self._ask.fetch(f"SELECT * FROM cut ORDER BY lost DESC, {listed} LIMIT {number}")
        self._ask.forget("cut")
        documents = top["document"] if self._home else [""] * len(top["entity"])
        found = [
            Worst(str(entity), str(document), int(size), int(parts), int(largest), float(lost))
            for entity, document, size, parts, largest, lost in zip(
                top["entity"], documents, top["size"], top["parts"], top["largest"], top["lost"], strict=True
            )
        ]
        return _number(whole["number"]), _number(whole["more"]), found


def _decided(live: str, home: str) -> str:
    """The cells that decide themselves, at most one in a row and one in a column."""
    other = "CASE WHEN row_number() OVER ({0}) = 1 THEN coalesce(lead(w) OVER ({0}), 0) ELSE max(w) OVER ({1}) END"
    row, column = (
        other.format(f"PARTITION BY {home}{line} ORDER BY w DESC, {across}", f"PARTITION BY {home}{line}")
        for line, across in ("kr", "rk")
    )
    rivals = f"SELECT {home}k, r, w, {row} AS in_row, {column} AS in_column FROM {live}"
    decided = f"SELECT {home}k, r FROM ({rivals}) AS rivals WHERE w >= in_row + in_column"
    by_row = f"SELECT *, row_number() OVER (PARTITION BY {home}k ORDER BY r) AS turn FROM ({decided}) AS decided"
    first = f"SELECT {home}k, r FROM ({by_row}) AS by_row WHERE turn = 1"
    by_column = f"SELECT *, row_number() OVER (PARTITION BY {home}r ORDER BY k) AS turn FROM ({first}) AS first"
    return f"SELECT {home}k, r FROM ({by_column}) AS by_column WHERE turn = 1"


def _sum(column: str) -> str:
    """A sum that stays an integer of 64 bits."""
    return f"CAST(sum({column}) AS BIGINT)"


def field_column(name: str) -> str:
    """The name of a field's column in the statements."""
    return f"field_{name.encode().hex()}"


def _number(values: NDArray[Any]) -> int:
    """The one number of an answer; none where nothing was summed."""
    value = values.tolist()[0]
    return int(value) if value is not None and value == value else 0


def _integers(values: NDArray[Any]) -> Integers:
    return values.astype(np.int64)


def _cells(found: Fetched) -> Cells:
    n, k, r, s, c, mentions = (_floats(found[name]) for name in ("n", "k_size", "r_size", "s", "c", "mentions"))
    return Cells(_integers(found["unit"]), n, k, r, s, c, mentions / n)


def _sizes(found: Fetched) -> Sizes:
    size, aligned, mentions = (_floats(found[name]) for name in ("size", "aligned", "mentions"))
    return Sizes(_integers(found["unit"]), size, aligned, mentions / size)


def _floats(values: NDArray[Any]) -> Floats:
    return np.asarray(values).astype(np.float64)
