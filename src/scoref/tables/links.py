"""Names under which every library finds a file of a table: what looks like a pattern or an address gets a link."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable

from ..problems import Error

_PLAIN = re.compile(r"[\w ./=+,@-]*")


class Folder:
    """A temporary folder that is removed with this object."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="scoref-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        if not _is_plain(self.path):
            raise Error("unreadable-folder", "libraries that read tables would take the name for a pattern",
                        path=self.path, remedy="set TMPDIR to a folder with a plain name")  # fmt: skip


def plain_names(files: Iterable[str], kind: str) -> tuple[dict[str, str], Folder | None]:
    """Each file under a name that every library understands, and the folder to keep for as long as these are used.

    DuckDB, Arrow and Spark take `run[2].csv` for a pattern and `s3://run.csv` for an address, and fail where a name is
    not UTF-8. A file with such a name is read through a link.
    """
    names, folder = {}, None
    for number, file in enumerate(files):
        path = os.path.join(os.getcwd(), file)
        if not _is_plain(path):
            folder = folder or Folder()
            link = os.path.join(folder.path, f"{number}.{kind}{'.gz' * file.endswith('.gz')}")
            _link(path, link)
            path = link
        names[path] = file
    return names, folder


def _is_plain(path: str) -> bool:
    return _PLAIN.fullmatch(os.path.splitdrive(path)[1].replace(os.sep, "/")) is not None


def _link(path: str, link: str) -> None:
    try:
        os.symlink(path, link)
    except OSError:  # on Windows not everybody may make links
        shutil.copyfile(path, link)
