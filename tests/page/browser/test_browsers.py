"""The page in Firefox and in WebKit: it opens, addresses land, bars are painted, and no view fails."""

from __future__ import annotations

import io
import time
from dataclasses import replace

import pytest
from driving import start
from page_browser import KEY, PLAIN, RESPONSE, WORDS, document

import scoref
from scoref.page import build as viewer


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def other_browser(request):
    pytest.importorskip("websockets", reason="no websockets: pip install websockets")
    browser = start(request.param)
    if browser is None:
        pytest.skip(f"no {request.param}: install firefox-esr, or webkit2gtk-driver and xvfb")
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Sentences of which the first 200 are right; then entities in parts, a missing and an extra mention."""
    words = WORDS * 240
    starts = tuple(place for n in range(240) for place in (13 * n, 13 * n + 9))
    key, response = {"ada": [], "man": []}, {"ada": [], "man": [], "other": []}
    for n in range(240):
        at = 13 * n
        key["ada"] += [[at, at], [at + 9, at + 9]]
        key["man"] += [[at + 2, at + 4]]
        response["ada"] += [[at, at]] + ([[at + 9, at + 9]] if n % 50 else [])
        response["man" if n < 200 else "other"] += [[at + 2, at + 4]] if n != 230 else [[at + 6, at + 7]]
    pair = [document("long tale", words, side, sentences=starts) for side in (key, response)]
    path = tmp_path_factory.mktemp("page") / "report.html"
    evaluation = scoref.score([pair[0]], [pair[1]])
    better = scoref.score([pair[0]], [pair[0]])
    path.write_text(viewer.page({"one": evaluation, "two": better}), encoding="utf-8")
    return path


READY = "document.documentElement.dataset.ready || null"


def wait_for(browser, expression, good=bool):
    """The value of an expression, once it is good: windows get their size, and texts their place, after a while."""
    patience = time.monotonic() + 20
    while not good(value := browser.run(expression)) and time.monotonic() < patience:
        time.sleep(0.05)
    assert good(value), f"{expression}: {value}"
    return value


def visit(browser, file, place, width=1200, height=860):
    browser.open(file.as_uri() + place, width, height)
    wait_for(browser, READY)


BARS = """[...document.querySelectorAll(SELECTOR)].map((bar) => [bar, bar.getBoundingClientRect()])
  .filter(([, box]) => box.top > 130 && box.bottom < innerHeight - 10 && box.width > 20)
  .map(([bar, box]) => [box.left, bar.classList.contains("above") ? box.bottom - 4 : box.top + 4,
    box.width, devicePixelRatio])"""


def colours_of(browser, selector):
    """The colours of bars on the screen, right of their labels."""
    image = pytest.importorskip("PIL.Image", reason="no Pillow: pip install pillow")
    boxes = wait_for(browser, BARS.replace("SELECTOR", repr(selector)))
    picture = image.open(io.BytesIO(browser.picture())).convert("RGB")
    found = []
    for left, middle, width, ratio in boxes[:4]:
        row = round(middle * ratio)
        columns = range(round((left + 0.6 * width) * ratio), round((left + width - 4) * ratio))
        found.append({picture.getpixel((column, row)) for column in columns})
    return found


def test_bars_are_painted(other_browser, file):
    """A solid bar has one colour, that of a mention in another entity is dashed: colour and ground take turns."""
    visit(other_browser, file, "#/doc/1")
    solid = colours_of(other_browser, ".bar.coloured.ends:not(.wrong):not(:has(.label))")
    assert all(max(map(max, colours)) - min(map(min, colours)) > 30 for colours in solid)  # no grey, no white
    visit(other_browser, file, "#/doc/1/error/1")
    other_browser.run("unpin()")
    time.sleep(0.5)
    dashed = colours_of(other_browser, ".bar.coloured.wrong:not(.unmatched):not(:has(.label))")
    for colours in dashed:
        assert len(colours) > 1
        assert min(map(min, colours)) < 200
        assert max(map(min, colours)) > 240


@pytest.mark.parametrize("width", [1200, 460])
def test_an_address_shows_its_error(other_browser, file, width):
    errors = 4
    for error in range(1, errors + 1):
        visit(other_browser, file, f"#/doc/1/error/{error}", width)
        time.sleep(0.3)
        place = "document.querySelector('.label.here')?.getBoundingClientRect().top"
        wait_for(other_browser, f"[{place} ?? 0, innerHeight]", lambda at: 50 < at[0] < at[1])


VIEWS = ("#/", "#/tangles", "#/errors", "#/compare", "#/search?words=dog", "#/doc/1?mode=side", "#/doc/1?mode=all",
         "#/doc/1?mode=against", "#/doc/1/tangle/1", "#/doc/1/tangle/1?change=1", "#/changes",
         "#/errors?status=fixed&against=2", "#/slices?where=fared:right")  # fmt: skip


def test_every_view_opens(other_browser, file):
    for place in VIEWS:
        visit(other_browser, file, place)
        assert other_browser.run("document.querySelectorAll('h1').length") == 1, place
        assert other_browser.run("document.querySelectorAll('[role=alert]').length") == 0, place
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert other_browser.run(wide) <= 0, place


def test_a_change_counts_as_in_the_library(other_browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(viewer.page({"r": scoref.score([KEY], [RESPONSE])}), encoding="utf-8")
    visit(other_browser, path, "#/doc/1?change=1")
    done = "(async () => { await doEdit('x.0.0.r2', 'removed'); return (await scoresAfter(0)).conll; })()"
    without = replace(RESPONSE, mentions=(*RESPONSE.mentions[:2], *RESPONSE.mentions[3:]))
    assert other_browser.run(done) == pytest.approx(scoref.score([KEY], [without])["conll"], abs=1e-12)
    names = "[...document.querySelectorAll('.label[data-m^=\"0:\"]')].map((label) => label.dataset.m)"
    wait_for(other_browser, names, lambda found: len({*found}) == len(without.mentions))
    assert "CoNLL F1 is" in other_browser.run("document.getElementById('live').textContent")


TEXT = "The word « שלום עולם 123 » means peace ( עברית ) and مرحبا , 45 : ok . قال New York Times في 2019 إن ."


def test_words_stand_where_they_stand_in_plain_text(other_browser, tmp_path):
    words = TEXT.split()
    spans = {1: [[3, 5], [9, 13]], 2: [[3, 3], [16, 16]], 3: [[22, 24], [0, 12]], 4: [[20, 20], [26, 26]]}
    key = document("d", words, spans)
    path = tmp_path / "page.html"
    path.write_text(viewer.page({"r": scoref.score([key], [key])}), encoding="utf-8")
    found = []
    for place, width, sides in (("#/doc/1", 1200, 1), ("#/doc/1?mode=side", 1000, 2), ("#/doc/1", 460, 1)):
        visit(other_browser, path, place, width)
        time.sleep(0.3)
        found += wait_for(other_browser, PLAIN, lambda drawn, sides=sides: len(drawn) == sides * len(words))
    assert [each for each in found if abs(each[1] - each[2]) > 1.1] == []
