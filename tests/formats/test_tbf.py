"""TBF files of event nuggets: what the reader makes of every line, what the writer keeps, what is wrong with a file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES
from scoref import formats
from scoref.document.document import Document, Mention, position, stretch, word_of
from scoref.problems import Error, Problem, Problems

Result = tuple[int, str, str]
Run = Callable[..., Result]


def row(id: str, span: str, text: str = "w", type: str = "Life_Marry", realis: str = "Actual", *more: str) -> str:
    return "\t".join(["run", "d", id, span, text, type, realis, *more])


def link(name: str, ends: str, id: str = "R1") -> str:
    return f"@{name}\t{id}\t{ends}"


def tbf(*lines: str, name: str = "d") -> str:
    return "\n".join([f"#BeginOfDocument {name}", *lines, "#EndOfDocument", ""])


def problems_of(text: str | bytes, **how: str) -> tuple[list[Document], list[Problem]]:
    data = text.encode() if isinstance(text, str) else text
    problems = Problems("skip")
    return formats.read_source(formats.Source(data, "file", **how), "tbf", problems)[1], problems.found


def read(text: str | bytes, **how: str) -> list[Document]:
    """The documents of a file with nothing wrong in it."""
    documents, found = problems_of(text, **how)
    assert not found
    return documents


def words(mention: Mention) -> list[int]:
    return [word_of(place) for place in mention.span]


def spans(text: str, **how: str) -> dict[str, list[int]]:
    return {str(mention.id): words(mention) for mention in read(text, **how)[0].mentions}


def clusters(text: str) -> set[frozenset[str]]:
    (document,), _ = problems_of(text)
    return {frozenset(str(mention.id) for mention in each) for each in document.entities().values()}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(**files: str | bytes) -> None:
    for name, content in files.items():
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)


def table(*tokens: str, name: str = "d", first: int = 1, prefix: str = "") -> str:
    """Write a token table; gives its folder."""
    place, lines = 0, []
    for number, token in enumerate(tokens, first):
        lines.append(f"{prefix}{number}\t{token}\t{place}\t{place + len(token)}\n")
        place += len(token) + 1
    Path("tables").mkdir(exist_ok=True)
    Path("tables", f"{name}.tab").write_text("".join(lines))
    return "tables"


# -- reading ----------------------------------------------------------------------------------------------------------

PLAIN = tbf(row("E1", "t3"), row("E2", "t5,t6"), row("E3", "t9"), link("Coreference", "E1,E3"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN, id="plain"),
        pytest.param(PLAIN.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(PLAIN.replace("\n", " \t\v\f\n \t"), id="white space around lines"),
        pytest.param(PLAIN.rstrip("\n"), id="no newline at the end"),
        pytest.param(PLAIN.replace("\n", "\n\n"), id="blank lines"),
        pytest.param("# made by hand\n" + PLAIN.replace("run\td\tE2", "#\n# a remark\nrun\td\tE2"), id="comments"),
        pytest.param(PLAIN.replace("Document d", "Documentd"), id="no blank in the header"),
        pytest.param(PLAIN.replace("EndOfDocument", "EndOfDocument d, the end"), id="more in the footer"),
        pytest.param(PLAIN.replace("@", "@ \t"), id="blanks in a relation"),
        pytest.param(PLAIN.replace("\tR1\t", "\t\t"), id="a relation without an id"),
        pytest.param(PLAIN.replace("Actual", "Actual\t0.9\t0.8\t0.7"), id="confidences"),
        pytest.param(PLAIN.replace("run\t", "another run\t"), id="another system"),
        pytest.param(
            tbf(link("Coreference", "E1,E3"), row("E1", "t3"), row("E2", "t5,t6"), row("E3", "t9")),
            id="a cluster before its mentions",
        ),
    ],
)
def test_layout_does_not_matter(text: str) -> None:
    (document,) = read(text)
    assert (document.id, document.words) == ("d", ())
    assert [(m.id, words(m)) for m in document.mentions] == [("E1", [3]), ("E2", [5, 6]), ("E3", [9])]
    assert clusters(text) == {frozenset(["E1", "E3"]), frozenset(["E2"])}


def test_columns_are_attributes() -> None:
    rows = row("E1", "4,8", "wed", "Life_Marry", "Other", "0.9", "", "0.7"), row("E2", "10,11", "", "")
    (document,) = read(tbf(*rows))
    first, second = (dict(mention.attributes) for mention in document.mentions)
    assert first == {
        "system": "run", "text": "wed", "type": "Life_Marry", "realis": "Other", "confidence": "0.9\t\t0.7",
    }  # fmt: skip
    assert second == {"system": "run", "text": "", "type": "", "realis": "Actual"}


def test_the_example_of_the_coreference_format() -> None:
    """Section 2.1.6 of the scoring document of 2015: a cluster line, its members in any order."""
    text = tbf(
        row("E2", "t70", "wed", "Life_Marry", "Actual", "1", "1", "1"),
        row("E4", "t96", "parted", "Life_Divorce", "Actual", "1", "1", "1"),
        row("E5", "t99", "wed", "Life_Marry", "Actual", "1", "1", "1"),
        row("E6", "t157", "wed", "Life_Marry", "Actual", "1", "1", "1"),
        link("Coreference", "E6,E2"),
    )
    assert clusters(text) == {frozenset(["E2", "E6"]), frozenset(["E4"]), frozenset(["E5"])}
    assert read(text)[0].relations == (("Coreference", "R1", ("E6", "E2")),)


def test_several_documents_of_which_one_is_empty() -> None:
    third = row("E1", "t2").replace("\td\t", "\tf f\t")
    documents = read(tbf(row("E1", "t1")) + tbf(name="e") + tbf(third, name="f f"))
    assert [(each.id, len(each.mentions)) for each in documents] == [("d", 1), ("e", 0), ("f f", 1)]
    assert [each.line for each in documents] == [1, 4, 6]


def test_double_tagging_makes_two_mentions_and_no_problem(run: Run) -> None:
    text = tbf(row("E1", "t1", "shot", "Life_Die"), row("E2", "t1", "shot", "Conflict_Attack"))
    assert clusters(text) == {frozenset(["E1"]), frozenset(["E2"])}
    put(file=text)
    assert run("validate", "file") == (0, "0 problems in 1 file\n", "")


@pytest.mark.parametrize(
    ("span", "expected"),
    [("4,8", [4, 5, 6, 7]), ("4,6;9,11", [4, 5, 9, 10]), ("9,11;4,6", [4, 5, 9, 10]), ("4,6;6,8", [4, 5, 6, 7])],
)
def test_pieces_of_characters(span: str, expected: list[int]) -> None:
    assert spans(tbf(row("E1", span))) == {"E1": expected}


@pytest.mark.parametrize(("span", "expected"), [("t4", [4]), ("t4,t5", [4, 5]), ("t4,t9", [4, 9]), ("t0", [0])])
def test_lists_of_tokens(span: str, expected: list[int]) -> None:
    assert spans(tbf(row("E1", span))) == {"E1": expected}


def test_spans_are_characters_unless_most_are_tokens() -> None:
    _, (problem,) = problems_of(tbf(row("E1", "4,8"), row("E2", "t3")))
    assert (problem.code, problem.line) == ("bad-span", 3)
    assert spans(tbf(row("E1", "3,4"))) == {"E1": [3]}


@pytest.mark.parametrize("prefix", ["", "t"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_token_table_gives_positions_and_words(prefix: str, first: int) -> None:
    tables = table("They", "made", "their", "way", first=first, prefix=prefix)
    for written in (prefix, "t"):  # where a table has 12, files may have t12
        (document,) = read(tbf(row("E1", f"{written}{first + 1},{written}{first + 3}")), tokens=tables)
        assert document.words == ("They", "made", "their", "way")
        assert [words(mention) for mention in document.mentions] == [[1, 3]]
        assert document.text_of(document.mentions[0]) == "made way"
        assert document.columns["begin"] == ["0", "5", "10", "16"]
        assert document.columns["end"] == ["4", "9", "15", "19"]
        assert read(formats.dumps([document], "tbf"), tokens=tables) == [document]


def test_token_ids_of_a_table_are_names() -> None:
    Path("tables").mkdir()
    Path("tables", "d.tab").write_text("x7\tmade\t0\t4\nx3\tway\t5\t8\n")
    assert spans(tbf(row("E1", "x7,x3")), tokens="tables") == {"E1": [0, 1]}


def test_with_a_folder_of_tables_numbers_are_tokens() -> None:
    tables = table("a", "b", "c")
    assert spans(tbf(row("E1", "1,3")), tokens=tables) == {"E1": [0, 2]}
    assert spans(tbf(row("E1", "1,3"))) == {"E1": [1, 2]}


def test_a_document_without_a_table_is_reported() -> None:
    tables = table("a", "b", name="another")
    (document,), (problem,) = problems_of(tbf(row("E1", "t2,t3")), tokens=tables)
    assert (problem.code, problem.line, problem.document, problem.fatal) == ("no-token-table", 1, "d", False)
    assert [words(mention) for mention in document.mentions] == [[2, 3]]
    _, (problem,) = problems_of(tbf(row("E1", "t1").replace("\td\t", "\t../d\t"), name="../d"), tokens=table("a"))
    assert problem.code == "no-token-table"


def test_a_table_may_be_in_a_folder_of_the_folder() -> None:
    Path("tables/deep").mkdir(parents=True)
    tables = table("a", "b", name="deep/d")
    (document,) = read(tbf(row("E1", "2").replace("\td\t", "\tdeep/d\t"), name="deep/d"), tokens=tables)
    assert document.text_of(document.mentions[0]) == "b"


def test_a_folder_of_tables_that_is_not_there_is_an_error(run: Run) -> None:
    put(file=PLAIN)
    for argv in (("score", "file", "file"), ("validate", "file")):
        code, out, err = run(*argv, "--tokens", "nowhere")
        assert (code, out) == (2, "")
        assert "[unreadable-file]\n  where     nowhere\n" in err


def test_a_cluster_that_shares_a_mention_with_an_earlier_one_is_left_out_when_skipping() -> None:
    links = [link("Coreference", ends) for ends in ("E0,E1", "E2,E3", "E1,E2")]
    text = tbf(*(row(f"E{n}", f"t{n}") for n in range(5)), *links)
    assert clusters(text) == {frozenset(["E0", "E1"]), frozenset(["E2", "E3"]), frozenset(["E4"])}


def test_lines_with_one_id_are_mentions_of_their_own_unless_a_cluster_names_them() -> None:
    rows = [row("E1", "t1"), row("E1", "t2"), row("E1,2", "t7"), row("E3", "t3")]
    (document,), found = problems_of(tbf(rows[0], rows[1], rows[3]))
    assert [problem.code for problem in found] == ["repeated-mention"]
    assert len(document.entities()) == 3
    (document,), found = problems_of(tbf(rows[0], rows[1], rows[3], link("Coreference", "E1,E3")))
    assert len(document.entities()) == 1
    assert [problem.code for problem in problems_of(tbf(*rows[:3]))[1]] == ["bad-mention-id", "repeated-mention"]


# -- detection --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [PLAIN, "# remark\n\n" + PLAIN, " \t" + PLAIN, PLAIN.replace("\n", "\r\n"), tbf()])
def test_a_tbf_file_is_recognised(text: str) -> None:
    assert formats.detect(formats.Source(text.encode(), "file")).name == "tbf"


def test_a_packed_file_is_recognised_and_scored_by_its_protocol() -> None:
    put(key=gzip.compress(PLAIN.encode()), response=PLAIN)
    result = scoref.score("key", "response")
    assert result.protocol.name == "kbp-2015"
    assert result["nugget-span"].f1 == 1


@pytest.mark.parametrize("text", ["#begin document d\nw\t(1)\n#end document\n", row("E1", "t1"), "T1\tType 0 3\tabc\n"])
def test_other_files_are_not_taken_for_tbf(text: str) -> None:
    assert not formats.FORMATS["tbf"].sniff(text.encode())


# -- writing ----------------------------------------------------------------------------------------------------------

names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters=","), min_size=1)
cells = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "))
types = st.sampled_from(["Life_Marry", "Conflict_Attack", "NOT_ANNOTATED", ""])


@st.composite
def documents(draw: st.DrawFn, by_token: bool) -> Document:
    """A document as the reader makes it, but for the names of its entities."""
    ids = draw(st.lists(names, unique=True, max_size=6))
    mentions = []
    for id in ids:
        places = draw(st.sets(st.integers(0, 30), min_size=1, max_size=4))
        attributes = [
            ("system", "run"), ("text", draw(cells)), ("type", draw(types)), ("realis", draw(types.filter(bool))),
        ]  # fmt: skip
        if draw(st.booleans()):
            attributes.append(("confidence", draw(st.sampled_from(["0.5", "1\t0\t0.25", "\t1"]))))
        span = tuple(position(place) for place in sorted(places))
        mentions.append(Mention(span, id, id, (), tuple(attributes)))
    relations = []
    if len(ids) > 1:
        pairs = st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True)
        links = draw(st.lists(st.tuples(st.sampled_from(["After", "Subevent"]), pairs), max_size=4))
        by_span = {mention.span: mention.id for mention in mentions}
        if len(by_span) > 1 and draw(st.booleans()):
            links.append(("Coreference", draw(st.permutations([*by_span.values()]))))
            joined = links[-1][1]
            mentions = [each._replace(entity=joined[0] if each.id in joined else each.id) for each in mentions]
        relations = [(name, f"R{number}", tuple(ends)) for number, (name, ends) in enumerate(links)]
    return Document(draw(names), mentions=tuple(mentions), relations=tuple(relations))


def files(by_token: bool) -> st.SearchStrategy[list[Document]]:
    return st.lists(documents(by_token), min_size=1, max_size=3, unique_by=lambda document: document.id)


@settings(max_examples=60)
@given(files(True) | files(False))
def test_reading_what_was_written_gives_the_same(written: list[Document]) -> None:
    once, _ = problems_of(formats.dumps(written, "tbf"))
    assert [each.id for each in once] == [each.id for each in written]
    for ours, theirs in zip(once, written, strict=True):
        assert [m._replace(entity=None) for m in ours.mentions] == [m._replace(entity=None) for m in theirs.mentions]
        assert ours.relations == theirs.relations
    assert problems_of(formats.dumps(once, "tbf"))[0] == once


KEPT = {
    "characters": tbf(
        row("E1", "4,8;13,16", "made way", "Movement_Transport-Person", "Actual", "0.9", "0.8", "0.7"),
        row("E2", "40,47", "", "Movement_Transport-Person", "NOT_ANNOTATED"),
        row("E2", "40,47", "arrived", "Contact_Meet", "Other"),
        row("E3", "60,66", "resign # @", "", "Generic"),
        link("Coreference", "E1,E2", ""), link("After", "E2,E3", "A1"), link("Subevent", "E3,E1", "S 1"),
        link("Cause", "E3,E1"),
    ),
    "tokens": tbf(row("E1", "t12,t14"), row("E2", "t12"), row("E3", "t0"), link("Coreference", "E3,E1")),
    "empty": tbf(),
    "nothing related": tbf(row("E1", "t1"), row("E2", "t2")),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_converting_to_json_and_back_loses_nothing(run: Run, name: str) -> None:
    put(**{"one.tbf": KEPT[name]})
    for argv in (("one.tbf", "two.jsonl"), ("two.jsonl", "three.tbf"), ("one.tbf", "four.tbf")):
        assert run("convert", *argv)[0] == 0
    assert Path("three.tbf").read_text() == KEPT[name] == Path("four.tbf").read_text()


def test_entities_of_other_formats_become_clusters(run: Run) -> None:
    put(**{"one.conll": "#begin document d\na\t(1)\nb\t(2\nc\t2)\nd\t(1)\n#end document\n"})
    assert run("convert", "one.conll", "two.tbf") == (0, "", "")
    assert Path("two.tbf").read_text() == tbf(
        "scoref\td\tE1\tt0\ta\tNOT_ANNOTATED\tNOT_ANNOTATED",
        "scoref\td\tE2\tt1,t2\tb c\tNOT_ANNOTATED\tNOT_ANNOTATED",
        "scoref\td\tE3\tt3\td\tNOT_ANNOTATED\tNOT_ANNOTATED",
        link("Coreference", "E1,E3", "C1"),
    )


def test_what_would_break_a_line_is_written_as_a_blank() -> None:
    attributes = (("system", "#@run\n1"), ("text", "a\tb\rc"), ("type", "T\n"), ("realis", " "))
    text = formats.dumps([Document("d", mentions=(Mention(stretch(1, 1), "1", "E1", (), attributes),))], "tbf")
    assert text.split("\n")[1] == "run 1\td\tE1\t1,2\ta b c\tT \tNOT_ANNOTATED"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (Document("d", mentions=(Mention((), "1", "a"),)), "unwritable-mention"),
        (Document("d", mentions=(Mention(stretch(1, 1), "1", "a,b"),)), "unwritable-mention"),
        (Document("d", mentions=(Mention((position(1, 1),), "1", "a"),)), "unwritable-mention"),
        (Document(""), "unwritable-name"),
        (Document("a\nb"), "unwritable-name"),
        (Document(" a"), "unwritable-name"),
    ],
)
def test_what_cannot_be_written_is_refused(document: Document, code: str) -> None:
    with pytest.raises(Error) as error:
        formats.dumps([document], "tbf")
    assert error.value.code == code


# -- what is wrong ----------------------------------------------------------------------------------------------------

ONE = row("E1", "4,8")
TWO = row("E2", "9,12")
THREE = row("E3", "20,22")

# what, the content, the code, the line; these stop
FATAL = [
    ("no end at the end of the file", tbf(ONE).replace("#EndOfDocument\n", ""), "missing-end", 1),
    ("no end in the middle", tbf(ONE).replace("#EndOfDocument\n", "") + tbf(name="e"), "missing-end", 1),
    ("another footer", tbf(ONE).replace("#End", "#end"), "missing-end", 1),
    ("two footers", tbf(ONE) + "#EndOfDocument\n", "unopened-document", 4),
    ("no header", tbf(ONE) + ONE + "\n#EndOfDocument\n", "outside-document", 4),
    ("relation outside", tbf(ONE) + link("After", "E1,E2"), "outside-document", 4),
    ("no name", tbf(name=""), "unnamed-document", 1),
    ("the same document twice", tbf(ONE) + tbf(TWO), "repeated-document", 4),
    ("six columns", tbf(ONE, "\t".join(TWO.split("\t")[:6])), "column-count", 3),
    ("the last column is empty", tbf(ONE, row("E2", "9,12", realis="")), "column-count", 3),
    ("the first column is empty", tbf(ONE, TWO.replace("run", "")), "column-count", 3),
    ("blanks for tabs", tbf(ONE, TWO.replace("\t", " ")), "column-count", 3),
    ("a mention without an id", tbf(ONE, row("", "9,12")), "bad-mention-id", 3),
    ("a comma in an id", tbf(ONE, row("E2,E3", "9,12")), "bad-mention-id", 3),
    ("an offset that is no number", tbf(ONE, row("E2", "NaN,12")), "bad-span", 3),
    ("an infinite offset", tbf(ONE, row("E2", "9,inf")), "bad-span", 3),
    ("a fraction", tbf(ONE, row("E2", "9.0,12")), "bad-span", 3),
    ("a negative offset", tbf(ONE, row("E2", "-1,12")), "bad-span", 3),
    ("one number", tbf(ONE, row("E2", "9")), "bad-span", 3),
    ("no span", tbf(ONE, row("E2", "")), "bad-span", 3),
    ("an empty piece", tbf(ONE, row("E2", "9,12;")), "bad-span", 3),
    ("digits of another script", tbf(ONE, row("E2", "٣,٤")), "bad-span", 3),
    ("a number of 5,000 digits", tbf(ONE, row("E2", f"9,{'9' * 5000}")), "bad-span", 3),
    ("a span as long as a book", tbf(ONE, row("E2", "0,999999999")), "bad-span", 3),
    ("a token among characters", tbf(ONE, row("E2", "t9")), "bad-span", 3),
    ("a relation of two columns", tbf(ONE, TWO, "@After\tE1,E2"), "bad-relation", 4),
    ("a relation of four columns", tbf(ONE, TWO, "@After\tR1\tE1\tE2"), "bad-relation", 4),
    ("a relation of nothing", tbf(ONE, TWO, "@Coreference\tR1\t"), "bad-relation", 4),
    ("a relation of one mention", tbf(ONE, TWO, link("After", "E1")), "bad-relation", 4),
    ("an unknown relation of one mention", tbf(ONE, TWO, link("Cause", "E1")), "bad-relation", 4),
    ("After with three mentions", tbf(ONE, TWO, THREE, link("After", "E1,E2,E3")), "bad-relation", 5),
    ("Subevent with three mentions", tbf(ONE, TWO, THREE, link("Subevent", "E1,E2,E3")), "bad-relation", 5),
    ("Latin 1", tbf(ONE, row("E2", "9,12", "fêted")).encode("latin1"), "wrong-encoding", 3),
]  # fmt: skip

# these are reported and scored
REPORTED = [
    ("an unknown relation", tbf(ONE, TWO, link("Cause", "E1,E2")), "unknown-relation", 4),
    ("another case", tbf(ONE, TWO, link("coreference", "E1,E2")), "unknown-relation", 4),
    ("a cluster of one mention", tbf(ONE, link("Coreference", "E1")), "small-cluster", 3),
    ("an id twice", tbf(ONE, row("E1", "9,12")), "repeated-mention", 3),
    ("another document", tbf(ONE, TWO.replace("\td\t", "\tf\t")), "other-document", 3),
    ("pieces that overlap", tbf(ONE, row("E2", "0,4;2,6")), "bad-span", 3),
    ("three numbers", tbf(ONE, row("E2", "9,12,15")), "bad-span", 3),
    ("tokens out of order", tbf(row("E1", "t4,t3")), "token-order", 2),
    ("a token twice", tbf(row("E1", "t3,t3")), "token-order", 2),
    ("an event after itself", tbf(ONE, TWO, link("After", "E1,E1")), "cyclic-links", 4),
    ("after and before", tbf(ONE, TWO, link("After", "E1,E2"), link("After", "E2,E1")), "cyclic-links", 5),
    ("a part of its part", tbf(ONE, TWO, link("Subevent", "E1,E2"), link("Subevent", "E2,E1")), "cyclic-links", 5),
    ("a circle of three",
     tbf(ONE, TWO, THREE, *(link("After", e) for e in ("E1,E2", "E2,E3", "E3,E1"))), "cyclic-links", 7),
    ("a circle by coreference",
     tbf(ONE, TWO, THREE, link("After", "E1,E2"), link("After", "E2,E3"), link("Coreference", "E1,E3")),
     "cyclic-links", 6),
]  # fmt: skip

# these stop, as the scoring document of 2015 says (4.4); EvmEval 1.8 refuses the clusters that share a mention
REFUSED = [
    ("an unknown mention in a cluster", tbf(ONE, TWO, link("Coreference", "E1,E9")), "unknown-mention", 4),
    ("blanks around ids", tbf(ONE, TWO, link("Coreference", "E1, E2")), "unknown-mention", 4),
    ("an unknown mention in a link", tbf(ONE, TWO, link("After", "E9,E2")), "unknown-mention", 4),
    ("an unknown mention in an unknown relation", tbf(ONE, TWO, link("Cause", "E1,E9")), "unknown-mention", 4),
    ("clusters that share a mention",
     tbf(ONE, TWO, THREE, link("Coreference", "E1,E2"), link("Coreference", "E2,E3")), "open-cluster", 6),
    ("a cluster twice", tbf(ONE, TWO, *[link("Coreference", "E1,E2")] * 2), "open-cluster", 5),
    ("a span twice in a cluster", tbf(ONE, row("E2", "4,8"), link("Coreference", "E1,E2")), "span-twice", 4),
    ("a mention twice in a cluster", tbf(ONE, TWO, link("Coreference", "E1,E2,E1")), "span-twice", 4),
    ("an empty span", tbf(ONE, row("E2", "9,9")), "bad-span", 3),
    ("an end before its begin", tbf(ONE, row("E2", "12,9")), "bad-span", 3),
]  # fmt: skip

# what cannot be scored at all, with any option
HOPELESS = [
    ("an empty file", "", "empty-file", None),
    ("a binary file", b"\x7fELF\n\x00\x01", "binary-file", 2),
    ("comments only", "# nothing here\n", "no-document", None),
]


def parameters(rows: list[tuple[str, str | bytes, str, int | None]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("content", "code", "line"), [pytest.param(*rest, id=name) for name, *rest in rows])


@parameters([*FATAL, *REFUSED, *HOPELESS])
def test_what_is_malformed_is_a_located_error_and_no_score(
    run: Run, content: str | bytes, code: str, line: int | None
) -> None:
    put(good=tbf(ONE), bad=content)
    where = "bad" if line is None else f"bad:{line}"
    for argv in (("good", "bad"), ("bad", "good"), ("bad", "good", "--json")):
        exit_code, out, err = run("score", *argv, "--format", "tbf")
        assert (exit_code, out) == (2, "")
        assert f"[{code}]\n  where     {where}" in err


@parameters([*FATAL, *REFUSED])
def test_skipping_counts_what_is_malformed(run: Run, content: str | bytes, code: str, line: int) -> None:
    put(good=tbf(ONE), bad=content)
    exit_code, out, _ = run("score", "good", "bad", "--format", "tbf", "--on-problem", "skip", "--json")
    assert exit_code == 0
    assert (code, line) in [(problem["code"], problem.get("line")) for problem in json.loads(out)["problems"]]


@parameters(HOPELESS)
def test_nothing_to_score_is_an_error_even_when_skipping(
    run: Run, content: str | bytes, code: str, line: int | None
) -> None:
    put(good=tbf(ONE), bad=content)
    exit_code, out, err = run("score", "bad", "good", "--format", "tbf", "--on-problem", "skip")
    assert (exit_code, out) == (2, "")
    assert code in err


@parameters(REPORTED)
def test_what_has_a_meaning_is_scored_and_reported(run: Run, content: str, code: str, line: int) -> None:
    put(good=tbf(row("E1", "t1") if "\tt" in content else ONE), bad=content)
    for argv in (("good", "bad"), ("bad", "good")):
        exit_code, out, err = run("score", *argv, "--protocol", "evmeval-1.8", "--json")
        assert (exit_code, err) == (0, "")
        found = [(problem["code"], problem["path"], problem["line"]) for problem in json.loads(out)["problems"]]
        assert (code, "bad", line) in found


@parameters([*FATAL, *REFUSED, *REPORTED, *HOPELESS])
def test_validate_lists_it(run: Run, content: str | bytes, code: str, line: int | None) -> None:
    put(good=tbf(ONE), bad=content)
    exit_code, out, err = run("validate", "good", "bad", "--format", "tbf")
    assert (exit_code, err) == (1, "")
    start = f"bad:{line}: " if line else "bad: "
    assert any(each.startswith(start) and f"[{code}]" in each for each in out.split("\n"))


def test_the_line_to_write_for_clusters_that_share_a_mention() -> None:
    lines = [link("Coreference", "E1,E2"), link("Coreference", "E2,E3", "R2"), link("Coreference", "E4,E1", "R3")]
    _, found = problems_of(tbf(ONE, TWO, THREE, row("E4", "30,31"), *lines))
    assert [problem.expected for problem in found] == [
        "one line: @Coreference\tR2\tE1,E2,E3",
        "one line: @Coreference\tR3\tE1,E2,E4",
    ]


def test_a_mention_that_cannot_be_read_is_one_problem_however_often_it_is_named() -> None:
    _, found = problems_of(tbf(ONE, row("E2", "NaN,9"), link("Coreference", "E1,E2"), link("After", "E1,E2")))
    assert [(problem.code, problem.line) for problem in found] == [("bad-span", 3)]


def test_validate_lists_all_problems_in_one_run_by_line(run: Run) -> None:
    lines = [
        "#BeginOfDocument d", row("E1", "NaN,8"), row("E2", "9,12"), row("E2", "9,12"), "run\td\tE3",
        link("Coreference", "E2,E9"), link("After", "E2,E2,E2"), "#BeginOfDocument e", "#EndOfDocument",
        "#EndOfDocument", row("E4", "1,2"),
    ]  # fmt: skip
    put(bad="\n".join(lines), good=tbf(ONE))
    exit_code, out, err = run("validate", "--format", "tbf", "bad", "good")
    found = [(each.split(":")[1], each.split("[")[1].split("]")[0]) for each in out.split("\n")[:-2]]
    assert (exit_code, err) == (1, "")
    assert found == [
        ("1", "missing-end"), ("2", "bad-span"), ("4", "repeated-mention"), ("5", "column-count"),
        ("6", "unknown-mention"), ("7", "bad-relation"), ("10", "unopened-document"), ("11", "outside-document"),
    ]  # fmt: skip
    assert out.endswith("8 problems in 2 files\n")
    assert [problem["line"] for problem in json.loads(run("validate", "bad", "--json")[1])["problems"]] == [
        int(line) for line, _ in found
    ]


def test_a_document_that_the_key_lacks_is_reported_and_scores_nothing(run: Run) -> None:
    put(key=tbf(ONE), response=tbf(ONE) + tbf(TWO.replace("\td\t", "\te\t"), name="e"))
    exit_code, out, _ = run("score", "key", "response", "--json")
    result = json.loads(out)
    assert (exit_code, result["documents"], result["scores"]["nugget-span"]["precision"]) == (0, 1, 1.0)
    found = [(p["code"], p["line"], p["document"]) for p in result["problems"] if p["code"] != "unknown-words"]
    assert found == [("extra-document", 4, "e")]


def test_a_document_missing_from_the_response_is_empty(run: Run) -> None:
    put(key=tbf(ONE) + tbf(TWO.replace("\td\t", "\te\t"), name="e"), response=tbf(ONE))
    result = json.loads(run("score", "key", "response", "--json")[1])
    assert result["scores"]["nugget-span"] == {"recall": 0.5, "precision": 1.0, "f1": pytest.approx(2 / 3)}
    assert [problem["code"] for problem in result["problems"]][:1] == ["missing-document"]


def test_characters_without_their_text_cannot_be_compared_with_words(run: Run) -> None:
    put(key=tbf(ONE), response="#begin document d\nw\t(1)\n#end document\n")
    code, out, err = run("score", "key", "response")
    assert (code, out) == (2, "")
    assert "[different-units]" in err


def test_json_lines_say_what_the_places_of_nuggets_count(run: Run) -> None:
    """The reader says it, not the attributes of mentions: without them places are still those of characters."""
    put(key=tbf(ONE))
    (document,) = scoref.read("key")
    bare = replace(document, mentions=[each._replace(attributes=()) for each in document.mentions])
    scoref.write(bare, "bare.jsonl")
    assert scoref.score("key", "bare.jsonl", metrics=["b3"], match="exact")["b3"].f1 == 1
    put(words='{"doc_key": "d", "clusters": [[[0, 3]]]}\n')
    with pytest.raises(scoref.Error, match="characters in the response, words in the key"):
        scoref.score("words", "bare.jsonl", metrics=["b3"])


# -- validate with tables, types and texts ----------------------------------------------------------------------------


def validated(run: Run, *argv: str) -> list[tuple[str, int, str]]:
    code, out, err = run("validate", "file", *argv, "--json")
    assert err == ""
    found = [(p["path"], p["line"], p["code"]) for p in json.loads(out)["problems"]]
    assert code == bool(found)
    return found


def test_validate_compares_tokens_with_the_table(run: Run) -> None:
    put(file=tbf(row("E1", "t2"), row("E2", "t4,t9"), row("E3", "t3,t2"), row("E4", "t4, t5"), row("E5", "banana")))
    tables = table("They", "made", "their", "way")
    assert validated(run, "--tokens", tables) == [
        ("file", 3, "unknown-token"), ("file", 4, "token-order"), ("file", 5, "unknown-token"),
        ("file", 6, "unknown-token"),
    ]  # fmt: skip
    code, out, err = run("score", "file", "file", "--tokens", tables)
    assert (code, out) == (2, "")
    assert 'file:3, "E2 t4,t9"' in err


@pytest.mark.parametrize(
    ("line", "code"),
    [("2\tmade", "bad-token"), ("2\tmade\t5\tx", "bad-token"), ("1\tmade\t5\t9", "repeated-token")],
)
def test_validate_lists_problems_of_tables(run: Run, line: str, code: str) -> None:
    put(file=tbf(row("E1", "t1")))
    tables = table("They")
    with Path(tables, "d.tab").open("a") as file:
        file.write(line + "\n")
    assert validated(run, "--tokens", tables) == [("tables/d.tab", 2, code)]


def test_an_empty_table_has_no_tokens(run: Run) -> None:
    put(file=tbf(row("E1", "t1")))
    assert validated(run, "--tokens", table()) == [("file", 2, "unknown-token")]


def test_validate_knows_the_types_of_a_list(run: Run) -> None:
    names = ("Life_Marry", "life marry", "Life_Mary", "")
    put(file=tbf(*(row(f"E{n}", f"{n},9", type=name) for n, name in enumerate(names))))
    put(types="Life.Marry\n\nConflict_Attack\r\n")
    assert validated(run, "--types", "types") == [("file", 4, "unknown-type"), ("file", 5, "unknown-type")]
    assert validated(run) == []


def test_validate_compares_offsets_with_texts(run: Run) -> None:
    Path("texts").mkdir()
    Path("texts", "d.txt").write_bytes("drôle\r\n12345".encode())
    put(file=tbf(row("E1", "7,12"), row("E2", "0,1;11,13")) + tbf(name="e"))
    assert validated(run, "--texts", "texts") == [("file", 3, "behind-text"), ("file", 5, "no-text")]
    put(file=tbf(row("E1", "t99")))
    assert validated(run, "--texts", "texts") == []


@pytest.mark.parametrize("option", ["--types", "--texts"])
def test_types_and_texts_need_a_tbf_file_and_must_be_there(run: Run, option: str) -> None:
    put(file=tbf(ONE), other="#begin document d\nw\t(1)\n#end document\n", types="T\n")
    for argv in (("file", option, "nowhere"), ("other", option, "types" if option == "--types" else ".")):
        code, out, err = run("validate", *argv)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")


# -- from brat --------------------------------------------------------------------------------------------------------


def brat(*spans: str) -> None:
    lines = [f"T{n}\tLife_Marry {span}\t\nE{n}\tLife_Marry:T{n}\n" for n, span in enumerate(spans, 1)]
    put(**{"d.ann": "".join(lines) + "A1\tRealis E1 Actual\n"})


def test_brat_annotation_becomes_tokens_of_the_tables(run: Run) -> None:
    brat("0 4;11 14", "5 10", "1 3")  # the last is a part of a token
    tables = table("They", "made,", "way")
    assert run("convert", "d.ann", "d.tbf", "--tokens", tables) == (0, "", "")
    rows = [line.split("\t")[2:4] + line.split("\t")[6:] for line in Path("d.tbf").read_text().split("\n")[1:4]]
    assert rows == [["E1", "1,3", "Actual"], ["E2", "2", "NOT_ANNOTATED"], ["E3", "1", "NOT_ANNOTATED"]]
    assert run("validate", "d.tbf", "--tokens", tables)[0] == 0
    assert run("convert", "d.ann", "e.tbf")[0] == 0
    assert Path("e.tbf").read_text().split("\t")[3] == "0,4;11,14"


def test_brat_annotation_without_a_table_or_a_token_is_refused(run: Run) -> None:
    brat("0 4", "30 34")
    for name, code, where in (("other", "no-token-table", "d.ann:1"), ("d", "no-token", 'd.ann:4, "E2 30,34"')):
        exit_code, out, err = run("convert", "d.ann", "d.tbf", "--tokens", table("They", name=name))
        assert (exit_code, out) == (2, "")
        assert f"[{code}]\n  where     {where}, document d\n" in err
        assert not Path("d.tbf").exists()


def test_the_example_from_brat_to_scores(run: Run) -> None:
    pytest.importorskip("nltk")
    examples = EXAMPLES / "nuggets"
    code, _, err = run("tokenize", str(examples / "texts"), "-o", "tables", "--annotations", str(examples / "key"))
    assert (code, err.count("[WARN] Boundary mismatch")) == (0, 1)
    for name in ("key", "response"):
        assert run("convert", str(examples / name), f"{name}.tbf", "--tokens", "tables") == (0, "", "")
    types = str(examples / "types.txt")
    assert run("validate", "key.tbf", "response.tbf", "--tokens", "tables", "--types", types)[0] == 0
    result = scoref.score("key.tbf", "response.tbf", tokens="tables")
    assert result.counts["nugget-span"].sum(axis=0).tolist() == pytest.approx([7 + 2 * 2 / 3, 12, 7 + 2 * 2 / 3, 10])
    assert result.counts["muc"].sum(axis=0).tolist() == [1, 3, 1, 2]


def test_mentions_that_repeat_a_span_of_their_entity_are_counted_when_written(tmp_path, run):
    (tmp_path / "k.jsonl").write_text(
        '{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1], [1, 1]]]}'
    )
    code, _, err = run("convert", tmp_path / "k.jsonl", tmp_path / "k.tbf")
    assert code == 0
    assert "1 mention repeats a span of its entity" in err
    assert "[span-twice]" in run("score", tmp_path / "k.tbf", tmp_path / "k.tbf")[2]
    assert run("score", tmp_path / "k.tbf", tmp_path / "k.tbf", "--on-problem", "skip")[0] == 0


@pytest.mark.parametrize(("span", "wrong"), [("0,4", []), ("0,4,9", ["bad-span"]), ("0,4;6,8,1", ["bad-span"])])
def test_a_third_number_of_a_span_is_not_read_and_said(span: str, wrong: list[str]) -> None:
    (document,), found = problems_of(tbf(row("E1", span)))
    assert [(problem.code, problem.fatal) for problem in found] == [(code, False) for code in wrong]
    assert words(document.mentions[0]) == [0, 1, 2, 3, *([6, 7] if ";" in span else [])]
