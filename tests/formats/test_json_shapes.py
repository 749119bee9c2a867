"""The shapes of JSON that models and corpora have, and results of models as Python objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import formats
from scoref.document.document import Document, position, stretch, word_of
from scoref.formats.jsonl.shapes import ZERO
from scoref.problems import Error, Problems

Run = Callable[..., tuple[int, str, str]]

WORDS = ["Ada", "saw", "the", "cat", ".", "She", "ran", "."]
TEXT = "Ada saw the cat. She ran."
SENTENCES = [WORDS[:5], [], WORDS[5:]]
EXPECTED = [(0, 0, 0), (0, 5, 5), (1, 2, 3)]
INCLUSIVE, EXCLUSIVE = [[[0, 0], [5, 5]], [[2, 3]]], [[[0, 1], [5, 6]], [[2, 4]]]


def read(text: str, **how: str) -> list[Document]:
    return formats.read_source(formats.Source(text.encode(), "file", **how), None, Problems())[1]


def spans(document: Document) -> list[tuple[object, int, int]]:
    return sorted((m.entity, word_of(m.span[0]), word_of(m.span[-1])) for m in document.mentions)


SHAPES: dict[str, dict[str, Any]] = {
    "e2e": {"doc_key": "d", "sentences": SENTENCES, "clusters": INCLUSIVE},
    "text2text-coref": {"doc_id": "d", "tokens": WORDS, "clusters_token_offsets": INCLUSIVE},
    "wl-coref": {"document_id": "d", "cased_words": WORDS, "span_clusters": EXCLUSIVE, "word_clusters": [[0, 5], [3]]},
    "heads and their spans": {
        "document_id": "d", "cased_words": WORDS, "word_clusters": [[0, 5], [3]], "head2span": [[3, 2, 4]],
    },
    "coref-data": {
        "id": "d", "text": TEXT, "coref_chains": [[[0, 0, 0], [2, 0, 0]], [[0, 2, 3]]],
        "sentences": [{"id": n, "tokens": [{"text": word} for word in each]} for n, each in enumerate(SENTENCES)],
    },
    "PreCo": {"id": "d", "sentences": SENTENCES, "mention_clusters": [[[0, 0, 1], [2, 0, 1]], [[0, 2, 4]]]},
}  # fmt: skip


@pytest.mark.parametrize("record", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    "written",
    [
        pytest.param(lambda record: json.dumps(record), id="a line"),
        pytest.param(lambda record: json.dumps(record, indent=1), id="an object over several lines"),
        pytest.param(lambda record: json.dumps([record]), id="an array in a line"),
        pytest.param(lambda record: json.dumps([record], indent=2), id="an array over several lines"),
    ],
)
def test_a_shape_in_any_writing(record: dict[str, Any], written: Callable[[Any], str]) -> None:
    (document,) = read(written(record))
    assert (document.id, list(document.words), spans(document)) == ("d", WORDS, EXPECTED)


ANSWERS: list[tuple[dict[str, Any], str]] = [
    ({"text": TEXT, "clusters": [[[0, 3], [17, 20]], [[8, 15]]]}, "jsonl"),
    ({"cased_words": WORDS, "clusters": INCLUSIVE}, "jsonl"),
    ({"clusters": INCLUSIVE}, "jsonl"),
    ({"clusters": INCLUSIVE, "remark": "two entities"}, "jsonl"),
    ({"clusters": []}, "jsonl"),
    ({"clusters": [["Ada", "She"], ["the cat"]]}, "clusters"),
    ({"clusters": {"Ada": ["Ada", "She"], "cat": ["the cat"]}}, "clusters"),
    ({"remark": {"entities": 2}, "clusters": [[], ["Ada", "She"], ["the cat"]]}, "clusters"),
    ({"Ada": ["Ada", "She"], "cat": ["the cat"]}, "clusters"),
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(("record", "format"), ANSWERS)
def test_the_only_document_needs_no_name(
    record: dict[str, Any], format: str, indent: int | None, run: Run, tmp_path: Path
) -> None:
    text = json.dumps(record, indent=indent)
    assert formats.detect(formats.Source(text.encode(), "file")).name == format
    scoref.write([Document("d", WORDS, (scoref.Mention.at(0, 0, 0), scoref.Mention.at(5, 5, 0),
                                        scoref.Mention.at(2, 3, 1)))], tmp_path / "key.conll")  # fmt: skip
    (tmp_path / "response.json").write_text(text)
    code, out, err = run("score", str(tmp_path / "key.conll"), str(tmp_path / "response.json"), "--json")
    assert (code, err) == (0, "")
    counts = json.loads(out)["counts"]
    assert (counts["mentions"]["recall"][0], counts["muc"]["recall"][0]) == ((3, 1) if any(record.values()) else (0, 0))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"clusters": [["Ada"], [[0, 0]]]}', "bad-mention"),  # texts or places?
        ('{"clusters": [[0, 3], [17, 20]]}', "bad-mention"),
        ('{"clusters": ["Ada", "She"]}', "bad-clusters"),
        ('{"clusters": [{"id": 1, "mentions": ["Ada"]}]}', "bad-clusters"),
        ('{"text": "Ada ran.", "clusters": [["Ada"]]}', "bad-mention"),
        ('{"clusters": [[[0, 0]]]}\n{"doc_key": "d", "clusters": [[[0, 0]]]}', "unnamed-document"),
        ('{"doc_key": "d", "clusters": [[[0, 0]]]}\n{"clusters": [[[0, 0]]]}', "unnamed-document"),
        ('{"clusters": [["Ada"]]}\n{"clusters": [["Ada"]]}', "bad-mention"),
        ('{"type": "answer", "clusters": [["Ada"]]}', "unknown-format"),
    ],
)
def test_what_clusters_do_not_say_is_not_guessed(text: str, code: str) -> None:
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.code == code


def test_heads_without_spans_are_mentions_of_a_word() -> None:
    (document,) = read(json.dumps({"id": "d", "cased_words": WORDS, "word_clusters": [[0, 5], [3]]}))
    assert spans(document) == [(0, 0, 0), (0, 5, 5), (1, 3, 3)]


def test_an_array_of_documents() -> None:
    array = [SHAPES["text2text-coref"], SHAPES["text2text-coref"] | {"doc_id": "e"}]
    assert [document.id for document in read(json.dumps(array))] == ["d", "e"]
    with pytest.raises(Error) as error:
        read(json.dumps([array[0], array[0]]))
    assert error.value.code == "repeated-document"


def test_the_only_document_of_a_file_needs_no_name(tmp_path: Path) -> None:
    nameless = {key: value for key, value in SHAPES["text2text-coref"].items() if key != "doc_id"}
    (tmp_path / "response.json").write_text(json.dumps(nameless))
    (tmp_path / "key.jsonl").write_text(json.dumps(SHAPES["e2e"]))
    assert scoref.score(tmp_path / "key.jsonl", tmp_path / "response.json")["conll"].f1 == 1


def test_zeros_are_tokens_that_begin_with_two_hashes(tmp_path: Path) -> None:
    tokens = ["##", "Llegó", "##él", "##", "tarde", "."]
    record = {"doc_id": "d", "tokens": tokens, "clusters_token_offsets": [[[0, 0], [3, 3]], [[1, 2]], [[4, 4]]]}
    (document,) = read(json.dumps(record))
    assert list(document.words) == ["Llegó", "tarde", "."]
    assert [mention.span for mention in document.mentions] == [
        (position(-1, 129),), (position(0, 2),), (position(0), position(0, 1)), stretch(1, 1),
    ]  # fmt: skip
    assert [mention.is_zero for mention in document.mentions] == [True, True, False, False]
    row = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}"
    lines = [
        "# newdoc id = d", "# global.Entity = eid-etype-head-other", row.format("0.1", "_", "Entity=(e1--1-)"),
        row.format(1, "Llegó", "Entity=(e2--1-"), row.format("1.1", "_", "Entity=e2)"),
        row.format("1.2", "_", "Entity=(e1--1-)"), row.format(2, "tarde", "Entity=(e3--1-)"), row.format(3, ".", "_"),
    ]  # fmt: skip
    (tmp_path / "key.conllu").write_text("\n".join([*lines, "", ""]))
    (tmp_path / "response.json").write_text(json.dumps([record]))
    result = scoref.score(tmp_path / "key.conllu", tmp_path / "response.json", protocol="conll-2012")
    assert result["conll"].f1 == 1


# -- characters -------------------------------------------------------------------------------------------------------

CHARACTERS = {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3], [17, 20]], [[8, 15]]]}


def test_offsets_into_a_text_are_characters() -> None:
    (document,) = read(json.dumps(CHARACTERS | {"clusters_strings": [["Ada", "She"], ["the cat"]]}))
    assert spans(document) == [(0, 0, 2), (0, 17, 19), (1, 8, 14)]
    assert [document.text_of(mention) for mention in document.mentions] == ["Ada", "She", "the cat"]
    with pytest.raises(Error) as error:
        read(json.dumps(CHARACTERS | {"clusters_strings": [["Ada", "he"], ["the cat"]]}))
    assert error.value.code == "different-text"
    with pytest.raises(Error) as error:
        read(json.dumps(CHARACTERS | {"clusters": [[[0, 99]]]}))
    assert "25 characters" in str(error.value)
    assert read(formats.dumps([document], "jsonl")) == [document]


def test_characters_and_words_are_compared_by_letters(tmp_path: Path) -> None:
    (tmp_path / "words.jsonl").write_text(json.dumps(SHAPES["e2e"]))
    (tmp_path / "characters.jsonl").write_text(json.dumps(CHARACTERS))
    for pair in (("words", "characters"), ("characters", "words"), ("characters", "characters")):
        result = scoref.score(*(tmp_path / f"{name}.jsonl" for name in pair))
        assert (result["conll"].f1, result.problems) == (1, ())


def test_characters_of_another_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "key.jsonl").write_text(json.dumps(CHARACTERS))
    (tmp_path / "response.jsonl").write_text(json.dumps(CHARACTERS | {"text": "Nobody knew what it was, or why."}))
    with pytest.raises(Error) as error:
        scoref.score(tmp_path / "key.jsonl", tmp_path / "response.jsonl")
    assert error.value.code == "not-the-same-text"


# -- both sides in one file -------------------------------------------------------------------------------------------


def test_a_file_with_both_sides_needs_no_second_one(run: Run, tmp_path: Path) -> None:
    both = SHAPES["e2e"] | {"predicted_clusters": INCLUSIVE[:1]}
    path = tmp_path / "both.jsonlines"
    path.write_text(json.dumps(both))
    code, out, err = run("score", path, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["scores"] == json.loads(run("score", path, path, "--json")[1])["scores"]
    assert scoref.score(path)["mentions"][:2] == (2 / 3, 1)


@pytest.mark.parametrize(
    "text", [json.dumps(SHAPES["e2e"]), "#begin document d\na (1)\n#end document\n", '[["a", "b"]]']
)
def test_a_file_with_one_side_needs_a_second_one(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "one"
    path.write_text(text)
    code, out, err = run("score", path)
    assert (code, out) == (2, "")
    assert "[no-response]" in err
    assert "skip" not in err


# -- Python objects ---------------------------------------------------------------------------------------------------


class Token:
    def __init__(self, text: str) -> None:
        self.text = text


class Span:
    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


class Doc:
    """Like a Doc of spaCy."""

    def __init__(self, spans: dict[str, list[Span]], characters: Any = None) -> None:
        self.spans, self.text = spans, TEXT
        self._ = type("Underscore", (), {"coref_clusters": characters} if characters else {})()

    def __iter__(self) -> Iterator[Token]:
        return iter(map(Token, WORDS))


class CorefResult:
    """Like a result of fastcoref."""

    def __init__(self, text: Any, clusters: Any) -> None:
        self.text, self.clusters = text, clusters

    def get_clusters(self, as_strings: bool = True) -> Any:
        assert not as_strings
        return self.clusters


GROUPS = {f"coref_clusters_{n}": [Span(*span) for span in each] for n, each in enumerate(EXCLUSIVE, 1)}
RESULTS = {
    "spaCy": Doc(GROUPS | {"coref_head_clusters_1": [Span(0, 1)], "sc": [Span(0, 2)]}),
    "fastcoref in spaCy": Doc({}, CHARACTERS["clusters"]),
    "fastcoref": CorefResult(TEXT, [[(0, 3), (17, 20)], [(8, 15)]]),
    "fastcoref on words": CorefResult(WORDS, [[(0, 1), (5, 6)], [(2, 4)]]),
    "maverick": {"tokens": WORDS, "clusters_token_offsets": [((0, 0), (5, 5)), ((2, 3),)], "clusters_token_text": []},
    "a record": SHAPES["e2e"],
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
@pytest.mark.parametrize("key", RESULTS.values(), ids=RESULTS)
def test_results_of_models_are_scored_as_they_are(key: Any, result: Any) -> None:
    assert scoref.score(key, result)["conll"].f1 == 1
    scorer = scoref.Scorer()
    scorer.update(key, result)
    assert scorer.compute()["mentions"].f1 == 1


def test_results_without_names_go_with_the_documents_at_their_places() -> None:
    key = [Document(name, tuple(WORDS), read(json.dumps(SHAPES["e2e"]))[0].mentions) for name in "xy"]
    for response in ([RESULTS["maverick"], RESULTS["fastcoref"]], [RESULTS["spaCy"]] * 2):
        result = scoref.score(key, response)
        assert (result["conll"].f1, result.documents) == (1, ("x", "y"))
    assert scoref.score([RESULTS["maverick"]] * 2, [RESULTS["maverick"]] * 2)["conll"].f1 == 1
    with pytest.raises(Error):
        scoref.score(key, [RESULTS["maverick"]] * 3)


def test_a_doc_without_entities_is_an_empty_response() -> None:
    assert scoref.score(RESULTS["spaCy"], Doc({}))["mentions"] == (0, 0, 0)


def test_a_result_that_cannot_be_understood_is_an_error() -> None:
    with pytest.raises(Error) as error:
        scoref.score(RESULTS["maverick"], {"tokens": "Ada saw", "clusters_token_offsets": []})
    assert error.value.code == "bad-words"


def test_subtokens_are_mapped_in_records_without_words_too() -> None:
    record = {"id": "d", "clusters": [[[0, 1]], [[2, 3]]], "subtoken_map": [0, 0, 1, 1], "text": "Ada ran"}
    (document,) = read(json.dumps(record))
    assert (len(document.words), spans(document)) == (0, [(0, 0, 0), (1, 1, 1)])
    with pytest.raises(Error, match="bad-subtokens"):
        read(json.dumps(record | {"subtoken_map": [0, 1, 0, 0]}))


@pytest.mark.parametrize(
    ("sentences", "words", "starts"),
    [
        ([["a", "b"], ["c"]], "abc", (0, 2)), ([["a"], [f"{ZERO}1"]], "a", (0,)),
        ([[f"{ZERO}1"], ["a"], [f"{ZERO}1", "b"]], "ab", (0, 1)), ([["a", f"{ZERO}1"], ["b"]], "ab", (0, 1)),
    ],
)  # fmt: skip
def test_sentences_of_zeros_alone_are_none(sentences: list[list[str]], words: str, starts: tuple[int, ...]) -> None:
    record = {"doc_key": "d", "sentences": sentences, "clusters_token_offsets": []}
    (document,) = formats.read_source(formats.Source(json.dumps(record).encode(), "f"), "jsonl", Problems())[1]
    assert ([*document.words], document.sentences) == ([*words], starts)


@pytest.mark.parametrize("ends", ["inclusive", "exclusive", "x"])
def test_heads_are_words_whatever_ends_mean(ends: str) -> None:
    """Other shapes whose ends are known do not ask the record either."""
    for key, clusters in (("word_clusters", [[0, 2]]), ("span_clusters", [[[0, 1], [2, 3]]]),
                          ("clusters_token_offsets", [[[0, 0], [2, 2]]])):  # fmt: skip
        record = {"doc_key": "d", "sentences": [["a", "b", "c"]], key: clusters, "ends": ends}
        (document,) = read(json.dumps(record))
        assert spans(document) == [(0, 0, 0), (0, 2, 2)]


@pytest.mark.parametrize("blank", ["\u2028", "\u3000\n\u2029", "\x85"])
def test_a_file_of_blanks_that_are_not_ascii_has_no_document(tmp_path, blank):
    (tmp_path / "key.jsonl").write_text(blank, encoding="utf-8")
    with pytest.raises(scoref.Error, match="no-document"):
        scoref.read(tmp_path / "key.jsonl", format="jsonl")
