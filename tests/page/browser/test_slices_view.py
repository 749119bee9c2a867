"""Slices in a browser: the heat map has the library's numbers, a cell opens its mentions, two systems side by side."""

from __future__ import annotations

import pytest
from page_browser import address, document, go, seen

import scoref
from places import EXAMPLES
from scoref.page import build as viewer

TALES = EXAMPLES / "tales"
NUMBERS = """() => [...document.querySelectorAll(".heat tbody tr")].map((row) =>
  [...row.querySelectorAll("td")].map((cell) => [cell.querySelector("b")?.textContent ?? null,
    cell.querySelector("span")?.textContent ?? "0"]))"""
HEADS = """() => [[...document.querySelectorAll(".heat tbody th")], [...document.querySelectorAll(".heat thead th")]]
  .map((heads) => heads.map((head) => head.textContent))"""


@pytest.fixture(scope="module")
def tales():
    evaluations = {name: scoref.score(TALES / "key.conll", TALES / f"{name}.conll") for name in ("rules", "model")}
    return viewer.page(evaluations), evaluations


@pytest.mark.parametrize("of", ["recall", "precision"])
@pytest.mark.parametrize(("rows", "columns"), [("form", "distance"), ("size", "form"), ("position", "length")])
def test_the_heat_map_is_that_of_the_library(show, tales, rows, columns, of):
    html, evaluations = tales
    page = show(html, f"#/slices?system=2&of={of}&rows={rows}&columns={columns}")
    expected = scoref.crossed_losses(evaluations["model"], rows, columns, side=int(of == "precision"))
    names = page.evaluate(HEADS)
    assert names == [[*expected.rows, "all"], [*expected.columns, "all"]]
    drawn = page.evaluate(NUMBERS)
    inside = [[(int(number.replace(",", "")), mean) for mean, number in row[:-1]] for row in drawn[:-1]]
    assert inside == [
        [(number, f"{loss:.2f}" if number else None) for number, loss in zip(*row, strict=True)]
        for row in zip(expected.mentions, expected.loss, strict=True)
    ]
    whole = evaluations["model"]["b3"]
    lost, number = drawn[-1][-1]
    assert lost == f"{1 - (whole.precision if of == 'precision' else whole.recall):.2f}"
    assert int(number) == sum(map(sum, expected.mentions))


def test_a_cell_opens_its_mentions(show, tales):
    html, evaluations = tales
    page = show(html, "#/slices")
    expected = scoref.crossed_losses(evaluations["rules"], "form", "distance")
    row, column = expected.rows.index("pronoun"), expected.columns.index("same sentence")
    cell = page.locator(".heat tbody tr").nth(row).locator("td").nth(column).locator("a")
    cell.click()
    seen(page)
    assert "where=form%3Apronoun%7Cdistance%3Asame+sentence" in address(page)
    number = expected.mentions[row][column]
    assert page.get_by_role("status").inner_text() == f"{number} mentions"
    rows = page.get_by_role("region", name="Mentions").locator("tbody tr")
    assert rows.count() == number
    page.wait_for_function("[...document.querySelectorAll('.context bdi')].every((each) => each.textContent)")
    words = rows.first.locator("mark").inner_text()
    losses = [float(text) for text in rows.locator("td:last-child").all_inner_texts()]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) / number == pytest.approx(expected.loss[row][column], abs=0.006)
    rows.first.locator("a").first.click()
    seen(page)
    assert "/mention/key/" in address(page)
    assert page.locator(".panel [aria-current=true] bdi").inner_text() == words
    page.go_back()
    seen(page)
    assert page.locator(".heat [aria-current=true]").inner_text().split()[-1] == str(number)


def test_two_systems_are_set_side_by_side(show, tales):
    html, evaluations = tales
    page = show(html, "#/slices?against=2")
    one, two = (scoref.crossed_losses(each, "form", "distance") for each in evaluations.values())
    assert (one.rows, one.columns, one.mentions) == (two.rows, two.columns, two.mentions)
    drawn = page.evaluate(NUMBERS)
    differences = [[(a - b, n) for a, b, n in zip(*row, strict=True)]
                   for row in zip(one.loss, two.loss, one.mentions, strict=True)]  # fmt: skip
    for row, cells in zip(differences, drawn[:-1], strict=True):
        said = [float(mean.replace("−", "-")) for mean, _ in cells[:-1] if mean]
        assert said == pytest.approx([each for each, number in row if number], abs=0.0051)
    go(page, "#/slices?against=2&where=form:name")
    heads = page.get_by_role("region", name="Mentions").locator("thead th").all_inner_texts()
    assert [each for each in heads if each.startswith(("loss in", "in"))] == ["loss in rules", "in model"]


def test_fields_and_kinds_that_are_not_there_are_said(show, tales):
    page = show(tales[0], "#/slices?rows=colour&where=form:verb")
    assert page.locator("#lacking").inner_text() == (
        "There is no kind ‘form: verb’ of mentions and no field ‘colour’ of mentions."
    )
    assert page.locator(".heat").count() == 1
    for hopeless in ("where=%7C%7C", "where=a", "of=f1"):
        assert go(page, f"#/slices?{hopeless}").locator(".heat").count() == 1


def test_names_of_kinds_may_be_anything(show):
    words = ["a", "b", "c", "d"]
    strange = ["x:y|z%", "<b>", "ü"]
    mentions = [
        scoref.Mention.at(n, n, n % 2, attributes=(("etype", strange[n % 3]),)) for n in range(4)
    ]  # fmt: skip
    key = scoref.Document("d", tuple(words), tuple(mentions))
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/slices?rows=etype&columns=form")
    heads = page.evaluate(HEADS)[0]
    assert sorted(heads) == sorted([*strange, "all"])
    page.locator(".heat tbody tr").nth(heads.index(strange[0])).locator("a").last.click()
    seen(page)
    assert page.get_by_role("status").inner_text() == "2 mentions"


def test_the_diagnosis_leads_to_its_mentions(show, tales):
    page = show(tales[0], "#/")
    links = page.locator(".diagnosis a")
    assert page.locator(".diagnosis li").count() == 3
    assert links.all_inner_texts() == ["this tangle", "mentions that only one side has"]
    links.first.click()
    seen(page)
    assert page.locator(".panel svg.ribbons").count() == 1
    go(page, "#/")
    links.last.click()
    seen(page)
    marks = [scoref.Analysis(tales[1]["rules"]).marks(number)[0] for number in range(4)]
    unmatched = sum(each.count("unmatched") for each in marks)
    assert page.get_by_role("status").inner_text() == f"{unmatched} mentions"


def test_clusters_without_texts_and_nuggets_have_a_view(show):
    page = show(viewer.page({"r": scoref.score([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])}), "#/slices")
    assert page.locator("h1").inner_text() == "Slices"
    assert page.locator(".heat tbody tr").last.locator("b").last.inner_text() == "0.50"  # of B³ recall
    nuggets = scoref.report(EXAMPLES / "nuggets/key", EXAMPLES / "nuggets/response", trials=10)
    assert show(nuggets, "#/slices").locator("h1").inner_text() == "Slices"


def test_breakdowns_fold_and_stay_open(show, tales):
    page = show(tales[0], "#/")
    folded = page.locator("details.card")
    assert folded.evaluate_all("(all) => all.map((each) => each.open)") == [False, False, False]
    folded.first.locator("summary").click()
    go(page, "#/errors")
    go(page, "#/")
    assert folded.evaluate_all("(all) => all.map((each) => each.open)") == [True, False, False]
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert folded.evaluate_all("(all) => all.every((each) => each.open)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folded.evaluate_all("(all) => all.map((each) => each.open)") == [True, False, False]


def test_what_sets_two_systems_apart_leads_to_their_heat_map(show):
    words = ["Ada", "sang", ".", "she", "slept", "."] * 6
    spans = {f"e{at}": [[at, at], [at + 3, at + 3]] for at in range(0, 36, 6)}
    key = [document(f"d{n}", words, spans) for n in range(12)]
    bad = [
        document(f"d{n}", words, {name: each[: 1 + (n % 4 == 0)] for name, each in spans.items()}) for n in range(12)
    ]
    page = show(viewer.page({"bad": scoref.score(key, bad), "good": scoref.score(key, key)}))
    sentence = page.locator(".diagnosis li", has_text="good gains").first
    number = sentence.locator("a").inner_text()
    go(page, "#/compare?against=2")
    page.locator(".diagnosis li", has_text="good gains").first.locator("a").click()
    shown = seen(page).locator("main").inner_text()
    assert number == f"these {page.get_by_role('status').inner_text()}"
    assert "a mention loses in good than in bad" in shown
