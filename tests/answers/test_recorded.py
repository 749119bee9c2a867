"""The recorded answers: what each means was written by hand from its story."""

from __future__ import annotations

import json

import pytest

import scoref
from places import SHARED
from scoref import Document
from scoref.document.spans import word_of

FILE = SHARED / "data" / "answers" / "cases.jsonl"
KINDS = ["empty", "not-the-same-text", "truncated", "unreadable", "refusal"]


def cases() -> list[object]:
    if not FILE.exists():
        return [pytest.param({}, marks=pytest.mark.skip(reason=f"no recorded cases: {FILE} does not exist"))]
    found = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["name"]) for case in found]


def spans(document: Document) -> list[str]:
    """The entities of a document as first and last words; a mention without a place is None."""
    found = [
        sorted(str([word_of(each.span[0]), word_of(each.span[-1])] if each.span else None) for each in entity)
        for entity in document.entities().values()
    ]
    return sorted(map(str, found))


@pytest.mark.parametrize("case", cases())
def test_an_answer_means_what_it_says(case):
    result = scoref.score(Document("d", case["words"]), scoref.answer(case["answer"], **case.get("options", {})))
    (pair,) = result.evidence.pairs
    expected = [sorted(str(span) for span in entity) for entity in case["entities"]]
    assert spans(pair.response) == sorted(map(str, expected))
    assert pair.answered.reason == case["reason"]
    assert dict(pair.answered.counts) == case["counts"]


@pytest.mark.parametrize("case", cases())
def test_an_answer_in_a_file_is_the_same(case, tmp_path, capsys):
    """Found to be an answer from its content, whatever the ending; what cannot be read counts as empty."""
    (tmp_path / "key.jsonl").write_text(json.dumps({"doc_key": "d", "sentences": [case["words"]], "clusters": []}))
    path = tmp_path / "answer.md"
    path.write_text(case["answer"], encoding="utf-8")
    options = {f"response_{name}": value for name, value in case.get("options", {}).items()}
    result = scoref.score(tmp_path / "key.jsonl", path, metrics=["mentions"], **options)
    expected = [sorted(str(span) for span in entity) for entity in case["entities"]]
    assert spans(result.evidence.pairs[0].response) == sorted(map(str, expected))
    reasons = result.to_dict().get("answers", {}).get("reasons", {})
    assert reasons == ({case["reason"]: 1} if case["reason"] else {})
