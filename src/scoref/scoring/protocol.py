"""Every choice of one evaluation, as one value with words in it, and its signature.

| choice | words |
|---|---|
| `match` | which mentions count as the same |
| `singletons` | entities with one mention: kept, or dropped from both sides before matching |
| `zeros` | zeros: matched by their position, by what they depend on, or dropped |
| `duplicates` | the same mention twice: the first or the last counts, both do, or it is an error |
| `twinless` | mentions that only one side has: as they are, or treated as one of the system-mention variants says |
| `nested` | mentions inside mentions of the same entity: kept or dropped |
| `mentions` | all, or noun phrases only |
| `words` | whether the words of key and response must agree |
| `invisible` | event nuggets: words that never count, none or those of the task of 2015 |
| `empty` | event nuggets: documents without key mentions count, or are left out of the nugget scores |
| `extra` | documents that the key lacks: an error, or ignored and reported |
| `layer` | which annotation: identity, discourse deixis, bridging, non-referring mentions, or all of them |
| `split` | split antecedents: credited, ignored, scored alone, or their mentions distributed over the members |
| `credit` | what aligned sets are worth: recall in recall and precision in precision, or as ua-1.0 or yu-2021 have it |
| `links` | BLANC leaves out links that the key, or that both sides do not have |
| `scope` | whether an entity lives in one document or in the whole corpus |
| `average` | sums over documents, then ratios (micro); or the mean of documents' (macro) or of datasets' ratios |
| `beta` | how much more entities with a set weigh in LEA |
| `threshold` | event nuggets: the Dice coefficient that the same mentions have at least, for coreference |
| `metrics` | what is reported |
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from ..exceptions import Error
from .match import MATCHERS, ZEROS
from .metrics import AVERAGES, LINKS, METRICS, needed, split_name
from .normalise import DUPLICATES, INVISIBLE, MENTIONS, NESTED, SINGLETONS
from .relations import RELATIONS, relation
from .split import CREDITS, SPLITS
from .table import TWINLESS

LAYERS = ("identity", "deixis", "bridging", "non-referring", "all")

CHOICES: dict[str, tuple[str, ...]] = {
    "match": tuple(MATCHERS),
    "singletons": SINGLETONS,
    "zeros": ZEROS,
    "duplicates": DUPLICATES,
    "twinless": tuple(TWINLESS),
    "nested": NESTED,
    "mentions": MENTIONS,
    "words": ("check", "ignore"),
    "invisible": INVISIBLE,
    "empty": ("count", "skip"),
    "extra": ("refuse", "ignore"),
    "layer": LAYERS,
    "split": SPLITS,
    "credit": CREDITS,
    "links": LINKS,
    "scope": ("document", "corpus"),
    "average": ("micro", "macro", "datasets"),
}

NUMBERS = ("beta", "threshold")

_BESIDE = ("scoref:", "bounded:", "unit:", "trials:", "seed:")  # what a signature says beside the choices


def layer_metrics(layer: str, every: bool = False) -> tuple[str, ...]:
    """The metrics that are reported for a layer, or all that are meant by `all`."""
    if layer == "all":
        deixis = tuple(f"deixis:{name}" for name in layer_metrics("deixis", every))
        rest = [name for each in ("bridging", "non-referring") for name in layer_metrics(each, every)]
        return (*layer_metrics("identity", every), *deixis, *rest)
    if layer in ("identity", "deixis"):
        return (*METRICS, *AVERAGES) if every else ("mentions", "muc", "b3", "ceafe", "conll")
    return tuple(name for name, relation in RELATIONS.items() if relation.layer == layer)


def _fits(name: str, layer: str) -> bool:
    """Whether there is a metric of that name in the layer."""
    found = relation(name)
    if found:
        if layer == "all":
            return found.layer != "deixis"
        return found.layer in (layer, "identity") if layer == "deixis" else layer == found.layer
    if layer == "all":
        return name in layer_metrics("identity", True) or (
            name.startswith("deixis:") and _fits(name.removeprefix("deixis:"), "deixis")
        )
    return layer in ("identity", "deixis") and name in layer_metrics(layer, True)


def named(names: tuple[str, ...], layer: str) -> tuple[str, ...]:
    """The names of metrics, each once; `all` stands for every metric of the layer."""
    wanted = [each for name in names for each in (layer_metrics(layer, every=True) if name == "all" else (name,))]
    unknown = [name for name in wanted if not _fits(name, layer)]
    if unknown or not wanted:
        known = [*layer_metrics(layer, every=True), *(each.name for each in RELATIONS.values() if each.layer == layer)]
        raise Error("unknown-metric", f"no metric '{', '.join(unknown)}' in the layer {layer}",
                    expected=f"some of {', '.join(dict.fromkeys(known))}, or all",
                    remedy="see them with: scoref list metrics")  # fmt: skip
    return tuple(dict.fromkeys(wanted))


@dataclass(frozen=True)
class Protocol:
    """All choices of an evaluation; always complete. The name says which preset it started from.

    >>> protocol = PROTOCOLS["conll-2012"].change(singletons="drop")
    >>> protocol.signature()
    'conll-2012|match:exact|singletons:drop|...|metrics:mentions,muc,b3,ceafe,conll'
    >>> Protocol.parse(protocol.signature()) == protocol
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
    invisible: str
    empty: str
    extra: str
    layer: str
    split: str
    credit: str
    links: str
    scope: str
    average: str
    beta: float
    threshold: float
    metrics: tuple[str, ...]

    def __post_init__(self) -> None:
        for choice, known in CHOICES.items():
            value = getattr(self, choice)
            if value not in known:
                raise Error("unknown-choice", f"no {choice} '{value}'", expected=f"one of {', '.join(known)}",
                            remedy="see the choices with: scoref score --help")  # fmt: skip
        for name in NUMBERS:
            value = getattr(self, name)
            if not isinstance(value, int | float) or not value > 0:
                raise Error("unknown-choice", f"{name} is {value}", expected="a number above 0",
                            remedy="see the choices with: scoref score --help")  # fmt: skip
        object.__setattr__(self, "metrics", named(tuple(self.metrics), self.layer))
        if self.split == "distribute" and "muc" in {split_name(name)[1] for name in needed(self.metrics)}:
            raise Error("undefined-metric", "MUC is not defined where a mention is in several entities",
                        expected="metrics without muc and conll, as plurals are distributed over their members",
                        remedy="choose other metrics with --metrics, or --split credit")  # fmt: skip

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

    def signature(self) -> str:
        """One line that says all choices, and from which `parse` makes the same protocol again."""
        choices = [f"{choice}:{getattr(self, choice)}" for choice in CHOICES]
        return "|".join(
            [
                self.name,
                *choices,
                *(f"{name}:{float(getattr(self, name))!r}".removesuffix(".0") for name in NUMBERS),
                f"metrics:{','.join(self.metrics)}",
            ]
        )

    @classmethod
    def parse(cls, signature: str) -> Protocol:
        """The protocol of a signature; what it says of the version and of resampling is no part of it."""
        name, *pairs = [part for part in signature.strip().split("|") if not part.startswith(_BESIDE)]
        choices: dict[str, str] = {}
        for pair in pairs:
            choice, colon, value = pair.partition(":")
            if not colon or choice in choices:
                raise Error("bad-signature", "not a signature", text=signature, expected="name|choice:word|...")
            choices[choice] = value
        missing = [field.name for field in fields(cls)[1:] if field.name not in choices]
        if missing:
            raise Error("bad-signature", f"the signature does not say {', '.join(missing)}", text=signature)
        metrics = choices.pop("metrics").split(",")
        try:
            numbers = {number: float(choices.pop(number)) for number in NUMBERS}
        except ValueError:
            raise Error("bad-signature", "a number that is none", text=signature) from None
        return _DEFAULT.change(name=name, metrics=metrics, **numbers, **choices)


_DEFAULT = Protocol(
    name="conll-2012",
    match="exact",
    singletons="keep",
    zeros="linear",
    duplicates="first",
    twinless="as-is",
    nested="keep",
    mentions="all",
    words="check",
    invisible="none",
    empty="count",
    extra="refuse",
    layer="identity",
    split="credit",
    credit="directional",
    links="key",
    scope="document",
    average="micro",
    beta=1.0,
    threshold=1.0,
    metrics=("mentions", "muc", "b3", "ceafe", "conll"),
)
_CODI_CRAC = _DEFAULT.change(name="codi-crac-2022", duplicates="keep", credit="ua-1.0", links="both")
_NUGGETS = ("nugget-span", "nugget-type", "nugget-realis", "nugget-type+realis")
_KBP = _DEFAULT.change(
    name="kbp-2015", match="dice", duplicates="keep", words="ignore", invisible="2015", extra="ignore",
    metrics=(*_NUGGETS, "muc", "b3", "ceafe", "blanc", "kbp"),
)  # fmt: skip
_CRAC = _DEFAULT.change(
    name="crac-2024", match="head", singletons="drop", zeros="dependent", duplicates="keep", split="ignore",
    credit="ua-1.0", links="both",
)  # fmt: skip

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
        _DEFAULT.change(name="paun-2023", links="both",
                        metrics=("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")),
        _DEFAULT.change(name="zhou-choi-2018", split="distribute", links="both", metrics=("b3", "ceafe", "blanc")),
        _KBP,
        _KBP.change(name="evmeval-1.8", invisible="none", empty="skip",
                    metrics=(*_NUGGETS, "muc", "b3", "ceafm", "ceafe", "blanc", "kbp", "after", "subevent")),
        _DEFAULT.change(name="yu-2021", credit="yu-2021", metrics=("lea", "split-lenient")),
    )
}  # fmt: skip


def preset(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise Error("unknown-protocol", f"no protocol '{name}'", expected=f"one of {', '.join(PROTOCOLS)}",
                    remedy="see them with: scoref list protocols")  # fmt: skip
    return PROTOCOLS[name]
