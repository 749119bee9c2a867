"""All metrics by their names: `METRICS`; what a name means, and which metrics have to be counted for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ..counting.coreference import ON_TABLE
from ..counting.metrics import Mean, Metric, OneToOne, PerEntity, Related, Whole, registry
from ..matching.nuggets import MAPPINGS
from .anaphors import ANAPHORS, Counts, anaphors, is_zero, kind_of, success
from .bridging import bridging_anaphors, bridging_entities, bridging_mentions, nonreferring
from .sequencing import sequence
from .spans import mor, nuggets
from .split_antecedents import split_lenient, split_links

DEIXIS = "deixis:"  # before the name of a metric: that metric of discourse deixis
SIZES = "b3"  # the metric whose denominators are the sizes of entities
NUGGET = "nugget-"

# How BLANC treats kinds of links that are not there.
LINKS = ("key", "both", "always", "scorch")


def _mean(name: str, title: str, citation: str, of: tuple[str, ...], skip_empty: bool = False) -> Metric:
    return Metric(name, title, citation, "", "identity", Mean(of, skip_empty))


def _related(
    name: str,
    title: str,
    citation: str,
    how: Related | Callable[..., Counts],
    what: str = "mentions",
    layer: str = "identity",
) -> Metric:
    return Metric(name, title, citation, what, layer, how if isinstance(how, Related) else Related(how))


def _bridging(name: str, title: str, function: Callable[..., Counts]) -> Metric:
    how = Related(function, any_mentions=True)
    return _related(f"bridging-{name}", title, "Yu et al. 2022", how, "bridging anaphors", "bridging")


def _nuggets(name: str, title: str) -> Metric:
    how = Related(partial(nuggets, MAPPINGS[name]), maps=True, nuggets=True)
    return _related(NUGGET + name, title, "TAC KBP 2015", how, "event nuggets")


def _sequencing(name: str, kinds: tuple[str, ...], title: str, what: str) -> Metric:
    how = Related(partial(sequence, kinds), maps=True, choices=("mapping", "sequencing"), bounded=False)
    return _related(name, f"event sequencing, {title}", "UzZaman & Allen 2011", how, what)


def _of_kind(word: str) -> Callable[..., Counts] | None:
    kind = kind_of(word)
    return kind and partial(anaphors, kind)


def _among(word: str) -> Callable[..., Counts] | None:
    return partial(success, int(word)) if word.isdecimal() and len(word) <= 9 and int(word) else None


METRICS: dict[str, Metric] = ON_TABLE | registry([
    _mean("blanc", "coreference and non-coreference links", "Luo et al. 2014", ("pairwise", "nonlinks"), True),
    _mean("kbp", "mean of MUC, B³, CEAFe and BLANC", "TAC KBP 2015", ("muc", "b3", "ceafe", "blanc")),
    _mean("conll", "mean of MUC, B³ and CEAFe", "Pradhan et al. 2012", ("muc", "b3", "ceafe")),
    _bridging("anaphors", "bridging anaphors recognised", bridging_anaphors),
    _bridging("mentions", "bridging, antecedent mention right", bridging_mentions),
    _bridging("entities", "bridging, antecedent entity right", bridging_entities),
    _related("non-referring", "non-referring mentions", "Yu et al. 2022", Related(nonreferring, any_mentions=True),
             "non-referring mentions", "non-referring"),
    _related("mor", "mention overlap ratio", "Žabokrtský et al. 2022", mor),
    _related("zeros", "antecedents of zero anaphors", "Tuggener 2014", partial(anaphors, is_zero), "zero anaphors"),
    _related(f"{ANAPHORS}KIND", "antecedents of anaphors of a kind: pronoun, PRON, Animacy=Anim", "Tuggener 2014",
             Related(partial(anaphors, is_zero), template=_of_kind)),
    _nuggets("span", "spans of event nuggets"),
    _nuggets("type", "event nuggets with their type"),
    _nuggets("realis", "event nuggets with their realis"),
    _nuggets("type+realis", "event nuggets with type and realis"),
    _sequencing("after", ("After",), "links After", "links After"),
    _sequencing("subevent", ("Subevent",), "links Subevent", "links Subevent"),
    _sequencing("after+subevent", ("After", "Subevent"), "links of both kinds in one graph", "links After"),
    _related("split-lenient", "members of split antecedents", "Yu et al. 2021", split_lenient, "split antecedents"),
    _related("split-links", "links of split antecedents", "Vala et al. 2016", split_links, "split antecedents"),
    _related("success@N", "antecedent among the first N candidates", "Kolhatkar et al. 2013",
             Related(partial(success, 1), template=_among), "mentions of discourse deixis", "deixis"),
])  # fmt: skip

SEQUENCING = tuple(name for name, each in METRICS.items() if "sequencing" in getattr(each.how, "choices", ()))


def metric(name: str) -> Metric | None:
    """The metric of that name; `success@3` is made from `success@N`, `anaphors:PRON` from `anaphors:KIND`.

    >>> metric("success@3").title, metric("success@0"), metric("deixis:muc")
    ('antecedent among the first N candidates', None, None)
    """
    found = METRICS.get(name)
    if found and not (isinstance(found.how, Related) and found.how.template):
        return found
    for each in METRICS.values():
        how, stem = each.how, each.name.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if isinstance(how, Related) and how.template and name.startswith(stem):
            function = how.template(name.removeprefix(stem))
            return each._replace(name=name, how=how._replace(function=function)) if function else None
    return None


def split_name(name: str) -> tuple[str, str]:
    """The prefix and the rest of a metric's name.

    >>> split_name("deixis:muc"), split_name("muc")
    (('deixis:', 'muc'), ('', 'muc'))
    """
    base = name.removeprefix(DEIXIS)
    return name.removesuffix(base), base


def how_of(name: str) -> object:
    """How the metric of a name counts, with or without a prefix; None if there is none."""
    found = metric(split_name(name)[1])
    return found and found.how


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """The metrics that have to be computed for these metrics and means; a prefix like `deixis:` is kept.

    >>> needed(["conll", "deixis:blanc"])
    ('muc', 'b3', 'ceafe', 'deixis:pairwise', 'deixis:nonlinks')
    """
    found: dict[str, None] = {}
    for name in names:
        prefix, base = split_name(name)
        how = METRICS[base].how if base in METRICS else None
        found.update(dict.fromkeys(prefix + part for part in (needed(how.of) if isinstance(how, Mean) else (base,))))
    return tuple(found)


def on_table(name: str) -> bool:
    """Whether a metric, or all metrics that a mean is made of, are computed from the table of entities."""
    return all(part in METRICS and not isinstance(METRICS[part].how, Related) for part in needed([name]))


def in_all(name: str) -> bool:
    """Whether `all` stands for a metric, too: those on the entities of documents, and their means."""
    return isinstance(METRICS[name].how, PerEntity | OneToOne | Mean)


def unsettled(name: str) -> bool:
    """Whether the scorer ua-1.0 looks up sets like mentions, and its numbers depend on the order of a Python set."""
    base = split_name(name)[1]
    how = METRICS[base].how if base in METRICS else None
    parts = how.of if isinstance(how, Mean) and how.skip_empty else (base,)
    return any(part in METRICS and METRICS[part].rules.finds_sets for part in parts)


def compares_common(names: Iterable[str]) -> list[str]:
    """Those of the metrics that compare clusterings of common mentions."""
    hows = ((name, METRICS[name].how) for name in names if name in METRICS)
    return [name for name, how in hows if isinstance(how, Whole) and how.common]
