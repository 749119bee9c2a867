"""UIMA CAS in XMI or JSON: chains and relations of INCEpTION and DKPro, entities of CorefAnnotator.

| annotation | what it becomes |
|---|---|
| a type with `first`, links with `next`, `referenceType` | an entity; each link a mention |
| a type with `Governor` and `Dependent`, called coreference | as in WebAnno TSV: entities, bridging, sets |
| `v1.Mention` and `v2.Mention` of CorefAnnotator with their `Entity` | mentions of entities; groups are sets |
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import pairwise

from ...document.document import Document, Mention, Origin, stretch
from ...document.spans import Span, pieces, position, span_of
from ...problems import Problems, Reporter
from ..source import SKIP, Source
from ..webanno.links import RENAMED, AttributedSpan, SpanRelation, is_coreference, joined
from .cas import Cas, Structure, declared_types, structures_of

_COREF_ANNOTATOR = "de.unistuttgart.ims.coref.annotator.api"
_OWN = ("sofa", "begin", "end", "elements", "next", "referenceType", "referenceRelation", "flags", "Flags")
_LABELS = ("type", "label", "relation", "value", "referenceRelation", "Type", "Label")  # of relations


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its name is that of the file."""
    name = re.sub(r"\.(xmi|xml|json)$", "", os.path.basename(source.name.removesuffix(".gz").replace("\\", "/")))
    report = Reporter(problems, source.name, name, SKIP)
    cas = Cas(structures_of(source, report), report)
    document = _chained(cas, report) or _annotated(cas, report) or _related(cas, report)
    if document is None:
        _refuse_unknown(cas, source, report)
        document = Document("")
    lines = {mention.id: cas.structures[str(mention.id)].line for mention in document.mentions}
    known = {id: line for id, line in lines.items() if line is not None}
    named = replace(document, id=name, columns={"text": [cas.text]}, origin=Origin(source.name, 1, (), known))
    yield _in_tokens(named, cas) or named


def _refuse_unknown(cas: Cas, source: Source, report: Reporter) -> None:
    """Refuse a file without coreference, unless its types say that it might have some."""
    types = declared_types(source, report)
    if any(re.search(r"(Chain|CoreferenceLink|v[12]\.Mention)$", name) or is_coreference(name) for name in types):
        return
    there = ", ".join(sorted({each.type.rpartition(".")[2] for each in cas.structures.values()})) or None
    expected = "chains, relations whose type is called coreference, or mentions of CorefAnnotator"
    remedy = "export it with its coreference layer; put TypeSystem.xml beside it, if nothing is annotated"
    raise report.of(None).error("no-entities", "no coreference in this CAS", 1, there, expected, remedy=remedy)


def _span(cas: Cas, structure: Structure) -> Span | None:
    place = cas.place(structure)
    return stretch(place[0], place[1] - 1) if place else None


# -- chains ----------------------------------------------------------------------------------------------------------


def _chained(cas: Cas, report: Reporter) -> Document | None:
    """The entities of chains; those of a second layer are called `2:...`."""
    chains = [each for each in cas.structures.values() if each.type.endswith("Chain")]
    layers = [*dict.fromkeys(each.type for each in chains)]
    seen: set[str] = set()
    mentions: list[Mention] = []
    numbers = Counter[str]()
    for chain in chains:
        numbers[chain.type] += 1
        layer = layers.index(chain.type)
        entity = f"{layer + 1}:" * bool(layer) + str(numbers[chain.type])
        link = cas.of(chain, "first")
        while link is not None:
            if link.id in seen:
                report("repeated-link", "a link that is in two places of chains", link.line, link.shown(), "one")
                break
            seen.add(link.id)
            if (span := _span(cas, link)) is not None:
                type = link.features.get("referenceType", "")
                mentions.append(Mention(span, entity, link.id, (), (("type", type),) if type else ()))
            link = cas.of(link, "next")
    kinds = {cas.structures[id].type for id in seen}
    for each in cas.structures.values():
        if (each.type in kinds or each.type.endswith("CoreferenceLink")) and each.id not in seen:
            report("loose-link", "a link that no chain leads to", each.line, each.shown(), "first or next of a chain")
    return Document("", mentions=mentions) if chains else None


# -- relations -------------------------------------------------------------------------------------------------------


def _related(cas: Cas, report: Reporter) -> Document | None:
    """Entities and bridging of relations between annotations; all annotations of their type are mentions."""
    relations = [each for each in cas.structures.values() if "Governor" in each.features and is_coreference(each.type)]
    ends = [(each, cas.of(each, "Governor"), cas.of(each, "Dependent")) for each in relations]
    types = {end.type for _, *both in ends for end in both if end is not None}
    found: dict[str, AttributedSpan] = {}
    for each in cas.structures.values():
        if each.type in types and (span := _span(cas, each)) is not None:
            said = {RENAMED.get(name, name): value for name, value in each.features.items() if name not in _OWN}
            found[each.id] = span, said
    said_relations = []
    for each, governor, dependent in ends:
        if governor is None or dependent is None or not (governor.id in found and dependent.id in found):
            report("bad-link", "a relation to what is no annotation", each.line, each.shown(), "Governor, Dependent")
            continue
        label = next((each.features[name] for name in _LABELS if name in each.features), "")
        said_relations.append(SpanRelation(label, governor.id, dependent.id))
    if not types:
        return None
    linked = joined(found, said_relations)
    return Document("", mentions=linked.mentions, sets=linked.sets, bridges=linked.bridges, relations=linked.relations)


# -- CorefAnnotator --------------------------------------------------------------------------------------------------


def _annotated(cas: Cas, report: Reporter) -> Document | None:
    """The mentions of entities that CorefAnnotator has; a group of entities is a set."""
    ours = [each for each in cas.structures.values() if each.type.startswith(_COREF_ANNOTATOR)]
    found = [each for each in ours if each.type.endswith(".Mention")]
    entities = [each for each in ours if each.type.endswith((".Entity", ".EntityGroup"))]
    labels = Counter(each.features.get("Label", "") for each in entities)
    names: dict[str, Hashable] = {}
    for each in entities:
        label = each.features.get("Label", "")
        names[each.id] = label if label and labels[label] == 1 else f"{label}#{each.id}"
    mentions = []
    for each in found:
        entity = names.get(each.features.get("Entity", ""))
        surface = cas.list_of(each, "Surface") or [each, *cas.list_of(each, "Discontinuous")]
        spans = [_span(cas, one) for one in surface]
        if entity is None:
            report("bad-link", "a mention without an entity", each.line, each.shown(), "the id of an Entity")
        elif all(spans):
            places = {place for span in spans if span is not None for place in span}
            mentions.append(Mention(span_of(sorted(places)), entity, each.id))
    sets = {}
    for each in entities:
        if each.type.endswith(".EntityGroup"):
            members = cas.list_of(each, "Members") or cas.list_of(each, "Member")
            sets[names[each.id]] = tuple([names[member.id] for member in members if member.id in names])
    used = {mention.entity for mention in mentions}
    sets = {name: members for name, members in sets.items() if members and name in used}
    return Document("", mentions=mentions, sets=sets) if found else None


# -- tokens ----------------------------------------------------------------------------------------------------------


def _in_tokens(document: Document, cas: Cas) -> Document | None:
    """The document with the tokens of the CAS as words; None if it has none, or a mention cuts one."""
    tokens = sorted(place for each in _called(cas, "Token") if (place := cas.place(each)))
    if not tokens or any(one[1] > other[0] for one, other in pairwise(tokens)):
        return None
    first = {begin: number for number, (begin, _) in enumerate(tokens)}
    last = {end: number for number, (_, end) in enumerate(tokens)}
    mentions = []
    for mention in document.mentions:
        words: list[int] = []
        for begin, end in pieces(mention.span):
            if begin not in first or end + 1 not in last:
                return None
            words += range(first[begin], last[end + 1] + 1)
        mentions.append(mention._replace(span=tuple(map(position, words))))
    begins = [begin for begin, _ in tokens]
    starts = {place[0] for each in _called(cas, "Sentence") if (place := cas.place(each))}
    words_ = tuple(["".join(cas.text[begin:end].split()) or "_" for begin, end in tokens])
    sentences = tuple([number for number, begin in enumerate(begins) if begin in starts])
    return replace(document, words=words_, mentions=mentions, sentences=sentences, columns={})


def _called(cas: Cas, name: str) -> Iterator[Structure]:
    return (each for each in cas.structures.values() if each.type.endswith(f".segmentation.type.{name}"))
