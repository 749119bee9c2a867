"""Edges of readers: files whose meaning is stated here, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import scoref
from scoref.document.document import Document, position, stretch
from scoref.formats.corefud.read import read as read_corefud
from scoref.formats.jsonl.read import read as read_jsonl
from scoref.formats.source import Source, checked
from scoref.formats.tbf.read import read as read_tbf
from scoref.formats.ua.read import read as read_ua
from scoref.formats.webanno.write import write as write_webanno
from scoref.problems import Problem, Problems

Reader = Callable[[Source, Problems], Iterator[Document]]


def taken(read: Reader, text: str) -> tuple[list[Document], list[Problem]]:
    """The documents of a file, and what is wrong with it."""
    problems = Problems("skip")
    return [*read(Source(text.encode(), "file"), problems)], problems.found


def token(number: str, entity: str = "_") -> str:
    return "\t".join([number, "w", *"_" * 7, entity])


def test_comments_before_a_document_are_its_own() -> None:
    """A newdoc line stands among the comments of its first sentence, so those right above it belong to its document."""
    text = f"# newdoc id = a\n# one\n{token('1')}\n\n# two\n# newdoc id = b\n# three\n{token('1')}\n"
    (first, second), found = taken(read_corefud, text)
    assert not found
    assert [text for _, text in first.comments] == ["# one"]
    assert [text for _, text in second.comments] == ["# two", "# three"]


@pytest.mark.parametrize(
    ("entity", "code", "shown", "expected"),
    [
        ("Entity=(e1[2/2]-x)", "missing-piece", "(e1[2/2]-x", "e1[1/2]"),  # a second piece comes after a first one
        ("Entity=e1)", "unopened-mention", "e1)", "(e1"),
        ("Entity=(-x)", "bracket-syntax", "(-x", "eid"),
    ],
)
def test_what_is_wrong_with_brackets_is_shown_with_what_was_expected(
    entity: str, code: str, shown: str, expected: str
) -> None:
    text = f"# newdoc id = a\n# global.Entity = eid-etype\n{token('1', entity)}\n"
    _, (problem,) = taken(read_corefud, text)
    assert (problem.code, problem.text, problem.line) == (code, shown, 3)
    assert expected in (problem.expected or "")


UA = "# global.columns = ID FORM IDENTITY\n"


def test_malformed_lines_before_a_second_header_are_reported_once() -> None:
    """Each line is read by the columns that hold there: 4 cells are too many before the second header, none behind."""
    line = "2\tw\t_\t_\n"
    first = f"{UA}# newdoc id = a\n1\tw\t_\n{line}"
    second = f"{UA.rstrip()} BRIDGING\n# newdoc id = b\n1\tw\t_\t_\n{line}"
    documents, found = taken(read_ua, first + second)
    assert [len(document.words) for document in documents] == [1, 2]
    assert [(problem.code, problem.line, problem.document) for problem in found] == [("column-count", 4, "a")]


def test_numbers_of_empty_nodes_are_kept_from_one_on() -> None:
    """3.1 is the first empty node behind word 3; 3.0 is none, and counts as the first."""
    for number in ("0", "1"):
        text = f"{UA}# newdoc id = a\n1\tw\t_\n1.{number}\t_\t(EntityID=1|MarkableID=m1)\n2\tw\t_\n"
        (document,), found = taken(read_ua, text)
        (mention,) = document.mentions
        assert not found
        assert [*mention.span] == [1]  # behind word 0: the number of the empty node in the last eight bits


def tbf(span: str) -> str:
    return f"#BeginOfDocument d\nx\td\tE1\t{span}\tw\tType\tActual\n#EndOfDocument\n"


@pytest.mark.parametrize(
    ("span", "fine"), [("4,8", True), ("4,8,9", False), ("4,8;10,12", True), ("4,8;10,12,13", False)]
)
def test_a_third_number_of_a_span_is_reported_and_not_read(span: str, fine: bool) -> None:
    """A piece is begin and end, the end excluded."""
    (document,), found = taken(read_tbf, tbf(span))
    (plain,), _ = taken(read_tbf, tbf(span.removesuffix(",9").removesuffix(",13")))
    assert document.mentions[0].span == plain.mentions[0].span
    assert [(problem.code, problem.text, problem.fatal) for problem in found] == (
        [] if fine else [("bad-span", f"E1 {span}", False)]
    )


def test_offsets_of_webanno_are_those_of_the_words_in_the_text() -> None:
    """A token's second cell is where it begins and ends in the text: the words, one character between them."""
    words = ("Ada", "saw", "it", "She", "left")
    rows = [line.split("\t") for line in write_webanno([Document("d", words, (), (0, 3))]).split("\n")]
    rows = [row for row in rows if len(row) > 2]
    text = " ".join(words)
    ends = [[int(number) for number in row[1].split("-")] for row in rows]
    assert [text[begin:end] for begin, end in ends] == [row[2] for row in rows] == [*words]


def test_malformed_lines_before_the_header_that_holds_are_reported() -> None:
    """A header before the first word holds for its document; lines above it were read by the columns above."""
    text = f"{UA}# newdoc id = a\n1\tw\t_\t_\n{UA.rstrip()} BRIDGING\n1\tw\t_\t_\n"
    (document,), found = taken(read_ua, text)
    assert len(document.words) == 1
    assert [(problem.code, problem.line, problem.document) for problem in found] == [("column-count", 3, "a")]


@pytest.mark.parametrize(
    ("data", "code", "expected", "remedy"),
    [
        ("x".encode("utf-16"), "wrong-encoding", "UTF-8", "iconv -f UTF-16"),
        (b"a\0b", "binary-file", "a text file in UTF-8", "unpack archives"),
        (b" \n", "empty-file", None, "how the file was written"),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(data: bytes, code: str, expected: str | None, remedy: str) -> None:
    with pytest.raises(scoref.Error) as caught:
        checked(Source(data, "file"), Problems())
    assert (caught.value.code, caught.value.path, caught.value.problem.expected) == (code, "file", expected)
    assert remedy in (caught.value.problem.remedy or "")


def test_words_that_are_no_numbers_are_refused() -> None:
    text = '{"doc_key": "a", "sentences": [["x", "y"]], "word_clusters": [["0"], [1]]}\n'
    (document,), (problem,) = taken(read_jsonl, text)
    assert [mention.span for mention in document.mentions] == [stretch(1, 1)]
    assert (problem.code, problem.text, problem.expected) == ("bad-mention", '"0"', "a whole number")


def test_a_relation_of_three_is_written_without_roles() -> None:
    """brat's relations have two ends, and roles; its lines * have any number."""
    mentions = tuple(scoref.Mention((position(n),), str(n), f"T{n + 1}") for n in range(3))
    for ends, line in ((("T1", "T2", "T3"), "*\tNear T1 T2 T3"), (("T1", "T2"), "R7\tNear Arg1:T1 Arg2:T2")):
        document = Document("d", ("a", "b", "c"), mentions, relations=(("Near", "R7", ends),))
        assert line in scoref.formats.dumps([document], "brat").splitlines()


def test_topics_of_records_are_comments() -> None:
    text = '{"doc_key": "a", "sentences": [["x"]], "clusters": [], "topic": 3, "subtopic": "3ecb", "genre": "x"}\n'
    (document,), found = taken(read_jsonl, text)
    assert not found
    assert [comment for _, comment in document.comments] == ["# topic = 3", "# subtopic = 3ecb"]
