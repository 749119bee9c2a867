"""DocBin of spaCy: all documents of a file, with an entity for each group of spans `coref_clusters_...`."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...document.document import Document, Mention, Origin
from ...problems import Problems, Reporter
from ..source import MOST, SKIP, Misread, Source
from .packing import loads, number_of, unpacked

_ORTH, _SENT_START = 65, 80  # the attributes of tokens that are read
_GROUP = re.compile(r"coref_(?:head_)?clusters_(.+)")
_EXPECTED = "a DocBin as spaCy 3 writes it"


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents in their order; they have numbers, as a DocBin has no names."""
    report = Reporter(problems, source.name, remedy=SKIP)
    try:
        data = unpacked(source.data, MOST)
        if data is None:
            message = f"a file of {len(source.data)} bytes that is more than {MOST} unpacked"
            raise report.error("too-large", message, remedy="check the file")
        found = loads(data)
        words = {number_of(text): text for text in found["strings"]}
        lengths = np.frombuffer(found["lengths"], "<i4").tolist()
        attributes = found["attrs"]
        tokens = np.frombuffer(found["tokens"], "<u8").reshape(-1, len(attributes))
        groups = found.get("span_groups") or [b"\x80"] * len(lengths)
        if min(lengths, default=0) < 0 or sum(lengths) != len(tokens) or len(groups) != len(lengths):
            raise ValueError("numbers of tokens or of groups that do not fit")
        orth = tokens[:, attributes.index(_ORTH)]
        starts = tokens[:, attributes.index(_SENT_START)] if _SENT_START in attributes else np.zeros_like(orth)
    except (ValueError, KeyError, TypeError, AttributeError) as reason:
        message = f"not a DocBin: {reason}"
        raise report.error("bad-docbin", message, None, None, _EXPECTED, remedy="write it again") from None
    at, grouped = 0, False
    for number, (length, group) in enumerate(zip(lengths, groups, strict=True), 1):
        here = slice(at, at + length)
        at += length
        own = report.of(str(number))
        texts = [words.get(value, "") for value in orth[here].tolist()]
        if unknown := sum(not text for text in texts):
            message = f"{unknown} words that are names of spaCy's symbols, or not in the file: _ is read for each"
            own("unknown-word", message, expected="words among the strings of the file", remedy="", fatal=False)
        sentences = np.flatnonzero(starts[here] == 1).tolist()
        try:
            named = [*_groups(loads(group))]
            mentions = [mention for name, spans in named for mention in _mentions(name, spans, length)]
        except (Misread, ValueError, struct.error, KeyError, TypeError) as reason:
            shown = reason.args[2] if isinstance(reason, Misread) else None
            message = (
                reason.args[1] if isinstance(reason, Misread) else f"groups of spans that cannot be used: {reason}"
            )
            own("bad-mention", message, None, shown, f"spans within {length} tokens")
            continue
        grouped |= bool(named)
        plain = tuple(["".join(text.split()) or "_" for text in texts])
        origin = Origin(source.name, numbered=True)
        yield Document(str(number), plain, mentions, tuple(sentences), origin=origin)
    if not grouped:
        expected, remedy = "groups of spans coref_clusters_1, ...", "keep them: DocBin(docs=docs) of spaCy 3.1 or later"
        raise report.error("no-entities", "no document has coreference", None, None, expected, remedy=remedy)


def _groups(groups: Any) -> Iterator[tuple[str, list[bytes]]]:
    """The names of entities and their spans; a file has a group once for all the names that it has."""
    if isinstance(groups, list):  # spaCy 3.1 and 3.2
        groups = {each: [] for each in groups}
    if not isinstance(groups, Mapping):
        raise ValueError("no groups")
    for packed, names in groups.items():
        group = loads(packed)
        for name in names or [group["name"]]:
            if entity := _GROUP.fullmatch(name):
                yield entity[1], group["spans"]


def _mentions(entity: str, spans: list[bytes], length: int) -> Iterator[Mention]:
    for span in spans:
        first, end = struct.unpack_from(">ll", span, len(span) - 16)
        if not 0 <= first < end <= length:
            raise Misread("bad-mention", "a span outside of its document", f"{entity} {first} {end}", "")
        yield Mention.at(first, end - 1, entity)
