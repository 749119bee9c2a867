"""The settings of a project: `scoref.toml`, or `[tool.scoref]` in `pyproject.toml`, found from here upwards."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ..problems import Error
from ..spelling import closest
from .messages import Misuse
from .parsing import CommandParser

_OPTIONS = (
    "protocol", "metrics", "by", "ci", "output", "verbose", "format", "ends", "glob", "marks", "tokens", "sentences",
    "on-problem", "columns", "engine", "memory", "temp", "resume", "drift", "with", "jobs", "trials", "seed", "unit",
    "pairs", "correction", "power", "difference", "margin", "across", "layout", "label", "repetitions", "color",
    "ascii", "max-size", "missing", "time-limit", "memory-limit",
)  # fmt: skip
FILES = ("key", "response", "systems")
# Settings that are file names, relative to the settings file.
_PATHS = ("key", "response", "tokens", "key-tokens", "response-tokens", "sentences", "types", "temp", "resume")
_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
Value = TypeVar("Value")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


def settable() -> tuple[str, ...]:
    """Options that a project may set: choices of the protocol, and others that make sense for every call."""
    from ..protocol.choices import CHOICES, OPTIONS  # imported here, as it loads all stages, and few calls need it

    return (*_OPTIONS, *_one_sided(), *(CHOICES[name].spelled for name in OPTIONS))


def _one_sided() -> dict[str, str]:
    """The options for one side (`key-format`), each with the option for both sides (`format`)."""
    from ..formats import ONE_SIDED

    return {name.replace("_", "-"): both for name, (_, both) in ONE_SIDED.items()}


def _over(former: Mapping[str, Value], latter: Mapping[str, Value]) -> dict[str, Value]:
    """Both settings joined; `latter` wins, and its option for both sides also overrides a one-sided one of `former`."""
    sides = _one_sided()
    left = {name: value for name, value in former.items() if sides.get(name.replace("_", "-")) not in latter}
    return {**left, **latter}


class Setting(NamedTuple):
    """The value of a setting, and its line in the file."""

    value: object
    line: int | None


class Project(NamedTuple):
    """The settings of a project: for all commands, for single commands, and its systems by name."""

    path: str
    settings: dict[str, Setting]
    commands: dict[str, dict[str, Setting]]
    systems: dict[str, str]

    def of(self, command: str) -> dict[str, Setting]:
        """The settings that hold for a command."""
        return _over(self.settings, self.commands.get(command, {}))

    def file(self, name: str) -> str:
        """A file that the project names, relative to the working directory."""
        return os.path.relpath(os.path.join(os.path.dirname(self.path), name)) if name != "-" else name

    def options(self, command: str, parser: CommandParser, arguments: list[str]) -> argparse.Namespace:
        """The options of a call: from its arguments, else from the project, else the defaults."""
        shape = parser.shape()
        may = _let_files_out(parser) if "key" in self.of(command) else None
        given = vars(parser.given(arguments))
        if may is not None:
            _fill_in(command, given, self, Misuse("no response given", f"expected: {shape}") if may else None)
            if parser.option("names") and given["responses"]:
                names = {self.file(path): name for name, path in self.systems.items()}
                if all(path in names for path in given["responses"]):
                    given.setdefault("names", ",".join(names[path] for path in given["responses"]))
        chosen = {dest: value for _, dest, value in self.values(command, parser)}
        return argparse.Namespace(**parser.defaults() | _over(chosen, given))

    def values(self, command: str, parser: CommandParser) -> Iterator[tuple[str, str, object]]:
        """The settings that apply to a command: name, destination of the option, value."""
        for name, setting in self.of(command).items():
            action = parser._option_string_actions.get(f"--{name}")
            if action is not None and name not in FILES:  # --key of validate asks for another check
                yield name, action.dest, _value(parser, action, name, setting, self)
            elif name in self.commands.get(command, {}):
                message = f"scoref {command} has no setting '{name}'"
                raise Error("unknown-setting", message, path=self.path, line=setting.line)


def read(path: str, data: bytes, table: str, commands: list[str]) -> Project | None:
    """The settings in a table of a TOML file; None if the file has no such table."""
    import tomllib  # imported only if there is a file to read

    try:
        text = data.decode()
        said = tomllib.loads(text)
    except ValueError as reason:
        place = _AT_LINE.search(str(reason))
        message, line = f"no TOML: {_AT_LINE.sub('', str(reason))}", int(place[1]) if place else None
        remedy = "mend the file, or go without it: --no-config"
        raise Error("bad-settings", message, path=path, line=line, remedy=remedy) from None
    for part in table.split(".") if table else ():
        said = said.get(part, {})
    return _checked(path, text, table, said, commands) if said or not table else None


def _checked(path: str, text: str, table: str, said: Mapping[str, object], commands: list[str]) -> Project:
    """The settings, each with its line; unknown names are errors."""
    made = Project(path, {}, {}, {})
    lines = _lines(text)
    for name, value in said.items():
        line = lines.get((table, name)) or lines.get((f"{table}.{name}".strip("."), ""))
        if name in commands and isinstance(value, dict):
            inner = f"{table}.{name}".strip(".")
            each = {option: Setting(chosen, lines.get((inner, option))) for option, chosen in value.items()}
            made.commands[name] = {_known(path, option, setting.line, []): setting for option, setting in each.items()}
            continue
        name = _known(path, name, line, commands)
        if name == "systems":
            made.systems.update(_systems(path, value, line))
        elif isinstance(value, dict):
            raise Error("bad-settings", f"{name} is no table", path=path, line=line, expected=f"{name} = ...")
        else:
            made.settings[name] = Setting(value, line)
    return made


def _known(path: str, name: str, line: int | None, commands: list[str]) -> str:
    plain = name.replace("_", "-")
    known = [*settable(), *(FILES if commands else ())]
    if plain not in known:
        meant = closest(plain, [*known, *commands])
        expected = None if meant else f"some of {', '.join(known)}"
        remedy = f"write {meant}" if meant else "leave it out"
        raise Error("unknown-setting", f"no setting '{name}'", path=path, line=line, expected=expected, remedy=remedy)
    return plain


def _systems(path: str, value: object, line: int | None) -> dict[str, str]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = {os.path.basename(each): each for each in value}
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise Error("bad-settings", "systems have names and files", path=path, line=line,
                    expected='lines like baseline = "runs/baseline.conll" below [systems]')  # fmt: skip
    if comma := next((name for name in value if "," in name), None):
        raise Error("bad-settings", "a name of a system with a comma", path=path, line=line, text=comma)
    return value


def _lines(text: str) -> dict[tuple[str, str], int]:
    """The line of each (table, key); a table itself has an empty key."""
    places: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(line):
            table = ".".join(part.strip().strip("\"'") for part in header[1].split("."))
            places.setdefault((table, ""), number)
        elif "=" in line and not line.lstrip().startswith("#"):
            places.setdefault((table, line.split("=")[0].strip().strip("\"'")), number)
    return places


# -- what a call means in a project -----------------------------------------------------------------------------------


def _value(parser: CommandParser, action: argparse.Action, name: str, setting: Setting, project: Project) -> object:
    """The value of an option, checked as on the command line."""
    value = setting.value
    if action.nargs == 0:  # a flag: on or off
        if not isinstance(value, bool):
            raise Error("bad-settings", f"{name} is true or false", path=project.path, line=setting.line)
        return value
    try:
        if name in _PATHS or (name == "protocol" and str(value).endswith(".toml")):
            value = project.file(str(value))
        each = [str(one) for one in (value if isinstance(value, list) else [value])]
        if isinstance(action.default, list):
            return [parser.value(action, one) for one in each]
        return parser.value(action, ",".join(each))
    except Misuse as wrong:
        path, line = project.path, setting.line
        raise Error("bad-settings", wrong.what, path=path, line=line, remedy=wrong.hint) from None


def _let_files_out(parser: CommandParser) -> bool | None:
    """Make the files of a scoring command optional; gives whether it needs a response, None for other commands."""
    files = {action.dest: action for action in parser._get_positional_actions()}
    if files.keys() not in ({"key", "response"}, {"key", "responses"}):
        return None
    needed = files[[*files][1]].nargs != "?"
    for name, action in files.items():
        action.nargs = "*" if name == "responses" else "?"
    return needed


def _fill_in(command: str, given: dict[str, Any], project: Project, missing: Misuse | None) -> None:
    """Fill in key and responses from the project, if the call names at most one file, or systems by name."""
    many = "responses" in given
    words = [each for each in (given["key"], *(given["responses"] if many else [given["response"]])) if each]
    named = all(word in project.systems and not os.path.exists(word) for word in words)
    if len(words) > 1 and not named:
        return  # the call names key and responses itself
    said = project.of(command)
    paths = [project.file(project.systems[word]) if named else word for word in words]
    if not words and "response" in said and not (many and project.systems):
        paths = [project.file(str(said["response"].value))]
    elif not words:
        paths = [project.file(path) for path in project.systems.values()]
    if not many and len(paths) > 1:
        which = words or [*project.systems]
        raise Misuse(f"{len(paths)} systems, and scoref {command} takes one", f"write scoref {command} {which[0]}")
    if missing and not paths:
        raise missing
    given["key"] = project.file(str(said["key"].value))
    given |= {"responses": paths} if many else {"response": paths[0] if paths else None}
