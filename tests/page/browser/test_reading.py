"""Reading a text: words stand as in plain text, with bars and labels on them; the focus follows the reader."""

from __future__ import annotations

import re

import pytest
from page_browser import KEY, OTHER, RESPONSE, WORDS, document, go, seen, stands

import scoref
from places import EXAMPLES
from scoref.page import build as viewer

TALES = EXAMPLES / "tales"

TEXTS = {
    "english": " ".join(WORDS * 12),
    "arabic": "قال مراسل New York Times في 2019 إن 25 % من ( أبي بكر ) عام 1999-2000 ، سيعود . " * 4,
    "hebrew in english": "The word « שלום עולם 123 » means peace ( עברית ) and مرحبا , 45 : ok . " * 4,
    "english in hebrew": "הוא אמר Hello , world 3.5 % ( ABC ) ואז 12 - 15 הלך הביתה לאט מאוד " * 4,
    "chinese": " ".join("小明说他的老师昨天在北京见到了一位著名的作家然后他们一起去吃饭" * 3),
}


MODES = {"stacked": "#/doc/1", **{mode: f"#/doc/1?mode={mode}" for mode in ("side", "all", "against")}}


def nested(words):
    """Mentions everywhere: short ones, long ones around them, some that end where others begin."""
    spans = {n % 7: [] for n in range(7)}
    for at in range(0, len(words) - 6, 3):
        spans[at % 7] += [[at, at], [at, at + at % 5 + 1]]
    return spans


@pytest.mark.parametrize("name", TEXTS)
def test_words_stand_where_they_stand_in_plain_text(show, name):
    """The oracle is the browser, which orders a paragraph of plain text as Unicode says (UAX 9)."""
    words = TEXTS[name].split()
    key = document("d", words, nested(words))
    other = document("d", words, {e: spans[::2] for e, spans in nested(words).items()})
    page = show(viewer.page({"one": scoref.score([key], [other]), "two": scoref.score([key], [key])}))
    places = []
    for width, mode in ((1280, "stacked"), (1280, "side"), (390, "all"), (390, "against")):
        page.set_viewport_size({"width": width, "height": 900})
        places += stands(go(page, MODES[mode]))
    assert len(places) > 4 * 60
    assert [each for each in places if abs(each[1] - each[2]) > 0.6] == []


def test_lines_side_by_side_are_on_one_height(show):
    html = scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10)
    for width in (1280, 1000):
        page = show(html, "#/doc/1?mode=side", width=width)
        page.locator(".half .word").first.wait_for()
        tops = page.locator(".half").evaluate_all(
            """(all) => all.map((half) => [...half.querySelectorAll('.word')]
                       .map((each) => each.getBoundingClientRect().top))"""
        )
        assert len(tops) > 10
        assert tops[::2] == tops[1::2]


def test_bars_are_as_wide_as_their_words(show):
    page = show(scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10), "#/doc/1")
    widths = page.locator(".cell > .bar").evaluate_all("""(bars) => bars.map((bar) =>
      [bar.getBoundingClientRect().width, bar.parentNode.querySelector(".word").getBoundingClientRect().width])""")
    assert len(widths) > 80
    assert max(abs(bar - word) for bar, word in widths) < 0.6


def test_labels_on_a_line_do_not_cover_each_other(show):
    page = show(scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10), "#/doc/1")
    boxes = page.locator(".text .bar .label").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) > 50
    covered = [(a, b) for n, a in enumerate(boxes) for b in boxes[:n]
               if min(a["right"], b["right"]) - max(a["left"], b["left"]) > 1
               and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 1]  # fmt: skip
    assert covered == []


def test_entities_of_one_name_have_a_number_behind_it(show):
    words = "the man saw a man . He knew the man .".split()  # noqa: SIM905
    key = document("d", words, {1: [[0, 1], [6, 6]], 2: [[3, 4], [8, 9]]})
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    assert page.locator(".of-key .label").all_inner_texts() == ["man 1", "man 2", "man 1", "man 2"]


# -- the focus, and what is said -------------------------------------------------------------------------------------

LOST = "() => !document.activeElement || document.activeElement === document.body"


@pytest.fixture(scope="module")
def two():
    better = document("tale", WORDS, {"x": [[0, 0], [9, 9]], "y": [[2, 4], [6, 6]], "z": [[6, 7]]}, sentences=(0, 9))
    evaluations = {
        "one": scoref.score([KEY, OTHER], [RESPONSE, OTHER]),
        "two": scoref.score([KEY, OTHER], [better, OTHER]),
    }
    return viewer.page(evaluations)


@pytest.mark.parametrize("place", ["#/doc/1", "#/doc/1/error/1", "#/doc/1/tangle/1", "#/", "#/errors"])
def test_tab_goes_through_everything_and_loses_the_focus_nowhere(show, two, place):
    page = show(two, place)
    page.locator(".skip").focus()
    lost, reached = [], []
    for _ in range(200):
        page.keyboard.press("Tab")
        lost.append(page.evaluate(LOST))
        reached.append(page.evaluate("document.activeElement.className"))
        if reached[-1] == "skip":  # around the page, and the browser's own buttons
            break
    assert reached[-1] == "skip"
    assert lost[:-2] == [False] * (len(lost) - 2)


@pytest.mark.parametrize("start", [".text .label[tabindex='0']", ".panel button", "#header a", "#kind"])
@pytest.mark.parametrize("keys", [".,", "jk", "np", "mm"])
def test_keys_lose_the_focus_nowhere(show, two, start, keys):
    page = show(two, "#/doc/1/key/man")
    page.locator(start).first.focus()
    lost = []
    for key in keys:
        if start == "#kind":
            page.keyboard.press("Tab")
        page.keyboard.press(key)
        seen(page)
        page.wait_for_timeout(60)
        lost.append(page.evaluate(LOST))
    assert lost == [False, False]


def test_the_focus_follows_from_mention_to_mention(show, two):
    page = show(two, "#/doc/1/key/man")
    page.locator(".text .label[tabindex='0']").focus()
    page.keyboard.press(".")
    seen(page)
    page.wait_for_function("document.activeElement.matches('.label.here')")
    assert page.evaluate("document.activeElement.closest('.cell').dataset.unit") == "6"


def test_what_is_said_is_what_is_looked_at(show, two):
    page = show(two, "#/doc/1/error/1")
    live = page.locator("#live")
    kinds = page.evaluate("overview.kinds")
    assert any(live.inner_text().startswith(kind) for kind in kinds)
    page.keyboard.press("Escape")
    seen(page)
    assert live.inner_text() == "tale"
    go(page, "#/doc/1/key/man")
    assert live.inner_text().startswith("key, entity 2 (man)")
    page.keyboard.press("j")
    page.locator("h1", has_text="other tale").wait_for()
    assert live.inner_text() == "other tale"
    go(page, "#/errors")
    assert live.inner_text() == "Errors"


# -- what is written -------------------------------------------------------------------------------------------------


def test_names_cannot_turn_the_letters_around_them(show):
    trick = "invoice.\u202ecod.exe"
    key = document(trick, ["a", "b", "c", "d"], {trick: [[0, 0], [2, 2]]})
    page = show(viewer.page({trick: scoref.score([key], [document(trick, key.words, {"e": [[0, 0], [3, 3]]})])}))
    plain = "invoice.⟨U+202E⟩cod.exe"
    assert page.title() == f"{plain} – scoref"
    assert page.locator("h1").inner_text() == plain
    shown = {place: go(page, place).evaluate("document.documentElement.outerHTML") for place in PLACES}
    assert [place for place, text in shown.items() if "\u202e" in text] == []
    assert [place for place, text in shown.items() if plain not in text] == []


PLACES = ("#/", "#/errors", "#/doc/1", "#/doc/1/error/1", "#/tangles")


def test_a_word_cannot_turn_the_words_behind_it(show):
    key = document("d", ["a", "\u202eb", "c", "d", "\u2067e", "f"], {1: [[0, 0], [2, 2]]})
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    left = page.evaluate("[...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect().left)")
    assert left == sorted(left)


def test_the_overview_names_the_system(show):
    page = show(scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10))
    assert page.locator("h1").inner_text() == "rules against key.conll"


def test_costs_of_a_column_have_one_number_of_digits(show):
    page = show(scoref.report(TALES / "key.conll", {"rules": TALES / "rules.conll"}, trials=10), "#/errors")
    costs = page.locator("tbody td.number a").all_inner_texts()
    assert len({len(cost.partition(".")[2]) for cost in costs}) == 1


def test_mentions_with_other_words_are_counted_apart(show):
    """Of three mentions two are shared and one has other words: to B³ these are 2²/3."""
    key = document("d", WORDS, {1: [[0, 0], [9, 9], [2, 4]]})
    response = document("d", WORDS, {1: [[0, 0], [9, 9], [3, 4]]})
    page = show(viewer.page({"r": scoref.score([key], [response])}), "#/doc/1/key/1")
    panel = page.locator(".panel").inner_text()
    assert "2 of 3, 1 in other words" in panel
    assert "1.33 / 3 = 44.44" in panel
    assert "(2²) / 3" in panel


def test_a_sign_says_where_the_other_side_lacks_the_mention(show):
    key = document("d", WORDS, {1: [[0, 0], [9, 9], [11, 11]], 2: [[2, 4], [6, 6]]})
    response = document("d", WORDS, {1: [[0, 0], [9, 9], [11, 11]], 2: [[3, 3], [2, 4], [6, 6]]})
    evaluation = scoref.score([key], [response])
    (error,) = scoref.Analysis(evaluation).errors
    page = show(viewer.page({"r": evaluation}), "#/doc/1/error/1")
    expected = {"conflated entities": "+∪", "extra mention": "+"}[error.kind]
    assert page.locator(".of-response .label .mark").all_inner_texts() == [expected]
    assert "With + before the sign" in page.evaluate("legendLines().map((each) => each.textContent).join()")


def test_cards_and_rows_are_not_broken_in_print(show, two):
    page = show(two)
    page.emulate_media(media="print")
    broken = page.evaluate("""() => [...document.querySelectorAll('tr, .tangle, .hero, .systems a')]
      .filter((each) => getComputedStyle(each).breakInside !== 'avoid').length""")
    assert broken == 0
    assert page.locator(".pair").first.evaluate("(each) => getComputedStyle(each).display") == "block"


# -- arcs and the timeline -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tale():
    evaluation = scoref.score(TALES / "key.conll", TALES / "rules.conll")
    return viewer.page({"rules": evaluation}), evaluation


def antecedent(document, at):
    """The mention before in the entity of a mention, in text order; slow and literal."""
    order = sorted(range(len(document.mentions)), key=lambda each: (document.mentions[each].span[0], each))
    mine = [each for each in order if document.mentions[each].entity == document.mentions[at].entity]
    place = mine.index(at)
    return mine[place - 1] if place else None


def test_arcs_lead_to_what_the_key_has_and_to_what_the_system_chose(show, tale):
    html, evaluation = tale
    key, response, _ = evaluation.evidence.aligned[0]
    page = show(html, "#/doc/1")
    said = page.evaluate("""reading.model.key.mentions.map((mention) =>
      antecedents(mention).map(({ end, antecedent }) => [end?.index ?? null, antecedent?.index ?? null]))""")
    spans = [mention.span for mention in response.mentions]
    assert len(said) == len(key.mentions) > 40
    assert [each[0] for each in said] == [[at, antecedent(key, at)] for at in range(len(key.mentions))]
    twins = [spans.index(mention.span) if mention.span in spans else None for mention in key.mentions]
    exact = [(each[1], twin) for each, twin in zip(said, twins, strict=True) if twin is not None]
    assert [each for each, _ in exact] == [[twin, antecedent(response, twin)] for _, twin in exact]


def test_arcs_are_drawn_on_demand_and_end_at_their_mentions(show, tale):
    html, _ = tale
    page = show(html, "#/doc/1/key/4/3", reduced_motion="reduce")  # the oven: he said that [the oven] ... seen [it]
    assert page.locator(".arc").count() == 0
    page.keyboard.press("a")
    seen(page)
    page.wait_for_timeout(300)
    assert page.evaluate("location.hash").endswith("?arcs=1")
    box = page.locator(".label.here").bounding_box()
    start = page.locator(".arc.of-key path").evaluate("(path) => { const { x, y } = path.getPointAtLength(0); "
                                                      "const box = path.ownerSVGElement.getBoundingClientRect(); "
                                                      "return [box.left + x, box.top + y] }")  # fmt: skip
    assert box["x"] <= start[0] <= box["x"] + box["width"]
    assert abs(start[1] - box["y"]) < 3
    page.keyboard.press("a")
    seen(page)
    assert page.locator(".arc").count() == 0


def test_the_timeline_has_the_mentions_of_each_entity_in_the_colours_of_the_response(show, tale):
    html, evaluation = tale
    key = evaluation.evidence.aligned[0][0]
    page = show(html, "#/doc/1?timeline=1")
    page.locator(".timeline .more").click()
    labels = page.locator(".line-picture").evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))")
    sizes = sorted((key.mentions.owners.count(each) for each in range(len(key.names))), reverse=True)
    assert [int(each.split(": ")[1].split()[0]) for each in labels[:-1]] == sizes
    marks = scoref.Analysis(evaluation).marks(0)
    missing = [int(number) for label in labels for number in re.findall(r"(\d+) not found", label)]
    assert sum(missing) == marks[0].count("unmatched") == page.locator(".tick.missing").count()
    assert labels[-1].startswith(f"{marks[1].count('unmatched')} mentions that the key does not have")


def test_a_click_on_the_timeline_goes_there(show, tale):
    html, _ = tale
    page = show(html, "#/doc/1")
    page.keyboard.press("t")
    seen(page)
    tick = page.locator(".line-picture").first.locator(".tick").nth(2)
    tick.click()
    seen(page)
    assert page.evaluate("location.hash").startswith("#/doc/1/key/1/3")
    assert page.locator(".timeline").is_visible()
    page.locator(".line-picture").first.click(position={"x": 700, "y": 3})
    seen(page)
    assert "/word/" in page.evaluate("location.hash")
