"""Cases in formats of lists and tables: JSON lines, JSON of names, CSV, WebAnno TSV, BookNLP."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from ..cases import Case, Text
from ..sides import Side


def words(text: Text) -> list[str]:
    """The words of a document."""
    return [f"w{number}" for number in range(text.words)]


def spans(side: Side) -> list[tuple[str, list[tuple[int, int]]]]:
    """The entities of a side: names, and the first and last words of mentions."""
    return [(group.name, [(spot.first[0], spot.last[0]) for spot in group.mentions]) for group in side]


def sides(case: Case, which: str) -> list[tuple[Text, Side]]:
    """The documents that a side has."""
    found = ((text, text.side(which)) for text in case.texts())
    return [(text, side) for text, side in found if side is not None]


def jsonl(case: Case, which: str, folder: Path) -> Path:
    """A line for each document."""
    lines = [
        json.dumps({"doc_key": text.name, "tokens": words(text), "clusters": [each for _, each in spans(side)]})
        for text, side in sides(case, which)
    ]
    return _written(folder / f"{which}.jsonl", lines)


def clusters(case: Case, which: str, folder: Path) -> Path:
    """Lists of names; a mention is called as its span."""
    [(_, side)] = sides(case, which)
    found = {name: [f"{first}-{last}" for first, last in each] for name, each in spans(side)}
    return _written(folder / f"{which}.json", [json.dumps({"type": "clusters", "clusters": found})])


def table(case: Case, which: str, folder: Path) -> Path:
    """A row for each mention."""
    rows = [
        f"{text.name},{text.name}:{first}-{last},{text.name}:{name}"
        for text, side in sides(case, which)
        for name, each in spans(side)
        for first, last in each
    ]
    return _written(folder / f"{which}.csv", ["document,mention,entity", *rows])


def webanno(case: Case, which: str, folder: Path) -> Path:
    """A layer of chains."""
    [(text, side)] = sides(case, which)
    links: dict[int, list[str]] = defaultdict(list)
    types: dict[int, list[str]] = defaultdict(list)
    number = 0
    for chain, (_, mentions) in enumerate(spans(side), 1):
        for link, (first, last) in enumerate(sorted(mentions), 1):
            number += 1
            for word in range(first, last + 1):
                links[word].append(f"*->{chain}-{link}")
                types[word].append(f"*[{number}]")
    layer = "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType"
    lines, start = ["#FORMAT=WebAnno TSV 3.3", layer, "", f"#Text={' '.join(words(text))}"], 0
    for place, word in enumerate(words(text)):
        cells = ["|".join(links[place]) or "_", "|".join(types[place]) or "_"]
        lines.append("\t".join([f"1-{place + 1}", f"{start}-{start + len(word)}", word, *cells]))
        start += len(word) + 1
    return _written(folder / f"{which}.tsv", lines)


def booknlp(case: Case, which: str, folder: Path) -> Path:
    """Mentions, and tokens beside them."""
    [(text, side)] = sides(case, which)
    header = "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword"
    tokens = [f"0\t0\t{number}\t{number}\t{word}" for number, word in enumerate(words(text))]
    _written(folder / f"{which}.tokens", [header, *tokens])
    rows = [
        f"{number}\t{first}\t{last}\tPROP\tPER\tw"
        for number, (_, each) in enumerate(spans(side))
        for first, last in each
    ]
    return _written(folder / f"{which}.entities", ["COREF\tstart_token\tend_token\tprop\tcat\ttext", *rows])


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path
