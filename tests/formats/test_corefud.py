"""CorefUD files: what is read from them, what is written, and what is said of bad ones."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from places import SHARED, beside
from scoref import formats
from scoref.cli import main
from scoref.document.document import Bridge, Document, Mention, position, stretch
from scoref.formats.corefud import read as corefud
from scoref.formats.fitting import fitted
from scoref.problems import Error, Problem, Problems

REAL = sorted([*SHARED.glob("vectors/real-*/files/*.conllu"), *SHARED.glob("data/edge-inputs/*.conllu")])
HEADER = "eid-etype-head-other"

Cell = str | tuple[str, str]


def row(number: str, word: str, deps: str = "_", misc: str = "_") -> str:
    return "\t".join([number, word, "_", "_", "_", "_", "_", "_", deps, misc])


def conllu(*cells: Cell, name: str | None = "d", header: str | None = HEADER) -> str:
    """A document: a word for each cell of MISC (or of Entity), "" between sentences, (DEPS, MISC) for an empty node."""
    lines = [f"# newdoc id = {name}"] * bool(name) + [f"# global.Entity = {header}"] * bool(header)
    word = empty = total = 0
    for cell in cells:
        deps, misc = cell if isinstance(cell, tuple) else ("_", cell)
        misc = misc if "=" in misc or misc == "_" else f"Entity={misc}"
        if cell == "":
            word = empty = 0
            lines.append("")
        elif isinstance(cell, tuple):
            empty += 1
            lines.append(row(f"{word}.{empty}", "_", deps, misc))
        else:
            word, empty, total = word + 1, 0, total + 1
            lines.append(row(str(word), f"w{total}", deps, misc))
    return "\n".join([*lines, "", ""])


def read(text: str | bytes, *, skip: bool = False, format: str | None = "corefud") -> list[Document]:
    data = text.encode() if isinstance(text, str) else text
    return formats.read_source(formats.Source(data, "file"), format, Problems("skip" if skip else "raise"))[1]


def problems(text: str) -> list[Problem]:
    found = Problems("skip")
    formats.read_source(formats.Source(text.encode(), "file"), "corefud", found)
    return found.found


def one(*cells: Cell, **how: str | None) -> Document:
    (document,) = read(conllu(*cells, **how))
    return document


def node(place: int) -> str:
    """A place as it is written in one sentence: 3, 3.1, 0.1."""
    word, empty = (place >> 8) + 1, place & 255
    return f"{word}.{empty % 128}" if empty else str(word)


def spans(document: Document) -> dict[str, list[str]]:
    """The nodes of the mentions of each entity; the head in brackets, where it is not the first."""
    found: dict[str, list[str]] = {}
    for mention in document.mentions:
        nodes = [
            f"({node(place)})" if place == mention.head != mention.span[0] else node(place) for place in mention.span
        ]
        found.setdefault(str(mention.entity), []).append(" ".join(nodes))
    return found


# -- mentions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param(["(e1--1-)", "_"], {"e1": ["1"]}, id="one word"),
        pytest.param(["(e1--2-", "e1)"], {"e1": ["1 (2)"]}, id="two words"),
        pytest.param(["(e1--3-(e2--1-)", "_", "e1)"], {"e1": ["1 2 (3)"], "e2": ["1"]}, id="nested at the start"),
        pytest.param(["(e1--1-", "(e2--1-)e1)"], {"e1": ["1 2"], "e2": ["2"]}, id="nested at the end, opener first"),
        pytest.param(["(e1--1-", "e1)(e2--1-)"], {"e1": ["1 2"], "e2": ["2"]}, id="nested at the end, closer first"),
        pytest.param(["(e1--1-(e1--1-", "e1)", "e1)"], {"e1": ["1 2 3", "1 2"]}, id="an entity in itself"),
        pytest.param(["(e1--1-", "(e1--1-", "e1)", "e1)"], {"e1": ["1 2 3 4", "2 3"]}, id="the last opened closes"),
        pytest.param(["(e1--1-", "(e2--2-", "e1)", "e2)"], {"e1": ["1 2 3"], "e2": ["2 (3) 4"]}, id="crossing"),
        pytest.param(["(e1--1-)(e1--1-)"], {"e1": ["1", "1"]}, id="twice"),
        pytest.param(["(e1[1/2]--2-)", "_", "(e1[2/2]--2-)"], {"e1": ["1 (3)"]}, id="discontinuous"),
        pytest.param(
            ["(e1[1/2]--1-", "e1[1/2])", "_", "(e1[2/2]--3-", "e1[2/2])"], {"e1": ["1 2 (4) 5"]},
            id="the last piece says the head",
        ),
        pytest.param(
            ["(e1[1/3]--1-)", "_", "(e1[2/3]--1-)", "_", "(e1[3/3]--1-)"], {"e1": ["1 3 5"]}, id="three pieces"
        ),
        pytest.param(
            ["(e1[1/2]--1-)", "(e1--1-)", "(e1[2/2]--1-)"], {"e1": ["1 3", "2"]}, id="a mention between the pieces"
        ),
        pytest.param(["(e1[1/2]--1-)", "(e1[2/2]--1-)"], {"e1": ["1 2"]}, id="pieces side by side"),
        pytest.param(["(e1[1/1]--1-)", "_"], {"e1": ["1"]}, id="one piece of one"),
        pytest.param(["(e1", "e1)"], {"e1": ["1 2"]}, id="the entity alone"),
        pytest.param(["(e1-person", "e1)"], {"e1": ["1 2"]}, id="no head"),
        pytest.param(["(e1--0-", "e1)"], {"e1": ["1 2"]}, id="head 0"),
        pytest.param(["Gloss=(e9)|Entity=(e1--1-)", "Note=Entity=(e2"], {"e1": ["1"]}, id="other attributes"),
        pytest.param(["Entity=(e1--1-)|Entity=(e2--1-)"], {"e1": ["1"], "e2": ["1"]}, id="twice in MISC"),
        pytest.param(["_", "_"], {}, id="none"),
    ],
)  # fmt: skip
def test_brackets(cells: list[str], expected: dict[str, list[str]]) -> None:
    assert spans(one(*cells)) == expected


@pytest.mark.parametrize(
    ("header", "opener"),
    [
        ("eid-etype-head-other", "e1-person-2-x:y"),
        ("eid-etype-head-minspan-link-identity", "e1-person-2-1,2-ana-Ada_L."),
        ("GRP-etype-infstat-head", "e1-person-giv:act-2"),
        ("etype-head-eid-other", "person-2-e1-x"),
        ("head-GRP-etype", "2-e1-person"),
        ("eid-head", "e1-2"),
        ("etype-eid", "person-e1"),
    ],
)
def test_the_header_names_the_fields_in_order(header: str, opener: str) -> None:
    document = one(f"({opener}", "e1)", header=header)
    (mention,) = document.mentions
    assert mention.entity == "e1"
    assert mention.head == (position(1) if "head" in header else position(0))
    names = header.split("-")
    expected = [(name, value) for name, value in zip(names, opener.split("-"), strict=True)]
    assert mention.attributes == tuple(each for each in expected if each[0] not in ("eid", "GRP", "head"))
    assert read(formats.dumps([document], "corefud")) == [document]


def test_the_last_field_may_have_hyphens_and_fields_may_be_empty() -> None:
    (mention,) = one("(e1--1-a:b-c-d)").mentions
    assert mention.attributes == (("other", "a:b-c-d"),)


def test_a_header_holds_for_its_document_and_those_after_it_that_have_none() -> None:
    first = conllu("(e1-1)", name="a", header="eid-head")
    second, third = (conllu("(x-e1)", name=name, header=header) for name, header in (("b", "etype-eid"), ("c", None)))
    documents = read(first + second + third)
    assert [document.mentions[0].attributes for document in documents] == [(), (("etype", "x"),), (("etype", "x"),)]
    assert read(formats.dumps(documents, "corefud")) == documents


def test_entities_of_several_documents_are_their_own() -> None:
    a, b = read(conllu("(e1--1-)", "(e1--1-)", name="a") + conllu("(e1--1-", "e1)", name="b"))
    assert (a.id, b.id) == ("a", "b")
    assert (spans(a), spans(b)) == ({"e1": ["1", "2"]}, {"e1": ["1 2"]})
    assert (a.line, list(a.origin.lines), b.line, list(b.origin.lines)) == (1, [3, 4], 6, [8, 9])


def test_mentions_are_ordered_by_first_word_then_longest_first() -> None:
    document = one("(a--1-)(b--1-(c--1-", "c)", "b)", "(d--1-)")
    assert [mention.entity for mention in document.mentions] == ["b", "c", "a", "d"]


# -- empty nodes ------------------------------------------------------------------------------------------------------


def test_empty_nodes_are_nodes() -> None:
    document = one(("1:nsubj", "(e1--1-)"), "(e2--2-", ("1:obj", "(e1--1-)"), ("1:obl", "_"), "e2)")
    assert spans(document) == {"e1": ["0.1", "1.1"], "e2": ["1 (1.1) 1.2 2"]}
    assert [mention.is_zero for mention in document.mentions] == [True, True, True]
    assert list(document.words) == ["w1", "w2"]


def test_node_10_is_not_node_1() -> None:
    nodes = [("_", "(e1--1-)" if number == 1 else "(e2--1-)" if number == 10 else "_") for number in range(1, 11)]
    assert spans(one("_", *nodes, "_")) == {"e1": ["1.1"], "e2": ["1.10"]}


def test_nodes_before_the_first_word_of_a_later_sentence() -> None:
    document = one("_", ("_", "(a--1-)"), "", ("_", "(b--1-)"), ("_", "(c--1-)"), "(d--1-)")
    assert [mention.entity for mention in document.mentions] == ["a", "b", "c", "d"]
    assert [mention.is_zero for mention in document.mentions] == [True, True, True, False]
    assert len({mention.span for mention in document.mentions}) == 4


@pytest.mark.parametrize(
    ("deps", "expected"),
    [
        ("_", ()),
        ("2:nsubj", ((position(3), "nsubj"),)),
        ("1:nsubj|2:obj:x", ((position(2), "nsubj"), (position(3), "obj:x"))),
        ("1.1:conj", ((position(2, 1), "conj"),)),
        ("0.1:conj", ((position(1, 129), "conj"),)),
        ("0:root", ((position(1, 128), "root"),)),
        ("2", ((position(3), ""),)),
    ],
)
def test_parents_of_a_zero(deps: str, expected: tuple[tuple[int, str], ...]) -> None:
    document = one("_", "_", "", ("_", "_"), "_", ("_", "_"), (deps, "(e1--1-)"), "_")
    assert document.mentions[0].parents == expected


def test_words_have_no_parents() -> None:
    assert one(("1:nsubj", "_"), "(e1--1-)").mentions[0].parents == ()


# -- sets and bridges -------------------------------------------------------------------------------------------------


def test_split_antecedents() -> None:
    document = one("(e1--1-)", "(e2--1-)", "Entity=(e3--1-)|SplitAnte=e2<e3,e1<e3", "Entity=(e4--1-)|SplitAnte=e3<e4")
    assert document.sets == {"e3": ("e1", "e2"), "e4": ("e3",)}


def test_bridges_go_to_the_nearest_earlier_mention() -> None:
    document = one("(e1--1-)", "(e1--1-)", "Bridge=e1<e2:part,e3<e2|Entity=(e2--1-)", "(e1--1-)", "(e3--1-)")
    assert [mention.entity for mention in document.mentions] == ["e1", "e1", "e2", "e1", "e3"]
    assert document.bridges == (Bridge(2, 1, (("Rel", "part"),)), Bridge(2, 4))


# -- lines ------------------------------------------------------------------------------------------------------------

FULL = "\n".join(
    [
        "# global.columns = ID FORM LEMMA",
        "# newdoc id = a",
        "# global.Entity = eid-etype-head-other",
        "# newpar",
        "# sent_id = a-1",
        "# text = Don't you see?",
        "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "1\tDo\tdo\tAUX\tVB\tMood=Imp\t4\taux\t4:aux\t_",
        "2\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_",
        "3\tyou\tyou\tPRON\tPRP\tPerson=2\t4\tnsubj\t_\tBridge=e2<e1|Entity=(e1-person-1-)|Gloss=Du",
        "3.1\t_\t_\tPRON\t_\t_\t_\t_\t4:obj\tEntity=(e2--1-)|Role=x",
        "4\tsee\tsee\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No",
        "5\t?\t?\tPUNCT\t.\t_\t4\tpunct\t_\t_",
        "",
        "# sent_id = a-2",
        "0.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e1--1-)",
        "1-2\tGonna\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tGon\tgo\tVERB\tVB\t_\t0\troot\t_\t_",
        "2\tna\tto\tPART\tTO\t_\t1\tmark\t_\tSpaceAfter=No",
        "",
        "",
    ]
)


def test_everything_else_is_kept_on_conversion(tmp_path: Path) -> None:
    (document,) = read(FULL)
    assert document.sentences == (0, 5)
    assert document.columns["MISC"] == ["_", "_", "Gloss=Du", "SpaceAfter=No", "_", "_", "SpaceAfter=No"]
    assert document.columns["FEATS"][0] == "Mood=Imp"
    (tmp_path / "in.conllu").write_text(FULL, encoding="utf-8")
    assert main(["convert", str(tmp_path / "in.conllu"), str(tmp_path / "out.conllu")]) == 0
    before, after = (set(text.split("\n")) for text in (FULL, (tmp_path / "out.conllu").read_text(encoding="utf-8")))
    changed = {  # only the order of attributes, and the head of a mention of one node
        line.replace("Bridge=e2<e1|Entity=(e1-person-1-)", "Entity=(e1-person-1-)|Bridge=e2<e1") for line in before
    }
    assert after == changed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FULL.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(FULL.rstrip("\n"), id="no newline at the end"),
        pytest.param(FULL.rstrip("\n") + "\n", id="one newline at the end"),
        pytest.param(FULL.replace("\n\n", "\n\n \n\t\n\n"), id="runs of blank lines"),
        pytest.param(FULL.replace("# newdoc id = a", "#newdoc  id=a  "), id="blanks in comments"),
        pytest.param(FULL.replace("# newdoc id = a\n", "").replace("# newpar", "# newdoc id = a"), id="newdoc last"),
    ],
)  # fmt: skip
def test_layout_does_not_matter(text: str) -> None:
    (document,), (expected,) = read(text), read(FULL)
    assert (document.id, document.words, document.mentions, document.sentences) == (
        expected.id, expected.words, expected.mentions, expected.sentences,
    )  # fmt: skip


@pytest.mark.parametrize(
    "word", ["(e1", "e1)", "Entity=(e9--1-)", "|Entity=(e9)", "#", "# newdoc id = x", "1", "1.1", "_", "a b"]
)
def test_a_word_is_a_word_whatever_it_looks_like(word: str) -> None:
    document = read(conllu("(e1--1-)", "(e1--1-)").replace("w2", word))[0]
    assert (list(document.words), spans(document)) == (["w1", word], {"e1": ["1", "2"]})


def test_documents_without_a_name_are_numbered() -> None:
    text = conllu("(e1--1-)").replace(" id = d", "")
    assert [document.id for document in read(text * 2 + conllu("_", name="x"))] == ["1", "2", "x"]


def test_sentences_before_any_document_are_one_and_reported() -> None:
    text = conllu("_", "(e1--1-)", name=None) + conllu("(e1--1-)").replace(" id = d", "")
    assert [(document.id, spans(document)) for document in read(text)] == [("1", {"e1": ["2"]}), ("2", {"e1": ["1"]})]
    assert [(each.code, each.line, each.fatal) for each in problems(text)] == [("no-newdoc", 2, False)]


def test_a_document_may_have_no_words_and_a_file_no_entities() -> None:
    text = conllu(name="a") + conllu("_", name="b")
    documents = read(text)
    assert [(document.id, list(document.words)) for document in documents] == [("a", []), ("b", ["w1"])]
    assert read(formats.dumps(documents, "corefud")) == documents
    assert read(conllu("_", header=None))[0].mentions == ()


# -- writing and converting -------------------------------------------------------------------------------------------


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A document as a file has it, with nested, crossing and discontinuous mentions, zeros, sets and bridges."""
    rnd = random.Random(draw(st.integers(0, 2**32)))
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    comments, mentions, words = [(0, f"# global.Entity = {HEADER}")], [], 0
    for number, length in enumerate(lengths):
        comments.append((words, f"# sent_id = s{number}"))
        nodes, parents = [], {}
        for word in range(length + 1):
            nodes += [position(words + word - 1)] * (word > 0)
            for empty in range(1, 1 + rnd.choice([0, 0, 0, 1, 2])):
                parent = rnd.randint(0, length)
                place = position(words + word - 1, empty + 128 * (word == 0))
                deps = rnd.choice(["_", f"{parent}:nsubj"])
                if deps != "_":
                    parents[place] = ((position(words + parent - 1, 128 * (parent == 0)), "nsubj"),)
                nodes.append(place)
                comments.append((words + word, row(f"{word}.{empty}", "_", deps)))
        words += length
        mentions += _random_mentions(rnd, nodes, parents)
    mentions.sort(key=lambda each: (each.span[0], -len(each.span), each.span[-1], each.entity))
    names = list(dict.fromkeys(mention.entity for mention in mentions))
    sets = {names[-1]: tuple(names[:2])} if len(names) > 2 and rnd.random() < 0.5 else {}
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    return Document(
        "d", tuple(f"w{word}" for word in range(words)), tuple(mentions), tuple(starts), {}, tuple(comments), sets,
        bridges=tuple(_random_bridges(rnd, mentions)),
    )  # fmt: skip


def _random_mentions(
    rnd: random.Random, nodes: list[int], parents: dict[int, tuple[tuple[int, str], ...]]
) -> list[Mention]:
    found: list[Mention] = []
    hulls: dict[str, list[tuple[int, int, bool]]] = {}
    for _ in range(rnd.choice([0, 1, 2, 4, 8])):
        first = rnd.randrange(len(nodes))
        last = rnd.randrange(first, len(nodes))
        span = [place for place in nodes[first : last + 1] if rnd.random() < rnd.choice([1, 1, 0.6])] or [nodes[first]]
        first, last = nodes.index(span[0]), nodes.index(span[-1])
        broken = len(span) < last - first + 1
        entity = rnd.choice(["e1", "e2", "e3", "x.y"])
        for begin, end, other in hulls.get(entity, []):  # what cannot be written: crossing mentions of one entity
            apart = end < first or last < begin
            inside = (begin <= first and last <= end) or (first <= begin and end <= last)
            if not apart and (broken or other or not inside):
                break
        else:
            hulls.setdefault(entity, []).append((first, last, broken))
            head = rnd.choice(span)
            attributes = rnd.choice([(), (("etype", "person"),), (("etype", "x"), ("other", "a:b-c"))])
            found.append(Mention(tuple(span), entity, None, (), attributes, head, parents.get(head, ())))
    return found


def _random_bridges(rnd: random.Random, mentions: list[Mention]) -> list[Bridge]:
    """Bridges from the first mention of an entity at its place to the nearest of another entity before it."""
    found = []
    for index, mention in enumerate(mentions):
        alike = [
            k for k, each in enumerate(mentions) if (each.span[0], each.entity) == (mention.span[0], mention.entity)
        ]
        other = rnd.choice(mentions).entity
        before = [k for k, each in enumerate(mentions) if each.entity == other and each.span[0] <= mention.span[0]]
        if alike[0] == index and before and other != mention.entity and rnd.random() < 0.3:
            found.append(Bridge(index, before[-1], rnd.choice([(), (("Rel", "part"),)])))
    return found


@given(documents())
@settings(max_examples=250)
def test_round_trip(document: Document) -> None:
    assert read(formats.dumps([document, replace(document, id="e")], "corefud")) == [
        document,
        replace(document, id="e"),
    ]


@beside
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_round_trip_of_real_files(path: Path) -> None:
    if path.name.startswith("coptic"):
        with pytest.raises(Error) as error:
            scoref.read(path)
        assert (error.value.code, error.value.line) == ("no-entities", 2)
        return
    found = scoref.read(path)
    assert sum(len(document.mentions) for document in found) > 10
    assert read(formats.dumps(found, "corefud"), format=None) == found


def our_mentions(found: list[Document]) -> set[tuple[list[tuple[int, str]], tuple[int, str]]]:
    """Nodes and head of each mention, a node as the number of its sentence in the file and its name in it."""
    mentions, before = set(), 0
    for document in found:
        for mention in document.mentions:
            last = (mention.span[-1] >> 8) + bool(mention.span[-1] & 128)
            sentence = max(index for index, start in enumerate(document.sentences) if start <= last)
            shift = document.sentences[sentence] << 8
            names = {place: (before + sentence, node(place - shift)) for place in mention.span}
            mentions.add((tuple(names.values()), names[mention.head]))
        before += len(document.sentences)
    return mentions


def udapi_mentions(path: Path) -> set[tuple[list[tuple[int, str]], tuple[int, str]]]:
    document = pytest.importorskip("udapi.core.document").Document()
    document.load_conllu(str(path))
    sentence = {tree: number for number, tree in enumerate(document.trees)}
    mentions = [mention for entity in document.coref_entities for mention in entity.mentions]
    nodes = [[(sentence[word.root], str(word.ord)) for word in (*each.words, each.head)] for each in mentions]
    return {(tuple(words), head) for *words, head in nodes}


@pytest.mark.filterwarnings("ignore")
@beside
@pytest.mark.parametrize("path", [path for path in REAL if "coptic" not in path.name], ids=lambda path: path.name)
def test_udapi_reads_the_same_mentions_from_real_files(path: Path) -> None:
    assert our_mentions(scoref.read(path)) == udapi_mentions(path)


@pytest.mark.filterwarnings("ignore")
@given(document=documents())
@settings(max_examples=100, suppress_health_check=[*HealthCheck])
def test_udapi_reads_the_same_mentions_from_what_is_written(document: Document, tmp_path: Path) -> None:
    pytest.importorskip("udapi.core.document")
    scoref.write([document], tmp_path / "x.conllu")
    assert our_mentions([document]) == udapi_mentions(tmp_path / "x.conllu")


ZERO = one("(e1-person-1-)", "(e2--2-", "e2)", "", "(e1--1-)", ("1:obj", "(e2--1-)"), "_")
PLAIN = one("(e1-person-1-)", "(e2--2-", "(e3--1-)e2)", "", "(e1--1-)", "_")


def test_conversion_to_conll_and_back_keeps_entities_and_words() -> None:
    (found,) = read(formats.dumps([PLAIN], "conll"), format="conll")
    assert (list(found.words), found.sentences, found.id) == (list(PLAIN.words), PLAIN.sentences, "d")
    assert Counter(m[:2] for m in found.mentions) == Counter(m[:2] for m in PLAIN.mentions)
    assert spans(read(formats.dumps([found], "corefud"))[0]) == {"e1": ["1", "4"], "e2": ["2 3"], "e3": ["3"]}


@pytest.mark.parametrize("document", [ZERO, one("(e1[1/2]--1-)", "_", "(e1[2/2]--1-)")])
def test_conll_has_no_zeros_and_no_gaps(document: Document) -> None:
    with pytest.raises(Error) as error:
        formats.dumps([document], "conll")
    assert error.value.code == "unwritable-mention"


def test_conversion_to_conll_ua_keeps_mentions_zeros_sets_and_bridges() -> None:
    document = one(
        "(e1-person-1-)", "(e2[1/2]--1-)", "_", "(e2[2/2]--1-)", ("1:obj", "Bridge=e1<e4:part|Entity=(e4--1-)"), "",
        "Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3", "(e1--1-", "(e2--1-", "e1)", "e2)",
    )  # fmt: skip
    (found,) = read(formats.dumps([document], "ua"), format=None)
    assert [(m.span, m.entity) for m in found.mentions] == [(m.span, m.entity) for m in document.mentions]
    assert (found.sets, found.bridges) == (document.sets, document.bridges)
    assert (found.words, found.sentences, found.id) == (document.words, document.sentences, document.id)
    (back,) = read(formats.dumps([found], "corefud"))
    assert spans(back) == spans(
        replace(document, mentions=tuple(m._replace(head=m.span[0]) for m in document.mentions))
    )
    assert (back.sets, back.bridges) == (document.sets, document.bridges)


@beside
@pytest.mark.parametrize(
    "path", [path for path in REAL if path.name[:3] in ("fr-", "gum", "key")], ids=lambda path: path.name
)
def test_conversion_of_real_files(path: Path) -> None:
    found = scoref.read(path)
    assert found
    for format in ("ua", "conll") if path.name != "key.conllu" else ("ua",):  # that one has zeros
        for one, other in zip(found, read(formats.dumps(found, format), format=format), strict=True):
            assert [(m.span, m.entity) for m in one.mentions] == [(m.span, m.entity) for m in other.mentions]
            assert list(one.words) == list(other.words)
            assert format == "conll" or (one.sets, one.bridges) == (other.sets, other.bridges)


def test_what_is_not_given_is_written_plainly() -> None:
    text = formats.dumps(
        [Document("d", mentions=(Mention(stretch(0, 1), 7), Mention((position(2, 1),), 8)))], "corefud"
    )
    assert text.split("\n") == [
        "# newdoc id = d", "# global.Entity = eid-etype-other", "# sent_id = d-s1",
        row("1", "_", misc="Entity=(7--"), row("2", "_", misc="Entity=7)"), row("3", "_"),
        row("3.1", "_", misc="Entity=(8--)"), "", "",
    ]  # fmt: skip


def test_heads_are_not_invented_and_it_is_said_where_they_are_missing(tmp_path: Path) -> None:
    words, some = ("a", "b", "c"), Mention(stretch(0, 1), "e1")
    path = tmp_path / "d.conllu"
    scoref.write([Document("tales/d", words, (some, Mention(stretch(2, 2), "e1")))], path)
    assert "-head-" not in path.read_text()
    result = scoref.score(path, path)
    assert [(problem.code, problem.fatal) for problem in result.problems] == [("no-heads", False)]
    done = "1 × no-heads: a document whose mentions have no heads: the first word of each counts as its head ("
    assert [note for note in result.notes() if note.startswith(done)]
    assert not scoref.score(path, path, match="exact").problems
    known = Mention(stretch(1, 2), "e1", head=position(2))
    scoref.write([Document("d", words, (some, known))], path)
    assert [line.split("Entity=")[1] for line in path.read_text().split("\n") if "Entity=" in line] == [
        "(e1---", "e1)(e1--2-", "e1)",
    ]  # fmt: skip


def test_a_response_that_lost_its_heads_on_the_way_says_so(tmp_path: Path) -> None:
    header, words = "# global.Entity = eid-etype-head-other", ("a", "b", "c", "d")
    spans = stretch(0, 1), stretch(2, 3)
    known = tuple(Mention(span, "e1", head=span[1]) for span in spans)
    unknown = tuple(Mention(span, "e1") for span in spans)
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    scoref.write([Document("d", words, known, comments=((0, header),))], key)
    scoref.write([Document("d", words, unknown, comments=((0, header),))], response)
    assert "global.Entity = eid-etype-other" in response.read_text()
    for match, codes in (("head", ["no-heads"]), ("partial", []), ("exact", [])):
        found = scoref.score(key, response, match=match)
        assert [(problem.code, problem.path) for problem in found.problems] == [(code, str(response)) for code in codes]
    found = scoref.score(response, key, match="partial")
    assert [problem.code for problem in found.problems] == ["no-heads"]


def test_ids_of_sentences_have_no_slash() -> None:
    # one stops udapi and the official scorer
    text = formats.dumps([Document(name, ("a",)) for name in ("tales/d", "tales_d")], "corefud")
    ids = [line for line in text.split("\n") if "sent_id" in line]
    assert ids == ["# sent_id = tales%2Fd-s1", "# sent_id = tales_d-s1"]
    assert [document.id for document in read(text)] == ["tales/d", "tales_d"]


def test_attributes_that_look_like_brackets_are_escaped() -> None:
    mention = Mention(stretch(0, 0), "e1", attributes=(("etype", "a-b(c)|d"), ("other", "x-y")))
    (found,) = read(formats.dumps([Document("d", ("w",), (mention,))], "corefud"))
    assert found.mentions[0].attributes == (("etype", "a%2Db%28c%29%7Cd"), ("other", "x-y"))


def _document(*mentions: Mention, words: str = "abcd", id: str = "d", **more: object) -> Document:
    return Document(id, tuple(words), tuple(mentions), (0, 2), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (_document(Mention(stretch(1, 2), "e1")), "unwritable-mention"),
        (_document(Mention(stretch(3, 4), "e1")), "unwritable-mention"),
        (_document(Mention((), "e1", "x")), "unwritable-mention"),
        (_document(Mention(stretch(0, 0), "e-1")), "unwritable-mention"),
        (_document(Mention(stretch(0, 0), "e1[1/2]")), "unwritable-mention"),
        (_document(Mention(stretch(0, 0), "")), "unwritable-mention"),
        (_document(Mention(stretch(0, 0), 1), Mention(stretch(1, 1), "1")), "unwritable-entity"),
        (replace(_document(Mention(stretch(0, 2), 1), Mention(stretch(1, 3), 1)), sentences=()), "crossing-mentions"),
        (replace(_document(Mention((0, 512), 1), Mention((256, 768), 1)), sentences=()), "crossing-mentions"),
        (_document(words=["a\tb"]), "unwritable-word"),  # type: ignore[arg-type]
        (_document(words=["a", ""]), "unwritable-word"),  # type: ignore[arg-type]
        (_document(id="a\nb"), "unwritable-name"),
        (_document(id=" a"), "unwritable-name"),
        (_document(Mention(stretch(0, 0), "a"), sets={"a": ("b", "c")}), "unwritable-set"),
        (_document(Mention(stretch(0, 0), "a"), sets={"b": ("a",)}), "unwritable-set"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(document: Document, code: str) -> None:
    with pytest.raises(Error) as error:
        formats.dumps([document], "corefud")
    assert error.value.code == code


# -- bad input --------------------------------------------------------------------------------------------------------

GOOD = ["(e1--1-)", "(e2--2-", "e2)", "(e1--1-)", ("2:obj", "(e2--1-)")]
KEY = conllu(*GOOD)

# what, the cells (or the file), the code, and the line
WRONG: list[tuple[str, list[Cell] | str, str, int]] = [
    ("closed, never opened", ["(e1--1-)", "e2)"], "unopened-mention", 4),
    ("closed twice", ["(e1--1-", "e1)", "e1)"], "unopened-mention", 5),
    ("closed as another piece", ["(e1[1/2]--1-", "e1)"], "unopened-mention", 4),
    ("closed by nothing", ["(e1--1-", ")"], "unopened-mention", 4),
    ("opened, never closed", ["(e1--1-", "_"], "unclosed-mention", 3),
    ("over two sentences", ["(e1--1-", "", "e1)"], "unclosed-mention", 3),
    ("over two documents", conllu("(e1--1-", name="a") + conllu("e1)", name="b"), "unclosed-mention", 3),
    ("a word like a bracket", ["(e1--1-)", "Entity=word"], "bracket-syntax", 4),
    ("text behind a bracket", ["(e1--1-)e2"], "bracket-syntax", 3),
    ("text before a bracket", ["e2(e1--1-)"], "bracket-syntax", 3),
    ("no entity", ["(-person-1-)"], "bracket-syntax", 3),
    ("empty brackets", ["()"], "bracket-syntax", 3),
    ("fewer fields than the entity's", conllu("(person)", header="etype-eid"), "bracket-syntax", 3),
    ("second piece without the first", ["_", "(e1[2/2]--1-)"], "missing-piece", 4),
    ("third piece after the first", ["(e1[1/3]--1-)", "_", "(e1[3/3]--1-)"], "missing-piece", 5),
    ("another number of pieces", ["(e1[1/2]--1-)", "_", "(e1[2/3]--1-)"], "missing-piece", 5),
    ("no last piece", ["_", "(e1[1/2]--1-)", "_"], "missing-piece", 4),
    ("pieces in two sentences", ["(e1[1/2]--1-)", "", "(e1[2/2]--1-)"], "missing-piece", 3),
    ("head outside", ["(e1--3-", "e1)"], "bad-head", 3),
    ("head that is no number", ["(e1--x-", "e1)"], "bad-head", 3),
    ("head that is nearly a number", ["(e1--²-", "e1)"], "bad-head", 3),
    ("head that is a large number", ["(e1--" + "9" * 5000 + "-", "e1)"], "bad-head", 3),
    ("hyphen in a field before the head", ["(e1-per-son-1-", "e1)"], "bad-head", 3),
    ("parent that is not there", ["_", ("3:obj", "(e1--1-)"), "_"], "bad-deps", 4),
    ("parent in the next sentence", ["_", ("2:obj", "(e1--1-)"), "", "_", "_"], "bad-deps", 4),
    ("parent in the sentence before", ["_", "", "_", ("00:obj", "(e1--1-)"), ("1.3:x", "(e1--1-)")], "bad-deps", 7),
    ("parent that is no number", ["_", ("x:obj", "(e1--1-)")], "bad-deps", 4),
    ("empty node that is no parent", ["_", ("1.257:x", "(e1--1-)"), "_"], "bad-deps", 4),
    ("sets without a sign", ["(e1--1-)", "Entity=(e2--1-)|SplitAnte=e1"], "bad-split", 4),
    ("no header", conllu("_", "(e1--1-)", header=None), "no-entities", 3),
    ("header without entities", conllu("(person)", header="etype-identity"), "no-entities", 2),
    ("nine columns", KEY.replace("w2\t_", "w2"), "column-count", 4),
    ("eleven columns", KEY.replace("w2", "w2\t_"), "column-count", 4),
    ("blanks for tabs", KEY.replace("w2\t_", "w2 _"), "column-count", 4),
    ("number alone", KEY.replace("\n\n", "\n5\n\n"), "column-count", 8),
    ("text", KEY + "word\n", "column-count", 9),
    ("a number of many digits", KEY.replace("2\tw2", "1234567890\tw2"), "column-count", 4),
    ("a word missing", KEY.replace("2\tw2", "3\tw2"), "word-number", 4),
    ("no blank line between sentences", conllu("_", "", "_").replace("\n\n1", "\n1"), "word-number", 4),
    ("an empty node out of place", KEY.replace("4.1", "3.1"), "bad-node", 7),
    ("an empty node twice", conllu("_", ("_", "_"), ("_", "_")).replace("1.2", "1.1"), "bad-node", 5),
    ("empty nodes in another order", conllu("_", ("_", "_"), ("_", "_")).replace("1.1", "1.3"), "bad-node", 5),
    ("empty node 0", KEY.replace("4.1", "4.0"), "bad-node", 7),
    ("empty nodes without a word", KEY + row("0.1", "_") + "\n\n", "bad-node", 9),
    ("too many empty nodes", KEY.replace("4.1", "4.128"), "bad-node", 7),
    ("a multiword token out of place", KEY.replace("\n2\t", "\n" + row("3-4", "x") + "\n2\t"), "bad-node", 4),
    ("the same document twice", KEY + KEY, "repeated-document", 9),
]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(key: str, response: str, *argv: str) -> tuple[int, str, str]:
        for name, text in (("key.conllu", key), ("response.conllu", response)):
            Path(name).write_text(text, encoding="utf-8")
        return (main(["score", "key.conllu", "response.conllu", *argv]), *capsys.readouterr())

    return call


def check_error(result: tuple[int, str, str], code: str, place: str) -> None:
    """One error that says what, where, and what to do; no score."""
    status, out, err = result
    first, *rest = err.rstrip("\n").split("\n")
    assert (status, out) == (2, "")
    assert first.startswith("error: ")
    assert first.endswith(f"  [{code}]")
    assert rest[0].removeprefix("  where     ").split(", ")[0] == place
    assert rest[-1].startswith("  you can   ")


@pytest.mark.parametrize(("what", "cells", "code", "line"), WRONG, ids=[each[0] for each in WRONG])
def test_malformed_files_are_located_errors(what: str, cells: list[Cell] | str, code: str, line: int, score) -> None:  # type: ignore[no-untyped-def]
    text = cells if isinstance(cells, str) else conllu(*cells)
    check_error(score(text, text), code, f"key.conllu:{line}")
    if code != "no-entities":
        assert problems(text)[0].code == code
        result = scoref.score(read(text, skip=True), read(text, skip=True), protocol="crac-2026", on_problem="skip")
        assert 0 <= result["conll"].f1 <= 1


@pytest.mark.parametrize(
    ("what", "cells", "code", "line"),
    [
        ("bridge to nothing", ["Bridge=e9<e1:x|Entity=(e1--1-)"], "bad-bridge", 3),
        ("bridge from nothing", ["(e1--1-)", "Bridge=e1<e9:x|Entity=(e2--1-)"], "bad-bridge", 4),
        ("bridge from elsewhere", ["(e1--1-)", "Bridge=e2<e1|Entity=(e2--1-)"], "bad-bridge", 4),
        ("bridge to itself", ["Bridge=e1<e1|Entity=(e1--1-)"], "bad-bridge", 3),
        ("no bridge", ["Bridge=e1|Entity=(e1--1-)"], "bad-bridge", 3),
        ("member that is not there", ["(e1--1-)", "Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3"], "bad-split", 4),
        ("set that is not there", ["(e1--1-)", "Entity=(e2--1-)|SplitAnte=e1<e3,e2<e3"], "bad-split", 4),
        ("head outside of one word", ["(e1--2-)"], "bad-head", 3),
    ],
)
def test_what_can_be_left_out_is_reported(what: str, cells: list[Cell], code: str, line: int) -> None:
    text = conllu(*cells)
    assert {(each.code, each.line, each.fatal) for each in problems(text)} == {(code, line, False)}
    assert read(text)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("one newline at the end", KEY[:-1]),
        ("no newline at the end", KEY[:-2]),
        ("sent_id with a slash", KEY.replace("1\tw1", "# sent_id = a/b/c\n1\tw1")),
        ("the same sent_id twice", conllu("(e1--1-)", "", "(e1--1-)").replace("1\tw", "# sent_id = a\n1\tw")),
        ("heads in a circle", KEY.replace("1\tw1\t_\t_\t_\t_\t_", "1\tw1\t_\t_\t_\t_\t1")),
        ("heads that are not there", KEY.replace("1\tw1\t_\t_\t_\t_\t_", "1\tw1\t_\t_\t_\t_\t99")),
        ("broken DEPS of a word", KEY.replace("_\tEntity=(e1", "9:?|x\tEntity=(e1")),
        ("broken DEPS of an empty node without a mention", conllu("(e1--1-)", ("x", "_"), "(e1--1-)")),
        ("a tab in a comment", KEY.replace("\n1\t", "\n# text = a\tb\n1\t")),
    ],
)
def test_what_the_corefud_scorer_cannot_read_though_nothing_is_wrong(what: str, text: str) -> None:
    (document,) = read(text)
    assert problems(text) == []
    assert scoref.score(document, document, protocol="crac-2026")["conll"] == (1, 1, 1)


def test_files_that_do_not_fit_together(score) -> None:  # type: ignore[no-untyped-def]
    two = KEY + conllu(*GOOD, "", "_", name="e")
    shorter = json.loads(score(two, KEY + conllu(*GOOD, name="e"), "--json")[1])
    assert shorter["scores"]["conll"]["f1"] == 1  # a word without a mention is missing
    assert shorter["drift"]["cut_off"] == {"e": {"after": 4, "of": 5}}
    check_error(score(KEY, conllu(*GOOD[:1])), "not-the-same-text", "response.conllu:1")
    check_error(score(KEY, two), "extra-document", "response.conllu:9")
    check_error(score(KEY, KEY.replace("w2", "v2")), "different-word", "response.conllu:4")
    check_error(score(KEY, conllu(*GOOD, name=None)), "no-common-document", "response.conllu:1")
    status, out, _ = score(two, KEY, "--json")
    assert status == 0
    assert [each["code"] for each in json.loads(out)["problems"]] == ["missing-document"]


def test_empty_nodes_of_one_side_are_no_other_words(score) -> None:  # type: ignore[no-untyped-def]
    status, _, err = score(KEY, conllu(*GOOD[:4]))
    assert (status, err) == (0, "")


def test_zeros_without_parents_are_reported_and_matched_by_position(score) -> None:  # type: ignore[no-untyped-def]
    text = conllu("(e1--1-)", ("_", "(e1--1-)"), ("1:obj", "(e2--1-)"), "(e2--1-)")
    status, out, _ = score(text, text, "--json", "--zeros", "dependent")
    result = json.loads(out)
    assert (status, result["scores"]["conll"]["f1"]) == (0, 1)
    assert [(each["code"], each["path"], each["line"]) for each in result["problems"]] == [
        ("no-parent", "key.conllu", 3), ("no-parent", "response.conllu", 3),
    ]  # fmt: skip


def test_files_without_mentions_score_0(score) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = score(conllu("_"), conllu("_"), "--json")
    assert (status, json.loads(out)["scores"]["conll"]) == (0, {"recall": 0, "precision": 0, "f1": 0})


def test_reports_and_scores_of_a_file_without_newdoc(score) -> None:  # type: ignore[no-untyped-def]
    text = conllu(*GOOD, name=None)
    status, out, _ = score(text, text, "--json")
    result = json.loads(out)
    assert (status, result["scores"]["conll"]["f1"]) == (0, 1)
    assert {(each["code"], each["line"]) for each in result["problems"]} == {("no-newdoc", 2)}


# -- damaged files ----------------------------------------------------------------------------------------------------

PIECES = [
    *"()[]-|\t\n#=<,:_. \r\0²٣\u2028\ufeff", "(e1", "e1)", "[1/2]", "(e1[1/2]-x-1-)", "e2[2/2])", "\n\n", "# newdoc\n",
    "# newdoc id = a\n", "# global.Entity = head-eid\n", "Entity=", "|SplitAnte=e1<e2", "|Bridge=e1<e2:x", "0.1", "1.1",
    "1-2", "99", "9" * 5000, "0:root|1:x",
]  # fmt: skip
WHOLE = FULL + conllu(*GOOD, "", "(e1[1/2]--1-)", "Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3", "(e1[2/2]--1-)", name="b")


def damaged(rnd: random.Random) -> str:
    text = WHOLE
    for _ in range(rnd.randint(1, 4)):
        start = rnd.randrange(len(text))
        end = start + rnd.choice([0, 0, 1, 5, 20])
        lines = text.split("\n")
        one, other = rnd.randrange(len(lines)), rnd.randrange(len(lines))
        if rnd.random() < 0.6:
            text = text[:start] + rnd.choice(["", *PIECES]) + text[end:]
        elif rnd.random() < 0.3:
            text = "\n".join(lines[:one] + lines[one + 1 :])
        else:
            lines[one], lines[other] = lines[other], lines[one]
            text = "\n".join(lines)
    return text


@pytest.mark.parametrize("seed", range(10))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    rnd = random.Random(seed)
    refused = 0
    for _ in range(50):
        text = damaged(rnd)
        for policy in ("raise", "skip"):
            try:
                found = read(text, skip=policy == "skip")
                for choices in ({}, {"match": "head-1.1"}, {"split": "credit", "zeros": "linear", "match": "partial"}):
                    scoref.score(found, found, protocol="crac-2026", metrics=["conll", "mor", "zeros"],
                                 on_problem=policy, **choices)  # fmt: skip
                written = formats.dumps(found, "corefud")
            except Error:
                refused += 1
            else:
                again = read(written, skip=policy == "skip")
                assert [each.mentions for each in again] == [each.mentions for each in found]
    assert 10 < refused < 90


def in_pieces(rnd: random.Random) -> str:
    """Sentences with mentions in up to three pieces, here and there with a number that is wrong."""
    cells: list[Cell] = []
    for _ in range(3):
        words = [["", ""] for _ in range(8)]  # what closes and what opens
        for _ in range(rnd.randrange(5)):
            number, entity = rnd.choice((1, 1, 2, 3)), rnd.choice(("e1", "e2"))
            ends = sorted(rnd.choices(range(8), k=2 * number))
            for piece, first, last in zip(range(1, number + 1), ends[::2], ends[1::2], strict=True):
                label = f"{entity}[{piece if rnd.random() < 0.97 else 2}/{number}]" if number > 1 else entity
                words[first][1] += f"({label}--{rnd.choice((1, 1, 2))}-" + ")" * (first == last)
                words[last][0] += f"{label})" * (first < last)
        cells += [*(closing + opening or "_" for closing, opening in words), ""]
    return conllu(*cells)


@pytest.mark.parametrize("seed", range(10))
def test_brackets_of_a_whole_file_are_those_read_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(seed)
    texts = [damaged(rnd) for _ in range(30)] + [in_pieces(rnd) for _ in range(30)]
    texts += ["".join(text.replace("id = d", f"id = d{number}") for number, text in enumerate(rnd.sample(texts, 4)))
              for _ in range(20)]  # fmt: skip

    def everything(text: str, policy: str) -> object:
        found = Problems(policy)
        try:
            documents = formats.read_source(formats.Source(text.encode(), "file"), "corefud", found)[1]
        except Error as error:
            return error.problem
        return [(each, tuple(each.mentions), [*each.origin.lines]) for each in documents], found.found

    policies = [(text, policy) for text in texts for policy in ("raise", "skip")]
    at_once = [everything(*each) for each in policies]
    monkeypatch.setattr(corefud, "FileBrackets", lambda *_: None)
    assert at_once == [everything(*each) for each in policies]


@pytest.mark.parametrize("text", ["e\n\n", "# a remark\n", "# global.Entity = eid\n\n"])
def test_a_file_without_any_sentence_has_no_document(text: str) -> None:
    for skip in (False, True):
        with pytest.raises(Error) as error:
            read(text, skip=skip)
        assert error.value.code == "no-document"


def test_comments_before_a_document_are_its_own() -> None:
    """The lines that `# newdoc` stands with belong to what follows: comments of CoNLL-U stand before their sentence."""
    entity = "Entity=(e1-x-1-)"
    text = "# global.Entity = eid-etype-head-other\n# newdoc id = a\n# sent_id = 1\n"
    text += f"1\tx\t_\t_\t_\t_\t0\troot\t_\t{entity}\n\n"
    text += f"# year = 2\n# place = 3\n# newdoc id = b\n# sent_id = 2\n1\ty\t_\t_\t_\t_\t0\troot\t_\t{entity}\n\n"
    one, other = read(text)
    comments = [[line for _, line in document.comments] for document in (one, other)]
    assert {"# year = 2", "# place = 3"} <= {*comments[1]}
    assert not {"# year = 2", "# place = 3"} & {*comments[0]}


def test_attributes_that_the_header_does_not_name_are_said(tmp_path):
    """They are not written, and `convert` says which, and how many mentions have them."""
    mention = Mention.at(0, 0, "e1", head=0, attributes=(("etype", "person"), ("gender", "f")))
    document = Document("d", ("She",), [mention])
    notes = fitted([document], "corefud")[1]
    assert [note for note in notes if "gender (1)" in note and "etype" not in note]
    named = replace(document, comments=((0, "# global.Entity = eid-etype-head-gender"),))
    assert not [note for note in fitted([named], "corefud")[1] if "gender" in note]
    (back,) = scoref.read(scoref.write([named], tmp_path / "d.conllu") or tmp_path / "d.conllu")
    assert dict(back.mentions[0].attributes)["gender"] == "f"


@pytest.mark.parametrize("before", [[], ["1"], ["1", "2"], ["1", "3"]])
@pytest.mark.parametrize(("numbers", "wrong"), [
    (["1", "2"], []), (["2", "3"], ["2"]), (["0", "1"], ["0"]), (["1", "3", "4"], ["3"]),
    (["3", "4", "3"], ["3"]), (["3", "5"], ["3", "5"]),
])  # fmt: skip
def test_the_first_word_that_is_out_of_turn_is_told(before: list[str], numbers: list[str], wrong: list[str]) -> None:
    """Each word that is farther off, or less, than the one before it; each document counts anew."""
    lines = []
    for name, each in (("a", before), ("b", numbers)):
        lines += [f"# newdoc id = {name}", *(row(number, "w") for number in each), ""] if each else []
    found = problems("\n".join([*lines, ""]))
    assert [each.text for each in found if each.code == "word-number" and each.document == "b"] == wrong
