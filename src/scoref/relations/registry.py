"""All metrics by their names (`METRICS`), and which metrics have to be counted for a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial

import numpy as np

from ..counting.coreference import ON_TABLE
from ..counting.metrics import Counts, Mean, Metric, OneToOne, PerEntity, Related, Whole, registry
from ..counting.table import build
from ..document.document import Document
from ..matching.assign import assign
from ..matching.lookup import Lookups
from ..matching.nuggets import MAPPINGS, Overlapping
from ..matching.overlap import Candidates

ANAPHORS = "anaphors:"  # a prefix: antecedents of anaphors of a kind
DEIXIS = "deixis:"  # a prefix: the metric on discourse deixis
MENTIONS = "mentions"  # mention detection, which always counts singletons
SIZES = "b3"  # the metric whose denominators are the sizes of entities
NUGGET = "nugget-"

# How BLANC treats a kind of link that does not occur.
LINKS = ("key", "both", "always", "scorch", "maven-ere")


# -- mentions by their words, members of sets -------------------------------------------------------------------------


def mor(key: Document, response: Document, found: Lookups) -> Counts:
    """Mention overlap ratio: the words that mentions share, when paired one to one with the greatest overlap."""
    at: dict[int, list[int]] = {}
    for index, mention in enumerate(response.mentions):
        for place in mention.span:
            at.setdefault(place, []).append(index)
    shared = Counter(
        (k, r) for k, mention in enumerate(key.mentions) for place in mention.span for r in at.get(place, [])
    )
    pairs = np.array(list(shared), np.int64).reshape(len(shared), 2)
    weights = np.array(list(shared.values()), np.float64)
    common = float(weights[assign(pairs[:, 0], pairs[:, 1], weights)].sum())
    ours, theirs = (sum(len(mention.span) for mention in side.mentions) for side in (key, response))
    return common, ours, common, theirs


def loca(key: Document, response: Document, found: Lookups) -> Counts:
    """Localisation: of the words of a mention and its twin those that both have, Σ |k ∩ r| / |k ∪ r|, of all twins."""
    spans = key.mentions.spans, response.mentions.spans
    pairs = [(k, r) for k, r in zip(*found.recall, strict=True) if spans[0][k] and spans[1][r]]
    compared = Candidates(key, response, ((k, [r]) for k, r in pairs))
    alike = float(compared.likeness.sum()) + len(found.recall.key) - len(pairs)  # without words: one name, one mention
    return alike, len(found.recall.key), alike, len(found.recall.key)


def nuggets(attributes: tuple[str, ...], key: Document, response: Document, mapped: Overlapping) -> Counts:
    """Event nuggets found: the Dice coefficients of the greedy mapping of mentions with the same attributes."""
    right = sum(dice for _, _, dice in mapped.greedy(attributes))
    return right, len(key.mentions), right, len(response.mentions)


def split_lenient(key: Document, response: Document, found: Lookups) -> Counts:
    """Members of sets: those that the best partner of a set has too (Yu et al. 2021)."""
    from ..counting.split import best_members, common_members

    tables, ours, theirs = build([(key, response, found)], [0])
    return best_members(common_members(tables.every, ours, theirs), ours, theirs)


def split_links(key: Document, response: Document, found: Lookups) -> Counts:
    """Links from each mention of a set to each of its members (Vala et al. 2016, Yu et al. 2020).

    A member of a response set is the key entity that it shares most mentions with; of several, the first.
    """
    shared = Counter((response.mentions[r].entity, key.mentions[k].entity) for k, r in zip(*found.every, strict=True))
    meant: dict[Hashable, Hashable] = {}
    for (their, our), _ in shared.most_common():
        meant.setdefault(their, our)
    right = 0
    for k, r in zip(*found.recall, strict=True):
        members = key.sets.get(key.mentions[k].entity, ())
        given = {meant.get(member) for member in response.sets.get(response.mentions[r].entity, ())}
        right += len(given & set(members))
    ours, theirs = (sum(len(side.sets.get(each.entity, ())) for each in side.mentions) for side in (key, response))
    return right, ours, right, theirs


# -- what other modules count; few evaluations need them, and they are imported then -----------------------------------


def anaphors(kind: str, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors of a kind with a right antecedent; `kind` is a word that `kind_of` knows, or empty for zeros."""
    from .anaphors import anaphors, is_zero, kind_of

    wanted = kind_of(kind) if kind else is_zero
    assert wanted
    return anaphors(wanted, key, response, found)


def success(number: int, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors with a key antecedent among the first candidates of the response."""
    from .anaphors import success

    return success(number, key, response, found)


def bridging(compared: str, key: Document, response: Document, found: Lookups, **choices: str) -> Counts:
    """Bridging anaphors whose antecedent is the same `mention` or `entity`; any antecedent is right without a word."""
    from .anaphors import bridging, entity_of, mention_of

    by = {"": None, "mention": mention_of, "entity": entity_of}
    return bridging(by[compared], key, response, found, **choices)


def bridging_subtypes(key: Document, response: Document, found: Lookups, given: str = "nothing") -> Counts:
    """Subtypes of bridging anaphors that both sides have."""
    from .anaphors import bridging_subtypes

    return bridging_subtypes(key, response, found, given)


def nonreferring(key: Document, response: Document, found: Lookups) -> Counts:
    """Non-referring mentions of the key that are non-referring in the response too, and the reverse."""
    from .anaphors import nonreferring

    return nonreferring(key, response, found)


def sequence(kinds: tuple[str, ...], key: Document, response: Document, mapped: Overlapping, **choices: str) -> Counts:
    """Links of these kinds that follow from the other side's."""
    from .sequencing import sequence

    return sequence(kinds, key, response, mapped, **choices)


def labelled(group: str, key: Document, response: Document, found: Lookups, twinless: str = "as-is") -> Counts:
    """Ordered pairs of mentions that have a relation of the group with the same label on both sides."""
    from .sequencing import labelled

    return labelled(group, key, response, found, twinless)


# -- the metrics ------------------------------------------------------------------------------------------------------


def _mean(name: str, title: str, citation: str, how: Mean) -> Metric:
    return Metric(name, title, citation, "", "identity", how)


def _related(
    name: str,
    title: str,
    citation: str,
    how: Related | Callable[..., Counts],
    what: str = "mentions",
    layer: str = "identity",
) -> Metric:
    return Metric(name, title, citation, what, layer, how if isinstance(how, Related) else Related(how))


def _bridging(name: str, title: str, compared: str) -> Metric:
    how = Related(partial(bridging, compared), any_mentions=True, choices=("given", "antecedents"))
    return _related(f"bridging-{name}", title, "Yu et al. 2022", how, "bridging anaphors", "bridging")


def _nuggets(name: str, title: str) -> Metric:
    how = Related(partial(nuggets, MAPPINGS[name]), maps=True, nuggets=True)
    return _related(NUGGET + name, title, "TAC KBP 2015", how, "event nuggets")


def _sequencing(name: str, kinds: tuple[str, ...], title: str, what: str) -> Metric:
    how = Related(partial(sequence, kinds), maps=True, choices=("mapping", "sequencing"), bounded=False)
    return _related(name, f"event sequencing, {title}", "UzZaman & Allen 2011", how, what)


def _labelled(name: str, title: str, group: str) -> Metric:
    how = Related(partial(labelled, group), any_mentions=True, choices=("twinless",))
    return _related(name, title, "Wang et al. 2022", how, title)


def _of_kind(word: str) -> Callable[..., Counts] | None:
    from .anaphors import kind_of

    return partial(anaphors, word) if kind_of(word) else None


def _of_subtype(word: str) -> Callable[..., Counts] | None:
    return partial(bridging, "entity", subtype=word) if word else None


def _among(word: str) -> Callable[..., Counts] | None:
    return partial(success, int(word)) if word.isdecimal() and len(word) <= 9 and int(word) else None


METRICS: dict[str, Metric] = ON_TABLE | registry([
    _mean("blanc", "coreference and non-coreference links", "Luo et al. 2014",
          Mean(("pairwise", "nonlinks"), skip_empty=True)),
    _mean("hota", "mentions and links: root of deta × assa", "Luiten et al. 2021",
          Mean(("deta", "assa"), geometric=True)),
    _mean("kbp", "mean of MUC, B³, CEAFe and BLANC", "TAC KBP 2015", Mean(("muc", "b3", "ceafe", "blanc"))),
    _mean("conll", "mean of MUC, B³ and CEAFe", "Pradhan et al. 2012", Mean(("muc", "b3", "ceafe"))),
    _bridging("anaphors", "bridging anaphors recognised", ""),
    _bridging("mentions", "bridging, antecedent mention right", "mention"),
    _bridging("entities", "bridging, antecedent entity right", "entity"),
    _related("bridging-subtypes", "bridging, subtypes of found anaphors", "Levine & Zeldes 2025",
             Related(bridging_subtypes, any_mentions=True, choices=("given",)), "subtypes of bridging", "bridging"),
    _related("bridging:SUBTYPE", "bridging of a subtype, antecedent entity right", "Levine & Zeldes 2025",
             Related(partial(bridging, "entity"), any_mentions=True, choices=("given", "antecedents"),
                     template=_of_subtype), "bridging anaphors of a subtype", "bridging"),
    _related("non-referring", "non-referring mentions", "Yu et al. 2022", Related(nonreferring, any_mentions=True),
             "non-referring mentions", "non-referring"),
    _related("mor", "mention overlap ratio", "Žabokrtský et al. 2022", mor),
    _related("loca", "overlap of mentions with their twins", "Luiten et al. 2021", loca, "common mentions"),
    _related("zeros", "antecedents of zero anaphors", "Tuggener 2014", partial(anaphors, ""), "zero anaphors"),
    _related(f"{ANAPHORS}KIND", "antecedents of anaphors of a kind: pronoun, PRON, Animacy=Anim", "Tuggener 2014",
             Related(partial(anaphors, ""), template=_of_kind)),
    _nuggets("span", "spans of event nuggets"),
    _nuggets("type", "event nuggets with their type"),
    _nuggets("realis", "event nuggets with their realis"),
    _nuggets("type+realis", "event nuggets with type and realis"),
    _sequencing("after", ("After",), "links After", "links After"),
    _sequencing("subevent", ("Subevent",), "links Subevent", "links Subevent"),
    _sequencing("after+subevent", ("After", "Subevent"), "links of both kinds in one graph", "links After"),
    _labelled("temporal", "temporal relations", "temporal"),
    _labelled("causal", "causal relations", "causal"),
    _labelled("subevent-links", "subevent relations", "subevent"),
    _mean("maven-ere", "mean of KBP, temporal, causal and subevent relations", "Wang et al. 2022",
          Mean(("kbp", "temporal", "causal", "subevent-links"))),
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
    """How the metric of that name counts, with or without a prefix; None if there is no such metric."""
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
    """Whether the word `all` includes a metric: those computed from the table for each document, and their means."""
    parts = [METRICS[part] for part in needed([name])]
    return all(isinstance(each.how, PerEntity | OneToOne) and each.rules.repeated != "all" for each in parts)


def unsettled(name: str) -> bool:
    """Whether the scorer ua-1.0 looks up sets like mentions here, so that its numbers depend on the order of a set."""
    base = split_name(name)[1]
    how = METRICS[base].how if base in METRICS else None
    parts = how.of if isinstance(how, Mean) and how.skip_empty else (base,)
    return any(part in METRICS and METRICS[part].rules.finds_sets for part in parts)


def compares_common(names: Iterable[str]) -> list[str]:
    """Those of the metrics that use only mentions that both sides have."""
    hows = ((name, METRICS[name].how) for name in names if name in METRICS)
    return [name for name, how in hows if isinstance(how, Whole) and how.common]


def headline(metrics: Sequence[str]) -> str:
    """The main metric of some: the last average of others, or else the last one.

    >>> headline(("muc", "b3", "ceafe", "conll", "lea")), headline(("muc", "lea"))
    ('conll', 'lea')
    """
    return [*metrics, *(name for name in metrics if isinstance(how_of(name), Mean))][-1]
