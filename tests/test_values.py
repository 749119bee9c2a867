"""Our named tuples are like those of `typing`, which are the oracle."""

from __future__ import annotations

import inspect
import pickle
import typing

import pytest

from scoref import values


class Ours(values.NamedTuple):
    """A place."""

    line: int
    column: int | None = 1
    file: str = "a"

    @property
    def shown(self) -> str:
        """The place as text."""
        return f"{self.file}:{self.line}"

    def below(self) -> Ours:
        """The next line."""
        return self._replace(line=self.line + 1)


class Theirs(typing.NamedTuple):
    """A place."""

    line: int
    column: int | None = 1
    file: str = "a"

    @property
    def shown(self) -> str:
        """The place as text."""
        return f"{self.file}:{self.line}"

    def below(self) -> Theirs:
        """The next line."""
        return self._replace(line=self.line + 1)


def test_declarations_are_alike():
    assert Ours._fields == Theirs._fields
    assert Ours._field_defaults == Theirs._field_defaults
    assert (Ours.__doc__, Ours.__module__, Ours.__bases__) == (Theirs.__doc__, Theirs.__module__, Theirs.__bases__)
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    assert [*inspect.signature(Ours).parameters] == [*inspect.signature(Theirs).parameters]
    assert {*vars(Ours)} >= {*vars(Theirs)} - {"__orig_bases__"}


def test_values_are_alike():
    ours, theirs = Ours(3, file="b"), Theirs(3, file="b")
    assert tuple(ours) == tuple(theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours.shown == theirs.shown
    assert tuple(ours.below()) == tuple(theirs.below())
    assert pickle.loads(pickle.dumps(ours)) == ours
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
