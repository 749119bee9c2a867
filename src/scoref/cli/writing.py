"""What a command may write, and what it says of that: no inputs, no files of others unless by force."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from ..problems import Error
from ..storing import is_output, watched
from .parsing import WRITTEN

_FILES = ("save", "out", "plot")  # the others are folders, or both
_INPUTS = ("key", "response", "responses", "files", "annotators", "texts", "types", "sentences", "protocol")


def watched_run(options: argparse.Namespace) -> tuple[str, int, str]:
    """What the command of the options gives, the text and the exit code, and a message on the files that it wrote."""
    writing = Writing(options)
    with watched(writing):
        text, code = options.command(options)
    return text, code, "" if writing.written and text.startswith(writing.written[0]) else writing.said()


class Writing:
    """Watches what a command writes: refuses to write over inputs and over files of others, says what was written."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.force = bool(getattr(options, "force", False))
        self.place = getattr(options, "input", None)  # `convert` may write in place
        self.written: list[str] = []
        inputs: list[str] = []
        for name in _INPUTS:
            value = getattr(options, name, None)
            inputs += value if isinstance(value, list) else [value] if isinstance(value, str) else []
        for name in WRITTEN:
            out: object = getattr(options, name, None)
            if out == "":
                raise Error("no-name", "an output whose name is empty", text=f"--{name}", remedy="name a file")
            if isinstance(out, str) and os.path.isfile(out):
                if any(_within(out, path) for path in inputs):
                    message, remedy = "the file to write is one of those to read", "name another file to write"
                    raise Error("output-is-input", message, path=out, remedy=remedy)
                if name in _FILES:  # before the work
                    self._refuse_others(out)

    def before(self, files: Mapping[str, bytes]) -> None:
        """Refuse to write over files of others, unless they are the same."""
        for name, data in files.items():
            self._refuse_others(name, data)

    def after(self, files: Mapping[str, bytes]) -> None:
        """Keep the names of the files that were written."""
        self.written += files

    def said(self) -> str:
        """What was written, as a message."""
        if len(self.written) < 4:
            return "\n".join(f"wrote {name}" for name in self.written)
        return f"wrote {len(self.written)} files in {os.path.commonpath(self.written) or '.'}"

    def _refuse_others(self, name: str, data: bytes | None = None) -> None:
        if self.force or not os.path.isfile(name) or is_output(name):
            return
        if self.place and _within(name, self.place):
            return
        if data is None or os.path.getsize(name) != len(data) or _content(name) != data:
            message = "the file is there, and does not say that scoref made it"
            remedy = "name another file to write, or write over it with --force"
            raise Error("existing-file", message, path=name, remedy=remedy)


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _within(out: str, path: str) -> bool:
    """Whether a file is that one, or one of that folder."""
    inside = os.path.isdir(path) and os.path.realpath(out).startswith(os.path.realpath(path) + os.sep)
    return inside or (os.path.exists(path) and os.path.samefile(out, path))
