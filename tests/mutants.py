"""How many small changes of the source the tests notice: `python tests/mutants.py --sample N --seed S`.

A mutant is one change: another comparison, a number more by one, `and` for `or`, an argument that is dropped, an early
return that is not taken. It is made in a copy of the source, and the tests run on it that call the changed function,
the quickest first. Which tests call which functions is found by running all of them once (`--calls FILE` keeps that).
Mutants that no test notices are printed: each is a hole, or makes no visible difference, which a reader has to say.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "scoref"
PACKAGES = ("counting", "formats", "tables", "statistics", "results")
WITHOUT = ("page/browser", "fuzz", "docs", "test_conformance.py", "test_release.py", "test_architecture.py",
           "test_assertions.py", "test_console_examples.py")  # fmt: skip
MOST = 400  # tests that are run on one mutant, the quickest of those that call the function
PATIENCE = 120.0  # seconds; a mutant that takes longer is noticed


# -- changes -----------------------------------------------------------------------------------------------------------

_OTHER: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


_OF_TYPES = ("cast", "TypeVar", "dataclass", "field")  # calls that decide about types, or about `repr`
_LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)


class Mutant(NamedTuple):
    """A change of a module: its path in the package, the line, the function around it, what was there and is now."""

    path: str
    line: int
    function: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  →  {self.after}"


class Place(NamedTuple):
    """Where a change can be made: a module, the number of a node in it, and which of the changes of that node."""

    path: Path
    node: int
    change: int


def places(path: Path) -> list[Place]:
    """All places of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    ignored = _ignored(tree)
    nodes = [(number, node) for number, node in enumerate(ast.walk(tree)) if id(node) not in ignored]
    return [Place(path, number, change) for number, node in nodes for change in range(_changes(node))]


def mutant_at(place: Place) -> Mutant:
    """The module with the change."""
    tree = ast.parse(place.path.read_text(encoding="utf-8"))
    node = [*ast.walk(tree)][place.node]
    line, function = node.lineno, _functions(tree).get(id(node), 0)
    before = ast.unparse(node)
    after = _changed(node, place.change)
    shown = [" ".join(each.split())[:100] for each in (before, after)]
    return Mutant(place.path.relative_to(SOURCE).as_posix(), line, function, *shown, ast.unparse(tree))


def _functions(tree: ast.Module) -> dict[int, int]:
    """For each node the first line of the innermost function that it is in, as code objects have it."""
    found: dict[int, int] = {}
    for node in ast.walk(tree):  # from the outside to the inside
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            inside = node.body if isinstance(node.body, list) else [node.body]
            found |= {id(each): first for statement in inside for each in ast.walk(statement)}
    return found


def _ignored(tree: ast.Module) -> set[int]:
    """What no test can notice: annotations, and what is asked for the sake of types alone."""
    parts: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            parts += [node.returns, *(each.annotation for each in every if each)]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.Assert) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            parts.append(node)
        elif isinstance(node, ast.Call):
            parts.append(node if isinstance(node.func, ast.Name) and node.func.id in _OF_TYPES else None)
    return {id(each) for part in parts if part is not None for each in ast.walk(part)}


def _changes(node: ast.AST) -> int:
    """How many changes there are of a node."""
    if isinstance(node, ast.Compare):
        return len(node.ops)
    if isinstance(node, ast.BinOp):
        return int(type(node.op) in _OTHER)
    if isinstance(node, ast.Constant):
        return int(type(node.value) is int)
    if isinstance(node, ast.BoolOp):
        return 1
    if isinstance(node, ast.If):
        return int(isinstance(node.body[-1], _LEAVES) and not node.orelse)
    if isinstance(node, ast.Call):
        return len(_dropped(node)) + (len(node.args) > 1)
    return 0


def _dropped(node: ast.Call) -> list[ast.keyword]:
    """The arguments that can be dropped: `strict` of `zip` guards against what does not happen."""
    return [each for each in node.keywords if each.arg != "strict"]


def _changed(node: ast.AST, number: int) -> str:
    """Change a node of a tree; gives its new text."""
    if isinstance(node, ast.Compare):
        node.ops[number] = _OTHER[type(node.ops[number])]()
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = _OTHER[type(node.op)]()
    elif isinstance(node, ast.Constant):
        node.value += 1
    elif isinstance(node, ast.If):
        node.test = ast.BoolOp(ast.And(), [node.test, ast.Constant(False)])
    elif isinstance(node, ast.Call):
        if number < len(_dropped(node)):
            node.keywords.remove(_dropped(node)[number])
        else:
            node.args.pop()
    return ast.unparse(ast.fix_missing_locations(node))


# -- which tests call which functions ----------------------------------------------------------------------------------


class Calls:
    """A plugin of pytest that notes which functions of the source each test calls, and how long it takes."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.found: dict[str, set[str]] = defaultdict(set)
        self.seconds: Counter[str] = Counter()
        self.now: set[str] = set()
        self.codes: dict[object, str | None] = {}

    def _called(self, frame: Any, *_: object) -> None:
        code = frame.f_code
        name = self.codes.get(code, "")
        if name == "":
            inside = code.co_filename.startswith(str(SOURCE))
            name = f"{Path(code.co_filename).relative_to(SOURCE).as_posix()}:{code.co_firstlineno}" if inside else None
            self.codes[code] = name
        if name:
            self.now.add(name)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_runtest_setup(self, item: Any) -> None:
        self.now = set()
        threading.settrace(self._called)
        sys.settrace(self._called)

    def pytest_runtest_teardown(self, item: Any) -> None:
        sys.settrace(None)
        self.found[item.nodeid] |= self.now

    def pytest_sessionfinish(self) -> None:
        record = {name: [self.seconds[name], sorted(called)] for name, called in self.found.items()}
        Path(self.folder, f"{os.getpid()}.json").write_text(json.dumps(record), encoding="utf-8")


def pytest_configure(config: Any) -> None:
    """Where this module is a plugin of pytest."""
    if folder := os.environ.get("SCOREF_CALLS"):
        config.pluginmanager.register(Calls(folder))


def calls(jobs: int, folders: list[str]) -> dict[str, tuple[float, list[str]]]:
    """The seconds of each test, and the functions that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        ignored = [f"--ignore=tests/{name}" for name in WITHOUT]
        tests = [f"tests/{name}" for name in folders] or ["tests"]
        done = _pytest(ROOT / "src", [*tests, "-p", "mutants", "-n", str(jobs), *ignored], 7200, SCOREF_CALLS=folder)
        if done is None or done.returncode:
            raise SystemExit(f"the tests fail without any change:\n{done.stdout[-3000:] if done else 'too slow'}")
        found: dict[str, tuple[float, list[str]]] = {}
        for part in sorted(Path(folder).glob("*.json")):
            found |= json.loads(part.read_text(encoding="utf-8"))
        return found


def _pytest(
    source: Path, arguments: list[str], patience: float, **more: str
) -> subprocess.CompletedProcess[str] | None:
    """What tests say of a source; None if they take too long."""
    path = os.pathsep.join([str(source), str(ROOT / "tests")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
    try:
        return subprocess.run(command, cwd=ROOT, env={**os.environ, **more, "PYTHONPATH": path}, text=True,
                              capture_output=True, timeout=patience, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None


# -- running -----------------------------------------------------------------------------------------------------------


@contextmanager
def patched(path: str, text: str) -> Iterator[Path]:
    """A copy of the source in which a module has another text."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder, "scoref"), ignore=shutil.ignore_patterns("__pycache__"))
        Path(folder, "scoref", path).write_text(text, encoding="utf-8")
        yield Path(folder)


def covering(path: str, function: int, known: dict[str, tuple[float, list[str]]]) -> list[str]:
    """The tests that call a function, the quickest first; of what runs on import, those of the package's folder."""
    name = f"{path}:{function}"
    found = [test for test, (_, called) in known.items() if name in called]
    if not function:
        found = [test for test in known if test.startswith(f"tests/{path.split('/')[0]}/")]
    return sorted(found, key=lambda test: known[test][0])[:MOST]


def noticed(mutant: Mutant, known: dict[str, tuple[float, list[str]]]) -> str:
    """Which test notices a mutant, "" if none does."""
    tests = covering(mutant.path, mutant.function, known)
    if not tests:
        return ""
    with patched(mutant.path, mutant.text) as source:
        done = _pytest(source, ["-x", *tests], PATIENCE)
    if done is None:
        return "(takes too long)"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or ["(cannot be run)"])[0] if done.returncode else ""


def main() -> int:
    """Sample mutants, run tests on each, print those that stay."""
    parser = argparse.ArgumentParser(prog="python tests/mutants.py", description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="how many mutants (default: 60; 0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--packages", nargs="+", default=PACKAGES, help=f"default: {' '.join(PACKAGES)}")
    parser.add_argument("--calls", help="a file that keeps which tests call which functions; made if it is not there")
    parser.add_argument("--tests", nargs="+", default=[], help="folders of tests that may notice (default: all)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that find out which tests call what")
    options = parser.parse_args()
    kept = Path(options.calls) if options.calls else None
    known = (
        json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else calls(options.jobs, options.tests)
    )
    if kept:
        kept.write_text(json.dumps(known), encoding="utf-8")
    every = [place for name in options.packages for path in sorted(SOURCE.joinpath(name).rglob("*.py"))
             for place in places(path)]  # fmt: skip
    chosen = random.Random(options.seed).sample(every, options.sample or len(every))
    killed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    started = time.monotonic()
    for mutant in map(mutant_at, chosen):
        package = mutant.path.split("/")[0]
        total[package] += 1
        if noticed(mutant, known):
            killed[package] += 1
        else:
            print(f"not noticed: {mutant}", flush=True)
    for package in total:
        print(f"{package:12} {killed[package]:5} of {total[package]:5}")
    share = 100 * killed.total() / max(total.total(), 1)
    print(f"{killed.total()} of {total.total()} noticed ({share:.1f} %), of {len(every)} that there are; seed"
          f" {options.seed}, {time.monotonic() - started:.0f} s")  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
