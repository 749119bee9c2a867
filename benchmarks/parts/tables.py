"""Tables of mentions and entities in DuckDB: against its bare join, and against other libraries."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import tables as made
from measuring import Row, Settings, Took, against, at_most, took

_PEERS = ("pandas", "scikit-learn", "er-evaluation")


def tables(settings: Settings) -> list[Row]:
    """Parquet tables, 4.3 mentions an entity, 5 % of them moved, 1 % missing on each side; whole processes.

    Sums are eleven metrics: mentions, MUC, B³ and its four variants, B³ by classes, LEA, pairwise, BLANC. Bare is
    DuckDB's join, cells and sizes alone, without a look at missing values and repeated mentions, and without a metric.
    pandas computes B³ and pairwise scores in six lines, the other two what they have.
    """
    small, large = (10_000, 100_000) if settings.quick else (1_000_000, 10_000_000)
    one, ten = _made(settings, small), _made(settings, large)
    sums, bare, again = (_run(settings, name, one) for name in ("sums", "bare", "sums"))
    sums = min(sums, again)
    rows = [
        _ratio(f"sums, {small:,} integers : bare", sums, bare, 2),
        at_most("its memory", sums.megabytes, 300, "MB"),
        *_peers(settings, one, f"{small:,} integers", sums, ("scikit-learn", "er-evaluation")),
    ]
    more = _run(settings, "sums", ten)
    rows.append(_ratio(f"sums, {large:,} integers : {small:,}", more, sums, 12))
    noisy = _run(settings, "ceaf", _made(settings, small, noise=0.2))
    rows += [at_most(f"CEAFm and CEAFe, {small:,} integers, 20 % moved", noisy.seconds, 10, "s"),
             at_most("its memory", noisy.megabytes, 500, "MB")]  # fmt: skip
    texts = _made(settings, large, texts=True)
    sums, bare = (_run(settings, name, texts) for name in ("sums", "bare"))
    rows += [
        _ratio(f"sums, {large:,} texts : bare", sums, bare, 2),
        at_most("its memory", sums.megabytes, 2500, "MB"),
        *_peers(settings, texts, f"{large:,} texts", sums, ("pandas",)),
    ]
    return rows


def large_tables(settings: Settings) -> Iterator[Row]:
    """A hundred million mentions (with --large), made as those of `tables`; `--memory 3.5GB` leaves room for Python."""
    if not settings.large:
        yield Row("100,000,000 mentions", "not asked for (--large)")
        return
    for texts, runs in ((False, {"sums": 120, "all": 250}), (True, {"sums": 300})):
        folder = _made(settings, 100_000_000, texts=texts)
        for name, limit in runs.items():
            used = _run(settings, name, folder)
            what = "sums" if name == "sums" else "sums, CEAFm and CEAFe"
            yield at_most(f"{what}, 100,000,000 {'texts' if texts else 'integers'}", used.seconds, limit, "s")
            yield at_most("its memory", used.megabytes, 4500, "MB")
        for file in folder.glob("*.parquet"):
            file.unlink()


def _made(settings: Settings, mentions: int, texts: bool = False, noise: float = 0.05) -> Path:
    folder = settings.within(f"{mentions}-{'texts' if texts else 'integers'}-{noise}").folder
    made.make(folder, mentions, texts, noise)
    return folder


def _run(settings: Settings, name: str, folder: Path) -> Took:
    python = settings.python if name in _PEERS else sys.executable
    return took(python, Path(made.__file__), name, folder, settings.memory)


def _ratio(what: str, ours: Took, theirs: Took, limit: float) -> Row:
    return at_most(what, ours.seconds / theirs.seconds, limit, "×", against(ours.seconds, theirs.seconds))


def _peers(settings: Settings, folder: Path, what: str, ours: Took, names: tuple[str, ...]) -> list[Row]:
    """How long scoref takes, of what a peer does."""
    rows = []
    for name in names:
        if name not in settings.peers:
            rows.append(Row(f"sums, {what} : {name}", f"not given (--peer {name})", "≤ 1 ×"))
            continue
        theirs = _run(settings, name, folder)
        row = _ratio(f"sums, {what} : {name}", ours, theirs, 1)
        rows.append(row._replace(measured=f"{row.measured}, {theirs.megabytes:.0f} MB for {name}"))
    return rows


PARTS = (tables, large_tables)
