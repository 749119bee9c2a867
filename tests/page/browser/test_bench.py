"""The bench: a response is changed in the page, by mouse and by keyboard, and every score is the library's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from page_browser import KEY, OTHER, RESPONSE, WORDS, document, go, seen, violations

import scoref
from places import EXAMPLES
from scoref.document.document import Mention, stretch
from scoref.page import build as viewer

TALES = EXAMPLES / "tales"
METRICS = {"mentions": "mentions", "muc": "MUC", "b3": "B³", "ceafe": "CEAFe", "conll": "CoNLL"}
HER_MAN = 2  # the mention of word 6 in RESPONSE


@pytest.fixture(scope="module")
def report():
    return viewer.page({"mine": scoref.score([KEY, OTHER], [RESPONSE, OTHER])})


@pytest.fixture(scope="module")
def tales():
    return scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10)


def bench(page):
    return page.locator("#bench")


def shown(page):
    """The f1 of each metric on the bench, as it is written there."""
    items = bench(page).locator(".scores-after li").all()
    return {item.locator(".name").inner_text(): item.locator("b").inner_text() for item in items}


def expected(response):
    scores = scoref.score([KEY, OTHER], [response, OTHER]).scores
    return {said: f"{100 * scores[name].f1:.2f}" for name, said in METRICS.items()}


def moved(changes):
    """RESPONSE, with other entities for some mentions, by their numbers; None for those that are gone."""
    mentions = [(changes.get(at, mention.entity), mention) for at, mention in enumerate(RESPONSE.mentions)]
    return replace(RESPONSE, mentions=tuple(mention.of(entity) for entity, mention in mentions if entity is not None))


def press(page, name):
    bench(page).get_by_role("button", name=name, exact=True).click()
    page.wait_for_function("() => document.getElementById('live').textContent.includes('F1')")
    return seen(page)


def live(page):
    return page.locator("#live").inner_text()


def test_a_mention_is_moved_with_the_mouse(show, report):
    page = show(report, "#/doc/1?change=1")
    assert shown(page) == expected(RESPONSE)
    page.locator(f'.label[data-m="0:{HER_MAN}"]').click()
    seen(page)
    assert (
        bench(page).get_by_label("Entity", exact=True).locator("option:checked").inner_text() == "the old man (1)"
    )  # where the key has it
    press(page, "Move")
    after = expected(moved({HER_MAN: "y"}))
    assert shown(page) == after
    step = float(after["CoNLL"]) - float(expected(RESPONSE)["CoNLL"])
    assert live(page) == f"‘his’ is in the old man. CoNLL F1 is {after['CoNLL']}, {step:.2f} more than in the file"
    press(page, "Undo")
    assert shown(page) == expected(RESPONSE)
    assert "as in the file" in live(page)
    press(page, "Redo")
    assert shown(page) == after


def test_entities_are_merged_and_split_and_mentions_removed_and_added(show, report):
    page = show(report, "#/doc/1/response/x?change=1")
    bench(page).get_by_label("Entity", exact=True).select_option(label="the old man (1)")
    press(page, "Merge entities")
    assert shown(page) == expected(moved(dict.fromkeys((0, 1, HER_MAN), "y")))
    go(page, page.evaluate("location.hash").replace("/response/y", "/key/ada/2"))
    press(page, "Split from here")  # She, the last mention of the merged entity
    assert shown(page) == expected(moved({0: "y", HER_MAN: "y", 1: "new"}))
    press(page, "Remove")
    assert shown(page) == expected(moved({0: "y", HER_MAN: "y", 1: None}))
    page.get_by_label("Add words").fill("it")
    bench(page).get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name="4 changes").wait_for()
    response = moved({0: "y", HER_MAN: "y", 1: None})
    added = replace(response, mentions=(*response.mentions, Mention(stretch(11, 11), "it")))
    assert shown(seen(page)) == expected(added)


def test_everything_goes_by_keyboard(show, report):
    page = show(report, "#/doc/1")
    page.keyboard.press("e")
    bench(page).wait_for()
    seen(page)
    page.locator(f'.label[data-m="0:{HER_MAN}"]').focus()
    page.keyboard.press("Enter")
    seen(page)
    button = bench(page).get_by_role("button", name="Own entity")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="1 change").wait_for()
    seen(page)
    assert shown(page) == expected(moved({HER_MAN: "new"}))
    assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("Control+z")
    page.get_by_role("link", name="0 changes").wait_for()
    assert shown(seen(page)) == expected(RESPONSE)
    page.keyboard.press("Control+y")
    page.get_by_role("link", name="1 change").wait_for()
    assert shown(seen(page)) == expected(moved({HER_MAN: "new"}))
    assert "CoNLL F1 is" in live(page)


def test_a_mention_of_the_key_that_is_missing_is_added_where_it_belongs(show, report):
    page = show(report, "#/doc/1/key/dog/2?change=1")
    assert "is not in the response" in bench(page).inner_text()
    assert bench(page).get_by_label("Entity", exact=True).locator("option:checked").inner_text() == "his dog (1)"
    press(page, "Add")
    added = replace(RESPONSE, mentions=(*RESPONSE.mentions, Mention(stretch(11, 11), "z")))
    assert shown(page) == expected(added)
    assert page.locator('.bar.below.coloured:not(.wrong)[data-m="0:5"]').count() == 1  # it is right now


def test_the_text_is_shown_as_it_was_read_too(show, report):
    page = show(report, "#/doc/1/response/x/2?change=1")
    press(page, "Remove")
    bars = page.locator(f'.bar[data-m="0:{HER_MAN}"]')
    assert page.locator(".panel h2").inner_text() == "As changed"
    bench(page).get_by_role("button", name="As read").click()
    page.wait_for_function("() => location.hash.includes('read=1')")
    seen(page)
    assert page.locator(".panel h2").inner_text() == "Errors here"
    assert bars.count() == 1
    assert shown(page) == expected(moved({HER_MAN: None}))
    page.evaluate("location.hash = '#/doc/1/error/1?change=1&read=1'")  # an old address, without the change
    page.locator(".card-error").wait_for()
    seen(page)
    assert page.locator(".card-error").count() == 1
    assert "_x.0.0.r2" in page.evaluate("location.hash")
    assert shown(page) == expected(moved({HER_MAN: None}))


def test_errors_and_tangles_are_ticked_as_repaired(show, tales):
    evaluation = scoref.score(TALES / "key.conll", TALES / "rules.conll")
    first = scoref.Analysis(evaluation).tangles[0]
    page = show(tales, f"#/doc/{first.number + 1}/tangle/1?change=1")
    box = page.get_by_label("Repaired:")
    box.check()
    page.get_by_role("link", name="1 change").wait_for()
    assert shown(seen(page))["CoNLL"] == f"{100 * (evaluation['conll'].f1 + first.cost['conll']):.2f}"
    assert box.is_checked()
    assert "As read" in bench(page).inner_text()
    box.uncheck()
    page.get_by_role("link", name="0 changes").wait_for()
    assert shown(seen(page))["CoNLL"] == "70.00"
    go(page, "#/doc/1?kind=extra+mention&change=1")
    page.keyboard.press("n")
    page.locator(".card-error").wait_for()
    seen(page)
    page.get_by_label("Repaired: extra mention").focus()
    page.keyboard.press("Space")
    page.get_by_role("link", name="1 change").wait_for()
    seen(page)
    assert float(shown(page)["mentions"]) > 89.56
    assert page.locator(".card-error").count() == 1  # errors are still there, to tick the next


def test_the_list_takes_back_and_the_link_brings_it_to_others(show, report):
    page = show(report, "#/doc/1/response/x/2?change=1")  # her man
    press(page, "Remove")
    go(page, "#/doc/1/response/x/2?change=1")
    press(page, "Remove")
    go(page, "#/changes")
    rows = page.locator(".edits li")
    assert [row.split(" Take back")[0] for row in rows.all_inner_texts()] == [
        "tale ‘his’ removed",
        "tale ‘She’ removed",
    ]
    link = page.evaluate("location.hash")
    other = show(report, link)
    assert other.locator(".edits li").count() == 2
    assert shown(other) == expected(moved({HER_MAN: None, 1: None}))
    rows.first.get_by_role("button").click()
    page.get_by_role("link", name="1 change").wait_for()
    seen(page)
    assert shown(page) == expected(moved({1: None}))
    page.get_by_role("button", name="Take back everything").click()
    page.locator("#bench").wait_for(state="detached")
    assert page.locator(".edits li").count() == 0
    assert "edits" not in page.evaluate("location.hash")


@pytest.mark.parametrize("code", ["nonsense", "abc_x.0.0.r1", "%3Cscript%3E_x.0.0.r0"])
def test_changes_of_another_report_are_not_taken(show, report, code):
    page = show(report, f"#/doc/1?edits={code}")
    assert "they are of another report" in page.get_by_role("alert").inner_text()
    assert bench(page).count() == 0


def test_changes_that_cannot_be_are_not_taken(show, report):
    page = show(report, "#/doc/1/response/x/2?change=1")
    press(page, "Remove")
    address = page.evaluate("location.hash")
    other = show(report, address.replace("x.0.0.r2", "x.0.7.r2"))
    assert "there is no such document" in other.get_by_role("alert").inner_text()
    other = show(report, address.replace("x.0.0.r2", "x.0.0.r99"))
    assert "something that it needs is not there" in other.get_by_role("alert").inner_text()


def test_files_score_what_the_page_shows(show, tales, tmp_path):
    page = show(tales, "#/doc/1?change=1")
    page.locator(".panel").get_by_role("button", name="+").first.click()  # a tangle
    page.get_by_label("Repaired:").check()
    page.get_by_role("link", name="1 change").click()
    page.get_by_role("heading", name="Changes").wait_for()
    for name, ending in (("JSON lines", "jsonl"), ("CoNLL", "conll")):
        with page.expect_download() as found:
            page.get_by_role("button", name=name).click()
        assert found.value.suggested_filename == f"rules-changed.{ending}"
        found.value.save_as(tmp_path / f"changed.{ending}")
        scores = scoref.score(TALES / "key.conll", tmp_path / f"changed.{ending}", protocol="conll-2012")
        assert shown(page) == {said: f"{100 * scores[each].f1:.2f}" for each, said in METRICS.items()}
        cells = page.locator("table.changed tbody tr").last.locator("td").all_inner_texts()
        conll = scores["conll"]
        assert cells[1::3] == [f"{100 * value:.2f}" for value in conll]


def test_what_cannot_be_changed_is_said(show):
    twice = document("tale", WORDS, {"x": [[0, 0], [1, 1]], "y": [[1, 1], [6, 6]]}, sentences=(0, 9))
    page = show(viewer.page({"mine": scoref.score([KEY], [twice])}), "#/doc/1?change=1")
    assert "Nothing can be changed here: it has repeated mentions" in bench(page).inner_text()
    nested = viewer.page({"mine": scoref.score([KEY], [RESPONSE], nested="drop")})
    page = show(nested, "#/doc/1?change=1")
    assert "nested mentions are left out before scoring" in bench(page).inner_text()
    heads = viewer.page({"mine": scoref.score([KEY], [RESPONSE], match="partial")})
    page = show(heads, "#/doc/1/response/x?change=1")
    bench(page).get_by_role("button", name="Remove").click()
    bench(page).locator(".warning").wait_for()
    assert live(page).startswith("Not done: it decides how other mentions are matched")
    assert page.get_by_role("link", name="0 changes").count() == 1


def test_systems_are_changed_apart(show):
    better = document("tale", WORDS, {"x": [[0, 0], [9, 9]], "y": [[2, 4], [6, 6]], "z": [[6, 7]]}, sentences=(0, 9))
    comparison = scoref.compare([KEY, OTHER], {"one": [RESPONSE, OTHER], "two": [better, OTHER]}, trials=20)
    page = show(viewer.page(comparison.systems, comparison), "#/doc/1/response/x/2?change=1")
    press(page, "Remove")
    assert shown(page) == expected(moved({HER_MAN: None}))
    page.get_by_label("System").select_option("two")
    page.wait_for_function("() => location.hash.includes('system=2')")
    assert shown(seen(page)) == expected(better)
    go(page, "#/changes")
    assert page.locator(".edits li").all_inner_texts() == ["tale (one) ‘his’ removed Take back"]


@pytest.mark.parametrize(("colours", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)])
def test_axe_finds_nothing_on_the_bench(show, tales, colours, width):
    page = show(tales, "#/doc/1?change=1", color_scheme=colours, width=width, height=844, reduced_motion="reduce")
    found = []
    for place in (
        "#/doc/1?change=1",
        "#/doc/1/tangle/1?change=1",
        "#/doc/1/error/1?change=1",
        "#/doc/1/response/1?change=1",
    ):
        go(page, place)
        found.append(violations(page))
    bench(page).get_by_role("button", name="Remove").click()
    page.get_by_role("link", name="1 change").wait_for()
    for place in ("#/doc/1?change=1", "#/changes", "#/", "#/doc/1/response/1?read=1&timeline=1"):
        go(page, place)
        found.append(violations(page))
    assert found == [[]] * 8
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
