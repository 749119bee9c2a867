"""What other tools print for the same documents; tools with the same numbers share a row."""

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
from ..protocol.protocol import PROTOCOLS, Protocol, preset, protocol_of
from ..protocol.tools import CONVENTIONS, OFFICIAL, UNREPRODUCED, Convention
from .effects import different
from .experiments import Experiments
from .facts import Facts, needs

_SAME = 1e-9
_SETLESS = {each.base for each in CONVENTIONS}


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


def rows(experiments: Experiments, facts: Facts, metric: str) -> tuple[ToolScores, list[ToolScores], dict[str, str]]:
    """Your numbers and the tools that print them, those of other tools from high to low, tools that are missing."""
    main = experiments.metrics.index(metric)
    values = experiments.scores(experiments.protocol)
    found = [ToolScores("yours", (), experiments.protocol.signature(), experiments.protocol, values, 0.0)]
    missing: dict[str, str] = {}
    for each in (*CONVENTIONS, *OFFICIAL):
        protocol = adapted(experiments, facts, each.protocol)
        lacks = needs(facts, each.protocol) if not experiments.saved else ""
        if lacks:
            missing.setdefault(", ".join(each.tools), f"needs {lacks}")
            continue
        try:
            values = experiments.scores(protocol)
        except Error as error:
            missing[", ".join(each.tools)] = error.problem.message
            continue
        difference = float(values[main, 2] - found[0].values[main, 2])
        _add(found, ToolScores(each.name, each.tools, each.how, protocol, values, difference, _notes(each)))
    missing |= UNREPRODUCED
    return found[0], sorted(found[1:], key=lambda row: -row.difference), missing


def adapted(experiments: Experiments, facts: Facts, protocol: Protocol) -> Protocol:
    """The protocol of a tool on these documents: event nuggets are matched as they are.

    Only scorers of Universal Anaphora know split antecedents; others see the mentions without the sets. Saved sums are
    taken as of documents without split antecedents.
    """
    same = ["match"] * facts.nuggets + ["split", "credit", *["duplicates"] * (facts.repeats == 0)] * experiments.saved
    changes = {choice: getattr(experiments.protocol, choice) for choice in same}
    if facts.sets > 0 and protocol.preparing.credit != "ua-1.0" and protocol.name in _SETLESS:
        changes["split"] = "ignore"
    return experiments.change(protocol, **changes)


def _notes(convention: Convention) -> tuple[str, ...]:
    return (
        (f"{convention.tools[0]}: {convention.note}" if ":" not in convention.note else convention.note,)
        if (convention.note)
        else ()
    )


def _add(rows: list[ToolScores], row: ToolScores) -> None:
    """Add the row, or its tools to the row with the same numbers."""
    for number, each in enumerate(rows):
        alike = np.abs(each.values - row.values).max() < _SAME
        if alike and np.array_equal(np.round(100 * each.values, 2), np.round(100 * row.values, 2)):
            tools = tuple(dict.fromkeys((*each.tools, *row.tools)))
            rows[number] = each._replace(tools=tools, notes=(*each.notes, *row.notes))
            return
    rows.append(row)


def tool(experiments: Experiments, facts: Facts, name: str) -> ToolScores:
    """The row of a tool, a preset or a signature, by its name or a part of it."""
    if "|" in name or name.endswith(".toml"):
        return _row(experiments, facts, name, (), "as it says", protocol_of(name))
    wanted = _plain(name)
    for said, reason in UNREPRODUCED.items():
        if wanted == _plain(said):
            raise Error("unknown-tool", f"the numbers of {said} cannot be had: it {reason}",
                        remedy="see what others print without --like")  # fmt: skip
    known = (*CONVENTIONS, *OFFICIAL)
    for whole in (True, False):
        for each in known:
            plain = [_plain(said) for said in (each.name, *each.tools)]
            if wanted in plain or (not whole and wanted and any(one.startswith(wanted) for one in plain)):
                return _row(experiments, facts, each.name, each.tools, each.how, each.protocol, _notes(each))
        if name in PROTOCOLS:
            return _row(experiments, facts, name, (), f"the preset {name}", preset(name))
    names = {_plain(said): said for each in known for said in (each.name, *each.tools)} | {
        _plain(n): n for n in PROTOCOLS
    }
    near = [names[each] for each in get_close_matches(wanted, names, 5, 0.3)] or [each.name for each in known]
    raise Error("unknown-tool", f"no tool '{name}'", expected=f"a name like {', '.join(near)}, a preset or a signature",
                remedy="see what others print without --like, or the presets with: scoref list protocols")  # fmt: skip


def _row(
    experiments: Experiments,
    facts: Facts,
    name: str,
    tools: tuple[str, ...],
    how: str,
    protocol: Protocol,
    notes: tuple[str, ...] = (),
) -> ToolScores:
    theirs = adapted(experiments, facts, protocol)
    return ToolScores(name, tools, how, theirs, experiments.scores(theirs), 0.0, notes)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
