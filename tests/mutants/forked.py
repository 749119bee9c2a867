"""Runs tests on changed modules in forks of one process that has imported everything, and on copies of the source."""

from __future__ import annotations

import ast
import contextlib
import gc
import hashlib
import inspect
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

from .changes import ROOT, SOURCE

WITHOUT = ("page/browser", "fuzz", "docs", "mutants", "test_conformance.py", "test_release.py", "test_architecture.py",
           "test_assertions.py", "test_console_examples.py")  # fmt: skip
BUDGET = 60.0  # seconds that the tests of one mutant take without a change
PATIENCE = 20.0  # seconds more that a test may take on a mutant; then it is noticed
_MEMORY = 12 * 2**30


class Record(NamedTuple):
    """The seconds that a test takes, and the functions of the source that it calls, as `path:name`."""

    seconds: float
    calls: tuple[str, ...]


# -- which code a change concerns --------------------------------------------------------------------------------------


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(found for each in code.co_consts if isinstance(each, CodeType) for found in _codes(each))]


def _own(code: CodeType) -> object:
    """What a piece of code does, without the functions in it."""
    own = [(type(each), each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, own, code.co_names, code.co_varnames, code.co_freevars


class Change(NamedTuple):
    """What another text of a module changes: functions, by their names, and whether something that runs on import.

    `pairs` are the code of functions that are changed, or that have changed ones in them, as it was and is.
    """

    path: str
    text: str
    functions: tuple[str, ...]
    imported: bool
    pairs: list[tuple[CodeType, CodeType]]

    @classmethod
    def of(cls, path: str, text: str) -> Change:
        """Compare the code of two texts, both as `ast` writes them: other line breaks leave traces in code."""
        file = str(SOURCE / path)
        there = Path(file).read_text(encoding="utf-8")
        alive, old, new = (_codes(compile(each, file, "exec")) for each in (there, ast.unparse(ast.parse(there)), text))
        if len({tuple(code.co_qualname for code in codes) for codes in (alive, old, new)}) > 1:
            return cls(path, text, (), True, [])
        every = list(zip(alive, old, new, strict=True))
        changed = [code for code, before, other in every if _own(before) != _own(other)]
        names = [code.co_qualname for code in changed if code.co_flags & inspect.CO_OPTIMIZED]
        pairs = [(code, other) for code, before, other in every
                 if [*map(_own, _codes(before))] != [*map(_own, _codes(other))]]  # fmt: skip
        return cls(path, text, tuple(f"{path}:{name}" for name in names), len(names) < len(changed), pairs)

    def make(self) -> bool:
        """Give the functions of this process their new code; False if there are none, as they ran on import."""
        alive: defaultdict[object, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename == str(SOURCE / self.path):
                alive[_key(each.__code__)].append(each)
        done = 0
        for old, new in self.pairs:
            for function in alive[_key(old)]:
                function.__code__ = new
                done += 1
        return bool(done)


def _key(code: CodeType) -> object:
    return code.co_qualname, code.co_firstlineno, code.co_code


# -- one process that has collected all tests --------------------------------------------------------------------------


class Forks:
    """A plugin of pytest: collects all tests once, and then lets `work` run some of them in forks."""

    def __init__(self, work: Callable[[Forks], None], budget: float, copies: bool, fixed: bool) -> None:
        self.work, self.budget, self.copies, self.fixed = work, budget, copies, fixed
        self.lucky: defaultdict[str, list[str]] = defaultdict(list)  # tests that noticed other mutants of a module
        self.items: dict[str, pytest.Item] = {}
        self.known: dict[str, Record] = {}
        self.told = -1  # where a child says which test failed
        self.seconds: Counter[str] = Counter()
        self.failed: set[str] = set()

    def pytest_collection(self) -> None:
        """Before tests are imported: failures need not be made smaller, nor kept."""
        from hypothesis import HealthCheck, Phase, settings  # by now pytest has prepared it

        settings.register_profile("mutants", deadline=None, suppress_health_check=[HealthCheck.too_slow],
                                  phases=[Phase.explicit, Phase.generate], database=None)  # fmt: skip
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In the place of running the tests."""
        from hypothesis import is_hypothesis_test  # by now pytest has prepared it

        drawn = {item.nodeid for item in session.items if self.fixed and is_hypothesis_test(getattr(item, "obj", None))}
        self.items = {item.nodeid: item for item in session.items if item.nodeid not in drawn}
        session.config.pluginmanager.unregister(name="terminalreporter")  # no dots
        gc.freeze()
        self.known = self._records()
        gc.unfreeze()
        self.work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A failure ends a child that looks for one."""
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)
            if self.told >= 0:
                os.write(self.told, report.nodeid.encode())
                os._exit(1)

    # -- which test calls which functions

    def _records(self) -> dict[str, Record]:
        """The records of all tests; those of test files that are as they were are kept in a temporary folder."""
        folder = Path(tempfile.gettempdir(), "scoref-mutants")
        folder.mkdir(exist_ok=True)
        of_all = hashlib.sha256(b"fixed" * self.fixed)
        for path in [*sorted(SOURCE.rglob("*.py")), *sorted((ROOT / "tests").glob("*.py"))]:
            of_all.update(b"" if path.name.startswith("test_") else path.read_bytes())
        files = defaultdict(list)
        for name in self.items:
            files[name.split("::")[0]].append(name)
        known: dict[str, Record] = {}
        for file, names in files.items():
            digest = hashlib.sha256(of_all.digest() + (ROOT / file).read_bytes()).hexdigest()[:16]
            kept = folder / f"{file.replace('/', '-')}-{digest}.json"
            if not kept.exists():
                self.forked(lambda names=names, kept=kept: self._record(names, kept), 3600)
            known |= {name: Record(*record) for name, record in json.loads(kept.read_text(encoding="utf-8")).items()}
        return known

    def _record(self, names: list[str], kept: Path) -> None:
        """Run tests, and write the functions that each calls; what fails without a change is left out."""
        found: dict[str, set[str]] = {}
        codes: dict[CodeType, str] = {}

        def called(frame: Any, *_: object) -> None:
            code = frame.f_code
            name = codes.get(code)
            if name is None:
                file = code.co_filename
                inside = file.startswith(f"{SOURCE}/")
                name = f"{file[len(str(SOURCE)) + 1 :]}:{code.co_qualname}" if inside else ""
                codes[code] = name
            if name:
                now.add(name)

        for name, follower in zip(names, [*names[1:], None], strict=True):
            now: set[str] = set()
            found[name] = now
            threading.settrace(called)
            sys.settrace(called)
            self._run(name, follower)
            sys.settrace(None)
        passed = {name: Record(self.seconds[name], tuple(sorted(found[name]))) for name in names}
        text = json.dumps({name: record for name, record in passed.items() if name not in self.failed})
        kept.with_suffix(".new").write_text(text, encoding="utf-8")
        kept.with_suffix(".new").replace(kept)

    def _run(self, name: str, follower: str | None) -> None:
        item = self.items[name]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=self.items[follower] if follower else None)

    # -- forks

    def forked(self, run: Callable[[], None], seconds: float) -> tuple[int, str]:
        """Run something in a child; gives its exit code (negative: a signal) and the test it says has failed."""
        ears, mouth = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.setsid()
                os.close(ears)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, seconds)
                resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.RLIM_INFINITY))
                self.told = mouth
                if seconds > 600:
                    self.told = -1
                run()
            except BaseException:
                os.write(mouth, traceback.format_exc()[-2000:].encode())
                os._exit(2)
            os._exit(0)
        os.close(mouth)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        with os.fdopen(ears, "rb") as said:
            name = said.read().decode()
        if status >> 8 == 2:
            raise RuntimeError(name)
        return os.waitstatus_to_exitcode(status), name

    # -- mutants

    def covering(self, change: Change) -> tuple[list[str], bool]:
        """The tests that call a changed function; any of its module if it runs on import; else all.

        First those that noticed other mutants of the module, then the quick ones that call little else. Also says
        whether they call it themselves.
        """
        found = [name for name, record in self.known.items() if not set(change.functions).isdisjoint(record.calls)]
        called = bool(found) and not change.imported
        if not called:
            module = f"{change.path}:"
            found = [n for n, record in self.known.items() if any(each.startswith(module) for each in record.calls)]
            found = found or [*self.known]  # nobody calls a module without functions
        chosen, total = [], 0.0
        lucky = self.lucky[change.path]
        cost = {name: self.known[name].seconds * len(self.known[name].calls) for name in found}
        for name in sorted(found, key=lambda name: (name not in lucky, cost[name])):
            total += self.known[name].seconds
            if total > self.budget and len(chosen) > 5:
                break
            chosen.append(name)
        return chosen, called

    def noticed(self, path: str, text: str) -> str:
        """Which test notices another text of a module, "" if none does."""
        change = Change.of(path, text)
        tests, called = self.covering(change)
        if called and not self.copies:

            def run() -> None:
                if not change.make():
                    os._exit(4)
                for name, follower in zip(tests, [*tests[1:], None], strict=True):
                    signal.setitimer(signal.ITIMER_REAL, 5 * self.known[name].seconds + PATIENCE)
                    self._run(name, follower)

            code, name = self.forked(run, 60)
            if code != 4:
                self.lucky[path] = [*{name, *self.lucky[path]}] if name else self.lucky[path]
                return name if code == 1 else "" if code == 0 else f"(ends with {code})"
        return on_copy(path, text, tests) if tests else ""


def on_copy(path: str, text: str, tests: list[str]) -> str:
    """Which test notices another text of a module, found in a process of its own on a copy of the source."""
    with patched(path, text) as source:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(ROOT / "tests")])}
        tests = [name for name in tests if not name.startswith("src/")]  # examples are those of the source itself
        if not tests:
            return ""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly", *tests]
        try:
            done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True, check=False,
                                  timeout=3 * BUDGET)  # fmt: skip
        except subprocess.TimeoutExpired:
            return "(takes too long)"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or ["(cannot be run)"])[0] if done.returncode else ""


@contextlib.contextmanager
def patched(path: str, text: str) -> Iterator[Path]:
    """A copy of the source in which a module has another text."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder, "scoref"), ignore=shutil.ignore_patterns("__pycache__"))
        Path(folder, "scoref", path).write_text(text, encoding="utf-8")
        yield Path(folder)


def with_forks(
    work: Callable[[Forks], None],
    folders: list[str],
    budget: float = BUDGET,
    copies: bool = False,
    fixed: bool = False,
) -> int:
    """Collect tests, and do some work with forks that can run them; without drawn examples if they are `fixed`."""
    ignored = [f"--ignore={ROOT}/tests/{name}" for name in WITHOUT]
    tests = [f"{ROOT}/tests/{name}" for name in folders] or [f"{ROOT}/tests", str(SOURCE)]  # and examples of docstrings
    plain = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "--hypothesis-seed=0"]
    return int(
        pytest.main([*plain, f"--rootdir={ROOT}", *ignored, *tests], plugins=[Forks(work, budget, copies, fixed)])
    )
