"""Merges evaluations that were made separately, with the same protocol, into one of all their documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from .. import formats
from ..counting.table import Floats
from ..problems import HELP, Error
from ..protocol.choices import CHOICES
from ..protocol.metric_names import listed
from ..protocol.protocol import Protocol
from .evaluation import Evaluation
from .kinds import chained
from .saved import digests
from .sums_only import SumsOnly

_SHOWN = 5  # names in messages


def adapted(evaluation: Evaluation, metrics: Iterable[str] | None = None, average: str | None = None) -> Evaluation:
    """The evaluation with only some of its metrics, or another average over documents; both need only its sums."""
    if metrics is None and average is None:
        return evaluation
    wanted = None if metrics is None else listed(metrics)
    protocol = evaluation.protocol.change(metrics=wanted, average=average)
    changed = replace(evaluation, protocol=protocol)
    try:
        changed.scores  # noqa: B018
    except KeyError as missing:
        raise Error("unscored-metric", f"{missing} was not saved", expected=f"some of {', '.join(evaluation.counts)}",
                    remedy="score it again, with that metric") from None  # fmt: skip
    settings = {name: adapted(each, wanted, average) for name, each in evaluation.settings.items()}
    return replace(changed, settings=settings)


def with_one_text(evaluations: Mapping[str, Evaluation]) -> dict[str, Evaluation]:
    """The evaluations, labelled alike where what was found in their files cannot matter.

    All are text:align if one is: aligning changes nothing where the texts are the same. The same goes for strings that
    are looked up in the key; if some are aligned and others looked up, all are mixed. One that counts nothing has no
    mentions, whose spans could be words or characters: it is labelled like the first that counts something.
    """
    found = dict(evaluations)
    texts = {each.protocol.reading.text for each in found.values()} - {"same"}
    if texts:
        text = texts.pop() if len(texts) == 1 else "mixed"
        found = {name: _changed(each, text=text) for name, each in found.items()}
    spans = next((each.protocol.reading.spans for each in found.values() if _counts(each)), None)
    if spans is None:
        return found
    return {name: each if _counts(each) else _changed(each, spans=spans) for name, each in found.items()}


def _counts(evaluation: Evaluation) -> bool:
    return any(bool(counts.any()) for counts in evaluation.counts.values())


def _changed(evaluation: Evaluation, **choices: str) -> Evaluation:
    settings = {name: _changed(each, **choices) for name, each in evaluation.settings.items()}
    return replace(evaluation, protocol=evaluation.protocol.change(**choices), settings=settings)


def refuse_different(evaluations: Mapping[str, Evaluation]) -> None:
    """Refuse evaluations that were made with different protocols or versions."""
    (first, one), *others = evaluations.items()
    for name, other in others:
        if other.protocol != one.protocol:
            differ = _differences(one.protocol, other.protocol)
            raise Error("different-protocols", f"{first} and {name} were scored with different protocols",
                        expected=f"one protocol; they have {', '.join(differ)}",
                        remedy="score both again with one protocol")  # fmt: skip
        if other.version != one.version:
            raise Error("different-versions", f"{first} and {name} were scored by different versions of scoref",
                        expected=f"one version; they have {one.version} and {other.version}",
                        remedy="score both again with one version")  # fmt: skip


def _differences(one: Protocol, other: Protocol) -> list[str]:
    """The choices in which two protocols differ, each with both words."""
    words = [(name, _word(getattr(one, name)), _word(getattr(other, name))) for name in ("name", *CHOICES, "metrics")]
    return [f"{name}:{ours} and {name}:{theirs}" for name, ours, theirs in words if ours != theirs]


def _word(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value).removesuffix(".0")


def refuse_other_documents(evaluations: Mapping[str, Evaluation], check_keys: bool = True) -> None:
    """Refuse evaluations that are not of the same documents with the same key."""
    (first, one), *others = evaluations.items()
    ours = _keys(one, check_keys)
    for name, other in others:
        theirs = _keys(other, check_keys)
        lacking = {
            name: [each for each in ours if each not in theirs],
            first: [each for each in theirs if each not in ours],
        }
        if any(lacking.values()):
            said = "; ".join(f"{side} lacks {_listed(names)}" for side, names in lacking.items() if names)
            raise Error("different-documents", f"{first} and {name} were scored on different documents",
                        expected=f"the same documents; {said}", remedy="score both on the same key")  # fmt: skip
        differ = [each for each, digest in ours.items() if digest and theirs[each] and digest != theirs[each]]
        if differ:
            raise Error("different-keys", f"{first} and {name} were scored with different keys",
                        expected=f"the same key; it differs for {_listed(differ)}",
                        remedy="score both again with one key")  # fmt: skip


def _keys(evaluation: Evaluation, check: bool) -> dict[str, str]:
    """A hash of each document's key; '' if keys need no check."""
    found = digests(evaluation, "key") if check else ("",) * len(evaluation.documents)
    return dict(zip(evaluation.documents, found, strict=True))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def merge(evaluations: Evaluation | Iterable[Evaluation] | Mapping[str, Evaluation]) -> Evaluation:
    """One evaluation of all documents, equal to scoring them together; names in a mapping are used in messages.

    >>> from scoref import clusters, score
    >>> one = score([clusters([["a", "b"]], "one")], [clusters([["a", "b"]], "one")])
    >>> two = score([clusters([["a", "b"]], "two")], [clusters([["a"], ["b"]], "two")])
    >>> merge([one, two])["muc"].recall
    0.5
    """
    if isinstance(evaluations, Evaluation):
        return evaluations
    if not isinstance(evaluations, Mapping):
        evaluations = {f"evaluation {number}": each for number, each in enumerate(evaluations, 1)}
    named = dict(evaluations)
    if not named:
        raise Error("no-evaluation", "there is nothing to merge", expected="at least one evaluation")
    named = with_one_text(named)
    refuse_different(named)
    parts = list(named.values())
    first = parts[0]
    if len(parts) == 1:
        return first
    if first.protocol.reading.scope == "corpus":
        raise Error("scope-corpus", "evaluations with entities across documents cannot be added up",
                    expected="scope:document", remedy="score all documents together")  # fmt: skip
    if any(part.settings.keys() != first.settings.keys() for part in parts):
        raise Error("different-settings", "the evaluations were scored with different settings beside the first",
                    expected=f"--with {', '.join(first.settings) or 'nothing'}",
                    remedy="score them again with the same --with")  # fmt: skip
    key, response = (_chain(digests(part, side) for part in parts) for side in formats.SIDES)
    known = [part.source.saved_fields for part in parts]
    shared = [name for name in known[0] if all(name in each for each in known)]
    saved_fields = {name: _chain(each[name] for each in known) for name in shared}
    reported = dict.fromkeys(problem for part in parts for problem in part.problems)
    problems = tuple([problem for problem in reported if problem.remedy != HELP])  # signs concern one part
    datasets = _chain(part.datasets for part in parts)
    sources = [(part.source.kinds, len(part.documents)) for part in parts]
    kinds = {name: chained(name, [(each[name], number) for each, number in sources])
             for name in first.source.kinds if all(name in each for each, _ in sources)}  # fmt: skip
    counted, version = first.source.counted, first.version
    source = SumsOnly((key, response), saved_fields, counted=counted, version=version, kinds=kinds)
    merged = Evaluation(first.protocol, _names(named), _joined(parts), problems, datasets, source)
    settings = {}
    for name, each in first.settings.items():
        if any(part.settings[name].documents != part.documents for part in parts):  # of other windows
            whole = merge({source: part.settings[name] for source, part in named.items()})
            settings[name] = replace(whole, problems=())
            continue
        counts = _joined([part.settings[name] for part in parts])
        settings[name] = replace(merged, protocol=each.protocol, counts=counts, problems=())
    return replace(merged, settings=settings)


def _chain(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(value for part in parts for value in part)


def _joined(parts: Sequence[Evaluation]) -> dict[str, Floats]:
    """The counts of all documents, for the metrics that every evaluation has."""
    names = [name for name in parts[0].counts if all(name in part.counts for part in parts)]
    return {name: np.concatenate([part.counts[name] for part in parts]) for name in names}


def _names(named: Mapping[str, Evaluation]) -> tuple[str, ...]:
    """The names of all documents, with their dataset in front if several have the same name."""
    each = [
        (source, dataset, name.removeprefix(f"{dataset}:"))
        for source, part in named.items()
        for dataset, name in zip(part.datasets, part.documents, strict=True)
    ]
    places: dict[tuple[str, str], list[str]] = {}
    for source, dataset, name in each:
        places.setdefault((dataset, name), []).append(source)
    for (_, name), sources in places.items():
        if len(sources) > 1:
            number = sum(len(sources) > 1 for sources in places.values())
            others = f" (and {number - 1} more)" if number > 1 else ""
            raise Error("repeated-document", f"document {name}{others} was scored twice",
                        document=name, expected=f"it in one of {', '.join(dict.fromkeys(sources))}",
                        remedy="leave one of them out")  # fmt: skip
    if len({name for _, _, name in each}) == len(each):
        return tuple(name for _, _, name in each)
    return tuple(f"{dataset}:{name}" for _, dataset, name in each)
