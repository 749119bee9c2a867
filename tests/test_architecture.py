from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import scoref
from scoref import formats, match, metrics, protocol, relations

SOURCE = Path(scoref.__file__).parent
DOCS = Path(__file__).resolve().parents[1] / "docs"

# A module imports only from those before it.
LAYERS = [
    "model, exceptions",
    "tokens, formats, filing, trees, parallel, assign, normalise, groups, match, repair, forms, texts",
    "table",
    "metrics",
    "split, relations",
    "protocol, validation",
    "grid, plots, listing",
    "pairing, evaluation, evaluate",
    "store, significance, comparison, compare, stability, outcomes, layers, nuggets, analysis, scale",
    "report, viewer",
    "options, cli",
]
ORDER = ", ".join(LAYERS).split(", ")
FREE = ("__init__", "__main__")

MODULES = {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}


def name_of(path: Path) -> str:
    """The module in the order above: that of a format is `formats`."""
    return path.parts[0].removesuffix(".py")


def imported(path: Path, tree: ast.Module) -> Iterator[str]:
    """The modules of scoref that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ["scoref", *path.parts[:-1]]
            package = ".".join(above[: len(above) + 1 - node.level]) if node.level else ""
            start = ".".join(filter(None, [package, node.module]))
            names = [start] if start != "scoref" else [f"scoref.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("scoref."))


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_modules_import_only_from_those_above(path):
    name = name_of(path)
    if name in FREE:
        return
    assert name in ORDER, f"say in ORDER where {name} belongs"
    above = {*ORDER[: ORDER.index(name)], "__version__"} | ({"formats"} & {name})
    assert set(imported(path, MODULES[path])) <= above


def test_the_import_test_sees_imports():
    tree = ast.parse("from .cli import run\nfrom . import grid\nimport scoref.table\nfrom scoref.match import align")
    assert set(imported(Path("model.py"), tree)) == {"cli", "grid", "table", "match"}
    tree = ast.parse("from ..model import Document\nfrom . import Format\nimport numpy")
    assert set(imported(Path("formats/new.py"), tree)) == {"model", "formats"}


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path) not in ("cli", "__main__")], ids=str)
def test_only_the_command_line_prints_and_exits(path):
    names = {ast.unparse(node) for node in ast.walk(MODULES[path]) if isinstance(node, ast.Name | ast.Attribute)}
    assert not names & {"print", "exit", "quit", "SystemExit", "sys.exit", "sys.stdout", "sys.stderr", "os._exit"}


def test_the_public_names_are_listed_and_sorted():
    assert list(scoref.__all__) == sorted(scoref.__all__)
    public = {name for name, value in vars(scoref).items() if name[0] != "_" and not isinstance(value, ModuleType)}
    assert set(scoref.__all__) == {*public, "__version__"}


@pytest.mark.parametrize(
    ("kind", "registry"),
    [
        ("metric", metrics.METRICS),
        ("metric", metrics.AVERAGES),
        ("metric", relations.RELATIONS),
        ("format", formats.FORMATS),
        ("protocol", protocol.PROTOCOLS),
        ("matcher", match.MATCHERS),
    ],
)
def test_every_name_is_documented(kind, registry):
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    unknown = [name for name in registry if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    assert not unknown, f"{kind} without a word in docs/*.md"
