from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from places import SHARED, recorded
from scoref.formats.marked.marks import MarkedText, documents, find_style, scan
from scoref.formats.marked.styles import STYLES
from scoref.texts.projection import on_words_of

FOLDER = SHARED / "data" / "marked-text"
FILE = FOLDER / "cases.jsonl"


def spans(text, style):
    return [(mention.entity, mention.first, mention.last) for mention in scan(text, style).mentions]


def dropped(text, style):
    return [(mark.kind, mark.text) for mark in scan(text, style).dropped]


@pytest.mark.parametrize("case", recorded(FILE))
def test_recorded_cases(case):
    found = scan(case["text"], case["style"])
    assert find_style(case["text"]) == [case["style"]]
    assert [mention.entity for mention in found.mentions] == [entity for *_, entity in case["mentions"]]
    assert Counter(mark.kind for mark in found.dropped) == case["notes"]


@pytest.mark.parametrize("style", STYLES)
def test_examples_of_styles(style):
    example = STYLES[style].example
    found = scan(f"Ada phoned {example} .", style)
    assert found.pieces == ["Ada", "phoned", "the", "plumber", "."]
    assert [mention[1:3] for mention in found.mentions] == [(2, 3)]
    assert find_style(example) == [style]


# Templates, and whether a hash may stand there or not, as it is behind a bracket.
TEMPLATES = {
    "[#{id} {words}]": True, "[{id} {words}]": True, "[#{id}: {words}]": True, "<{id}: {words}>": True,
    "x#{id} {words};": False, "#{id} {words};": False, "[{words}](#{id})": True, "[{words} ({id})]": True,
    "<{words}#{id}>": False, "<<{words}>>={id}": False, "*{words}*#{id}": False,
}  # fmt: skip


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_marks_what_it_looks_like(template: str) -> None:
    both = [template.replace("#{id}", "{id}").replace("{id}", id) for id in ("{id}", "#{id}")]
    marks = both if TEMPLATES[template] else [template]
    every = [scan(f"Ada phoned {mark.format(id=2, words='the plumber')} .", template) for mark in marks]
    found = [[(each.entity, each.first, each.last) for each in text.mentions] for text in every]
    assert found == [[("2", 2, 3)]] * len(marks)
    assert {*(tuple(text.pieces) for text in every)} == {("Ada", "phoned", "the", "plumber", ".")}


@pytest.mark.parametrize(
    ("style", "text", "expected"),
    [
        ("markdown", "[a [b](#x y) c](#z)", [("z", 0, 2), ("x y", 1, 1)]),
        ("markdown", "[[a](#1) b](#2)", [("2", 0, 1), ("1", 0, 0)]),
        ("markdown", "[[a](#1)](#2)", [("2", 0, 0), ("1", 0, 0)]),
        ("markdown", "[a [b] c](#1)", [("1", 0, 2)]),
        ("markdown", "[a [b](#1) c]", [("1", 1, 1)]),
        ("subscript", "[a [b]_{i,j} c]_2d", [("2d", 0, 2), ("i,j", 1, 1)]),
        ("colon", "[a [b:1] : 2]", [("2", 0, 1), ("1", 1, 1)]),
        ("colon", "[x](#1) [note: see there] [a: 1]", [("1", 4, 4)]),
        ("m-pipe", "<m> a <m> b | 1 </m> | 2 </m>", [("2", 0, 1), ("1", 1, 1)]),
        ("m-hash", "<m>a <m>b</m>#1</m>#2.", [("2", 0, 1), ("1", 1, 1)]),
        ("curly", "{2 a {1 b} c}", [("2", 0, 2), ("1", 1, 1)]),
        ("curly", "{} {1 a{x}}", [("1", 1, 1)]),
        ("markdown", "[a](#[1]) [b](#x]y) [c](#x (y)", [("[1]", 0, 0), ("x]y", 1, 1), ("x (y", 2, 2)]),
        ("subscript", "[a]_{x y} [b]_{[1]}", [("x y", 0, 0), ("[1]", 1, 1)]),
        ("xml", """<e id="x y" type=t>a</e> <e id="O'x">b</e>""", [("x y", 0, 0), ("O'x", 1, 1)]),
        ("xml", """<e id="x>a</e> <e id='y type=t>b</e>""", [("x", 0, 0), ("y", 1, 1)]),
        ("xml", "<e id='1 \"'>a <COREF TYPE=x ID=2>b</COREF></e>", [('1 "', 0, 1), ("2", 1, 1)]),
        ("crac", "a|[x b|[y c|x] d|y]", [("x", 0, 2), ("y", 1, 3)]),
        ("crac", "a|[x,[x b|x] c|x]", [("x", 0, 2), ("x", 0, 1)]),
        ("crac", "|[e1] a|[e1]", [("e1", 1, 1)]),
    ],
)  # fmt: skip
def test_nesting_and_ids(style, text, expected):
    assert spans(text, style) == expected


@pytest.mark.parametrize(
    ("style", "text", "expected"),
    [
        ("markdown", "[a b](#1) c](#2)", [("unopened", "](#2)")]),
        ("markdown", "[a b", [("unclosed", "[a")]),
        ("markdown", "[a](#1 b [c](#2)", [("unclosed", "](#1")]),
        ("markdown", "[a](#1\nb [c](#2)", [("unclosed", "](#1")]),
        ("markdown", "[a](#1 b [c (d) e](#2)", [("unclosed", "](#1")]),
        ("markdown", "[a](#1 b", [("unclosed", "](#1")]),
        ("markdown", "[a](#1 b](#2)", [("unclosed", "](#1"), ("unopened", "](#2)")]),
        ("subscript", "[a]_{1 b [c]_{2}", [("unclosed", "]_{1")]),
        ("subscript", "[a]_{1 b [c]_2 {d}", [("unclosed", "]_{1")]),
        ("subscript", "[a]_ b", []),
        ("xml", '<e id="1">a <e id="2" b</e> c</e>', [("unclosed", '<e id="2"')]),
        ("xml", '<e id="1">a</e> <e b <e id=2', [("unclosed", "<e id=2")]),
        ("markdown", "a [ ](#1) b", [("empty", "[ ](#1)")]),
        ("markdown", "[a](#) [b](#MASK)", [("no-id", "[a](#)"), ("no-id", "[b](#MASK)")]),
        ("markdown", "a] b [c] d", []),
        ("curly", "{___ a} } {1 b", [("no-id", "{___ a}"), ("unopened", "}"), ("unclosed", "{1 b")]),
        ("m-hash", "<m>a</m>#MASK <m>b</m>", [("no-id", "<m>a</m>#MASK"), ("no-id", "<m>b</m>")]),
        ("xml", "<e>a</e> <em>b</em>", [("no-id", "<e>a</e>")]),
        ("crac", "a|[e1 b|e2] c|[] d|x", [
            ("unclosed", "a|[e1"), ("unopened", "b|e2]"), ("no-id", "c|[]"), ("no-id", "d|x"),
        ]),
    ],
)  # fmt: skip
def test_dropped_marks(style, text, expected):
    assert dropped(text, style) == expected


def test_marks_split_words_and_brackets_that_are_text_do_not():
    assert scan("un[believ](#1)able a[b]c x[y", "markdown").pieces == ["un", "believ", "able", "a[b]c", "x", "y"]


def test_places():
    text = "[Ada](#1)\nphoned\n\n[him"
    found = scan(text, "markdown", line=5)
    assert [(text[offset], line) for offset, line in zip(found.offsets, found.lines, strict=True)] == [
        ("A", 5), ("p", 6), ("h", 8),
    ]  # fmt: skip
    assert (found.mentions[0].line, found.dropped[0].line) == (5, 8)


def test_zeros_are_empty_nodes_behind_words():
    found = scan("##|[e1] Dice|[e2 ## ##ella|[e1] que|e2] no", "crac")
    assert found.pieces == ["Dice", "que", "no"]
    assert [(m.entity, m.first, m.last, [*found.zeros[slice(*m.zeros)]]) for m in found.mentions] == [
        ("e1", 0, -1, [(-1, 1)]),
        ("e2", 0, 1, [(0, 1), (0, 2)]),
        ("e1", 1, 0, [(0, 2)]),
    ]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("<m> ", "| 1 </m> "), ("<m> a ", "| 1 </m> "), ("##|[e1 ", "##|e1] "), ("a|[e1 ", "a|e1] "), ("[", "](#1)"),
     ("[a ", "](#1)"), ("{1 ", "}"), ("[a ", "](#)"), ("[a ", ""), ("##|[e1 ", "")],
)  # fmt: skip
def test_marks_in_one_another_take_memory_by_the_size_of_the_file(opening: str, closing: str):
    """Each mark has all those within it; what is kept of each must not grow with their number."""
    number = 3000
    text = opening * number + closing * number
    tracemalloc.start()
    try:
        find_style(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 600 * len(text) + 1_000_000  # else thousands of bytes for each byte of the file


def test_deeply_nested_mentions_are_read_and_moved(tmp_path: Path):
    """Mentions of 6,000 words and fewer, in one another, would be 18 million places, one by one."""
    number = 6_000
    path = tmp_path / "a.txt"
    path.write_text("<m> a " * number + "| 1 </m> " * number)
    tracemalloc.start()
    try:
        (document,) = scoref.read(path)
        moved, _ = on_words_of(document, document)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [len(mention.span) for mention in moved.mentions] == [*range(number, 0, -1)]
    assert peak < 60_000_000


def test_zeros_within_one_another_are_bounded(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("##|[e1 " * 10_000 + "a|e1] " * 10_000)
    with pytest.raises(scoref.Error) as error:
        scoref.read(path)
    problem = error.value.problem
    assert (problem.code, problem.line, problem.expected) == ("too-deep", 1, "10,000,000 places in all")
    assert problem.remedy == "check how the file was written"


@pytest.mark.parametrize(
    "template", ["[{id} {words}]", "[#{id} {words}]", "({id}: {words})", "<#{id}: {words}>", "{{id} {words}}"]
)
def test_brackets_of_the_text_in_a_mark_with_the_id_in_front(template: str):
    """A pair of the bracket that begins the mark is text, however the mark goes on."""
    text = template.replace("{id}", "1").replace("{words}", f"Ada saw {template[0]}her{template[-1]} cat")
    found = scan(f"Yes, {text} ran", template)
    assert (found.dropped, found.pieces) == (
        [],
        ["Yes,", "Ada", "saw", f"{template[0]}her{template[-1]}", "cat", "ran"],
    )
    assert [(mention.entity, mention.first, mention.last) for mention in found.mentions] == [("1", 1, 4)]


def test_styles_that_are_found():
    assert find_style("[a](#1) and [b: 2] and [c](#1)") == ["markdown", "colon"]
    assert find_style("[He said: no](#1)") == ["markdown"]
    assert find_style("plain text [sic] {x}") == []
    assert find_style("[a]_{x y} and [b]_1") == ["subscript"]


def test_tags_of_crac_are_marks_of_no_other_style():
    assert find_style("at|[e1 9 :|e1] by http://x|[e2] x:y|e3],[e4]") == ["crac"]
    assert find_style("a|[e1 :|e1] [b: 2]") == ["crac", "colon"]
    assert find_style("[a:|1]") == ["colon"]  # a tag that closes nothing
    assert find_style("[a|b](#1) [c|[d](#1)") == ["markdown"]


def test_documents_of_a_file():
    text = "Sure!\n#begin document a b\nAda\nphoned\n#end document\n\n#begin document c\nShe\n#begin document d\n"
    assert documents(text) == [
        MarkedText(None, "Sure!\n", 1),
        MarkedText("a b", "Ada\nphoned\n", 3),
        MarkedText("c", "She\n", 8),
        MarkedText("d", "", 10),
    ]
    assert documents("Ada\nphoned") == [MarkedText(None, "Ada\nphoned", 1)]
    assert documents("a|[e1]\n\nb\n", "crac") == [MarkedText(None, "a|[e1]", 1), MarkedText(None, "b", 3)]


def write(style, words, mentions):
    """The words with marks around the mentions, which nest."""
    opening, closing = {
        "markdown": ("[", "](#{})"), "subscript": ("[", "]_{{{}}}"), "colon": ("[", ": {}]"),
        "m-pipe": ("<m> ", " | {} </m>"), "m-hash": ("<m>", "</m>#{}"), "curly": ("{{{} ", "}}"),
        "xml": ('<coref id="{}">', "</coref>"),
    }[style]  # fmt: skip
    found = list(words)
    for first, last, entity in sorted(mentions, key=lambda mention: mention[1] - mention[0]):
        found[first] = opening.format(entity) + found[first]
        found[last] += closing.format(entity)
    return " ".join(found)


@given(
    st.sampled_from([style for style in STYLES if style != "crac"]),
    st.lists(st.sampled_from(["a", "b.", "c-d", "é", "5"]), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_mentions_that_are_written_are_read(style, words, random):
    mentions = []
    ranges = [(0, len(words) - 1)]
    while ranges:
        first, last = ranges.pop()
        if random.random() < 0.7:
            mentions.append((first, last, f"e{random.randrange(3)}"))
        if first < last:
            cut = random.randrange(first, last)
            ranges += [(first, cut), (cut + 1, last)]
    found = scan(write(style, words, mentions), style)
    assert found.pieces == words
    assert sorted((m.first, m.last, m.entity) for m in found.mentions) == sorted(mentions)
    assert not found.dropped


@given(
    st.sampled_from(["markdown", "subscript", "xml"]),
    st.lists(st.sampled_from(["a", "b.", "c-d", "é", "5"]), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_a_mark_without_its_last_letter_takes_no_words_along(style, words, random):
    """One mark is cut; the words, the other mentions and the place of the cut are known without reading."""
    mentions = [(place, place, f"e{random.randrange(3)}") for place in range(len(words)) if random.random() < 0.5]
    first = random.randrange(len(words))
    mentions.append((first, random.randrange(first, len(words)), "cut"))
    whole = {"markdown": "](#cut)", "subscript": "]_{cut}", "xml": '<coref id="cut">'}[style]
    text = write(style, words, mentions).replace(whole, whole[:-1] + " ")
    found = scan(text, style)
    assert [(mark.kind, mark.offset) for mark in found.dropped] == [("unclosed", text.index(whole[:-1]))]
    extra = found.pieces.index('id="cut"' if style == "xml" else "cut")
    assert [*found.pieces[:extra], *found.pieces[extra + 1 :]] == words
    kept = [(m.first - (m.first > extra), m.last - (m.last > extra), m.entity) for m in found.mentions]
    assert sorted(kept) == sorted(mentions[:-1])
