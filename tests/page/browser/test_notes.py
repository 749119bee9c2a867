"""Notes about errors: kept in the browser, exported, imported, counted; and lists as CSV."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest
from page_browser import HOSTILE, WORDS, document, go, seen

import scoref
from places import EXAMPLES
from scoref.page import build as viewer

TALES = EXAMPLES / "tales"


@pytest.fixture(scope="module")
def report():
    return scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10)


@pytest.fixture(scope="module")
def mistakes():
    return list(scoref.Analysis(scoref.score(TALES / "key.conll", TALES / "rules.conll")).mistakes())


def write(page, place, tag, remark):
    """A note for the error of an address."""
    go(page, place)
    page.locator(".note-box").evaluate("(box) => { box.open = true }")
    page.get_by_label("Tag").fill(tag)
    page.get_by_label("Remark").fill(remark)
    page.get_by_text("kept in this browser").wait_for()


def file_of(page, name):
    """What a button gives as a file."""
    with page.expect_download() as found:
        page.get_by_role("button", name=name).click()
    return found.value.path().read_text(encoding="utf-8")


def tags(page):
    return page.locator(".note-tools .off-chip").all_inner_texts()


def test_notes_are_kept_counted_filtered_exported_and_imported(show, report, tmp_path):
    page = show(report)
    write(page, "#/doc/1/error/1", "boundary", "see <b>guidelines</b> 3.2")
    write(page, "#/doc/2/error/3", "boundary", "")
    write(page, "#/doc/2/error/4", HOSTILE, HOSTILE)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.get_by_label("Remark").input_value() == HOSTILE
    go(page, "#/errors")
    assert tags(page) == ["boundary 2", f"{HOSTILE} 1"]
    page.get_by_role("button", name="boundary 2").click()
    assert page.get_by_role("region", name="Errors").locator("tbody tr").count() == 2
    assert page.evaluate("location.hash") == "#/errors?tag=boundary"
    text = file_of(page, "Export notes")
    written = json.loads(text)
    assert [(each["document"], each["tag"], each["remark"]) for each in written] == [
        ("tales/bakery", "boundary", "see <b>guidelines</b> 3.2"),
        ("tales/ferry", "boundary", ""),
        ("tales/ferry", HOSTILE, HOSTILE),
    ]
    lost = {"document": "elsewhere", "system": "rules", "kind": "span error", "words": "x", "which": 1, "tag": "old"}
    (tmp_path / "notes.json").write_text(json.dumps([*written, lost, 7, None]), encoding="utf-8")
    other = show(report, "#/errors")
    assert tags(other) == []
    other.locator("input[type=file]").set_input_files(tmp_path / "notes.json")
    other.locator(".note-tools .off-chip").first.wait_for()
    assert tags(other) == ["boundary 2", f"{HOSTILE} 1"]
    assert other.locator("#live").inner_text() == "3 notes read, 1 about other errors"
    assert json.loads(file_of(other, "Export notes")) == [*written, lost]
    go(other, "#/doc/1/error/1")
    assert other.get_by_label("Remark").input_value() == "see <b>guidelines</b> 3.2"


def test_what_is_no_file_of_notes_is_refused(show, report, tmp_path):
    page = show(report, "#/errors")
    for number, text in enumerate(("{", "{}", '"x"')):
        (tmp_path / f"{number}.json").write_text(text)
        page.locator("input[type=file]").set_input_files(tmp_path / f"{number}.json")
        page.locator(".warning", has_text="This is no file of notes").wait_for()
    assert tags(page) == []


def test_an_empty_note_is_gone(show, report):
    page = show(report)
    write(page, "#/doc/1/error/1", "boundary", "")
    write(page, "#/doc/1/error/1", "", "")
    go(page, "#/errors")
    assert tags(page) == []


def test_errors_as_csv_are_the_rows_that_are_shown(show, report, mistakes):
    page = show(report, "#/errors?kind=missing+mention")
    rows = list(csv.DictReader(file_of(page, "errors as CSV").splitlines()))
    expected = [each for each in mistakes if each.kind == "missing mention"]
    assert Counter((row["document"], row["words"]) for row in rows) == Counter(
        (each.document, each.mentions[0].text) for each in expected
    )
    assert {row["kind"] for row in rows} == {"missing mention"}
    go(page, rows[0]["address"])
    assert rows[0]["words"] in seen(page).locator(".card-error").inner_text()


def test_csv_holds_no_formulas(show):
    words = ["=HYPERLINK(1)", "+1", "-2", "@x", 'a"b', "c,d", *WORDS]
    key = document("=cmd", words, {n: [[n, n], [n + 6, n + 6]] for n in range(6)})
    page = show(viewer.page({"=sys": scoref.score([key], [document("=cmd", words, {})])}), "#/errors")
    rows = list(csv.DictReader(file_of(page, "errors as CSV").splitlines()))
    assert {row["words"] for row in rows} == {"'=HYPERLINK(1)", "'+1", "'-2", "'@x", 'a"b', "c,d"}
    assert {(row["document"], row["system"]) for row in rows} == {("'=cmd", "'=sys")}


def test_documents_as_csv_are_those_that_are_shown(show, report):
    page = show(report)
    page.get_by_label("Filter documents by name").fill("tales")
    page.get_by_text("2 of 4 documents").wait_for()
    rows = list(csv.DictReader(file_of(page, "documents as CSV").splitlines()))
    scores = scoref.score(TALES / "key.conll", TALES / "rules.conll").by_document()
    assert {row["document"]: float(row["conll"]) for row in rows} == {
        name: each["conll"].f1 for name, each in scores.items() if name.startswith("tales")
    }
