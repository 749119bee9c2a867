"""The modules of scoref in the order of their imports, and the table of them in docs/architecture.md.

    python docs/modules.py            prints the table
    python docs/modules.py --write    writes it into the page (a test compares the two)

What the table says of a module is the first line of its docstring. The order of packages is that of `PACKAGES`; in a
package the order follows from the imports, so that a new module has its place without an edit here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "scoref"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- modules: python docs/modules.py --write -->\n", "<!-- end of modules -->\n"

# The way of the data: a package imports only from those before it, whatever the place of the import in a module.
PACKAGES = (
    "values", "problems", "spelling", "storing", "processes", "choice", "document", "layout", "formats", "texts",
    "answers", "pairing", "preparing", "matching", "counting", "relations", "protocol", "prompting", "results",
    "tables", "run", "axioms", "statistics", "explanation", "errors", "evaluator", "output", "curation", "page",
    "board", "bundle", "schemas", "cli",
)  # fmt: skip

TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in TREES}


def package(module: str) -> str:
    """The part of the house that a module belongs to: the first part of its name."""
    return module.partition(".")[0]


@cache
def imports(module: str) -> set[str]:
    """The modules of scoref that a module imports anywhere, at its top or in a function."""
    return {name for name in imported(module, TREES[MODULES[module]]) if name not in ("", module)}


def imported(module: str, tree: ast.Module) -> Iterator[str]:
    """What the imports of a tree name, seen from a module: a package where its own names are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (_known(alias.name) for alias in node.names if alias.name.startswith("scoref."))
        elif isinstance(node, ast.ImportFrom):
            above = ["scoref", *module.split(".")[:-1]]
            package = above[: len(above) + 1 - node.level] if node.level else []
            start = ".".join([*package, *([node.module] if node.module else [])])
            if start == "scoref" or start.startswith("scoref."):
                yield from (_known(f"{start}.{alias.name}") for alias in node.names)


def _known(name: str) -> str:
    """The module, or the package, that an imported name is, or that it is in; '' for scoref itself."""
    parts = name.split(".")[1:]
    for length in (len(parts), len(parts) - 1):
        found = ".".join(parts[:length])
        if found in MODULES:
            return found
        if f"{found}.__init__" in MODULES:
            return f"{found}.__init__"
    return ""


def ordered() -> list[str]:
    """All modules, each behind those that it imports: packages in their order, modules as their imports want it."""
    found: list[str] = []
    for name in PACKAGES:
        own = {each: imports(each) for each in sorted(MODULES) if package(each) == name}
        graph = {each: sorted(others & own.keys()) for each, others in own.items()}
        found += TopologicalSorter(graph).static_order()
    return found


def by_folder() -> dict[str, list[str]]:
    """The modules of each folder in the order of their imports."""
    found: dict[str, list[str]] = {}
    for name in ordered():
        found.setdefault(name.rpartition(".")[0], []).append(name)
    return found


def says(module: str) -> str:
    """The first line of a module's docstring, or all of its first sentence if that is longer."""
    return (ast.get_docstring(TREES[MODULES[module]]) or "").partition("\n\n")[0].replace("\n", " ")


def table() -> str:
    """The table of packages and modules."""
    each = [name for names in by_folder().values() for name in names if not name.endswith("__init__")]
    rows = [f"| `{name}` | {says(name).rstrip('.')} |" for name in each]
    return "\n".join(["| module | what it does |", "|---|---|", *rows, ""])


def main() -> None:
    """Print the table, or write it into the page."""
    if "--write" not in sys.argv:
        sys.stdout.write(table())
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
