"""Where entities live: documents, groups of documents, texts within meta documents; links within and across."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
import slow
from places import SHARED, beside
from scoref import score
from scoref.document.document import position
from scoref.document.grouping import parts
from scoref.statistics.samples import with_intervals
from strategies import sides

some = settings(max_examples=60)


def side(*documents: dict[str, list[str]], topics: str = "") -> list[scoref.Document]:
    """Documents of clusters; `topics` has a letter for each of them."""
    made = [scoref.clusters(each, f"d{number}") for number, each in enumerate(documents)]
    for number, topic in enumerate(topics):
        object.__setattr__(made[number], "comments", ((0, f"# topic = {topic}"),))
    return made


KEY = {"x": ["a", "b"], "y": ["c"]}, {"x": ["d"], "y": ["e", "f"]}, {"x": ["g", "h"]}
RESPONSE = {"1": ["a", "b"], "2": ["c"]}, {"1": ["d"], "3": ["e", "f"]}, {"1": ["g", "h"]}


def test_entities_live_in_the_documents_of_a_topic():
    keys, responses = side(*KEY, topics="AAB"), side(*RESPONSE, topics="AAB")
    result = score(keys, responses, scope="topic", metrics=["muc", "b3"])
    assert result.documents == ("A", "B")
    joined = [
        side({"x": ["0a", "0b", "1d"], "y": ["0c", "1e", "1f"]}, {"x": ["g", "h"]}),
        side({"1": ["0a", "0b", "1d"], "2": ["0c"], "3": ["1e", "1f"]}, {"1": ["g", "h"]}),
    ]
    expected = score(*joined, metrics=["muc", "b3"])
    assert result.scores == expected.scores
    assert "|scope:topic|" in result.signature
    assert scoref.Protocol.parse(result.protocol.signature()) == result.protocol


def test_a_topic_for_all_is_the_corpus_and_one_for_each_the_document():
    names = ["mentions", "muc", "b3", "ceafe", "lea", "blanc", "pairwise"]
    for topics, scope in (("AAA", "corpus"), ("ABC", "document")):
        keys, responses = side(*KEY, topics=topics), side(*RESPONSE, topics=topics)
        for singletons in ("keep", "drop"):
            by_topic, plain = (score(keys, responses, scope=each, metrics=names, singletons=singletons)
                               for each in ("topic", scope))  # fmt: skip
            assert by_topic.scores == plain.scores


def test_topics_are_what_is_resampled():
    keys, responses = side(*KEY, topics="AAB"), side(*RESPONSE, topics="AAB")
    resampling = with_intervals(score(keys, responses, scope="topic"), trials=10).intervals.resampling
    assert (resampling.unit, resampling.units) == ("topic", 2)


def test_json_lines_say_their_topic(run, tmp_path):
    lines = [
        json.dumps({"doc_key": f"d{n}", "topic": "t", "clusters": [[[0, 0]]], "entities": ["x"]}) for n in range(2)
    ]
    path = tmp_path / "key.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = run("score", path, path, "--scope", "topic", "--metrics", "muc", "--json")
    assert code == 0
    assert json.loads(out)["counts"]["muc"]["recall"] == [1, 1]  # both mentions are of one entity


def test_unknown_fields_are_refused_with_the_known_ones():
    keys = side(*KEY, topics="AAB")
    with pytest.raises(scoref.Error) as error:
        score(keys, keys, scope="corpsu")
    assert error.value.code == "unknown-field"
    assert "document, within, corpus, or one of document, text, genre, dataset, topic" in str(error.value)
    with pytest.raises(scoref.Error) as error:
        score(keys, keys, scope="no field")
    assert error.value.code == "unknown-choice"


def test_errors_and_pages_and_breakdowns_work_by_topic():
    keys, responses = side(*KEY, topics="AAB"), side(*RESPONSE, topics="AAB")
    result = score(keys, responses, scope="topic")
    analysis = scoref.Analysis(result)
    assert sum(analysis.counts().values()) > 0
    repaired = [pair.response for pair in analysis.repaired(list(analysis.counts()))]
    assert score(keys, repaired, scope="topic")["conll"].f1 == 1
    assert set(result.by("size"))
    assert set(result.by("topic")) == {"A", "B"}
    assert scoref.report(keys, responses, scope="topic", trials=10)


def test_saved_evaluations_of_topics_can_be_added_up(tmp_path):
    halves = [
        score(side(*KEY[:2], topics="AA"), side(*RESPONSE[:2], topics="AA"), scope="topic"),
        score(side(KEY[2], topics="B"), side(RESPONSE[2], topics="B"), scope="topic"),
    ]
    whole = score(side(*KEY, topics="AAB"), side(*RESPONSE, topics="AAB"), scope="topic")
    for number, each in enumerate(halves):
        scoref.save(each, tmp_path / f"{number}.json")
    merged = scoref.merge([scoref.load(tmp_path / f"{number}.json") for number in range(2)])
    assert merged.scores == whole.scores


# -- repeated mentions -------------------------------------------------------------------------------------------------

ADDITIVE = ["mentions", "muc", "b3", "ceafe", "ceafm", "lea", "pairwise"]  # sums over entities, or pairs of entities
MENTIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=7)  # a word, an entity


def at(mentions: list[tuple[int, int]], document: int, first: int = 0) -> list[scoref.Mention]:
    """Mentions of one word, from this word on; the entities of each document have names of their own."""
    return [scoref.Mention.at(first + word, first + word, f"{document} {entity}") for word, entity in mentions]


@some
@given(
    st.lists(st.tuples(MENTIONS, MENTIONS), min_size=2, max_size=3),
    st.sampled_from(["reference", "first", "last", "keep", "list", "list-coval", "ua-1.0"]),
)
def test_documents_scored_as_one_are_their_sum_and_one_long_document(pairs, duplicates):
    sides = [
        [scoref.Document(f"d{n}", tuple("abcd"), tuple(at(each, n))) for n, each in enumerate(documents)]
        for documents in zip(*pairs, strict=True)
    ]
    long = [
        scoref.Document("long", tuple("abcd" * len(pairs)), tuple(m for n, each in enumerate(documents)
                                                                   for m in at(each, n, 4 * n)))
        for documents in zip(*pairs, strict=True)
    ]  # fmt: skip
    names = [*ADDITIVE, "blanc", "nonlinks"]
    together = score(*sides, scope="corpus", duplicates=duplicates, metrics=names)
    apart = score(*sides, duplicates=duplicates, metrics=names)
    as_one = score(*long, duplicates=duplicates, metrics=names)
    for name in names:
        assert together[name] == pytest.approx(as_one[name], abs=1e-12), name
        if name in ADDITIVE:
            assert together[name] == pytest.approx(apart[name], abs=1e-12), name


# -- within ------------------------------------------------------------------------------------------------------------


def within_cases() -> list[tuple[dict, dict]]:
    path = SHARED / "vectors" / "real-cdcoref" / "cases.jsonl"
    if not path.exists():
        return []
    cases = {case["id"]: case for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    pairs = [(case, cases.get(name.replace("cross_doc", "within_doc"))) for name, case in cases.items()]
    return [(across, within) for across, within in pairs if within and within is not across]


@beside
def test_one_corpus_wide_key_gives_the_published_scores_within_documents():
    """Authors scored the same annotation twice: as one meta document, and in files with a document for each text."""
    folder = SHARED / "vectors" / "real-cdcoref" / "files"
    assert all(within["expected"] for _, within in within_cases())
    for across, within in within_cases():
        files = [str(folder / across[name]) for name in ("key", "response")]
        result = score(*files, protocol="conll-2012", metrics=list(within["expected"]), scope="within")
        assert len(result.documents) > 1
        for metric, expected in within["expected"].items():
            found = result[metric]._asdict()
            assert found == pytest.approx(expected, abs=within.get("tolerance", 1e-9)), (across["id"], metric)


def topic_level(path: Path, rows: Callable[[str, str, int], list[str]]) -> str:
    """A published file of lines `metadoc_TEXT_14 (0)` with the names of texts in columns of their own."""
    lines = ["#begin document metadoc"]
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") and line.strip():
            name, brackets = line.split()
            text, _, number = name.removeprefix("metadoc_").rpartition("_")
            lines.append("\t".join([*rows(text, f"word{number}", len(lines)), brackets]))
    return "\n".join([*lines, "#end document", ""])


def _by_text(text: str, word: str, number: int) -> list[str]:
    return [f"1_{text}.xml", "0", str(number), word]


def _by_topic(text: str, word: str, number: int) -> list[str]:
    return ["36", "36_1", f"36_{text}.xml", "0", str(number), word, "True"]


@beside
@pytest.mark.parametrize("rows", [_by_text, _by_topic])
def test_texts_that_a_column_names_are_cut_as_published(rows, tmp_path):
    """The files that ariecattan/coref writes: the text of each token in the first cell, or behind its topic."""
    folder = SHARED / "vectors" / "real-cdcoref" / "files"
    assert len(within_cases()) >= 6
    for across, within in within_cases()[:6]:
        files = [tmp_path / f"{name}.conll" for name in ("key", "response")]
        for name, file in zip(("key", "response"), files, strict=True):
            file.write_text(topic_level(folder / across[name], rows), encoding="utf-8")
        for case, scope in ((across, "document"), (within, "within")):
            result = score(*files, metrics=list(case["expected"]), scope=scope)
            for metric, expected in case["expected"].items():
                assert result[metric]._asdict() == pytest.approx(expected, abs=case.get("tolerance", 1e-9))
        kept = [tmp_path / f"{name}.{ending}" for name, ending in (("key", "jsonl"), ("response", "again.conll"))]
        for file, other in zip(files, kept, strict=True):
            scoref.write(scoref.read(file), other)
        assert score(*kept, metrics=["muc"], scope="within")["muc"] == result["muc"]
        assert scoref.read(files[0])[0].words[0].startswith("word")


PLAIN = "#begin document a\n{0} 0 0 Ada (1)\n{1} 0 1 left -\n{2} 1 0 she (1)\n#end document\n"


@pytest.mark.parametrize("cells", ["a a a", "0 0 1", "a b a"])
def test_within_is_refused_where_nothing_is_cut(cells, tmp_path, run):
    """One text, numbers of sentences, names that come again: no texts that are joined."""
    path = tmp_path / "a.conll"
    path.write_text(PLAIN.format(*cells.split()), encoding="utf-8")
    code, out, err = run("score", path, path, "--scope", "within")
    assert (code, out) == (2, "")
    assert "[nothing-cut]" in err
    assert "--scope document" in err
    keys, responses = side(*KEY), side(*RESPONSE)
    with pytest.raises(scoref.Error, match="nothing-cut"):
        score(keys, responses, scope="within")
    path.write_text(PLAIN.format("a", "a", "b"), encoding="utf-8")
    assert score(path, path, scope="within").documents == ("a", "b")


def test_a_response_with_mentions_in_one_text_is_cut_like_its_key():
    words = ["m_1", "m_2", "t_1", "t_2"]
    key = scoref.Document("meta", words, tuple(scoref.Mention.at(n, n, "x") for n in range(4)))
    response = scoref.Document("meta", words, tuple(scoref.Mention.at(n, n, "y") for n in range(2)))
    result = score(key, response, scope="within", metrics=["muc"])
    assert result.documents == ("m", "t")
    assert result.counts["muc"].tolist() == [[1, 1, 1, 1], [0, 1, 0, 0]]


# -- links -------------------------------------------------------------------------------------------------------------


def links(documents: list[dict[str, list[str]]]) -> tuple[set[frozenset], set[frozenset]]:
    """All pairs of mentions of one entity of a corpus: in one document, in two."""
    every: dict[str, list[tuple[int, str]]] = {}
    for number, document in enumerate(documents):
        for name, mentions in document.items():
            every.setdefault(name, []).extend((number, mention) for mention in mentions)
    found = {frozenset(pair) for each in every.values() for pair in combinations(each, 2)}
    within = {pair for pair in found if len({number for number, _ in pair}) == 1}
    return within, found - within


@st.composite
def corpus(draw: st.DrawFn) -> list[dict[str, list[str]]]:
    owners = draw(st.lists(st.lists(st.sampled_from("xyz "), max_size=4), min_size=1, max_size=3))
    return [
        {name: [str(n) for n, owner in enumerate(each) if owner == name] for name in sorted({*each} - {" "})}
        for each in owners
    ]


@some
@given(corpus(), corpus())
def test_links_within_and_across_documents(ours, theirs):
    number = min(len(ours), len(theirs))
    ours, theirs = ours[:number], theirs[:number]
    result = score(side(*ours), side(*theirs), scope="corpus", metrics=["links-within", "links-cross", "pairwise"])
    for name, key, response in zip(("links-within", "links-cross"), links(ours), links(theirs), strict=True):
        common = len(key & response)
        assert result.counts[name][0].tolist() == [common, len(key), common, len(response)]
    total = result.counts["links-within"] + result.counts["links-cross"]
    assert total.tolist() == result.counts["pairwise"].tolist()


@some
@given(sides)
def test_links_of_one_document_are_within_it(pair):
    result = score(*pair, metrics=[*slow.BORDERS])
    for name, function in slow.BORDERS.items():
        recall, precision = (function(*map(slow.entities, each)) for each in (pair, pair[::-1]))
        assert result.counts[name][0].tolist() == [*map(float, (*recall, *precision))]


def test_links_of_a_meta_document_are_split_at_its_texts():
    words = ["m_1", "m_2", "t_1"]
    document = scoref.Document("meta", words, tuple(scoref.Mention.at(n, n, "x") for n in range(3)))
    result = score(document, document, metrics=["links-within", "links-cross"])
    assert result.counts["links-within"][0].tolist() == [1, 1, 1, 1]
    assert result.counts["links-cross"][0].tolist() == [2, 2, 2, 2]


# -- growth ------------------------------------------------------------------------------------------------------------


def test_dropping_singletons_of_a_corpus_takes_time_in_proportion():
    def taken(number: int) -> float:
        documents = side(*({f"e{n}": ["a"], f"e{n + 1}": ["b"], f"s{n}": ["c"]} for n in range(number)))
        start = time.process_time()
        score(documents, documents, scope="corpus", singletons="drop", metrics=["mentions"])
        return time.process_time() - start

    taken(100)
    assert taken(8000) < 120 * max(taken(500), 0.01)  # 16 times the work; sums for each document took 256 times


TWO = {
    "muc": '<DOC><DOCNO>{0}</DOCNO><TXT><COREF ID="1">Ada</COREF> saw <COREF ID="2" REF="1">her</COREF></TXT></DOC>\n',
    "tbf": "#BeginOfDocument {0}\nx\t{0}\tE1\t0,3\tAda\tX\tActual\n#EndOfDocument\n",
}


@pytest.mark.parametrize("format", TWO)
def test_entities_called_as_their_first_mention_have_no_names(format, tmp_path, run):
    """Numbers of mentions begin anew in each document: entities with the same number have nothing in common."""
    path = tmp_path / "file"
    path.write_text(TWO[format].format("a") + TWO[format].format("b"))
    code, out, err = run("score", path, path, "--format", format, "--scope", "corpus", "--metrics", "muc")
    assert (code, out) == (2, "")
    assert "[unnamed-entities]" in err
    assert run("score", path, path, "--format", format, "--metrics", "muc")[0] == 0
    path.write_text(TWO[format].format("a"))
    assert run("score", path, path, "--format", format, "--scope", "corpus", "--metrics", "muc")[0] == 0


def test_names_that_are_also_names_of_mentions_are_names():
    key = [scoref.clusters({"Ada": ["Ada", "she"]}, "a"), scoref.clusters({"Ada": ["her"]}, "b")]
    assert score(key, key, scope="corpus", metrics=["muc"])["muc"].recall == 1


# -- numbers that begin again ------------------------------------------------------------------------------------------


def numbered(*documents: list[int], letters: str = "") -> list[scoref.Document]:
    """Documents with a mention for each number of an entity."""
    return side(*({f"{letters}{n}": [f"{n}a", f"{n}b"] for n in each} for each in documents))


ANEW = [[0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 3, 4]]
ACROSS = [[0, 1, 2, 3], [0, 4, 5], [0, 1, 6, 7, 8]]


@pytest.mark.parametrize("letters", ["", "e"])
def test_entities_numbered_anew_are_noted_with_what_they_cost(letters):
    key, response = numbered(*ANEW, letters=letters), side(*({"x": ["0a", "1a"], "y": ["2b"]} for _ in ANEW))
    result = score(key, response, scope="corpus")
    (note,) = [problem for problem in result.problems if problem.code == "numbered-anew"]
    assert not note.fatal
    assert "of the key are" in note.message
    for scope in ("corpus", "document"):
        assert f"{100 * score(key, response, scope=scope)['conll'].f1:.2f}" in note.message
    assert not [each for each in score(key, response).problems if each.code == "numbered-anew"]


@pytest.mark.parametrize(
    "documents",
    [
        ACROSS,
        [[0, 1, 2, 3]] * 5,  # the same entities everywhere
        [[0, 1], [0, 1, 2]],  # too few to tell
        [[1], [1], [1]],
        [[36, 37, 38, 39, 40], [1, 2, 3, 4, 5, 6]],
    ],
)
def test_entities_that_may_be_shared_are_not(documents):
    key = numbered(*documents)
    assert not score(key, key, scope="corpus").problems


@beside
def test_real_documents_that_are_numbered_anew(run):
    folder = SHARED / "vectors" / "real-gum" / "files"
    key, response = sorted(folder.glob("*key*.conll"))[0], sorted(folder.glob("*response*.conll"))[0]
    code, out, _ = run("score", key, response, "--scope", "corpus", "--on-problem", "skip")
    assert code == 0
    assert "numbered-anew" in out


def test_an_empty_node_before_all_words_is_of_no_text():
    """It has no line and no cell of its own: neither those of the last word are taken, nor is there an error."""
    empty = scoref.Mention((position(-1, 1),), "x")
    assert parts(scoref.Document("d", ["a", "b"], (empty,))) is None
    assert parts(scoref.Document("d", ["m_1", "t_2"], (empty,))) is None
