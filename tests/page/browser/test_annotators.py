"""The page of annotators: every pair, their words, and decisions that make a key."""

from __future__ import annotations

import json
import re

import pytest
from page_browser import HOSTILE, WORDS, document, go, seen, violations

import scoref
from places import EXAMPLES
from scoref.curation.curate import curate
from scoref.page.build import agreement_page

TALES = EXAMPLES / "tales"
NAMES = {"Ann": "key", "Ben": "rules", "Cem": "model"}
FILES = {name: TALES / f"{file}.conll" for name, file in NAMES.items()}
TWO = {name: FILES[name] for name in ("Ann", "Ben")}
PLACES = ("#/", "#/?system=2", "#/?system=3", "#/slices?system=3", "#/errors?system=3", "#/tangles",
          "#/decisions?what=all", "#/doc/1?system=3",
          "#/doc/1/error/1?system=3", "#/doc/2/error/4?system=2", "#/doc/1?system=2&mode=side")  # fmt: skip


@pytest.fixture(scope="module")
def three():
    result = scoref.agreement(FILES)
    return agreement_page(result), result


def test_every_pair_is_shown_and_reached(show, three):
    html, result = three
    page = show(html)
    rows = [
        row.split("\t") for row in page.get_by_role("region", name="Every pair").locator("tbody tr").all_inner_texts()
    ]
    measures = ("mentions", "muc", "b3", "ceafe", "lea", "conll")
    expected = [[f"{a} and {b}", *(f"{100 * result.of(a, b)[name].value:.2f}" for name in measures)]
                for a, b in (("Ann", "Ben"), ("Ann", "Cem"), ("Ben", "Cem"))]  # fmt: skip
    assert rows == expected
    whole = page.get_by_role("region", name="All annotators").inner_text()
    assert f"{result['alpha masi']:.4f}" in whole
    page.get_by_role("link", name="Ben and Cem").click()
    assert seen(page).locator("h1").inner_text() == "Agreement of Ben and Cem"
    assert page.locator(".number-itself").inner_text() == expected[2][-1]
    go(page, "#/doc/1?system=3&mode=side")
    assert page.locator(".columns").inner_text().split() == ["Ben", "Cem"]


def test_intervals_are_shown_where_there_are_some(show):
    def side(step):
        spans = ({"a": [[0, 0], [9, 9]], "b": [[2, 4], [6 + n % step, 6 + n % step]]} for n in range(8))
        return [document(f"d{n}", WORDS, each) for n, each in enumerate(spans)]

    sides = {"Ann": side(1), "Ben": side(2)}
    result = scoref.agreement(sides, trials=50)
    page = show(agreement_page(result))
    ends = result.of("Ann", "Ben")["conll"].ci
    assert f"{100 * ends[0]:.2f} to {100 * ends[1]:.2f}" in page.get_by_role("region", name="Every pair").inner_text()


def test_nobody_is_the_key_and_nothing_is_missing(show, three):
    html, _ = three
    page = show(html)
    texts = {}
    for place in PLACES:
        go(page, place)
        page.evaluate("document.querySelector('.signature')?.remove()")
        texts[place] = page.locator("main").inner_text().replace("makes the key", "")
    found = {place: re.findall(r"\b(?:response|missing|missed|extra|gold)\b|\b(?:the|in|of) key\b", text)
             for place, text in texts.items()}  # fmt: skip
    assert all(texts.values())
    assert {place: each for place, each in found.items() if each} == {}


def test_decisions_by_click_and_key_make_the_key(show, tmp_path):
    page = show(agreement_page(scoref.agreement(TWO)), "#/decisions")
    made = curate(TWO)
    waiting = made.number("open")
    status = page.locator("main [role=status]").first
    assert status.inner_text() == f"0 of {waiting} open places decided"
    assert page.locator(".place").count() == min(40, waiting)
    page.locator(".place").first.get_by_role("radio").first.check()
    page.locator(".place").nth(1).get_by_role("radio").first.focus()
    page.keyboard.press("2")
    assert page.evaluate("document.activeElement.closest('.place') === document.querySelectorAll('.place')[2]")
    assert status.inner_text() == f"2 of {waiting} open places decided"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert status.inner_text() == f"2 of {waiting} open places decided"
    more = page.get_by_role("button", name="Show more")
    while more.is_visible():
        more.click()
    page.evaluate("document.querySelectorAll('.choices').forEach((each) => each.querySelector('input').click())")
    assert status.inner_text() == f"{waiting} of {waiting} open places decided: the key is complete"
    with page.expect_download() as found:
        page.get_by_role("button", name="Export decisions").click()
    file = found.value.path()
    after = curate(TWO, file)
    assert after.number("open") == 0
    opened = [place for place in made.places if place.status == "open"]
    assert len(json.loads(file.read_text())["decisions"]) == len(opened)
    kept = {(each.id, mention.span) for each in after.documents for mention in each.mentions}
    wanted = {(place.document.id, place.mention.span) for place in opened
              if place.what == "mention" and place.options[0].decision.keep}  # fmt: skip
    assert wanted <= kept
    other = show(agreement_page(scoref.agreement(TWO)), "#/decisions")
    other.locator("input[type=file]").set_input_files(file)
    other.get_by_text("the key is complete").wait_for()


def test_what_is_no_file_of_decisions_is_refused_and_names_stay_text(show, tmp_path):
    words = [HOSTILE, "a", "b"]
    sides = {
        HOSTILE: document(HOSTILE, words, {1: [[0, 0], [1, 1]]}),
        "Ben": document(HOSTILE, words, {1: [[0, 0], [2, 2]]}),
    }
    page = show(agreement_page(scoref.agreement(sides)), "#/decisions")
    assert HOSTILE in page.locator(".place").first.inner_text()
    (tmp_path / "x.json").write_text("[]")
    page.locator("input[type=file]").set_input_files(tmp_path / "x.json")
    page.locator(".warning", has_text="This is no file of decisions").wait_for()


def test_axe_finds_nothing_on_the_page_of_annotators(show, three):
    html, _ = three
    found = {}
    for colours, width in (("light", 1280), ("dark", 390)):
        page = show(html, color_scheme=colours, width=width, height=844, reduced_motion="reduce")
        for place in ("#/", "#/decisions?what=all", "#/doc/1/error/1?system=3"):
            go(page, place)
            page.wait_for_timeout(50)
            found[colours, place] = violations(page)
    assert {place: each for place, each in found.items() if each} == {}


def test_the_diagnosis_of_a_pair_leads_to_its_mentions_in_their_words(show):
    words = ["Ada", "sang", ".", "she", "slept", "."] * 6
    key = {f"e{at}": [[at, at], [at + 3, at + 3]] for at in range(0, 36, 6)}
    sides = {"Ann": [document(f"d{n}", words, key) for n in range(12)],
             "Ben": [document(f"d{n}", words, {name: spans[: 1 + (n % 4 == 0)] for name, spans in key.items()})
                     for n in range(12)]}  # fmt: skip
    page = show(agreement_page(scoref.agreement(sides, trials=50)))
    links = page.locator(".diagnosis a")
    assert page.locator(".diagnosis li").count() == 3
    assert links.count() == 3
    said = {}
    for number in range(3):
        said[number] = page.locator(".diagnosis li").nth(number).inner_text()
        links.nth(number).click()
        said[number] += seen(page).locator("main").inner_text()
        assert page.evaluate("location.hash").startswith(("#/slices", "#/doc/"))
        page.go_back()
        links.first.wait_for()
    assert "mentions of Ann" in said[0]
    assert "differs from those of Ben" in said[0]
    wrong = {number: re.findall(r"\b(?:response|missing|missed|recall|precision|lose|lost)\b", text)
             for number, text in said.items()}  # fmt: skip
    assert wrong == {0: [], 1: [], 2: []}
