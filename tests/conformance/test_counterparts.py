"""What runs always in place of the further checks with files of other projects, which may not be there."""

from __future__ import annotations

import re
from collections import Counter
from math import log
from pathlib import Path
from statistics import mean

import pytest
from as_scored import every, plain, said
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import scoref
from places import ROOT
from scoref import evaluator
from scoref.statistics.inference import corrections
from suite import scorers
from suite.files import FORMATS
from suite.numbers import value

SCORES = "tests/conformance/test_suite_scores.py"
HERE = "tests/conformance/test_counterparts.py"
COUNTERPARTS = {  # for each module with further checks, the tests that make the same point with cases of the suite
    "tests/test_conformance.py": (SCORES, "test_scoref_gives_the_numbers_of_other_scorers"),
    "tests/evaluator/test_evaluators.py": (HERE, "test_evaluators_give_what_the_originals_gave"),
    "tests/matching/test_nuggets.py": (SCORES, "test_scoref_gives_the_numbers_of_other_scorers"),
    "tests/relations/test_nugget_scores.py": (SCORES, "test_scoref_gives_the_numbers_of_other_scorers"),
    "tests/tables/test_tables.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/pairing/test_datasets.py": (HERE, "test_means_of_datasets_are_means_of_recorded_numbers"),
    "tests/pairing/test_scope.py": (SCORES, "test_scoref_gives_the_numbers_of_other_scorers"),
    "tests/pairing/test_pairs.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/document/test_heads.py": (
        "tests/document/test_heads.py",
        "test_of_several_tops_the_one_that_all_others_depend_on",
    ),
    "tests/statistics/test_agreement.py": ("tests/statistics/test_agreement.py", "test_alpha_is_that_of_nltk"),
    "tests/statistics/test_runs.py": (HERE, "test_partial_conjunctions_follow_their_formulas"),
    "tests/formats/test_brat.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/formats/test_tokens.py": ("tests/formats/test_tokens.py", "test_tables_of_a_folder_with_annotation"),
    "tests/formats/test_marks.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/formats/test_formats.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/formats/test_ua.py": (HERE, "test_files_of_the_suite_are_written_and_read_again"),
    "tests/formats/test_corefud.py": (HERE, "test_files_of_the_suite_are_written_and_read_again"),
    "tests/errors/test_tangles.py": (HERE, "test_responses_have_errors_that_cost_something_unless_they_are_perfect"),
    "tests/errors/test_twins.py": (HERE, "test_responses_have_errors_that_cost_something_unless_they_are_perfect"),
    "tests/errors/test_analysis.py": (HERE, "test_responses_have_errors_that_cost_something_unless_they_are_perfect"),
    "tests/texts/test_align.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/texts/test_projection.py": (SCORES, "test_files_of_every_format_have_the_same_scores"),
    "tests/run/test_suspicion.py": (HERE, "test_responses_by_chance_are_not_suspected"),
    "tests/page/browser/test_landing.py": ("tests/page/browser/test_landing.py", "200,000 words"),
}


def test_every_further_check_has_a_counterpart_that_runs_always():
    found = set()
    for path in {*(ROOT / "tests").rglob("test_*.py")} - {Path(__file__).resolve()}:
        text = path.read_text(encoding="utf-8")
        if re.search(r"^@beside|= beside$|marks=beside|recorded\(FILE\)", text, re.MULTILINE):
            found.add(path.relative_to(ROOT).as_posix())
    assert found == {*COUNTERPARTS}
    texts = {module: (ROOT / module).read_text(encoding="utf-8") for module, _ in COUNTERPARTS.values()}
    assert [name for module, name in COUNTERPARTS.values() if name not in texts[module]] == []
    skipping = re.compile(r"(skipif|pytest\.skip)\(.*(SHARED|recorded|shared)")
    modules = [*(ROOT / "tests").rglob("test_*.py")]
    assert [path.name for path in modules if skipping.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("scorer", "protocol"),
    [("e2e-coref", "e2e"), ("allennlp", "allennlp"), ("maverick", "maverick"), ("tanl micro", "conll-2012")],
)
def test_evaluators_give_what_the_originals_gave(scorer, protocol):
    names = {"muc": "muc", "b3": "b_cubed", "ceafe": "ceafe"}
    wrong = []
    for case, numbers in [*said(scorer, "documents")[::3], *said(scorer, "small")[::5]]:
        each = evaluator.CorefEvaluator(protocol)
        for text in case.texts():
            gold, predicted = ([tuple(e) for e in plain(side or [])] for side in (text.key, text.response))
            maps = [{mention: entity for entity in side for mention in entity} for side in (predicted, gold)]
            each.update(predicted, gold, *maps)
        for metric, name in names.items():
            recall, precision, f1 = map(value, numbers[metric].split())
            if each.evaluators[name].get_prf() != pytest.approx((precision, recall, f1), abs=1e-9):
                wrong.append((case.name, metric))
    assert wrong == []


@pytest.mark.parametrize("average", [2, 5])
def test_means_of_datasets_are_means_of_recorded_numbers(average, tmp_path):
    """Each case is a dataset of one document, named as CorefUD names its files."""
    chosen = said("corefud-1.2", "zeros")[40 :: 400 // average][:average]
    for number, (case, _) in enumerate(chosen):
        for which in ("key", "response"):
            (tmp_path / which).mkdir(exist_ok=True)
            path = tmp_path / which / f"xx_set{number}-corefud-dev.conllu"
            path.write_text(FORMATS["corefud"].written(case, which), encoding="utf-8")
    metrics = ["muc", "b3", "ceafe"]
    sides = tmp_path / "key", tmp_path / "response"
    result = scoref.score(*sides, protocol="crac-2024", average="datasets", metrics=metrics)
    expected = {metric: mean(value(numbers[metric].split()[2]) for _, numbers in chosen) for metric in metrics}
    assert len(chosen) == average
    assert {metric: result[metric].f1 for metric in metrics} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "format"), [("anaphora", "ua"), ("zeros", "corefud"), ("spans", "conll"), ("nuggets", "tbf")]
)
def test_files_of_the_suite_are_written_and_read_again(name, format, tmp_path):
    first, again = tmp_path / "first", tmp_path / "again"
    first.write_text(FORMATS[format].together([*every(name)], "key"), encoding="utf-8")
    documents = scoref.read(first, format=format)
    scoref.write(documents, again, format=format)
    assert len(documents) >= len(every(name))
    back = scoref.read(again, format=format)
    assert [each.id for each in back] == [each.id for each in documents]
    assert [Counter(each.mentions) for each in back] == [Counter(each.mentions) for each in documents]
    assert [(each.sets, each.bridges) for each in back] == [(each.sets, each.bridges) for each in documents]


@pytest.mark.parametrize("number", range(0, 1400, 200))
def test_responses_have_errors_that_cost_something_unless_they_are_perfect(number):
    [text] = every("partitions")[number].texts()
    evaluation = scoref.score(plain(text.key), plain(text.response))
    analysis = scoref.Analysis(evaluation)
    assert bool([*analysis.mistakes()]) == (evaluation["conll"].f1 < 1)
    assert all(tangle.cost for tangle in analysis.tangles)


def test_responses_by_chance_are_not_suspected(tmp_path):
    for which in ("key", "response"):
        (tmp_path / which).write_text(FORMATS["conll"].together([*every("partitions")], which), encoding="utf-8")
    result = scoref.score(tmp_path / "key", tmp_path / "response", format="conll")
    assert len(result.documents) == len(every("partitions"))
    assert [problem.code for problem in result.problems] == []


def test_all_scorers_of_which_there_is_a_preset_are_recorded():
    official = {"perl-8.01", "coval", "ua-1.0", "corefud-1.0", "corefud-1.1", "corefud-1.2", "evmeval-1.8"}
    assert official <= {*scorers.known()}


@settings(max_examples=50)
@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8))
def test_partial_conjunctions_follow_their_formulas(p):
    """Benjamini & Heller 2008, of the n − u + 1 largest: Bonferroni's, and Fisher's by χ² of SciPy."""
    ordered, raised = sorted(p), {"bonferroni": [0.0], "fisher": [0.0]}
    for u in range(1, len(p) + 1):
        rest = ordered[u - 1 :]
        raised["bonferroni"].append(max(raised["bonferroni"][-1], min(1.0, len(rest) * rest[0])))
        fisher = float(stats.chi2.sf(-2 * sum(map(log, rest)), 2 * len(rest)))
        raised["fisher"].append(max(raised["fisher"][-1], fisher))
    found = {"bonferroni": corrections.bonferroni, "fisher": corrections.fisher}
    for name, combined in found.items():
        assert corrections.partial_conjunction(p, combined) == pytest.approx(raised[name][1:], abs=1e-9)
    assert len(raised["fisher"]) == len(p) + 1
