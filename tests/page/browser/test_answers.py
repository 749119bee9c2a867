"""The answer of a language model beside the text, in a browser."""

from __future__ import annotations

import pytest
from page_browser import HOSTILE, go

import scoref
from places import EXAMPLES
from scoref.page import build as viewer

REPLY = f'Sure! 😀 {HOSTILE}<img src=x>\n[["Ada", "She", "Zorro"], ["the old plumber from Leeds", "him"], ["tap"]]'
MARKED = "[Ada](#1) phoned [the old plumber from [Leeds](#3)](#2) . She told [him](#2) that </pre><b>x</b>"


@pytest.fixture(scope="module")
def report():
    key = scoref.read(EXAMPLES / "key.conll")[0]
    replies = {"json": REPLY, "marks": MARKED, "none": "I cannot & will not"}
    return viewer.page({name: scoref.score(key, scoref.answer(reply)) for name, reply in replies.items()})


def taken(page):
    return page.locator(".answer .taken").all_inner_texts()


def test_the_answer_stands_beside_the_text_with_its_mentions(show, report):
    page = show(report, "#/doc/1")
    assert page.locator(".answer pre").inner_text() == REPLY
    assert page.locator(".answer pre *:not(.taken)").count() == 0
    assert taken(page) == ["Ada", "She", "Zorro", "the old plumber from Leeds", "him", "tap"]
    assert page.locator(".taken.lost").all_inner_texts() == ["Zorro"]
    page.locator(".answer .taken").nth(3).click()
    page.wait_for_selector(".answer .taken.here")
    assert page.locator(".taken.on").all_inner_texts() == ["the old plumber from Leeds", "him"]
    assert "the old plumber from Leeds" in page.locator(".panel").inner_text()


def test_marks_in_marks_and_an_answer_without_any(show, report):
    page = show(report, "#/doc/1?system=2")
    assert page.locator(".answer pre").inner_text() == MARKED
    assert taken(page) == ["Ada", "the old plumber from [Leeds", "Leeds", "him"]
    go(page, "#/doc/1?system=3")
    assert page.locator(".answer pre").inner_text() == "I cannot & will not"
    assert "refusal" in page.locator(".answer ul").inner_text()


def test_it_is_closed_and_stays_so(show, report):
    page = show(report, "#/doc/1", width=500)
    page.locator(".answer summary").click()
    go(page, "#/doc/1?system=2")
    assert page.locator(".answer pre").is_hidden()
