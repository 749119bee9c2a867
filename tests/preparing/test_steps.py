from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.document.document import Document, Mention, position, stretch
from scoref.preparing.steps import unnested, unnested_as_coval, visible
from scoref.problems import Problems
from scoref.protocol.protocol import CHOICES

METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "lea")
WITHOUT_MUC = ("mentions", "b3", "ceafm", "ceafe", "lea")


def letters(text: str) -> list[list[str]]:
    return [list(entity) for entity in text.split()]


def score(key, response, **choices) -> dict[str, scoref.Score]:
    return scoref.score(key, response, metrics=METRICS, **choices).scores


def perfect(key, response, **choices) -> bool:
    return set(score(key, response, **choices).values()) == {(1, 1, 1)}


# -- duplicates: the same mention twice ------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "response"), [("ab", "aab"), ("ab cd", "ab acd"), ("ab cd", "ab cda"), ("aab", "ab")])
def test_first_keeps_the_first_occurrence(key, response):
    # as the reference scorer does with repeated mentions of the response that the key has
    assert perfect(letters(key), letters(response), duplicates="first")


@pytest.mark.parametrize(("response", "left"), [("cab abcd", "abcd"), ("ba ab cd", "ab cd"), ("abc cd", "ab cd")])
def test_last_keeps_the_last_occurrence(response, left):
    assert score(letters("ab cd"), letters(response), duplicates="last") == score(letters("ab cd"), letters(left))


def test_first_and_last_differ_where_entities_compete():
    key, response = letters("ab cd"), letters("abc cd")
    assert score(key, response, duplicates="first") == score(key, letters("abc d"))
    assert score(key, response, duplicates="last") == score(key, letters("ab cd"))


def test_keep_looks_mentions_up_in_the_last_entity_that_has_them():
    # percent, as coval gives them
    scores = score(letters("ab cd"), letters("ab acd"), duplicates="keep")
    expected = {"muc": (50, 66.67, 57.14), "b3": (75, 73.33, 74.16), "ceafe": (90, 90, 90)}
    for name, percents in expected.items():
        assert [100 * value for value in scores[name]] == pytest.approx(percents, abs=0.0051)
    assert 100 * scores["lea"].f1 == pytest.approx(54.55, abs=0.0051)


def test_keep_counts_entities_that_repeat_each_other():
    # precision, as the reference scorer 8.01 gives it for mentions that the key lacks, all of which it keeps
    scores = score(letters("ab"), letters("ab xy xy"), duplicates="keep")
    assert all(scores[name].precision == pytest.approx(1 / 3) for name in ("muc", "b3", "ceafm", "ceafe"))


@pytest.mark.parametrize(("key", "response"), [("ab", "aab"), ("aab", "ab")])
def test_keep_finds_all_links_of_a_mention_that_its_entity_repeats(key, response):
    # as coval does
    scores = score(letters(key), letters(response), duplicates="keep")
    assert scores["muc"] == scores["b3"] == scores["lea"] == (1, 1, 1)


@pytest.mark.parametrize("split", [*CHOICES["split"].words])
@pytest.mark.parametrize(("key", "response"), [("ab", "aab"), ("aab", "ab"), ("aa", "a"), ("ab ac", "ab ac")])
def test_keep_never_finds_more_than_there_is(key, response, split):
    metrics = ["b3", "ceafm", "ceafe", "blanc"] if split == "distribute" else WITHOUT_MUC
    scores = scoref.score(letters(key), letters(response), metrics=metrics, duplicates="keep", split=split).scores
    assert all(value <= 1 for score in scores.values() for value in score)


@pytest.mark.parametrize("sides", [("aab", "ab"), ("ab", "ab ac")])
def test_error_refuses_duplicates(sides):
    with pytest.raises(scoref.Error) as error:
        scoref.score(*map(letters, sides), duplicates="error")
    assert error.value.code == "duplicate-mention"


@pytest.mark.parametrize("which", ["first", "last", "keep"])
def test_duplicates_are_reported(which):
    problems = scoref.score(letters("aab"), letters("ab ac ad"), duplicates=which).problems
    assert [problem.code for problem in problems] == ["duplicate-mention"] * 3
    assert [problem.text for problem in problems] == ["a"] * 3


def test_the_same_words_at_another_place_are_no_duplicate():
    mentions = tuple(scoref.Mention(stretch(place, place), "x") for place in (0, 1))
    document = scoref.Document("d", ["he", "he"], mentions)
    assert not scoref.score(document, document, duplicates="error").problems


# -- singletons ------------------------------------------------------------------------------------------------------


def test_dropped_singletons_count_on_neither_side():
    assert score(letters("a bc d"), letters("a b cd e"), singletons="drop") == score(letters("bc"), letters("cd"))


def test_singletons_are_kept_by_default():
    assert score(letters("a bc"), letters("a bc"))["mentions"] == (1, 1, 1)
    assert scoref.score(letters("a bc"), letters("bc"), metrics=["mentions"])["mentions"].recall == pytest.approx(2 / 3)


def test_singletons_are_found_after_duplicates():
    assert perfect(letters("aa bc"), letters("bc"), singletons="drop", duplicates="first")
    assert perfect(letters("bc ab"), letters("bc"), singletons="drop", duplicates="first")


def test_in_the_scope_corpus_an_entity_of_two_documents_is_no_singleton():
    def side(*entities: str) -> list[scoref.Document]:
        return [scoref.clusters({name: [place]}, place) for name, place in zip(entities, "12", strict=True)]

    assert perfect(side("x", "x"), side("y", "y"), singletons="drop", scope="corpus")
    assert score(side("x", "x"), side("y", "y"), singletons="drop")["mentions"] == (0, 0, 0)
    assert score(side("x", "z"), side("y", "z"), singletons="drop", scope="corpus")["mentions"] == (0, 0, 0)


# -- nested mentions and noun phrases --------------------------------------------------------------------------------

# word, part of speech, parse bit
SENTENCE = [
    ("The", "DT", "(S(NP(NP*"),
    ("owner", "NN", "*)"),
    ("of", "IN", "(PP*"),
    ("the", "DT", "(NP*"),
    ("bakery", "NN", "*)))"),
    ("smiled", "VBD", "(VP*)"),
    (".", ".", "*)"),
    ("Someone", "NN", "(S(NP*)"),
    ("sang", "VBD", "(VP*)"),
    ("Sing", "VB", "(S(VP*))"),
]


def document(**entities: list[tuple[int, int]]) -> scoref.Document:
    """The sentences above with mentions from a first to a last word."""
    words, pos, parse = zip(*SENTENCE, strict=True)
    mentions = tuple(scoref.Mention(stretch(*span), name) for name, spans in entities.items() for span in spans)
    return scoref.Document("d", words, mentions, (0, 7, 9), {"pos": pos, "parse": parse})


def scored(document: scoref.Document, empty: scoref.Document, **choices: str) -> float:
    """How many mentions of the document are scored."""
    return scoref.score(document, empty, metrics=["mentions"], **choices).counts["mentions"][0, 1]


def test_a_mention_inside_another_of_its_entity_is_dropped():
    whole = document(x=[(0, 4), (0, 1), (7, 7)])
    assert perfect(document(x=[(0, 4), (7, 7)]), whole, nested="drop")
    assert not perfect(document(x=[(0, 4), (7, 7)]), whole, nested="keep")


@pytest.mark.parametrize("inner", [(0, 1), (3, 4), (1, 3)])
def test_inside_includes_the_edges(inner):
    assert perfect(document(x=[(0, 4), (7, 7)]), document(x=[inner, (7, 7), (0, 4)]), nested="drop")


@st.composite
def nests(draw: st.DrawFn) -> scoref.Document:
    """Mentions of a short text: stretches, with gaps, with empty nodes, some twice, some without places."""
    places = st.sets(st.sampled_from([position(word, empty) for word in range(5) for empty in (0, 0, 0, 1)]))
    ends = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted)
    spans = st.one_of(ends.map(lambda pair: stretch(*pair)), places.map(sorted).map(tuple))
    mention = st.builds(lambda span, entity: scoref.Mention(span, entity, None if span else "x"), spans, st.booleans())
    return scoref.Document("d", words="abcde", mentions=tuple(draw(st.lists(mention, max_size=9))))


@given(nests())
@settings(max_examples=500)
def test_nested_mentions_are_those_that_a_slow_version_finds(document):
    def is_inside(mention):
        return any(set(mention.span) < set(other.span) for other in document.mentions if other.entity == mention.entity
                   and mention.span)  # fmt: skip

    assert unnested(document).mentions == tuple(each for each in document.mentions if not is_inside(each))


@given(nests(), st.sampled_from(["keep", "drop"]))
@settings(max_examples=500)
def test_nested_mentions_as_coval_lists_them(document, singletons):
    gone = set()
    for mentions in document.entities().values():
        placed = [mention for mention in mentions if mention.span]
        listed = [one for one in placed for other in placed if one.span != other.span
                  and other.span[0] <= one.span[0] and one.span[-1] <= other.span[-1]]  # fmt: skip
        if len(listed) != len(mentions) - 1 or len(mentions) < 2:
            gone.update(listed)
        elif singletons == "drop":
            gone.update(mentions)
    kept = tuple(each for each in document.mentions if each not in gone)
    assert unnested_as_coval(document, singletons).mentions == kept


def test_mentions_of_other_entities_crossing_and_neighbouring_mentions_are_not_nested():
    for entities in ({"x": [(0, 4), (7, 7)], "y": [(3, 4), (5, 5)]}, {"x": [(0, 2), (1, 4), (5, 5)]}):
        assert perfect(document(**entities), document(**entities), nested="drop")
        assert scored(document(**entities), document(), nested="drop") == sum(map(len, entities.values()))


def test_of_mentions_in_each_other_the_outermost_is_left():
    assert scored(document(x=[(1, 1), (0, 1), (0, 4)], y=[(7, 7), (8, 8)]), document(), nested="drop") == 1 + 2


def test_an_entity_with_one_mention_left_is_a_singleton():
    nested = document(x=[(0, 4), (0, 1)], y=[(7, 7), (8, 8)])
    assert scored(nested, document(), nested="drop") == 3
    assert scored(nested, document(), nested="drop", singletons="drop") == 2


def test_noun_phrases_leave_out_verb_phrases():
    whole = document(x=[(0, 4), (5, 5), (7, 7)])
    assert perfect(document(x=[(0, 4), (7, 7)]), whole, mentions="np")
    assert not perfect(document(x=[(0, 4), (7, 7)]), whole, mentions="all")


def test_an_entity_that_loses_all_but_one_mention_to_noun_phrases_is_left_out():
    assert scored(document(x=[(0, 4), (5, 5)], y=[(3, 4), (7, 7)]), document(), mentions="np") == 2
    assert scored(document(x=[(5, 5), (8, 8)]), document(), mentions="np") == 0


def test_in_the_scope_corpus_an_entity_is_left_with_the_mentions_of_all_documents():
    side = [document(x=[(0, 4), (5, 5)]), replace(document(x=[(7, 7)]), id="e")]
    result = scoref.score(side, side, metrics=["mentions"], mentions="np", scope="corpus")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


def test_noun_phrases_leave_other_singletons_alone():
    assert scored(document(x=[(0, 4)], y=[(3, 4)]), document(), mentions="np") == 2


def test_a_verb_under_a_sentence_node_is_no_verb_phrase():
    assert scored(document(x=[(7, 7), (9, 9)]), document(), mentions="np") == 2


def test_noun_phrases_need_a_parse():
    bare = replace(document(x=[(0, 4)]), columns={})
    with pytest.raises(scoref.Error) as error:
        scoref.score(bare, bare, mentions="np")
    assert error.value.code == "no-parse"


def test_singletons_are_dropped_before_noun_phrases_and_after_nested_mentions():
    # one mention of x is left by noun phrases, one of y by nested mentions, two of z by both
    entities = {"x": [(1, 1), (5, 5)], "y": [(3, 4), (4, 4)], "z": [(0, 4), (0, 1), (7, 7), (8, 8)]}
    both = {"mentions": "np", "nested": "drop"}
    assert scored(document(**entities), document(), **both) == 0 + 1 + 2
    assert scored(document(**entities), document(), singletons="drop", **both) == 0 + 0 + 2


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=4), st.booleans())
def test_of_many_copies_the_first_or_the_last_is_kept(entities, first):
    """The slow version: mentions are looked at from one end, and what was seen before is left out."""
    kept: list[list[str]] = [[] for _ in entities]
    seen: set[str] = set()
    places = [(number, mention) for number, entity in enumerate(entities) for mention in entity]
    for number, mention in places if first else reversed(places):
        if mention not in seen:
            seen.add(mention)
            kept[number].append(mention)
    partition, key = [entity for entity in kept if entity], [["a", "b"], ["c", "d", "e"]]
    found = scoref.score(key, entities, duplicates="first" if first else "last", on_problem="skip")
    expected = scoref.score(key, partition).scores
    assert found.scores == {name: pytest.approx(score) for name, score in expected.items()}


def test_a_document_without_mentions_needs_no_words_for_what_is_invisible() -> None:
    nugget = (("type", "Life"), ("realis", "Actual"))
    key = Document("d", (), (Mention.at(0, 3, "1", id="E1")._replace(attributes=nugget),))
    for document, expected in ((replace(key, mentions=()), []), (key, ["unknown-words"])):
        problems = Problems("skip")
        assert visible(document, problems) == document
        assert [problem.code for problem in problems.found] == expected


# -- invisible words ---------------------------------------------------------------------------------------------------

INVISIBLE = ("the", "dog", "he", "saw", "a", "cat")
some_mentions = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(sorted).map(tuple),
    st.sampled_from("xyz"),
    min_size=1,
    max_size=6,
)


def _document(mentions):
    found = tuple(scoref.Mention(stretch(first, last), entity) for (first, last), entity in mentions.items())
    return scoref.Document("d", INVISIBLE, found)


def test_mentions_of_invisible_words_alone_match_nothing():
    document = _document({(0, 0): "x", (2, 2): "x", (4, 4): "y"})
    scores = scoref.score([document], [document], invisible="2015", metrics=["mentions", "b3", "ceafm"])
    assert [scores[metric].f1 for metric in scores] == [0, 0, 0]


@pytest.mark.parametrize("match", ["exact", "partial", "head", "partial-craft", "partial-1.0", "head-1.1"])
def test_heads_of_mentions_of_invisible_words_alone_match_nothing(match):
    """A head that is invisible with its mention is no reason to pair it, on either side."""
    short, long = (scoref.Document("d", INVISIBLE, (scoref.Mention(stretch(0, last), "x", head=0),)) for last in (0, 1))
    for key, response in ((short, long), (long, short), (short, short)):
        scores = scoref.score(
            [key],
            [response],
            protocol="crac-2026",
            match=match,
            invisible="2015",
            singletons="keep",
            metrics=["mentions"],
        )
        assert scores["mentions"].f1 == 0


@given(some_mentions, some_mentions)
def test_without_invisible_words_only_ceaf_and_blanc_are_out_of_range(key, response):
    """As docs/trust.md says: mentions that are the same without these words are repeated mentions like any others."""
    for protocol in ("conll-2012", "crac-2026", "codi-crac-2022"):
        documents = _document(key), _document(response)
        metrics = ["mentions", "muc", "b3", "lea"]
        scores = scoref.score([documents[0]], [documents[1]], protocol=protocol, invisible="2015", metrics=metrics)
        assert max(value for metric in scores for value in scores[metric]) <= 1 + 1e-9
