"""A memo of stages: evaluations of the same documents under several protocols compute once what they share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from ..problems import Problem, Problems
from ..protocol.protocol import Protocol

Value = TypeVar("Value")


class Memo:
    """The results of stages, with the problems that they reported, for evaluations of the same pairs."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, list[Problem]]] = {}

    def once(self, stage: Hashable, make: Callable[[], Value], problems: Problems) -> Value:
        """The result of a stage: the one from before, or else a new one."""
        if stage not in self._known:
            before = len(problems.found)
            made = make()
            self._known[stage] = made, problems.found[before:]
            return made
        value: Value
        value, reported = self._known[stage]
        problems.found += reported
        return value


class Stages(NamedTuple):
    """The names of the stages of a protocol: equal names give equal results."""

    aligned: Hashable
    tables: Hashable

    @classmethod
    def of(cls, protocol: Protocol, layer: str) -> Stages:
        """The names for a protocol, in a layer of the documents."""
        scope, counting = protocol.reading.scope, protocol.counting
        dropped = counting.singletons == "drop"  # all that alignments know of what is counted
        plain = scope in ("document", "corpus") and not dropped and protocol.preparing.mentions != "np"
        homes = "" if plain else scope  # the same documents, prepared one by one
        aligned = (layer, dropped, homes, protocol.preparing, protocol.matching)
        return cls(aligned, (aligned, scope, counting._replace(singletons="", twinless="")))
