"""`score`: from files, documents, clusters or tables to an evaluation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from .. import processes
from ..formats import MOST
from ..problems import Error, Problems
from ..processes import Progress
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from ..tables.inputs import SUFFIXES, are_tables, given, is_pipe, refuse_mixed
from .request import Key, Request, Side, checked, opened
from .stages import Memo

if TYPE_CHECKING:
    from ..protocol.keywords import Drift, Ends, Engine, Keywords, OneSided, OnProblem


def score(
    key: Side | Key,
    response: Side | None = None,
    *,
    protocol: str | Protocol | None = None,
    metrics: Iterable[str] | None = None,
    format: str | None = None,
    ends: Ends = "inclusive",
    tokens: str | os.PathLike[str] | None = None,
    glob: str | None = None,
    marks: str | None = None,
    sentences: str | os.PathLike[str] | None = None,
    drift: Drift = "check",
    on_problem: OnProblem | None = None,
    max_size: int = MOST,
    jobs: int | None = 1,
    progress: Progress | None = None,
    settings: Iterable[str] = (),
    columns: str | Mapping[str, str] | None = None,
    engine: Engine = "auto",
    memory: str | None = None,
    temp: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    **more: Unpack[OneSided],
) -> Evaluation:
    """Score a response against a key.

    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["b3"])["b3"].recall
    1.0
    >>> score([[["a", "b"]], [["c", "d"]]], [[["a", "b"]], []], metrics=["muc"])["muc"].recall  # two documents
    0.5

    Args:
        key: the gold annotation: the path of a file or a folder, documents, clusters in any usual shape, a batch (a
            list of the clusters of each document, or a mapping from names to clusters), results of a model, or a table
            (a file, a frame of another library, `{mention: entity}`, arrays).
        response: the system's output, likewise; left out if the file of the key holds both sides, as JSON lines can.
        protocol: a preset (`"conll-2012"`), a signature, the path of a TOML file, or a `Protocol`. Without one, the
            official protocol of the files' format, and `conll-2012` for documents, clusters and tables.
        metrics: the metrics to report, as names or as a text with commas; `"all"` for all of them. Without them, those
            of the protocol.
        format: the name of the files' format; without it, it is found from their content.
        ends: whether `[3, 5]` of a JSON file includes word 5 (`"inclusive"`) or ends before it (`"exclusive"`).
        tokens: event nuggets: the folder of token tables.
        glob: of folders, read only files like this: `"*.conll"`.
        marks: running text: the style in which mentions are marked; without it, it is found.
        sentences: a file that lists the sentences that count, as ECB+ has it: topic, file and number with commas.
        drift: a text that has less than half of the key's words: an error (`"check"`), or scored (`"ignore"`).
        on_problem: `"raise"` stops at malformed input, as it does by default; `"skip"` leaves it out and lists it in
            `problems`. Answers of language models in which nothing can be read are counted, and stop with `"raise"`.
        max_size: how many bytes a packed file may be unpacked to.
        jobs: how many processes score large files; None for as many as pay. The result does not depend on it.
        progress: a function that is told what is done, how much of it, and of how much.
        settings: other settings to score as well, on the same documents: `["match:head,singletons:drop"]`. Their
            evaluations are in `settings` of the result.
        columns: tables: which column is the mention, the entity, the document; further ones are fields of documents.
        engine: tables: what counts them: `"numpy"`, `"duckdb"`, `"spark"`, or `"auto"` for what fits.
        memory: tables: how much memory DuckDB may take, like `"4GB"`.
        temp: tables: the folder where DuckDB puts what does not fit.
        resume: tables: a folder where DuckDB keeps finished stages; after a stop the same call goes on from them.
        **more: changes to the protocol, like `match="head"` or `singletons="drop"`; and `format`, `ends`, `marks`,
            `columns`, `tokens` and `glob` for one side, like `key_format="conll"` or `response_ends="exclusive"`.

    Returns:
        The evaluation: a mapping from metrics to scores, with signature, problems, breakdowns and tables.

    Raises:
        Error: if an input or an option cannot be used; `code`, `path` and `line` say what and where.
    """
    keywords: Keywords = {
        "protocol": protocol, "metrics": metrics, "format": format, "ends": ends, "tokens": tokens, "glob": glob,
        "marks": marks, "sentences": sentences, "drift": drift, "on_problem": on_problem, "max_size": max_size,
        "jobs": jobs, "progress": progress, "settings": settings, "columns": columns, "engine": engine,
        "memory": memory, "temp": temp, "resume": resume, **more,
    }  # fmt: skip
    return scored(Request.of(key, response, keywords))


def scored(request: Request) -> Evaluation:
    """The evaluation that was asked for; a wrong option is refused before any file is read."""
    problems = Problems(request.on_problem)
    request.variants(asked := request.chosen())
    sides = request.key.side, request.response
    paths = [os.fspath(side) for side in sides if isinstance(side, str | os.PathLike)]
    named = any(how.format == "table" for how in request.reading)
    if (named or not _are_texts(paths)) and are_tables(sides, request.reading):
        return _scored_tables(request, asked)
    if request.jobs != 1 and len(paths) > 1 and _are_large(paths, request.jobs):
        from .parts import scored_in_parts

        if (whole := scored_in_parts(request, asked, paths[0], paths[1])) is not None:
            return whole
    pairs, protocol = opened(request, problems, asked=asked)
    memo = Memo()
    others = {
        setting: checked(pairs, variant, Problems(request.on_problem), request.progress, memo)
        for setting, variant in request.variants(protocol).items()
    }
    result = checked(pairs, protocol, problems, request.progress, memo)
    return replace(result, settings=others) if others else result


def _are_texts(paths: list[str]) -> bool:
    """Whether both sides are files whose endings are not those of tables; anything else has to be opened to know."""
    names = [path.lower().removesuffix(".gz") for path in paths if os.path.isfile(path)]
    return len(names) == 2 and not any(name.endswith((*SUFFIXES,)) for name in names)


def _are_large(paths: list[str], jobs: int | None) -> bool:
    """Whether several processes may be worth it: not for two small files."""
    sizes = [os.path.getsize(path) for path in paths if os.path.isfile(path)]
    small = sum(sizes) < processes.LEAST or processes.process_count(sum(sizes), jobs) < 2
    return len(sizes) < 2 or not small


def _scored_tables(request: Request, protocol: Protocol) -> Evaluation:
    """The evaluation of two tables, and those of other settings on them."""
    from ..tables.run import evaluate

    key = request.key
    if request.sentences:
        raise Error("no-sentences", "tables have no sentences", remedy="leave --sentences out")
    refuse_mixed((key.side, request.response), request.reading)
    if is_pipe(key.side):
        key.side = given(key.side, "key")
    response = given(request.response, "response")
    result, *others = (
        evaluate(key.side, response, each, Problems(request.on_problem), request.tables, request.progress)
        for each in (protocol, *request.variants(protocol).values())
    )
    return replace(result, settings=dict(zip(request.settings, others, strict=True))) if others else result
