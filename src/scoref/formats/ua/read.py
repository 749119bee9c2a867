"""CONLL-UA files, the exchange format of Universal Anaphora: one token a line, a column for each kind of annotation.

| column | what is read |
|---|---|
| `ID` | a whole number, or one with a dot for an empty node (a zero) |
| `FORM` | the word |
| `IDENTITY` | mentions: `(EntityID=1|MarkableID=m1|Min=2,3|ElementOf=7`, closed by `)` or by `m1)` |
| `BRIDGING` | `(MarkableID=m5|Rel=poss|MentionAnchor=m2|EntityAnchor=2)` |
| `DISCOURSE_DEIXIS` | mentions, as in `IDENTITY` |
| `REFERENCE`, `NOM_SEM` | attributes of a mention, named by its `MarkableID` |

The order of columns is that of `# global.columns`; columns that a file does not have are empty, others are kept for
conversion. Cells are separated by tabs, or by blanks in lines that have no tab. An entity whose name ends in `-Pseudo`
is non-referring. A markable that is opened again has another piece. `Min` counts the tokens of the document from 1.

Lines and cells are found by array operations on the bytes of the file; Python looks at comments and, column by column,
at annotations. Words and other columns are cut out of the bytes on demand.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterator
from dataclasses import replace
from operator import itemgetter

import numpy as np

from ...document.document import Bridge, Document, Mention, Origin, Span, stretch, word_of
from ...document.mentions import Attributes
from ...document.spans import is_stretch, span_of
from ...problems import Problems, Reporter
from ..source import SKIP, Misread, Source, is_new
from .lines import NEEDED, UACells, UAColumns, UANodes, UATable, UAText
from .markables import Layer, Markable, attributes_of, cut_brackets, merged, pairs
from .write import ATTRIBUTES, LAYERS, NAMED, NEWDOC, PSEUDO, STANDARD

_DESCRIPTION = re.compile(r"\(MarkableID=([^|()]+)\|([^()]*)\)?")
_MINIMUM = re.compile(r"(\d{1,9})(?:,(\d{1,9}))?")


# -- documents -------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CONLL-UA file."""
    file = UACells(source.data)
    report = Reporter(problems, source.name, remedy=SKIP)
    columns = STANDARD
    tables: dict[tuple[str, ...], UATable] = {columns: UATable(file, columns)}
    names: dict[str, int] = {}
    text = UAText(None, 0, 0, columns)
    for line, written in file.lines.comments().items():
        if line in tables[columns].hashed:
            continue
        header = NEWDOC.match(written) if "newdoc" in written else None
        named = NAMED.match(written) if "global" in written else None
        if header:
            yield from _finished(text, line, tables[text.columns], names, report.of(text.name))
            if not header[1]:
                message, expected = "a document without a name", "# newdoc id = NAME"
                report.of(text.name)("unnamed-document", message, line + 1, written, expected)
            before = text.comments if text.name is None else []
            text = UAText((header[1] or "").strip(), line, line, columns, before)
        elif named:
            columns = tuple(named[1].split())
            if not {*columns} >= {*NEEDED}:
                misread = Misread("missing-column", "a needed column is missing", written, "ID, FORM and IDENTITY")
                text.wrong.append((line, 0, misread))
                columns = STANDARD
            if columns not in tables:
                tables[columns] = UATable(file, columns)
            if not len(tables[text.columns].words(text.begin, line)):
                if text.name is not None:
                    text.wrong += tables[text.columns].wrong_lines(text.begin, line)
                text.columns, text.begin = columns, line
        else:
            text.comments.append((line, written.rstrip()))
    yield from _finished(text, len(file.token), tables[text.columns], names, report.of(text.name))


def _finished(text: UAText, end: int, table: UATable, names: dict[str, int], report: Reporter) -> Iterator[Document]:
    """The finished document; errors in its lines are reported in the order of lines."""
    nodes = UANodes(text, end, table)
    layers = [Layer(nodes, column) for column in LAYERS] if text.name is not None else []
    for line, _, misread in sorted(text.wrong, key=lambda wrong: wrong[:2]):
        misread.report_to(report, line + 1)
    if text.name is None or not is_new(text.name, text.line + 1, names, report):
        return
    identity, deixis = layers
    starts = np.flatnonzero(np.diff(table.file.sentence[nodes.words], prepend=-1))
    before = np.searchsorted(nodes.words, [line for line, _ in text.comments]).tolist()
    document = Document(
        text.name,
        table.cells("FORM", nodes.words),
        sentences=tuple(starts.tolist()),
        columns=UAColumns(table, nodes.words),
        comments=tuple(zip(before, [comment for _, comment in text.comments], strict=True)),
        origin=Origin(report.path, text.line + 1, array("q", (nodes.words + 1).tobytes())),
    )
    described = _described(nodes, identity.markables, report)
    if deixis.markables:
        document = replace(document, deixis=_with_layer(replace(document, comments=()), nodes, deixis, {}, report))
    document = _with_layer(document, nodes, identity, described, report)
    yield replace(document, bridges=tuple(_bridges(nodes, document, report)))


# -- mentions --------------------------------------------------------------------------------------------------------


def _with_layer(
    document: Document, nodes: UANodes, layer: Layer, described: dict[str, Attributes], report: Reporter
) -> Document:
    for markable in layer.open:
        message, name = "mention never closed", f"MarkableID={markable.id}"
        report("unclosed-mention", message, markable.line + 1, name, '")" before the document ends')
        if layer.markables.get(markable.id) is markable:
            del layer.markables[markable.id]
    mentions = [_mention(markable, described.get(markable.id), nodes, report) for markable in layer.markables.values()]
    entities = dict.fromkeys([mention[1] for mention in mentions])
    order = {entity: number for number, entity in enumerate(entities)} if layer.elements else {}
    elements = layer.elements.items()
    sets = {entity: tuple(sorted(members, key=lambda name: order.get(name, 0))) for entity, members in elements}
    silent = frozenset(entity for entity in entities if str(entity).endswith(PSEUDO))
    return replace(document, mentions=tuple(mentions), sets=sets, nonreferring=silent)


def _mention(markable: Markable, more: Attributes | None, nodes: UANodes, report: Reporter) -> Mention:
    attributes = merged(markable.attributes, more) if more else markable.attributes
    least = _MINIMUM.fullmatch(markable.minimum) if markable.minimum else None
    if markable.minimum and not least:
        message, written = "a Min that is not one or two token numbers", f"Min={markable.minimum}"
        report("bad-minimum", message, markable.line + 1, written, "Min=4 or Min=4,6")
    span = nodes.span(markable.pieces)
    fields = span, markable.entity, markable.id, _least(least, span) if least else (), attributes, None, ()
    return tuple.__new__(Mention, fields)  # several times as fast as calling Mention


def _least(written: re.Match[str], span: Span) -> Span:
    """The positions of a minimum span, if it is within its mention."""
    first, last = int(written[1]) - 1, int(written[2] or written[1]) - 1
    if is_stretch(span):
        return stretch(first, last) if word_of(span[0]) <= first <= last <= word_of(span[-1]) else ()
    within = {first, last} <= {*map(word_of, span)}
    return span_of(place for place in span if first <= word_of(place) <= last) if within else ()


# -- other columns ---------------------------------------------------------------------------------------------------


def _described(nodes: UANodes, markables: dict[str, Markable], report: Reporter) -> dict[str, Attributes]:
    """The columns REFERENCE and NOM_SEM as attributes of mentions: `REFERENCE.Name`, `NOM_SEM.Name`."""
    described: dict[str, Attributes] = {}
    cells = [(line, name, cell) for name in ATTRIBUTES for _, line, cell in nodes.column(name) if cell != ")"]
    for line, name, cell in sorted(cells, key=itemgetter(0)):
        usual = _DESCRIPTION.fullmatch(cell)
        more = pairs(usual[2], f"{name}.") if usual else None
        if usual and more is not None and usual[1] in markables:
            described[usual[1]] = merged(described.get(usual[1], ()), more)
            continue
        for _, found in _openers(cell, line, report):
            id = found.pop("MarkableID", "")
            if id not in markables:
                message, expected = f"{name} of a mention that is not there", "a MarkableID of the IDENTITY column"
                report("unknown-markable", message, line + 1, cell, expected, fatal=False)
            else:
                more = tuple((f"{name}.{attribute}", value) for attribute, value in found.items())
                described[id] = merged(described.get(id, ()), more)
    return described


def _openers(cell: str, line: int, report: Reporter) -> Iterator[tuple[str, dict[str, str]]]:
    """Each opener in a cell of REFERENCE, NOM_SEM or BRIDGING, with or without brackets, and its attributes."""
    brackets, wrong = cut_brackets(cell if "(" in cell or "=" not in cell else f"({cell}")
    for misread in wrong:
        misread.report_to(report, line + 1)
    for opener in [opener for _, opener, _, _ in brackets if opener]:
        try:
            yield opener, attributes_of(opener)
        except Misread as misread:
            misread.report_to(report, line + 1)


def _bridges(nodes: UANodes, document: Document, report: Reporter) -> Iterator[Bridge]:
    index: dict[Hashable, int] = {mention.id: number for number, mention in enumerate(document.mentions)}
    for line, cell in [(line, cell) for _, line, cell in nodes.column("BRIDGING") if cell != ")"]:
        for opener, attributes in _openers(cell, line, report):
            ends = [attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor")]
            if not index.keys() >= {*ends}:
                message = "bridging from or to a mention that is not there"
                expected = "MarkableID and MentionAnchor of the IDENTITY column"
                report("unknown-markable", message, line + 1, f"({opener}", expected, fatal=False)
            else:
                yield Bridge(index[ends[0]], index[ends[1]], tuple(attributes.items()))
