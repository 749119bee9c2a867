"""Responses of any format on other words than the key's: other tokens, excerpts, raw texts."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoref
import slow_drift
from scoref import Document, Error, Mention
from scoref.document.document import position, stretch, word_of

TEXT = "Ada could n't phone the old plumber from Leeds . She told him that the tap was dripping ."
CHANGED = "ADA couldn't phone the old plumb er from Leeds . She told him that the tap was dripping . THE END"
KEY = Document(
    "tale",
    tuple(TEXT.split()),
    (Mention.at(0, 0, 1), Mention.at(4, 8, 2), Mention.at(10, 10, 1), Mention.at(12, 12, 2), Mention.at(14, 15, 3)),
)
OTHER = Document(
    "tale",
    tuple(CHANGED.split()),
    (Mention.at(0, 0, 1), Mention.at(3, 8, 2), Mention.at(10, 10, 1), Mention.at(12, 12, 2), Mention.at(14, 15, 3)),
)


def placed(result: scoref.Evaluation) -> list[tuple[int, int] | None]:
    """The first and the last word of the key of each mention of the response."""
    mentions = result.evidence.pairs[0].response.mentions
    return [(word_of(each.span[0]), word_of(each.span[-1])) if each.span else None for each in mentions]


# -- against the slow version ----------------------------------------------------------------------------------------

words = st.lists(st.sampled_from(["a", "b", "ab", "A", "ba", "abab", "c", "cab"]), min_size=1, max_size=9)


@settings(max_examples=200)
@given(words, words, st.data())
def test_mentions_are_where_the_slow_version_has_them(ours: list[str], theirs: list[str], data: st.DataObject) -> None:
    assume(len(ours) != len(theirs))
    assume("".join(ours) != "".join(theirs))  # else mentions are where their letters are
    ends = [sorted(data.draw(st.tuples(*[st.integers(0, len(theirs) - 1)] * 2))) for _ in range(3)]
    response = Document("d", tuple(theirs), [Mention.at(*each, number) for number, each in enumerate(ends)])
    key = Document("d", tuple(ours), [Mention.at(0, 0, 0)])
    result = scoref.score(key, response, drift="ignore", on_problem="skip")
    _, steps = slow_drift.align(ours, theirs)
    assert placed(result) == [slow_drift.place(ours, theirs, steps, *each) for each in ends]
    kinds = [kind for kind, *_ in steps]
    assert result.drift["steps"] == {kind: kinds.count(kind) for kind in result.drift["steps"]}
    assert result.protocol.text == "align"


# -- other tokens ----------------------------------------------------------------------------------------------------


@st.composite
def tokenized(draw: st.DrawFn) -> tuple[Document, Document]:
    """A document whose words occur once, and the same with words split and joined, but not across ends of mentions."""
    size = draw(st.integers(6, 30))
    names = [f"{'abcdefghij'[number % 10]}{number}x{number * 7919}" for number in range(size)]
    pairs = draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, 4)), min_size=1, max_size=6, unique=True))
    spans = sorted({(first, min(first + more, size - 1)) for first, more in pairs})
    borders = {first for first, _ in spans} | {last + 1 for _, last in spans}
    tokens: list[str] = []
    at: list[tuple[int, int]] = []  # the first and the last token of each word
    for number, word in enumerate(names):
        how = draw(st.sampled_from(["same", "split", "join"]))
        if how == "join" and tokens and number not in borders and tokens[-1] == names[number - 1]:
            tokens[-1] += word
        elif how == "split":
            tokens += [word[:2], word[2:]]
            at.append((len(tokens) - 2, len(tokens) - 1))
            continue
        else:
            tokens.append(word)
        at.append((len(tokens) - 1, len(tokens) - 1))
    mentions = [(Mention.at(*each, number % 2), Mention.at(at[each[0]][0], at[each[1]][1], number % 2))
                for number, each in enumerate(spans)]  # fmt: skip
    key = Document("d", tuple(names), [mention for mention, _ in mentions])
    return key, Document("d", tuple(tokens), [mention for _, mention in mentions])


@settings(max_examples=150)
@given(tokenized(), st.booleans())
def test_other_tokens_change_no_score(pair: tuple[Document, Document], longer: bool) -> None:
    key, response = pair
    if longer:  # other letters: the texts are aligned
        response = replace(response, words=(*response.words, "§§§"))
    assume(len(key.words) != len(response.words) or key.words == response.words)
    result = scoref.score(key, response, metrics="all")
    assert placed(result) == placed(scoref.score(key, key))
    assert result.scores == scoref.score(key, key, metrics="all").scores
    assert result["mentions"].f1 == 1
    assert result.protocol.text == ("align" if longer else "same")


@settings(max_examples=100)
@given(tokenized(), st.data())
def test_what_is_left_of_a_text_keeps_its_mentions(pair: tuple[Document, Document], data: st.DataObject) -> None:
    """Words at the end are gone: a mention that had all its words before them is found, and no other."""
    key, whole = pair
    size = data.draw(st.integers(1, len(whole.words) - 1))
    kept = [n for n, mention in enumerate(whole.mentions) if word_of(mention.span[-1]) < size]
    response = replace(whole.of_mentions(kept), words=whole.words[:size])
    assume(len(response.words) != len(key.words))
    result = scoref.score(key, response, drift="ignore", metrics=["mentions"])
    assert placed(result) == placed(scoref.score(key, key.of_mentions(kept)))
    assert result["mentions"] == scoref.score(key, key.of_mentions(kept))["mentions"]


# -- raw texts -------------------------------------------------------------------------------------------------------


def raw(document: Document) -> Document:
    """The document as a text with blanks between its words, by characters."""
    starts = [0]
    for word in document.words:
        starts.append(starts[-1] + len(word) + 1)
    mentions = [
        mention._replace(span=stretch(starts[word_of(mention.span[0])], starts[word_of(mention.span[-1]) + 1] - 2))
        for mention in document.mentions
    ]
    return Document(document.id, (), mentions, columns={"text": [" ".join(document.words)]})


@settings(max_examples=100)
@given(tokenized(), st.booleans())
def test_a_raw_text_is_aligned_as_its_words_are(pair: tuple[Document, Document], cut: bool) -> None:
    key, response = pair
    response = replace(response, words=("§§§", *response.words), mentions=[_later(each) for each in response.mentions])
    if cut:
        response = replace(response, words=response.words[:-1], mentions=response.mentions[:1])
    assume(all(word_of(mention.span[-1]) < len(response.words) for mention in response.mentions))
    assume(len(key.words) != len(response.words))
    expected = scoref.score(key, response, metrics="all")
    for sides in ((key, raw(response)), (raw(key), response), (raw(key), raw(response))):
        result = scoref.score(*sides, metrics="all")
        assert result.scores == expected.scores
        assert result.protocol.text == "align"


def _later(mention: Mention) -> Mention:
    return Mention.at(word_of(mention.span[0]) + 1, word_of(mention.span[-1]) + 1, mention.entity)


def test_mentions_of_blanks_and_zeros_are_lost_where_the_key_has_no_place_for_them() -> None:
    text = Document("d", (), [Mention(stretch(3, 3), 1), Mention(stretch(0, 2), 1)], columns={"text": ["Ada ran off"]})
    result = scoref.score(Document("d", ("Ada", "ran"), [Mention.at(0, 0, 1)]), text)
    assert (placed(result), result.drift["lost"]) == ([None, (0, 0)], 1)
    zero = Mention((position(0, 1),), 1, head=position(0, 1), parents=((position(1), "nsubj"),))
    words = Document("d", ("Ada", "ran", "away"), [zero, Mention.at(0, 0, 1)])
    result = scoref.score(text, words)
    assert (placed(result), result.drift["lost"]) == ([None, (0, 2)], 1)
    assert result.evidence.pairs[0].response.mentions[0].id == "∅ (lost 1)"


# -- what belongs to mentions ----------------------------------------------------------------------------------------


def test_heads_minimum_spans_and_zeros_move_along() -> None:
    key = Document("d", ("the", "old", "man", "did", "n't", "go"))
    zero = Mention((position(1, 1),), 2, head=position(1, 1), parents=((position(2), "nsubj"),))
    whole = Mention.at(1, 2, 1, head=position(2), minimum=stretch(2, 2))
    response = Document("d", ("Oh", "the", "OLDman", "didn't", "go"), [whole, zero])
    deixis = replace(response, mentions=[Mention.at(3, 4, 1)])
    moved = scoref.score(key, replace(response, deixis=deixis)).evidence.pairs[0].response
    assert [mention.span for mention in moved.mentions] == [stretch(0, 2), (position(0, 1),)]
    assert [mention.head for mention in moved.mentions] == [position(1), position(0, 1)]
    assert moved.mentions[0].minimum == stretch(1, 2)
    assert moved.mentions[1].parents == ((position(2), "nsubj"),)
    assert moved.deixis is not None
    assert [mention.span for mention in moved.deixis.mentions] == [stretch(3, 5)]


def test_deixis_moves_by_letters() -> None:
    """The same letters in other words: "didn't" is the third word of the response, and two words of the key."""
    key = Document("d", ("the", "man", "did", "n't", "go"))
    response = Document("d", ("the", "man", "didn't", "go"), [Mention.at(0, 1, 1)])
    deixis = replace(response, mentions=[Mention.at(2, 2, 1), Mention.at(3, 3, 1)])
    moved = scoref.score(key, replace(response, deixis=deixis)).evidence.pairs[0].response
    assert moved.deixis is not None
    assert [mention.span for mention in moved.deixis.mentions] == [stretch(2, 3), stretch(4, 4)]


def with_characters(document: Document) -> Document:
    """The same document at the characters of its text, words between blanks."""
    ends = [*accumulate(len(word) + 1 for word in document.words)]
    begins = [end - len(word) - 1 for end, word in zip(ends, document.words, strict=True)]
    mentions = [
        each._replace(span=stretch(begins[word_of(each.span[0])], ends[word_of(each.span[-1])] - 2))
        for each in document.mentions
    ]
    return Document(document.id, mentions=mentions, columns={"text": [" ".join(document.words)]})


@pytest.mark.parametrize("ours", ["words", "characters"])
@pytest.mark.parametrize("theirs", ["words", "characters"])
def test_both_layers_move_to_the_same_places(ours: str, theirs: str) -> None:
    """Whether words or characters are counted: the deixis layer was left where it was, or lost."""
    key, response = (
        with_characters(each) if unit == "characters" else each for each, unit in ((KEY, ours), (OTHER, theirs))
    )
    moved = scoref.score(key, replace(response, deixis=response)).evidence.pairs[0].response
    assert moved.deixis is not None
    assert all(mention.span for mention in moved.mentions)
    assert [each.span for each in moved.deixis.mentions] == [each.span for each in moved.mentions]


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["conll", "jsonl", "corefud", "ua", "webanno", "ecb", "brat", "muc"])
@pytest.mark.parametrize("swapped", [False, True])
def test_other_tokens_in_every_format(format: str, swapped: bool, tmp_path: Path) -> None:
    folder = tmp_path / "response"
    folder.mkdir()
    key, response = tmp_path / "tale.conll", folder / f"tale{scoref.formats.named(format).suffix}"
    scoref.write([KEY], key)
    scoref.write([OTHER], response)
    sides = (response, key) if swapped else (key, response)
    result = scoref.score(*sides, protocol="conll-2012")
    assert result["mentions"].f1 == result["conll"].f1 == 1
    assert "|text:align|lost:count|" in result.signature
    assert [problem.code for problem in result.problems if problem.fatal] == []
    assert any("the text differs from the key's" in note for note in result.notes())


def test_an_excerpt_against_a_book(tmp_path: Path) -> None:
    """As BookNLP gives it: all tokens of a book, of which the key has some."""
    before, behind = ["Once", "upon", "a", "time"] * 9, ["And", "so", "on"] * 9
    book = [*before, *KEY.words, *behind]
    rows = ["COREF\tstart_token\tend_token\tprop\tcat\ttext"]
    for mention in KEY.mentions:
        first, last = (word_of(mention.span[end]) + len(before) for end in (0, -1))
        rows.append(f"{mention.entity}\t{first}\t{last}\tPRON\tPER\tx")
    rows.append("9\t0\t0\tPRON\tPER\tOnce")
    tokens = ["sentence_ID\ttoken_ID_within_document\tword"]
    tokens += [f"0\t{number}\t{word}" for number, word in enumerate(book)]
    (tmp_path / "tale.entities").write_text("\n".join(rows) + "\n")
    (tmp_path / "tale.tokens").write_text("\n".join(tokens) + "\n")
    scoref.write([KEY], tmp_path / "tale.conll")
    result = scoref.score(tmp_path / "tale.conll", tmp_path / "tale.entities")
    assert (result["mentions"].recall, result.drift["lost"], result.drift["share"]) == (1, 1, 1)
    dropped = scoref.score(tmp_path / "tale.conll", tmp_path / "tale.entities", lost="drop")
    assert dropped["conll"].f1 == 1
    with pytest.raises(Error) as error:  # the other way round there is less than half
        scoref.score(tmp_path / "tale.entities", tmp_path / "tale.conll")
    assert error.value.code == "not-the-same-text"
    back = scoref.score(tmp_path / "tale.entities", tmp_path / "tale.conll", drift="ignore")
    assert back["mentions"].precision == 1


def test_a_scorer_aligns_and_merging_keeps_what_is_known_of_it() -> None:
    one, two = scoref.Scorer(), scoref.Scorer()
    one.update(KEY, OTHER)
    two.merge(one)
    for scorer in (one, two):
        result = scorer.compute()
        assert (result["conll"].f1, result.protocol.text, result.drift["steps"]["added"]) == (1, "align", 2)


# -- documents without names -----------------------------------------------------------------------------------------


def records(*texts: str, **more: str) -> str:
    """JSON lines as fastcoref has them: texts, clusters of characters, no names; `Ada` and `She` are an entity."""
    found = []
    for number, text in enumerate(texts):
        spans = [[text.index(word), text.index(word) + 3] for word in ("Ada", "She")]
        named = {key: f"{value}{number}" for key, value in more.items()}
        found.append(json.dumps({**named, "text": text, "clusters": [spans]}))
    return "\n".join(found) + "\n"


TEXTS = ("Ada ran away. She fell.", "Yesterday Ada slept long. She dreamt of rain.", "Then Ada woke up! She laughed.")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "named.jsonl").write_text(records(*TEXTS, doc_key="story"))
    (tmp_path / "unnamed.jsonl").write_text(records(*TEXTS))
    (tmp_path / "fewer.jsonl").write_text(records(*TEXTS[:2]))
    (tmp_path / "turned.jsonl").write_text(records(*TEXTS[::-1]))
    return tmp_path


@pytest.mark.parametrize(("key", "response"), [("named", "unnamed"), ("unnamed", "named")])
def test_json_lines_without_names_pair_by_order(files: Path, key: str, response: str) -> None:
    for jobs in (1, 2):
        result = scoref.score(files / f"{key}.jsonl", files / f"{response}.jsonl", jobs=jobs)
        assert (result["conll"].f1, len(result.documents)) == (1, 3)
        assert [(each.code, each.path) for each in result.problems] == [
            ("paired-by-order", str(files / "unnamed.jsonl"))
        ]


def test_a_file_with_both_sides_needs_no_names_and_no_note(files: Path) -> None:
    result = scoref.score(files / "unnamed.jsonl", files / "unnamed.jsonl")
    assert (result["conll"].f1, result.problems) == (1, ())


@pytest.mark.parametrize(("key", "response"), [("named", "fewer"), ("fewer", "named"), ("unnamed", "fewer")])
def test_other_numbers_of_documents_without_names_are_refused(files: Path, key: str, response: str) -> None:
    for policy in ("raise", "skip"):
        with pytest.raises(Error) as error:
            scoref.score(files / f"{key}.jsonl", files / f"{response}.jsonl", on_problem=policy)
        assert error.value.code == "unnamed-documents"
        assert "2 documents without names" in str(error.value) or "3 documents without names" in str(error.value)


def test_another_order_is_seen_by_the_words(files: Path) -> None:
    with pytest.raises(Error) as error:
        scoref.score(files / "named.jsonl", files / "turned.jsonl")
    assert error.value.code == "not-the-same-text"


def test_numbers_of_unnamed_documents_are_no_names(files: Path) -> None:
    """Key documents that are called 3, 2, 1 go with the first, second and third one."""
    lines = records(*TEXTS, doc_key="").splitlines()
    key = [line.replace(f'"doc_key": "{number}"', f'"doc_key": "{3 - number}"') for number, line in enumerate(lines)]
    (files / "key.jsonl").write_text("\n".join(key))
    assert scoref.score(files / "key.jsonl", files / "unnamed.jsonl")["conll"].f1 == 1


def test_words_of_allennlp_are_compared(tmp_path: Path) -> None:
    tokens = ["Ada", "ran", ".", "She", "fell", "."]
    record = {"top_spans": [[0, 0]], "document": tokens, "clusters": [[[0, 0], [3, 3]]]}
    scoref.write([Document(name, tokens, [Mention.at(0, 0, 1), Mention.at(3, 3, 1)]) for name in "ab"],
                 tmp_path / "key.conll")  # fmt: skip
    (tmp_path / "response.jsonl").write_text("\n".join([json.dumps(record)] * 2))
    assert scoref.score(tmp_path / "key.conll", tmp_path / "response.jsonl")["conll"].f1 == 1
    record["document"] = ["Bob", *tokens[1:]]
    (tmp_path / "response.jsonl").write_text("\n".join([json.dumps(record)] * 2))
    with pytest.raises(Error) as error:
        scoref.score(tmp_path / "key.conll", tmp_path / "response.jsonl")
    assert error.value.code == "different-word"


def test_long_texts_that_are_plainly_others_are_not_aligned(monkeypatch):
    random = Random(3)
    words = ["".join(random.choices("abcdefghij", k=5)) for _ in range(4000)]
    key = Document("d", tuple(random.choices(words, k=8000)), [Mention.at(0, 0, 1)])
    other = Document("d", tuple(random.choices(words, k=7000)), [Mention.at(0, 0, 1)])
    monkeypatch.setattr("scoref.texts.align.align", lambda *_: pytest.fail("aligned"))
    with pytest.raises(scoref.Error, match="hardly anything") as error:
        scoref.score(key, other)
    assert error.value.code == "not-the-same-text"
    monkeypatch.undo()
    cut = Document("d", tuple(word for number, word in enumerate(key.words) if number % 50), [Mention.at(0, 0, 1)])
    assert scoref.score(key, cut).drift["share"] > 0.97
