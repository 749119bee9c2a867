"""Every choice of one evaluation, as one value with words in it, and its signature.

| choice | words |
|---|---|
| `match` | which mentions count as the same |
| `singletons` | entities with one mention: kept, or dropped from both sides before matching |
| `duplicates` | the same mention twice: the first or the last counts, both do, or it is an error |
| `twinless` | mentions that only one side has: as they are, or treated as one of the system-mention variants says |
| `nested` | mentions inside mentions of the same entity: kept or dropped |
| `mentions` | all, or noun phrases only |
| `words` | whether the words of key and response must agree |
| `scope` | whether an entity lives in one document or in the whole corpus |
| `average` | sums over documents, then ratios (micro), or the mean of the documents' ratios (macro) |
| `metrics` | what is reported |
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from . import metrics as _metrics
from .exceptions import Error
from .match import MATCHERS
from .normalise import DUPLICATES, MENTIONS, NESTED, SINGLETONS
from .table import TWINLESS

CHOICES: dict[str, tuple[str, ...]] = {
    "match": tuple(MATCHERS),
    "singletons": SINGLETONS,
    "duplicates": DUPLICATES,
    "twinless": tuple(TWINLESS),
    "nested": NESTED,
    "mentions": MENTIONS,
    "words": ("check", "ignore"),
    "scope": ("document", "corpus"),
    "average": ("micro", "macro"),
}


@dataclass(frozen=True)
class Protocol:
    """All choices of an evaluation; always complete. The name says which preset it started from.

    >>> protocol = PROTOCOLS["conll-2012"].change(singletons="drop")
    >>> protocol.signature()
    'conll-2012|match:exact|singletons:drop|duplicates:first|...|metrics:mentions,muc,b3,ceafe,conll'
    >>> Protocol.parse(protocol.signature()) == protocol
    True
    """

    name: str
    match: str
    singletons: str
    duplicates: str
    twinless: str
    nested: str
    mentions: str
    words: str
    scope: str
    average: str
    metrics: tuple[str, ...]

    def __post_init__(self) -> None:
        for choice, known in CHOICES.items():
            value = getattr(self, choice)
            if value not in known:
                raise Error("unknown-choice", f"no {choice} '{value}'", expected=f"one of {', '.join(known)}")
        object.__setattr__(self, "metrics", _metrics.named(self.metrics))

    def change(self, **choices: str | tuple[str, ...] | list[str] | None) -> Protocol:
        """The protocol with other choices; None leaves one as it is."""
        known = [field.name for field in fields(self)]
        for choice in choices:
            if choice not in known:
                raise Error("unknown-choice", f"no choice '{choice}'", expected=f"one of {', '.join(known)}")
        return replace(self, **{name: value for name, value in choices.items() if value is not None})  # type: ignore[arg-type]

    def signature(self) -> str:
        """One line that says all choices, and from which `parse` makes the same protocol again."""
        choices = [f"{choice}:{getattr(self, choice)}" for choice in CHOICES]
        return "|".join([self.name, *choices, f"metrics:{','.join(self.metrics)}"])

    @classmethod
    def parse(cls, signature: str) -> Protocol:
        """The protocol of a signature."""
        name, *pairs = [part for part in signature.strip().split("|") if not part.startswith("scoref:")]
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
        return _DEFAULT.change(name=name, metrics=metrics, **choices)


_DEFAULT = Protocol(
    name="conll-2012",
    match="exact",
    singletons="keep",
    duplicates="first",
    twinless="as-is",
    nested="keep",
    mentions="all",
    words="check",
    scope="document",
    average="micro",
    metrics=("mentions", "muc", "b3", "ceafe", "conll"),
)

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        _DEFAULT.change(name="conll-2011", metrics=("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")),
        _DEFAULT,
    )
}


def preset(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise Error("unknown-protocol", f"no protocol '{name}'", expected=f"one of {', '.join(PROTOCOLS)}",
                    remedy="see them with: scoref list protocols")  # fmt: skip
    return PROTOCOLS[name]
