"""List every problem in the files, with places."""

from __future__ import annotations

import argparse
import json

from .... import formats
from ....board.run import checked
from ....formats import How
from ....layout.grid import clean
from ....problems import Error, Problem
from ....processes import reported
from ....results.scores import number_of
from ....run.score import score
from ....run.validation import event_types, problems_of
from ....tables.inputs import TABLES, is_table, part_files
from ...evaluations import keywords
from ...messages import progress
from ...options import add_scoring, add_task, limits
from ...parsing import EVERYDAY, INPUT, CommandParser, add_output

_REMARKS = ("inclusive-ends",)  # remarks, which are no problems


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("paths", nargs="+", metavar="FILE", help="files or folders; with --key, submissions")
    as_board = (
        "check each as a submission to a task with this key, scored as the options say: exit 0 if all are accepted"
    )
    command.add_to(EVERYDAY, "--key", metavar="KEY", help=as_board)
    add_scoring(command, policy=False, without=("types",))
    add_task(command)
    types = "the types that there are, one a line; with --key, the types to score"
    texts = "folder of texts, DOCUMENT.txt, for offsets"
    command.add_to(INPUT, "--types", metavar="FILE", help=f"event nuggets: {types}")
    command.add_to(INPUT, "--texts", metavar="DIR", help=f"event nuggets: {texts}")
    add_output(command, ("text", "json"))


def run(options: argparse.Namespace) -> tuple[str, int]:
    """A line for each problem; exit code 1 if there are any."""
    if options.key is not None:
        return _for_task(options)
    found: list[Problem] = []
    number = 0
    known = event_types(options.types) if options.types else None
    how = How(**{name: getattr(options, name) for name in ("format", "ends", "tokens", "marks", "max_size")})
    for path in options.paths:
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


def _for_task(options: argparse.Namespace) -> tuple[str, int]:
    """A line for each reason to reject a submission, and for what is noted beside accepted ones."""
    asked = {"missing": options.missing, "limits": limits(options)}
    task, verdicts = checked(options.key, options.paths, **asked, **keywords(options))
    rejected = [each for each in verdicts if not each.accepted]
    if options.output == "json":
        each = [
            {"path": each.submission.path, "accepted": each.accepted, "notes": list(each.notes)} for each in verdicts
        ]
        problems = [reason.to_dict() for verdict in verdicts for reason in verdict.reasons]
        record = {"files": len(verdicts), "problems": problems, "remarks": [], "submissions": each}
        return json.dumps({**record, "signature": task.whole.signature}), int(bool(rejected))
    lines = []
    for verdict in verdicts:
        path, more = verdict.submission.path, verdict.number - len(verdict.reasons)
        lines += [_one_line(reason, remedy=True) for reason in verdict.reasons]
        lines += [f"and {more} more"] * (more > 0)
        lines += [clean(f"{path}: note: {note}") for note in verdict.notes]
        found = "accepted" if verdict.accepted else f"rejected, {number_of(verdict.number, 'reason')}"
        lines.append(clean(f"{path}: {found}"))
    return "\n".join([*lines, f"signature {task.whole.signature}"]), int(bool(rejected))


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


def _one_line(problem: Problem, remedy: bool = False) -> str:
    where = f"{problem.path or ''}{f':{problem.line}' if problem.line else ''}"
    parts = [f"{where}: {problem.message}  [{problem.code}]"]
    if problem.text:
        parts.append(f'at "{problem.text if len(problem.text) <= 60 else problem.text[:57] + "..."}"')
    if problem.expected:
        parts.append(f"expected {problem.expected}")
    if remedy and problem.remedy:
        parts.append(f"you can {problem.remedy}")
    return clean("  ".join(parts))
