"""The function `board`: from a key and a folder of submissions to a ranked board."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Unpack

from ..page.build import page
from ..problems import Error
from ..protocol.keywords import Keywords
from ..results.evaluation import Evaluation
from ..run.request import Request
from ..statistics.samples import Testing
from .history import history
from .judging import Reporting, Task, Verdict, judged, task_of
from .limits import Limits
from .ranking import Board, ranked
from .submissions import found_in, has_name_of_key, key_name, named


def board(
    key: str | os.PathLike[str],
    submissions: str | os.PathLike[str],
    *,
    missing: str = "reject",
    since: str | os.PathLike[str] | None = None,
    limits: Limits | None = None,
    reports: bool = False,
    testing: Testing | None = None,
    **keywords: Unpack[Keywords],
) -> Board:
    """Rank the submissions of a folder by the main score of the protocol; those that cannot be accepted are listed.

    Each submission is read and scored in a process of its own with limits of time and memory.

    Args:
        key: the gold annotation, a file or a folder.
        submissions: a folder with a file, a folder, a zip file or a saved evaluation for each submission.
        missing: what a document that a submission lacks is: a reason to `"reject"` it, or `"empty"`, which is shown.
        since: the JSON of the last board, of the same key and signature.
        limits: what each submission may take.
        reports: whether each submission that is accepted gets its page, in the `report` of its verdict.
        testing: how intervals and tests are made.
        **keywords: those of `score`.

    Returns:
        The board: its `rows`, and the submissions that were `rejected`.
    """
    folder, path = os.fspath(submissions), os.fspath(key)
    found = found_in(folder, path)
    task = task_of(Request.of(path, None, keywords), missing, limits or Limits())
    earlier = history(os.fspath(since), task.digest, task.whole.signature_full) if since is not None else []
    testing = testing or Testing()
    verdicts = judged(task, found, reporting(testing) if reports else None, keywords.get("progress"))
    return ranked(task, verdicts, testing, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), earlier)


def checked(
    key: str | os.PathLike[str],
    submissions: Sequence[str],
    *,
    missing: str = "reject",
    limits: Limits | None = None,
    **keywords: Unpack[Keywords],
) -> tuple[Task, list[Verdict]]:
    """The verdicts of a task on some submissions, as `board` would have them, without ranks."""
    path = os.fspath(key)
    for each in submissions:
        if os.path.exists(each) and os.path.exists(path) and os.path.samefile(each, path):
            message, remedy = "the submission is the key itself", "name the submission"
            raise Error("key-among-submissions", message, path=each, remedy=remedy)
    task = task_of(Request.of(path, None, keywords), missing, limits or Limits())
    found = judged(task, named(submissions, path), None, keywords.get("progress"))
    return task, [_refused(each) if has_name_of_key(each.submission, path) else each for each in found]


def _refused(verdict: Verdict) -> Verdict:
    """The verdict on a submission that no board takes as it is called."""
    reasons = (key_name(verdict.submission), *verdict.reasons)
    return verdict._replace(reasons=reasons, number=verdict.number + 1, evaluation=None)


def reporting(testing: Testing) -> Reporting:
    """What makes the page of a submission, from its name and its evaluation."""
    return partial(_report, (testing.trials, testing.seed, testing.unit))


def _report(resampled: tuple[int | None, int, str], name: str, evaluation: Evaluation) -> str:
    """The page of one submission."""
    return page({name: evaluation}, intervals=resampled)
