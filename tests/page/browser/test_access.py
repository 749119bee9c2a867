"""Everybody can use the page: axe finds nothing, and the keyboard focus is never lost."""

from __future__ import annotations

import pytest
from page_browser import KEY, OTHER, RESPONSE, WORDS, document, go, seen, violations

import scoref
from scoref.page import build as viewer

PLACES = ("#/", "#/tangles", "#/errors", "#/compare", "#/search?words=the", "#/doc/1", "#/doc/1/error/1",
          "#/doc/1/key/man", "#/doc/1/key/man?arcs=1&timeline=1", "#/doc/1/tangle/1", "#/doc/1?mode=side",
          "#/doc/1?mode=differences", "#/doc/1?mode=all",
          "#/doc/1?mode=against", "#/errors?status=fixed&against=2", "#/slices", "#/slices?against=2&where=form:name",
          "#/slices?of=precision&where=fared:right")  # fmt: skip


@pytest.fixture(scope="module")
def two():
    better = document("tale", WORDS, {"x": [[0, 0], [9, 9]], "y": [[2, 4], [6, 6]], "z": [[6, 7]]}, sentences=(0, 9))
    others = [document(f"d{n}", WORDS, {"a": [[0, 0], [9, 9]], "b": [[2, 4], [6, 6]]}) for n in range(6)]
    empty = document("empty", ["Nobody", "came", "."], {})
    key = [KEY, OTHER, *others, empty]
    one = [RESPONSE, OTHER, *others, empty]
    comparison = scoref.compare(key, {"one": one, "two": [better, *key[1:]]}, trials=50)
    return viewer.page(comparison.systems, comparison)


@pytest.mark.parametrize(("colours", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)])
def test_axe_finds_nothing(show, two, colours, width):
    page = show(two, color_scheme=colours, width=width, height=844, reduced_motion="reduce")
    for place in PLACES:
        go(page, place)
        page.wait_for_timeout(50)
        assert violations(page) == [], place


FOCUS = "() => document.activeElement && document.activeElement !== document.body"


def test_the_focus_is_never_lost(show, two):
    """What is pressed may go, but then the focus is somewhere else in the page."""
    page = show(two, "#/doc/1")
    for key in ("Tab", "Tab"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Next error (n)").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        seen(page)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Next error (n)"
    page.get_by_role("button", name="differences").focus()
    page.keyboard.press("Enter")
    seen(page)
    assert page.evaluate("document.activeElement.textContent") == "differences"
    page.get_by_role("button", name="Close (Esc)").focus()
    page.keyboard.press("Enter")
    seen(page)
    assert page.evaluate(FOCUS)
    page.locator(".text .label[tabindex='0']").focus()
    page.keyboard.press("Enter")
    seen(page)
    assert page.evaluate(FOCUS)


def test_the_focus_stays_in_tables_and_lists(show, two):
    page = show(two, "#/")
    for region, heading in (("Documents", "errors"), ("Documents", "document")):
        page.get_by_role("region", name=region).get_by_role("button", name=heading, exact=True).focus()
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUS)
    go(page, "#/errors")
    page.get_by_label("Kind").select_option(index=1)
    assert page.evaluate(FOCUS)
    page.get_by_label("Words", exact=True).focus()
    page.keyboard.type("he")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.value") == "he"
    page.get_by_label("Against").focus()
    page.get_by_label("Against").select_option(index=1)
    seen(page)
    assert page.evaluate(FOCUS)


def test_every_key_leaves_the_focus_somewhere(show, two):
    page = show(two, "#/doc/1/error/1")
    page.locator(".panel button").nth(1).focus()
    for key in ("n", "p", ".", ",", "m", "m", "m", "j", "k", "Escape"):
        page.keyboard.press(key)
        seen(page)
        assert page.evaluate(FOCUS), key
