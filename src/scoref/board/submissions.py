"""Finds the submissions of a task in a folder, and their names: a submission, or the runs of a team."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from ..formats.files import files
from ..layout.grid import clean
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
    return {name or os.path.basename(path).removesuffix(".gz") for name, path in files(key).items()}


def is_one_file(key: str) -> bool:
    """Whether the key is a single file, packed or not."""
    return "" in files(key)


def misnamed(submission: Submission, key: str) -> str:
    """What to do if a file was taken for a run because it is not called as a file of the key is."""
    if not submission.run or not os.path.isfile(submission.path) or is_one_file(key):
        return ""
    return f"; if the files in this folder are one submission, call them as the key's are, like {min(key_files(key))}"


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
    found = [each for path in _entries(folder) for each in _at(path, wanted)]
    if not found:
        raise Error("no-submissions", "the folder has no submissions", path=folder, remedy="check its name")
    _refuse_names(found, key)
    return sorted(found)


def named(paths: Iterable[str], key: str) -> list[Submission]:
    """Submissions that are named one by one, as they would be called in a folder of submissions."""
    wanted = key_files(key)
    return [each for path in paths for each in _at(path, wanted)]


def _at(path: str, wanted: Collection[str]) -> Iterator[Submission]:
    """The submission that is there, or the runs of a team."""
    one = os.path.islink(path) or not os.path.isdir(path) or has_one(path, wanted)
    runs = [] if one else _entries(path)
    for run in runs:
        yield Submission(f"{name_at(path)}/{name_at(run)}", run)
    if not runs:
        yield Submission(name_at(path), path)


def name_at(path: str) -> str:
    """What a file or a folder is called as a submission, with escapes for what cannot be printed."""
    name = os.path.basename(os.path.abspath(path))
    return clean(name if os.path.isdir(path) else _stem(name))


def has_name_of_key(submission: Submission, key: str) -> bool:
    """Whether a submission or its team is called as the key is, but for upper and lower case."""
    name = _stem(os.path.basename(os.path.abspath(key))).casefold()
    return name in (submission.name.casefold(), submission.team.casefold())


def key_name(submission: Submission) -> Problem:
    """Why a submission with the name of the key is refused."""
    message, expected = f"a submission with the name of the key, {submission.name}", "the name of a team"
    remedy = "rename it: its row would look like the key's own"
    return Problem("key-name", message, submission.path, expected=expected, remedy=remedy)


def _entries(folder: str) -> list[str]:
    """The paths of what is in a folder, without hidden files."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as reason:
        message = f"cannot read the folder: {reason.strerror}"
        raise Error("unreadable-folder", message, path=folder, remedy="make it readable, or move it away") from None
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]


def has_one(folder: str, wanted: Collection[str]) -> bool:
    """Whether a folder has one of these files, without following links.

    It counts as having one if it cannot be looked through: what is wrong with it is said when it is judged.
    """

    def stop(reason: OSError) -> None:
        raise reason

    try:
        for place, _, names in os.walk(folder, onerror=stop):
            paths = (os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/") for name in names)
            if any(path.removesuffix(".gz") in wanted for path in paths):
                return True
    except (OSError, RecursionError):  # a folder in a folder in a folder, a thousand times
        return True
    return False


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
    if _is_inside(key, folder):
        message, remedy = "the key is among the submissions", "keep the key in another folder"
        raise Error("key-among-submissions", message, path=key, remedy=remedy)


def refuse_inside(outputs: Iterable[str | None], folders: Iterable[str]) -> None:
    """Refuse files and folders to write in a folder of submissions or of the key: they would be read the next time."""
    for path, folder in product(filter(None, outputs), filter(os.path.isdir, folders)):
        if _is_inside(path, folder):
            message, remedy = "what is to be written is in a folder that is read", "name another folder"
            raise Error("output-is-input", message, path=path, expected=f"a place outside of {folder}", remedy=remedy)


def _is_inside(path: str, folder: str) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


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
