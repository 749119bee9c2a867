"""The bundle of a Codabench competition: `competition.yaml`, the key, the program, the kit, pages, a logo."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ..board.judging import Task, Verdict, task_of
from ..board.limits import Limits
from ..board.submissions import name_at
from ..layout.render import Json, json_text
from ..layout.yaml import yaml
from ..problems import Error
from ..results.scores import number_of
from ..run.request import Key, Request
from .kit import BASELINE, DATA, changed, check_command, judged_well, place, with_repeated_names, without_annotation
from .packing import WHEEL, contents, wheel, zipped
from .pages import PAGES, asset, filled, logo
from .scoring import scores_of
from .settings import BESIDE, KEY, TaskSettings, columns_of, keywords_kept

COMMAND = "python3 /app/program/score.py /app/input/ /app/output/"
IMAGE = "python:3.13-slim"
_AROUND = 120  # seconds for what is done before and after scoring: installing, writing
_DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?")
_LONGEST_TITLE = 256
_PROGRAM, _REFERENCE, _KIT, _SOLUTION = "scoring_program.zip", "reference_data.zip", "starting_kit.zip", "baseline.zip"
_LOGO = "logo.png"


class Competition(NamedTuple):
    """What a competition is to have beside its key: files that are given instead of made ones, dates, an image.

    `blind` is what teams get to annotate, `baseline` a submission, `wheels` a folder of wheels that the image lacks.
    `reports`: teams see the report of their submission, which shows the annotation of the key.
    """

    title: str = ""
    blind: str | None = None
    baseline: str | None = None
    wheels: str | None = None
    image: str = IMAGE
    start: str | None = None
    end: str | None = None
    reports: bool = False


def bundle(
    key: str, wanted: Competition, keywords: Mapping[str, Any], missing: str = "reject", limits: Limits | None = None
) -> bytes:
    """The zip file of a competition with this key; an error if the task rejects its own baseline.

    The limit of time is that of Codabench; scoring ends some time before, so that its reason is shown.
    """
    for date in (wanted.start, wanted.end):
        if date is not None and not _DATE.fullmatch(date):
            raise Error("bad-date", "no date that Codabench reads", text=date, expected="YYYY-MM-DD HH:MM:SS (UTC)",
                        remedy="write it so")  # fmt: skip
    limits = limits or Limits()
    inside = limits._replace(seconds=max(limits.seconds - _AROUND, limits.seconds // 2 or 1))
    task = task_of(Request.of(key, None, keywords), missing, inside)  # type: ignore[arg-type]
    kept, paths = keywords_kept(task, keywords)
    beside = {name: data for each, path in paths.items() for name, data in contents(path, f"{BESIDE}/{each}/").items()}
    name = os.path.basename(os.path.abspath(key))
    title = (wanted.title or name_at(key))[:_LONGEST_TITLE]
    where = f"{KEY}/{name}"
    settings = TaskSettings(title, where, task.digest, kept, missing, task.limits, columns_of(task), wanted.reports)
    below = f"{where}/" if os.path.isdir(key) else f"{KEY}/"
    own, facts = _kit(task, wanted, settings)
    return zipped({
        "competition.yaml": yaml(_competition(wanted, settings, limits.seconds)).encode(),
        _LOGO: logo(),
        _PROGRAM: zipped(_program(wanted, settings)),
        _REFERENCE: zipped(contents(key, below) | beside),
        _KIT: zipped({**own, **beside, WHEEL: wheel(), "README.md": filled("kit", facts)}),
        _SOLUTION: zipped(_submission(own)),
        **{f"{each}.md": filled(each, facts) for each in PAGES},
    })  # fmt: skip


def _program(wanted: Competition, settings: TaskSettings) -> dict[str, bytes]:
    """The files of the program that scores."""
    files = {"metadata.yaml": yaml({"command": COMMAND}).encode(), "score.py": asset("score.py.txt"),
             "settings.json": f"{json_text(settings.to_dict())}\n".encode(), WHEEL: wheel()}  # fmt: skip
    if wanted.wheels is None:
        return files
    wheels = {name: data for name, data in contents(wanted.wheels, "wheels/").items() if name.endswith(".whl")}
    if not wheels:
        raise Error("no-wheels", "the folder has no wheels", path=wanted.wheels, expected="files that end in .whl",
                    remedy="pip download --only-binary=:all: -d DIR numpy lapx")  # fmt: skip
    return files | wheels


def _competition(wanted: Competition, settings: TaskSettings, seconds: int) -> Json:
    """What `competition.yaml` says."""
    columns = [
        {"title": each.title, "key": each.key, "index": index, "sorting": "desc", "precision": 2, "hidden": False}
        for index, each in enumerate(settings.columns)
    ]
    phase = {
        "index": 0, "name": "Test", "start": wanted.start or datetime.now(UTC).strftime("%Y-%m-%d"),
        **({"end": wanted.end} if wanted.end else {}), "execution_time_limit": seconds,
        "starting_kit": _KIT, "tasks": [0],
    }  # fmt: skip
    return {
        "version": 2,
        "title": settings.title,
        "description": f"Ranked by {settings.columns[0].title}; scored by scoref",
        "image": _LOGO,
        "docker_image": wanted.image,
        "terms": "terms.md",
        "enable_detailed_results": True,
        "show_detailed_results_in_leaderboard": False,
        "pages": [{"title": each.capitalize(), "file": f"{each}.md"} for each in PAGES[:2]],
        "tasks": [{"index": 0, "name": settings.title, "description": settings.title, "scoring_program": _PROGRAM,
                   "reference_data": _REFERENCE}],
        "solutions": [{"index": 0, "name": "Baseline", "path": _SOLUTION, "tasks": [0]}],
        "phases": [phase],
        "leaderboards": [
            {"title": "Results", "key": "main", "submission_rule": "Force_Best", "columns": columns}
        ],
    }  # fmt: skip


def _kit(task: Task, wanted: Competition, settings: TaskSettings) -> tuple[dict[str, bytes], dict[str, str]]:
    """The data and the baseline of the starting kit, and the facts that pages say; both are tried as teams will."""
    own: dict[str, bytes] = {}
    for name, given, change in (
        (DATA, wanted.blind, without_annotation), (BASELINE, wanted.baseline, with_repeated_names),
    ):  # fmt: skip
        own |= changed(task, change, name) if given is None else _given(given, name)
    with tempfile.TemporaryDirectory(prefix="scoref-") as folder:
        for name, file in own.items():  # not as an output of this command
            path = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(file)
        data, baseline = place(own, DATA), place(own, BASELINE)
        scored = judged_well(task, os.path.join(folder, baseline), BASELINE)
        blind = task_of(task.request._replace(key=Key(os.path.join(folder, data))), settings.missing, task.limits)
        judged_well(blind, os.path.join(folder, baseline), BASELINE)
    return own, _facts(task, settings, data, baseline, scored)


def _given(path: str, name: str) -> dict[str, bytes]:
    """The files of data or of a baseline that was given, under its name here."""
    if not os.path.isdir(path):
        ((own, data),) = contents(path).items()
        packed = ".gz" * own.endswith(".gz")
        return {name + os.path.splitext(own.removesuffix(".gz"))[1] + packed: data}
    whole = contents(path, f"{name}/")
    if not whole:
        raise Error("empty-folder", "the folder has no files", path=path, remedy="check its name")
    return whole


def _submission(own: Mapping[str, bytes]) -> dict[str, bytes]:
    """The baseline as teams pack it: without the folder that it is in."""
    return {name.removeprefix(f"{BASELINE}/"): data for name, data in own.items() if name.startswith(BASELINE)}


def _facts(task: Task, settings: TaskSettings, data: str, baseline: str, scored: Verdict) -> dict[str, str]:
    """What pages say of the task, by the words that stand for it in their texts."""
    main, folder = settings.columns[0], "." not in data
    number = scores_of(scored.evaluation, settings.columns).get(main.key) if scored.evaluation else None
    datasets = [each.title for each in settings.columns if each.dataset]
    lacking = task.missing == "reject"
    return {
        "title": settings.title,
        "main": main.title,
        "metrics": ", ".join(each.title for each in settings.columns if not each.dataset),
        "documents": number_of(task.whole.size, "document"),
        "datasets": ", ".join(datasets) or "one",
        "missing": "is a reason to reject" if lacking else "counts as empty, and is shown",
        "and_missing": ", if a document is missing" if lacking else "",
        "signature": task.whole.signature,
        "seconds": f"{settings.limits.seconds:,}",
        "memory": f"{settings.limits.memory / 1e9:g}",
        "baseline": f"{main.title} {number:.2f}" if number is not None else "no score",
        "data": data,
        "baseline_name": baseline,
        "wheel": WHEEL,
        "files": "the files of that folder, annotated" if folder else "that file, annotated",
        "check": check_command(task, settings, data, "SUBMISSION.zip"),
        "check_baseline": check_command(task, settings, data, baseline),
    }
