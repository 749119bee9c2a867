"""Which files are read and written, by the names that are given."""

from __future__ import annotations

from pathlib import Path

from ..exceptions import Error, Problems
from ..formats import FORMATS, Format, Source, brat, by_suffix, checked, detect, files, load
from ..formats.files import walk
from ..model import Document


def one_file(out: str) -> Format | None:
    """The format of the one file that a folder is to be written to, if that is the name of such a file."""
    name = out.removesuffix(".gz")
    whole = [each for each in FORMATS.values() if not each.single]
    fitting = [each for each in whole if name.endswith(each.suffix)]
    fitting = fitting or [each for each in whole if name.endswith(each.endings)]
    return fitting[0] if len(fitting) == 1 else None


def refuse_repeated(documents: list[Document]) -> None:
    """Refuse documents with the same name, which one file cannot hold."""
    sources: dict[str, str | None] = {}
    for document in documents:
        if document.id in sources:
            raise Error("repeated-document", f"document {document.id} for the second time", path=document.source,
                        expected=f"another name than in {sources[document.id]}",
                        remedy="write to a folder: --to NAME")  # fmt: skip
        sources[document.id] = document.source


def parts(path: Path, documents: list[Document], to: Format) -> dict[Path, list[Document]]:
    """The documents of each file to write: all in one, or one in each if the format has one document a file."""
    named = str(path).removesuffix(".gz").endswith(to.suffix) or not to.by_file
    if not to.single or str(path) == "-" or (len(documents) == 1 and named):
        return {path: documents}
    names = [_file_name(each.id) for each in documents]
    if not to.by_file or len(set(names)) < len(names):
        names = [f"{number:04}-{name}" for number, name in enumerate(names)]
    return {path / (name + to.suffix): [each] for name, each in zip(names, documents, strict=True)}


def goal(out: str, name: str, format: Format | None) -> tuple[Path, Format]:
    """The file to write for a file of that name in the input folder ('' if the input is one file), and its format."""
    if name and out == "-":
        raise Error("no-folder", "a folder cannot be written to standard output", remedy="name a folder to write to")
    if format is None and (name or out == "-"):
        what = "a folder" if name else "standard output"
        raise Error("no-format", f"{what} has no ending that names a format", remedy="name the format: --to NAME")
    if format is None:
        return Path(out), by_suffix(out)
    return Path(out, name + format.suffix) if name else Path(out), format


def _file_name(id: str) -> str:
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in id)[:100].strip(".") or "document"
    )


def format_of(path: str) -> Format:
    """The format of a file, or of the first file of a folder."""
    if path == "-":
        raise Error("no-format", "the format of standard input is not known any more", remedy="name it: --format NAME")
    file = next(iter(files(path).values()))
    return detect(checked(Source(load(file), str(file)), Problems("skip")))


def texts_in(paths: list[str]) -> dict[str, Path]:
    """The texts by their names without endings; those of folders, by names relative to the folder."""
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        if str(path) == "-":
            raise Error("no-name", "standard input has no name for its table", remedy="name a file")
        there = {path.name: path}
        if path.is_dir():
            there = {name: file for name, file in walk(path) if name.endswith(".txt")}
        if not there:
            raise Error("empty-folder", "the folder has no texts", path=str(path), expected="files that end in .txt",
                        remedy="check the name of the folder")  # fmt: skip
        for relative, file in there.items():
            name = relative.removesuffix(".gz").rsplit(".", 1)[0]
            if name in found:
                raise Error("repeated-file", f"two texts with the name {name}", path=str(file),
                            expected=f"another name than {found[name]}", remedy="rename one of them")  # fmt: skip
            found[name] = file
    return found


def annotated(name: str, text: str, folder: str) -> list[tuple[int, int]]:
    """The places that the brat annotation of a text marks, from a folder of annotations."""
    path = Path(folder, f"{name}.ann")
    if not path.is_file():
        raise Error("missing-annotation", f"no annotation for the text {name}", path=str(path),
                    expected="a brat file, perhaps empty", remedy="add it, or leave --annotations out")  # fmt: skip
    source, problems = Source(load(path), str(path)), Problems()
    return brat.annotated(checked(source, problems), text, problems) if source.data.strip() else []
