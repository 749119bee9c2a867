"""Files to documents and back.

In: paths of files and folders. Out: `Document` values and the problems found, or files written from documents.
Start with `source.py` (what a reader is given) and `format.py`, then `clusters.py` as an example of a format.

A format is one module or package with functions `read` and `write`, and an entry of `known.py` that says what it can
hold. A reader filters nothing: the protocol says what is dropped, matched or counted.
"""

from .files import (
    FOUND_ENDS,
    ONE_SIDED,
    SIDED,
    Hows,
    dumps,
    files,
    listed,
    named_by_file,
    of_folder,
    read,
    read_source,
    refuse_repeated,
    rendered,
    save,
    save_all,
    write,
)
from .format import Format
from .known import FORMATS, by_suffix, detect, looks_like, named
from .source import ENDS, MOST, PREDICTIONS, SIDES, SKIP, How, Source, checked, load, load_text

__all__ = [
    "ENDS",
    "FORMATS",
    "FOUND_ENDS",
    "MOST",
    "ONE_SIDED",
    "PREDICTIONS",
    "SIDED",
    "SIDES",
    "SKIP",
    "Format",
    "How",
    "Hows",
    "Source",
    "by_suffix",
    "checked",
    "detect",
    "dumps",
    "files",
    "listed",
    "load",
    "load_text",
    "looks_like",
    "named",
    "named_by_file",
    "of_folder",
    "read",
    "read_source",
    "refuse_repeated",
    "rendered",
    "save",
    "save_all",
    "write",
]
