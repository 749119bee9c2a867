"""Formats of annotation tools and of older tasks: WebAnno TSV 3, ECB+ (CAT), MUC SGML, BookNLP."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import scoref
from scoref import formats
from scoref.cli import main
from scoref.document.document import Document, Mention, stretch, word_of
from scoref.problems import Error, Problems

Run = Callable[..., tuple[int, str, str]]


def read(text: str, name: str = "file", skip: bool = False) -> Document:
    source = formats.Source(text.encode(), name)
    (document,) = formats.read_source(source, None, Problems("skip" if skip else "raise"))[1]
    return document


def spans(document: Document) -> list[tuple[object, int, int]]:
    return [(m.entity, word_of(m.span[0]), word_of(m.span[-1])) for m in document.mentions]


def refused(text: str) -> tuple[str, int | None]:
    with pytest.raises(Error) as error:
        read(text)
    return error.value.code, error.value.line


# -- WebAnno TSV 3 ----------------------------------------------------------------------------------------------------

WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Role|role|rank
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType
#T_RL=webanno.custom.Other|BT_webanno.custom.Role


#Text=Ada told her old friend
1-1\t0-3\tAda\tSubj\t_\tcoref->1-1\tname[1]\t_\t
1-2\t4-8\ttold\t_\t_\t_\t_\t_\t
1-3\t9-12\ther\t_\t_\tcoref->1-2|*->2-1\tpr[1]|*[2]\t_\t
1-4\t13-16\told\t_\t_\t*->2-1\t*[2]\t_\t
1-5\t17-23\tfriend\tObj[3]\t1[3]\t*->2-1\t*[2]\t_\t

#Text=She \\_ left
2-1\t24-27\tShe\t_\t_\t*->1-3\tpr[1]\t_\t
2-2\t28-29\t\\_\t_\t_\t_\t_\t_\t
2-3\t30-34\tleft\t_\t_\t_\t_\t_\t
2-3.1\t30-32\tle\t_\t_\t*->2-2\t*[2]\t_\t
"""


def test_chains_of_webanno() -> None:
    document = read(WEBANNO, "folder/tale.tsv")
    assert (document.id, document.sentences) == ("tale", (0, 5))
    assert list(document.words) == ["Ada", "told", "her", "old", "friend", "She", "_", "left"]
    assert spans(document) == [("1", 0, 0), ("2", 2, 4), ("1", 2, 2), ("1", 5, 5), ("2", 7, 7)]
    assert [dict(mention.attributes).get("type") for mention in document.mentions] == ["name", None, "pr", "pr", None]
    assert document.line_of(document.mentions[-1]) == 17


def test_chains_of_the_documentation_of_webanno() -> None:
    # the example of the format's description; the columns of the layer are the other way round
    text = """#FORMAT=WebAnno TSV 3.2
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

#Text=He shot himself with his revolver.
1-1\t0-2\tHe\tpr[1]\tcoref->1-1
1-2\t3-7\tshot\t_\t_
1-3\t8-15\thimself\tpr[1]\tcoref->1-2
1-4\t16-20\twith\t_\t_
1-5\t21-24\this\tpr[1]\t*->1-3
1-6\t25-33\trevolver\t_\t_
1-7\t33-34\t.\t_\t_
"""
    assert spans(read(text)) == [("1", 0, 0), ("1", 2, 2), ("1", 4, 4)]


def test_two_layers_of_chains_have_their_own_entities() -> None:
    text = """#FORMAT=WebAnno TSV 3.3
#T_CH=a.CoreferenceLink|referenceRelation|referenceType
#T_CH=a.OtherLink|referenceRelation|referenceType

1-1\t0-1\ta\t*->1-1\t*[1]\t_\t_
1-2\t2-3\tb\t_\t_\t*->1-1\t*[1]
"""
    assert spans(read(text)) == [("1", 0, 0), ("2:1", 1, 1)]


def test_what_is_wrong_with_a_webanno_file_is_located() -> None:
    assert refused(WEBANNO.replace("#T_CH", "#T_XX")) == ("no-entities", 1)
    assert refused(WEBANNO.replace("*->1-3", "*=>1-3")) == ("bad-link", 15)
    assert refused(WEBANNO.replace("2-2\t28-29", "two\t28-29")) == ("bad-line", 16)
    assert len(read(WEBANNO.replace("*->1-3", "*=>1-3"), skip=True).mentions) == 4


GUM = """#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


#Text=Ada met an old friend
1-1\t0-3\tAda\tperson\tnew\tana\t2-3\t
1-2\t4-7\tmet\t_\t_\t_\t_\t
1-3\t8-10\tan\tperson[2]\tnew[2]\tbridge|bridge:set-member;other\t2-1[5_2]|2-5[6_2]\t
1-4\t11-14\told\tperson[2]\tnew[2]\t_\t_\t
1-5\t15-21\tfriend\tperson[2]\tnew[2]\t_\t_\t

#Text=Both knew she had two cats
2-1\t22-26\tBoth\tperson[5]\tsplit[5]\tcoref\t2-1[5_5]\t
2-2\t27-31\tknew\t_\t_\t_\t_\t
2-3\t32-35\tshe\tperson\tgiv\tbridge\t2-1[5_0]\t
2-4\t36-39\thad\t_\t_\t_\t_\t
2-5\t40-43\ttwo\tanimal[6]\tacc[6]\t_\t_\t
2-6\t44-48\tcats\tanimal[6]\tacc[6]\tpart-of\t1-1[0_6]\t
"""


def test_relations_of_webanno_make_entities_bridging_and_sets() -> None:
    document = read(GUM, "GUM_tale_ada.tsv")
    texts = [document.text_of(mention) for mention in document.mentions]
    assert (document.id, texts) == ("GUM_tale_ada", ["Ada", "an old friend", "Both", "she", "two cats"])
    entities = {name: [document.text_of(each) for each in found] for name, found in document.entities().items()}
    assert entities == {"1": ["Ada", "she"], "2": ["an old friend"], "3": ["Both"], "4": ["two cats"]}
    assert document.sets == {"3": ("2", "1")}
    assert document.bridges == ((4, 1, (("Rel", "set-member;other"),)),)
    assert document.relations == (("part-of", "R1", ("1-1", "6")),)
    assert dict(document.mentions[1].attributes) == {"etype": "person", "infstat": "new"}


def test_what_is_wrong_with_relations_of_webanno_is_located() -> None:
    assert refused(GUM.replace("webanno.custom.Coref", "webanno.custom.Syntax")) == ("no-entities", 1)
    assert refused(GUM.replace("2-1[5_2]", "2-1[9_2]")) == ("bad-link", 9)
    assert refused(GUM.replace("2-1[5_2]", "[5_2]")) == ("bad-link", 9)
    assert len(read(GUM.replace("2-5[6_2]", "2-5[7_2]"), skip=True).bridges) == 0


# -- ECB+ -------------------------------------------------------------------------------------------------------------

ECB = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Document doc_name="1_1ecb.xml" doc_id="DOC1">
<token t_id="1" sentence="0" number="0">Ada</token>
<token t_id="2" sentence="0" number="1">took</token>
<token t_id="3" sentence="0" number="2">it</token>
<token t_id="4" sentence="0" number="3">off</token>
<token t_id="5" sentence="1" number="0">R&amp;D</token>
<token t_id="6" sentence="1" number="1">stopped</token>
<Markables>
<ACTION_OCCURRENCE m_id="26"><token_anchor t_id="2"/><token_anchor t_id="4"/></ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="27"><token_anchor t_id="1"/></HUMAN_PART_PER>
<NEG_ACTION_OCCURRENCE m_id="28"><token_anchor t_id="6"/></NEG_ACTION_OCCURRENCE>
<NON_HUMAN_PART m_id="29"><token_anchor t_id="3"/></NON_HUMAN_PART>
<ACTION_OCCURRENCE m_id="43" RELATED_TO="" TAG_DESCRIPTOR="t1_taking" instance_id="ACT1"/>
<NON_HUMAN_PART m_id="44" RELATED_TO="" TAG_DESCRIPTOR="thing" instance_id=""/>
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="37622" note="ACT1"><source m_id="26"/><source m_id="28"/><target m_id="43"/></CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="37623"><source m_id="29"/><target m_id="44"/></INTRA_DOC_COREF>
</Relations>
</Document>
"""


def test_markables_and_relations_of_ecb() -> None:
    document = read(ECB)
    assert (document.id, document.sentences) == ("1_1ecb.xml", (0, 4))
    assert list(document.words) == ["Ada", "took", "it", "off", "R&D", "stopped"]
    assert [(m.entity, [*map(word_of, m.span)], dict(m.attributes)["type"]) for m in document.mentions] == [
        ("1_1ecb.xml:m27", [0], "HUMAN_PART_PER"), ("ACT1", [1, 3], "ACTION_OCCURRENCE"),
        ("1_1ecb.xml:37623", [2], "NON_HUMAN_PART"), ("ACT1", [5], "NEG_ACTION_OCCURRENCE"),
    ]  # fmt: skip
    assert document.line_of(document.mentions[-1]) == 8


def test_entities_of_ecb_are_those_of_all_documents(tmp_path: Path) -> None:
    for side in ("key", "response"):
        for number in (1, 2):
            path = tmp_path / side / "1" / f"1_{number}ecb.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(ECB.replace("1_1ecb", f"1_{number}ecb"))
    result = scoref.score(tmp_path / "key", tmp_path / "response", scope="corpus", metrics=["muc", "b3"])
    assert result["muc"] == (1, 1, 1)
    assert result.counts["muc"].sum(axis=0)[1] == 3  # links: four mentions of ACT1 in two documents


def ecb_folder(folder: Path, *names: str) -> Path:
    """A folder with the same text and annotation under several names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(ECB.replace("1_1ecb.xml", name.rpartition("/")[2]), encoding="utf-8")
    return folder


def test_topics_of_ecb_are_those_of_names_and_folders(tmp_path: Path) -> None:
    key = ecb_folder(tmp_path, "1/1_1ecb.xml", "1/1_2ecbplus.xml", "2/2_1ecb.xml", "quakes/monday.xml")
    result = scoref.score(key, key, scope="topic", metrics=["muc"])
    assert result.documents == ("1", "2", "quakes")
    assert result.counts["muc"][:, 1].tolist() == [3, 1, 1]  # links of ACT1, two mentions in each document
    by_subtopic = scoref.score(ecb_folder(tmp_path / "a", "1/1_1ecb.xml", "1/1_2ecbplus.xml"), tmp_path / "a",
                               scope="subtopic", metrics=["muc"])  # fmt: skip
    assert by_subtopic.documents == ("1_ecb", "1_ecbplus")


def test_names_and_topics_are_kept_when_ecb_is_written(tmp_path: Path) -> None:
    key = ecb_folder(tmp_path / "key", "1/1_1ecb.xml", "1/1_2ecbplus.xml", "quakes/monday.xml")
    assert main(["convert", str(key), str(tmp_path / "all.jsonl")]) == 0
    assert main(["convert", str(tmp_path / "all.jsonl"), str(tmp_path / "back"), "--to", "ecb"]) == 0
    names = [[*sorted(path.relative_to(each).as_posix() for path in each.rglob("*.xml"))]
             for each in (key, tmp_path / "back")]  # fmt: skip
    assert names[0] == names[1]
    assert scoref.read(tmp_path / "back") == scoref.read(key)
    single = tmp_path / "single.xml"
    scoref.write(scoref.read(key)[-1], single)
    assert scoref.read(single) == scoref.read(key)[-1:]  # the topic is said in the file


def test_events_or_entities_of_ecb_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """ACT1 has two actions, one of them negated; the other two mentions are a person and a thing."""
    path = tmp_path / "1_1ecb.xml"
    path.write_text(ECB, encoding="utf-8")
    for kind, number in (("events", 2), ("entities", 2), (None, 4)):
        result = scoref.score(path, path, types=kind, metrics=["mentions", "muc"])
        assert result.counts["mentions"].tolist() == [[number] * 4]
        assert result.counts["muc"][0][1] == (kind != "entities")
    assert main(["score", str(path), str(path), "--types", "events"]) == 0
    assert "types:events" in capsys.readouterr().out
    plain = tmp_path / "response.conll"
    scoref.write(scoref.Document("1_1ecb.xml", scoref.read(path)[0].words, (scoref.Mention.at(5, 5, "x"),)), plain)
    result = scoref.score(path, plain, types="events", metrics=["mentions"])
    assert result["mentions"][:2] == (0.5, 1)
    assert [problem.code for problem in result.problems] == ["no-types"]
    with pytest.raises(scoref.Error, match="no-types"):
        scoref.score(plain, path, types="events")


LIST = "Topic,File,Sentence Number\n1,1ecb,0\n1,2ecbplus,1\n1,2ecbplus,2\n45,9ecb,3\n"


def test_only_listed_sentences_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sentence 0 has three mentions, sentence 1 one; 3_1ecb is not in the list, and there is no sentence 2."""
    key = ecb_folder(tmp_path / "key", "1/1_1ecb.xml", "1/1_2ecbplus.xml", "3/3_1ecb.xml")
    (tmp_path / "list.csv").write_text(LIST, encoding="utf-8")
    result = scoref.score(key, key, sentences=tmp_path / "list.csv", metrics=["mentions"])
    assert result.documents == ("1_1ecb.xml", "1_2ecbplus.xml")
    assert result.counts["mentions"].tolist() == [[3] * 4, [1] * 4]
    assert {problem.code for problem in result.problems} == {"unlisted-document", "unknown-sentence"}
    assert "sentences:listed" in result.signature
    given = ["score", str(key), str(key), "--sentences", str(tmp_path / "list.csv"), "--metrics", "mentions"]
    assert main([*given, "--scope", "corpus", "--types", "events"]) == 0
    assert "100.00" in capsys.readouterr().out
    from_one = ECB.replace('sentence="1"', 'sentence="2"').replace('sentence="0"', 'sentence="1"')
    other = tmp_path / "1_2ecbplus.xml"
    other.write_text(from_one.replace("1_1ecb", "1_2ecbplus"), encoding="utf-8")
    assert scoref.score(other, other, sentences=tmp_path / "list.csv")["mentions"].f1 == 1
    assert scoref.score(other, other, sentences=tmp_path / "list.csv").counts["mentions"].tolist() == [[4] * 4]
    scoref.write(scoref.read(other), tmp_path / "again.xml")
    assert scoref.read(tmp_path / "again.xml") == scoref.read(other)


@pytest.mark.parametrize(
    ("text", "code"),
    [("Topic,File,Sentence\n", "bad-list"), ("1,1ecb\n1,1ecb,x\n", "bad-list"), ("9,9ecb,1\n", "unlisted-document")],
)
def test_a_list_that_cannot_be_used_is_refused(text: str, code: str, tmp_path: Path) -> None:
    key = ecb_folder(tmp_path / "key", "1/1_1ecb.xml")
    (tmp_path / "list.csv").write_text(text, encoding="utf-8")
    with pytest.raises(Error, match=code):
        scoref.score(key, key, sentences=tmp_path / "list.csv")


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('<source m_id="28"/>', '<source m_id="99"/>', "unknown-id", 18),
        ('<token_anchor t_id="6"/>', '<token_anchor t_id="9"/>', "unknown-id", 12),
        ('m_id="27"', 'm_id="26"', "repeated-id", 11),
        ('<source m_id="29"/>', '<source m_id="28"/>', "two-entities", 19),
        ("</Relations>", "", "bad-xml", 21),
    ],
)
def test_what_is_wrong_with_an_ecb_file_is_located(old: str, new: str, code: str, line: int) -> None:
    assert refused(ECB.replace(old, new)) == (code, line)


def test_entities_of_xml_are_refused_at_once() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = ECB.replace("<Document", f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>\n<Document', 1).replace(">it<", ">&l9;<")
    started = time.process_time()
    assert refused(bomb)[0] == "xml-entities"
    outside = ECB.replace("<Document", '<!DOCTYPE x [<!ENTITY f SYSTEM "/etc/passwd">]>\n<Document', 1)
    assert refused(outside)[0] == "xml-entities"
    assert time.process_time() - started < 60  # what is wrong takes hours


# -- MUC --------------------------------------------------------------------------------------------------------------

MUC = """<DOC>
<DOCNO> 930219-0013 </DOCNO>
<TXT>
<s> <COREF ID="1" MIN="Group">Lawson &amp; Mardon <COREF ID="9">Group</COREF> Ltd.</COREF> said
<COREF ID="2" TYPE="IDENT" REF="1">it</COREF> sold <COREF ID="3" REF="2" MIN="a plant|plant">a big
plant</COREF>.</s>
</TXT>
</DOC>
"""


def test_mentions_in_the_text_of_muc() -> None:
    document = read(MUC)
    assert document.id == "930219-0013"
    assert [(m.entity, m.id, document.text_of(m)) for m in document.mentions] == [
        ("1", "1", "Lawson & Mardon Group Ltd."), ("9", "9", "Group"), ("1", "2", "it"), ("1", "3", "a big\nplant"),
    ]  # fmt: skip
    text = document.columns["text"][0]
    least = [[text[word_of(place)] for place in mention.minimum] for mention in document.mentions]
    assert ["".join(letters) for letters in least] == ["Group", "", "", "plant"]


def test_a_response_needs_the_minimum(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(MUC)
    cut = MUC.replace('<COREF ID="1" MIN="Group">Lawson &amp; Mardon', 'Lawson &amp; <COREF ID="1">Mardon')
    (tmp_path / "response").write_text(cut)
    assert scoref.score(tmp_path / "key", tmp_path / "response", match="min")["mentions"].f1 == 1
    assert scoref.score(tmp_path / "key", tmp_path / "response")["mentions"].f1 == 0.75


def test_muc_against_words(tmp_path: Path) -> None:
    (tmp_path / "key.sgm").write_text(MUC)
    words = ["Lawson", "&", "Mardon", "Group", "Ltd", ".", "said", "it", "sold", "a", "big", "plant", "."]
    mentions = tuple(Mention.at(*ends, entity) for *ends, entity in ((0, 5, 1), (3, 3, 2), (7, 7, 1), (9, 11, 1)))
    scoref.write([Document("930219-0013", tuple(words), mentions)], tmp_path / "response.jsonl")
    assert scoref.score(tmp_path / "key.sgm", tmp_path / "response.jsonl")["conll"].f1 == 1


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("plant</COREF>", "plant", "unclosed-mention", 5),
        ("sold", "sold</COREF>", "unopened-mention", 5),
        ('REF="2"', 'REF="77"', "unknown-id", 5),
        ('ID="3"', 'ID="2"', "repeated-id", 5),
        ('ID="3"', "", "bad-mention-id", 5),
        (">it<", "> <", "empty-mention", 5),
    ],
)
def test_what_is_wrong_with_a_muc_file_is_located(old: str, new: str, code: str, line: int) -> None:
    assert refused(MUC.replace(old, new)) == (code, line)


def test_several_documents_of_muc() -> None:
    source = formats.Source((MUC + MUC.replace("0013", "0014")).encode(), "file")
    assert [each.id for each in formats.read_source(source, None, Problems())[1]] == ["930219-0013", "930219-0014"]


# -- BookNLP ----------------------------------------------------------------------------------------------------------

ENTITIES = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n7\t0\t1\tPROP\tPER\tMr. Pip\n7\t3\t3\tPRON\tPER\the\n"
TOKENS = "\n".join(
    ["paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma"]
    + [f"0\t{n // 3}\t{n % 3}\t{n}\t{word}\t{word}" for n, word in enumerate(["Mr.", "Pip", "ran", "he", "fell"])]
)


def test_mentions_of_booknlp(tmp_path: Path) -> None:
    (tmp_path / "book.entities").write_text(ENTITIES)
    (bare,) = scoref.read(tmp_path / "book.entities")
    assert (bare.id, spans(bare), len(bare.words)) == ("book", [("7", 0, 1), ("7", 3, 3)], 0)
    (tmp_path / "book.tokens").write_text(TOKENS)
    (document,) = scoref.read(tmp_path)
    assert (list(document.words), document.sentences) == (["Mr.", "Pip", "ran", "he", "fell"], (0, 3))
    scoref.write([replace(document, id="x")], tmp_path / "x.conll")
    assert scoref.score(tmp_path / "x.conll", tmp_path / "book.entities")["conll"].f1 == 1
    (tmp_path / "book.entities").write_text(ENTITIES.replace("\t3\t3", "\t3\t9"))
    with pytest.raises(Error) as error:
        scoref.read(tmp_path / "book.entities")
    assert (error.value.code, error.value.line) == ("bad-mention", 3)


# -- round trips ------------------------------------------------------------------------------------------------------


@st.composite
def documents(draw: st.DrawFn, nested: bool) -> Document:
    letters = st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=["Cs", "Cc", "Cf", "Zs"])
    words = draw(st.lists(st.text(letters, min_size=1, max_size=4), min_size=1, max_size=7))
    ends = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(sorted).map(tuple)
    found: dict[tuple[int, ...], str] = {}
    for span, entity in draw(st.lists(st.tuples(ends, st.sampled_from("abc")), max_size=6)):
        if not nested or not any(a < span[0] <= b < span[1] or span[0] < a <= span[1] < b for a, b in found):
            found[span] = entity
    starts = tuple(sorted({0, *draw(st.sets(st.integers(0, len(words) - 1)))}))
    mentions = [Mention(stretch(*span), entity) for span, entity in sorted(found.items())]
    return Document("file", tuple(words), tuple(mentions), starts)


def partition(document: Document) -> set[frozenset[str]]:
    """Each entity as the texts of its mentions with their places."""
    return {frozenset(f"{m.span[0]}-{m.span[-1]}" for m in mentions) for mentions in document.entities().values()}


@pytest.mark.parametrize("format", ["webanno", "ecb"])
@given(document=documents(nested=False))
@settings(max_examples=80)
def test_words_and_entities_come_back(format: str, document: Document) -> None:
    again = read(formats.dumps([document], format), f"file{formats.FORMATS[format].suffix}")
    assert (again.id, list(again.words), again.sentences) == ("file", list(document.words), document.sentences)
    assert partition(again) == partition(document)
    once_more = read(formats.dumps([again], format), f"file{formats.FORMATS[format].suffix}")
    assert once_more == again


@given(document=documents(nested=True))
@example(Document("file", ("''", "-LRB-"), (Mention.at(0, 1, "a"),), (0,)))
@settings(max_examples=80)
def test_texts_and_entities_of_muc_come_back(document: Document) -> None:
    assume(document.mentions)
    again = read(formats.dumps([document], "muc"))
    result = scoref.score(document, again)
    assert (result["mentions"].f1, result.problems) == (1, ())
    assert read(formats.dumps([again], "muc")) == again


@pytest.mark.parametrize(("text", "format"), [(WEBANNO, "webanno"), (ECB, "ecb"), (MUC, "muc")])
def test_examples_come_back(text: str, format: str) -> None:
    document = read(text)
    again = read(formats.dumps([document], format))
    assert partition(again) == partition(document)
    assert [m.attributes for m in again.mentions] == [m.attributes for m in document.mentions]


@pytest.mark.parametrize("format", ["webanno", "ecb", "muc"])
def test_what_these_formats_cannot_hold_is_refused(format: str) -> None:
    with pytest.raises(Error):
        formats.dumps([Document("d", ("a",), (Mention((), "e", "name"),))], format)
    with pytest.raises(Error):
        formats.dumps([Document("d", ("a",), (Mention((1,), "e"),))], format)


@pytest.mark.parametrize("place", ["id", "entity", "attribute"])
def test_what_xml_cannot_have_is_not_written_as_ecb(place: str) -> None:
    said = {"id": "d", "entity": "e", "attribute": "a"} | {place: "\x02"}
    mention = Mention.at(0, 0, said["entity"], attributes=(("prop", said["attribute"]),))
    with pytest.raises(scoref.Error, match=r"U\+0002.*unwritable-text"):
        formats.dumps([Document(said["id"], ("Ada",), (mention,))], "ecb")
