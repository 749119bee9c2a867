"""What each choice changes: alone, as its part in a joint difference of several choices, and why, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import factorial
from typing import NamedTuple

import numpy as np

from ..counting.table import Floats
from ..matching.match import NUGGETS
from ..problems import Error
from ..protocol.choices import CHOICES
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS, split_name
from .experiments import FIXED, Experiments, Facts, inert, lacking, shared_names

NONE = 1e-12  # smaller differences count as none
MOVED = tuple(choice for choice in CHOICES if choice not in FIXED)
_OURS = ("weights",)  # choices that no other tool has
_MOST = 8  # with more choices, no parts are computed: n choices take 2ⁿ settings


class Effect(NamedTuple):
    """A choice: how much each of its words changes each metric, or why it changes nothing.

    `unavailable` has the words that cannot be scored on these files, with the reason. If there are neither words nor a
    reason, the effect is unknown, as saved sums do not tell.
    """

    choice: str
    words: Mapping[str, Mapping[str, float]]
    why_none: str = ""
    unavailable: Mapping[str, str] = {}

    def largest(self, metric: str) -> float:
        """The largest change, whatever its sign."""
        return max((abs(each[metric]) for each in self.words.values()), default=0.0)

    def to_dict(self) -> dict[str, object]:
        """The effect for JSON."""
        return {"choice": self.choice, "words": {word: dict(each) for word, each in self.words.items()},
                "why_none": self.why_none or None, "unavailable": dict(self.unavailable)}  # fmt: skip


def effects(experiments: Experiments) -> list[Effect]:
    """All choices, those that move the main metric most first."""
    found = [_effect(experiments, choice) for choice in MOVED if choice not in _OURS]
    return sorted(found, key=lambda each: -each.largest(experiments.metric))


def _effect(experiments: Experiments, choice: str) -> Effect:
    why = inert(experiments, choice)
    if why:
        return Effect(choice, {}, why)
    yours = experiments.f1(experiments.protocol)
    words: dict[str, dict[str, float]] = {}
    unavailable: dict[str, str] = {}
    for word in CHOICES[choice].words:
        if word == getattr(experiments.protocol, choice):
            continue
        lacks = lacking(experiments.facts, choice, word) if not experiments.saved else ""
        try:
            changed = experiments.f1(experiments.protocol.change(**{choice: word})) - yours if not lacks else None
        except Error as error:
            lacks, changed = error.problem.message, None
        if changed is None and lacks != NUGGETS.what:
            unavailable[word] = lacks
        elif changed is not None:
            words[word] = dict(zip(experiments.metrics, changed.tolist(), strict=True))
    if experiments.saved and not words:
        return Effect(choice, {}, "", unavailable)
    if all(abs(change) < NONE for each in words.values() for change in each.values()):
        return Effect(choice, {}, _why_none(experiments.facts, choice, words, unavailable), unavailable)
    return Effect(choice, words, "", unavailable)


def _why_none(facts: Facts, choice: str, words: Mapping[str, object], unavailable: Mapping[str, str]) -> str:
    if not words and unavailable:
        known = {each.what for needed in CHOICES[choice].needs.values() for each in needed}
        lacks = dict.fromkeys(unavailable.values())
        return ", ".join(f"no {each.removeprefix('a ')}" if each in known else each for each in lacks)
    return {
        "nested": "no mention inside another one of its entity",
        "mentions": "all mentions are noun phrases",
        "scope": "one document" if facts.documents == 1 else "no entity name in two documents",
        "empty": "something to count in every document",
        "links": "links of both kinds",
    }.get(choice, "no difference to these metrics")


def different(ours: Protocol, theirs: Protocol) -> tuple[str, ...]:
    """The choices in which two protocols differ."""
    return tuple(choice for choice in MOVED if getattr(ours, choice) != getattr(theirs, choice))


def parts(experiments: Experiments, theirs: Protocol) -> dict[str, Floats]:
    """What each choice that differs contributes to the difference of f1, by metric: its Shapley value.

    That is the mean, over all orders of the choices, of the change when the choice is made. The parts sum to the
    difference.
    """
    choices = _active(experiments, theirs)

    def value(chosen: tuple[str, ...]) -> Floats:
        return experiments.f1(experiments.protocol.change(**{choice: getattr(theirs, choice) for choice in chosen}))

    number = len(choices)
    if number > _MOST:
        raise Error("many-choices", f"the two differ in {number} choices: too many to tell their parts")
    found = {choice: np.zeros(len(experiments.metrics)) for choice in choices}
    for choice in choices:
        others = [each for each in choices if each != choice]
        for size in range(number):
            weight = factorial(size) * factorial(number - 1 - size) / factorial(number)
            for some in combinations(others, size):
                found[choice] += weight * (value((*some, choice)) - value(some))
    return found


def _active(experiments: Experiments, theirs: Protocol) -> tuple[str, ...]:
    """The choices that differ, without those that change nothing in either protocol, if the rest explains all."""
    choices = different(experiments.protocol, theirs)
    ends = experiments.f1(experiments.protocol), experiments.f1(theirs)

    def matters(choice: str) -> bool:
        forth = experiments.protocol.change(**{choice: getattr(theirs, choice)})
        back = theirs.change(**{choice: getattr(experiments.protocol, choice)})
        try:
            changed = experiments.f1(forth) - ends[0], experiments.f1(back) - ends[1]
        except Error:
            return True
        return bool(np.abs(changed).max() >= NONE)

    some = tuple(choice for choice in choices if matters(choice))
    explained = experiments.f1(experiments.protocol.change(**{choice: getattr(theirs, choice) for choice in some}))
    return some if np.abs(explained - ends[1]).max() < NONE else choices


def reason(experiments: Experiments, choice: str, theirs: Protocol, metric: str) -> str:
    """Why the word of a choice changes the metric in these documents."""
    word, base, facts = getattr(theirs, choice), split_name(metric)[1], experiments.facts
    if experiments.saved:
        return f"{choice}:{word}"
    if choice == "singletons":
        return _singletons(facts, word, METRICS[base].rules.singletons if base in METRICS else "")
    if choice == "twinless":
        return _twinless(facts, word)
    if choice == "scope":
        names = shared_names(experiments)
        then = f"{names[0]} key and {names[1]} response entities" if names else "fewer"
        return f"{facts.entities[0]} key and {facts.entities[1]} response entities become {then}, shared by documents"
    if choice in ("average", "empty"):
        return f"{_AVERAGES.get(theirs.averaging.average, theirs.averaging.average)} of {facts.documents} documents"
    if choice == "match":
        found = experiments.evaluation(theirs).evidence.table
        ours = experiments.evaluation(experiments.protocol).evidence.table
        return f"{int(found.n.sum())} mentions are matched, {int(ours.n.sum())} with yours"
    if choice == "digits":
        return f"averages of percentages with digits {word}"
    if subject := CHOICES[choice].subject:
        return f"{getattr(facts, subject.fact)} {subject.what}, treated as {choice}:{word}"
    return f"{choice}:{word}"


_AVERAGES = {
    "micro": "sums",
    "macro": "means of the scores",
    "means": "f1 of mean recall and mean precision",
    "weighted": "means weighted by mentions",
    "datasets": "mean over datasets",
}


def _singletons(facts: Facts, word: str, kind: str) -> str:
    (key, response), entities = facts.singletons, facts.entities[0]
    if word == "keep":
        return f"{key} and {response} singletons are there"
    if word == "drop":
        return f"{key} and {response} singletons are dropped before mentions are matched"
    if kind == "ceaf":
        return (f"{key} of {entities} key entities are singletons: they stay in the key, but can hardly be found, "
                f"as the response's {response} are left out")  # fmt: skip
    if word == "barhom":
        return f"no mention is found in one of the {response} response singletons, none in one of the key's {key}"
    if kind == "b3" and word == "e2e":
        return f"{key} and {response} singletons left out"
    return f"{key} key singletons do not count in recall, {response} response singletons not in precision"


def _twinless(facts: Facts, word: str) -> str:
    key, response = facts.twinless
    sentences = {
        "pad-key": f"{response} response mentions that the key lacks become singletons of the key",
        "0": f"{response} response mentions that the key lacks are left out",
        "common": f"{key} key and {response} response mentions that the other side lacks are left out",
        "rn": f"singletons among the {response} response mentions that the key lacks are left out",
        "as-is": f"{key} key and {response} response mentions that the other side lacks stay as they are",
    }
    return sentences.get(
        word, f"{key} key and {response} response mentions that the other side lacks become singletons there"
    )
