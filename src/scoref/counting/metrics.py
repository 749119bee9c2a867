"""What a metric is, how it counts, and how its counts become recall, precision and f1.

A metric never divides. It gives each key entity a numerator and a denominator; precision is the same on the transposed
table; sums over entities and documents are plain sums; `ratios` divides, in one place, and 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..matching.assign import assign
from ..values import NamedTuple
from .rules import SINGLETONS, TWINLESS, as_is
from .table import Floats, Table, Tables


class Score(NamedTuple):
    """Recall, precision and f1, as fractions of 1."""

    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, counts: Floats) -> Score:
        """The ratios of [recall numerator, recall denominator, precision numerator, precision denominator].

        >>> Score.of(np.array([1.0, 2.0, 0.0, 0.0]))
        Score(recall=0.5, precision=0.0, f1=0.0)
        """
        return cls(*ratios(counts).tolist())


def ratios(counts: Floats) -> Floats:
    """Recall, precision and f1 of counts [..., 4], as [..., 3]: the one place that divides.

    0/0 counts as 0, in ratios and in f1.

    >>> ratios(np.array([[1.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 5.0]])).tolist()
    [[0.5, 1.0, 0.6666666666666666], [0.0, 0.0, 0.0]]
    """
    recall, precision = ratio(counts[..., 0], counts[..., 1]), ratio(counts[..., 2], counts[..., 3])
    each = np.stack((recall, precision, ratio(2 * recall * precision, recall + precision)))
    return np.moveaxis(each, 0, -1)  # stacked in front, values stay in the order of memory that counts have


def ratio(top: Floats, bottom: Floats) -> Floats:
    """The quotient; 0 where the denominator is 0."""
    if np.all(bottom):
        return top / bottom
    found: Floats = np.divide(top, bottom, out=np.zeros(np.shape(top)), where=bottom != 0)
    return found


def pairs(number: Floats) -> Floats:
    """The number of pairs among so many elements: n(n − 1)/2."""
    return number * (number - 1) / 2


# -- how a metric counts ---------------------------------------------------------------------------------------------


class Rules(NamedTuple):
    """The special rules that apply to a metric; the defaults fit most.

    - `singletons`: which rules of `rules.SINGLETONS` apply to it: those for `b3`, `ceaf` or `lea`; '' for none.
    - `twinless`: its own rule for mentions without a twin; None: the one of the protocol.
    - `repeated`: how it treats a mention that is in several entities. `last`: as a mention of its last entity, on the
      side where it is looked up. `every`: as a mention of each entity, as whole entities are compared. `once`: as one
      mention, however often it occurs. `mutual`: as `last`, but the scorer ua-1.0 counts from the key's side in both
      directions. That scorer credits aligned sets with their f1 in both directions for all but `last`. `all`: as a
      mention of all its entities at once, even where the protocol would keep it in one.
    - `weights`: weights of mentions replace the `sizes` of entities, or their `importance`; '': they are ignored.
    - `finds_sets`: the scorer ua-1.0 looks sets up like mentions.
    - `summed`: stanza adds its counts over documents, while it averages other metrics over documents.
    """

    singletons: str = ""
    twinless: str | None = None
    repeated: str = "last"
    weights: str = ""
    finds_sets: bool = False
    summed: bool = False

    def tables(self, tables: Tables, credit: str) -> tuple[Table, Table]:
        """The tables that recall and precision are taken from."""
        if self.repeated == "every":
            return tables.every, tables.every
        if self.repeated == "once":
            return tables.distinct
        mutual = self.repeated == "mutual" and credit == "ua-1.0"
        return tables.recall, tables.recall if mutual else tables.precision


Values = Callable[[Table], Floats]
Counts = tuple[float, float, float, float]  # the numerators and denominators of recall and precision


class PerEntity(NamedTuple):
    """A sum over entities: the numerator of a key entity is the sum of `cell` over its cells, the denominator `entity`.

    Both are functions of the table: of its cells (`table.n`, `table.k`, `table.r`), and of its key entities
    (`table.key.size`). The sum is divided by `over`, if given: summing whole numbers first is exact. Sets are compared
    by the metric itself on their members, or by `inside` if given. `overlapping` is the count where mentions may be in
    several entities (`--split distribute`). `across`: pairs go across entities, so that the count of an entity depends
    on its document. `mentions` says how single mentions share what cells and entities count, see `by_mention`: `alike`,
    or only the `later` ones; '' if it says nothing of single mentions.
    """

    cell: Values
    entity: Values
    rules: Rules = Rules()
    over: Values | None = None
    inside: tuple[Values, Values] | None = None
    overlapping: Callable[[Any], list[float]] | None = None
    across: bool = False
    mentions: str = ""


class Similarity(NamedTuple):
    """The similarity of two entities of sizes k and r that share n mentions, as a function and as SQL."""

    name: str
    of: Callable[[Floats, Floats, Floats], Floats]
    sql: str


class OneToOne(NamedTuple):
    """Entities are aligned one to one with the greatest total similarity; it is divided by their self-similarity.

    `mentions` says how single mentions share what cells and entities count, as in `PerEntity`.
    """

    similarity: Similarity
    rules: Rules = Rules("ceaf", repeated="every", weights="sizes")
    mentions: str = ""

    def entity(self, table: Table) -> Floats:
        """The similarity of each key entity to itself."""
        return self.similarity.of(table.key.size, table.key.size, table.key.size)

    def cell(self, table: Table) -> Floats:
        """The similarity of the two entities of each cell."""
        return self.similarity.of(table.weight, table.k, table.r)


class Whole(NamedTuple):
    """Compares clusterings as wholes: four sums for each document, [documents, 4], and three scores made from them.

    `parts` are the names of the first two scores, where they are neither recall nor precision; the third is the value
    of the metric, which is called f1. With `similarity`, sums are over a table with only the cells of major entities
    and their partners. `common` metrics use only mentions that both sides have. `cells` gives what each cell adds to
    the four sums, where they are sums over cells: the mentions of a cell share it.
    """

    sums: Callable[..., Floats]
    ratios: Callable[[Floats], Floats]
    parts: tuple[str, str] = ("recall", "precision")
    similarity: Similarity | None = None
    common: bool = False
    rules: Rules = Rules(twinless="as-is", repeated="every")
    cells: Callable[[Table], Sequence[Floats]] | None = None


class Links(NamedTuple):
    """Coreference links: only those `within` documents, or only those that `cross` their borders."""

    borders: str
    cell: Values
    entity: Values
    rules: Rules = Rules(repeated="mutual")


class Related(NamedTuple):
    """A function that gives the four counts from two documents and their `Lookups`; if it `maps`, their `Overlapping`.

    `any_mentions`: all mentions count, also those in no entity. `choices` are the choices of the protocol that
    the function takes by their names. `nuggets`: event nuggets are left out where the key has none, and their macro
    average is that of recall and precision. `bounded`: numerators are no more than denominators.
    A `template` makes the function from the value in the metric's name: 3 in `success@3`, for `success@N`.
    """

    function: Callable[..., Counts]
    maps: bool = False
    any_mentions: bool = False
    choices: tuple[str, ...] = ()
    nuggets: bool = False
    bounded: bool = True
    template: Callable[[str], Callable[..., Counts] | None] | None = None


class Mean(NamedTuple):
    """The mean of other metrics' recall, precision and f1; `skip_empty` leaves out those without links to find.

    `geometric`: the root of the product of two, instead of half of their sum.
    """

    of: tuple[str, ...]
    skip_empty: bool = False
    geometric: bool = False

    @property
    def of_scores(self) -> bool:
        """Whether it is a mean of finished scores; the others are made from sums of counts like a metric."""
        return not (self.skip_empty or self.geometric)


OnTable = PerEntity | OneToOne | Whole | Links


class Metric(NamedTuple):
    """A metric: its name, title, citation, what it counts, its layer, and how it counts."""

    name: str
    title: str
    citation: str
    what: str
    layer: str
    how: OnTable | Related | Mean

    @property
    def on_table(self) -> OnTable:
        """How it counts, for metrics that are computed from the table."""
        assert not isinstance(self.how, Related | Mean)
        return self.how

    @property
    def rules(self) -> Rules:
        """Its rules; the defaults if it is not computed from the table."""
        return Rules() if isinstance(self.how, Related | Mean) else self.how.rules


def registry(metrics: Sequence[Metric]) -> dict[str, Metric]:
    """The metrics by their names."""
    return {metric.name: metric for metric in metrics}


# -- counting --------------------------------------------------------------------------------------------------------

Sums = tuple[Floats, Floats]  # the numerator and the denominator of each entity


class Counted(NamedTuple):
    """The counts of a metric: [documents, 4], and those of each entity, unless a rule changed the table."""

    documents: Floats
    key: Sums | None = None
    response: Sums | None = None


def counted(
    how: OnTable, tables: Table | tuple[Table, Table], twinless: str = "as-is", singletons: str = "keep"
) -> Counted:
    """The counts of a metric for each document and for each entity.

    Where the two directions differ (credit for sets, mentions in several entities), each has a table of its own.
    """
    rules = SINGLETONS[singletons].get(how.rules.singletons, as_is), TWINLESS[how.rules.twinless or twinless]
    changes = [change for change in rules if change is not as_is]
    recall, precision = tables if isinstance(tables, tuple) else (tables, tables)
    for change in changes:
        if recall is precision:
            recall, precision = change(recall)
        else:
            recall, precision = change(recall)[0], change(precision)[1]
    if isinstance(how, Whole):
        return Counted(how.sums(recall) if how.similarity is None else how.sums(recall, major(how, recall)))
    if isinstance(how, OneToOne):
        first = partners(how, recall)
        sides = first, first.transposed if precision is recall else partners(how, precision.transposed)
    else:
        sides = recall, precision.transposed
    sums = [(_numerators(how, table), table.numbered(how.entity(table))) for table in sides]
    columns = [table.per_document(values) for table, each in zip(sides, sums, strict=True) for values in each]
    return Counted(np.stack(columns, axis=1), *(() if changes else sums))


def _numerators(how: PerEntity | OneToOne | Links, table: Table) -> Floats:
    found = table.per_row(how.cell(table))
    return found / how.over(table) if isinstance(how, PerEntity) and how.over else found


def partners(how: OneToOne, table: Table) -> Table:
    """The table with only the cells of entities that are aligned one to one."""
    chosen = table.only(assign(table.row, table.column, how.cell(table)))
    return Table(chosen.cells._replace(number=None), table.key, table.response, table.documents, table.settings)


def major(how: Whole, table: Table) -> Table:
    """The table with only the cells of major key entities and their partners."""
    assert how.similarity is not None
    some = table.only(np.flatnonzero((table.key.mentions >= table.settings.frequent)[table.row]))
    return some.only(assign(some.row, some.column, how.similarity.of(some.weight, some.k, some.r)))


def document_counts(
    metric: Metric, tables: Table | tuple[Table, Table], twinless: str = "as-is", singletons: str = "keep"
) -> Floats:
    """For each document recall numerator, recall denominator, precision numerator, precision denominator."""
    return counted(metric.on_table, tables, twinless, singletons).documents
