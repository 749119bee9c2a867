"""Whether both sides have the attributes and heads by which a protocol matches mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product

from ..document.document import Document, about
from ..document.heads import Trees, lacks_heads
from ..matching.nuggets import MAPPINGS, NOT_ANNOTATED, value
from ..pairing.pairs import Pair
from ..pairing.reading import Files
from ..problems import Problems
from ..protocol.protocol import Protocol


def _unanswered(protocol: Protocol, files: Files) -> tuple[str, Document] | None:
    """An attribute that is matched but that one side lacks entirely, and the first document of that side; else None.

    If neither side has the attribute, all mentions agree in it.
    """
    compared = MAPPINGS[protocol.matching.mapping] if protocol.matching.match == "dice" else ()
    for attribute in compared:
        sides = [[*chain.from_iterable(each)] for each in zip(*(file[1:] for file in files), strict=True)]
        values = [{found for each in side for found in _values(each, attribute)} for side in sides]
        for side, own, other in zip(sides, values, reversed(values), strict=True):
            if own == {""} and other - {"", NOT_ANNOTATED}:  # a value marked as not annotated agrees with all
                return attribute, next(each for each in side if each.mentions or each.origin.reply)
    return None


def _values(document: Document, attribute: str) -> Iterator[str]:
    """The values of an attribute in a document; mentions of answers, which are not read yet, have none."""
    yield from (value(mention, attribute) for mention in document.mentions)
    yield from [""] if document.origin.reply else ()


def answerable(protocol: Protocol, plain: Protocol | None, files: Files, problems: Problems) -> Protocol:
    """The protocol, if both sides have what it compares; else the `plain` one, with a note.

    Without a `plain` one, because the user asked for the protocol by name, it is an error.
    """
    lack = _unanswered(protocol, files)
    if lack is None:
        return protocol
    attribute, document = lack
    compares = f"{protocol.name} compares the {attribute} of mentions"
    expected = f"mentions with a {attribute}, as on the other side: none has one here"
    if plain is None:
        remedy = "leave out --protocol, and coreference is scored without it, or choose --match exact"
        raise about(document, remedy=remedy).error(f"no-{attribute}", compares, document.line, None, expected)
    report = about(document, problems, f"add the {attribute} of each mention, or choose another with --protocol NAME")
    message = f"scored by {plain.name}: {compares}, and is not answered"
    report("default-protocol", message, document.line, None, expected, fatal=False)
    return plain


def refuse_lacking(pairs: Sequence[Pair], fields: Sequence[str]) -> None:
    """Refuse mentions that must agree in an attribute that no mention of a side has: none would match."""
    for number, field in product((0, 1), fields):
        documents = [side for pair in pairs for side in _layers((pair.key, pair.response)[number]) if side.mentions]
        has = {name for side in documents for attributes in side.mentions.attributes for name, _ in attributes}
        if documents and field not in has:
            report = about(documents[0], remedy="give mentions the attribute, or leave it out of --agree")
            message = f"mentions must agree in {field}, which no mention of the {('key', 'response')[number]} has"
            expected = f"an attribute {field}; there are {', '.join(sorted(has)) or 'none'}"
            raise report.of(None).error("no-attribute", message, None, None, expected)


def _layers(document: Document) -> list[Document]:
    return [document, document.deixis] if document.deixis else [document]


def refuse_unequal_heads(pairs: Sequence[Pair], protocol: Protocol) -> None:
    """Refuse to match by heads if one side has none, and the key has no trees to find them."""
    for pair in pairs:
        sides = [side for side in (pair.key, pair.response) if side.mentions]
        lacking = [side for side in sides if lacks_heads(side)]
        if 0 < len(lacking) < len(sides) and Trees.of(pair.key) is None:
            remedy = "use --heads none or --match partial, or give the key its dependency trees"
            report = about(lacking[0], remedy=remedy)
            message = f"{protocol.name} compares the heads of mentions, and this document has none"
            expected = "heads, or a key with the column HEAD, from which those of both sides are taken"
            raise report.error("no-heads", message, lacking[0].line, None, expected)
