"""Documents as XMI with the chains of INCEpTION and DKPro, and the types that it needs beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from ...document.document import Document, unit_of, word_of
from ...document.spans import text_order
from ..elements import NOT_XML
from ..source import joined_words, only, refusal, with_words

_DKPRO = "de/tudarmstadt/ukp/dkpro/core/api"
_TYPES = {  # their supertypes and features
    "segmentation.type.Token": ("uima.tcas.Annotation", {}),
    "segmentation.type.Sentence": ("uima.tcas.Annotation", {}),
    "coref.type.CoreferenceLink": (
        "uima.tcas.Annotation",
        {"next": "coref.type.CoreferenceLink", "referenceType": "uima.cas.String",
         "referenceRelation": "uima.cas.String"},
    ),
    "coref.type.CoreferenceChain": ("uima.cas.AnnotationBase", {"first": "coref.type.CoreferenceLink"}),
}  # fmt: skip
_Place = tuple[int, int]
_Placed = tuple[str, list[_Place], list[_Place], Callable[[int, int], _Place]]


def write(documents: list[Document]) -> str:
    """One document with its tokens, sentences and a chain for each entity; the links of a chain are in text order."""
    from xml.sax.saxutils import quoteattr

    document = only(documents, "an XMI file", "write to a folder: --to xmi")
    text, tokens, sentences, at = _places(document)
    units = [0]
    for letter in text:
        units.append(units[-1] + 1 + (letter > "\uffff"))
    elements = [("seg:Token", place, "") for place in tokens] + [("seg:Sentence", place, "") for place in sentences]
    chains: list[int] = []
    for members in document.entities().values():
        links = sorted(members, key=lambda mention: text_order(mention.span))
        chains.append(len(elements) + 2)
        for number, mention in enumerate(links, 1):
            following = f' next="{len(elements) + 3}"' if number < len(links) else ""
            type = dict(mention.attributes).get("type")
            said = f" referenceType={quoteattr(type)}" if type else ""
            elements.append(("coref:CoreferenceLink", at(mention.span[0], mention.span[-1]), f"{following}{said}"))
    lines = ["<?xml version='1.0' encoding='UTF-8'?>",
             '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
             f'xmlns:seg="http:///{_DKPRO}/segmentation/type.ecore" xmlns:coref="http:///{_DKPRO}/coref/type.ecore" '
             'xmi:version="2.0">', '<cas:NULL xmi:id="0"/>']  # fmt: skip
    for number, (name, (begin, end), more) in enumerate(elements, 2):
        lines.append(f'<{name} xmi:id="{number}" sofa="1" begin="{units[begin]}" end="{units[end]}"{more}/>')
    first = len(elements) + 2
    for number, link in enumerate(chains, first):
        lines.append(f'<coref:CoreferenceChain xmi:id="{number}" sofa="1" first="{link}"/>')
    written = quoteattr(text, {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
    lines.append(f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString={written}/>')
    lines.append(f'<cas:View sofa="1" members="{" ".join(map(str, range(2, first + len(chains))))}"/>')
    whole = "\n".join([*lines, "</xmi:XMI>", ""])
    if found := re.search(NOT_XML, whole):
        raise refusal(document, "unwritable-text", f"U+{ord(found[0]):04X}, which XML cannot have, in a text or a type")
    return whole


def _places(document: Document) -> _Placed:
    """The text, where its tokens and sentences are, and a function from the ends of a mention to its place."""
    if unit_of(document) == "characters" and document.columns.get("text"):
        return document.columns["text"][0], [], [], lambda first, last: (word_of(first), word_of(last) + 1)
    worded = with_words(document)
    text, tokens = joined_words(worded)
    starts = sorted({0, *worded.sentences, len(tokens)} & {*range(len(tokens) + 1)})
    sentences = [(tokens[begin][0], tokens[end - 1][1]) for begin, end in pairwise(starts)]
    for mention in document.mentions:
        if word_of(mention.span[-1]) >= len(tokens):
            message = "a mention that ends behind the document cannot be written as XMI"
            raise refusal(document, "unwritable-mention", message, mention)
    if any(not word or any(map(str.isspace, word)) for word in worded.words):
        raise refusal(document, "unwritable-word", "an empty word, or one with blanks, cannot be written as XMI")
    return text, tokens, sentences, lambda first, last: (tokens[word_of(first)][0], tokens[word_of(last)][1])


def beside(documents: list[Document]) -> dict[str, str]:
    """The declaration of the types that the file uses."""
    prefix = _DKPRO.replace("/", ".")
    lines = ["<?xml version='1.0' encoding='UTF-8'?>",
             '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">', "<types>"]  # fmt: skip
    for name, (parent, features) in _TYPES.items():
        lines.append(f"<typeDescription><name>{prefix}.{name}</name><description/>")
        lines.append(f"<supertypeName>{parent}</supertypeName><features>")
        for feature, kind in features.items():
            wanted = kind if kind.startswith("uima.") else f"{prefix}.{kind}"
            lines.append(f"<featureDescription><name>{feature}</name><description/>")
            lines.append(f"<rangeTypeName>{wanted}</rangeTypeName></featureDescription>")
        lines.append("</features></typeDescription>")
    return {".typesystem.xml": "\n".join([*lines, "</types>", "</typeSystemDescription>", ""])}
