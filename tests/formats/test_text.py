from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref import Document, Error, Mention, formats
from scoref.document.document import position, stretch
from scoref.formats.marked.styles import STYLES
from scoref.problems import Problems


def read(text: str, policy: str = "raise", format: str | None = None, **options):
    problems = Problems(policy)
    source = formats.Source(text.encode(), "r.txt", **options)
    found, documents = formats.read_source(source, format, problems)
    assert found.name == "text"
    return documents, problems.found


def test_words_are_pieces_and_mentions_are_on_them():
    (document,), problems = read("[Ada](#1) phoned\n[the [old](#x) plumber](#2).")
    assert not problems
    assert document.words == ("Ada", "phoned", "the", "old", "plumber", ".")
    assert document.mentions == (Mention.at(0, 0, "1"), Mention.at(2, 4, "2"), Mention.at(3, 3, "x"))
    assert document.origin.lines == [1, 1, 2, 2, 2, 2]
    assert document.origin.marks == "markdown"


@pytest.mark.parametrize(
    "text",
    [
        "[Ada](#1) phoned [him](#2).",
        "[[Ada](#1) and Bob](#2) ran.",
        "[Ada: 1] phoned [him: 2].",
        "[Ada]_1 phoned [him]_{2}.",
        "{1 Ada} phoned {2 him}.",
        "<m> Ada | 1 </m> phoned <m> him | 2 </m>",
        "<m>Ada</m>#1 phoned <m>him</m>#2",
        '<e id="1">Ada</e> phoned <e id="2">him</e>',
        '<coref id="1">Ada</coref> phoned him',
        "Ada|[e1] phoned him|[e2]",
        "#begin document a\n[Ada](#1) phoned [him](#2).\n#end document\n",
        "#begin document a\nAda|[e1] phoned him|[e2]\n#end document\n",
        "#begin document a\n[Ada](#1) phoned [him](#2).\nHe [came](#3) -\n[She](#1) left.\n#end document\n",
    ],
)
def test_the_format_is_found(text):
    assert read(text)[0][0].mentions


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("#begin document (a); part 000\n[x](#1)\t(1)\ny\t-\n#end document\n", "conll"),
        ('{"doc_key": "a", "sentences": [["[x](#1)", "y"]], "clusters": []}', "jsonl"),
        ('[["[x](#1)", "y"]]', "clusters"),
        ('{"Chain1": ["Sarah", "She"]}', "clusters"),
        ('<COREF ID="1">Ada</COREF> phoned <COREF ID="2" REF="1">her</COREF>', "muc"),
    ],
)
def test_other_formats_come_first(text, name):
    source = formats.Source(text.encode(), "f")
    assert formats.detect(source).name == name


def test_links_in_descriptions_are_no_mentions(tmp_path):
    key, response = tmp_path / "key", tmp_path / "response"
    for folder in (key, response):
        scoref.write([TALE], folder / "tale.jsonl")
    (key / "README.md").write_text("[Usage](#usage), [licence](#licence)", encoding="utf-8")
    result = scoref.score(key, response)
    assert [problem.code for problem in result.problems] == ["passed-over"]
    assert len(scoref.read(key / "README.md", "text")[0].mentions) == 2


def test_text_without_marks_is_no_format():
    with pytest.raises(Error) as error:
        read("Ada phoned the plumber [sic].")
    assert error.value.code == "unknown-format"
    with pytest.raises(Error) as error:
        read("Ada phoned the plumber [sic].", format="text")
    assert error.value.code == "no-marks"


@pytest.mark.parametrize(
    "text",
    [
        "[Ada]1 phoned [him]2",
        "[Ada]\u2081 phoned [him]\u2082",
        "[5 men]1 phoned",
        "[Ada](1) phoned [him](2)",
        "[Ada][1] phoned",
        "[Ada]{1} phoned",
        "Ada<sub>1</sub> phoned",
        '<entity id="1">Ada</entity> phoned',
        "**Ada**[1] phoned",
    ],
)
def test_marks_of_no_style_are_answered_with_the_styles(text):
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.code == "unknown-format"
    assert all(style.example in error.value.problem.expected for style in STYLES.values())


@pytest.mark.parametrize("text", ["Ada\t(1)\n", '{"a": 1}', "<?xml version='1.0'?><a/>"])
def test_other_files_are_not_answered_with_styles(text):
    with pytest.raises(Error) as error:
        read(text)
    assert "markdown" not in str(error.value)


@pytest.mark.parametrize("text", ['["Ada", "She"]', "[1, 2]", '[["Ada"], ["She"', "[null, 1]"])
def test_lists_are_no_text(text):
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.code == "bad-clusters"


@pytest.mark.parametrize("format", ["text", None])
def test_text_without_marks_has_no_mentions_if_a_style_is_named(format):
    (document,), _ = read("Ada phoned him", format=format, marks="markdown")
    assert (len(document.words), document.mentions) == (3, ())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada\t(1)\nran\t-\n", "key.conll"),  # columns
        ("Ada (1)\nran -\nand -\nfell\n", "key.conll"),
        ('{"mentions": 3}', "r.json"),
        ("<?xml version='1.0'?><tale>Ada ran</tale>", "r.xml"),
        ("[Ada](#1) phoned him", "README.md"),
    ],
)
def test_a_style_makes_no_text_of_other_files(text, name):
    with pytest.raises(Error) as error:
        formats.detect(formats.Source(text.encode(), name, marks="markdown"))
    assert error.value.code == "unknown-format"


def test_a_style_does_not_change_the_format_of_other_files():
    source = formats.Source(b"#begin document (a); part 000\n[x](#1)\t(1)\n#end document\n", "f", marks="markdown")
    assert formats.detect(source).name == "conll"


def test_the_other_side_of_a_text_without_marks_keeps_its_format(tmp_path, run):
    scoref.write([TALE], tmp_path / "key.conll")
    key, response = str(tmp_path / "key.conll"), tmp_path / "response.txt"
    response.write_text("Ada phoned the old plumber. She ran.\n", encoding="utf-8")
    code, out, err = run("score", key, str(response), "--format", "text", "--key-format", "conll")
    assert (code, out) == (2, "")
    assert "--marks STYLE" in err
    options = ("--response-format", "text", "--response-marks", "markdown", "--json")
    code, out, _ = run("score", key, str(response), *options)
    result = json.loads(out)
    assert (code, result["counts"]["mentions"]) == (0, {"recall": [0, 4], "precision": [0, 0]})
    assert result["drift"]["share"] == 1


def test_two_styles_are_refused_unless_one_is_named():
    text = "Ada\nphoned [him](#2) and [her: 3]."
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.code == "ambiguous-marks"
    assert "markdown and colon" in str(error.value)
    assert error.value.line == 2
    (document,), _ = read(text, marks="markdown")
    assert [mention.entity for mention in document.mentions] == ["2"]
    with pytest.raises(Error) as error:
        read(text, marks="colour")
    assert error.value.code == "unknown-marks"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("[Ada](#1)\nphoned [him", "unclosed-mark", 2),
        ("[Ada](#1)\nphoned [him](#2 that\nshe left", "unclosed-mark", 2),
        ("[Ada](#1) phoned\nhim](#2)", "unopened-mark", 2),
        ("[Ada](#1)\n\n[ ](#2)", "empty-mark", 3),
        ("[Ada](#1)\n[him](#)", "unnamed-mark", 2),
        ("x\n#begin document a\n[Ada](#1)\n#end document", "outside-document", 1),
    ],
)
def test_what_is_wrong_is_located_and_can_be_skipped(text, code, line):
    with pytest.raises(Error) as error:
        read(text)
    assert (error.value.code, error.value.line, error.value.path) == (code, line, "r.txt")
    (document,), problems = read(text, "skip")
    assert [problem.code for problem in problems] == [code]
    assert [mention.entity for mention in document.mentions] == ["1"]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("[Ada](#1) met [him](#2).\n[They](#1,#2) ran", "1,#2"),
        ("[Ada](#1) met [him](#2).\n[They](#1, 4) ran", "1, 4"),
        ("[Ada]_1 met [him]_2.\n[They]_{1;2} ran", "1;2"),
        ("<m> Ada | a </m> met <m> him | b </m>.\n<m> They | a,b </m> ran", "a,b"),
        ("[Ada](#1) met [Bob](#Lee, Bob) ran", None),
    ],
)
def test_a_name_that_lists_entities_is_said_to_be_another_one(text, listed):
    (document,), problems = read(text)
    found = [(problem.code, problem.line, problem.text, problem.fatal) for problem in problems]
    assert found == ([("several-entities", 2, listed, False)] if listed else [])
    assert len(document.entities()) == len(document.mentions)


def test_documents():
    named, _ = read("#begin document a\n[Ada](#1)\n#end document\n#begin document b\n[She](#1)\n#end document\n")
    assert [(document.id, document.line) for document in named] == [("a", 2), ("b", 5)]
    lines, _ = read("Ada|[e1] ran\n\nShe|[e1] fell\n")
    assert [(document.id, document.words) for document in lines] == [("1", ("Ada", "ran")), ("2", ("She", "fell"))]


def test_zeros_of_crac_are_empty_nodes():
    (document,), _ = read("##|[e1] Dice ## ##ella|[e1] que|[e2 ## no|e2]")
    first, second, third = document.mentions
    assert (first.span, first.is_zero) == ((position(-1, 129),), True)
    assert (second.span, second.parents) == ((position(0, 2),), ((position(0), ""),))
    assert third.span == (position(1), position(1, 1), position(2))
    assert not third.is_zero


def test_a_mention_that_begins_with_a_zero_is_none():
    (document,), _ = read("Dice ##|[e1 ella|e1]")
    assert document.mentions[0].span == (position(0, 1), position(1))
    assert not document.mentions[0].is_zero


# -- writing ---------------------------------------------------------------------------------------------------------

TALE = Document(
    "tale",
    ("Ada", "phoned", "the", "old", "plumber", ".", "She", "ran", "."),
    (Mention.at(0, 0, "1"), Mention.at(2, 4, "2"), Mention.at(3, 3, "3"), Mention.at(6, 6, "1")),
    (0, 6),
)


def test_written_as_markdown():
    assert formats.dumps([TALE], "text") == (
        "#begin document tale\n[Ada](#1) phoned [the [old](#3) plumber](#2) .\n[She](#1) ran .\n#end document\n"
    )


def test_written_as_crac():
    zero = Mention((position(6, 1),), "1", head=position(6, 1), parents=((position(7), "nsubj"),))
    document = Document("tale", TALE.words, (*TALE.mentions, zero))
    text = formats.dumps([document, document], "text", "crac")
    assert text == 2 * "Ada|[1] phoned the|[2 old|[3] plumber|2] . She|[1] ran ##|[1] .\n"


@pytest.mark.parametrize(
    ("words", "mentions", "style", "code"),
    [
        (("a", "b", "c"), [Mention.at(0, 1, "1"), Mention.at(1, 2, "2")], "markdown", "unwritable-text"),
        (("a", "b"), [Mention.at(0, 0, "x)")], "markdown", "unwritable-text"),
        (("a b",), [Mention.at(0, 0, "1")], "markdown", "unwritable-text"),
        (("a", "[b"), [Mention.at(0, 0, "1")], "markdown", "unwritable-text"),
        (("a|b",), [Mention.at(0, 0, "1")], "crac", "unwritable-text"),
        (("a", "b"), [Mention.at(0, 0, "x,y")], "crac", "unwritable-text"),
        (("a", "b"), [Mention.at(0, 0, "1"), Mention.at(1, 1, 1)], "crac", "unwritable-text"),
        (("a", "b", "c"), [Mention((*stretch(0, 0), *stretch(2, 2)), "1")], "crac", "unwritable-mention"),
        (("a",), [Mention((position(0, 1),), "1")], "markdown", "unwritable-mention"),
        (("a",), [Mention((), "1", "x")], "crac", "unwritable-mention"),
    ],
)
def test_what_cannot_be_written_is_refused(words, mentions, style, code):
    with pytest.raises(Error) as error:
        formats.dumps([Document("d", words, tuple(mentions))], "text", style)
    assert error.value.code == code


def test_unknown_styles_are_refused(tmp_path):
    for format in ("text", "conll"):
        with pytest.raises(Error) as error:
            scoref.write([TALE], tmp_path / "x", format, style="curly")
        assert error.value.code == "unknown-style"


@st.composite
def marked(draw):
    words = draw(st.lists(st.sampled_from(("Ada", "she", "x-y", "'s", "ü", "1")), min_size=1, max_size=12))
    ends = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(words) - 1))
    spans = {tuple(sorted(each)) for each in draw(st.lists(ends, max_size=6))}
    entity = st.sampled_from(("e1", "e2", "7"))
    mentions = [Mention.at(first, last, draw(entity)) for first, last in spans]
    return Document("d", tuple(words), tuple(sorted(mentions, key=lambda each: (each.span[0], -len(each.span)))))


@given(marked(), st.sampled_from(formats.FORMATS["text"].styles))
def test_what_is_written_is_read(document, style):
    spans = [(mention.span[0], mention.span[-1], mention.entity) for mention in document.mentions]
    crossing = [(one, other) for a, b, one in spans for c, d, other in spans if a < c <= b < d]
    try:
        text = formats.dumps([document], "text", style)
    except Error:
        assume(not crossing)
        raise
    (again,), problems = read(text, format="text", marks=style)
    assert not problems
    assert again.words == document.words
    assert Counter(again.mentions) == Counter(document.mentions)


@pytest.mark.parametrize(
    "text", ["{", "[", "[[", "{}", '{"a": [1]}', '{"a": "b"}', "", " \n", "[x](#1", "|[e1]", "\x00"]
)
def test_bad_input_is_an_error(text):
    with pytest.raises(Error):
        read(text)


def test_lists_of_texts_are_clusters(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"Chain1": ["Sarah", "She"]}), encoding="utf-8")
    (document,) = scoref.read(path)
    assert [(mention.id, mention.entity) for mention in document.mentions] == [("Sarah", "Chain1"), ("She", "Chain1")]


@pytest.mark.parametrize("name", ["again.conll", "again.jsonl", "again.txt"])
def test_two_documents_of_one_name_are_not_written(tmp_path, name: str) -> None:
    """No reader would take such a file."""
    path = tmp_path / "text.txt"
    text = "#begin document a\n[Ada](#1) saw [her](#1) .\n#end document\n"
    path.write_text(text + text, encoding="utf-8")
    documents = scoref.read(path)
    with pytest.raises(scoref.Error) as error:
        scoref.write(documents, tmp_path / name)
    assert (error.value.code, error.value.problem.line) == ("repeated-document", documents[1].line)
    assert not (tmp_path / name).exists()
