"""brat files: what is read, what is written, what is wrong, and folders of them on the command line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES, SHARED, beside
from scoref import formats
from scoref.document.document import Document, Mention, position, stretch
from scoref.problems import Error, Problems

LITBANK = SHARED / "data" / "brat-litbank"
TEXT = "They made their way home. They left it and came back.\n"
EVENTS = """\
T1\tMovement 16 19;5 9\tway made
T2\tMovement 31 35\tleft
T3\tMovement 43 47\tcame
T4\tPerson 0 4\tThey
E1\tMovement:T1 Agent:T4
E2\tMovement:T2
E10\tMovement:T3
A1\tRealis E1 Actual
M2\tNegation E2
R1\tCoreference Arg1:E1 Arg2:E10
R2\tAfter Arg1:E1 Arg2:E2
#1\tAnnotatorNotes E1\tan idiom
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, annotation: str, text: str | None = TEXT) -> str:
    """A pair of files; gives the name of the annotation."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(annotation.encode())
    if text is not None:
        path.with_suffix(".txt").write_bytes(text.encode())
    return name


def parse(annotation: str, problems: Problems | None = None) -> Document:
    source = formats.Source(annotation.encode(), "d.ann")
    return formats.read_source(source, "brat", problems or Problems())[1][0]


def characters(*pieces: tuple[int, int]) -> tuple[int, ...]:
    return tuple(position(place) for place in sorted({place for piece in pieces for place in range(*piece)}))


# -- reading ----------------------------------------------------------------------------------------------------------


def test_events_attributes_and_relations() -> None:
    (document,) = scoref.read(put("d.ann", EVENTS))
    assert (document.id, document.words) == ("d", ())
    assert [(m.id, m.entity) for m in document.mentions] == [("E1", "C1"), ("E2", "E2"), ("E10", "C1")]
    assert document.mentions[0].span == characters((5, 9), (16, 19))
    first, second, _ = (dict(mention.attributes) for mention in document.mentions)
    assert (first["type"], first["text"], first["realis"]) == ("Movement", "way made", "Actual")
    assert (first["trigger"], first["roles"], first["pieces"]) == ("T1", "Agent:T4", "16 19;5 9")
    assert (second["Negation"], second["realis"]) == ("", "NOT_ANNOTATED")
    assert document.relations == (("After", "R2", ("E1", "E2")),)
    assert document.columns["text"] == [TEXT]
    assert document.columns["ann"] == ["T4\tPerson 0 4\tThey", "#1\tAnnotatorNotes E1\tan idiom"]
    assert document.text_of(document.mentions[0]) == "way made"


def test_stretches_of_text_are_the_mentions_where_there_are_no_events() -> None:
    document = parse("T2\tPER 5 6\ta\nT10\tPER 9 10\tb\nT1\tPER 0 2\tcc\nR1\tcop Arg1:T1 Arg2:T2\n")
    assert [(m.id, m.entity, m.span) for m in document.mentions] == [
        ("T1", "T1", stretch(0, 1)), ("T2", "T2", stretch(5, 5)), ("T10", "T10", stretch(9, 9)),
    ]  # fmt: skip
    assert document.relations == (("cop", "R1", ("T1", "T2")),)


@pytest.mark.parametrize(
    "links",
    [
        "R1\tCoreference Arg1:T3 Arg2:T1\nR2\tCoreference Arg1:T4 Arg2:T3\n",
        "R1\tCoref Anaphor:T4 Antecedent:T3\nR7\tcoreference Arg1:T1 Arg2:T4\n",
        "*\tEquiv T1 T3 T4\n",
        "*\tEquiv T4 T3\n*\tEquiv T3 T1\n",
    ],
)
def test_coreference_is_closed(links: str) -> None:
    document = parse(links + "".join(f"T{n}\tX {n} {n + 1}\tx\n" for n in range(1, 6)))
    assert [mention.entity for mention in document.mentions] == ["C1", "T2", "C1", "C1", "T5"]
    assert document.relations == ()


def test_arguments_count_by_their_names() -> None:
    document = parse("T1\tX 0 1\ta\nT2\tX 1 2\tb\nR1\tAfter Arg2:T2 Arg1:T1\nR2\tAfter Arg1:T2 Arg2:T1\n")
    assert document.relations == (("After", "R1", ("T1", "T2")), ("After", "R2", ("T2", "T1")))


def test_events_may_share_a_trigger() -> None:
    document = parse("T1\tDie 0 4\tkill\nE1\tDie:T1\nE2\tAttack:T1\n")
    assert [dict(mention.attributes)["type"] for mention in document.mentions] == ["Die", "Attack"]
    assert document.mentions[0].span == document.mentions[1].span


def test_names_of_attributes_cannot_be_taken_for_others() -> None:
    lines = "T1\tX 0 1\ta\nA1\ttype T1 odd\nA2\trealis T1 odd\nA3\tbrat.type T1 odd\nA4\tRealis T1 Other thing\n"
    document = parse(lines)
    assert dict(document.mentions[0].attributes) == {
        "text": "a", "type": "X", "brat.type": "odd", "brat.realis": "odd", "brat.brat.type": "odd",
        "realis": "Other thing",
    }  # fmt: skip
    assert parse(formats.dumps([document], "brat")) == document


@pytest.mark.parametrize("text", [TEXT, TEXT.replace(" home", "\r\nhome"), "\ufeff" + TEXT[1:], TEXT * 2, None])
def test_the_text_is_read_as_it_is(text: str | None) -> None:
    (document,) = scoref.read(put("d.ann", "T1\tX 31 35\tleft\n" if text and "\r" not in text else "", text))
    assert document.columns.get("text") == ([text.replace("\ufeff", " ")] if text else None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a b\nc", "T1\tX 2 5\tb c"),
        ("a b\r\nc", "T1\tX 2 6\tb c"),
        ("a\u00a0b", "T1\tX 0 3\ta b"),
        ("a b c", "T1\tX 4 5;0 1\tc a"),
        ("a b c", "T1\tX 4 5 ; 0 1\tc a"),
        ("a b c", "T1\tX 2 3"),
        ("𝔘 é", "T1\tX 2 3\té"),
    ],
)
def test_texts_are_compared_without_regard_to_blanks(text: str, line: str) -> None:
    (document,) = scoref.read(put("d.ann", line + "\n", text))
    assert len(document.mentions) == 1
    assert dict(document.mentions[0].attributes)["text"] == (line.split("\t")[2] if line.count("\t") > 1 else "b")


def test_only_the_text_of_the_same_name_is_opened(tmp_path: Path) -> None:
    put("sub/d.ann", "T1\tX 0 4\t../d.txt\n", None)
    (tmp_path / "d.txt").write_text("something else")
    assert scoref.read("sub/d.ann")[0].columns == {}
    Path("plain").write_text("T1\tX 0 4\tThey\n")
    Path("plain.txt").write_text("another text")
    assert scoref.read("plain")[0].columns == {}


@pytest.mark.parametrize(
    ("annotation", "table"),
    [("example1.ann", "example1.tab"), ("example1.tkn.ann", "example1.tkn.tab"), ("example1.tkn.ann", "example1.tab"),
     ("example1.tkn.ann", "example1.txt.tab"), ("example1.ann", "example1.txt.tab")],
)  # fmt: skip
def test_token_tables_as_evmeval_and_ldc_call_them(tmp_path: Path, annotation: str, table: str) -> None:
    (tmp_path / annotation).write_text("T1\tConflict_Attack 4 7\twar\nE1\tConflict_Attack:T1\n")
    (tmp_path / "tables").mkdir()
    header = "token_id\ttoken_str\ttkn_begin\ttkn_end\n"
    (tmp_path / "tables" / table).write_text(header + "t1\tthe\t0\t2\nt2\twar\t4\t6\n")
    asked = {"tokens": str(tmp_path / "tables")}
    ((document, _, _),) = scoref.score(tmp_path / annotation, tmp_path / annotation, **asked).evidence.aligned
    assert document.words == ("the", "war")
    assert [tuple(mention.span) for mention in document.mentions] == [(position(1),)]
    (tmp_path / "tables" / table).rename(tmp_path / "tables" / "example2.tab")
    with pytest.raises(scoref.Error, match="without a token table"):
        scoref.score(tmp_path / annotation, tmp_path / annotation, **asked)


def test_packed_files() -> None:
    Path("d.ann.gz").write_bytes(gzip.compress(EVENTS.encode()))
    assert scoref.read("d.ann.gz")[0].columns.keys() == {"ann"}
    Path("d.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert scoref.read("d.ann.gz") == scoref.read(put("e/d.ann", EVENTS))


def test_an_empty_file_is_a_document_without_mentions(run: Run) -> None:
    put("key/a.ann", "")
    put("key/b.ann", EVENTS)
    put("response/a.ann", " \n", None)
    put("response/b.ann", EVENTS)
    assert [(d.id, len(d.mentions)) for d in scoref.read("key")] == [("a", 0), ("b", 3)]
    code, out, err = run("score", "key", "response", "--json")
    assert (code, err, json.loads(out)["documents"]) == (0, "", 2)
    Path("empty.conll").write_text("")
    with pytest.raises(Error, match="empty-file"):
        scoref.read("empty.conll")


@pytest.mark.parametrize("line", EVENTS.splitlines())
def test_a_file_is_found_by_any_of_its_lines(line: str) -> None:
    assert formats.detect(formats.Source((line + "\n").encode(), "x")).name == "brat"


# -- round trips ------------------------------------------------------------------------------------------------------

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, str]:
    """A text and lines of annotation in an order of their own."""
    text = draw(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30))
    text += "x" if text.isspace() or "\ufeff" in text[:1] else ""
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted).filter(lambda p: p[0] < p[1])
    lines, bounds = [], draw(st.lists(st.lists(places, min_size=1, max_size=3), max_size=6))
    numbers = draw(st.permutations(range(1, len(bounds) + 1)))
    for number, pieces in zip(numbers, bounds, strict=True):
        surface = " ".join(text[begin:end] for begin, end in pieces)
        offsets = ";".join(f"{begin} {end}" for begin, end in pieces)
        for mark in "\n\r":
            surface = surface.replace(mark, " ")
        lines.append(f"T{number}\t{draw(NAMES)} {offsets}" + f"\t{surface}" * draw(st.booleans()))
    ids = [f"T{number}" for number in numbers]
    if ids and draw(st.booleans()):
        ids = [f"E{number}" for number in range(1, draw(st.integers(1, 5)) + 1)]
        for id in ids:
            roles = "".join(f" Role:T{number}" for number in draw(st.lists(st.sampled_from(numbers), max_size=2)))
            lines.append(f"{id}\t{draw(NAMES)}:T{draw(st.sampled_from(numbers))}{roles}")
    if ids:
        targets = draw(st.lists(st.sampled_from(ids), max_size=5))
        values = st.sampled_from(["", " Actual", " two words"])
        lines += [f"A{n}\t{draw(NAMES)} {id}{draw(values)}" for n, id in enumerate(targets, 1)]
        pairs = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=5))
        kinds = st.sampled_from(["Coreference", "After", "Subevent"])
        lines += [f"R{n}\t{draw(kinds)} Arg1:{one} Arg2:{other}" for n, (one, other) in enumerate(pairs, 1)]
        lines.append("#1\tAnnotatorNotes " + ids[0] + "\ta note\twith a tab")
    return text, "\n".join(draw(st.permutations(lines))) + "\n"


@given(annotated())
@settings(max_examples=100)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, str]) -> None:
    folder = tmp_path_factory.getbasetemp() / "brat-round-trip"
    text, annotation = pair
    put(str(folder / "d.ann"), annotation, text)
    (document,) = scoref.read(folder / "d.ann", "brat", on_problem="skip")
    scoref.write([document], folder / "again" / "d.ann")
    (again,) = scoref.read(folder / "again" / "d.ann", "brat", on_problem="skip")
    assert again == document
    (by_json,) = _by_json(document)
    assert by_json == document


def _by_json(document: Document) -> list[Document]:
    source = formats.Source(formats.dumps([document], "jsonl").encode(), "d.jsonl")
    return formats.read_source(source, "jsonl", Problems())[1]


def test_the_lines_of_a_file_are_written_again(tmp_path: Path) -> None:
    scoref.write(scoref.read(put("d.ann", EVENTS)), "new/d.ann")
    lines = {line.replace("M2", "A2") for line in EVENTS.splitlines()}
    written = Path("new/d.ann").read_text().splitlines()
    assert {line[3:] if line[0] == "R" else line for line in written} == {
        line[3:] if line[0] == "R" else line for line in lines
    }
    assert Path("new/d.txt").read_text() == TEXT


def test_words_become_a_text() -> None:
    words = ("Ada", "saw", "Bob", ".", "She", "waved")
    mentions = (
        Mention(stretch(0, 0), "a"), Mention((*stretch(2, 2), *stretch(5, 5)), "b"), Mention(stretch(4, 4), "a"),
        Mention(stretch(4, 5), None),
    )  # fmt: skip
    scoref.write([Document("d", words, mentions, (0, 4))], "d.ann")
    assert Path("d.txt").read_text() == "Ada saw Bob .\nShe waved\n"
    (document,) = scoref.read("d.ann")
    assert [(m.id, m.entity, document.text_of(m)) for m in document.mentions] == [
        ("T1", "C1", "Ada"), ("T2", "T2", "Bob waved"), ("T3", "C1", "She"), ("T4", "T4", "She waved"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (Document("d", ("a",), (Mention((position(0, 1),), "1"),)), "unwritable-mention"),
        (Document("d", ("a",), (Mention((), "1", "x"),)), "unwritable-mention"),
        (Document("d", ("a",), (Mention(stretch(1, 1), "1"),)), "unwritable-mention"),
        (Document("d", ("", "a"), (Mention(stretch(0, 0), "1"),)), "unwritable-mention"),
        (Document("d", ("a", "\x85"), (Mention(stretch(0, 1), "1"),)), "unwritable-mention"),
        (Document("d", (), (Mention(stretch(3, 3), "1"),), columns={"text": ["abc"]}), "unwritable-mention"),
        (Document("d", ("a",), (Mention(stretch(0, 0), "1", "E1"),), relations=(("X", "R1", ("E1", "E2")),)),
         "unwritable-relation"),
        (Document("d", ("a",), (Mention(stretch(0, 0), "1", "E1", (), (("Note", "\ud800"),)),)), "unwritable-text"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(document: Document, code: str) -> None:
    with pytest.raises(Error) as error:
        formats.dumps([document], "brat")
    assert error.value.code == code


def test_one_document_a_file() -> None:
    with pytest.raises(Error, match="too-many-documents"):
        scoref.write([Document("a"), Document("b")], "d.ann")


# -- what is wrong ----------------------------------------------------------------------------------------------------

GOOD = "T1\tX 0 4\tThey\nT2\tX 26 30\tThey\n"
MORE = "E1\tX:T1\nE2\tX:T2\n"


@pytest.mark.parametrize(
    ("lines", "code", "left"),
    [
        pytest.param("X1\tfoo", "unknown-line", 2, id="unknown kind"),
        pytest.param("T3 X 0 4 They", "unknown-line", 2, id="blanks for tabs"),
        pytest.param("T\tX 0 4\tThey", "unknown-line", 2, id="no number"),
        pytest.param("T3", "unknown-line", 2, id="nothing but an id"),
        pytest.param("T3\tX\tThey", "bad-span", 2, id="no offsets"),
        pytest.param("T3\tX 0\tThey", "bad-span", 2, id="half an offset"),
        pytest.param("T3\tX 0 4;5\tThey", "bad-span", 2, id="half a piece"),
        pytest.param("T3\tX -1 4\tThey", "bad-span", 2, id="negative"),
        pytest.param("T3\tX 0 9999999999\tThey", "bad-span", 2, id="many digits"),
        pytest.param("T3\tX 4 4\t", "bad-span", 2, id="empty"),
        pytest.param("T3\tX 4 0\tThey", "bad-span", 2, id="ends before it begins"),
        pytest.param("T3\tX 0 4;9 5\tThey made", "bad-span", 2, id="a piece that does"),
        pytest.param("T3\tX 50 99\tback", "outside-text", 2, id="behind the text"),
        pytest.param("T3\tX 0 4\tthey", "different-text", 3, id="another text"),
        pytest.param("T3\tX 5 9;0 4\tThey made", "different-text", 3, id="pieces in another order"),
        pytest.param("T1\tX 5 9\tmade", "repeated-id", 2, id="an id twice"),
        pytest.param("R1\tAfter Arg1:T1 Arg2:T9", "unknown-id", 2, id="relation to nothing"),
        pytest.param("R1\tAfter Arg1:T1", "bad-relation", 2, id="relation of one"),
        pytest.param("R1\tAfter T1 T2", "bad-relation", 2, id="relation without roles"),
        pytest.param("*\tEquiv T1", "bad-relation", 2, id="one alone"),
        pytest.param("*\tEquiv T1 T9", "unknown-id", 2, id="as nothing"),
        pytest.param("A1\tRealis", "bad-attribute", 2, id="attribute of nothing"),
        pytest.param("A1\tRealis T9 Actual", "unknown-id", 2, id="attribute of something unknown"),
        pytest.param(MORE + "E3\tX:T9", "unknown-id", 2, id="unknown trigger"),
        pytest.param(MORE + "E3\tX:E1", "unknown-id", 2, id="event as trigger"),
        pytest.param(MORE + "E3\tX", "bad-event", 2, id="no trigger"),
        pytest.param(MORE + "E3\tX:T1 Agent", "bad-event", 2, id="role without filler"),
        pytest.param(MORE + "E3\tX:T1 Agent:T9", "unknown-id", 3, id="role of nothing"),
        pytest.param(MORE + "A1\tRealis E3 Actual", "unknown-id", 2, id="attribute of no event"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(lines: str, code: str, left: int, run: Run) -> None:
    put("d.ann", GOOD + lines + "\n")
    line = len(GOOD.splitlines()) + len(lines.splitlines())
    exit_code, out, err = run("score", "d.ann", "d.ann")
    assert (exit_code, out) == (2, "")
    assert f"[{code}]\n  where     d.ann:{line}, " in err
    assert "  you can   " in err
    problems = Problems("skip")
    document = formats.read_source(formats.Source(Path("d.ann").read_bytes(), "d.ann"), None, problems)[1][0]
    assert [problem.code for problem in problems.found] == [code]
    assert len(document.mentions) == left
    exit_code, out, _ = run("validate", "d.ann", "--json")
    assert (exit_code, [(p["code"], p["line"]) for p in json.loads(out)["problems"]]) == (1, [(code, line)])


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (MORE + "T3\tX 5 9\tmade", "no-event"),
        ("T3\tX 0 4;2 9\tThey ey made", "bad-span"),
        (MORE + "R1\tCoreference Arg1:T1 Arg2:E2", "no-mention"),
        ("A1\tRealis T1 Actual\nA2\tRealis T1 Other", "repeated-attribute"),
    ],
)
def test_what_has_a_meaning_all_the_same_is_only_reported(lines: str, code: str) -> None:
    put("d.ann", GOOD + lines + "\n")
    problems = Problems()
    formats.read_source(formats.Source(Path("d.ann").read_bytes(), "d.ann"), "brat", problems)
    assert [(problem.code, problem.fatal) for problem in problems.found] == [(code, False)]


def test_a_span_cannot_fill_the_memory() -> None:
    problems = Problems("skip")
    assert parse("T1\tX 0 999999999\ta\n", problems).mentions == ()
    assert [problem.code for problem in problems.found] == ["bad-span"]


@pytest.mark.parametrize(("text", "code"), [(b"caf\xe9 au lait", "wrong-encoding"), (b"a\0b", "binary-file")])
def test_a_text_that_cannot_be_read_is_named(text: bytes, code: str) -> None:
    put("d.ann", "T1\tX 0 1\tc\n", None)
    Path("d.txt").write_bytes(text)
    with pytest.raises(Error) as error:
        scoref.read("d.ann")
    assert (error.value.code, error.value.path, error.value.line) == (code, "d.txt", 1)


# -- the command line -------------------------------------------------------------------------------------------------


def test_folders_with_texts_and_settings(run: Run) -> None:
    for side in ("key", "response"):
        put(f"{side}/a.ann", EVENTS)
        put(f"{side}/sub/a.ann", EVENTS.replace("Actual", "Other") if side == "key" else EVENTS)
        Path(side, "annotation.conf").write_text("[entities]\n")
    Path("response/sub/a.txt").unlink()
    code, out, err = run("score", "key", "response", "--format", "brat", "--json", "--by", "document")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["documents"] == 2
    assert result["scores"]["muc"]["f1"] == 1
    assert run("validate", "key", "response")[:2] == (0, "0 problems in 4 files\n")


def test_two_files_of_other_names_are_one_document(run: Run) -> None:
    put("gold.ann", EVENTS)
    put("system.ann", EVENTS)
    code, out, err = run("score", "gold.ann", "system.ann", "--metrics", "mentions,muc", "--json")
    assert (code, err) == (0, "")
    assert all(score["f1"] == 1 for score in json.loads(out)["scores"].values())


def test_a_folder_becomes_one_file_and_comes_back(run: Run) -> None:
    put("in/a.ann", EVENTS)
    put("in/b.ann", "")
    code, out, said = run("convert", "in", "all.tbf")
    assert (code, out) == (0, "")
    assert "other lines of brat files: 2 left out" in said  # a participant and a note
    assert Path("all.tbf").read_text().count("#BeginOfDocument") == 2
    assert "\tE1\t5,9;16,19\tway made\tMovement\tActual" in Path("all.tbf").read_text()
    assert run("convert", "all.tbf", "back", "--to", "brat") == (0, "", "")
    assert sorted(file.name for file in Path("back").iterdir()) == ["a.ann", "b.ann"]
    once, again = (formats.read(folder)[0] for folder in ("in", "back"))
    assert [m.span for m in once.mentions] == [m.span for m in again.mentions]
    assert [m.entity for m in once.mentions] == [m.entity for m in again.mentions]
    assert once.relations == again.relations
    assert run("score", "in", "back")[0] == 0
    put("in/sub/a.ann", EVENTS)
    assert run("convert", "in", "all.tbf", "--force")[0] == 0
    assert [document.id for document in scoref.read("all.tbf")] == ["a", "b", "sub/a"]


def test_a_folder_is_converted_with_its_texts(run: Run) -> None:
    put("in/a.ann", EVENTS)
    put("in/sub/b.ann", "")
    assert run("convert", "in", "out", "--to", "brat") == (0, "", "")
    assert sorted(file.as_posix() for file in Path("out").rglob("*.*")) == [
        "out/a.ann", "out/a.txt", "out/sub/b.ann", "out/sub/b.txt",
    ]  # fmt: skip
    assert scoref.read("in") == scoref.read("out")
    assert run("convert", "in/a.ann", "-", "--to", "brat")[1] == Path("out/a.ann").read_text()


def test_documents_become_files_of_their_names(run: Run) -> None:
    lines = [json.dumps({"doc_key": key, "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}) for key in ("x", "y/z")]
    Path("in.jsonl").write_text("\n".join(lines))
    assert run("convert", "in.jsonl", "out", "--to", "brat") == (0, "", "")
    assert sorted(formats.files("out")) == ["x.ann", "y/z.ann"]
    assert [document.id for document in scoref.read("out")] == ["x", "y/z"]
    Path("one.jsonl").write_text(lines[0])
    assert run("convert", "one.jsonl", "one", "--to", "brat") == (0, "", "")
    assert scoref.read("one/x.ann")[0].id == "x"
    Path("in.jsonl").write_text("\n".join([lines[1].replace("/", "*"), lines[1].replace("/", "?")]))
    code, _, said = run("convert", "in.jsonl", "numbered", "--to", "brat")
    assert (code, said) == (0, "note: 2 documents have another name, that of the file: y*z is 0000-y_z\n")
    assert {file.stem for file in Path("numbered").iterdir()} == {"0000-y_z", "0001-y_z"}


@pytest.mark.parametrize("format", ["brat", "webanno"])
def test_names_with_folders_survive(format: str, run: Run) -> None:
    tales = EXAMPLES / "tales"
    assert run("convert", tales / "rules.conll", "there", "--to", format) == (0, "", "")
    before, after = (
        json.loads(run("score", tales / "key.conll", response, "--protocol", "conll-2012", "--json")[1])
        for response in (tales / "rules.conll", "there")
    )
    assert (after["scores"], after["problems"]) == (before["scores"], [])
    documents = scoref.read(tales / "rules.conll")
    assert {each.id for each in scoref.read("there")} == {each.id for each in documents}
    assert scoref.score(scoref.read(tales / "key.conll"), "there")["muc"]._asdict() == before["scores"]["muc"]
    assert run("convert", "there", "back.conll")[0] == 0
    assert {each.id for each in scoref.read("back.conll")} == {each.id for each in documents}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("(a/b); part 003", "a/b_3"),  # which is paired with it
        ("../../up", "document/document/up"),
        ("/etc/passwd", "document/etc/passwd"),
        (".hidden/é: b.", "hidden/é_ b"),
        ("語" * 200, "語" * 66),
    ],
)
def test_names_that_no_file_can_have_are_changed_and_that_is_said(name: str, file: str, run: Run) -> None:
    record = {"doc_key": name, "tokens": ["a"], "clusters": [[[0, 0]]]}
    Path("in.jsonl").write_text(json.dumps(record))
    code, _, said = run("convert", "in.jsonl", "out", "--to", "brat")
    assert (code, said) == (0, f"note: 1 document has another name, that of the file: {name} is {file}\n")
    assert [*formats.files("out")] == [f"{file}.ann"]


def test_a_document_is_named_by_the_last_of_its_folders_if_nothing_else_is_common(run: Run) -> None:
    record = {"doc_key": "a", "tokens": ["They", "left"], "clusters": [[[0, 0], [1, 1]]]}
    Path("key.jsonl").write_text(json.dumps(record))
    put("in/deep/a.ann", "T1\tPerson 0 4\tThey\nT2\tPerson 5 9\tleft\n*\tEquiv T1 T2\n", "They left")
    put("in/b.ann", "")
    found = json.loads(run("score", "key.jsonl", "in", "--metrics", "mentions", "--on-problem", "skip", "--json")[1])
    assert found["scores"]["mentions"]["f1"] == 1
    assert [each["code"] for each in found["problems"]] == ["paired-without-folders", "extra-document"]
    Path("key.jsonl").write_text(json.dumps(record | {"doc_key": "other/a"}))
    assert "[no-common-document]" in run("score", "key.jsonl", "in")[2]


# -- real files -------------------------------------------------------------------------------------------------------


@beside
@pytest.mark.parametrize(("part", "mentions", "relations"), [("events", 970, 0), ("coref", 6878, 79)])
def test_litbank(part: str, mentions: int, relations: int, tmp_path: Path) -> None:
    documents = scoref.read(LITBANK / part)
    assert len(documents) == 12
    assert sum(len(document.mentions) for document in documents) == mentions
    assert sum(len(document.relations) for document in documents) == relations
    for document in documents:
        scoref.write([document], tmp_path / f"{document.id}.ann")
        files = [folder / f"{document.id}.ann" for folder in (LITBANK / part, tmp_path)]
        assert len({tuple(sorted(file.read_text().splitlines())) for file in files}) == 1
        assert (tmp_path / f"{document.id}.txt").read_bytes() == files[0].with_suffix(".txt").read_bytes()
    assert scoref.read(tmp_path) == documents
    if part == "events":
        assert scoref.score(LITBANK / part, tmp_path, metrics=["mentions"])["mentions"] == (1, 1, 1)


@pytest.mark.parametrize("document", [
    Document("d", ("\ufeff",), [Mention.at(0, 0, 1)]), Document("d", ("\ufeffAda", "ran"), [Mention.at(1, 1, 1)]),
    Document("d", (), [Mention.at(0, 3, 1)], columns={"text": ["\ufeffAda"]}),
])  # fmt: skip
def test_a_text_that_begins_like_a_mark_of_utf_8_is_not_written(document: Document, tmp_path: Path) -> None:
    """It was read as an empty text, or with a blank in its place."""
    with pytest.raises(Error, match=r"begins with U\+FEFF"):
        scoref.write(document, tmp_path / "d.ann")
