"""Every test can fail: somewhere it asserts outside of loops that may be empty and branches that may not be taken."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from places import SHARED
from skipping import said

HERE = Path(__file__).resolve().parent
_WRAPPERS = (
    "enumerate",
    "zip",
    "sorted",
    "reversed",
    "list",
    "tuple",
    "set",
    "product",
    "combinations",
    "permutations",
)
_EXPECTING = ("raises", "warns", "fail", "check_call")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(node: ast.expr) -> str:
    """The last part of a name: `fail` of `pytest.fail`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


class Asserts:
    """Which functions of a module of tests always assert, whatever way is taken through them."""

    def __init__(self, tree: ast.Module, imported: frozenset[str]) -> None:
        self.full = _constants(tree.body, self)
        self.asserting = set(imported)
        functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
        before = -1
        while before != len(self.asserting):  # a function that calls one that asserts does so, too
            before = len(self.asserting)
            self.asserting |= {each.name for each in functions if self.function(each)}

    def function(self, node: Function) -> bool:
        outside = self.full
        self.full = outside | _constants(node.body, self)
        try:
            return self.block(node.body)
        finally:
            self.full = outside

    def block(self, statements: list[ast.stmt]) -> bool:
        """Whether something is asserted whichever way is taken through these statements."""
        return any(map(self.statement, statements))

    def statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Raise):
            return "AssertionError" in ast.dump(node)
        if isinstance(node, ast.While):
            return self.expression(node.test)
        if isinstance(node, ast.With | ast.AsyncWith):
            return any(self.expression(item.context_expr) for item in node.items) or self.block(node.body)
        if isinstance(node, ast.For):
            return self.expression(node.iter) or (self.not_empty(node.iter) and self.block(node.body))
        if isinstance(node, ast.If):
            return self.expression(node.test) or (self.block(node.body) and self.block(node.orelse))
        if isinstance(node, ast.Try):
            return self.block(node.finalbody) or (
                self.block([*node.body, *node.orelse]) and all(self.block(handler.body) for handler in node.handlers)
            )
        if isinstance(node, ast.Expr | ast.Assign | ast.Return | ast.AnnAssign) and node.value:
            return self.expression(node.value)
        return False

    def expression(self, node: ast.expr) -> bool:
        """Whether a call in it asserts."""
        calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        names = {_name(each.func) for each in calls}
        return bool(names & {*self.asserting, *_EXPECTING}) or any(name.startswith("assert_") for name in names)

    def not_empty(self, node: ast.expr) -> bool:
        """Whether there is surely something to loop over: written here, or a constant."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return any(not isinstance(each, ast.Starred) or self.not_empty(each.value) for each in node.elts)
        if isinstance(node, ast.Dict):
            return bool(node.keys)
        if isinstance(node, ast.Constant):
            return bool(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            return _name(node).isupper() or _name(node) in self.full
        if isinstance(node, ast.BinOp):
            return self.not_empty(node.left) or (isinstance(node.op, ast.Add) and self.not_empty(node.right))
        if isinstance(node, ast.Call):
            return self._full_call(node)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return all(self.not_empty(each.iter) and not each.ifs for each in node.generators)
        return False

    def _full_call(self, node: ast.Call) -> bool:
        name = _name(node.func)
        if name == "range":
            return bool(node.args) and not (isinstance(node.args[-1], ast.Constant) and not node.args[-1].value)
        if name in ("items", "values", "keys", "split", "splitlines", "glob") and isinstance(node.func, ast.Attribute):
            return self.not_empty(node.func.value)
        if name in ("zip", "product"):
            return bool(node.args) and (any if any(each.arg == "strict" for each in node.keywords) else all)(
                map(self.not_empty, node.args)
            )
        return name in _WRAPPERS and bool(node.args) and self.not_empty(node.args[0])


def _constants(statements: list[ast.stmt], asserts: Asserts) -> frozenset[str]:
    """The names that are given something that is not empty."""
    asserts.full = getattr(asserts, "full", frozenset())
    for each in statements:
        if isinstance(each, ast.Assign) and asserts.not_empty(each.value):
            asserts.full |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return asserts.full


def doubtful(trees: dict[str, ast.Module]) -> list[str]:
    """The tests that may end without having asserted anything."""
    shared = {
        Path(path).stem: Asserts(tree, frozenset()).asserting for path, tree in trees.items() if "test_" not in path
    }
    found = []
    for path, tree in trees.items():
        imported = {
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for module in (
                [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            )
            for name in shared.get(module.split(".")[-1], ())
        }
        asserts = Asserts(tree, frozenset(imported))
        tests = [node for node in ast.walk(tree) if isinstance(node, Function) and node.name.startswith("test_")]
        found += [f"{path}:{test.lineno} {test.name}" for test in tests if not asserts.function(test)]
    return found


SURE = """
def test_plain(): assert 1
def test_loop():
    for each in (1, 2): assert each
def test_constant():
    for each in REGISTRY.values(): assert each
def test_local():
    names = ["a", "b"]
    for number, each in enumerate(names): assert each
def test_both_ways(x):
    if x: assert 1
    else: assert 2
def test_raises():
    with pytest.raises(Error): x()
def helper(): assert 1
def test_by_another(): helper()
def test_by_an_array(): np.testing.assert_allclose(1, 1)
"""
UNSURE = """
def test_nothing(): print(1)
def test_loop(found):
    for each in found: assert each
def test_filtered():
    for each in [x for x in (1, 2) if x > 3]: assert each
def test_one_way(x):
    if x: assert 1
def helper(found):
    for each in found: assert each
def test_by_another(): helper([])
def test_shorter(found):
    for each in zip(found, (1, 2)): assert each
def test_tried():
    try: assert x()
    except Error: pass
"""


def test_the_checker_tells_them_apart():
    assert doubtful({"test_a.py": ast.parse(SURE)}) == []
    found = doubtful({"test_a.py": ast.parse(UNSURE)})
    tests = [node.name for node in ast.parse(UNSURE).body if node.name.startswith("test_")]
    assert [each.split()[1] for each in found] == tests


def test_every_test_can_fail():
    files = sorted(HERE.rglob("*.py"))
    trees = {path.relative_to(HERE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}
    assert doubtful(trees) == [], "tests that assert only in a loop or a branch that may not run"


def test_what_was_skipped_is_said_in_words():
    found = Counter({"torch is not installed": 3, "no Chromium": 1})
    assert said(Counter(), True, True) == []
    assert said(found, False, True)[0] == "4 tests skipped:"
    assert not any("NOT" in line for line in said(found, False, False))
    assert said(found, True, True)[-1] == "NOT EVERYTHING WAS RUN: 4 tests need something that can be installed"
    [further] = said(Counter(), True, False)
    assert str(SHARED) in further
