"""The SQL statements, shared by all SQL engines: only joins, GROUP BY and window functions.

| table | a row for each | columns |
|---|---|---|
| `key`, `response` | mention | `mention`, `entity`, perhaps `document`, fields |
| `joined` | pair of entities that share mentions, and mention that one side lacks | `k`, `r`, `n`, `lone`; `u`, `v` |
| `cells` | pair of entities that share mentions | `k`, `r`, `n` |
| `keys`, `responses` | entity | `entity`, `size`, `aligned`: how many of its mentions the other side has |
| `units` | unit | `name`, `unit`: its number; `ours`, `theirs`: 1 if that side has mentions there, singletons or not |
| `live`, `taken` | cell that is still to be decided; that is decided | numbers of the cell, its weight `w` |
| `rest_k`, `rest_r` | entity of cells that no rule decides | the entity, `line`: its number |

In `joined`, `lone` is the mention that one side lacks, and k or r is null there. If entities are in several units, u is
the unit of the key's mentions and v that of the response's. Where entities live in documents, `document` stands beside
the entity in all of them.

The rows are read once, to make `joined`; everything else is made from it, also the check for repeated mentions.
Every window has a PARTITION BY: without one, Spark moves all rows to one machine. What is numbered as a whole (units,
entities of `rest_k` and `rest_r`) is numbered by the engine: the numbers rise with the names, and may have gaps.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..shapes import Share

# For each side: the column of its entities in `cells`, and the table of their sizes.
LINES = {"key": ("k", "keys"), "response": ("r", "responses")}

NUMBERS = ("n", "k_size", "r_size", "s", "c")  # of a cell: n, k, r, s, c
_NUMBERS = ", ".join(NUMBERS)
_UNIT = "coalesce(joined.u, joined.v)"  # aligned mentions count where the key has them, others where they are


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
    """The condition that two rows agree in these columns."""
    return " AND ".join(f"{one}.{column} = {other}.{column}" for column in columns)


class Statements:
    """The texts for entities that live in documents (`home`), or whose mentions have `units`, or neither."""

    def __init__(self, home: bool, documents: bool, units: tuple[str, str] | None) -> None:
        self.home = ("document",) if home else ()
        self.mention = ("document", "mention") if documents else ("mention",)
        self.units = units
        self._home = "".join(f"{column}, " for column in self.home)

    # -- rows --------------------------------------------------------------------------------------------------------

    def sampled(self, side: str, share: float) -> str:
        """How many mentions are repeated in a sample of rows: joining many repeated ones would take forever."""
        on = ", ".join(self.mention)
        return (f"SELECT count(*) AS number FROM (SELECT {on} FROM (SELECT {on} FROM {side} WHERE random() < {share})"
                f" AS sampled GROUP BY {on} HAVING count(*) > 1) AS repeated")  # fmt: skip

    def totals(self) -> str:
        """Counts of common mentions and of those that one side lacks, and of repeated ones among the latter.

        A mention with a rows in the key and b rows in the response makes a·b joined pairs. So the number of pairs
        equals the number of rows with a twin on each side only if every a and every b is 1.
        """
        lone = ", ".join(self._lone)
        again = f"SELECT {lone} FROM joined WHERE lone IS NOT NULL GROUP BY {lone} HAVING sum(n) > 1"
        return (f"SELECT {summed('CASE WHEN lone IS NULL THEN n END')} AS pairs,"
                f" {summed('CASE WHEN r IS NULL THEN n END')} AS lone_keys,"
                f" {summed('CASE WHEN k IS NULL THEN n END')} AS lone_responses,"
                f" (SELECT count(*) FROM ({again}) AS again) AS repeated FROM joined")  # fmt: skip

    def repeated_rows(self, side: str) -> str:
        """Counts and an example of repeated mentions."""
        return (
            f"SELECT {summed('n')} AS number, min(CAST(mention AS STRING)) AS example, {summed('differing')} AS"
            " differing FROM (SELECT mention, count(*) AS n, CASE WHEN min(entity) < max(entity) THEN 1 ELSE 0 END AS"
            f" differing FROM {side} GROUP BY {', '.join(self.mention)} HAVING count(*) > 1) AS repeated"
        )

    def one_each(self, rows: str, order: str) -> str:
        """The first row of each mention in some order."""
        return (f"SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY {', '.join(self.mention)} ORDER BY {order})"
                f" AS turn FROM {rows}) AS numbered WHERE turn = 1")  # fmt: skip

    def names(self, side: str, role: str, number: int) -> str:
        """The first `number` different names in the order of their endings (see `engine.ending`)."""
        every = f"SELECT DISTINCT CAST({role} AS STRING) AS name FROM {side}"
        return (f"SELECT name FROM ({every}) AS every ORDER BY reverse(lower(replace(name, ' ', ''))), name"
                f" LIMIT {number}")  # fmt: skip

    # -- cells and sizes ---------------------------------------------------------------------------------------------

    @property
    def _lone(self) -> tuple[str, ...]:
        """The columns that identify a mention that one side lacks."""
        return tuple("lone" if column == "mention" else column if self.home else f"lone_{column}"
                     for column in self.mention)  # fmt: skip

    def joined(self) -> str:
        """Pairs of entities that share mentions (for each pair of units, if there are units), and lone mentions."""
        columns = {column: f"coalesce(ours.{column}, theirs.{column})" for column in self.home}
        columns |= {"k": "ours.entity", "r": "theirs.entity"}
        for name, column in zip(self._lone, self.mention, strict=True):
            if name not in self.home:
                columns[name] = (f"CASE WHEN theirs.mention IS NULL THEN ours.{column}"
                                 f" WHEN ours.mention IS NULL THEN theirs.{column} END")  # fmt: skip
        if self.units:
            for name, table, unit in zip("uv", ("ours", "theirs"), self.units, strict=True):
                columns[name] = f"CASE WHEN {table}.mention IS NOT NULL THEN {unit} END"
        listed = ", ".join(f"{text} AS {name}" for name, text in columns.items())
        return (f"SELECT {listed}, count(*) AS n FROM key AS ours FULL JOIN response AS theirs"
                f" ON {equal('ours', 'theirs', self.mention)} GROUP BY {', '.join(columns.values())}")  # fmt: skip

    def _same(self, sizes: str, table: str, line: str) -> str:
        """The join condition between an entity column of a table and a table of sizes."""
        home = "".join(f" AND {sizes}.{column} = {table}.{column}" for column in self.home)
        return f"{sizes}.entity = {table}.{line}{home}"

    def cells(self) -> str:
        """Pairs of entities that share mentions."""
        if not self.units:
            return f"SELECT {self._home}k, r, n FROM joined WHERE lone IS NULL"
        return f"SELECT k, r, {summed('n')} AS n FROM joined WHERE lone IS NULL GROUP BY k, r"

    def sizes(self, side: str) -> str:
        """Each entity of one side, with its size and how many of its mentions the other side has."""
        line, _ = LINES[side]
        aligned = summed("CASE WHEN lone IS NULL THEN n ELSE 0 END")
        return (f"SELECT {self._home}{line} AS entity, {summed('n')} AS size, {aligned} AS aligned FROM joined"
                f" WHERE {line} IS NOT NULL GROUP BY {self._home}{line}")  # fmt: skip

    def without_singletons(self) -> str:
        """What is left of `joined` without entities of one mention; mentions of the other side lose their twins."""
        columns = {column: f"joined.{column}" for column in self.home}
        columns |= {"k": "keys.entity", "r": "responses.entity"}
        columns["lone"] = "CASE WHEN keys.entity IS NULL OR responses.entity IS NULL THEN 0 END"
        if self.units:
            for name, (_, sizes) in zip("uv", LINES.values(), strict=True):
                columns[name] = f"CASE WHEN {sizes}.entity IS NOT NULL THEN joined.{name} END"
        joins = " ".join(
            f"LEFT JOIN {sizes} ON {self._same(sizes, 'joined', line)} AND {sizes}.size > 1"
            for line, sizes in LINES.values()
        )
        listed = ", ".join(f"{text} AS {name}" for name, text in columns.items())
        return (f"SELECT {listed}, {summed('joined.n')} AS n FROM joined {joins} WHERE keys.entity IS NOT NULL OR"
                f" responses.entity IS NOT NULL GROUP BY {', '.join(columns.values())}")  # fmt: skip

    def unit_names(self) -> str:
        """The units, and whether the key and the response have mentions there; the engine numbers them by name."""
        columns = {"ours": self.home or ("u",), "theirs": self.home or ("v",)}
        lines = zip(columns.items(), LINES.values(), strict=True)
        names = " UNION ALL ".join(
            f"SELECT DISTINCT {column} AS name, {', '.join(f'{int(side == name)} AS {name}' for name in columns)}"
            f" FROM joined WHERE {line} IS NOT NULL"
            for (side, (column,)), (line, _) in lines
        )
        return f"SELECT name, max(ours) AS ours, max(theirs) AS theirs FROM ({names}) AS every GROUP BY name"

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
        joins = " ".join(f"JOIN {sizes} ON {self._same(sizes, 'cells', line)}" for line, sizes in LINES.values())
        return (f"SELECT {home}{lines}cells.n AS n, keys.size AS k_size, responses.size AS r_size, keys.aligned AS s,"
                f" responses.aligned AS c FROM cells {joins}")  # fmt: skip

    def cell_shapes(self) -> str:
        """How many mentions are in cells with the same numbers."""
        if not self.units:
            return (f"SELECT {self._home}{_NUMBERS}, {summed('n')} AS mentions FROM ({self.sized()}) AS sized"
                    f" GROUP BY {self._home}{_NUMBERS}")  # fmt: skip
        numbers = ", ".join(f"every.{name}" for name in NUMBERS)
        return (f"SELECT joined.u AS u, {numbers}, {summed('joined.n')} AS mentions FROM ({self.sized(names=True)})"
                " AS every JOIN joined ON joined.k = every.k AND joined.r = every.r"
                f" GROUP BY joined.u, {numbers}")  # fmt: skip

    def size_shapes(self, side: str) -> str:
        """How many mentions are in entities of one side with the same numbers."""
        line, sizes = LINES[side]
        if not self.units:
            return (f"SELECT {self._home}size, aligned, {summed('size')} AS mentions FROM {sizes}"
                    f" GROUP BY {self._home}size, aligned")  # fmt: skip
        return (f"SELECT {_UNIT} AS u, size, aligned, {summed('n')} AS mentions FROM joined JOIN {sizes}"
                f" ON {sizes}.entity = joined.{line} GROUP BY {_UNIT}, size, aligned")  # fmt: skip

    # -- sampled keys ------------------------------------------------------------------------------------------------

    def weights(self, column: str | None) -> str:
        """The entities of the key with their sizes, their least and highest weight, and the rows that have none."""
        value = f"TRY_CAST(CAST({column} AS STRING) AS DOUBLE)" if column else "CAST(1 AS DOUBLE)"
        lines = f"{self._home}entity"
        said = (f"SELECT {lines}, min({value}) AS low, max({value}) AS high, count(*) - count({value}) AS lacking"
                f" FROM key GROUP BY {lines}")  # fmt: skip
        home = "".join(f"keys.{column} AS {column}, " for column in self.home)
        return (f"SELECT {home}keys.entity AS entity, keys.size AS size, low, high, lacking FROM keys JOIN ({said}) AS"
                f" said ON {self._same('keys', 'said', 'entity')}")  # fmt: skip

    def sampled_cells(self) -> str:
        """The cells of the entities in `sampled`, by the numbers of these."""
        return (f"SELECT sampled.line AS line, cells.n AS n, responses.size AS r FROM cells JOIN sampled"
                f" ON {self._same('sampled', 'cells', 'k')} JOIN responses"
                f" ON {self._same('responses', 'cells', 'r')}")  # fmt: skip

    # -- assignments -------------------------------------------------------------------------------------------------

    def weighed(self, weight: str) -> str:
        """The cells with a weight above 0 that compete with another cell of their row or column."""
        return (f"SELECT * FROM (SELECT {self._home}k, r, {_NUMBERS}, {weight} AS w FROM ({self.sized(names=True)})"
                " AS sized WHERE n < s OR n < c) AS weighed WHERE w > 0")  # fmt: skip

    def decided(self, live: str) -> str:
        """Cells that are surely in a best assignment.

        Each weighs at least as much as the best other cell of its row and the best other cell of its column together.
        At most one is taken in a row (the first by name), and of these at most one in a column.
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

    def alone(self) -> str:
        """The cells that are alone in their row and in their column."""
        return f"SELECT * FROM ({self.sized(names=True)}) AS sized WHERE n = s AND n = c"

    def taken_cells(self, live: str) -> str:
        """The cells that were taken."""
        return (f"SELECT every.* FROM {live} AS every JOIN taken"
                f" ON {equal('taken', 'every', (*self.home, 'k', 'r'))}")  # fmt: skip

    def chosen_shapes(self, cells: str) -> str:
        """The shapes of chosen cells."""
        columns = ", ".join((*self.home, *NUMBERS))
        return f"SELECT {columns}, {summed('n')} AS mentions FROM ({cells}) AS chosen GROUP BY {columns}"

    def partner_shapes(self, cells: str, share: Share, names: tuple[str, ...] = NUMBERS) -> str:
        """The shapes of chosen cells by the units of the mentions that they are shared by."""
        line = "kr"[share.side]
        numbers = ", ".join(f"chosen.{name}" for name in names)
        only = {None: "", True: " AND joined.lone IS NOT NULL", False: " AND joined.lone IS NULL"}[share.lone]
        return (f"SELECT {_UNIT} AS u, {numbers}, {summed('joined.n')} AS mentions FROM ({cells}) AS chosen"
                f" JOIN joined ON joined.{line} = chosen.{line}{only} GROUP BY {_UNIT}, {numbers}")  # fmt: skip

    def left(self, live: str) -> str:
        """The cells whose row and column are still free."""
        free = (
            f"NOT EXISTS (SELECT 1 FROM taken WHERE {equal('taken', 'every', (*self.home, line))})" for line in "kr"
        )
        return f"SELECT every.* FROM {live} AS every WHERE {' AND '.join(free)}"

    def lines(self, live: str, line: str) -> tuple[str, str]:
        """The entities of one side (k or r) that cells which are left have, and the columns that order them."""
        columns = f"{self._home}{line}"
        return f"SELECT DISTINCT {columns} FROM {live}", columns

    def rest(self, live: str) -> str:
        """The cells that are left, with the numbers of their rows (in `rest_k`) and columns (in `rest_r`)."""
        home = "".join(f"every.{column} AS {column}, " for column in self.home)
        joins = " ".join(f"JOIN rest_{line} ON {equal(f'rest_{line}', 'every', (*self.home, line))}" for line in "kr")
        columns = f"{home}rest_k.line AS i, rest_r.line AS j, w, {_NUMBERS}, n AS mentions"
        return f"SELECT {columns} FROM {live} AS every {joins}"

    def rest_lines(self, share: Share) -> str:
        """The mentions that cells which are left are shared by, by unit; `line` is the entity's number in `rest`."""
        return self.partner_shapes(f"SELECT * FROM rest_{'kr'[share.side]}", share, ("line",))

    # -- what went wrong ---------------------------------------------------------------------------------------------

    def cut(self, side: str) -> str:
        """Entities that the other side splits, and what they lose in B³ by that."""
        line, sizes = LINES[side]
        home = "".join(f"cells.{column} AS {column}, " for column in self.home)
        by = "".join(f"cells.{column}, " for column in self.home)
        return (
            f"SELECT {home}cells.{line} AS entity, {sizes}.size AS size, count(*) AS parts, max(n) AS largest,"
            f" CAST({sizes}.aligned * {sizes}.aligned - {summed('n * n')} AS DOUBLE) / {sizes}.size AS lost"
            f" FROM cells JOIN {sizes} ON {self._same(sizes, 'cells', line)}"
            f" GROUP BY {by}cells.{line}, {sizes}.size, {sizes}.aligned HAVING count(*) > 1"
        )
