"""Two sides in any formats: which documents belong together, and whether positions mean the same."""

from __future__ import annotations

import itertools
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import SHARED, beside
from scoref import formats
from scoref.document.document import Document, Mention, stretch, word_of
from scoref.pairing.names import readings, same_documents, same_files
from scoref.texts.letters import in_common

Run = Callable[..., tuple[int, str, str]]

WORDS = ["Ada", "saw", "the", "cat", "."]
TEXT = "Ada saw the cat."
CONLL = "#begin document {}\nAda (1)\nsaw -\nthe (2\ncat 2)\n. (1)\n#end document\n"
JSON = {"doc_key": "d", "sentences": [WORDS], "clusters": [[[0, 0], [4, 4]], [[2, 3]]]}
CONLLU = """# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAda\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)
2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_
3\tthe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2--2-
4\tcat\t_\t_\t_\t_\t_\t_\t_\tEntity=e2)
5\t.\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)
"""
ANN = "T1\tX 0 3\tAda\nT2\tX 8 15\tthe cat\nT3\tX 15 16\t.\n*\tEquiv T1 T3\n"
TBF = (
    "#BeginOfDocument d\nx\td\tE1\t0,3\tAda\tX\tActual\nx\td\tE2\t8,15\tthe cat\tX\tActual\n"
    "x\td\tE3\t15,16\t.\tX\tActual\n@Coreference\tR1\tE1,E3\n#EndOfDocument\n"
)
SAME = {
    "a.conll": CONLL.format("d"),
    "a.jsonl": json.dumps(JSON) + "\n",
    "a.conllu": CONLLU,
    "a.ann": ANN,
    "a.json": "[[[0, 0], [4, 4]], [[2, 3]]]",
}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


# -- any format against any format ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response"),
    [  # names of words mean nothing in a text of characters
        pair for pair in itertools.product(SAME, SAME) if {*pair} != {"a.ann", "a.json"}
    ],
)
def test_the_same_annotation_in_two_formats_is_the_same(key: str, response: str) -> None:
    put(SAME | {"a.txt": TEXT})
    result = scoref.score(key, response, protocol="conll-2012")
    assert [score.f1 for score in result.scores.values()] == [1] * 5
    assert result.problems == ()


@pytest.mark.parametrize(
    ("key", "protocol"),
    [("a.conll", "conll-2012"), ("a.conllu", "crac-2026"), ("a.ann", "kbp-2015"), ("a.jsonl", "conll-2012")],
)
def test_the_protocol_is_that_of_the_format_of_the_key(key: str, protocol: str) -> None:
    put(SAME | {"a.txt": TEXT})
    assert scoref.score(key, key).protocol.name == protocol


def test_brat_and_tbf_count_characters() -> None:
    put({"key/d.ann": ANN, "key/d.txt": TEXT, "d.tbf": TBF})
    for pair in (("key/d.ann", "d.tbf"), ("key", "d.tbf"), ("d.tbf", "key")):
        assert scoref.score(*pair)["b3"].f1 == 1


def test_an_error_in_the_response_costs_the_same_in_every_format() -> None:
    put(
        SAME
        | {"a.txt": TEXT, "wrong.conll": SAME["a.conll"].replace("saw -", "saw (2)").replace("cat 2)", "cat 2)|(1)")}
    )
    expected = scoref.score("a.conll", "wrong.conll").scores
    for key in ("a.jsonl", "a.conllu", "a.ann", "a.json"):
        assert scoref.score(key, "wrong.conll", protocol="conll-2012").scores == expected


@beside
def test_a_real_key_in_conll_and_a_real_response_in_json_lines() -> None:
    files = SHARED / "vectors" / "real-gum" / "files"
    mixed = scoref.score(files / "gum.key.conll", SHARED / "data" / "jsonlines" / "gum-xrenner.jsonlines")
    assert mixed.scores == scoref.score(files / "gum.key.conll", files / "gum.response.xrenner.conll").scores


@beside
def test_a_real_folder_of_brat_files_against_what_it_was_converted_to(run: Run) -> None:
    folder = SHARED / "data" / "brat-litbank" / "events"
    assert run("convert", folder, "events.tbf")[0] == 0
    for pair in ((folder, "events.tbf"), ("events.tbf", folder)):
        result = scoref.score(*pair)
        assert result["nugget-span"].f1 == 1
        assert len(result.documents) == 12


def test_names_of_mentions_cannot_be_compared_with_positions(run: Run) -> None:
    put(SAME | {"named.json": '[["Ada", "she"]]', "numbered.json": "[[1, 2]]"})
    for pair in (("named.json", "a.conll"), ("a.conll", "numbered.json")):
        code, out, err = run("score", *pair)
        assert (code, out) == (2, "")
        assert "[different-units]" in err
        assert "skip" not in err


# -- words and letters ------------------------------------------------------------------------------------------------


def text_of(words: list[str], gaps: list[int]) -> tuple[str, list[int]]:
    """A text with blanks between some words, and where each word begins."""
    text, starts = "", []
    for word, gap in zip(words, gaps, strict=True):
        text += " " * gap
        starts.append(len(text))
        text += word
    return text, starts


@given(st.data())
@settings(max_examples=150)
def test_mentions_are_where_their_letters_are(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.text("abcé", min_size=1, max_size=4), min_size=1, max_size=8))
    gaps = data.draw(st.lists(st.integers(0, 2), min_size=len(words), max_size=len(words)))
    text, starts = text_of(words, gaps)
    ends = sorted(data.draw(st.tuples(*[st.integers(0, len(words) - 1)] * 2)))
    characters = stretch(starts[ends[0]], starts[ends[1]] + len(words[ends[1]]) - 1)
    by_words = Document("d", tuple(words), (Mention(stretch(*ends), "e"),))
    by_letters = Document("d", (), (Mention(characters, "e"),), columns={"text": [text]})
    for key, response in ((by_words, by_letters), (by_letters, by_words)):
        ours, theirs, problems, drifted = in_common(key, response)
        assert not problems
        assert drifted is None
        assert theirs.mentions[0].span == ours.mentions[0].span
        assert ours == key


def test_other_words_of_the_same_letters_are_placed_and_reported() -> None:
    key = Document("d", ("can", "not", "go", "!"), (Mention(stretch(0, 1), 1), Mention(stretch(2, 2), 1)))
    response = Document("d", ("cannot", "g", "o!"), (Mention(stretch(0, 0), 1), Mention(stretch(1, 1), 1)))
    result = scoref.score(key, response)
    assert result["muc"].f1 == 1
    assert [problem.code for problem in result.problems] == ["cut-word", "other-words"]
    assert [word_of(place) for place in result.evidence.pairs[0].response.mentions[1].span] == [2]


def test_brackets_of_treebanks_are_the_brackets_of_texts() -> None:
    key = Document("d", ("-LRB-", "Ada", "-RRB-"), (Mention(stretch(1, 1), 1),))
    for response in (
        Document("d", ("(", "Ada", ")"), (Mention(stretch(1, 1), 1),)),
        Document("d", (), (Mention(stretch(1, 3), 1),), columns={"text": ["(Ada)"]}),
    ):
        result = scoref.score(key, response)
        assert (result["mentions"].f1, result.problems) == (1, ())


def test_a_text_that_differs_a_little_is_aligned_and_that_is_said(run: Run) -> None:
    put(SAME | {"a.txt": TEXT, "b.conll": CONLL.format("d").replace("saw", "heard")})
    for pair in (("a.ann", "b.conll"), ("b.conll", "a.ann")):
        code, out, err = run("score", *pair, "--metrics", "mentions", "--match", "exact")
        assert (code, err) == (0, "")
        assert "mentions  100.00     100.00  100.00" in out
        assert "of whose words 80.00% are aligned: 1 missing, 1 added" in " ".join(out.split())
        assert "|text:align|lost:count|" in out


def test_another_text_is_an_error(run: Run) -> None:
    other = "#begin document d\nNobody (1)\nknew -\nwhat (2\nit 2)\nwas (1)\n#end document\n"
    put(SAME | {"a.txt": TEXT, "b.conll": other})
    for pair in (("a.ann", "b.conll"), ("b.conll", "a.ann")):
        code, out, err = run("score", *pair)
        assert (code, out) == (2, "")
        assert "only 0.0% of the key's 5 words are in this text  [not-the-same-text]" in err
        assert "--drift ignore" in err
        assert run("score", *pair, "--drift", "ignore", "--match", "exact")[0] == 0


def test_skipping_is_offered_only_if_a_document_is_left_to_score(run: Run) -> None:
    other = CONLL.format("e")
    put({"key": CONLL.format("d") + other, "one": CONLL.format("d").replace("saw", "heard") + other})
    put({"all": (CONLL.format("d") + other).replace("saw", "heard")})
    assert "--on-problem skip" in run("score", "key", "one")[2]
    assert "--on-problem skip" not in run("score", "key", "all")[2]


# -- names of documents -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["(bc/cctv/00/cctv_0000); part 000", "bc/cctv/00/cctv_0000_0", "bc/cctv/00/cctv_0000"])
@pytest.mark.parametrize("other", ["(bc/cctv/00/cctv_0000); part 0", "bc/cctv/00/cctv_0000_0", "bc/cctv/00/cctv_0000"])
def test_three_ways_to_name_a_part(name: str, other: str) -> None:
    assert same_documents([name], [other]) == {0: 0}
    assert set(readings(name)) & set(readings(other))


def test_parts_keep_apart() -> None:
    keys = ["(a); part 000", "(a); part 001", "(a_1); part 000", "(b); part 002"]
    assert same_documents(keys, ["a_0", "b_2", "a"]) == {3: 1}  # a_0 and a are both part 0: neither is chosen
    assert same_documents(keys[:2], ["a_1", "a_0"]) == {0: 1, 1: 0}
    assert same_documents(keys, ["a_1"]) == {}  # part 1 of a, or all of a_1
    assert same_documents(["a_1", "a_01"], ["(a); part 001"]) == {0: 0}


def test_a_letter_with_its_accent_apart_is_the_same_letter(run: Run) -> None:
    put({"key/caf\u00e9.conll": CONLL.format("caf\u00e9")})
    put({unicodedata.normalize("NFD", "response/café.conll"): CONLL.format(unicodedata.normalize("NFD", "café"))})
    assert json.loads(run("score", "key", "response", "--json")[1])["scores"]["conll"]["f1"] == 1


def test_json_lines_with_a_part_of_their_own(tmp_path: Path) -> None:
    put({"key.conll": CONLL.format("(x); part 000") + CONLL.format("(x); part 001")})
    parts = [JSON | {"doc_key": None, "document_id": "x", "part_id": part} for part in (1, 0)]
    put({"response.jsonl": "\n".join(map(json.dumps, parts))})
    result = scoref.score("key.conll", "response.jsonl")
    assert (result["conll"].f1, result.problems) == (1, ())


@pytest.mark.parametrize("far", [[4, 5], [8, 15]])
@pytest.mark.parametrize("named", [{"clusters": "CLUSTERS"}, {"type": "clusters", "clusters": "CLUSTERS"}])
def test_places_behind_the_words_of_the_other_side_are_refused(named: dict[str, str], far: list[int], run: Run) -> None:
    """Numbers of characters, or ends that are excluded, are no words."""
    put({"words.conll": CONLL.format("d")})
    for place, good in (([4, 4], True), (far, False)):
        put({"numbers.json": json.dumps(named).replace('"CLUSTERS"', json.dumps([[[0, 0], place]]))})
        for sides in (("words.conll", "numbers.json"), ("numbers.json", "words.conll")):
            code, out, err = run("score", *sides, "--metrics", "muc")
            assert (code, out == "") == ((0, False) if good else (2, True))
            assert good or ("[bad-mention]" in err and "numbers.json:1" in err)


# -- files of folders -------------------------------------------------------------------------------------------------


def test_files_are_paired_by_relative_names_then_by_base_names_then_without_endings() -> None:
    assert same_files(["a/x.conll", "b/x.conll"], ["b/x.conll"]) == {"b/x.conll": "b/x.conll"}
    assert same_files(["cs/x.conllu", "de/y.conllu"], ["y.conllu", "x.conllu"]) == {
        "cs/x.conllu": "x.conllu", "de/y.conllu": "y.conllu",
    }  # fmt: skip
    assert same_files(["a/x.conll"], ["a/x.jsonl"]) == {"a/x.conll": "a/x.jsonl"}
    assert same_files(["a/x.conll"], ["b/c/x.jsonl"]) == {"a/x.conll": "b/c/x.jsonl"}
    assert same_files(["a/x.conll", "b/x.conll"], ["c/x.conll"]) == {}  # which of the two?
    assert same_files(["d-1.conll"], ["d-10.conll"]) == {}


def test_a_readme_beside_the_key_is_passed_over_and_said(run: Run) -> None:
    put({"key/a.conll": CONLL.format("d"), "key/README.md": "# About\n", "response/a.conll": CONLL.format("d")})
    code, out, _ = run("score", "key", "response", "--json")
    assert code == 0
    assert [(each["code"], each["path"]) for each in json.loads(out)["problems"]] == [("passed-over", "key/README.md")]
    put({"response/README.md": "# About\n", "response/NOTES": "nothing"})
    assert len(json.loads(run("score", "key", "response", "--json")[1])["problems"]) == 3
    assert json.loads(run("score", "key", "response", "--glob", "*.conll", "--json")[1])["problems"] == []


def test_a_file_of_one_side_that_is_no_annotation_is_not_passed_over(run: Run) -> None:
    put({name: CONLL.format("d") for name in ("key/a.conll", "key/b.conll", "response/b.conll")})
    put({"response/a.conll": "nothing to see\n"})
    code, out, err = run("score", "key", "response")
    assert (code, out) == (2, "")
    assert "[unknown-format]" in err
    assert "response/a.conll" in err


@pytest.mark.parametrize(("content", "found"), [("", "empty-file"), ("x\t1\ny\t2\n", "unknown-format")])
def test_an_unreadable_response_in_a_folder_is_empty_where_problems_are_skipped(
    content: str, found: str, run: Run
) -> None:
    """Whatever the response is called, and as `validate` says."""
    put({f"key/{name}.conll": CONLL.format(name) for name in "ab"})
    for ending in ("conll", "sgm"):
        put({f"{ending}/a.{ending}": content, f"{ending}/b.conll": CONLL.format("b")})
        code, out, err = run("score", "key", ending)
        assert (code, out) == (2, "")
        assert f"[{found}]" in err
        assert f"[{found}]" in run("validate", ending)[1]
        code, out, _ = run("score", "key", ending, "--on-problem", "skip", "--json")
        result = json.loads(out)
        assert (code, result["documents"], result["scores"]["conll"]["precision"]) == (0, 2, 1)
        assert [problem["code"] for problem in result["problems"]] == [found, "missing-document"]


def test_texts_without_marks_in_folders_are_read_if_a_style_is_named(run: Run) -> None:
    put({f"key/{name}.conll": CONLL.format(name) for name in "ab"})
    words = " ".join(scoref.read("key/a.conll")[0].words)
    put({"response/a.txt": words, "response/b.conll": CONLL.format("b"), "response/README.md": "# About\n"})
    code, out, _ = run("score", "key", "response", "--marks", "colon", "--json")
    result = json.loads(out)
    assert (code, result["documents"]) == (0, 2)
    assert [problem["code"] for problem in result["problems"]] == ["passed-over", "refusal"]
    put({"response/c.txt": words})
    assert "[extra-file]" in run("score", "key", "response", "--marks", "colon")[2]


def test_a_file_beside_a_folder_is_not_passed_over(run: Run) -> None:
    put({f"key/{name}.conll": CONLL.format(name) for name in "ab"})
    put({"response.conll": "nothing to see\n"})
    for policy in ("raise", "skip"):
        code, out, err = run("score", "key", "response.conll", "--on-problem", policy)
        assert (code, out) == (2, "")
        assert "[unknown-format]" in err
    put({"both.conll": CONLL.format("a") + CONLL.format("b"), "key/NOTES": "nothing to see\n"})
    problems = json.loads(run("score", "both.conll", "key", "--json")[1])["problems"]
    assert [(each["code"], each["path"]) for each in problems] == [("passed-over", "key/NOTES")]


def test_a_folder_and_a_file_are_paired_by_names_of_documents(run: Run) -> None:
    put({"key/a.conll": CONLL.format("d"), "key/b.conll": CONLL.format("e")})
    put({"response.conll": CONLL.format("e") + CONLL.format("d")})
    for pair in (("key", "response.conll"), ("response.conll", "key")):
        result = json.loads(run("score", *pair, "--json")[1])
        assert (result["documents"], result["scores"]["conll"]["f1"], result["problems"]) == (2, 1, [])


def test_keys_of_several_formats_need_one_protocol(run: Run) -> None:
    put({"key/a.conll": CONLL.format("d"), "key/b.jsonl": json.dumps(JSON | {"doc_key": "e"})})
    put({"response/a.conll": CONLL.format("d"), "response/b.conll": CONLL.format("e")})
    assert json.loads(run("score", "key", "response", "--json")[1])["scores"]["conll"]["f1"] == 1
    put({"key/c.conllu": CONLLU, "response/c.conllu": CONLLU})
    code, out, err = run("score", "key", "response")
    assert (code, out) == (2, "")
    assert "[mixed-formats]" in err
    assert run("score", "key", "response", "--glob", "*.conllu", "--json")[0] == 0


def test_files_are_chosen_by_a_pattern() -> None:
    put({"x/a.conll": CONLL.format("d"), "x/y/b.conll": CONLL.format("d"), "x/c.txt": "."})
    assert list(formats.files("x", "*.conll")) == ["a.conll", "y/b.conll"]
    assert list(formats.files("x", "y/*")) == ["y/b.conll"]
    with pytest.raises(scoref.Error, match="like"):
        formats.files("x", "*.tsv")


@pytest.mark.parametrize("clusters", ['{"clusters": []}', '{"clusters": [[[0, 0]]]}'])
def test_running_text_beside_clusters_without_words_is_the_same_on_both_sides(clusters: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("[Ada](#1) saw [her](#1)")
    (tmp_path / "clusters.json").write_text(clusters)
    codes = set()
    for key, response in (("text.txt", "clusters.json"), ("clusters.json", "text.txt")):
        try:
            codes.add(
                str(
                    scoref.score(
                        tmp_path / key,
                        tmp_path / response,
                        metrics=["muc"],
                        response_format=formats.detect(
                            formats.Source((tmp_path / response).read_bytes(), response)
                        ).name,
                    )["muc"].f1
                )
            )
        except scoref.Error as error:
            codes.add(error.problem.code)
    assert codes == ({"0.0"} if clusters.endswith("[]}") else {"no-words"})
