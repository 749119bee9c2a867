from __future__ import annotations

import ast
import importlib
import operator
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import scoref
from places import ROOT
from scoref import formats
from scoref.cli.program import commands
from scoref.scoring import match, metrics, protocol, relations

SOURCE = Path(scoref.__file__).parent

# The plan of the house: a module imports only from lines above its own, or from modules before it in its line.
PLAN = {
    "": "exceptions spelling storing given spans mentions words model",
    "layout": "grid plots",
    "formats": "source json_text _column_names _json_shapes _styles _marks known registry tokens _token_spans files"
    " fitting _record"
    " _markup _brat_writing _corefud_writing _ua_writing _cells _ua_lines _conll_lines _conll_brackets _conll_writing"
    " _corefud_lines _corefud_brackets _tbf_writing _tbf_lines booknlp brat clusters conll corefud ecb"
    " jsonl muc objects table tbf text ua webanno",
    "scoring": "_similar _drift_steps _drift_table _drift_cuts drift occurrences running"
    " assign ties trees parallel grouping mapping overlap match lookup sets normalise entities table partitions metrics"
    " split plurals timegraph sequencing forms anaphors relations choices protocol conventions average repeated names"
    " placing pairing keywords reading scope validation prepare weights evidence breakdown groups intervals evaluation"
    " memo run defects parts scorer",
    "tables": "shapes assignment columns inputs rows engine in_numpy statements sql in_duckdb in_spark"
    " opening documents run mistakes",
    "evaluator": "functions metric classes torch_metric",
    "statistics": "significance comparison saved systems stability agreement annotators bias",
    "explanation": "laboratory facts effects tools reasons fits explanation explain",
    "errors": "mistakes costs twins finding naming rewriting repair rescoring regrouping tangles outcomes nuggets"
    " other_layers analysis changes listing figures",
    "output": "sheet paper scores error_lists tangles errors lists",
    "page": "layouts texts hues findings documents lists overview build annotators",
    "cli": "messages filenames writing parsing project options inputs reporting program",
    "cli.commands": "",  # any modules, each for itself
}
FREE = ("__init__", "__main__", "__version__")
ORDER = [f"{package}.{name}".strip(".") for package, names in PLAN.items() for name in names.split()]
ORDER.insert(ORDER.index("tables.mistakes"), ORDER.pop(ORDER.index("scoring.scorer")))  # the door to tables, too

MODULES = {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
FOUND = {".".join(path.with_suffix("").parts): path for path in MODULES}
PACKAGES = [name for name in PLAN if name]


def imported(path: Path, tree: ast.Module) -> Iterator[str]:
    """The modules of scoref that a module imports, by their names below it; a package where its names are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("scoref.") for alias in node.names if alias.name.startswith("scoref."))
        elif isinstance(node, ast.ImportFrom):
            above = ["scoref", *path.parts[:-1]]
            package = above[: len(above) + 1 - node.level] if node.level else []
            start = ".".join([*package, *([node.module] if node.module else [])])
            if start != "scoref" and not start.startswith("scoref."):
                continue
            for alias in node.names:
                name = f"{start}.{alias.name}".removeprefix("scoref.")
                yield name if name in FOUND or name in PACKAGES else start.removeprefix("scoref").removeprefix(".")


def test_every_module_has_its_place_in_the_plan():
    planned = {*ORDER, *(f"{name}.__init__" for name in PACKAGES), "__init__", "__main__"}
    commands = {name for name in FOUND if name.startswith("cli.commands.")}
    assert FOUND.keys() - commands == planned - {"cli.commands.__init__"}


@pytest.mark.parametrize("name", [name for name in FOUND if name.split(".")[-1] not in FREE])
def test_modules_import_only_from_those_above(name):
    package = name.rpartition(".")[0]
    above = {*(ORDER if package == "cli.commands" else ORDER[: ORDER.index(name)]), ""}
    above |= set(PACKAGES[: PACKAGES.index(package)]) if package else set()
    assert {each for each in imported(FOUND[name], MODULES[FOUND[name]]) if each != name} <= above


def test_the_import_test_sees_imports():
    tree = ast.parse("from .cli import run\nfrom .layout import grid\nimport scoref.scoring.table\nimport numpy")
    assert set(imported(Path("model.py"), tree)) == {"cli", "layout.grid", "scoring.table"}
    tree = ast.parse("from ..model import Document\nfrom . import registry\nfrom .. import __version__")
    assert set(imported(Path("formats/new.py"), tree)) == {"model", "formats.registry", ""}


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] not in ("cli", "__main__.py")], ids=str)
def test_only_the_command_line_prints_and_exits(path):
    names = {ast.unparse(node) for node in ast.walk(MODULES[path]) if isinstance(node, ast.Name | ast.Attribute)}
    assert not names & {"print", "exit", "quit", "SystemExit", "sys.exit", "sys.stdout", "sys.stderr", "os._exit"}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_what_comes_in_and_goes_out(package):
    text = ast.get_docstring(MODULES[FOUND[f"{package}.__init__"]])
    assert text
    if package != "cli.commands":
        assert "In: " in text
        assert " Out: " in text
        assert "\nStart with `" in text


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_modules_and_functions_are_short(path):
    assert len((SOURCE / path).read_text(encoding="utf-8").splitlines()) <= 400
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name


def test_the_public_names_are_listed_and_sorted():
    assert list(scoref.__all__) == sorted(scoref.__all__)
    assert {*scoref._HOMES, "__version__"} == set(scoref.__all__)
    for name in scoref.__all__:
        assert getattr(scoref, name)


@pytest.mark.parametrize(
    ("kind", "registry"),
    [
        ("metric", metrics.METRICS),
        ("metric", metrics.AVERAGES),
        ("metric", relations.RELATIONS),
        ("format", formats.FORMATS),
        ("protocol", protocol.PROTOCOLS),
        ("matcher", match.MATCHERS),
        ("command", {f"scoref {name}" for name in commands()}),
    ],
)
def test_every_name_is_documented(kind, registry):
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    unknown = [name for name in registry if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    assert not unknown, f"{kind} without a word in docs/*.md"


def page_rows(heading: str, columns: int) -> list[list[str]]:
    """The cells of the tables below a heading of the page on architecture that have so many columns."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


def test_the_page_on_architecture_has_every_module_in_import_order():
    modules = [row[0].strip("`") for row in page_rows("Packages", 2) if row[0].startswith("`")]
    assert modules == ORDER


def test_what_the_page_on_architecture_says_is_where_it_says():
    rows = page_rows("Where is ...?", 3)[1:]
    assert len(rows) >= 20
    for question, path, names in rows:
        module = importlib.import_module("scoref." + ".".join(Path(path.strip("`")).with_suffix("").parts))
        assert module.__file__ == str(SOURCE / path.strip("`")), question
        for name in re.findall("`(.+?)`", names):
            assert operator.attrgetter(name)(module), f"{question} not {path} {name}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_paths_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = set(re.findall(r"`([\w./-]+(?:\.py|/))`", text))
    assert paths
    assert not [path for path in paths if not any((top / path).exists() for top in (ROOT, SOURCE))]


def test_importing_the_package_loads_nothing_that_is_not_asked_for():
    import subprocess
    import sys

    code = "import sys, scoref; print([name for name in sys.modules if name == 'numpy' or name.startswith('scoref.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_scoring_a_file_loads_no_other_format_and_nothing_that_it_does_not_need():
    import subprocess
    import sys

    files = [str(ROOT / "examples" / name) for name in ("key.conll", "response.conll")]
    code = f"import sys; from scoref.cli import main; main(['score', *{files}]); print(*sys.modules, file=sys.stderr)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr.split()
    assert "scoref.formats.conll" in found
    others = [f"formats.{name}" for name in formats.FORMATS if name != "conll"]
    rare = ["formats._marks", "scoring.drift", "scoring.trees", "statistics.comparison", "statistics.significance",
            "tables.run", "page.build", "errors.analysis"]  # fmt: skip
    assert not {f"scoref.{name}" for name in (*others, *rare)} & {*found}
    assert not {"scipy", "pandas", "matplotlib", "duckdb", "csv", "gzip", "shutil", "multiprocessing"} & {*found}
