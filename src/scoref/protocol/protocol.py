"""Every choice of one evaluation as one value, its signature, and the protocols that have names.

A signature is short: the preset, what differs from it, and the version. `full` names every choice. Both can always be
read back: a choice that an old signature does not name gets the value that it had in that version.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..choice import FIRST, SECOND, Value
from ..counting.choices import Counting
from ..matching.match import Matching
from ..pairing.scope import Reading
from ..preparing.prepare import Preparing
from ..problems import Error, Problem
from ..relations.registry import SEQUENCING
from .choices import CHOICES, PARTS, Averaging
from .metric_names import CONCERNED, ESTIMATED, layer_metrics, named, refuse_undefined

_LONGEST = 148  # two lines of a terminal, with the word `signature`
_BESIDE = ("unit", "trials", "seed", "bounded")  # parts of a signature on resampling and on bounded metrics
_NAME = r"[\w.-]*"  # the name of a protocol
_Choices = dict[str, Value | list[str]]
_SPELLED = {choice.spelled: name for name, choice in CHOICES.items()}
_NUMBERS = [name for name, choice in CHOICES.items() if choice.range]


@dataclass(frozen=True)
class Protocol:
    """All choices of an evaluation, with a part for each stage; `name` is the preset that it started from.

    Protocols are made from others by `change`, which checks the values, and are always complete. Each choice can also
    be read directly: `protocol.match` is `protocol.matching.match`.

    >>> protocol = PROTOCOLS["conll-2012"].change(singletons="drop")
    >>> protocol.signature()
    'conll-2012|singletons:drop'
    >>> protocol.full()
    'conll-2012|match:exact|singletons:drop|...|metrics:mentions,muc,b3,ceafe,conll'
    >>> Protocol.parse(protocol.signature()) == Protocol.parse(protocol.full()) == protocol
    True
    """

    name: str
    reading: Reading
    preparing: Preparing
    matching: Matching
    counting: Counting
    averaging: Averaging
    metrics: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        """The value of a choice, whatever part it is in."""
        if name not in CHOICES:
            raise AttributeError(f"a protocol has no '{name}'")
        return getattr(getattr(self, CHOICES[name].part), name)

    @property
    def cuts(self) -> bool:
        """Whether texts are cut: into windows, or at the end of a prefix."""
        return bool(self.counting.window) or self.counting.prefix < 100

    def cut_notes(self) -> list[str]:
        """Which parts of texts are scored, in sentences, if they are cut; a rule of windows where there are none."""
        size, share, rule = self.counting.window, self.counting.prefix, self.counting.window_rule
        notes = [f"of each text only its first {share:g} %"] if share < 100 else []
        idle = rule != CHOICES["window_rule"].default
        unused = [f"window-rule:{rule} changes nothing, as there are no windows without --window"] if idle else []
        return notes + ([f"in windows of {size:.0f} words ({rule})"] if size else unused)

    def change(self, **choices: Value | tuple[str, ...] | list[str] | None) -> Protocol:
        """The protocol with other choices; None leaves one as it is. Layers and sampled keys have own metrics."""
        known = ("name", *CHOICES, "metrics")
        for name in choices:
            if name not in known:
                raise Error("unknown-choice", f"no choice '{name}'", expected=f"one of {', '.join(known)}")
        wanted: dict[str, object] = {name: value for name, value in choices.items() if value is not None}
        if not wanted:
            return self
        changed: dict[str, Any] = {"name": _checked_name(wanted["name"])} if "name" in wanted else {}
        for choice in (CHOICES[name] for name in CHOICES if name in wanted):
            choice.check(wanted[choice.name])
            part = changed.get(choice.part) or getattr(self, choice.part)
            changed[choice.part] = part._replace(**{choice.name: wanted[choice.name]})
        layer = str(wanted.get("layer", self.reading.layer))
        if layer == self.reading.layer and wanted.get("sampled", "none") != "none" and self.counting.sampled == "none":
            wanted.setdefault("metrics", ESTIMATED)
        if "metrics" in wanted or layer != self.reading.layer:
            changed["metrics"] = _checked_metrics(wanted.get("metrics", layer_metrics(layer)), layer)
        made = replace(self, **changed)
        if not wanted.keys().isdisjoint(CONCERNED):
            refuse_undefined(made.preparing, made.counting, made.metrics)
        return made

    def to_dict(self) -> dict[str, Value | list[str]]:
        """The name, every choice and the metrics, as JSON has them."""
        return {"name": self.name, **self._values(), "metrics": [*self.metrics]}

    def _values(self) -> dict[str, Value]:
        """The value of every choice, in the order of signatures."""
        values = {name: value for part in PARTS for name, value in getattr(self, part)._asdict().items()}
        return {name: values[name] for name in CHOICES}

    def signature(self) -> str:
        """The preset and what differs from it, in one line."""
        if self.name not in PROTOCOLS:
            return self.full()
        preset, layer = PROTOCOLS[self.name], self.reading.layer
        usual = preset._words()
        if self.reading.text != "same":
            usual.pop("lost")
        if self.reading.text in ("strings", "mixed"):
            usual.pop("place")
        different = {name: word for name, word in self._words().items() if usual.get(name) != word}
        own = ESTIMATED if self.counting.sampled != preset.counting.sampled else preset.metrics
        if self.metrics != (own if layer == preset.reading.layer else layer_metrics(layer)):
            every = self.metrics == layer_metrics(layer, every=True)
            different["metrics"] = "all" if every else ",".join(self.metrics)
        if different.keys() >= _FIRST:  # else it would be taken for a signature of 0.1
            return self.full()
        return _joined(self.name, different)

    def full(self) -> str:
        """All choices, in one line."""
        words = self._words() | {"metrics": ",".join(self.metrics)}
        return _joined(self.name, words)

    def _words(self) -> dict[str, str]:
        """The value of every choice, as written in signatures."""
        words = {name: str(value) for name, value in self._values().items()}
        return words | {name: f"{float(words[name])!r}".removesuffix(".0") for name in _NUMBERS}

    @classmethod
    def parse(cls, signature: str) -> Protocol:
        """The protocol of a signature, short or full; parts on resampling are ignored.

        >>> Protocol.parse("conll-2012|match:min|scoref:0.2.0").match
        'min'
        """
        name, *pairs = signature.strip().split("|")
        said: dict[str, str] = {}
        for pair in pairs:
            choice, colon, value = pair.partition(":")
            choice = _SPELLED.get(choice, choice)
            if not colon or choice in said:
                raise Error("bad-signature", "not a signature", text=signature, expected="preset|choice:word|...")
            said[choice] = value
        version = said.pop("scoref", None)
        choices: _Choices = {choice: value for choice, value in said.items() if choice not in _BESIDE}
        if "metrics" in said:
            choices["metrics"] = said["metrics"].split(",")
        try:
            choices |= {number: float(said[number]) for number in _NUMBERS if number in said}
        except ValueError:
            raise Error("bad-signature", "a number that is none", text=signature) from None
        return _base(name, version, choices, signature).change(name=name, **choices)


def _joined(name: str, words: Mapping[str, str]) -> str:
    """The choices of a signature, as it is written."""
    spelled = {choice: CHOICES[choice].spelled for choice in words if choice in CHOICES}
    return "|".join([name, *(f"{spelled.get(choice, choice)}:{word}" for choice, word in words.items())])


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        expected = "letters, digits, dots and hyphens"
        raise Error("unknown-choice", f"name is {name!r}", expected=expected, remedy="choose another name, or none")
    return name


def _checked_metrics(metrics: object, layer: str) -> tuple[str, ...]:
    if not isinstance(metrics, list | tuple) or not all(isinstance(name, str) for name in metrics):
        remedy = "see them with: scoref list metrics"
        raise Error("unknown-choice", f"metrics is {metrics!r}", expected="a list of names", remedy=remedy)
    return named(tuple(metrics), layer)


# -- presets ----------------------------------------------------------------------------------------------------------

_ONE = {"duplicates": "first"}  # the correct rule for repeated mentions
_LIST = {"duplicates": "list"}  # how copies of the e2e evaluator treat repeated mentions
_UA = {"credit": "ua-1.0", "links": "both"}
_CODI_CRAC = _UA | {"duplicates": "ua-1.0"}
_CRAC = _UA | {"duplicates": "keep", "split": "ignore", "singletons": "drop", "average": "datasets"}
_KBP = {"match": "dice", "duplicates": "keep", "words": "ignore", "extra": "ignore"}
_EVMEVAL = _KBP | {"pieces": "twice", "sequencing": "evmeval-1.8", "files": "evmeval-1.8"}

# Lists of metrics that several presets share.
_CEAFS = ("muc", "b3", "ceafm", "ceafe", "blanc", "conll")
_LEA = ("muc", "b3", "ceafe", "lea", "conll")
_NUGGETS = ("nugget-span", "nugget-type", "nugget-realis", "nugget-type+realis")
_EVENTS_2015 = (*_NUGGETS, "muc", "b3", "ceafe", "blanc", "kbp")
_EVENTS = (*_NUGGETS, "muc", "b3", "ceafm", "ceafe", "blanc", "kbp", *SEQUENCING)
_PAUN = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
_MAVEN = ("muc", "b3", "ceafe", "blanc", "kbp", "temporal", "causal", "subevent-links", "maven-ere")
_NELEVAL = _ONE | {"scope": "corpus"}
_ASP = ("muc", "b3", "ceafe", "lea", "blanc", "conll")

# Measures of neleval for TAC's entity linking: what the same mentions agree in, which count, and the metric.
_EDL = {
    "strong_mention_match": ("none", "all", "mentions"),
    "strong_typed_mention_match": ("type", "all", "mentions"),
    "strong_link_match": ("kbid", "linked", "mentions"),
    "strong_nil_match": ("none", "nil", "mentions"),
    "strong_all_match": ("kbid", "all", "mentions"),
    "strong_typed_link_match": ("type,kbid", "linked", "mentions"),
    "strong_typed_nil_match": ("type", "nil", "mentions"),
    "strong_typed_all_match": ("type,kbid", "all", "mentions"),
    "b_cubed_plus": ("kbid", "all", "b3"),
    "mention_ceaf_plus": ("kbid", "all", "ceafm"),
    "typed_mention_ceaf": ("type", "all", "ceafm"),
    "typed_mention_ceaf_plus": ("type,kbid", "all", "ceafm"),
}

# The presets of shared tasks, papers and tools: how each differs from `conll-2012`, whose choices are the defaults.
PRESETS: dict[str, Mapping[str, Value | tuple[str, ...]]] = {
    "conll-2011": {"metrics": ("mentions", *_CEAFS)},
    "conll-2012": {},
    "crac-2022": _CRAC | {"match": "partial-1.0"},
    "crac-2023": _CRAC | {"match": "head-1.1", "zeros": "linear-1.1"},
    **dict.fromkeys(("crac-2024", "crac-2025", "crac-2026"), _CRAC | {"match": "head", "zeros": "dependent"}),
    **dict.fromkeys(("codi-crac-2021", "codi-crac-2022"), _CODI_CRAC),
    "codi-crac-2022-deixis": _CODI_CRAC | {"layer": "deixis"},
    "codi-crac-2022-bridging": _CODI_CRAC | {"layer": "bridging"},
    "paun-2023": _ONE | {"links": "both", "metrics": _PAUN},
    "zhou-choi-2018": _ONE | {"split": "distribute", "links": "both", "metrics": ("b3", "ceafe", "blanc")},
    "kbp-2015": _KBP | {"invisible": "2015", "empty": "count", "metrics": _EVENTS_2015},
    "evmeval-1.8": _EVMEVAL | {"metrics": _EVENTS},
    "yu-2021": _ONE | {"credit": "yu-2021", "metrics": ("lea", "split-lenient")},
    "maven-ere": _ONE | {"twinless": "key", "links": "maven-ere", "metrics": _MAVEN},
    "coval": {"duplicates": "list-coval", "metrics": ("mentions", *_LEA)},
    "e2e": _LIST | {"singletons": "e2e"},
    "allennlp": _LIST | {"singletons": "e2e"},
    "maverick": _LIST | {"singletons": "links"},
    "stanza": _LIST | {"singletons": "links", "average": "means", "empty": "count", "metrics": _LEA},
    "scorch": _ONE | {"twinless": "pad-key", "average": "weighted", "links": "scorch", "metrics": _CEAFS},
    "asp": _ONE | {"singletons": "asp", "links": "always", "metrics": _ASP},
    "barhom": _LIST | {"singletons": "barhom", "metrics": ("muc", "b3", "ceafe")},
    "neleval": _NELEVAL | {"metrics": ("muc", "b3", "ceafm", "ceafe", "pairwise", "nonlinks")},
    **{name: _NELEVAL | {"agree": agree, "types": of, "metrics": (how,)} for name, (agree, of, how) in _EDL.items()},
    "corenlp": _ONE | {"twinless": "conll-2011", "metrics": ("muc", "b3", "pairwise")},
}

_DEFAULT = Protocol(
    "conll-2012", Reading(), Preparing(), Matching(), Counting(), Averaging(), layer_metrics("identity")
)


class _Presets(Mapping[str, Protocol]):
    """The protocols of the presets, each built and checked on first use: a command needs one or two."""

    def __getitem__(self, name: str) -> Protocol:
        return _made(name)

    def __iter__(self) -> Iterator[str]:
        return iter(PRESETS)

    def __len__(self) -> int:
        return len(PRESETS)


@cache
def _made(name: str) -> Protocol:
    return _DEFAULT.change(name=name, **PRESETS[name])


PROTOCOLS = _Presets()

# Every signature of 0.1 names the choices of _FIRST. _OLD: the values of all others then. _CORRECTED: a renamed value.
_FIRST = {*(name for name, choice in CHOICES.items() if choice.since == FIRST and choice.words), "metrics"}
_OLD = _DEFAULT.change(**{name: choice.before for name, choice in CHOICES.items() if choice.before is not None})
_CORRECTED = {"dependent": "dependent-corrected"}  # values of `zeros`


def _base(name: str, version: str | None, choices: _Choices, signature: str) -> Protocol:
    """The protocol that a signature starts from: its preset, or for signatures of 0.1 the defaults of that version."""
    if choices.keys() >= _FIRST and all(CHOICES[choice].since < SECOND for choice in choices if choice in CHOICES):
        choices["zeros"] = _CORRECTED.get(str(choices["zeros"]), choices["zeros"])  # signatures of 0.1 name all choices
        return _OLD
    if version is not None and version.startswith("0.1."):
        missing = sorted(_FIRST - choices.keys())
    elif name not in PROTOCOLS:
        known = [choice for choice in CHOICES if CHOICES[choice].since <= SECOND]
        missing = [choice for choice in (*known, "metrics") if choice not in choices]
    else:
        return PROTOCOLS[name]
    if missing:
        raise Error("bad-signature", f"the signature does not say {', '.join(missing)}", text=signature,
                    expected=f"all choices, or a preset: {', '.join(PROTOCOLS)}")  # fmt: skip
    return _DEFAULT


def preset(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise Error("unknown-protocol", f"no protocol '{name}'", expected=f"one of {', '.join(PROTOCOLS)}",
                    remedy="see them with: scoref list protocols")  # fmt: skip
    return PROTOCOLS[name]


def protocol_of(text: str | os.PathLike[str] | Protocol) -> Protocol:
    """The protocol of a preset's name, a signature (short or full) or a TOML file."""
    if isinstance(text, Protocol):
        return text
    written = os.fspath(text)
    if "|" in written:
        return Protocol.parse(written)
    if written.endswith(".toml"):
        return _from_file(written)
    return preset(written)


def _from_file(path: str) -> Protocol:
    """The protocol of a TOML file: `preset` or `signature`, and the values of other choices."""
    import tomllib

    try:
        with open(path, "rb") as file:
            values = tomllib.load(file)
    except (OSError, ValueError) as reason:
        raise Error("bad-protocol", f"cannot read the protocol: {reason}", path=path,
                    expected='lines like preset = "conll-2012" and match = "min"') from None  # fmt: skip
    try:
        if "signature" in values:
            return Protocol.parse(str(values.pop("signature"))).change(**values)
        return preset(str(values.pop("preset", "conll-2012"))).change(**values)
    except Error as error:
        known = error.problem.expected
        more = f"preset or signature, or {known}" if error.code == "unknown-choice" else known
        raise Error.of(replace(error.problem, path=path, expected=more)) from None


def shown_signature(signature: str) -> str:
    """The signature, shortened to fit two lines of a terminal: a long list of metrics is shown as a number."""
    if len(signature) <= _LONGEST:
        return signature
    return re.sub(r"\|metrics:([^|]*)", lambda found: f"|metrics:({found[1].count(',') + 1}, see --verbose)", signature)


def bounded(problems: Iterable[Problem]) -> str:
    """The part of a signature that names the metrics for which only a bound is known, as found in the problems."""
    metrics = dict.fromkeys(str(problem.text) for problem in problems if problem.code == "bounded-metric")
    return f"|bounded:{','.join(metrics)}" if metrics else ""
