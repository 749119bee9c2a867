"""Documents as the text of a CONLL-UA file, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain

from ...document.document import INITIAL, Document, Mention, position, word_of
from ...document.spans import is_stretch
from ...problems import Error
from ..columnar import columns_of
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


def write(documents: list[Document]) -> str:
    """Documents as the text of a CONLL-UA file; if mentions cross, closing brackets name their mention."""
    others = dict.fromkeys(name for document in documents for name in document.columns if name not in STANDARD)
    columns = (*STANDARD, *others)
    if any(re.search(r"\s", name) or not name for name in columns):
        message = "a column without a name, or with a blank in it, cannot be written as CONLL-UA"
        raise Error("unwritable-name", message, text=" ".join(columns), remedy=OTHER_FORMAT)
    texts = [(document, document.deixis or Document("")) for document in documents]
    orders = [_order(layers) for layers in texts]
    crossing = any(_crosses(layer, order) for layers, order in zip(texts, orders, strict=True) for layer in layers)
    lines = [f"# global.columns = {' '.join(columns)}"]
    for layers, order in zip(texts, orders, strict=True):
        lines += _lines(layers, order, columns, crossing)
    return "\n".join(lines) + "\n"


def _order(layers: tuple[Document, ...]) -> dict[int, int]:
    """The number of the line of each place: the words, and the empty nodes of mentions."""
    size = size_of(layers[0])  # first, as it refuses mentions that end too far away
    spans = [mention.span for layer in layers for mention in layer.mentions if mention.span]
    size = max([size, *(word_of(span[-1]) + 1 for span in spans)])
    places = {place for span in spans if not is_stretch(span) for place in span}
    places.update(map(position, range(size)))
    return {place: number for number, place in enumerate(sorted(places))}


def _refused(document: Document, code: str, message: str, text: str) -> Error:
    message = f"{message} cannot be written as CONLL-UA"
    return refusal(document, code, message, text=text, remedy="change it, or choose another format")


def _lines(
    layers: tuple[Document, Document], order: dict[int, int], columns: tuple[str, ...], crossing: bool
) -> Iterator[str]:
    document = layers[0]
    if not document.id or document.id != document.id.strip() or re.search(r"[\n\r]", document.id):
        raise _refused(document, "unwritable-name", "a document without a name, or with blanks around it,", document.id)
    filled = {name: _brackets(layer, order, crossing) for name, layer in zip(LAYERS, layers, strict=True)}
    filled |= _extra_columns(document)
    comments: dict[int, list[str]] = {}
    for word, comment in document.comments:
        if comment.startswith("#"):
            comments.setdefault(word, []).append(remark(comment, _NO_COMMENT))
    starts, size = set(document.sentences), len(document.words)
    rows = _rows(document, order, columns, filled)
    yield f"# newdoc id = {document.id}"
    for place, row in zip(order, rows, strict=True):
        word = word_of(place)
        if not place & MOST:
            if word in starts and word:
                yield ""
            if comments:
                yield from comments.get(word, [])
        yield row
    yield from comments.get(size, [])
    yield ""


def _rows(
    document: Document, order: dict[int, int], columns: tuple[str, ...], filled: dict[str, dict[int, str]]
) -> list[str]:
    """The line of each place, its cells in the order of the columns."""
    nodes = [(word_of(place), place & MOST) for place in order]
    words, known = tuple(document.words), columns_of(document)
    forms = [words[word] if words and not empty else "_" for word, empty in nodes]
    cells: list[Sequence[str]] = [
        [f"{word + 1}.{empty % INITIAL if word < 0 else empty}" if empty else str(word + 1) for word, empty in nodes],
        forms,
    ]
    for name in columns[2:]:
        own = () if name in filled else tuple(known.get(name, ()))  # a whole text is not a column of words
        if filled.get(name):
            cells.append([filled[name].get(place, "_") for place in order])
        elif len(own) == len(nodes) == len(words):  # no empty nodes
            cells.append(own)
        elif own:
            cells.append([own[word] if not empty and word < len(own) else "_" for word, empty in nodes])
        else:
            cells.append(["_"] * len(nodes))
    written = {*chain.from_iterable(cells)}
    if any(map(_BREAK.search, written)) or any(form != (form.strip(" ") or "_") for form in {*forms}):
        message = "a word or cell with line breaks, tabs or blanks around it"
        form = next(
            form
            for form, *row in zip(forms, *cells, strict=True)
            if any(map(_BREAK.search, row)) or form != (form.strip(" ") or "_")
        )
        raise _refused(document, "unwritable-word", message, form)
    return [*map("\t".join, zip(*cells, strict=True))]


def _crosses(document: Document, order: dict[int, int]) -> bool:
    """Whether some mention begins inside another and ends behind it."""
    spans = [mention.span for mention in document.mentions if mention.span]
    return first_crossing([piece for span in spans for piece in numbered_pieces(span, order)]) is not None


def _opener(document: Document, pairs: list[tuple[str, str]]) -> str:
    if any(_UNNAMED.search(f"{name}{value}") or "=" in name or not name for name, value in pairs):
        raise _refused(document, "unwritable-entity", "a name or value with blanks or brackets", str(pairs[0][1]))
    if not all(str(value) for name, value in pairs if name in ("EntityID", "MarkableID")):
        raise _refused(document, "unwritable-entity", "an entity or a mention whose name is empty", str(pairs[0]))
    return "(" + "|".join(f"{name}={value}" for name, value in pairs)


def _name(document: Document, entity: Hashable) -> str:
    return str(entity) + PSEUDO * (entity in document.nonreferring and not str(entity).endswith(PSEUDO))


def _ids(document: Document) -> list[str]:
    ids = [f"m{number}" if id is None else str(id) for number, id in enumerate(document.mentions.ids, 1)]
    return ids if len(set(ids)) == len(ids) else [f"m{number}" for number in range(1, len(ids) + 1)]


def _brackets(document: Document, order: dict[int, int], crossing: bool) -> dict[int, str]:
    """The cell of each place: closers before openers, longer mentions opened first."""
    names = {_name(document, entity) for entity in document.names}
    if len(names) < len(document.names):
        raise _refused(document, "unwritable-entity", "entities whose names are the same text", " ".join(names))
    elements: dict[Hashable, list[str]] = {}
    for entity, members in document.sets.items():
        for member in members:
            elements.setdefault(member, []).append(_name(document, entity))
    places = [*order]
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
        opener = _opener(document, [*pairs, *own])
        for first, last in numbered_pieces(mention.span, order):
            openers.setdefault(places[first], []).append((-last, opener + ")" * (first == last)))
            opener = _opener(document, pairs)
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

    for number, mention in enumerate(document.mentions):
        for column in ATTRIBUTES:
            prefix = f"{column}."
            own = [(name.removeprefix(prefix), value) for name, value in mention.attributes if name.startswith(prefix)]
            if own:
                add(column, mention, [("MarkableID", ids[number]), *own])
    for bridge in document.bridges:
        pairs = [("MarkableID", ids[bridge.anaphor]), ("MentionAnchor", ids[bridge.antecedent]), *bridge.attributes]
        add("BRIDGING", document.mentions[bridge.anaphor], pairs)
    return found
