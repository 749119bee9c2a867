"""Cases as CorefUD files: CoNLL-U with trees, empty nodes, and entities in the last column."""

from __future__ import annotations

from collections import defaultdict

from ..cases import Case, Text
from ..sides import Place, Side, place


def order(text: Text, empties: list[Place]) -> list[Place]:
    """All words and empty nodes, as they stand."""
    return sorted([*((word, 0) for word in range(text.words)), *empties])


def brackets(entities: Side, nodes: list[Place], prefix: str) -> dict[Place, str]:
    """The chunks of `Entity=`, by word: closing brackets, mentions of one word, opening brackets."""
    closing, single, opening = (defaultdict(list) for _ in range(3))
    for group in entities:
        for spot in group.mentions:
            inside = [node for node in nodes if any(a <= node <= b for a, b in spot.pieces)]
            head = inside.index(spot.head) + 1 if spot.head in inside else 1
            many = len(spot.pieces)
            for number, (first, last) in enumerate(spot.pieces, 1):
                name = f"{prefix}e{group.name}" + (f"[{number}/{many}]" if many > 1 else "")
                width = sum(first <= node <= last for node in nodes)
                if width == 1:
                    single[first].append(f"({name}-x-{head}-)")
                else:
                    opening[first].append((_after(nodes, last), f"({name}-x-{head}-"))
                    closing[last].append((_after(nodes, first), f"{name})"))
    return {
        node: "".join(each for _, each in sorted(closing[node], key=lambda pair: pair[0]))
        + "".join(single[node])
        + "".join(each for _, each in sorted(opening[node], key=lambda pair: pair[0]))
        for node in sorted({*closing, *single, *opening})
    }


def _after(nodes: list[Place], node: Place) -> int:
    """Sorts what is farther first."""
    return -nodes.index(node)


def identifier(node: Place) -> str:
    """How a word or an empty node is called in the first column."""
    word, empty = node
    return f"{word + 1}.{empty}" if empty else str(word + 1)


def lines(case: Case, text: Text, which: str, name: str) -> list[str]:
    """A document of one sentence."""
    given = dict(each.split(":", 1) for each in case.get("empties", {}).get(which, "").split())
    empties = {place(node): parent.split(":") for node, parent in given.items()}
    nodes = order(text, [*empties])
    found = brackets(text.side(which) or [], nodes, name)
    heads = case.get("tree") or [0, *([1] * (text.words - 1))]
    result = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other", f"# sent_id = {name}-s1"]
    for node in nodes:
        word, empty = node
        misc = f"Entity={found[node]}" if node in found else "_"
        if empty:
            parent, relation = empties[node]
            cells = [identifier(node), "_", "_", "_", "_", "_", "_", "_", f"{int(parent) + 1}:{relation}", misc]
        else:
            relation = "dep" if heads[word] else "root"
            cells = [identifier(node), f"w{word}", "_", "X", "_", "_", str(heads[word]), relation, "_", misc]
        result.append("\t".join(cells))
    return [*result, ""]


def written(case: Case, which: str) -> str:
    """A side of a case as one file."""
    return together([case], which)


def together(every: list[Case], which: str) -> str:
    """Sides of cases as one file; their documents are numbered through, from d1."""
    found, number = [], 0
    for case in every:
        for text in case.texts():
            number += 1
            if text.side(which) is not None:
                found += lines(case, text, which, f"d{number}")
    return "".join(line + "\n" for line in found)
