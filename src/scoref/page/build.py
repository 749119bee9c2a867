"""One HTML page to look at: scores, what went wrong, and every text with its mentions.

The page is one file: style and scripts are in it. Its data are compressed JSON, an overview and a part for each
document, which the browser unpacks when the document is shown. Text from files is never interpreted as HTML.

A text is shown as *units*: its words and empty nodes. A mention is the number of its entity and the first and last unit
of each of its pieces; a mention without a position has no pieces. Columns of such numbers are stored as letters: see
`lettered.py`.
"""

from __future__ import annotations

import html
import json
import os
import zlib
from base64 import b64encode
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Unpack

from ..formats import save
from ..layout.render import Json
from ..problems import Error
from ..processes import Progress, reported
from ..protocol.keywords import Keywords
from ..results.evaluation import Evaluation
from ..results.scores import SEED, UNIT
from ..run.request import Key, Request, Side
from ..run.score import scored
from ..statistics.agreement import Agreement
from ..statistics.comparison import Comparison
from ..statistics.samples import Testing, checked_sample, with_intervals
from ..statistics.systems import compared, named_systems
from .annotators import Annotators, in_their_words, pairs_of, places_of
from .changes import changes_in, changing
from .diagnosis import diagnosis, differences
from .documents import SystemTexts, chunk
from .findings import Findings, coloured, rounded
from .legible import legible
from .losses import losses_of, slice_table
from .neutral import Neutral
from .overview import error_table, headline, overview_of, shared_entities, tangle_table
from .texts import text_of

_ASSETS = Path(__file__).parent / "assets"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LEVEL = 4  # of compression: twice as fast as the usual 6, and pages are only 5 % larger
_SCRIPTS = (
    "core.js", "addresses.js", "words.js", "export.js", "table.js", "model.js", "lanes.js", "looks.js", "labels.js",
    "text.js", "blocks.js", "looking.js", "answer.js", "document.js", "rivals.js", "arcs.js", "timeline.js",
    "sentences.js", "panel.js", "notes.js", "tangles.js", "errors.js", "losses.js", "slices.js", "search.js",
    "listing.js", "overview.js", "compare.js", "annotators.js", "decisions.js", "assign.js", "counting.js",
    "averages.js", "edits.js", "edited.js", "writing.js", "bench.js", "workbench.js", "changes.js", "main.js",
)  # fmt: skip

Resampled = tuple[int | None, int, str]  # trials, seed, unit


def page(
    systems: Mapping[str, Evaluation], comparison: Comparison | None = None, neutral: Annotators | None = None, *,
    intervals: Resampled | None = None, progress: Progress | None = None,
) -> str:  # fmt: skip
    """The HTML of the page for evaluations of one key. `neutral` is given for pairs of annotators.

    `intervals` says how evaluations without intervals get them.
    """
    if not systems:
        raise Error("no-system", "there is nothing to show", expected="at least one response")
    evaluations = list(systems.values())
    for sums_only in (each.source for each in evaluations if not each.has_evidence):
        sums_only.evidence("no-texts")  # raises an error that says why
    documents = evaluations[0].names
    if any(each.names != documents for each in evaluations):
        raise Error("other-documents", "the systems were not scored on the same documents")
    found = [Findings(each, compared=len(evaluations) > 1) for each in evaluations]
    coloured(found)
    digits = rounded(found)
    pairs = neutral.pairs if neutral else ()
    overview, further = _whole(systems, comparison, intervals, found, digits, pairs, progress)  # needs most memory
    tables = _tables(found)
    parts, lengths, places = [], [], list[Json]()
    every = [SystemTexts(*each) for each in zip(evaluations, found, strict=True)]
    for number in reported(range(len(documents)), "documents on the page", progress):
        text = text_of([each.evidence.aligned[number][:2] for each in evaluations])
        data = chunk(number, text, every)
        if not neutral:
            data["changes"] = changes_in(number, text, evaluations)
        parts.append(_packed(f"document-{number}", data, str))  # words stay
        lengths.append(text.length)
        places += places_of(neutral.curation.merged[number], number, text) if neutral else []
    sizes = [len(key.mentions) for key, _, _ in evaluations[0].evidence.aligned]
    overview |= {"documents": [*zip(documents, lengths, sizes, strict=True)], "digits": digits}
    overview["changing"] = [] if neutral else [*map(changing, evaluations)]
    title = f"{overview['key']}: {', '.join(systems)}" if overview["key"] else ", ".join(systems)
    if neutral:
        overview["neutral"] = neutral.table
        title = in_their_words(overview["systems"], neutral.pairs)
        tables.append(_packed("places", places))
    filling = {
        "TITLE": [html.escape(legible(f"{title or 'report'} – scoref"))],
        "STYLE": [asset("style.css"), asset("answer.css")],
        "SCRIPT": ["\n".join(map(asset, _SCRIPTS))],
        "DATA": [_packed("overview", overview), *parts, *tables, *further],
    }
    pieces = asset("page.html").split("%%")  # text and names of placeholders take turns
    return "".join([line for at, piece in enumerate(pieces) for line in (filling[piece] if at % 2 else [piece])])


def _tables(found: Sequence[Findings]) -> list[str]:
    """The tables of all errors, and those of tangles and entities, packed."""
    identities: dict[Hashable, int] | None = {} if len(found) > 1 else None
    packed = []
    for number, each in enumerate(found):
        packed.append(_packed(f"errors-{number}", error_table(each, identities)))
        packed.append(_packed(f"tangles-{number}", tangle_table(each)))
        packed += [_packed(f"entities-{number}", shared_entities(each))] if each.shared else []
    return packed


def _whole(
    systems: Mapping[str, Evaluation], comparison: Comparison | None, intervals: Resampled | None,
    found: Sequence[Findings], digits: int, pairs: Sequence[Neutral], progress: Progress | None,
) -> tuple[Json, list[str]]:  # fmt: skip
    """The part on the whole corpus: the overview, without the list of documents, and packed losses.

    `digits` are those of costs, `pairs` the words of annotators.
    """
    if intervals:
        systems = {name: with_intervals(each, *intervals, progress) for name, each in systems.items()}
    packed: list[str] = []
    overview = overview_of(systems, found, comparison)
    words: Sequence[Neutral | None] = pairs or [None] * len(found)
    every = zip(systems.values(), found, overview["systems"], words, strict=True)
    lost = []
    for number, (evaluation, each, shown, pair) in enumerate(every):
        losses = losses_of(evaluation, each, pair)
        shown["diagnosis"] = diagnosis(evaluation, each, headline(evaluation, each), losses, digits, pair)
        shown["slices"] = slice_table(losses)
        packed += [] if isinstance(losses, str) else [_packed(f"losses-{number}", losses.to_dict())]
        lost.append(losses)
    overview["differences"] = [] if pairs else differences(systems, lost)
    return overview, packed


def report(
    key: Side, systems: Side | Mapping[str, Side], path: str | os.PathLike[str] | None = None, *,
    trials: int | None = None, seed: int = SEED, unit: str = UNIT, **keywords: Unpack[Keywords],
) -> str:  # fmt: skip
    """The page of one response, or of several by name, with intervals and tests; written to `path` if one is given.

    Further keywords are those of `score`.
    >>> report("examples/key.conll", {"rules": "examples/response.conll"}, metrics=["conll"])[:15]
    '<!DOCTYPE html>'
    """
    responses = named_systems(systems) if isinstance(systems, Mapping) else {"response": systems}
    request = Request.of(key, None, keywords)
    key, *sides = request.documents([key, *responses.values()])
    named = dict(zip(responses, sides, strict=True))
    request = request._replace(key=Key(key), jobs=1)  # one process, as documents are needed, not sums only
    if len(named) > 1:
        comparison = compared(request, named, Testing(trials, seed, unit))
        text = page(comparison.systems, comparison, progress=request.progress)
    else:
        evaluations = {name: scored(request._replace(response=side)) for name, side in named.items()}
        for each in evaluations.values():
            checked_sample([each], unit, trials, seed)  # refuses bad values before the work
        text = page(evaluations, intervals=(trials, seed, unit), progress=request.progress)
    if path is not None:
        save(text, os.fspath(path))
    return text


@cache
def asset(name: str) -> str:
    """The text of a file that pages are made of."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def _packed(name: str, value: object, shown: Callable[[str], str] = legible) -> str:
    """A value packed for the browser: compressed JSON in base64, which needs no escapes in HTML."""
    text = shown(_ENCODER.encode(value)).encode("utf-8", "replace")
    data = b64encode(zlib.compress(text, _LEVEL)).decode("ascii")
    return f'<script type="application/octet-stream" id="{name}">{data}</script>\n'


def agreement_page(agreement: Agreement) -> str:
    """The page of annotators: how far they agree, every pair in every text, and the places on which somebody decides.

    >>> import scoref
    >>> agreement_page(scoref.agreement([[["a", "b"]], [["a"], ["b"]]]))[:15]
    '<!DOCTYPE html>'
    """
    systems, annotators = pairs_of(agreement)
    return page(systems, neutral=annotators)
