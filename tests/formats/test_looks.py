"""What files of each format look like, and what they do not, as the pages of the formats have them."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import pytest

from scoref.formats import Source, detect, looks, looks_like
from scoref.formats.jsonl.shapes import entities_of_texts
from scoref.formats.known import by_suffix, named
from scoref.problems import Error

LOOKS: dict[str, tuple[list[str], list[str]]] = {  # what is, and what is not
    "brat": (
        [
            "T1\tX 0 3\tAda",
            "\n T12a\tX 0",
            "E1\tX:T1",
            "A1\tNeg T1",
            "M2\tNeg E1",
            "R1\tX Arg1:T1",
            "*\tEquiv T1 T2",
            "N1\tRef T1",
            "#1\tNote T1",
            "#1\tNote A1",
        ],
        [
            "T1 X 0 3",
            "T\tX 0",
            "T1\tX a",
            "E1\tX:1",
            "A1\tNeg R1",
            "R1\tX T1",
            "x\nT1\tX 0 3\tAda",
            "#\tNote T1",
            "Q1\tX 0 3",
        ],
    ),
    "booknlp": (
        ["COREF\tstart_token\tend_token\tx\n1\t2\t3", " x\tend_token\tstart_token\tCOREF "],
        ["COREF\tstart_token\n", "x\nCOREF\tstart_token\tend_token", "COREF start_token end_token"],
    ),
    "clusters": (
        [
            "[]",
            " [ ]\n",
            '[["a"]]',
            "[[1]]",
            "[[-1]]",
            "[[[0, 1]]]",
            "[[]]",
            "[[null]]",
            "[[true]]",
            "[[{",
            '["a"]',
            '["a", 1]',
            "[1, 2]",
            "[null]",
            "[false, 1]",
            '{"x": 1, "type": "clusters"}',
            '{"type" : "graph"}',
            '{"1": ["a"]}',
            '{"1": []}',
            '{"x": 3, "clusters": {"1": ["a"]}}',
            '{"clusters": [[], ["a"]]}',
        ],
        [
            "",
            "[x",
            "[{",
            "[[nullx",
            "[] x",
            '["a" x',
            '{"type": "x"}',
            '{"type": "clustersx"}',
            '{"1": "a"}',
            '{"clusters": [[0]]}',
            '{"clusters": [[]]}',
            '{"1": ["a", 2]}',
            '{"1": ["a"]',
            "a [[1]]",
            "[nulls]",
        ],
    ),
    "conll": (
        ["#begin document a", "x\n \t# begin document", "#begin document (a); part 000\na\t(1)\n[b](#2)\t-\n"],
        [
            "#begin documen",
            "x #begin document a",
            "#begin document a\n[Ada](#1) ran\n#end document\n",
            "#begin document a\n[Ada](#1) ran\nx -\ny z\n",
        ],
    ),
    "corefud": (
        [
            "# global.Entity = x",
            "x\n#global.Entity=",
            "1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(",
            "12\t_\t_\t_\t_\t_\t_\t_\t_\tx|Entity=(",
        ],
        [
            "# global.entity = x",
            "x # global.Entity = ",
            "1\t_\t_\t_\t_\t_\t_\t_\tEntity=(",
            "1\t_\t_\t_\t_\t_\t_\t_\t_\txEntity=(",
            "# global.columns = ID FORM IDENTITY\n# global.Entity = x",
            "x\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(",
        ],
    ),
    "ecb": (
        ["<Document doc_name='a'><token t_id='1'", "\n<?xml version='1.0'?>\n<Document>\n<token sentence='0' t_id='1'"],
        ["x<Document><token t_id='1'", "<Document><Token t_id='1'", "<Document><token id='1'", "<Doc><token t_id='1'"],
    ),
    "edl": (
        ["d\t1\t2\tE", "\nd\t1\t2\tE\n \nd\t1\t2\tF\nx", "d\t1\t2\tE\nd\t1\t2\tF\nd\t1\t2\tG\nx\ny"],
        ["", "\n\n", "d\t1\t2\t", "d\t1\tx\tE", "d\tx\t1\tE", "\t1\t2\tE", "x\nd\t1\t2\tE", "d\t1\t2\tE\nx\n"],
    ),
    "jsonl": (
        [
            '{"doc_key": "a", "clusters": []}',
            '\n{"id": 1}',
            '{"tokens": []}\n',
            '{"sentences": []}\nx',
            '{"clusters": []',
            '[{"clusters": []}]',
            '[ {\n"corefs" : {}}]',
            '{\n"span_clusters": []\n}',
            '{"clusters": [[["a"',
            '{"text": "", "clusters": []}\n',
        ],
        [
            "[[1]]",
            "x",
            '{"x": 1}',
            '{"id": 1, "type": "graph"}',
            '{"clusters": [], "type": "x"',
            '{"1": ["a"]}',
            '[{"x": []}]',
            '[{"type": "clusters", "clusters": []}]',
            '{"clusters": [["a"]]}',
            '{"x": [',
            '{"id": "a", "tokens": [], "events": []}',
        ],
    ),
    "maven": (
        [
            '{"id": "a", "tokens": [], "events": []}',
            '\n{"id": "a", "coreference": []}\n',
            '{"id": "a", "causal_relations": {}}',
            '{"id": "a", "temporal_relations": {}, "x": 1}',
            '{"id": "a", "subevent_relations": []}',
            '{"id": "a", "events": [], "TIMEX": [',
            '{"id": "a", "temporal_relations": {"BEF',
        ],
        [
            "[]",
            "x",
            '{"id": "a"}',
            '{"id": "a", "events": []}',
            '{"tokens": [], "events": []}',
            '{"id": "a", "events": [',
            '{"id": "a", "tokens": [], "events": [], "clusters": []}',
            '{"id": "a", "text": "", "coreference": []}',
            '{"id": "a", "x_relations": {}}',
            '{"id": "a"}\n{"id": "a", "coreference": []}',
        ],
    ),
    "muc": (
        [
            '<DOC>\n<COREF ID="1">',
            '<COREF x="y" ID="1" REF="2">',
            "<DOC>x<TXT>",
            '<COREF ID = "1"> <COREF\nREF="2">',
            " <DOC> <TXT>",
        ],
        [
            '<COREF ID="1">',
            '<DOC><COREF REF="1">',
            "<DOC>x",
            "x<DOC><TXT>",
            '<COREFS ID="1"><DOC>',
            '<COREF ID="1"><COREF XREF="2">',
        ],
    ),
    "table": (
        ["mention,entity", "a\tmention_id\tcluster", '"id";"label"', "#Mention,ENTITY\n", " record_id,unique_id "],
        ["mention", "mention,x", "x,entity", "x\nmention,entity", "mention entity", "a,mention;entity"],
    ),
    "tbf": (
        ["#BeginOfDocument a", "x\n \t#BeginOfDocument"],
        ["x #BeginOfDocument", "# BeginOfDocument a", "#EndOfDocument"],
    ),
    "text": (
        ["[Ada](#1) ran", "Ada|[1]", "<m> Ada | 1 </m>"],
        ["Ada ran", '{"x": "[Ada](#1)"}', '[[{"x": "[Ada](#1)"}]]', "<?xml ?>[Ada](#1)", " <!-- [Ada](#1)"],
    ),
    "ua": (
        [
            "# global.columns = ID FORM IDENTITY",
            "x\n#global.columns=ID IDENTITY X",
            "1\tw\t(EntityID=1|MarkableID=",
            "(EntityID=|MarkableID=",
        ],
        [
            "# global.columns = ID FORM",
            "# global.columns = XIDENTITY",
            "x # global.columns = IDENTITY",
            "(EntityID=1 |MarkableID=",
            "(EntityID=(|MarkableID=",
        ],
    ),
    "webanno": (
        ["#FORMAT=WebAnno TSV 3.3", "\n#FORMAT=WebAnno TSV 3.2\n"],
        ["#FORMAT=WebAnno TSV 2", "x\n#FORMAT=WebAnno TSV 3"],
    ),
    "xmi": (
        ["<xmi:XMI x", "<?xml ?>\n<XMI>", '{"%TYPES": {}}', '\n{ "%FEATURE_STRUCTURES" : []'],
        ["x<xmi:XMI >", "<xmi:XMIX>", "<a:XMI >", '{"x": 1, "%TYPES": {}}', '["%TYPES"]', " " * 5000 + "<XMI>"],
    ),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_a_format_looks_like(name: str) -> None:
    sniff: Callable[[bytes], bool] = getattr(looks, name)
    yes, no = LOOKS[name]
    assert [text for text in yes if not sniff(text.encode())] == []
    assert [text for text in no if sniff(text.encode())] == []
    assert named(name).sniff is sniff


def test_of_edl_more_than_half_of_the_first_lines_count() -> None:
    line = b"d\t1\t2\tE\n"
    assert looks.edl(line * 3 + b"x\nx\n")  # three of five
    assert not looks.edl(line * 2 + b"x\nx\nx\n")
    assert looks.edl(line * 3 + b"x\n")
    assert not looks.edl(line * 2 + b"x\nx\n")
    assert looks.edl(line * 5 + b"x\n" * 9)  # five lines are looked at


def test_docbin_is_packed_by_zlib() -> None:
    start = b"\x84\xa7version\xa30.1\xa5attrs"
    assert looks.docbin(zlib.compress(start))
    assert looks.docbin(zlib.compress(start + b"x" * 9999)[:150])
    assert not looks.docbin(start)
    assert not looks.docbin(zlib.compress(b"\xa7version"))
    assert not looks.docbin(zlib.compress(b"\xa5attrs"))
    assert not looks.docbin(zlib.compress(b"x" * 200 + start))
    assert not looks.docbin(b"x\x9c\xff\xff\xff")


def test_running_text_has_columns_in_less_than_half_of_its_lines() -> None:
    assert looks.is_running(b"Ada ran\n\n a\t1\nand fell\n")
    assert not looks.is_running(b"Ada ran\na\t1\n")
    assert not looks.is_running(b"Ada (1)\nshe ran\n")
    assert not looks.is_running(b"<?xml ?> Ada ran")
    assert not looks.is_running(b'{"x": 1}')
    assert not looks.is_running(b"")


def test_conll_has_columns_in_half_of_its_lines() -> None:
    marked = "#begin document a\n{}\n#end document\n"
    for line in ("a\t(1)", "d 0 3 a (1)", "d 0 a -"):
        assert looks.conll(marked.format(f"{line}\n[Ada](#1) ran").encode())
        assert not looks.conll(marked.format(f"{line}\n[Ada](#1) ran\nand fell").encode())
    for text in ("[Ada](#1) ran", "[Ada](#1) ran _", "a (1)\n[Ada](#1) ran"):
        assert not looks.conll(marked.format(text).encode())
        assert looks.text(marked.format(text).encode())


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"1": ["a"], "2": []}, {"1": ["a"], "2": []}),
        ({"1": []}, {"1": []}),
        ({}, None),
        ({"clusters": []}, None),
        ({"clusters": [[]]}, None),
        ({"clusters": {}}, None),
        ({"clusters": {"1": []}}, {"1": []}),
        ({"clusters": [[], ["a"]], "model": 3}, [[], ["a"]]),
        ({"clusters": [["a", 1]]}, None),
        ({"clusters": ["a"]}, None),
        ({"clusters": "a"}, None),
        ({"1": ["a"], "2": "b"}, None),
        ({"id": "d", "clusters": [["a"]]}, None),
        ({"type": "x", "clusters": [["a"]]}, None),
        ({"sentences": [], "clusters": [["a"]]}, None),
        ({"text": "a", "clusters": [["a"]]}, None),
        ({"tokens": [], "clusters": [["a"]]}, None),
        ({"span_clusters": [], "clusters": [["a"]]}, None),
        ([["a"]], None),
    ],
)
def test_objects_of_texts(record: Any, expected: Any) -> None:
    assert entities_of_texts(record) == expected


# -- which format a file has ------------------------------------------------------------------------------------------


def test_the_beginning_of_a_file_is_enough_unless_it_is_an_object_of_several_lines() -> None:
    long = "x" * looks.BEGINNING
    assert detect(Source(f"#begin document a\n{long}".encode(), "f")).name == "conll"
    assert detect(Source(f"# {long}\n#begin document a\n".encode(), "f")).name == "conll"
    assert detect(Source(f'{{\n"x": "{long}",\n"clusters": []}}'.encode(), "f")).name == "jsonl"
    assert detect(Source(f'{{"x": "{long}", "clusters": [["a"]]}}'.encode(), "f")).name == "clusters"
    for end, name in (("", "jsonl"), (',\n"type": "clusters"', "clusters")):  # all of it tells, not its beginning
        chains = ",\n".join(["[[0, 1]]"] * 30_000)
        assert detect(Source(f'{{\n"clusters": [\n{chains}\n]{end}\n}}'.encode(), "f")).name == name


def problem(text: str, name: str = "f", **how: Any) -> tuple[str, str | None, str | None]:
    with pytest.raises(Error) as error:
        detect(Source(text.encode(), name, **how))
    assert error.value.path == name
    return error.value.code, error.value.problem.expected, error.value.problem.remedy


def test_what_is_said_of_a_file_without_a_format() -> None:
    code, known, remedy = problem("a\tb\n")
    assert (code, remedy) == (
        "unknown-format", "say which it is with --format, or see the formats with: scoref list formats",
    )  # fmt: skip
    assert known is not None
    assert known.startswith("one of answer, booknlp, ")
    code, expected, remedy = problem("Ada ran")
    assert expected is not None
    assert expected.startswith(f"{known}; in running text, marks like [the plumber](#2) (markdown)")
    assert remedy == "write marks in one of these styles, or name one with --marks STYLE, if nothing is marked in it"
    for name in ("README", "readme.txt", "a/b.md", "x.html.gz", "x.rst"):
        _, expected, remedy = problem("[Ada](#1) ran", name)
        assert expected == known
        assert remedy == "rename it, if it is running text: marks in files of this name are taken for links"
    both = "# global.Entity = x\n#BeginOfDocument a\n"
    assert problem(both) == ("ambiguous-format", None, "say which it is with --format")


def test_a_text_without_marks_is_one_if_a_style_is_named() -> None:
    assert detect(Source(b"Ada ran", "f", marks="curly")).name == "text"
    assert looks_like(Source(b"Ada ran", "f", marks="curly"), None)
    assert looks_like(Source(b"Ada ran", "f", marks="curly"), "text")
    assert not looks_like(Source(b"Ada ran", "f", marks="curly"), "conll")
    assert not looks_like(Source(b"Ada ran", "f"), None)
    assert problem("a\tb\n", marks="curly")[0] == "unknown-format"


def test_whether_a_file_looks_like_a_format() -> None:
    assert looks_like(Source(b"\xef\xbb\xbf#begin document a", "f"), None)
    assert looks_like(Source(b"#begin document a", "f"), "conll")
    assert not looks_like(Source(b"#begin document a", "f"), "tbf")
    assert looks_like(Source(b"[Ada](#1)", "f"), None)
    assert not looks_like(Source(b"[Ada](#1)", "readme.md"), None)
    assert looks_like(Source(b"[Ada](#1)", "readme.md"), "text")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.conll", "conll"), ("a.conll.gz", "conll"), ("x/a.conllu", "corefud"), ("a.conllua", "ua"),
        ("a.jsonl", "jsonl"), ("a.json", "clusters"), ("a.xml", "ecb"), ("a.tsv", "webanno"), ("a.csv", "table"),
        ("a.parquet", "table"), ("a.pq", "table"), ("a.txt", "text"), ("a.ann", "brat"), ("a.spacy", "docbin"),
        ("a.entities", "booknlp"), ("a.xmi", "xmi"), ("a.edl", "edl"), ("a.tbf", "tbf"), ("a.answer", "answer"),
    ],
)  # fmt: skip
def test_the_format_that_an_ending_names(name: str, format: str) -> None:
    assert by_suffix(name).name == format


@pytest.mark.parametrize("name", ["a", "a.x", "a.gz", "conll"])
def test_an_ending_that_names_no_format(name: str) -> None:
    with pytest.raises(Error) as error:
        by_suffix(name)
    found = error.value.problem
    assert (found.code, found.path, found.remedy) == ("unknown-format", name, "name the format: --to NAME")
    assert found.expected is not None
    assert ".conll (conll), " in found.expected


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""
