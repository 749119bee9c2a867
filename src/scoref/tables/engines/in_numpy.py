"""The engine without any dependency: everything in arrays of this process."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import md5
from heapq import nsmallest

import numpy as np

from ...document.document import Integers
from ...problems import Problems
from .. import rows
from ..course import Watch
from ..inputs import PARTS, ROLES
from ..rows import Values
from ..shapes import SHARES, Assigned, AssignmentGap, CellShapes, CellWeights, EntityShapes, Shapes, Share, solved
from .engine import SEPARATOR, WEIGHT, Drawn, Flags, Repeated, TableInput, TableTask, TwoInputs, Units, Worst, ending

_LETTERS = 1 << 26  # letters in an array of texts, where every text takes as much room as the longest


class NumpyEngine:
    """Counts tables that are arrays of this process."""

    name = "numpy"
    ordered = True
    watch: Watch = None

    def __init__(self, sides: TwoInputs, problems: Problems) -> None:
        self._read = [_read(side, problems) for side in sides]
        self._sides = sides

    def close(self) -> None:
        """Do nothing: no file is open."""

    @property
    def types(self) -> list[dict[str, str]]:
        """The types of the columns, from their arrays."""
        return [
            {name: rows.UNTYPED if side.given.is_text else rows.type_of(values) for name, values in columns.items()}
            for side, columns in zip(self._sides, self._read, strict=True)
        ]

    def start(self, task: TableTask) -> None:
        """Bring values to a common type."""
        self._task = task
        for columns in self._read:
            for name, values in columns.items():
                if task.as_text and rows.type_of(values) == rows.INTEGER:
                    columns[name] = rows.as_texts(values)
            if task.parts:
                columns[PARTS] = _parts(columns["document" if task.home else "entity"])

    def complete(self, side: int) -> tuple[int, dict[str, int]]:
        """Rows without a mention, entity or document are counted and left out."""
        columns = self._read[side]
        masks = {name: rows.is_missing(columns[name]) for name in ROLES if name in columns}
        missing: dict[str, int] = {name: int(mask.sum()) for name, mask in masks.items() if mask.any()}
        if missing:
            self._keep(side, ~np.logical_or.reduce(list(masks.values())))
        return len(columns["mention"]), missing

    def repeated(self, side: int) -> Repeated | None:
        """Mentions with several rows, found by sorting."""
        mentions, entities = self._numbers(side, "mention"), _numbered(self._read[side]["entity"])
        _, number_of, times = np.unique(mentions, return_inverse=True, return_counts=True)
        repeated = times[number_of] > 1
        if not repeated.any():
            return None
        example = min(map(str, self._read[side]["mention"][repeated].tolist()))
        each = np.unique(np.stack((mentions[repeated], entities[repeated])), axis=1)[0]
        differing = int((np.unique(each, return_counts=True)[1] > 1).sum())
        return Repeated(int(repeated.sum()), example, differing)

    def _keep(self, side: int, kept: Flags) -> None:
        self._read[side] = {name: values[kept] for name, values in self._read[side].items()}

    def _numbers(self, side: int, name: str) -> Integers:
        """A number for each different value, or pair of document and value if documents tell mentions apart."""
        columns = self._read[side]
        found = _numbered(columns[name])
        return _paired(_numbered(columns["document"]), found) if self._task.documents else found

    def deduplicate(self, side: int, which: str) -> None:
        """Keep the first or last row of each mention."""
        mentions = self._numbers(side, "mention")
        step = 1 if which == "first" else -1
        _, first = np.unique(mentions[::step], return_index=True)
        kept = np.zeros(len(mentions), np.bool_)
        kept[first if step == 1 else len(mentions) - 1 - first] = True
        self._keep(side, kept)

    def _drop_singletons(self, unit: list[Integers]) -> None:
        for side in range(2):
            entities = _numbered(self._read[side]["entity"])
            if self._task.home:
                entities = _paired(_numbered(self._read[side]["document"]), entities)
            several = np.bincount(entities)[entities] > 1
            self._keep(side, several)
            unit[side] = unit[side][several]

    def count(self, singletons: bool) -> None:
        """Join by mention; number everything in the order of names."""
        names, unit = self._unit_numbers()
        self._units = Units(names, *(np.bincount(each, minlength=len(names)) > 0 for each in unit))
        if not singletons:
            self._drop_singletons(unit)
        key, response = self._read
        home = self._task.home
        documents = [each["document"] for each in self._read] if self._task.documents else []
        mentions = _common(key["mention"], response["mention"], dense=bool(documents))
        if documents:
            width = max(map(_top, mentions))
            first, second = _common(documents[0], documents[1], dense=True)
            mentions = first * width + mentions[0], second * width + mentions[1]
        self._names: list[Values] = []
        entity = []
        for number, each in enumerate(self._read):
            entities, found = np.unique(_sortable(each["entity"]), return_inverse=True)
            code = unit[number] * len(entities) + found if home else found
            kept, code = np.unique(code, return_inverse=True)
            entity.append(code)
            self._names.append(entities[kept % len(entities)])
        _, ours, theirs = np.intersect1d(*mentions, assume_unique=True, return_indices=True)
        self._entity, self._unit = entity, unit
        self._size = [np.bincount(each) for each in entity]
        self._pair = entity[0][ours], entity[1][theirs]
        self._aligned = [np.bincount(self._pair[side], minlength=len(self._size[side])) for side in range(2)]
        self._shared = ours, theirs
        width = len(self._size[1])
        codes = self._pair[0] * width + self._pair[1]
        cells, self._cell, self._n = np.unique(codes, return_inverse=True, return_counts=True)
        self._row, self._column = cells // width, cells % width

    def _unit_numbers(self) -> tuple[list[str], list[Integers]]:
        """The names of units, and the unit of each row of both sides."""
        task = self._task
        if task.home:
            values = [each["document"] for each in self._read]
        elif task.fields:
            values = [_labels(each, task.fields) for each in self._read]
        else:
            return ["all"], [np.zeros(len(each["mention"]), np.int64) for each in self._read]
        names, numbers = np.unique(_sortable(rows.together(values)), return_inverse=True)
        return [str(name) for name in names.tolist()], np.split(numbers, [len(values[0])])

    def units(self) -> Units:
        """The units in the order of their names."""
        return self._units

    def fields(self) -> dict[str, list[tuple[str, str]]]:
        """The least and greatest value of each field in each unit, of all rows that have the field."""
        found: dict[str, list[tuple[str, str]]] = {}
        for field in self._task.fields:
            seen: dict[int, set[str]] = {}
            for each, unit in zip(self._read, self._unit, strict=True):
                if field in each:
                    for number, value in zip(unit.tolist(), each[field].tolist(), strict=True):
                        seen.setdefault(number, set()).add(str(value))
            values = [seen.get(number, {""}) for number in range(len(self._units.names))]
            found[field] = [(min(each), max(each)) for each in values]
        return found

    def shapes(self) -> Shapes:
        """Cells and entities with equal numbers, counted."""
        (key_size, response_size), (s, c) = self._size, self._aligned
        cells = self._cell_shapes(np.arange(len(self._n)))
        keys = _grouped(self._unit[0], key_size[self._entity[0]], s[self._entity[0]])
        theirs, where = self._members(SHARES["r"])
        responses = _grouped(where, response_size[theirs], c[theirs])
        shapes = EntityShapes.of(*keys), EntityShapes.of(*responses)
        return Shapes(cells, *shapes, len(self._units.names), self._is_whole)

    @property
    def _is_whole(self) -> bool:
        """Whether no entity lives in two units."""
        return self._task.home or not self._task.fields

    def _members(self, share: Share) -> tuple[Integers, Integers]:
        """The entity and the unit of each mention that something is shared by."""
        side, lone = share
        unit = self._unit[side].copy()
        unit[self._shared[side]] = self._unit[0][self._shared[0]]  # aligned mentions are where the key has them
        wanted = np.full(len(unit), lone is not False)
        wanted[self._shared[side]] = not lone
        return self._entity[side][wanted], unit[wanted]

    def _cell_shapes(self, chosen: Integers) -> CellShapes:
        """The shapes of some cells, by the units of their mentions."""
        wanted = np.zeros(len(self._n), np.bool_)
        wanted[chosen] = True
        there = wanted[self._cell]
        cell = self._cell[there]
        unit, *numbers, mentions = _grouped(self._unit[0][self._shared[0]][there], *self._numbers_of(cell))
        return CellShapes.of(unit, numbers, mentions)

    def _numbers_of(self, cells: Integers) -> tuple[Integers, ...]:
        """The numbers n, k, r, s, c of cells."""
        row, column = self._row[cells], self._column[cells]
        (key_size, response_size), (s, c) = self._size, self._aligned
        return self._n[cells], key_size[row], response_size[column], s[row], c[column]

    def sampled(self) -> Drawn:
        """The least and highest weight of each entity, by arrays; cells as they were counted."""
        entity, size = self._entity[0], self._size[0].astype(np.float64)
        weights = self._read[0].get(WEIGHT)
        each = np.ones(len(entity)) if weights is None else rows.floats(weights)
        there = ~np.isnan(each)
        low, high = rows.ranges(entity[there], each[there], len(size))
        first = np.zeros(len(size), np.int64)
        first[entity] = self._unit[0]
        homes = [self._units.names[unit] if self._task.home else "" for unit in first.tolist()]
        lacking = np.bincount(entity[~there], minlength=len(size)).astype(np.float64)
        names = [str(name) for name in self._names[0].tolist()]
        cells = self._row, self._n, self._size[1][self._column]
        return Drawn.of((names, homes), (size, low, high, lacking), cells)

    def names(self, side: int, role: str, number: int) -> list[str]:
        """The first names in the order of their endings, of all that were not left out."""
        return nsmallest(
            number, {str(name) for name in self._read[side][role].tolist()}, key=lambda name: (ending(name), name)
        )

    def assigned(self, weights: CellWeights) -> Assigned:
        """The best assignment, by `matching.assign`."""
        row, column = self._row, self._column
        cells = np.arange(len(row))
        weight = weights.cells(CellShapes.of(cells, self._numbers_of(cells), self._n))
        there = np.flatnonzero(weight > 0)
        chosen, bound = solved(row[there], column[there], weight[there]) if len(there) else (there, AssignmentGap())
        chosen = there[chosen]
        if self._is_whole:
            return Assigned(dict.fromkeys(weights.shares, self._cell_shapes(chosen)), bound)
        return Assigned({share: self._partner_shapes(chosen, share) for share in weights.shares}, bound)

    def _partner_shapes(self, chosen: Integers, share: str) -> CellShapes:
        """The shapes of chosen cells, by the units of the mentions that they are shared by."""
        side = SHARES[share].side
        entity, unit = self._members(SHARES[share])
        cell = np.full(len(self._size[side]), -1)
        cell[(self._row, self._column)[side][chosen]] = chosen
        there = cell[entity] >= 0
        unit, *numbers, mentions = _grouped(unit[there], *self._numbers_of(cell[entity[there]]))
        return CellShapes.of(unit, numbers, mentions, share)

    def worst(self, side: int, number: int) -> tuple[int, int, list[Worst]]:
        """Entities that share mentions with several entities of the other side, the costliest first."""
        line = (self._row, self._column)[side]
        size = self._size[side]
        parts = np.bincount(line)
        squares = np.bincount(line, self._n.astype(float) ** 2, len(size))
        largest = np.zeros(len(size), np.int64)
        np.maximum.at(largest, line, self._n)
        lost = (self._aligned[side].astype(float) ** 2 - squares) / size
        cut = np.flatnonzero(parts > 1)
        first = np.zeros(len(size), np.int64)
        first[self._entity[side]] = self._unit[side]
        names = self._names[side]
        order = cut[np.lexsort((np.arange(len(cut)), -lost[cut]))][:number]
        found = [
            Worst(str(names[each]), self._units.names[first[each]] if self._task.home else "", int(size[each]),
                  int(parts[each]), int(largest[each]), float(lost[each]))
            for each in order.tolist()
        ]  # fmt: skip
        return len(cut), int((parts[cut] - 1).sum()), found


def _read(side: TableInput, problems: Problems) -> dict[str, Values]:
    given, columns = side
    there = rows.names(given)
    wanted = columns.roles | {field: name for field, name in columns.fields.items() if name in there}
    wanted |= {WEIGHT: columns.weight} if columns.weight else {}
    found = rows.read(given, [*wanted.values()], problems)
    return {role: _plain(found[name]) for role, name in wanted.items()}


def _plain(values: Values) -> Values:
    """Whole numbers that came as objects, as numbers."""
    if values.dtype.kind == "O" and len(values) and all(type(value) is int for value in values.tolist()):
        return rows.whole(values.tolist())
    return values


def _parts(values: Values) -> Values:
    names, numbers = np.unique(_sortable(values), return_inverse=True)
    hashes = [md5(str(name).encode(), usedforsecurity=False).hexdigest()[:3] for name in names.tolist()]
    return rows.objects(hashes)[numbers]


def _labels(columns: dict[str, Values], fields: Sequence[str]) -> Values:
    """The unit of each row: the values of its fields, joined to one text."""
    number = len(columns["mention"])
    each = [[str(value) for value in columns[field].tolist()] if field in columns else [""] * number
            for field in fields]  # fmt: skip
    return rows.objects([SEPARATOR.join(values) for values in zip(*each, strict=True)])


def _sortable(values: Values) -> Values:
    """The values; texts as a fixed-width array, which sorts quickly, unless a long text would make it too large."""
    if values.dtype.kind != "O" or all(type(value) is int for value in values.tolist()):
        return values
    texts = [str(value) for value in values.tolist()]
    longest = max(map(len, texts), default=0)
    padded = any(text.endswith("\0") for text in texts)  # fixed-width arrays fill up with NUL, and forget such ends
    return np.array(texts, str) if longest * len(texts) <= _LETTERS and not padded else rows.objects(texts)


def _numbered(values: Values) -> Integers:
    found: Integers = np.unique(_sortable(values), return_inverse=True)[1]
    return found


def _common(ours: Values, theirs: Values, dense: bool) -> tuple[Integers, Integers]:
    """The same number for the same value on both sides; with `dense`, numbers from 0 on without gaps."""
    if ours.dtype.kind in "iu" and theirs.dtype.kind in "iu":
        numbers = rows.together((ours, theirs))
        numbers = _numbered(numbers) if dense or numbers.dtype.kind == "O" else numbers
    else:
        place: dict[object, int] = {}
        values = (*ours.tolist(), *theirs.tolist())
        numbers = np.fromiter((place.setdefault(value, len(place)) for value in values), np.int64, len(values))
    return numbers[: len(ours)], numbers[len(ours) :]


def _top(values: Integers) -> int:
    return int(values.max(initial=0)) + 1


def _paired(document: Integers, values: Integers) -> Integers:
    return _numbered(document * _top(values) + values)


def _grouped(*columns: Integers) -> tuple[Integers, ...]:
    """The different rows of columns, and how often each is there."""
    order = np.lexsort(columns[::-1])
    sorted_ = [column[order] for column in columns]
    new = np.zeros(len(order), np.bool_)
    new[:1] = True
    for column in sorted_:
        new[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(new)
    return (*(column[starts] for column in sorted_), np.diff(starts, append=len(order)))
