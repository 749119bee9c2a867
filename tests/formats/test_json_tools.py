"""JSON of annotation tools and of CoreNLP, which is read as JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scoref import formats
from scoref.document.document import Document, word_of
from scoref.problems import Error, Problems

CORENLP: dict[str, Any] = {
    "docId": "tale.txt",
    "sentences": [
        {"index": number, "tokens": [{"index": n, "word": word} for n, word in enumerate(text.split(), 1)]}
        for number, text in enumerate(("Ada saw the cat .", "She ran ."))
    ],
    "corefs": {
        "5": [
            {"id": 0, "text": "Ada", "type": "PROPER", "startIndex": 1, "endIndex": 2, "headIndex": 1, "sentNum": 1},
            {"id": 3, "text": "She", "type": "PRONOMINAL", "startIndex": 1, "endIndex": 2, "headIndex": 1,
             "sentNum": 2},
        ],
        "1": [{"id": 1, "text": "the cat", "type": "NOMINAL", "startIndex": 3, "endIndex": 5, "headIndex": 4,
               "sentNum": 1}],
    },
}  # fmt: skip


def span(first: int, last: int, label: str = "") -> dict[str, Any]:
    return {"token_start": first, "token_end": last} | ({"label": label} if label else {})


PRODIGY: dict[str, Any] = {
    "text": "Ada saw the cat. She ran.", "_input_hash": 77, "answer": "accept",
    "tokens": [{"id": n, "text": word} for n, word in enumerate(["Ada", "saw", "the", "cat", ".", "She", "ran", "."])],
    "spans": [span(0, 0, "PER"), span(2, 3), span(5, 5)],
    "relations": [
        {"head": 0, "child": 5, "head_span": span(0, 0), "child_span": span(5, 5), "label": "COREF"},
        {"head": 0, "child": 3, "head_span": span(0, 0), "child_span": span(2, 3), "label": "SEES"},
    ],
}  # fmt: skip
DOCCANO: dict[str, Any] = {
    "id": 12, "text": "Ada saw the cat. She ran.",
    "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3},
                 {"id": 2, "label": None, "start_offset": 8, "end_offset": 15},
                 {"id": 3, "label": "PER", "start_offset": 17, "end_offset": 20}],
    "relations": [{"id": 1, "from_id": 3, "to_id": 1, "type": "coref"},
                  {"id": 2, "from_id": 1, "to_id": 2, "type": "sees"}],
}  # fmt: skip


def read(record: object, indent: int | None = None) -> Document:
    source = formats.Source(json.dumps(record, indent=indent).encode(), "file")
    (document,) = formats.read_source(source, None, Problems())[1]
    return document


def entities(document: Document) -> list[list[str]]:
    return [[document.text_of(each) for each in found] for found in document.entities().values()]


@pytest.mark.parametrize("indent", [None, 2])
def test_corefs_of_corenlp(indent: int | None) -> None:
    document = read(CORENLP, indent)
    assert (document.id, document.sentences, list(document.names)) == ("tale.txt", (0, 5), ["5", "1"])
    assert entities(document) == [["Ada", "She"], ["the cat"]]
    assert [word_of(each.head or 0) for each in document.mentions] == [0, 5, 3]
    assert [dict(each.attributes)["type"] for each in document.mentions] == ["PROPER", "PRONOMINAL", "NOMINAL"]


def test_relations_of_prodigy() -> None:
    document = read(PRODIGY)
    assert (document.id, entities(document)) == ("77", [["Ada", "She"], ["the cat"]])
    assert list(document.words) == ["Ada", "saw", "the", "cat", ".", "She", "ran", "."]
    assert document.relations == (("SEES", "R1", ("2-3", "0-0")),)
    assert [dict(each.attributes) for each in document.mentions] == [{"type": "PER"}, {}, {}]


def test_relations_of_doccano() -> None:
    document = read(DOCCANO)
    assert (document.id, entities(document)) == ("12", [["Ada", "She"], ["the cat"]])
    assert document.columns == {"text": [DOCCANO["text"]]}
    assert document.relations == (("sees", "R1", ("1", "2")),)


def test_the_tools_agree_with_one_another() -> None:
    from scoref import score

    documents = [replace(read(each), id="d") for each in (CORENLP, PRODIGY, DOCCANO)]
    scores = [score(one, other, heads="none")["conll"].f1 for one in documents for other in documents]
    assert scores == [1.0] * 9


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (CORENLP | {"corefs": {"1": [{"sentNum": 1}]}}, "bad-record"),
        (CORENLP | {"corefs": [1]}, "bad-record"),
        (CORENLP | {"corefs": {"1": [CORENLP["corefs"]["1"][0] | {"endIndex": 9}]}}, "bad-mention"),
        (CORENLP | {"sentences": [{"tokens": 7}]}, "bad-record"),
        (PRODIGY | {"answer": "reject"}, "not-accepted"),
        (PRODIGY | {"spans": [{"start": 0, "end": 3}]}, "bad-record"),
        (PRODIGY | {"spans": [span(0, 99)]}, "bad-mention"),
        (PRODIGY | {"relations": [{"head": 0}]}, "bad-record"),
        (DOCCANO | {"relations": [{"id": 1, "from_id": 3, "to_id": 9, "type": "coref"}]}, "bad-relation"),
        (DOCCANO | {"entities": [{"id": 1}]}, "bad-record"),
        (DOCCANO | {"entities": [{"id": 1, "start_offset": "0", "end_offset": 3}], "relations": []}, "bad-mention"),
    ],
)
def test_what_is_wrong_with_such_a_record_is_located(record: dict[str, Any], code: str) -> None:
    with pytest.raises(Error) as error:
        read(record)
    assert (error.value.code, error.value.path, error.value.line) == (code, "file", 1)
