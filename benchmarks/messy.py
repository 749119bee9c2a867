"""Corpora as messy as the world, from a seed.

The mentions of `corpus.texts`, and more: nested, crossing and repeated ones, zeros, mentions in several pieces, and
spans that are cut shorter on one side, so that several mentions have the same head. The files of key and response
differ in everything that is not scored: columns, blanks, the order of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import corpus
import formats
import scoref
from corpus import SENTENCE, Mention, Text
from scoref.document.document import position, stretch
from scoref.document.spans import text_order

EXTRA = 0.04  # a token, of mentions of each further kind


def texts(documents: int, tokens: int, seed: int = 0, crossing: bool = True, repeated: float = 0) -> list[Text]:
    """Documents with nested mentions, crossing ones if wanted, and a share of mentions that are in two entities."""
    random = np.random.default_rng(seed + 1)
    return [_tangled(text, random, crossing, repeated) for text in corpus.texts(documents, tokens, seed)]


def _tangled(text: Text, random: np.random.Generator, crossing: bool, repeated: float) -> Text:
    size = text.bounds[-1]
    entities = 1 + max((entity for _, _, entity in (*text.key, *text.response)), default=0)
    spans = {(first, last) for first, last, _ in (*text.key, *text.response)}
    wanted = max(int(EXTRA * size), 1)
    first = random.integers(0, size, wanted)
    last = np.minimum(first + random.integers(1, 7, wanted), np.minimum((first // SENTENCE + 1) * SENTENCE, size) - 1)
    new = sorted({*zip(first.tolist(), last.tolist(), strict=True)} - spans)  # inside of others, or across their ends
    if not crossing:
        new = _nested(new, text.bounds)
    sides = []
    groups = max(len(new) // 4, min(len(new), 8), 1)  # so many that no two mentions of an entity overlap
    for mentions, share, moved in ((text.key, 1.0, 0.0), (text.response, 0.8, 0.2)):
        entity = (np.arange(len(new)) + (random.random(len(new)) < moved)) % groups + entities
        kept = random.random(len(new)) < share
        more = [(*span, int(name)) for span, name, keep in zip(new, entity, kept, strict=True) if keep]
        again = random.choice(len(mentions), round(repeated * len(mentions)), replace=False) if mentions else []
        twice = [(*mentions[place][:2], (mentions[place][2] + 1) % entities) for place in again]
        sides.append(sorted({*mentions, *more, *twice}))
    return text._replace(key=sides[0], response=sides[1])


def _nested(spans: list[tuple[int, int]], bounds: list[int]) -> list[tuple[int, int]]:
    """Those spans that are parts of one phrase, and do not cross each other."""
    phrase = np.searchsorted(bounds, [first for first, _ in spans], "right")
    found: list[tuple[int, int]] = []
    for (first, last), end in zip(spans, np.array([*bounds, bounds[-1]])[phrase].tolist(), strict=True):
        if last < end and (not found or found[-1][1] < first):
            found.append((first, last))
    return found


# -- CoNLL -----------------------------------------------------------------------------------------------------------


def write_conll(documents: list[Text], folder: Path) -> tuple[Path, Path]:
    """The key padded, with parse and speakers; the response with tabs, two blank lines and the last document first."""
    paths = folder / "key.conll", folder / "response.conll"
    with paths[0].open("w") as file:
        for text in documents:
            corpus.write_text(file, text.name, corpus.rows(text, True), text.key)
    with paths[1].open("w") as file:
        for text in reversed(documents):
            rows = ["\t".join(row.split()[:5]) + "\t*\t-\t-\t-\t-\t*\t" for row in corpus.rows(text, False)]
            corpus.write_text(file, text.name, rows, text.response, blank=2)
    return paths


# -- formats with heads, zeros and pieces ------------------------------------------------------------------------------


def write(documents: Iterable[Text], format: str, folder: Path) -> tuple[Path, Path]:
    """Both sides in CorefUD or CONLL-UA; documents in the same order, as the scorers of these formats ask for it."""
    documents = list(documents)
    key = [_document(text, text.key, False, format) for text in documents]
    response = [_document(text, text.response, True, format) for text in documents]
    return formats.store(key, response, format, folder)


def _order(mention: scoref.Mention) -> tuple[tuple[int, ...], str]:
    return text_order(mention.span), str(mention.entity)


def _meets(places: tuple[int, ...], ends: list[tuple[int, int]]) -> bool:
    """Whether a mention meets another one of its entity, which CorefUD cannot always say; else its ends are added."""
    first, last = places[0], places[-1]
    if any(a <= last and first <= b for a, b in ends):
        return True
    ends.append((first, last))
    return False


def _document(text: Text, mentions: list[Mention], cut: bool, format: str) -> scoref.Document:
    """One side; where `cut`, every third span of several words lacks its last word, and has the same head."""
    made, seen = [], set()
    ends: dict[int, list[tuple[int, int]]] = {}
    inner: dict[int, int] = {}
    for first, last, _ in mentions:
        inner[last] = max(first, inner.get(last, 0))
    for number, (first, last, entity) in enumerate(mentions):
        places = tuple(stretch(first, last))
        if number % 11 == 0 and len(places) > 2 and format == "corefud":
            places = places[:1] + places[2:]  # in two pieces
        if cut and number % 3 == 0 and len(places) > 1 and inner[last] == first:  # so it crosses no other
            places = places[:-1]
        if (places, entity) in seen or (format == "corefud" and _meets(places, ends.setdefault(entity, []))):
            continue
        seen.add((places, entity))
        made.append(scoref.Mention(places, f"e{entity}", f"m{number}", head=places[0], minimum=places[:1]))
    size = text.bounds[-1]
    if format == "corefud":
        made += [_zero(word) for word in range(0, size, 25)]
    return scoref.Document(
        text.name.replace("/", "_"), tuple(f"w{word}" for word in range(size)), tuple(sorted(made, key=_order)),
        tuple(range(0, size, SENTENCE)), {} if cut else _columns(size),
    )  # fmt: skip


def write_nuggets(documents: Iterable[Text], folder: Path) -> tuple[Path, Path]:
    """Event nuggets by characters, documents of the response in another order.

    Every seventh has a second type, and a line for it; every eleventh is in two pieces; every third span of the
    response lacks its last letter; every ninth realis of the key is not annotated.
    """
    paths = folder / "key.tbf", folder / "response.tbf"
    documents = list(documents)
    for path, texts, cut in ((paths[0], documents, False), (paths[1], documents[::-1], True)):
        with path.open("w") as file:
            for text in texts:
                file.write(f"#BeginOfDocument {text.name.replace('/', '_')}\n")
                file.writelines(_nuggets(text.name.replace("/", "_"), text.response if cut else text.key, cut))
                file.write("#EndOfDocument\n")
    return paths


def _nuggets(name: str, mentions: list[Mention], cut: bool) -> Iterator[str]:
    entities: dict[int, list[str]] = {}
    for number, (first, last, entity) in enumerate(mentions):
        begin, end = 10 * first, 10 * last + 9 - (cut and number % 3 == 0)
        span = f"{begin},{begin + 3};{begin + 5},{end}" if number % 11 == 0 else f"{begin},{end}"
        realis = "NOT_ANNOTATED" if number % 9 == 0 and not cut else ("Actual", "Generic")[number % 2]
        for copy in range(1 + (number % 7 == 0)):
            type = formats.TYPES[(entity + copy) % len(formats.TYPES)]
            yield "\t".join(("run", name, f"E{number}-{copy}", span, f"w{first}", type, realis)) + "\n"
        entities.setdefault(entity, []).append(f"E{number}-0")
    for entity, members in entities.items():
        if len(members) > 1:
            yield f"@Coreference\tC{entity}\t{','.join(members)}\n"


def _zero(word: int) -> scoref.Mention:
    """An empty node behind a word, which depends on that word."""
    place = position(word, 1)
    return scoref.Mention((place,), f"e{word % 7}", f"z{word}", head=place, parents=((position(word), "nsubj"),))


def _columns(size: int) -> dict[str, list[str]]:
    """What treebanks say of words."""
    return {
        "LEMMA": [f"lemma{word % 97}" for word in range(size)],
        "UPOS": ["NOUN"] * size,
        "XPOS": ["NN"] * size,
        "FEATS": ["Number=Sing|Gender=Fem|Case=Nom"] * size,
    }


# -- extremes --------------------------------------------------------------------------------------------------------


def small_documents(documents: int, seed: int = 0) -> list[Text]:
    """Many documents of three mentions or so."""
    return [text._replace(name=f"nw/small_{number:06}") for number, text in
            enumerate(corpus.texts(documents, 20, seed))]  # fmt: skip


def giant(tokens: int) -> Text:
    """Every other word is a mention: all of one entity in the key, each an entity of its own in the response."""
    places = range(0, tokens, 2)
    bounds = [*range(tokens), tokens]
    return Text("nw/giant", bounds, [(word, word, 0) for word in places], [(word, word, word) for word in places])


def tied(tokens: int, seed: int = 0) -> Text:
    """Mentions around the same heads: at each fourth word spans of two and of three words, other ones on each side."""
    random = np.random.default_rng(seed)
    heads = [word for word in range(0, tokens - 4, 4) if word % SENTENCE < SENTENCE - 4]
    sides = []
    number, size = max(len(heads) // 4, 1), (2, len(heads))
    names = random.integers(0, number, size)
    for lengths in ((1, 2), (2, 3)):
        entity = np.where(random.random(size) < 0.9, names, random.integers(0, number, size))
        sides.append(sorted((head, head + length, int(name)) for length, row in zip(lengths, entity, strict=True)
                            for head, name in zip(heads, row, strict=True)))  # fmt: skip
    return Text("nw/tied", sorted({0, *heads, tokens}), *sides)
