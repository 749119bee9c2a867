"""Finds the command, runs it, prints what it gives."""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import json
import os
import platform
import re
import signal
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from .. import __version__
from ..exceptions import Error
from ..layout.grid import UNSEEN
from .messages import warn

_COMMANDS = Path(__file__).parent / "commands"
_BEYOND = re.compile("[^\n -~]")


def commands() -> dict[str, str]:
    """The commands, and what help says of each: the first line of its module. No command is imported for that."""
    found = {}
    for path in sorted(_COMMANDS.glob("[!_]*.py")):
        with path.open(encoding="utf-8") as lines:
            found[path.stem] = next(lines).strip().strip('"').rstrip(".")
    return found


def parser(argv: list[str]) -> argparse.ArgumentParser:
    """The parser; of the commands only the one that is called is imported."""
    made = argparse.ArgumentParser(prog="scoref", description="Scores coreference, anaphora and event nuggets.")
    made.add_argument("--debug", action="store_true", help="show where in scoref a defect is")
    made.add_argument("--version", action="version", version=f"scoref {__version__}")
    known = commands()
    called = next((word for word in argv if not word.startswith("-")), None)
    each = made.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, says in known.items():
        command = each.add_parser(name, help=f"{says[0].lower()}{says[1:]}", description=f"{says}.")
        command.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if name == called:
            module = importlib.import_module(f"{__package__}.commands.{name}")
            module.add(command)
            command.set_defaults(command=module.run)
    return made


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit code.

    0: done. 1: `validate` found problems. 2: bad usage or bad input, or no place for what is written. 3: a defect of
    scoref. 130, 143: interrupted, terminated.
    """
    arguments = sys.argv[1:] if argv is None else argv
    try:
        return _run(arguments)
    except SystemExit as stop:  # argparse has said what was wrong, or printed its help
        return 2 if stop.code else 0
    except Error as error:
        warn(f"error: {error}")
        return 2
    except MemoryError:
        warn("error: there is not enough memory for this  [out-of-memory]\n  you can   score fewer files at a time")
        return 2
    except RecursionError:
        warn("error: something in a file is nested too deeply  [too-deep]\n  you can   check how the file was written")
        return 2
    except KeyboardInterrupt:
        warn("interrupted")
        return 130
    except Terminated:
        warn("terminated")
        return 143
    except Exception as defect:
        _report(defect, "--debug" in arguments)
        return 3


def _run(arguments: list[str]) -> int:
    options = parser(arguments).parse_args(arguments)
    from .filenames import refuse_overwriting  # not needed for help

    refuse_overwriting(options)
    text: str
    code: int
    text, code = options.command(options)
    if text:
        _print(_json(text, options.ascii) if getattr(options, "output", None) == "json" else text)
    return code


def _json(text: str, ascii: bool) -> str:
    """JSON with escapes for what would steer a terminal, or for all but ASCII; it says the same."""
    return (_BEYOND if ascii else UNSEEN).sub(lambda found: json.dumps(found[0])[1:-1], text)


def _print(text: str) -> None:
    """Print a result; names of files that are not UTF-8 are escaped, as they can be in JSON."""
    try:
        if sys.stdout is None:
            raise OSError(0, "it is closed")
        print(text.encode(errors="backslashreplace").decode())
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` for example, has closed the pipe
        _discard()
    except OSError as reason:
        _discard()
        raise Error("unwritable-output", f"cannot write to standard output: {reason.strerror}",
                    remedy="make room, or send the output elsewhere") from None  # fmt: skip


def _discard() -> None:
    """Let what is left for standard output go nowhere."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(defect: Exception, debug: bool) -> None:
    """Say that it is not the user's fault, and what helps to find it."""
    place = traceback.extract_tb(defect.__traceback__)[-1]
    said = f"{type(defect).__name__}: {defect}"[:200].replace("\n", " ")
    where = f"{Path(place.filename).parent.name}/{Path(place.filename).name}:{place.lineno}"
    system = f"scoref {__version__}, Python {platform.python_version()}, {platform.system()}"
    warn(f"error: this is a defect of scoref, please report it  [defect]\n  what      {said}\n  where     {where}\n"
         f"  version   {system}\n  you can   add --debug to see more")  # fmt: skip
    if debug:
        warn("".join(traceback.format_exception(defect)).rstrip("\n"))


def _terminate(*_: object) -> None:
    raise Terminated


def run() -> None:
    """The entry point of the console script."""
    gc.disable()  # this process ends soon; looking for cycles would take a quarter of its time
    signal.signal(signal.SIGTERM, _terminate)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what is written to files is UTF-8 everywhere
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # help, say, on a full disk
            code = code or 2
    os._exit(code)  # without taking a million objects apart one by one
