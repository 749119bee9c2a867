"""Repairs, marks and files of changed responses, and what cannot be changed, against the library."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from editing import Edited
from engine import Engine, case, unpacked
from test_edits import EXACT, METRICS, corpus, differences, edited

import scoref
from places import EXAMPLES
from scoref.counting.coreference import ON_TABLE
from scoref.document.document import Document, Mention, position, stretch
from scoref.page import build as viewer
from scoref.page.changes import changing

WORDS = tuple("abcdefghijkl")
TALES = EXAMPLES / "tales"


@pytest.fixture(scope="module")
def engine(request):
    return Engine(lambda: request.getfixturevalue("browser"))


def of(id, entities, **more):
    """A document in which a mention is a pair of first and last word."""
    mentions = [Mention(stretch(*span), name) for name, spans in entities.items() for span in spans]
    return Document(id, WORDS, tuple(mentions), (0,), **more)


def scores_after(engine, evaluation, lists):
    (found,) = engine.call("scoresAfterEdits", [case({"r": evaluation}, lists)])
    return found


# -- repairs ----------------------------------------------------------------------------------------------------------


def test_a_repaired_tangle_gains_what_the_library_says_that_it_costs(engine):
    evaluation = scoref.score(TALES / "key.conll", TALES / "rules.conll")
    tangles = scoref.Analysis(evaluation).tangles
    lists = [[f"t.0.{tangle.number}.{number + 1}"] for number, tangle in enumerate(tangles)]
    found = scores_after(engine, evaluation, lists)
    costs = [scores["conll"][2] - evaluation["conll"].f1 for scores in found]
    assert len(costs) > 5
    assert costs == pytest.approx([tangle.cost["conll"] for tangle in tangles], abs=EXACT)


@pytest.mark.parametrize("seed", range(6))
def test_with_all_errors_repaired_the_response_is_the_key(engine, seed):
    keys, responses = corpus(Random(seed), 6)
    evaluation = scoref.score(keys, responses, metrics=["conll", "lea", "mentions"], on_problem="skip")
    _, chunks = unpacked(viewer.page({"r": evaluation}))
    every = [
        f"f.0.{number}.{at + 1}"
        for number, chunk in enumerate(chunks)
        for at in range(len(chunk["systems"][0]["errors"]))
    ]
    Random(seed).shuffle(every)  # the order in which they are ticked does not count
    perfect = scoref.score(keys, keys, metrics=["conll", "lea", "mentions"]).scores
    (found,) = scores_after(engine, evaluation, [every])
    assert len(every) > 10
    assert differences([found], [perfect]) == pytest.approx([0] * 9, abs=EXACT)


def test_every_error_of_the_tales_can_be_repaired_alone(engine):
    evaluation = scoref.score(TALES / "key.conll", TALES / "rules.conll")
    _, chunks = unpacked(viewer.page({"r": evaluation}))
    lists = [
        [f"f.0.{number}.{at + 1}"]
        for number, chunk in enumerate(chunks)
        for at in range(len(chunk["systems"][0]["errors"]))
    ]
    found = scores_after(engine, evaluation, lists)
    assert [scores for scores in found if "failed" in scores or "refused" in scores] == []
    assert len(found) == len([*scoref.Analysis(evaluation).mistakes()])


# -- marks ------------------------------------------------------------------------------------------------------------


def marks(chunk):
    """Of each scored response mention its words, those of the other mentions of its entity, its twin, whether near, the
    partner of its entity."""
    key, system = chunk["keys"][0]["mentions"], chunk["systems"][0]
    mentions = system["response"]["mentions"]
    scored = mentions[: system["response"].get("scored", len(mentions))]
    near = set(system.get("near", []))
    groups = {}
    for entity, *pieces in scored:
        groups.setdefault(entity, set()).add(tuple(pieces))
    return {
        tuple(pieces): (
            frozenset(groups[entity]), tuple(key[twin][1:]) if twin >= 0 else None, at in near,
            system["partners"][entity],
        )
        for at, ((entity, *pieces), twin) in enumerate(zip(scored, system["twins"], strict=True))
    }  # fmt: skip


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_marks_of_a_changed_document_are_those_of_its_report(engine, singletons):
    random = Random(singletons)
    keys, responses = corpus(random, 10)
    lists, states, copies = [], [], []
    for number, (key, response) in enumerate(zip(keys, responses, strict=True)):
        some, after = edited(random, key, response, 8, number, singletons == "drop")
        lists += some
        states += after
        copies += [key] * len(after)
    named = [f"{number}" for number in range(len(states))]
    copies = [replace(key, id=name) for key, name in zip(copies, named, strict=True)]
    states = [replace(state, id=name) for state, name in zip(states, named, strict=True)]
    choices = {"metrics": ["b3"], "singletons": singletons, "on_problem": "skip"}
    evaluation = scoref.score(keys, responses, **choices)
    (found,) = engine.call("documentsAfterEdits", [case({"r": evaluation}, lists)])
    _, expected = unpacked(viewer.page({"r": scoref.score(copies, states, **choices)}))
    assert [marks(chunk) for chunk in found] == [marks(chunk) for chunk in expected]


# -- files ------------------------------------------------------------------------------------------------------------


def written(engine, evaluation, edits):
    (found,) = engine.call("writtenAfterEdits", [case({"r": evaluation}, [edits])])
    return found[0]


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_files_of_changed_responses_score_what_the_page_shows(engine, tmp_path, singletons):
    random = Random(singletons)
    key, response = str(TALES / "key.conll"), str(TALES / "model.conll")
    evaluation = scoref.score(key, response, metrics=METRICS, singletons=singletons)
    pairs = [*zip(scoref.read(key), scoref.read(response), strict=True)]
    states = [Edited(*pair, at, singletons == "drop") for at, pair in enumerate(pairs)]
    edits = [edit for _ in range(40) if (edit := random.choice(states).random(random))]
    (shown,) = scores_after(engine, evaluation, [edits])
    documents = written(engine, evaluation, edits)
    assert [each["failed"] for each in documents] == [[]] * len(pairs)
    (tmp_path / "changed.jsonl").write_text("".join(each["json"] + "\n" for each in documents))
    again = scoref.score(
        key, str(tmp_path / "changed.jsonl"), metrics=METRICS, singletons=singletons, protocol="conll-2012"
    )
    assert max(differences([shown], [again.scores])) < EXACT
    if all(each["conll"] for each in documents):
        (tmp_path / "changed.conll").write_text("".join(each["conll"] for each in documents))
        again = scoref.score(key, str(tmp_path / "changed.conll"), metrics=METRICS, singletons=singletons)
        assert max(differences([shown], [again.scores])) < EXACT
    literal = scoref.score(
        [pair[0] for pair in pairs], [state.document() for state in states], metrics=METRICS, singletons=singletons
    )
    assert max(differences([shown], [literal.scores])) < EXACT


def test_an_unchanged_response_is_written_as_it_was_read(engine):
    key, response = str(TALES / "key.conll"), str(TALES / "rules.conll")
    documents = written(engine, scoref.score(key, response), [])
    read = scoref.read(response)
    found = [{frozenset(map(tuple, entity)) for entity in json.loads(each["json"])["clusters"]} for each in documents]
    assert found == [
        {frozenset((m.span[0] >> 8, m.span[-1] >> 8) for m in entity) for entity in each.entities().values()}
        for each in read
    ]
    assert [each["refusedAsConll"] for each in documents] == [None] * len(read)


def test_crossing_mentions_of_an_entity_are_no_conll(engine):
    key, response = of("d", {1: [[0, 1], [2, 3]]}), of("d", {1: [[0, 2], [1, 3]], 2: [[5, 5]]})
    (document,) = written(engine, scoref.score([key], [response], on_problem="skip"), [])
    assert document["conll"] is None
    assert document["refusedAsConll"] == "two mentions of an entity cross each other"
    assert json.loads(document["json"])["clusters"] == [[[0, 2], [1, 3]], [[5, 5]]]


def test_zeros_and_pieces_come_back_from_the_file(engine, tmp_path):
    """Positions are words, with empty nodes between them; some mentions leave one of these out."""
    zero, pieces = (position(2, 1),), (position(0), position(2), position(3))
    whole = (position(2), position(2, 1), position(3))
    key = Document(
        "d", WORDS, (Mention(zero, "a"), Mention(pieces, "a"), Mention(stretch(5, 6), "b"), Mention(whole, "b")), (0, 4)
    )
    response = Document(
        "d", WORDS, (Mention(zero, "x"), Mention(stretch(5, 6), "x"), Mention(stretch(2, 3), "y")), (0, 4)
    )
    evaluation = scoref.score([key], [response], metrics=METRICS)
    edits = ["m.0.0.e1.k1", "m.0.0.e1.k3", "m.0.0.e1.r0"]
    states = [*response.mentions[1:], Mention(zero, "y"), Mention(pieces, "y"), Mention(whole, "y")]
    expected = scoref.score([key], [replace(response, mentions=tuple(states))], metrics=METRICS)
    (shown,) = scores_after(engine, evaluation, [edits])
    assert max(differences([shown], [expected.scores])) < EXACT
    (document,) = written(engine, evaluation, edits)
    (tmp_path / "changed.jsonl").write_text(document["json"])
    (read,) = scoref.read(str(tmp_path / "changed.jsonl"))
    assert {mention.span for mention in read.mentions} == {
        tuple(each.span) if not isinstance(each.span, range) else each.span for each in states
    }
    assert document["conll"] is None


# -- heads ------------------------------------------------------------------------------------------------------------


def headed(id, mentions):
    """A document of mentions (first, last, head, entity)."""
    return Document(
        id,
        WORDS,
        tuple(Mention(stretch(first, last), entity, head=position(head)) for first, last, head, entity in mentions),
        (0,),
    )


KEY = headed(
    "d", [(0, 1, 1, "a"), (3, 4, 4, "a"), (6, 8, 7, "b"), (9, 9, 9, "b"), (10, 11, 11, "c"), (10, 10, 10, "c")]
)
RESPONSE = headed(
    "d",
    [(0, 2, 1, "x"), (3, 4, 4, "x"), (7, 7, 7, "y"), (6, 7, 7, "z"), (9, 9, 9, "z"), (10, 11, 11, "w"), (5, 5, 5, "y")],
)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_by_heads_mentions_are_moved_and_removed_where_no_other_has_their_head(engine, singletons):
    choices = {"match": "head", "singletons": singletons, "metrics": METRICS}
    evaluation = scoref.score([KEY], [RESPONSE], **choices)
    # by hand: what r0 ... are in the page; under `drop` w is not scored, and is o0
    entity = {"x": "e0", "y": "e1", "z": "e2", "w": "e3" if singletons == "keep" else "f0"}
    last = "r6" if singletons == "keep" else "r5"
    lone = "r5" if singletons == "keep" else "o0"
    cases = [
        ([f"m.0.0.{entity['z']}.r0"], {0: "z"}),
        ([f"m.0.0.{entity['x']}.{lone}"], {5: "x"}),
        (["x.0.0.r0"], {0: None}),
        ([f"g.0.0.{entity['x']}.{entity['z']}"], {0: "z", 1: "z"}),
        ([f"m.0.0.{entity['z']}.{last}", f"m.0.0.{entity['z']}.r2"], {6: "z", 2: "z"}),
    ]
    expected = []
    for _, moves in cases:
        mentions = [mention.of(moves.get(at, mention.entity)) for at, mention in enumerate(RESPONSE.mentions)]
        response = replace(RESPONSE, mentions=tuple(each for each in mentions if each.entity is not None))
        expected.append(scoref.score([KEY], [response], **choices).scores)
    found = scores_after(engine, evaluation, [edits for edits, _ in cases])
    assert max(differences(found, expected)) < EXACT


def test_by_heads_what_decides_on_others_stays_and_nothing_is_added(engine):
    """r2 and r3 have one head: which of them matches is left to the library."""
    evaluation = scoref.score([KEY], [RESPONSE], match="head", singletons="keep")
    removed, added, allowed = scores_after(engine, evaluation, [["x.0.0.r2"], ["m.0.0.e0.k5"], ["m.0.0.e0.r2"]])
    assert removed == {
        "refused": "it decides how other mentions are matched whether this mention is scored, which the library does"
    }
    assert "match by head is decided by the library" in added["refused"]
    assert "conll" in allowed


def test_files_keep_heads(engine, tmp_path):
    evaluation = scoref.score([KEY], [RESPONSE], match="head", singletons="keep")
    edits = ["m.0.0.e2.r0"]
    (document,) = written(engine, evaluation, edits)
    (tmp_path / "changed.jsonl").write_text(document["json"])
    (shown,) = scores_after(engine, evaluation, [edits])
    (read,) = scoref.read(str(tmp_path / "changed.jsonl"))
    again = scoref.score([KEY], [read], match="head", singletons="keep")
    assert max(differences([shown], [again.scores])) < EXACT


ZERO_KEY = Document(
    "d", WORDS,
    (
        Mention((position(2, 1),), "a", head=position(2, 1), parents=((position(3), "nsubj"),)),
        Mention(stretch(5, 6), "a", head=position(5)), Mention(stretch(8, 8), "b", head=position(8)),
        Mention(stretch(9, 9), "b", head=position(9)),
    ),
    (0,),
)  # fmt: skip


def test_zeros_matched_by_what_they_depend_on_stay(engine):
    """They are matched before all others, so that it must not change which zeros are scored."""
    mentions = [mention.of(entity) for mention, entity in zip(ZERO_KEY.mentions, "xxxy", strict=True)]
    response = replace(ZERO_KEY, mentions=tuple(mentions))
    choices = {"zeros": "dependent", "metrics": METRICS}
    evaluation = scoref.score([ZERO_KEY], [response], **choices)
    removed, moved = scores_after(engine, evaluation, [["x.0.0.r0"], ["m.0.0.e1.r0"]])
    assert "refused" in removed
    expected = replace(response, mentions=(mentions[0].of("y"), *mentions[1:]))
    assert max(differences([moved], [scoref.score([ZERO_KEY], [expected], **choices).scores])) < EXACT


def test_every_dataset_keeps_its_share_of_the_mean(engine, tmp_path):
    random = Random(7)
    keys, responses = corpus(random, 4)
    for name, documents in (("key", keys), ("response", responses)):
        (tmp_path / name).mkdir()
        for number, document in enumerate(documents):
            scoref.write([document], tmp_path / name / f"{number}.jsonl")
    choices = {"average": "datasets", "metrics": METRICS, "on_problem": "skip"}
    evaluation = scoref.score(tmp_path / "key", tmp_path / "response", **choices)
    assert len(changing(evaluation)["sums"]) == 4
    read = [scoref.read(tmp_path / name / "2.jsonl")[0] for name in ("key", "response")]
    lists, (*_, last) = edited(random, *read, 6, 2)
    (shown,) = scores_after(engine, evaluation, lists[-1:])
    scoref.write([last], tmp_path / "response" / "2.jsonl")
    again = scoref.score(tmp_path / "key", tmp_path / "response", **choices)
    assert max(differences([shown], [again.scores])) < EXACT


def test_no_two_scripts_of_the_page_declare_one_name():
    """A function that is declared twice hides the other one without a word."""
    text = "\n".join(map(viewer.asset, viewer._SCRIPTS))
    names = re.findall(r"^(?:async )?(?:function\*?|const|let) ([\w$]+)", text, re.MULTILINE)
    assert len(names) > 300
    assert [name for name, number in Counter(names).items() if number > 1] == []


# -- what is refused --------------------------------------------------------------------------------------------------

ONE, TWO = of("d", {1: [[0, 0], [2, 3]], 2: [[5, 5]]}), of("d", {"x": [[0, 0], [5, 5]], "y": [[2, 3]]})


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"scope": "corpus"}, "entities are shared by documents"),
        ({"nested": "drop"}, "nested mentions are left out"),
        ({"weights": "form"}, "mentions have weights"),
        ({"window": 5}, "texts are cut"),
        ({"split": "only"}, "plural mentions"),
        ({"layer": "bridging"}, "only coreference"),
        ({"metrics": ["mor"]}, "the page does not count mor"),
        ({"metrics": ["entities-macro"]}, "the page does not count entities-macro"),
    ],
)
def test_protocols_that_the_page_cannot_count_are_refused(choices, why):
    said = changing(scoref.score([ONE], [TWO], **choices))
    assert isinstance(said, str)
    assert said.startswith(why)


def test_metrics_that_the_page_cannot_count_are_named():
    found = changing(scoref.score([ONE], [TWO], metrics=["b3", "mor", "entities-macro"]))
    assert found["metrics"] == ("b3",)
    assert [*found["uncounted"]] == ["mor", "entities-macro"]


@pytest.mark.parametrize(
    ("response", "choices", "why"),
    [
        (of("d", {"x": [[0, 0]], "y": [[0, 0], [5, 5]]}), {"duplicates": "keep"}, "it has repeated mentions"),
        (of("d", {"x": [[7, 8]], "y": [[7, 8], [5, 5]]}), {}, "it has repeated mentions"),
        (
            of("d", {"x": [[0, 0], [2, 3]], "y": [[5, 5]], "z": [[7, 8]]}, sets={"z": ("x", "y")}),
            {},
            "it has split antecedents",
        ),
    ],
)
def test_documents_that_the_page_cannot_count_are_refused(engine, response, choices, why):
    evaluation = scoref.score([ONE], [response], **choices)
    _, (chunk,) = unpacked(viewer.page({"r": evaluation}))
    assert chunk["changes"][0].startswith(why)
    (document,) = written(engine, evaluation, [])
    assert document == {"refused": chunk["changes"][0]}


def test_mentions_without_a_place_are_counted_and_not_written(engine):
    evaluation = scoref.score([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["x"]], metrics=METRICS)
    (document,) = written(engine, evaluation, [])
    assert document == {"refused": "positions in its text are not words"}
    (found,) = scores_after(engine, evaluation, [["m.0.0.e1.r2", "x.0.0.r3"]])
    expected = scoref.score([["a", "b"], ["c", "d"]], [["a", "b"], ["c"]], metrics=METRICS)
    assert max(differences([found], [expected.scores])) < EXACT
    lost = replace(TWO, mentions=(*TWO.mentions, Mention((), "y", "nowhere")))
    (document,) = written(engine, scoref.score([ONE], [lost]), [])
    assert document == {"refused": "a mention of it has no place in the words"}


def test_event_nuggets_are_regrouped_by_the_matches_of_the_library(engine):
    """Nuggets match by type and overlap: what is scored stays, and the metrics of nuggets are left to the library."""
    evaluation = scoref.score(EXAMPLES / "nuggets" / "key", EXAMPLES / "nuggets" / "response")
    found = changing(evaluation)
    assert {"muc", "b3", "ceafe", "blanc", "kbp"} == {*found["metrics"]}
    assert "nugget-span" in found["uncounted"]
    same, removed = scores_after(engine, evaluation, [[], ["x.0.0.r0"]])
    assert differences([same], [{name: evaluation[name] for name in found["metrics"]}]) == pytest.approx(
        [0] * 15, abs=EXACT
    )
    assert "refused" in removed


def test_every_metric_on_tables_is_counted_or_refused(engine):
    """A metric whose function the scripts lack would be an exception there."""
    names = [*ON_TABLE, "blanc", "hota", "kbp", "conll"]
    known = [name for name in names if not isinstance(changing(scoref.score([ONE], [TWO], metrics=[name])), str)]
    assert {*METRICS, "b3-0", "b3-all", "b3-rn", "b3-sys", "ceafm-rn", "ceafm-sys", "ceafe-rn", "ceafe-sys"} <= {*known}
    response = replace(TWO, mentions=(*TWO.mentions[:2], Mention(stretch(2, 3), "x")))
    (found,) = scores_after(engine, scoref.score([ONE], [TWO], metrics=known), [["m.0.0.e0.r2"]])
    expected = scoref.score([ONE], [response], metrics=known).scores
    assert max(differences([found], [expected])) < EXACT


def test_edits_that_make_no_sense_are_said_to_fail(engine):
    evaluation = scoref.score([ONE], [TWO])
    edits = [
        "m.0.0.e9.r0",
        "m.0.0.e0.r9",
        "x.0.0.r9",
        "g.0.0.e0.e0",
        "p.0.0.k0",
        "t.0.0.9",
        "f.0.0.99",
        "q.0.0.1",
        "m.0.0.e0.w9-99",
    ]
    found = scores_after(engine, evaluation, [[edit] for edit in edits])
    assert found == [{"failed": [edit]} for edit in edits]
