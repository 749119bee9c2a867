"""Print what makes a shell complete commands, options and names."""

from __future__ import annotations

import argparse
from types import ModuleType

from ....formats import ONE_SIDED
from ....problems import Error
from ... import program
from ...parsing import CommandParser

SHELLS = ("bash", "zsh", "fish")

# What to complete for options without a fixed list of words: names, or files and folders.
_NAMES = {"metrics": "metrics", "protocol": "protocols"}
_FILES = ("FILE", "F", "KEY", "RESPONSE", "SYSTEM", "ANNOTATOR", "STATS", "IN", "OUT", "TEXT", "PRO-KEY",
          "PRO-RESPONSE", "ANTI-KEY", "ANTI-RESPONSE")  # fmt: skip


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The script for the shell, with the names of all commands, options, metrics and protocols."""
    try:
        import shtab
    except ImportError:
        raise Error("missing-package", "completion needs the package shtab",
                    remedy="install it: pip install 'scoref[completion]'") from None  # fmt: skip
    return str(shtab.complete(_whole(shtab), options.shell)).rstrip("\n"), 0


def _whole(shtab: ModuleType) -> argparse.ArgumentParser:
    """All commands in one parser, with what each argument can be."""
    from ....output.registries import LISTS

    whole = argparse.ArgumentParser(prog="scoref")
    whole.add_argument("--version", action="store_true", help="show the version")
    each = whole.add_subparsers(parser_class=CommandParser)
    for name, says in program.commands().items():
        made = program.declared(each.add_parser(name, help=says, prog=f"scoref {name}"), name)
        for action in made._actions:
            if action.dest in ONE_SIDED:  # they have no help text of their own
                action.help = "--{1} of the {0}".format(*ONE_SIDED[action.dest])
            if action.dest in _NAMES:
                names = (str(row[0]) for row in LISTS[_NAMES[action.dest]]().rows)
                action.choices = [name for name in names if not {":", "@"} & {*name}]  # without variants like name:kind
                action.help = _NAMES[action.dest]  # fish shows it beside each name
            elif action.dest == "of":
                action.choices = program.names()
            elif action.metavar in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.metavar == "DIR":
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return whole
