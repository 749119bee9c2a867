"""Judges one submission: whether a task accepts it, why not, and how it scores. Boards and `validate` ask the same."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import NamedTuple

from ..formats import load, save
from ..formats.archives import is_zip, refuse_links, unpack
from ..formats.jsonl.shapes import loads
from ..layout.render import Json, json_text
from ..problems import Error, Problem, bounded, by_kind
from ..processes import Progress
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from ..results.merging import adapted, refuse_different, refuse_other_documents
from ..results.saved import digests, dumps, is_saved
from ..results.saved import load as load_saved
from ..run.request import Key, Request
from ..run.score import scored
from .limits import MISSING, Ended, Limits, each_alone, folders
from .submissions import Submission, has_one, is_one_file, key_files, misnamed

MOST_REASONS = 1000  # that are kept; a broken file may have one for each line
LARGEST_REPORT = 100_000_000  # bytes: all are held until the board is written
_VERDICT, _EVALUATION, _REPORT = "verdict.json", "evaluation.json", "report.html"
_WORDS = "annotate the words of the key"
_OPTION = re.compile(r",? or [^,]*--.*$")

Reporting = Callable[[str, Evaluation], str] | None  # from a name and an evaluation to a page


class Task(NamedTuple):
    """What submissions are judged by: the key, read once, how it is scored, and what is lenient.

    `whole` is the evaluation of the key against itself: it has the protocol, the documents and the digest of the key.
    """

    request: Request
    whole: Evaluation
    missing: str
    limits: Limits

    @property
    def key(self) -> str:
        """Where the key is."""
        return str(self.request.key.side)

    @property
    def protocol(self) -> Protocol:
        """The protocol of all submissions."""
        return self.whole.protocol

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets that are shown apart; () for one, and where files are single documents and not averaged over."""
        found = tuple(dict.fromkeys(self.whole.datasets))
        alone = len(found) == len(self.whole.documents) and self.protocol.averaging.average != "datasets"
        return found if len(found) > 1 and not alone else ()

    @property
    def digest(self) -> str:
        """A hash of the names and the annotation of all documents of the key."""
        from hashlib import sha256

        names = zip(self.whole.documents, self.whole.datasets, digests(self.whole, "key"), strict=True)
        return sha256(repr(sorted(names)).encode(errors="surrogatepass")).hexdigest()[:32]


class Verdict(NamedTuple):
    """What is said of a submission: why it is rejected, or how it scores; and what was repaired or left out.

    `missing` counts documents that it lacks, `sums_only` says that it is a saved evaluation, whose files were not seen.
    `inside` is where in a folder or a zip file the file or the folder is that was scored.
    """

    submission: Submission
    reasons: tuple[Problem, ...]
    number: int
    evaluation: Evaluation | None = None
    notes: tuple[str, ...] = ()
    missing: int = 0
    sums_only: bool = False
    digest: str = ""
    inside: str = ""
    seconds: float = 0.0
    report: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the task takes it."""
        return self.evaluation is not None


def task_of(request: Request, missing: str, limits: Limits) -> Task:
    """The task of a request: its key is read, and scored against itself; an error if it has one."""
    if missing not in MISSING:
        raise Error("unknown-choice", f"no missing '{missing}'", expected=" or ".join(MISSING))
    if not isinstance(request.key.side, str | os.PathLike):
        raise Error("no-key", "the key of a task is a file or a folder", expected="a path")
    path = os.fspath(request.key.side)
    if path == "-" or not os.path.exists(path):
        message, remedy = "there is no such key", "check the name; standard input can be read only once"
        raise Error("unreadable-file", message, path=path, remedy=remedy)
    request = request._replace(key=Key(path), response=path, on_problem="skip", jobs=1)
    whole = scored(request)
    for problem in whole.problems:
        if problem.fatal:
            raise Error.of(problem)
    whole = replace(whole, protocol=_plain(whole.protocol))
    choices = dict.fromkeys(request.choices)
    fixed = request._replace(protocol=whole.protocol, metrics=None, choices=choices)  # type: ignore[arg-type]
    return Task(fixed, whole, missing, limits)


def judged(
    task: Task, submissions: Sequence[Submission], reporting: Reporting = None, progress: Progress = None
) -> list[Verdict]:
    """The verdict on each submission, each from a process of its own with limits."""
    with folders(len(submissions)) as places:
        each = partial(_judge, task, reporting)
        ended = each_alone(each, submissions, places, task.limits, progress)
        return [
            _verdict(task, submission, place, how)
            for submission, place, how in zip(submissions, places, ended, strict=True)
        ]


def _judge(task: Task, reporting: Reporting, submission: Submission, folder: str) -> None:
    """Run by the process of a submission: writes the verdict, then the report, to its folder."""
    evaluation, said = None, _Said()
    try:
        evaluation = _evaluated(task, submission, folder, said)
    except Error as error:
        said.reasons.append(error.problem)
    except MemoryError:
        evaluation = None
        said.reasons.append(_too_much(submission, task.limits))
    except RecursionError:
        message, remedy = "something in a file is nested too deeply", "check how the file was written"
        said.reasons.append(Problem("too-deep", message, submission.path, remedy=remedy))
    except Exception as defect:
        said.reasons.append(_defect(submission, defect))
    reasons = [_for_team(_named(problem, folder, submission)) for problem in dict.fromkeys(said.reasons)]
    record = {
        "reasons": [asdict(each) for each in reasons[:MOST_REASONS]],
        "number": len(reasons),
        "notes": [_shown(note, folder, submission) for note in said.notes],
        "missing": said.missing,
        "sums_only": said.sums_only,
        "digest": said.digest,
        "inside": said.inside,
    }
    if evaluation is not None and not reasons:
        problems = tuple(_named(problem, folder, submission) for problem in evaluation.problems[:MOST_REASONS])
        save(dumps(replace(evaluation, problems=problems)), os.path.join(folder, _EVALUATION))
    save(json_text(record), os.path.join(folder, _VERDICT))
    if reporting and evaluation is not None and not reasons and evaluation.has_evidence:
        save(reporting(submission.name, evaluation), os.path.join(folder, _REPORT))


class _Said:
    """What is found out about a submission on the way."""

    def __init__(self) -> None:
        self.reasons: list[Problem] = []
        self.notes: list[str] = []
        self.missing = 0
        self.sums_only = False
        self.digest = ""
        self.inside = ""


def _evaluated(task: Task, submission: Submission, folder: str, said: _Said) -> Evaluation:
    """The evaluation of a submission; reasons against it go to `said`."""
    path = submission.path
    if not os.path.lexists(path):
        raise Error("unreadable-file", "there is no such submission", path=path, remedy="check the name")
    refuse_links(path)
    said.digest = digest(path)
    if is_saved(path):
        said.sums_only = True
        said.notes.append("a saved evaluation: its sums were made elsewhere, and its files were not seen")
        result = adapted(load_saved(path), task.protocol.metrics)
        said.reasons += _unlike(task, result, path)
    else:
        response, said.inside = _response(task, path, folder)
        result = scored(task.request._replace(response=response))
        if task.protocol.reading.words == "check":
            said.reasons += _drifted(result)
    of_key = {*task.whole.problems}
    found = [problem for problem in result.problems if problem not in of_key]
    lacking = [problem for problem in found if problem.code == "missing-document"]
    said.missing = len(lacking)
    others = [problem for problem in found if problem not in lacking]
    said.reasons += [problem for problem in others if problem.fatal]
    if task.missing == "reject":
        remedy = (
            f"add it; a document without entities is there, too, without annotation{misnamed(submission, task.key)}"
        )
        said.reasons += [replace(problem, remedy=remedy, fatal=True) for problem in lacking]
    elif lacking:
        said.notes.append(f"{len(lacking)} of {task.whole.size} documents are missing, and count as empty")
    said.notes += by_kind([problem for problem in others if not problem.fatal])
    if not said.sums_only and _plain(result.protocol) != _plain(task.protocol):
        said.reasons += _unlike(task, result, path)
    if result.protocol.reading.text in ("align", "mixed"):
        said.notes.append("its text differs from the key's, and was aligned with it")
    return replace(result, protocol=_plain(result.protocol))


def _response(task: Task, path: str, folder: str) -> tuple[str, str]:
    """The file or folder to score, and where it is in the submission.

    Of a zip file it is what is in it, without folders around it; of a folder with one file, and for a key that is a
    file, that file.
    """
    wanted, whole = key_files(task.key), path
    if is_zip(path):
        whole = os.path.join(folder, "unpacked")
        os.mkdir(whole)
        unpack(path, whole, min(task.limits.memory, task.request.reading.response.max_size))
        path = whole
        while len(below := os.listdir(path)) == 1 and os.path.isdir(deeper := os.path.join(path, below[0])):
            if has_one(path, wanted):
                break
            path = deeper
    if os.path.isdir(path):
        there = [name for name in os.listdir(path) if not name.startswith(".")]
        if not there:
            raise Error("empty-folder", "the submission has no files", path=path, remedy="check how it was packed")
        if is_one_file(task.key):
            alike = [name for name in there if name.removesuffix(".gz") in wanted]
            one = alike if len(alike) == 1 else there
            path = os.path.join(path, one[0]) if len(one) == 1 else path
    return path, "" if path == whole else os.path.relpath(path, whole)


def _plain(protocol: Protocol) -> Protocol:
    """The protocol without what is found in the files."""
    return protocol.change(text="same")


def _unlike(task: Task, result: Evaluation, path: str) -> list[Problem]:
    """What of an evaluation is not as the task has it: its protocol, version, documents, key."""
    own = replace(result, protocol=_plain(result.protocol))
    both: Mapping[str, Evaluation] = {"the task": task.whole, "the submission": own}
    found = []
    for check in (refuse_different, refuse_other_documents):
        try:
            check(both)
        except Error as error:
            found.append(replace(error.problem, path=path, remedy="score it again, with the signature of the task"))
    return found


def _drifted(result: Evaluation) -> list[Problem]:
    """A reason for each document whose text is not the key's."""
    if result.protocol.reading.text not in ("align", "mixed") or not result.has_evidence:
        return []
    found = []
    for pair in result.evidence.pairs:
        if pair.drifted and pair.drifted.drift.changed:
            counts = pair.drifted.drift.counts
            said = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number and kind != "same")
            source, line = pair.response.source, pair.response.line
            found.append(Problem("other-words", f"other words than in the key: {said}", source, line, pair.name,
                                 expected="the words of the key", remedy=_WORDS))  # fmt: skip
    return found


def _too_much(submission: Submission, limits: Limits) -> Problem:
    message = f"it took more than {limits.memory:,} bytes of memory"
    return Problem("out-of-memory", message, submission.path, remedy="check the sizes of its files and entities")


def _defect(submission: Submission, defect: Exception) -> Problem:
    """A reason that is no fault of the team: scoref broke off."""
    import traceback

    place = traceback.extract_tb(defect.__traceback__)[-1]
    said = f"{type(defect).__name__}: {defect}"[:200]
    message = f"scoref broke off, which is a defect of it: {said} ({os.path.basename(place.filename)}:{place.lineno})"
    return Problem("defect", message, submission.path, remedy="ask the organisers to report it")


def _named(problem: Problem, folder: str, submission: Submission) -> Problem:
    """The problem with the name of the zip file for the folder that it was unpacked to, and no endless text."""
    texts = {name: _shown(text, folder, submission) for name, text in asdict(problem).items() if isinstance(text, str)}
    short = {name: text if name == "path" else bounded(text) for name, text in texts.items()}
    return replace(problem, **short)  # type: ignore[arg-type]


def _shown(text: str, folder: str, submission: Submission) -> str:
    return re.sub(re.escape(folder) + r"/(unpacked|scoref-\w+)", lambda _: submission.path, text)


def _for_team(problem: Problem) -> Problem:
    """The reason without options of commands in its remedy: those are the organisers' choice."""
    if problem.code == "different-word":
        return replace(problem, remedy=_WORDS)
    return replace(problem, remedy=_OPTION.sub("", problem.remedy)) if problem.remedy else problem


def _verdict(task: Task, submission: Submission, folder: str, ended: Ended) -> Verdict:
    """The verdict that a process left behind, or one on how it ended."""
    path, limits = os.path.join(folder, _VERDICT), task.limits
    if not os.path.exists(path):
        reason = Problem("lost-process", f"its process {ended.how}, perhaps for want of memory", submission.path,
                         remedy="check the sizes of its files and entities")  # fmt: skip
        if ended.how == "time":
            remedy = "check it with scoref validate --key; the organisers can allow more with --time-limit"
            reason = Problem("out-of-time", f"it took more than {limits.seconds} s", submission.path, remedy=remedy)
        return Verdict(submission, (reason,), 1, seconds=ended.seconds)
    record: Json = loads(load(path).decode())
    reasons = tuple(Problem(**each) for each in record.pop("reasons"))
    notes, report = record.pop("notes"), ""
    evaluation = None if reasons else load_saved(os.path.join(folder, _EVALUATION))
    if os.path.exists(place := os.path.join(folder, _REPORT)):
        if os.path.getsize(place) <= LARGEST_REPORT:
            report = load(place).decode()
        else:
            notes.append(f"its report has more than {LARGEST_REPORT:,} bytes, and was left out")
    return Verdict(submission, reasons, record.pop("number"), evaluation, tuple(notes), seconds=ended.seconds,
                   report=report, **record)  # fmt: skip


def digest(path: str) -> str:
    """A hash of the bytes of a file, or of the names and bytes of all files in a folder (SHA-256)."""
    from hashlib import file_digest, sha256

    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    whole = sha256()
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            file_name = os.path.join(folder, name)
            whole.update(f"{os.path.relpath(file_name, path)}\0{digest(file_name)}\n".encode(errors="surrogatepass"))
    return whole.hexdigest()
