"""Addresses of errors in long texts: in a page that is just opened, the error is on the screen."""

from __future__ import annotations

import pytest
from page_browser import again, document, go, seen

import scoref
from places import SHARED, beside
from scoref.page import build as viewer

VECTORS = SHARED / "vectors"
CASES = {
    "gum": ("real-gum", "gum.key.conll", "gum.response.xrenner.conll", {}),
    "deixis": ("real-codi-light", "light.key.CONLLUA", "light.response.heavy.CONLLUA",
               {"protocol": "codi-crac-2022", "layer": "deixis"}),
    "corefud": ("real-gum-corefud", "devtest.key.conllu", "devtest.response.xrenner.conllu", {}),
    "zeros": ("real-korkor", "key.conllu", "response.medium.conllu", {}),
}  # fmt: skip


def recorded(name):
    """The evaluation of recorded files, with their longest document first."""
    folder, key, response, options = CASES[name]
    files = VECTORS / folder / "files"
    keys = sorted(scoref.read(files / key), key=lambda each: -len(each.words))[:3]
    wanted = {each.id for each in keys}
    responses = [each for each in scoref.read(files / response) if each.id in wanted]
    return scoref.score(keys, responses, **options)


def long_text():
    """200,000 words; every hundredth mention is in the wrong entity."""
    words = [f"word{number % 977}" for number in range(200_000)]
    places = range(0, 200_000, 16)
    right = {n: n // 16 % 1200 for n in places}
    wrong = {n: entity if n // 16 % 100 else 1200 + n for n, entity in right.items()}
    starts = tuple(range(0, 200_000, 25))

    def side(entities):
        by_name = {}
        for place, name in entities.items():
            by_name.setdefault(name, []).append([place, place + place % 3])
        return document("long", words, by_name, sentences=starts)

    return scoref.score([side(right)], [side(wrong)], singletons="keep")


@pytest.fixture(scope="module", params=[*(pytest.param(name, marks=beside) for name in CASES), "200,000 words"])
def made(request):
    """A page, and the numbers of errors of its first document."""
    evaluation = long_text() if request.param == "200,000 words" else recorded(request.param)
    html = viewer.page({"response": evaluation})
    errors = sum(mistake.mentions[0].number == 0 for mistake in scoref.Analysis(evaluation).mistakes())
    assert errors > 8
    return html, [1 + number * (errors - 1) // 7 for number in range(8)]


CHOSEN = """() => {
  const box = document.querySelector(".label.here").getBoundingClientRect();
  const panel = document.querySelector(".panel").getBoundingClientRect();
  const lowest = innerWidth > 1000 ? innerHeight : panel.top;
  const top = document.elementFromPoint(box.left + 3, box.top + box.height / 2);
  return [box.top >= 50 && box.bottom <= lowest && box.left >= 0 && box.right <= innerWidth + 40,
    Boolean(top && top.closest(".label.here"))];
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_an_address_shows_its_error(show, made, width, height):
    html, errors = made
    assert errors
    page = show(html, width=width, height=height)
    for error in errors:
        seen(again(page, f"#/doc/1/error/{error}"))
        page.wait_for_timeout(400)  # nothing moves it away again
        assert page.evaluate(CHOSEN) == [True, True], error


@pytest.mark.parametrize("mode", ["side", "differences"])
def test_an_address_shows_its_error_in_every_mode(show, made, mode):
    html, errors = made
    page = show(html, f"#/doc/1?mode={mode}")
    for error in (errors[5], errors[1]):
        go(page, f"#/doc/1/error/{error}?mode={mode}")
        page.wait_for_timeout(300)
        assert page.evaluate(CHOSEN) == [True, True], error
