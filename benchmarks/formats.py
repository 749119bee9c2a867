"""The generated corpora as CONLL-UA, CorefUD and TBF files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import corpus
import scoref
from scoref.document.document import stretch

SUFFIXES = {"corefud": "conllu"}  # what other programs ask for
TYPES = ("Conflict_Attack", "Life_Die", "Movement_Transport", "Contact_Meet")


def write(texts: Iterable[corpus.Text], format: str, folder: Path) -> tuple[Path, Path]:
    """Key and response in that format, with heads, types and realis where it has them; JSON lines as systems do."""
    texts = list(texts)
    if format == "tbf":
        return _write_tbf(texts, folder)
    plain = format == "jsonl"
    return store(
        [document(text, text.key, plain) for text in texts],
        [document(text, text.response, plain) for text in texts],
        format,
        folder,
    )


def store(key: list[scoref.Document], response: list[scoref.Document], format: str, folder: Path) -> tuple[Path, Path]:
    """Documents of both sides as files."""
    suffix = SUFFIXES.get(format, format)
    paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
    for path, documents in zip(paths, (key, response), strict=True):
        scoref.write(documents, path, format)
    return paths


def _write_tbf(texts: list[corpus.Text], folder: Path) -> tuple[Path, Path]:
    """Event nuggets by characters; each word has ten, and a blank behind the nine of a nugget."""
    paths = folder / "key.tbf", folder / "response.tbf"
    for path, side in zip(paths, ("key", "response"), strict=True):
        with path.open("w") as file:
            for text in texts:
                name, mentions = text.name.replace("/", "_"), getattr(text, side)
                file.write(f"#BeginOfDocument {name}\n")
                entities: dict[int, list[str]] = {}
                for number, (first, last, entity) in enumerate(mentions):
                    cells = ("run", name, f"E{number}", f"{10 * first},{10 * last + 9}", f"w{first}",
                             TYPES[entity % len(TYPES)], "Actual")  # fmt: skip
                    file.write("\t".join(cells) + "\n")
                    entities.setdefault(entity, []).append(f"E{number}")
                for entity, members in entities.items():
                    if len(members) > 1:
                        file.write(f"@Coreference\tC{entity}\t{','.join(members)}\n")
                file.write("#EndOfDocument\n")
    return paths


def document(text: corpus.Text, mentions: Iterable[corpus.Mention], plain: bool) -> scoref.Document:
    """A document with the words of a text and these mentions, with heads and types unless it is to be plain."""
    made = []
    for number, (first, last, entity) in enumerate(mentions):
        span = stretch(first, last)
        if plain:
            made.append(scoref.Mention(span, f"e{entity}"))
            continue
        attributes = (("type", TYPES[entity % len(TYPES)]), ("realis", "Actual"))
        made.append(scoref.Mention(span, f"e{entity}", f"m{number}", (), attributes, span[-1]))
    size = text.bounds[-1]
    return scoref.Document(
        text.name.replace("/", "_"),
        tuple(f"w{word}" for word in range(size)),
        tuple(made),
        tuple(range(0, size, corpus.SENTENCE)),
    )
