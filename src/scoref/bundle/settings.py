"""What the program of a bundle has to know of its task: a file that `scoref bundle` writes and the program reads."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..board.judging import Task, task_of
from ..board.limits import Limits
from ..formats import ONE_SIDED, SIDED
from ..layout.grid import without_common_end
from ..layout.render import Json
from ..problems import Error
from ..relations.registry import headline
from ..run.request import Request

NAME = "scoref-task"
VERSION = 1
KEY, BESIDE = "key", "beside"  # folders of the reference data
LONGEST = 36  # letters of the keys and titles of columns
_READING = (*SIDED, *ONE_SIDED, "drift", "sentences", "max_size")
_PATHS = ("tokens", "key_tokens", "response_tokens", "sentences")


class Column(NamedTuple):
    """A column of the leaderboard: the f1 of a metric, in percent, of a dataset or of all."""

    key: str
    title: str
    metric: str
    dataset: str = ""


class TaskSettings(NamedTuple):
    """How submissions are judged: the key's name in the reference data, keywords of `score`, what is lenient, limits.

    `digest` is that of the key; `reports` says whether teams get a report that shows the key's annotation.
    """

    title: str
    key: str
    digest: str
    keywords: Mapping[str, Any]
    missing: str
    limits: Limits
    columns: tuple[Column, ...]
    reports: bool

    def to_dict(self) -> Json:
        """The settings for JSON."""
        columns = [each._asdict() for each in self.columns]
        return {NAME: VERSION, **self._asdict(), "limits": self.limits._asdict(), "columns": columns}

    @classmethod
    def of(cls, record: Json) -> TaskSettings:
        """The settings that were written."""
        found = {name: record[name] for name in cls._fields}
        columns = tuple(Column(**each) for each in found["columns"])
        return cls(**{**found, "limits": Limits(**found["limits"]), "columns": columns})

    def task(self, reference: str) -> Task:
        """The task, with the key in the reference data; an error if it is not the key that it was made for."""
        keywords = {**self.keywords}
        for name in _PATHS:
            if keywords.get(name):
                keywords[name] = os.path.join(reference, *keywords[name].split("/"))
        path = os.path.join(reference, *self.key.split("/"))
        task = task_of(Request.of(path, None, keywords), self.missing, self.limits)  # type: ignore[arg-type]
        if task.digest != self.digest:
            raise Error("changed-key", "the key is not that of the competition", path=path,
                        expected=f"the key with the digest {self.digest}", remedy="make the bundle again")  # fmt: skip
        return task


def keywords_kept(task: Task, asked: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The keywords that read and score as the task does, for JSON; and the files that they name, by keyword.

    The protocol is a signature with every choice.
    """
    kept = {name: asked[name] for name in _READING if asked.get(name) is not None}
    paths = {name: os.fspath(kept[name]) for name in _PATHS if name in kept}
    for name, path in paths.items():
        kept[name] = f"{BESIDE}/{name}/{os.path.basename(os.path.abspath(path))}"
    return {**kept, "protocol": task.protocol.full()}, paths


def columns_of(task: Task) -> tuple[Column, ...]:
    """The main metric, the others, and the main metric of each dataset; keys and titles fit Codabench's limits."""
    main = headline(task.protocol.metrics)
    metrics = [main, *(name for name in task.protocol.metrics if name != main)]
    keys = _told_apart([*metrics, *task.datasets])
    titles = _told_apart([*metrics, *without_common_end(task.datasets)])
    what = [*((name, "") for name in metrics), *((main, name) for name in task.datasets)]
    return tuple(Column(key, title, *each) for key, title, each in zip(keys, titles, what, strict=True))


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names, shortened where they are too long, each different from all others.

    >>> _told_apart(["conll", "a" * 40, "a" * 41, "conll"])[1:]
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-2', 'conll-2']
    """
    found: list[str] = []
    for name in names:
        made, number = name[:LONGEST], 1
        while made in found:
            number += 1
            made = f"{name[: LONGEST - len(str(number)) - 1]}-{number}"
        found.append(made)
    return found
