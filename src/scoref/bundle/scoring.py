"""What the program of a bundle does: judges a submission that Codabench gives it, writes its scores and its page."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import UTC, datetime

from ..board.judging import Task, Verdict, judged
from ..board.publishing import reasons_text
from ..board.ranking import ranked
from ..board.run import reporting
from ..board.submissions import Submission
from ..formats import load, save_all
from ..formats.jsonl.shapes import loads
from ..layout.render import json_text
from ..page.board import board_page
from ..problems import Error
from ..results.evaluation import Evaluation
from ..statistics.samples import Testing
from .settings import Column, TaskSettings

SCORES, PAGE = "scores.json", "detailed_results.html"
_OWN = "metadata"  # a file that Codabench adds to what it runs


def run(program: str, input: str, output: str) -> tuple[str, int]:
    """Judge the submission in `input/res` by the key in `input/ref`: what is to be said, and the exit code.

    0: it is accepted, and its scores are in the output. 1: it is rejected, for the reasons given, which the page has,
    too. 2: the competition cannot be run.
    """
    try:
        settings = TaskSettings.of(loads(load(os.path.join(program, "settings.json")).decode()))
        task = settings.task(os.path.join(input, "ref"))
        with tempfile.TemporaryDirectory(prefix="scoref-") as folder:
            submission = _without_own(task, os.path.join(input, "res"), os.path.join(folder, "submission"))
            verdict = _judged(settings, task, submission)
        save_all({os.path.join(output, name): text for name, text in files_of(settings, task, verdict).items()})
    except Error as error:
        return f"error: {error}", 2
    return (f"accepted; the signature is {task.whole.signature}", 0) if verdict.accepted else (reasons_text(verdict), 1)


def _without_own(task: Task, given: str, folder: str) -> str:
    """The submission without the file that Codabench adds to it; a copy, as what is given may be for reading only."""
    added = os.path.join(given, _OWN)
    if not os.path.isfile(added) or os.path.basename(task.key) == _OWN:
        return given
    shutil.copytree(given, folder, symlinks=True)
    os.remove(os.path.join(folder, _OWN))
    return folder


def _judged(settings: TaskSettings, task: Task, path: str) -> Verdict:
    (verdict,) = judged(task, [Submission("submission", path)], reporting(Testing()) if settings.reports else None)
    return verdict


def files_of(settings: TaskSettings, task: Task, verdict: Verdict) -> dict[str, str]:
    """The files that Codabench takes: the scores of an accepted submission, and a page in any case."""
    files = {PAGE: verdict.report or _page(settings, task, verdict)}
    if verdict.evaluation is not None:
        files[SCORES] = json_text(scores_of(verdict.evaluation, settings.columns)) + "\n"
    return files


def scores_of(evaluation: Evaluation, columns: tuple[Column, ...]) -> dict[str, float]:
    """The number of each column; none where there is nothing to count."""
    groups = evaluation.by_dataset() if any(each.dataset for each in columns) else None
    found: dict[str, float] = {}
    for key, _, metric, dataset in columns:
        if groups is None or not dataset:
            score = None if metric in evaluation.undefined else evaluation[metric]
        else:
            score = groups[dataset][metric] if groups.defined(dataset, metric) else None
        if score is not None:
            found[key] = 100 * score.f1
    return found


def _page(settings: TaskSettings, task: Task, verdict: Verdict) -> str:
    """The page of a submission: a board with it alone, without a rank, which shows nothing of the key's annotation."""
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    record = ranked(task, [verdict], Testing(), date, []).to_dict()
    record["key"]["path"] = os.path.basename(task.key)
    for row in record["accepted"]:
        row["rank"] = None
        row["repeat"] = f"scoref score KEY SUBMISSION --protocol '{task.whole.signature}'"
    return board_page(record, title=settings.title)
