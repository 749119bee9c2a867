"""The figures of a part as text, and in a page: each part has its place between two marks, with date and command."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from measuring import Row
from scoref.layout.grid import Grid
from scoref.layout.render import markdown_table

_HEADER = ("what", "measured", "target", "met")


class Figures(NamedTuple):
    """What a part measured: its name, what it is about, the command that repeats it, the machine, the rows."""

    part: str
    about: str
    command: str
    how: str
    rows: list[Row]


def text(figures: Figures) -> str:
    """A table for the terminal."""
    lines = [_HEADER, *figures.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER))]
    rows = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)
    return "\n".join((f"\n{figures.part}: {_about(figures)}", *rows))


def markdown(figures: Figures) -> str:
    """A section of a page."""
    today = datetime.now(UTC)
    date = f"{today.day} {today:%B %Y}"
    table = markdown_table(Grid("", _HEADER, [tuple(row) for row in figures.rows]))
    return (f"### {figures.part}\n\n{_about(figures)}\n\n`{figures.command}`, {date}: {figures.how}.\n\n"
            f"{table.strip()}\n")  # fmt: skip


def write(figures: Figures, path: Path) -> None:
    """Put the section between its marks, or behind the last one; then say at the top what is not met."""
    page = path.read_text(encoding="utf-8")
    section = f"{_mark(figures.part)}\n{markdown(figures)}{_mark('end')}"
    pattern = re.escape(_mark(figures.part)) + r".*?" + re.escape(_mark("end"))
    if re.search(pattern, page, re.DOTALL):
        page = re.sub(pattern, lambda _: section, page, count=1, flags=re.DOTALL)
    elif (last := page.rfind(_mark("end"))) >= 0:
        last += len(_mark("end"))
        page = f"{page[:last]}\n\n{section}{page[last:]}"
    else:
        page = f"{page.rstrip()}\n\n{section}\n"
    path.write_text(_summed(page), encoding="utf-8")


def _summed(page: str) -> str:
    """The page with a list of targets that are not met, from all its tables."""
    missed, met = [], 0
    for part, table in re.findall(
        r"<!-- figures: (?!end|summary)([\w-]+) -->(.*?)<!-- figures: end -->", page, re.DOTALL
    ):
        cells = [
            [cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if line[:1] == "|"
        ]
        met += sum(line[-1].rstrip(" |") == "yes" for line in cells)
        missed += [
            f"- {part}: {line[0]}: {line[1]}, target {line[2]}" for line in cells if line[-1].rstrip(" |") == "no"
        ]
    found = [f"{met} of {met + len(missed)} targets are met." + " Not met:\n" * bool(missed), *missed]
    summary = "\n".join((_mark("summary"), *found, _mark("end")))
    pattern = re.escape(_mark("summary")) + r".*?" + re.escape(_mark("end"))
    return re.sub(pattern, lambda _: summary, page, count=1, flags=re.DOTALL)


def _mark(name: str) -> str:
    return f"<!-- figures: {name} -->"


def _about(figures: Figures) -> str:
    return " ".join(figures.about.split())
