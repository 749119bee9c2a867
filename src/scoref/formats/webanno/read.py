"""WebAnno TSV 3, as INCEpTION and GUM write it: layers of chains, or else layers of relations between spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...document.document import Document, Origin
from ...problems import Problems, Reporter
from ..source import SKIP, Source
from .chains import is_chain, mentions_of
from .lines import WebAnnoLayer, layers_of, tokens_of
from .links import is_coreference, linked
from .write import CHAINS


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its name is that of the file."""
    name = re.sub(r"\.tsv$", "", source.name.removesuffix(".gz").replace("\\", "/").rpartition("/")[2])
    lines = source.data.decode().split("\n")
    report = Reporter(problems, source.name, name, SKIP)
    layers = layers_of(lines)
    chains = [layer for layer in layers if is_chain(layer)]
    relations = [layer for layer in layers if layer.base and is_coreference(layer.name)] if not chains else []
    base = relations[0].base if relations else ""
    relations = [layer for layer in relations if layer.base == base]
    spans = [layer for layer in layers if layer.kind == "#T_SP" and layer.name == base]
    if not chains and not spans:
        raise _no_entities(layers, report)
    used = [*chains, *relations, *spans]
    tokens = tokens_of(lines, max(max(layer.columns.values()) for layer in used) + 1, report)
    origin = Origin(source.name, 1, tokens.lines)
    if chains:
        mentions = mentions_of(chains, tokens, report)
        mentions.sort(key=lambda mention: (mention.span[0], -len(mention.span), str(mention.id)))
        yield Document(name, tokens.words, mentions, tuple(tokens.starts), origin=origin)
        return
    found = linked(relations, spans, tokens, report)
    yield Document(
        name, tokens.words, found.mentions, tuple(tokens.starts), sets=found.sets, bridges=found.bridges,
        relations=found.relations, origin=origin,
    )  # fmt: skip


def _no_entities(layers: Sequence[WebAnnoLayer], report: Reporter) -> Exception:
    there = ", ".join(layer.name for layer in layers) or None
    expected = (
        f"#T_CH={CHAINS}|referenceRelation|referenceType, or #T_RL=...Coref|type|BT_... beside its layer of spans"
    )
    remedy = "export the document with its coreference layer"
    message = "no layer of chains, and none of relations that is called coreference"
    return report.of(None).error("no-entities", message, 1, there, expected, remedy=remedy)
