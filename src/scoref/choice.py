"""What a choice of an evaluation is: the values it may have, its help, since when there is one.

Each stage declares its choices as the fields of a small named tuple, its part of a protocol:

    class Matching(NamedTuple):
        match: Annotated[str, Choice("which mentions count as the same", MATCHERS)] = "exact"

The name of the field is that of the choice, and its default is that of protocols. `protocol.choices` collects them all;
options, keywords, signatures, project files and `explain` are made from what is said here. Modules that declare choices
do without `from __future__ import annotations`: else every start would have to evaluate them again.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, NamedTuple, get_type_hints

from .problems import Error

Value = str | float
Version = tuple[int, ...]

# The versions that brought choices; development versions between the first two named some more in their signatures.
FIRST, BETWEEN, SECOND, NEXT = (0, 1), (0, 1, 1), (0, 2), (0, 3)
SEE = "see the choices with: scoref help score all"


class Subject(NamedTuple):
    """What of the documents a choice treats: the name of its count in `Facts`, and what is counted, in words."""

    fact: str
    what: str


class Choice(NamedTuple):
    """One dimension in which evaluations differ: one of some words, or a number in a range."""

    help: str  # what the option of the command line says
    words: Collection[str] = ()  # or a registry whose keys they are
    place: int = 1000  # in signatures; a new choice is the last
    since: Version = NEXT  # signatures of versions before do not name it
    before: Value | None = None  # what it was in signatures of 0.1, if not the default
    range: tuple[float, float] | None = None  # from where to where a number may be; integers mean whole numbers
    other: str = ""  # what it may name beside its words
    pattern: str = r"[\w.-]+"  # what such a name looks like
    from_file: bool = False  # such names are listed in a file, which the option names
    found: bool = False  # said by the files, or by how they are read: there is no option and no keyword
    fixed: bool = False  # the same for all settings that `explain` compares
    subject: Subject | None = None  # without which the choice changes nothing
    concerns: str = ""  # the only scores that it may change
    name: str = ""  # this and the rest come from the declaration
    part: str = ""
    default: Value = ""

    def check(self, value: object) -> None:
        """Refuse what the choice cannot be, whatever its type."""
        if self.range is not None:
            least, most = self.range
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
                expected = f"a number from {least:g} to {most:g}"
                raise Error("unknown-choice", f"{self.name} is {value}", expected=expected, remedy=SEE)
        elif not isinstance(value, str) or not (value in self.words or self._names(value)):
            expected = f"one of {', '.join([*self.words, *([self.other] if self.other else [])])}"
            raise Error("unknown-choice", f"no {self.name} '{value}'", expected=expected, remedy=SEE)

    def _names(self, value: str) -> bool:
        """Whether it is a name that the choice takes beside its words."""
        return bool(self.other and re.fullmatch(self.pattern, value))


def declared(name: str, part: Any) -> list[Choice]:
    """The choices that a part, a named tuple, declares by its fields."""
    hints = get_type_hints(part, include_extras=True)
    return [
        hints[field].__metadata__[0]._replace(name=field, part=name, default=default)
        for field, default in part._field_defaults.items()
    ]
