"""One HTML page to look at: scores, what went wrong, and every text with its mentions.

The page is one file: style and scripts are in it. Its data are compressed JSON, an overview and a part for each
document, which the browser unpacks when the document is shown. Text from files is never read as markup.

A text is shown as *units*: its words and empty nodes; positions are those of units. A mention is the number of its
entity and the first and last unit of each of its pieces; an opaque one has no pieces.
"""

from __future__ import annotations

import html
import json
import math
import os
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from ..errors.analysis import Analysis
from ..errors.changes import changes
from ..errors.mistakes import KINDS, CoreferenceError, Place
from ..errors.nuggets import STATUSES
from ..exceptions import Error
from ..explanation.explain import tools_grid
from ..formats import save
from ..layout import grid
from ..model import Document, Mention
from ..scoring.evaluation import Evaluation
from ..scoring.evidence import Trace
from ..scoring.keywords import Keywords
from ..scoring.parallel import Progress, reported
from ..scoring.scorer import Side, score
from ..statistics.comparison import Comparison
from ..statistics.systems import SEED, UNIT, compare, with_intervals
from .texts import Text, rename, text_of

_PARTS = Path(__file__).parent / "assets"
_SCRIPTS = ("core.js", "table.js", "text.js", "document.js", "panel.js", "overview.js", "main.js")
Json = dict[str, Any]


def page(systems: Mapping[str, Evaluation], comparison: Comparison | None = None, neutral: str | None = None,
         progress: Progress | None = None) -> str:  # fmt: skip
    """The whole page: evaluations of one key. `neutral` is the first annotator, where nobody is the key."""
    if not systems:
        raise Error("no-system", "there is nothing to show", expected="at least one response")
    evaluations = list(systems.values())
    for trace in (each.source for each in evaluations if isinstance(each.source, Trace) and each.source.again is None):
        raise Error("no-texts", trace.reason, remedy=trace.remedy)
    documents = evaluations[0].names
    if any(each.names != documents for each in evaluations):
        raise Error("other-documents", "the systems were not scored on the same documents")
    found = [_findings(each) for each in evaluations]
    texts = [text_of([each.evidence.aligned[number][:2] for each in evaluations]) for number in range(len(documents))]
    each = enumerate(reported(texts, "documents on the page", progress))
    chunks = [_packed(f"document-{number}", _chunk(number, text, evaluations, found)) for number, text in each]
    overview = _overview(systems, found, texts, comparison) | {"neutral": neutral}
    title = f"{overview['key']}: {', '.join(systems)}" if overview["key"] else ", ".join(systems)
    title = rename(overview["systems"], neutral) if neutral else title
    values = {
        "TITLE": html.escape(f"{title or 'report'} – scoref"),
        "STYLE": _part("style.css"),
        "SCRIPT": "\n".join(map(_part, _SCRIPTS)),
        "DATA": "\n".join([_packed("overview", overview), *chunks]),
    }
    return _filled(values)


def report(
    key: Side, systems: Side | Mapping[str, Side], path: str | os.PathLike[str] | None = None, *,
    trials: int | None = None, seed: int = SEED, unit: str = UNIT, **keywords: Unpack[Keywords],
) -> str:  # fmt: skip
    """The page of one response, or of several by name, with intervals and tests; written to `path` if one is given.

    Further keywords are those of `score`.
    >>> report("examples/key.conll", {"rules": "examples/response.conll"}, metrics=["conll"])[:15]
    '<!DOCTYPE html>'
    """
    named = systems if isinstance(systems, Mapping) else {"response": systems}
    how, progress = (trials, seed, unit), keywords.get("progress")
    if len(named) > 1:
        comparison = compare(key, named, trials=trials, seed=seed, unit=unit, **keywords)
        text = page(comparison.systems, comparison, progress=progress)
    else:
        scored = {name: score(key, each, **(keywords | {"jobs": 1})) for name, each in named.items()}
        made = {name: with_intervals(each, *how, progress) for name, each in scored.items()}
        text = page(made, progress=progress)
    if path is not None:
        save(text, os.fspath(path))
    return text


def _filled(values: Mapping[str, str]) -> str:
    """The template with its placeholders filled; inserted text is not searched for placeholders."""
    pieces = _part("page.html").split("%%")
    return "".join(values[piece] if number % 2 else piece for number, piece in enumerate(pieces))


@cache
def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _packed(name: str, value: Json) -> str:
    """JSON as the browser unpacks it: compressed, in base64, which needs no escapes in HTML."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    data = b64encode(zlib.compress(text.encode("utf-8", "replace"), 6)).decode("ascii")
    return f'<script type="application/octet-stream" id="{name}">{data}</script>'


# -- what went wrong -------------------------------------------------------------------------------------------------


class _Findings(NamedTuple):
    """What went wrong in an evaluation, ready for JSON, and what entities count.

    An error is the number of its kind, its mentions (side, index), and its anchor, or None; `costs` gives for a kind
    what is gained by repairs.
    """

    analysis: Analysis
    kinds: tuple[str, ...]
    errors: list[list[list[Any]]]
    costs: dict[str, Any]
    entities: tuple[_Counts, _Counts]


def _findings(evaluation: Evaluation) -> _Findings:
    analysis = Analysis(evaluation)
    kinds = analysis.kinds
    place = {kind: number for number, kind in enumerate(kinds)}
    errors: list[list[list[Any]]] = [[] for _ in evaluation.evidence.aligned]
    for mistake in sorted(analysis.mistakes(), key=lambda mistake: place[mistake.kind]):
        home = mistake.mentions[0].number
        anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
        mentions = [_reference(each, evaluation) for each in mistake.mentions if each.number == home]
        beside = _reference(anchor, evaluation) if anchor and anchor.number == home else None
        if all(mentions):
            errors[home].append([place[mistake.kind], mentions, beside])
    costs = {cost.kind: cost for cost in analysis.costs()} if KINDS[0] in place else {}
    entities = _counts(evaluation, 0), _counts(evaluation, 1)
    return _Findings(analysis, kinds, errors, costs, entities)


def _reference(place: Place, evaluation: Evaluation) -> list[int] | None:
    """The side of a mention and its index among those that were scored; none for one that was only read."""
    side = int(place.side == "response")
    key, response, _ = evaluation.evidence.aligned[place.number]
    scored = (key, response)[side]
    if place.document is scored:
        return [side, place.index]
    same = (number for number, mention in enumerate(scored.mentions) if mention[:3] == place.mention[:3])
    found = next(same, None)
    return None if found is None else [side, found]


# -- overview --------------------------------------------------------------------------------------------------------


def _overview(
    systems: Mapping[str, Evaluation],
    found: Sequence[_Findings],
    texts: Sequence[Text],
    comparison: Comparison | None,
) -> Json:
    first = next(iter(systems.values()))
    metric = found[0].analysis.metric or first.protocol.metrics[0]
    return {
        "key": _key_name(first),
        "metric": metric,
        "ruler": _ruler(first),
        "kinds": found[0].kinds,
        "nuggets": bool(first.nuggets()),
        "documents": [
            [name, text.length, len(pair[0].mentions)]
            for name, text, pair in zip(first.names, texts, first.evidence.aligned, strict=True)
        ],
        "systems": [
            _system(name, each, findings, metric) for (name, each), findings in zip(systems.items(), found, strict=True)
        ],
        "changes": [_changes(found[0], each) for each in found[1:]],
        "comparison": _comparison(comparison) if comparison else None,
    }


def _ruler(evaluation: Evaluation) -> str:
    """The metric that says what an entity costs."""
    names = list(evaluation.evidence.entity_counts)
    return "b3" if "b3" in names else names[0] if names else ""


def _key_name(evaluation: Evaluation) -> str:
    """The file of the key, or the folder of its files."""
    sources = {document.source for document, _, _ in evaluation.evidence.aligned if document.source}
    if not sources:
        return ""
    try:
        return os.path.basename(os.path.commonpath(sources)) or "key"
    except ValueError:  # on several drives, or some relative
        return os.path.basename(min(sources))


def _system(name: str, evaluation: Evaluation, found: _Findings, metric: str) -> Json:
    counts = [Counter(error[0] for error in errors) for errors in found.errors]
    total = sum(counts, Counter[int]())
    gains = {kind: (cost.alone.get(metric), cost.together.get(metric)) for kind, cost in found.costs.items()}
    intervals = evaluation.intervals
    return {
        "name": name,
        "scores": [[metric, *map(_rounded, score)] for metric, score in evaluation.scores.items()],
        "intervals": (
            {name: [[_rounded(end) for end in ends] for ends in each] for name, each in intervals.scores.items()}
            if intervals and intervals.scores
            else None
        ),
        "settings": [
            [name, {metric: _rounded(score.f1) for metric, score in each.scores.items()}]
            for name, each in evaluation.settings.items()
        ],
        "notes": [note for note in evaluation.notes() if not note.startswith("signature ")],
        "problems": evaluation.problem_notes(),
        "signature": evaluation.signature,
        "errors": [[kind, total[number], *gains.get(kind, (None, None))] for number, kind in enumerate(found.kinds)],
        "found": sum(row.status == STATUSES[0] for row in found.analysis.nuggets),
        "tools": _grid(tools_grid(evaluation)),
        "views": [_grid(view) for view in found.analysis.views()],
        "documents": [
            [f1, len(pair[1].mentions), *(count[number] for number in range(len(found.kinds)))]
            for f1, pair, count in zip(
                _by_document(evaluation, metric), evaluation.evidence.aligned, counts, strict=True
            )
        ],
    }


def _changes(before: _Findings, after: _Findings) -> list[list[int]]:
    """For each document how many errors of the first system another one has fixed, and how many are new."""
    counts = [[0, 0] for _ in before.errors]
    for status, error in changes(before.analysis, after.analysis):
        counts[error.mentions[0].number][status != "fixed"] += 1
    return counts


def _by_document(evaluation: Evaluation, metric: str) -> list[float | None]:
    """The f1 of each document; none where entities live in several of them."""
    if len(evaluation.evidence.aligned) > len(evaluation.documents):
        return [None] * len(evaluation.evidence.aligned)
    scores = evaluation.by_document()
    return [_rounded(scores[name][metric].f1) for name in evaluation.documents]


def _rounded(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def _comparison(comparison: Comparison) -> Json:
    tests = comparison.tests_grid()
    pairs = {(test.a, test.b) for test in comparison.tests}
    if len(pairs) == 1:  # no need to name the two in every row
        a, b = pairs.pop()
        rows = [(row[0], *row[3:]) for row in tests.rows]
        tests = grid.Grid(f"{b} − {a}", (tests.header[0], *tests.header[3:]), rows)
    return {
        "scores": _grid(comparison.scores_grid()),
        "tests": _grid(tests),
        "notes": [note for note in comparison.notes() if not note.startswith("signature ")],
    }


def _grid(table: grid.Grid) -> Json:
    """A table: of numbers the value to sort by, how it is shown, and a mark behind it."""
    shown = table.shown(lambda mark: "")
    rows = [[_cell(cell, text) for cell, text in zip(*row, strict=True)] for row in zip(table.rows, shown, strict=True)]
    return {"title": table.title, "header": list(table.header), "rows": rows}


def _cell(cell: grid.Cell, shown: str) -> Any:
    if cell is None or isinstance(cell, str):
        return cell
    value, mark = (cell.value, cell.mark) if isinstance(cell, grid.Number) else (cell, "")
    return [_rounded(value), shown, mark] if mark else [_rounded(value), shown]


# -- documents -------------------------------------------------------------------------------------------------------


def _chunk(number: int, text: Text, evaluations: Sequence[Evaluation], found: Sequence[_Findings]) -> Json:
    """All that is shown of a document; key sides that are the same in several evaluations are there once."""
    keys: list[tuple[Document, Json]] = []
    systems = []
    for evaluation, findings in zip(evaluations, found, strict=True):
        key, response, lookups = evaluation.evidence.aligned[number]
        home = evaluation.evidence.homes[number]
        read = evaluation.evidence.pairs[number]
        same = [place for place, (other, _) in enumerate(keys) if other is key or other.mentions == key.mentions]
        if not same:
            keys.append((key, _side(key, read.key, text)))
        which = same[0] if same else len(keys) - 1
        side = _side(response, read.response, text)
        twins = [-1] * len(response.mentions)
        for ours, theirs in zip(lookups.recall.key, lookups.recall.response, strict=True):
            twins[theirs] = ours
        systems.append(
            {
                "key": which,
                "response": side,
                "twins": twins,
                "errors": findings.errors[number],
                "recall": _entity_counts(findings.entities[0], home, key),
                "precision": _entity_counts(findings.entities[1], home, response),
            }
        )
    shown = {"kind": text.kind, "units": text.units, "sentences": text.sentences}
    if text.empty:
        shown["empty"] = text.empty
    if text.glued:
        shown["glued"] = text.glued
    return {**shown, "keys": [side for _, side in keys], "systems": systems}


def _side(document: Document, read: Document, text: Text) -> Json:
    """The mentions and entities of one side, and what else is known of them."""
    numbers: dict[Hashable, int] = {}
    mentions, lines = [], []
    for mention in document.mentions:
        entity = numbers.setdefault(mention.entity, len(numbers))
        mentions.append([entity, *text.pieces(mention.span)])
        lines.append(document.line_of(mention))
    side: Json = {"entities": [str(name) for name in numbers], "mentions": mentions}
    if any(line is not None for line in lines):
        side["lines"] = lines
    if text.kind in ("none", "pieces") or not all(mention.span for mention in document.mentions):
        side["texts"] = [document.text_of(mention) for mention in document.mentions]
    if any(mention.attributes for mention in document.mentions):
        side["attributes"] = _attributes(document.mentions)
    if document.sets:
        side["sets"] = [
            [numbers[name], [str(member) for member in members]]
            for name, members in document.sets.items()
            if name in numbers
        ]
    marks = [(document.hidden, "counts only as a member of sets"), (read.nonreferring, "does not refer")]
    found = [[numbers[name], said] for names, said in marks for name in numbers if name in names]
    if found:
        side["marks"] = found
    if read.bridges:
        side["bridges"] = _bridges(document, read)
    return side


def _attributes(mentions: Sequence[Mention]) -> Json:
    """The different attributes of mentions, and the number of those of each mention."""
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    each = [numbers.setdefault(mention.attributes, len(numbers)) for mention in mentions]
    return {"known": [list(map(list, attributes)) for attributes in numbers], "each": each}


def _bridges(document: Document, read: Document) -> list[list[Any]]:
    """For each bridge the anaphor and the antecedent, as indices of scored mentions or -1, their words, and more."""
    index = {(mention.span, mention.id): number for number, mention in enumerate(document.mentions)}
    found = []
    for bridge in read.bridges:
        ends = [read.mentions[end] for end in (bridge.anaphor, bridge.antecedent)]
        places = [index.get((end.span, end.id), -1) for end in ends]
        words = [read.text_of(end) for end in ends]
        found.append([*places, *words, list(map(list, bridge.attributes))])
    return found


class _Counts(NamedTuple):
    """Where each entity of a side is, by document and name, and its numerator and denominator in the ruler."""

    places: dict[tuple[int, Hashable], int]
    rows: list[list[float]]


def _counts(evaluation: Evaluation, side: int) -> _Counts:
    ruler = _ruler(evaluation)
    if not ruler:
        return _Counts({}, [])
    entities = evaluation.evidence.entities[side]
    index = {key: row for row, key in enumerate(zip(entities.document, entities.name, strict=True))}
    return _Counts(index, evaluation.evidence.entity_counts[ruler][side].tolist())


def _entity_counts(counts: _Counts, home: int, document: Document) -> list[list[float] | None]:
    """The numerator and denominator of each entity of a document, in the order of their first mentions."""
    names = dict.fromkeys(mention.entity for mention in document.mentions)
    places = [counts.places.get((home, name)) for name in names]
    return [[round(value, 4) for value in counts.rows[place]] if place is not None else None for place in places]
