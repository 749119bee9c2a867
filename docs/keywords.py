"""The types of keywords in src/scoref/protocol/keywords.py: type checkers read them there.

Those of choices come from `CHOICES`, those for one side (`key_format`) from those for both.

python docs/keywords.py            prints them
python docs/keywords.py --write    writes them into the module (a test compares the two)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scoref.choice import Choice
from scoref.formats import ONE_SIDED
from scoref.protocol.choices import CHOICES, OPTIONS
from scoref.protocol.keywords import Inputs

ROOT = Path(__file__).resolve().parents[1]
MODULE = ROOT / "src" / "scoref" / "protocol" / "keywords.py"
CHOSEN, SIDES = "choices", "one side"
WRITTEN = "    # {}: python docs/keywords.py --write\n", "    # end of {}\n"
WIDEST = 120


def typed(choice: Choice) -> str:
    """The line, or lines, that declare the type of a choice."""
    if choice.range:
        return f"    {choice.name}: float | None\n"
    if choice.other:
        return f"    {choice.name}: str | None  # {', '.join(choice.words)}, or {choice.other}\n"
    words = f"Literal{json.dumps([*choice.words], ensure_ascii=False)}"
    line = f"    {choice.name}: {words} | None\n"
    if len(line) <= WIDEST + 1:
        return line
    return f"    {choice.name}: (\n        {words}\n        | None\n    )\n"


def one_sided(name: str, both: str) -> str:
    """The line that declares the type of a keyword for one side: that of the one for both, or None."""
    said = Inputs.__annotations__[both].__forward_arg__.removesuffix(" | None")
    return f"    {name}: {said} | None\n"


def blocks() -> dict[str, str]:
    """The types of all choices that are keywords, and of those for one side."""
    return {
        CHOSEN: "".join(typed(CHOICES[name]) for name in OPTIONS),
        SIDES: "".join(one_sided(name, both) for name, (_, both) in ONE_SIDED.items()),
    }


def written() -> dict[str, str]:
    """The types as the module has them."""
    return {name: _parted(MODULE.read_text(encoding="utf-8"), name)[1] for name in (CHOSEN, SIDES)}


def _parted(text: str, name: str) -> tuple[str, str, str]:
    """The module before a block, the block, and what is behind it."""
    begin, end = (mark.format(name) for mark in WRITTEN)
    before, _, rest = text.partition(begin)
    inner, _, behind = rest.partition(end)
    return before + begin, inner, end + behind


def main() -> None:
    """Print the types, or write them into the module."""
    if "--write" not in sys.argv:
        sys.stdout.write("\n".join(blocks().values()))
        return
    text = MODULE.read_text(encoding="utf-8")
    for name, block in blocks().items():
        before, _, behind = _parted(text, name)
        text = before + block + behind
    MODULE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
