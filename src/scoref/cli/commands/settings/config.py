"""Show the settings of the project, and where each is from."""

from __future__ import annotations

import argparse
import json
import os

from ....layout.grid import Cell, Grid
from ....layout.render import written
from ... import program, project
from ...messages import width
from ...parsing import CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("of", nargs="?", metavar="COMMAND", help="a command: all its options, the defaults too")
    add_output(command, ("text", "json"), verbose=False)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """A line for each setting: its value, and the line of the file that it is from."""
    found = None if options.no_config else program.settings()
    rows = _of_command(options.of, found) if options.of else _of_project(found) if found else []
    if options.output == "json":
        each = [{"setting": name, "value": value, "from": source} for name, value, source in rows]
        return json.dumps({"file": str(found.path) if found else None, "settings": each}, ensure_ascii=False), 0
    none = "no settings: neither scoref.toml nor [tool.scoref] in pyproject.toml, here or above"
    where = f"settings of {os.path.relpath(found.path)}" if found else none
    cells: list[tuple[Cell, ...]] = [(name, _shown(value), source) for name, value, source in rows]
    return written([Grid("", ("setting", "value", "from"), cells)] if rows else [], [where], "text", width()), 0


_Row = tuple[str, object, str]


def _of_project(found: project.Project) -> list[_Row]:
    """All settings of the project's file."""
    tables = {"": found.settings, **{f"{command}.": each for command, each in found.commands.items()}}
    rows: list[_Row] = [
        (before + name, setting.value, _place(found, setting.line))
        for before, settings in tables.items()
        for name, setting in settings.items()
    ]
    return rows + [(f"systems.{name}", path, os.path.basename(found.path)) for name, path in found.systems.items()]


def _of_command(command: str, found: project.Project | None) -> list[_Row]:
    """The options of a command that a project may set, as they are here."""
    parser = program.parser(command)
    said = {name: value for name, _, value in found.values(command, parser)} if found else {}
    rows: list[_Row] = []
    for action in parser._get_optional_actions():
        name = action.option_strings[-1].removeprefix("--")
        if found and name in said:
            rows.append((name, said[name], _place(found, found.of(command)[name].line)))
        elif name in project.settable() and action.help != argparse.SUPPRESS:
            rows.append((name, action.default, "default"))
    for name in project.FILES[:2] if found else ():
        if found and name in found.of(command) and name in (each.dest for each in parser._get_positional_actions()):
            setting = found.of(command)[name]
            rows.insert(0, (name, found.file(str(setting.value)), _place(found, setting.line)))
    return rows


def _place(found: project.Project, line: int | None) -> str:
    return f"{os.path.relpath(found.path)}{f':{line}' if line else ''}"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or "–"
    return "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
