"""Finds the command, runs it, prints what it gives."""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
import sys
from pathlib import Path

from .. import __version__
from ..exceptions import Error
from .messages import warn

_COMMANDS = Path(__file__).parent / "commands"


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
    made.add_argument("--version", action="version", version=f"scoref {__version__}")
    known = commands()
    called = next((word for word in argv if not word.startswith("-")), None)
    each = made.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, says in known.items():
        command = each.add_parser(name, help=f"{says[0].lower()}{says[1:]}", description=f"{says}.")
        if name == called:
            module = importlib.import_module(f"{__package__}.commands.{name}")
            module.add(command)
            command.set_defaults(command=module.run)
    return made


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit code: 0 done, 1 `validate` found problems, 2 bad usage or bad input."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        options = parser(arguments).parse_args(arguments)
        text: str
        code: int
        text, code = options.command(options)
    except SystemExit as stop:  # argparse has said what was wrong, or printed its help
        return 2 if stop.code else 0
    except Error as error:
        warn(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    try:
        if text:
            print(text)
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` for example, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run() -> None:
    """The entry point of the console script."""
    gc.disable()  # this process ends soon; looking for cycles would take a quarter of its time
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what is written to files is UTF-8 everywhere
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # without taking a million objects apart one by one
