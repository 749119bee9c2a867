"""Cases as CONLL-UA files: fifteen columns; identity, bridging and deixis in columns of their own."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..cases import Case, Text
from ..sides import Side, Spot, mention, side

HEADER = ("# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
          " REFERENCE NOM_SEM")  # fmt: skip


def markables(entities: Side, start: int, deixis: bool = False) -> dict[tuple[int, int], str]:
    """The names of markables, by their first and last word."""
    letter = "dd" if deixis else "m"
    spans = sorted({(spot.first[0], spot.last[0]) for group in entities for spot in group.mentions})
    return {span: f"{letter}{start + number}" for number, span in enumerate(spans, 1)}


def columns(entities: Side, names: dict[tuple[int, int], str], deixis: bool = False) -> dict[int, str]:
    """What stands in the column of identity or deixis, by word: first closing brackets, then opening ones."""
    element = defaultdict(list)
    for group in entities:
        for members in group.sets:
            for member in members:
                element[member].append(f"{group.name}-DD" if deixis else group.name)
    opening: dict[int, list[tuple[int, str]]] = defaultdict(list)
    closing: dict[int, int] = defaultdict(int)
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for group in entities:
        name = group.name + ("-DD" if deixis else "") + ("" if group.refers else "-Pseudo")
        for number, spot in enumerate(group.mentions):
            first, last = spot.first[0], spot.last[0]
            again = "abcdefgh"[seen[first, last] - 1] if seen[first, last] else ""  # a span for the second time
            seen[first, last] += 1
            parts = [f"EntityID={name}", f"MarkableID={names[first, last]}{again}", *_least(spot)]
            if element[group.name] and number == 0:
                parts.append(f"ElementOf={','.join(element[group.name])}")
            opening[first].append((-last, f"({'|'.join(parts)}{')' if first == last else ''}"))
            closing[last] += first != last
    return {
        word: ")" * closing[word] + "".join(each for _, each in sorted(opening[word], key=lambda pair: pair[0]))
        for word in sorted({*opening, *closing})
        if closing[word] or opening[word]
    }


def _least(spot: Spot) -> list[str]:
    if spot.least is None:
        return []
    (first, _), (last, _) = spot.least
    return [f"Min={first + 1}" if first == last else f"Min={first + 1},{last + 1}"]


def bridges(links: str, names: dict[tuple[int, int], str], entities: Side) -> dict[int, str]:
    """What stands in the column of bridging: `5>2-3` is an anaphor and its anchor, with blanks between links."""
    homes = {(s.first[0], s.last[0]): group.name for group in entities for s in group.mentions}
    found: dict[int, str] = defaultdict(str)
    for link in links.split():
        (a, b), (c, d) = ((spot.first[0], spot.last[0]) for spot in map(mention, link.split(">")))
        text = f"(MarkableID={names[a, b]}|Rel=other|MentionAnchor={names[c, d]}|EntityAnchor={homes[c, d]}"
        found[a] += text + (")" if a == b else "")
        if a != b:
            found[b] = ")" + found[b]
    return dict(found)


def lines(case: Case, text: Text, which: str, name: str) -> list[str]:
    """A document."""
    entities = text.side(which) or []
    names = markables(entities, 0)
    identity = columns(entities, names)
    bridging = bridges(_of(case, "bridging", which, text), names, entities)
    deictic = side(_of(case, "deixis", which, text))
    deixis = columns(deictic, markables(deictic, 0, True), True)
    words = [f"w{number}" for number in range(text.words)]
    found = [f"# newdoc id = {name}", f"# sent_id = {name}-1", f"# text = {' '.join(words)}"]
    for number, word in enumerate(words):
        cells = [str(number + 1), word, *["_"] * 8, identity.get(number, "_"), bridging.get(number, "_")]
        found.append("\t".join([*cells, deixis.get(number, "_"), "_", "_"]))
    return [*found, ""]


def _of(case: Case, what: str, which: str, text: Text) -> str:
    given: Any = case.get(what, {}).get(which, "")
    return given if isinstance(given, str) else given[int(text.name[1:]) - 1]


def written(case: Case, which: str) -> str:
    """A side of a case as one file."""
    return together([case], which)


def together(every: list[Case], which: str) -> str:
    """Sides of cases as one file; their documents are numbered through, from d1."""
    found, number = [HEADER], 0
    for case in every:
        for text in case.texts():
            number += 1
            if text.side(which) is not None:
                found += lines(case, text, which, f"d{number}")
    return "".join(line + "\n" for line in found)
