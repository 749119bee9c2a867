"""Documents as the text of a CorefUD file, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence

from ..exceptions import Error
from ..model import Document, Mention, position, runs, word_of
from ..spans import Span, is_stretch
from .source import size_of

COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
WIDTH = 10
ENTITY = ("eid", "GRP")
HEADER = "# global.Entity = eid-etype-head-other"
_HEADLESS = "# global.Entity = eid-etype-other"  # of documents in which no head is known
INITIAL = 128  # added to the numbers of empty nodes before the first word of a sentence; the others are smaller
GLOBAL = re.compile(r"#\s*global\.Entity\s*=\s*(.*)$")
_EMPTY = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})\t")
_NAME = re.compile(r"[^-()\[\]|\s,<:]+")


def write(documents: list[Document]) -> str:
    """Documents as the text of a CorefUD file."""
    return "\n".join(line for document in documents for line in _written(document)) + "\n"


def _written(document: Document) -> Iterator[str]:
    words = document.words or ["_"] * size_of(document)
    starts = sorted({0, *document.sentences})
    heads = [mention.head is not None for mention in document.mentions if len(mention.span) > 1]
    own = HEADER if any(heads) or not heads else _HEADLESS
    headers: list[str] = []
    comments: dict[int, list[str]] = {}
    ranges: dict[int, list[str]] = {}
    empty: dict[int, str] = {}
    for word, text in document.comments:
        node = _EMPTY.match(text)
        if GLOBAL.match(text):
            headers.append(text if own is HEADER else _headless(text))
            comments.setdefault(word, []).append(headers[-1])
        elif node:
            empty[position(word - 1, int(node[2]) + INITIAL * (int(node[1]) == 0))] = text
        else:
            (comments if text.startswith("#") else ranges).setdefault(word, []).append(text)
    parents = {mention.head: mention.parents for mention in document.mentions if mention.parents}
    spans = [mention.span for mention in document.mentions if not is_stretch(mention.span)]
    for place in {place for span in spans for place in span if place & 255} - empty.keys():
        start = starts[bisect_right(starts, word_of(place) + bool(place & INITIAL)) - 1]
        there = [parent for parent in parents.get(place, ()) if not parent[0] % INITIAL or parent[0] in empty]
        deps = "|".join(f"{_node(parent, start)}:{relation}" for parent, relation in there) or "_"
        empty[place] = "\t".join([_node(place, start), *["_"] * (WIDTH - 3), deps, "_"])
    places = sorted([*(position(word) for word in range(len(words))), *empty])
    misc = _annotations(document, places, starts, headers[-1] if headers else own)
    _refuse_text(document, words)
    columns = [tuple(document.columns[name]) if name in document.columns else ("_",) * len(words) for name in COLUMNS]
    yield f"# newdoc id = {document.id}" if document.id else "# newdoc"
    if not headers:
        yield own
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(words)], strict=True), 1):
        if number > 1:
            yield ""
        if not document.comments and words:
            yield f"# sent_id = {_escaped(document.id, '/')}-s{number}"  # a / would be the end of the id
        yield from comments.pop(start, [])
        first, last = (bisect_left(places, position(word - 1, INITIAL)) for word in (start, end))
        for place in places[first:last]:
            line, word = empty.get(place), word_of(place)
            if line is None:
                yield from [*comments.pop(word, []), *ranges.pop(word, [])]
                line = "\t".join([str(word - start + 1), words[word], *(cells[word] for cells in columns)])
            yield _with_misc(line, misc.get(place))
    for rest in comments.values():
        yield from ["", *rest]
    yield ""


def _headless(header: str) -> str:
    """The header of a document in which no head is known: without the field, else the first words would be heads."""
    start, equals, fields = header.partition("=")
    return f"{start}{equals} " + "-".join(name for name in fields.strip().split("-") if name != "head")


def _node(place: int, start: int) -> str:
    """The number of a node in the sentence that begins with the word `start`: 3, or 3.1 for an empty one."""
    word = 0 if place & INITIAL else word_of(place) - start + 1
    return f"{word}.{place % INITIAL}" if place % INITIAL else str(word)


def _refuse_text(document: Document, words: Sequence[str]) -> None:
    """Refuse a name or words that would be read otherwise."""
    if document.id != document.id.strip() or "\n" in document.id or "\r" in document.id:
        raise Error("unwritable-name", "a document whose name CorefUD cannot have", path=document.source,
                    document=document.id, expected="a name in one line, without blanks around it")  # fmt: skip
    for word in words:
        if not word or (not word.isprintable() and set(word) & set("\t\n\r")):
            raise Error("unwritable-word", "a word that CorefUD cannot have", path=document.source,
                        document=document.id, text=word, expected="a word without tabs and line breaks")  # fmt: skip


def _with_misc(line: str, added: list[str] | None) -> str:
    if not added:
        return line
    *cells, misc = line.split("\t")
    return "\t".join([*cells, "|".join([*added, *([misc] if misc != "_" else [])])])


def _annotations(document: Document, places: list[int], starts: list[int], header: str) -> dict[int, list[str]]:
    """What MISC says of each place: Entity, Bridge, SplitAnte."""
    order = {place: number for number, place in enumerate(places)}
    fields = header.partition("=")[2].strip().split("-")
    closers: dict[int, list[tuple[int, str]]] = {}
    openers: dict[int, list[tuple[int, str]]] = {}
    spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for mention in document.mentions:
        _refuse_mention(document, mention, order, starts)
        pieces = _pieces(mention.span, order)
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
        both = (sorted(each.get(place, []), key=lambda chunk: chunk[0]) for each in (closers, openers))
        found[place] = ["Entity=" + "".join(text for chunks in both for _, text in chunks)]
    for name, links in (("Bridge", _bridge_links(document)), ("SplitAnte", _split_links(document))):
        for place, each in links.items():
            found[place].append(f"{name}=" + ",".join(each))
    return found


def _pieces(span: Span, order: dict[int, int]) -> list[tuple[int, int]]:
    """The numbers of the first and last node of each piece; empty nodes divide a stretch of words, too."""
    first, last = order[span[0]], order[span[-1]]
    return [(first, last)] if last - first == len(span) - 1 else runs([order[place] for place in span])


def _opener(mention: Mention, label: str, fields: list[str]) -> str:
    head = "1" if len(mention.span) == 1 else ""  # never invented
    if mention.head is not None and mention.head in mention.span:
        head = str(mention.span.index(mention.head) + 1)
    values = {name: _escaped(value, "()|\t\n\r") for name, value in mention.attributes} | {"head": head}
    parts = [label if name in ENTITY else values.get(name, "") for name in fields]
    return "-".join([*(_escaped(part, "-") for part in parts[:-1]), *parts[-1:]])


def _escaped(text: str, letters: str) -> str:
    return "".join(f"%{ord(letter):02X}" if letter in letters else letter for letter in text)


def _refuse_mention(document: Document, mention: Mention, order: dict[int, int], starts: list[int]) -> None:
    """Refuse a mention that would be read otherwise: of a strange name, without nodes, in several sentences."""
    ends = [word_of(place) + bool(place & INITIAL) for place in (*mention.span[:1], *mention.span[-1:])]
    sentences = {bisect_right(starts, word) for word in ends}
    there = mention.span[-1:] if is_stretch(mention.span) else mention.span  # all words up to the last have a node
    if not _NAME.fullmatch(str(mention.entity)) or len(sentences) != 1 or not order.keys() >= {*there}:
        raise Error(
            "unwritable-mention", "a mention or an entity name that CorefUD cannot have", path=document.source,
            line=document.line_of(mention), document=document.id, text=f"{mention.entity}: {document.text_of(mention)}",
            expected="words of one sentence, a name without brackets, hyphens and blanks",
            remedy="rename such entities (scoref convert does, and says so), or choose another format",
        )  # fmt: skip


def _refuse_crossing(document: Document, spans: dict[tuple[str, int], list[tuple[int, int]]]) -> None:
    """Refuse mentions of one entity that cross, and discontinuous ones inside of each other."""
    names = {mention.entity for mention in document.mentions}
    if len({str(name) for name in names}) < len(names):
        raise Error("unwritable-entity", "two entities whose names are written alike", path=document.source,
                    document=document.id)  # fmt: skip
    for (entity, pieces), each in spans.items():
        open: list[int] = []
        for first, last in sorted(each, key=lambda span: (span[0], -span[1])):
            while open and open[-1] + (pieces > 1) <= first:
                open.pop()
            if open and (pieces > 1 or open[-1] < last):
                raise Error("crossing-mentions", "mentions of one entity that cross", path=document.source,
                            document=document.id, text=entity,
                            expected="mentions of one entity apart or inside of each other")  # fmt: skip
            open.append(last)


def _bridge_links(document: Document) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for bridge in document.bridges:
        anaphor, antecedent = document.mentions[bridge.anaphor], document.mentions[bridge.antecedent]
        relation = _escaped(dict(bridge.attributes).get("Rel", ""), "|,\t\n\r")
        link = f"{antecedent.entity}<{anaphor.entity}" + f":{relation}" * bool(relation)
        found.setdefault(anaphor.span[0], []).append(link)
    return found


def _split_links(document: Document) -> dict[int, list[str]]:
    first: dict[Hashable, int] = {}
    for mention in document.mentions:
        first.setdefault(mention.entity, mention.span[0])
    found: dict[int, list[str]] = {}
    for entity, members in document.sets.items():
        if entity not in first or not first.keys() >= {*members}:
            raise Error("unwritable-set", "a set from or of entities without mentions", path=document.source,
                        document=document.id, text=str(entity))  # fmt: skip
        found.setdefault(first[entity], []).extend(f"{member}<{entity}" for member in members)
    return found
