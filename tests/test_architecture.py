from __future__ import annotations

import ast
import importlib
import operator
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import near
import scoref
from places import ROOT
from scoref import formats
from scoref.choice import Choice
from scoref.cli import main
from scoref.cli.program import commands
from scoref.matching import match
from scoref.protocol import protocol
from scoref.relations import registry

SOURCE = Path(scoref.__file__).parent
FREE = ("__init__", "__main__")  # these may import anything
WIDEST, LONGEST = 15, 350  # modules of a folder, lines of a module
LOADED = 60  # modules that scoring two CoNLL files imports, packages not counted
CALLED = 42  # modules that it runs through: one of their functions is called

house = near.house()
MODULES = {path.relative_to(SOURCE): tree for path, tree in house.TREES.items()}
FOLDERS = [name.removesuffix(".__init__") for name in house.MODULES if name.endswith(".__init__")]


def test_every_module_is_in_a_package_of_the_plan():
    assert {house.package(name) for name in house.MODULES} == {*house.PACKAGES, *FREE}


@pytest.mark.parametrize("name", [name for name in house.MODULES if name not in FREE])
def test_packages_import_only_from_those_above(name):
    above = house.PACKAGES[: house.PACKAGES.index(house.package(name)) + 1]
    assert not [each for each in house.imports(name) if house.package(each) not in above]


@pytest.mark.parametrize("package", house.PACKAGES)
def test_no_imports_go_round_in_a_circle(package):
    graph = {name: house.imports(name) for name in house.MODULES if house.package(name) == package}
    assert graph
    TopologicalSorter({name: others & graph.keys() for name, others in graph.items()}).prepare()  # raises CycleError


def test_the_import_test_sees_imports():
    tree = ast.parse("from .cli import run\nfrom .layout import grid\nimport scoref.counting.table\nimport numpy")
    found = {*house.imported("problems", tree)}
    assert found == {"cli.__init__", "layout.grid", "counting.table"}
    tree = ast.parse(
        "def f():\n  from ..document.spans import Span\n  from . import known\n  from .. import __version__"
    )
    assert {*house.imported("formats.new", tree)} == {"document.spans", "formats.known", ""}


def test_folders_are_small():
    sizes = {folder: len(names) - 1 for folder, names in house.by_folder().items() if folder}
    assert max(sizes.values()) <= WIDEST, sizes


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] not in ("cli", "__main__.py")], ids=str)
def test_only_the_command_line_prints_and_exits(path):
    names = {ast.unparse(node) for node in ast.walk(MODULES[path]) if isinstance(node, ast.Name | ast.Attribute)}
    assert not names & {"print", "exit", "quit", "SystemExit", "sys.exit", "sys.stdout", "sys.stderr", "os._exit"}


@pytest.mark.parametrize("package", FOLDERS)
def test_every_package_says_what_comes_in_and_goes_out(package):
    text = house.says(f"{package}.__init__")
    assert text
    text = ast.get_docstring(house.TREES[house.MODULES[f"{package}.__init__"]]) or ""
    if package != "cli.commands":
        assert "In: " in text
        assert " Out: " in text
        assert "\nStart with `" in text


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_modules_and_functions_are_short(path):
    assert len((SOURCE / path).read_text(encoding="utf-8").splitlines()) <= LONGEST
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.FunctionDef):  # that of `score` explains 22 parameters one by one
            docstring = len((ast.get_docstring(node, clean=False) or "").splitlines())
            assert (node.end_lineno or 0) - node.lineno - docstring < 50, node.name


def test_no_two_classes_have_one_name():
    classes = [node.name for tree in MODULES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not [name for name, number in Counter(classes).items() if number > 1]


def test_the_public_names_are_listed_and_sorted():
    assert list(scoref.__all__) == sorted(scoref.__all__)
    assert {*scoref._MODULES, "__version__"} == set(scoref.__all__)
    for name in scoref.__all__:
        assert getattr(scoref, name)


@pytest.mark.parametrize(
    ("page", "written", "registry"),
    [
        ("metrics.md", "`{}`", registry.METRICS),
        ("formats.md", "`{}`", formats.FORMATS),
        ("protocols.md", "`{}`", protocol.PROTOCOLS),
        ("protocols.md", "`{}`", match.MATCHERS),
        ("commands.md", "```{{scoref}} help {} all\n", commands()),
    ],
)
def test_every_name_is_documented(page, written, registry):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert [name for name in registry if written.format(name) not in text] == [], f"not in docs/{page}"


def page_rows(heading: str, columns: int) -> list[list[str]]:
    """The cells of the tables below a heading of the page on architecture that have so many columns."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


def test_the_page_on_architecture_has_the_table_of_modules():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition(house.BEGIN)[2].partition(house.END)[0]
    assert table == house.table(), "run: python docs/modules.py --write"


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
    assert "scoref.formats.conll.read" in found
    rooms = [each.room for each in formats.FORMATS.values() if each.name != "conll"]
    others = [f"formats.{room}{'.read' * (SOURCE / 'formats' / room).is_dir()}" for room in rooms]
    rare = ["formats.marked.marks", "texts.align", "document.trees", "statistics.comparison", "statistics.significance",
            "tables.run", "page.build", "errors.analysis"]  # fmt: skip
    assert not {f"scoref.{name}" for name in (*others, *rare)} & {*found}
    assert not {"scipy", "pandas", "matplotlib", "duckdb", "csv", "gzip", "shutil", "multiprocessing"} & {*found}


def test_scoring_a_file_loads_few_modules():
    import subprocess
    import sys

    files = [str(ROOT / "examples" / name) for name in ("key.conll", "response.conll")]
    code = f"import sys; from scoref.cli import main; main(['score', *{files}]); print(*sys.modules, file=sys.stderr)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr.split()
    loaded = [name for name in house.MODULES if name not in FREE and f"scoref.{name}" in found]
    assert len(loaded) <= LOADED, sorted(loaded)


def test_scoring_a_file_checks_each_choice_once(monkeypatch, capsys):
    checked: list[str] = []
    check = Choice.check
    monkeypatch.setattr(Choice, "check", lambda self, value: (checked.append(self.name), check(self, value))[1])
    made: list[object] = []
    refuse = protocol.refuse_undefined
    monkeypatch.setattr(protocol, "refuse_undefined", lambda *parts: (made.append(parts), refuse(*parts))[1])
    files = [str(ROOT / "examples" / name) for name in ("key.conll", "response.conll")]
    assert main(["score", *files, "--singletons", "drop", "--split", "ignore"]) == 0
    capsys.readouterr()
    assert sorted(checked) == ["singletons", "split"]
    assert len(made) == 1


# Prints the modules of which a function is called while a command runs; what is called by an import does not count.
CALLED_MODULES = """
import sys
from scoref.cli import main

called, importing = set(), 0

def note(frame, event, _):
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and not importing:
        called.add(frame.f_globals.get("__name__"))

sys.setprofile(note)
main(sys.argv[1:])
sys.setprofile(None)
print(*sorted(map(str, called)), file=sys.stderr)
"""


def test_scoring_a_file_runs_through_few_modules():
    import subprocess
    import sys

    files = [str(ROOT / "examples" / name) for name in ("key.conll", "response.conll")]
    ran = subprocess.run([sys.executable, "-c", CALLED_MODULES, "score", *files], capture_output=True, text=True)
    called = [name for name in ran.stderr.split() if name.startswith("scoref.")]
    assert {"scoref.cli.program", "scoref.formats.conll.read", "scoref.counting.coreference"} <= {*called}
    assert len(called) <= CALLED, called
