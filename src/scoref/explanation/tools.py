"""What other tools print for the same documents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Score
from ..counting.table import Floats
from ..layout.render import Json
from ..problems import Error
from ..protocol.protocol import PROTOCOLS, Protocol, protocol_of
from ..protocol.tools import CONVENTIONS, OFFICIAL, UNREPRODUCED, Convention
from .effects import different
from .experiments import Experiments, needs

_SAME = 1e-9
_SETLESS = {each.base for each in CONVENTIONS}
_KNOWN = (*CONVENTIONS, *OFFICIAL)


class ToolScores(NamedTuple):
    """Scores, the tools that print them, and how they are made; `difference` is that of f1 in the main metric."""

    name: str
    tools: tuple[str, ...]
    how: str
    protocol: Protocol
    values: Floats
    difference: float
    notes: tuple[str, ...] = ()

    def scores(self, metrics: Iterable[str]) -> dict[str, Score]:
        """The score of each metric."""
        return {metric: Score(*map(float, each)) for metric, each in zip(metrics, self.values, strict=True)}

    def to_dict(self, yours: Protocol, metrics: Iterable[str]) -> Json:
        """The row for JSON; `yours` is the protocol that its choices are compared with."""
        choices = {choice: getattr(self.protocol, choice) for choice in different(yours, self.protocol)}
        return {
            "name": self.name, "tools": list(self.tools), "how": self.how, "choices": choices,
            "signature": self.protocol.signature(), "signature_full": self.protocol.full(),
            "scores": {metric: each._asdict() for metric, each in self.scores(metrics).items()},
            "difference": self.difference, "exact": True, "note": "; ".join(self.notes) or None,
        }  # fmt: skip


def scored_row(
    experiments: Experiments, name: str, tools: tuple[str, ...], how: str, protocol: Protocol, note: str = ""
) -> ToolScores:
    """The row of a protocol."""
    main = experiments.metrics.index(experiments.metric)
    values = experiments.scores(protocol)
    difference = float(values[main, 2] - experiments.f1(experiments.protocol)[main])
    notes = (note if ":" in note else f"{tools[0]}: {note}",) if note else ()
    return ToolScores(name, tools, how, protocol, values, difference, notes)


def _row(experiments: Experiments, tool: Convention) -> ToolScores:
    protocol = adapted(experiments, tool.protocol)
    return scored_row(experiments, tool.name, tool.tools, tool.how, protocol, tool.note)


def rows(experiments: Experiments) -> tuple[ToolScores, list[ToolScores], dict[str, str]]:
    """Your row with the tools that share it, the rows of other tools from high to low, and tools that are missing."""
    found = [scored_row(experiments, "yours", (), experiments.protocol.signature(), experiments.protocol)]
    missing: dict[str, str] = {}
    for each in _KNOWN:
        if not experiments.saved and (lacks := needs(experiments.facts, each.protocol)):
            missing.setdefault(", ".join(each.tools), f"needs {lacks}")
            continue
        try:
            _add(found, _row(experiments, each))
        except Error as error:
            missing[", ".join(each.tools)] = error.problem.message
    return found[0], sorted(found[1:], key=lambda row: -row.difference), missing | UNREPRODUCED


def adapted(experiments: Experiments, protocol: Protocol) -> Protocol:
    """The protocol of a tool, adapted to these documents: event nuggets keep your matching.

    Only Universal Anaphora scorers know split antecedents; for other tools they are ignored. Saved sums are taken to be
    of documents without split antecedents.
    """
    facts, same = experiments.facts, ["match"] * experiments.facts.nuggets
    same += ["split", "credit", *["duplicates"] * (facts.repeats == 0)] * experiments.saved
    changes = {choice: getattr(experiments.protocol, choice) for choice in same}
    if facts.sets > 0 and protocol.preparing.credit != "ua-1.0" and protocol.name in _SETLESS:
        changes["split"] = "ignore"
    return experiments.change(protocol, **changes)


def _add(rows: list[ToolScores], row: ToolScores) -> None:
    """Add the row, or its tools to the row with the same numbers."""
    for number, each in enumerate(rows):
        alike = np.abs(each.values - row.values).max() < _SAME
        if alike and np.array_equal(np.round(100 * each.values, 2), np.round(100 * row.values, 2)):
            tools = tuple(dict.fromkeys((*each.tools, *row.tools)))
            rows[number] = each._replace(tools=tools, notes=(*each.notes, *row.notes))
            return
    rows.append(row)


def tool(experiments: Experiments, name: str) -> ToolScores:
    """The row of a tool, a preset or a signature, by its name or a part of it."""
    if "|" in name or name.endswith(".toml"):
        return scored_row(experiments, name, (), "as it says", adapted(experiments, protocol_of(name)))
    wanted = _plain(name)
    for said, reason in UNREPRODUCED.items():
        if wanted == _plain(said):
            raise Error("unknown-tool", f"the numbers of {said} cannot be had: it {reason}",
                        remedy="see what others print without --like")  # fmt: skip
    for whole in (True, False):
        for each in _KNOWN:
            plain = [_plain(said) for said in (each.name, *each.tools)]
            if wanted in plain or (not whole and wanted and any(one.startswith(wanted) for one in plain)):
                return _row(experiments, each)
        if name in PROTOCOLS:
            return _row(experiments, Convention(name, name, {}, (), f"the preset {name}"))
    known = [said for each in _KNOWN for said in (each.name, *each.tools)]
    names = {_plain(said): said for said in (*known, *PROTOCOLS)}
    near = [names[each] for each in get_close_matches(wanted, names, 5, 0.3)] or [each.name for each in _KNOWN]
    raise Error("unknown-tool", f"no tool '{name}'", expected=f"a name like {', '.join(near)}, a preset or a signature",
                remedy="see what others print without --like, or the presets with: scoref list protocols")  # fmt: skip


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
