"""Writes files whole or not at all: a full disk or an interruption leaves what was there before."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Protocol

from .problems import Error

MARK = "scoref"  # what pages and pictures name as the program that made them
_MARKS = (
    f'<meta name="generator" content="{MARK}"'.encode(),  # pages
    b'{"scoref-evaluation"',  # saved evaluations
    b'{"scoref-board"',  # boards
    b"# scoref: why",  # why a submission was rejected
    b"scoref-bundle",  # competitions
    f"<dc:title>{MARK}</dc:title>".encode(),  # the creator of an SVG picture
    f"Software\0{MARK}".encode(),  # PNG
    f"/Creator ({MARK})".encode(),  # PDF
    b'"scoref": {"',  # documents in JSON lines
)
_MANY = 64  # files that are brought to the disk together
_ENDS = 1 << 14  # bytes at each end of a file that are searched for a mark of scoref


class Watcher(Protocol):
    """Is asked before files are written, and told afterwards."""

    def before(self, files: Mapping[str, bytes]) -> None:
        """Raise an error if these files must not be written."""

    def after(self, files: Mapping[str, bytes]) -> None:
        """Called when the files have been written."""


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Ask and tell this watcher about all files written in the block."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def is_output(path: str) -> bool:
    """Whether scoref may replace a file: it has a mark of scoref in it, or is empty."""
    import gzip
    import zlib

    try:
        with open(path, "rb") as file:
            data = file.read(_ENDS)
            if data.startswith(b"\x1f\x8b"):
                file.seek(0)
                data = gzip.GzipFile(fileobj=file).read(_ENDS)
            else:
                file.seek(max(os.path.getsize(path) - _ENDS, 0))
                data += file.read(_ENDS)
    except (OSError, EOFError, zlib.error):
        return False
    return not data or any(mark in data for mark in _MARKS)


def store(files: Mapping[str, bytes]) -> None:
    """Write files, given by their names; missing folders are created.

    The bytes go to temporary files in the same folders, which are renamed when all are written and on the disk. A
    device or a pipe is written to directly.
    """
    watcher = _watcher.get()
    if watcher:
        watcher.before(files)
    _store(files)
    if watcher:
        watcher.after(files)


def _store(files: Mapping[str, bytes]) -> None:
    waiting: list[tuple[str, str]] = []
    folders: dict[str, str] = {}
    together = len(files) >= _MANY and sys.platform == "linux"
    name = ""
    try:
        for name, data in files.items():
            if not name:
                raise OSError(0, "its name is empty")
            target, mode = _found(name, folders)
            if mode and not stat.S_ISREG(mode):
                with open(target, "wb") as file:
                    file.write(data)
                continue
            if mode and not os.access(target, os.W_OK):
                raise PermissionError(13, "Permission denied")
            beside = os.path.join(os.path.dirname(target), f".scoref-{os.getpid()}-{len(waiting)}.tmp")
            waiting.append((beside, target))
            _write(data, beside, mode, sync=not together)
        _refuse_alike(waiting)
        if together:
            _sync({os.path.dirname(beside) for beside, _ in waiting})
        for beside, target in waiting:
            name = target
            os.replace(beside, target)
        waiting.clear()
    except (OSError, ValueError) as reason:  # ValueError: a name that no file can have
        cause = getattr(reason, "strerror", None) or str(reason)
        raise Error("unwritable-file", f"cannot write the file: {cause}", path=name,
                    remedy="name another file, or make room and permission for this one") from None  # fmt: skip
    finally:
        for beside, _ in waiting:
            if os.path.exists(beside):
                os.unlink(beside)


def _found(name: str, folders: dict[str, str]) -> tuple[str, int]:
    """The file that a name leads to, and what is there (0: nothing yet); `folders` keeps where folders really are."""
    folder, base = os.path.split(name)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
        os.makedirs(folders[folder], exist_ok=True)
    target = os.path.join(folders[folder], base)
    with suppress(FileNotFoundError):
        mode = os.lstat(target).st_mode
        if not stat.S_ISLNK(mode):
            return target, mode
        target = os.path.realpath(target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return target, os.stat(target).st_mode
    return target, 0


def _refuse_alike(waiting: list[tuple[str, str]]) -> None:
    """Refuse names like `Tale` and `tale` that are the same file on a disk that ignores case."""
    seen: dict[str, str] = {}
    for beside, target in waiting:
        other = seen.setdefault(target.casefold(), target)
        if other != target and _folds(beside):
            raise OSError(0, f"on this disk it is the same file as {os.path.basename(other)}")


def _folds(file: str) -> bool:
    """Whether the disk ignores case: the file is also found by its name in capital letters."""
    folder, name = os.path.split(file)
    return os.path.exists(os.path.join(folder, name.upper()))


def _write(data: bytes, beside: str, mode: int, *, sync: bool) -> None:
    with open(beside, "wb") as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())
        other = mode and os.fstat(file.fileno()).st_mode != mode
    if other:
        os.chmod(beside, stat.S_IMODE(mode))


def _sync(folders: Iterable[str]) -> None:
    """Bring all that was written to the disks of these folders, which is much faster than file by file."""
    import ctypes  # takes a while

    library = ctypes.CDLL(None, use_errno=True)
    for folder in {os.stat(folder).st_dev: folder for folder in folders}.values():
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            if library.syncfs(descriptor):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        finally:
            os.close(descriptor)


# -- folders that are there as long as the process -------------------------------------------------------------------

_folders: list[tuple[int, str]] = []  # with the process that made each


def temporary_folder() -> str:
    """A new folder, which is removed when this process ends."""
    import atexit
    import tempfile

    if not _folders:
        atexit.register(remove_temporary)
    _folders.append((os.getpid(), tempfile.mkdtemp(prefix="scoref-")))
    return _folders[-1][1]


def remove_temporary() -> None:
    """Remove the temporary folders of this process; a program that ends without `atexit` calls it."""
    if _folders:
        import shutil

        for process, folder in _folders:
            if process == os.getpid():
                shutil.rmtree(folder, ignore_errors=True)
        _folders.clear()
