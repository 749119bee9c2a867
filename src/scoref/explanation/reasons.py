"""What a choice did to a metric, in a sentence with the counts that explain it."""

from __future__ import annotations

from ..protocol.choices import CHOICES
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS, split_name
from .experiments import Experiments
from .facts import Facts, shared_names


def reason(experiments: Experiments, facts: Facts, choice: str, theirs: Protocol, metric: str) -> str:
    """Why the word of a choice changes the metric in these documents."""
    word, base = getattr(theirs, choice), split_name(metric)[1]
    if experiments.saved:
        return f"{choice}:{word}"
    if choice == "singletons":
        return _singletons(facts, word, METRICS[base].rules.singletons if base in METRICS else "")
    if choice == "twinless":
        return _twinless(facts, word)
    if choice == "scope":
        names = shared_names(experiments, facts)
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
