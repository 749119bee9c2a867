"""Token tables: what tokens a text has, how they agree with annotation, and the tables themselves."""

from __future__ import annotations

import builtins
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from places import ROOT, SHARED, beside
from scoref.cli.commands.settings.doctor import PARTS
from scoref.document.document import Document, Mention, Origin, stretch
from scoref.formats.tokens import tables as tokens
from scoref.formats.tokens.spans import by_tokens, table_of
from scoref.formats.tokens.tables import Token, cut, read_table, split, tokenize, treebank, write_table
from scoref.problems import Error, Problems

LITBANK = SHARED / "data" / "brat-litbank" / "events"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def texts(text: str, *annotated: tuple[int, int], separators: str = "") -> list[str]:
    return [token.text for token in tokenize(text, annotated, separators)[0]]


# -- tokens of a text -------------------------------------------------------------------------------------------------

# What Stanford's PTBTokenizer (CoreNLP 3.4.1, invertible) gives for these texts; where it is not the same, see below.
STANFORD = {
    "It has been suggested that": "It has been suggested that",
    "I didn't say they'd won?": "I did n't say they 'd won ?",
    '<p id="1">It ended.</p>': '<p~id="1"> It ended . </p>',
    "The dogs' dinner isn't Ada's.": "The dogs ' dinner is n't Ada 's .",
    "We cannot. I'm gonna go.": "We can not . I 'm gon na go .",
    'He said "no." She left.': 'He said " no . " She left .',
    "He said “no.” It’s late": "He said “ no . ” It ’s late",
    "Mr. Smith met Dr. No in Washington, D.C. on Jan. 5.": "Mr. Smith met Dr. No in Washington , D.C. on Jan. 5 .",
    "He left. Then (at 10:30 a.m.) she left, too.": "He left . Then ( at 10:30 a.m. ) she left , too .",
    "It cost $3.50, or 20,000%; really...": "It cost $ 3.50 , or 20,000 % ; really ...",
    "a well-known ex-CEO -- he": "a well-known ex-CEO -- he",
    "See http://www.example.com/a-b.html, or mail a.b@example.org.": (
        "See http://www.example.com/a-b.html , or mail a.b@example.org ."
    ),
    "one two.\r\n\r\nthree four.\r\n": "one two . three four .",
    "Acme Inc. said e.g. this": "Acme Inc. said e.g. this",
}


@pytest.mark.parametrize(("text", "expected"), STANFORD.items())
def test_tokens_are_those_of_the_penn_treebank(text: str, expected: str) -> None:
    assert texts(text) == [token.replace("~", " ") for token in expected.split(" ")]


@pytest.mark.parametrize(
    ("text", "ours"),  # Stanford's are: No !!! / U.S . He / '90s / 3.50 / day / they 'd 've
    [
        ("No!!!", ["No", "!", "!", "!"]),
        ("the U.S. He", ["the", "U.S.", "He"]),
        ("the '90s", ["the", "'", "90s"]),
        ("3.50/day", ["3.50/day"]),
        ("they'd've", ["they'd", "'ve"]),
    ],
)
def test_where_tokens_are_not_stanfords(text: str, ours: list[str]) -> None:
    assert texts(text) == ours


@pytest.mark.parametrize(
    "text",
    [
        "", " \n\t", "''", "``a''", "He said ''no'' .", "'''x'''", '"""', "`", "x\u200by", "\ufeffThe", "a\u00a0b",
        "\x1c",
        "𝔘𝔫𝔦 😀.", "…and£5", "<a<b>>", "a.b@", "http://", "Hello.World", "\0\x01", "a\r\nb\rc", "-/-\\--", "١٢٣",
    ],
)  # fmt: skip
def test_nothing_is_lost_of_strange_texts(text: str) -> None:
    check_whole(text, *tokenize(text))
    check_whole(text, *tokenize(text, separators=""))


def check_whole(text: str, found: list[Token], mismatches: object = None) -> None:
    """Offsets are exact, ids count from 1, and all that is not white space is in one token."""
    assert all(token.text == text[token.begin : token.end] != "" for token in found)
    assert [token.id for token in found] == [str(number) for number in range(1, len(found) + 1)]
    covered = [place for token in found for place in range(token.begin, token.end)]
    assert covered == sorted(set(covered))
    assert not re.search(r"\S", "".join(text[place] for place in sorted(set(range(len(text))) - set(covered))))


TEXTS = st.text(
    st.sampled_from("abcANst.'\"’,- /\\\n\r\t<>@`…😀") | st.characters(exclude_categories=["Cs"]), max_size=40
)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(TEXTS)
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted).map(tuple)
    return text, [span for span in draw(st.lists(places, max_size=5)) if span[0] < span[1]]


@given(annotated(), st.sampled_from(["", "/-\\", "-", "]^", "a'"]))
@settings(max_examples=200)
def test_tokens_cover_the_text_and_agree_with_annotation(
    given: tuple[str, list[tuple[int, int]]], separators: str
) -> None:
    text, spans = given
    found, mismatches = tokenize(text, spans, separators)
    check_whole(text, found)
    for boundary in {place for span in spans for place in span}:
        assert not any(token.begin < boundary < token.end for token in found)
    whole, none = tokenize(text, (), separators)
    assert none == []
    assert {m.token for m in mismatches} == {
        (t.begin, t.end) for t in whole if any(t.begin < place < t.end for span in spans for place in span)
    }
    assert all(len(set(token.text) & set(separators)) == 0 or set(token.text) <= set(separators) for token in found)
    assert read_table(write_table(found).encode(), "t", Problems()) == [
        token._replace(text=tokens._cell(token.text)) for token in found
    ]


def test_separators_are_tokens_of_their_own() -> None:
    text = "buffet/music/buying in-law and\\or -- //x"
    expected = "buffet / music / buying in - law and \\ or -- // x"
    assert texts(text, separators="/-\\") == expected.split(" ")
    assert texts("a]b^c-d", separators="]^-") == ["a", "]", "b", "^", "c", "-", "d"]
    assert list(cut("a-b", [(0, 3)], "")) == [(0, 3)]


def test_another_tokenizer_may_be_used_and_loses_nothing() -> None:
    found, _ = tokenize("one two, three", (), "", tokenizer=lambda text: [(0, 3), (2, 5), (4, 7), (99, 98)])
    assert [token.text for token in found] == ["one", "two", ",", "three"]


@pytest.mark.parametrize("letters", ["(", ".", "a", "a.", "-", "<", "a@", "<a ", "\n", "\n "])
def test_strange_texts_take_no_strange_time(letters: str) -> None:
    started = time.process_time()
    list(treebank(letters * 10_000))
    assert time.process_time() - started < 60  # what is wrong takes hours


# -- annotation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "annotated", "expected"),
    [
        ("a  b", [(1, 3)], [(0, 1), (3, 4)]),  # nothing is left between
        ("a  b", [(0, 2)], [(0, 1), (3, 4)]),
        (" ab ", [(2, 3)], [(1, 2), (2, 3)]),
        ("ab", [(0, 2), (2, 2)], [(0, 2)]),
    ],
)
def test_what_annotation_cuts_a_token_into_has_no_blanks(
    text: str, annotated: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    assert split(text, [(0, len(text))], annotated)[0] == expected


def test_the_examples_of_the_scoring_document() -> None:
    text = "x buffet/music/buying, in/hire"
    found, mismatches = tokenize(text, [(15, 21), (26, 30)], separators="-")
    assert [token.text for token in found] == ["x", "buffet/music/", "buying", ",", "in/", "hire"]
    start = "[WARN] Boundary mismatch found in d21: Token"
    assert [mismatch.message("d21") for mismatch in mismatches] == [
        f"{start} [2,21] [buffet/music/buying] vs. EventMentionSpan [15,21] [buying]",
        f"{start} [23,30] [in/hire] vs. EventMentionSpan [26,30] [hire]",
    ]
    assert tokenize(text, [(15, 21), (26, 30)], separators="/")[1] == []


@pytest.mark.parametrize(
    ("spans", "expected", "cuts"),
    [
        pytest.param([], ["abcdef", "gh"], 0, id="no annotation"),
        pytest.param([(0, 6), (7, 9), (0, 9)], ["abcdef", "gh"], 0, id="all agree"),
        pytest.param([(0, 2)], ["ab", "cdef", "gh"], 1, id="ends inside"),
        pytest.param([(4, 6)], ["abcd", "ef", "gh"], 1, id="begins inside"),
        pytest.param([(2, 4)], ["ab", "cd", "ef", "gh"], 1, id="inside"),
        pytest.param([(0, 1), (3, 4)], ["a", "bc", "d", "ef", "gh"], 2, id="two in one token"),
        pytest.param([(1, 4), (3, 5)], ["a", "bc", "d", "e", "f", "gh"], 2, id="two that cross"),
        pytest.param([(4, 8)], ["abcd", "ef", "g", "h"], 2, id="over two tokens"),
        pytest.param([(2, 4), (2, 4)], ["ab", "cd", "ef", "gh"], 1, id="twice the same"),
        pytest.param([(6, 7), (9, 20)], ["abcdef", "gh"], 0, id="white space, and what is not there"),
    ],
)
def test_every_token_that_annotation_cuts_is_split(
    spans: list[tuple[int, int]], expected: list[str], cuts: int
) -> None:
    found, mismatches = split("abcdef gh", [(0, 6), (7, 9)], spans)
    assert (["abcdef gh"[begin:end] for begin, end in found], len(mismatches)) == (expected, cuts)


def test_pieces_of_tags_have_no_blanks_around_them() -> None:
    assert texts('<post author="x">', (6, 12)) == ["<post", "author", '="x">']


# -- tables -----------------------------------------------------------------------------------------------------------


def table(text: str, *, skip: bool = False) -> tuple[list[Token], list[tuple[str, int | None, bool]]]:
    problems = Problems("skip" if skip else "raise")
    found = read_table(text.encode(), "d.tab", problems)
    return found, [(problem.code, problem.line, problem.fatal) for problem in problems.found]


ROWS = [Token("1", "It", 0, 2), Token("2", "a", 3, 4), Token("3", "x y", 5, 8)]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        pytest.param("1\tIt\t0\t2\n2\ta\t3\t4\n3\tx y\t5\t8\n", [], id="as it is written"),
        pytest.param("1\tIt\t0\t2\r\n\r\n2\ta\t3\t4\r\n3\tx y\t5\t8", [], id="CRLF, a blank line, no end"),
        pytest.param("1\tIt\t0\t2\tX\n2\ta\t3\t4\tY\n3\tx y\t5\t8\tZ\n", [], id="further columns"),
        pytest.param("token_id\ttoken_str\ttkn_begin\ttkn_end\n1\tIt\t0\t2\n2\ta\t3\t4\n3\tx y\t5\t8\n",
                     [("header-line", 1, False)], id="header"),
        pytest.param("d.tab\n1\tIt\t0\t2\n2\ta\t3\t4\n3\tx y\t5\t8\n", [("header-line", 1, False)], id="short header"),
        pytest.param("1\tIt\t0\t1\n2\ta\t3\t3\n3\tx y\t5\t7\n", [("inclusive-ends", 1, False)], id="ends included"),
    ],
)  # fmt: skip
def test_tables_are_read(text: str, reported: list[tuple[str, int | None, bool]]) -> None:
    assert table(text) == (ROWS, reported)


def test_ids_are_whatever_they_are() -> None:
    assert [token.id for token in table("t0\tIt\t0\t2\nt1\ta\t3\t4\n")[0]] == ["t0", "t1"]


def test_ends_are_included_only_where_no_end_can_be_excluded() -> None:
    found, reported = table("1\tIt\t0\t2\n2\t-LRB-\t3\t4\n3\tx\t5\t5\n")
    assert [token.end for token in found] == [2, 4, 5]
    assert reported == [("token-length", 2, False), ("token-length", 3, False)]


@pytest.mark.parametrize(
    ("row", "code", "fatal"),
    [
        ("2\ta\t3", "bad-token", True),
        ("2\ta\tx\t4", "bad-token", True),
        ("2\ta\t-3\t4", "bad-token", True),
        ("\ta\t3\t4", "bad-token", True),
        ("2\ta\t5\t4", "bad-token", True),
        ("2\ta\t" + "9" * 5000 + "\t4", "bad-token", True),
        ("1\ta\t3\t4", "repeated-token", True),
        ("2\tt\t1\t2", "token-order", False),
        ("2\ta\t3\t9", "token-length", False),
    ],
)
def test_rows_that_are_wrong_are_said_with_their_line(row: str, code: str, fatal: bool) -> None:
    text = f"1\tIt\t0\t2\n\n{row}\n"
    assert table(text, skip=True)[1] == [(code, 3, fatal)]
    if fatal:
        with pytest.raises(Error) as error:
            table(text)
        assert (error.value.code, error.value.path, error.value.line) == (code, "d.tab", 3)


def test_a_table_in_another_encoding_is_an_error() -> None:
    with pytest.raises(Error) as error:
        read_table(b"1\tIt\t0\t2\n2\t\xe9\t3\t4\n", "d.tab", Problems("skip"))
    assert (error.value.code, error.value.line) == ("wrong-encoding", 2)


def test_tabs_and_line_breaks_are_blanks_in_a_table() -> None:
    text = write_table([Token("1", "<a\tb\r\nc\u2028>", 0, 9)])
    assert text == "1\t<a b  c >\t0\t9\n"


# -- the command line -------------------------------------------------------------------------------------------------


def put(**files: str | bytes) -> None:
    for name, content in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def test_tables_of_a_folder_with_annotation(run: Run) -> None:
    put(
        in__a_txt="Ada in/hire\r\nleft.\r\n", in__sub__b_txt="nothing here", in__notes_md="no text", in___x_txt="hidden"
    )
    put(ann__a_ann="T1\tX 4 6;7 8\tin h\nT2\tX 13 17\tleft\n", ann__sub__b_ann="")
    code, out, err = run("tokenize", "in", "-o", "out", "--annotations", "ann")
    assert (code, out) == (0, "[INFO] Successfully completed.\n")
    assert err == "[WARN] Boundary mismatch found in a: Token [7,11] [hire] vs. EventMentionSpan [7,8] [h]\n"
    assert Path("out/a.tab").read_bytes().decode().split("\n") == [
        "1\tAda\t0\t3", "2\tin\t4\t6", "3\t/\t6\t7", "4\th\t7\t8", "5\tire\t8\t11",
        "6\tleft\t13\t17", "7\t.\t17\t18", "",
    ]  # fmt: skip
    assert Path("out/sub/b.tab").read_text() == "1\tnothing\t0\t7\n2\there\t8\t12\n"
    assert sorted(path.name for path in Path("out").rglob("*.tab")) == ["a.tab", "b.tab"]


@pytest.mark.parametrize(
    ("option", "expected"),
    [((), "a / b - c \\ d"), (("--separators", ""), "a/b-c\\d"), (("--separators=-/",), "a / b - c\\d")],
)
def test_separators_can_be_chosen(run: Run, option: tuple[str, ...], expected: str) -> None:
    put(a_txt="a/b-c\\d")
    assert run("tokenize", "a.txt", "-o", ".", *option)[0] == 0
    assert " ".join(row.split("\t")[1] for row in Path("a.tab").read_text().splitlines()) == expected


def test_several_texts_and_a_folder_that_is_there(run: Run) -> None:
    put(a_txt="one", b_sgm="two", out__a_tab="old")
    assert run("tokenize", "a.txt", "b.sgm", "-o", "out", "--force")[0] == 0
    assert Path("out/a.tab").read_text() + Path("out/b.tab").read_text() == "1\tone\t0\t3\n1\ttwo\t0\t3\n"


@pytest.mark.parametrize(
    ("argv", "code", "where"),
    [
        pytest.param(("nothing.txt",), "unreadable-file", "nothing.txt", id="no such file"),
        pytest.param(("none",), "empty-folder", "none", id="a folder without texts"),
        pytest.param(("empty.txt",), "empty-file", "empty.txt", id="an empty text"),
        pytest.param(("latin.txt",), "wrong-encoding", "latin.txt:2", id="Latin 1"),
        pytest.param(("binary.txt",), "binary-file", "binary.txt:1", id="not a text"),
        pytest.param(("a.txt", "more/a.txt"), "repeated-file", "more/a.txt", id="a name twice"),
        pytest.param(("a.txt", "--annotations", "none"), "missing-annotation", "none/a.ann", id="no annotation"),
        pytest.param(("a.txt", "--annotations", "nowhere"), "missing-annotation", "nowhere/a.ann", id="no folder"),
        pytest.param(("a.txt", "--annotations", "bad"), "bad-span", "bad/a.ann:1", id="wrong annotation"),
        pytest.param(("a.txt", "--annotations", "far"), "outside-text", "far/a.ann:1", id="annotation elsewhere"),
        pytest.param(("a.txt", "--annotations", "other"), "different-text", "other/a.ann:1", id="of another text"),
        pytest.param(("-",), "no-name", None, id="standard input"),
    ],
)
def test_bad_input_is_an_error_and_writes_nothing(
    run: Run, argv: tuple[str, ...], code: str, where: str | None
) -> None:
    put(a_txt="one two", empty_txt="", latin_txt=b"a\ncaf\xe9", binary_txt=b"a\0", more__a_txt="x", none__x_md="")
    put(bad__a_ann="T1\tX 3\tone\n", far__a_ann="T1\tX 5 9\ttwo\n", other__a_ann="T1\tX 0 3\ttwo\n")
    exit_code, out, err = run("tokenize", *argv, "-o", "out")
    assert (exit_code, out) == (2, "")
    assert err.startswith("error: ")
    assert f"[{code}]\n" in err
    assert where is None or f"  where     {where}" in err
    assert "  you can   " in err
    assert not Path("out").exists()


def test_an_output_that_is_a_file_is_an_error(run: Run) -> None:
    put(a_txt="one", out="file")
    exit_code, _, err = run("tokenize", "a.txt", "-o", "out")
    assert (exit_code, "[unwritable-file]" in err) == (2, True)


def test_a_missing_package_gives_the_line_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    put(a_txt="one")
    for name in [name for name in sys.modules if name.split(".")[0] == "nltk"]:
        monkeypatch.delitem(sys.modules, name)
    importing = builtins.__import__

    def refusing(name: str, *args: object, **kwargs: object) -> object:
        if name.split(".")[0] == "nltk":
            raise ImportError(name)
        return importing(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refusing)
    tokens._nltk.cache_clear()
    exit_code, out, err = run("tokenize", "a.txt", "-o", "out")
    tokens._nltk.cache_clear()
    assert (exit_code, out) == (2, "")
    assert "[missing-package]" in err
    assert "pip install 'scoref[tokens]'" in err
    bounds = {*re.findall(r"nltk>=([0-9.]+)", (ROOT / "pyproject.toml").read_text())}
    assert bounds == {PARTS["tokens"][1]["nltk"]}
    assert f"nltk {bounds.pop()} or newer" in err


@beside
def test_litbank(run: Run) -> None:
    code, _, err = run("tokenize", str(LITBANK), "-o", "out", "--annotations", str(LITBANK))
    assert (code, err) == (0, "")  # its texts are tokenized, and no event is part of a token
    paths = [*LITBANK.glob("*.txt")]
    assert paths
    for path in paths:
        text = path.read_bytes().decode()
        found = read_table(Path("out", path.stem + ".tab").read_bytes(), "t", Problems())
        check_whole(text, found)
        assert len(found) >= len(text.split())


def test_blanks_that_are_no_blanks_for_numbers():
    (token,) = read_table(b"t0\ta\t5\x1c\t6\x1c\n", "d.tab", Problems())
    assert (token.begin, token.end) == (5, 6)


def test_without_its_table_a_document_has_no_mentions_and_no_relations() -> None:
    put(**{"tables/other.tab": "token_id\ttoken_str\ttoken_begin\ttoken_end\n"})
    mention, relations = Mention(stretch(0, 2), "E1", "E1"), (("After", "R1", ("E1", "E1")),)
    problems = Problems("skip")
    found = by_tokens(Document("d", (), (mention,), relations=relations, origin=Origin("d.ann", 1)), "tables", problems)
    assert (found.mentions, found.relations) == ((), ())
    assert [problem.code for problem in problems.found] == ["no-token-table"]
    assert by_tokens(Document("d", (), ()), "tables", Problems()).mentions == ()


@pytest.mark.parametrize(
    ("sentence", "found", "expected"),
    [
        ("Mr. Ada ran.", ["Mr", ".", "Ada", "ran", "."], ["Mr.", "Ada", "ran", "."]),  # its period is an abbreviation's
        ('"a" b', ["``", "a", "''", "b"], ["a", "b"]),  # quotes that were written anew are found elsewhere
        ("a a", ["a", "a"], ["a", "a"]),
        ("", [], []),
    ],
)
def test_where_the_tokens_of_another_tokenizer_stand(sentence: str, found: list[str], expected: list[str]) -> None:
    spans = [*tokens._words(sentence, SimpleNamespace(tokenize=lambda text: found))]
    assert [sentence[begin:end] for begin, end in spans] == expected
    assert spans == sorted(set(spans))


def test_no_name_of_a_document_leads_out_of_the_folder_of_tables(tmp_path: Path) -> None:
    row = "1\tIt\t0\t1\n"
    put(**{"outside.tab": row, "tables/inside.tab": row, "tables/a/b.tab": row, "tables/.tab": row})
    there = {name: table_of("tables", name, Problems()) is not None
             for name in ("inside", "a/b", "../outside", "a/../inside", str(tmp_path / "outside"), "")}  # fmt: skip
    assert [name for name, found in there.items() if found] == ["inside", "a/b"]
