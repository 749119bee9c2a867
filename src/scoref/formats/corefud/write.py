"""Documents as the text of a CorefUD file, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import NamedTuple

from ...document.document import INITIAL, Document, Mention, position, stretch, word_of
from ...document.spans import is_stretch
from ..columnar import columns_of, intact, rows, woven
from ..source import numbered_pieces, refusal, remark, size_of

COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
WIDTH = 10
ENTITY = ("eid", "GRP")
HEADER = "# global.Entity = eid-etype-head-other"
_HEADLESS = "# global.Entity = eid-etype-other"  # the header of documents without heads
NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
_NO_COMMENT = re.compile(rf"{NEWDOC.pattern}|#\s*(?:begin document|global\.columns\s*=.*\bIDENTITY\b)")
GLOBAL = re.compile(r"#\s*global\.Entity\s*=\s*(.*)$")
_CELLS = rf"((?:\t[^\t\n\r]*){{{WIDTH - 1}}})"  # the cells after the number of a node
_EMPTY = re.compile(r"([0-9]{1,9})\.0*([1-9][0-9]{0,8})" + _CELLS)
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})" + _CELLS)
OURS = ("Entity", "SplitAnte", "Bridge")
_BREAKS = "\t\n\r"  # characters that end a cell or a line
_NAME = re.compile(r"[^-()\[\]|\s,<:]+")


def write(documents: list[Document]) -> str:
    """Documents as the text of a CorefUD file."""
    return "\n".join(chain.from_iterable(map(_written, documents))) + "\n"


class _Others(NamedTuple):
    """The lines that are no words: comments and multiword tokens by the word behind them, empty nodes by position."""

    headers: list[str]
    comments: dict[int, list[str]]
    ranges: dict[int, list[str]]
    empty: dict[int, str]


def _written(document: Document) -> list[str]:
    words = document.words or ["_"] * size_of(document)
    starts, spans = sorted({0, *document.sentences}), document.mentions.spans
    heads = [head is not None for head, span in zip(document.mentions.heads, spans, strict=True) if len(span) > 1]
    own = HEADER if any(heads) or not heads else _HEADLESS
    others = _others(document, len(words), starts, own)
    nodes = {place for span in spans if not is_stretch(span) for place in span if place & 255} - others.empty.keys()
    parents = {mention.head: mention.parents for mention in document.mentions if mention.parents} if nodes else {}
    for place in nodes:
        start = _start(place, starts)
        there = [parent for parent in parents.get(place, ()) if not parent[0] % INITIAL or parent[0] in others.empty]
        near = [pair for pair in there if _start(pair[0], starts) == start and word_of(pair[0]) < len(words)]
        deps = "|".join(f"{_node(parent, start)}:{_escaped(name, '|' + _BREAKS)}" for parent, name in near) or "_"
        others.empty[place] = "\t".join([_node(place, start), *["_"] * (WIDTH - 3), deps, "_"])
    places = sorted([*stretch(0, len(words) - 1), *others.empty])
    misc = _annotations(document, places, starts, others.headers[-1] if others.headers else own)
    lines = _rows(document, words, starts, misc)
    header = [f"# newdoc id = {document.id}" if document.id else "# newdoc", *[own] * (not others.headers)]
    return [*header, *woven(lines, _between(document, len(words), starts, others, misc)), ""]


def _rows(document: Document, words: Sequence[str], starts: list[int], misc: dict[int, list[str]]) -> list[str]:
    """The line of each word."""
    size = len(words)
    known = columns_of(document) if any(name in document.columns for name in COLUMNS) else {}
    columns = [[*known[name]] if name in known else "_" for name in COLUMNS[:-1]]
    cells = [*known.get("MISC", ["_"] * size)]
    written = [_misc(cell) if "=" in cell else cell for cell in cells]
    for place, added in misc.items():
        if not place & 255:
            written[word_of(place)] = _misc(cells[word_of(place)], added)
    ends = zip(starts, [*starts[1:], size], strict=True)
    numbers = [str(number) for start, end in ends for number in range(1, min(end, size) - start + 1)]
    lines = rows([numbers, words, *columns, written], size)
    _refuse_name(document)
    if not all(words) or not intact(lines, WIDTH * size, _BREAKS.encode()):
        _refuse_cells(document, words, known)
    return lines


def _between(
    document: Document, size: int, starts: list[int], others: _Others, misc: dict[int, list[str]]
) -> dict[int, list[str]]:
    """The lines before each word: empty nodes behind the last one, beginnings of sentences, comments, further nodes."""
    before = defaultdict[int, list[str]](list)
    nodes = [place for place in sorted(others.empty) if place < position(size - 1, INITIAL)]
    texts = {place: _annotated(others.empty[place], misc.get(place, ())) for place in nodes}
    for place in nodes:
        if not place & INITIAL:
            before[word_of(place) + 1].append(texts[place])
    for number, start in enumerate(starts):
        before[start] += [""] * (number > 0)
        if not document.comments and size:
            before[start].append(f"# sent_id = {_escaped(document.id, '/')}-s{number + 1}")  # / is reserved in it
    for word, lines in others.comments.items():
        if word < size or word in starts:
            before[word] += lines
        else:
            before[max(size, *starts) + 1] += ["", *lines]
    for place in nodes:
        if place & INITIAL:
            before[word_of(place) + 1].append(texts[place])
    for word, lines in others.ranges.items():
        before[word] += lines
    return before


def _others(document: Document, size: int, starts: list[int], own: str) -> _Others:
    """The lines that are no words, renumbered for the current sentences; other text becomes a comment."""
    found = _Others([], {}, {}, {})
    for word, text in document.comments:
        node, whole = _EMPTY.fullmatch(text), _RANGE.fullmatch(text) if word < size else None
        header = GLOBAL.fullmatch(line := remark(text, _NO_COMMENT))
        if header and {*header[1].strip().split("-")} & {*ENTITY}:
            found.headers.append(line if own is HEADER else _headless(line))
            found.comments.setdefault(word, []).append(found.headers[-1])
        elif node and int(node[2]) < INITIAL:
            initial = int(node[1]) == 0 and word == _start(position(word), starts)
            place = position(word - 1, int(node[2]) + INITIAL * initial)
            found.empty[place] = _node(place, _start(place, starts)) + node[3]
        elif whole:
            first = word - _start(position(word), starts) + 1
            last = first + max(int(whole[2]) - int(whole[1]), 0)
            found.ranges.setdefault(word, []).append(f"{first}-{last}{whole[3]}")
        else:
            found.comments.setdefault(word, []).append(f"# {line}" if header else line)
    return found


def _start(place: int, starts: list[int]) -> int:
    """The first word of the sentence of a node."""
    return starts[bisect_right(starts, word_of(place) + bool(place & INITIAL)) - 1]


def _headless(header: str) -> str:
    """The header without the field `head`, for documents without heads; else first words would be taken for heads."""
    start, equals, fields = header.partition("=")
    return f"{start}{equals} " + "-".join(name for name in fields.strip().split("-") if name != "head")


def _node(place: int, start: int) -> str:
    """The number of a node in the sentence that begins with the word `start`: 3, or 3.1 for an empty one."""
    word = 0 if place & INITIAL else word_of(place) - start + 1
    return f"{word}.{place % INITIAL}" if place % INITIAL else str(word)


def _refuse_name(document: Document) -> None:
    """Refuse a name that would be read back differently."""
    if document.id != document.id.strip() or "\n" in document.id or "\r" in document.id:
        message, expected = "a document whose name CorefUD cannot have", "a name in one line, without blanks around it"
        raise refusal(document, "unwritable-name", message, expected=expected, remedy="")


def _refuse_cells(document: Document, words: Sequence[str], known: Mapping[str, Sequence[str]]) -> None:
    """Refuse words or cells that would be read back differently."""
    columns = [("a cell", f" of {name}", known.get(name, ())) for name in COLUMNS]
    for what, place, cells in [("a word", "", words), *columns]:
        if set("".join(cells)) & {*_BREAKS} or (what == "a word" and not all(cells)):
            cell = next(cell for cell in cells if set(cell) & {*_BREAKS} or (what == "a word" and not cell))
            message, expected = f"{what}{place} that CorefUD cannot have", f"{what} without tabs and line breaks"
            raise refusal(document, "unwritable-word", message, text=cell, expected=expected, remedy="")


def _annotated(line: str, added: Sequence[str]) -> str:
    """The line of an empty node with the annotations in MISC replaced by `added`."""
    cells, _, misc = line.rpartition("\t")
    return f"{cells}\t{_misc(misc, added)}"


def _misc(cell: str, added: Sequence[str] = ()) -> str:
    """The cell of MISC with its annotations replaced by `added`."""
    if not added and "=" not in cell:
        return cell
    rest = other_misc(cell)
    return "|".join([*added, *([rest] if rest != "_" or not added else [])])


def other_misc(cell: str) -> str:
    """The rest of a MISC cell, without Entity, Bridge and SplitAnte."""
    return "|".join(pair for pair in cell.split("|") if pair.partition("=")[0] not in OURS) or "_"


def _annotations(document: Document, places: list[int], starts: list[int], header: str) -> dict[int, list[str]]:
    """The annotations in MISC of each position: Entity, Bridge, SplitAnte."""
    order = {place: number for number, place in enumerate(places)}
    fields = header.partition("=")[2].strip().split("-")
    closers: dict[int, list[tuple[int, str]]] = {}
    openers: dict[int, list[tuple[int, str]]] = {}
    spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for mention in document.mentions:
        _refuse_mention(document, mention, order, starts)
        pieces = numbered_pieces(mention.span, order)
        spans.setdefault((str(mention.entity), len(pieces)), []).append((pieces[0][0], pieces[-1][1]))
        for piece, (first, last) in enumerate(pieces, 1):
            label = f"{mention.entity}" + f"[{piece}/{len(pieces)}]" * (len(pieces) > 1)
            opener = f"({_opener(mention, label, fields)}" + ")" * (first == last)
            openers.setdefault(places[first], []).append((-last, opener))
            if first != last:
                closers.setdefault(places[last], []).append((-first, f"{label})"))
    _refuse_crossing(document, spans)
    found: dict[int, list[str]] = {}
    for place in {*openers, *closers}:
        both = (sorted(chunks.get(place, []), key=lambda chunk: chunk[0]) for chunks in (closers, openers))
        found[place] = ["Entity=" + "".join(text for chunks in both for _, text in chunks)]
    for name, links in (("Bridge", _bridge_links(document)), ("SplitAnte", _split_links(document))):
        for place, texts in links.items():
            found[place].append(f"{name}=" + ",".join(texts))
    return found


def _opener(mention: Mention, label: str, fields: list[str]) -> str:
    head = "1" if len(mention.span) == 1 else ""  # heads are never invented
    if mention.head is not None and mention.head in mention.span:
        head = str(mention.span.index(mention.head) + 1)
    values = {name: _escaped(value, "()|" + _BREAKS) for name, value in mention.attributes} | {"head": head}
    parts = [label if name in ENTITY else values.get(name, "") for name in fields]
    return "-".join([*(_escaped(part, "-") for part in parts[:-1]), *parts[-1:]])


def _escaped(text: str, letters: str) -> str:
    for letter in letters:
        text = text.replace(letter, f"%{ord(letter):02X}")  # none of the letters is a % or a digit
    return text


def _refuse_mention(document: Document, mention: Mention, order: dict[int, int], starts: list[int]) -> None:
    """Refuse a mention that would be read back differently: an odd name, no nodes, several sentences."""
    span = mention.span
    there = span[-1:] if is_stretch(span) else span  # if the last word has a node, all have
    initial = [word_of(place) + 1 for place in there if place & INITIAL]
    astray = any(_start(position(word), starts) != word for word in initial)
    within = span and order.keys() >= {*there} and _start(span[0], starts) == _start(span[-1], starts)
    if not _NAME.fullmatch(str(mention.entity)) or astray or not within:
        message = "a mention or an entity name that CorefUD cannot have"
        text = f"{mention.entity}: {document.text_of(mention)}"
        expected = "words of one sentence, a name without brackets, hyphens and blanks"
        remedy = "rename such entities (scoref convert does, and says so), or choose another format"
        raise refusal(document, "unwritable-mention", message, mention, text=text, expected=expected, remedy=remedy)


def _refuse_crossing(document: Document, spans: dict[tuple[str, int], list[tuple[int, int]]]) -> None:
    """Refuse mentions of one entity that cross, and discontinuous ones inside of each other."""
    if len({*map(str, document.names)}) < len(document.names):
        raise refusal(document, "unwritable-entity", "two entities whose names are written alike", remedy="")
    for (entity, pieces), ends in spans.items():
        open: list[int] = []
        for first, last in sorted(ends, key=lambda span: (span[0], -span[1])):
            while open and open[-1] + (pieces > 1) <= first:
                open.pop()
            if open and (pieces > 1 or open[-1] < last):
                message = "mentions of one entity that cross"
                expected = "mentions of one entity apart or inside of each other"
                raise refusal(document, "crossing-mentions", message, text=entity, expected=expected, remedy="")
            open.append(last)


def _bridge_links(document: Document) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for bridge in document.bridges:
        anaphor, antecedent = document.mentions[bridge.anaphor], document.mentions[bridge.antecedent]
        relation = _escaped(dict(bridge.attributes).get("Rel", ""), "|," + _BREAKS)
        link = f"{antecedent.entity}<{anaphor.entity}" + f":{relation}" * bool(relation)
        found.setdefault(anaphor.span[0], []).append(link)
    return found


def _split_links(document: Document) -> dict[int, list[str]]:
    first: dict[Hashable, int] = {}
    for entity, span in zip(document.mentions.entities, document.mentions.spans, strict=True):
        first.setdefault(entity, span[0])
    found: dict[int, list[str]] = {}
    for entity, members in document.sets.items():
        if entity not in first or not first.keys() >= {*members}:
            message = "a set from or of entities without mentions"
            raise refusal(document, "unwritable-set", message, text=str(entity), remedy="")
        if members:
            found.setdefault(first[entity], []).extend(f"{member}<{entity}" for member in members)
    return found


_UNWRITABLE = re.compile(r"[-()\[\]|\s,<:]")


def fit(documents: list[Document]) -> tuple[list[Document], list[str]]:
    """The documents with names that CorefUD can have, `4_Pseudo` for `4-Pseudo`, and a sentence if there are new ones.

    >>> from scoref import clusters
    >>> fit([clusters({"a-b": ["it"], "a_b": ["she"]})])[1]
    ['1 entity was renamed, as CorefUD has no such names: a-b is a_b_2']
    """
    names = [_new_names(document) for document in documents]
    renamed = [pair for new in names for pair in new.items()]
    notes = _not_in_header(documents)
    if not renamed:
        return documents, notes
    number = f"{len(renamed)} entities were" if len(renamed) > 1 else "1 entity was"
    note = f"{number} renamed, as CorefUD has no such names: {renamed[0][0]} is {renamed[0][1]}"
    return [_renamed(document, new) for document, new in zip(documents, names, strict=True)], [note, *notes]


def _not_in_header(documents: list[Document]) -> list[str]:
    """A sentence on attributes for which the header of their document, `global.Entity`, has no field."""
    lost: Counter[str] = Counter()
    for document in documents:
        if not any(document.mentions.attributes):
            continue
        headers = [found[1] for _, text in document.comments if (found := GLOBAL.fullmatch(text))]
        own = HEADER.partition("=")[2]
        fields = next((header for header in reversed(headers) if {*header.strip().split("-")} & {*ENTITY}), own)
        known = {*fields.strip().split("-"), *ENTITY}
        for attributes in document.mentions.attributes:
            lost.update([name for name, value in attributes if name not in known and value not in ("", "_")])
    if not lost:
        return []
    listed = ", ".join(f"{name} ({number})" for name, number in lost.items())
    return [f"attributes of mentions that the header global.Entity does not name are left out: {listed}"]


def _new_names(document: Document) -> dict[Hashable, str]:
    """New names for the entities whose names cannot be written, different from all others."""
    taken = {*map(str, document.names)}
    new: dict[Hashable, str] = {}
    for name in document.names:
        if _UNWRITABLE.search(str(name)):
            wanted = _UNWRITABLE.sub("_", str(name))
            free = (written for written in chain([wanted], (f"{wanted}_{n}" for n in count(2))) if written not in taken)
            new[name] = next(free)
            taken.add(new[name])
    return new


def _renamed(document: Document, new: dict[Hashable, str]) -> Document:
    mentions = tuple(mention.of(new.get(mention.entity, mention.entity)) for mention in document.mentions)
    sets = {new.get(name, name): tuple(new.get(each, each) for each in of) for name, of in document.sets.items()}
    names = document.nonreferring, document.hidden
    silent, hidden = (frozenset(new.get(name, name) for name in part) for part in names)
    return replace(document, mentions=mentions, sets=sets, nonreferring=silent, hidden=hidden)
