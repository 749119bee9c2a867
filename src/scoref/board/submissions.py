"""Finds the submissions of a task in a folder, and their names: a submission, or the runs of a team."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..formats.files import files, walk
from ..problems import Error, Problem

_ENDINGS = re.compile(r"(\.zip|\.gz|\.[A-Za-z][A-Za-z0-9]{0,11})$")


class Submission(NamedTuple):
    """What a team sent in: its name, `team` or `team/run`, and where it is: a file, a folder, a zip file."""

    name: str
    path: str

    @property
    def team(self) -> str:
        """The name of the team."""
        return self.name.partition("/")[0]

    @property
    def run(self) -> str:
        """The name of the run; '' if the team has no others."""
        return self.name.partition("/")[2]


def key_files(key: str) -> set[str]:
    """The names that files of a submission have: those of the files of the key, relative to its folder."""
    return {os.path.basename(key).removesuffix(".gz")} if not os.path.isdir(key) else {*files(key)}


def found_in(folder: str, key: str) -> list[Submission]:
    """The submissions in a folder, by name.

    A folder with a file of the key's name, or with one of the names of the key's files, is a submission. Another
    folder is a team, and everything in it is a run. Hidden files are left out.
    """
    if not os.path.isdir(folder):
        expected, remedy = "a folder with a file, a folder or a zip file for each submission", "check the name"
        raise Error("no-submissions", "no folder of submissions", path=folder, expected=expected, remedy=remedy)
    _refuse_key_inside(folder, key)
    wanted = key_files(key)
    found: list[Submission] = []
    for name, path in _entries(folder):
        if os.path.isdir(path) and not _has(path, wanted):
            found += [Submission(f"{name}/{_stem(run)}", place) for run, place in _entries(path)]
        else:
            found.append(Submission(_stem(name) if not os.path.isdir(path) else name, path))
    if not found:
        raise Error("no-submissions", "the folder has no submissions", path=folder, remedy="check its name")
    _refuse_names(found, key)
    return sorted(found)


def named(paths: Collection[str]) -> list[Submission]:
    """Submissions that are named one by one, as they would be called in a folder of submissions."""
    names = (os.path.basename(os.path.abspath(path)) for path in paths)
    return [
        Submission(name if os.path.isdir(path) else _stem(name), path) for name, path in zip(names, paths, strict=True)
    ]


def has_name_of_key(submission: Submission, key: str) -> bool:
    """Whether a submission is called as the key is, but for upper and lower case."""
    return submission.name.casefold() == _stem(os.path.basename(os.path.abspath(key))).casefold()


def key_name(submission: Submission) -> Problem:
    """Why a submission with the name of the key is refused."""
    message, expected = f"a submission with the name of the key, {submission.name}", "the name of a team"
    remedy = "rename it: its row would look like the key's own"
    return Problem("key-name", message, submission.path, expected=expected, remedy=remedy)


def _entries(folder: str) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as reason:
        message = f"cannot read the folder: {reason.strerror}"
        raise Error("unreadable-folder", message, path=folder, remedy="make it readable, or move it away") from None
    for name in names:
        if not name.startswith("."):
            yield name, os.path.join(folder, name)


def _has(folder: str, wanted: Collection[str]) -> bool:
    """Whether a folder has one of these files; what is wrong with it is said when it is judged."""
    try:
        return any(name.removesuffix(".gz") in wanted for name, _ in walk(folder))
    except Error:
        return True


def _stem(name: str) -> str:
    """A name without the endings of files.

    >>> _stem("baseline.conllu.gz"), _stem("v1.2"), _stem("run.zip")
    ('baseline', 'v1.2', 'run')
    """
    while (shorter := _ENDINGS.sub("", name)) and shorter != name:
        name = shorter
    return name


def _refuse_key_inside(folder: str, key: str) -> None:
    """Refuse a key that is, or is in, the folder of submissions: it would be ranked, or sent back."""
    inner, outer = os.path.realpath(key), os.path.realpath(folder)
    if os.path.commonpath([inner, outer]) == outer:
        message, remedy = "the key is among the submissions", "keep the key in another folder"
        raise Error("key-among-submissions", message, path=key, remedy=remedy)


def _refuse_names(found: Collection[Submission], key: str) -> None:
    """Refuse two submissions of one name, also on disks that ignore case, and one with the name of the key."""
    seen: dict[str, Submission] = {}
    for each in found:
        if has_name_of_key(each, key):
            raise Error.of(key_name(each))
        other = seen.setdefault(each.name.casefold(), each)
        if other is not each:
            message, expected = f"two submissions with the name {each.name}", f"another name than {other.path} gives"
            raise Error("repeated-submission", message, path=each.path, expected=expected, remedy="rename one of them")
