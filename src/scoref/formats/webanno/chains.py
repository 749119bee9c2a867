"""Layers of chains: in the column of the relation, `coref->3-2` says that the token is part of link 2 of chain 3."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...document.document import Mention, position
from ...problems import Reporter
from .lines import WebAnnoLayer, WebAnnoTokens, values
from .write import NUMBER

_LINK = re.compile(rf"(.*)->({NUMBER})-({NUMBER})")


def is_chain(layer: WebAnnoLayer) -> bool:
    """Whether a layer has chains."""
    return layer.kind == "#T_CH" and "referenceRelation" in layer.columns


def mentions_of(layers: Sequence[WebAnnoLayer], tokens: WebAnnoTokens, report: Reporter) -> list[Mention]:
    """The mentions of all layers of chains; entities of the second are called `2:1`, `2:2`, ..."""
    links: dict[tuple[int, str, str], tuple[str, list[int]]] = {}  # by layer, chain and number: type, words
    for line, word, _, cells in tokens.rows:
        for number, layer in enumerate(layers):
            relation, kind = layer.columns["referenceRelation"], layer.columns.get("referenceType", 0)
            for link, type in _links(cells[relation], cells[kind] if kind else ""):
                if link is None:
                    report("bad-link", "not a link of a chain", line, cells[relation], '"_", or relation->chain-link')
                    continue
                _, places = links.setdefault((number, *link), (type, []))
                if places[-1:] != [word]:
                    places.append(word)
    return [_mention(*link, *said) for link, said in links.items()]


def _links(relations: str, kinds: str) -> Iterator[tuple[tuple[str, str] | None, str]]:
    """The chain and the link of each relation in a cell, and the type beside it."""
    types = values(kinds)
    for number, relation in enumerate(re.split(r"(?<!\\)\|", relations) if relations not in ("_", "") else ()):
        match = _LINK.fullmatch(relation)
        yield ((match[2], match[3]) if match else None), types[number][0] if number < len(types) else ""


def _mention(layer: int, chain: str, link: str, type: str, places: list[int]) -> Mention:
    entity = f"{layer + 1}:{chain}" if layer else chain
    attributes = (("type", type),) if type else ()
    return Mention(tuple(map(position, places)), entity, f"{entity}-{link}", (), attributes)
