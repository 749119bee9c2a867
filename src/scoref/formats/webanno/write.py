"""Documents as WebAnno TSV 3, and the syntax that reading shares with writing."""

from __future__ import annotations

import re
from dataclasses import replace

from ...document.document import Document, word_of
from ...document.spans import is_stretch, text_order
from ..source import only, refusal, with_words

HEADER = "#FORMAT=WebAnno TSV 3"
CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
NUMBER = r"[0-9]{1,9}"


def write(documents: list[Document]) -> str:
    """One document with a layer of chains; entities whose names are no numbers are numbered in order of appearance."""
    document = with_words(only(documents, "a WebAnno file", "write to a folder: --to webanno"))
    cells = _cells(document)
    lines = [f"{HEADER}.3", f"#T_CH={CHAINS}|referenceRelation|referenceType", ""]
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
    if not all(re.fullmatch(NUMBER, number) for number in numbers) or len({*numbers}) < len(numbers):
        numbers = [str(number) for number in range(1, len(numbers) + 1)]
    for chain, ordered in zip(numbers, entities.values(), strict=True):
        for link, mention in enumerate(ordered, 1):
            if not is_stretch(mention.span) or word_of(mention.span[-1]) >= len(document.words):
                message = "a mention that is not a stretch of words cannot be written as WebAnno"
                raise refusal(document, "unwritable-mention", message, mention)
            kind = _escaped(dict(mention.attributes).get("type") or "*")
            for word in map(word_of, mention.span):
                found.setdefault(word, []).append((f"*->{chain}-{link}", f"{kind}[{chain}]"))
    if any(not word or any(map(str.isspace, word)) for word in document.words):
        raise refusal(document, "unwritable-word", "an empty word, or one with blanks, cannot be written as WebAnno")
    return {place: ("|".join(a for a, _ in each), "|".join(b for _, b in each)) for place, each in found.items()}


def _escaped(text: str) -> str:
    return text if text == "*" else re.sub(r"[\\\[\]|_;*]", r"\\\g<0>", text).replace("->", r"\->")
