"""The HTML page as text: what is in it, and that nothing from a file is markup. `browser/` has it in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from bisect import bisect_right
from html.parser import HTMLParser
from itertools import accumulate, combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paging
import scoref
from paging import unpacked
from places import EXAMPLES
from scoref.document.document import Bridge, Document, Mention, Origin, position, stretch
from scoref.errors.other_layers import nugget_rows
from scoref.page import build as viewer
from scoref.page.lettered import found_once, lettered, stepped

HOSTILE = "<script>alert(1)</script>"

some = settings(max_examples=60)


@given(st.lists(st.integers(-(10**7), 10**7)), st.lists(st.integers(0, 300), unique=True), st.data())
def test_letters_are_the_numbers_that_were_written(some, once, data):
    assert paging.numbers(lettered(some)) == some
    assert [*accumulate(paging.numbers(stepped(some)))] == some
    places = data.draw(st.lists(st.integers(0, len(once))))
    for place in places:
        once.insert(place, -1)
    assert paging.once(paging.numbers(found_once(once))) == once


def shown(key, response, **choices):
    return unpacked(viewer.page({"r": scoref.score(key, response, **choices)}))


def document(id, words, entities, **more):
    """A document in which a mention is a pair of first and last word, or a tuple of positions."""
    mentions = [
        Mention(stretch(*span) if isinstance(span, list) else span, name)
        for name, spans in entities.items()
        for span in spans
    ]
    return Document(id, tuple(words), tuple(mentions), **more)


def test_the_overview_says_what_other_tools_print():
    (system,) = shown(str(EXAMPLES / "tales/key.conll"), str(EXAMPLES / "tales/rules.conll"))["overview"]["systems"]
    rows = {row[0]: row for row in system["tools"]["rows"]}
    conll = system["tools"]["header"].index("conll")
    assert rows["yours"][conll][1] == "70.00"
    assert rows["e2e"][conll][1] == "64.21"  # as e2e-coref gives it


def test_a_page_of_thousands_of_documents_says_where_other_tools_are():
    many = [scoref.clusters([["a", "b"]], f"short {number}") for number in range(1001)]
    (system,) = shown(many, many)["overview"]["systems"]
    assert system["tools"]["rows"] == []
    assert "more than 1,000 documents: scoref explain KEY RESPONSE" in system["tools"]["note"]


WORDS = ["Ada", "met", "the", "old", "man", "and", "his", "dog"]
KEY = document("tale", WORDS, {"ada": [[0, 0]], "man": [[2, 4], [6, 6]], "dog": [[6, 7]]}, sentences=(0, 5))
RESPONSE = document("tale", WORDS, {"x": [[0, 0], [6, 6]], "y": [[2, 4]]}, sentences=(0, 5))


class Elements(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


# -- the page --------------------------------------------------------------------------------------------------------


def test_the_page_loads_nothing():
    page = viewer.page({"r": scoref.score([KEY], [RESPONSE])})
    for tag, attributes in Elements(page).found:
        assert tag not in ("img", "iframe", "object", "embed", "base", "video", "audio", "form")
        assert "src" not in attributes
        assert not re.match(r"(?!data:|#)", attributes.get("href", "#"))
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    assert not re.search(r"@import|url\(|https?:", style)
    policy = next(each["content"] for _, each in Elements(page).found if "http-equiv" in each)
    assert "default-src 'none'" in policy
    assert not re.search(r"connect-src|https?:|\*", policy)


def test_the_script_never_makes_markup_of_text():
    scripts = (*viewer._SCRIPTS, "board.js")  # that of boards stands alone
    script = "".join(map(viewer.asset, scripts))
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser", script
    )
    assert "</script" not in script.lower()
    assert sorted(scripts) == sorted(path.name for path in viewer._ASSETS.glob("*.js"))


def test_the_same_input_gives_the_same_page():
    pages = {viewer.page({"r": scoref.score([KEY], [RESPONSE])}) for _ in range(2)}
    assert len(pages) == 1


def test_nothing_from_a_file_is_markup():
    words = ["</script>", "<img src=x onerror=alert(1)>", "%%DATA%%", HOSTILE]
    key = document(HOSTILE, words, {HOSTILE: [[0, 1], [3, 3]]}, origin=Origin(f"{HOSTILE}.conll"))
    response = document(HOSTILE, words, {"<b>": [[0, 0], [3, 3]]})
    page = viewer.page({f"{HOSTILE}%%": scoref.score([key], [response])})
    assert HOSTILE not in page
    assert "onerror" not in page
    scripts = [attributes for tag, attributes in Elements(page).found if tag == "script"]
    assert len(scripts) == 6  # the overview, the document, errors, tangles, losses, the program
    data = unpacked(page)
    assert data["overview"]["documents"][0][0] == HOSTILE
    assert data["overview"]["systems"][0]["name"] == f"{HOSTILE}%%"
    assert data["document-0"]["units"] == words
    assert data["document-0"]["keys"][0]["entities"] == [HOSTILE]


# -- what it says ----------------------------------------------------------------------------------------------------


def test_the_overview_says_what_the_evaluation_says():
    short = [scoref.clusters([["a", "b"]], f"short {number}") for number in range(5)]
    evaluation = scoref.with_intervals(scoref.score([KEY, *short], [RESPONSE, *short]), trials=20)
    overview = unpacked(viewer.page({"mine": evaluation}))["overview"]
    assert overview["metric"] == "conll"
    assert overview["ruler"] == "b3"
    assert [each[0] for each in overview["documents"]] == ["tale", *(each.id for each in short)]
    assert [each[1:] for each in overview["documents"]] == [[8, 4], *[[0, 2]] * 5]
    (system,) = overview["systems"]
    assert system["name"] == "mine"
    assert system["signature"] == evaluation.signature
    for metric, *values in system["scores"]:
        assert values == pytest.approx(list(evaluation[metric]), abs=1e-6)
        for ours, theirs in zip(system["intervals"][metric], evaluation.intervals.scores[metric], strict=True):
            assert ours == pytest.approx(list(theirs), abs=1e-6)
    by_document = evaluation.by_document()
    for (name, *_), (f1, *_) in zip(overview["documents"], system["documents"], strict=True):
        assert f1 == pytest.approx(by_document[name]["conll"].f1, abs=1e-6)
    assert [each[1] for each in system["documents"]] == [3, *[2] * 5]


def test_other_settings_have_their_f1():
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    ((name, scores),) = shown(*files, settings=["match:min"])["overview"]["systems"][0]["settings"]
    assert name == "match:min"
    assert scores["b3"] == pytest.approx(scoref.score(*files, match="min")["b3"].f1, abs=1e-6)


def test_the_problems_found_are_shown():
    key = [KEY, scoref.clusters([["a", "b"]], "absent")]
    overview = shown(key, [RESPONSE], on_problem="skip")["overview"]
    assert any("missing" in note for note in overview["systems"][0]["problems"])


def test_what_was_left_out_of_a_system_stands_beside_its_score(tmp_path):
    (tmp_path / "empty.conll").write_text("")
    key, model = (EXAMPLES / "tales" / name for name in ("key.conll", "model.conll"))
    page = scoref.report(key, {"model": model, "empty": tmp_path / "empty.conll"}, on_problem="skip", trials=10)
    overview = unpacked(page)["overview"]
    said = ["", "1 × empty-file, 4 × missing-document"]
    assert [system["left_out"] for system in overview["systems"]] == said
    assert [row[-1] for row in overview["comparison"]["scores"]["rows"]] == said


def test_a_document_has_its_mentions_entities_and_twins():
    chunk = shown([KEY], [RESPONSE])["document-0"]
    assert chunk["kind"] == "words"
    assert chunk["units"] == WORDS
    assert chunk["sentences"] == [0, 5]
    (key,) = chunk["keys"]
    assert key["entities"] == ["ada", "man", "dog"]
    assert key["mentions"] == [[0, 0, 0], [1, 2, 4], [1, 6, 6], [2, 6, 7]]
    (system,) = chunk["systems"]
    assert system["response"]["entities"] == ["x", "y"]
    assert system["response"]["mentions"] == [[0, 0, 0], [0, 6, 6], [1, 2, 4]]
    assert system["twins"] == [0, 2, 1]


def test_entities_have_their_numerators_and_denominators():
    """B³: of the man's two mentions each finds itself only (1/2 each), the dog is not found."""
    (system,) = shown([KEY], [RESPONSE])["document-0"]["systems"]
    assert system["recall"] == [[1, 1], [1, 2], [0, 1]]
    assert system["precision"] == [[1, 2], [1, 1]]


def test_errors_are_counted_and_placed():
    data = shown([KEY], [RESPONSE])
    kinds = data["overview"]["kinds"]
    assert kinds == [
        "span error", "conflated entities", "extra mention", "extra entity",
        "divided entity", "missing mention", "missing entity",
    ]  # fmt: skip
    errors = {kinds[kind]: mentions for kind, mentions, *_ in data["document-0"]["systems"][0]["errors"]}
    assert errors == {"conflated entities": [[1, 1]], "divided entity": [[0, 2]], "missing entity": [[0, 3]]}
    counts = {kind: number for kind, number, *_ in data["overview"]["systems"][0]["errors"] if number}
    assert counts == dict.fromkeys(errors, 1)
    assert data["overview"]["systems"][0]["documents"][0][2:] == [0, 1, 0, 0, 1, 0, 1]
    together = data["overview"]["systems"][0]["errors"][-1][3]
    assert together == pytest.approx(1 - scoref.score([KEY], [RESPONSE])["conll"].f1, abs=1e-6)  # all is repaired


def test_a_perfect_response_has_no_errors():
    data = shown([KEY], [KEY])
    assert data["document-0"]["systems"][0]["errors"] == []
    assert all(numerator == denominator for numerator, denominator in data["document-0"]["systems"][0]["recall"])


# -- kinds of documents ----------------------------------------------------------------------------------------------


def test_opaque_mentions_have_texts_and_no_place():
    chunk = shown({"Ada": ["Ada", "she"]}, {"Ada": ["Ada"], "B": [("x", 1)]})["document-0"]
    assert chunk["kind"] == "none"
    assert chunk["units"] == []
    assert chunk["keys"][0]["mentions"] == [[0], [0]]
    assert chunk["keys"][0]["texts"] == ["Ada", "she"]
    assert chunk["systems"][0]["response"]["texts"] == ["Ada", "('x', 1)"]


def test_empty_and_missing_documents():
    key = [Document("nothing"), document("words", ["a", "b"], {}), KEY]
    data = shown(key, [Document("nothing"), document("words", ["a", "b"], {})], on_problem="skip")
    assert data["document-0"]["units"] == []
    assert data["document-1"]["units"] == ["a", "b"]
    assert data["document-2"]["systems"][0]["response"]["mentions"] == []
    assert data["overview"]["systems"][0]["documents"][2][1] == 0


def test_words_that_are_not_written_are_numbers():
    skeleton = document("d", ["_"] * 100, {1: [[3, 4], [90, 90]]})
    chunk = shown([skeleton], [skeleton])["document-0"]
    assert chunk["kind"] == "numbers"
    assert chunk["units"][:3] == ["1", "2", "3"]
    assert chunk["sentences"] == [0, 40, 80]


def test_zeros_of_a_text_without_words():
    key = Document("d", (), (Mention((position(2, 1),), "A"), Mention(stretch(0, 1), "A")))
    chunk = shown([key], [key])["document-0"]
    assert (chunk["kind"], chunk["units"]) == ("numbers", ["1", "2", "3", "∅"])
    assert chunk["keys"][0]["mentions"] == [[0, 3, 3], [0, 0, 1]]


def test_empty_nodes_are_units_of_their_own():
    zero = (position(1, 1),)
    key = document("d", ["we", "saw", "him"], {1: [[0, 0], zero], 2: [(*stretch(1, 1), *zero, *stretch(2, 2))]})
    chunk = shown([key], [document("d", key.words, {1: [[0, 0]], 2: [[1, 2]]})], zeros="linear")["document-0"]
    assert chunk["units"] == ["we", "saw", "∅", "him"]
    assert chunk["empty"] == [2]
    assert chunk["keys"][0]["mentions"] == [[0, 0, 0], [0, 2, 2], [1, 1, 3]]
    assert chunk["systems"][0]["response"]["mentions"] == [[0, 0, 0], [1, 1, 3]]  # nothing but the zero is between


def test_mentions_with_gaps_have_several_pieces():
    span = (position(0), position(2), position(3), position(5))
    key = document("d", ["a", "b", "c", "d", "e", "f"], {1: [span, [4, 4]]})
    chunk = shown([key], [key])["document-0"]
    assert chunk["keys"][0]["mentions"][0] == [0, 0, 0, 2, 3, 5, 5]


def test_sets_bridges_and_what_does_not_refer():
    key = document(
        "d",
        ["Mia", "Tom", "they", "car", "wheel", "it"],
        {1: [[0, 0]], 2: [[1, 1]], 3: [[2, 2]], 4: [[3, 3]], 5: [[4, 4]]},
        sets={3: (1, 2)},
        bridges=(Bridge(4, 3, (("Rel", "part"),)),),
        nonreferring=frozenset([4]),
    )
    evaluation = scoref.score([key], [key], protocol="codi-crac-2022", singletons="keep")
    side = unpacked(viewer.page({"r": evaluation}))["document-0"]["keys"][0]
    assert side["sets"] == [[side["entities"].index("3"), ["1", "2"]]]
    ((_, _, anaphor, antecedent, attributes),) = side["bridges"]
    assert (anaphor, antecedent, attributes) == ("wheel", "car", [["Rel", "part"]])


def test_bridges_lead_to_mentions_that_are_scored():
    data = shown(EXAMPLES / "key.conllua", EXAMPLES / "response.conllua")
    for side in (data["document-0"]["keys"][0], data["document-0"]["systems"][0]["response"]):
        texts = [" ".join(data["document-0"]["units"][low : high + 1]) for _, low, high in side["mentions"]]
        ends = [end for bridge in side["bridges"] for end in zip(bridge[:2], bridge[2:4], strict=True)]
        scored = [(texts[place], words) for place, words in ends if place >= 0]
        assert scored
        assert all(text == words for text, words in scored)


def test_event_nuggets_of_which_only_mentions_are_known():
    data = shown(EXAMPLES / "nuggets" / "key", EXAMPLES / "nuggets" / "response")
    overview, chunk = data["overview"], data["document-0"]
    assert overview["nuggets"]
    assert chunk["kind"] == "pieces"
    assert {"rang", "put", "out", "blaze", "hurt", "close"} <= set(chunk["units"])
    attributes = chunk["keys"][0]["attributes"]
    assert ["type", "Fire_Start"] in attributes["known"][attributes["each"][0]]
    rows = nugget_rows(scoref.score(EXAMPLES / "nuggets" / "key", EXAMPLES / "nuggets" / "response"))
    for status in ("partial", "wrong type", "wrong realis", "missed", "spurious"):
        kind = overview["kinds"].index(status)
        for number, (name, *_) in enumerate(overview["documents"]):
            found = [error for error in data[f"document-{number}"]["systems"][0]["errors"] if error[0] == kind]
            assert len(found) == sum(row.kind == status and row.document == name for row in rows)


def test_parts_of_a_word_that_only_mentions_know_stay_together():
    def side(*mentions):
        return Document("d", (), tuple(Mention(stretch(first, last), text, text, (), (("text", text), ("type", "X")))
                                       for first, last, text in mentions))  # fmt: skip

    chunk = shown([side((0, 10, "polygamists"))], [side((0, 3, "poly"), (12, 13, "at"))], protocol="evmeval-1.8")
    document = chunk["document-0"]
    assert document["units"] == ["poly", "gamists", "…", "at"]
    assert document["glued"] == [0]


def test_texts_of_characters_are_cut_at_blanks_and_at_mentions():
    text = "The chairman's\ncar stopped"
    span = tuple(position(place) for place in range(4, 12))
    key = Document("d", mentions=(Mention(span, 1), Mention((position(15), position(16), position(17)), 2)),
                   columns={"text": [text]})  # fmt: skip
    chunk = shown([key], [key], singletons="keep")["document-0"]
    assert chunk["kind"] == "characters"
    assert chunk["units"] == ["The", "chairman", "'s", "car", "stopped"]
    assert chunk["glued"] == [1]
    assert chunk["sentences"] == [0, 3]
    assert chunk["keys"][0]["mentions"] == [[0, 1, 1], [1, 3, 3]]


def test_entities_of_a_whole_corpus():
    parts = [document(name, ["Ada", "she"], {"ada": [[0, 0], [1, 1]]}) for name in ("one", "two")]
    data = shown(parts, [parts[0], document("two", ["Ada", "she"], {"ada": [[0, 0]]})], scope="corpus")
    assert [each[0] for each in data["overview"]["documents"]] == ["one", "two"]
    assert data["document-1"]["systems"][0]["recall"] == [[pytest.approx(9 / 4), 4]]  # B³: three of four are together
    assert sum(len(data[f"document-{number}"]["systems"][0]["errors"]) for number in range(2)) == 1


words = st.lists(st.sampled_from(["a", "b", "</b>", "é", "你好"]), min_size=1, max_size=12)


@some
@given(words, st.data())
def test_pieces_are_the_words_of_mentions(words, data):
    places = st.integers(0, len(words) - 1).flatmap(lambda word: st.integers(0, 2).map(lambda n: position(word, n)))
    spans = data.draw(st.lists(st.sets(places, min_size=1, max_size=6), max_size=6))
    mentions = {tuple(sorted(span)): number % 3 for number, span in enumerate(spans)}
    key = Document("d", tuple(words), tuple(Mention(span, name) for span, name in mentions.items()))
    chunk = shown([key], [key], zeros="linear", singletons="keep")["document-0"]
    empty = set(chunk.get("empty", ()))
    assert [unit for number, unit in enumerate(chunk["units"]) if number not in empty] == words
    for (_, *pieces), mention in zip(chunk["keys"][0]["mentions"], key.mentions, strict=True):
        units = [unit for low, high in zip(pieces[::2], pieces[1::2], strict=True) for unit in range(low, high + 1)]
        written = [chunk["units"][unit] for unit in units if unit not in empty]
        assert written == [words[place >> 8] for place in mention.span if not place & 255]
        assert pieces == sorted(pieces)


def drawn_as_right(chunk):
    """Which mentions of key and response the page draws as right: see mentionClasses in text.js."""
    (system,), (key,) = chunk["systems"], chunk["keys"]
    right = [set(), set()]
    for index, twin in enumerate(system["twins"]):
        owner = system["response"]["mentions"][index][0]
        if twin >= 0 and index not in system.get("near", ()) and system["partners"][owner] == key["mentions"][twin][0]:
            right[0].add(twin)
            right[1].add(index)
    return right


@some
@given(st.data())
def test_a_mention_is_drawn_as_right_if_it_has_a_twin_and_their_entities_are_partners(data):
    """Slow and literal: partners share most mentions, the pair that shares most is taken first."""
    spans = st.integers(0, 9).flatmap(
        lambda first: st.integers(first, min(first + 2, 9)).map(lambda last: (first, last))
    )
    sides = [data.draw(st.dictionaries(spans, st.integers(0, 3), max_size=12)) for _ in range(2)]
    texts = [Document("d", tuple("abcdefghij"), tuple(Mention(stretch(*span), name) for span, name in side.items()))
             for side in sides]  # fmt: skip
    evaluation = scoref.score([texts[0]], [texts[1]], singletons="keep")
    chunk = unpacked(viewer.page({"r": evaluation}))["document-0"]
    drawn = drawn_as_right(chunk)
    marks = scoref.Analysis(evaluation).marks(0)
    for side in range(2):
        assert drawn[side] == {index for index, mark in enumerate(marks[side]) if mark == "right"}
    both = [span for span in sides[0] if span in sides[1]]
    for span in both:  # where two entities share all their mentions, these are right
        ours = {each for each, name in sides[0].items() if name == sides[0][span]}
        theirs = {each for each, name in sides[1].items() if name == sides[1][span]}
        if ours == theirs:
            assert list(sides[0]).index(span) in drawn[0]
    named = {(side, index) for _, mentions, *_ in chunk["systems"][0]["errors"] for side, index in mentions}
    anchored = {tuple(anchor) for kind, _, anchor, *_ in chunk["systems"][0]["errors"] if kind == 0 and anchor}
    assert not {(side, index) for side in range(2) for index in drawn[side]} & (named | anchored)


def test_errors_of_every_layer_have_places():
    pair = EXAMPLES / "key.conllua", EXAMPLES / "response.conllua"
    evaluation = scoref.score(*pair, layer="all")
    data = unpacked(viewer.page({"r": evaluation}))
    mistakes = list(scoref.Analysis(evaluation).mistakes())
    assert any(mistake.kind.startswith(("bridging", "non-referring", "deixis")) for mistake in mistakes)
    chunks = [data[f"document-{number}"] for number in range(len(data["overview"]["documents"]))]
    assert sum(len(chunk["systems"][0]["errors"]) for chunk in chunks) == len(mistakes)
    for chunk in chunks:
        for _, mentions, _, *said in chunk["systems"][0]["errors"]:
            assert any(said)
            for side, index in mentions:
                assert index < len((chunk["systems"][0]["response"] if side else chunk["keys"][0])["mentions"])


def test_documents_without_mentions_have_no_score():
    empty = document("empty", ["a", "b"], {})
    system = shown([KEY, empty], [RESPONSE, empty])["overview"]["systems"][0]
    assert [row[0] is None for row in system["documents"]] == [False, True]


def test_texts_are_laid_out_as_their_file_says(tmp_path):
    file = tmp_path / "d.conllu"
    lines = [("1", "Ada", "_"), ("2", "left", "SpaceAfter=No"), ("3", ".", "_")]
    rows = ["\t".join((number, word, *"_______", misc)) for number, word, misc in lines]
    rows[0] = rows[0][:-1] + "Entity=(e1-person-1-)"
    comments = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
    second = [*rows[:1], *rows[1:]]
    body = [*comments, "# newpar = head", "# speaker = Bo", *rows, "", "# newpar", "# speaker = Cy", *second, "", ""]
    file.write_text("\n".join(body), encoding="utf-8")
    chunk = shown(file, file, singletons="keep")["document-0"]
    assert chunk["glued"] == [1, 4]
    assert chunk["paragraphs"] == [0, 3]
    assert chunk["headings"] == [0]
    assert chunk["speakers"] == [[0, "Bo"], [3, "Cy"]]


def test_an_entity_of_several_documents_has_one_label_and_is_found_everywhere():
    parts = [document(name, ["Ada", "she"], {"ada": [[0, 0]], name: [[1, 1]]}) for name in ("one", "two")]
    data = shown(parts, parts, scope="corpus", singletons="keep")
    labels = [data[f"document-{n}"]["keys"][0]["labels"][0] for n in range(2)]
    hues = [data[f"document-{n}"]["keys"][0]["hues"][0] for n in range(2)]
    assert (labels[0], hues[0]) == (labels[1], hues[1])
    number = data["document-1"]["keys"][0]["numbers"][0]
    assert data["entities-0"][0][number] == [[0, 0, "Ada"], [1, 0, "Ada"]]


def test_the_tables_of_errors_and_tangles_say_what_the_analysis_says():
    other = document("other", WORDS, {"x": [[0, 0], [2, 4]]})
    evaluation = scoref.score([KEY, other], [RESPONSE, document("other", WORDS, {"x": [[0, 0]]})])
    found = scoref.Analysis(evaluation)
    data = unpacked(viewer.page({"r": evaluation}))
    columns = data["errors-0"]["columns"]
    mistakes = list(found.mistakes())
    assert sorted(columns["words"]) == sorted(mistake.mentions[0].text for mistake in mistakes)
    assert data["tangles-0"]["cost"] == pytest.approx([100 * each.cost["conll"] for each in found.tangles], abs=0.0051)
    for tangle, kind in zip(columns["tangle"], columns["kind"], strict=True):
        assert 0 <= tangle < len(found.tangles), kind


def apart(one, other):
    return min((one - other) % 360, (other - one) % 360)


def together(chunk, system):
    """Sets of coloured entities of the key that stand near each other: in a tangle, or in three sentences."""
    key, response = chunk["keys"][system["key"]], system["response"]
    near = [{each for each in ours if key["hues"][each] >= 0} for _, _, ours, _ in system["tangles"]]
    sentences = {}
    for side, of in ((key, range(len(key["entities"]))), (response, system["partners"])):
        for entity, *pieces in side["mentions"]:
            if side["hues"][entity] >= 0:
                sentences.setdefault(bisect_right(chunk["sentences"], pieces[0]), set()).add(of[entity])
    return near + [sentences[at] | sentences.get(at + 1, set()) | sentences.get(at + 2, set()) for at in sentences]


def test_entities_that_stand_near_each_other_have_hues_that_differ():
    """Of up to 14, as many as can be 25 degrees apart."""
    names = ("rules", "model")
    evaluations = {each: scoref.score(EXAMPLES / "tales/key.conll", EXAMPLES / f"tales/{each}.conll") for each in names}
    data = unpacked(viewer.page(evaluations))
    pairs = []
    for number in range(4):
        chunk = data[f"document-{number}"]
        for system in chunk["systems"]:
            hues = chunk["keys"][system["key"]]["hues"]
            for some in together(chunk, system):
                pairs += [(len(some), hues[a], hues[b]) for a, b in combinations(sorted(some), 2)]
            partners = zip(system["response"]["hues"], system["partners"], strict=True)
            assert all(hue == (hues[partner] if partner >= 0 else -1) for hue, partner in partners)
    assert len(pairs) > 1000
    assert [each for each in pairs if each[0] <= 14 and apart(*each[1:]) < 25] == []


# -- several systems -------------------------------------------------------------------------------------------------


def test_several_systems_share_the_key():
    comparison = scoref.compare([KEY] * 1, {"one": [RESPONSE], "two": [KEY]}, trials=20)
    data = unpacked(viewer.page(comparison.systems, comparison))
    chunk, overview = data["document-0"], data["overview"]
    assert len(chunk["keys"]) == 1
    assert [system["key"] for system in chunk["systems"]] == [0, 0]
    assert [len(system["errors"]) for system in chunk["systems"]] == [3, 0]
    differences = overview["comparison"]["differences"]
    assert len(differences) == len(comparison.tests)
    for (metric, a, b, difference, *_), test in zip(differences, comparison.tests, strict=True):
        assert (metric, a, b) == (test.metric, 0, 1)
        assert difference == pytest.approx(test.difference, abs=1e-6)


def test_systems_must_have_the_same_documents():
    other = scoref.score([document("other", WORDS, {})], [document("other", WORDS, {})])
    with pytest.raises(scoref.Error, match="other-documents"):
        viewer.page({"one": scoref.score([KEY], [RESPONSE]), "two": other})
    with pytest.raises(scoref.Error, match="no-system"):
        viewer.page({})


def test_a_saved_evaluation_has_no_texts(tmp_path):
    scoref.save(scoref.score([KEY], [RESPONSE]), tmp_path / "saved.json")
    with pytest.raises(scoref.Error, match="no-texts"):
        viewer.page({"r": scoref.load(tmp_path / "saved.json")})


def test_a_large_report_stays_small():
    """100 documents of 500 words with 200 mentions a side: less than 1 MB."""
    key = [document(f"d{n}", [f"w{n * w % 977}" for w in range(500)],
                    {e: [[w, w] for w in range(e, 500, 50)] for e in range(20)}) for n in range(100)]  # fmt: skip
    assert len(viewer.page({"r": scoref.score(key, key)})) < 1_000_000


# -- digits ----------------------------------------------------------------------------------------------------------


def scored_as(shared, mentions):
    """One entity of key and response with so many mentions in both, and as many more on one side as give the sum."""
    key = [f"m{number}" for number in range(shared)]
    return scoref.score([key], [[*key, *(f"x{number}" for number in range(mentions - 2 * shared))]])


# f1 of mentions is 2 shared / mentions; of 5/32, 3/32 and 1/32 the percentage lies in the middle of two printed ones
HALVES = [(5, 64), (3, 64), (1, 64), (5, 32), (497, 1600), (99, 1024)]
every = ((shared, mentions) for mentions in range(2, 1200) for shared in range(1, mentions // 2))
wrong_if_rounded_twice = (
    each for each in every if f"{2 * each[0] / each[1]:.2%}" != f"{round(2 * each[0] / each[1], 6):.2%}"
)
NEAR_HALVES = [*islice(wrong_if_rounded_twice, 40)]


def percentages(text):
    """The percentages in the rows of a table of scores, by metric."""
    rows = [line for line in text.split("\n\n")[0].splitlines() if re.search(r"\d\.\d\d", line)]
    return {row.split()[0]: re.findall(r"\d+\.\d\d", row) for row in rows}


def in_browser(function, values):
    """What a function of the page's scripts gives for each of the values, without a browser: in Node.js."""
    if not (node := shutil.which("node")):
        pytest.skip("no Node.js: install it to run the page's functions without a browser")
    script = re.search(r"^// -- numbers and words.*?(?=^// -- )", viewer.asset("core.js"), re.M | re.S)[0]
    script += f"console.log(JSON.stringify(JSON.parse(process.argv[1]).map({function})))"
    run = subprocess.run([node, "-e", script, json.dumps(values)], text=True, capture_output=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize(("shared", "mentions"), [*HALVES, *NEAR_HALVES[:3]])
def test_the_page_has_the_scores_with_all_their_digits(shared, mentions):
    evaluation = scored_as(shared, mentions)
    (system,) = unpacked(viewer.page({"r": evaluation}))["overview"]["systems"]
    assert {name: tuple(values) for name, *values in system["scores"]} == dict(evaluation.scores)
    assert system["documents"][0][0] == evaluation["conll"].f1


def test_the_page_prints_the_percentages_of_score():
    evaluations = [scored_as(*each) for each in [*HALVES, *NEAR_HALVES]]
    pages = [unpacked(viewer.page({"r": each}))["overview"]["systems"][0]["scores"] for each in evaluations]
    shown = iter(in_browser("percent", [value for scores in pages for _, *values in scores for value in values]))
    assert all(pages)
    for evaluation, scores in zip(evaluations, pages, strict=True):
        printed = percentages(str(evaluation))
        for name, *values in scores:
            expected = printed[name]
            assert [next(shown) for _ in values][-len(expected) :] == expected, (evaluation, name)


@pytest.mark.parametrize("digits", range(5))
def test_digits_are_those_of_python(digits):
    values = [number / 2048 for number in range(-4096, 4096, 3)] + [number / 8 for number in range(801)]
    values += [number / 7 for number in range(700)] + [0.005, 1.005, 2.675, 64.475]
    assert in_browser(f"(value) => fixed(value, {digits})", values) == [f"{value:.{digits}f}" for value in values]


def test_costs_of_tangles_are_rounded_once_with_one_number_of_digits():
    for files in ("rules", "model"):
        evaluation = scoref.score(EXAMPLES / "tales/key.conll", EXAMPLES / f"tales/{files}.conll")
        data = unpacked(viewer.page({"r": evaluation}))
        costs = [100 * each.cost["conll"] for each in scoref.Analysis(evaluation).tangles]
        digits = data["overview"]["digits"]
        printed = [f"{value:.{digits}f}" for value in data["tangles-0"]["cost"]]
        assert printed == [f"{cost:z.{digits}f}" for cost in costs]
        assert in_browser(f"(value) => value.toFixed({digits})", data["tangles-0"]["cost"]) == printed
        known = {
            place: cost
            for number in range(4)
            for place, cost, *_ in data[f"document-{number}"]["systems"][0]["tangles"]
        }
        assert known == dict(enumerate(data["tangles-0"]["cost"]))
