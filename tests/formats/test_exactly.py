"""Small files and what is read of them to the last detail; values at the ends of what is allowed, and one behind."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.document.document import Bridge, Document, Mention, Origin, position, stretch, word_of
from scoref.formats.docbin.packing import loads, number_of, unpacked
from scoref.formats.jsonl.read import borders as json_borders
from scoref.formats.known import named
from scoref.formats.objects import from_results
from scoref.formats.source import Source
from scoref.formats.tokens.tables import tokenize
from scoref.problems import Error, Problem, Problems


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


def taken(format: str, data: str | bytes, name: str = "f", **how: Any) -> tuple[list[Document], list[Problem]]:
    problems = Problems("skip")
    source = Source(data.encode() if isinstance(data, str) else data, name, **how)
    return [*named(format).read(source, problems)], problems.found


def one(format: str, data: str | bytes, name: str = "f", **how: Any) -> Document:
    (document,), problems = taken(format, data, name, **how)
    assert not problems
    return document


def places(document: Document) -> list[tuple[object, int, int]]:
    return [(each.entity, word_of(each.span[0]), word_of(each.span[-1])) for each in document.mentions]


# -- places -----------------------------------------------------------------------------------------------------------

ECB = """<?xml version='1.0'?>
<Document doc_name="d">
<token t_id="1" sentence="0">Ada</token><token t_id="2" sentence="0">saw</token>

<token t_id="3" sentence="0">her</token>
<Markables><P m_id="1"><token_anchor t_id="1"/></P>
<P m_id="2"><token_anchor t_id="3"/></P></Markables></Document>
"""
TBF = ["#BeginOfDocument d", "x\td\tE1\t0,3\tAda\tA\tActual", "#EndOfDocument"]
MUC = ["<DOC><DOCNO>d</DOCNO><TXT>", '<COREF ID="1">Ada</COREF> saw', '<COREF ID="2" REF="1">her</COREF></TXT></DOC>']
CONLL = ["#begin document (d);", "Ada (1)", "", "saw -", "her (1)", "#end document"]
UA = ["# newdoc id = d", "1\tAda\t(EntityID=1|MarkableID=a)", "", "1\tsaw\t_", "2\ther\t(EntityID=1|MarkableID=b)", ""]
BRAT = ["T1\tP 0 3\tAda", "", "T2\tP 8 11\ther"]
BOOKNLP = ["COREF\tstart_token\tend_token\tprop\tcat\ttext", "1\t0\t0\tPROP\tPER\tAda", "1\t2\t2\tPRON\tPER\ther"]
RECORD = json.dumps({"doc_key": "d", "sentences": [["Ada", "saw", "her"]], "clusters": [[[0, 0], [2, 2]]]})


def other(lines: list[str]) -> list[str]:
    """The same as another document."""
    return [re.sub(r"\bd\b", "e", line) for line in lines]


# By hand: the lines of the file, and for each document the line that it begins on and those of its mentions; some
# readers keep the line of the document alone.
PLACES: dict[str, tuple[list[str], list[tuple[int, list[int]]]]] = {
    "ecb": (ECB.splitlines(), [(1, [3, 5])]),
    "tbf": (["", *TBF, "", *other(TBF)], [(2, [3]), (6, [7])]),
    "edl": (["d\t0\t2\tE1\tNAM", "e\t0\t2\tE1\tNAM", "d\t8\t10\tE1\tPRO"], [(1, [1, 3]), (2, [2])]),
    "muc": (["", *MUC, *other(MUC)], [(2, [2, 2]), (5, [5, 5])]),
    "conll": (["", *CONLL, "", *other(CONLL)], [(2, [3, 6]), (9, [10, 13])]),
    "ua": (["# global.columns = ID FORM IDENTITY", *UA, *other(UA)], [(2, [3, 6]), (8, [9, 12])]),
    "brat": (BRAT, [(1, [1, 3])]),
    "booknlp": (BOOKNLP, [(1, [1, 1])]),
    "jsonl": ([RECORD, "", RECORD.replace('"d"', '"e"')], [(1, [1, 1]), (3, [3, 3])]),
    "clusters": (["[", '["Ada", "her"]', "]"], [(1, [1, 1])]),
    "table": (["document,mention,entity", "d,a,1", "d,b,1", "e,a,1"], [(2, [2, 2]), (4, [4])]),
    "text": (
        ["#begin document d", "[Ada](#1) saw", "[her](#1)", "#begin document e", "[Ada](#1)"],
        [(2, [2, 3]), (5, [5])],
    ),
}


@pytest.mark.parametrize("format", PLACES)
def test_where_documents_and_mentions_begin(format: str, tmp_path: Path) -> None:
    lines, expected = PLACES[format]
    path = tmp_path / f"d{named(format).suffix}"
    path.write_text("\n".join([*lines, ""]))
    (tmp_path / "d.txt").write_text("Ada saw her") if format == "brat" else None
    documents = scoref.read(path, format)
    assert [(each.line, [each.line_of(mention) for mention in each.mentions]) for each in documents] == expected
    assert {each.source for each in documents} == {str(path)}


# -- MessagePack, by its specification --------------------------------------------------------------------------------

VALUES: list[tuple[str, Any]] = [
    ("00", 0),
    ("7f", 127),
    ("ff", -1),
    ("e0", -32),
    ("c0", None),
    ("c2", False),
    ("c3", True),
    ("ccff", 255),
    ("cd0102", 258),
    ("ce01020304", 16909060),
    ("cf0000000000000001", 1),
    ("d0ff", -1),
    ("d1fffe", -2),
    ("d2fffffffd", -3),
    ("d3fffffffffffffffc", -4),
    ("ca3fc00000", 1.5),
    ("cb3ff8000000000000", 1.5),
    ("a0", ""),
    ("a161", "a"),
    ("bf" + "61" * 31, "a" * 31),
    ("d90161", "a"),
    ("da000161", "a"),
    ("db0000000161", "a"),
    ("c40161", b"a"),
    ("c5000161", b"a"),
    ("c60000000161", b"a"),
    ("90", []),
    ("920102", [1, 2]),
    ("9f" + "01" * 15, [1] * 15),
    ("dc00020102", [1, 2]),
    ("dd000000020102", [1, 2]),
    ("80", {}),
    ("820102a103c0", {1: 2, "\x03": None}),
    ("8f" + "".join(f"{n:02x}00" for n in range(15)), dict.fromkeys(range(15), 0)),
    ("de00010102", {1: 2}),
    ("df000000010102", {1: 2}),
    ("9181a19100", None),
]


@pytest.mark.parametrize(("data", "expected"), VALUES[:-1])
def test_values_of_message_pack(data: str, expected: object) -> None:
    found = loads(bytes.fromhex(data))
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    "data",
    [
        "",
        "c1",
        "c7",
        "d4",
        "cc",
        "cd01",
        "a2",
        "a161c0",
        "9101" * 2,
        "92" + "01",
        "81" + "01",
        "c402aa",
        "d9",
        "a1ff",
        "819100",
        "dd00000005",
    ],
)
def test_what_is_no_message_pack(data: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        loads(bytes.fromhex(data))


def test_how_deep_message_pack_may_be() -> None:
    loads(b"\x91" * 20 + b"\x90")  # 21 lists, the last at depth 20
    with pytest.raises(ValueError, match="nested too deeply"):
        loads(b"\x91" * 21 + b"\x90")
    assert unpacked(zlib.compress(b"ab"), 2) == b"ab"
    assert unpacked(zlib.compress(b"ab" * 5000), 9999) is None
    for data in (zlib.compress(b"ab" * 99)[:-6], b"ab"):
        with pytest.raises(ValueError):  # noqa: PT011
            unpacked(data, 999)


# -- DocBin -----------------------------------------------------------------------------------------------------------


def pack(value: Any) -> bytes:
    """MessagePack of texts, bytes, numbers, lists and objects."""
    if isinstance(value, str):
        return b"\xdb" + struct.pack(">I", len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return b"\xc6" + struct.pack(">I", len(value)) + value
    if isinstance(value, int):
        return b"\xd2" + struct.pack(">i", value)
    if isinstance(value, list):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(pack, value))
    return b"\xdf" + struct.pack(">I", len(value)) + b"".join(pack(key) + pack(each) for key, each in value.items())


def group(name: str, *spans: tuple[int, int]) -> bytes:
    """A group of spans: of each the last two numbers are its first token and the one behind; labels follow them."""
    rows = [struct.pack(">qqqllll", 7, 7, 7, 9, 9, *each)[:-8] + struct.pack(">ll", *each) + b"" for each in spans]
    return pack({"name": name, "attrs": {}, "spans": [row[:-8] + row[-8:] + bytes(8) for row in rows]})


def docbin(*texts: str, groups: list[Any] | None = None, **more: Any) -> bytes:
    """Documents of words; a word that begins with / starts a sentence."""
    words = [text.split() for text in texts]
    tokens = [(number_of(word.lstrip("/")), int(word[0] == "/")) for each in words for word in each]
    found = {
        "version": "0.1",
        "attrs": [65, 80],
        "tokens": struct.pack(f"<{2 * len(tokens)}Q", *[number for pair in tokens for number in pair]),
        "lengths": struct.pack(f"<{len(words)}i", *map(len, words)),
        "strings": sorted({word.lstrip("/") for each in words for word in each}),
        "span_groups": [pack({each: [] for each in own}) if isinstance(own, list) else own for own in groups or []],
    } | more
    return zlib.compress(pack({key: value for key, value in found.items() if value is not None}))


NAMES = group("coref_clusters_1", (0, 1), (2, 4))


def test_documents_of_a_docbin() -> None:
    other, head = group("sc", (0, 9)), group("coref_head_clusters_e", (1, 2))
    data = docbin("/Ada saw her /x", "/It", groups=[[NAMES, other, head], []])
    (first, second), problems = taken("docbin", data)
    assert not problems
    assert (first.id, [*first.words], first.sentences) == ("1", ["Ada", "saw", "her", "x"], (0, 3))
    assert places(first) == [("1", 0, 0), ("1", 2, 3), ("e", 1, 1)]
    assert (second.id, [*second.words], second.sentences, len(second.mentions)) == ("2", ["It"], (0,), 0)
    assert first.origin == Origin("f", numbered=True)


def test_a_group_may_have_several_names_or_be_a_list() -> None:
    several = pack({NAMES: ["coref_clusters_2", "x", "coref_clusters_3"]})
    assert places(one("docbin", docbin("a b c d", groups=[several]))) == [
        ("2", 0, 0),
        ("2", 2, 3),
        ("3", 0, 0),
        ("3", 2, 3),
    ]
    listed = pack([NAMES])
    assert places(one("docbin", docbin("a b c d", groups=[listed]))) == [("1", 0, 0), ("1", 2, 3)]


def test_sentences_of_a_docbin_need_not_be_said() -> None:
    data = docbin("/a b c /d", groups=[[NAMES]], attrs=[65], tokens=struct.pack("<4Q", *map(number_of, "abcd")))
    assert ([*one("docbin", data).words], one("docbin", data).sentences) == ([*"abcd"], ())
    data = docbin("a b c d", groups=[[NAMES]], strings=["a", "b", " "])
    (document,), (problem,) = taken("docbin", data)
    assert [*document.words] == ["a", "b", "_", "_"]
    assert (problem.code, problem.document, problem.expected, problem.remedy, problem.fatal) == (
        "unknown-word",
        "1",
        "words among the strings of the file",
        None,
        False,
    )
    assert problem.message.startswith("2 words ")


@pytest.mark.parametrize(
    ("span", "shown"), [((0, 5), "1 0 5"), ((2, 2), "1 2 2"), ((-1, 1), "1 -1 1"), ((0, 4), None), ((3, 4), None)]
)
def test_spans_are_within_their_document(span: tuple[int, int], shown: str | None) -> None:
    found, problems = taken(
        "docbin",
        docbin("a b c d", "e", groups=[[group("coref_clusters_1", span)], [group("coref_clusters_2", (0, 1))]]),
    )
    wrong = [(each.code, each.document, each.text, each.expected) for each in problems]
    assert wrong == ([("bad-mention", "1", shown, "spans within 4 tokens")] if shown else [])
    assert [each.id for each in found] == (["2"] if shown else ["1", "2"])


@pytest.mark.parametrize(
    "change",
    [
        {"lengths": struct.pack("<1i", 3)},
        {"lengths": struct.pack("<2i", 5, -1)},
        {"lengths": struct.pack("<2i", 3, 1)},
        {"attrs": [80, 66]},
        {"attrs": [65]},
        {"strings": None},
        {"tokens": None},
        {"lengths": b"x"},
        {"strings": 3},
    ],
)
def test_what_does_not_fit_is_no_docbin(change: dict[str, Any]) -> None:
    with pytest.raises(Error) as error:
        taken("docbin", docbin("a b c d", groups=[[NAMES]], **change))
    found = error.value.problem
    assert (found.code, found.path, found.line, found.expected, found.remedy) == (
        "bad-docbin",
        "f",
        None,
        "a DocBin as spaCy 3 writes it",
        "write it again",
    )


def test_a_docbin_without_coreference() -> None:
    for groups in ([[group("sc", (0, 1))]], [[]], None):
        with pytest.raises(Error) as error:
            taken("docbin", docbin("a", groups=groups))
        found = error.value.problem
        assert (found.code, found.expected, found.remedy) == (
            "no-entities",
            "groups of spans coref_clusters_1, ...",
            "keep them: DocBin(docs=docs) of spaCy 3.1 or later",
        )


# -- the key scoref of JSON lines -------------------------------------------------------------------------------------


def described(**record: Any) -> tuple[Document | None, str | None]:
    """The document of two words with such a description; else the code of what is wrong."""
    mention = {"span": [0], "entity": 0}
    whole = {"id": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0]]], "scoref": {"mentions": [mention], **record}}
    found, problems = taken("jsonl", json.dumps(whole))
    return (found[0], None) if found else (None, problems[0].code)


def with_mention(**fields: Any) -> tuple[Document | None, str | None]:
    return described(mentions=[{"span": [0], "entity": 0} | fields])


RECORDS: list[tuple[dict[str, Any], bool]] = [  # parts of a description, and whether they are fine
    ({"bridges": [[0, 0, {"Rel": "x"}]]}, True),
    ({"bridges": [[0, 1, {}]]}, False),
    ({"bridges": [[-1, 0, {}]]}, False),
    ({"bridges": [[True, 0, {}]]}, False),
    ({"bridges": [[0, 0]]}, False),
    ({"bridges": [[0, 0, []]]}, False),
    ({"columns": {"x": ["a", "b"]}}, True),
    ({"columns": {"x": ["a"]}}, False),
    ({"columns": {"text": ["a"]}}, True),
    ({"deixis": {"mentions": []}}, True),
    ({"deixis": {"deixis": {}}}, False),
    ({"comments": [[0, "# x"], [2, "# y"]]}, True),
    ({"comments": [[3, "# x"]]}, False),
    ({"comments": [[-1, "#"]]}, False),
    ({"sets": [[0, [1]]]}, True),
    ({"sets": [[0, [[1]]]]}, False),
    ({"nonreferring": [0]}, True),
    ({"nonreferring": [[0]]}, False),
    ({"relations": [["After", "R1", ["x", 3]]]}, True),
    ({"relations": [["After", "R1", [["x"]]]]}, False),
    ({"relations": [["After", "R1"]]}, False),
]


@pytest.mark.parametrize(("part", "fine"), RECORDS)
def test_what_a_description_may_say(part: dict[str, Any], fine: bool) -> None:
    found, code = described(**part)
    assert (found is not None, code) == (fine, None if fine else "bad-record")


FIELDS: list[tuple[dict[str, Any], bool]] = [
    ({"head": 0}, True),
    ({"head": 1}, True),
    ({"head": 2}, False),
    ({"head": -1}, False),
    ({"head": [1, 255]}, True),
    ({"head": [1, 256]}, False),
    ({"head": [1, 0]}, False),
    ({"head": [-1, 1]}, True),
    ({"head": [-2, 1]}, False),
    ({"head": [1, 1, 1]}, False),
    ({"head": "0"}, False),
    ({"minimum": [0, 1]}, True),
    ({"minimum": [1, 0]}, False),
    ({"minimum": [0, 0]}, False),
    ({"minimum": [2]}, False),
    ({"minimum": [[0, 1, -1]]}, True),
    ({"minimum": [[0, 2, -1]]}, False),
    ({"minimum": [[1, 0, -1]]}, False),
    ({"minimum": [[0, 1, -2]]}, False),
    ({"parents": [[position(1, 255), "x"]]}, True),
    ({"parents": [[position(2), "x"]]}, False),
    ({"parents": [[position(-1), "x"]]}, True),
    ({"parents": [[position(-1) - 1, "x"]]}, False),
    ({"parents": [["0", "x"]]}, False),
    ({"id": [1]}, False),
    ({"id": 3}, True),
    ({"attributes": []}, False),
]


@pytest.mark.parametrize(("fields", "fine"), FIELDS)
def test_what_a_description_may_say_of_a_mention(fields: dict[str, Any], fine: bool) -> None:
    found, code = with_mention(**fields)
    assert (found is not None, code) == (fine, None if fine else "bad-record")


def test_a_description_is_read_as_it_stands() -> None:
    found, _ = described(
        bridges=[[0, 0, {"Rel": "x"}]],
        sets=[["s", [0]]],
        nonreferring=[0],
        comments=[[1, "# x"]],
        relations=[["After", "R1", ["a", 3]]],
        columns={"x": ["a", 2]},
        mentions=[
            {
                "span": [0],
                "entity": 0,
                "id": "m",
                "head": [1, 2],
                "minimum": [0],
                "attributes": {"a": 1},
                "parents": [[256, "nsubj"]],
            }
        ],
    )
    mention = Mention(stretch(0, 0), 0, "m", stretch(0, 0), (("a", "1"),), position(1, 2), ((256, "nsubj"),))
    assert found == Document(
        "d",
        ("a", "b"),
        (mention,),
        (0,),
        {"x": ["a", "2"]},
        ((1, "# x"),),
        {"s": (0,)},
        frozenset({0}),
        bridges=(Bridge(0, 0, (("Rel", "x"),)),),
        relations=(("After", "R1", ("a", "3")),),
    )


def test_long_stretches_are_said_by_their_ends() -> None:
    words = tuple("abcdefghijkl")
    long, short = Mention(stretch(0, 10), "1", "m"), Mention(stretch(1, 10), "1", "n")
    text = named("jsonl").write([Document("d", words, (long, short))])
    assert isinstance(text, str)
    spans = [each["span"] for each in json.loads(text)["scoref"]["mentions"]]
    assert spans == [[[0, 10, -1]], [*range(1, 11)]]
    assert one("jsonl", text).mentions == (long, short)


@pytest.mark.parametrize(
    ("clusters", "mentions", "expected"),
    [
        ([[[0, 0]]], [([1], "x")], "words 1 to 1 are a mention of entity 'x' in scoref, but not in clusters"),
        ([[[0, 0], [1, 1]]], [([0], 0)], "words 1 to 1 are a mention of entity 0 in clusters, but not in scoref"),
        ([[[0, 0]], []], [([0], 0)], "entity 1 in one of scoref and clusters only"),
        ([[[0, 0]]], [([0], 0), ([0, [1, 1]], "y" * 50)], f"entity {'y' * 40} in one of scoref and clusters only"),
    ],
)
def test_a_description_agrees_with_clusters(clusters: Any, mentions: Any, expected: str) -> None:
    listed = [{"span": span, "entity": entity} for span, entity in mentions]
    record = {"id": "d", "sentences": [["a", "b"]], "clusters": clusters, "scoref": {"mentions": listed}}
    (problem,) = taken("jsonl", json.dumps(record))[1]
    assert (problem.code, problem.text) == ("different-record", expected)


def test_subtokens_are_pieces_of_words() -> None:
    record = {"id": "d", "clusters": [[[0, 1]], [[2, 3]]], "subtoken_map": [0, 0, 1, 1]}
    pieces = [["[CLS]", "Ad"], ["##a", "▁ran"]]
    assert ([*one("jsonl", json.dumps(record | {"sentences": pieces})).words]) == ["Ad", "aran"]
    assert one("jsonl", json.dumps(record | {"sentences": pieces})).sentences == (0, 1)
    whole = one("jsonl", json.dumps(record | {"sentences": [["x"], ["y"]]}))
    assert ([*whole.words], whole.sentences) == (["x", "y"], (0, 1))
    other = one("jsonl", json.dumps(record | {"sentences": [["x", "y", "z"]]}))
    assert ([*other.words], places(other)) == ([], [(0, 0, 0), (1, 1, 1)])
    nothing = {"id": "d", "clusters": [], "subtoken_map": [], "sentences": [["x"]]}
    assert [*one("jsonl", json.dumps(nothing)).words] == []
    four = record | {"sentences": [[*"abcd"]]}
    for numbers in ([0, 4, 4, 4], [0, 1, 2, -1], [0, 1, 2, True], [0, 2, 1, 3]):
        assert taken("jsonl", json.dumps(four | {"subtoken_map": numbers}))[1][0].code == "bad-subtokens"
    assert places(one("jsonl", json.dumps(four | {"subtoken_map": [0, 3, 3, 3]}))) == [(0, 0, 3), (1, 3, 3)]


def test_names_and_parts_of_json_lines() -> None:
    for fields, name in (
        ({"doc_key": "a", "part_id": 3}, "(a); part 003"),
        ({"id": "a", "part": "1234"}, "(a); part 1234"),
        ({"id": "a", "part": "x"}, "a"),
        ({"part": 3}, ""),
        ({"id": 7}, "7"),
        ({"id": True, "doc_id": "b"}, "b"),
        ({"id": "a", "part": "1" * 18}, f"(a); part {'1' * 18}"),
        ({"id": "a", "part": "1" * 19}, "a"),
    ):
        assert one("jsonl", json.dumps(fields | {"clusters": []})).id == name


@pytest.mark.parametrize(
    ("key", "response", "number", "expected"),
    [
        ('{"a"}\n{"b"}\n{"c"}\n', '{"a"}\n\n{"b"}\n{"c"}', 3, [(6, 7), (12, 13)]),
        ('{"a"}\n{"b"}\n', '{"a"}\n', 2, []),
        ('{"a"}\n{"b"}\n', '{"a"}\n{"b"}x\n', 2, []),
        ('{"a"}\nx{"b"}\n', '{"a"}\n{"b"}\n', 2, []),
        ('{"a"}\n', '{"b"}\n', 4, []),
        ("", "", 2, []),
        ('{"predicted_clusters"}\n{"b"}\n', '{"a"}\n{"b"}\n', 2, []),
    ],
)
def test_where_json_lines_are_split(key: str, response: str, number: int, expected: list[tuple[int, int]]) -> None:
    assert json_borders(key.encode(), response.encode(), number) == expected


HEADERS = ["#begin document a\n", "#begin document b\n", "#begin document c\n"]


@pytest.mark.parametrize(
    ("key", "response", "number", "expected"),
    [
        ("{}x\n{}y\n{}z\n", "{}x\n{}\n{}\n", 3, [(40, 39)]),
        ("{}x\n{}y\n{}z\n", "{}x\n{}\n{}\n", 2, [(40, 39)]),
        ("{}x\n{}y\n{}z\n", "{}x\n{}\n{}\n", 1, []),
        ("{}x\n{}y\n{}z\n", "{}x\n{}\n#begin document d\n", 3, []),
        ("{}x\n{}y\n{}z\n", "#begin document d\nx\n{}\n{}\n", 3, []),
    ],
)
def test_where_conll_is_split(key: str, response: str, number: int, expected: list[tuple[int, int]]) -> None:
    sides = [key.format(*HEADERS), response.format(*(HEADERS if response[0] == "{" else HEADERS[1:]))]
    assert named("conll").borders(sides[0].encode(), sides[1].encode(), number) == expected


# -- results of models ------------------------------------------------------------------------------------------------


def results(side: object) -> list[Document] | None:
    return from_results(side, "key", Problems())


WELL = Document("d", ("a", "b"), (Mention(stretch(0, 1), "1"), Mention((position(-1, 1),), "2"), Mention((), "3", "m")))


def test_documents_are_taken_as_they_are() -> None:
    assert results(WELL) == results([WELL]) == [WELL]
    assert results([]) is results("d") is results(b"d") is results(3) is results([WELL, 3]) is results({}) is None
    assert results([WELL, {"tokens": ["a"], "clusters": []}]) is not None


@pytest.mark.parametrize(
    ("span", "words", "text", "expected"),
    [
        (stretch(1, 2), 2, "1-2 of e", "the first and the last word, counted from 0 and below 2"),
        (stretch(-1, 0), 2, "-1-0 of e", "the first and the last word, counted from 0 and below 2"),
        (stretch(-2, -1), 0, "-2--1 of e", "the first and the last word, counted from 0"),
        ((position(1), position(2, 1)), 2, "1-2 of e", "the first and the last word, counted from 0 and below 2"),
        ((), 2, "of e", "the first and the last word, counted from 0 and below 2"),
    ],
)
def test_mentions_outside_of_a_document_are_refused(span: Any, words: int, text: str, expected: str) -> None:
    document = Document("d", ("a",) * words, (Mention(span, "e"),), origin=Origin("f", 3))
    for each in (document, Document("d", ("a",) * words, deixis=document)):
        with pytest.raises(Error) as error:
            results(each)
        found = error.value.problem
        assert (found.code, found.path, found.line, found.document) == ("bad-mention", "f", 3, "d")
        assert (found.text, found.expected) == (text, expected)


def test_mentions_up_to_the_last_word_are_fine() -> None:
    for span in (stretch(0, 1), (position(0), position(1, 255)), (position(-1, 1), position(0))):
        document = Document("d", ("a", "b"), (Mention(span, "e"),))
        assert results(document) == [document]
    far = Document("d", (), (Mention(stretch(0, 99), "e"),))
    assert results(far) == [far]


def test_results_that_are_wrong_say_what() -> None:
    with pytest.raises(Error) as error:
        results({"id": "x", "tokens": ["a"], "clusters": [7]})
    found = error.value.problem
    assert (found.code, found.document, found.text, found.expected) == ("bad-clusters", "x", "7", "[[start, end], ...]")


# -- CoNLL ------------------------------------------------------------------------------------------------------------


def test_texts_that_a_document_is_joined_of() -> None:
    def texts(*names: str) -> list[str] | None:
        rows = "\n".join(f"{name} 0 {number} w -" for number, name in enumerate(names))
        columns = one("conll", f"#begin document a\n{rows}\n#end document\n").columns
        return (
            [*columns["text names"]]
            if "text names" in columns
            else next(([*columns[name]] for name in columns if name not in ("pos",)), None)
        )

    assert texts("x", "x", "y") == ["x", "x", "y"]
    assert texts("x", "y", "x", "z") is None  # no stretches
    assert texts("x", "x") is None
    assert texts("1", "2") is None  # numbers are no names


# -- MAVEN-ERE, MUC, tables -------------------------------------------------------------------------------------------


def test_a_key_of_maven() -> None:
    record = {
        "id": "d",
        "tokens": [["a", "b"], ["c"]],
        "TIMEX": [{"id": "t"}],
        "events": [
            {
                "id": "e",
                "type": "X",
                "mention": [{"id": "m", "sent_id": 1, "offset": [0, 1]}, {"id": "n", "sent_id": 0, "offset": [0, 2]}],
            },
            {"id": 7, "type": 3, "mention": [{"id": "o", "sent_id": 0, "offset": [1, 2]}]},
        ],
        "temporal_relations": {"BEFORE": [["e", "t"], ["t", "7"]]},
        "subevent_relations": [["e", "7"]],
    }
    document = one("maven", json.dumps(record))
    assert (document.id, [*document.words], document.sentences, document.origin) == (
        "d",
        ["a", "b", "c"],
        (0, 2),
        Origin("f", 1),
    )
    assert [(each.id, *each.attributes) for each in document.mentions] == [
        ("m", ("type", "X")),
        ("n", ("type", "X")),
        ("o",),
    ]
    assert places(document) == [("e", 2, 2), ("e", 0, 1), ("7", 1, 1)]
    assert document.relations == (
        ("TIMEX", "t", ("t",)),
        ("temporal:BEFORE", "R1", ("m", "t")),
        ("temporal:BEFORE", "R2", ("n", "t")),
        ("temporal:BEFORE", "R3", ("t", "o")),
        ("subevent", "R4", ("m", "o")),
        ("subevent", "R5", ("n", "o")),
    )


def test_a_response_of_maven() -> None:
    record = {"id": "d", "coreference": [["m", "n"], ["o"]], "causal_relations": {"CAUSE": [["m", "x"]]}}
    document = one("maven", f"\n{json.dumps(record)}\n")
    assert [(each.entity, each.id) for each in document.mentions] == [(0, "m"), (0, "n"), (1, "o")]
    assert (document.relations, document.origin) == ((("causal:CAUSE", "R1", ("m", "x")),), Origin("f", 2))


def test_names_and_tags_of_muc() -> None:
    text = (
        '<DOC><DOCNO> a\n b </DOCNO>Ada <B x=">">ran</B></DOCID> on <COREF ID="1" MIN="cat" TYPE="IDENT" X="y">the cat '
        "</COREF>\n<COREF ID=\"2\" REF='1'> it</COREF></DOC>"
    )
    document = one("muc", text)
    assert (document.id, document.columns["text"]) == ("a b", ["Ada ran on the cat \n it"])
    assert [(document.text_of(each), each.id, each.entity, each.attributes) for each in document.mentions] == [
        ("the cat", "1", "1", (("X", "y"), ("Min", "cat"))),
        ("it", "2", "1", ()),
    ]
    assert [*document.mentions[0].minimum] == [*stretch(15, 17)]
    first, second = taken("muc", f"{text}\n\n<DOC>\n</DOC>")[0]
    assert (first.line, second.line, second.id) == (1, 5, "")


def test_names_of_mentions_in_tables() -> None:
    mentions = (
        Mention((), "1", (3, 5)),
        Mention((), "1", "x"),
        Mention((position(0), position(2)), "1"),
        Mention((), "1", 7),
        Mention((position(1, 2),), "1"),
    )
    document = Document("#d", (), mentions)
    expected = (
        'document,mention,entity\n"#d","3-5","1"\n"#d","x","1"\n"#d","0-0,2-2","1"\n"#d","7","1"\n"#d","1.2","1"\n'
    )
    assert named("table").write([document]) == expected
    assert named("table").write([Document("", (), mentions[1:2])]) == "mention,entity\nx,1\n"
    assert named("table").write([document], ".tsv") == "document\tmention\tentity\n" + "".join(
        f'"#d"\t"{name}"\t"1"\n' for name in ("3-5", "x", "0-0,2-2", "7", "1.2")
    )
    with pytest.raises(Error, match="unwritable-name"):
        named("table").write([Document("d", (), mentions[1:2]), Document("", (), mentions[1:2])])
    read, _ = taken("table", "x,mention,doc,entity\n1,a,d,7\n2,b,e,8\n3,c,d,9\n")
    assert [(each.id, each.line, [(m.id, m.entity) for m in each.mentions]) for each in read] == [
        ("d", 2, [("a", "7"), ("c", "9")]),
        ("e", 3, [("b", "8")]),
    ]


def test_pieces_that_overlap_are_written_as_they_were() -> None:
    row = "s\td\tE1\t4,8;6,9\tw\tType\tActual\t0.5\n"
    text = f"#BeginOfDocument d\n{row}#EndOfDocument\n"
    (document,), _ = taken("tbf", text)
    assert [*map(word_of, document.mentions[0].span)] == [4, 5, 6, 7, 8]
    assert named("tbf").write([document]) == text


def test_ids_of_tokens_are_written_with_t_or_without(tmp_path: Path) -> None:
    def spans(table: list[str], *written: str) -> list[list[int]]:
        (tmp_path / "d.tab").write_text("".join(f"{id}\tw\t{n}\t{n + 1}\n" for n, id in enumerate(table)))
        rows = "".join(f"s\td\tE{n}\t{span}\tw\tT\tR\n" for n, span in enumerate(written))
        text = f"#BeginOfDocument d\n{rows}#EndOfDocument\n"
        (document,), _ = taken("tbf", text, tokens=str(tmp_path))
        return [[*map(word_of, mention.span)] for mention in document.mentions]

    assert spans(["1", "2"], "t1", "t2,t1") == [[0], [0, 1]]
    assert spans(["1", "2"], "1", "2") == [[0], [1]]
    assert spans(["1", "t1"], "t1", "1") == [[1], [0]]  # both are ids
    assert spans(["1", "2"], "t1", "x") == [[0]]
    assert spans(["1", "2"], "1", "x") == [[0]]


def test_empty_nodes_up_to_127_are_nodes() -> None:
    def comments(number: int) -> str:
        node = "\t".join([f"1.{number}", *"_" * 9])
        text = named("corefud").write([Document("d", ("a",), comments=((1, node),))])
        assert isinstance(text, str)
        return next(line for line in text.split("\n") if f"1.{number}" in line)

    assert comments(127).startswith("1.127\t_")
    assert comments(128).startswith("# 1.128\t_")


def test_mentions_of_a_record_are_read_at_once_if_they_are_plain() -> None:
    document = one("jsonl", '{"id": "d", "sentences": [["a", "b", "c"]], "clusters": [[[0, 0]], [], [[1, 2], [2, 2]]]}')
    assert places(document) == [(0, 0, 0), (2, 1, 2), (2, 2, 2)]
    assert document.mentions.names == (0, 2)


@pytest.mark.parametrize("place", [(-1, 1), (-1, 129), (0, 1), (0, 127), (0, 129), (0, 255), (1, 2)])
def test_numbers_of_empty_nodes_come_back(place: tuple[int, int]) -> None:
    document = Document("d", ("a", "b"), (Mention((position(*place),), "1", "m"),), (0,))
    text = named("ua").write([document])
    assert isinstance(text, str)
    node = next(line.split("\t")[0] for line in text.split("\n") if "MarkableID=m" in line)
    assert node == f"{place[0] + 1}.{place[1] % 128 if place[0] < 0 else place[1]}"
    again = one("ua", text).mentions[0].span
    assert again == ((position(-1, place[1] | 128),) if place[0] < 0 else (position(*place),))


# -- CorefUD, as it is written ----------------------------------------------------------------------------------------


def conllu(number: str, form: str = "x", lemma: str = "_", deps: str = "_", misc: str = "_") -> str:
    return "\t".join([number, form, lemma, *"_" * 5, deps, misc])


HEADER = "# global.Entity = eid-etype-head-other"
RICH = Document(
    "a/b",
    ("a", "b", "c", "d", "e"),
    (
        Mention(
            (position(0), position(1), position(1, 1)), "e1", attributes=(("etype", "p(x"), ("other", "a-b")), head=256
        ),
        Mention((position(0), position(2)), "e2", head=position(2)),
        Mention(stretch(0, 0), "e3", attributes=(("etype", "x-y"),)),
        Mention(
            (position(2, 129),),
            "e4",
            head=position(2, 129),
            parents=(  # the last three are an empty node that is not there, a word of another sentence, and none
                (position(3), "nsubj|x"), (position(2, 128), "root"), (position(4, 7), "x"), (position(1), "x"),
                (position(5), "x"),
            ),
        ),
        Mention((position(2, 129), position(3)), "e1", head=position(3)),
        Mention(stretch(3, 4), "e1"),
        Mention(stretch(4, 4), "e5"),
    ),
    (0, 3),
    {"MISC": ["Entity=q|Gloss=y", "Gloss=z", "_", "Bridge", "SpaceAfter=No"], "LEMMA": ["A", "_", "_", "_", "_"]},
    (
        (0, HEADER), (0, "# newdoc id = z"), (0, "# global.Entity = x-y"), (1, conllu("7-8")), (2, "plain"),
        (2, conllu("9.1", misc="Role=r")), (3, "# s"), (3, conllu("0.2")), (5, "# end"),
    ),
    {"e5": ("e1", "e2"), "e2": ()},
    bridges=(Bridge(6, 0, (("Rel", "part,of"),)), Bridge(6, 1)),
)  # fmt: skip
RICH_LINES = [
    "# newdoc id = a/b", HEADER, "# # newdoc id = z", "# # global.Entity = x-y",
    conllu("1", "a", "A", misc="Entity=(e1-p%28x-2-a-b(e2[1/2]--2-)(e3-x%2Dy-1-)|Gloss=y"),
    conllu("2-3"), conllu("2", "b", misc="Gloss=z"), conllu("2.1", misc="Entity=e1)|Role=r"), "# plain",
    conllu("3", "c", misc="Entity=(e2[2/2]--2-)"), "", "# s",
    conllu("0.1", "_", deps="1:nsubj%7Cx|0:root", misc="Entity=(e4--1-)(e1[1/2]--2-)"), conllu("0.2"),
    conllu("1", "d", misc="Entity=(e1---(e1[2/2]--2-)"),
    conllu("2", "e", misc="Entity=e1)(e5--1-)|Bridge=e1<e5:part%2Cof,e2<e5|SplitAnte=e1<e5,e2<e5|SpaceAfter=No"),
    "", "# end", "", "",
]  # fmt: skip


def test_corefud_is_written_line_by_line() -> None:
    text = named("corefud").write([RICH])
    assert isinstance(text, str)
    assert text.split("\n") == RICH_LINES
    again = one("corefud", text)
    assert again.words == RICH.words
    assert {(each.entity, each.span) for each in again.mentions} == {(each.entity, each.span) for each in RICH.mentions}


def test_headers_of_documents_without_heads_have_no_field_for_them() -> None:
    def header(*mentions: Mention, comment: str = HEADER) -> list[str]:
        text = named("corefud").write([Document("d", ("a", "b"), mentions, comments=((0, comment),) * bool(comment))])
        assert isinstance(text, str)
        return [line for line in text.split("\n") if "global" in line]

    bare, headed = Mention(stretch(0, 1), "e"), Mention(stretch(0, 1), "e", head=256)
    assert header(bare) == header(bare, comment="") == ["# global.Entity = eid-etype-other"]
    assert header(headed) == header(headed, comment="") == header(Mention(stretch(0, 0), "e"), comment="") == [HEADER]
    assert header() == [HEADER]
    assert header(bare, comment="# global.Entity = GRP-head-x") == ["# global.Entity = GRP-x"]
    assert header(headed, comment="# global.Entity = GRP-head-x") == ["# global.Entity = GRP-head-x"]


@pytest.mark.parametrize(
    ("ends", "fine"),
    [
        ([(0, 3), (1, 2)], True), ([(0, 1), (1, 2)], True), ([(0, 2), (1, 3)], False), ([(0, 1), (2, 3)], True),
        ([(0, 2), (0, 1)], True), ([(0, 3), (0, 3)], True), ([(0, 3), (1, 2), (2, 3)], True),
        ([(0, 3), (1, 3), (2, 4)], False),
    ],
)  # fmt: skip
def test_mentions_of_one_entity_may_not_cross(ends: list[tuple[int, int]], fine: bool) -> None:
    document = Document("d", tuple("abcde"), [Mention(stretch(*each), "e") for each in ends])
    others = Document("d", tuple("abcde"), [Mention(stretch(*each), f"e{n}") for n, each in enumerate(ends)])
    assert named("corefud").write([others])
    if fine:
        text = named("corefud").write([document])
        assert isinstance(text, str)
        assert sorted(each[1:] for each in places(one("corefud", text))) == sorted(ends)
    else:
        with pytest.raises(Error, match="crossing-mentions"):
            named("corefud").write([document])


@pytest.mark.parametrize(
    ("spans", "fine"),
    [([(0, 2), (3, 5)], True), ([(0, 3), (1, 2)], True), ([(0, 3), (1, 4)], False), ([(0, 2), (2, 4)], False)],
)
def test_mentions_in_two_pieces_may_not_be_within_each_other(spans: list[tuple[int, int]], fine: bool) -> None:
    pieces = [Mention((position(first), position(last)), "e") for first, last in spans]
    document = Document("d", tuple("abcdef"), pieces)
    if fine:
        assert named("corefud").write([document])
    else:
        with pytest.raises(Error, match="crossing-mentions"):
            named("corefud").write([document])


def test_entities_get_names_that_corefud_can_have() -> None:
    mentions = [Mention(stretch(n, n), name) for n, name in enumerate(("a-b", "a_b", "a|b", "c", "d d"))]
    document = Document("d", tuple("abcde"), mentions, sets={"a-b": ("c", "d d")}, nonreferring=frozenset({"a|b"}))
    other = Document("e", ("a",), [Mention(stretch(0, 0), "x")])
    (renamed, same), notes = named("corefud").fit([document, other])
    assert [each.entity for each in renamed.mentions] == ["a_b_2", "a_b", "a_b_3", "c", "d_d"]
    assert (renamed.sets, renamed.nonreferring) == ({"a_b_2": ("c", "d_d")}, {"a_b_3"})
    assert same == other
    assert notes == ["3 entities were renamed, as CorefUD has no such names: a-b is a_b_2"]


def test_columns_of_one_name_are_counted() -> None:
    with pytest.raises(Error) as error:
        taken("table", "mention,entity,x,Entity\n1,2,3,4\n")
    assert error.value.problem.message == "several columns are called 'entity': the 2, 4. of 4"


def test_a_first_word_that_comes_again_is_a_token_of_its_own() -> None:
    tokens, _ = tokenize("No cat, No dog.")
    assert [token.text for token in tokens] == ["No", "cat", ",", "No", "dog", "."]
