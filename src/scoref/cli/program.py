"""Finds the command, runs it, prints what it gives."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from .. import __version__
from ..problems import Error
from .messages import COLOURS, Misuse, colour, finish, warn

if TYPE_CHECKING:
    from .parsing import CommandParser
    from .project import Project

_COMMANDS = os.path.join(os.path.dirname(__file__), "commands")
EVERYDAY_COMMANDS = ("score", "compare", "errors", "report", "explain")
COMMON = ("--debug", "--no-config", "--color")  # these options may also come before the command
SEE = "see: scoref help"
_WITHOUT_ARRAYS = ("config", "doctor", "help")
_FREED = (1 << 25) - (1 << 13)  # just below the largest size that it learns from


def names() -> list[str]:
    """The names of all commands, sorted."""
    return sorted(_rooms())


@cache
def _rooms() -> dict[str, str]:
    """The subfolder of `commands/` that each command is in."""
    folders = [name for name in os.listdir(_COMMANDS) if not name.startswith("_")]
    return {
        name.removesuffix(".py"): folder
        for folder in folders
        for name in os.listdir(os.path.join(_COMMANDS, folder))
        if name.endswith(".py") and not name.startswith("_")
    }


def commands() -> dict[str, str]:
    """The commands with their help text, the first line of the module, which is read without importing it."""
    return {name: _says(name) for name in names()}


def _says(name: str) -> str:
    with open(os.path.join(_COMMANDS, _rooms()[name], f"{name}.py"), encoding="utf-8") as lines:
        return next(lines).strip().strip('"').rstrip(".")


def parser(name: str) -> CommandParser:
    """The parser of a command; no other command is imported."""
    from .parsing import CommandParser

    known = names()
    if name not in known:
        from ..spelling import closest

        meant = closest(name, known)
        raise Misuse(f"no command '{name}'", f"did you mean scoref {meant}? it was {name}" if meant else SEE)
    return declared(CommandParser(prog=f"scoref {name}", description=f"{_says(name)}."), name)


def declared(made: CommandParser, name: str) -> CommandParser:
    """The parser with the arguments that a command declares, and those that all have."""
    from importlib import import_module

    from .parsing import OTHER

    if name not in _WITHOUT_ARRAYS:
        import numpy  # noqa: F401 # imported here, where the stack is shallow: deeper it takes 6 ms more

    module = import_module(f"{__package__}.commands.{_rooms()[name]}.{name}")
    module.add(made)
    bold = "bold and coloured text (default: auto, on terminals unless NO_COLOR is set)"
    made.add_to(OTHER, "--debug", action="store_true", help="show where in scoref a defect is")
    made.add_to(OTHER, "--color", choices=COLOURS, default="auto", help=bold)
    made.add_to(OTHER, "--no-config", action="store_true", help="without the settings of the project")
    made.set_defaults(command=module.run)
    return made


def overview() -> str:
    """The help of `scoref` without a command: all commands, everyday ones first."""
    known = commands()
    often = {name: known.pop(name) for name in EVERYDAY_COMMANDS}
    lines = ["usage: scoref COMMAND [options]", "", "Scores coreference, anaphora and event nuggets.", ""]
    for title, each in (("everyday commands", often), ("further commands", known)):
        lines += [f"{title}:", *(f"  {name:<11} {says[0].lower()}{says[1:]}" for name, says in each.items()), ""]
    lines += ["`scoref help COMMAND` has the options of a command, `scoref list` metrics and formats,"]
    return "\n".join([*lines, "`scoref doctor` what is installed. For all commands: --color, --no-config, --debug."])


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit code.

    0: done. 1: `validate` found problems. 2: bad usage or bad input, or no place for what is written. 3: a defect of
    scoref. 130, 143: interrupted, terminated.
    """
    arguments = _with_names(sys.argv[1:] if argv is None else argv)
    if "--color" in arguments[:-1]:
        place = arguments.index("--color")
        arguments = [*arguments[:place], f"--color={arguments[place + 1]}", *arguments[place + 2 :]]
    colour.set(next((word for word in COLOURS if f"--color={word}" in arguments), "auto"))  # for errors, too
    try:
        return _run(arguments)
    except SystemExit as stop:  # argparse has said what was wrong, or printed its help
        return 2 if stop.code else 0
    except (Error, Misuse) as error:
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
        if _asked:  # C code of some package turned the signal into another exception
            warn("terminated" if _asked[0] == signal.SIGTERM else "interrupted")
            return 128 + _asked[0]
        _report(defect, "--debug" in arguments)
        return 3
    finally:
        finish()


def _with_names(arguments: list[str]) -> list[str]:
    """The arguments; words after `--` that look like options are written as files: `./-h`."""
    place = arguments.index("--") + 1 if "--" in arguments else len(arguments)
    names = (f".{os.sep}{word}" if word.startswith("-") and word != "-" else word for word in arguments[place:])
    return [*arguments[:place], *names]


def _run(arguments: list[str]) -> int:
    name, rest = _split(arguments)
    if name is None:
        _print(f"scoref {__version__}" if "--version" in rest else overview())
        return 0
    from .parsing import WRITTEN

    made = parser(name)
    if made.option("metrics") and "--metrics" in rest:
        from .options import with_metrics_joined

        rest = with_metrics_joined(rest)
    found = None if "--no-config" in rest else settings()
    options = found.options(name, made, rest) if found else made.options(rest)
    colour.set(options.color)
    text: str
    code: int
    written = ""
    if any(getattr(options, each, None) is not None for each in WRITTEN):
        from .writing import watched_run

        text, code, written = watched_run(options)
    else:
        text, code = options.command(options)
    finish()
    if text:
        _print(_json(text, options.ascii) if getattr(options, "output", None) == "json" else text)
    if written:
        warn(written)
    return code


def settings() -> Project | None:
    """The settings of the project around the working directory; None if it has no settings file."""
    for path, table, data in _settings_files():
        from .project import read

        if found := read(path, data, table, names()):
            return found
    return None


def _settings_files() -> Iterator[tuple[str, str, bytes]]:
    """The files that may have settings, from here upwards: the name, the table that they are in, the content."""
    try:
        folder = os.getcwd()
    except OSError:  # the working directory was deleted
        return
    above = ""
    while folder != above:
        for name, table in (("scoref.toml", ""), ("pyproject.toml", "tool.scoref")):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with suppress(OSError), open(path, "rb") as file:
                    data = file.read()
                    if table.encode() in data:
                        yield path, table, data
        folder, above = os.path.dirname(folder), folder


def _split(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The command, and the other arguments; no command where help or the version is asked for."""
    for place, word in enumerate(arguments):
        if not word.startswith("-"):
            return word, [*arguments[:place], *arguments[place + 1 :]]
        if word in ("-h", "--help", "--version"):
            break
        if word.split("=")[0] not in (*COMMON, "--"):
            from ..spelling import closest

            meant = closest(word.split("=")[0], ["--help", "--version", *COMMON])
            raise Misuse(f"scoref has no option {word} before a command",
                         f"did you mean {meant}? it was {word}" if meant else SEE)  # fmt: skip
    return None, arguments


def _json(text: str, ascii: bool) -> str:
    """The JSON with control characters escaped, or, with `ascii`, everything that is not ASCII."""
    import json
    import re

    from ..layout.grid import UNSEEN

    return re.sub("[^\n -~]" if ascii else UNSEEN, lambda found: json.dumps(found[0])[1:-1], text)


def _print(text: str) -> None:
    """Print a result; file names that are not UTF-8 are escaped as in JSON."""
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
    """Discard what standard output still has in its buffer."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(defect: Exception, debug: bool) -> None:
    """Report a defect of scoref: what it is, where, and what to add to see more."""
    import platform
    import traceback

    place = traceback.extract_tb(defect.__traceback__)[-1]
    said = f"{type(defect).__name__}: {defect}"[:200].replace("\n", " ")
    where = f"{os.sep.join(place.filename.split(os.sep)[-2:])}:{place.lineno}"
    system = f"scoref {__version__}, Python {platform.python_version()}, {platform.system()}"
    warn(f"error: this is a defect of scoref, please report it  [defect]\n  what      {said}\n  where     {where}\n"
         f"  version   {system}\n  you can   add --debug to see more")  # fmt: skip
    if debug:
        warn("".join(traceback.format_exception(defect)).rstrip("\n"))


_asked: list[int] = []  # the signals that asked this process to end


def _stop(number: int, _: object) -> None:
    _asked.append(number)
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def run() -> None:
    """The entry point of the console script."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # starting threads takes longer than most matrix products here
    gc.disable()  # garbage collection would take a quarter of this short run
    bytes(_FREED)  # never written to: when it is freed, glibc learns to use freed memory again before it asks for more
    signal.signal(signal.SIGTERM, _stop)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _stop)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what is written to files is UTF-8 everywhere
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # writing help to a full disk, for example
            code = code or 2
    if f"{__package__.partition('.')[0]}.storing" in sys.modules:  # else no file was written or unpacked
        from ..storing import remove_temporary

        remove_temporary()
    os._exit(code)  # exit at once, without freeing every object
