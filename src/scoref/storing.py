"""Writes files whole or not at all: a full disk or an interruption leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from .exceptions import Error


def store(files: Mapping[str, bytes]) -> None:
    """Write files by their names; folders on their way are made.

    The bytes go to temporary files beside, which take the names when all are written. A device or a pipe is written to
    directly.
    """
    waiting: list[tuple[str, str]] = []
    name = ""
    try:
        for name, data in files.items():
            target = os.path.realpath(name)
            if not name:
                raise OSError(0, "its name is empty")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.exists(target) and not os.path.isfile(target):
                Path(target).write_bytes(data)
                continue
            if os.path.isfile(target) and not os.access(target, os.W_OK):
                raise PermissionError(13, "Permission denied")
            beside = os.path.join(os.path.dirname(target), f".scoref-{os.getpid()}-{len(waiting)}.tmp")
            waiting.append((beside, target))
            _write(data, beside, target)
        for beside, target in waiting:
            os.replace(beside, target)
    except (OSError, ValueError) as reason:  # ValueError: a name that no file can have
        said = getattr(reason, "strerror", None) or str(reason)
        raise Error("unwritable-file", f"cannot write the file: {said}", path=name,
                    remedy="name another file, or make room and permission for this one") from None  # fmt: skip
    finally:
        for beside, _ in waiting:
            if os.path.exists(beside):
                os.unlink(beside)


def _write(data: bytes, beside: str, target: str) -> None:
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if os.path.isfile(target):
        os.chmod(beside, os.stat(target).st_mode & 0o7777)
