"""Numbers of other tools, and of the reference scorer on repeated mentions, as these tools print them."""

from __future__ import annotations

import pytest

import scoref
from places import EXAMPLES
from scoref.protocol.protocol import PROTOCOLS, Protocol, protocol_of
from scoref.protocol.tools import CONVENTIONS


def letters(text: str) -> list[list[str]]:
    return [list(entity) for entity in text.split()]


# CoNLL f1 in percent, as each tool gives it for the tales: rules, model.
TALES = {
    "reference": (70.0002, 91.0859),
    "e2e": (64.2064, 85.4694),
    "asp": (65.0945, 85.5932),
    "tanl-macro": (69.5589, 90.8129),
    "stanza": (69.7578, 90.9090),
    "scorch": (71.1864, 91.2096),
    "hf-coval": (63.4623, 88.2785),
}


@pytest.mark.parametrize("name", TALES)
def test_the_tales_as_other_tools_score_them(name):
    (convention,) = (each for each in CONVENTIONS if each.name == name)
    protocol = convention.protocol.change(metrics=["conll"])
    for response, percent in zip(("rules", "model"), TALES[name], strict=True):
        result = scoref.score(EXAMPLES / "tales/key.conll", EXAMPLES / f"tales/{response}.conll", protocol=protocol)
        assert 100 * result["conll"].f1 == pytest.approx(percent, abs=5.1e-5)


# What each tool gives for a small document, f1 in percent; the last two are the mean of what Perl 8.01 prints for it:
# 80.00, 82.35 (82.3529 cut off) and 74.28 (74.2857).
SMALL = {
    "coval": ("abc d e", "abcd e", "lea", 68.5714),
    "ua": ("abc d e", "abcd e", "blanc", 69.6970),
    "maverick": ("abc d e", "abcd e", "lea", 66.6667),
    "barhom": ("abc d e", "abcd e", "b3", 57.6),
    "corefud": ("abc d e", "abcd e", "conll", 79.2381),
    "wl-coref": ("abc d e", "abcd e", "lea", 66.6667),
    "corenlp": ("abcd efgh", "ab ef", "b3", 54.5455),
    "perl-average": ("abc d e", "abcd e", "conll", (80.00 + 82.35 + 74.28) / 3),
    "booknlp": ("abc d e", "abcd e", "conll", (80.00 + 82.35 + 74.28) / 3),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_small_document_as_other_tools_score_it(name):
    (convention,) = (each for each in CONVENTIONS if each.name == name)
    key, response, metric, percent = SMALL[name]
    protocol = convention.protocol.change(metrics=[metric])
    result = scoref.score(letters(key), letters(response), protocol=protocol)
    assert 100 * result[metric].f1 == pytest.approx(percent, abs=5.1e-5)


def test_every_convention_has_a_number_that_its_tool_printed():
    for convention in CONVENTIONS:
        assert convention.name in {**TALES, **SMALL}, (
            f"no number of {convention.tools[0]} is recorded: add one for '{convention.name}' to TALES or SMALL"
        )


def test_singletons_of_other_tools():
    own = scoref.score(letters("abc d"), letters("abc d"), protocol="e2e")
    assert own["ceafe"] == pytest.approx((1 / 2, 1, 2 / 3))
    assert own["conll"].f1 == pytest.approx(0.8889, abs=5e-5)
    recalls = {"keep": 0.75, "e2e": 0.5, "asp": 0.75, "barhom": 0.5}
    for word, recall in recalls.items():
        score = scoref.score(letters("ab cd"), letters("a b cd"), singletons=word, metrics=["b3"])["b3"]
        assert score.recall == pytest.approx(recall)
        assert score.precision == pytest.approx(1)


# Perl 8.01 on repeated mentions: key, response, metric, counts of recall and of precision.
REPEATED = [
    ("ab", "aab", "muc", (1, 1), (1, 1)),
    ("ab cd", "ab acd", "b3", (4, 4), (4, 4)),
    ("ab", "ab xx", "mentions", (2, 2), (2, 3)),
    ("ab", "ab xx", "muc", (1, 1), (1, 2)),
    ("ab", "ab xx", "b3", (2, 2), (2, 4)),
    ("ab", "ab xx", "ceafm", (2, 2), (2, 4)),
    ("ab", "ab xx", "ceafe", (1, 1), (1, 2)),
    ("ab", "ab xx", "pairwise", (1, 1), (1, 2)),
    ("ab", "ab xy xy", "muc", (1, 1), (1, 3)),
    ("ab", "ab xy xy", "b3", (2, 2), (2, 6)),
    ("ab", "ab xy xy", "nonlinks", (0, 0), (0, 7)),
    ("ab", "abxx", "b3", (2, 2), (1, 4)),
    ("ab", "abxx", "ceafe", (2 / 3, 1), (2 / 3, 1)),
    ("ab", "abxx", "pairwise", (1, 1), (1, 4)),
    ("aab", "ab", "muc", (1, 2), (1, 1)),
    ("aab", "ab", "b3", (4 / 3, 3), (2, 2)),
    ("aab", "ab", "ceafm", (3, 3), (3, 2)),
    ("aab", "ab", "ceafe", (1.2, 1), (1.2, 1)),
    ("aab", "ab", "pairwise", (1, 2), (1, 1)),
    ("aa", "a", "b3", (0.5, 2), (1, 1)),
    ("aa", "a", "ceafm", (2, 2), (2, 1)),
    ("ab ac", "ab ac", "muc", (0, 2), (0, 1)),
    ("ab ac", "ab ac", "b3", (2, 4), (2.5, 3)),
    ("ab ac", "ab ac", "ceafm", (3, 4), (3, 3)),
    ("ab ac", "ab ac", "ceafe", (5 / 3, 2), (5 / 3, 2)),
]


@pytest.mark.parametrize(("key", "response", "metric", "recall", "precision"), REPEATED)
def test_repeated_mentions_as_the_reference_scorer_counts_them(key, response, metric, recall, precision):
    result = scoref.score(letters(key), letters(response), metrics=[metric])
    assert result.protocol.duplicates == "reference"
    assert result.counts[metric][0].tolist() == pytest.approx([*recall, *precision])


def test_a_file_that_does_not_agree_with_itself_says_why():
    result = scoref.score(letters("ab ac"), letters("ab ac"))
    assert result["conll"].f1 < 1
    assert any(note.startswith("the official rule for duplicates changes conll by -") for note in result.notes())
    assert "corrected: --duplicates first" in " ".join(result.notes())
    assert scoref.score(letters("ab cd"), letters("ab cd")).remarks == ()


@pytest.mark.parametrize("cell", ["(1)|(2)", "(2)|(1)"])
def test_the_first_copy_is_that_of_the_entity_that_appears_first(tmp_path, cell):
    # the reference scorer: MUC 100 for both orders of the brackets in a cell
    rows = ["(1)", "-", "(2)"]

    def put(name: str, cell: str) -> str:
        body = "\n".join(f"w\t{each}" for each in (*rows, cell))
        (tmp_path / name).write_text(f"#begin document x\n{body}\n#end document\n")
        return str(tmp_path / name)

    key = put("key", "(1)")
    result = scoref.score(key, put("response", cell), metrics=["muc"], duplicates="first")
    assert result["muc"].recall == 1


# -- coval -----------------------------------------------------------------------------------------------------------


def parsed(*rows: tuple[str, str, str, str]) -> scoref.Document:
    """A sentence: words, tags, parse bits, and cells with entities of one word."""
    words, tags, bits, names = zip(*rows, strict=True)
    mentions = tuple(scoref.Mention.at(place, place, name) for place, name in enumerate(names) if name != "-")
    return scoref.Document("d", words, mentions, (0,), {"pos": tags, "parse": bits})


def test_bare_determiners_are_one_mention_for_coval():
    # coval: MUC 50 for this file against itself
    document = parsed(("this", "DT", "(NP*)", "1"), ("dog", "NN", "(NP*)", "1"), ("this", "DT", "(NP*)", "2"),
                      ("cat", "NN", "(NP*)", "2"))  # fmt: skip
    assert scoref.score([document], [document], protocol="coval", match="min-coval")["muc"].f1 == 0.5
    assert scoref.score([document], [document], protocol="coval", match="min")["muc"].f1 == 1


def test_a_bare_determiner_is_the_head_at_the_first_place_for_coval():
    # coval: MUC 100; "this" without a head is the first word of its mention, and the other "this" that of its sentence
    rows = ("this", "NN", "(NP*)"), ("this", "DT", "(NP*)"), ("dog", "NN", "(NP*)")
    key, response = (parsed(*((*row, cell) for row, cell in zip(rows, cells, strict=True))) for cells in ("1-1", "-11"))
    assert scoref.score([key], [response], protocol="coval", match="min-coval")["muc"] == (1, 1, 1)
    assert scoref.score([key], [response], protocol="coval", match="min")["muc"].f1 == 0


# -- ASP -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("other", "blanc"), [("a", 7 / 12), ("x", 1 / 4)])
def test_the_only_mention_of_both_sides_is_a_link_for_asp(other, blanc):
    # the evaluator of ASP, its commit d1c2c19, for these two documents: .58333 and .25; for the first alone: 1
    scorer = scoref.Scorer(protocol="asp", metrics=["blanc"])
    scorer.update([["a"]], [[other]])
    assert scorer.compute()["blanc"] == (1, 1, 1)
    scorer.update([["a", "b"], ["c"]], [["a"], ["b", "c"]])
    assert scorer.compute()["blanc"] == pytest.approx((blanc,) * 3)


def nested(*spans: tuple[int, int]) -> scoref.Document:
    return scoref.Document("d", "abcdefgh", tuple(scoref.Mention.at(*span, "1") for span in spans))


@pytest.mark.parametrize(
    ("spans", "kept", "dropped"),
    [
        ([(0, 3), (1, 2)], 2, 0),  # one of two: nothing, or with singletons dropped the whole entity
        ([(0, 3), (1, 2), (5, 6)], 2, 2),
        ([(0, 4), (1, 3), (2, 2)], 1, 1),  # three in one another: listed three times
    ],
)
def test_nested_mentions_as_coval_removes_them(spans, kept, dropped):
    document = nested(*spans)
    for singletons, number in (("keep", kept), ("drop", dropped)):
        result = scoref.score([document], [document], protocol="coval", nested="drop-coval", singletons=singletons)
        assert result.counts["mentions"][0][1] == number


# -- means -----------------------------------------------------------------------------------------------------------


def test_averages_of_other_tools_by_hand():
    key = [scoref.clusters(letters("ab cd"), "one"), scoref.clusters(letters("ab"), "two")]
    response = [scoref.clusters(letters("ab c d"), "one"), scoref.clusters(letters("ab"), "two")]
    recall, precision = (0.5 + 1) / 2, 1.0
    means = scoref.score(key, response, metrics=["muc"], average="means")["muc"]
    assert means == pytest.approx((recall, precision, 2 * recall * precision / (recall + precision)))
    weighted = scoref.score(key, response, metrics=["muc"], average="weighted")["muc"]
    assert weighted.recall == pytest.approx((4 * 0.5 + 2 * 1) / 6)
    assert weighted.f1 == pytest.approx((8 * (2 / 3) + 4 * 1) / 12)


def test_digits_are_cut_or_rounded_before_they_are_averaged():
    key, response = letters("abc def"), letters("ab c def")
    parts = [scoref.score(key, response)[name].f1 for name in ("muc", "b3", "ceafe")]
    cut = [int(10_000 * part + 1e-9) / 10_000 for part in parts]
    assert scoref.score(key, response, digits="cut-2")["conll"].f1 == pytest.approx(sum(cut) / 3, abs=1e-12)
    rounded = [round(100 * part, 1) / 100 for part in parts]
    assert scoref.score(key, response, digits="round-1")["conll"].f1 == pytest.approx(sum(rounded) / 3, abs=1e-12)


# -- signatures ------------------------------------------------------------------------------------------------------

OLD = (
    "conll-2012|match:min|singletons:keep|zeros:linear|duplicates:first|twinless:as-is|nested:keep|mentions:all|"
    "words:check|layer:identity|split:credit|credit:directional|links:key|scope:document|average:macro|beta:1|"
    "metrics:muc,b3|scoref:0.1.0"
)


def test_signatures_of_the_first_release_are_read_with_what_they_meant():
    protocol = Protocol.parse(OLD)
    assert (protocol.match, protocol.duplicates, protocol.average, protocol.metrics) == (
        "min", "first", "macro", ("muc", "b3"),
    )  # fmt: skip
    assert Protocol.parse(OLD.replace("zeros:linear", "zeros:dependent")).zeros == "dependent-corrected"
    assert (protocol.empty, protocol.digits, protocol.extra, protocol.ends) == ("count", "exact", "refuse", "inclusive")


def test_short_signatures_say_what_differs():
    assert PROTOCOLS["conll-2012"].change(match="min").signature() == "conll-2012|match:min"
    result = scoref.score(letters("ab"), letters("ab"), metrics=["all"])
    assert result.signature == f"conll-2012|metrics:all|scoref:{scoref.__version__}"
    assert "|duplicates:reference|" in result.signature_full
    assert scoref.score(letters("ab"), letters("ab"), protocol=result.signature).protocol == result.protocol
    assert scoref.score(letters("ab"), letters("ab"), protocol=result.signature_full).protocol == result.protocol


def test_a_protocol_is_read_from_a_file(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text('preset = "conll-2012"\nmatch = "min"\nmetrics = ["lea"]\n')
    assert protocol_of(str(path)).signature() == "conll-2012|match:min|metrics:lea"
    path.write_text('signature = "e2e|scoref:0.2.0"\n')
    assert protocol_of(str(path)) == PROTOCOLS["e2e"]
    wrongs = ("match = min", 'colour = "red"', 'match = "colour"', "metrics = 2", "metrics = [2]", "name = 3")
    for wrong in (*wrongs, 'name = "e2e|match:min"'):
        path.write_text(wrong)
        with pytest.raises(scoref.Error) as error:
            protocol_of(str(path))
        assert error.value.path == str(path)
    path.write_text('protocol = "e2e"')
    with pytest.raises(scoref.Error, match="expected  preset or signature, or one of"):
        protocol_of(str(path))
    path.write_text('signature = "e2e|scoref:0.2.0"\nmatch = "min"\n')
    assert protocol_of(str(path)) == PROTOCOLS["e2e"].change(match="min")


# -- what has nothing to count ---------------------------------------------------------------------------------------


def test_a_score_with_nothing_to_count_is_a_dash_with_the_reason():
    result = scoref.score(letters("a b"), letters("a b"))
    assert result.undefined == {"muc": "no coreference links in key and response"}
    assert result["muc"].f1 == 0
    text = str(result)
    assert "muc" in text
    assert "–" in text
    assert "muc: no coreference links in key and response" in text
    assert "conll counts muc as 0: no coreference links in key and response" in " ".join(text.split())
    assert result.to_dict()["undefined"] == result.undefined
    assert result.to_dict()["scores"]["muc"] == {"recall": 0.0, "precision": 0.0, "f1": 0.0}


def test_how_positions_were_read_is_in_the_signature(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [1, 2]]]}\n')
    assert "|ends:exclusive|" in scoref.score(path, path, ends="exclusive").signature
    assert "ends" not in scoref.score(path, path).signature
    one, two = scoref.score(path, path, ends="exclusive"), scoref.score(path, path)
    with pytest.raises(scoref.Error, match="different-protocols"):
        scoref.merge([one, two])
