"""Named tuples whose declaration costs little, for the modules that every command imports.

For type checkers they are those of `typing`, which compile every annotation that is a text, as ours are. That would
take a tenth of the time in which a command imports what it needs.

>>> class Place(NamedTuple):
...     line: int
...     column: int = 1
>>> Place(3)._replace(line=4)
Place(line=4, column=1)
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Declared(type):
        """The class of a declaration, which becomes a named tuple."""

        def __new__(cls, name, bases, given):
            types = given.pop("__annotations__", {})
            defaults = [given.pop(field) for field in types if field in given]
            made = namedtuple(name, types, defaults=defaults, module=given.pop("__module__"))
            made.__annotations__ = made.__new__.__annotations__ = types
            for each, value in given.items():
                setattr(made, each, value)
            return made

    NamedTuple = type.__new__(_Declared, "NamedTuple", (), {})
