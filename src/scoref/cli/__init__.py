"""The command line; the only package that prints and that has exit codes.

In: arguments. Out: text on standard output, errors on standard error, an exit code.
Start with `program.py`; each command is a module of `commands/`.
"""

from .program import main, run

__all__ = ["main", "run"]
