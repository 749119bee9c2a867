"""What readers make of files, what writers make of documents, and how a format is found."""

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
from places import SHARED, beside
from scoref import formats
from scoref.document.clusters import clusters
from scoref.document.document import Document, Mention, stretch, word_of
from scoref.formats.fitting import fitted
from scoref.problems import Error, Problems


def read(text: str | bytes, format: str | None = None, *, skip: bool = False, **how: str) -> list[Document]:
    data = text.encode() if isinstance(text, str) else text
    return formats.read_source(formats.Source(data, "file", **how), format, Problems("skip" if skip else "raise"))[1]


def spans(document: Document) -> list[tuple[object, int, int]]:
    """Entity, first and last word of each mention."""
    return sorted((m.entity, word_of(m.span[0]), word_of(m.span[-1])) for m in document.mentions)


def conll(*rows: str, name: str = "(d); part 000") -> str:
    return "\n".join([f"#begin document {name}", *rows, "#end document", ""])


EMPTY = {
    "conll": (conll("x (1)", name="(a)") + conll(name="(b)"), 4),
    "corefud": (
        "# global.Entity = eid-etype-head-other\n# newdoc id = a\n1\tx" + "\t_" * 8 + "\n\n# newdoc id = b\n",
        5,
    ),
    "ua": ("# global.columns = ID FORM MISC IDENTITY\n# newdoc id = a\n1\tx\t_\t_\n\n# newdoc id = b\n", 5),
    "text": ("#begin document a\n[x](#1)\n#end document\n#begin document b\n\n#end document\n", 5),
}


@pytest.mark.parametrize("format", EMPTY)
def test_a_document_without_words_is_reported_where_it_is(format: str):
    text, line = EMPTY[format]
    problems = Problems()
    _, documents = formats.read_source(formats.Source(text.encode(), "file"), format, problems)
    assert [bool(each.words) for each in documents] == [True, False]
    assert [(each.code, each.line, each.fatal) for each in problems.found] == [("empty-document", line, False)]


def test_a_document_without_words_is_no_problem_where_formats_have_none():
    problems = Problems()
    formats.read_source(formats.Source(b'{"doc_key": "a", "clusters": []}', "file"), "jsonl", problems)
    assert not problems.found


# -- CoNLL ------------------------------------------------------------------------------------------------------------

ROWS = ["d\t0\t0\tAda\t(1)", "d\t0\t1\tsaw\t-", "d\t0\t2\tthe\t(2", "d\t0\t3\tcat\t2)", "", "d\t0\t0\tShe\t(1)"]
MENTIONS = [("1", 0, 0), ("1", 4, 4), ("2", 2, 3)]
WORDS = ["Ada", "saw", "the", "cat", "She"]
PLAIN = conll(*ROWS)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN, id="tabs"),
        pytest.param(PLAIN.replace("\t", " "), id="blanks"),
        pytest.param(PLAIN.replace("\t", "     "), id="several blanks"),
        pytest.param(PLAIN.replace("\t-", "\t_").replace("\t2)", "\t2)   "), id="blanks at the end"),
        pytest.param(PLAIN.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(PLAIN.replace("\n", "\r"), id="CR"),
        pytest.param(PLAIN.replace(")\n", ")\t\r\n"), id="tab and CR at the end"),
        pytest.param(PLAIN.replace("d\t0\t0\t", "").replace("d\t0\t", "").replace("1\ts", "s"), id="fewer columns"),
        pytest.param("\n\n" + PLAIN.replace("\n\n", "\n\n \n\t\n\n"), id="runs of blank lines"),
        pytest.param(PLAIN.rstrip("\n"), id="no newline at the end"),
        pytest.param(PLAIN.replace("#begin", "  # begin").replace("#end", "# end"), id="blanks in the header"),
        pytest.param(PLAIN.replace("document (", "document("), id="no blank in the header"),
        pytest.param(PLAIN.replace("d\t0\t3", "d\t0\t2"), id="wrong token numbers"),
        pytest.param(PLAIN.replace("\n\nd", "\n\x01\x1f\n\nd"), id="line of control characters"),
    ],
)
def test_layout_of_a_conll_file_does_not_matter(text: str) -> None:
    (document,) = read(text)
    assert spans(document) == MENTIONS
    assert list(document.words) == WORDS
    assert document.sentences == (0, 4)
    assert document.id == "(d); part 000"


def test_two_columns_and_one_column() -> None:
    (two,) = read(conll(*("\t".join(row.split("\t")[3:]) for row in ROWS)))
    (one,) = read(conll(*(row.split("\t")[-1] for row in ROWS)))
    assert (list(two.words), spans(two)) == (WORDS, MENTIONS)
    assert (list(one.words), spans(one)) == (["_"] * 5, MENTIONS)
    assert list(one.words[1:3]) == ["_", "_"]
    assert two.words[-1] == "She"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param(["(1|(2", "2)|1)"], [("1", 0, 1), ("2", 0, 1)], id="nested"),
        pytest.param(["(1(2", "2)1)"], [("1", 0, 1), ("2", 0, 1)], id="nested, without bars"),
        pytest.param(["(1)(2)"], [("1", 0, 0), ("2", 0, 0)], id="one token, without bars"),
        pytest.param(["(1", "(2", "1)", "2)"], [("1", 0, 2), ("2", 1, 3)], id="crossing entities"),
        pytest.param(["(1", "(1", "1)", "1)"], [("1", 0, 3), ("1", 1, 2)], id="an entity in itself"),
        pytest.param(["(1", "(1|1)|1)"], [("1", 0, 1), ("1", 1, 1)], id="an entity in itself, at its end"),
        pytest.param(["(1", "1)|(1|1)"], [("1", 0, 1), ("1", 1, 1)], id="an entity in itself, closed first"),
        pytest.param(["(1|(1)", "1)"], [("1", 0, 0), ("1", 0, 1)], id="an entity in itself, at its start"),
        pytest.param(["(1", "", "1)"], [("1", 0, 1)], id="over a sentence break"),
        pytest.param(["(1)", "(01)"], [("01", 1, 1), ("1", 0, 0)], id="names are text"),
        pytest.param(["(e-7:x)", "(é)"], [("e-7:x", 0, 0), ("é", 1, 1)], id="any name"),
        pytest.param(["(abstract-3)", "(-x)"], [("-x", 1, 1), ("abstract-3", 0, 0)], id="names with a hyphen"),
        pytest.param(["(8", "8", "8|(9)", "8)"], [("8", 0, 3), ("9", 2, 2)], id="names on inner tokens"),
        pytest.param(["*", "_", "-", "(1)"], [("1", 3, 3)], id="ways to say nothing"),
    ],
)
@pytest.mark.parametrize("row", ["{}", "word {}", "d 0 0 word {}"])
def test_brackets(cells: list[str], expected: list[tuple[object, int, int]], row: str) -> None:
    (document,) = read(conll(*(cell and row.format(cell) for cell in cells)))
    assert spans(document) == expected


@pytest.mark.parametrize("word", ["8)", "(8)", "(8", "#", "#1", "|", "-", "#end", "begin", '"', "(1|(2)"])
@pytest.mark.parametrize("row", ["{}\t{}", "{} {}", "d\t0\t0\t{}\t{}", "d 0 0 {} NN * - - - - * (ARG0* {}"])
def test_a_word_is_a_word_whatever_it_looks_like(word: str, row: str) -> None:
    (document,) = read(conll(row.format("a", "-"), row.format(word, "(1)"), row.format("b", "-")))
    assert (list(document.words), spans(document)) == (["a", word, "b"], [("1", 1, 1)])


def test_hash_words_at_the_start_of_lines() -> None:
    (document,) = read(conll("#first (1)", "#", "#b (1", "#c 1)", "word -"), skip=True)
    assert (list(document.words), spans(document)) == (["#first", "#b", "#c", "word"], [("1", 0, 0), ("1", 1, 2)])


def test_comment_lines_are_reported_and_count_for_nothing() -> None:
    text = conll("# one two", "Ada (1)", "# -- what now", "saw -", "# last comment here")
    with pytest.raises(Error) as error:
        read(text)
    assert (error.value.code, error.value.line) == ("comment-line", 2)
    (document,) = read(text, skip=True)
    assert (list(document.words), spans(document)) == (["Ada", "saw"], [("1", 0, 0)])
    assert list(document.origin.lines) == [3, 5]


def test_columns_with_any_number_of_predicate_arguments() -> None:
    base = "d 0 0 {} NN (S* run 01 1 Ada (PER) {} {}"
    (document,) = read(conll(base.format("a", "(V*)", "(1)"), "", base.format("b", "(A0*) (A1*", "-")))
    assert list(document.words) == ["a", "b"]
    assert document.columns["pos"] == ["NN", "NN"]
    assert document.columns["parse"][0] == "(S*"
    assert document.columns["speaker"] == ["Ada", "Ada"]
    assert document.columns["arguments"] == ["(V*)", "(A0*) (A1*"]
    assert read(formats.dumps([document], "conll")) == [document]


def test_several_documents_have_their_own_entities() -> None:
    first, second = read(conll("a (1)", name="x") + "\n" + conll("b (1", "c 1)", name="y"))
    assert (first.id, second.id) == ("x", "y")
    assert (spans(first), spans(second)) == ([("1", 0, 0)], [("1", 0, 1)])
    assert (first.line, list(first.origin.lines), second.line, list(second.origin.lines)) == (1, [2], 5, [6, 7])


def test_a_document_without_tokens() -> None:
    (document,) = read(conll(name="x"))
    assert (document.id, len(document.words), document.mentions) == ("x", 0, ())


def test_gzipped_files(tmp_path: Path) -> None:
    (tmp_path / "a.conll.gz").write_bytes(gzip.compress(PLAIN.encode()))
    (tmp_path / "b.conll").write_bytes(gzip.compress(PLAIN.encode()))  # the content says so, not the name
    assert scoref.read(tmp_path / "a.conll.gz") == scoref.read(tmp_path / "b.conll") == read(PLAIN)
    scoref.write(read(PLAIN), tmp_path / "new" / "c.conll.gz")
    assert (tmp_path / "new" / "c.conll.gz").read_bytes().startswith(b"\x1f\x8b")
    assert scoref.read(tmp_path / "new") == read(PLAIN)


# -- JSON lines -------------------------------------------------------------------------------------------------------


def line(**record: object) -> str:
    return json.dumps(record) + "\n"


CLUSTERS = [[[0, 0], [2, 3]], [[1, 1]]]
EXCLUSIVE = [[[0, 1], [2, 4]], [[1, 2]]]
JSON_MENTIONS = [(0, 0, 0), (0, 2, 3), (1, 1, 1)]


@pytest.mark.parametrize("name", ["doc_key", "id", "document_id"])
@pytest.mark.parametrize(
    "words", [{"sentences": [["a", "b"], [], ["c", "d"]]}, {"tokens": [*"abcd"]}, {"cased_words": [*"abcd"]}, {}]
)
def test_keys_of_names_and_words(name: str, words: dict[str, object]) -> None:
    (document,) = read(line(**{name: "x"}, **words, clusters=CLUSTERS))
    assert (document.id, spans(document)) == ("x", JSON_MENTIONS)
    assert list(document.words) == ([*"abcd"] if words else [])
    assert document.sentences == ((0, 2) if "sentences" in words else (0,) if words else ())


@pytest.mark.parametrize(
    ("record", "how"),
    [
        ({"clusters": CLUSTERS}, {}),
        ({"clusters": CLUSTERS}, {"side": "response"}),
        ({"clusters": [], "predicted_clusters": CLUSTERS}, {"side": "response"}),
        ({"clusters": CLUSTERS, "predicted_clusters": []}, {"side": "key"}),
        ({"span_clusters": EXCLUSIVE}, {}),
        ({"span_clusters": EXCLUSIVE}, {"side": "response"}),
        ({"clusters": EXCLUSIVE}, {"ends": "exclusive"}),
        ({"clusters": EXCLUSIVE, "ends": "exclusive"}, {}),
        ({"clusters": CLUSTERS, "ends": "inclusive"}, {"ends": "exclusive"}),
    ],
)
def test_keys_of_clusters_and_their_ends(record: dict[str, object], how: dict[str, str]) -> None:
    (document,) = read(line(doc_key="x", tokens=[*"abcd"], **record), **how)
    assert spans(document) == JSON_MENTIONS


def test_names_of_entities_are_kept() -> None:
    (document,) = read(line(id="x", clusters=CLUSTERS, entities=["Ada", 7], predicted_clusters=[]))
    assert [mention.entity for mention in document.mentions] == ["Ada", "Ada", 7]


def test_one_file_holds_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(line(doc_key="x", tokens=[*"abcd"], clusters=CLUSTERS, predicted_clusters=CLUSTERS[:1]))
    result = scoref.score(path, path, metrics=["mentions"])
    assert result["mentions"][:2] == (2 / 3, 1.0)


def test_subtokens_are_mapped_back_and_what_falls_together_is_reported(tmp_path: Path) -> None:
    pieces = ["[CLS]", "play", "##ing", "chess", "[SEP]"]
    record = {"doc_key": "x", "sentences": [pieces], "subtoken_map": [0, 0, 0, 1, 1]}
    (document,) = read(line(**record, clusters=[[[1, 2], [3, 3]]]))
    assert (list(document.words), spans(document)) == (["playing", "chess"], [(0, 0, 0), (0, 1, 1)])
    path = tmp_path / "x.jsonl"
    path.write_text(line(**record, clusters=[[[1, 2], [3, 3]]], predicted_clusters=[[[1, 1], [3, 3]], [[2, 2]]]))
    result = scoref.score(path, path)
    assert [(problem.code, problem.line, problem.text) for problem in result.problems] == [
        ("duplicate-mention", 1, "playing"),
        ("order-counts", 1, "playing"),
    ]
    assert result["mentions"] == (1, 1, 1)


def test_subtokens_of_words_that_the_file_has_whole() -> None:
    (document,) = read(line(id="x", tokens=["playing", "chess"], subtoken_map=[0, 0, 1], clusters=[[[0, 2]]]))
    assert (list(document.words), spans(document)) == (["playing", "chess"], [(0, 0, 1)])


def test_blank_lines_between_json_lines() -> None:
    assert len(read(line(id="x", clusters=[]) + "\n  \r\n" + line(id=7, clusters=[]))) == 2


@beside
def test_json_lines_and_conll_of_a_real_corpus_score_alike() -> None:
    json_file, conll_files = SHARED / "data" / "jsonlines" / "gum-xrenner.jsonlines", SHARED / "vectors" / "real-gum"
    files = [conll_files / "files" / f"gum.{side}.conll" for side in ("key", "response.xrenner")]
    ours = scoref.score(json_file, json_file, metrics=["all"])
    theirs = scoref.score(*files, metrics=["all"])
    assert ours.scores == theirs.scores
    assert len(ours.documents) == len(theirs.documents) == 40


# -- JSON clusters ----------------------------------------------------------------------------------------------------


def test_three_shapes_of_clusters() -> None:
    (named,) = read('{"type": "clusters", "clusters": {"x": ["a", "b"], "y": ["c"]}}')
    (graph,) = read('{"type": "graph", "mentions": ["a", "b", "c"], "links": [["b", "a"]]}')
    (bare,) = read('[["a", "b"], ["c"]]')
    assert named == clusters({"x": ["a", "b"], "y": ["c"]})
    assert graph == bare == clusters([["a", "b"], ["c"]])


def test_links_of_a_graph_are_transitive() -> None:
    (document,) = read('{"type": "graph", "mentions": [1, 2, 3, 4, 5], "links": [[1, 2], [4, 5], [2, 3], [3, 1]]}')
    assert [[mention.id for mention in entity] for entity in document.entities().values()] == [[1, 2, 3], [4, 5]]


def test_a_graph_may_have_no_links_and_a_file_no_entities() -> None:
    assert len(read('{"type": "graph", "mentions": [[0, 1], "x", 3]}')[0].entities()) == 3
    assert read("[]")[0].mentions == read('{"type": "clusters", "clusters": {}}')[0].mentions == ()


def test_mentions_of_clusters_are_whatever_json_writes() -> None:
    (document,) = read('[[[0, 1], "a", 7, [0, [1, 2]], null]]')
    assert [mention.id for mention in document.mentions] == [(0, 1), "a", 7, (0, (1, 2)), None]


# -- round trips ------------------------------------------------------------------------------------------------------

LETTERS = st.characters(min_codepoint=33, exclude_categories=["Cs"])
NAMES = st.one_of(
    st.from_regex(r"\([a-z/]{1,8}\); part \d{3}", fullmatch=True),
    st.text(LETTERS | st.just(" "), max_size=8).filter(lambda name: name == name.strip()),
)
COLUMNS = ("pos", "parse", "lemma", "frameset", "sense", "speaker", "ne")


def _crossing(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (start, end), (begin, stop) = sorted((one, other), key=lambda span: (span[0], -span[1]))
    return start < begin <= end < stop


@st.composite
def documents(draw: st.DrawFn, id: str, entities: st.SearchStrategy[object], grouped: bool) -> Document:
    """A document with nested and crossing mentions, in the order in which a file has them."""
    words = draw(st.lists(st.text(LETTERS, min_size=1, max_size=4), min_size=1, max_size=8))
    starts = draw(st.sets(st.integers(0, len(words) - 1)))
    places = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(words) - 1)).map(sorted).map(tuple)
    found: set[tuple[tuple[int, int], object]] = set()
    for span, entity in draw(st.lists(st.tuples(places, entities), max_size=12)):
        if not any(entity == other and _crossing(span, there) for there, other in found):
            found.add((span, entity))
    ordered = sorted(found, key=lambda each: (each[0][0], -each[0][1], str(each[1])))
    if grouped:
        ordered.sort(key=lambda each: str(each[1]))
    mentions = tuple(Mention(stretch(*span), entity) for span, entity in ordered)
    return Document(id, tuple(words), mentions, tuple(sorted({0, *starts})))


@st.composite
def corpora(draw: st.DrawFn, names: st.SearchStrategy[str], **how: object) -> list[Document]:
    return [draw(documents(name, **how)) for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))]  # type: ignore[arg-type]


CONLL_ENTITIES = st.text(LETTERS, min_size=1, max_size=2).filter(
    lambda name: (
        not set(name) & set("()|+*")
        and not any(letter.isspace() for letter in name)
        and not (name[0] == "-" and name[1:].isdecimal())
    )
)


@given(corpora(NAMES, entities=CONLL_ENTITIES | st.sampled_from("123"), grouped=False))
@settings(max_examples=150)
def test_conll_round_trip(corpus: list[Document]) -> None:
    assert read(formats.dumps(corpus, "conll"), "conll") == corpus


@given(documents("d", st.sampled_from("12"), grouped=False), st.data())
@settings(max_examples=50)
def test_conll_round_trip_with_all_columns(document: Document, data: st.DataObject) -> None:
    cells = st.lists(
        st.text(LETTERS, min_size=1, max_size=3), min_size=len(document.words), max_size=len(document.words)
    )
    columns = {name: data.draw(cells) for name in COLUMNS}
    arguments = [" ".join([cell] * (number % 3)) for number, cell in enumerate(data.draw(cells))]
    if any(arguments):
        columns["arguments"] = arguments
    whole = replace(document, columns=columns)
    assert read(formats.dumps([whole], "conll")) == [whole]


@given(
    corpora(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), entities=st.text(max_size=2), grouped=True)
)
@settings(max_examples=150)
def test_jsonl_round_trip(corpus: list[Document]) -> None:
    assert read(formats.dumps(corpus, "jsonl"), "jsonl") == corpus


@given(corpora(NAMES, entities=st.integers(-5, 5), grouped=True))
@settings(max_examples=50)
def test_jsonl_round_trip_of_numbered_entities(corpus: list[Document]) -> None:
    assert read(formats.dumps(corpus, "jsonl"), "jsonl") == corpus


NAMED = st.recursive(
    st.text(max_size=3) | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=2).map(tuple), max_leaves=3
)


@given(st.dictionaries(st.text(max_size=3), st.lists(NAMED, min_size=1, max_size=4), max_size=4))
@settings(max_examples=100)
def test_clusters_round_trip(entities: dict[str, list[object]]) -> None:
    for document in (clusters(entities), clusters(entities.values())):
        assert read(formats.dumps([document], "clusters")) == [document]


def _words(*words: str, spans: tuple[tuple[tuple[int, ...], object], ...] = (), id: str = "d") -> Document:
    return Document(id, words, tuple(Mention(span, entity) for span, entity in spans), (0,))


@pytest.mark.parametrize("format", ["conll", "jsonl", "clusters"])
@pytest.mark.parametrize(
    ("document", "code", "refusing"),
    [
        (_words("a b"), "unwritable-word", "conll"),
        (_words(""), "unwritable-word", "conll"),
        (_words("a\n"), "unwritable-word", "conll"),
        (_words("\0"), "unwritable-word", "conll"),
        (replace(_words("a"), columns={"pos": ["N N"]}), "unwritable-word", "conll"),
        (_words("a", id=" x"), "unwritable-name", "conll"),
        (_words("a", id="x\n#end document"), "unwritable-name", "conll"),
        (_words("a", "b", "c", spans=(((0, 512), "1"),)), "unwritable-mention", "conll clusters"),
        (_words("a", "b", spans=((stretch(0, 2), "1"),)), "unwritable-mention", "conll jsonl"),
        (_words("a", spans=(((), "1"),)), "unwritable-mention", "conll jsonl"),
        (clusters([[frozenset("ab")]]), "unwritable-mention", "conll jsonl clusters"),
        (_words("a", "b", "c", spans=((stretch(0, 1), "1"), (stretch(1, 2), "1"))), "crossing-mentions", "conll"),
        (_words("a", spans=((stretch(0, 0), "(1"),)), "unwritable-entity", "conll"),
        (_words("a", spans=((stretch(0, 0), "a b"),)), "unwritable-entity", "conll"),
        (_words("a", spans=((stretch(0, 0), "-1"),)), "unwritable-entity", "conll"),
        (_words("a", spans=((stretch(0, 0), (1, 2)),)), "unwritable-entity", "conll jsonl"),
        (_words("a", spans=((stretch(0, 0), 1), (stretch(0, 0), "1"))), "unwritable-entity", "conll clusters"),
        (_words("\ud800", spans=((stretch(0, 0), "\ud800"),)), "unwritable-text", "conll jsonl clusters"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(document: Document, code: str, refusing: str, format: str) -> None:
    if format in refusing.split():
        with pytest.raises(Error) as error:
            formats.dumps([document], format)
        assert error.value.code == code
    else:
        assert read(formats.dumps([document], format), format)


def test_a_clusters_file_holds_one_document() -> None:
    with pytest.raises(Error) as error:
        formats.dumps([_words("a"), _words("b")], "clusters")
    assert error.value.code == "too-many-documents"


def test_writing_without_words_and_sentences() -> None:
    document = Document("d", mentions=(Mention(stretch(1, 2), "1"),))
    assert spans(read(formats.dumps([document], "conll"))[0]) == [("1", 1, 2)]
    assert read(formats.dumps([document], "jsonl")) == [document]


# -- detection --------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "conll": PLAIN,
    "jsonl": line(doc_key="x", clusters=CLUSTERS),
    "clusters": '{\n  "type": "clusters",\n  "clusters": {"x": ["a"]}\n}',
}


@pytest.mark.parametrize(
    ("format", "text"),
    [
        *EXAMPLES.items(),
        ("conll", "\n\n" + PLAIN),
        ("conll", PLAIN.replace("\n", "\r")),
        ("clusters", ' [["a"]]'),
        ("clusters", '{"type":"graph","mentions":[]}'),
        ("jsonl", '{"doc_key": "x", "clusters": [[[0, 1'),
        ("jsonl", line(id="x", tokens=['{"type": "clusters"}', "#begin document"], clusters=[])),
    ],
)
def test_the_format_is_found_from_the_content(format: str, text: str) -> None:
    source = formats.checked(formats.Source(text.encode(), "file"), Problems())
    assert formats.detect(source).name == format


@pytest.mark.parametrize("text", ["hello", "a\t-\n", '{"a": 1}', "<xml/>", "1,2,3\n4,5,6\n", '"text"', "{"])
def test_what_looks_like_no_format_is_an_error_that_names_them(text: str) -> None:
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.code == "unknown-format"
    assert all(name in str(error.value) for name in formats.FORMATS)


def test_what_looks_like_two_formats_is_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    greedy = formats.FORMATS["clusters"]._replace(sniff=lambda data: True)
    monkeypatch.setitem(formats.FORMATS, "clusters", greedy)
    with pytest.raises(Error) as error:
        read(PLAIN)
    assert error.value.code == "ambiguous-format"
    assert "clusters and conll" in str(error.value)
    assert read(PLAIN, "conll")


def test_the_ending_of_a_file_names_the_format_to_write(tmp_path: Path) -> None:
    for name, format in (("a.conll", "conll"), ("b.jsonl", "jsonl"), ("c.json", "clusters"), ("d.conll.gz", "conll")):
        assert formats.by_suffix(name).name == format
    with pytest.raises(Error) as error:
        scoref.write(read(PLAIN), tmp_path / "a.doc")
    assert error.value.code == "unknown-format"


@pytest.mark.parametrize(
    "call",
    [
        lambda: formats.named("word"),
        lambda: formats.How().source("x", "left", b""),
        lambda: formats.How(ends="loose").source("x", "key", b""),
        lambda: scoref.read("a\0b"),
        lambda: Problems("ignore"),
        lambda: formats.save("x", Path(__file__, "x")),
    ],
)
def test_wrong_arguments_are_errors_of_scoref(call: Callable[[], object]) -> None:
    with pytest.raises(Error):
        call()


# -- texts whose characters are counted, in formats of words -----------------------------------------------------------

OF_WORDS = [name for name, format in formats.FORMATS.items() if format.of_words and "read-only" not in format.traits]
SIGNS = [".", "'", "-", "€", "“", "%"]
NAMES = ["Ada", "saw", "2_b", "हिन्दी", "e\u0301t", "Zürich"]


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A text, and where its words are: by construction."""
    words = draw(st.lists(st.sampled_from(SIGNS + NAMES), min_size=1, max_size=12))
    text, places = "", []
    for number, word in enumerate(words):
        glued = number and (word in SIGNS or words[number - 1] in SIGNS)
        text += draw(st.sampled_from([" ", "\n", " \xa0 "] + ["", ""] * bool(glued)))
        places.append((len(text), len(text) + len(word)))
        text += word
    return text, places


def of_text(text: str, spans: list[tuple[int, int]], entities: list[int]) -> Document:
    mentions = [Mention(stretch(a, b - 1), str(e), attributes=(("text", text[a:b]),))
                for (a, b), e in zip(spans, entities, strict=False)]  # fmt: skip
    return Document("d", mentions=tuple(mentions), columns={"text": [text]})


@pytest.mark.parametrize("format", [name for name in OF_WORDS if name != "text"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_text_becomes_its_words_and_scores_are_kept(format: str, data: st.DataObject) -> None:
    text, places = data.draw(texts())
    sides = []
    for _ in range(2):  # mentions that are apart, so that no format refuses them
        edges = sorted(data.draw(st.sets(st.integers(0, len(places)), max_size=8)))
        chosen = [*zip(edges[::2], edges[1::2], strict=False)]
        entities = data.draw(st.lists(st.integers(1, 3), min_size=len(chosen), max_size=len(chosen)))
        document = of_text(text, [(places[first][0], places[after - 1][1]) for first, after in chosen], entities)
        (back,) = read(formats.dumps([document], format), format)
        assert list(back.words) == [text[begin:end] for begin, end in places]
        ends = [(word_of(mention.span[0]), word_of(mention.span[-1]) + 1) for mention in back.mentions]
        assert sorted(ends) == chosen
        sides.append((document, replace(back, id="d")))
    before, after = (scoref.score([key], [response]) for key, response in zip(*sides, strict=True))
    assert before.scores == after.scores


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_word_is_cut_where_a_mention_begins_or_ends_and_that_is_said(data: st.DataObject) -> None:
    text, _ = data.draw(texts())
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin + 1, len(text)))
    document = of_text(text, [(begin, end)], [1])
    if not text[begin:end].strip():
        with pytest.raises(Error, match="without a word"):
            fitted([document], "conll")
        return
    (new,), notes = fitted([document], "conll")
    assert "".join(new.text_of(new.mentions[0]).split()) == "".join(text[begin:end].split())
    inside = [
        edge for edge in (begin, end)
        if 0 < edge < len(text) and not any(letter.isspace() or letter in SIGNS for letter in text[edge - 1 : edge + 1])
    ]  # fmt: skip
    assert any(" cut, where a mention" in note for note in notes) == bool(inside)
    assert "cut into words" in notes[0]
    assert any("blanks at the ends" in note for note in notes) == (text[begin:end] != text[begin:end].strip())


def test_a_gap_of_nothing_but_blanks_is_said() -> None:
    for text, said in (("left  ab", True), ("left x ab", False)):
        mention = Mention((*stretch(0, 3), *stretch(len(text) - 2, len(text) - 1)), "1")
        notes = fitted([Document("d", mentions=(mention,), columns={"text": [text]})], "ua")[1]
        assert any("in the place of a gap" in note for note in notes) == said


def test_a_line_is_a_sentence_unless_a_mention_goes_on() -> None:
    document = of_text("Ada saw\nher\n\ncat.\nShe\n", [(0, 3), (8, 16)], [1, 2])
    (back,) = read(formats.dumps([document], "corefud"), "corefud")
    assert (list(back.words), back.sentences) == (["Ada", "saw", "her", "cat", ".", "She"], (0, 2, 5))


def test_minimum_spans_of_a_text_are_those_of_words() -> None:
    (muc,) = read('<DOC><DOCNO>d</DOCNO><COREF ID="1" MIN="cat">the old cat</COREF> ran</DOC>', "muc")
    (back,) = read(formats.dumps([muc], "ua"), "ua")
    assert (back.mentions[0].span, back.mentions[0].minimum) == (stretch(0, 2), stretch(2, 2))


@pytest.mark.parametrize("format", OF_WORDS)
def test_characters_of_an_unknown_text_are_no_words(format: str) -> None:
    (document,) = read("#1\tAnnotatorNotes T1\ta note\nT1\tPerson 4 7\tAda\n", "brat")
    with pytest.raises(Error) as error:
        formats.dumps([document], format)
    assert (error.value.code, error.value.problem.line) == ("no-words", 2)
    assert "characters" in str(error.value)


@pytest.mark.parametrize("format", ["clusters", "table"])
def test_names_made_of_characters_are_said(format: str) -> None:
    (note,) = fitted([of_text("Ada saw her", [(0, 3)], [1])], format)[1]
    assert "positions are characters" in note
    assert not fitted(read(PLAIN), format)[1]
