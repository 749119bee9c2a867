"""Which tests are near to what was changed, nearest first: what `./check --fast` runs, and until when.

    python tests/near.py [PATH...]    prints paths for pytest: for the files that differ from main, or for those named

Near to a module of scoref are, in this order: its own examples, and the tests that import it or use a public name of
it; the tests in the folder of its package; the same for the modules that import it. Near to a page are its examples,
and what looks at pages. Behind the nearest comes a core that touches every stage. There is no rule for how far is far
enough: pytest starts with the nearest, and what would begin when time is over is skipped, and counted.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
CORE = ("tests/test_architecture.py", "tests/counting/test_metrics.py", "tests/formats/test_conll.py",
        "tests/run/test_properties.py", "tests/results/test_scores.py", "README.md")  # fmt: skip
UNTIL = "SCOREF_UNTIL"  # seconds since 1970
LEAST = 20  # seconds from the first test on
LATE = "no time is left for it; ./check runs it"


def changed() -> list[str]:
    """The files that differ from the last commit that main and this branch share, and those that git does not know."""

    def git(*words: str) -> list[str]:
        ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        return ran.stdout.splitlines() if ran.returncode == 0 else []

    bases = [*git("merge-base", "HEAD", "main"), *git("merge-base", "HEAD", "origin/main"), "HEAD"]
    return sorted({*git("diff", "--name-only", bases[0]), *git("ls-files", "--others", "--exclude-standard")})


def near(paths: Iterable[str]) -> list[str]:
    """The paths to run for the files that were changed, nearest first, each once, with the core behind the nearest."""
    steps = [_steps(Path(path)) for path in paths]
    ranks = [[path for each in steps for path in each[rank : rank + 1]] for rank in range(4)]
    ordered = [path for found in (*ranks[0], *ranks[1], CORE, *ranks[2], *ranks[3]) for path in found]
    return [path for path in dict.fromkeys(ordered) if (ROOT / path).exists()]


def _steps(path: Path) -> list[list[str]]:
    """What is near to one file, step by step."""
    top, *below = path.parts
    if top == "src" and path.suffix == ".py":
        return _of_module(".".join(Path(*below[1:]).with_suffix("").parts))
    if top == "src":  # files that modules show or send along
        return [_folder(below[1])]
    if path.suffix == ".md":
        return [[str(path)], ["tests/test_console_examples.py", *_folder("docs"), "tests/test_architecture.py"]]
    if path.name.startswith("test_"):
        return [[str(path)]]
    return [[test for test, names in _tests().items() if path.stem in names], _folder(top)]


def _of_module(module: str) -> list[list[str]]:
    """The steps from a module: its own examples and tests, those of its package, then of what imports it."""
    above = {name for name in house().MODULES if module in house().imports(name)}
    packages = sorted({house().package(name) for name in above})
    return [
        [*_examples({module}), *_using({module})],
        _folder(house().package(module)),
        [*_using(above), *_examples(above)],
        [path for package in packages for path in _folder(package)],
    ]


def _examples(modules: set[str]) -> list[str]:
    return [str(house().MODULES[name].relative_to(ROOT)) for name in sorted(modules & house().MODULES.keys())]


def _folder(name: str) -> list[str]:
    """The files of tests in the folder of a package, or of this name."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests" / name).rglob("test_*.py"))]


def _using(modules: set[str]) -> list[str]:
    """The tests that take one of these modules, those that take most of them first."""
    found = {path: len(names & modules) for path, names in _tests().items()}
    return sorted((path for path, number in found.items() if number), key=lambda path: -found[path])


@cache
def house() -> ModuleType:
    """`docs/modules.py`, which parses all of scoref: not imported with this module, which every test run imports."""
    specification = importlib.util.spec_from_file_location("modules", ROOT / "docs" / "modules.py")
    assert specification
    assert specification.loader
    found = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(found)
    return found


@cache
def _tests() -> dict[str, set[str]]:
    """Each file of tests, and what it takes: modules of scoref, and other modules by the last part of their names."""
    import scoref

    found = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {*house().imported("", tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "scoref":
                names.add(scoref._MODULES.get(node.attr, ""))
            elif isinstance(node, ast.Import):
                names |= {each.name.rpartition(".")[2] for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").rpartition(".")[2])
        found[str(path.relative_to(ROOT))] = names - {""}
    return found


def late(began: float, now: float) -> bool:
    """Whether the time for tests is over, where they have one: on a busy machine, too, they have some seconds."""
    return now > max(float(os.environ.get(UNTIL) or "inf"), began + LEAST)


if __name__ == "__main__":
    sys.stdout.write("\n".join(near(sys.argv[1:] or changed())) + "\n")
