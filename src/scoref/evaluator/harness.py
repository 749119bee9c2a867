"""What harnesses of language models need: the sums of an answer as a text, and the scores of a corpus from such texts.

Harnesses keep a value for each document, as JSON or in files of their own, and make a score of all values at the end. A
mean of the documents' scores would be another number than that of the corpus; so what is kept are sums. A document that
several texts are of was answered several times: its n-th answer belongs to the n-th run, and each run is a corpus.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple, Unpack

from ..answers.place import answer
from ..answers.summary import sentences
from ..document.document import Document
from ..formats.objects import from_results
from ..problems import Error, Problems
from ..prompting.prompts import DATASET, PROTOCOL
from ..protocol.keywords import Choices
from ..protocol.protocol import Protocol
from ..results import saved
from ..results.evaluation import Evaluation
from ..results.merging import merge
from ..run.scorer import Scorer
from ..statistics.run_comparison import RunsComparison
from ..statistics.run_tests import RunMean
from ..statistics.samples import with_intervals
from ..statistics.systems import compare

_MODEL = "the model"  # the name of the system whose runs are compared

AnyKey = str | Mapping[str, Any] | Document


class AnswerSums(NamedTuple):
    """An answer that was scored: the f1 of its document, its sums as a text, why nothing could be read, remarks."""

    f1: dict[str, float]
    text: str
    reason: str | None
    remarks: list[str]


def score_answer(
    key: AnyKey,
    reply: str,
    protocol: str | Protocol | None = None,
    metrics: Iterable[str] | None = None,
    **choices: Unpack[Choices],
) -> AnswerSums:
    """Score what a language model wrote on one document.

    >>> key = {"doc_key": "tale", "sentences": [["Ada", "lost", "her", "key", "."]], "clusters": [[[0, 0], [2, 2]]]}
    >>> found = score_answer(key, '[["Ada", "her"]]', metrics=["muc"])
    >>> found.f1, corpus_scores([found.text])["muc"]
    ({'muc': 1.0}, 1.0)

    Args:
        key: the document of the key: a record of JSON lines, its text, as `scoref prompts --with-key` writes it, or a
            `Document`.
        reply: what the model wrote, as it came; if nothing can be read, it counts as an empty response.
        protocol: as in `score`; without it, that of the record, which is the official one of the key's format.
        metrics: as in `score`.
        **choices: changes to the protocol, as in `score`.
    """
    document, own = _document(key)
    scorer = Scorer(protocol or own.get(PROTOCOL) or "conll-2012", metrics, **choices)
    scorer.update(document, answer(reply, document))
    result = replace(scorer.compute(), datasets=(f"{own.get(DATASET, '')}",))
    found = result.evidence.answered
    reason = next(iter(found["reasons"]), None) if found else None
    said = sentences(result.drift, found, result.protocol.preparing.lost)
    kept = {"evaluation": saved.dumps(result), "reason": reason}
    return AnswerSums({name: each.f1 for name, each in result.items()}, json.dumps(kept), reason, said)


def corpus_scores(texts: Iterable[str], trials: int | None = None) -> dict[str, float]:
    """The scores of all documents together, from the texts of their sums.

    `muc`, `muc_recall` and `muc_precision` are those of the corpus, `muc_low` and `muc_high` the ends of the 95 %
    interval of its f1, from six documents on. `documents` is their number, `unreadable` that of the answers in which
    nothing could be read. With several `runs`, scores are means over runs, and `muc_deviation` is the standard
    deviation of f1 over them.

    >>> key = {"doc_key": "tale", "sentences": [["Ada", "lost", "her", "key", "."]], "clusters": [[[0, 0], [2, 2]]]}
    >>> texts = [score_answer(key, reply, metrics=["muc"]).text for reply in ('[["Ada", "her"]]', "I cannot.")]
    >>> corpus_scores(texts)
    {'muc': 0.5, 'muc_recall': 0.5, 'muc_precision': 0.5, 'muc_deviation': 0.70..., 'documents': 1, 'unreadable': 1,
    'runs': 2}
    """
    kept = [json.loads(text) for text in texts]
    runs = [merge(run) for run in _runs(saved.loads(each["evaluation"]) for each in kept)]
    if len(runs) == 1:
        found = _of_run(with_intervals(runs[0], trials))
    else:
        compared = compare(None, {_MODEL: runs}, trials=trials)
        assert isinstance(compared, RunsComparison)
        found = _of_runs(compared.means[_MODEL])
    found |= {"documents": runs[0].size, "unreadable": sum(each["reason"] is not None for each in kept)}
    return found if len(runs) == 1 else {**found, "runs": len(runs)}


def _document(key: AnyKey) -> tuple[Document, dict[str, str]]:
    """The document of a key, and what its record says of it beside; without a name it is named by what it holds."""
    if isinstance(key, Document):
        return _named(key, key), {}
    record = {**_record(key)}
    own = {name: record.pop(name) for name in (PROTOCOL, DATASET) if name in record}
    found = from_results(record, "key", Problems())
    if not found:
        raise _bad(f"{key}", "clusters, or words, are missing")
    return _named(found[0], record), own


def _named(document: Document, content: object) -> Document:
    return document if document.id else replace(document, id=blake2b(repr(content).encode(), digest_size=8).hexdigest())


def _record(key: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(key, Mapping):
        return key
    try:
        record = json.loads(key)
    except (TypeError, ValueError) as reason:
        raise _bad(f"{key}", f"no JSON ({reason})") from None
    if not isinstance(record, dict):
        raise _bad(key, "no object of JSON")
    return record


def _bad(key: str, reason: str) -> Error:
    return Error("bad-key", f"the key of a document is no record: {reason}", text=key[:200],
                 expected='{"doc_key": ..., "sentences": [...], "clusters": [...]}',
                 remedy="write it: scoref prompts KEY --with-key")  # fmt: skip


def _runs(evaluations: Iterable[Evaluation]) -> list[list[Evaluation]]:
    """The evaluations by runs: the n-th of each document belongs to the n-th run."""
    runs: defaultdict[int, list[Evaluation]] = defaultdict(list)
    seen: Counter[tuple[str, ...]] = Counter()
    for each in evaluations:
        name = *each.documents, *saved.digests(each, "key")
        runs[seen[name]].append(each)
        seen[name] += 1
    if not runs:
        raise Error("no-answer", "there are no answers to score", expected="at least one")
    if len({*seen.values()}) > 1:
        most, least = max(seen, key=lambda name: seen[name]), min(seen, key=lambda name: seen[name])
        raise Error("uneven-runs", f"document {least[0]} has {seen[least]} answers, but {most[0]} has {seen[most]}",
                    document=least[0], expected="as many answers to each document",
                    remedy="ask again where the model gave none, or leave the last run out")  # fmt: skip
    return [*runs.values()]


def _of_run(result: Evaluation) -> dict[str, float]:
    found: dict[str, float] = {}
    for metric, each in result.items():
        found |= {metric: each.f1, f"{metric}_recall": each.recall, f"{metric}_precision": each.precision}
        if result.intervals and metric in result.intervals.scores:
            found |= _ends(metric, result.intervals.scores[metric][2])
    return found


def _of_runs(means: Mapping[str, RunMean]) -> dict[str, float]:
    found: dict[str, float] = {}
    for metric, mean in means.items():
        found |= {metric: mean.f1, f"{metric}_recall": mean.recall, f"{metric}_precision": mean.precision}
        found |= {f"{metric}_deviation": mean.deviation} if mean.deviation is not None else {}
        found |= _ends(metric, mean.ci) if mean.ci else {}
    return found


def _ends(metric: str, ends: tuple[float, float]) -> dict[str, float]:
    return {f"{metric}_low": ends[0], f"{metric}_high": ends[1]}
