"""From what users have to an evaluation: `score` for files, documents and clusters, `Scorer` for training loops."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from ..document.clusters import Clusters
from ..document.document import Document, Origin
from ..formats import MOST, SIDES
from ..formats.objects import Result, from_results
from ..matching.match import MATCHERS
from ..pairing.pairs import Pair, pair, spans_of, text_of
from ..pairing.reading import How, Pieces, clustered, read_pieces, read_sides
from ..pairing.reading import Key as Key  # for those that call score
from ..pairing.reading import Side as Side
from ..problems import Error, Problems
from ..processes import Progress, ordered_map, process_count, reported
from ..protocol.choices import listed_settings, setting
from ..protocol.metric_names import listed
from ..protocol.protocol import Protocol, protocol_of
from ..relations.anaphors import refuse_unknown_kinds
from ..results.evaluation import Evaluation
from ..results.evidence import Evidence
from ..tables.inputs import Options, are_tables, given, is_pipe, refuse_mixed
from ..texts.projection import summary
from .cache import Memo
from .defects import corrections, defect_remarks
from .stages import evaluate

if TYPE_CHECKING:
    from ..protocol.keywords import Choices, Drift, Ends, Engine, OnProblem
    from .parts import Part


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
    drift: Drift = "check",
    on_problem: OnProblem = "raise",
    max_size: int = MOST,
    jobs: int | None = 1,
    progress: Progress | None = None,
    settings: Iterable[str] = (),
    columns: str | Mapping[str, str] | None = None,
    engine: Engine = "auto",
    memory: str | None = None,
    temp: str | os.PathLike[str] | None = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Score a response against a key: paths of files or folders, documents, plain clusters (see `given`), or tables.

    A file may hold both sides, as JSON lines can; then the response is left out. The protocol is the official one of
    the files' format (of CoNLL-2012 for documents and clusters) unless it is given, by name or as a value; further
    keywords change its choices. Each of `settings`, like `"match:exact"` or `"match:exact,singletons:keep"`, is scored
    too, on the same documents. Files are unpacked to at most `max_size` bytes. `marks` (their style) and `drift`
    (`ignore` scores any text) are for running text. Tables are files, frames of other libraries, `{mention: entity}`
    and arrays; `columns`, `engine`, `memory` and `temp` are for them alone.

    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["b3"])["b3"].recall
    1.0
    """
    problems, settings = Problems(on_problem), listed_settings(settings)
    asked = _protocol(protocol, None, metrics, choices)  # what is asked for wrongly is said before any file is read
    for name in settings:
        asked.change(**setting(name))
    once = key if isinstance(key, Key) else Key(key)
    both = once.side, response
    if are_tables(both, format):
        options = Options(columns, engine, memory, None if temp is None else os.fspath(temp))
        return _score_tables(once, response, asked, settings, on_problem, options, progress, format)
    keywords: Any = {"protocol": protocol, "metrics": metrics, "format": format, "ends": ends, "tokens": tokens,
                     "glob": glob, "marks": marks, "drift": drift, "max_size": max_size, **choices}  # fmt: skip
    if jobs != 1 and (made := _in_parts(both, asked, keywords, settings, on_problem, jobs, progress)):
        return made
    pairs, chosen = opened(once, response, problems, progress=progress, **keywords)
    return _with_settings(pairs, chosen, settings, problems, progress=progress, memo=Memo())


def _in_parts(
    sides: tuple[Side, Side | None],
    asked: Protocol,
    keywords: dict[str, Any],
    settings: list[str],
    policy: str,
    jobs: int | None,
    progress: Progress | None,
) -> Evaluation | None:
    """The evaluation of large inputs by several processes; None where the whole may give another one."""
    key, response = sides
    if not (isinstance(key, str | os.PathLike) and isinstance(response, str | os.PathLike)):
        return None
    key, response = os.fspath(key), os.fspath(response)
    sizes = [os.path.getsize(side) for side in (key, response) if os.path.isfile(side)]
    if len(sizes) > 1 and process_count(sum(sizes), jobs) < 2:
        return None
    from .parts import divided, divisible, whole

    protocols = [asked, *(asked.change(**setting(name)) for name in settings)]
    pieces = all(map(divisible, protocols)) and divided(key, response, keywords["glob"], keywords["format"], jobs)
    if not pieces or len(pieces) < 2:
        return None
    try:
        scored = ordered_map(partial(_part, keywords, settings, policy), pieces, len(pieces))
        parts = [next(scored) for _ in reported(pieces, "parts scored", progress)]
    except Error as error:
        if error.code == "lost-worker":
            raise
        return None  # it is said of the whole
    again = partial(_again, key, response, keywords, settings, policy)
    made = {name: whole([part[name] for part in parts], pieces, partial(again, name)) for name in parts[0]}
    if any(each is None for each in made.values()):
        return None
    first = made.pop("")
    return first and replace(first, settings={name: each for name, each in made.items() if each is not None})


def _part(keywords: dict[str, Any], settings: list[str], policy: str, pieces: Pieces) -> dict[str, Part]:
    """What is left of the evaluation of a part, and of those of other settings."""
    from .parts import reduced

    problems = Problems(policy)
    pairs, chosen = opened(pieces, None, problems, **keywords)
    memo, made = Memo(), {}
    for name in settings:
        changed = chosen.change(**setting(name))
        made[name] = reduced(_evaluated(pairs, changed, Problems(policy), memo=memo), pairs)
    return {"": reduced(_evaluated(pairs, chosen, problems, memo=memo), pairs), **made}


def _again(key: str, response: str, keywords: dict[str, Any], settings: list[str], policy: str, name: str) -> Evidence:
    """The evidence of an evaluation, or of one of its settings, that was made in parts."""
    found = score(key, response, settings=settings, on_problem=policy, **keywords)  # type: ignore[arg-type]
    return (found.settings[name] if name else found).evidence


def _with_settings(
    pairs: Sequence[Pair], protocol: Protocol, settings: Iterable[str], problems: Problems, **how: Any
) -> Evaluation:
    """The evaluation, and those of other settings on the same documents."""
    changed = {name: protocol.change(**setting(name)) for name in settings}
    others = {name: checked(pairs, each, Problems(problems.policy), **how) for name, each in changed.items()}
    result = checked(pairs, protocol, problems, **how)
    return replace(result, settings=others) if others else result


def opened(
    key: Side | Key | Pieces,
    response: Side | None,
    problems: Problems,
    *,
    protocol: str | Protocol | None = None,
    metrics: Iterable[str] | None = None,
    format: str | None = None,
    ends: str = "inclusive",
    tokens: str | os.PathLike[str] | None = None,
    glob: str | None = None,
    marks: str | None = None,
    drift: str = "check",
    max_size: int = MOST,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> tuple[list[Pair], Protocol]:
    """The pairs of documents of key and response, and the protocol: the official one of the format, unless given."""
    asked = _protocol(protocol, None, metrics, choices)
    reading = How(format, ends, tokens, glob, asked.files, marks, progress, max_size)
    if isinstance(key, Pieces):
        official, files = read_pieces(key, problems, reading)
    else:
        official, files = read_sides(key if isinstance(key, Key) else Key(key), response, problems, reading)
    chosen = _protocol(protocol, official, metrics, choices)
    pairs = pair(files, chosen.words, problems, chosen.extra, drift)
    return pairs, chosen.change(ends=ends, spans=spans_of(pairs), text=text_of(pairs))


def _score_tables(
    key: Key, response: Any, protocol: Protocol, settings: Iterable[str], on_problem: str, options: Options,
    progress: Progress | None, format: str | None,
) -> Evaluation:  # fmt: skip
    """The evaluation of two tables, and those of other settings on them."""
    from ..tables.run import evaluate as evaluate_tables

    refuse_mixed((key.side, response), format)
    if is_pipe(key.side):
        key.side = given(key.side, "key")
    response = given(response, "response")
    made = [
        evaluate_tables(key.side, response, each, Problems(on_problem), options, progress)
        for each in (protocol, *(protocol.change(**setting(name)) for name in settings))
    ]
    return replace(made[0], settings=dict(zip(settings, made[1:], strict=True))) if settings else made[0]


def checked(pairs: Sequence[Pair], protocol: Protocol, problems: Problems, **how: Any) -> Evaluation:
    """The evaluation of whole files, and what is to be said beside it."""
    result = _evaluated(pairs, protocol, problems, **how)
    drift = summary({pair.name: pair.drifted for pair in pairs if pair.drifted}, problems.found)
    said = (*result.remarks, *defect_remarks(result, corrections(result, pairs)))
    return replace(result, remarks=said, source=replace(result.evidence, drift=drift)) if said or drift else result


def _evaluated(pairs: Sequence[Pair], protocol: Protocol, problems: Problems, **how: Any) -> Evaluation:
    """The evaluation of files, of which some document must have what the protocol asks for."""
    if protocol.match in ("min", "min-coval") or protocol.mentions == "np":
        _refuse_without_parse(pairs, protocol)
    matcher = MATCHERS[protocol.match]
    if matcher.alike or matcher.identity == "line":
        _refuse_without_positions(pairs, protocol)
    refuse_unknown_kinds(protocol.metrics, (pair.key for pair in pairs))
    return evaluate(pairs, protocol, problems, **how)


def _refuse_without_positions(pairs: Sequence[Pair], protocol: Protocol) -> None:
    """Refuse mentions that are names without positions, which a matcher that compares positions never finds."""
    for document in (side for each in pairs for side in (each.key, each.response)):
        if document.mentions and not document.origin.mentions and not any(each.span for each in document.mentions):
            raise Error(
                "no-positions", f"mentions without positions cannot be matched by {protocol.match}",
                path=document.source, line=document.line, document=document.id or None,
                text=document.text_of(document.mentions[0]), expected="mentions at words of a text",
                remedy="use --match exact, which compares names too",
            )  # fmt: skip


def _refuse_without_parse(pairs: Sequence[Pair], protocol: Protocol) -> None:
    """Refuse a key in which no document has the parse, or the minimum spans, that the protocol needs."""
    from ..document.trees import has_parse

    keys = [pair.key for pair in pairs]
    layers = [layer for key in keys for layer in (key, key.deixis) if layer]
    minimum = any(mention.minimum for key in layers for mention in key.mentions)
    if any(map(has_parse, layers)) or (minimum and protocol.mentions != "np"):
        return
    if protocol.mentions == "np" or any("parse" in key.columns for key in layers):
        raise Error(
            "no-parse", "no document of the key has a parse that can be used",
            path=next((key.source for key in keys), None), line=next((key.line for key in keys), None),
            expected="CoNLL-2012 files with at least 12 columns in each line, a bit of the tree with * in the sixth",
            remedy="add the parse to the key, or use --match exact and --mentions all",
        )  # fmt: skip
    raise Error(
        "no-minimum", "the key has neither minimum spans nor a parse to take them from",
        path=next((key.source for key in keys), None), remedy="use --match exact",
        expected="the attribute Min, or a CoNLL file with a parse column",
    )  # fmt: skip


def _protocol(
    protocol: str | Protocol | None,
    official: str | None,
    metrics: Iterable[str] | None,
    choices: Choices,
) -> Protocol:
    base = protocol_of(protocol or official or "conll-2012")
    return base.change(metrics=None if metrics is None else listed(metrics), **choices)


class Scorer:
    """Scores documents one by one, as in a training loop.

    >>> scorer = Scorer(metrics=["muc", "lea"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["c", "d"]], [["c"], ["d"]])
    >>> scorer.compute()["muc"].recall
    0.5

    Scorers of several processes are added up with `merge`, in any order of processes the same result; `reset` starts
    again.
    """

    def __init__(
        self,
        protocol: str | Protocol = "conll-2012",
        metrics: Iterable[str] | None = None,
        on_problem: OnProblem = "raise",
        **choices: Unpack[Choices],
    ) -> None:
        self.protocol = _protocol(protocol, "conll-2012", metrics, choices)
        self._policy = on_problem
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._problems = Problems(self._policy)
        self._pairs: list[Pair] = []
        self._unnamed: set[int] = set()  # the places of documents that were given no name

    def update(
        self, key: Document | Result | Clusters, response: Document | Result | Clusters, id: str | None = None
    ) -> None:
        """Add a document: its key and the response to it, as clusters, as `Document`, or as a model gives them.

        Its name is `id`, or that of the key; a document without a name is numbered.
        """
        given = id if id is not None else key.id if isinstance(key, Document) and key.id else None
        place = len(self._pairs)
        name = str(place) if given is None else given
        both = zip((key, response), SIDES, strict=True)
        sides = [_document(side, name, which, self._problems) for side, which in both]
        self._pairs += pair([(name, sides[:1], sides[1:])], self.protocol.words, self._problems, self.protocol.extra)
        if given is None:
            self._unnamed.add(place)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer with the same protocol.

        A document that both have counts once: one of the same name, key and response, as samplers that pad deal it out.
        Of the same name, but with another key or response, it is refused. Documents without names are all different.
        """
        if other.protocol != self.protocol:
            raise Error("different-protocols", "scorers with different protocols cannot be merged",
                        expected=self.protocol.signature(), text=other.protocol.signature())  # fmt: skip
        ours, theirs = self._by_name(), other._by_name()
        for name in ours.keys() & theirs.keys():
            _refuse_different(name, ours[name], theirs[name])
        renamed: dict[str, str] = {}
        for place, each in enumerate(other._pairs):
            if place in other._unnamed:
                number = renamed[each.name] = str(len(self._pairs))
                self._unnamed.add(len(self._pairs))
                self._pairs.append(
                    Pair(number, replace(each.key, id=number), replace(each.response, id=number), number)
                )
            elif each.name not in ours:
                self._pairs.append(each)
        for name in ours.keys() & theirs.keys():  # one that a worker had twice counts twice, whoever comes first
            self._pairs += theirs[name][len(ours[name]) :]
        self._problems.found += [
            replace(problem, document=renamed.get(problem.document or "", problem.document))
            for problem in other._problems.found
        ]

    def _by_name(self) -> dict[str, list[Pair]]:
        found: dict[str, list[Pair]] = {}
        for place, each in enumerate(self._pairs):
            if place not in self._unnamed:
                found.setdefault(each.name, []).append(each)
        return found

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far."""
        problems = Problems(self._policy)
        problems.found += self._problems.found
        return checked(self._pairs, self.protocol.change(text=text_of(self._pairs)), problems)


def _refuse_different(name: str, ours: Sequence[Pair], theirs: Sequence[Pair]) -> None:
    """Refuse documents of one name, if the two scorers do not have the same."""
    for which in ("key", "response"):
        contents = [{_content(getattr(each, which)) for each in pairs} for pairs in (ours, theirs)]
        if contents[0] != contents[1]:
            raise Error(
                "different-documents", f"two scorers have document {name} with different {which}s", document=name,
                expected="the same key and response, which count once",
                remedy="give each document an id of its own, and let each worker score it with the same model",
            )  # fmt: skip


def _content(document: Document) -> Hashable:
    """What makes two documents the same: all but where they are from, and the order and numbers of entities."""
    mentions = Counter(
        frozenset(Counter(mention.of(None) for mention in entity).items())
        if isinstance(name, int) and not document.sets
        else (name, tuple(entity))
        for name, entity in document.entities().items()
    )
    rest = replace(document, mentions=(), columns={}, origin=Origin())
    return frozenset(mentions.items()), repr(rest)


def _document(side: Any, name: str, which: str, problems: Problems) -> Document:
    found = from_results(side, which, problems)
    if found is not None and len(found) == 1:
        return replace(found[0], id=name)
    return clustered(side, name, which)
