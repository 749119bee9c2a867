"""UIMA CAS: files as dkpro-cassis writes them, in XMI and JSON; what scoref writes, as dkpro-cassis reads it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import format_matrix
import scoref
from scoref import formats
from scoref.document.document import Document, Mention, word_of
from scoref.problems import Error, Problems

Run = Callable[..., tuple[int, str, str]]
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api"
COREF_ANNOTATOR = "de.unistuttgart.ims.coref.annotator.api.v1"
TEXT = "Ada 😀 met\nher old cat. It ran."
XMI = f"""<?xml version="1.1" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
  xmlns:coref="http:///{DKPRO.replace(".", "/")}/coref/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<coref:CoreferenceLink xmi:id="2" sofa="1" begin="0" end="3" next="3" referenceType="name"/>
<coref:CoreferenceLink xmi:id="3" sofa="1" begin="11" end="14"/>
<coref:CoreferenceChain xmi:id="4" sofa="1" first="2"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="Ada 😀 met&#10;her old cat. It ran."/>
<cas:View sofa="1" members="2 3 4"/>
</xmi:XMI>
"""


def read(data: str | bytes, name: str = "file", skip: bool = False) -> Document:
    source = formats.Source(data.encode() if isinstance(data, str) else data, name)
    (document,) = formats.read_source(source, None, Problems("skip" if skip else "raise"))[1]
    return document


def entities(document: Document) -> dict[object, list[str]]:
    return {name: [document.text_of(each) for each in found] for name, found in document.entities().items()}


def refused(text: str) -> tuple[str, int | None]:
    with pytest.raises(Error) as error:
        read(text)
    assert error.value.path == "file"
    return error.value.code, error.value.line


# -- files of dkpro-cassis --------------------------------------------------------------------------------------------


def types() -> Any:
    cassis = pytest.importorskip("cassis", reason="dkpro-cassis is not installed: pip install 'scoref[test-all]'")
    system = cassis.TypeSystem()
    annotation, text = "uima.tcas.Annotation", "uima.cas.String"
    for name in ("Token", "Sentence"):
        system.create_type(f"{DKPRO}.segmentation.type.{name}", annotation)
    link = system.create_type(f"{DKPRO}.coref.type.CoreferenceLink", annotation)
    chain = system.create_type(f"{DKPRO}.coref.type.CoreferenceChain", "uima.cas.AnnotationBase")
    for of, feature, kind in ((link, "next", link), (link, "referenceType", text), (chain, "first", link)):
        system.create_feature(of, feature, kind)
    span = system.create_type("webanno.custom.Referent", annotation)
    relation = system.create_type("webanno.custom.Coref", annotation)
    system.create_feature(span, "entity", text)
    for feature, kind in (("Governor", span), ("Dependent", span), ("label", text)):
        system.create_feature(relation, feature, kind)
    entity = system.create_type(f"{COREF_ANNOTATOR}.Entity", "uima.cas.TOP")
    system.create_feature(entity, "Label", text)
    group = system.create_type(f"{COREF_ANNOTATOR}.EntityGroup", f"{COREF_ANNOTATOR}.Entity")
    system.create_feature(group, "Members", "uima.cas.FSArray")
    mention = system.create_type(f"{COREF_ANNOTATOR}.Mention", annotation)
    system.create_feature(mention, "Entity", entity)
    return system


class Made:
    """A CAS of cassis with the text."""

    def __init__(self, tokens: bool = False) -> None:
        import cassis

        self.types = types()
        self.cas = cassis.Cas(self.types)
        self.cas.sofa_string, self.cas.sofa_mime = TEXT, "text/plain"
        for match in re.finditer(r"\w+|[^\w\s]", TEXT if tokens else ""):
            self.add(f"{DKPRO}.segmentation.type.Token", begin=match.start(), end=match.end())
        for begin, end in ((0, TEXT.index("It") - 1), (TEXT.index("It"), len(TEXT))) if tokens else ():
            self.add(f"{DKPRO}.segmentation.type.Sentence", begin=begin, end=end)

    def add(self, type: str, words: str = "", **features: Any) -> Any:
        if words:
            features |= {"begin": TEXT.index(words), "end": TEXT.index(words) + len(words)}
        made = self.types.get_type(type)(**features)
        self.cas.add(made)
        return made

    def both(self) -> list[Document]:
        """The document as it is read from XMI and from JSON."""
        return [read(self.cas.to_xmi(pretty_print=True)), read(self.cas.to_json())]


def chained(tokens: bool) -> Made:
    made = Made(tokens)
    link, chain = f"{DKPRO}.coref.type.CoreferenceLink", f"{DKPRO}.coref.type.CoreferenceChain"
    for words in (("her old cat", "It"), ("Ada", "her")):
        second = made.add(link, words[1])
        made.add(chain, first=made.add(link, words[0], next=second, referenceType="first"))
    return made


@pytest.mark.parametrize("tokens", [True, False])
def test_chains_as_cassis_writes_them(tokens: bool) -> None:
    types()
    found = chained(tokens).both()
    assert [entities(each) for each in found] == [{"1": ["her old cat", "It"], "2": ["Ada", "her"]}] * 2
    assert [[dict(each.attributes) for each in one.mentions] for one in found] == [[{"type": "first"}, {}] * 2] * 2
    words = ["Ada", "😀", "met", "her", "old", "cat", ".", "It", "ran", "."]
    assert [list(each.words) for each in found] == [words if tokens else []] * 2
    assert [each.sentences for each in found] == [(0, 7) if tokens else ()] * 2


def test_relations_as_cassis_writes_them() -> None:
    types()
    made = Made()
    ada, her, cat = (made.add("webanno.custom.Referent", words, entity=kind)
                     for words, kind in (("Ada", "person"), ("her", "person"), ("cat", "animal")))  # fmt: skip
    made.add("webanno.custom.Coref", "her", Governor=her, Dependent=ada, label="ana")
    made.add("webanno.custom.Coref", "cat", Governor=cat, Dependent=ada, label="bridge:poss")
    one, other = made.both()
    assert entities(one) == {"1": ["Ada", "her"], "2": ["cat"]}
    assert one.bridges == ((2, 0, (("Rel", "poss"),)),)
    assert [dict(each.attributes)["etype"] for each in one.mentions] == ["person", "person", "animal"]
    assert one == other


def test_entities_of_coref_annotator_as_cassis_writes_them() -> None:
    types()
    made = Made()
    ada, cat = (made.add(f"{COREF_ANNOTATOR}.Entity", Label=name) for name in ("Ada", "cat"))
    members = made.types.get_type("uima.cas.FSArray")(elements=[ada, cat])
    both = made.add(f"{COREF_ANNOTATOR}.EntityGroup", Label="both", Members=members)
    for words, entity in (("Ada", ada), ("her", ada), ("her old cat", cat), ("It", both)):
        made.add(f"{COREF_ANNOTATOR}.Mention", words, Entity=entity)
    one, other = made.both()
    assert entities(one) == {"Ada": ["Ada", "her"], "cat": ["her old cat"], "both": ["It"]}
    assert one.sets == {"both": ("Ada", "cat")}
    assert one == other


def test_cassis_reads_what_is_written(tmp_path: Path) -> None:
    types()
    import cassis

    document = format_matrix.example(formats.FORMATS["xmi"])
    path = format_matrix.put(formats.FORMATS["xmi"], tmp_path)
    with open(tmp_path / "d.typesystem.xml", "rb") as file:
        system = cassis.load_typesystem(file)
    cas = cassis.load_cas_from_xmi(io.BytesIO(path.read_bytes()), typesystem=system)
    assert [each.get_covered_text() for each in cas.select(f"{DKPRO}.segmentation.type.Token")] == [*document.words]
    assert len(cas.select(f"{DKPRO}.segmentation.type.Sentence")) == 2
    found = []
    for chain in cas.select(f"{DKPRO}.coref.type.CoreferenceChain"):
        link = chain.first
        found.append([])
        while link:
            found[-1].append(link.get_covered_text())
            link = link.next
    expected = [[document.text_of(each) for each in members] for members in document.entities().values()]
    assert sorted(found) == sorted(expected)


# -- by hand ----------------------------------------------------------------------------------------------------------


def test_offsets_count_units_of_utf_16_and_lines_are_known() -> None:
    document = read(XMI)
    assert entities(document) == {"1": ["Ada", "her"]}
    assert [word_of(each.span[0]) for each in document.mentions] == [0, 10]
    assert [document.line_of(each) for each in document.mentions] == [5, 6]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('begin="11" end="14"', 'begin="11" end="99"', "bad-span", 6),
        ('begin="11" end="14"', 'begin="14" end="14"', "bad-span", 6),
        ('next="3"', 'next="2"', "repeated-link", 5),
        (' next="3"', "", "loose-link", 6),
        ("sofaString", "sofaText", "no-text", 1),
        ('xmi:id="3"', 'xmi:id="2"', "repeated-id", 6),
        ("CoreferenceChain", "CoreferenceKnot", "loose-link", 5),
        ("</xmi:XMI>", "", "bad-xml", 11),
        ("<xmi:XMI", '<!DOCTYPE x [<!ENTITY a "b">]><xmi:XMI', "xml-entities", 2),
        ("<xmi:XMI", '<!DOCTYPE x SYSTEM "http://a.b/c"><xmi:XMI', "xml-doctype", 2),
    ],
)
def test_what_is_wrong_with_a_cas_is_located(old: str, new: str, code: str, line: int | None) -> None:
    text = XMI.replace(old, new)
    assert text != XMI
    assert refused(text) == (code, line)


def test_a_cas_without_annotation_is_empty_if_its_types_could_say_more(tmp_path: Path) -> None:
    bare = re.sub(r"<coref:.*\n", "", XMI)
    (tmp_path / "d.xmi").write_text(bare)
    assert refused(bare) == ("no-entities", 1)
    (tmp_path / "d.typesystem.xml").write_text("<types><name>a.CoreferenceChain</name></types>")
    (document,) = scoref.read(tmp_path / "d.xmi")
    assert (document.id, len(document.mentions)) == ("d", 0)


@pytest.mark.parametrize("text", ['{"%TYPES": {}}', '{"%FEATURE_STRUCTURES": 7}', '{"%FEATURE_STRUCTURES": [7]}',
                                  '{"%FEATURE_STRUCTURES": [{"%TYPE": "uima.cas.Sofa"}]}', '{"%TYPES": '])  # fmt: skip
def test_json_that_is_no_cas_is_an_error(text: str) -> None:
    assert refused(text)[0] in ("bad-json", "no-text")


def test_links_of_a_chain_are_written_in_the_order_of_the_text() -> None:
    mentions = [Mention.at(2, 2, "x"), Mention.at(0, 0, "x")]
    written = formats.dumps([Document("d", ["a", "b", "c"], mentions)], "xmi")
    assert entities(read(written)) == {"1": ["a", "c"]}


# -- without cassis ---------------------------------------------------------------------------------------------------

CODE = {"c": DKPRO + ".coref.type", "s": DKPRO + ".segmentation.type", "w": "webanno.custom", "v": COREF_ANNOTATOR}
Annotation = dict[str, Any]


def by_xmi(text: str, *annotations: Annotation, more: str = "") -> str:
    """A CAS in XMI with these annotations from the second line on; `"T": "c:Link"` is the type of one."""
    names = "".join(f' xmlns:{short}="http:///{name.replace(".", "/")}.ecore"' for short, name in CODE.items())
    rows = []
    for each in annotations:
        said = {"xmi:id" if name == "I" else name: value for name, value in each.items() if name != "T"}
        plain = "".join(f' {name}="{value}"' for name, value in said.items() if not isinstance(value, list))
        inside = "".join(
            f"<{name}>{one}</{name}>" for name, value in said.items() if isinstance(value, list) for one in value
        )
        rows.append(f"<{each['T']}{plain}>{inside}</{each['T']}>")
    sofa = f'<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="{text}"/>'
    root = f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"{names}>'
    return "\n".join([root, *rows, sofa + more, "</xmi:XMI>", ""])


def by_json(text: str, *annotations: Annotation, listed: bool = True) -> str:
    """The same in JSON; references have names that begin with @, lists are arrays of their own."""
    found: list[dict[str, Any]] = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text}]
    for each in annotations:
        short, _, name = each["T"].partition(":")
        made: dict[str, Any] = {"%ID": int(each["I"]), "%TYPE": f"{CODE[short]}.{name}"}
        for feature, value in each.items():
            if feature in ("T", "I"):
                continue
            if isinstance(value, list):
                found.append({"%ID": 1000 + len(found), "%TYPE": "uima.cas.FSArray", "%ELEMENTS": [*map(int, value)]})
                value = found[-1]["%ID"]
            reference = feature not in ("begin", "end", "entity", "label", "Label", "referenceType", "infstat")
            made[f"@{feature}" if reference else feature] = int(value) if str(value).isdigit() else value
        found.append(made)
    if listed:
        return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": found})
    return json.dumps({"%FEATURE_STRUCTURES": {str(each.pop("%ID")): each for each in found}})


def at(type: str, id: int, begin: int, end: int, **features: Any) -> Annotation:
    return {"T": type, "I": str(id), "sofa": "1", "begin": str(begin), "end": str(end), **features}


def both(*annotations: Annotation, text: str = "Ada saw her cat") -> Document:
    one, *others = [
        read(by_xmi(text, *annotations)), read(by_json(text, *annotations)),
        read(by_json(text, *annotations, listed=False)),
    ]  # fmt: skip
    for other in others:
        assert (other.mentions, other.sets, other.bridges, other.words) == (
            one.mentions,
            one.sets,
            one.bridges,
            one.words,
        )
    return one


def test_chains_of_several_layers() -> None:
    document = both(
        at("c:CoreferenceLink", 2, 0, 3, next="3", referenceType="name"), at("c:CoreferenceLink", 3, 8, 11),
        {"T": "c:CoreferenceChain", "I": "4", "sofa": "1", "first": "2"},
        {"T": "c:CoreferenceChain", "I": "5", "sofa": "1"},
        at("c:CoreferenceLink", 6, 8, 15), {"T": "c:CoreferenceChain", "I": "7", "sofa": "1", "first": "6"},
        at("w:OtherLink", 8, 0, 3), {"T": "w:OtherChain", "I": "9", "sofa": "1", "first": "8"},
    )  # fmt: skip
    assert [(each.entity, each.id, document.text_of(each), each.attributes) for each in document.mentions] == [
        ("1", "2", "Ada", (("type", "name"),)), ("1", "3", "her", ()), ("3", "6", "her cat", ()),
        ("2:1", "8", "Ada", ()),
    ]  # fmt: skip
    assert document.columns == {"text": ["Ada saw her cat"]}
    assert document.line == 1


def test_relations_of_spans() -> None:
    document = both(
        at("w:Referent", 2, 0, 3, entity="person", infstat="new"), at("w:Referent", 3, 8, 11),
        at("w:Referent", 4, 12, 15),
        at("w:Coref", 5, 8, 11, Governor="3", Dependent="2", label="ana"),
        at("w:Coref", 6, 12, 15, Governor="4", Dependent="2", label="bridge:poss"),
        at("w:Coref", 7, 12, 15, Governor="4", Dependent="3", label="other"),
        at("w:Syntax", 8, 12, 15, Governor="4", Dependent="3", label="ana"),
    )  # fmt: skip
    assert [(each.entity, each.id, each.attributes) for each in document.mentions] == [
        ("1", "2", (("etype", "person"), ("infstat", "new"))), ("1", "3", ()), ("2", "4", ()),
    ]  # fmt: skip
    assert document.bridges == ((2, 0, (("Rel", "poss"),)),)
    assert document.relations == (("other", "R1", ("4", "3")),)


@pytest.mark.parametrize("ends", [{"Governor": "3"}, {"Dependent": "2"}, {"Governor": "3", "Dependent": "5"}])
def test_a_relation_without_one_of_its_ends_is_told(ends: dict[str, str]) -> None:
    """What has no place in the text is no annotation; the other annotations of the type are mentions."""
    links = [at("w:Referent", 2, 0, 3), at("w:Referent", 3, 8, 11), {"T": "w:Referent", "I": "5"}]
    both_ends = {"Governor": "3", "Dependent": "2"}
    text = by_xmi("Ada saw her cat", *links, at("w:Coref", 6, 8, 11, **both_ends), at("w:Coref", 7, 8, 11, **ends))
    problems = Problems("skip")
    (document,) = formats.read_source(formats.Source(text.encode(), "d.xmi"), None, problems)[1]
    codes = [problem.code for problem in problems.found]
    assert codes == ["bad-span"] + ["bad-link"] * ("Governor" in ends)  # without a governor it is no relation
    assert [(mention.id, mention.entity) for mention in document.mentions] == [("2", "1"), ("3", "1")]


def test_entities_of_coref_annotator() -> None:
    document = both(
        {"T": "v:Entity", "I": "2", "Label": "Ada"}, {"T": "v:Entity", "I": "3", "Label": "x"},
        {"T": "v:Entity", "I": "4", "Label": "x"}, {"T": "v:Entity", "I": "5"},
        {"T": "v:EntityGroup", "I": "6", "Label": "both", "Members": ["2", "4"]},
        {"T": "v:EntityGroup", "I": "16", "Label": "unused", "Members": ["2", "4"]},
        at("v:Mention", 7, 0, 3, Entity="2"), at("v:Mention", 8, 8, 11, Entity="4"),
        at("v:Mention", 9, 12, 15, Entity="5"),
        at("v:Mention", 10, 4, 7, Entity="6", Discontinuous=["11"]), at("v:DetachedMentionPart", 11, 12, 13),
        {"T": "v:Mention", "I": "12", "Entity": "2", "Surface": ["13", "14"]},
        at("v:MentionSurface", 13, 8, 9), at("v:MentionSurface", 14, 10, 11),
    )  # fmt: skip
    assert [(each.entity, each.id, [*map(word_of, each.span)]) for each in document.mentions] == [
        ("Ada", "7", [0, 1, 2]), ("x#4", "8", [8, 9, 10]), ("#5", "9", [12, 13, 14]), ("both", "10", [4, 5, 6, 12]),
        ("Ada", "12", [8, 10]),
    ]  # fmt: skip
    assert document.sets == {"both": ("Ada", "x#4")}


LINKS = (
    at("c:CoreferenceLink", 20, 0, 3, next="21"), at("c:CoreferenceLink", 21, 8, 15),
    {"T": "c:CoreferenceChain", "I": "22", "sofa": "1", "first": "20"},
)  # fmt: skip


def tokens(*ends: tuple[int, int]) -> list[Annotation]:
    return [at("s:Token", number, *each) for number, each in enumerate(ends, 2)]


def test_tokens_are_words() -> None:
    sentences = [at("s:Sentence", 10, 0, 7), at("s:Sentence", 11, 8, 15), at("s:Sentence", 12, 5, 6)]
    document = both(*reversed(tokens((0, 3), (4, 7), (8, 11), (12, 15))), *sentences, *LINKS)
    assert ([*document.words], document.sentences, document.columns) == (["Ada", "saw", "her", "cat"], (0, 2), {})
    assert [[*map(word_of, each.span)] for each in document.mentions] == [[0], [2, 3]]
    for ends in (((0, 3), (4, 7), (8, 11)), ((0, 3), (8, 13), (13, 15), (2, 5)), ((0, 3), (4, 9), (9, 15)), ()):
        bare = both(*tokens(*ends), *LINKS)  # a mention ends or begins in no token, or tokens overlap
        assert (len(bare.words), [*map(word_of, bare.mentions[1].span)]) == (0, [*range(8, 15)])
    touching = both(*tokens((0, 3), (3, 8), (8, 15)), *LINKS)
    assert [*touching.words] == ["Ada", "saw", "hercat"]


def test_types_of_files_beside_say_that_there_might_be_coreference(tmp_path: Path) -> None:
    path = tmp_path / "d.xmi"
    path.write_text(by_xmi("Ada", at("s:Token", 2, 0, 3)))
    for name, type, fine in (
        ("TypeSystem.xml", "a.CoreferenceLink", True), ("d.typesystem.xml", "a.v1.Mention", True),
        ("d.typesystem.xml", "a.v3.Mention", False), ("d.typesystem.xml", "my.Anaphora", True),
        ("e.typesystem.xml", "a.Chain", False), ("TypeSystem.xml", "a.Chains", False),
    ):  # fmt: skip
        (tmp_path / name).write_text(f"<types><x:name>{type}</x:name></types>".replace("x:", ""))
        if fine:
            (document,) = scoref.read(path)
            assert ([*document.words], len(document.mentions)) == (["Ada"], 0)
        else:
            with pytest.raises(Error, match="no-entities"):
                scoref.read(path)
        (tmp_path / name).unlink()
    bare = {
        "%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Ada", "sofaID": "_InitialView"}]
    }
    assert read(json.dumps({"%TYPES": {"a.CoreferenceChain": {}}} | bare)).mentions == ()
    with pytest.raises(Error, match="no-entities"):
        read(json.dumps({"%TYPES": {"a.Token": {}}} | bare))


def test_ids_that_are_not_said_are_places() -> None:
    text = by_xmi(
        "Ada", at("c:CoreferenceLink", 2, 0, 3), {"T": "c:CoreferenceChain", "I": "3", "sofa": "1", "first": "2"}
    )
    assert read(text.replace(' xmi:id="3"', "")).mentions[0].entity == "1"
    assert read(text.replace("xmi:XMI", "XMI")).mentions[0].entity == "1"


def test_other_views_are_not_read() -> None:
    more = '<cas:Sofa xmi:id="90" sofaID="x" sofaString="y"/>'
    problems = Problems("skip")
    links = [*LINKS, {**at("c:CoreferenceLink", 30, 0, 1), "sofa": "90"}]
    source = formats.Source(by_xmi("Ada saw her cat", *links, more=more).encode(), "d.xmi")
    (document,) = formats.read_source(source, None, problems)[1]
    assert len(document.mentions) == 2
    (problem,) = problems.found
    assert (problem.code, problem.line, problem.fatal) == ("other-view", 6, False)
    assert problem.message == "1 annotations of other views than _InitialView are not read"
    problems = Problems()
    source = formats.Source(by_xmi("Ada saw her cat", *LINKS, more=more).encode(), "d.xmi")
    (document,) = formats.read_source(source, None, problems)[1]
    assert len(document.mentions) == 2
    odd = [*LINKS, {**at("c:CoreferenceLink", 30, 0, 1), "sofa": "90"}]  # of a text that is not there
    source = formats.Source(by_xmi("Ada saw her cat", *odd).encode(), "d.xmi")
    (document,) = formats.read_source(source, None, problems)[1]
    assert len(document.mentions) == 2
    assert problems.found == []
    first = by_xmi("Ada saw her cat", *LINKS).replace("_InitialView", "z")
    assert len(read(first).mentions) == 2
