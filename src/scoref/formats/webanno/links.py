"""Layers of relations between spans: identity makes entities, `bridge:SUBTYPE` bridging, sums of others are sets.

`27-20[308_2]` in the column of a span says that annotation 308, which begins at token 27-20, is related to annotation 2
of the cell; the first is the anaphor. A number 0, or no brackets, is the annotation of that token alone.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...document.document import Bridge, Mention, components, position
from ...document.spans import Span, span_of
from ...problems import Reporter
from .lines import TokenRow, WebAnnoLayer, WebAnnoTokens, values
from .write import NUMBER

_NAMED = re.compile(r"coref|anaphor|bridg|ident", re.IGNORECASE)  # layers of relations that are read
IDENTITY = ("", "coref", "ana", "cata", "appos", "pred", "disc", "ident", "identity", "anaphoric", "cataphoric")
_BRIDGE = "bridge"
_SETS = ("aggr", "split")  # subtypes, or values of infstat, of anaphors that stand for all their antecedents
_TARGET = re.compile(rf"({NUMBER}-{NUMBER})(?:\.{NUMBER})?(?:\[({NUMBER})_({NUMBER})\])?")
RENAMED = {"entity": "etype", "": "type"}  # features, as CorefUD files call them
AttributedSpan = tuple[Span, dict[str, str]]


class Linked(NamedTuple):
    """What layers of relations say: mentions, bridging, sets of entities, other relations."""

    mentions: list[Mention]
    bridges: tuple[Bridge, ...]
    sets: dict[Hashable, tuple[Hashable, ...]]
    relations: tuple[tuple[str, str, tuple[str, ...]], ...]


class SpanRelation(NamedTuple):
    """A relation of an anaphor to an antecedent, by their ids, and its label."""

    label: str
    anaphor: str
    antecedent: str


def is_coreference(name: str) -> bool:
    """Whether a layer of relations of that name is one of coreference or bridging."""
    return _NAMED.search(name) is not None


def linked(
    layers: Sequence[WebAnnoLayer], spans: Sequence[WebAnnoLayer], tokens: WebAnnoTokens, report: Reporter
) -> Linked:
    """What these layers of relations say of the spans of the layers that they are on."""
    words = _spans(spans, tokens.rows)
    found = {name: (span_of(map(position, places)), attributes) for name, (places, attributes) in words.items()}
    relations = [each for row in tokens.rows for layer in layers for each in _relations(layer, row, found, report)]
    return joined(found, relations)


def joined(found: Mapping[str, AttributedSpan], relations: Sequence[SpanRelation]) -> Linked:
    """What relations between spans say; every span is a mention."""
    ids = {name: number for number, name in enumerate(found)}
    same = [each for each in relations if each.label in IDENTITY]
    bridging = [each for each in relations if each.label.partition(":")[0] == _BRIDGE]
    groups = components(found, [(each.anaphor, each.antecedent) for each in same])
    entity = {name: str(number) for number, group in enumerate(groups, 1) for name in group}
    mentions = [
        Mention(span, entity[name], name, (), tuple(attributes.items())) for name, (span, attributes) in found.items()
    ]
    summed = {each.anaphor for each in bridging if _is_set(each.label, found[each.anaphor][1])}
    sets: dict[Hashable, tuple[Hashable, ...]] = {}
    for each in bridging:
        if each.anaphor in summed:
            members = (*sets.get(entity[each.anaphor], ()), entity[each.antecedent])
            sets[entity[each.anaphor]] = tuple(dict.fromkeys(members))
    bridges = [
        Bridge(ids[each.anaphor], ids[each.antecedent], (("Rel", each.label.partition(":")[2]),) * (":" in each.label))
        for each in bridging
        if each.anaphor not in summed
    ]
    rest = [each for each in relations if each not in same and each not in bridging]
    others = [(each.label, f"R{number}", (each.anaphor, each.antecedent)) for number, each in enumerate(rest, 1)]
    return Linked(mentions, tuple(bridges), sets, tuple(others))


def _is_set(label: str, attributes: dict[str, str]) -> bool:
    """Whether an anaphor stands for all its antecedents together."""
    return label.partition(":")[2] in _SETS or attributes.get("infstat", "").removeprefix("acc:") in _SETS


def _spans(layers: Sequence[WebAnnoLayer], rows: Sequence[TokenRow]) -> dict[str, tuple[list[int], dict[str, str]]]:
    """The words and the attributes of each span by its id; one without a number is called after its token."""
    found: dict[str, tuple[list[int], dict[str, str]]] = {}
    for row in rows:
        for number, layer in enumerate(layers):
            for feature, column in layer.columns.items():
                for value, id in values(row.cells[column]):
                    words, attributes = found.setdefault(_id(number, row.token, id), ([], {}))
                    if words[-1:] != [row.word]:
                        words.append(row.word)
                    if value:
                        attributes.setdefault(RENAMED.get(feature, feature), value)
    return found


def _relations(layer: WebAnnoLayer, row: TokenRow, known: Container[str], report: Reporter) -> Iterator[SpanRelation]:
    """The relations of a layer to the spans of a row; those to spans that are not there are reported."""
    *features, base = layer.columns.values()
    cell = row.cells[base]
    if cell in ("_", ""):
        return
    labels = values(row.cells[features[0]]) if features else []
    for number, target in enumerate(cell.split("|")):
        match = _TARGET.fullmatch(target)
        source = _id(0, match[1], match[2] or "") if match else ""
        here = _id(0, row.token, (match[3] or "") if match else "")
        if source not in known or here not in known:
            report("bad-link", "a relation to what is no annotation", row.line, target, "sentence-token[from_to]")
        else:
            yield SpanRelation(labels[number][0] if number < len(labels) else "", source, here)


def _id(layer: int, token: str, number: str) -> str:
    name = token if number in ("", "0") else number
    return f"{layer + 1}:{name}" if layer else name
