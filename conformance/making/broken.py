"""Broken input: files that must be refused, with the place where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def conll(*cells: str, name: str = "d1", end: bool = True) -> str:
    """A document with these cells in its last column."""
    lines = [f"{name}\t0\t{n}\tw{n}\tNN\t-\t-\t-\t-\t-\t*\t{cell}\n" for n, cell in enumerate(cells)]
    return f"#begin document ({name}); part 000\n" + "".join(lines) + ("\n#end document\n" if end else "")


def ua(*cells: str) -> str:
    """A document with these cells in the column of identity."""
    lines = [f"{n}\tw{n}\t" + "\t".join(["_"] * 8) + f"\t{cell}\t_\t_\t_\t_\n" for n, cell in enumerate(cells, 1)]
    return "# newdoc id = d1\n# sent_id = 1\n" + "".join(lines) + "\n"


def corefud(*cells: str, heads: tuple[int, ...] = (0, 1, 1, 1)) -> str:
    """A document with these values of Entity."""
    head = "# newdoc id = d1\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n"
    rows = zip(heads, cells, strict=False)
    lines = [
        f"{n}\tw{n}\t_\tX\t_\t_\t{parent}\tdep\t_\t{f'Entity={cell}' if cell else '_'}\n"
        for n, (parent, cell) in enumerate(rows, 1)
    ]
    return head + "".join(lines) + "\n"


def tbf(*rows: str, end: bool = True) -> str:
    """A document with these lines."""
    return "#BeginOfDocument d1\n" + "".join(row + "\n" for row in rows) + ("#EndOfDocument\n" if end else "")


def nugget(number: int, span: str = "0,4", more: str = "\tattack\tactual") -> str:
    """A line of a nugget."""
    return f"run\td1\tE{number}\t{span}\tword{more}"


def sgml(body: str) -> str:
    """A document of MUC."""
    return f"<DOC><DOCNO>d1</DOCNO><TXT>\n{body}\n</TXT></DOC>\n"


def xml(marks: str, relations: str = "") -> str:
    """A document of ECB+ with two tokens."""
    tokens = "".join(f'<token t_id="{n}" sentence="0" number="{n - 1}">w{n}</token>\n' for n in (1, 2))
    body = f"<Markables>\n{marks}\n</Markables>\n<Relations>\n{relations}\n</Relations>\n"
    return f'<Document doc_name="d1.xml">\n{tokens}{body}</Document>\n'


PAIR = conll("(1)", "-", "(1)")
MARKS = ua("(EntityID=1|MarkableID=m1)", "_", "(EntityID=1|MarkableID=m2)")
TREE = corefud("(e1-x-1-)", "", "(e1-x-1-)", "")
EVENTS = tbf(nugget(1), nugget(2, "5,9"))
SGML = sgml('<COREF ID="1">w0</COREF> w1 <COREF ID="2" REF="1">w2</COREF>')
XML = xml('<X m_id="1"><token_anchor t_id="1"/></X>')
JSON = '{"doc_key": "d1", "tokens": ["w0", "w1", "w2"], "clusters": [[[0, 0], [2, 2]]]}\n'
TEXT = "[w0](#1) w1 [w2](#1)\n"

# name, format, key, response, line of what is wrong in the response; None if it is no line
CASES: tuple[tuple[str, str, str, str, int | None], ...] = (
    ("a mention is not closed", "conll", PAIR, conll("(1", "-", "-"), 2),
    ("a mention is not opened", "conll", PAIR, conll("(1)", "-", "2)"), 4),
    ("a mention is closed for another entity", "conll", PAIR, conll("(1", "-", "2)"), None),
    ("a bracket without a name", "conll", PAIR, conll("(1)", "()", "(1)"), 3),
    ("a cell that is no bracket", "conll", PAIR, conll("(1)", "1", "(1)"), 3),
    ("a word less", "conll", PAIR, conll("(1)", "(1)"), None),
    ("a word more", "conll", PAIR, conll("(1)", "-", "(1)", "-"), None),
    ("another word", "conll", PAIR, PAIR.replace("\tw1\t", "\tother\t"), None),
    ("a document too many", "conll", PAIR, PAIR + conll("(1)", name="d2"), None),
    ("a document with another name", "conll", PAIR, conll("(1)", "-", "(1)", name="d2"), None),
    ("a document twice", "conll", PAIR, PAIR + PAIR, 7),
    ("a document without end, another behind it", "conll", PAIR + conll("(1)", name="d2"),
     conll("(1)", "-", "(1)", end=False) + conll("(1)", name="d2"), None),
    ("words before the first document", "conll", PAIR, "d1\t0\t0\tw0\tNN\t-\t-\t-\t-\t-\t*\t(1)\n" + PAIR, None),
    ("no document at all", "conll", PAIR, "w0 w1 w2\n", None),
    ("an empty file", "conll", PAIR, "", None),
    ("a markable is not closed", "ua", MARKS, ua("(EntityID=1|MarkableID=m1", "_", "_"), None),
    ("a markable is not opened", "ua", MARKS, ua("(EntityID=1|MarkableID=m1)", ")", "_"), None),
    ("a markable without an entity", "ua", MARKS, ua("(MarkableID=m1)", "_", "_"), 3),
    ("a markable without a name", "ua", MARKS, ua("(EntityID=1)", "_", "_"), 3),
    ("a member of an entity that is not there", "ua", MARKS,
     ua("(EntityID=1|MarkableID=m1|ElementOf=9)", "_", "(EntityID=1|MarkableID=m2)"), None),
    ("sets that contain each other", "ua", MARKS,
     ua("(EntityID=1|MarkableID=m1|ElementOf=2)", "_", "(EntityID=2|MarkableID=m2|ElementOf=1)"), None),
    ("a word less", "ua", MARKS, ua("(EntityID=1|MarkableID=m1)", "(EntityID=1|MarkableID=m2)"), None),
    ("too few columns", "ua", MARKS, MARKS.replace("\t_\t_\t_\t_\n", "\n", 1), 3),
    ("a mention is not closed", "corefud", TREE, corefud("(e1-x-1-", "", "", ""), None),
    ("a mention is not opened", "corefud", TREE, corefud("(e1-x-1-)", "", "e2)", ""), None),
    ("trees with a circle", "corefud", TREE, corefud("(e1-x-1-)", "", "(e1-x-1-)", "", heads=(2, 1, 1, 1)), None),
    ("a head behind the end of the mention", "corefud", TREE, corefud("(e1-x-5-", "e1)", "(e1-x-1-)", ""), None),
    ("a parent that is not there", "corefud", TREE,
     corefud("(e1-x-1-)", "", "(e1-x-1-)", "", heads=(0, 1, 9, 1)), None),
    ("pieces in the wrong order", "corefud", TREE, corefud("(e1[2/2]-x-1-)", "", "(e1[1/2]-x-1-)", ""), None),
    ("a piece is missing", "corefud", TREE, corefud("(e1[1/2]-x-1-)", "", "(e1-x-1-)", ""), None),
    ("a word less", "corefud", TREE, corefud("(e1-x-1-)", "", "(e1-x-1-)", heads=(0, 1, 1)), None),
    ("too few fields", "tbf", EVENTS, tbf(nugget(1, more="\tattack")), 2),
    ("a span that is no number", "tbf", EVENTS, tbf(nugget(1, "a,b")), 2),
    ("a span with one end", "tbf", EVENTS, tbf(nugget(1, "4")), 2),
    ("a document without end", "tbf", EVENTS, tbf(nugget(1), end=False), None),
    ("a nugget outside of documents", "tbf", EVENTS, nugget(1) + "\n" + EVENTS, 1),
    ("a nugget in two events", "tbf", EVENTS,
     tbf(nugget(1), nugget(2, "5,9"), "@Coreference\tC1\tE1,E2", "@Coreference\tC2\tE2,E1"), None),
    ("an event of a nugget that is not there", "tbf", EVENTS, tbf(nugget(1), "@Coreference\tC1\tE1,E9"), 3),
    ("a link of three nuggets", "tbf", EVENTS, tbf(nugget(1), nugget(2, "5,9"), "@After\tR1\tE1"), 4),
    ("no JSON", "jsonl", JSON, JSON[:-3] + "\n", 1),
    ("a span behind the end of the text", "jsonl", JSON, JSON.replace("[2, 2]", "[2, 3]"), 1),
    ("a span that ends before it begins", "jsonl", JSON, JSON.replace("[2, 2]", "[2, 1]"), 1),
    ("a span that is no number", "jsonl", JSON, JSON.replace("[2, 2]", '[2, "2"]'), 1),
    ("no clusters", "jsonl", JSON, '{"doc_key": "d1", "tokens": ["w0", "w1", "w2"]}\n', 1),
    ("other words", "jsonl", JSON, JSON.replace('"w1"', '"other"'), None),
    ("no list of clusters", "clusters", '[["a", "b"]]\n', '{"type": "clusters", "clusters": 3}\n', None),
    ("a mention that is an object", "clusters", '[["a", "b"]]\n',
     '{"type": "clusters", "clusters": [["a", {"b": 1}]]}\n', None),
    ("a link to nowhere", "clusters", '[["a", "b"]]\n',
     '{"type": "graph", "mentions": ["a"], "links": [["a", "z"]]}\n', None),
    ("a row with too few cells", "table", "mention,entity\na,1\nb,1\n", "mention,entity\na,1\nb\n", None),
    ("no column of entities", "table", "mention,entity\na,1\nb,1\n", "mention,other\na,1\nb,1\n", None),
    ("a mention is not closed", "muc", SGML, sgml('<COREF ID="1">w0 w1 w2'), None),
    ("a mention is not opened", "muc", SGML, sgml("w0</COREF> w1 w2"), None),
    ("a reference to nothing", "muc", SGML, sgml('<COREF ID="1" REF="9">w0</COREF> w1 w2'), None),
    ("a name twice", "muc", SGML, sgml('<COREF ID="1">w0</COREF> w1 <COREF ID="1">w2</COREF>'), None),
    ("other words", "muc", SGML, SGML.replace("w1", "other"), None),
    ("a span behind its end", "brat", "T1\tX 0 2\tw0\n", "T1\tX 2 0\tw0\n", 1),
    ("a span that is no number", "brat", "T1\tX 0 2\tw0\n", "T1\tX a b\tw0\n", 1),
    ("a relation of something that is not there", "brat", "T1\tX 0 2\tw0\n",
     "T1\tX 0 2\tw0\nR1\tCoreference Arg1:T1 Arg2:T9\n", 2),
    ("a name twice", "brat", "T1\tX 0 2\tw0\n", "T1\tX 0 2\tw0\nT1\tX 3 5\tw1\n", 2),
    ("no XML", "ecb", XML, XML.replace("</Markables>", ""), None),
    ("a token that is not there", "ecb", XML, xml('<X m_id="1"><token_anchor t_id="9"/></X>'), None),
    ("a markable that is not there", "ecb", XML,
     xml('<X m_id="1"><token_anchor t_id="1"/></X>',
         '<INTRA_DOC_COREF r_id="1"><source m_id="1"/><target m_id="9"/></INTRA_DOC_COREF>'), None),
    ("entities of its own", "ecb", XML, '<!DOCTYPE x [<!ENTITY a "aaaa">]>\n' + XML, None),
    ("a mark is not closed", "text", TEXT, "[w0](#1) w1 [w2\n", None),
    ("a mark without a name", "text", TEXT, "[w0](#1) w1 [w2](#)\n", None),
)  # fmt: skip


def broken() -> Iterator[dict[str, Any]]:
    """All of them."""
    for name, format, key, response, line in CASES:
        row = {"name": f"{format}: {name}", "about": "broken", "reads": format, "key_text": key}
        yield {**row, "response_text": response, "line": line}


ROWS = {"broken": broken}
