"""Watches what a command writes: never over inputs, and over other files only with `--force`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property

from ..problems import Error
from ..storing import is_output, watched
from .parsing import WRITTEN

_FILES = ("save", "out", "plot", "json_file")  # the others name folders, or either
INPUTS = (
    "key", "response", "responses", "files", "annotators", "input", "types", "sentences", "protocol", "texts", "tokens",
    "key_tokens", "response_tokens", "annotations", "pro_key", "pro_response", "anti_key", "anti_response",
    "submissions", "paths", "since", "blind", "baseline", "wheels", "against", "decisions",
)  # fmt: skip # what names files and folders that a command reads


def watched_run(options: argparse.Namespace) -> tuple[str, int, str]:
    """Run the command of the options: its text, its exit code, and a message on the files that it wrote."""
    writing = Writing(options)
    with watched(writing):
        text, code = options.command(options)
    return text, code, "" if writing.written and text.startswith(writing.written[0]) else writing.said()


class Writing:
    """Checks and records what a command writes: refuses to overwrite inputs, and other files without `--force`."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.force = bool(getattr(options, "force", False))
        self.written: list[str] = []
        named = [getattr(options, name, None) for name in INPUTS]
        self.inputs = [path for each in named for path in (each if isinstance(each, list) else [each]) if path]
        for name in WRITTEN:
            out: object = getattr(options, name, None)
            if out == "":
                raise Error("no-name", "an output whose name is empty", text=f"--{name}", remedy="name a file")
            if isinstance(out, str) and name in _FILES and os.path.isfile(out):  # before the work
                self._refuse_inputs(out, "name another file to write")
                self._refuse_others(out)

    def before(self, files: Mapping[str, bytes]) -> None:
        """Refuse to overwrite inputs, and, without `--force`, other files whose content would change."""
        for name, data in files.items():
            if not self.force and os.path.isfile(name) and not _is_same(name, data):
                self._refuse_inputs(name, "name another file to write, or write in its place with --force")
                self._refuse_others(name)

    def after(self, files: Mapping[str, bytes]) -> None:
        """Keep the names of the files that were written."""
        self.written += files

    def said(self) -> str:
        """What was written, as a message."""
        if len(self.written) < 4:
            return "\n".join(f"wrote {name}" for name in self.written)
        return f"wrote {len(self.written)} files in {os.path.commonpath(self.written) or '.'}"

    def _refuse_inputs(self, name: str, remedy: str) -> None:
        if _identity(name) in self._read:
            message = "the file to write is one of those to read, or in a folder that is read"
            raise Error("output-is-input", message, path=name, remedy=remedy)

    def _refuse_others(self, name: str) -> None:
        if not self.force and not is_output(name):
            message = "the file is there, and does not say that scoref made it"
            remedy = "name another file to write, or write over it with --force"
            raise Error("existing-file", message, path=name, remedy=remedy)

    @cached_property
    def _read(self) -> set[tuple[int, int]]:
        """The identities of all files that are read, also in folders; not their names, as links give a file several."""
        from ..formats.files import walk

        found = set()
        for path in self.inputs:
            with suppress(Error, OSError, ValueError):  # whoever reads it says what is wrong
                if not os.path.isdir(path):
                    found.add(_identity(path))
                    continue
                for _, file in walk(path):
                    found.add(_identity(file))
        return found


def _identity(name: str) -> tuple[int, int]:
    """What identifies a file under any name (device and inode); `-` is standard input, which may be a file."""
    found = os.stat(0 if name == "-" else name)
    return found.st_dev, found.st_ino


def _is_same(name: str, data: bytes) -> bool:
    if os.path.getsize(name) != len(data):
        return False
    with open(name, "rb") as file:
        return file.read() == data
