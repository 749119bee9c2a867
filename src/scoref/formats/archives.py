"""Unpacks zip files, and refuses those that could do harm: paths outside, links, bombs.

Submissions are unpacked where a board wants them; other zip files to a temporary folder, which is there as long as the
process. The export of an INCEpTION project becomes a folder for each annotator.
"""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator

from ..problems import Error
from ..storing import temporary_folder

MOST_FILES = 10_000
_PART = 1 << 20
_ENCRYPTED = 0x1
_ASIDE = ("__MACOSX",)  # folders that packing programs add
_DEEPEST = 3  # zip files within zip files
_TYPES = "ypeSystem.xml"  # the end of the name of a file that declares types
_TYPED = (".xmi", ".xml", ".json")  # files that need it
_NOBODY = ("INITIAL_CAS", "CURATION_USER")  # what an export has beside the files of annotators
_unpacked: dict[tuple[str, int, int], str] = {}  # the folders of zip files, by their paths, times and sizes


def is_zip(path: str) -> bool:
    """Whether a file is a zip file, by its first bytes or its name."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06") or path.lower().endswith(".zip")


def unpack(path: str, folder: str, most: int) -> int:
    """Unpack a zip file to a folder that is there, to at most `most` bytes; gives how many of them are left over.

    Hidden files are left out.

    Everything is checked before the first file is written, and what is written is counted: the sizes in a zip file
    are only what it says of itself.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            members = [*_checked(packed, path, most)]
            left = most
            for member, name in members:
                left -= _write(packed, member, os.path.join(folder, name), left, path)
            return left
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as reason:
        remedy = "pack it again, as an ordinary zip file, and try to unpack it"
        raise Error("broken-zip", f"cannot unpack the zip file: {reason}", path=path, remedy=remedy) from None


def _checked(packed: zipfile.ZipFile, path: str, most: int) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files to unpack with their names; an error if one must not be unpacked."""
    members = packed.infolist()
    size = sum(member.file_size for member in members)
    if len(members) > MOST_FILES:
        raise _refused("too-many-files", f"{len(members)} files", path, None, f"{MOST_FILES} files at most")
    if size > most:
        raise _refused("too-large", f"{size} bytes when it is unpacked", path, None, f"{most} bytes at most")
    seen: set[str] = set()
    for member in members:
        name = member.filename
        parts = name.split("/")
        mode = member.external_attr >> 16
        if name.startswith("/") or "\\" in name or ":" in parts[0] or ".." in parts or "\0" in member.orig_filename:
            raise _refused("path-outside", "a path that leads out of the zip file", path, name, "names like dev.conllu")
        if stat.S_ISLNK(mode) or (stat.S_IFMT(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))):
            raise _refused("link", "a link, or something else that is no file", path, name, "files and folders only")
        if member.flag_bits & _ENCRYPTED:
            raise _refused("encrypted", "a file with a password", path, name, "files without passwords")
        if member.is_dir() or parts[0] in _ASIDE or any(part.startswith(".") for part in parts):
            continue
        if name in seen:
            raise _refused("repeated-file", "two files of one name", path, name, "a name of its own for each")
        seen.add(name)
        yield member, os.path.join(*parts)


def _refused(code: str, message: str, path: str, text: str | None, expected: str) -> Error:
    remedy = "pack only what is asked for, from the folder that it is in"
    return Error(code, f"the zip file has {message}", path=path, text=text, expected=expected, remedy=remedy)


def _write(packed: zipfile.ZipFile, member: zipfile.ZipInfo, target: str, left: int, path: str) -> int:
    """Unpack one file; the number of its bytes."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    size = 0
    with packed.open(member) as source, open(target, "xb") as file:
        while part := source.read(_PART):
            size += len(part)
            if size > left:
                raise _refused("too-large", "more bytes than it says", path, member.filename, "the size it says")
            file.write(part)
    return size


def opened(path: str, most: int) -> str:
    """The folder with what is in a zip file, and in zip files within it, each a folder of its own; unpacked once.

    All of them together may have `most` bytes.
    """
    found = os.stat(path)
    known = os.path.abspath(path), found.st_mtime_ns, found.st_size
    if known not in _unpacked:
        _unpacked[known], _ = _opened(path, most, 0)
    return _unpacked[known]


def _opened(path: str, left: int, depth: int) -> tuple[str, int]:
    """A new folder with what is in a zip file, and how many bytes may still be unpacked."""
    if depth == _DEEPEST:
        raise _refused("too-deep", "zip files within zip files within zip files", path, None, "files")
    folder = os.path.join(temporary_folder(), os.path.basename(path))
    os.mkdir(folder)
    left = unpack(path, folder, left)
    packed = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    for each in filter(is_zip, packed):  # in place of it, a folder with what is in it
        inside, left = _opened(each, left, depth + 1)
        os.remove(each)
        shutil.move(inside, each.removesuffix(".zip"))
    return folder, left


def annotators(path: str, most: int) -> dict[str, str]:
    """A folder for each annotator of a project that INCEpTION exported, by their names; none for any other zip file.

    An export has the file of an annotator as `annotation/DOCUMENT/ANNOTATOR.zip`, or unpacked.
    """
    if not is_zip(path):
        return {}
    folder = opened(path, most)
    here = next((each for each, below, _ in os.walk(folder) if "annotation" in below), None)
    if here is None:
        return {}
    goal, found = folder + ".annotators", dict[str, str]()
    for place, below, names in os.walk(os.path.join(here, "annotation")):
        document = os.path.relpath(place, os.path.join(here, "annotation"))
        for name in sorted([*below, *names]) if document != "." else ():
            annotator = name if name in below else name.rpartition(".")[0]
            target = os.path.join(goal, annotator, document)
            if annotator in _NOBODY or os.path.exists(target):
                continue
            found[annotator] = os.path.join(goal, annotator)
            _copy(os.path.join(place, name), target)
        if document != ".":
            below.clear()
    return found


def _copy(place: str, target: str) -> None:
    """Copy a file, or the one file of a folder, under the name of its document, and the declaration of its types."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    inside = sorted(os.listdir(place)) if os.path.isdir(place) else [""]
    types = [name for name in inside if name.endswith(_TYPES)]
    files = [os.path.join(place, name).rstrip("/") for name in inside if name not in types]
    if len(files) != 1 or not os.path.isfile(files[0]):
        return
    ending = os.path.splitext(files[0])[1]
    shutil.copy(files[0], target + ending)
    for name in types if ending in _TYPED else ():
        shutil.copy(os.path.join(place, name), target + ".typesystem.xml")


def refuse_links(path: str) -> None:
    """Refuse links, pipes and devices in a submission: nothing outside of it is read, and nothing waits for ever."""
    pending = [path]
    while pending:
        place = pending.pop()
        try:
            mode = os.lstat(place).st_mode
            below = os.listdir(place) if stat.S_ISDIR(mode) else []
        except OSError as reason:
            raise Error("unreadable-file", f"cannot read what is there: {reason.strerror}", path=place) from None
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            message = "a link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
            remedy = "put the file itself in its place"
            raise Error("link", f"the submission has {message}", path=place, expected="files only", remedy=remedy)
        pending += [os.path.join(place, name) for name in below]
