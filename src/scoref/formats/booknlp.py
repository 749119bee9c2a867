"""BookNLP: the mentions of a book (`NAME.entities`) beside its tokens (`NAME.tokens`), both tables with tabs.

`.entities` has the columns `COREF`, `start_token`, `end_token` (included), `prop`, `cat` and `text`; `.tokens` has
`word`, `sentence_ID` and `token_ID_within_document`. Without the file of tokens there are no words.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..document.document import Document, Mention, Origin, stretch
from ..problems import Problems, Reporter
from .source import SKIP, Source, checked, load

_NEEDED = ("COREF", "start_token", "end_token")
_LONGEST = 10**5


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its name is that of the file."""
    base = source.name.removesuffix(".gz").removesuffix(".entities")
    name = Path(base).name
    report = Reporter(problems, source.name, name, SKIP)
    words, starts = _tokens(base)
    mentions: list[Mention] = []
    for number, row in _rows(source, _NEEDED):
        try:
            first, last = int(row["start_token"]), int(row["end_token"])
        except ValueError:
            first, last = 0, -1
        if not 0 <= first <= last < (len(words) or first + _LONGEST):
            expected = f"0 ≤ start_token ≤ end_token{f' < {len(words)}' if words else ''}"
            message = "a mention that is not a stretch of tokens"
            report("bad-mention", message, number, "\t".join(row.values()), expected)
            continue
        kept = [(key, row[key]) for key in ("prop", "cat") if row.get(key)]
        text = [("text", row["text"])] if row.get("text") and not words else []
        mentions.append(Mention(stretch(first, last), row["COREF"], None, (), (*text, *kept)))
    yield Document(name, tuple(words), tuple(mentions), tuple(starts), origin=Origin(source.name, 1))


def _tokens(base: str) -> tuple[list[str], list[int]]:
    """The words of a book and where its sentences begin; nothing if there is no file of tokens."""
    path = next((path for path in (f"{base}.tokens", f"{base}.tokens.gz") if os.path.isfile(path)), None)
    if path is None:
        return [], []
    source = checked(Source(load(path), path), Problems())
    words: list[str] = []
    starts: list[int] = []
    sentence = None
    for number, row in _rows(source, ("word", "sentence_ID", "token_ID_within_document")):
        if row["token_ID_within_document"] != str(len(words)):
            report, id = Reporter(Problems(), path, remedy="run BookNLP again"), row["token_ID_within_document"]
            raise report.error("bad-line", "a token out of order", number, id, str(len(words)))
        if row["sentence_ID"] != sentence:
            sentence = row["sentence_ID"]
            starts.append(len(words))
        words.append(row["word"])
    return words, starts


def _rows(source: Source, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a table by the names in its first line."""
    lines = source.data.decode().split("\n")
    names = lines[0].split("\t")
    if not {*names} >= {*needed}:
        report = Reporter(Problems(), source.name, remedy="check the file")
        raise report.error("bad-line", "not the header of such a table", 1, lines[0], f"columns {', '.join(needed)}")
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            cells = line.split("\t")
            yield number, dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=False))
