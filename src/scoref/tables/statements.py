"""The statements, once for all engines that speak SQL: joins, GROUP BY and window functions, nothing else.

| table | a row for each | columns |
|---|---|---|
| `key`, `response` | mention | `mention`, `entity`, perhaps `document`, fields |
| `cells` | pair of entities that share mentions | `k`, `r`, `n` |
| `keys`, `responses` | entity | `entity`, `size`, `aligned`: how many of its mentions the other side has |
| `by_unit`, `keys_by_unit`, `responses_by_unit` | the same and unit, if entities are in several | `u`, `n` |
| `units` | unit | `name`, `unit`: its number |
| `live`, `taken` | cell that is still to be decided; that is decided | numbers of the cell, its weight `w` |

Where entities live in documents, `document` stands beside the entity in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

# For each side: the column of its entities in `cells`, and the table of their sizes.
LINES = {"key": ("k", "keys"), "response": ("r", "responses")}

_NUMBERS = "n, k_size, r_size, s, c"


def summed(column: str) -> str:
    """A sum that stays an integer of 64 bits."""
    return f"CAST(sum({column}) AS BIGINT)"


def field_column(name: str) -> str:
    """The name of a field's column, whatever the field is called."""
    return f"field_{name.encode().hex()}"


def part(table: str, column: str) -> str:
    """One of 4,096 parts, by a hash that all engines have."""
    return f"substr(md5(CAST({table}.{column} AS STRING)), 1, 3)"


def equal(one: str, other: str, columns: Sequence[str]) -> str:
    """That two rows agree in columns."""
    return " AND ".join(f"{one}.{column} = {other}.{column}" for column in columns)


class Statements:
    """The texts for entities that live in documents (`home`), or whose mentions have units (`shares`), or neither."""

    def __init__(self, home: bool, documents: bool, units: tuple[str, str] | None) -> None:
        self.home = ("document",) if home else ()
        self.mention = ("document", "mention") if documents else ("mention",)
        self.units = units
        self._home = "".join(f"{column}, " for column in self.home)

    # -- rows --------------------------------------------------------------------------------------------------------

    def repeated(self, side: str) -> str:
        """How many mentions are there several times: the cheap question, as mostly none is."""
        on = ", ".join(self.mention)
        return (f"SELECT count(*) AS number FROM (SELECT {on} FROM {side} GROUP BY {on} HAVING count(*) > 1)"
                " AS repeated")  # fmt: skip

    def repeated_rows(self, side: str) -> str:
        """What is known of mentions that are there several times."""
        return (
            f"SELECT {summed('n')} AS number, min(CAST(mention AS STRING)) AS example, {summed('differing')} AS"
            " differing FROM (SELECT mention, count(*) AS n, CASE WHEN min(entity) < max(entity) THEN 1 ELSE 0 END AS"
            f" differing FROM {side} GROUP BY {', '.join(self.mention)} HAVING count(*) > 1) AS repeated"
        )

    def one_each(self, rows: str, order: str) -> str:
        """The first row of each mention in some order."""
        return (f"SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY {', '.join(self.mention)} ORDER BY {order})"
                f" AS turn FROM {rows}) AS numbered WHERE turn = 1")  # fmt: skip

    def without_singletons(self, side: str) -> str:
        """The rows of entities that have at least two."""
        entity = (*self.home, "entity")
        names = ", ".join(entity)
        return (f"SELECT every.* FROM {side} AS every WHERE EXISTS (SELECT 1 FROM (SELECT {names} FROM {side} GROUP BY"
                f" {names} HAVING count(*) > 1) AS large WHERE {equal('large', 'every', entity)})")  # fmt: skip

    # -- cells and sizes ---------------------------------------------------------------------------------------------

    def cells(self) -> str:
        """Pairs of entities that share mentions; with units, by the units of key and response."""
        homes = "".join(f"ours.{column} AS {column}, " for column in self.home)
        group = "".join(f"ours.{column}, " for column in self.home)
        units = f", {self.units[0]} AS u, {self.units[1]} AS v" if self.units else ""
        by = f", {self.units[0]}, {self.units[1]}" if self.units else ""
        return (f"SELECT {homes}ours.entity AS k, theirs.entity AS r{units}, count(*) AS n"
                f" FROM key AS ours JOIN response AS theirs ON {equal('ours', 'theirs', self.mention)}"
                f" GROUP BY {group}ours.entity, theirs.entity{by}")  # fmt: skip

    def sizes_by_unit(self, side: str) -> str:
        """The mentions of each entity of one side by their units."""
        name, unit = {"key": ("ours", 0), "response": ("theirs", 1)}[side]
        expression = self.units[unit] if self.units else ""
        return (f"SELECT {name}.entity AS entity, {expression} AS u, count(*) AS n FROM {side} AS {name}"
                f" GROUP BY {name}.entity, {expression}")  # fmt: skip

    def sizes(self, side: str) -> str:
        """Each entity of one side, with its size and how many of its mentions the other side has."""
        line, sizes = LINES[side]
        source = f"SELECT {self._home}entity, count(*) AS size FROM {side} GROUP BY {self._home}entity"
        if self.units:
            source = f"SELECT entity, {summed('n')} AS size FROM {sizes}_by_unit GROUP BY entity"
        found = f"SELECT {self._home}{line} AS entity, {summed('n')} AS aligned FROM cells GROUP BY {self._home}{line}"
        listed = "".join(f"every.{column} AS {column}, " for column in self.home)
        return (f"SELECT {listed}every.entity AS entity, size, coalesce(aligned, 0) AS aligned FROM ({source}) AS every"
                f" LEFT JOIN ({found}) AS found ON {equal('found', 'every', (*self.home, 'entity'))}")  # fmt: skip

    def unit_numbers(self) -> str:
        """The units, numbered in the order of their names."""
        tables = ("keys", "responses") if self.home else ("keys_by_unit", "responses_by_unit")
        column = "document" if self.home else "u"
        names = " UNION ".join(f"SELECT {column} AS name FROM {table}" for table in tables)
        return f"SELECT name, row_number() OVER (ORDER BY name) - 1 AS unit FROM ({names}) AS every"

    def numbered(self, statement: str) -> str:
        """The rows of a statement with the number of their unit."""
        if not self.home and not self.units:
            return f"SELECT 0 AS unit, every.* FROM ({statement}) AS every"
        column = "document" if self.home else "u"
        return (f"SELECT units.unit AS unit, every.* FROM ({statement}) AS every JOIN units"
                f" ON units.name = every.{column}")  # fmt: skip

    # -- shapes ------------------------------------------------------------------------------------------------------

    def sized(self, names: bool = False) -> str:
        """The cells with the sizes of their entities."""
        home = "".join(f"cells.{column} AS {column}, " for column in self.home)
        lines = "cells.k AS k, cells.r AS r, " if names else ""
        joins = " ".join(
            f"JOIN {sizes} ON {sizes}.entity = cells.{line}"
            + "".join(f" AND {sizes}.{column} = cells.{column}" for column in self.home)
            for line, sizes in LINES.values()
        )
        return (f"SELECT {home}{lines}cells.n AS n, keys.size AS k_size, responses.size AS r_size, keys.aligned AS s,"
                f" responses.aligned AS c FROM cells {joins}")  # fmt: skip

    def cell_shapes(self) -> str:
        """How many mentions are in cells with the same numbers."""
        if not self.units:
            return (f"SELECT {self._home}{_NUMBERS}, {summed('n')} AS mentions FROM ({self.sized()}) AS sized"
                    f" GROUP BY {self._home}{_NUMBERS}")  # fmt: skip
        return self._by_unit(f"({self.sized(names=True)})", "")

    def _by_unit(self, cells: str, join: str) -> str:
        """The shapes of some cells by the units of their mentions."""
        numbers = ", ".join(f"every.{name}" for name in _NUMBERS.split(", "))
        return (f"SELECT by_unit.u AS u, {numbers}, {summed('by_unit.n')} AS mentions FROM {cells} AS every {join}"
                f" JOIN by_unit ON by_unit.k = every.k AND by_unit.r = every.r GROUP BY by_unit.u, {numbers}"
                )  # fmt: skip

    def size_shapes(self, side: str) -> str:
        """How many mentions are in entities of one side with the same numbers."""
        sizes = LINES[side][1]
        if not self.units:
            return (f"SELECT {self._home}size, aligned, {summed('size')} AS mentions FROM {sizes}"
                    f" GROUP BY {self._home}size, aligned")  # fmt: skip
        mentions = "keys_by_unit" if side == "key" else f"({self._response_mentions()})"
        return (f"SELECT u, size, aligned, {summed('n')} AS mentions FROM {mentions} AS every JOIN {sizes}"
                f" ON {sizes}.entity = every.entity GROUP BY u, size, aligned")  # fmt: skip

    @staticmethod
    def _response_mentions() -> str:
        """Where mentions of response entities count: aligned ones where the key has them, others where they are."""
        return ("SELECT r AS entity, u, n FROM by_unit UNION ALL SELECT every.entity AS entity, every.u AS u,"
                " every.n - coalesce(found.n, 0) AS n FROM responses_by_unit AS every LEFT JOIN"
                f" (SELECT r, v, {summed('n')} AS n FROM by_unit GROUP BY r, v) AS found"
                " ON found.r = every.entity AND found.v = every.u WHERE every.n > coalesce(found.n, 0)")  # fmt: skip

    # -- assignments -------------------------------------------------------------------------------------------------

    def weighed(self, weight: str) -> str:
        """The cells that weigh anything, with their weight."""
        return (f"SELECT * FROM (SELECT {self._home}k, r, {_NUMBERS}, {weight} AS w FROM ({self.sized(names=True)})"
                " AS sized) AS weighed WHERE w > 0")  # fmt: skip

    def decided(self, live: str) -> str:
        """Cells that weigh as much as the best other cell of their row and that of their column together.

        At most one in a row, the first by name, and of these at most one in a column.
        """
        home = self._home
        other = (
            "CASE WHEN row_number() OVER ({0}) = 1 THEN coalesce(lead(w) OVER ({0}), 0)"
            " ELSE first_value(w) OVER ({0}) END"
        )
        row, column = (
            other.format(f"PARTITION BY {home}{line} ORDER BY w DESC, {across}") for line, across in ("kr", "rk")
        )
        rivals = f"SELECT {home}k, r, w, {row} AS in_row, {column} AS in_column FROM {live}"
        found = f"SELECT {home}k, r FROM ({rivals}) AS rivals WHERE w >= in_row + in_column"
        by_row = f"SELECT *, row_number() OVER (PARTITION BY {home}k ORDER BY r) AS turn FROM ({found}) AS found"
        first = f"SELECT {home}k, r FROM ({by_row}) AS by_row WHERE turn = 1"
        by_column = f"SELECT *, row_number() OVER (PARTITION BY {home}r ORDER BY k) AS turn FROM ({first}) AS first"
        return f"SELECT {home}k, r FROM ({by_column}) AS by_column WHERE turn = 1"

    def taken_shapes(self, live: str) -> str:
        """The shapes of the cells that were taken."""
        join = f"JOIN taken ON {equal('taken', 'every', (*self.home, 'k', 'r'))}"
        if self.units:
            return self._by_unit(live, join)
        columns = ", ".join(f"every.{name}" for name in (*self.home, *_NUMBERS.split(", ")))
        return (f"SELECT {columns}, {summed('every.n')} AS mentions FROM {live} AS every {join}"
                f" GROUP BY {columns}")  # fmt: skip

    def left(self, live: str) -> str:
        """The cells whose row and column are free still."""
        free = (
            f"NOT EXISTS (SELECT 1 FROM taken WHERE {equal('taken', 'every', (*self.home, line))})" for line in "kr"
        )
        return f"SELECT every.* FROM {live} AS every WHERE {' AND '.join(free)}"

    def rest(self, live: str) -> str:
        """The cells that are left, rows and columns numbered in the order of names."""
        ranks = ", ".join(
            f"dense_rank() OVER (ORDER BY {self._home}{line}) - 1 AS {number}" for line, number in ("ki", "rj")
        )
        ranked = f"SELECT *, {ranks} FROM {live}"
        if not self.units:
            return f"SELECT {self._home}i, j, w, {_NUMBERS}, n AS mentions FROM ({ranked}) AS every"
        return (f"SELECT by_unit.u AS u, i, j, w, every.n AS n, k_size, r_size, s, c, by_unit.n AS mentions FROM"
                f" ({ranked}) AS every JOIN by_unit ON by_unit.k = every.k AND by_unit.r = every.r")  # fmt: skip

    # -- what went wrong ---------------------------------------------------------------------------------------------

    def cut(self, side: str) -> str:
        """Entities that the other side cuts up, and what they lose in B³ by that."""
        line, sizes = LINES[side]
        home = "".join(f"cells.{column} AS {column}, " for column in self.home)
        by = "".join(f"cells.{column}, " for column in self.home)
        same = "".join(f" AND {sizes}.{column} = cells.{column}" for column in self.home)
        return (
            f"SELECT {home}cells.{line} AS entity, {sizes}.size AS size, count(*) AS parts, max(n) AS largest,"
            f" CAST({sizes}.aligned * {sizes}.aligned - {summed('n * n')} AS DOUBLE) / {sizes}.size AS lost"
            f" FROM cells JOIN {sizes} ON {sizes}.entity = cells.{line}{same}"
            f" GROUP BY {by}cells.{line}, {sizes}.size, {sizes}.aligned HAVING count(*) > 1"
        )
