"""What a user asked for as one value; reading its documents, and evaluating them with remarks and warnings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from ..document.document import Document, about
from ..formats import MOST, ONE_SIDED, SIDED, Hows
from ..layout.render import Json
from ..matching.match import MATCHERS
from ..pairing.pairs import Pair, spans_of, text_of
from ..pairing.pairs import pair as paired
from ..pairing.reading import Key as Key  # for those that make requests
from ..pairing.reading import Pieces, read_pieces, read_sides
from ..pairing.reading import Side as Side
from ..pairing.scope import numbered_anew, refuse_uncut
from ..problems import Error, Problem, Problems, Reporter
from ..processes import Progress
from ..protocol.choices import listed_settings, setting
from ..protocol.defects import DEFECTS
from ..protocol.metric_names import listed
from ..protocol.protocol import Protocol, protocol_of
from ..relations.registry import ANAPHORS, split_name
from ..results.evaluation import Evaluation
from ..tables.inputs import TABLES, Options
from ..values import NamedTuple
from .stages import Memo, evaluate
from .suspicion import observed, signs

if TYPE_CHECKING:
    from ..protocol.keywords import Choices, Keywords

# The keywords of `score` on how files are read, and those that are fields of `Request`; others are choices.
_READING = (*SIDED, *ONE_SIDED, "max_size")
_OWN = ("protocol", "drift", "on_problem", "jobs", "progress", "sentences")

_USUAL = "conll-2012"  # the protocol of formats that have none of their own
_LEAST = 5e-8  # smaller differences count as none


class Request(NamedTuple):
    """What a user asked for: key and response, a protocol, how to read them, other settings, and how to do the work.

    `protocol` is the name, signature or value that was given; without one, the format of the files says which it is.
    `metrics` and `choices` change it; each of `settings` is a further change, scored as well. `reading` says how the
    files of each side are read, `drift` whether running text may differ from the key, `on_problem` whether malformed
    input is an error (`raise`) or left out (`skip`). `sentences` is a file with the sentences to score, `tables` says
    how tables are read and counted. Without `jobs`, the number of processes depends on the size of the input.
    """

    key: Key
    response: Side | None
    choices: Choices
    reading: Hows
    tables: Options
    protocol: str | Protocol | None = None
    metrics: tuple[str, ...] | None = None
    drift: str = "check"
    settings: tuple[str, ...] = ()
    on_problem: str | None = None
    jobs: int | None = 1
    progress: Progress = None
    sentences: str | os.PathLike[str] | None = None

    @classmethod
    def of(cls, key: Side | Key, response: Side | None, keywords: Keywords) -> Request:
        """The request for these keywords of `score`; the remaining keywords are choices of the protocol."""
        rest: dict[str, Any] = {**keywords}
        reading, own, tables = (
            {name: rest.pop(name) for name in names if name in rest} for names in (_READING, _OWN, TABLES)
        )
        metrics, settings = rest.pop("metrics", None), rest.pop("settings", ())
        tables |= {name: os.fspath(tables[name]) for name in ("temp", "resume") if tables.get(name) is not None}
        own["metrics"] = None if metrics is None else listed(metrics)
        own["settings"] = () if settings in ((), []) else listed_settings(settings)
        key = key if isinstance(key, Key) else Key(key)
        if reading.get("max_size", MOST) != MOST:  # the user set it
            tables["max_size"] = reading["max_size"]
        choices = cast("Choices", rest)  # unknown ones are refused when the protocol is changed
        hows = Hows.of(reading)
        return cls(key, response, choices, hows, Options(hows, **tables), **own)

    def chosen(self, official: str | None = None) -> Protocol:
        """The protocol that was asked for, else the `official` one of the format, with the changes asked for."""
        base = protocol_of(self.protocol or official or _USUAL)
        return base.change(metrics=self.metrics, **self.choices)

    @property
    def explicit(self) -> bool:
        """Whether the user said how mentions are matched; then there is no fallback to another protocol."""
        return self.protocol is not None or any(self.choices.get(name) is not None for name in ("match", "mapping"))

    def variants(self, protocol: Protocol) -> dict[str, Protocol]:
        """The protocol with each of the settings, by the text of the setting."""
        return {text: protocol.change(**setting(text)) for text in self.settings}

    def with_documents(self) -> Request:
        """The same request with tables as documents: for what shows entities and mentions."""
        if self.response is None:
            return self
        key, response = self.documents([self.key.side, self.response])
        return self._replace(key=Key(key), response=response)

    def documents(self, sides: Sequence[Side]) -> list[Side]:
        """The sides as they are, but tables as documents."""
        from ..tables.documents import as_documents

        scope = self.choices.get("scope") or protocol_of(self.protocol or _USUAL).reading.scope
        return as_documents(sides, self.reading, scope)


def opened(
    request: Request, problems: Problems, part: Pieces | None = None, asked: Protocol | None = None
) -> tuple[list[Pair], Protocol]:
    """The pairs of documents of key and response, or of a `part` of both, and the protocol that they are scored by.

    `asked` is what `request.chosen` gives, where it is known.
    """
    asked = asked or request.chosen()
    reading = request.reading.each(files=asked.files, progress=request.progress)
    if part is None:
        official, files = read_sides(request.key, request.response, problems, reading)
    else:
        official, files = read_pieces(part, problems, reading)
    chosen = asked if request.protocol or official in (None, _USUAL) else request.chosen(official)
    if chosen.matching.match != "exact":  # exact matching needs positions only
        from .answerable import answerable

        chosen = answerable(chosen, None if request.explicit else asked, files, problems)
    pairs = paired(files, chosen.words, problems, chosen.extra, request.drift, chosen.place, request.jobs)
    if MATCHERS[chosen.matching.match].heads and request.explicit and chosen.heads != "none":
        from .answerable import refuse_unequal_heads

        refuse_unequal_heads(pairs, chosen)
    if request.sentences:
        from ..pairing.sentences import of_sentences  # few need it

        pairs = of_sentences(pairs, os.fspath(request.sentences), problems)
    listed = "listed" if request.sentences else "all"
    found = {"sentences": listed, "ends": reading.ends, "spans": spans_of(pairs), "text": text_of(pairs)}
    return pairs, chosen.change(**{name: word for name, word in found.items() if word != getattr(chosen, name)})


def checked(
    pairs: Sequence[Pair], protocol: Protocol, problems: Problems, progress: Progress = None, memo: Memo | None = None
) -> Evaluation:
    """The evaluation of whole inputs, with remarks on defects of official rules, on drift, and on signs of mistakes."""
    memo = memo or Memo()
    result = evaluated(pairs, protocol, problems, progress, memo)
    result = replace(result, problems=(*result.problems, *_joined_by_number(result, pairs, memo)))
    drifted = {pair.name: pair.drifted for pair in pairs if pair.drifted}
    drift: Json = {}
    if drifted:
        from ..texts.projection import summary  # few have running text

        drift = summary(drifted, problems.found)
    answered = {pair.name: pair.answered for pair in pairs if pair.answered}
    answers: Json = {}
    if answered:
        from ..answers.summary import summary as of_answers

        answers = of_answers(answered)
    remarks = (*result.remarks, *defect_remarks(result, corrections(result, pairs)))
    doubts = signs(observed(result, pairs), result)
    for doubt in doubts:
        problems.add(doubt)
    if not (remarks or drift or answers or doubts):
        return result
    source = replace(result.evidence, drift=drift, answered=answers, placement=partial(_placement, result, pairs))
    return replace(result, remarks=remarks, source=source, problems=(*result.problems, *doubts))


def _placement(result: Evaluation, pairs: Sequence[Pair]) -> list[float] | None:
    from .placement import placement  # takes a while, and few have answers

    return placement(result, pairs)


def _joined_by_number(result: Evaluation, pairs: Sequence[Pair], memo: Memo) -> list[Problem]:
    """A warning if documents share entities, but number them from the start again: unrelated entities are joined."""
    if len(result.documents) >= len(pairs) or result.protocol.reading.scope == "within":
        return []
    sides = {"key": [pair.key for pair in pairs], "response": [pair.response for pair in pairs]}
    anew = [name for name, documents in sides.items() if numbered_anew(documents)]
    if not anew:
        return []
    alone = evaluate(pairs, result.protocol.change(scope="document"), Problems("skip"), memo=memo)
    metric = "conll" if "conll" in result.protocol.metrics else result.protocol.metrics[0]
    message = (
        f"entities of the {' and of the '.join(anew)} are numbered anew in each document, and this scope joins those "
        f"of one number: {metric} {100 * result[metric].f1:.2f}, by --scope document {100 * alone[metric].f1:.2f}"
    )
    report = about(sides[anew[0]][0], remedy="use --scope document, unless the numbers mean the same in all documents")
    expected = "names of entities that mean the same in all documents"
    return [report.of(None).problem("numbered-anew", message, None, None, expected, fatal=False)]


def evaluated(
    pairs: Sequence[Pair], protocol: Protocol, problems: Problems, progress: Progress = None, memo: Memo | None = None
) -> Evaluation:
    """The evaluation of documents; an error if they lack what the protocol needs: parses, positions, anaphor types."""
    if protocol.matching.match in ("min", "min-coval") or protocol.preparing.mentions == "np":
        _refuse_without_parse(pairs, protocol)
    if protocol.reading.scope == "within":
        refuse_uncut(pairs)
    if protocol.preparing.types != "all":
        _refuse_without_types(pairs, protocol.preparing.types)
    matcher = MATCHERS[protocol.matching.match]
    if matcher.alike or matcher.identity == "line":
        _refuse_without_positions(pairs, protocol)
    if protocol.counting.sampled != "none":
        raise Error("not-sampled", "only tables can have a sampled key", expected="tables, or sampled:none",
                    remedy="leave out --sampled")  # fmt: skip
    if protocol.matching.fields:
        from .answerable import refuse_lacking

        refuse_lacking(pairs, protocol.matching.fields)
    bases = [split_name(name)[1] for name in protocol.metrics]
    if kinds := [base.removeprefix(ANAPHORS) for base in bases if base.startswith(ANAPHORS)]:
        from ..relations.anaphors import refuse_unknown_kinds  # few ask for them

        refuse_unknown_kinds(kinds, (pair.key for pair in pairs))
    return evaluate(pairs, protocol, problems, progress=progress, memo=memo)


def _refuse_without_types(pairs: Sequence[Pair], kind: str) -> None:
    """Refuse a key in which no mention says whether it is an event, or linked."""
    from ..preparing.typed import KINDS  # few choose types

    keys = [pair.key for pair in pairs]
    if kind not in KINDS or any(map(KINDS[kind].known, keys)) or not any(key.mentions for key in keys):
        return
    attribute = KINDS[kind].attribute
    message, expected = f"{kind} cannot be told in a key without {attribute}s", KINDS[kind].expected
    remedy = "leave --types out, if the key has no others"
    raise about(keys[0]).of(None).error(f"no-{attribute}s", message, None, None, expected, remedy=remedy)


def _refuse_without_positions(pairs: Sequence[Pair], protocol: Protocol) -> None:
    """Refuse mentions that are names without positions, which a matcher that compares positions never finds."""
    for document in (side for pair in pairs for side in (pair.key, pair.response)):
        if document.mentions and not document.origin.mentions and not any(each.span for each in document.mentions):
            report = about(document, remedy="use --match exact, which compares names too").of(document.id or None)
            message = f"mentions without positions cannot be matched by {protocol.matching.match}"
            name = document.text_of(document.mentions[0])
            raise report.error("no-positions", message, document.line, name, "mentions at words of a text")


def _refuse_without_parse(pairs: Sequence[Pair], protocol: Protocol) -> None:
    """Refuse a key in which no document has the parse, or the minimum spans, that the protocol needs."""
    from ..document.trees import has_parse

    keys = [pair.key for pair in pairs]
    layers = [layer for key in keys for layer in (key, key.deixis) if layer]
    minimum = any(mention.minimum for key in layers for mention in key.mentions)
    if any(map(has_parse, layers)) or (minimum and protocol.preparing.mentions != "np"):
        return
    report = Reporter(Problems(), next((key.source for key in keys), None))
    if protocol.preparing.mentions == "np" or any("parse" in key.columns for key in layers):
        message, line = "no document of the key has a parse that can be used", next((key.line for key in keys), None)
        expected = "CoNLL-2012 files with at least 12 columns in each line, a bit of the tree with * in the sixth"
        remedy = "add the parse to the key, or use --match exact and --mentions all"
        raise report.error("no-parse", message, line, None, expected, remedy=remedy)
    message = "the key has neither minimum spans nor a parse to take them from"
    expected = "the attribute Min, or a CoNLL file with a parse column"
    raise report.error("no-minimum", message, None, None, expected, remedy="use --match exact")


def corrections(result: Evaluation, pairs: Sequence[Pair]) -> dict[str, Evaluation | None]:
    """For each choice that is a known defect and matters in these documents, the evaluation by the corrected rule.

    None if that rule cannot be applied here.
    """
    found: dict[str, Evaluation | None] = {}
    for (choice, word), (corrected, applies) in DEFECTS.items():
        if getattr(result.protocol, choice) != word:
            continue
        if not any(applies(side) for pair in pairs for side in (pair.key, pair.response)):
            continue
        try:
            found[choice] = _corrected(result, pairs, result.protocol.change(**{choice: corrected}), applies)
        except Error:
            found[choice] = None
    return found


def defect_remarks(result: Evaluation, corrected: Mapping[str, Evaluation | None]) -> list[str]:
    """A sentence for each defect that changes the scores here, which says by how much."""
    found = []
    for choice, right in corrected.items():
        if right is None:  # there is nothing to compare
            continue
        changed = {metric: result[metric].f1 - right[metric].f1 for metric in result.protocol.metrics}
        largest = max(changed, key=lambda metric: (metric == "conll", abs(changed[metric])))
        if abs(changed[largest]) < _LEAST:
            largest = max(changed, key=lambda metric: abs(changed[metric]))
        if abs(changed[largest]) >= _LEAST:
            points = f"{100 * changed[largest]:+.2f}"
            found.append(f"the official rule for {choice} changes {largest} by {points} here; "
                         f"corrected: --{choice} {getattr(right.protocol, choice)}")  # fmt: skip
    return found


def _corrected(
    result: Evaluation, pairs: Sequence[Pair], protocol: Protocol, applies: Callable[[Document], bool]
) -> Evaluation:
    """The evaluation by the corrected rule; only documents to which it applies are scored again."""
    concerned = [number for number, each in enumerate(pairs) if any(map(applies, (each.key, each.response)))]
    # whether documents are scored independently
    alone = protocol.reading.scope == "document" and protocol.counting.weights == "none"
    if not alone or any(len(values) != len(pairs) for values in result.counts.values()):
        return evaluate(pairs, protocol, Problems("skip"))
    again = evaluate([pairs[number] for number in concerned], protocol, Problems("skip"))
    counts = {name: values.copy() for name, values in result.counts.items()}
    for name, values in again.counts.items():
        counts[name][concerned] = values
    return replace(result, protocol=protocol, counts=counts)
