"""What is measured: each module has some parts, functions from `Settings` to rows, in `PARTS`.

A further part is a function whose docstring says what it measures, with its name in `PARTS` of its module; a further
module is found by being here.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from measuring import Part


def found() -> dict[str, Part]:
    """All parts by their names."""
    modules = sorted(module.name for module in iter_modules(__path__))
    return {part.__name__: part for name in modules for part in import_module(f"{__name__}.{name}").PARTS}
