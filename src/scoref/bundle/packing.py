"""Packs files into zip files that are the same for the same content, and scoref itself into a wheel."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from functools import cache
from importlib import metadata

from .. import __version__
from ..formats.files import walk
from ..problems import Error

Files = Mapping[str, bytes]

MADE = b"scoref-bundle"  # the comment of zip files that scoref made
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that zip files can have
_NEEDED = ("numpy>=1.26", "lapx>=0.9")  # where scoref runs without being installed
_ABOUT = f"scoref-{__version__}.dist-info"
WHEEL = f"scoref-{__version__}-py3-none-any.whl"


def zipped(files: Files) -> bytes:
    """A zip file with these files; what is packed already is stored as it is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.comment = MADE
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".zip", ".whl", ".gz")) else zipfile.ZIP_DEFLATED
            packed.writestr(info, files[name])
    return out.getvalue()


def contents(path: str, below: str = "") -> dict[str, bytes]:
    """The content of a file by its name, or of all files of a folder by their names in it, in the folder `below`."""
    try:
        if os.path.isdir(path):
            return {f"{below}{name}": _content(file) for name, file in walk(path)}
        return {f"{below}{os.path.basename(path)}": _content(path)}
    except OSError as reason:
        raise Error("unreadable-file", f"cannot read it: {reason.strerror}", path=path, remedy="check it") from None


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@cache
def wheel() -> bytes:
    """The scoref that runs, as a wheel, made from its installed files: no tool that builds packages is needed."""
    package = os.path.dirname(os.path.dirname(__file__))
    files = {name: data for name, data in contents(package, "scoref/").items() if "__pycache__" not in name}
    lines = ["Metadata-Version: 2.1", "Name: scoref", f"Version: {__version__}", "License: MIT",
             "Summary: Scores coreference, anaphora and event nuggets", "Requires-Python: >=3.11"]  # fmt: skip
    files[f"{_ABOUT}/METADATA"] = _text([*lines, *(f"Requires-Dist: {each}" for each in needed())])
    tags = ["Wheel-Version: 1.0", "Generator: scoref", "Root-Is-Purelib: true", "Tag: py3-none-any"]
    files[f"{_ABOUT}/WHEEL"] = _text(tags)
    files[f"{_ABOUT}/entry_points.txt"] = _text(["[console_scripts]", "scoref = scoref.__main__:run"])
    listed = [*(_recorded(name, files[name]) for name in sorted(files)), f"{_ABOUT}/RECORD,,"]
    return zipped({**files, f"{_ABOUT}/RECORD": _text(listed)})


def needed() -> list[str]:
    """The packages that scoref cannot do without, with their least versions."""
    try:
        found = metadata.requires("scoref")
    except metadata.PackageNotFoundError:
        found = None
    return [each for each in found if "extra ==" not in each] if found else [*_NEEDED]


def _text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _recorded(name: str, data: bytes) -> str:
    from base64 import urlsafe_b64encode
    from hashlib import sha256

    digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"
