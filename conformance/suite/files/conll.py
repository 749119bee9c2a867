"""Cases as CoNLL-2012 files: twelve columns, the entities in the last."""

from __future__ import annotations

from collections import defaultdict

from ..cases import Case, Text
from ..sides import Side


def cells(entities: Side) -> dict[int, str]:
    """What stands in the last column, by word: closing brackets, one-word mentions, opening brackets.

    >>> from ..sides import side
    >>> cells(side("0-2 1|1-2"))
    {0: '(1', 1: '(1)|(2', 2: '2)|1)'}
    """
    numbers = {
        group.name: group.name if group.name.isdigit() else str(place) for place, group in enumerate(entities, 1)
    }
    closing, single, opening = (defaultdict(list) for _ in range(3))
    for group in entities:
        for spot in group.mentions:
            (first, _), (last, _) = spot.first, spot.last
            if first == last:
                single[first].append(f"({numbers[group.name]})")
            else:
                opening[first].append((-last, f"({numbers[group.name]}"))
                closing[last].append((-first, f"{numbers[group.name]})"))
    return {
        word: "|".join(
            [each for _, each in sorted(closing[word], key=lambda pair: pair[0])]
            + single[word]
            + [each for _, each in sorted(opening[word], key=lambda pair: pair[0])]
        )
        for word in sorted({*closing, *single, *opening})
    }


def lines(case: Case, text: Text, entities: Side, name: str) -> list[str]:
    """A document."""
    column = cells(entities)
    words = case.get("tokens") or [f"w{number}" for number in range(text.words)]
    tags = case.get("tags") or ["NN"] * text.words
    bits = case.get("parse") or ["-"] * text.words
    starts, found, number = {*case.get("sentences", [])}, [f"#begin document ({name}); part 000"], 0
    for word in range(text.words):
        if word in starts:
            found.append("")
            number = 0
        fields = [name, "0", str(number), words[word], tags[word], bits[word], "-", "-", "-", "-", "*"]
        found.append("\t".join([*fields, column.get(word, "-")]))
        number += 1
    return [*found, "", "#end document"]


def written(case: Case, which: str) -> str:
    """A side of a case as one file."""
    return together([case], which)


def together(every: list[Case], which: str) -> str:
    """Sides of cases as one file; their documents are numbered through, from d1."""
    found, number = [], 0
    for case in every:
        for text in case.texts():
            number += 1
            entities = text.side(which)
            if entities is not None:
                found += lines(case, text, entities, f"d{number}")
    return "".join(line + "\n" for line in found)
