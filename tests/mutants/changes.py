"""Small changes of modules, each of them a mutant: another comparison, a number more by one, a dropped argument."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "scoref"

_OTHER: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


_OF_TYPES = ("cast", "TypeVar", "dataclass", "field")  # calls that decide about types, or about `repr`
_LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)


class Mutant(NamedTuple):
    """A change of a module: its path in the package, the line, what was there and is now, the new text, its place.

    `inside` is the function or statement around it, and `digest` depends on its text: where that was changed, what was
    said of its mutants has to be thought over again.
    """

    path: str
    line: int
    before: str
    after: str
    text: str
    inside: str = ""
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.inside}: {self.before}  →  {self.after}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What is the same as long as the function around it is."""
        return self.path, self.inside, f"{self.before} → {self.after}", self.digest


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
    line, (inside, digest) = node.lineno, _around(tree, node)
    before = ast.unparse(node)
    after = _changed(node, place.change)
    shown = [" ".join(each.split()) for each in (before, after)]
    path = place.path.relative_to(SOURCE).as_posix()
    return Mutant(path, line, *shown, ast.unparse(tree), inside, f"{digest}-{place.change}")


def functions(path: Path) -> set[tuple[str, str]]:
    """The functions, methods and statements of a module, each with a digest of its text."""
    return {(name, digest) for name, digest, _ in _parts(ast.parse(path.read_text(encoding="utf-8")))}


def _parts(tree: ast.Module) -> Iterator[tuple[str, str, ast.AST]]:
    todo: list[tuple[str, ast.AST]] = [("", each) for each in tree.body]
    for name, part in todo:
        if isinstance(part, ast.ClassDef):
            todo += [(f"{part.name}.", each) for each in part.body]
            continue
        called = part.name if isinstance(part, ast.FunctionDef) else ast.unparse(part).split("\n")[0][:40]
        said = isinstance(part, ast.FunctionDef) and ast.get_docstring(part)
        text = "\n".join(map(ast.unparse, part.body[1:])) if said else ast.unparse(part)
        yield name + called, hashlib.sha256(text.encode()).hexdigest()[:8], part


def _around(tree: ast.Module, node: ast.AST) -> tuple[str, str]:
    """The name of the function, method or statement that a node is in, and a digest of its text and of the place."""
    for name, digest, part in _parts(tree):
        inside = [*ast.walk(part)]
        if node in inside:
            alike = [each for each in inside if type(each) is type(node)]
            number = [each for each in alike if ast.unparse(each) == ast.unparse(node)].index(node)
            return name, f"{digest}-{number}"
    return "", ""


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
