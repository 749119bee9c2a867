"""Explanations: numbers that other tools print for the tales, parts that add up, settings found from numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES
from scoref.cli.program import main
from scoref.explanation.effects import MOVED, different, effects, parts
from scoref.explanation.experiments import Experiments
from scoref.explanation.fits import fits, parsed_numbers
from scoref.explanation.tools import rows
from scoref.protocol.protocol import Protocol
from scoref.protocol.tools import CONVENTIONS
from strategies import corpora

KEY, RULES, MODEL = (str(EXAMPLES / f"tales/{name}.conll") for name in ("key", "rules", "model"))

# CoNLL f1 in percent that each tool gives for the tales: rules, model.
TOOLS = {
    "e2e": (64.2064, 85.4694),
    "asp": (65.0945, 85.5932),
    "tanl-macro": (69.5589, 90.8129),
    "stanza": (69.7578, 90.9090),
    "scorch": (71.1864, 91.2096),
    "hf-coval": (63.4623, 88.2785),
}

# What single words change, in points of CoNLL f1: the tales, rules.
WORDS = {
    "scope": {"corpus": -6.54},
    "singletons": {"e2e": -5.79, "asp": -4.91, "barhom": -4.17, "drop": -0.63, "links": 0.0},
    "twinless": {
        "all": 4.39, "rn-all": 4.03, "0": 3.63, "sys": 2.73, "conll-2011": 1.96, "pad-key": 1.41, "rn": 1.03,
    },
    "average": {"macro": -0.44, "means": -0.24, "weighted": -0.24},
}  # fmt: skip


@pytest.fixture(scope="module")
def rules():
    return scoref.explain(KEY, RULES)


def test_what_other_tools_print(rules):
    found = {"rules": rules, "model": scoref.explain(KEY, MODEL)}
    for name, percents in TOOLS.items():
        for each, percent in zip(found.values(), percents, strict=True):
            row = each.row(name)
            assert 100 * row.scores(each.metrics)["conll"].f1 == pytest.approx(percent, abs=5.1e-5)
            assert row.difference == pytest.approx(row.values[-1, 2] - each.yours.values[-1, 2])
    assert 100 * rules.yours.values[-1, 2] == pytest.approx(70.0002, abs=5.1e-5)
    assert {"Perl 8.01", "coval", "maverick", "TANL micro"} <= set(rules.yours.tools)


def test_rows_are_sorted_and_different(rules):
    differences = [row.difference for row in rules.tools]
    assert differences == sorted(differences, reverse=True)
    every = [rules.yours, *rules.tools]
    for number, row in enumerate(every):
        assert all(np.abs(row.values - other.values).max() >= 1e-9 for other in every[:number])
    tools = [tool for row in every for tool in row.tools] + [
        tool for name in rules.missing for tool in name.split(", ")
    ]
    assert all(tool in tools for each in CONVENTIONS for tool in each.tools)


def test_each_row_is_the_score_of_its_signature(rules):
    assert len(rules.to_dict()["tools"]) > 1
    for row in rules.to_dict()["tools"]:
        for signature in (row["signature"], row["signature_full"]):
            result = scoref.score(KEY, RULES, protocol=Protocol.parse(signature))
            assert {name: each._asdict() for name, each in result.scores.items()} == row["scores"]


def test_what_words_move(rules):
    effects = {each.choice: each.words for each in rules.effects}
    for choice, words in WORDS.items():
        for word, percent in words.items():
            assert 100 * effects[choice][word]["conll"] == pytest.approx(percent, abs=5.1e-3), (choice, word)
            assert scoref.score(KEY, RULES, **{choice: word})["conll"].f1 - rules.yours.values[-1, 2] == pytest.approx(
                effects[choice][word]["conll"], abs=1e-12
            )
    largest = [each.largest("conll") for each in rules.effects]
    assert largest == sorted(largest, reverse=True)


def test_choices_without_effect_say_why(rules):
    reasons = {each.choice: each.why_none for each in rules.effects if not each.words}
    assert reasons["duplicates"] == "no repeated mentions"
    assert reasons["zeros"] == "no zeros"
    assert reasons["split"] == "no split antecedents"
    assert reasons["match"] == "no heads, no minimum spans, no mentions in pieces"
    one = scoref.explain([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]])
    reasons = {each.choice: each.why_none for each in one.effects if not each.words}
    assert reasons["singletons"] == "no singletons"
    assert reasons["twinless"] == "no mentions that only one side has"
    assert reasons["scope"] == reasons["average"] == "one document"
    assert "Perl 8.01, Perl 7" in str(one)
    assert "e2e" not in [row.name for row in one.tools]  # the same numbers are no further row


def test_parts_of_the_difference_to_scorch():
    found = scoref.explain(KEY, RULES, like="scorch")
    parts = found.why["scorch"].parts
    changes = {"twinless": "pad-key", "average": "weighted"}  # what scorch does otherwise
    ours, twinless, average, theirs = (
        scoref.score(KEY, RULES, metrics=["conll"], **{choice: changes[choice] for choice in some})["conll"].f1
        for some in ((), ("twinless",), ("average",), ("twinless", "average"))
    )
    assert 100 * (theirs - ours) == pytest.approx(71.1864 - 70.0002, abs=1.1e-4)  # as recorded of both tools
    for choice, alone, last in (("twinless", twinless, average), ("average", average, twinless)):
        in_both_orders = (alone - ours + theirs - last) / 2
        assert parts[choice]["conll"] == pytest.approx(in_both_orders, abs=1e-12)
    assert "twinless +1.42, average -0.23; together +1.19" in str(found)
    for metric in ("muc", "b3", "ceafe"):  # CoNLL is a third of each
        assert parts["twinless"][metric] is not None
    assert parts["twinless"]["conll"] == pytest.approx(
        sum(parts["twinless"][metric] for metric in ("muc", "b3", "ceafe")) / 3
    )


def test_parts_add_up(rules):
    assert rules.why
    for name, why in rules.why.items():
        for number, metric in enumerate(rules.metrics):
            difference = rules.row(name).values[number, 2] - rules.yours.values[number, 2]
            assert sum(each[metric] for each in why.parts.values()) == pytest.approx(difference, abs=1e-12)


WORD = {
    "singletons": ["keep", "links", "e2e", "asp", "barhom", "drop"],
    "twinless": ["as-is", "0", "all", "rn", "sys", "pad-key", "common"],
    "average": ["micro", "macro", "means", "weighted"],
    "digits": ["exact", "cut-2"],
    "nested": ["keep", "drop", "drop-coval"],
}
protocols = st.fixed_dictionaries({choice: st.sampled_from(words) for choice, words in WORD.items()})


@settings(max_examples=60)
@given(corpora, protocols, protocols)
def test_settings_are_scored_as_by_score_and_parts_add_up(documents, ours, theirs):
    scorer = scoref.Scorer(metrics=["muc", "b3", "ceafe", "lea", "conll"], **ours)
    other = scoref.Scorer(metrics=["muc", "b3", "ceafe", "lea", "conll"], **theirs)
    for key, response in documents:
        scorer.update(key, response)
        other.update(key, response)
    experiments = Experiments(scorer.compute(), scorer.protocol.metrics)
    expected = np.array([*other.compute().scores.values()])
    assert experiments.scores(other.protocol) == pytest.approx(expected, abs=1e-12)
    total = sum(parts(experiments, other.protocol).values(), np.zeros(5))
    assert total == pytest.approx(expected[:, 2] - experiments.f1(scorer.protocol), abs=1e-12)
    assert set(different(scorer.protocol, other.protocol)) == {name for name in WORD if ours[name] != theirs[name]}


def test_parts_are_means_over_all_orders():
    """The Shapley value as it is defined: each order of the choices, one change after the other."""
    experiments = Experiments(scoref.score(KEY, RULES), ("muc", "b3", "ceafe", "conll"))
    theirs = experiments.protocol.change(singletons="e2e", twinless="all", average="macro", scope="corpus")
    orders = [*permutations(different(experiments.protocol, theirs))]
    expected = {choice: np.zeros(4) for choice in orders[0]}
    for order in orders:
        now = experiments.protocol
        for choice in order:
            then = now.change(**{choice: getattr(theirs, choice)})
            expected[choice] += (experiments.f1(then) - experiments.f1(now)) / len(orders)
            now = then
    found = parts(experiments, theirs)
    assert len(orders) == 24
    assert found.keys() == expected.keys()
    assert all(found[choice] == pytest.approx(expected[choice], abs=1e-12) for choice in expected)


def test_choices_that_change_nothing_have_no_part():
    pair = scoref.clusters([["a", "b"], ["c", "d"]]), scoref.clusters([["a", "b", "c"], ["d"]])
    experiments = Experiments(scoref.score(*pair), ("muc", "b3"))
    theirs = experiments.protocol.change(average="macro", singletons="drop", empty="count")
    assert [*parts(experiments, theirs)] == ["singletons"]


def test_effects_are_sorted_by_their_size_whatever_their_sign():
    experiments = Experiments(scoref.score(KEY, RULES), ("muc", "b3", "ceafe", "conll"))
    found = effects(experiments)
    sizes = [max((abs(word["conll"]) for word in each.words.values()), default=0) for each in found]
    assert sizes == sorted(sizes, reverse=True)
    (scope,) = (each for each in found if each.choice == "scope")
    assert scope.largest("conll") == pytest.approx(0.0654, abs=5e-5)  # downwards: see WORDS
    assert {each.choice for each in found} == {*MOVED} - {"weights"}


def test_parts_of_eight_choices_are_told_and_of_nine_not(monkeypatch):
    experiments = Experiments(scoref.score(*SMALL), ("muc", "b3", "ceafe", "blanc"))
    other = {"singletons": "drop", "twinless": "all", "average": "macro", "scope": "corpus", "empty": "count",
             "links": "both", "digits": "cut-2", "duplicates": "first", "match": "partial"}  # fmt: skip
    monkeypatch.setattr("scoref.explanation.effects._active", lambda each, theirs: different(each.protocol, theirs))
    for number in (8, 9):
        theirs = experiments.protocol.change(**dict([*other.items()][:number]))
        assert len(different(experiments.protocol, theirs)) == number
        if number == 8:
            assert len(parts(experiments, theirs)) == 8
        else:
            with pytest.raises(scoref.Error) as error:
                parts(experiments, theirs)
            assert error.value.code == "many-choices"


@pytest.mark.parametrize(
    ("number", "name"), [("conll=64.21", "e2e"), ("conll=70.00", "conll-2012"), ("conll=.6421", "e2e")]
)
def test_a_number_finds_its_setting(number, name):
    found = scoref.explain(KEY, RULES, number=number).fits.found
    assert [fit.name for fit in found if not fit.further] == [name]
    assert found[0].digits == "rounded"


def test_numbers_may_be_cut_off():
    found = scoref.explain(KEY, RULES, number=["conll=64.206", "ceafe=59.0"]).fits.found  # 64.2064, 59.07
    assert {fit.digits for fit in found} == {"cut off"}
    assert found[0].name == "e2e"


def test_recall_and_precision_may_be_exchanged():
    result = scoref.score(KEY, RULES)["muc"]
    numbers = {"muc.recall": f"{100 * result.precision:.2f}", "muc.precision": f"{100 * result.recall:.2f}%"}
    found = scoref.explain(KEY, RULES, number=numbers)
    assert found.fits.found[0].exchanged
    assert "recall and precision exchanged" in str(found)


def test_a_number_that_nothing_prints():
    found = scoref.explain(KEY, RULES, number="conll=12.34")
    assert found.fits.found == []
    assert len(found.fits.nearest) == 5
    distances = [fit.distance for fit in found.fits.nearest]
    assert distances == sorted(distances)
    text = " ".join(str(found).split())
    assert "check that the files are the same (key mentions: 151, response: 146, documents: 4)" in text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [("muc=61.4", 0.614, 1e-3), ("muc=.6136", 0.6136, 1e-4), ("muc=1", 1.0, 1.0), ("muc = 0.5%", 0.005, 1e-3),
     ("muc=100", 1.0, 1e-2)],
)  # fmt: skip
def test_numbers_are_percent_or_fractions(text, value, unit):
    (number,) = parsed_numbers(text)
    assert number.value == pytest.approx(value)
    assert number.unit == pytest.approx(unit)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--number", "conll"], ["--number", "conll=x"], ["--number", "conll=640"], ["--number", "nothing=64"],
        ["--number", "conll=-3"], ["--number", "conll.f2=64"], ["--like", "spanbret"], ["--like", ""],
        ["--like", "AllenNLP, allow_singletons"], ["--like", "conll-2012|singletons:most"], ["--metrics", "nothing"],
        ["--with", "singletons"], ["--like", "crac-2026.toml"],
    ],
)  # fmt: skip
def test_what_is_asked_for_wrongly(arguments, capsys):
    assert main(["explain", KEY, RULES, *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")


def test_an_unknown_tool_has_neighbours(capsys):
    assert main(["explain", KEY, RULES, "--like", "spanbret"]) == 2
    assert "SpanBERT coref" in capsys.readouterr().err


def test_the_command(capsys):
    assert main(["explain", KEY, RULES]) == 0
    text = capsys.readouterr().out
    assert "Why e2e prints 64.21 (-5.79)" in text
    assert "21 of 63 key entities are singletons" in text
    assert "--protocol e2e" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert main(["explain", KEY, RULES, "--json", "--number", "conll=64.21", "--with", "nested:drop"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"yours", "tools", "choices", "parts", "fits"} <= found.keys()
    assert found["fits"][0]["name"] == "e2e"
    assert "nested:drop" in [row["name"] for row in found["tools"]]
    assert main(["explain", KEY, RULES, "--like", "SpanBERT", "--metrics", "lea,b3"]) == 0
    assert "Why e2e prints" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["csv", "markdown", "latex"])
def test_tables_of_the_command(output, capsys):
    assert main(["explain", KEY, RULES, "--output", output]) == 0
    out = capsys.readouterr().out
    for name, (value, _) in TOOLS.items():
        line = next(line for line in out.splitlines() if re.search(rf"^(\| )?{name}\b", line))
        assert (f"{value / 100:.6f}"[:7] if output == "csv" else f"{value:.2f}") in line
    assert ("SemEval-2010" in out) == (output != "csv")  # what cannot be had
    assert main(["explain", KEY, RULES, "--number", "conll=64.21", "--output", output]) == 0
    assert ("0.64206" if output == "csv" else "64.2064") in capsys.readouterr().out
    assert main(["explain", KEY, RULES, "--number", "conll=12.34", "--output", output]) == 0
    said = capsys.readouterr()
    assert "no setting that scoref knows prints conll=12.34" in (said.err if output == "csv" else said.out)


def test_rows_for_programs_are_those_of_json(capsys):
    assert main(["explain", KEY, MODEL, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(["explain", KEY, MODEL, "--output", "csv"]) == 0
    first, *rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert float(first["conll"]) == found["yours"]["scores"]["conll"]["f1"]
    assert [(row["tool"], float(row["conll"]), float(row["against yours"])) for row in rows] == [
        (row["name"], row["scores"]["conll"]["f1"], row["difference"]) for row in found["tools"]
    ]


def test_saved_evaluations_tell_what_sums_tell(tmp_path, capsys):
    saved = str(tmp_path / "rules.json")
    assert main(["score", KEY, RULES, "--save", saved]) == 0
    capsys.readouterr()
    assert main(["explain", saved, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in found["tools"]}
    assert 100 * rows["tanl-macro"]["scores"]["conll"]["f1"] == pytest.approx(69.5589, abs=5.1e-5)
    assert "e2e" not in rows
    assert any("e2e-coref" in name for name in found["missing"])
    assert main(["explain", saved, "--number", "conll=69.56"]) == 0
    assert "tanl-macro" in capsys.readouterr().out
    for wrong in (["--like", "e2e"], ["--singletons", "drop"]):
        assert main(["explain", saved, *wrong]) == 2
        assert capsys.readouterr().out == ""
    assert main(["explain", KEY]) == 2


def test_entities_without_names_cannot_be_shared():
    documents = [scoref.clusters([["a", "b"], ["c"]], id=name) for name in ("one", "two")]
    found = scoref.explain(documents, documents)
    assert any("names" in why for why in found.missing.values())


def test_a_notebook_shows_it(rules):
    assert rules._repr_html_().startswith("<table>")


def test_heads_and_zeros_are_explained_where_there_are_any():
    from scoref.document.document import Document, Mention, stretch

    words = ("the", "old", "man", "saw", "him")
    sides = [
        Document("d", words, (Mention(stretch(start, 2), "a", head=stretch(2, 2)[0]),
                              Mention(stretch(4, 4), "a", head=stretch(4, 4)[0])))
        for start in (0, 1)
    ]  # fmt: skip
    found = scoref.explain(sides[0], sides[1])
    effects = {each.choice: each.words for each in found.effects}
    assert effects["match"]["head"]["muc"] == pytest.approx(1.0)
    assert found.row("crac-2022").difference > 0
    assert "mentions are matched" in str(scoref.explain(sides[0], sides[1], like="crac-2026"))


def test_the_former_name_of_number_still_works():
    with pytest.warns(DeprecationWarning, match="number="):
        former = scoref.explain(KEY, RULES, numbers={"conll": 64.21})
    assert former.to_dict() == scoref.explain(KEY, RULES, number={"conll": 64.21}).to_dict()


# -- numbers without a metric ----------------------------------------------------------------------------------------


def test_a_number_without_a_metric_is_looked_for_in_all():
    found = scoref.explain(KEY, RULES, number=64.21)
    (fit,) = [fit for fit in found.fits.found if not fit.further]
    assert (fit.name, fit.metrics) == ("e2e", ("conll",))  # e2e-coref prints 64.2064, see TOOLS
    every = scoref.score(KEY, RULES, metrics=["all"])
    assert set(every) <= set(found.metrics)
    for metric in ("lea", "b3-classes"):  # none of them is a metric of the protocol
        four = f"{100 * every[metric].f1:.4f}"
        fits = scoref.explain(KEY, RULES, number=four).fits.found
        assert ("conll-2012", (metric,)) in [(fit.name, fit.metrics) for fit in fits]
    table = found.grid([])
    assert table.header == scoref.explain(KEY, RULES).grid([]).header  # no column for each metric looked at


def test_recall_or_precision_of_any_metric():
    four = f"{100 * scoref.score(KEY, RULES)['muc'].recall:.4f}"
    for number in (f"recall={four}", {"recall": four}):
        found = scoref.explain(KEY, RULES, number=number)
        assert (found.fits.found[0].name, found.fits.found[0].metrics) == ("conll-2012", ("muc",))
        assert f"muc.recall {four}" in str(found)


def test_numbers_with_and_without_a_metric_go_together():
    found = scoref.explain(KEY, RULES, number=["conll=64.21", 66.67, "59.07"])  # e2e: conll, muc, ceafe
    assert found.metric == "conll"
    assert [(fit.name, fit.metrics) for fit in found.fits.found if not fit.further] == [
        ("e2e", ("conll", "muc", "ceafe"))
    ], [(fit.name, fit.metrics, fit.changes) for fit in found.fits.found if not fit.further]


def test_only_the_metrics_that_are_asked_for_are_looked_at():
    found = scoref.explain(KEY, RULES, number=64.21, metrics=["muc", "b3"])
    assert found.metrics == ("muc", "b3")
    assert found.fits.found == []


def test_a_metric_of_a_number_has_its_other_names():
    assert scoref.explain(KEY, RULES, number="B-cubed=71.73").fits.found[0].name == "conll-2012"


def test_a_saved_evaluation_has_the_metrics_of_its_sums(tmp_path):
    scoref.save(scoref.score(KEY, RULES), tmp_path / "saved.json")
    found = scoref.explain(tmp_path / "saved.json", number=69.56)
    assert ("tanl-macro", ("conll",)) in [(fit.name, fit.metrics) for fit in found.fits.found]


SMALL = [["a", "b", "c"], ["d", "e"], ["f"]], [["a", "b"], ["c", "d"], ["e", "x"], ["g"]]


@pytest.mark.parametrize("numbers", [["61.3"], ["b3=61.3"], ["recall=0.41"], ["muc.recall=33.3"], ["b3=61", "muc=40"]])
def test_chance_is_how_many_other_numbers_would_have_been_found(numbers):
    """As found by asking for each of the numbers around, one after the other."""
    experiments = Experiments(scoref.score(*SMALL), ("muc", "b3", "ceafe", "conll"))
    yours, others, _ = rows(experiments)
    asked = parsed_numbers(numbers)

    def found(steps):
        moved = [each._replace(value=each.value + step * each.unit) for each, step in zip(asked, steps, strict=True)]
        if not all(-1e-9 <= each.value <= 1 + 1e-9 for each in moved):
            return None
        return fits(experiments, moved, [yours, *others], changes)

    changes = [each for each in effects(experiments) if each.choice in ("singletons", "average")]
    around = range(-50, 51) if len(numbers) == 1 else range(-6, 7)
    each = [found(steps) for steps in product(around, repeat=len(numbers)) if any(steps)]
    each = [result for result in each if result]
    chance = found([0] * len(numbers)).chance
    printed = sum(bool(result.found) for result in each)
    named = sum(any(fit.name for fit in result.found) for result in each)
    if len(numbers) == 1:
        assert (chance.numbers, chance.printed) == (len(each), printed)
        assert printed >= chance.named >= named  # a setting may print a number cut off, where another one rounds to it
    else:
        assert chance.numbers == 90 * 91 - 1  # 11 to 100 (from 61), 0 to 90 (from 40)
        assert printed <= chance.printed < 50


def test_a_word_on_chance(capsys):
    two, one, four = (scoref.explain(KEY, RULES, number=number) for number in ("64.21", "64.2", "64.2064"))
    assert two.fits.chance.numbers == one.fits.chance.numbers == 100
    assert four.fits.chance.printed < two.fits.chance.printed < one.fits.chance.printed
    assert "is hardly chance" in " ".join(str(four).split())
    assert "may well be chance; give more digits, or more numbers" in " ".join(str(one).split())
    assert two.to_dict()["chance"] == two.fits.chance._asdict()
    assert scoref.explain(KEY, RULES).to_dict()["chance"] is None
    assert "chance" not in str(scoref.explain(KEY, RULES, number="12.34"))
    assert main(["explain", KEY, RULES, "--number", "64.21", "--output", "csv"]) == 0
    first, *_ = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (first["tool"], first["metric"], first["any.f1"][:7]) == ("e2e", "conll", "0.64206")


@pytest.mark.parametrize("number", ["", "x", "-3", "640", "1e1", True, float("nan"), ["64.2", "y"]])
def test_what_is_no_number(number):
    with pytest.raises(scoref.Error, match="bad-number"):
        scoref.explain(KEY, RULES, number=number)


def test_if_a_choice_matters_only_beside_others_all_have_a_part() -> None:
    """Neither of two choices changes a metric alone, in either protocol: together they do."""

    class Fake:
        """A metric that is 1 if some of three choices were made, else 0."""

        metrics = ("muc",)
        metric = "muc"

        def __init__(self, value) -> None:
            self.protocol, self.value = scoref.Protocol.parse("conll-2012"), value

        def f1(self, protocol):
            made = {choice for choice in CHOSEN if getattr(protocol, choice) != getattr(self.protocol, choice)}
            return np.array([float(self.value(made))])

    CHOSEN = {"singletons": "drop", "average": "macro", "scope": "corpus"}
    majority = Fake(lambda made: len(made) >= 2)  # no choice matters at either end
    theirs = majority.protocol.change(**CHOSEN)
    found = parts(majority, theirs)
    assert found.keys() == CHOSEN.keys()
    assert [each[0] for each in found.values()] == pytest.approx([1 / 3] * 3)  # Shapley: all alike
    both = Fake(lambda made: made >= {"singletons", "scope"})  # seen from the other protocol alone
    found = parts(both, theirs)
    assert {choice: part[0] for choice, part in found.items()} == pytest.approx({"singletons": 1 / 2, "scope": 1 / 2})


def test_a_choice_that_cannot_be_tried_is_not_left_out_unsaid() -> None:
    """Its part is not known, even where the others explain the difference."""

    class Fake:
        metrics = ("muc",)
        metric = "muc"
        protocol = scoref.Protocol.parse("conll-2012")

        def f1(self, protocol):
            if protocol.scope == "corpus" and protocol.average == "micro":
                raise scoref.Error("some", "cannot be tried")
            return np.array([float(protocol.average == "macro")])

    with pytest.raises(scoref.Error, match="cannot be tried"):
        parts(Fake(), Fake.protocol.change(average="macro", scope="corpus"))
