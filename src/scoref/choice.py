"""What a choice of an evaluation is: the values it may have, its help text, the version that introduced it.

Each stage declares its choices as the fields of a small named tuple, its part of a protocol:

    class Matching(NamedTuple):
        match: Annotated[str, Choice("which mentions count as the same", MATCHERS)] = "exact"

The field gives the choice its name and its default. `protocol.choices` collects all choices; options, keywords,
signatures, project files and `explain` are made from these declarations. Modules that declare choices do without
`from __future__ import annotations`: evaluating annotations that are strings would slow down every start.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, get_type_hints

from .problems import Error
from .values import NamedTuple

Value = str | float
Version = tuple[int, ...]

# Versions that introduced choices. BETWEEN: development versions after 0.1, whose signatures name a few more.
FIRST, BETWEEN, SECOND, NEXT = (0, 1), (0, 1, 1), (0, 2), (0, 3)
SEE = "see the choices with: scoref help score all"


class Subject(NamedTuple):
    """What documents must have for a choice to matter: its field in `Facts`, and what that counts, in words."""

    fact: str
    what: str


class Choice(NamedTuple):
    """One setting of an evaluation: its value is one of some words, or a number in a range."""

    help: str  # the help text of the command-line option
    words: Collection[str] = ()  # or a registry whose keys they are
    place: int = 1000  # its place in signatures; new choices come last
    since: Version = NEXT  # the version that introduced it; older signatures do not name it
    before: Value | None = None  # the value that signatures of 0.1 imply, if not the default
    range: tuple[float, float] | None = None  # the least and the greatest number; integers mean whole numbers
    other: str = ""  # what else the value may be, described for messages
    pattern: str = r"[\w.-]+"  # what such another value looks like
    from_file: bool = False  # the option names a file that lists such values
    found: bool = False  # follows from the files or how they are read: no option, no keyword
    fixed: bool = False  # `explain` does not vary it
    subject: Subject | None = None  # without it in the documents, the choice changes nothing
    concerns: str = ""  # the only scores that it can change
    needs: Mapping[str, tuple[Subject, ...]] = {}  # what documents must have for a word, one of these; else nothing
    name: str = ""  # this and the rest come from the declaration
    spelled: str = ""  # as it is written in signatures and options: `window-rule` for `window_rule`
    part: str = ""
    default: Value = ""

    def check(self, value: object) -> None:
        """Raise an Error if the choice cannot have this value."""
        if self.range is not None:
            least, most = self.range
            whole = isinstance(least, int)
            known = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
            if not known or (whole and value % 1):  # type: ignore[operator]  # a known value is a number
                expected = f"a {'whole ' * whole}number from {least:g} to {most:g}"
                raise Error("unknown-choice", f"{self.spelled} is {value}", expected=expected, remedy=SEE)
        elif not isinstance(value, str) or not (value in self.words or self._names(value)):
            expected = f"one of {', '.join([*self.words, *([self.other] if self.other else [])])}"
            raise Error("unknown-choice", f"no {self.spelled} '{value}'", expected=expected, remedy=SEE)

    def _names(self, value: str) -> bool:
        """Whether the value is none of the words, but allowed by `other`."""
        return bool(self.other and re.fullmatch(self.pattern, value))


def declared(name: str, part: Any) -> list[Choice]:
    """The choices that a named tuple, one part of a protocol, declares in its fields."""
    hints = get_type_hints(part, include_extras=True)
    return [
        hints[field].__metadata__[0]._replace(name=field, spelled=field.replace("_", "-"), part=name, default=default)
        for field, default in part._field_defaults.items()
    ]
