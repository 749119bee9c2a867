"""Cases in formats with marks in or beside a text: MUC, running text with marks, brat, ECB+."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..cases import Case, Text
from ..sides import Side
from .tabular import _written, sides, spans, words


def _marked(text: Text, side: Side, begin: Callable[[int], str], end: Callable[[int], str]) -> str:
    """The words with marks around mentions, which are numbered through in the order of entities."""
    mentions = [span for _, each in spans(side) for span in each]
    found = []
    for place, word in enumerate(words(text)):
        opening = [number for number, (first, _) in enumerate(mentions) if first == place]
        closing = [number for number, (_, last) in enumerate(mentions) if last == place]
        opening.sort(key=lambda number: -mentions[number][1])
        closing.sort(key=lambda number: -mentions[number][0])
        found.append("".join(map(begin, opening)) + word + "".join(map(end, closing)))
    return " ".join(found)


def muc(case: Case, which: str, folder: Path) -> Path:
    """`<COREF>` around mentions; each but the first of an entity refers to the first."""
    lines = []
    for text, side in sides(case, which):
        firsts: list[str] = []
        for _, each in spans(side):
            start = len(firsts)
            firsts += ["" if number == 0 else f' TYPE="IDENT" REF="{start + 1}"' for number in range(len(each))]
        body = _marked(text, side, lambda n, all=firsts: f'<COREF ID="{n + 1}"{all[n]}>', lambda n: "</COREF>")
        lines.append(f"<DOC><DOCNO>{text.name}</DOCNO><TXT>\n{body}\n</TXT></DOC>")
    return _written(folder / f"{which}.sgm", lines)


def text(case: Case, which: str, folder: Path) -> Path:
    """`[words](#1)` around mentions."""
    [(only, side)] = sides(case, which)
    homes = [name for name, each in spans(side) for _ in each]
    body = _marked(only, side, lambda n: "[", lambda n: f"](#{homes[n]})")
    return _written(folder / f"{which}.txt", [body])


def brat(case: Case, which: str, folder: Path) -> Path:
    """A line for each mention, and one for each link of an entity's neighbours; the text beside it."""
    [(only, side)] = sides(case, which)
    starts, place = [], 0
    for word in words(only):
        starts.append((place, place + len(word)))
        place += len(word) + 1
    body = " ".join(words(only))
    lines, links = [], []
    for _, each in spans(side):
        for number, (first, last) in enumerate(each):
            begin, end = starts[first][0], starts[last][1]
            lines.append(f"T{len(lines) + 1}\tX {begin} {end}\t{body[begin:end]}")
            if number:
                links.append(f"R{len(links) + 1}\tCoreference Arg1:T{len(lines) - 1} Arg2:T{len(lines)}")
    (folder / f"{which}.txt").write_text(body, encoding="utf-8")
    return _written(folder / f"{which}.ann", [*lines, *links])


def ecb(case: Case, which: str, folder: Path) -> Path:
    """Markables that point to tokens, and a relation for each entity."""
    [(only, side)] = sides(case, which)
    lines = [f'<Document doc_name="{only.name}.xml">']
    lines += [f'<token t_id="{n + 1}" sentence="0" number="{n}">{word}</token>' for n, word in enumerate(words(only))]
    marks, relations = [], []
    for _, each in spans(side):
        names = []
        for first, last in each:
            names.append(len(marks) + 1)
            anchors = "".join(f'<token_anchor t_id="{word + 1}"/>' for word in range(first, last + 1))
            marks.append(f'<X m_id="{names[-1]}">{anchors}</X>')
        if len(names) > 1:
            sources = "".join(f'<source m_id="{name}"/>' for name in names[:-1])
            number = len(relations) + 1
            target = f'<target m_id="{names[-1]}"/>'
            relations.append(f'<INTRA_DOC_COREF r_id="{number}">{sources}{target}</INTRA_DOC_COREF>')
    parts = ["<Markables>", *marks, "</Markables>", "<Relations>", *relations, "</Relations>", "</Document>"]
    return _written(folder / f"{which}.xml", [*lines, *parts])
