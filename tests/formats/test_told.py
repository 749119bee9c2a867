"""What is told of files that are wrong: each problem of each reader, with line, document, text, expectation, remedy.

A line is that of the file, from 1; the text is what stands there, and the expectation what should stand there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import scoref
from scoref.document.document import Document
from scoref.formats.known import named
from scoref.formats.source import SKIP, Source
from scoref.formats.tbf.read import check
from scoref.formats.tokens.tables import read_table
from scoref.problems import Error, Problem, Problems

FIX = "fix the file"


class T(NamedTuple):
    """What is told: everything but the message."""

    code: str
    line: int | None
    document: str | None
    text: str | None
    expected: str | None
    remedy: str | None = SKIP
    fatal: bool = True

    @classmethod
    def of(cls, problem: Problem) -> T:
        return cls(*(getattr(problem, name) for name in cls._fields))

    @property
    def harmless(self) -> T:
        """The same of a problem that is only reported."""
        return self._replace(fatal=False)


def taken(format: str, text: str | bytes, name: str = "file", **how: Any) -> tuple[list[Document], list[Problem]]:
    """What is read of a file, and all that is told of it, an error at the end."""
    problems = Problems("skip")
    found: list[Document] = []
    data = text.encode() if isinstance(text, str) else text
    try:
        found += named(format).read(Source(data, name, **how), problems)
    except Error as error:
        problems.found.append(error.problem)
    return found, problems.found


def told(format: str, text: str | bytes, name: str = "file", **how: Any) -> list[T]:
    _, problems = taken(format, text, name, **how)
    assert {problem.path for problem in problems} <= {name}
    return [T.of(problem) for problem in problems]


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


# -- CoNLL ------------------------------------------------------------------------------------------------------------


def conll(*cells: str) -> str:
    return "\n".join(["#begin document a", *(f"w\t{cell}" for cell in cells), "#end document", ""])


CELL = 'the last column to be "-" or brackets like "(12", "12)", "(12)", joined by "|"'
CONLL = [
    ("#begin document a\nw\t-\n\n # one\n#end document\n",
     [T("comment-line", 4, None, "# one", "#begin document, #end document or a token")]),
    ("\nw\t(1)\nv\t-\n#begin document a\n#end document\n",
     [T("outside-document", 2, None, "w\t(1)", '"#begin document NAME" before them')]),
    ("#begin document a\n#end document\n\nw\t-\nw\t(1)\n",
     [T("outside-document", 4, None, "w\t-", '"#begin document NAME" before them')]),
    ("#end document\n", [T("unopened-document", 1, None, "#end document", None)]),
    ("#begin document a\nw\t-\n#begin document b\nw\t-\n",
     [T("missing-end", 1, None, "a", '"#end document" before line 3'),
      T("missing-end", 3, None, "b", '"#end document" before line 5')]),
    ("#begin document a\n#end document\n#begin document a\nw\t(x\n#end document\n",
     [T("repeated-document", 3, None, "a", "another name than in line 1")]),
    (conll("-", "x", "[1]"),
     [T("bracket-syntax", 3, "a", "x", CELL), T("bracket-syntax", 4, "a", "[1]", CELL)]),
    (conll("(1)|(2*)|3"), [T("bracket-syntax", 2, "a", "(2*)", CELL), T("bracket-syntax", 2, "a", "3", CELL)]),
    (conll("||"), [T("bracket-syntax", 2, "a", "||", CELL)] * 3),
    (conll("(-1)", "(-12", "-12)"),
     [T("negative-id", 2, "a", "(-1)", CELL), T("negative-id", 3, "a", "(-12", CELL),
      T("negative-id", 4, "a", "-12)", CELL)]),
    (conll("-", "e)|(1)"), [T("unopened-mention", 3, "a", "e)", '"(e" before it in the document')]),
    (conll("-", "(1)|(e", "(e", "-"),
     [T("unclosed-mention", 3, "a", "(e", '"e)" before the document ends at line 6'),
      T("unclosed-mention", 4, "a", "(e", '"e)" before the document ends at line 6')]),
    (conll("(1", "1)|(1", "1)"),
     [T("crossing-mentions", 3, "a", "1)|(1", "mentions of entity 1 to be apart, or one inside the other")]),
]  # fmt: skip


# -- CorefUD ----------------------------------------------------------------------------------------------------------


def row(number: str, misc: str = "_", deps: str = "_") -> str:
    return "\t".join([number, f"w{number}", *"_" * 6, deps, misc])


def corefud(*lines: str, header: str = "eid-etype-head-other") -> str:
    """A document `a`; its first line of words or comments is line 3. A line without tabs is a value of Entity."""
    number, found = 0, []
    for line in lines:
        number = 0 if not line else number + (line[:1] in "(e")
        found.append(row(str(number), f"Entity={line}") if line[:1] in ("(", "e") else line)
    return "\n".join(["# newdoc id = a", f"# global.Entity = {header}", *found, "", ""])


HEADER = "# global.Entity = eid-etype-head-other"
TEN = "10 columns with tabs between them, the first a number"
IN_TURN = "3.1 to 3.127 in this order behind word 3; 4-5 before word 4"
COREFUD = [
    (f"{row('1')}\n\n# newdoc id = a\n{row('1')}\n", [T("no-newdoc", 1, None, None, "# newdoc id = NAME").harmless]),
    (f"# x\n# newdoc id = a\n{row('1')}\n\n# newdoc id = a\n{row('1')}\n",
     [T("repeated-document", 5, "a", "a", "another name than in line 2")]),
    (f"# newdoc id = a\n{row('1', 'Entity=(e1)')}\n",
     [T("no-entities", 2, None, "Entity=(e1)", HEADER, "add the header that the file was made with")]),
    (corefud("(e1)", header="etype-head"),
     [T("no-entities", 2, None, "etype-head", f"{HEADER}, with eid or GRP", "this is no coreference file")]),
    (corefud("(-x-1-", "(e1--1-)"), [T("bracket-syntax", 3, "a", "(-x-1-", HEADER)]),
    (corefud("e1)(e2)x", header="eid"),
     [T("unopened-mention", 3, "a", "e1)", '"(e1" before it in the sentence'),
      T("bracket-syntax", 3, "a", "x", '"(e1-...", "e1)" or "(e1-...)"')]),
    (corefud("(e1[2/3]--1-)"), [T("missing-piece", 3, "a", "(e1[2/3]--1-)"[:-1], "e1[1/3] before it")]),
    (corefud("(e1[1/3]--1-)", "(e2)", "(e1[2/3]--1-)", ""),
     [T("missing-piece", 5, "a", "e1", "(e1[3/3] in the same sentence")]),
    (corefud("(e1--1-", "(e1--1-", "", "(e2)"),
     [T("unclosed-mention", 3, "a", "(e1", '"e1)" in the same sentence'),
      T("unclosed-mention", 4, "a", "(e1", '"e1)" in the same sentence')]),
    (corefud("(e1--3-", "e1)"), [T("bad-head", 3, "a", "(e1--3-", "a number from 1 to 2")]),
    (corefud("(e1--x-", "e1)"), [T("bad-head", 3, "a", "(e1--x-", "a number from 1 to 2")]),
    (corefud("(e1--2-)"), [T("bad-head", 3, "a", "(e1--2-", "a number from 1 to 1").harmless]),
    (corefud("(e1)", "x\ty"), [T("column-count", 4, "a", "x\ty", TEN)]),
    (corefud("(e1)", row("2") + "\t_"), [T("column-count", 4, "a", row("2") + "\t_", TEN)]),
    (corefud("(e1)", row("3"), row("4"), row("6")),
     [T("word-number", 4, "a", "3", "word 2 of the sentence"),
      T("word-number", 6, "a", "6", "word 4 of the sentence")]),
    (corefud("(e1)", "1.1\tx", "2-3\tx", "\t".join("xyzabcdefg")),
     [T("column-count", line, "a", text, TEN)
      for line, text in ((4, "1.1\tx"), (5, "2-3\tx"), (6, "\t".join("xyzabcdefg")))]),
    (corefud("(e1)", row("2.1")), [T("bad-node", 4, "a", "2.1", IN_TURN)]),
    (corefud("(e1)", row("1-2")), [T("bad-node", 4, "a", "1-2", IN_TURN)]),
    (corefud("(e1)", row("1.128")), [T("bad-node", 4, "a", "1.128", IN_TURN)]),
    (corefud("(e1)", row("1.2"), row("1.1")), [T("bad-node", 5, "a", "1.1", IN_TURN)]),
    (corefud("(e1)", row("1.1", "Entity=(e2)", "2:obj|1:x"), row("1.2", "Entity=(e2)", "1.3:x")),
     [T("bad-deps", 4, "a", "2:obj|1:x", "DEPS like 3:nsubj"), T("bad-deps", 5, "a", "1.3:x", "DEPS like 3:nsubj")]),
    (corefud("(e1)|SplitAnte=e2<e1", "(e3)|SplitAnte=e1,e1<e3"),
     [T("bad-split", 3, "a", "SplitAnte=e2<e1", "SplitAnte=e1<e3,e2<e3").harmless,
      T("bad-split", 4, "a", "SplitAnte=e1", "SplitAnte=e1<e3,e2<e3")]),
    (corefud("(e1)|Bridge=e2<e1:part", "(e3)|Bridge=e1<e3,e3<e3,e3<e1"),
     [T("bad-bridge", line, "a", f"Bridge={link}",
        "Bridge=e2<e5:relation, with a mention of e5 that begins here").harmless
      for line, link in ((3, "e2<e1:part"), (4, "e3<e3"), (4, "e3<e1"))]),
]  # fmt: skip


# -- CONLL-UA ---------------------------------------------------------------------------------------------------------


def ua(*cells: str, columns: str = "ID FORM IDENTITY BRIDGING REFERENCE") -> str:
    """A document `a` whose first word is on line 3; `(1/m` is a mention. A line with tabs stands as it is."""
    lines = [cell if "\t" in cell else f"{number}\tw\t{cell}" for number, cell in enumerate(cells, 1)]
    text = "\n".join([f"# global.columns = {columns}", "# newdoc id = a", *lines, "", ""])
    return text.replace("(1/", "(EntityID=1|MarkableID=").replace("(2/", "(EntityID=2|MarkableID=")


UA = [
    ("# global.columns = ID FORM IDENTITY\n# newdoc id =\n1\tw\t_\n",
     [T("unnamed-document", 2, None, "# newdoc id =", "# newdoc id = NAME")]),
    ("# newdoc id = a\n# newdoc\n", [T("unnamed-document", 2, "a", "# newdoc", "# newdoc id = NAME")]),
    ("# newdoc id = b\n# global.columns = ID FORM\n" + "\t".join(["1", "w", *"_" * 13]) + "\n",
     [T("missing-column", 2, "b", "# global.columns = ID FORM", "ID, FORM and IDENTITY")]),
    ("1\tw\t_\n# newdoc id = a\n", [T("outside-document", 1, None, "1\tw\t_", '"# newdoc id = NAME" before them')]),
    (ua("_") + "# newdoc id = a\n", [T("repeated-document", 5, "a", "a", "another name than in line 2")]),
    (ua("_", "x\tw\t_"), [T("column-count", 4, "a", "x\tw\t_", "5 cells, with a token number as ID")]),
    (ua("_", "2\tw"), [T("column-count", 4, "a", "2\tw", "5 cells, with a token number as ID")]),
    (ua("_", "2\tw\t_\t_\t_\t_"),
     [T("column-count", 4, "a", "2\tw\t_\t_\t_\t_", "5 cells, with a token number as ID")]),
    (ua("_", "2\t(1/m)\t_"),
     [T("shifted-columns", 4, "a", "2\t(EntityID=1|MarkableID=m)\t_",
        "5 cells, mentions in those for IDENTITY and DISCOURSE_DEIXIS")]),
    (ua("_", "1.255\tw\t_", "1.255\tw\t_"), [T("column-count", 5, "a", "1.255\tw\t_", "at most 255")]),
    (ua("_", "(1/m)", "(1/n)(2/m)"),
     [T("repeated-markable", 5, "a", "(EntityID=2|MarkableID=m", "another MarkableID than in line 4")]),
    (ua("(1/m", "(1/m)", ")"),
     [T("repeated-markable", 4, "a", "(EntityID=1|MarkableID=m", "another MarkableID than in line 3")]),
    (ua("_", ")", "(1/m", "n)", ")"),
     [T("unopened-mention", 4, "a", ")", '"(EntityID=..." before it'),
      T("unopened-mention", 6, "a", "n)", '"(EntityID=..." before it')]),
    (ua("_", "x"), [T("bracket-syntax", 4, "a", "x", '"_", or ")" and "(Name=Value|Name=Value"')]),
    (ua("_", "(x)"), [T("bracket-syntax", 4, "a", "(x", "Name=Value|Name=Value")]),
    (ua("(EntityID=1|MarkableID=m|a=1|a=2)"),
     [T("bracket-syntax", 3, "a", "(EntityID=1|MarkableID=m|a=1|a=2", "Name=Value|Name=Value")]),
    (ua("(EntityID=1)", "(MarkableID=m)", "(EntityID=|MarkableID=n)"),
     [T("missing-attribute", 3, "a", "(EntityID=1", "(EntityID=...|MarkableID=..."),
      T("missing-attribute", 4, "a", "(MarkableID=m", "(EntityID=...|MarkableID=..."),
      T("missing-attribute", 5, "a", "(EntityID=|MarkableID=n", "(EntityID=...|MarkableID=...")]),
    (ua("_", "(1/m", "(1/n", "n)"), [T("unclosed-mention", 4, "a", "MarkableID=m", '")" before the document ends')]),
    (ua("_", "(1/m|Min=x)"), [T("bad-minimum", 4, "a", "Min=x", "Min=4 or Min=4,6")]),
    (ua("1\tw\t(1/m)\t(MarkableID=m|MentionAnchor=n)\t(MarkableID=n|a=b)"),
     [T("unknown-markable", 3, "a", "(MarkableID=n|a=b)", "a MarkableID of the IDENTITY column").harmless,
      T("unknown-markable", 3, "a", "(MarkableID=m|MentionAnchor=n",
        "MarkableID and MentionAnchor of the IDENTITY column").harmless]),
    (ua("(1/m)", "2\tw\t_\tx\t_", "3\tw\t_\t_\t(MarkableID"),
     [T("bracket-syntax", 5, "a", "(MarkableID", "Name=Value|Name=Value"),
      T("bracket-syntax", 4, "a", "x", '"_", or ")" and "(Name=Value|Name=Value"')]),
]  # fmt: skip


# -- TBF --------------------------------------------------------------------------------------------------------------


def tbf(*lines: str) -> str:
    """A document `a` whose first mention or relation is on line 2; `E1 4,8` is a mention."""
    rows = [line if line[0] in "@#" or "\t" in line else "\t".join(["s", "a", *line.split(), "w", "Type", "Actual"])
            for line in lines]  # fmt: skip
    return "\n".join(["#BeginOfDocument a", *rows, "#EndOfDocument", ""])


TBF = [
    ("#BeginOfDocument a\n#BeginOfDocument b\n\n",
     [T("missing-end", 1, "a", "a", '"#EndOfDocument" before line 2'),
      T("missing-end", 2, "b", "b", '"#EndOfDocument" before line 5')]),
    ("\n#EndOfDocument x\n",
     [T("unopened-document", 2, None, "#EndOfDocument x", "#BeginOfDocument NAME before it")]),
    ("\n#BeginOfDocument \n#EndOfDocument\n",
     [T("unnamed-document", 2, "", "#BeginOfDocument", "#BeginOfDocument NAME")]),
    (f"{tbf()}x\n", [T("outside-document", 3, None, "x", "#BeginOfDocument NAME before it")]),
    (tbf() + tbf(), [T("repeated-document", 3, "a", "a", "another name than in line 1")]),
    (tbf("E1 4,8", "x\ty"), [T("column-count", 3, "a", "x\ty", "at least 7 columns, separated by tabs")]),
    (tbf("E1,2 4,8"), [T("bad-mention-id", 2, "a", "E1,2", "an id without commas")]),
    (tbf("@Coreference\tE1,E2"),
     [T("bad-relation", 2, "a", "Coreference\tE1,E2", "name, id and ids of mentions")]),
    (tbf("@After\tR1\tE1"),
     [T("bad-relation", 2, "a", "After\tR1\tE1", "two ids of mentions, separated by a comma")]),
    (tbf("@Subevent\tR1\tE1,E2,E3"), [T("bad-relation", 2, "a", "Subevent\tR1\tE1,E2,E3", "two ids of mentions")]),
    (tbf("E1 4,8").replace("\ta\t", "\tb\t"), [T("other-document", 2, "a", "E1 4,8", "a", FIX, False)]),
    (tbf("E1 4,8", "E1 9,10"),
     [T("repeated-mention", 3, "a", "E1 9,10", "another id than in line 2", FIX, False)]),
    (tbf("E1 t1", "E2 t1,t2", "E3 5"),
     [T("bad-span", 4, "a", "E3 5", "t12 or t12,t13, as most mentions of the file")]),
    (tbf("E1 t2,t1", "E2 t1,t1"),
     [T("token-order", 2, "a", "E1 t2,t1", "each token once, in order", FIX, False),
      T("token-order", 3, "a", "E2 t1,t1", "each token once, in order", FIX, False)]),
    (tbf("E1 4,8", "E2 t1"),
     [T("bad-span", 3, "a", "E2 t1",
        "begin,end or begin,end;begin,end (ids of tokens: t12, or any with --tokens DIR)")]),
    (tbf("E1 4,8,9"), [T("bad-span", 2, "a", "E1 4,8,9", "begin,end; the rest is not read", FIX, False)]),
    (tbf("E1 0,10001"), [T("bad-span", 2, "a", "E1 0,10001", "at most 10000 characters")]),
    (tbf("E1 4,4"), [T("bad-span", 2, "a", "E1 4,4", "begin < end")]),
    (tbf("E1 4,8;6,9"), [T("bad-span", 2, "a", "E1 4,8;6,9", "pieces that are apart", FIX, False)]),
    (tbf("E1 4,8", "E2 5,8", "@Coreference\tC1\tE1,E9,E8"),
     [T("unknown-mention", 4, "a", "@Coreference\tC1\tE1,E9,E8", "ids of mentions of this document")]),
    (tbf("E1 4,8", "E2 5,8", "@Near\tR1\tE1,E2"),
     [T("unknown-relation", 4, "a", None, "one of Coreference, After, Subevent", FIX, False)]),
    (tbf("E1 4,8", "E2 5,8", "E3 6,8", "@Coreference\tC1\tE1,E2", "@Coreference\tC2\tE2,E3"),
     [T("open-cluster", 6, "a", "E2,E3", "one line: @Coreference\tC2\tE1,E2,E3")]),
    (tbf("E1 4,8", "@Coreference\tC1\tE1"), [T("small-cluster", 3, "a", "E1", "two mentions or more", FIX, False)]),
    (tbf("E1 4,8", "E2 4,8", "E3 1,2", "@Coreference\tC1\tE1,E2,E3"),
     [T("span-twice", 5, "a", "E1,E2,E3", "mentions of different spans")]),
    (tbf("E1 4,8", "E2 5,8", "@After\tR1\tE1,E2", "@After\tR2\tE2,E1"),
     [T("cyclic-links", 5, "a", "E2,E1", "links that lead from no event to itself", FIX, False)]),
]  # fmt: skip
LENIENT = [  # by the rules of EvmEval
    ("#BeginOfDocument a\n" + tbf("E1 4,8") + "#BeginOfDocument c\ns\tc\tE2\t4,8\tw\tT\tR\n",
     [T("missing-end", 5, "c", "c", '"#EndOfDocument" before line 8: here its lines are lost', FIX, False)]),
    ("#BeginOfDocument b\ns\tb\tE1\t4,8\tw\tT\tR\n" + tbf("E2 1,2"),
     [T("missing-end", 1, "b", "b", '"#EndOfDocument" before line 3: here its lines are part of the next document',
        FIX, False),
      T("other-document", 2, "a", "E1 4,8", "a", FIX, False)]),
    (tbf("E1 4,8") * 2,
     [T("repeated-document", 4, "a", "a", "another name than in line 1: here the last counts", FIX, False)]),
    (tbf("E1 8,4"), [T("bad-span", 2, "a", "E1 8,4", "begin < end", FIX, False)]),
    (tbf("E1 4,8", "@Coreference\tC1\tE1,E9"),
     [T("unknown-mention", 3, "a", "@Coreference\tC1\tE1,E9", "ids of mentions of this document", FIX, False)]),
    (tbf("E1 4,8", "E2 4,8", "@Coreference\tC1\tE1,E2"),
     [T("span-twice", 4, "a", "E1,E2", "mentions of different spans", FIX, False)]),
]  # fmt: skip


# -- JSON lines -------------------------------------------------------------------------------------------------------

ABCD = '{"doc_key": "a", "sentences": [["a", "b"], ["c", "d"]]'  # without its end


def in_lines(*records: str) -> str:
    """Lines of records; `, ...` is the end of one of four words."""
    return "".join(f"{ABCD}{record}}}\n" if record[0] == "," else f"{record}\n" for record in records)


NAMED = "one of the keys doc_key, id, document_id, doc_id"
RECORD = "the key scoref as scoref writes it"
WITHIN = "an end within the 4 tokens, as ends are inclusive (see --ends)"
FOUR_LISTS = "sentences: [[word, ...], ...]"
SUBTOKENS = "the number of each subtoken's word, in order: [0, 0, 1, ...]"
JSONL = [
    (in_lines(', "clusters": []', "[1]", "{x}"),
     [T("bad-json", 2, None, "[1]", "one JSON object a line"),
      T("bad-json", 3, None, "{x}", "one JSON object a line")]),
    (in_lines(', "clusters": []', f"[{'1' * 200}]"),
     [T("bad-json", 2, None, "[" + "1" * 99, "one JSON object a line")]),
    (in_lines(', "clusters": []', '{"clusters": []}'), [T("unnamed-document", 2, None, None, NAMED)]),
    (in_lines('{"clusters": []}', '{"clusters": [], "id": 3}'),
     [T("unnamed-document", 2, "3", "3", f"{NAMED} in all documents, or in none")]),
    ("\n" + in_lines(', "clusters": []', " ", ', "clusters": []'),
     [T("repeated-document", 4, "a", "a", "another name than in line 2")]),
    (in_lines(', "x": []'), [T("no-clusters", 1, "a", "a", "one of the keys clusters, span_clusters, "
        "clusters_token_offsets, coref_chains, mention_clusters, word_clusters")]),
    (in_lines(', "clusters": [], "ends": "x"'), [T("bad-ends", 1, "a", "x", "inclusive or exclusive")]),
    (in_lines(', "clusters": {}'), [T("bad-clusters", 1, "a", "a", "[[[start, end], ...], ...]")]),
    (in_lines(', "clusters": [[[0, 0]], 7]'), [T("bad-clusters", 1, "a", "7", "[[start, end], ...]")]),
    (in_lines(', "clusters": [[[0, 0]]], "scoref": {"mentions": [{}]}'), [T("bad-record", 1, "a", None, RECORD)]),
    (in_lines(', "clusters": [[[0, 1]]], "scoref": {"mentions": [{"span": [0], "entity": 0}]}'),
     [T("different-record", 1, "a", "words 0 to 0 are a mention of entity 0 in scoref, but not in clusters",
        "a key scoref that agrees with clusters, or none: clusters alone are then read")]),
    (in_lines('{"id": "b", "text": "ab", "clusters": [[[0, 1]]], "clusters_strings": [["b"]]}'),
     [T("different-text", 1, "b", "b", "a")]),
    (in_lines(', "clusters": [], "entities": 5'), [T("bad-entities", 1, "a", None, '["name", ...]')]),
    (in_lines(', "clusters": [[], []], "entities": ["x"]'),
     [T("bad-entities", 1, "a", None, "2 different names, one for each cluster")]),
    (in_lines('{"id": "b", "sentences": ["a b"], "clusters": []}'), [T("bad-words", 1, "b", None, FOUR_LISTS)]),
    (in_lines('{"id": "b", "sentences": [["a", 1]], "clusters": []}'), [T("bad-words", 1, "b", None, FOUR_LISTS)]),
    (in_lines(', "clusters": [], "subtoken_map": "x"'), [T("bad-subtokens", 1, "a", None, SUBTOKENS)]),
    (in_lines(', "clusters": [], "subtoken_map": [1, 0, 2, 3]'), [T("bad-subtokens", 1, "a", None, SUBTOKENS)]),
    (in_lines(', "word_clusters": [[0]], "head2span": [[0, 1]]'),
     [T("bad-heads", 1, "a", None, "[[head, start, end], ...]")]),
    (in_lines(', "word_clusters": [["0"]]'), [T("bad-mention", 1, "a", '"0"', "a whole number")]),
    (in_lines(', "clusters": [[[0], [0, 1.0], [1, 1]]]'),
     [T("bad-mention", 1, "a", "[0]", "two whole numbers"), T("bad-mention", 1, "a", "[0, 1.0]", "two whole numbers")]),
    (in_lines(', "coref_chains": [[[0, 1]]]'), [T("bad-mention", 1, "a", "[0, 1]", "three whole numbers")]),
    (in_lines(', "coref_chains": [[[2, 0, 0], [-1, 0, 0], [1, 1, 1], [0, 0, 0]]]'),
     [T("bad-mention", 1, "a", "[2, 0, 0]", "a sentence below 2"),
      T("bad-mention", 1, "a", "[-1, 0, 0]", "a sentence below 2")]),
    (in_lines(', "coref_chains": [[[1, 0, 2], [0, 1, 2]]]'),
     [T("bad-mention", 1, "a", "[1, 0, 2]", "an end within the 2 tokens, as ends are inclusive (see --ends)"),
      T("bad-mention", 1, "a", "[0, 1, 2]", "an end within the 2 tokens, as ends are inclusive (see --ends)")]),
    (in_lines(', "mention_clusters": [[[1, 1, 1]]]'),
     [T("bad-mention", 1, "a", "[1, 1, 1]", "0 ≤ start < end, as ends are exclusive (see --ends)")]),
    (in_lines(', "clusters": [[[-1, 0], [2, 1], [3, 3]]]'),
     [T("bad-mention", 1, "a", "[-1, 0]", "0 ≤ start ≤ end, as ends are inclusive (see --ends)"),
      T("bad-mention", 1, "a", "[2, 1]", "0 ≤ start ≤ end, as ends are inclusive (see --ends)")]),
    (in_lines(', "clusters": [[[3, 4]]]'), [T("bad-mention", 1, "a", "[3, 4]", WITHIN)]),
    (in_lines('{"id": "b", "text": "ab", "clusters": [[[0, 2], [0, 3]]]}'),
     [T("bad-mention", 1, "b", "[0, 3]", "an end within the 2 characters, as ends are exclusive (see --ends)")]),
    (in_lines('{"id": "b", "clusters": [[[0, 100000], [10000000, 10000000]]]}'),
     [T("bad-mention", 1, "b", shown, "words in the file, or an end below 10000000 and at most 100000 words")
      for shown in ("[0, 100000]", "[10000000, 10000000]")]),
    (in_lines('{"sentences": [], "corefs": {"1": [{}]}}'),
     [T("bad-record", 1, None, None, "the keys sentences, corefs as the tool writes them")]),
    (in_lines('{"sentences": [{"tokens": [{"word": "a"}]}], "corefs": {"1": [{"text": "b", "sentNum": 1, '
              '"startIndex": 1, "endIndex": 3, "headIndex": 1}]}}'),
     [T("bad-mention", 1, None, '"b"', "words of sentence sentNum")]),
    (in_lines('{"tokens": [], "spans": [], "relations": [], "answer": "reject"}'),
     [T("not-accepted", 1, None, None, "accept")]),
    (in_lines('{"text": "a", "entities": [], "relations": [{"type": "x", "from_id": 1, "to_id": 2}]}'),
     [T("bad-relation", 1, None, "1", "the id of a span")]),
]  # fmt: skip
PREDICTED = [  # the response of a file that holds both sides
    ("response", in_lines(', "clusters": []', '{"id": "b", "predicted_clusters": []}'),
     [T("mixed-clusters", 2, "b", "b", "predicted_clusters in every line or in none")]),
    ("predictions", in_lines(', "clusters": []'),
     [T("no-response", 1, "a", "a", "predicted_clusters beside clusters, or a second file")]),
    ("response", in_lines('{"id": "b"}'),
     [T("no-clusters", 1, "b", "b", "one of the keys predicted_clusters, clusters, span_clusters, "
        "clusters_token_offsets, coref_chains, mention_clusters, word_clusters")]),
]  # fmt: skip

SHAPES = ('{"type": "clusters", "clusters": {...}}, {"type": "graph", "mentions": [...], "links": [...]}, [[...], ...]'
          ' or {"entity": ["text", ...]}, {"clusters": [["text", ...], ...]}')  # fmt: skip
OTHER = "fix the file, or name another format with --format"
CLUSTERS = [
    ('[["a"],\n\n ["b"', [T("bad-clusters", 3, None, None, SHAPES, OTHER)]),
    ('[["a", "a": 1]]', [T("bad-clusters", 1, None, None, SHAPES, OTHER)]),
    ('[["a"], 3]', [T("bad-clusters", 1, None, None, SHAPES, OTHER)]),
    ('{"type": "clusters", "clusters": {"1": "a"}}', [T("bad-clusters", 1, None, None, SHAPES, OTHER)]),
    ('{"type": "other"}', [T("bad-clusters", 1, None, None, SHAPES, OTHER)]),
    ('[[{"start": 1}]]', [T("bad-clusters", 1, None, None, "names, numbers or lists", OTHER)]),
    ('{"type": "graph", "mentions": ["a", "b"], "links": [["a", "z"], ["a"], "ab", ["a", "b"]]}',
     [T("bad-link", 1, None, shown, "two of the mentions", "fix the file, or skip it with --on-problem skip")
      for shown in ('["a", "z"]', '["a"]', '"ab"')]),
]  # fmt: skip

TWO_EVENTS = '{"id": "a", "tokens": [["x", "y"], ["z"]], "events": [{"id": "e", "mention": [{"id": "m", "sent_id": 1, "offset": [0, 1]}]}, {"id": "f", "mention": []}]'  # noqa: E501
OFFSET = '{"id": "a", "tokens": [["x", "y"], ["z"]], "events": [{"id": "e", "mention": [{"id": "m", %s}]}]}'
PAIRS = '[["id", "id"], ...]'
MAVEN = [
    ('{"id": "a", "events": []}', [T("bad-words", 1, "a", "a", '"tokens": [["word", ...], ...]')]),
    (OFFSET % '"sent_id": 2, "offset": [0, 1]', [T("bad-mention", 1, "a", "m 2 [0, 1]", "a sent_id below 2")]),
    (OFFSET % '"sent_id": true, "offset": [0, 1]', [T("bad-mention", 1, "a", "m true [0, 1]", "a sent_id below 2")]),
    (OFFSET % '"sent_id": 0, "offset": [0]', [T("bad-mention", 1, "a", "m 0 [0]", "two whole numbers")]),
    (OFFSET % '"sent_id": 0, "offset": [0, 1.0]', [T("bad-mention", 1, "a", "m 0 [0, 1.0]", "two whole numbers")]),
    (OFFSET % '"sent_id": 0, "offset": [1, 3]',
     [T("bad-mention", 1, "a", "m 0 [1, 3]", "0 ≤ start < end ≤ 2")]),
    (OFFSET % '"sent_id": 1, "offset": [0, 2]',
     [T("bad-mention", 1, "a", "m 1 [0, 2]", "0 ≤ start < end ≤ 1")]),
    ('\n{"id": "a"}', [T("no-entities", 2, "a", "a", "events, or some of coreference, temporal_relations, "
        "causal_relations, subevent_relations")]),
    ('{"id": "a", "coreference": [3]}', [T("bad-clusters", 1, "a", "a", '[["id", ...], ...]')]),
    ('{"id": "a", "coreference": [["m", 3]]}', [T("bad-mention", 1, "a", "3", "texts")]),
    ('{"id": "a", "causal_relations": {"CAUSE": [["m"], ["m", 3], ["m", "m"]]}}',
     [T("bad-relation", 1, "a", 'causal ["m"]', '["id", "id"]'),
      T("bad-relation", 1, "a", 'causal ["m", 3]', '["id", "id"]'),
      T("bad-relation", 1, "a", 'causal ["m", "m"]', "two different ids")]),
    (f'{TWO_EVENTS}, "subevent_relations": [["e", "x"], ["x", "f"], ["e", "f"]]}}',
     [T("bad-relation", 1, "a", 'subevent ["e", "x"]', "ids of events or of TIMEX"),
      T("bad-relation", 1, "a", 'subevent ["x", "f"]', "ids of events or of TIMEX")]),
    ('{"id": "a", "causal_relations": {"CAUSE": [["m", "n"]], "PRECONDITION": [["m", "n"], ["n", "m"]]}}',
     [T("repeated-relation", 1, "a", 'causal ["m", "n"]', "causal:CAUSE", None, False)]),
    ('{"id": "a", "causal_relations": []}',
     [T("bad-relations", 1, "a", "[]", f'{{"CAUSE": {PAIRS}, ...}}')]),
    ('{"id": "a", "subevent_relations": {"x": 1}}', [T("bad-relations", 1, "a", '{"": {"x": 1}}', PAIRS)]),
    ('{"id": "a", "causal_relations": {"X": []}}', [T("unknown-label", 1, "a", "X", "CAUSE, PRECONDITION")]),
    ('{"id": "a", "tokens": [], "events": [1]}', [T("bad-record", 1, "a", None, '[{"id": ...}, ...]')]),
    ('{"coreference": []}\n{"id": "", "x": "' + "y" * 200 + '"}',
     [T("unnamed-document", 1, None, '{"coreference": []}', '"id": "..."'),
      T("unnamed-document", 2, None, '{"id": "", "x": "' + "y" * 83, '"id": "..."')]),
    (f'{TWO_EVENTS}, "TIMEX": [{{"id": "m"}}]}}', [T("repeated-id", 1, "a", "m", "an id of its own for each")]),
    ('{"id": "a", "coreference": []}\n' * 2, [T("repeated-document", 2, "a", "a", "another name than in line 1")]),
]  # fmt: skip
ANSWER = [
    ('{"id": 1, "output": "[]"}\n\n{"id": 2, "x": "' + "y" * 300 + '"}\n',
     [T("no-reply", 3, None, '{"id": 2, "x": "' + "y" * 184,
        'a field with the reply: {"id": "tale", "output": "..."}')]),
]  # fmt: skip


# -- tools of annotation ----------------------------------------------------------------------------------------------

EXTENT = "T1, a tab, Type begin end, a tab, the text"
BRAT = [  # the file is d.ann, without a text beside it
    ("T1\tX 0 3\tAda\nx\n", [T("unknown-line", 2, "d", "x", "an id such as T1, E1 or R1, and a tab")]),
    ("T1\tX 0 3\tAda\nT2\n#1\n", [T("unknown-line", 2, "d", "T2", "an id such as T1, E1 or R1, and a tab")]),
    ("\nT1\tX 0 3\tAda\nT1\tX 1 2\td\n",
     [T("repeated-id", 3, "d", "T1\tX 1 2\td", "another id than in line 2")]),
    ("T1\tX 0\tA\n", [T("bad-span", 1, "d", "T1\tX 0\tA", EXTENT)]),
    ("T1\tX 3 3\tA\n", [T("bad-span", 1, "d", "T1\tX 3 3\tA", "begin < end")]),
    ("T1\tX 0 100001\tA\n", [T("bad-span", 1, "d", "T1\tX 0 100001\tA", "at most 100000 characters")]),
    ("T1\tX 0 3;2 4\tAda\n", [T("bad-span", 1, "d", "T1\tX 0 3;2 4\tAda", "pieces that are apart").harmless]),
    ("T1\tX 0 3\tAda\nE1\tX T1\n", [T("bad-event", 2, "d", "E1\tX T1", "E1, a tab, Type:T1, perhaps Role:T2"),
      T("no-event", 1, "d", "T1\tX 0 3\tAda", "an event with T1").harmless]),
    ("E1\tX:T1\n", [T("unknown-id", 1, "d", "E1\tX:T1", "the id of a T line")]),
    ("T1\tX 0 3\tAda\nE1\tX:T1 R:T2\n", [T("unknown-id", 2, "d", "E1\tX:T1 R:T2", "ids of T and E lines")]),
    ("T1\tX 0 3\tAda\nA1\tNeg\n", [T("bad-attribute", 2, "d", "A1\tNeg", "A1, a tab, Name E1 value")]),
    ("T1\tX 0 3\tAda\nA1\tNeg T2\n", [T("unknown-id", 2, "d", "A1\tNeg T2", "the id of another line")]),
    ("T1\tX 0 3\tAda\nA1\tNeg T1\nA2\tNeg T1\n",
     [T("repeated-attribute", 3, "d", "A2\tNeg T1", "each once").harmless]),
    ("T1\tX 0 3\tAda\nR1\tNear Arg1:T1\n",
     [T("bad-relation", 2, "d", "R1\tNear Arg1:T1", "R1, a tab, Name Arg1:E1 Arg2:E2")]),
    ("T1\tX 0 3\tAda\nR1\tNear Arg1:T1 T1\n",
     [T("bad-relation", 2, "d", "R1\tNear Arg1:T1 T1", "R1, a tab, Name Arg1:E1 Arg2:E2")]),
    ("T1\tX 0 3\tAda\nR1\tNear Arg1:T1 Arg2:T2\n",
     [T("unknown-id", 2, "d", "R1\tNear Arg1:T1 Arg2:T2", "ids of other lines")]),
    ("T1\tX 0 3\tAda\nT2\tX 4 5\tx\nE1\tX:T1 R:T2\nR1\tNear Arg1:T1 Arg2:E1\n",
     [T("no-mention", 4, "d", "R1\tNear Arg1:T1 Arg2:E1", "ids of mentions").harmless]),
]  # fmt: skip
BRAT_BESIDE = [  # the text beside it is "Ada saw"
    ("T1\tX 0 3\tAdo\n", [T("different-text", 1, "d", "T1\tX 0 3\tAdo", '"Ada"')]),
    ("T1\tX 0 8\tAda saw\n", [T("outside-text", 1, "d", "T1\tX 0 8\tAda saw", "an end of at most 7")]),
]  # fmt: skip

EDL_LINE = "document, start, end, id or NIL, score, type, with tabs between them"
TRIPLES = "an id, a number and a type for each candidate"
EDL = [
    ("\nd\t1\t2\nd\tx\t2\tE\nd\t1\t2\tE\n",
     [T("bad-line", 2, None, "d\t1\t2", EDL_LINE), T("bad-line", 3, None, "d\tx\t2\tE", EDL_LINE)]),
    ("d\t3\t2\tE\nd\t0\t100000\tE\nd\t0\t99999\tE\n",
     [T("bad-mention", 1, "d", "d\t3\t2\tE", "start ≤ end, as ends are inclusive (see --ends)"),
      T("bad-mention", 2, "d", "d\t0\t100000\tE", "start ≤ end, as ends are inclusive (see --ends)")]),
    ("d\t1\t2\tE\tx\tT\tF\t1\tT\n", [T("bad-candidates", 1, "d", "d\t1\t2\tE\tx\tT\tF\t1\tT", TRIPLES)]),
    ("d\t1\t2\tE\t1\tT\tF\t2\tT\nd\t1\t2\tE\t1\tT\n",
     [T("other-candidates", None, None, None, "one id for each mention", None, False)]),
]  # fmt: skip
EDL_EXCLUSIVE = [
    ("d\t2\t2\tE\n", [T("bad-mention", 1, "d", "d\t2\t2\tE", "start < end, as ends are exclusive (see --ends)")])
]

BOOK = "COREF\tstart_token\tend_token\n"
BOOKNLP = [  # the file is b.entities
    (f"{BOOK}7\t1\t0\n7\tx\t0\n7\t-1\t0\n7\t0\t0\n",
     [T("bad-mention", line, "b", shown, "0 ≤ start_token ≤ end_token")
      for line, shown in ((2, "7\t1\t0"), (3, "7\tx\t0"), (4, "7\t-1\t0"))]),
    ("COREF\tx\n", [T("bad-line", 1, None, "COREF\tx", "columns COREF, start_token, end_token", "check the file")]),
]  # fmt: skip

MUC = [
    ("<DOC><DOCID>a</DOCID>\nx</DOC>\n<DOC><DOCID> a </DOCID></DOC>",
     [T("repeated-document", 3, "a", None, "another name than in line 1")]),
    ("<DOC><DOCNO>a</DOCNO>\nAda</COREF></DOC>", [T("unopened-mention", 2, "a", "</COREF>", "<COREF> before it")]),
    ('<DOC>\nx <COREF ID="1">\n\n</COREF> y</DOC>',
     [T("empty-mention", 2, "", "</COREF>", "words between its tags")]),
    ('<DOC>\nx <COREF ID="1">Ada\n<COREF>y</DOC>',
     [T("unclosed-mention", 2, "", "<COREF 1>", "</COREF> before the document ends"),
      T("unclosed-mention", 3, "", "<COREF >", "</COREF> before the document ends")]),
    ('<DOC>\n<COREF TYPE="IDENT">Ada</COREF></DOC>', [T("bad-mention-id", 2, "", "Ada", 'ID="1"')]),
    ('<DOC>\n<COREF ID="1">Ada</COREF>\n<COREF ID="1">she</COREF></DOC>',
     [T("repeated-id", 3, "", "she", "an ID of its own")]),
    ('<DOC>\n<COREF ID="1" REF="2">Ada</COREF></DOC>',
     [T("unknown-id", 2, "", "Ada", "the ID of a mention of this document")]),
    ('<DOC>\n<COREF ID="1" MIN="x|y">Ada</COREF></DOC>',
     [T("minimum-outside", 2, "", "x|y", "words of the mention", None, False)]),
]  # fmt: skip


def cat(markables: str, relations: str = "") -> str:
    """A document of CAT with one token; markables are on line 3, relations on line 4."""
    return (f'<Document doc_name="a">\n<token t_id="1" sentence="0">w</token>\n<Markables>{markables}</Markables>\n'
            f"<Relations>{relations}</Relations>\n</Document>")  # fmt: skip


ONE = '<M m_id="1"><token_anchor t_id="1"/></M>'
ECB = [
    ("<a>\n<b></a>", [T("bad-xml", 2, None, None, None, FIX)]),
    ("<a/>", [T("bad-xml", 1, None, None, "<Document doc_name=...>", "name another format with --format")]),
    ("<!DOCTYPE a>\n<a/>",
     [T("xml-doctype", 1, None, None, "XML without <!DOCTYPE ...>", "remove the declaration")]),
    ('<!DOCTYPE a [\n<!ENTITY b "c">]>\n<a/>',
     [T("xml-entities", 2, None, None, "XML without <!ENTITY ...>",
        "write what the entities stand for in their places")]),
    (cat(ONE, '<CROSS_DOC_COREF r_id="2" note="e"><source m_id="1"/><target m_id="7"/></CROSS_DOC_COREF>'),
     [T("unknown-id", 4, "a", "<target 7>", "the m_id of a markable")]),
    (cat(ONE, '<INTRA_DOC_COREF r_id="2"><source m_id="1"/></INTRA_DOC_COREF>\n'
              '<CROSS_DOC_COREF r_id="3"><source m_id="1"/></CROSS_DOC_COREF>'),
     [T("two-entities", 5, "a", "<source 1>", "one relation only: a:2 or a:3")]),
    (cat(ONE * 2), [T("repeated-id", 3, "a", "<M 1>", "an m_id of its own")]),
    (cat(ONE + '<M m_id="2"><token_anchor t_id="1"/><token_anchor t_id="2"/></M>'),
     [T("unknown-id", 3, "a", "<M 2>", "the t_id of tokens")]),
]  # fmt: skip


def xmi(*elements: str) -> str:
    """A CAS whose text is Ada; its elements are on lines 2, 3, ..."""
    root = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore">'
    return "\n".join([root, *elements, "</xmi:XMI>"])


SOFA = '<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="Ada"/>'
LINK, CHAIN = (
    '<c:CoreferenceLink xmi:id="{}" sofa="1" begin="{}" end="{}"{}/>',
    '<c:CoreferenceChain xmi:id="{}" sofa="1" first="{}"/>',
)
STRETCH = "0 ≤ begin < end ≤ 3"
NO_COREFERENCE = "export it with its coreference layer; put TypeSystem.xml beside it, if nothing is annotated"
KINDS = "chains, relations whose type is called coreference, or mentions of CorefAnnotator"
XMI = [  # the file is d.xmi
    (xmi(), [T("no-text", 1, None, None, "a Sofa with a sofaString")]),
    (xmi(SOFA, '<cas:Sofa xmi:id="2" sofaID="other" sofaString="x"/>',
         LINK.format(3, 0, 1, "").replace('sofa="1"', 'sofa="2"'), CHAIN.format(4, "")),
     [T("other-view", 2, "d", "_InitialView", "annotations of one view").harmless]),
    (xmi(SOFA, LINK.format(2, 0, 4, ""), LINK.format(3, 2, 2, ""), LINK.format(4, "", 2, ""),
         CHAIN.format(5, 2), CHAIN.format(6, 3), CHAIN.format(7, 4)),
     [T("bad-span", line, "d", f"CoreferenceLink {shown}", STRETCH)
      for line, shown in ((3, "2 0 4"), (4, "3 2 2"), (5, "4  2"))]),
    (xmi(SOFA, LINK.format(1, 0, 1, "")),
     [T("repeated-id", 3, None, "CoreferenceLink 1", "an id of its own for each")]),
    ("\n<a/>", [T("bad-xml", 1, None, None, "<xmi:XMI ...>", "name another format with --format")]),
    ("{x", [T("bad-json", 1, None, None, "a CAS in JSON 0.4")]),
    ('{"%TYPES": {}}',
     [T("bad-json", 1, None, None, '"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": ...}, ...]')]),
    (xmi(SOFA, '<cas:Annotation xmi:id="2" sofa="1" begin="0" end="1"/>', '<cas:A xmi:id="3"/>'),
     [T("no-entities", 1, None, "A, Annotation, Sofa", KINDS, NO_COREFERENCE)]),
    (xmi(SOFA, LINK.format(2, 0, 1, ""), CHAIN.format(3, 2), CHAIN.format(4, 2)),
     [T("repeated-link", 3, "d", "CoreferenceLink 2", "one")]),
    (xmi(SOFA, LINK.format(2, 0, 1, ' next="2"'), CHAIN.format(3, 2)),
     [T("repeated-link", 3, "d", "CoreferenceLink 2", "one")]),
    (xmi(SOFA, LINK.format(2, 0, 1, ""), LINK.format(4, 1, 2, ""), CHAIN.format(3, 2)),
     [T("loose-link", 4, "d", "CoreferenceLink 4", "first or next of a chain")]),
    (xmi(SOFA, '<c:Coref xmi:id="2" sofa="1" begin="0" end="1" Governor="3" Dependent="9"/>',
         '<c:Referent xmi:id="3" sofa="1" begin="0" end="1"/>'),
     [T("bad-link", 3, "d", "Coref 2", "Governor, Dependent")]),
    (xmi(SOFA, '<v1:Mention xmi:id="2" sofa="1" begin="0" end="1" Entity="9"/>').replace(
        "xmlns:cas", 'xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore" xmlns:cas'),
     [T("bad-link", 3, "d", "Mention 2", "the id of an Entity")]),
]  # fmt: skip

CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
TSV = f"#FORMAT=WebAnno TSV 3.3\n#T_CH={CHAINS}|referenceRelation|referenceType\n\n\n"
RELATED = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.Ref|entity\n#T_RL=webanno.Coref|type|BT_webanno.Ref\n\n\n"
WEBANNO = [  # the file is d.tsv
    ("#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.Ref|entity\n#T_SP=b|x\n",
     [T("no-entities", 1, None, "webanno.Ref, b",
        f"#T_CH={CHAINS}|referenceRelation|referenceType, or #T_RL=...Coref|type|BT_... beside its layer of spans",
        "export the document with its coreference layer")]),
    (f"{TSV}1-1\t0-1\ta\t_\t_\t\n1\t2-3\tb\t_\t_\t\n1-2\t2-3\tb\t_\n",
     [T("bad-line", 6, "d", "1\t2-3\tb\t_\t_\t", "sentence-token, offsets, word, 2 columns"),
      T("bad-line", 7, "d", "1-2\t2-3\tb\t_", "sentence-token, offsets, word, 2 columns")]),
    (f"{TSV}1-1.1\t0-1\ta\t_\t_\t\n", [T("bad-line", 5, "d", "1-1.1\t0-1\ta\t_\t_\t", "the whole token before it")]),
    (f"{TSV}1-1\t0-1\ta\tx\t_\t\n", [T("bad-link", 5, "d", "x", '"_", or relation->chain-link')]),
    (f"{RELATED}1-1\t0-1\ta\tx\tcoref\t1-2\t\n1-2\t2-3\tb\t_\t_\t_\t\n",
     [T("bad-link", 6, "d", "1-2", "sentence-token[from_to]")]),
]  # fmt: skip

TABLE = [
    ("entity,x\n1,2\n",
     [T("unknown-column", 1, None, "entity,x", "a column called mention, mention_id, record, record_id",
        "rename the column")]),
    ("mention,x\n1,2\n",
     [T("unknown-column", 1, None, "mention,x", "a column called entity, entity_id, cluster, cluster_id",
        "rename the column")]),
    ("mention,entity,Entity\n1,2,3\n",
     [T("repeated-column", 1, None, "entity", "each column once",
        "rename all but one, or name another column with --columns")]),
    ('mention,entity,x\n"a\nb",1,2\n\nb,2\n,3,4\n',
     [T("bad-row", 5, None, "b,2", "the columns mention, entity, x"),
      T("bad-row", 6, None, ",3,4", "the columns mention, entity, x")]),
]  # fmt: skip

CLOSED = "a closing mark behind the words; what ends a mark behind its id, on the same line"
TEXT = [  # marks of the style markdown
    ("\n x\n\n y\n#begin document a\n[Ada](#1)\n#end document\n",
     [T("outside-document", 2, None, "x", "all text between #begin document NAME and #end document")]),
    ("\n [Ada](#1) saw\n[her cat", [T("unclosed-mark", 3, None, "[her", CLOSED)]),
    ("[Ada](#1)\nran](#2)", [T("unopened-mark", 2, None, "](#2)", "an opening mark before the words")]),
    ("[Ada](#1)\n[ ](#2)", [T("empty-mark", 2, None, "[ ](#2)", "words between the marks")]),
    ("#begin document a\n[Ada](#1)\n[her]()", [T("unnamed-mark", 3, "a", "[her]()", "a name or number of the entity")]),
    ("[Ada](#1)\n[they](#1,#2)",
     [T("several-entities", 2, None, "1,#2", "one entity for each mark",
        "nothing, if that is right (a plural); else mark it once for each entity", False)]),
]  # fmt: skip

TABLES: dict[str, tuple[str, dict[str, Any], list[tuple[str, list[T]]]]] = {
    "conll": ("file", {}, CONLL),
    "corefud": ("file", {}, COREFUD),
    "ua": ("file", {}, UA),
    "tbf": ("file", {}, TBF),
    "tbf as EvmEval": ("file", {"files": "evmeval-1.8"}, LENIENT),
    "jsonl": ("file", {}, JSONL),
    "clusters": ("file", {}, CLUSTERS),
    "maven": ("file", {}, MAVEN),
    "answer": ("file", {}, ANSWER),
    "brat": ("d.ann", {}, BRAT),
    "edl": ("file", {}, EDL),
    "edl with exclusive ends": ("file", {"ends": "exclusive"}, EDL_EXCLUSIVE),
    "booknlp": ("b.entities", {}, BOOKNLP),
    "muc": ("file", {}, MUC),
    "ecb": ("file", {}, ECB),
    "xmi": ("d.xmi", {}, XMI),
    "webanno": ("d.tsv", {}, WEBANNO),
    "table": ("file", {}, TABLE),
    "text": ("file", {"marks": "markdown"}, TEXT),
}


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [pytest.param(kind, *each, id=f"{kind}-{each[1][0].code}") for kind, (*_, rows) in TABLES.items() for each in rows],
)
def test_a_problem_is_told_with_all_that_is_known(kind: str, text: str, expected: list[T]) -> None:
    name, how, _ = TABLES[kind]
    assert told(kind.split()[0], text, name, **how) == expected


# -- files beside a file ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expected"), BRAT_BESIDE)
def test_stretches_are_compared_with_the_text_beside(tmp_path: Path, text: str, expected: list[T]) -> None:
    (tmp_path / "d.txt").write_text("Ada saw")
    assert told("brat", text, str(tmp_path / "d.ann")) == expected


def test_mentions_of_a_book_end_with_its_tokens(tmp_path: Path) -> None:
    header = "token_ID_within_document\tsentence_ID\tword\n"
    (tmp_path / "b.tokens").write_text(f"{header}0\t0\tAda\n\n1\t0\tran\n2\t1\ton\n")
    (document,), found = taken("booknlp", f"{BOOK}7\t2\t2\n7\t1\t3\n", str(tmp_path / "b.entities"))
    assert ([*document.words], document.sentences) == (["Ada", "ran", "on"], (0, 2))
    assert [*map(T.of, found)] == [T("bad-mention", 3, "b", "7\t1\t3", "0 ≤ start_token ≤ end_token < 3")]


def test_tokens_of_a_book_are_numbered_in_order(tmp_path: Path) -> None:
    path = tmp_path / "b.tokens"
    path.write_text("token_ID_within_document\tsentence_ID\tword\n0\t0\tAda\n2\t0\tran\n")
    _, (problem,) = taken("booknlp", BOOK, str(tmp_path / "b.entities"))
    assert problem.path == str(path)
    assert T.of(problem) == T("bad-line", 3, None, "2", "1", "run BookNLP again")


ROWS = "fix the table, or leave such rows out with --on-problem skip"
TOKENS = [
    ("id\tword\tbegin\tend\n1\ta\t0\t1\n", [T("header-line", 1, None, "id\tword\tbegin\tend", "a token", ROWS, False)]),
    ("\n1\ta\t0\t1\n2\tb\t2\n3\tc\t4\t3\n",
     [T("bad-token", 3, None, "2\tb\t2", "4 columns: id, text, begin, end", ROWS),
      T("bad-token", 4, None, "3\tc\t4\t3", "4 columns: id, text, begin, end", ROWS)]),
    ("1\ta\t0\t1\n\n1\tb\t2\t3\n", [T("repeated-token", 3, None, "1\tb\t2\t3", "another id than in line 1", ROWS)]),
    ("1\tab\t0\t2\n\n2\tc\t1\t2\n",
     [T("token-order", 3, None, "c", "a begin from 2 on", ROWS, False)]),
    ("\n1\tab\t0\t1\n2\tcd\t3\t4\n",
     [T("inclusive-ends", 2, None, "ab", "ends behind the last character", ROWS, False)]),
    ("1\tab\t0\t2\n2\tcd\t3\t6\n", [T("token-length", 2, None, "cd", "an end of 5", ROWS, False)]),
    ("1\tab\t0\t1\n2\tcd\t3\t6\n",
     [T("inclusive-ends", 1, None, "ab", "ends behind the last character", ROWS, False),
      T("token-length", 2, None, "cd", "an end of 4", ROWS, False)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_token_tables(text: str, expected: list[T]) -> None:
    problems = Problems("skip")
    read_table(text.encode(), "d.tab", problems)
    assert {problem.path for problem in problems.found} == {"d.tab"}
    assert [T.of(problem) for problem in problems.found] == expected


def test_a_token_table_is_utf_8() -> None:
    with pytest.raises(Error) as caught:
        read_table("1\ta\t0\t1\n2\té\t2\t3\n".encode("latin1"), "d.tab", Problems("skip"))
    assert T.of(caught.value.problem) == T("wrong-encoding", 2, None, None, "UTF-8", "convert the table to UTF-8")


def test_mentions_are_found_in_token_tables(tmp_path: Path) -> None:
    (tmp_path / "a.tab").write_text("x1\tAda\t0\t3\nx2\tran\t4\t7\n")
    folder = str(tmp_path)
    assert told("tbf", tbf("E1 x1,x9,x8", "E2 x2"), tokens=folder) == [
        T("unknown-token", 2, "a", "E1 x1,x9,x8", "ids of the document's token table")
    ]
    assert told("tbf", tbf("E1 t1").replace("\ta\t", "\tb\t").replace("t a\n", "t b\n"), tokens=folder) == [
        T("no-token-table", 1, "b", "b", "b.tab in the folder of token tables", FIX, False)
    ]
    assert told("brat", "T1\tX 0 3\tAda\n", "b.ann", tokens=folder) == [
        T("no-token-table", 1, "b", None, f"b.tab in {folder}",
          "make it with scoref tokenize, or leave such documents empty with --on-problem skip")
    ]  # fmt: skip
    assert told("brat", "T1\tX 0 3\tAda\n\nT2\tX 7 9\tx\n", "a.ann", tokens=folder) == [
        T("no-token", 3, "a", "T2 7,9", "tokens of its table")
    ]


@pytest.mark.parametrize(("side", "text", "expected"), PREDICTED)
def test_predictions_in_the_file_of_the_key(side: str, text: str, expected: list[T]) -> None:
    assert told("jsonl", text, side=side) == expected


def test_nuggets_are_checked_against_types_and_texts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ada saw")
    problems = Problems("skip")
    text = tbf("E1 0,7", "E2 0,3;4,8") + tbf().replace("t a\n", "t b\n")
    check(Source(text.encode(), "file"), problems, None, str(tmp_path))
    assert [*map(T.of, problems.found)] == [
        T("behind-text", 3, "a", "E2 0,3;4,8", "at most 7 characters"),
        T("no-text", 5, "b", "b", "b.txt", FIX, False),
    ]
    problems = Problems("skip")
    check(Source(text.replace("E1\t0,7\tw\tType", "E1\t0,7\tw\tOther").encode(), "file"), problems, "Type".__eq__, None)
    assert [*map(T.of, problems.found)] == [T("unknown-type", 2, "a", "E1 0,7", "a type of the list")]


# -- all of them ------------------------------------------------------------------------------------------------------

FORMATS = Path(scoref.__file__).parent / "formats"
FURTHER = {  # codes that the tests above look at without a table
    "brat": [each.code for _, expected in BRAT_BESIDE for each in expected],
    "jsonl": [each.code for _, _, expected in PREDICTED for each in expected],
    "tbf": ["no-token-table", "unknown-token", "behind-text", "no-text", "unknown-type"],
}
NO_CODES = {"coref-data"}  # a name of data, where others have codes


def codes(path: Path) -> Iterator[str]:
    """The codes of the problems that a module reports: one of the first two arguments of a call, with others behind."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and len(node.args) > 2:
            texts = [str(each.value) for each in node.args[:2] if isinstance(each, ast.Constant)]
            yield from (text for text in texts if re.fullmatch("[a-z]+(-[a-z]+)+", text) and text not in NO_CODES)


@pytest.mark.parametrize("format", sorted({kind.split()[0] for kind in TABLES} - {"text"}))
def test_every_problem_of_a_reader_is_here(format: str) -> None:
    places = [path for path in (FORMATS / f"{format}.py", *(FORMATS / format).glob("*.py")) if path.exists()]
    reported = {code for path in places for code in codes(path) if not code.startswith("unwritable-")}
    rows = [each for kind, (*_, rows) in TABLES.items() if kind.split()[0] == format for each in rows]
    assert reported - {"crossing-mentions"} <= {each.code for _, expected in rows for each in expected} | {
        *FURTHER.get(format, ())
    }
