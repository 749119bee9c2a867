"""The function `explain`: from files, documents or an evaluation to an explanation."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Unpack

from ..layout.grid import Grid
from ..problems import Error, Problems
from ..protocol.choices import listed_settings, setting
from ..protocol.keywords import Inputs, Keywords, OnProblem
from ..protocol.metric_names import layer_metrics, listed
from ..relations.registry import on_table, split_name
from ..results import saved
from ..results.averages import parts as parts_of
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..run.request import Request, Side, checked, opened
from ..run.stages import Memo
from ..tables.inputs import TABLES
from .effects import NONE, effects, parts, reason
from .experiments import Experiments, main_metric
from .explanation import Explanation, Why
from .fits import GivenNumber, Numbers, fits, parsed_numbers
from .tools import ToolScores, rows, scored_row, tool
from .wording import joined


def explain(
    key: Side | Evaluation,
    response: Side | None = None,
    *,
    like: str | None = None,
    number: Numbers | None = None,
    numbers: Numbers | None = None,
    metrics: Iterable[str] | None = None,
    on_problem: OnProblem | None = None,
    jobs: int | None = 1,
    settings: Iterable[str] = (),
    **keywords: Unpack[Inputs],
) -> Explanation:
    """Why other tools and other settings give other numbers for a key and a response.

    `like` names a tool, a preset or a signature to compare with. `number` is one number that somebody has, or several,
    like `{"conll": 64.21, "muc.recall": 61.4}`, for which the settings are found that print them; `64.21` alone is the
    f1 of any metric (`numbers`, its former name, is deprecated). Instead of key and response, an evaluation will do, a
    file that has both, or a saved one as far as its sums allow. Further keywords are those of `score`.

    >>> found = explain("examples/tales/key.conll", "examples/tales/rules.conll", number={"conll": 64.21})
    >>> [fit.name for fit in found.fits.found if not fit.further]
    ['e2e']
    """
    if numbers is not None:
        warnings.warn("explain: write number= instead of numbers=", DeprecationWarning, stacklevel=2)
    asked = parsed_numbers(numbers if number is None else number)
    settings = listed_settings(settings)
    memo = Memo()
    if isinstance(key, Evaluation):
        yours = key
    elif response is None and isinstance(key, str | os.PathLike) and saved.is_saved(os.fspath(key)):
        yours = _loaded(os.fspath(key), keywords)
    else:
        problems = Problems(on_problem)
        further: Keywords = {"metrics": metrics, "on_problem": on_problem, "jobs": jobs, "settings": settings}
        request = Request.of(key, response, {**keywords, **further}).with_documents()
        pairs, chosen = opened(request, problems)
        yours = checked(pairs, chosen, problems, request.progress, memo)
    columns = [*_metrics(yours, metrics), *(number.metric for number in asked if number.metric)]
    main = asked[0].metric if asked else ""
    if metrics is not None or all(number.metric for number in asked):
        return _explained(Experiments(yours, _unique(columns), memo, main), like, asked, settings)
    experiments = Experiments(yours, _unique([*columns, *_every_metric(yours)]), memo, main or main_metric(columns))
    return replace(_explained(experiments, like, asked, settings), columns=_unique(columns))


def tools_grid(evaluation: Evaluation) -> Grid:
    """What other tools print for the documents of an evaluation, as a table; without rows if there are none."""
    metrics = _metrics(evaluation, None)
    if not all(on_table(split_name(metric)[1]) for metric in metrics):
        return Grid("", (), [])
    experiments = Experiments(evaluation, metrics)
    yours, others, missing = rows(experiments)
    names = experiments.metrics, experiments.metric, experiments.facts
    found = Explanation(yours, tuple(others), missing, (), {}, *names).grid()
    said = [", ".join(row.tools) or row.name for row in (yours, *others)]
    hows = [evaluation.protocol.name, *(row.how for row in others)]
    cells = [(*row, how, tools) for row, how, tools in zip(found.rows, hows, said, strict=True)]
    return Grid("", ("scores like", *found.header[1:], "how", "tools"), cells)


def _loaded(path: str, keywords: Inputs) -> Evaluation:
    """A saved evaluation; keywords that would score it otherwise are refused."""
    unread = ("ends", "drift", "progress", "max_size", "columns", *TABLES)  # about reading files, and always passed
    given = [name for name, value in keywords.items() if name not in unread and value is not None]
    if given:
        raise Error("saved-evaluations", f"a saved evaluation cannot be scored with another {', '.join(given)}",
                    path=path, remedy="score the files again")  # fmt: skip
    return saved.load(path)


def _metrics(yours: Evaluation, metrics: Iterable[str] | None) -> tuple[str, ...]:
    """The metrics that are shown: those asked for, else the protocol's on coreference."""
    if metrics is not None:
        return listed(metrics)
    known = [metric for metric in yours.protocol.metrics if on_table(split_name(metric)[1])]
    return tuple(metric for metric in known if split_name(metric)[1] != "mentions") or yours.protocol.metrics


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _every_metric(yours: Evaluation) -> list[str]:
    """The metrics that an unnamed number may belong to: all that can be scored, or made from saved sums."""
    found = []
    for name in (*yours.protocol.metrics, *layer_metrics(yours.protocol.reading.layer, every=True)):
        try:
            needed = required(yours.protocol.change(metrics=(name,)))
        except Error:  # not defined with these choices
            continue
        if yours.has_evidence or all(each in yours.counts for each in needed):
            found.append(name)
    return found


def _explained(
    experiments: Experiments, like: str | None, numbers: Sequence[GivenNumber], settings: Sequence[str]
) -> Explanation:
    yours, others, missing = rows(experiments)
    for name in settings:
        protocol = experiments.protocol.change(**setting(name))
        others.append(scored_row(experiments, name, (), "your setting", protocol))
    others.sort(key=lambda row: -row.difference)
    asked = None
    if like is not None:
        asked = tool(experiments, like)
        others = [*(each for each in others if each.name != asked.name), asked]
    found = effects(experiments)
    why = {row.name: _why(experiments, row) for row in ([asked] if asked else others)}
    fitting = fits(experiments, numbers, [yours, *others], found) if numbers else None
    return Explanation(
        yours, tuple(others), missing, tuple(found), why, experiments.metrics, experiments.metric, experiments.facts,
        asked and asked.name, tuple(numbers), fitting, experiments.yours.problems, experiments.saved,
    )  # fmt: skip


def _why(experiments: Experiments, row: ToolScores) -> Why:
    """For each metric, the part of each choice in the difference, and the reason."""
    metrics = experiments.metrics
    try:
        found = parts(experiments, row.protocol)
    except Error as error:
        return Why(row, {}, dict.fromkeys(metrics, error.problem.message))
    kept = {choice: dict(zip(metrics, each.tolist(), strict=True)) for choice, each in found.items()}
    single = [metric for metric in metrics if not parts_of(metric)] or metrics
    reasons = {}
    for metric in single:
        moving = [choice for choice, each in kept.items() if abs(each[metric]) >= NONE]
        reasons[metric] = joined(reason(experiments, choice, row.protocol, metric) for choice in moving)
    return Why(row, kept, reasons)
