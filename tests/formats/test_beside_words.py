"""What documents hold beside their words (comments, nodes, cells, names) is written as that, and as nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import formats
from scoref.document.document import Document, Mention, position
from scoref.problems import Error, Problems

Run = Callable[..., tuple[int, str, str]]

ROW = "\t_" * 8
HOSTILE = (
    "",
    " ",
    "x",
    "# x",
    "a\nb",
    "# x\r# newdoc id = z",
    "# newdoc id = z",
    "# newdoc",
    "# newdoc x",
    "# newdoc  ",
    "# global.Entity = ",
    "# global.Entity = foo",
    "# global.Entity = etype-GRP",
    "# global.Entity = eid\n# newdoc id = z",
    "# global.columns = ID FORM",
    "# global.columns = ID FORM IDENTITY",
    "#begin document (z); part 000",
    "#end document",
    f"# x\n1\tq{ROW}",
    "1-2\tab",
    f"7-9\tab{ROW}",
    f"0.1\tq{ROW}",
    "1.1\tq",
    "1.1\tq" + "\t_" * 7 + "\tEntity=(e9)",
    f"5.1\tq{ROW}",
    f"1.200\tq{ROW}",
    f"1.99999999\tq{ROW}",
    "Entity=(e1)|SplitAnte=e1<e2",
    "a\tb",
    "a\x85b\u2028c",
)
MENTIONS = (Mention.at(0, 0, "1"), Mention.at(3, 3, "1"), Mention.at(1, 1, "2"), Mention.at(2, 2, "2"))
LINES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(HOSTILE)), max_size=4)


def again(document: Document, format: str) -> Document:
    """The document as it is read where it was written; the format has to be found."""
    source = formats.Source(formats.dumps([document], format).encode(), "file")
    found, (made,) = formats.read_source(source, None, Problems())
    assert found.name == format
    return made


def unless(code: str, document: Document, format: str) -> Document | None:
    """The document as it is read where it was written, unless it was refused with this code."""
    try:
        return again(document, format)
    except Error as error:
        if error.code != code:
            raise
        return None


def marks(document: Document) -> list[tuple[object, ...]]:
    return sorted((mention.span[0], mention.span[-1], mention.entity) for mention in document.mentions)


@pytest.mark.parametrize("format", ["corefud", "ua"])
@given(comments=LINES, sentences=st.sampled_from([(0,), (0, 2), (0, 1, 2, 3, 4)]))
def test_comments_stay_comments(format: str, comments: list[tuple[int, str]], sentences: tuple[int, ...]) -> None:
    document = Document("d", tuple("abcde"), MENTIONS, sentences, comments=tuple(sorted(comments)))
    made = again(document, format)
    assert (made.id, tuple(made.words), made.sentences, marks(made)) == (
        "d",
        tuple("abcde"),
        sentences,
        marks(document),
    )
    assert again(made, format).comments == made.comments  # all of them, whatever they are now


@pytest.mark.parametrize("format", ["corefud", "ua", "conll"])
@pytest.mark.parametrize("name", ["LEMMA", "HEAD", "DEPS", "MISC"])
@pytest.mark.parametrize("cell", HOSTILE)
def test_cells_stay_cells(cell: str, name: str, format: str) -> None:
    document = Document("d", tuple("abcde"), MENTIONS, (0, 2), {name: [cell, "_", cell, "_", cell]})
    made = unless("unwritable-word", document, format)
    assert made is None or (tuple(made.words), marks(made)) == (tuple("abcde"), marks(document))


@pytest.mark.parametrize("format", ["corefud", "ua", "conll", "muc", "text"])
@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_names(name: str, format: str) -> None:
    document = Document(name, tuple("abcde"), MENTIONS, (0, 2))
    made = unless("unwritable-name", document, format)
    assert made is None or made.id == name or not name  # a document may have to get a name


@pytest.mark.parametrize("key", ["topic", "subtopic"])
@pytest.mark.parametrize("target", ["out.conllu", "out.conllua"])
def test_a_topic_is_no_document(
    key: str, target: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]], key: "x\n# newdoc id = z"}
    Path("key.jsonl").write_text(json.dumps(record) + "\n")
    assert run("convert", "key.jsonl", target)[0] == 0
    assert [document.id for document in scoref.read(target)] == ["d"]
    assert scoref.score("key.jsonl", target)["mentions"].f1 == 1


def test_an_empty_node_has_the_number_that_its_sentence_gives_it() -> None:
    node = f"3.1\tq{ROW}"
    document = Document("d", tuple("abcd"), (Mention((position(2, 1),), "a"),), (0, 2), comments=((3, node),))
    text = formats.dumps([document], "corefud")
    assert "\n1.1\tq\t" in text  # the third word of the text is the first of its sentence now
    assert again(document, "corefud").mentions[0].span == (position(2, 1),)


@pytest.mark.parametrize("parent", [position(0), position(3), position(9), position(2, 7), position(1, 128)])
def test_parents_in_other_sentences_are_not_written(parent: int) -> None:
    zero = Mention((position(2, 1),), "a", parents=((parent, "a|b\tc"),), head=position(2, 1))
    made = again(Document("d", tuple("abcd"), (zero,), (0, 2)), "corefud")
    kept = parent in (position(3), position(1, 128))  # a word of the sentence, and its root
    assert [place for place, _ in made.mentions[0].parents] == [parent] * kept


ZERO = "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n{}\t_\t(EntityID=1|MarkableID=1)\n1\ta\t{}\n2\tb\t{}\n\n"
BESIDE = ("(EntityID=1|MarkableID=2)", "_")


@pytest.mark.parametrize("number", ["0.1", "0.7", "0.129"])
@pytest.mark.parametrize("target", ["out.conllu", "out.jsonl", "out.conllua"])
def test_a_zero_before_the_first_word_is_kept(
    number: str, target: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conllua").write_text(ZERO.format(number, *BESIDE))
    assert run("convert", "key.conllua", target)[0] == 0
    result = scoref.score("key.conllua", target)
    assert (result["mentions"], result["b3"].f1) == ((1, 1, 1), 1)


def test_a_zero_before_the_first_word_is_the_same_in_both_formats(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllua", tmp_path / "response.conllu"
    key.write_text(ZERO.format("0.1", *BESIDE))
    nodes = [f"0.1\t_{ROW[:-2]}\tEntity=(1)", f"1\ta{ROW[:-2]}\tEntity=(1)", f"2\tb{ROW}"]
    response.write_text("\n".join(["# newdoc id = d", "# global.Entity = eid", *nodes, "", ""]))
    assert scoref.score(key, response)["mentions"].f1 == 1


def test_a_zero_that_corefud_cannot_have_is_refused_not_lost() -> None:
    zero = Mention((position(1, 128),), "1")  # the 128th behind the last word of the text
    with pytest.raises(Error) as error:
        formats.dumps([Document("d", ("a", "b"), (zero,), (0,))], "corefud")
    assert error.value.code == "unwritable-mention"


NUGGETS = tuple(Mention.at(place, place, entity, id=f"m{place}") for place, entity in enumerate("1122"))


@pytest.mark.parametrize("ends", [("m0", "m2"), ("m0", "m1", "m2", "m3"), ("m0", "m1")])
def test_entities_decide_over_lines_of_coreference(ends: tuple[str, ...]) -> None:
    said = (("Coreference", "R1", ends), ("After", "R2", ("m0", "m2")))
    made = again(Document("d", tuple("abcd"), NUGGETS, (0,), relations=said), "tbf")
    assert sorted((each.id, made.mentions[0].entity == each.entity) for each in made.mentions) == [
        ("m0", True), ("m1", True), ("m2", False), ("m3", False),
    ]  # fmt: skip
    assert ("After", "R2", ("m0", "m2")) in made.relations


@pytest.mark.parametrize("format", ["tbf", "brat"])
@pytest.mark.parametrize("ends", [("m0", "0"), ("m0", "x y"), ("m9",)])
def test_relations_to_what_is_no_mention_are_refused(ends: tuple[str, ...], format: str) -> None:
    with pytest.raises(Error) as error:
        formats.dumps([Document("d", (), NUGGETS, relations=(("After", "R", ends),))], format)
    assert error.value.code == "unwritable-relation"


@pytest.mark.parametrize("name", ["", " ", "\n", "a b"])
def test_names_in_brat_are_never_empty(name: str) -> None:
    mentions = tuple(each._replace(attributes=((name, "v"),)) for each in NUGGETS)
    made = again(Document("d", (), mentions, relations=((name, "R", ("m0", "m2")),)), "brat")
    assert [name for name, _, _ in made.relations] == [name.strip().replace(" ", "_") or "_"]


def test_pieces_far_away_are_not_looked_at_one_by_one() -> None:
    mention = NUGGETS[0]._replace(attributes=(("pieces", "0 1;5 999999999"),))
    assert again(Document("d", (), (mention,)), "brat").mentions[0].span == mention.span


def test_blanks_alone_are_no_mention_of_brat() -> None:
    with pytest.raises(Error, match="unwritable-mention"):
        formats.dumps([Document("d", ("a", " "), (Mention.at(1, 1, "1"),), (0,))], "brat")


def test_mentions_without_ids_get_free_ones_in_tbf() -> None:
    mentions = (Mention.at(0, 0, "1", id="E2"), Mention.at(1, 1, "2"), Mention.at(2, 2, "3"))
    assert [each.id for each in again(Document("d", tuple("abc"), mentions, (0,)), "tbf").mentions] == [
        "E2",
        "E1",
        "E3",
    ]
    with pytest.raises(Error, match="unwritable-mention"):
        formats.dumps([Document("d", tuple("abc"), (mentions[0], mentions[1]._replace(id="E2")), (0,))], "tbf")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_table_is_a_table_whatever_its_documents_are_called(name: str) -> None:
    made = unless("unwritable-name", Document(name, mentions=(Mention((), "1", "a"), Mention((), "1", "b"))), "table")
    assert made is None or (made.id, len(made.mentions)) == (name, 2)


@pytest.mark.parametrize(
    "mentions",
    [
        (Mention((), "1", ("a",)), Mention((), "2", "a")),
        (Mention((), "1", ("a", "b")), Mention((), "2", "a-b")),
        (Mention((), "1", "a"), Mention((), 1, "b")),
        (Mention((), "1", "0-0"), Mention.at(0, 0, "1")),
    ],
)
def test_names_that_a_table_cannot_tell_apart_are_refused(mentions: tuple[Mention, ...]) -> None:
    with pytest.raises(Error, match="unwritable-name"):
        formats.dumps([Document("d", mentions=mentions)], "table")


def test_notes_have_bounded_length(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.jsonl").write_text(
        json.dumps({"doc_key": 4000 * "9", "sentences": [["a"]], "clusters": [[[0, 0]]]}) + "\n"
    )
    code, _, err = run("convert", "key.jsonl", "new", "--to", "brat")
    assert (code, "another name" in err) == (0, True)
    assert max(map(len, err.split("\n"))) < 1600


def test_a_response_that_found_nothing_is_muc_all_the_same(tmp_path: Path) -> None:
    key, response = tmp_path / "key.sgm", tmp_path / "response.sgm"
    text = (
        '<DOC><DOCNO>d</DOCNO><TXT><COREF ID="1">Ada</COREF> washed <COREF ID="2" REF="1">herself</COREF></TXT></DOC>\n'
    )
    key.write_text(text)
    response.write_text("<DOC><DOCNO>d</DOCNO><TXT>Ada washed herself</TXT></DOC>\n")
    assert scoref.score(key, response)["mentions"] == (0, 0, 0)


def test_words_that_sgml_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(Error) as error:
        formats.dumps([Document("d", ("a", ""), (Mention.at(1, 1, "1"),), (0,))], "muc")
    assert error.value.code == "unwritable-word"


@pytest.mark.parametrize("piece", ["<a", "<a '", '<a "', "<DOC ", "<COREF ID='", "a"])
def test_tags_without_end_are_looked_at_once(piece: str) -> None:
    """What is before such a tag is read; long before the end of this test, quadratic time would be noticed."""
    text = f'<DOC><TXT><COREF ID="1">x</COREF><COREF {piece * (200_000 // len(piece))}'
    for end in ("", ">"):
        source = formats.Source((text + end).encode(), "file")
        (document,) = formats.read_source(source, "muc", Problems("skip"))[1]
        assert [mention.id for mention in document.mentions] == ["1"]
