"""Seeded corpora for the benchmarks: documents with key and response, as files of several formats, and label arrays.

A document is made of phrases of one to four words. Key mentions are phrases, or two phrases in a row; no two of them
are the same words, none cross. The response is the key with noise: mentions missed, invented, moved to another entity.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from scoref.counting.table import Table, TableCells, TableSide

MISSED, INVENTED, MOVED = 0.1, 0.05, 0.1
MENTIONS = 0.145  # a token, on either side
SIZE = 4  # mentions an entity has on average
SENTENCE = 20  # tokens

Mention = tuple[int, int, int]  # first word, last word, entity


class Text(NamedTuple):
    """One document: its name, where its phrases begin (and the last one ends), its mentions on both sides."""

    name: str
    bounds: list[int]
    key: list[Mention]
    response: list[Mention]


def texts(documents: int, tokens: int, seed: int = 0) -> list[Text]:
    """Documents of that many tokens each."""
    random = np.random.default_rng(seed)
    return [_text(f"nw/bench_{number:04}", tokens, random) for number in range(documents)]


def _text(name: str, tokens: int, random: np.random.Generator) -> Text:
    bounds = _phrases(tokens, random)
    singles = [(start, end - 1) for start, end in pairwise(bounds)]
    doubles = [(first[0], second[1]) for first, second in zip(singles[::2], singles[1::2], strict=False)
               if first[0] // SENTENCE == second[1] // SENTENCE]  # fmt: skip
    wanted = int(tokens * MENTIONS)
    key: list[Mention] = []
    response: list[Mention] = []
    base = 0
    for places, share in ((singles, 0.85), (doubles, 0.15)):  # entities of their own, so that none nests in itself
        number = int(wanted * share)
        entities = max(number // SIZE, 2)
        order = random.permutation(len(places))
        spans, free = order[:number], order[number:]
        entity = (entities * random.random(number) ** 2).astype(int)  # few large entities, many small ones
        moved = (entity + random.integers(1, entities, number)) % entities
        theirs = np.where(random.random(number) < MOVED, moved, entity)
        kept = random.random(number) >= MISSED
        invented = free[: int(number * INVENTED)]
        strange = random.integers(0, entities, len(invented))
        names = random.permutation(entities)  # the response calls the entities by other names
        key += [(*places[place], base + each) for place, each in zip(spans.tolist(), entity.tolist(), strict=True)]
        placed = [*zip(spans[kept], theirs[kept], strict=True), *zip(invented, strange, strict=True)]
        response += [(*places[place], base + int(names[each])) for place, each in placed]
        base += entities
    return Text(name, bounds, sorted(key), sorted(response))


def _phrases(tokens: int, random: np.random.Generator) -> list[int]:
    """Where phrases begin, and the end of the last one; no phrase goes beyond its sentence."""
    bounds = np.union1d(np.cumsum(random.integers(1, 5, tokens)), np.arange(0, tokens, SENTENCE))
    return [*bounds[bounds < tokens].tolist(), tokens]


# -- files -----------------------------------------------------------------------------------------------------------


def write_conll(documents: Iterable[Text], folder: Path, parse: bool = True) -> tuple[Path, Path]:
    """Key and response as CoNLL-2012 files with the columns and the padding of OntoNotes, with a parse or without."""
    paths = folder / "key.conll", folder / "response.conll"
    with paths[0].open("w") as key, paths[1].open("w") as response:
        for text in documents:
            lines = rows(text, parse)
            for file, mentions in ((key, text.key), (response, text.response)):
                write_text(file, text.name, lines, mentions)
    return paths


def write_text(file: TextIO, name: str, rows: list[str], mentions: list[Mention], blank: int = 1) -> None:
    """One document, with so many blank lines behind each sentence."""
    file.write(f"#begin document ({name}); part 000\n")
    for number, (row, cell) in enumerate(zip(rows, brackets(mentions, len(rows)), strict=True), 1):
        file.write(f"{row}{cell}\n" + "\n" * blank * (number % SENTENCE == 0 or number == len(rows)))
    file.write("#end document\n")


def rows(text: Text, parsed: bool) -> list[str]:
    """All columns but the last: a flat parse of phrases, everything else plausible and padded."""
    starts, ends = set(text.bounds), {bound - 1 for bound in text.bounds}
    size = text.bounds[-1]
    rows = []
    for word in range(size):
        place = word % SENTENCE
        first, last = place == 0, place == SENTENCE - 1 or word == size - 1
        parse = "(TOP(S" * first + "(NP" * (word in starts) + "*" + ")" * (word in ends) + "))" * last
        parse = parse if parsed else "_"
        rows.append(f"{text.name}  0  {place:>2} {f'word{word * 7919 % 4001}':>8} NN {parse:>9}  -  -  -  spk1  *  *  ")
    return rows


def brackets(mentions: list[Mention], size: int) -> list[str]:
    """The last column."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    for first, last, entity in mentions:
        if first == last:
            opening[first].append((-last, f"({entity})"))
        else:
            opening[first].append((-last, f"({entity}"))
            closing[last].append((-first, f"{entity})"))
    return [
        "|".join([bracket for _, bracket in (*sorted(opens), *sorted(closes))]) or "-"
        for opens, closes in zip(opening, closing, strict=True)
    ]


def write_clusters(documents: Iterable[Text], folder: Path) -> tuple[Path, Path]:
    """Key and response as folders with one file of named clusters for each document."""
    paths = folder / "key", folder / "response"
    for path in paths:
        path.mkdir(exist_ok=True)
    for number, text in enumerate(documents):
        for path, mentions in zip(paths, (text.key, text.response), strict=True):
            record = {"type": "clusters", "clusters": {str(name): each for name, each in clusters(mentions).items()}}
            (path / f"{number:06}.json").write_text(json.dumps(record))
    return paths


def clusters(mentions: list[Mention]) -> dict[int, list[str]]:
    """The entities with their mentions, as names of places."""
    found: dict[int, list[str]] = {}
    for first, last, entity in mentions:
        found.setdefault(entity, []).append(f"{first}-{last}")
    return found


# -- tables ----------------------------------------------------------------------------------------------------------


def labels(mentions: int, entities: int, noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The entity of each mention in the key and in the response, where a share of them moved to another entity."""
    random = np.random.default_rng(seed)
    key = random.integers(0, entities, mentions)
    moved = random.random(mentions) < noise
    return key, np.where(moved, random.integers(0, entities, mentions), key)


def table(key: np.ndarray, response: np.ndarray) -> Table:
    """The table of one document, given the entity of each mention on both sides."""
    _, row, key_size = np.unique(key, return_inverse=True, return_counts=True)
    _, column, response_size = np.unique(response, return_inverse=True, return_counts=True)
    cells, counts = np.unique(row * len(response_size) + column, return_counts=True)
    sides = [TableSide(size.astype(np.float64), np.zeros(len(size), np.int64)) for size in (key_size, response_size)]
    width = len(response_size)
    return Table(TableCells(cells // width, cells % width, counts.astype(np.float64)), sides[0], sides[1], 1)
