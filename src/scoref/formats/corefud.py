"""CorefUD 1.x: coreference in the MISC column of CoNLL-U files.

`# global.Entity = eid-etype-head-other` names the fields of an opening bracket; `Entity=(e5-person-2-`, closed by
`e5)`, is a mention of entity e5 whose head is its second node, `(e5-person-1-)` one of a single node, `(e5[1/2]-` a
piece of a discontinuous one. `SplitAnte=e1<e3,e2<e3` makes e3 the set of e1 and e2; `Bridge=e2<e5:part` makes the
mention of e5 that begins there a bridging anaphor to e2. Empty nodes (`3.1`) are nodes like words; a mention whose head
is one is a zero.

Lines are found and classified by array operations; Python looks at annotated lines, empty nodes and comments only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..exceptions import Error, Problem, Problems
from ..model import Bridge, Document, Mention, position, word_of
from . import Format, Source

_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_OURS = ("Entity", "SplitAnte", "Bridge")
_MOST_EMPTY = 127  # empty nodes behind one word; those before the first word of a sentence are counted from 128 on

_WORD = re.compile(rb"^\d+\t([^\t\n]*)", re.MULTILINE)
_ROW = re.compile(rb"^\d+\t[^\n]*", re.MULTILINE)
_ANNOTATED = re.compile(rb"[\t|](?:Entity|SplitAnte|Bridge)=")
_CHUNK = re.compile(r"\(([^()]*)(\))?|([^()]*)\)")
_PIECE = re.compile(r"(.*)\[(\d+)/(\d+)\]")
_ID = re.compile(r"(\d+)(?:\.(\d+))?")
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
_GLOBAL = re.compile(r"#\s*global\.Entity\s*=\s*(.*)$")
_SKIP = "fix the file, or count and skip such places with --on-problem skip"


class _Wrong(Exception):
    """Something that cannot be understood: code, message, text, what was expected."""


@dataclass
class _Open:
    """A mention while it is read: pieces as (first, last) node, the piece it is in, what its opener says."""

    entity: str
    line: int
    fields: dict[str, str]
    of: int = 1
    piece: int = 1
    nodes: list[tuple[int, int]] = field(default_factory=list)
    start: int = 0


@dataclass
class _Text:
    """A document while it is read. Nodes are words and empty nodes, numbered as they stand."""

    name: str
    line: int
    places: list[int] = field(default_factory=list)
    empty: dict[int, tuple[int, str]] = field(default_factory=dict)  # first word of its sentence, DEPS as written
    open: dict[str, list[_Open]] = field(default_factory=dict)
    pieces: dict[str, list[_Open]] = field(default_factory=dict)
    done: list[_Open] = field(default_factory=list)

    @cached_property
    def known(self) -> set[int]:
        return set(self.places)

    splits: list[tuple[int, str]] = field(default_factory=list)
    bridges: list[tuple[int, int, str]] = field(default_factory=list)


def _report(problems: Problems, path: str, document: str) -> Callable[..., None]:
    def problem(line: int, code: str, message: str, text: str | None = None, expected: str | None = None,
                fatal: bool = True) -> None:  # fmt: skip
        problems.add(Problem(code, message, path, line, document or None, text, expected, _SKIP, fatal))

    return problem


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CorefUD file."""
    data = source.data + b"\n" * (not source.data.endswith(b"\n"))
    codes = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    hashes = np.flatnonzero(codes[starts] == ord("#")).tolist()
    comments = [(line, data[starts[line] : ends[line]].decode().rstrip()) for line in hashes]
    fields: list[str] = []
    heads: list[tuple[int, str]] = []  # line and name of each document
    for line, text in comments:
        if match := _NEWDOC.match(text):
            heads.append((line, (match[1] or "").strip() or str(len(heads) + 1)))
        elif match := _GLOBAL.match(text):
            fields = match[1].strip().split("-")
    numbered = np.flatnonzero((codes[starts] >= ord("0")) & (codes[starts] <= ord("9")))
    if not len(numbered):
        return
    first_token = int(numbered[0])
    if not heads or first_token < heads[0][0]:
        _report(problems, source.name, "")(first_token + 1, "no-newdoc", "sentences before any document", None,
                                           "# newdoc id = NAME", fatal=False)  # fmt: skip
        heads.insert(0, (-1, ""))
    entity = next((name for name in ("eid", "GRP") if name in fields), None)
    if _ANNOTATED.search(data) and b"Entity=" in data and entity is None:
        message = "no header # global.Entity" if not fields else "the annotation has types, but no entities"
        line = next((line for line, text in comments if _GLOBAL.match(text)), 0)
        remedy = "this is no coreference file" if fields else "add the header that the file was made with"
        raise Error(
            "no-entities", message, path=source.name, line=line + 1, text="-".join(fields) or None,
            expected="# global.Entity = eid-etype-head-other, with eid or GRP", remedy=remedy,
        )  # fmt: skip
    names: dict[str, int] = {}
    for number, (line, name) in enumerate(heads):
        last = heads[number + 1][0] if number + 1 < len(heads) else len(starts)
        if name in names:
            _report(problems, source.name, name)(line + 1, "repeated-document", f"document {name} for the second time",
                                                 name, f"another name than in line {names[name]}")  # fmt: skip
            continue
        names[name] = line + 1
        lines = _Lines(data, starts[line + 1 : last], ends[line + 1 : last], line + 2)
        yield _document(lines, name, fields, entity or "eid", source.name, problems)


class _Lines:
    """The lines of a document: where they begin and end, and what they are."""

    def __init__(self, data: bytes, starts: Any, ends: Any, number: int) -> None:
        self.data, self.starts, self.ends, self.number = data, starts, ends, number
        codes = np.frombuffer(data, np.uint8)
        after = starts.copy()  # behind the digits that a line begins with
        moving = np.arange(len(starts))
        while len(moving):
            digit = (codes[after[moving]] >= ord("0")) & (codes[after[moving]] <= ord("9"))
            moving = moving[digit]
            after[moving] += 1
        numbered = after > starts
        self.word = numbered & (codes[after] == ord("\t"))
        self.empty = numbered & (codes[after] == ord("."))
        self.blank = starts >= ends
        self.body = data[int(starts[0]) : int(ends[-1]) + 1] if len(starts) else b""

    def text(self, line: int) -> str:
        return self.data[self.starts[line] : self.ends[line]].decode()


def _document(lines: _Lines, name: str, fields: list[str], entity: str, path: str, problems: Problems) -> Document:
    problem = _report(problems, path, name)
    text = _Text(name, lines.number)
    words = [word.decode() for word in _WORD.findall(lines.body)]
    word_lines = np.flatnonzero(lines.word)
    breaks = np.flatnonzero(np.diff(np.cumsum(lines.blank)[word_lines], prepend=-1))
    sentences = tuple(breaks.tolist())
    before = np.cumsum(lines.word)  # words up to and with a line
    node_lines = np.flatnonzero(lines.word | lines.empty)
    node_of = np.cumsum(lines.word | lines.empty) - 1
    text.places = _places(lines, node_lines, before, breaks, text, problem)
    block = np.cumsum(lines.blank)  # changes from sentence to sentence
    base = int(lines.starts[0]) if len(lines.starts) else 0
    found = sorted({int(np.searchsorted(lines.starts, base + match.start(), side="right")) - 1
                    for match in _ANNOTATED.finditer(lines.body)})  # fmt: skip
    sentence = -1
    for line in found:
        if not lines.word[line] and not lines.empty[line]:
            continue  # a multiword token: what its MISC says of entities is said by its words
        if block[line] != sentence:
            _end_of_sentence(text, problem)
            sentence = int(block[line])
        number = lines.number + line
        for key, value in _misc(lines.text(line).split("\t")[-1]):
            try:
                if key == "Entity":
                    _entities(text, value, int(node_of[line]), number, fields, entity)
                elif key == "SplitAnte":
                    text.splits.append((number, value))
                elif key == "Bridge":
                    text.bridges.append((number, int(node_of[line]), value))
            except _Wrong as wrong:
                problem(number, *wrong.args)
    _end_of_sentence(text, problem)
    for openers in text.pieces.values():
        for mention in openers:
            problem(mention.line, "missing-piece", "a discontinuous mention without its last piece", mention.entity,
                    f"pieces up to [{mention.of}/{mention.of}]")  # fmt: skip
    mentions = _mentions(text, problem)
    document = Document(
        name, tuple(words), tuple(mentions), sentences, _Columns(lines.body), tuple(_others(lines, before)),
        sets=_sets(text, mentions, problem), source=path, line=max(lines.number - 1, 1),
        lines=(word_lines + lines.number).tolist(),
    )  # fmt: skip
    return document if not text.bridges else _with_bridges(document, text, problem)


def _misc(cell: str) -> list[tuple[str, str]]:
    pairs = [pair.partition("=") for pair in cell.rstrip().split("|")]
    return [(name, value) for name, equals, value in pairs if equals and name in _OURS]


def _places(lines: _Lines, nodes: Any, before: Any, breaks: Any, text: _Text, problem: Any) -> list[int]:
    """The position of every node; the parents of empty nodes are kept as they are written."""
    places: list[int] = ((before[nodes] - 1) << 8).tolist()
    for index in np.flatnonzero(lines.empty[nodes]).tolist():
        line = int(nodes[index])
        cells = lines.text(line).split("\t")
        match = _ID.fullmatch(cells[0])
        number = int(match[2]) if match and match[2] else 0
        initial = match is not None and match[1] == "0"  # before the first word of its sentence
        word = int(before[line]) - 1
        start = word + 1 if initial else int(breaks[max(np.searchsorted(breaks, word, side="right") - 1, 0)])
        if not 0 < number <= _MOST_EMPTY:
            problem(lines.number + line, "bad-node", "an empty node whose number cannot be used", cells[0],
                    f"numbers from n.1 to n.{_MOST_EMPTY}")  # fmt: skip
            number = _MOST_EMPTY
        places[index] = position(word, number + 128 * initial)
        text.empty[index] = start, cells[8] if len(cells) > 8 else "_"
    return places


def _others(lines: _Lines, before: Any) -> Iterator[tuple[int, str]]:
    """Comments, multiword tokens and empty nodes (without their entities), each with the word that it precedes."""
    for line in np.flatnonzero(~lines.word & ~lines.blank).tolist():
        text = lines.text(line).rstrip()
        if lines.empty[line]:
            *cells, misc = text.split("\t")
            text = "\t".join([*cells, _other_misc(misc)])
        yield int(before[line]), text


def _other_misc(cell: str) -> str:
    return "|".join(pair for pair in cell.split("|") if pair.partition("=")[0] not in _OURS) or "_"


class _Columns(Mapping[str, Sequence[str]]):
    """The columns beside the word, cut when first looked at; MISC without what is read from it."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    @cached_property
    def _cells(self) -> dict[str, list[str]]:
        rows = [row.decode().rstrip().split("\t")[2:] for row in _ROW.findall(self._body)]
        padded = [row + ["_"] * (len(_COLUMNS) - len(row)) for row in rows]
        columns = {name: [row[number] for row in padded] for number, name in enumerate(_COLUMNS)}
        columns["MISC"] = [_other_misc(cell) for cell in columns["MISC"]]
        return columns

    def __getitem__(self, name: str) -> list[str]:
        return self._cells[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COLUMNS)

    def __len__(self) -> int:
        return len(_COLUMNS)


def _entities(text: _Text, cell: str, node: int, line: int, fields: list[str], entity: str) -> None:
    done = 0
    for match in _CHUNK.finditer(cell):
        if match.start() != done:
            break
        done = match.end()
        opener, closed, closer = match.groups()
        if opener is not None:
            mention = _opened(text, opener, node, line, fields, entity)
            if closed:
                _closed(text, mention, node)
            else:
                text.open.setdefault(_label(mention), []).append(mention)
        else:
            stack = text.open.get(closer)
            if not stack:
                raise _Wrong("unopened-mention", "a mention is closed that was never opened", f"{closer})",
                             f'"({closer}" before it in the sentence')  # fmt: skip
            _closed(text, stack.pop(), node)
    if done != len(cell):
        raise _Wrong("bracket-syntax", "not an Entity annotation", f"Entity={cell}", '"(e1-...", "e1)" or "(e1-...)"')


def _label(mention: _Open) -> str:
    return mention.entity if mention.of == 1 else f"{mention.entity}[{mention.piece}/{mention.of}]"


def _opened(text: _Text, opener: str, node: int, line: int, fields: list[str], entity: str) -> _Open:
    values = dict(zip(fields, opener.split("-", len(fields) - 1), strict=False))
    name = values.pop(entity, "")
    if not name:
        raise _Wrong("bracket-syntax", "a mention without an entity", f"({opener}", f"({'-'.join(fields)}")
    match = _PIECE.fullmatch(name)
    if not match:
        return _Open(name, line, values, start=node)
    name, piece, of = match[1], int(match[2]), int(match[3])
    if piece == 1:
        return _Open(name, line, values, of, start=node)
    waiting = [each for each in text.pieces.get(name, []) if each.of == of and each.piece == piece - 1]
    if not waiting:
        raise _Wrong("missing-piece", "a piece of a mention whose earlier pieces are missing", f"({opener}",
                     f"{name}[{piece - 1}/{of}] before it")  # fmt: skip
    mention = waiting[-1]
    text.pieces[name].remove(mention)
    mention.piece, mention.start, mention.fields = piece, node, values
    return mention


def _closed(text: _Text, mention: _Open, node: int) -> None:
    mention.nodes.append((mention.start, node))
    if mention.piece < mention.of:
        text.pieces.setdefault(mention.entity, []).append(mention)
    else:
        text.done.append(mention)


def _end_of_sentence(text: _Text, problem: Any) -> None:
    for name, stack in text.open.items():
        for mention in stack:
            problem(
                mention.line, "unclosed-mention", "mention never closed", f"({name}", f'"{name})" in the same sentence'
            )
    text.open.clear()


def _mentions(text: _Text, problem: Any) -> list[Mention]:
    found = []
    for mention in text.done:
        nodes = sorted({node for first, last in mention.nodes for node in range(first, last + 1)})
        span = tuple([text.places[node] for node in nodes])
        head = nodes[0]
        written = mention.fields.get("head", "")
        if len(nodes) > 1 and written not in ("", "0"):
            if not written.isdigit() or int(written) > len(nodes):
                problem(mention.line, "bad-head", "a head outside of its mention", f"head {written}",
                        f"a number from 1 to {len(nodes)}")  # fmt: skip
            else:
                head = nodes[int(written) - 1]
        attributes = tuple((name, value) for name, value in mention.fields.items() if name != "head" and value)
        parents = _parents(text, head, mention.line, problem) if head in text.empty else ()
        found.append(Mention(span, mention.entity, None, (), attributes, text.places[head], parents))
    found.sort(key=lambda mention: (mention.span[0], -len(mention.span), mention.span[-1], str(mention.entity)))
    return found


def _parents(text: _Text, node: int, line: int, problem: Any) -> tuple[tuple[int, str], ...]:
    """The parents of an empty node in its enhanced dependencies, as positions with relations.

    The root of a sentence has a negative position of its own.
    """
    start, written = text.empty[node]
    found = []
    for pair in written.split("|") if written != "_" else ():
        name, _, relation = pair.partition(":")
        match = _ID.fullmatch(name)
        if name == "0":
            place = -2 - start
        elif match and match[1] == "0":
            place = position(start - 1, int(match[2]) + 128)
        elif match:
            place = position(start + int(match[1]) - 1, int(match[2] or 0))
        if not match or (place >= 0 and place not in text.known):
            problem(line, "bad-deps", "an empty node with a parent that is not there", written, "DEPS like 3:nsubj")
        else:
            found.append((place, relation))
    return tuple(found)


def _sets(text: _Text, mentions: list[Mention], problem: Any) -> dict[Any, tuple[Any, ...]]:
    order = {entity: number for number, entity in enumerate(dict.fromkeys(mention.entity for mention in mentions))}
    sets: dict[Any, dict[Any, None]] = {}
    for line, value in text.splits:
        for pair in value.split(","):
            member, less, entity = pair.partition("<")
            if not less:
                problem(line, "bad-split", "not a split antecedent", f"SplitAnte={value}", "SplitAnte=e1<e3,e2<e3")
            else:
                sets.setdefault(entity, {})[member] = None
    return {entity: tuple(sorted(members, key=lambda each: order.get(each, 0))) for entity, members in sets.items()}


def _with_bridges(document: Document, text: _Text, problem: Any) -> Document:
    by_entity: dict[Any, list[int]] = {}
    for index, mention in enumerate(document.mentions):
        by_entity.setdefault(mention.entity, []).append(index)
    bridges = []
    for line, node, value in text.bridges:
        for link in value.split(","):
            names, _, relation = link.partition(":")
            antecedent, less, anaphor = names.partition("<")
            place = text.places[node]
            starting = [i for i in by_entity.get(anaphor, []) if document.mentions[i].span[0] == place]
            before = [i for i in by_entity.get(antecedent, []) if document.mentions[i].span[0] <= place]
            if not less or not starting or antecedent not in by_entity:
                problem(line, "bad-bridge", "bridging from or to an entity that is not there", f"Bridge={link}",
                        "Bridge=e2<e5:relation, with a mention of e5 that begins here", fatal=False)  # fmt: skip
                continue
            target = before[-1] if before else by_entity[antecedent][0]
            bridges.append(Bridge(starting[0], target, (("Rel", relation),) if relation else ()))
    return replace(document, bridges=tuple(bridges))


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as the text of a CorefUD file."""
    return "\n".join(line for document in documents for line in _written(document)) + "\n"


def _written(document: Document) -> Iterator[str]:
    size = max([word_of(mention.span[-1]) + 1 for mention in document.mentions if mention.span], default=0)
    words = list(document.words) or ["_"] * size
    headers = [match[1] for _, text in document.comments if (match := _GLOBAL.match(text))]
    fields = headers[-1].strip().split("-") if headers else ["eid", "etype", "head", "other"]
    starts = sorted({0, *document.sentences}) if words else []
    others: dict[int, list[str]] = {}
    empty: dict[int, str] = {}
    for word, text in document.comments:
        if text[:1].isdigit() and "." in text.split("\t")[0]:
            before, _, part = text.split("\t")[0].partition(".")
            empty[position(word - 1, int(part) + 128 * (before == "0"))] = text
        else:
            others.setdefault(word, []).append(text)
    for mention in document.mentions:
        for place in mention.span:
            if place & 255 and place not in empty:
                start = max(each for each in starts if each <= max(word_of(place), 0))
                after = 0 if place & 128 else word_of(place) - start + 1
                empty[place] = "\t".join([f"{after}.{place & 127}", *["_"] * 9])
    places = sorted([*(position(word) for word in range(len(words))), *empty])
    misc = _annotations(document, places, fields)
    yield f"# newdoc id = {document.id}"
    if not headers:
        yield f"# global.Entity = {'-'.join(fields)}"
    number = sentence = 0
    pending: list[int] = []  # empty nodes that stand before the first word of the next sentence
    for place in places:
        word = word_of(place)
        if place & 255:
            if place & 128:
                pending.append(place)
            else:
                yield _with_misc(empty[place], misc.get(place))
            continue
        if word in starts:
            number = 0
            sentence += 1
            if word:
                yield ""
            yield from others.get(word, [f"# sent_id = {document.id}-s{sentence}"] if not document.comments else [])
        else:
            yield from others.get(word, [])
        for each in pending:
            yield _with_misc(empty[each], misc.get(each))
        pending = []
        number += 1
        cells = [document.columns[name][word] if name in document.columns else "_" for name in _COLUMNS]
        yield _with_misc("\t".join([str(number), words[word], *cells]), misc.get(place))
    yield from others.get(len(words), []) if words else []
    yield ""


def _with_misc(line: str, added: list[str] | None) -> str:
    if not added:
        return line
    *cells, misc = line.split("\t")
    return "\t".join([*cells, "|".join([*added, *([misc] if misc != "_" else [])])])


def _annotations(document: Document, places: list[int], fields: list[str]) -> dict[int, list[str]]:
    """What MISC says of each place: Entity, Bridge, SplitAnte."""
    order = {place: number for number, place in enumerate(places)}
    closers: dict[int, list[tuple[int, str]]] = {}
    openers: dict[int, list[tuple[int, str]]] = {}
    for mention in document.mentions:
        entity = str(mention.entity)
        if not mention.span or not re.fullmatch(r"[^-()\[\]|\s,<:]+", entity):
            raise Error(
                "unwritable-mention", "a mention or an entity name that CorefUD cannot have", path=document.source,
                document=document.id, text=f"{entity}: {document.text_of(mention)}",
            )  # fmt: skip
        runs = _runs([order[place] for place in mention.span])
        head = mention.span.index(mention.head) + 1 if mention.head in mention.span else 1
        values = {**dict(mention.attributes), "head": str(head)}
        for piece, (first, last) in enumerate(runs, 1):
            label = entity + (f"[{piece}/{len(runs)}]" if len(runs) > 1 else "")
            parts = [label if name in ("eid", "GRP") else values.get(name, "") for name in fields]
            text = "(" + "-".join(parts)
            openers.setdefault(places[first], []).append((-last, text + ")" * (first == last)))
            if first != last:
                closers.setdefault(places[last], []).append((-first, f"{label})"))
    found: dict[int, list[str]] = {}
    for place in sorted({*openers, *closers}):
        chunks = [text for _, text in sorted(closers.get(place, []), key=lambda each: each[0])]
        chunks += [text for _, text in sorted(openers.get(place, []), key=lambda each: each[0])]
        found[place] = ["Entity=" + "".join(chunks)]
    for name, links in (("Bridge", _bridge_links(document)), ("SplitAnte", _split_links(document))):
        for place, each in links.items():
            found[place].append(f"{name}=" + ",".join(each))
    return found


def _runs(nodes: list[int]) -> list[tuple[int, int]]:
    runs = [(nodes[0], nodes[0])]
    for node in nodes[1:]:
        if node == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], node)
        else:
            runs.append((node, node))
    return runs


def _bridge_links(document: Document) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for bridge in document.bridges:
        anaphor, antecedent = document.mentions[bridge.anaphor], document.mentions[bridge.antecedent]
        relation = dict(bridge.attributes).get("Rel", "")
        link = f"{antecedent.entity}<{anaphor.entity}" + (f":{relation}" if relation else "")
        found.setdefault(anaphor.span[0], []).append(link)
    return found


def _split_links(document: Document) -> dict[int, list[str]]:
    first: dict[Hashable, int] = {}
    for mention in document.mentions:
        first.setdefault(mention.entity, mention.span[0])
    return {first[entity]: [f"{member}<{entity}" for member in members] for entity, members in document.sets.items()}


def sniff(data: bytes) -> bool:
    """Whether there is a header `# global.Entity`, or MISC with Entity brackets in ten columns."""
    if re.search(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, re.MULTILINE):
        return False  # CONLL-UA that was converted from CorefUD
    if re.search(rb"^#\s*global\.Entity\s*=", data, re.MULTILINE):
        return True
    return re.search(rb"^\d+(\t[^\t\n]*){8}\t([^\t\n]*\|)?Entity=", data, re.MULTILINE) is not None


FORMAT = Format("corefud", "CorefUD in CoNLL-U", ".conllu", "crac-2026", sniff, read, write)
