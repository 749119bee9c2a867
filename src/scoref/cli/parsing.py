"""Parses the arguments of a command: options in groups; errors that say what is wrong and what was probably meant."""

from __future__ import annotations

import argparse
import re
import textwrap
from typing import Any, NoReturn

from ..layout.render import OUTPUTS
from ..spelling import closest
from .messages import Misuse

EVERYDAY, INPUT, COUNTS, STATISTICS, OUTPUT, OTHER = GROUPS = (
    "everyday options", "input", "what counts", "statistics", "output", "other",
)  # fmt: skip

EVERYTHING = "all"  # the topic of help that shows all options
vars(argparse)["_"] = str  # its messages stay English, as ours are: looking for translations takes a tenth of the start
_MOST = 30  # with more options, help shows only the everyday ones in full

WRITTEN = (
    "save",
    "out",
    "plot",
    "repaired",
    "folder",
    "output_path",
    "json_file",
    "reports",
)  # options that name files to write

# Names that other scorers have for our options.
ELSEWHERE = {
    "remove-singletons": "--singletons drop", "keep-singletons": "--singletons keep", "np-only": "--mentions np",
    "remove-nested": "--nested drop", "min-spans": "--match min", "partial-match": "--match partial",
    "head-match": "--match head", "exact-match": "--match exact", "zero-match-method": "--zeros dependent",
    "keep-zeros": "--zeros linear", "remove-zeros": "--zeros drop", "keep-split-antecedents": "--split credit",
    "evaluate-discourse-deixis": "--layer deixis", "metric": "--metrics", "bootstrap": "--ci", "confidence": "--ci",
    "gold": "KEY RESPONSE", "pred": "KEY RESPONSE", "key": "KEY RESPONSE", "response": "KEY RESPONSE",
    "overwrite": "--force", "processes": "--jobs", "workers": "--jobs", "per-document": "--by document",
    "no-singletons": "--singletons drop", "drop-singletons": "--singletons drop", "no-zeros": "--zeros drop",
    "drop-zeros": "--zeros drop", "no-nested": "--nested drop", "drop-nested": "--nested drop",
    "micro": "--average micro", "macro": "--average macro", "latex": "--output latex", "tex": "--output latex",
    "csv": "--output csv", "markdown": "--output markdown", "md": "--output markdown", "text": "--output text",
}  # fmt: skip


class Unfit(argparse.ArgumentTypeError):
    """An invalid value of an option: the value as it `was`, the likely `meant` one, a command to `see` valid ones."""

    def __init__(
        self, what: str, was: str = "", meant: str | None = None, *, code: str = "bad-usage", see: str | None = None
    ) -> None:
        super().__init__(what)
        self.what, self.was, self.meant, self.code, self.see = what, was, meant, code, see


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal, without line breaks at hyphens in names."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=0)  # the width is asked for later: argparse makes many formatters

    def format_help(self) -> str:
        """The text."""
        found = argparse.HelpFormatter(self._prog)
        self._width, self._max_help_position = found._width, found._max_help_position
        return super().format_help()

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class CommandParser(argparse.ArgumentParser):
    """The arguments of one command; `groups` are the groups of its options, in the order in which help shows them."""

    def __init__(self, prog: str, description: str | None = None, **_: object) -> None:
        super().__init__(prog, description=description, formatter_class=_Formatter, add_help=False)
        self._positionals.title = "arguments"
        self.groups = {title: self.add_argument_group(title) for title in GROUPS}
        self._shape = ""
        self.add_to(OTHER, "-h", "--help", action="help", help="show this")

    def add_to(self, group: str, *names: str, **how: Any) -> None:
        """Declare an option of a group."""
        self.groups[group].add_argument(*names, **how)

    def given(self, arguments: list[str]) -> argparse.Namespace:
        """The parsed arguments, without defaults; options and files may come in any order."""
        if "-h" in arguments or "--help" in arguments:  # before argparse puts positional arguments aside
            self.print_help()
            self.exit()
        options = [action for action in self._actions if action.option_strings]
        defaults = [(action, action.default) for action in options]
        self._shape = self.shape()  # taken before argparse changes the arguments for its own use
        self.usage = self._shape.replace("%", "%%")  # otherwise argparse would list all options
        try:
            for action in options:
                action.default = argparse.SUPPRESS
            found, rest = self.parse_known_intermixed_args(arguments)
        finally:
            for action, default in defaults:
                action.default = default
        if rest:
            raise self.too_much(rest[0], found)
        return found

    def options(self, arguments: list[str]) -> argparse.Namespace:
        """The parsed arguments, with defaults for what they leave out."""
        return argparse.Namespace(**self.defaults() | vars(self.given(arguments)))

    def defaults(self) -> dict[str, object]:
        """The default values of all options."""
        known = {action.dest: action.default for action in reversed(self._actions) if action.option_strings}
        return {name: value for name, value in known.items() if value is not argparse.SUPPRESS} | self._defaults

    def option(self, dest: str) -> argparse.Action | None:
        """The option that sets a value of that name."""
        return next((each for each in self._actions if each.option_strings and each.dest == dest), None)

    def value(self, action: argparse.Action, text: str) -> object:
        """The value of an option, checked; else `Misuse`."""
        value = self._get_value(action, text)
        self._check_value(action, value)
        return value

    def too_much(self, word: str, found: argparse.Namespace) -> Misuse:
        """The error for a word that is not understood."""
        if word.startswith("-") and word != "-":
            return self._no_option(word.split("=")[0])
        if "metrics" in found:
            from ..protocol.metric_names import closest_metric

            if meant := closest_metric(word):
                return Misuse(f"no metric '{word}'", f"did you mean --metrics {meant}? it was {word}", "unknown-metric")
        return Misuse(f"one argument too many: {word}", f"expected: {self.shape()}")

    def _no_option(self, option: str) -> Misuse:
        known = [each for each in self._option_string_actions if each.startswith("--")]
        meant = ELSEWHERE.get(_plain(option))
        if not meant or (meant.startswith("--") and meant.split()[0] not in known):
            meant = closest(option, known)
        hint = f"did you mean {meant}? it was {option}" if meant else f"see: {self.prog} --help"
        return Misuse(f"{self.prog} has no option {option}", hint)

    def shape(self) -> str:
        """The usage in one line."""
        names = []
        for action in self._get_positional_actions():
            name = str(action.metavar or f"{{{','.join(action.choices or ())}}}")
            names.append({"?": f"[{name}]", "+": f"{name}...", "*": f"[{name}...]"}.get(str(action.nargs), name))
        needed = [f"{each.option_strings[0]} {each.metavar}" for each in self._get_optional_actions() if each.required]
        return " ".join([self.prog, *names, *needed, "[options]"])

    def format_help(self, topic: str = "") -> str:
        """The help: arguments and everyday options; other options, if there are many, only by name under their topics.

        With a topic, the options of that topic; with `all`, the options of all topics.
        """
        self.usage = self.shape().replace("%", "%%")
        if topic == EVERYTHING or (not topic and len(self._get_optional_actions()) <= _MOST):
            return super().format_help()
        wanted = [self._topic(topic)] if topic else [self._positionals, self.groups[EVERYDAY]]
        made = self._get_formatter()
        made.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        made.add_text(None if topic else self.description)
        for group in wanted:
            made.start_section(group.title)
            made.add_text(group.description)
            made.add_arguments(group._group_actions)
            made.end_section()
        return made.format_help() if topic else f"{made.format_help()}\n{self._further()}"

    def _topic(self, words: str) -> argparse._ArgumentGroup:
        """The group of options whose title is, or ends in, these words."""
        there = [group for group in self.groups.values() if group._group_actions]
        for group in there:
            if str(group.title).endswith(words.casefold()):
                return group
        known = [str(group.title) for group in there]
        meant = closest(words, known)
        hint = f"did you mean {meant}? it was {words}" if meant else f"it takes {', '.join([*known, EVERYTHING])}"
        raise Misuse(f"{self.prog} has no topic '{words}'", hint)

    def _further(self) -> str:
        """The names of the less common options, by topic, and how to see their help."""
        command = self.prog.split()[-1]
        lines = [f"further options, by topic (scoref help {command} TOPIC, or all):"]
        for title, group in self.groups.items():
            names = " ".join(each.option_strings[-1] for each in group._group_actions if each.help != argparse.SUPPRESS)
            if title != EVERYDAY and names:
                lines += textwrap.wrap(names, 80, initial_indent=f"  {title:<12} ", subsequent_indent=" " * 15,
                                       break_on_hyphens=False)  # fmt: skip
        return "\n".join([*lines, ""])

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        """The value; words from a fixed list may be in upper or lower case."""
        if action.choices is not None and arg_string not in action.choices:
            words = {str(each).casefold(): each for each in action.choices}
            return words.get(arg_string.casefold(), arg_string)
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            raise self._misuse(action, error, arg_string) from None

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(each) for each in action.choices]
            unfit = Unfit(f"{self._named(action)} has no '{value}'", str(value), closest(str(value), known))
            output = self.option("output")
            if output and action.dest == "format" and value in (output.choices or ()):  # an output format
                longer = [f"{self._named(action)} {word}, or " for word in known if word.startswith(str(value))]
                hint = f"did you mean {''.join(longer)}--output {value}? it was {value}"
                raise Misuse(unfit.what, hint, unfit.code)
            raise self._misuse(action, unfit, str(value))

    def _misuse(self, action: argparse.Action, reason: Exception, value: str) -> Misuse:
        unfit = reason if isinstance(reason, Unfit) else reason.__context__
        name = self._named(action)
        if not isinstance(unfit, Unfit):
            return Misuse(f"{name} cannot be '{value}'", f"see: {self.prog} --help")
        if unfit.meant:
            return Misuse(unfit.what, f"did you mean {name} {unfit.meant}? it was {unfit.was}", unfit.code)
        if action.choices:
            return Misuse(unfit.what, f"it takes {', '.join(map(str, action.choices))}", unfit.code)
        return Misuse(f"{name}: {unfit.what}", f"see: {unfit.see or f'{self.prog} --help'}", unfit.code)

    def _named(self, action: argparse.Action) -> str:
        """How messages name an option or a positional argument."""
        return action.option_strings[-1] if action.option_strings else self.prog

    def error(self, message: str) -> NoReturn:
        """Raise `Misuse` with what is wrong in one line, and the usage."""
        hint = f"expected: {self._shape}"
        if found := re.fullmatch(r"argument (\S+): expected (?:at least )?one argument", message):
            option = found[1].split("/")[-1]
            action = self._option_string_actions.get(option)
            words = "|".join(map(str, (action and action.choices) or ())) or str((action and action.metavar) or "VALUE")
            raise Misuse(f"{option} needs a value", f"write {option} {words}")
        if found := re.fullmatch(r"the following arguments are required: (.*)", message):
            raise Misuse(f"no {found[1].split('/')[-1]} given", hint)
        found = re.match(r"ambiguous option: ([^\s=]+)", message)
        if found and _plain(found[1]) in ELSEWHERE:  # ambiguous here, but an exact option of another scorer
            raise self._no_option(found[1])
        raise Misuse(message, f"see: {self.prog} --help")


def _plain(option: str) -> str:
    """An option without its leading hyphens, in a normalised spelling."""
    return option.lstrip("-").replace("_", "-").lower()


def add_output(command: CommandParser, outputs: tuple[str, ...] = OUTPUTS, verbose: bool = True) -> None:
    """The options on what is printed."""
    command.add_to(EVERYDAY, "--output", choices=outputs, default="text", help="what is printed (default: text)")
    if verbose:
        command.add_to(OUTPUT, "--verbose", action="store_true", help="the whole signature, with every choice")
    short = "short for --output json"
    command.add_to(OUTPUT, "--json", action="store_const", const="json", dest="output", help=short)
    command.add_to(OUTPUT, "--ascii", action="store_true", help="JSON: escapes for all that is not ASCII")
