"""WebAnno TSV 3, as INCEpTION writes it: the chains of its coreference layer.

`#T_CH=...CoreferenceLink|referenceRelation|referenceType` declares the columns of a layer of chains. A token line has
its number `sentence-token`, its offsets, its word, and then the columns of all layers in the order of the header. In
the column of the relation, `coref->3-2` says that the token is part of link 2 of chain 3; several are separated by `|`.
A token that is cut (`1-3.1`) counts as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..document.document import Document, Mention, Origin, position, word_of
from ..document.spans import is_stretch, text_order
from ..problems import Problems, Reporter
from .source import SKIP, Source, only, refusal, with_words

_HEADER = "#FORMAT=WebAnno TSV 3"
_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
_NUMBER = r"[0-9]{1,9}"
_TOKEN = rf"{_NUMBER}-({_NUMBER})(\.{_NUMBER})?"
_LINK = rf"(.*)->({_NUMBER})-({_NUMBER})"
_COLUMNS = 3


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its name is that of the file."""
    name = re.sub(r"\.tsv$", "", source.name.removesuffix(".gz").replace("\\", "/").rpartition("/")[2])
    lines = source.data.decode().split("\n")
    report = Reporter(problems, source.name, name, SKIP)
    chains, width = _layout(lines, report.of(None))
    words: list[str] = []
    rows: list[int] = []
    starts: list[int] = []
    links: dict[tuple[int, str, str], tuple[str, list[int]]] = {}  # by layer, chain and number: type, words
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.rstrip("\r").split("\t")
        token = re.fullmatch(_TOKEN, cells[0])
        if not token or len(cells) < width:
            report("bad-line", "not a token line", number, line, f"sentence-token, offsets, word, {width - 3} columns")
            continue
        if not token[2]:
            if token[1] == "1":
                starts.append(len(words))
            words.append("".join(_plain(cells[2]).split()) or "_")
            rows.append(number)
        elif not words:
            report("bad-line", "a part of a token that is not there", number, line, "the whole token before it")
            continue
        for layer, (relation, kind) in enumerate(chains):
            for link, type in _links(cells[relation], cells[kind] if kind else ""):
                if link is None:
                    report("bad-link", "not a link of a chain", number, cells[relation], '"_", or relation->chain-link')
                    continue
                _, places = links.setdefault((layer, *link), (type, []))
                if places[-1:] != [len(words) - 1]:
                    places.append(len(words) - 1)
    mentions = [_mention(*link, *said) for link, said in links.items()]
    mentions.sort(key=lambda mention: (mention.span[0], -len(mention.span), str(mention.id)))
    yield Document(name, tuple(words), tuple(mentions), tuple(starts), origin=Origin(source.name, 1, rows))


def _mention(layer: int, chain: str, link: str, type: str, places: list[int]) -> Mention:
    entity = f"{layer + 1}:{chain}" if layer else chain
    attributes = (("type", type),) if type else ()
    return Mention(tuple(map(position, places)), entity, f"{entity}-{link}", (), attributes)


def _layout(lines: list[str], report: Reporter) -> tuple[list[tuple[int, int]], int]:
    """The columns of relation and type of each layer of chains (0 if it has no type), and the number of columns."""
    chains: list[tuple[int, int]] = []
    column = _COLUMNS
    for line in lines:
        kind, _, layer = line.rstrip("\r").partition("=")
        if kind not in ("#T_SP", "#T_CH", "#T_RL"):
            continue
        features = layer.split("|")[1:] or [""]
        places = {name: number for number, name in enumerate(features, column)}
        if kind == "#T_CH" and "referenceRelation" in places:
            chains.append((places["referenceRelation"], places.get("referenceType", 0)))
        column += len(features)
    if not chains:
        expected = f"#T_CH={_LAYER}|referenceRelation|referenceType"
        remedy = "export the document with its coreference layer"
        raise report.error("no-entities", "no layer of chains", 1, expected=expected, remedy=remedy)
    return chains, min(column, max(each for pair in chains for each in pair) + 1)


def _links(relations: str, kinds: str) -> Iterator[tuple[tuple[str, str] | None, str]]:
    """The chain and the link of each relation in a cell, and the type beside it."""
    if relations in ("_", ""):
        return
    types = re.split(r"(?<!\\)\|", kinds)
    for number, relation in enumerate(re.split(r"(?<!\\)\|", relations)):
        match = re.fullmatch(_LINK, relation)
        type = re.sub(rf"\[{_NUMBER}\]$", "", types[number] if number < len(types) else "")
        yield ((match[2], match[3]) if match else None), "" if type in ("*", "_") else _plain(type)


def _plain(text: str) -> str:
    """A text with backslash escapes removed."""
    return re.sub(r"\\(->|.)", r"\1", text) if "\\" in text else text


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """One document with a layer of chains; entities whose names are no numbers are numbered in order of appearance."""
    document = with_words(only(documents, "a WebAnno file", "write to a folder: --to webanno"))
    cells = _cells(document)
    lines = [f"{_HEADER}.3", f"#T_CH={_LAYER}|referenceRelation|referenceType", ""]
    starts = sorted({0, *document.sentences})
    at = 0
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(document.words)], strict=True), 1):
        words = document.words[start:end]
        lines += ["", f"#Text={' '.join(map(_escaped, words))}"]
        for token, word in enumerate(words, 1):
            relation, kind = cells.get(start + token - 1, ("_", "_"))
            lines.append(f"{number}-{token}\t{at}-{at + len(word)}\t{_escaped(word)}\t{relation}\t{kind}\t")
            at += len(word) + 1
    return "\n".join([*lines, ""])


def _cells(document: Document) -> dict[int, tuple[str, str]]:
    found: dict[int, list[tuple[str, str]]] = {}
    in_text = sorted(document.mentions, key=lambda mention: (text_order(mention.span)[:1], -len(mention.span)))
    entities = replace(document, mentions=tuple(in_text)).entities()
    numbers = [str(entity) for entity in entities]
    if not all(re.fullmatch(_NUMBER, number) for number in numbers) or len({*numbers}) < len(numbers):
        numbers = [str(number) for number in range(1, len(numbers) + 1)]
    for chain, ordered in zip(numbers, entities.values(), strict=True):
        for link, mention in enumerate(ordered, 1):
            if not is_stretch(mention.span) or word_of(mention.span[-1]) >= len(document.words):
                message = "a mention that is not a stretch of words cannot be written as WebAnno"
                raise refusal(document, "unwritable-mention", message, mention)
            kind = _escaped(dict(mention.attributes).get("type", "") or "*")
            for word in map(word_of, mention.span):
                found.setdefault(word, []).append((f"*->{chain}-{link}", f"{kind}[{chain}]"))
    if any(not word or any(map(str.isspace, word)) for word in document.words):
        raise refusal(document, "unwritable-word", "an empty word, or one with blanks, cannot be written as WebAnno")
    return {place: ("|".join(a for a, _ in each), "|".join(b for _, b in each)) for place, each in found.items()}


def _escaped(text: str) -> str:
    return text if text == "*" else re.sub(r"[\\\[\]|_;*]", r"\\\g<0>", text).replace("->", r"\->")
