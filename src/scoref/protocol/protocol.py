"""Every choice of one evaluation, as one value with words in it; its signature; the presets.

A signature is short: the preset, what differs from it, and the version. `full` names every choice. Both can be read
back, for ever: what an old signature does not name has the word that stood for it then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from ..counting.metrics import Links, Whole
from ..counting.plurals import is_defined
from ..matching.match import MATCHERS
from ..problems import Error, Problem
from ..relations.registry import METRICS, SEQUENCING, how_of, needed, on_table, split_name
from .choices import CHOICES, FIELDS, NUMBERS, layer_metrics, named

_LONGEST = 148  # two lines of a terminal, with the word `signature`
_BESIDE = ("unit", "trials", "seed", "bounded")  # what a signature says of resampling, and of metrics that are bounds
_ONCE = ("first", "last", "keep", "error")  # words of `duplicates` under which no mention counts twice
_FIELD = re.compile(r"[\w.-]+")  # the name of one, or of a protocol


def bounded(problems: Iterable[Problem]) -> str:
    """The part of a signature that names the metrics which are bounds; they are among the problems."""
    found = dict.fromkeys(str(each.text) for each in problems if each.code == "bounded-metric")
    return f"|bounded:{','.join(found)}" if found else ""


@dataclass(frozen=True)
class Protocol:
    """All choices of an evaluation; always complete. The name says which preset it started from.

    >>> protocol = PROTOCOLS["conll-2012"].change(singletons="drop")
    >>> protocol.signature()
    'conll-2012|singletons:drop'
    >>> protocol.full()
    'conll-2012|match:exact|singletons:drop|...|metrics:mentions,muc,b3,ceafe,conll'
    >>> Protocol.parse(protocol.signature()) == Protocol.parse(protocol.full()) == protocol
    True
    """

    name: str
    match: str
    singletons: str
    zeros: str
    duplicates: str
    twinless: str
    nested: str
    mentions: str
    words: str
    text: str
    lost: str
    ends: str
    spans: str
    invisible: str
    pieces: str
    mapping: str
    sequencing: str
    files: str
    empty: str
    extra: str
    layer: str
    split: str
    credit: str
    links: str
    scope: str
    average: str
    weights: str
    digits: str
    beta: float
    threshold: float
    frequent: float
    types: str
    metrics: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or (self.name and not _FIELD.fullmatch(self.name)):
            raise Error("unknown-choice", f"name is {self.name!r}", expected="letters, digits, dots and hyphens",
                        remedy="choose another name, or none")  # fmt: skip
        for choice, known in CHOICES.items():
            value = getattr(self, choice)
            if value not in known and not (choice in FIELDS and _FIELD.fullmatch(value)):
                words = ", ".join([*known, *([FIELDS[choice]] if choice in FIELDS else [])])
                raise Error("unknown-choice", f"no {choice} '{value}'", expected=f"one of {words}",
                            remedy="see the choices with: scoref score --help")  # fmt: skip
        for name, (least, most) in NUMBERS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
                raise Error("unknown-choice", f"{name} is {value}", expected=f"a number from {least:g} to {most:g}",
                            remedy="see the choices with: scoref score --help")  # fmt: skip
        if not isinstance(self.types, str) or not re.fullmatch("[a-z0-9]+(,[a-z0-9]+)*", self.types):
            raise Error("unknown-choice", f"types is {self.types!r}",
                        expected="all, or types as they are compared (lower case, letters and digits) and commas",
                        remedy="name a file with a type in each line: --types FILE")  # fmt: skip
        if not isinstance(self.metrics, list | tuple) or not all(isinstance(name, str) for name in self.metrics):
            raise Error("unknown-choice", f"metrics is {self.metrics!r}", expected="a list of names",
                        remedy="see them with: scoref list metrics")  # fmt: skip
        object.__setattr__(self, "metrics", named(tuple(self.metrics), self.layer))
        names = [split_name(name)[1] for name in needed(self.metrics)] if self.split == "distribute" else []
        undefined = [name for name in names if on_table(name) and not is_defined(METRICS[name])]
        if undefined:
            raise Error("undefined-metric", f"{undefined[0]} is not defined where a mention is in several entities",
                        expected="b3, ceafm, ceafe, blanc, as plurals are distributed over their members",
                        remedy="choose other metrics with --metrics, or --split credit")  # fmt: skip

        self._refuse_undefined()

    def _refuse_undefined(self) -> None:
        """Refuse metrics that other choices leave without a meaning."""
        names = [split_name(name)[1] for name in needed(self.metrics)]
        whole = [name for name in names if isinstance(how_of(name), Whole | Links)]
        if self.split == "only" and whole:
            raise Error("undefined-metric", f"{', '.join(whole)} is not defined for split antecedents alone",
                        expected="metrics like muc and b3", remedy="choose another --split or --metrics")  # fmt: skip
        if self.weights != "none" and (self.twinless != "as-is" or self.singletons not in ("keep", "drop")):
            raise Error("undefined-metric", "mentions that are added or left out by another tool's rule have no weight",
                        expected="twinless:as-is and singletons:keep or drop, with weights",
                        remedy="leave out --twinless and --singletons, or --weights")  # fmt: skip

    def change(self, **choices: str | float | tuple[str, ...] | list[str] | None) -> Protocol:
        """The protocol with other choices; None leaves one as it is. Another layer has that layer's metrics."""
        known = [field.name for field in fields(self)]
        for choice in choices:
            if choice not in known:
                raise Error("unknown-choice", f"no choice '{choice}'", expected=f"one of {', '.join(known)}")
        wanted: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
        if wanted.get("layer", self.layer) != self.layer:
            wanted.setdefault("metrics", layer_metrics(wanted["layer"]))
        return replace(self, **wanted)

    @property
    def repeating(self) -> str:
        """Why these rules may count a mention more than once, and the options for rules that do not."""
        why, remedy = "mentions stand in several entities or twice in one", "--duplicates first"
        if MATCHERS[self.match].alike:
            own = f"--match {self.match.split('-')[0]}"
            why, remedy = (
                "several mentions are matched with one",
                own if self.duplicates in _ONCE else f"{own} {remedy}",
            )
        rules = ", ".join(f"{choice}:{getattr(self, choice)}" for choice in ("match", "duplicates", "credit"))
        return f"as {why}, and the official rules ({rules}) count them more than once; not so with {remedy}"

    def said(self) -> dict[str, str]:
        """What a full signature says: the word of every choice, and the metrics."""
        numbers = {name: f"{float(getattr(self, name))!r}".removesuffix(".0") for name in NUMBERS}
        words = {choice: str(getattr(self, choice)) for choice in CHOICES}
        return {**words, **numbers, "types": self.types, "metrics": _listed(self.metrics, self.layer)}

    def signature(self) -> str:
        """The preset and what differs from it, in one line."""
        if self.name not in PROTOCOLS:
            return self.full()
        usual = PROTOCOLS[self.name].said()
        if usual["layer"] != self.layer:
            usual["metrics"] = _listed(layer_metrics(self.layer), self.layer)
        if self.text == "align":
            usual.pop("lost")
        different = {name: word for name, word in self.said().items() if usual.get(name) != word}
        if different.keys() >= _FIRST:  # else it would be taken for a signature of 0.1
            return self.full()
        return "|".join([self.name, *(f"{name}:{word}" for name, word in different.items())])

    def full(self) -> str:
        """All choices, in one line."""
        words = self.said() | {"metrics": ",".join(self.metrics)}
        return "|".join([self.name, *(f"{name}:{word}" for name, word in words.items())])

    @classmethod
    def parse(cls, signature: str) -> Protocol:
        """The protocol of a signature, short or full; what it says of resampling is no part of it.

        >>> Protocol.parse("conll-2012|match:min|scoref:0.2.0").match
        'min'
        """
        name, *pairs = signature.strip().split("|")
        said: dict[str, str] = {}
        for pair in pairs:
            choice, colon, value = pair.partition(":")
            if not colon or choice in said:
                raise Error("bad-signature", "not a signature", text=signature, expected="preset|choice:word|...")
            said[choice] = value
        version = said.pop("scoref", None)
        choices: dict[str, Any] = {choice: value for choice, value in said.items() if choice not in _BESIDE}
        if "metrics" in choices:
            choices["metrics"] = choices["metrics"].split(",")
        try:
            choices |= {number: float(choices[number]) for number in NUMBERS if number in choices}
        except ValueError:
            raise Error("bad-signature", "a number that is none", text=signature) from None
        return _base(name, version, choices, signature).change(name=name, **choices)


def _listed(metrics: tuple[str, ...], layer: str) -> str:
    return "all" if metrics == layer_metrics(layer, every=True) else ",".join(metrics)


# What the choices that signatures of a version do not name meant then; from 0.2 on they have the words of their preset.
_OLD: dict[str, dict[str, str | float]] = {
    "0.1": {"text": "same", "lost": "count", "ends": "inclusive", "spans": "words", "invisible": "none",
            "empty": "count", "extra": "refuse", "pieces": "once", "mapping": "type", "sequencing": "awareness",
            "files": "strict", "weights": "none", "digits": "exact", "threshold": 1.0, "frequent": 5.0, "types": "all"},
}  # fmt: skip


_FIRST = {*CHOICES, "metrics"} - _OLD["0.1"].keys()  # what signatures of 0.1 name at least
_CORRECTED = {"dependent": "dependent-corrected"}  # words of `zeros` that meant another rule in 0.1


def _base(name: str, version: str | None, choices: dict[str, Any], signature: str) -> Protocol:
    """The protocol that a signature starts from: that of its preset, or for old ones what was meant then."""
    if choices.keys() >= _FIRST and "digits" not in choices:  # 0.1 named all choices that there were
        choices["zeros"] = _CORRECTED.get(choices["zeros"], choices["zeros"])
        return _DEFAULT.change(**_OLD["0.1"])
    if version is not None and version.startswith("0.1."):
        missing = sorted(_FIRST - choices.keys())
    elif name not in PROTOCOLS:
        missing = [choice for choice in (*CHOICES, *NUMBERS, "metrics") if choice not in choices]
    else:
        return PROTOCOLS[name]
    if missing:
        raise Error("bad-signature", f"the signature does not say {', '.join(missing)}", text=signature,
                    expected=f"all choices, or a preset: {', '.join(PROTOCOLS)}")  # fmt: skip
    return _DEFAULT


_DEFAULT = Protocol(
    name="conll-2012",
    match="exact",
    singletons="keep",
    zeros="linear",
    duplicates="reference",
    twinless="as-is",
    nested="keep",
    mentions="all",
    words="check",
    text="same",
    lost="count",
    ends="inclusive",
    spans="words",
    invisible="none",
    pieces="once",
    mapping="type",
    sequencing="awareness",
    files="strict",
    empty="skip",
    extra="refuse",
    layer="identity",
    split="credit",
    credit="directional",
    links="key",
    scope="document",
    average="micro",
    weights="none",
    digits="exact",
    beta=1.0,
    threshold=1.0,
    frequent=5.0,
    types="all",
    metrics=("mentions", "muc", "b3", "ceafe", "conll"),
)
_OWN = _DEFAULT.change(duplicates="first")
_CODI_CRAC = _DEFAULT.change(name="codi-crac-2022", duplicates="ua-1.0", credit="ua-1.0", links="both")
_NUGGETS = ("nugget-span", "nugget-type", "nugget-realis", "nugget-type+realis")
_KBP = _DEFAULT.change(
    name="kbp-2015", match="dice", duplicates="keep", words="ignore", invisible="2015", empty="count", extra="ignore",
    metrics=(*_NUGGETS, "muc", "b3", "ceafe", "blanc", "kbp"),
)  # fmt: skip
_CRAC = _DEFAULT.change(
    name="crac-2024", match="head", singletons="drop", zeros="dependent", duplicates="keep", split="ignore",
    credit="ua-1.0", links="both", average="datasets",
)  # fmt: skip
_TOOL = _DEFAULT.change(duplicates="list")  # what copies of the e2e evaluator do with repeated mentions

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        _DEFAULT.change(name="conll-2011", metrics=("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")),
        _DEFAULT,
        _CRAC.change(name="crac-2022", match="partial-1.0", zeros="linear"),
        _CRAC.change(name="crac-2023", match="head-1.1", zeros="linear"),
        _CRAC,
        _CRAC.change(name="crac-2025"),
        _CRAC.change(name="crac-2026"),
        _CODI_CRAC.change(name="codi-crac-2021"),
        _CODI_CRAC,
        _CODI_CRAC.change(name="codi-crac-2022-deixis", layer="deixis"),
        _CODI_CRAC.change(name="codi-crac-2022-bridging", layer="bridging"),
        _OWN.change(name="paun-2023", links="both",
                    metrics=("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")),
        _OWN.change(name="zhou-choi-2018", split="distribute", links="both", metrics=("b3", "ceafe", "blanc")),
        _KBP,
        _KBP.change(name="evmeval-1.8", invisible="none", pieces="twice", sequencing="evmeval-1.8",
                    files="evmeval-1.8", empty="skip",
                    metrics=(*_NUGGETS, "muc", "b3", "ceafm", "ceafe", "blanc", "kbp", *SEQUENCING)),
        _OWN.change(name="yu-2021", credit="yu-2021", metrics=("lea", "split-lenient")),
        _TOOL.change(name="coval", metrics=("mentions", "muc", "b3", "ceafe", "lea", "conll")),
        _TOOL.change(name="e2e", singletons="e2e"),
        _TOOL.change(name="allennlp", singletons="e2e"),
        _TOOL.change(name="maverick", singletons="links"),
        _TOOL.change(name="stanza", singletons="links", average="means", empty="count",
                     metrics=("muc", "b3", "ceafe", "lea", "conll")),
        _OWN.change(name="scorch", twinless="pad-key", average="weighted", links="scorch",
                    metrics=("muc", "b3", "ceafm", "ceafe", "blanc", "conll")),
        _OWN.change(name="asp", singletons="asp", links="always",
                    metrics=("muc", "b3", "ceafe", "lea", "blanc", "conll")),
        _TOOL.change(name="barhom", singletons="barhom", metrics=("muc", "b3", "ceafe")),
        _OWN.change(name="neleval", scope="corpus", metrics=("muc", "b3", "ceafm", "ceafe", "pairwise", "nonlinks")),
        _OWN.change(name="corenlp", twinless="conll-2011", metrics=("muc", "b3", "pairwise")),
    )
}  # fmt: skip


def preset(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise Error("unknown-protocol", f"no protocol '{name}'", expected=f"one of {', '.join(PROTOCOLS)}",
                    remedy="see them with: scoref list protocols")  # fmt: skip
    return PROTOCOLS[name]


def protocol_of(text: str | os.PathLike[str] | Protocol) -> Protocol:
    """The protocol that a preset's name, a signature (short or full) or a TOML file says."""
    if isinstance(text, Protocol):
        return text
    written = os.fspath(text)
    if "|" in written:
        return Protocol.parse(written)
    if written.endswith(".toml"):
        return _from_file(written)
    return preset(written)


def _from_file(path: str) -> Protocol:
    """The protocol of a TOML file: `preset`, and the words of other choices; or `signature`."""
    import tomllib

    try:
        with open(path, "rb") as file:
            said = tomllib.load(file)
    except (OSError, ValueError) as reason:
        raise Error("bad-protocol", f"cannot read the protocol: {reason}", path=path,
                    expected='lines like preset = "conll-2012" and match = "min"') from None  # fmt: skip
    try:
        if "signature" in said:
            return Protocol.parse(str(said.pop("signature"))).change(**said)
        return preset(str(said.pop("preset", "conll-2012"))).change(**said)
    except Error as error:
        known = error.problem.expected
        more = f"preset or signature, or {known}" if error.code == "unknown-choice" else known
        raise Error.of(replace(error.problem, path=path, expected=more)) from None


def shown_signature(signature: str) -> str:
    """A signature that fits two lines of a terminal: of a long list of metrics only the number is shown."""
    if len(signature) <= _LONGEST:
        return signature
    return re.sub(r"\|metrics:([^|]*)", lambda found: f"|metrics:({found[1].count(',') + 1}, see --verbose)", signature)
