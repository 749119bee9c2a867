"""What APIs and harnesses wrap around a reply, and files of replies: which text is the reply, and of which document."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from scoref.document.document import Document
from scoref.formats import Source, detect, looks_like
from scoref.formats.answer.replies import Record, is_payload, parsed, record_of, unwrapped
from scoref.formats.known import if_empty, named
from scoref.problems import Error, Problems

SAID = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "A"}]
RECORDS: list[tuple[Any, Record | None]] = [
    ({"id": "d", "output": "A"}, Record("A", "d")),
    ({"doc_id": 7, "response": "A", "output": "B"}, Record("B", "7")),  # the first of the fields that are known
    ({"id": True, "doc_key": "d", "answer": "A"}, Record("A", "d")),  # a name is a text or a number
    ({"output": "A"}, Record("A")),
    ({"output": 3, "answer": "A"}, Record("A")),
    ({"output": None}, Record("")),
    ({"output": "A", "clusters": []}, None),  # more than the wrapping of a reply
    ({"output": "A", "Coreference-Chains": {}}, None),
    ({"output": "A", "spans": []}, None),
    ({"output": "A", "clusters": "none"}, Record("A")),
    ({"choices": [{"message": {"role": "assistant", "content": "A"}}, {"text": "B"}, {}], "id": "d"},
     Record("A", "d", ("B", ""))),
    ({"choices": [{}, {"text": "B"}], "output": "A"}, Record("", None, ("B",))),
    ({"choices": [], "output": "A"}, Record("A")),
    ({"choices": ["x"], "output": "A"}, Record("A")),
    ({"choices": "x", "output": "A"}, Record("A")),
    ({"candidates": [{"content": {"parts": [{"text": "A"}, {"text": "B"}]}}]}, Record("AB")),
    ({"choices": [{"text": "A"}], "candidates": [{"text": "B"}]}, Record("A")),
    ({"output": [{"type": "text", "text": "A"}, {"type": "thinking", "thinking": "x"}, {"type": "text", "text": "B"}]},
     Record("AB")),
    ({"output": [{"type": "output_text", "content": "A"}]}, Record("A")),
    ({"output": [{"type": "text", "text": 3, "content": "A"}]}, Record("A")),
    ({"output": SAID}, Record("A")),
    ({"output": [*SAID, {"role": "user", "content": "!"}]}, Record("A")),  # the last of the assistant's
    ({"output": [{"role": "model", "content": "A"}, {"role": "model", "content": "B"}]}, Record("B")),
    ({"output": [{"role": "user", "content": "?"}]}, Record("")),
    ({"output": {"content": "A"}}, Record("A")),
    ({"output": {"content": "A", "clusters": []}}, Record('{"content": "A", "clusters": []}')),
    ({"output": {"é": 1}}, Record('{"é": 1}')),
    ({"output": [["é", "she"]]}, Record('[["é", "she"]]')),
    ({"output": [{"type": "PER", "start": 3}]}, Record('[{"type": "PER", "start": 3}]')),
    ({"output": [{"type": "PER", "Cluster-ID": 3}]}, Record('[{"type": "PER", "Cluster-ID": 3}]')),
    ({"output": []}, Record("[]")),
    *(({"id": "d", "output": "A"} | more, Record("A", name)) for more, name in (
        ({"type": "message"}, "d"), ({"role": "assistant"}, "d"), ({"type": "x", "role": "assistant"}, "d"),
        ({"type": "message", "role": "assistant"}, None), ({"object": "response"}, None),
        ({"custom_id": "e"}, "e"), ({"choices": [{"text": "A"}]}, "d"),
        *(({"choices": [{"text": "A"}], field: 1}, None) for field in ("object", "created", "usage", "model")),
        *(({"choices": [{"text": "A"}], "id": f"{begin}_1"}, None)
          for begin in ("chatcmpl", "cmpl", "resp", "msg", "gen", "batch_req")),
        ({"choices": [{"text": "A"}], "id": "resp"}, "resp"), ({"id": "resp_1"}, "resp_1"),
    )),  # an id that an API made names no document
    ({"x": "A"}, None),
    (SAID, Record("A")),
    ([{"role": "user", "content": "?"}, {"x": 1}], None),
    ([{"generated_text": "A"}], Record("A")),
    ([{"generated_text": "A"}, {"generated_text": "B"}], None),
    ([{"output": "A"}], None),
    ([], None),
    ("A", None),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), RECORDS)
def test_the_reply_of_a_record(value: Any, expected: Record | None) -> None:
    assert record_of(value) == expected


def test_names_of_fields_are_compared_by_their_letters() -> None:
    for name in ("Coreference_Clusters", "coreference chains", "ENTITIES", "Mentions"):
        assert is_payload({name: []})
        assert is_payload({name: {}})
        assert not is_payload({name: 3})
    assert not is_payload({"output": []})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", ["A"]),
        ('"A"', ["A"]),
        ('"\\"A\\""', ["A"]),  # a string in a string
        ('{"output": "{\\"answer\\": \\"A\\"}"}', ["A"]),
        ('{"choices": [{"text": "\\"A\\""}, {"text": "B"}]}', ["A", "B"]),
        ("[[1]]", ["[[1]]"]),
        ('{"output": "A", "clusters": []}', ['{"output": "A", "clusters": []}']),
        ("{A", ["{A"]),
    ],
)
def test_replies_are_unwrapped_to_the_innermost(text: str, expected: list[str]) -> None:
    assert unwrapped(text) == expected


def test_only_json_is_parsed() -> None:
    assert [parsed(text) for text in (' {"a": 1}', "[1]", '"a"', "1", "null", "{", "[" * 99999)] == [
        {"a": 1}, [1], "a", None, None, None, None,
    ]  # fmt: skip


# -- files ------------------------------------------------------------------------------------------------------------


def read(text: str, **how: Any) -> list[tuple[str, int | None, bool, str | None]]:
    """The name, the line, whether it is a number, and the reply of each document."""
    found = named("answer").read(Source(text.encode(), "file.txt", "response", **how), Problems())
    origins = [(each.id, each.origin) for each in found]
    return [(id, each.line, each.numbered, each.reply.text if each.reply else None) for id, each in origins]


FILES: list[tuple[str, list[tuple[str, int, bool, str]]]] = [
    ("Ada ran.", [("", 1, False, "Ada ran.")]),
    ('{"id": "d", "output": "A"}', [("", 1, False, "A")]),
    ('{"id": "d", "output": "A"}\n\n{"id": 3, "output": "B"}\n', [("d", 1, False, "A"), ("3", 3, False, "B")]),
    ('{"output": "A"}\n{"output": "B"}\n', [("1", 1, True, "A"), ("2", 2, True, "B")]),
    ('[{"id": "d", "output": "A"}, {"output": "B"}]', [("d", 1, False, "A"), ("", 1, False, "B")]),
    ('[{"output": "A"}, {"output": "B"}]', [("1", 1, True, "A"), ("2", 1, True, "B")]),
    ('[{"output": "A"}]', [("", 1, False, '[{"output": "A"}]')]),
    ('[{"output": "A"}, 3]', [("", 1, False, '[{"output": "A"}, 3]')]),
    ('{"choices": [{"text": "A"}, {"text": "B"}]}', [("1", 1, True, "A"), ("1", 1, True, "B")]),
    ("#begin document a\nA\n#end document\n#begin document b\nB\n#end document\n",
     [("a", 2, False, "A\n"), ("b", 5, False, "B\n")]),
    ("Ada|[1] ran\nShe|[1] fell\n", [("1", 1, True, "Ada|[1] ran"), ("2", 2, True, "She|[1] fell")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FILES)
def test_files_of_replies(text: str, expected: list[tuple[str, int, bool, str]]) -> None:
    assert read(text) == expected


def test_how_a_reply_is_to_be_read_is_kept() -> None:
    (document,) = named("answer").read(Source(b"Ada", "f", "response", "exclusive", marks="curly"), Problems())
    assert document.origin.source == "f"
    assert document.origin.reply is not None
    assert (document.origin.reply.marks, document.origin.reply.ends) == ("curly", "exclusive")


# -- which files are replies ------------------------------------------------------------------------------------------


def format_of(text: str, name: str = "file.txt", side: str = "response") -> str | None:
    with suppress(Error):
        return detect(Source(text.encode(), name, side)).name
    return None


LOOKS: list[tuple[str, str | None]] = [
    ("Ada ran and she fell.", "answer"),
    ("a\t1\nb\t2\nc d\n", None),  # columns are no running text
    ("mention,entity\n1,2\n", "table"),
    ("<?xml version='1.0'?><a/>", None),
    ("<!-- x -->", None),
    ('{"output": "A"}', "answer"),
    ('{"x": 1}\n{"output": "A"}', "answer"),
    ('{"type": "message", "role": "assistant", "content": "A"}', "answer"),
    ('[{"type": "message", "content": "A"}]', "answer"),
    ('{"output": "A"}\n{"x": 1}', "answer"),
    ('[["Ada", "she"]]', "clusters"),
    ('[{"mentions": ["Ada"]}]', "answer"),
    ('{"doc_key": "a", "clusters": []}', "jsonl"),
    ('{"clusters": [[[0, 1]]]}', "jsonl"),
    ('{"clusters": [["Ada", "she"]]}', "answer"),
    ('{"clusters": [[{"text": "Ada"}]]}', "answer"),
    ('{"clusters": [[["Ada", 0]]]}', "answer"),
    ('{"clusters": {"1": ["Ada"]}}', "answer"),
    ('{"type": "clusters", "clusters": {"1": ["Ada"]}}', "clusters"),
]


@pytest.mark.parametrize(("text", "expected"), LOOKS)
def test_which_responses_are_replies(text: str, expected: str | None) -> None:
    assert format_of(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", "answer"), ("a.answer", "answer"), ("a.md", "answer"), ("a.txt.gz", "answer"), ("a.json", "answer"),
        ("a.conll", None), ("a.CONLL", None), ("a", None), ("-", "answer"), ("README.txt", None), ("readme.md", None),
    ],
)  # fmt: skip
def test_which_names_replies_have(name: str, expected: str | None) -> None:
    assert format_of("Ada ran and she fell.", name) == expected
    assert looks_like(Source(b"Ada ran and she fell.", name, "response"), None) == (expected is not None)
    assert format_of("Ada ran and she fell.", name, "key") is None
    assert not looks_like(Source(b"Ada ran and she fell.", name, "key"), None)


EMPTY = [
    ("a.txt", "response", None, "answer"), ("a.answer", "response", None, "answer"),
    ("a.md", "response", None, "answer"),
    ("a.txt", "key", None, None), ("a.answer", "key", None, "answer"), ("a.ann", "key", None, "brat"),
    ("a.ann.gz", "response", None, "brat"), ("a.tsv", "key", None, "webanno"), ("a.entities", "key", None, None),
    ("a.conll", "response", None, None), ("a.conll", "key", "brat", "brat"), ("a.conll", "key", "conll", None),
    ("a.txt", "response", "brat", "brat"), ("a.ann", "key", "conll", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "side", "format", "expected"), EMPTY)
@pytest.mark.parametrize("data", [b"", b" \n"])
def test_which_empty_files_are_documents(
    name: str, side: str, format: str | None, expected: str | None, data: bytes
) -> None:
    source = Source(data, name, side)
    found = if_empty(source, format)
    assert (found.name if found else None) == expected
    assert looks_like(source, format) == (expected is not None)
    if found:
        (document,) = found.read(source, Problems()) if found.name != "webanno" else [Document("")]
        assert not document.mentions
