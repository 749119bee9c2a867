"""Token tables of documents: finding them, and mentions by the tokens that they touch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, position, word_of
from .source import SKIP, load
from .tokens import Token, read_table

_LONGEST = 10_000


def check_folder(folder: str | None, what: str) -> None:
    """Refuse a folder that is not there."""
    if folder is not None and not Path(folder).is_dir():
        raise Error("unreadable-file", f"there is no such folder of {what}", path=folder,
                    remedy="check the name; a relative name is looked up from the current folder")  # fmt: skip


def table_of(folder: str, name: str, problems: Problems) -> list[Token] | None:
    """The token table of a document; None if the folder has none. The name is never followed out of the folder."""
    path = Path(folder) / f"{name}.tab"
    if not name or Path(name).name != name or not path.is_file():
        return None
    return read_table(load(path), str(path), problems)


def offsets(ids: list[str], table: list[Token]) -> dict[str, list[str]]:
    """What a table says of each token, as the columns of a document."""
    return {
        "token": ids,
        "begin": [str(token.begin) for token in table],
        "end": [str(token.end) for token in table],
    }


def by_tokens(document: Document, folder: str, problems: Problems) -> Document:
    """A document whose positions are characters, by the tokens of its table that share some of them."""
    check_folder(folder, "token tables")
    table = table_of(folder, document.id, problems)
    if table is None:
        if document.mentions:
            problems.add(Problem("no-token-table", "a document without a token table", document.source, document.line,
                                 document.id, None, f"{document.id}.tab in {folder}",
                                 "make it with scoref tokenize, or leave such documents empty with --on-problem skip",
                                 ))  # fmt: skip
        return replace(document, mentions=(), relations=())
    ends = [min(token.end, token.begin + _LONGEST) for token in table]
    at = {place: n for n, token in enumerate(table) for place in range(token.begin, ends[n])}
    mentions: list[Mention] = []
    for mention in document.mentions:
        places = [word_of(place) for place in mention.span]
        found = sorted({at[place] for place in places if place in at})
        if found:
            mentions.append(mention._replace(span=tuple(map(position, found))))
        else:
            problems.add(Problem("no-token", "a mention in which no token is", document.source,
                                 document.line_of(mention), document.id, document.named(mention),
                                 "tokens of its table", SKIP))  # fmt: skip
    words = tuple(token.text for token in table)
    columns = offsets([token.id for token in table], table)
    return replace(document, words=words, mentions=tuple(mentions), columns=columns)
