"""List every problem in the files, with places."""

from __future__ import annotations

import argparse
import json

from .... import formats
from ....formats import How
from ....layout.grid import clean
from ....problems import Error, Problem
from ....processes import reported
from ....run.score import score
from ....run.validation import event_types, problems_of
from ....tables.inputs import TABLES, is_table, part_files
from ...messages import progress
from ...options import add_reading, add_tables
from ...parsing import INPUT, CommandParser, add_output

_REMARKS = ("inclusive-ends",)  # remarks, which are no problems


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("files", nargs="+", metavar="FILE")
    add_reading(command, policy=False)
    add_tables(command)
    types, texts = "the types that there are, one a line", "folder of texts, DOCUMENT.txt, for offsets"
    command.add_to(INPUT, "--types", metavar="FILE", help=f"event nuggets: {types}")
    command.add_to(INPUT, "--texts", metavar="DIR", help=f"event nuggets: {texts}")
    add_output(command, ("text", "json"))


def run(options: argparse.Namespace) -> tuple[str, int]:
    """A line for each problem; exit code 1 if there are any."""
    found: list[Problem] = []
    number = 0
    known = event_types(options.types) if options.types else None
    how = How(**{name: getattr(options, name) for name in ("format", "ends", "tokens", "marks", "max_size")})
    for path in options.files:
        if is_table(path, options.format):
            number += len(part_files(path))
            found += _of_table(path, options)
            continue
        for file in reported([*formats.files(path, options.glob).values()], "files read", progress()):
            number += 1
            found += problems_of(file, how, known, options.texts)
    remarks = [problem for problem in found if problem.code in _REMARKS]
    found = [problem for problem in found if problem.code not in _REMARKS]
    if options.output == "json":
        lists = {"problems": found, "remarks": remarks}
        each = {name: [problem.to_dict() for problem in problems] for name, problems in lists.items()}
        return json.dumps({"files": number, **each}), int(bool(found))
    lines = [_one_line(problem) for problem in (*found, *remarks)]
    lines.append(f"{len(found)} problem{'s' * (len(found) != 1)} in {number} file{'s' * (number != 1)}")
    return "\n".join(lines), int(bool(found))


def _of_table(path: str, options: argparse.Namespace) -> list[Problem]:
    """The problems that scoring the table would report, or the error that it would raise."""
    how = {name: getattr(options, name) for name in ("format", "columns", *TABLES)}
    found: list[Problem] = []
    for policy in ("skip", "raise"):  # if nothing is left after skipping, the first problem is reported
        try:
            return list(dict.fromkeys([*score(path, path, metrics=["mentions"], on_problem=policy, **how).problems]))
        except Error as error:
            if error.code == "unreadable-file":
                raise
            found.append(error.problem)
    return list(dict.fromkeys(reversed(found)))


def _one_line(problem: Problem) -> str:
    where = f"{problem.path or ''}{f':{problem.line}' if problem.line else ''}"
    parts = [f"{where}: {problem.message}  [{problem.code}]"]
    if problem.text:
        parts.append(f'at "{problem.text if len(problem.text) <= 60 else problem.text[:57] + "..."}"')
    if problem.expected:
        parts.append(f"expected {problem.expected}")
    return clean("  ".join(parts))
