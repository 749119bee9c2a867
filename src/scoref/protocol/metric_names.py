"""Names of metrics: other spellings, the metrics of a layer, lists from users, metrics that other choices rule out."""

from __future__ import annotations

from collections.abc import Iterable

from ..counting.choices import Counting
from ..counting.metrics import Links, PerEntity, Whole
from ..counting.special import is_defined
from ..preparing.prepare import Preparing
from ..problems import Error
from ..relations.registry import METRICS, how_of, in_all, metric, needed, on_table, split_name
from ..spelling import closest, folded

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
    "cc": ("correlation-coefficient", "pearson"),
}

ASKED = ("bridging-subtypes",)  # reported for their layer only if asked for: few files have subtypes
CONCERNED = ("layer", "metrics", "split", "weights", "twinless", "singletons")  # that `refuse_undefined` looks at


ESTIMATED = ("pairwise", "b3", "b3-classes", "entities-exact")  # the metrics of sampled keys


def estimable(name: str) -> bool:
    """Whether a metric can be estimated from a sampled key: a sum over entities that needs no other entities.

    A metric that counts a mention once, in however many entities it is, is none of entities.
    """
    how = how_of(name)
    if not isinstance(how, PerEntity) or how.across or split_name(name)[0]:
        return False
    return how.rules.repeated != "once" and how.rules.twinless in (None, "as-is")


def metric_name(name: str) -> str:
    """The name of a metric, given by an alias or in another spelling; any other text is returned unchanged.

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
    """The metric whose name or alias is closest to a misspelt one; None if none is close."""
    found = closest(name, [*METRICS, *(each for names in ALIASES.values() for each in names)])
    return metric_name(found) if found else None


def layer_metrics(layer: str, every: bool = False) -> tuple[str, ...]:
    """The metrics reported for a layer by default; with `every`, those that the word `all` stands for."""
    if layer == "all":
        deixis = tuple(f"deixis:{name}" for name in layer_metrics("deixis", every))
        rest = [name for each in ("bridging", "non-referring") for name in layer_metrics(each, every)]
        return (*layer_metrics("identity", every), *deixis, *rest)
    if layer in ("identity", "deixis"):
        return tuple(filter(in_all, METRICS)) if every else ("mentions", "muc", "b3", "ceafe", "conll")
    asked = () if every else ASKED
    return tuple(name for name, each in METRICS.items() if each.layer == layer and name not in asked and name.islower())


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


def listed(metrics: object) -> tuple[str, ...]:
    """The names of metrics: a list of them, or a text with commas or blanks between them.

    >>> listed("muc, b3"), listed(["conll"])
    (('muc', 'b3'), ('conll',))
    """
    if isinstance(metrics, str):
        return tuple(metrics.replace(",", " ").split())
    return texts(metrics, "metrics", 'names of metrics: ["muc", "b3"] or "muc,b3"')


def texts(values: object, what: str, expected: str) -> tuple[str, ...]:
    """The values of an iterable, which must all be strings."""
    found = tuple(values) if isinstance(values, Iterable) else (None,)
    if not all(isinstance(value, str) for value in found):
        raise Error("unknown-choice", f"{what} is {values!r}", expected=expected)
    return found


def refuse_undefined(preparing: Preparing, counting: Counting, metrics: tuple[str, ...]) -> None:
    """Refuse metrics that are undefined for this treatment of split antecedents, and weights of added mentions."""
    bases = [split_name(name)[1] for name in needed(metrics)] if preparing.split in ("distribute", "only") else []
    names = [name for name in bases if on_table(name)]
    undefined = [name for name in names if not is_defined(METRICS[name])]
    whole = [name for name in names if isinstance(how_of(name), Whole | Links) or METRICS[name].rules.repeated == "all"]
    unweighted = counting.twinless != "as-is" or counting.singletons not in ("keep", "drop")
    if preparing.split == "distribute" and undefined:
        message = f"{undefined[0]} is not defined where a mention is in several entities"
        expected = "b3, ceafm, ceafe, blanc, as plurals are distributed over their members"
        remedy = "choose other metrics with --metrics, or --split credit"
    elif preparing.split == "only" and whole:
        message = f"{', '.join(whole)} is not defined for split antecedents alone"
        expected, remedy = "metrics like muc and b3", "choose another --split or --metrics"
    elif counting.weights != "none" and unweighted:
        message = "mentions that are added or left out by another tool's rule have no weight"
        expected = "twinless:as-is and singletons:keep or drop, with weights"
        remedy = "leave out --twinless and --singletons, or --weights"
    else:
        return
    raise Error("undefined-metric", message, expected=expected, remedy=remedy)
