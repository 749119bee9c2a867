"""EDL: a line for each mention of an entity in a knowledge base or of a NIL, as neleval has TAC's entity discovery.

`document start end id score type`, with tabs. The id is that of the knowledge base, or begins with NIL; a bare NIL is
an entity of its own. Score and type may be missing; further candidates (id, score, type) may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...document.document import Document, Mention, Origin
from ...problems import Problems, Reporter
from ..source import SKIP, Source

_NUMBER = re.compile(r"[0-9]{1,9}")
_EXPECTED = "document, start, end, id or NIL, score, type, with tabs between them"
_NIL = "NIL"
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
        cells = [cell.strip() for cell in line.split("\t")]
        name, start, end, entity = [*cells[:4], *[""] * (4 - len(cells))]
        if not name or not entity or not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(end)):
            report("bad-line", "not a line of a mention", number, line, _EXPECTED)
            continue
        first, last = int(start), int(end) - (source.ends == "exclusive")
        if not first <= last < first + _LONGEST:
            expected = f"start {'<' if source.ends == 'exclusive' else '≤'} end, as ends are {source.ends} (see --ends)"
            report.of(name)("bad-mention", "a mention without characters", number, line, expected)
            continue
        id = f"{name}:{number}"
        score, type = [*cells[4:6], *[""] * (6 - max(len(cells), 4))][:2]
        attributes = [(field, said) for field, said in (("type", type), ("confidence", score)) if said]
        entity = f"{_NIL}:{id}" if entity == _NIL else entity
        found.setdefault(name, []).append(Mention.at(first, last, entity, id=id, attributes=tuple(attributes)))
        lines.setdefault(name, {})[id] = number
        others += len(cells) > 6
    if others:
        message = f"{others} mentions have several candidates, of which the first counts"
        report("other-candidates", message, expected="one id for each mention", remedy="", fatal=False)
    for name, mentions in found.items():
        first_line = next(iter(lines[name].values()))
        yield Document(name, (), mentions, origin=Origin(source.name, first_line, (), lines[name]))
