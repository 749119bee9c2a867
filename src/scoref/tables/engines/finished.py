"""Finished stages: statements that are run once, and kept in a file, so that a run goes on where one was stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b

from ...problems import Error
from ..inputs import LibraryObject
from ..rows import Values

_AGAIN = ("out-of-memory",)  # errors after which a run can go on: with more memory, or more room


class Finished:
    """The statements that were run in a database, in their order, kept there beside the tables that they made.

    A statement and the note that it was run are one transaction: after a kill it was run, or it never began. Every run
    asks the same statements in the same order, as its file is named after all that they depend on.
    """

    def __init__(self, run: Callable[[str], LibraryObject]) -> None:
        self._run, self._number = run, 0
        run("CREATE TABLE IF NOT EXISTS stages (number INTEGER, statement VARCHAR)")
        self._done = [text for (text,) in run("SELECT statement FROM stages ORDER BY number").fetchall()]

    def once(self, statement: str) -> None:
        """Run a statement, if no run before has done so."""
        number, self._number = self._number, self._number + 1
        if number < len(self._done):
            if self._done[number] != statement:
                raise Error("other-stages", f"finished stages of another run: number {number + 1} differs",
                            expected="the stages of this run", remedy="name another folder with --resume")  # fmt: skip
            return
        text = statement.replace("'", "''")
        for each in ("BEGIN", statement, f"INSERT INTO stages VALUES ({number}, '{text}')", "COMMIT"):
            self._run(each)

    def answer(self, statement: str) -> Mapping[str, Values]:
        """The answer of a statement as arrays; it is kept as a table, in its order."""
        name = f"answer_{self._number}"
        self._run("SET preserve_insertion_order = true")
        self.once(f"CREATE TABLE {name} AS {statement}")
        found: Mapping[str, Values] = self._run(f"SELECT * FROM {name}").fetchnumpy()
        self._run("SET preserve_insertion_order = false")
        return found


def file_of(folder: str, *depends: object) -> str:
    """The file in a folder that keeps the stages of a run, named after all that these depend on."""
    if not os.path.isdir(folder):
        raise Error("no-folder", "the folder for finished stages is not there", path=folder, remedy="make it")
    return os.path.join(folder, f"scoref-{blake2b(repr(depends).encode(), digest_size=12).hexdigest()}.duckdb")


@contextmanager
def kept(file: str | None) -> Iterator[None]:
    """Keep the file while a run may go on from it: not when it is through, nor when its input was refused."""
    try:
        yield
    except Error as error:
        if error.code not in _AGAIN:
            _remove(file)
        raise
    _remove(file)


def _remove(file: str | None) -> None:
    for path in (file, f"{file}.wal") if file else ():
        if os.path.exists(path):
            os.remove(path)
