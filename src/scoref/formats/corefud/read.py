"""CorefUD 1.x: coreference in the MISC column of CoNLL-U files.

`# global.Entity = eid-etype-head-other` names the fields of an opening bracket; `Entity=(e5-person-2-`, closed by
`e5)`, is a mention of entity e5 whose head is its second node, `(e5-person-1-)` one of a single node, `(e5[1/2]-` a
piece of a discontinuous one. `SplitAnte=e1<e3,e2<e3` makes e3 the set of e1 and e2; `Bridge=e2<e5:part` makes the
mention of e5 that begins there a bridging anaphor to e2. Empty nodes (`3.1`) are nodes like words; a mention whose head
is one is a zero. The header holds for its document and for those after it that have none.

Lines and cells are found by array operations on the bytes of the file; Python looks at words, annotations, empty nodes
and comments only.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator

import numpy as np

from ...document.document import Bridge, Document, Origin
from ...document.mentions import AnyMentions
from ...problems import Problems, Reporter
from ..source import SKIP, Source, is_new
from .brackets import FileBrackets
from .entities import EntityHeader, OpenMentions
from .lines import ConlluLines, ConlluTexts, DocumentNodes
from .write import GLOBAL


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CorefUD file."""
    file = Reporter(problems, source.name, remedy=SKIP)
    lines = ConlluLines(source.data)
    remarks = lines.remarks
    headers = [line for line, text in remarks.items() if "global" in text and GLOBAL.match(text)]
    parts = _parts(lines, file)
    if not parts:
        return
    names: dict[str, int] = {}
    header = EntityHeader(remarks[headers[0]], headers[0] + 1) if headers else None
    texts = ConlluTexts(lines, [begin for begin, _, _ in parts])
    alike = header is not None and header.index == 0 and len({remarks[line] for line in headers}) == 1
    brackets = FileBrackets(texts, header.meaning) if header and alike else None
    for index, (begin, line, written) in enumerate(parts):
        name = written or str(index + 1)
        report = file.of(name)
        if not is_new(name, line + 1, names, report):
            continue
        nodes = DocumentNodes(texts, index, report)
        own = headers[bisect_left(headers, begin) : bisect_left(headers, nodes.end)]
        if own and (header is None or remarks[own[-1]] != header.text):
            header = EntityHeader(remarks[own[-1]], own[-1] + 1)
        elif header and not own:
            nodes.others.insert(0, (0, header.text))
        plain = brackets if brackets and not brackets.odd[index] and not nodes.bad_nodes else None
        mentions = plain.mentions(index) if plain else OpenMentions(nodes, header).read_all()
        yield _document(nodes, name, mentions, line + 1, source.name)


def _parts(lines: ConlluLines, report: Reporter) -> list[tuple[int, int, str]]:
    """The documents of a file: the first line of each, the line with its name, the name, empty if it has none."""
    parts = [(_block(lines, line), line, (name or "").strip()) for line, name in lines.newdocs.items()]
    tokens = np.flatnonzero(lines.number)
    if len(tokens) and (not parts or tokens[0] < parts[0][1]):
        message, expected = "sentences before any document", "# newdoc id = NAME"
        report("no-newdoc", message, int(tokens[0]) + 1, None, expected, fatal=False)
        parts.insert(0, (0, 0, ""))
    return [(0, *parts[0][1:]), *parts[1:]] if parts else []


def _block(lines: ConlluLines, line: int) -> int:
    """The first of the comments that this one stands with."""
    while line - 1 in lines.remarks:
        line -= 1
    return line


def _document(nodes: DocumentNodes, name: str, mentions: AnyMentions, line: int, path: str) -> Document:
    sentences, others = tuple(nodes.sentences), tuple(nodes.others)
    sets, bridges = _sets(nodes, mentions), tuple(_bridges(nodes, mentions))
    origin = Origin(path, line, array("q", (nodes.word_lines + 1).tobytes()))
    return Document(name, nodes.words, mentions, sentences, nodes.columns, others, sets, bridges=bridges, origin=origin)


def _sets(nodes: DocumentNodes, mentions: AnyMentions) -> dict[Hashable, tuple[Hashable, ...]]:
    splits = nodes.values("SplitAnte")
    order = {entity: number for number, entity in enumerate(mentions.names if splits else ())}
    sets: dict[Hashable, dict[Hashable, None]] = {}
    for line, _, value in splits:
        for pair in value.split(","):
            member, less, entity = pair.partition("<")
            if not less or member not in order or entity not in order:
                message, expected = "a split antecedent from or to an entity that is not there", "SplitAnte=e1<e3,e2<e3"
                nodes.report("bad-split", message, line + 1, f"SplitAnte={pair}", expected, fatal=not less)
            else:
                sets.setdefault(entity, {})[member] = None
    return {entity: tuple(sorted(members, key=order.__getitem__)) for entity, members in sets.items()}


def _bridges(nodes: DocumentNodes, mentions: AnyMentions) -> Iterator[Bridge]:
    """Bridges from the mention that begins where one is written to the nearest mention of the antecedent."""
    links = nodes.values("Bridge")
    if not links:
        return
    firsts = [span[0] for span in mentions.spans]
    entities = mentions.entities
    of: dict[Hashable, list[int]] = {name: [] for *_, value in links for name in re.split("[,<:]", value)}
    for index, entity in enumerate(entities):
        if entity in of:
            of[entity].append(index)
    for line, node, value in links:
        here, after = bisect_left(firsts, nodes.places[node]), bisect_right(firsts, nodes.places[node])
        for link in value.split(","):
            names, _, relation = link.partition(":")
            antecedent, _, anaphor = names.partition("<")
            targets = of.get(antecedent, [])
            nearest = max(bisect_left(targets, after) - 1, 0)
            start = next((index for index in range(here, after) if entities[index] == anaphor), None)
            if not targets or start is None or antecedent == anaphor:
                message = "bridging to or from an entity not there"
                expected = "Bridge=e2<e5:relation, with a mention of e5 that begins here"
                nodes.report("bad-bridge", message, line + 1, f"Bridge={link}", expected, fatal=False)
            else:
                yield Bridge(start, targets[nearest], (("Rel", relation),) if relation else ())
