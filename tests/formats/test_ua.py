"""CONLL-UA files: reading, writing, what is wrong with them, and scores of all their layers."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES, SHARED, beside
from scoref.cli import main
from scoref.document.document import Bridge, Document, Mention, Span, position, stretch, word_of
from scoref.formats import Source, dumps, read_source
from scoref.problems import Problems

REAL = SHARED / "vectors/real-codi-light/files/light.key.CONLLUA"

some = settings(max_examples=100)

Result = tuple[int, str, str]
Run = Callable[..., Result]

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"


def full(cell: str) -> str:
    """`(1/m1` is short for `(EntityID=1|MarkableID=m1`."""
    return re.sub(r"\(([\w-]+)/(\w+)", r"(EntityID=\1|MarkableID=\2", cell)


def rows(*cells: str | dict[str, str], columns: str = COLUMNS, tab: str = "\t", ids: str = "") -> str:
    """A line for each cell of IDENTITY, or of the columns named; "" is an empty line. Tokens are w1, w2, ..."""
    lines = []
    names = iter(ids.split() or map(str, range(1, 1 + sum(cell != "" for cell in cells))))
    for cell in cells:
        if cell == "":
            lines.append("")
            continue
        id = next(names)
        row = {"ID": id, "FORM": f"w{id}", **(cell if isinstance(cell, dict) else {"IDENTITY": cell})}
        lines.append(tab.join(full(row.get(name, "_")) for name in columns.split()))
    return "\n".join([*lines, ""])


def ua(*cells: str | dict[str, str], name: str = "d", columns: str = COLUMNS, tab: str = "\t", ids: str = "") -> str:
    header = f"# global.columns = {columns}\n# newdoc id = {name}\n"
    return header + rows(*cells, columns=columns, tab=tab, ids=ids)


def read_all(text: str, policy: str = "raise") -> tuple[list[Document], list[str]]:
    problems = Problems(policy)
    _, documents = read_source(Source(text.encode(), "file"), "ua", problems)
    return documents, [problem.code for problem in problems.found]


def read(text: str) -> Document:
    (document,), problems = read_all(text)
    assert problems == []
    return document


def words(document: Document) -> dict[str, str]:
    """The words of each mention by its id."""
    return {str(mention.id): document.text_of(mention) for mention in document.mentions}


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["x", "x y"])
def test_lines_before_a_second_header_are_looked_at(bad: str):
    """Without words so far the header is taken for the whole document; what else is there is wrong, and said."""
    short = "# global.columns = ID FORM IDENTITY"
    text = f"# newdoc id = d\n{bad}\n{short}\n1\ta\t(EntityID=1|MarkableID=m1)\n\n"
    (document,), found = read_all(text, "skip")
    assert (list(document.words), len(document.mentions), found) == (["a"], 1, ["column-count"])
    _, before = read_all(f"{bad}\n{text.replace(bad, '# x')}", "skip")
    assert len(before) == 1  # in front of all documents it is said once


def test_a_markable_that_is_wrong_is_said_once():
    """Its closing bracket closes nothing else, and is no second error; what closes itself needs none."""
    (document,), found = read_all(ua("(1/m1", "(MarkableID=m2", ")", ")"), "skip")
    assert (found, words(document)) == (["missing-attribute"], {"m1": "w1 w2 w3 w4"})
    (document,), found = read_all(ua("(1/m1", "(MarkableID=m2)", ")"), "skip")
    assert (found, words(document)) == (["missing-attribute"], {"m1": "w1 w2 w3"})


PLAIN = ua("(1/m1|Min=1|SemType=dn)", "(2/m2", "(1/m3)", ")", "", "_")


def test_mentions_words_and_sentences():
    document = read(PLAIN)
    assert document.id == "d"
    assert document.words == ("w1", "w2", "w3", "w4", "w5")
    assert document.sentences == (0, 4)
    assert document.mentions == (
        Mention(stretch(0, 0), "1", "m1", stretch(0, 0), (("Min", "1"), ("SemType", "dn"))),
        Mention(stretch(1, 3), "2", "m2"),
        Mention(stretch(2, 2), "1", "m3"),
    )
    assert [document.line_of(mention) for mention in document.mentions] == [3, 4, 5]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\t", " "),
        PLAIN.replace("\t", "   "),
        PLAIN.replace("\t", " \t "),
        PLAIN.replace("w1\t_\t_", "w1\t\t"),  # empty fields between tabs
        PLAIN.replace("\t_\n", "\n"),  # no last column
        PLAIN.replace("\t_\t_\t_\t_\n", "\n"),  # nothing behind IDENTITY
        PLAIN.replace("\n", "\r\n"),
        PLAIN.split("\n", 1)[1],  # no header: the standard columns
        ua("(1/m1|Min=1|SemType=dn)", "(2/m2", "(1/m3)", ")", "", "_", columns="ID FORM IDENTITY"),
        ua("(1/m1|Min=1|SemType=dn)", "(2/m2", "(1/m3)", ")", "", "_", columns="IDENTITY FORM ID NOM_SEM"),
        PLAIN.replace("# newdoc id = d", "# newdoc id=d"),
        PLAIN.replace("# newdoc id = d", "#newdoc  id =  d  "),
    ],
)
def test_other_ways_to_write_the_same(text):
    assert read(text) == read(PLAIN)


def test_columns_of_their_own_are_kept():
    columns = "ID FORM UPOS IDENTITY SPEAKER"
    document = read(ua({"IDENTITY": "(1/m1)", "UPOS": "NOUN", "SPEAKER": "Ada"}, "_", columns=columns))
    assert document.columns == {"UPOS": ["NOUN", "_"], "SPEAKER": ["Ada", "_"]}
    assert read(dumps([document], "ua")) == document


def test_each_document_has_the_columns_before_it():
    one, other = ua("(1/m1)", name="a", columns="ID FORM IDENTITY"), ua("(1/m1)", name="b", columns="IDENTITY FORM ID")
    documents, _ = read_all(one + other)
    assert documents == [read(one), read(other)]


def test_words_that_look_like_comments_or_blanks():
    document = read(ua({"FORM": "#"}, {"FORM": "\u00a0"}, {"FORM": "a b"}, columns="FORM ID IDENTITY LEMMA"))
    assert document.words == ("#", "\u00a0", "a b")
    assert read(ua("_").replace("w1", "#").replace("\t", " ")).words == ("#",)


@pytest.mark.parametrize("id", ["9", "10", "102345678", "1023456789", "1.1", "1.1234567890", "1x", "x"])
def test_an_id_is_a_number_of_nine_digits_at_most(id: str) -> None:
    """Beside a mention: where nothing else stands, a longer number is one."""
    documents, codes = read_all(ua("_", "(EntityID=1|MarkableID=a)", ids=f"1 {id}"), "skip")
    good = max(map(len, id.split("."))) <= 9 and id.replace(".", "").isdigit()
    assert (len(documents), "column-count" in codes) == (1, not good)
    assert read_all(ua("_", "_", ids="1 1023456789"))[1] == []


@pytest.mark.parametrize("tabs", [0, 1, 2, 3, 4])
def test_a_line_with_a_hash_and_as_many_cells_as_columns_is_a_token(tabs: int) -> None:
    """With fewer it is a comment; with more it is a token with too many cells."""
    text = "# global.columns = FORM ID IDENTITY LEMMA\n# newdoc id = d\nw\t1\t_\t_\n" + "\t".join(
        ["#", *"2___"][: tabs + 1]
    )
    (document,), codes = read_all(f"{text}\n", "skip")
    assert (document.words, codes) == (("w", "#") if tabs == 3 else ("w",), ["column-count"] * (tabs == 4))
    assert len(document.comments) == (tabs < 3)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(1/a(2/b", "_", "))"], {"a": "w1 w2 w3", "b": "w1 w2 w3"}),
        (["(1/a", "(2/b", ")", ")"], {"a": "w1 w2 w3 w4", "b": "w2 w3"}),
        (["(1/a", ")(2/b)", "_"], {"a": "w1 w2", "b": "w2"}),
        (["(1/a", "(2/b))", "_"], {"a": "w1 w2", "b": "w2"}),  # closers behind openers
        (["(1/a)(2/b", ")(3/c", ")"], {"a": "w1", "b": "w1 w2", "c": "w2 w3"}),
        (["(1/a", "(2/b", "a)", "b)"], {"a": "w1 w2 w3", "b": "w2 w3 w4"}),  # crossing
        (["(1/a(2/b", "a)", "b)"], {"a": "w1 w2", "b": "w1 w2 w3"}),
        (["(1/a)", "_", "(1/a", ")"], {"a": "w1 w3 w4"}),  # discontinuous
        (["(1/a", ")(2/b", "_", ")(1/a)"], {"a": "w1 w2 w4", "b": "w2 w3 w4"}),
        (
            ["(1/a|ElementOf=2@(2/b)@(3/c|Min=1@(4/d)", "_", "))"],
            {"a": "w1 w2 w3", "b": "w1", "c": "w1 w2 w3", "d": "w1"},
        ),
    ],
)
def test_brackets(cells, expected):
    assert words(read(ua(*cells))) == expected


@pytest.mark.parametrize(
    ("least", "places"),
    [("1,3", (0, 2)), ("1", (0,)), ("3", (2,)), ("3,3", (2,)), ("1,2", ()), ("2", ()), ("2,3", ()), ("1,4", ())],
)
def test_the_minimum_of_a_mention_in_pieces_begins_and_ends_in_it(least: str, places: tuple[int, ...]):
    """The mention has the first word and the third."""
    cell = f"(EntityID=1|MarkableID=a|Min={least})"
    (mention,) = read(ua(cell, "_", cell, "_")).mentions
    assert [*map(word_of, mention.span)] == [0, 2]
    assert tuple(map(word_of, mention.minimum)) == places


def test_zeros_are_empty_nodes_behind_a_word():
    document = read(ua("(1/a)", "(1/b)", "(2/c", "(1/d)", ")", "(1/e)", ids="0.1 1 2 2.1 3 3.2"))
    assert document.words == ("w1", "w2", "w3")
    assert {mention.id: mention.span for mention in document.mentions} == {
        "a": (position(-1, 1),),
        "b": stretch(0, 0),
        "c": (position(1), position(1, 1), position(2)),
        "d": (position(1, 1),),
        "e": (position(2, 2),),
    }
    assert [mention.id for mention in document.mentions if mention.is_zero] == ["a", "d", "e"]
    assert document.sentences == (0,)


def test_a_mention_may_begin_or_end_with_a_zero():
    document = read(ua("(1/a", ")(2/b", ")", ids="1 1.1 2"))
    assert [mention.span for mention in document.mentions] == [
        (position(0), position(0, 1)),
        (position(0, 1), position(1)),
    ]


def test_zeros_whose_numbers_start_again_are_told_apart():
    document = read(ua("_", "(1/a)", "", "(1/b)", "_", ids="1 1.1 0.1 1"))
    assert [mention.span for mention in document.mentions] == [(position(0, 1),), (position(0, 2),)]


def test_minimum_spans():
    document = read(ua("(1/a|Min=1)", "(2/b|Min=3,4", "_", ")", "(3/c|Min=5)", "_", "(3/c)"))
    assert [mention.minimum for mention in document.mentions] == [stretch(0, 0), stretch(2, 3), stretch(4, 4)]


@pytest.mark.parametrize("outside", ["1", "5", "1,2", "3,5", "3,2", "0"])
def test_minimum_spans_outside_of_the_mention_are_none(outside):
    document = read(ua("_", f"(1/a|Min={outside}", "_", ")", "_"))
    assert document.mentions[0].minimum == ()
    assert dict(document.mentions[0].attributes)["Min"] == outside


def test_members_of_sets():
    document = read(
        ua("(1/a|ElementOf=3,4)", "(2/b)", "(2/c|ElementOf=3)", "(3/d)", "(4/e)", "(5/f|ElementOf=4)", "(1/g)")
    )
    assert document.sets == {"3": ("1", "2"), "4": ("1", "5")}


def test_names_that_end_in_pseudo_do_not_refer():
    document = read(ua("(1-Pseudo/a)", "(2-pseudo/b)", "(3-Pseudo-x/c)"))
    assert document.nonreferring == {"1-Pseudo"}


@pytest.mark.parametrize(
    "bracket", ["(MarkableID=b|Rel=poss|MentionAnchor=a|EntityAnchor=1{}", "MarkableID=b|MentionAnchor=a"]
)
def test_bridging_with_and_without_brackets(bracket):
    document = read(
        ua("(1/a)", {"IDENTITY": "(2/b", "BRIDGING": bracket.format("")}, {"IDENTITY": ")", "BRIDGING": ")"})
    )
    assert [bridge[:2] for bridge in document.bridges] == [(1, 0)]
    assert document == read(ua("(1/a)", {"IDENTITY": "(2/b", "BRIDGING": bracket.format(")")}, ")"))


def test_bridging_attributes_and_several_antecedents():
    cell = "(MarkableID=c|Rel=part|MentionAnchor=a|EntityAnchor=1)(MarkableID=c|MentionAnchor=b)"
    document = read(ua("(1/a)", "(2/b)", {"IDENTITY": "(3/c)", "BRIDGING": cell}))
    assert document.bridges == (Bridge(2, 0, (("Rel", "part"), ("EntityAnchor", "1"))), Bridge(2, 1))


def test_attributes_of_the_other_columns():
    cells = {
        "IDENTITY": "(1/a|SemType=dn)",
        "REFERENCE": "(MarkableID=a|Wiki=Ada)",
        "NOM_SEM": "MarkableID=a|Type=person",
    }
    attributes = (("SemType", "dn"), ("REFERENCE.Wiki", "Ada"), ("NOM_SEM.Type", "person"))
    assert read(ua(cells)).mentions[0].attributes == attributes


def test_discourse_deixis_is_a_layer_of_its_own():
    text = ua({"DISCOURSE_DEIXIS": "(1-DD/x|ElementOf=2-DD"}, {"IDENTITY": "(1/x)", "DISCOURSE_DEIXIS": ")"},
              {"DISCOURSE_DEIXIS": "(2-DD/y)"})  # fmt: skip
    document = read(text)
    assert words(document) == {"x": "w2"}
    assert words(document.deixis) == {"x": "w1 w2", "y": "w3"}
    assert (document.sets, document.deixis.sets) == ({}, {"2-DD": ("1-DD",)})
    assert read(PLAIN).deixis is None


def test_comments_are_kept_with_their_place():
    text = "# made by hand\n" + ua("_", "_", "", "_").replace("\n\n", "\n\n# speaker = Ada\n") + "# the end\n"
    document = read(text)
    assert document.comments == ((0, "# made by hand"), (2, "# speaker = Ada"), (3, "# the end"))
    assert read(dumps([document], "ua")) == document


# -- writing ---------------------------------------------------------------------------------------------------------


def _span(size: int, random: Random) -> Span:
    """Mostly a stretch of words; sometimes in two pieces, sometimes an empty node."""
    first, last = sorted(random.choices(range(size), k=2))
    last = min(last, first + random.choice([0, 0, 1, 2, 5]))
    span = stretch(first, last)
    kind = random.random()
    if kind < 0.15 and last + 2 < size:
        return (*span, *stretch(last + 2, random.randint(last + 2, size - 1)))
    return (position(random.randint(-1, size - 1), random.choice([1, 1, 2, 3])),) if kind > 0.9 else span


def _layer(spans: list[Span], places: list[int], prefix: str, random: Random) -> Document:
    """Mentions in the order in which a reader finds them: longer pieces are opened first."""
    mentions = []
    for index, span in enumerate(sorted(spans, key=lambda span: (span[0], -_first_piece(span, places)))):
        entity = f"{prefix}{random.randrange(4)}" + random.choice(["", "", "-Pseudo"])
        attributes = random.sample([("SemType", "dn"), ("Candidates", "a,b"), ("x", "")], random.randint(0, 2))
        if not prefix:
            attributes += random.choice([[], [("REFERENCE.Wiki", "Ada")], [("NOM_SEM.a", "1"), ("NOM_SEM.b", "2")]])
        mentions.append(Mention(span, entity, f"m{index}", attributes=tuple(attributes)))
    names = list(dict.fromkeys(mention.entity for mention in mentions))
    sets = {}
    for owner in names:
        if random.random() < 0.3:
            members = random.sample(names, random.randint(1, len(names)))
            sets[owner] = tuple(sorted(members, key=names.index))
    pseudo = frozenset(name for name in names if name.endswith("-Pseudo"))
    return Document("", mentions=tuple(mentions), sets=sets, nonreferring=pseudo)


def _first_piece(span: tuple[int, ...], places: list[int]) -> int:
    """The last place of the first piece, in a text with these places."""
    last = span[0]
    for place in places[places.index(last) :]:
        if place not in span:
            break
        last = place
    return last


def _document(id: str, random: Random) -> Document:
    size = random.randint(0, 9)
    spans = [[_span(size, random) for _ in range(random.randint(0, 8) if size else 0)] for _ in range(2)]
    places = sorted({position(word) for word in range(size)}.union(*(span for each in spans for span in each)))
    layer, deixis = _layer(spans[0], places, "", random), _layer(spans[1], places, "DD", random)
    text = replace(
        layer,
        id=id,
        words=tuple(random.choice(["a", "B", "(", "#", "x y", "_", "1"]) for _ in range(size)),
        sentences=tuple(sorted({0, *random.choices(range(size), k=2)})) if size else (),
        columns={name: ["x", *["_"] * (size - 1)] for name in random.sample(["UPOS", "MISC", "NEW"], 2) if size},
        comments=tuple((place, f"# {place}") for place in range(size + 1) if random.random() < 0.3),
    )
    numbers = range(len(text.mentions))
    bridges = [Bridge(each, random.choice(numbers), (("Rel", "part"),)) for each in numbers if random.random() < 0.4]
    other = replace(text, mentions=deixis.mentions, sets=deixis.sets, nonreferring=deixis.nonreferring, comments=())
    return replace(text, bridges=tuple(bridges), deixis=other if deixis.mentions else None)


documents = st.builds(
    lambda number, random: [_document(f"d{index}", random) for index in range(number)],
    st.integers(1, 3),
    st.randoms(use_true_random=True),
)


@settings(max_examples=300)
@given(documents)
def test_what_is_written_is_read_again(written):
    again, problems = read_all(dumps(written, "ua"))
    assert problems == ["empty-document" for document in written if not document.words]
    assert again == written


@some
@given(documents, st.randoms(use_true_random=True))
def test_mentions_in_another_order_are_the_same_when_read_again(written, random):
    moved = []
    for each in written:
        order = random.sample(range(len(each.mentions)), len(each.mentions))
        bridges = tuple(
            bridge._replace(anaphor=order.index(bridge[0]), antecedent=order.index(bridge[1]))
            for bridge in each.bridges
        )
        moved.append(replace(each, mentions=tuple(each.mentions[number] for number in order), bridges=bridges))
    again, _ = read_all(dumps(moved, "ua"))
    assert len(written) == len(again)
    for one, other in zip(written, again, strict=True):
        found = [Counter(mention[:2] for mention in each.mentions) for each in (one, other)]
        assert found[0] == found[1]
        ends = [{(d.mentions[a].span, d.mentions[b].span) for a, b, _ in d.bridges} for d in (one, other)]
        assert ends[0] == ends[1]


@beside
def test_a_real_file_is_read_again():
    before = scoref.read(REAL)
    text = dumps(before, "ua")
    again, problems = read_all(text)
    assert len(before) == 21
    assert sum(len(each.mentions) for each in before) == 3941
    assert sum(len(each.sets) for each in before) == 29
    assert sum(len(each.bridges) for each in before) == 424
    assert problems == []
    assert again == before
    assert re.search(r"\bmarkable_\d+\)", text) is None  # nothing crosses: closers without names, for other scorers


def test_closers_have_names_only_where_mentions_cross():
    nested, crossing = (["(1/a", "(2/b", ")", ")"], ["(1/a", "(2/b", "a)", "b)"])
    assert "b)" not in dumps([read(ua(*nested))], "ua")
    assert {"a)", "b)"} <= set(dumps([read(ua(*crossing))], "ua").split())
    both = dumps([read(ua(*nested)), read(ua(*crossing, name="e"))], "ua")
    assert ")" not in both.split()  # all or none in a file


def test_entities_that_do_not_refer_are_written_so():
    document = replace(read(ua("(1/a)", "(2/b|ElementOf=1)")), nonreferring=frozenset({"1"}))
    again = read(dumps([document], "ua"))
    assert again.nonreferring == {"1-Pseudo"}
    assert again.sets == {"1-Pseudo": ("2",)}


def test_mentions_without_ids_or_with_one_id_get_some():
    for id in (None, "same"):
        mentions = tuple(Mention(stretch(number, number), "1", id) for number in range(3))
        again = read(dumps([Document("d", ("a", "b", "c"), mentions)], "ua"))
        assert [mention.id for mention in again.mentions] == ["m1", "m2", "m3"]


UNWRITABLE = [
    (scoref.clusters([["a"]], "d"), "unwritable-mention"),
    (Document("d", ("a",), (Mention(stretch(0, 0), "a b"),)), "unwritable-entity"),
    (Document("d", ("a",), (Mention(stretch(0, 0), "a(b"),)), "unwritable-entity"),
    (Document("d", ("a",), (Mention(stretch(0, 0), "1", "x|y"),)), "unwritable-entity"),
    (Document("d", ("a",), (Mention(stretch(0, 0), "1", attributes=(("a", "b)"),)),)), "unwritable-entity"),
    (Document("d", ("a", "b"), (Mention(stretch(0, 0), 1), Mention(stretch(1, 1), "1"))), "unwritable-entity"),
    (Document("d", ("a",), (Mention(stretch(0, 0), "1"),), sets={"1": ("2",)}), "unwritable-entity"),
    (Document("", ("a",)), "unwritable-name"),
    (Document("d", ("a",), columns={"a b": ["x"]}), "unwritable-name"),
    (Document("d", ("a\tb",)), "unwritable-word"),
    (Document("d", ("",)), "unwritable-word"),
    (Document("d", ("a",), columns={"MISC": ["x\ny"]}), "unwritable-word"),
]


@pytest.mark.parametrize(("document", "code"), UNWRITABLE)
def test_what_could_not_be_read_again_is_not_written(document, code):
    with pytest.raises(scoref.Error) as error:
        dumps([document], "ua")
    assert error.value.code == code


# -- what is wrong with files ----------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs scoref in a folder with the files given."""
    monkeypatch.chdir(tmp_path)

    def call(*argv: str, **files: str) -> Result:
        for name, content in files.items():
            Path(name).write_text(content, encoding="utf-8")
        code = main([*argv])
        return (code, *capsys.readouterr())

    return call


def wrong(*cells: str | dict[str, str], **options: str) -> str:
    """Two good lines before what is wrong, which is in line 5."""
    return ua("(1/x1)", "(1/x2)", *cells, **options)


LINE = "3\tw3" + "\t_" * 13
FATAL = [
    ("never closed", wrong("(2/a", "_"), "unclosed-mention", 5),
    ("never closed, a piece", wrong("(2/a", ")", "(2/a"), "unclosed-mention", 5),
    ("closed twice", wrong(")"), "unopened-mention", 5),
    ("closed by another name", wrong("(2/a", "b)"), "unopened-mention", 6),
    ("no opener", wrong("x(2/a)"), "bracket-syntax", 5),
    ("no closer", wrong("(2/a)x"), "bracket-syntax", 5),
    ("no bracket at all", wrong("EntityID=1"), "bracket-syntax", 5),
    ("no value", wrong("(2/a|Min)"), "bracket-syntax", 5),
    ("a name twice", wrong("(2/a|x=1|x=2)"), "bracket-syntax", 5),
    ("another spelling", wrong("(EntityId=1|MarkableID=a)"), "missing-attribute", 5),
    ("no entity", wrong("(MarkableID=a)"), "missing-attribute", 5),
    ("no name", wrong("(EntityID=1)"), "missing-attribute", 5),
    ("empty name", wrong("(EntityID=1|MarkableID=)"), "missing-attribute", 5),
    ("markable twice", wrong("(2/x1)"), "repeated-markable", 5),
    ("markable in itself", wrong("(2/a", "(2/a", ")", ")"), "repeated-markable", 6),
    ("Min in letters", wrong("(2/a|Min=x)"), "bad-minimum", 5),
    ("Min from to", wrong("(2/a|Min=1-2)"), "bad-minimum", 5),
    ("Min of three", wrong("(2/a|Min=1,2,3)"), "bad-minimum", 5),
    ("Min too long", wrong(f"(2/a|Min={'9' * 5000})"), "bad-minimum", 5),
    ("too few columns", wrong() + "3\tw3\t_", "column-count", 5),
    ("too many columns", wrong() + LINE + "\t_", "column-count", 5),
    ("columns that shift", wrong() + full("3 w3 _ _ _ _ _ _ _ (2/a) _ _ _ _"), "shifted-columns", 5),
    ("columns that shift back", wrong() + full("3 w3 _ _ _ _ _ _ _ _ _ (2/a) _ _ _"), "shifted-columns", 5),
    ("a column that is not there", wrong(columns="ID FORM LEMMA"), "missing-column", 1),
    ("no ID", wrong() + LINE.replace("3", "", 1), "column-count", 5),
    ("multi-word token", wrong() + LINE.replace("3", "3-4", 1), "column-count", 5),
    ("a long ID", wrong() + LINE.replace("3", "2." + "9" * 5000, 1), "column-count", 5),
    ("more zeros than can be", wrong() + LINE.replace("3", "2.256", 1), "column-count", 5),
    ("no document", rows("_"), "outside-document", 1),
    ("before the document", rows("_") + ua("_"), "outside-document", 1),
    ("document without a name", ua("_").replace("id = d", ""), "unnamed-document", 2),
    ("document with an empty name", ua("_").replace("id = d", "id = "), "unnamed-document", 2),
    ("the same document twice", ua("_") + ua("_"), "repeated-document", 5),
    ("ElementOf a missing entity", wrong("(2/a|ElementOf=9)"), "missing-entity", 5),
    ("member of itself", wrong("(2/a|ElementOf=2)"), "cyclic-set", 5),
    ("a cycle of sets", wrong("(2/a|ElementOf=3)", "(3/b|ElementOf=2)"), "cyclic-set", 5),
    ("bridging that is no bracket", wrong({"BRIDGING": "x"}), "bracket-syntax", 5),
    ("deixis never closed", wrong({"DISCOURSE_DEIXIS": "(1-DD/a"}), "unclosed-mention", 5),
]
WHATS = [what for what, *_ in FATAL]


@pytest.mark.parametrize(("what", "text", "code", "line"), FATAL, ids=WHATS)
def test_a_wrong_file_is_refused_with_its_place_and_a_remedy(run, what, text, code, line):
    good = re.sub(r"\|ElementOf=\d", "", text) if "ElementOf" in text else PLAIN
    for key, response in ((text, good), (good, text)):
        exit_code, out, err = run("score", "key", "response", "--format", "ua", key=key, response=response)
        where = "key" if key is text else "response"
        assert (exit_code, out) == (2, "")
        first, place, *rest = err.split("\n")
        assert first.startswith("error: ")
        assert first.endswith(f"  [{code}]")
        assert place.startswith(f"  where     {where}:{line}")
        assert rest[-2].startswith("  you can   ")


@pytest.mark.parametrize(("what", "text", "code", "line"), FATAL, ids=WHATS)
def test_a_wrong_file_may_be_read_as_far_as_it_goes(run, what, text, code, line):
    exit_code, out, err = run("score", "key", "key", "--format", "ua", "--on-problem", "skip", "--json", key=text)
    if what == "no document":
        assert (exit_code, out) == (2, "")
        return
    assert exit_code == 0, err
    assert code in {problem["code"] for problem in json.loads(out)["problems"]}


READING = [row for row in FATAL if row[2] not in ("missing-entity", "cyclic-set")]


@pytest.mark.parametrize(("what", "text", "code", "line"), READING, ids=[what for what, *_ in READING])
def test_validate_finds_what_score_refuses(run, what, text, code, line):
    exit_code, out, _ = run("validate", "key", "--format", "ua", key=text)
    assert exit_code == 1
    assert any(row.startswith(f"key:{line}: ") and f"[{code}]" in row for row in out.split("\n"))


def test_a_skipped_opener_takes_its_closer_along():
    found, problems = read_all(ua("(1/a", "(2/a", "_", ")", "_", ")", "(MarkableID=b", ")"), "skip")
    assert problems == ["repeated-markable", "missing-attribute"]
    assert words(found[0]) == {"a": "w1 w2 w3 w4 w5 w6"}


def test_two_broken_cells_are_two_problems():
    assert read_all(ua("x", "y", "(1/a)"), "skip")[1] == ["bracket-syntax"] * 2


def test_a_cell_without_brackets_takes_no_time():
    _, problems = read_all(ua("x" * 10**6), "skip")
    assert problems == ["bracket-syntax"]


BRIDGE = "(MarkableID=b|MentionAnchor={})"
REPORTED = [
    ("a set with one member", ua("(1/a|ElementOf=2)", "(2/b)"), "small-set", 3, []),
    (
        "anchor that does not exist",
        ua("(1/a)", {"IDENTITY": "(2/b)", "BRIDGING": BRIDGE.format("x")}),
        "unknown-markable",
        4,
        [],
    ),
    ("anaphor that does not exist", ua("(1/a)", {"BRIDGING": BRIDGE.format("a")}), "unknown-markable", 4, []),
    ("attributes of nothing", ua("(1/a)", {"NOM_SEM": "(MarkableID=x|a=b)"}), "unknown-markable", 4, []),
    ("two entities, one span", ua("(1/a)(2/b)", "(2/c)"), "duplicate-mention", 3, []),
    ("twice in one entity", ua("(1/a)(1/b)", "(2/c)"), "duplicate-mention", 3, []),
    ("Min outside", ua("(1/a|Min=1)", "(2/b|Min=1)"), "minimum-outside", 4, ["--match", "min"]),
]


@pytest.mark.parametrize(("what", "text", "code", "line", "options"), REPORTED, ids=[what for what, *_ in REPORTED])
def test_what_has_a_meaning_is_only_reported(run, what, text, code, line, options):
    exit_code, out, err = run("score", "key", "key", *options, key=text)
    assert (exit_code, err) == (0, "")
    assert re.search(rf" 1 × {code}: .* \(key:{line}, ", " ".join(out.split()))
    exit_code, out, _ = run("score", "key", "key", "--json", *options, key=text)
    problem, *_ = json.loads(out)["problems"]
    assert (problem["code"], problem["line"], problem["fatal"]) == (code, line, False)


def test_a_minimum_outside_of_its_mention_is_reported_by_validate_and_where_it_matters(run):
    text = ua("(1/a|Min=1)", "(2/b|Min=1)")
    assert "[minimum-outside]" in run("validate", "key", key=text)[1]
    assert "minimum-outside" not in run("score", "key", "key", key=text)[1]


def test_documents_and_tokens_must_be_those_of_the_key(run):
    one, other = ua("(1/a)", name="a"), ua("(1/a)", name="b")
    exit_code, out, _ = run("score", "key", "response", "--json", key=one + other, response=one)
    found = json.loads(out)
    assert exit_code == 0
    assert [problem["code"] for problem in found["problems"]] == ["missing-document"]
    assert found["counts"]["b3"] == {"recall": [1, 2], "precision": [1, 1]}
    for response, code, line in (
        (one + other, "extra-document", 5),
        (ua({"FORM": "_", "IDENTITY": "(1/a)"}, {"FORM": "_"}, name="a"), "token-count", 4),
        (ua({"FORM": "x", "IDENTITY": "(1/a)"}, name="a"), "different-word", 3),
    ):
        exit_code, out, err = run("score", "key", "response", key=one, response=response)
        assert (exit_code, out) == (2, "")
        assert f"[{code}]\n  where     response:{line}" in err
        assert "you can" in err


# -- scores ----------------------------------------------------------------------------------------------------------


def test_minimum_spans_give_one_alignment_for_all_metrics(run):
    # the response has less, but all minimum spans; the official scorer finds that in CEAF alone
    key = ua(
        "(1/a|ElementOf=3)", "(2/b|Min=4|ElementOf=3", "_", "_", ")", "(3/c|Min=6", ")", "(4-Pseudo/d|Min=9", "_", ")",
        {"IDENTITY": "(5/e|Min=12", "BRIDGING": "(MarkableID=e|MentionAnchor=b)"}, ")", "(1/f)",
    )  # fmt: skip
    response = ua(
        "(1/a|ElementOf=3)", "_", "_", "(2/b|ElementOf=3", ")", "(3/c)", "_", "_", "(4-Pseudo/d)", "_",
        "_", {"IDENTITY": "(5/e)", "BRIDGING": "(MarkableID=e|MentionAnchor=b)"}, "(1/f)",
    )  # fmt: skip
    every = ["mentions", "muc", "b3", "ceafm", "ceafe", "lea", "blanc", "conll"]
    for layer, metrics in (("identity", every), ("bridging", ["all"]), ("non-referring", ["all"])):
        argv = ("score", "key", "response", "--json", "--layer", layer, "--metrics", ",".join(metrics))
        argv += ("--protocol", "paun-2023", "--layer", layer)
        exact, least = (
            json.loads(run(*argv, "--match", match, key=key, response=response)[1]) for match in ("exact", "min")
        )
        assert least["scores"]
        for name, score in least["scores"].items():
            if name == "bridging-subtypes":  # these links have none
                continue
            assert score == {"recall": 1, "precision": 1, "f1": 1}, name
            assert exact["scores"][name]["f1"] < 1, name


def test_minimum_spans_match_one_to_one():
    # both response mentions have the minimum span of the one key mention: the longer one is it (official: both)
    key, response = ua("(1/a|Min=1", "_", ")"), ua("(1/a(2/b)", ")", "_")
    pair = [read(text) for text in (key, response)]
    result = scoref.score(*pair, match="min", metrics=["mentions", "ceafm", "ceafe"])
    assert result.counts["mentions"].tolist() == [[1, 1, 1, 2]]
    assert result.counts["ceafm"].tolist() == [[1, 1, 1, 2]]
    assert result.counts["ceafe"].tolist() == [[1, 1, 1, 2]]


LAYERS = ["identity", "deixis", "bridging", "non-referring"]


def example(run: Run, *options: str) -> dict[str, dict[str, float]]:
    files = str(EXAMPLES / "key.conllua"), str(EXAMPLES / "response.conllua")
    exit_code, out, err = run("score", *files, "--json", *options)
    assert (exit_code, err) == (0, "")
    return json.loads(out)["scores"]


def test_the_example_by_hand(run):
    # Key: 1 {Mia, her}, 2 {Tom, he}, 3 {They} + {1, 2}, 4 {the station}, 5 {the last train}, 7 {the tickets}
    # Response: 1 {Mia, her}, 2 {Tom}, 3 {They} + {1, 4}, 4 {the station}, 5 {the last train, it}, 7 {the tickets}
    # mentions: "he" is missing, "it" does not refer
    # muc: the sets share 1 of 2 links either way (1 is whole; 2 is not there, 4 is alone), so δ = 1/2:
    #   recall 1 (1) + 0 (2) + 1/2 (3) of 3, precision 1 (1) + 1/2 (3) + 0 (5) of 3
    # b3: δ is 2 of 4 for recall, 2 of 3 for precision
    #   recall 2 + 1/2 + (3/2)²/2 + 1 + 1 + 1 of 9, precision 2 + 1 + (5/3)²/2 + 1 + 1/2 + 1 of 9
    # ceafe: δ is f1 = 1/2, as 1 of 2 and 1 of 2 members are aligned: 1 + 2/3 + 2 · 3/2 / 4 + 1 + 2/3 + 1 of 6 and 6
    b3 = (6.625 / 9, (5.5 + 25 / 18) / 9)
    muc, ceafe = (1 / 2, 1 / 2), (61 / 72, 61 / 72)
    # deixis: "they missed the last train" lacks a word, "that" is right: one of two mentions, no link, 1/2 of 2, 2/4
    # bridging: both anaphors are there; the tickets are bound to the station instead of the train
    # non-referring: it
    expected = {
        "mentions": (7 / 8, 7 / 8), "muc": muc, "b3": b3, "ceafe": ceafe,
        "deixis:mentions": (1 / 2, 1 / 2), "deixis:muc": (0, 0), "deixis:b3": (1 / 4, 1 / 4),
        "deixis:ceafe": (1 / 2, 1 / 2),
        "bridging-anaphors": (1, 1), "bridging-mentions": (1 / 2, 1 / 2), "bridging-entities": (1 / 2, 1 / 2),
        "non-referring": (0, 0),
    }  # fmt: skip
    scores = example(run, "--layer", "all")
    assert set(scores) == {*expected, "conll", "deixis:conll"}
    for name, (recall, precision) in expected.items():
        assert scores[name]["recall"] == pytest.approx(recall), name
        assert scores[name]["precision"] == pytest.approx(precision), name
    f1 = 2 * b3[0] * b3[1] / sum(b3)
    assert scores["conll"]["f1"] == pytest.approx((1 / 2 + f1 + 61 / 72) / 3)
    assert scores["deixis:conll"]["f1"] == pytest.approx((0 + 1 / 4 + 1 / 2) / 3)


def test_all_layers_in_one_run_are_the_layers(run):
    together = example(run, "--layer", "all")
    for layer in LAYERS:
        prefix = "deixis:" * (layer == "deixis")
        alone = example(run, "--layer", layer)
        assert alone == {name: together[prefix + name] for name in alone}
    assert example(run) == example(run, "--layer", "identity")
    assert example(run, "--protocol", "codi-crac-2022-deixis") == example(run, "--layer", "deixis")
    assert example(run, "--protocol", "codi-crac-2022-bridging") == example(run, "--layer", "bridging")


def test_the_example_against_itself(run):
    for side in ("key", "response"):
        path = str(EXAMPLES / f"{side}.conllua")
        scores = json.loads(run("score", path, path, "--json", "--layer", "all")[1])["scores"]
        missing = {"non-referring"} if side == "response" else set()
        assert {name for name, score in scores.items() if score["f1"] != 1} == missing


def test_the_example_is_well_formed(run):
    exit_code, out, _ = run("validate", *(str(EXAMPLES / f"{side}.conllua") for side in ("key", "response")))
    assert (exit_code, out) == (0, "0 problems in 2 files\n")


# -- reported: remove the mark with the fix --------------------------------------------------------------------------


def test_minimum_spans_of_one_layer_are_enough(run):
    text = ua("(1/a|Min=1)", {"DISCOURSE_DEIXIS": "(1-DD/b)"})
    assert run("score", "key", "key", "--match", "min", "--layer", "all", key=text)[0] == 0
    assert run("score", "key", "key", "--match", "min", "--layer", "all", key=ua("(1/a|Min=1)"))[0] == 0


SETS = [(text, code) for _, text, code, _ in FATAL if code in ("missing-entity", "cyclic-set")]
DEIXIS = [
    (ua({"DISCOURSE_DEIXIS": "(1/a|Min=7)"}), "minimum-outside"),
    (ua({"DISCOURSE_DEIXIS": "(1/a)(2/b)"}), "duplicate-mention"),
]


@pytest.mark.parametrize(("text", "code"), [*SETS, (REPORTED[0][1], "small-set"), *DEIXIS])
def test_validate_looks_at_sets_and_deixis_too(run, text, code):
    assert f"[{code}]" in run("validate", "key", key=text)[1]


@pytest.mark.parametrize("format", ["corefud", "conll"])
def test_entities_that_do_not_refer_are_written_under_another_name_and_said(tmp_path, capsys, format):
    source, target = tmp_path / "in.conllua", tmp_path / "out"
    source.write_text(ua("(1/m1)", "(4-Pseudo/m2)", "(4_Pseudo/m3)", "(1/m4)"), encoding="utf-8")
    assert main(["convert", str(source), str(target), "--to", format]) == 0
    said = capsys.readouterr().err
    assert "1 non-referring mention written as of entities of their own" in said
    (document,) = scoref.read(target, format)
    assert len(document.entities()) == 3
    if format == "corefud":
        assert "4-Pseudo is 4_Pseudo_2" in said
        assert {mention.entity for mention in document.mentions} == {"1", "4_Pseudo", "4_Pseudo_2"}


@beside
def test_a_real_corpus_becomes_corefud(tmp_path):
    assert main(["convert", str(REAL), str(tmp_path / "light.conllu"), "--to", "corefud"]) == 0
    read = [scoref.read(REAL), scoref.read(tmp_path / "light.conllu")]
    assert len({sum(len(document.mentions) for document in side) for side in read}) == 1


# -- how cells are separated -----------------------------------------------------------------------------------------

MIXED = ["(1/m1|Min=1|SemType=dn", ")", "(2/m2)", {"BRIDGING": "(MarkableID=m2|MentionAnchor=m1)"}, "_"]


@pytest.mark.parametrize("tab", ["\t", " ", "  ", " \t ", "\t  "])
def test_documents_are_the_same_however_cells_are_separated(tab):
    assert read(ua(*MIXED, tab=tab)) == read(ua(*MIXED))


def test_a_file_may_have_lines_with_tabs_and_lines_with_blanks():
    lines = [line.replace("\t", "   ") if number % 2 else line for number, line in enumerate(ua(*MIXED).split("\n"))]
    assert read("\n".join(lines)) == read(ua(*MIXED))


def test_comments_of_a_text_without_words_are_written_once():
    document = Document("d", mentions=[Mention.at(1, 1, "1")], comments=((0, "# first"), (2, "# last")))
    lines = dumps([document], "ua").splitlines()
    assert [line for line in lines if line in ("# first", "# last")] == ["# first", "# last"]
    assert (lines[2], lines[-2]) == ("# first", "# last")


def test_a_comment_with_tabs_does_not_change_how_other_lines_are_read():
    text = ua(*MIXED, tab=" ").replace("\n1 ", "\n# a\tb\tc\n1 ")
    assert replace(read(text), comments=()) == replace(read(ua(*MIXED)), comments=())


def test_what_is_wrong_is_reported_in_the_order_of_lines_and_columns():
    text = ua({"IDENTITY": "_", "DISCOURSE_DEIXIS": "x)"}, "y)", {"IDENTITY": "z)", "DISCOURSE_DEIXIS": "w)"})
    problems = Problems("skip")
    read_source(Source(text.encode(), "file"), "ua", problems)
    assert [problem.text for problem in problems.found] == ["x)", "y)", "z)", "w)"]


def test_words_and_columns_of_a_document_can_be_sent_to_another_process():
    document = read(ua({"LEMMA": "be", "IDENTITY": "(1/m1)"}, "_"))
    sent = pickle.loads(pickle.dumps(document))
    assert sent == document
    assert dict(sent.columns) == {"LEMMA": ["be", "_"]}


def test_an_entity_without_a_name_is_not_written() -> None:
    document = Document("d", ("a",), (Mention.at(0, 0, ""),))
    with pytest.raises(scoref.Error) as error:
        dumps([document], "ua")
    assert error.value.code == "unwritable-entity"


def test_columns_of_words_beside_zeros() -> None:
    """A zero has no cell in them, nor a word behind their end."""
    zero = Mention((position(0, 1),), "e", "z")
    document = Document("d", ("a", "b"), (zero, Mention.at(1, 1, "e", id="m")), columns={"LEMMA": ("A", "B")})
    for cells, expected in ((("A", "B"), ["A", "_", "B"]), (("A",), ["A", "_", "_"])):
        lines = [line.split("\t") for line in dumps([replace(document, columns={"LEMMA": cells})], "ua").split("\n")]
        place = lines[0][0].partition("=")[2].split().index("LEMMA")
        assert [line[place] for line in lines if line[0][:1].isdigit()] == expected
