"""Which files are read and written, by the names that are given."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from ..document.document import Document
from ..document.grouping import comments
from ..formats import FORMATS, Format, Source, by_suffix, checked, detect, files, load
from ..formats.brat.read import annotated as brat_document
from ..formats.ecb import told_by_name
from ..formats.files import walk
from ..pairing.names import plain, readings
from ..problems import Error, Problems

_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[1-9¹²³])\s*(\.|$)", re.IGNORECASE)  # of Windows, with any ending
_LONGEST = 200  # bytes of the name of a file, without its ending


def one_file(out: str) -> Format | None:
    """The format of `out`, if it names a single file that a whole folder can be converted to; else None."""
    name = out.removesuffix(".gz")
    whole = [each for each in FORMATS.values() if not each.single and "read-only" not in each.traits]
    fitting = [each for each in whole if name.endswith(each.suffix)]
    fitting = fitting or [each for each in whole if name.endswith(each.suffixes)]
    return fitting[0] if len(fitting) == 1 else None


def with_name(documents: list[Document], name: str) -> list[Document]:
    """The documents of a file in a folder; a single document without a name gets that of the file."""
    return [replace(document, id=document.id or name) for document in documents] if len(documents) == 1 else documents


def parts(path: str, documents: list[Document], to: Format) -> dict[str, list[Document]]:
    """The documents for each file to write: all in one, or one in each if the format has one document per file."""
    by_file = "named by file" in to.traits
    named = path.removesuffix(".gz").endswith(to.suffix) or "may be empty" not in to.traits  # else `path` is a folder
    if not to.single or path == "-" or (len(documents) == 1 and named):
        return {path: documents}
    topics = "folders of topics" in to.traits
    names = [_file_name(each.id.removesuffix(to.suffix if topics else ""), by_file) for each in documents]
    if topics:
        names = [os.path.join(*map(_letters, _topic(each)), name) for name, each in zip(names, documents, strict=True)]
    if not (by_file or topics) or len({*map(_folded, names)}) < len(names):
        names = [f"{number:04}-{name.replace('/', '_')}" for number, name in enumerate(names)]
    return {os.path.join(path, name + to.suffix): [each] for name, each in zip(names, documents, strict=True)}


def _folded(name: str) -> str:
    """The name as seen by file systems that ignore case and Unicode normalisation: equal results would collide."""
    return unicodedata.normalize("NFC", name.casefold())


def renamed(out: str, written: Mapping[str, str]) -> str | None:
    """A note on documents whose names changed, because the format takes them from the file names; None if none did."""
    names = {os.path.relpath(file, out).replace(os.sep, "/"): id for file, id in written.items()}
    changed = [(old, new) for new, old in names.items() if old != new]
    if not changed:
        return None
    number = f"{len(changed)} documents have" if len(changed) > 1 else "1 document has"
    return f"{number} another name, that of the file: {changed[0][0] or 'no name'} is {changed[0][1]}"


def goal(out: str, name: str, format: Format | None) -> tuple[str, Format]:
    """The file to write for a file of that name in the input folder ('' if the input is one file), and its format."""
    if name and out == "-":
        raise Error("no-folder", "a folder cannot be written to standard output", remedy="name a folder to write to")
    if format is None and (name or out == "-"):
        what = "a folder" if name else "standard output"
        raise Error("no-format", f"{what} has no ending that names a format", remedy="name the format: --to NAME")
    if format is None:
        return out, by_suffix(out)
    return os.path.join(out, name + format.suffix) if name else out, format


def _topic(document: Document) -> list[str]:
    """The folders of a document, after its topic; none if it has no topic."""
    said = told_by_name(document.id) | comments(document)
    return [folder for folder in said.get("topic", "").split("/") if folder]


def _letters(name: str) -> str:
    """A name of letters and digits, with _ for anything else."""
    return _plain("".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name))


def _file_name(id: str, nested: bool) -> str:
    """A file name for a document; with `nested`, `tales/bakery` becomes a file in a folder.

    Part 3 of a text, as in CoNLL-2012, becomes `text_3`, its name in JSON lines.
    """
    if not nested:
        return _letters(id)
    (text, part), *others = readings(id)
    name = id if others or text == plain(id).strip() else f"{text}_{part}"
    return "/".join(_plain("".join(map(_allowed, folder))) for folder in name.split("/"))


def _allowed(letter: str) -> str:
    return letter if letter.isprintable() and letter not in '<>:"\\|?*' else "_"


def _plain(name: str) -> str:
    """A name that is safe on any file system: not too long, not hidden, no Windows device, no `..`."""
    short = name.encode()[:_LONGEST].decode(errors="ignore").strip(". ") or "document"
    return f"_{short}" if _DEVICE.match(short) else short


def format_of(path: str, marks: str | None = None) -> Format:
    """The format of a file, or of the first file of a folder; `marks` is the style of those in running text."""
    if path == "-":
        raise Error("no-format", "the format of standard input is not known any more", remedy="name it: --format NAME")
    file = next(iter(files(path).values()))
    return detect(checked(Source(load(file), file, marks=marks), Problems("skip")))


def texts_in(paths: list[str]) -> dict[str, str]:
    """The texts by their names without endings; those of folders, by names relative to the folder."""
    found: dict[str, str] = {}
    for path in paths:
        if path == "-":
            raise Error("no-name", "standard input has no name for its table", remedy="name a file")
        there = {os.path.basename(path): path}
        if os.path.isdir(path):
            there = {name: file for name, file in walk(path) if name.endswith(".txt")}
        if not there:
            expected, remedy = "files that end in .txt", "check the name of the folder"
            raise Error("empty-folder", "the folder has no texts", path=path, expected=expected, remedy=remedy)
        for relative, file in there.items():
            name = relative.removesuffix(".gz").rsplit(".", 1)[0]
            if name in found:
                message, expected = f"two texts with the name {name}", f"another name than {found[name]}"
                raise Error("repeated-file", message, path=file, expected=expected, remedy="rename one of them")
            found[name] = file
    return found


def annotated(name: str, text: str, folder: str) -> list[tuple[int, int]]:
    """The spans that the brat annotation of a text marks, from a folder of annotations."""
    path = os.path.join(folder, f"{name}.ann")
    if not os.path.isfile(path):
        message, expected = f"no annotation for the text {name}", "a brat file, perhaps empty"
        remedy = "add it, or leave --annotations out"
        raise Error("missing-annotation", message, path=path, expected=expected, remedy=remedy)
    source, problems = Source(load(path), path), Problems()
    return brat_document(checked(source, problems), text, problems) if source.data.strip() else []
