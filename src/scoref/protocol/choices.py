"""The words that an evaluation is described with: for each choice those there are, and the names of metrics.

| choice | words |
|---|---|
| `match` | which mentions count as the same |
| `singletons` | entities with one mention: kept, dropped from both sides before matching, or as another tool has them |
| `zeros` | zeros: matched by position, by what they depend on (as the CorefUD scorer 1.2 or corrected), or dropped |
| `duplicates` | the same mention twice: which occurrence counts |
| `twinless` | mentions that only one side has: as they are, or treated as one of the system-mention variants says |
| `nested` | mentions inside mentions of the same entity: kept or dropped |
| `mentions` | all, or noun phrases only |
| `words` | whether the words of key and response must agree |
| `text` | whether the texts of key and response are the same, or were aligned as they differ; found from the files |
| `lost` | mentions none of whose words is in the key: counted as mentions that it lacks, or dropped |
| `ends` | JSON files: whether `[3, 5]` includes word 5 |
| `spans` | what positions count: words, or in event nuggets without words tokens or characters; found from the files |
| `invisible` | event nuggets: words that never count, none or those of the task of 2015 |
| `pieces` | event nuggets: characters that two pieces of a span share count once in its length, or twice |
| `mapping` | event nuggets: what the same mentions agree in, for coreference and sequencing |
| `sequencing` | event nuggets: links After and Subevent by the definition, or as EvmEval 1.8 counts them |
| `files` | event nuggets: what is malformed is refused, or taken as EvmEval 1.8 takes it |
| `empty` | where there is nothing to count, on both sides: left out of means, or counted as 0 |
| `extra` | documents that the key lacks: an error, or ignored and reported |
| `layer` | which annotation: identity, discourse deixis, bridging, non-referring mentions, or all of them |
| `split` | split antecedents: credited, ignored, scored alone, or their mentions distributed over the members |
| `credit` | what aligned sets are worth: recall in recall and precision in precision, or as ua-1.0 or yu-2021 have it |
| `links` | BLANC: which kinds of links it leaves out |
| `scope` | where an entity lives: in one document, within a text of it, in the documents of a field, in the corpus |
| `average` | over documents: see `average` |
| `weights` | what mentions weigh in B³, CEAF and LEA: all the same, by their form, or as an attribute says |
| `digits` | averages of scores: of exact ones, or of percentages that were rounded or cut off before |
| `beta` | how much more entities with a set weigh in LEA |
| `threshold` | event nuggets: the Dice coefficient that the same mentions have at least, for coreference |
| `frequent` | how many mentions a major entity has at least |
| `types` | event nuggets: all types, or only mentions of those that are listed |
| `metrics` | what is reported |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..counting.rules import SINGLETONS, TWINLESS
from ..counting.split import CREDITS, SPLITS
from ..formats.source import FILES
from ..matching.match import MATCHERS, ZEROS
from ..matching.nuggets import MAPPINGS
from ..pairing.scope import SCOPES
from ..preparing.steps import DUPLICATES, INVISIBLE, MENTIONS, NESTED, PIECES
from ..problems import Error
from ..relations.registry import LINKS, METRICS, in_all, metric
from ..relations.sequencing import SEQUENCINGS
from ..spelling import closest, folded
from ..texts.projection import LOST, TEXTS

LAYERS = ("identity", "deixis", "bridging", "non-referring", "all")

CHOICES: dict[str, tuple[str, ...]] = {
    "match": tuple(MATCHERS),
    "singletons": tuple(SINGLETONS),
    "zeros": ZEROS,
    "duplicates": DUPLICATES,
    "twinless": tuple(TWINLESS),
    "nested": NESTED,
    "mentions": MENTIONS,
    "words": ("check", "ignore"),
    "text": TEXTS,
    "lost": LOST,
    "ends": ("inclusive", "exclusive"),
    "spans": ("words", "tokens", "characters"),
    "invisible": INVISIBLE,
    "pieces": PIECES,
    "mapping": tuple(MAPPINGS),
    "sequencing": SEQUENCINGS,
    "files": FILES,
    "empty": ("skip", "count"),
    "extra": ("refuse", "ignore"),
    "layer": LAYERS,
    "split": SPLITS,
    "credit": CREDITS,
    "links": LINKS,
    "scope": SCOPES,
    "average": ("micro", "macro", "means", "weighted", "datasets"),
    "weights": ("none", "form"),
    "digits": ("exact", "cut-2", "round-2", "round-1"),
}

# Choices that take, beside their words, a name that files give.
FIELDS = {"scope": "a field of documents", "weights": "an attribute of mentions"}

# Numbers, and from where to where they may be: far beyond what is of use, and scores stay numbers.
NUMBERS = {"beta": (1e-6, 1e6), "threshold": (1e-6, 1.0), "frequent": (1.0, 1e9)}
FOUND = ("ends", "spans", "text")  # said by the files, or by how they are read


# Other names of metrics, as other scorers and papers have them; case, hyphens and underscores do not count anywhere.
ALIASES = {
    "b3": ("bcub", "bcubed", "b^3", "b3f1"),
    "ceafe": ("ceaf-entity", "entity-ceaf", "ceaf-phi4", "ceafφ4", "phi4"),
    "ceafm": ("ceaf-mention", "mention-ceaf", "ceaf-phi3", "ceafφ3", "phi3"),
    "mentions": ("mention", "mention-detection", "md"),
    "conll": ("conll-f1", "conll-2012", "conll-average"),
    "mor": ("mention-overlap", "mention-overlap-ratio"),
    "zeros": ("zero", "zero-anaphora"),
    "non-referring": ("non-referrings",),
    "ari": ("adjusted-rand-index",),
}


def metric_name(name: str) -> str:
    """The name of a metric that is given by another one, or in another spelling; any other text as it is.

    >>> [metric_name(name) for name in ("bcub", "B-cubed", "CEAF_e", "MUC", "deixis:BCUB", "bleu")]
    ['b3', 'b3', 'ceafe', 'muc', 'deixis:b3', 'bleu']
    """
    if name in METRICS:
        return name
    layer, colon, rest = name.partition(":")
    if colon and folded(layer) == "deixis":
        return f"deixis:{metric_name(rest)}"
    names = {folded(each): each for each in ("all", *METRICS)}
    names |= {folded(alias): each for each, aliases in ALIASES.items() for alias in aliases}
    return names.get(folded(name), name)


def closest_metric(name: str) -> str | None:
    """The metric whose name, or another name, looks most like a name that is none."""
    found = closest(name, [*METRICS, *(each for names in ALIASES.values() for each in names)])
    return metric_name(found) if found else None


def layer_metrics(layer: str, every: bool = False) -> tuple[str, ...]:
    """The metrics that are reported for a layer, or all that are meant by `all`."""
    if layer == "all":
        deixis = tuple(f"deixis:{name}" for name in layer_metrics("deixis", every))
        rest = [name for each in ("bridging", "non-referring") for name in layer_metrics(each, every)]
        return (*layer_metrics("identity", every), *deixis, *rest)
    if layer in ("identity", "deixis"):
        return tuple(filter(in_all, METRICS)) if every else ("mentions", "muc", "b3", "ceafe", "conll")
    return tuple(name for name, each in METRICS.items() if each.layer == layer)


def _fits(name: str, layer: str) -> bool:
    """Whether there is a metric of that name in the layer."""
    if layer == "all" and name.startswith("deixis:"):
        return _fits(name.removeprefix("deixis:"), "deixis")
    found = metric(name)
    if found is None:
        return False
    if layer == "all":
        return found.layer != "deixis"
    return found.layer == layer or (layer == "deixis" and found.layer == "identity")


def named(names: tuple[str, ...], layer: str) -> tuple[str, ...]:
    """The names of metrics, each once; `all` stands for every metric of the layer."""
    names = tuple(map(metric_name, names))
    wanted = [each for name in names for each in (layer_metrics(layer, every=True) if name == "all" else (name,))]
    unknown = [name for name in wanted if not _fits(name, layer)]
    if unknown or not wanted:
        ours = [each.name for each in METRICS.values() if each.layer == layer]
        known = [*(ours if layer == "identity" else ()), *layer_metrics(layer, every=True), *ours]
        raise Error("unknown-metric", f"no metric '{', '.join(unknown)}' in the layer {layer}",
                    expected=f"some of {', '.join(dict.fromkeys(known))}, or all",
                    remedy="see them with: scoref list metrics")  # fmt: skip
    return tuple(dict.fromkeys(wanted))


def listed(metrics: Any) -> tuple[str, ...]:
    """The names of metrics: a list of them, or a text with commas or blanks between them.

    >>> listed("muc, b3"), listed(["conll"])
    (('muc', 'b3'), ('conll',))
    """
    if isinstance(metrics, str):
        return tuple(metrics.replace(",", " ").split())
    return _texts(metrics, "metrics", 'names of metrics: ["muc", "b3"] or "muc,b3"')


def listed_settings(settings: Any) -> list[str]:
    """The settings: a list of them, or one.

    >>> listed_settings("match:min,singletons:drop")
    ['match:min,singletons:drop']
    """
    if isinstance(settings, str):
        return [settings]
    return [*_texts(settings, "settings", 'settings like ["match:min", "match:min,singletons:drop"]')]


def _texts(given: Any, what: str, expected: str) -> tuple[str, ...]:
    found = tuple(given) if isinstance(given, Iterable) else (None,)
    if not all(isinstance(each, str) for each in found):
        raise Error("unknown-choice", f"{what} is {given!r}", expected=expected)
    return found


def setting(text: str) -> dict[str, str | float]:
    """The choices that a setting like `match:exact,singletons:keep` makes."""
    found: dict[str, str | float] = {}
    for each in text.split(","):
        choice, colon, value = each.partition(":")
        known = ", ".join(choice for choice in CHOICES if choice not in (*FOUND, "words"))
        if not colon or choice not in known.split(", "):
            raise Error("unknown-setting", f"no setting '{each}'", expected=f"CHOICE:WORD with one of {known}",
                        remedy="see the choices with: scoref score --help")  # fmt: skip
        found[choice] = value
    return found
