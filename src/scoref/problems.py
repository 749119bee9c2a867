"""What can be wrong with input, how it is reported, and whether it stops the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from .values import NamedTuple

_LONGEST = 1500  # characters of a line
HELP = "see docs/looks-wrong.md"  # the remedy for scores that look implausible


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input, with its place and what to do about it.

    A *fatal* problem means that a part of the input was not understood; the others (duplicate mentions, documents
    missing from the response) have a defined meaning, and are only reported.
    """

    code: str
    message: str
    path: str | None = None
    line: int | None = None
    document: str | None = None
    text: str | None = None
    expected: str | None = None
    remedy: str | None = None
    fatal: bool = True

    @property
    def place(self) -> str:
        """File, line, text and document, as far as they are known."""
        line = "" if self.line is None else f":{self.line}" if self.path else f"line {self.line}"
        text = "" if self.text is None else f'"{short(self.text)}"'
        document = f"document {short(self.document)}" if self.document else ""
        return ", ".join(filter(None, ((self.path or "") + line, text, document)))

    def __str__(self) -> str:
        facts = ("where", self.place), ("expected", self.expected), ("you can", self.remedy)
        lines = [f"  {label:<9} {bounded(value)}" for label, value in facts if value]
        return "\n".join([f"{bounded(self.message)}  [{self.code}]", *lines])

    def to_dict(self) -> dict[str, str | int | bool]:
        """The fields that are known, for JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def bounded(text: str) -> str:
    """The text on one line, shortened if it is long: text from a file cannot pass for a line of our output."""
    text = "\\n".join(text.splitlines()) or text
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


def short(text: str, most: int = 60) -> str:
    """The text, or its beginning if it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."


class Error(Exception):
    """Input or a setting that cannot be used.

    `code` is a short stable name for the kind of error, `path` the file and `line` the line in it, from 1, if there are
    any; `problem` says the rest.

    >>> error = Error("empty-file", "the file is empty", path="dev.conll")
    >>> print(error)
    the file is empty  [empty-file]
      where     dev.conll
    >>> error.code, error.path, error.line
    ('empty-file', 'dev.conll', None)
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        document: str | None = None,
        text: str | None = None,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.problem = Problem(code, message, path, line, document, text, expected, remedy)
        self.code, self.path, self.line = code, path, line
        super().__init__(str(self.problem))

    @classmethod
    def of(cls, problem: Problem) -> Error:
        """The error that says what `problem` says."""
        return cls(**{name: value for name, value in problem.__dict__.items() if name != "fatal"})

    def __reduce__(self) -> tuple[object, ...]:
        return (Error.of, (self.problem,))


class Problems:
    """Where every stage reports what it finds.

    Under the policy `raise` the first fatal problem is raised as an `Error`. Under `skip` all problems are collected,
    and the caller goes on without the part that was not understood. Without any the policy is `raise`, but not
    `strict`: answers of language models in which nothing can be read are counted, not refused.

    >>> problems = Problems("skip")
    >>> problems.add(Problem("empty-file", "the file is empty"))
    >>> [problem.code for problem in problems.found]
    ['empty-file']
    """

    def __init__(self, policy: str | None = None) -> None:
        if policy not in (None, "raise", "skip"):
            raise Error("unknown-policy", f"no policy '{policy}'", expected="raise or skip")
        self.policy = policy or "raise"
        self.strict = policy == "raise"
        self.found: list[Problem] = []

    def add(self, problem: Problem) -> None:
        """Report one problem."""
        if problem.fatal and self.policy == "raise":
            raise Error.of(problem)
        if problem.text is not None and len(problem.text) > _LONGEST:
            problem = replace(problem, text=bounded(problem.text))  # thousands of them may be kept
        self.found.append(problem)


class Reporter(NamedTuple):
    """Reports problems of one file or document, and fills in their place and the usual remedy.

    Calling it reports a problem; `problem` and `error` only create the value, to be collected or raised later.

    >>> report = Reporter(Problems("skip"), "dev.conll", remedy="fix the file")
    >>> report.of("bn_01")("bad-row", "a row that lacks something", 12, "a b", "three cells")
    >>> print(report.problems.found[0])
    a row that lacks something  [bad-row]
      where     dev.conll:12, "a b", document bn_01
      expected  three cells
      you can   fix the file
    >>> report.error("no-document", "no document in this file", remedy="").problem.remedy is None
    True
    """

    problems: Problems
    path: str | None
    document: str | None = None
    remedy: str | None = None

    def of(self, document: str | None) -> Reporter:
        """A reporter for that document of the file."""
        return self._replace(document=document)

    def __call__(
        self,
        code: str,
        message: str,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        *,
        remedy: str | None = None,
        fatal: bool = True,
    ) -> None:
        """Report a problem; its remedy is the usual one unless another is given, '' for none."""
        self.problems.add(self.problem(code, message, line, text, expected, remedy=remedy, fatal=fatal))

    def problem(
        self,
        code: str,
        message: str,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        *,
        remedy: str | None = None,
        fatal: bool = True,
    ) -> Problem:
        """A problem of this file or document."""
        remedy = (self.remedy if remedy is None else remedy) or None
        return Problem(code, message, self.path, line, self.document, text, expected, remedy, fatal)

    def error(
        self,
        code: str,
        message: str,
        line: int | None = None,
        text: str | None = None,
        expected: str | None = None,
        *,
        remedy: str | None = None,
    ) -> Error:
        """The error to raise, whatever the policy, when the rest of the file cannot be used."""
        return Error.of(self.problem(code, message, line, text, expected, remedy=remedy))


def left_out(problems: Sequence[Problem]) -> dict[str, int]:
    """How many problems of each kind made `--on-problem skip` leave something out; empty if nothing was malformed.

    Documents missing from the response are counted too, but only where something else was malformed.

    >>> found = [Problem("missing-end", "a document without its end"), Problem("missing-document", "", fatal=False)]
    >>> left_out(found), left_out(found[1:])
    ({'missing-end': 1, 'missing-document': 1}, {})
    """
    if not any(problem.fatal for problem in problems):
        return {}
    return dict(Counter(each.code for each in problems if each.fatal or each.code == "missing-document"))


def by_kind(problems: Sequence[Problem]) -> list[str]:
    """A line for each kind of problem: how many there are, and the first one."""
    lines = []
    for code, count in Counter(problem.code for problem in problems).items():
        first = next(problem for problem in problems if problem.code == code)
        place = f" ({first.place})" if first.place else ""
        lines.append(bounded(f"{count} × {code}: {first.message}{place}{f'; {HELP}' * (first.remedy == HELP)}"))
    return lines


def varied(problems: Sequence[Problem], most: int) -> list[Problem]:
    """Some of the problems, in their order: the first of each kind, then the first ones.

    >>> [each.message for each in varied([Problem(*each) for each in ("aA", "aB", "aC", "bD")], 3)]
    ['A', 'B', 'D']
    """
    seen: Counter[str] = Counter()
    order = []
    for place, problem in enumerate(problems):
        order.append((seen[problem.code], place))
        seen[problem.code] += 1
    return [problems[place] for _, place in sorted(sorted(order)[:most], key=lambda each: each[1])]
