"""Documents as the text of a CONLL-UA file, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from itertools import chain

from ...document.document import INITIAL, Document, Mention, stretch, word_of
from ...document.spans import is_stretch
from ...problems import Error
from ..columnar import columns_of, intact, rows, woven
from ..source import OTHER_FORMAT, first_crossing, numbered_pieces, refusal, remark, size_of

STANDARD = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")
NAMED = re.compile(r"#\s*global\.columns\s*=\s*(.*)$")
_NO_COMMENT = re.compile(rf"{NEWDOC.pattern}|{NAMED.pattern}|#\s*begin document")
LAYERS = ("IDENTITY", "DISCOURSE_DEIXIS")
ATTRIBUTES = ("REFERENCE", "NOM_SEM")
PSEUDO = "-Pseudo"
MOST = 255
_UNNAMED = re.compile(r"[()|\s]")
_BREAK = re.compile(r"[\t\n\r]")
_Spans = list[tuple[int, int]]


def write(documents: list[Document]) -> str:
    """Documents as the text of a CONLL-UA file; if mentions cross, closing brackets name their mention."""
    others = dict.fromkeys(name for document in documents for name in document.columns if name not in STANDARD)
    columns = (*STANDARD, *others)
    if any(re.search(r"\s", name) or not name for name in columns):
        message = "a column without a name, or with a blank in it, cannot be written as CONLL-UA"
        raise Error("unwritable-name", message, text=" ".join(columns), remedy=OTHER_FORMAT)
    texts = [(document, document.deixis or Document("")) for document in documents]
    orders = [_order(layers) for layers in texts]
    pieces = [tuple(_pieces(layer, order) for layer in layers) for layers, order in zip(texts, orders, strict=True)]
    # whether some mention begins inside another and ends behind it
    crossing = any(first_crossing(chain.from_iterable(each)) is not None for each in chain.from_iterable(pieces))
    lines = [f"# global.columns = {' '.join(columns)}"]
    for layers, order, each in zip(texts, orders, pieces, strict=True):
        lines += _lines(layers, order, each, columns, crossing)
    return "\n".join(lines) + "\n"


def _order(layers: tuple[Document, ...]) -> dict[int, int]:
    """The number of the line of each place: the words, and the empty nodes of mentions."""
    size = size_of(layers[0])  # first, as it refuses mentions that end too far away
    spans = [span for layer in layers for span in layer.mentions.spans if span]
    size = max([size, *(word_of(span[-1]) + 1 for span in spans)])
    places = {place for span in spans if not is_stretch(span) for place in span}
    return {place: number for number, place in enumerate(sorted({*stretch(0, size - 1), *places}))}


def _refused(document: Document, code: str, message: str, text: str) -> Error:
    message = f"{message} cannot be written as CONLL-UA"
    return refusal(document, code, message, text=text, remedy="change it, or choose another format")


def _pieces(document: Document, order: dict[int, int]) -> list[_Spans]:
    """The first and last line of each piece of each mention; nothing for one without positions."""
    return [numbered_pieces(span, order) if span else [] for span in document.mentions.spans]


def _lines(
    layers: tuple[Document, Document],
    order: dict[int, int],
    pieces: tuple[list[_Spans], ...],
    columns: tuple[str, ...],
    crossing: bool,
) -> list[str]:
    document = layers[0]
    if not document.id or document.id != document.id.strip() or re.search(r"[\n\r]", document.id):
        raise _refused(document, "unwritable-name", "a document without a name, or with blanks around it,", document.id)
    places = [*order]
    each = zip(LAYERS, layers, pieces, strict=True)
    filled = {name: _brackets(layer, places, some, crossing) for name, layer, some in each}
    filled |= _extra_columns(document)
    empty = [place for place in places if place & MOST]
    size = len(order) - len(empty)
    before: dict[int, list[str]] = {}
    for place in empty:
        before.setdefault(word_of(place) + 1, []).append(_empty(place, columns, filled))
    for start in {*document.sentences}.intersection(range(1, size)):
        before.setdefault(start, []).append("")
    for word, comment in document.comments:
        if comment.startswith("#"):
            before.setdefault(min(word, size), []).append(remark(comment, _NO_COMMENT))
    before.setdefault(size, []).append("")
    return [f"# newdoc id = {document.id}", *woven(_rows(document, size, columns, filled), before)]


def _empty(place: int, columns: tuple[str, ...], filled: dict[str, dict[int, str]]) -> str:
    """The line of an empty node."""
    word, number = word_of(place), place & MOST
    cells = [filled[name].get(place, "_") if name in filled else "_" for name in columns[2:]]
    return "\t".join([f"{word + 1}.{number % INITIAL if word < 0 else number}", "_", *cells])


def _rows(document: Document, size: int, columns: tuple[str, ...], filled: dict[str, dict[int, str]]) -> list[str]:
    """The line of each word, its cells in the order of the columns."""
    known, forms = columns_of(document), [*document.words] or ["_"] * size
    cells: list[Sequence[str] | str] = [[*map(str, range(1, size + 1))], forms]
    for name in columns[2:]:
        own = [] if name in filled else [*known.get(name, ())][:size]  # a whole text is not a column of words
        if own or filled.get(name):
            own += ["_"] * (size - len(own))
            for place, cell in filled.get(name, {}).items():
                if not place & MOST:
                    own[word_of(place)] = cell
        cells.append(own or "_")
    lines = rows(cells, size)
    bare = [form.strip(" ") for form in forms]
    if bare != forms or not all(forms) or not intact(lines, len(cells) * size, b"\t\n\r"):
        message = "a word or cell with line breaks, tabs or blanks around it"
        form = next(
            form
            for form, *row in zip(forms, *(column for column in cells if not isinstance(column, str)), strict=True)
            if any(map(_BREAK.search, row)) or form != (form.strip(" ") or "_")
        )
        raise _refused(document, "unwritable-word", message, form)
    return lines


def _opener(document: Document, pairs: list[tuple[str, str]]) -> str:
    written = [f"{name}={value}" for name, value in pairs]
    if _UNNAMED.search("".join(written)) or any("=" in name or not name for name, _ in pairs):
        raise _refused(document, "unwritable-entity", "a name or value with blanks or brackets", str(pairs[0][1]))
    if "EntityID=" in written or "MarkableID=" in written:
        raise _refused(document, "unwritable-entity", "an entity or a mention whose name is empty", str(pairs[0]))
    return "(" + "|".join(written)


def _name(document: Document, entity: Hashable) -> str:
    return str(entity) + PSEUDO * (entity in document.nonreferring and not str(entity).endswith(PSEUDO))


def _ids(document: Document) -> list[str]:
    ids = [f"m{number}" if id is None else str(id) for number, id in enumerate(document.mentions.ids, 1)]
    return ids if len(set(ids)) == len(ids) else [f"m{number}" for number in range(1, len(ids) + 1)]


def _brackets(document: Document, places: list[int], pieces: list[_Spans], crossing: bool) -> dict[int, str]:
    """The cell of each place: closers before openers, longer mentions opened first."""
    names = {_name(document, entity) for entity in document.names}
    if len(names) < len(document.names):
        raise _refused(document, "unwritable-entity", "entities whose names are the same text", " ".join(names))
    elements: dict[Hashable, list[str]] = {}
    for entity, members in document.sets.items():
        for member in members:
            elements.setdefault(member, []).append(_name(document, entity))
    openers: dict[int, list[tuple[int, str]]] = {}
    closers: dict[int, list[tuple[int, int, str]]] = {}
    for number, (id, mention) in enumerate(zip(_ids(document), document.mentions, strict=True)):
        if not mention.span:
            raise _refused(document, "unwritable-mention", "a mention without positions", str(mention.id))
        elsewhere = ("REFERENCE.", "NOM_SEM.", "text")  # in columns of their own; a text is that of the FORM column
        own = [(name, value) for name, value in mention.attributes if not name.startswith(elsewhere)]
        pairs = [("EntityID", _name(document, mention.entity)), ("MarkableID", id)]
        if mention.minimum and "Min" not in dict(own):
            ends = dict.fromkeys((word_of(mention.minimum[0]) + 1, word_of(mention.minimum[-1]) + 1))
            own.insert(0, ("Min", ",".join(map(str, ends))))
        if mention.entity in elements:
            own.append(("ElementOf", ",".join(elements.pop(mention.entity))))
        for piece, (first, last) in enumerate(pieces[number]):
            opener = _opener(document, pairs if piece else [*pairs, *own])
            openers.setdefault(places[first], []).append((-last, opener + ")" * (first == last)))
            if first != last:
                closers.setdefault(places[last], []).append((-first, number, f"{id})" if crossing else ")"))
    if elements:
        message = "a set with an entity that has no mention"
        raise _refused(document, "unwritable-entity", message, str(next(iter(elements))))
    cells = {place: "".join(text for _, _, text in sorted(ends)) for place, ends in closers.items()}
    for place, starts in openers.items():
        cells[place] = cells.get(place, "") + "".join(text for _, text in sorted(starts, key=lambda start: start[0]))
    return cells


def _extra_columns(document: Document) -> dict[str, dict[int, str]]:
    """The cells of BRIDGING, REFERENCE and NOM_SEM, each on the first place of its mention."""
    found: dict[str, dict[int, str]] = {"BRIDGING": {}, "REFERENCE": {}, "NOM_SEM": {}}
    ids = _ids(document)

    def add(column: str, mention: Mention, pairs: list[tuple[str, str]]) -> None:
        place = mention.span[0]
        found[column][place] = found[column].get(place, "") + _opener(document, pairs) + ")"

    for number, attributes in enumerate(document.mentions.attributes):
        for column in ATTRIBUTES if attributes else ():
            prefix = f"{column}."
            own = [(name.removeprefix(prefix), value) for name, value in attributes if name.startswith(prefix)]
            if own:
                add(column, document.mentions[number], [("MarkableID", ids[number]), *own])
    for bridge in document.bridges:
        pairs = [("MarkableID", ids[bridge.anaphor]), ("MentionAnchor", ids[bridge.antecedent]), *bridge.attributes]
        add("BRIDGING", document.mentions[bridge.anaphor], pairs)
    return found
