"""One document in every format, letter by letter: each text was checked against the description of its format."""

from __future__ import annotations

import re

import pytest

from scoref.document.document import Document, Mention, position, stretch
from scoref.formats import Source, detect, dumps
from scoref.formats.known import FORMATS, named
from scoref.problems import Problems

WORDS = ("Ada", "saw", "the", "old", "cat", ".", "It", "ran", ".")
LINE, NEXT, TEXT = "Ada saw the old cat .", "It ran .", "Ada saw the old cat .\nIt ran ."
DOCUMENT = Document(
    "d",
    WORDS,
    (
        Mention(stretch(0, 0), "1", attributes=(("type", "PER"),)),
        Mention(stretch(2, 4), "2"),
        Mention(stretch(3, 3), "3"),
        Mention(stretch(6, 6), "2", attributes=(("type", "PRO"),)),
    ),
    (0, 6),
)
CAS, DKPRO = "http:///uima/cas.ecore", "http:///de/tudarmstadt/ukp/dkpro/core/api"
MISC = "_\t_\t_\t_\t_\t_\t_\t"
WRITTEN = {
    "conll": """#begin document d
d\t0\t0\tAda\t(1)
d\t0\t1\tsaw\t-
d\t0\t2\tthe\t(2
d\t0\t3\told\t(3)
d\t0\t4\tcat\t2)
d\t0\t5\t.\t-

d\t0\t0\tIt\t(2)
d\t0\t1\tran\t-
d\t0\t2\t.\t-

#end document
""",
    "corefud": f"""# newdoc id = d
# global.Entity = eid-etype-other
# sent_id = d-s1
1\tAda\t{MISC}Entity=(1--)
2\tsaw\t{MISC}_
3\tthe\t{MISC}Entity=(2--
4\told\t{MISC}Entity=(3--)
5\tcat\t{MISC}Entity=2)
6\t.\t{MISC}_

# sent_id = d-s2
1\tIt\t{MISC}Entity=(2--)
2\tran\t{MISC}_
3\t.\t{MISC}_

""",
    "ua": f"""# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING \
DISCOURSE_DEIXIS REFERENCE NOM_SEM
# newdoc id = d
1\tAda\t{MISC}_\t(EntityID=1|MarkableID=m1|type=PER)\t_\t_\t_\t_
2\tsaw\t{MISC}_\t_\t_\t_\t_\t_
3\tthe\t{MISC}_\t(EntityID=2|MarkableID=m2\t_\t_\t_\t_
4\told\t{MISC}_\t(EntityID=3|MarkableID=m3)\t_\t_\t_\t_
5\tcat\t{MISC}_\t)\t_\t_\t_\t_
6\t.\t{MISC}_\t_\t_\t_\t_\t_

7\tIt\t{MISC}_\t(EntityID=2|MarkableID=m4|type=PRO)\t_\t_\t_\t_
8\tran\t{MISC}_\t_\t_\t_\t_\t_
9\t.\t{MISC}_\t_\t_\t_\t_\t_

""",
    "tbf": """#BeginOfDocument d
scoref\td\tE1\tt0\tAda\tPER\tNOT_ANNOTATED
scoref\td\tE2\tt2,t3,t4\tthe old cat\tNOT_ANNOTATED\tNOT_ANNOTATED
scoref\td\tE3\tt3\told\tNOT_ANNOTATED\tNOT_ANNOTATED
scoref\td\tE4\tt6\tIt\tPRO\tNOT_ANNOTATED
@Coreference\tC1\tE2,E4
#EndOfDocument
""",
    "brat": """T1\tPER 0 3\tAda
T2\tMention 8 19\tthe old cat
T3\tMention 12 15\told
T4\tPRO 22 24\tIt
R1\tCoreference Arg1:T2 Arg2:T4
""",
    "jsonl": """{"doc_key": "d", "ends": "inclusive", "sentences": [["Ada", "saw", "the", "old", "cat", "."], \
["It", "ran", "."]], "clusters": [[[0, 0]], [[2, 4], [6, 6]], [[3, 3]]], "entities": ["1", "2", "3"], \
"scoref": {"mentions": [{"span": [0], "entity": "1", "attributes": {"type": "PER"}}, {"span": [2, 3, 4], \
"entity": "2"}, {"span": [3], "entity": "3"}, {"span": [6], "entity": "2", "attributes": {"type": "PRO"}}]}}
""",
    "clusters": '{"type": "clusters", "clusters": {"1": [[0, 0]], "2": [[2, 4], [6, 6]], "3": [[3, 3]]}}\n',
    "table": "document,mention,entity\nd,0-0,1\nd,2-4,2\nd,3-3,3\nd,6-6,2\n",
    "edl": "d\t0\t0\t1\t1.0\tPER\nd\t2\t4\t2\t1.0\nd\t3\t3\t3\t1.0\nd\t6\t6\t2\t1.0\tPRO\n",
    "text": "#begin document d\n[Ada](#1) saw [the [old](#3) cat](#2) .\n[It](#2) ran .\n#end document\n",
    "muc": '<DOC><DOCNO>d</DOCNO><TXT><COREF ID="1">Ada</COREF> saw <COREF ID="2">the <COREF ID="3">old</COREF> cat'
    '</COREF> .\n<COREF ID="4" TYPE="IDENT" REF="2">It</COREF> ran .</TXT></DOC>\n',
    "ecb": """<?xml version='1.0' encoding='UTF-8'?>
<Document doc_name="d">
<token t_id="1" sentence="0" number="0">Ada</token>
<token t_id="2" sentence="0" number="1">saw</token>
<token t_id="3" sentence="0" number="2">the</token>
<token t_id="4" sentence="0" number="3">old</token>
<token t_id="5" sentence="0" number="4">cat</token>
<token t_id="6" sentence="0" number="5">.</token>
<token t_id="7" sentence="1" number="0">It</token>
<token t_id="8" sentence="1" number="1">ran</token>
<token t_id="9" sentence="1" number="2">.</token>
<Markables>
<PER m_id="1"><token_anchor t_id="1"/></PER>
<MENTION m_id="2"><token_anchor t_id="3"/><token_anchor t_id="4"/><token_anchor t_id="5"/></MENTION>
<MENTION m_id="3"><token_anchor t_id="4"/></MENTION>
<PRO m_id="4"><token_anchor t_id="7"/></PRO>
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="1" note="1"><source m_id="1"/></CROSS_DOC_COREF>
<CROSS_DOC_COREF r_id="2" note="2"><source m_id="2"/><source m_id="4"/></CROSS_DOC_COREF>
<CROSS_DOC_COREF r_id="3" note="3"><source m_id="3"/></CROSS_DOC_COREF>
</Relations>
</Document>
""",
    "webanno": f"""#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType


#Text={LINE}
1-1\t0-3\tAda\t*->1-1\tPER[1]\t
1-2\t4-7\tsaw\t_\t_\t
1-3\t8-11\tthe\t*->2-1\t*[2]\t
1-4\t12-15\told\t*->2-1|*->3-1\t*[2]|*[3]\t
1-5\t16-19\tcat\t*->2-1\t*[2]\t
1-6\t20-21\t.\t_\t_\t

#Text={NEXT}
2-1\t22-24\tIt\t*->2-2\tPRO[2]\t
2-2\t25-28\tran\t_\t_\t
2-3\t29-30\t.\t_\t_\t
""",
    "xmi": f"""<?xml version='1.0' encoding='UTF-8'?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="{CAS}" xmlns:seg="{DKPRO}/segmentation/type.ecore" \
xmlns:coref="{DKPRO}/coref/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<seg:Token xmi:id="2" sofa="1" begin="0" end="3"/>
<seg:Token xmi:id="3" sofa="1" begin="4" end="7"/>
<seg:Token xmi:id="4" sofa="1" begin="8" end="11"/>
<seg:Token xmi:id="5" sofa="1" begin="12" end="15"/>
<seg:Token xmi:id="6" sofa="1" begin="16" end="19"/>
<seg:Token xmi:id="7" sofa="1" begin="20" end="21"/>
<seg:Token xmi:id="8" sofa="1" begin="22" end="24"/>
<seg:Token xmi:id="9" sofa="1" begin="25" end="28"/>
<seg:Token xmi:id="10" sofa="1" begin="29" end="30"/>
<seg:Sentence xmi:id="11" sofa="1" begin="0" end="21"/>
<seg:Sentence xmi:id="12" sofa="1" begin="22" end="30"/>
<coref:CoreferenceLink xmi:id="13" sofa="1" begin="0" end="3" referenceType="PER"/>
<coref:CoreferenceLink xmi:id="14" sofa="1" begin="8" end="19" next="15"/>
<coref:CoreferenceLink xmi:id="15" sofa="1" begin="22" end="24" referenceType="PRO"/>
<coref:CoreferenceLink xmi:id="16" sofa="1" begin="12" end="15"/>
<coref:CoreferenceChain xmi:id="17" sofa="1" first="13"/>
<coref:CoreferenceChain xmi:id="18" sofa="1" first="14"/>
<coref:CoreferenceChain xmi:id="19" sofa="1" first="16"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{LINE}&#10;{NEXT}"/>
<cas:View sofa="1" members="2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"/>
</xmi:XMI>
""",
}


def test_all_formats_that_are_written_are_here() -> None:
    assert {*WRITTEN} == {name for name, format in FORMATS.items() if format.writes}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_document_is_written_as_its_format_says(name: str) -> None:
    assert named(name).write([DOCUMENT]) == WRITTEN[name]


def groups(document: Document) -> list[tuple[object, list[str]]]:
    found = document.entities().values()
    return sorted((len(each), [document.text_of(mention) for mention in each]) for each in found)


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_read_again(name: str) -> None:
    source = Source(WRITTEN[name].encode(), f"d{named(name).suffix}")
    assert detect(source).name == name
    problems = Problems("skip")
    (document,) = named(name).read(source, problems)
    holds = named(name).holds
    assert not problems.found
    assert document.id == ("" if name == "clusters" else "d")
    if "words" in holds and "character places" not in holds:
        assert (tuple(document.words), document.sentences) == (WORDS, () if name == "text" else (0, 6))
        assert groups(document) == [(1, ["Ada"]), (1, ["old"]), (2, ["the old cat", "It"])]
    else:
        assert sorted(len(each) for each in document.entities().values()) == [1, 1, 2]
    if "types" in holds:
        assert sorted(dict(each.attributes).get("type", "") for each in document.mentions)[-2:] == ["PER", "PRO"]


BESIDE = {"brat": {".txt": f"{TEXT}\n"}}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_beside(name: str) -> None:
    found = named(name).beside([DOCUMENT])
    if name == "xmi":
        assert (list(found), found[".typesystem.xml"].count("<typeDescription>")) == ([".typesystem.xml"], 4)
    else:
        assert found == BESIDE.get(name, {})


# -- more than words --------------------------------------------------------------------------------------------------

LETTERS = Document("d", (), (Mention(stretch(2, 4), "1"), Mention(stretch(6, 6), "1")), columns={"text": ["😀 Ada I"]})
FURTHER = [  # of a text whose characters are counted; U+1F600 has two units of UTF-16
    ("xmi", '<coref:CoreferenceLink xmi:id="2" sofa="1" begin="3" end="6" next="3"/>\n'
     '<coref:CoreferenceLink xmi:id="3" sofa="1" begin="7" end="8"/>\n'
     '<coref:CoreferenceChain xmi:id="4" sofa="1" first="2"/>\n'),
    ("brat", "T1\tMention 2 5\tAda\nT2\tMention 6 7\tI\nR1\tCoreference Arg1:T1 Arg2:T2\n"),
    ("tbf", "scoref\td\tE1\t2,5\tAda\tNOT_ANNOTATED\tNOT_ANNOTATED\n"),
    ("edl", "d\t2\t4\t1\t1.0\nd\t6\t6\t1\t1.0\n"),
    ("muc", '<TXT>😀 <COREF ID="1">Ada</COREF> <COREF ID="2" TYPE="IDENT" REF="1">I</COREF></TXT>'),
    ("jsonl", '"clusters": [[[2, 4], [6, 6]]], "entities": ["1"]'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "part"), FURTHER)
def test_characters_are_counted(name: str, part: str) -> None:
    written = named(name).write([LETTERS])
    assert isinstance(written, str)
    assert part in written
    assert named(name).beside([LETTERS]).get(".txt") == ("😀 Ada I" if name == "brat" else None)
    (again,) = named(name).read(Source(written.encode(), f"d{named(name).suffix}"), Problems())
    assert [[*each.span] for each in again.mentions] == [[position(2), position(3), position(4)], [position(6)]]


def test_the_crac_style_has_a_tag_behind_each_word() -> None:
    mentions = (*DOCUMENT.mentions, Mention(stretch(2, 2), "4"), Mention(stretch(4, 6), "5"))
    document = Document("d", WORDS, mentions, (0, 6))
    expected = "Ada|[1] saw the|[2,[4] old|[3] cat|2],[5 . It|5],[2] ran .\n"
    assert named("text").write([document], "crac") == expected


def test_mentions_that_touch_in_a_text_of_characters_are_closed_before_others_open() -> None:
    """In words there are blanks between; in characters one mention may begin where another ends."""
    places = (0, 2, "1"), (3, 5, "2"), (3, 3, "3")
    mentions = tuple(Mention(stretch(first, last), entity, entity) for first, last, entity in places)
    text = dumps([Document("d", (), mentions, columns={"text": ["AdaBob"]})], "muc")
    tags = re.sub(r' [A-Z]+="[^"]*"', "", text)
    assert "<COREF>Ada</COREF><COREF><COREF>B</COREF>ob</COREF>" in tags
