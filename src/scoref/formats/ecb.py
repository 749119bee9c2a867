"""ECB+ in the XML of the CAT annotation tool: tokens, markables that point to them, relations between markables.

`<token t_id sentence number>` are the words, `<Markables>` the mentions with their `<token_anchor t_id>`, each called
by its type. `<CROSS_DOC_COREF note>` joins its sources and its target to the entity that `note` names, in all documents
alike; `<INTRA_DOC_COREF r_id>` makes an entity of this document. A mention without a relation is an entity of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..document.document import Document, Mention, Origin, position, word_of
from ..document.grouping import comments
from ..problems import Problems, Reporter
from .elements import NOT_XML, parsed
from .source import SKIP, Source, ids_of, only, refusal, with_words

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TOPICS = ("topic", "subtopic")
_CROSS, _INTRA = "CROSS_DOC_COREF", "INTRA_DOC_COREF"
_ANCHOR = "token_anchor"
_OWN = ("m_id", ":line")


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file."""
    root = parsed(source)
    name = root.get("doc_name", "")
    report = Reporter(problems, source.name, name, SKIP)
    if root.tag != "Document":
        message, expected = f"the root is {root.tag}", "<Document doc_name=...>"
        raise report.of(None).error("bad-xml", message, 1, None, expected, remedy="name another format with --format")
    tokens = root.findall("token")
    places = {token.get("t_id"): number for number, token in enumerate(tokens)}
    sentences = [token.get("sentence") for token in tokens]
    starts = [number for number, each in enumerate(sentences) if not number or each != sentences[number - 1]]
    mentions = _mentions(root, places, _entities(root, report), report)
    words = tuple(["".join((token.text or "").split()) or "_" for token in tokens])
    origin = Origin(source.name, 1, [int(token.attrib[":line"]) for token in tokens])
    usual = [sentences[start] for start in starts] == [str(number) for number in range(len(starts))]
    columns = {} if usual else {"sentence": [str(each) for each in sentences]}
    yield Document(name, words, tuple(mentions), tuple(starts), columns, _topics(root, source.name), origin=origin)


def _topics(root: Element, path: str) -> tuple[tuple[int, str], ...]:
    """Topic and subtopic as comments, from the file or else from its name, `1_10ecbplus.xml`."""
    own, file = root.get("doc_name", ""), os.path.basename(path).removesuffix(".gz")
    found = told_by_name(own) or told_by_name(file)
    found |= {field: said for field in TOPICS if (said := root.get(field))}
    return tuple([(0, f"# {field} = {said}") for field, said in found.items()])


def told_by_name(name: str) -> dict[str, str]:
    """Topic and subtopic by the name of a document of ECB+.

    >>> told_by_name("1_10ecbplus.xml"), told_by_name("monday.xml")
    ({'topic': '1', 'subtopic': '1_ecbplus'}, {})
    """
    found = re.fullmatch(r"([0-9]{1,9})_[0-9]{1,9}(ecb(?:plus)?)(?:\.xml)?", name)
    return {"topic": found[1], "subtopic": f"{found[1]}_{found[2]}"} if found else {}


def _shown(element: Element) -> tuple[int, str]:
    """The line of an element, and its tag with its first attribute."""
    first = next((value for name, value in element.attrib.items() if name != ":line"), "")
    return int(element.attrib[":line"]), f"<{element.tag} {first}>"


def _entities(root: Element, report: Reporter) -> dict[str, str]:
    """The entity of each markable that is in a relation."""
    markables = {each.get("m_id") for each in root.iterfind("Markables/*")}
    found: dict[str, str] = {}
    for relation in root.iterfind("Relations/*"):
        if relation.tag not in (_CROSS, _INTRA):
            continue
        own = f"{report.document}:{relation.get('r_id', '')}"
        entity = (relation.get("note") if relation.tag == _CROSS else None) or own
        for end in (*relation.findall("source"), *relation.findall("target")):
            id = end.get("m_id", "")
            if id not in markables:
                message = "a relation to a markable that is not there"
                report("unknown-id", message, *_shown(end), "the m_id of a markable")
            elif found.setdefault(id, entity) != entity:
                expected = f"one relation only: {found[id]} or {entity}"
                report("two-entities", f"markable {id} in two entities", *_shown(end), expected)
    return found


def _mentions(root: Element, places: dict[str | None, int], owners: dict[str, str], report: Reporter) -> list[Mention]:
    """The markables with words, in text order; markables without words only name entities."""
    found: list[Mention] = []
    seen: set[str] = set()
    for markable in root.iterfind("Markables/*"):
        anchors = [anchor.get("t_id") for anchor in markable.findall(_ANCHOR)]
        if not anchors:
            continue
        id = markable.get("m_id", "")
        if id in seen:
            report("repeated-id", f"markable {id} for the second time", *_shown(markable), "an m_id of its own")
            continue
        seen.add(id)
        if not all(anchor in places for anchor in anchors):
            report("unknown-id", "a markable of tokens that are not there", *_shown(markable), "the t_id of tokens")
            continue
        span = tuple([position(place) for place in sorted({places[anchor] for anchor in anchors})])
        others = [(key, value) for key, value in markable.attrib.items() if key not in _OWN and value]
        attributes = (("type", markable.tag), *others)
        found.append(Mention(span, owners.get(id, f"{report.document}:m{id}"), id, (), attributes))
    return sorted(found, key=lambda mention: (mention.span[0], -len(mention.span), str(mention.id)))


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """One document as CAT XML; entities with several mentions become relations across documents, by their names."""
    from xml.sax.saxutils import escape, quoteattr

    document = with_words(only(documents, "an ECB+ file", "write to a folder: --to ecb"))
    _refuse(document)
    said, named = comments(document), told_by_name(document.id)
    topics = "".join(
        f" {each}={quoteattr(said[each])}" for each in TOPICS if said.get(each, named.get(each)) != named.get(each)
    )
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", f"<Document doc_name={quoteattr(document.id)}{topics}>"]
    starts, sentence, number = {*document.sentences}, -1, 0
    numbers = document.columns.get("sentence")
    for index, word in enumerate(document.words):
        sentence, number = (sentence + 1, 0) if index in starts or not index else (sentence, number + 1)
        own = numbers[index] if numbers else str(sentence)
        lines.append(f'<token t_id="{index + 1}" sentence={quoteattr(own)} number="{number}">{escape(word)}</token>')
    lines.append("<Markables>")
    members: dict[str, list[str]] = {}
    for mention, id in zip(document.mentions, ids_of(document), strict=True):
        attributes = dict(mention.attributes)
        tag = attributes.pop("type", "MENTION")
        rest = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        anchors = "".join(f'<{_ANCHOR} t_id="{word_of(place) + 1}"/>' for place in mention.span)
        lines.append(f"<{tag} m_id={quoteattr(id)}{rest}>{anchors}</{tag}>")
        if str(mention.entity) != f"{document.id}:m{id}":
            members.setdefault(str(mention.entity), []).append(id)
    lines += ["</Markables>", "<Relations>"]
    for relation, (entity, each) in enumerate(members.items(), 1):
        ends = "".join(f"<source m_id={quoteattr(id)}/>" for id in each)
        lines.append(f'<{_CROSS} r_id="{relation}" note={quoteattr(entity)}>{ends}</{_CROSS}>')
    text = "\n".join([*lines, "</Relations>", "</Document>", ""])
    if found := re.search(NOT_XML, text):
        message = f"U+{ord(found[0]):04X}, which XML cannot have, in a name or an attribute"
        raise refusal(document, "unwritable-text", message)
    return text


def _refuse(document: Document) -> None:
    name = re.compile(r"[A-Za-z_][\w.-]*")
    for mention in document.mentions:
        places = [word_of(place) for place in mention.span if not place & 255]
        if len(places) < len(mention.span) or not places or places[-1] >= len(document.words):
            message = "a zero, or a mention without words, cannot be written as ECB+"
        elif not all(name.fullmatch(key) for key, _ in mention.attributes if key != "type"):
            message = "an attribute whose name XML cannot have"
        elif not name.fullmatch(dict(mention.attributes).get("type", "MENTION")):
            message = "a type that is no name of an element"
        else:
            continue
        raise refusal(document, "unwritable-mention", message, mention)
    if any(not word or any(letter.isspace() or not letter.isprintable() for letter in word) for word in document.words):
        raise refusal(document, "unwritable-word", "an empty word, or one with blanks, cannot be written as ECB+")
