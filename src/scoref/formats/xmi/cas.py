"""A CAS of UIMA: its text and its feature structures, from XMI or from JSON 0.4; and the types that are declared.

Offsets count units of UTF-16 in files, and characters here.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from ...problems import Error, Reporter
from ..elements import parsed
from ..jsonl.shapes import Record, loads
from ..source import Source, load

_SOFA = "uima.cas.Sofa"
_ARRAYS = ("uima.cas.FSArray", "uima.cas.FSList")
BESIDE = ("TypeSystem.xml", ".typesystem.xml")  # endings of files that declare types
_STRUCTURES, _TYPES = "%FEATURE_STRUCTURES", "%TYPES"


class Structure(NamedTuple):
    """A feature structure: its id, its type with all packages, its features, its line if that is known."""

    id: str
    type: str
    features: Mapping[str, str]
    line: int | None = None

    def shown(self) -> str:
        """How messages name it."""
        return f"{self.type.rpartition('.')[2]} {self.id}"


class Cas:
    """The text of a CAS, and its structures by their ids: those of that text, and those without a place."""

    def __init__(self, structures: list[Structure], report: Reporter) -> None:
        sofas = [each for each in structures if each.type == _SOFA and "sofaString" in each.features]
        if not sofas:
            raise report.of(None).error("no-text", "a CAS without a text", 1, None, "a Sofa with a sofaString")
        sofa = next((each for each in sofas if each.features.get("sofaID") == "_InitialView"), sofas[0])
        self.text = sofa.features["sofaString"]
        here = (sofa.id, None)
        self.structures = {each.id: each for each in structures if each.features.get("sofa") in here}
        self._report = report
        others = len(structures) - len(self.structures)
        if others and len(sofas) > 1:
            view = sofa.features.get("sofaID")
            message = f"{others} annotations of other views than {view} are not read"
            report("other-view", message, sofa.line, view, "annotations of one view", fatal=False)

    @cached_property
    def _ends(self) -> list[int]:
        """Where each character ends, in units of UTF-16."""
        return [*accumulate(2 if letter > "\uffff" else 1 for letter in self.text)]

    def place(self, structure: Structure) -> tuple[int, int] | None:
        """The first character of an annotation and the one behind its last; None, after a report, without any."""
        said = [structure.features.get(name, "") for name in ("begin", "end")]
        if all(re.fullmatch(r"[0-9]{1,9}", each) for each in said):
            begin, end = map(int, said)
            if begin < end <= (self._ends or [0])[-1]:
                return bisect_left(self._ends, begin + 1), bisect_left(self._ends, end) + 1
        message, expected = "an annotation that is no stretch of the text", f"0 ≤ begin < end ≤ {len(self.text)}"
        self._report("bad-span", message, structure.line, f"{structure.shown()} {' '.join(said)}", expected)
        return None

    def of(self, structure: Structure, feature: str) -> Structure | None:
        """The structure that a feature refers to."""
        return self.structures.get(structure.features.get(feature, ""))

    def list_of(self, structure: Structure, feature: str) -> list[Structure]:
        """The structures that a feature lists, directly or as an array of its own."""
        listed = structure.features.get(feature, "").split()
        array = self.structures.get(listed[0]) if len(listed) == 1 else None
        if array is not None and array.type in _ARRAYS:
            listed = array.features.get("elements", "").split()
        return [self.structures[id] for id in listed if id in self.structures]


def structures_of(source: Source, report: Reporter) -> list[Structure]:
    """The feature structures of a file."""
    found = [*(_from_json if source.data.lstrip()[:1] == b"{" else _from_xml)(source, report)]
    known: set[str] = set()
    for each in found:
        if each.id in known:
            message, expected = "a feature structure with the id of another", "an id of its own for each"
            raise report.of(None).error("repeated-id", message, each.line, each.shown(), expected)
        known.add(each.id)
    return found


def _from_xml(source: Source, report: Reporter) -> Iterator[Structure]:
    root = parsed(source)
    if root.tag.rpartition(":")[2] != "XMI":
        remedy = "name another format with --format"
        raise report.of(None).error("bad-xml", f"the root is {root.tag}", 1, None, "<xmi:XMI ...>", remedy=remedy)
    packages = {name.partition(":")[2]: _package(uri) for name, uri in root.attrib.items() if name.startswith("xmlns")}
    for number, element in enumerate(root):
        prefix, _, local = element.tag.rpartition(":")
        features = {name: value for name, value in element.attrib.items() if name not in ("xmi:id", ":line")}
        for child in element:
            features[child.tag] = f"{features.get(child.tag, '')} {child.text or ''}".strip()
        line = int(element.attrib[":line"])
        id = element.get("xmi:id", f"line {line}, number {number}")
        yield Structure(id, f"{packages.get(prefix, prefix)}.{local}".lstrip("."), features, line)


def _package(uri: str) -> str:
    """The package of a namespace, `http:///uima/cas.ecore`."""
    name = uri.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return "" if name == "uima.noNamespace" else name


def _from_json(source: Source, report: Reporter) -> Iterator[Structure]:
    listed = _record(source, report).get(_STRUCTURES)
    if isinstance(listed, dict):
        listed = [{"%ID": id, **each} if isinstance(each, dict) else each for id, each in listed.items()]
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        expected = f'"{_STRUCTURES}": [{{"%ID": 1, "%TYPE": ...}}, ...]'
        raise report.of(None).error("bad-json", "a CAS without feature structures", 1, None, expected)
    for number, each in enumerate(listed):
        features = {name.removeprefix("@"): _said(value) for name, value in each.items() if value is not None}
        features["elements"] = features.pop("%ELEMENTS", features.get("elements", ""))
        yield Structure(features.pop("%ID", f"number {number}"), features.pop("%TYPE", ""), features, 1)


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _record(source: Source, report: Reporter) -> Record:
    try:
        found = loads(source.data.decode())
    except ValueError as reason:
        raise report.of(None).error("bad-json", f"not JSON: {reason}", 1, None, "a CAS in JSON 0.4") from None
    return found if isinstance(found, dict) else {}


def declared_types(source: Source, report: Reporter) -> list[str]:
    """The names of the types that a JSON file declares, or the file of types beside an XMI file."""
    if source.data.lstrip()[:1] == b"{":
        types = _record(source, report).get(_TYPES)
        return [str(name) for name in types] if isinstance(types, dict) else []
    base = re.sub(r"\.(xmi|xml)(\.gz)?$", "", source.name)
    names = [base + BESIDE[1], os.path.join(os.path.dirname(source.name), BESIDE[0])]
    path = next((name for name in names if os.path.isfile(name)), None)
    if path is None:
        return []
    try:
        root = parsed(Source(load(path), path))
    except Error:
        return []
    return [each.text or "" for each in root.iter() if each.tag.rpartition(":")[2] == "name"]
