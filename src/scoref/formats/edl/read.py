"""EDL: a line for each mention of an entity in a knowledge base or of a NIL, as neleval has TAC's entity discovery.

`document start end id score type`, with tabs. The id is that of the knowledge base, or begins with NIL; a bare NIL is
an entity of its own. Score and type may be missing; the type may be an object of JSON with several attributes. Further
candidates (id, score, type) may follow: the one with the highest score counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...document.document import Document, Mention, Origin
from ...document.mentions import Attributes
from ...problems import Problems, Reporter
from ..jsonl.shapes import loads
from ..source import SKIP, Source

NIL, KBID = "NIL", "kbid"
_NUMBER = re.compile(r"[0-9]{1,9}")
_EXPECTED = "document, start, end, id or NIL, score, type, with tabs between them"
_SCORES = "an id, a number and a type for each candidate"
_LONGEST = 10**5


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents in the order in which they first appear; their lines need not stand together."""
    report = Reporter(problems, source.name, remedy=SKIP)
    found: dict[str, list[Mention]] = {}
    lines: dict[str, dict[object, int]] = {}
    others = 0
    for number, line in enumerate(source.data.decode().split("\n"), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.rstrip().split("\t")]
        name, start, end, entity = [*cells[:4], *[""] * (4 - len(cells))]
        if not name or not entity or not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(end)):
            report("bad-line", "not a line of a mention", number, line, _EXPECTED)
            continue
        first, last = int(start), int(end) - (source.ends == "exclusive")
        if not first <= last < first + _LONGEST:
            expected = f"start {'<' if source.ends == 'exclusive' else '≤'} end, as ends are {source.ends} (see --ends)"
            report.of(name)("bad-mention", "a mention without characters", number, line, expected)
            continue
        try:
            entity, attributes = _best(cells[3:])
        except ValueError:
            report.of(name)("bad-candidates", "candidates that are not triples", number, line, _SCORES)
            continue
        id = f"{name}:{number}"
        entity = f"{NIL}:{id}" if entity == NIL else entity
        found.setdefault(name, []).append(Mention.at(first, last, entity, id=id, attributes=attributes))
        lines.setdefault(name, {})[id] = number
        others += len(cells) > 6
    if others:
        message = f"{others} mentions have several candidates, of which the one with the highest score counts"
        report("other-candidates", message, expected="one id for each mention", remedy="", fatal=False)
    for name, mentions in found.items():
        first_line = next(iter(lines[name].values()))
        yield Document(name, (), mentions, origin=Origin(source.name, first_line, (), lines[name]))


def _best(cells: Sequence[str]) -> tuple[str, Attributes]:
    """The id and the attributes of the candidate with the highest score, the first of equal ones."""
    triples = [[*cells[place : place + 3], "", ""][:3] for place in range(0, len(cells), 3)]
    entity, score, type = max(triples, key=lambda each: float(each[1])) if len(triples) > 1 else triples[0]
    if not entity:
        raise ValueError
    said = {field: str(value) for field, value in loads(type).items()} if type[:1] == "{" else {"type": type}
    said = {**said, "confidence": score, KBID: said.get(KBID, kbid_of(entity))}
    return entity, tuple((field, value) for field, value in said.items() if value)


def kbid_of(entity: str) -> str:
    """The id of the knowledge base that an entity is linked to; NIL if there is none."""
    return NIL if entity.startswith(NIL) else entity
