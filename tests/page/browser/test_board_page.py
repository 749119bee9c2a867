"""The page of a board in a browser: sorted and filtered by its script, readable without it, nothing found by axe."""

from __future__ import annotations

import shutil

import pytest
from page_browser import violations

from places import EXAMPLES
from scoref.board.publishing import published
from scoref.board.run import board
from scoref.layout.render import json_text

TASK = EXAMPLES / "task"
NAMES = "[...document.querySelectorAll('#ranks tbody tr')].filter(row => !row.hidden).map(row => row.dataset.name)"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A board with two teams, a rejected submission, a saved history; the page and the folder of reports."""
    folder = tmp_path_factory.mktemp("board")
    shutil.copytree(TASK / "submissions", folder / "subs")
    for name in ("model", "rules"):
        shutil.move(folder / "subs" / name, folder / "subs" / "team" / name)
    shutil.copytree(TASK / "submissions/rules", folder / "subs/alone")
    key = {"key": TASK / "key", "submissions": folder / "subs", "average": "datasets"}
    (folder / "first.json").write_text(json_text(board(**key).to_dict()), encoding="utf-8")
    shutil.copytree(TASK / "submissions/model", folder / "subs/late")
    found = board(**key, since=folder / "first.json", reports=True)
    published(found, str(folder / "board.html"), reports=str(folder / "reports"), title="<Tales> 2027")
    return folder / "board.html"


@pytest.fixture
def opened(browser, page):
    """Opens the page; what it logs or fails with must be nothing."""
    contexts, wrong = [], []

    def open_(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: wrong.append(message.text))
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.goto(page.as_uri())
        return tab

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


def test_rows_are_sorted_by_any_column(opened):
    tab = opened()
    assert tab.evaluate(NAMES) == ["late", "team/model", "alone", "team/rules"]
    heads = tab.locator("#ranks thead button")
    labels = heads.all_inner_texts()
    assert labels[:3] == ["rank", "submission", "conll"]
    heads.nth(0).click()  # it is sorted by rank: now the other way round
    assert [*reversed(tab.evaluate(NAMES))][:2] in (["late", "team/model"], ["team/model", "late"])
    heads.nth(1).click()
    assert tab.evaluate(NAMES) == ["alone", "late", "team/model", "team/rules"]
    heads.nth(1).click()
    assert tab.evaluate(NAMES) == ["team/rules", "team/model", "late", "alone"]
    assert tab.locator("#ranks thead th[aria-sort]").get_attribute("aria-sort") == "descending"
    heads.nth(2).click()  # scores: the best first
    assert {*tab.evaluate(NAMES)[:2]} == {"late", "team/model"}


def test_rows_are_filtered(opened):
    tab = opened()
    tab.locator("#words").fill("MOD")
    assert tab.evaluate(NAMES) == ["team/model"]
    tab.locator("#words").fill("")
    tab.locator("#ranks thead button").nth(0).click()
    tab.locator("#best").check()
    assert {*tab.evaluate(NAMES)} == {"late", "team/model", "alone"}  # also if the worst is first
    datasets = tab.locator("table[id='by dataset'] tbody tr:visible")
    assert sorted(row.get_attribute("data-name") for row in datasets.all()) == ["alone", "late", "team/model"]
    assert tab.locator("#rejected tbody tr:visible").count() == 1


def test_each_row_opens_its_report(opened, page):
    tab = opened()
    links = [link.get_attribute("href") for link in tab.locator("#ranks a, #rejected a").all()]
    assert len(links) == 5
    assert [link for link in links if not (page.parent / link).is_file()] == []
    tab.locator("#ranks a", has_text="late").click()
    assert "late" in tab.title()


def test_it_says_what_has_changed(opened):
    tab = opened()
    rows = {row.get_attribute("data-name"): row.inner_text() for row in tab.locator("#ranks tbody tr").all()}
    assert "new" in rows["late"]
    assert "+0.00" in rows["team/model"]
    assert "3 accepted, led by" in tab.locator("main").inner_text()


def test_it_can_be_read_without_a_script(opened):
    tab = opened(java_script_enabled=False)
    text = tab.locator("main").inner_text()
    assert all(word in text for word in ("<Tales> 2027", "team/model", "mention never closed", "conll-2012"))
    assert not tab.locator("#words").is_visible()


@pytest.mark.parametrize(("colours", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_on_a_board(opened, colours, width):
    tab = opened(viewport={"width": width, "height": 900}, color_scheme=colours)
    assert violations(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
