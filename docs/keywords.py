"""The types of choices in src/scoref/protocol/keywords.py: type checkers read them there, and they come from `CHOICES`.

python docs/keywords.py            prints them
python docs/keywords.py --write    writes them into the module (a test compares the two)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scoref.choice import Choice
from scoref.protocol.choices import CHOICES, OPTIONS

ROOT = Path(__file__).resolve().parents[1]
MODULE = ROOT / "src" / "scoref" / "protocol" / "keywords.py"
BEGIN, END = "    # choices: python docs/keywords.py --write\n", "    # end of choices\n"
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


def block() -> str:
    """The types of all choices that are keywords."""
    return "".join(typed(CHOICES[name]) for name in OPTIONS)


def written() -> str:
    """The types as the module has them."""
    return MODULE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    """Print the types, or write them into the module."""
    if "--write" not in sys.argv:
        sys.stdout.write(block())
        return
    before, _, rest = MODULE.read_text(encoding="utf-8").partition(BEGIN)
    MODULE.write_text(before + BEGIN + block() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
