from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from paging import unpacked
from places import SHARED, recorded
from scoref import Document, Error, Mention, clusters, formats
from scoref.cli.program import main
from scoref.document.document import position, word_of
from scoref.matching.match import MATCHERS
from scoref.page.build import page
from scoref.protocol.choices import CHOICES

FILE = SHARED / "data" / "marked-text" / "cases.jsonl"

TEXT = "Ada phoned the old plumber from Leeds . She told him that the tap in her kitchen was dripping ."
KEY = Document(
    "tale",
    tuple(TEXT.split()),
    (
        Mention.at(0, 0, "1"), Mention.at(2, 6, "2"), Mention.at(8, 8, "1"), Mention.at(10, 10, "2"),
        Mention.at(12, 16, "3"), Mention.at(15, 15, "1"),
    ),
)  # fmt: skip
SAME = (
    "[Ada](#1) phoned [the old plumber from Leeds](#2) . [She](#1) told [him](#2) that"
    " [the tap in [her](#1) kitchen](#3) was dripping ."
)
CHANGED = (
    "Here it is: [Ada](#1) phoned [The old plumbr from Leeds](#2). [She](#1) told [him](#2), [the poor man](#2), that"
    " [the tap in [her](#1) kitchen](#3) was"
)


def text(string: str, style: str | None = None, policy: str = "raise") -> list[Document]:
    problems = scoref.problems.Problems(policy)
    return formats.read_source(formats.Source(string.encode(), "r.txt", marks=style), "text", problems)[1]


def placed(result):
    mentions = result.evidence.pairs[0].response.mentions
    return [[*(word_of(end) for end in (each.span[0], each.span[-1])), each.entity] if each.span
            else [None, None, each.entity] for each in mentions]  # fmt: skip


@pytest.mark.parametrize("case", recorded(FILE))
def test_recorded_cases(case, tmp_path):
    path = tmp_path / "response.txt"
    path.write_text(case["text"], encoding="utf-8")
    key = Document("d", tuple(case["words"]))
    result = scoref.score(key, path, drift="ignore", on_problem="skip", response_format="text")
    assert placed(result) == case["mentions"]
    steps = {kind: number for kind, number in result.drift["steps"].items() if number}
    expected = dict(case["alignment"])
    expected.pop("cost")
    missing = expected.pop("missing-at-end")
    assert steps == expected
    assert {kind: number for kind, number in result.drift["dropped"].items() if number} == case["notes"]
    cut = {"d": {"after": len(case["words"]) - missing, "of": len(case["words"])}} if missing else {}
    assert result.drift["cut_off"] == cut
    assert result.drift["lost"] == sum(first is None for first, *_ in case["mentions"])
    assert result.protocol.text == ("align" if set(steps) - {"same"} else "same")


def test_the_same_text_says_nothing():
    result = scoref.score(KEY, text(SAME))
    assert result["conll"].f1 == 1
    assert "text:" not in result.signature
    assert "lost:" not in result.signature
    assert result.drift["share"] == 1
    assert [note for note in result.notes() if not note.startswith(("b3 recall", "signature"))] == ["1 document"]


def test_another_text_is_aligned_and_said():
    result = scoref.score(KEY, text(CHANGED))
    assert "|text:align|lost:count|" in result.signature
    assert result["mentions"].recall == 1
    assert result["mentions"].precision == 6 / 7
    notes = "\n".join(result.notes())
    assert "90.00% are aligned" in notes
    assert "cut off after word 18 of 20 (tale)" in notes
    assert "1 of 7 mentions are lost" in notes
    assert json.loads(json.dumps(result.to_dict()))["drift"]["lost"] == 1


def test_lost_mentions_count_like_mentions_that_the_key_lacks():
    """A lost mention costs what any mention without a twin costs: one of words that no key mention has."""
    lost = scoref.score(KEY, text(CHANGED), metrics="all")
    elsewhere = Mention.at(17, 18, "2")
    response = Document("tale", KEY.words, (*KEY.mentions, elsewhere))
    assert lost.scores == scoref.score(KEY, response, metrics="all").scores
    dropped = scoref.score(KEY, text(CHANGED), metrics="all", lost="drop")
    assert dropped.scores == scoref.score(KEY, KEY, metrics="all").scores
    assert "|text:align|lost:drop|" in dropped.signature
    both = scoref.score(KEY, text(CHANGED), settings=["lost:drop"])
    assert both.settings["lost:drop"]["conll"].f1 == 1


@pytest.mark.parametrize("match", [name for name in MATCHERS if name not in ("min", "min-coval", "dice")])
@pytest.mark.parametrize("duplicates", ["reference", "first", "keep", "list", "ua-1.0"])
def test_lost_mentions_match_nothing(match, duplicates):
    choices = {"match": match, "duplicates": duplicates, "metrics": ["mentions"]}
    heads = [each._replace(head=each.span[0]) for each in KEY.mentions]
    tree = {"HEAD": ["0"] * len(KEY.words)}
    key = replace(KEY, mentions=heads, columns=tree)
    (response,) = text(CHANGED)
    result = scoref.score(key, [response], **choices)
    dropped = scoref.score(key, [response], lost="drop", **choices)
    assert result.counts["mentions"][0, 0] == dropped.counts["mentions"][0, 0]
    assert result.counts["mentions"][0, 3] == dropped.counts["mentions"][0, 3] + 1


@pytest.mark.parametrize(("choice", "word"), [(choice, word) for choice in CHOICES for word in CHOICES[choice].words])
def test_every_choice_takes_lost_mentions(choice, word):
    parse = ["(TOP(S(NP*)", "(VP*", "(NP(NP*", "*", "*)", "(PP*", "(NP*))))", "*))", "(TOP(S(NP*)", "(VP*", "(NP*)"]
    parse += ["(SBAR*", "(S(NP(NP*", "*)", "(PP*", "(NP*", "*)))", "(VP*", "(VP*)))))", "*))"]
    heads = tuple(each._replace(head=each.span[0]) for each in KEY.mentions)
    key = replace(KEY, mentions=heads, sentences=(0, 8),
                  columns={"parse": parse, "pos": ["NN"] * len(parse), "HEAD": ["0"] * len(parse)})  # fmt: skip
    metrics = ["nugget-type"] if choice == "sequencing" else ["all"] if word != "distribute" else ["b3", "ceafe"]
    try:
        result = scoref.score(key, text(CHANGED), metrics=["anaphors:pronoun", *metrics][choice == "layer" :],
                              **{choice: word} if not CHOICES[choice].found else {})  # fmt: skip
    except Error as error:
        refused = {"no-minimum", "nothing-cut", "no-types", "no-kbids", "no-attribute", "not-sampled"}
        assert error.code in {"unknown-metric", "undefined-metric", *refused}  # noqa: PT017
    else:
        assert result.drift["lost"] == 1


def test_explanations_take_lost_mentions():
    assert scoref.explain(KEY, text(CHANGED))


def test_signatures_are_read_back():
    protocol = scoref.score(KEY, text(CHANGED)).protocol
    assert scoref.Protocol.parse(protocol.signature()) == protocol
    assert scoref.Protocol.parse(protocol.full()) == protocol


def test_less_than_half_is_refused():
    with pytest.raises(Error) as error:
        scoref.score(KEY, text("[Ada](#1) phoned [the old plumber](#2)"))
    assert error.value.code == "not-the-same-text"
    assert error.value.path == "r.txt"
    assert (
        scoref.score(KEY, text("[Ada](#1) phoned [the old plumber](#2)"), drift="ignore")["mentions"].precision == 0.5
    )
    with pytest.raises(Error) as error:
        scoref.score(KEY, text(SAME), drift="x")
    assert error.value.code == "unknown-drift"


def test_documents_pair_by_names_else_by_order():
    other = replace(KEY, id="other")
    crac = formats.dumps([KEY, KEY], "text", "crac")
    result = scoref.score([KEY, other], text(crac))
    assert result["conll"].f1 == 1
    assert [problem.code for problem in result.problems] == ["paired-by-order"]
    with pytest.raises(Error):
        scoref.score([KEY, other, replace(KEY, id="third")], text(crac))
    named = f"#begin document other\n{SAME}\n#end document\n#begin document tale\n{SAME}\n#end document\n"
    result = scoref.score([KEY, other], text(named))
    assert (result["conll"].f1, result.problems) == (1, ())


def test_two_texts():
    result = scoref.score(text(SAME), text(CHANGED))
    assert result["mentions"].recall == 1
    assert result.protocol.text == "align"
    back = scoref.score(text(CHANGED), text(SAME))
    assert back["mentions"].precision == 1


def test_a_text_as_key_of_a_response_with_words():
    assert scoref.score(text(CHANGED), KEY)["mentions"].precision == 1


def test_a_key_without_words_is_refused():
    with pytest.raises(Error) as error:
        scoref.score(Document("tale", (), KEY.mentions), text(SAME))
    assert error.value.code == "no-words"
    with pytest.raises(Error) as error:
        scoref.score(text(SAME), Document("", (), KEY.mentions))
    assert error.value.code == "no-words"


def test_blanks_in_words_of_the_key():
    key = Document("d", ("In", "New York", "she", "ran"), (Mention.at(1, 1, "1"), Mention.at(2, 2, "2")))
    assert scoref.score(key, text("In New_York|[e1] she|[e2] ran"))["mentions"].f1 == 1
    assert scoref.score(key, text("In New_York|[e1] she|[e2] ran")).protocol.text == "same"
    assert scoref.score(key, text("In [New York](#1) [she](#2) ran"))["mentions"].f1 == 1


def test_heads_and_zeros_are_those_of_the_tree():
    """The key's zero stands before its verb, in crac behind it; heads of the response come from the key's tree."""
    place = position(1, 1)
    key = Document(
        "d", ("old", "Ada", "ran", "away"),
        (
            Mention.at(0, 1, "1", head=position(1)),
            Mention((place,), "1", head=place, parents=((position(2), "nsubj"),)),
        ),
        columns={"HEAD": ["2", "3", "0", "3"], "DEPREL": ["amod", "nsubj", "root", "advmod"]},
    )  # fmt: skip
    (response,) = text(formats.dumps([key], "text", "crac"))
    assert response.mentions[-1].span == (position(2, 1),)
    result = scoref.score(key, response, protocol="crac-2026")
    assert result["conll"].f1 == 1
    shorter = text("old Ada|[e1] ran ##|[e1] away")
    assert scoref.score(key, shorter, protocol="crac-2026")["conll"].f1 == 1
    assert scoref.score(key, shorter, protocol="crac-2026", match="exact")["conll"].f1 < 1


# -- random drift ----------------------------------------------------------------------------------------------------

_OPERATIONS = ("lost", "added", "respelt", "joined", "same")


@st.composite
def drifted(draw):
    """A key of words that occur once, its text after random drift, and for each word whether it is still there.

    Every fourth word may change, but none at the ends: there it can cost less to take words for missing and added.
    """
    size = draw(st.integers(8, 40))
    words = [f"{'abcdefghij'[number % 10]}{number}x{number * 7919}" for number in range(size)]
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, 3))
    spans = sorted({(first, min(first + more, size - 1)) for first, more in draw(st.lists(ends, max_size=6))})
    nested = [span for number, span in enumerate(spans)
              if not any(a < span[0] <= b < span[1] for a, b in spans[:number])]  # fmt: skip
    drawn = draw(st.lists(st.sampled_from(_OPERATIONS), min_size=size, max_size=size))
    operations = [each if number % 4 == 0 and 4 <= number < size - 4 else "same" for number, each in enumerate(drawn)]
    pieces, there = [], []
    for number, (word, operation) in enumerate(zip(words, operations, strict=True)):
        opens = "[" * sum(first == number for first, _ in nested)
        closes = "".join(f"](#e{first}-{last})" for first, last in sorted(nested, reverse=True) if last == number)
        shown = {"lost": "", "respelt": word.upper(), "added": f"{word} §§§§"}.get(operation, word)
        joined = operation == "joined" and pieces != [] and pieces[-1][-1:].isalnum() and not opens
        pieces.append(opens + shown + closes)
        if joined:
            pieces[-2:] = [pieces[-2] + pieces[-1]]
        there.append(operation != "lost")
    mentions = tuple(Mention.at(first, last, f"e{first}-{last}") for first, last in nested)
    return Document("d", tuple(words), mentions), " ".join(pieces), there


@settings(max_examples=200)
@given(drifted())
def test_mentions_whose_words_survive_are_found(example):
    """Words occur once and look like no other, so each that survives can belong to itself alone."""
    key, string, there = example
    documents = text(string, "markdown", "skip")
    result = scoref.score(key, documents, drift="ignore")
    found = placed(result)
    assert len(found) <= len(key.mentions)
    for mention in key.mentions:
        first, last = word_of(mention.span[0]), word_of(mention.span[-1])
        words = [word for word in range(first, last + 1) if there[word]]
        if words:
            assert [words[0], words[-1], mention.entity] in found


# -- texts of mentions alone -----------------------------------------------------------------------------------------


def test_texts_of_mentions_are_placed_where_they_occur():
    response = clusters({"Ada": ["Ada", "She", "her"], "plumber": ["The old plumber from Leeds", "him", "Bob"]})
    result = scoref.score(KEY, response)
    assert placed(result) == [
        [0, 0, "Ada"], [8, 8, "Ada"], [15, 15, "Ada"], [2, 6, "plumber"], [10, 10, "plumber"], [None, None, "plumber"],
    ]  # fmt: skip
    assert result.to_dict()["answers"]["counts"] == {"lost": 1}
    assert "|text:strings|lost:count|place:order|" in result.signature
    assert scoref.score(KEY, response, lost="drop")["mentions"].precision == 1


@pytest.mark.parametrize(
    ("entities", "text", "says"),
    [
        ([["Ada"], ["the"]], "the", "occurs 2 times in the key, and is listed 1 time"),
        ([["She"], ["the", "the"], ["him"], ["him"]], "him", "occurs 1 time in the key, and is listed in 2 entities"),
    ],
)
def test_ambiguous_texts_are_refused(entities, text, says):
    with pytest.raises(Error) as error:
        scoref.score(KEY, clusters(entities), place="unique")
    assert error.value.code == "ambiguous-mention"
    assert error.value.problem.text == text
    assert says in str(error.value)


def test_a_text_listed_as_often_as_it_occurs_is_all_of_its_places():
    result = scoref.score(KEY, clusters([["the", "the"], ["her"]]))
    assert placed(result) == [[2, 2, 0], [12, 12, 0], [15, 15, 1]]


def test_parts_of_words_are_no_occurrences():
    result = scoref.score(KEY, clusters([["he", "is"]]))
    assert placed(result) == []
    assert result.to_dict()["answers"]["reasons"] == {"not-the-same-text": 1}


def test_errors_and_pages_have_lost_mentions():
    found = scoref.analyse(KEY, text(CHANGED)).errors
    assert [(error.kind, error.mentions[0].mention.id) for error in found] == [
        ("extra mention", "the poor man (lost 1)")
    ]
    shown = unpacked(page({"r": scoref.score(KEY, text(CHANGED))}))["document-0"]["systems"][0]["response"]
    lost = shown["mentions"][shown["texts"].index("the poor man (lost 1)")]
    assert lost == [1]


def test_lines_are_those_of_the_text():
    (response,) = text(CHANGED.replace("[She]", "\n\n[She]"))
    here = scoref.score(KEY, response).evidence.pairs[0].response
    assert [here.line_of(mention) for mention in here.mentions] == [1, 1, 3, 3, 1, 3, 3]


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    key, same, changed = tmp_path / "key.conll", tmp_path / "same.txt", tmp_path / "changed.txt"
    scoref.write([KEY], key)
    same.write_text(SAME, encoding="utf-8")
    changed.write_text(CHANGED, encoding="utf-8")
    return key, same, changed


def run(capsys, *arguments):
    code = main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_commands(files, capsys, tmp_path):
    key, same, changed = files
    code, out, _ = run(capsys, "score", key, changed, "--json")
    found = json.loads(out)
    assert (code, found["drift"]["steps"]["respelt"], found["drift"]["lost"]) == (0, 1, 1)
    code, out, _ = run(capsys, "compare", key, same, changed, "--json")
    assert (code, [each["lost"] for each in json.loads(out)["drift"].values()]) == (0, [0, 1])
    assert "text:align" in json.loads(out)["signature"]
    code, out, _ = run(capsys, "errors", key, changed)
    assert (code, "1 of 7 mentions are lost" in " ".join(out.split())) == (0, True)
    code, out, _ = run(capsys, "report", key, changed, "-o", tmp_path / "page.html")
    assert (code, (tmp_path / "page.html").exists()) == (0, True)
    code, out, _ = run(capsys, "validate", same, changed)
    assert (code, out.strip()) == (0, "0 problems in 2 files")
    code, out, _ = run(capsys, "convert", key, "-", "--to", "text", "--style", "crac")
    assert out.startswith("Ada|[1] phoned the|[2 old")
    code, out, _ = run(capsys, "convert", same, tmp_path / "same.jsonl")
    assert scoref.score(str(key), str(tmp_path / "same.jsonl"))["conll"].f1 == 1
    for path in (same, changed):
        assert run(capsys, "score", key, path, "--save", f"{path}.json")[0] == 0


def test_bad_input_says_where(files, capsys, tmp_path):
    key, _, _ = files
    bad = tmp_path / "bad.txt"
    bad.write_text(f"{SAME}\n[Ada [ran](#7)\n", encoding="utf-8")
    code, out, err = run(capsys, "score", key, bad, "--on-problem", "raise")
    assert (code, out) == (2, "")
    assert "[unclosed-mark]" in err
    assert f"{bad}:2" in err
    code, out, _ = run(capsys, "score", key, bad, "--on-problem", "skip", "--json")
    assert (code, json.loads(out)["drift"]["dropped"]["unclosed"]) == (0, 1)
    code, out, err = run(capsys, "score", key, bad, "--response-marks", "curly")
    assert (code, out) == (2, "")
    assert "[other-marks]" in err
    code, out, err = run(
        capsys, "score", key, bad, "--marks", "curly", "--drift", "ignore", "--response-format", "text"
    )
    assert code == 0
