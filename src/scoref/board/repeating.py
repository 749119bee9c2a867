"""The commands that repeat what a board says: the options that read files as it did, and what scores a row again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from ..formats import MOST, SIDED, How
from ..formats.archives import is_zip
from ..formats.source import option
from ..run.request import Request
from .judging import Task, Verdict

_USUAL = How()
_UNPACKED = "unpacked"  # a folder for zip files


def repeat(task: Task, verdict: Verdict) -> str:
    """The command that gives the scores of a submission again."""
    submission, first = verdict.submission, ""
    path = submission.path
    if verdict.sums_only:
        return f"scoref merge {shlex.quote(path)}"
    if is_zip(path):
        packed, path = path, os.path.join(_UNPACKED, *submission.name.split("/"))
        first = f"python -m zipfile -e {shlex.quote(packed)} {shlex.quote(path)} && "
    words = ["scoref", "score", task.key, os.path.join(path, verdict.inside) if verdict.inside else path]
    return first + shlex.join([*words, *reading(task.request), "--protocol", task.whole.signature])


def reading(request: Request) -> Iterator[str]:
    """The options that read files as a request does; the protocol says all else."""
    for name in SIDED:
        usual, key, response = (_word(getattr(how, name)) for how in (_USUAL, *request.reading))
        sides = ((name, key),) if key == response else ((f"key_{name}", key), (f"response_{name}", response))
        for each, value in sides:
            if value != usual:
                yield from (option(each), value)
    if request.drift != Request._field_defaults["drift"]:
        yield from (option("drift"), request.drift)
    if request.sentences is not None:
        yield from (option("sentences"), os.fspath(request.sentences))
    if request.reading.response.max_size != MOST:
        yield from (option("max_size"), str(request.reading.response.max_size))


def _word(value: object) -> str:
    """The value of an option, as it is written: columns as role=name, with commas between them."""
    if isinstance(value, tuple):
        return ",".join(f"{role}={name}" for role, name in value)
    return "" if value is None else os.fspath(value) if isinstance(value, os.PathLike) else str(value)
