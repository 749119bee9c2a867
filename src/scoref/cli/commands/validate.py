"""List every problem in the files, with places."""

from __future__ import annotations

import argparse
import json

from ... import formats
from ...exceptions import Problem
from ...layout.grid import clean
from ...scoring.validation import event_types, problems_of
from ..options import add_reading
from ..parsing import INPUT, CommandParser, add_output

_REMARKS = ("inclusive-ends",)  # what is said, and is as good as anything else


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("files", nargs="+", metavar="FILE")
    add_reading(command, policy=False)
    group = command.groups[INPUT]
    group.add_argument("--types", metavar="FILE", help="event nuggets: the types that there are, one a line")
    group.add_argument("--texts", metavar="DIR", help="event nuggets: folder of texts, DOCUMENT.txt, for offsets")
    add_output(command, ("text", "json"))


def run(options: argparse.Namespace) -> tuple[str, int]:
    """A line for each problem; exit code 1 if there are any."""
    found: list[Problem] = []
    number = 0
    known = event_types(options.types) if options.types else None
    for path in options.files:
        for file in formats.files(path, options.glob).values():
            number += 1
            found += problems_of(file, format=options.format, ends=options.ends, tokens=options.tokens,
                                 known=known, texts=options.texts, marks=options.marks)  # fmt: skip
    remarks = [problem for problem in found if problem.code in _REMARKS]
    found = [problem for problem in found if problem.code not in _REMARKS]
    if options.output == "json":
        lists = {"problems": found, "remarks": remarks}
        each = {name: [problem.to_dict() for problem in problems] for name, problems in lists.items()}
        return json.dumps({"files": number, **each}), int(bool(found))
    lines = [_one_line(problem) for problem in (*found, *remarks)]
    lines.append(f"{len(found)} problem{'s' * (len(found) != 1)} in {number} file{'s' * (number != 1)}")
    return "\n".join(lines), int(bool(found))


def _one_line(problem: Problem) -> str:
    where = f"{problem.path or ''}{f':{problem.line}' if problem.line else ''}"
    parts = [f"{where}: {problem.message}  [{problem.code}]"]
    if problem.text:
        parts.append(f'at "{problem.text if len(problem.text) <= 60 else problem.text[:57] + "..."}"')
    if problem.expected:
        parts.append(f"expected {problem.expected}")
    return clean("  ".join(parts))
