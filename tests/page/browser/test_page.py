"""The HTML page in a browser: what is seen, clicked and typed."""

from __future__ import annotations

import re

import pytest
from page_browser import (
    HOSTILE,
    KEY,
    OTHER,
    RESPONSE,
    WORDS,
    address,
    again,
    document,
    documents,
    go,
    luminance,
    names,
    overflow,
    seen,
)

import scoref
from places import EXAMPLES
from scoref.document.document import Document, Mention, position
from scoref.errors.other_layers import nugget_rows
from scoref.page import build as viewer

# -- overview --------------------------------------------------------------------------------------------------------


def test_the_overview_shows_the_scores(show, small):
    page = show(small)
    evaluation = scoref.score([KEY, OTHER], [RESPONSE, OTHER])
    rows = page.locator("table.scores tbody tr").all_inner_texts()
    for row, (metric, score) in zip(rows, evaluation.scores.items(), strict=True):
        name = {"muc": "MUC", "b3": "B³", "ceafe": "CEAFe", "conll": "CoNLL"}.get(metric, metric)
        assert row.split()[:4] == [name, *(f"{100 * value:.2f}" for value in score)]
    assert page.locator(".signature code").text_content() == evaluation.signature
    assert set(names(page)) >= {"tale", "other tale"}


def many(number):
    """Documents of which the last ones have more words; every third one is found, of the others nothing."""
    key = [document(f"text {n:03}", ["w"] * (10 + n), {"a": [[0, 0], [1, 1]]}) for n in range(number)]
    response = [each if n % 3 == 0 else document(each.id, each.words, {}) for n, each in enumerate(key)]
    return viewer.page({"mine": scoref.score(key, response)})


@pytest.fixture(scope="module")
def large():
    return many(500)


def test_500_documents_are_listed_and_scroll(show, large):
    page = show(large)
    assert documents(page).locator("tbody tr").count() < 120  # only those in sight are drawn
    documents(page).get_by_role("button", name="document", exact=True).click()
    assert names(page)[:2] == ["text 000", "text 001"]
    page.locator(".scrolls.many").evaluate("(box) => { box.scrollTop = box.scrollHeight }")
    page.get_by_role("link", name="text 499").wait_for()
    assert documents(page).locator("tbody tr").count() < 120


def test_documents_are_filtered_by_name(show, large):
    page = show(large)
    page.get_by_label("Filter documents by name").fill("TEXT 12")
    page.get_by_text("10 of 500 documents").wait_for()
    assert sorted(names(page)) == [f"text {number}" for number in range(120, 130)]


def test_a_bar_of_the_histogram_shows_its_documents(show, large):
    page = show(large)
    found = sum(number % 3 == 0 for number in range(500))
    bar = page.get_by_role("button", name=f"CoNLL from 95 to 100: {found} documents")
    bar.click()
    page.get_by_text(f"{found} of 500 documents").wait_for()
    assert bar.get_attribute("aria-pressed") == "true"
    assert all(int(name.split()[1]) % 3 == 0 for name in names(page))
    bar.press("Enter")
    assert bar.get_attribute("aria-pressed") == "false"


def test_the_list_stays_as_it_was_left(show, large):
    page = show(large)
    page.get_by_label("Filter documents by name").fill("9")
    page.get_by_text("of 500 documents").wait_for()
    documents(page).get_by_role("button", name="words").click()
    before = names(page)
    documents(page).get_by_role("link").first.click()
    assert seen(page).locator("h1").inner_text() == before[0]
    page.go_back()
    seen(page)
    assert page.get_by_label("Filter documents by name").input_value() == "9"
    assert names(page)[:12] == before[:12]


def test_columns_sort(show):
    page = show(many(20))
    expected = [f"text {number:03}" for number in range(20)]
    head = documents(page).locator("th", has=page.get_by_role("button", name="words"))
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert names(page) == expected[::-1]
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert names(page) == expected


# -- a document ------------------------------------------------------------------------------------------------------


def test_a_document_is_opened_and_left_again(show, small):
    page = show(small)
    documents(page).get_by_role("link", name="tale", exact=True).click()
    seen(page)
    assert page.locator("h1").inner_text() == "tale"
    assert "".join(page.locator(".word").all_text_contents()) == "".join(WORDS)
    page.go_back()
    page.get_by_role("heading", name="Documents").wait_for()
    page.go_forward()
    page.locator("h1", has_text="tale").wait_for()


def label(page, text, side):
    """The label of the mention that begins at a word."""
    cell = page.locator(".cell", has=page.locator(f'.word:text-is("{text}")'))
    return cell.locator(f".bar.of-{side} .label").first


def colours(page):
    """The colours of some labels."""
    places = [
        ("Ada", "key"),
        ("Ada", "response"),
        ("She", "key"),
        ("She", "response"),
        ("the", "key"),
        ("the", "response"),
    ]
    return {place: label(page, *place).evaluate("(element) => getComputedStyle(element).color") for place in places}


def lit(before, after):
    return {place for place, colour in after.items() if colour == before[place]}


ADA = {(word, side) for word in ("Ada", "She") for side in ("key", "response")}
MAN = {("the", "key"), ("the", "response")}


def test_an_entity_lights_up_under_the_pointer(show, small):
    page = show(small, "#/doc/1")
    before = colours(page)
    label(page, "Ada", "key").hover()
    assert lit(before, colours(page)) == ADA
    panel = page.locator(".panel")
    assert "2 mentions" in panel.inner_text()
    assert "2 / 2 = 100.00" in panel.inner_text()  # both are together: the recall of B³
    page.mouse.move(5, 5)
    assert colours(page) == before


def test_a_click_keeps_an_entity_and_escape_lets_go(show, small):
    page = show(small, "#/doc/1")
    before = colours(page)
    label(page, "the", "key").click()
    assert address(seen(page)) == "#/doc/1/key/man"
    page.mouse.move(5, 5)
    assert lit(before, colours(page)) == MAN
    assert page.locator(".panel h2").inner_text().split() == ["2", "key", "the", "old", "man"]
    page.keyboard.press("Escape")
    assert address(seen(page)) == "#/doc/1"
    assert colours(page) == before


def test_partners_have_the_same_label_and_colour(show, small):
    page = show(small, "#/doc/1")
    ours, theirs = label(page, "Ada", "key"), label(page, "Ada", "response")
    assert ours.inner_text() == theirs.inner_text() == "Ada"
    colour = "(element) => getComputedStyle(element).backgroundColor"
    assert ours.evaluate(colour) == theirs.evaluate(colour) != label(page, "the", "key").evaluate(colour)


def test_keys_go_from_error_to_error(show, small):
    page = show(small, "#/doc/1")
    kinds = []
    for _ in range(3):
        page.keyboard.press("n")
        seen(page)
        kinds.append(page.locator("#live").inner_text().split(":")[0])
        assert "/error/" in address(page)
    assert sorted(kinds) == ["conflated entities", "divided entity", "missing mention"]
    page.keyboard.press("n")
    seen(page)
    assert page.locator("#live").inner_text().startswith(kinds[0])  # after the last comes the first
    page.keyboard.press("p")
    seen(page)
    assert page.locator("#live").inner_text().startswith(kinds[-1])


def test_the_kind_of_error_is_chosen(show, small):
    page = show(small, "#/doc/1")
    page.get_by_label("Kind of error").select_option("missing mention")
    page.locator("body").press("n")
    assert "1 / 1" in seen(page).locator(".tools").inner_text()
    said = page.locator("#live").inner_text()
    assert re.fullmatch(r"missing mention: \W*it\W* is missing; the key has it in 3 \W*his dog\W*", said)


def test_keys_go_from_document_to_document_and_from_mode_to_mode(show, small):
    page = show(small, "#/doc/1")
    page.keyboard.press("j")
    page.locator("h1", has_text="other tale").wait_for()
    page.keyboard.press("k")
    page.locator("h1", has_text=re.compile("^tale$")).wait_for()
    page.keyboard.press("m")
    assert page.locator(".two").count() == 2  # side by side: both sentences
    page.keyboard.press("m")
    seen(page)
    assert page.locator(".sentence:visible").count() == 2  # both have errors
    page.keyboard.press("?")
    assert page.get_by_role("dialog").get_by_role("heading", name="Help").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()


def test_mentions_are_reached_by_keys(show, small):
    page = show(small, "#/doc/1")
    page.locator(".text .label[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    seen(page)
    assert re.match(r"#/doc/1/(key|response)/", address(page))
    assert (
        focused.split(":")[-1].strip(" \u2068\u2069") == page.locator(".mentions [aria-current] bdi").first.inner_text()
    )


def test_the_first_link_skips_to_the_content(show, small):
    page = show(small, "#/doc/1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert address(page) == "#/doc/1"


def test_differences_leave_out_what_is_right(show):
    sentences = [["she", "slept", "."]] * 9
    words = [word for sentence in sentences for word in sentence]
    starts = tuple(range(0, 27, 3))
    key = document("d", words, {"a": [[0, 0], [3, 3], [12, 12]]}, sentences=starts)
    response = document("d", words, {"a": [[0, 0], [3, 3]]}, sentences=starts)
    page = show(viewer.page({"r": scoref.score([key], [response])}), "#/doc/1?mode=differences")
    assert page.locator(".sentence").count() == 1
    assert page.locator(".rest").all_inner_texts() == ["… 4 sentences", "… 4 sentences"]
    page.locator(".rest").first.click()
    assert page.locator(".sentence").count() == 5


@pytest.mark.parametrize("place", ["#/doc/1/key/man/2", "#/doc/tale/key/man/2"])
def test_an_address_leads_to_a_mention(show, small, place):
    page = show(small, place)
    assert page.locator(".mentions [aria-current] bdi").first.inner_text() == "his"
    assert "key" in page.locator(".panel h2").inner_text()


@pytest.mark.parametrize("place", ["error/9999", "error/x", "key/zzz", "response/", "nothing"])
def test_an_address_of_nothing_in_a_document_says_so(show, small, place):
    page = show(small, f"#/doc/1/{place}")
    assert page.locator("[role=alert]").inner_text().startswith("There is no ")


def test_an_address_of_nothing_says_so(show, small):
    page = show(small, "#/doc/nowhere")
    assert "nowhere" in page.get_by_role("alert").inner_text()
    assert again(page, "#/nothing").get_by_role("alert").inner_text() == "There is no view ‘nothing’."
    assert again(page, "#/compare").get_by_role("alert").inner_text() == "There is no second system to compare."
    for place in ("", "#", "#/", "#/overview", "#/errors", "#/search"):
        assert not again(page, place).get_by_role("alert").count()
    assert again(page, "#/doc/1/key/nobody").locator("h1").inner_text() == "tale"
    assert again(page, "#/doc/1/error/99").locator("h1").inner_text() == "tale"


ADDRESSES = {
    "#/xyz": "view ‘xyz’", "#/doc/1/word/999999": "word 999999 here", "#/doc/1?mode=upside": "mode ‘upside’",
    "#/doc/1?kind=nonsense": "kind ‘nonsense’", "#/errors?kind=nonsense": "kind ‘nonsense’",
    "#/errors?form=verb": "form ‘verb’ in these errors", "#/errors?sort=nothing": "column ‘nothing’",
    "#/?system=7": "system ‘7’", "#/doc/1?status=toString": "status ‘toString’", "#/errors?colour=red": "colour ‘red’",
    "#/errors?document=99": "document ‘99’", "#/doc/1/key/man/7": "mention 7 of ‘man’", "#/?range=all": "range ‘all’",
    "#/doc/1?mode=against": "mode ‘against’", "#/errors?tangle=999": "tangle ‘999’",
}  # fmt: skip


def test_whatever_an_address_asks_for_in_vain_is_said_and_the_rest_is_shown(show, small):
    page = show(small)
    said = {place: go(page, place).get_by_role("alert").all_inner_texts() for place in ADDRESSES}
    assert said == {place: [f"There is no {what}."] for place, what in ADDRESSES.items()}
    go(page, "#/errors")
    assert page.get_by_role("alert").count() == 0


def test_what_was_left_out_stands_with_the_score_of_a_system(show, tmp_path):
    (tmp_path / "empty.conll").write_text("")
    key, model = (EXAMPLES / "tales" / name for name in ("key.conll", "model.conll"))
    systems = {"model": model, "empty": tmp_path / "empty.conll"}
    html = scoref.report(key, systems, on_problem="skip", metrics=["muc"], trials=10)
    page = show(html)
    cards = page.locator("nav.systems a").all_inner_texts()
    assert ["left out: 1 × empty-file, 4 × missing-document" in card for card in cards] == [False, True]
    scores = show(html, "#/compare").locator("table", has_text="left out").first
    assert "1 × empty-file, 4 × missing-document" in scores.inner_text()


def test_zeros_and_gaps(show):
    spans = [(position(0), position(2)), (position(1, 1),)]
    key = Document("d", ("a", "b", "c"), tuple(Mention(span, 1) for span in spans))
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    assert page.locator(".word").all_text_contents() == ["a", "b", "∅", "c"]
    assert page.locator(".empty").count() == 1
    assert page.locator(".bar.gap.of-key:not(.joint)").count() == 2  # over `b` and the zero


def test_clusters_without_a_text_are_lists(show):
    page = show(viewer.page({"r": scoref.score([["Ada", "she"], ["Bob"]], [["Ada"], ["Bob", "she"]])}), "#/doc/1")
    chips = page.locator(".chips").first.locator(".chip")
    assert [text.split("\n")[-1].lstrip("12").strip(" ‖") for text in chips.all_inner_texts()] == ["Ada", "she", "Bob"]
    chips.first.click()
    assert "/key/" in address(seen(page))


def test_event_nuggets_show_types_and_what_is_wrong_with_them(show):
    pair = EXAMPLES / "nuggets" / "key", EXAMPLES / "nuggets" / "response"
    page = show(viewer.page({"r": scoref.score(*pair)}), "#/doc/1")
    rows = [row for row in nugget_rows(scoref.score(*pair)) if row.document == "fair"]
    wrong = [row for row in rows if row.kind == "wrong type"]
    assert wrong
    for row in wrong:
        types = [dict(place.mention.attributes)["type"] for place in row.mentions]
        drawn = page.locator(".type", has_text=f"{types[0]} → {types[1]} ✗")
        drawn.first.wait_for()
        assert drawn.count() == 1


def test_a_long_document_is_drawn_where_it_is_looked_at(show):
    words = [f"word{number}" for number in range(60_000)]
    starts = tuple(range(0, 60_000, 20))
    key = document(
        "long", words, {n: [[n, n], [n + 30_000, n + 30_001]] for n in range(0, 30_000, 10)}, sentences=starts
    )
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    assert page.locator(".sentence").count() == 3000
    assert 0 < page.locator(".cell").count() < 6000
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.locator('.word:text-is("word59999")').wait_for()
    assert page.locator(".cell").count() < 12_000


def test_sentences_of_errors_are_those_of_the_library(show):
    words = [f"w{number}" for number in range(40)]
    words[20] = words[21]
    key = document("d", words, {"a": [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]], "b": [[5, 5], [6, 6]],
                                "c": [[7, 7], [10, 10], [11, 11]],
                                "d": [[8, 8], [9, 9], [30, 33]], "e": [[20, 20], [21, 21], [22, 22]],
                                "f": [[23, 23], [24, 24]]})  # fmt: skip
    response = document("d", words, {"p": [[0, 0], [5, 5], [6, 6], [15, 15]], "q": [[1, 1], [2, 2], [3, 3], [4, 4]],
                                     "r": [[16, 16], [17, 17], [18, 18], [25, 25]], "s": [[8, 8], [30, 32]],
                                     "t": [[23, 23], [24, 24], [20, 20], [21, 21]], "u": [[19, 19]]})  # fmt: skip
    evaluation = scoref.score([key], [response], singletons="keep")
    errors = scoref.Analysis(evaluation).errors
    assert {error.kind for error in errors} == {*scoref.Analysis(evaluation).kinds}
    assert {len(error.mentions) for error in errors} >= {1, 2, 3, 4}
    page = show(viewer.page({"mine": evaluation}), "#/doc/1")
    said = page.evaluate("reading.model.errors.map((error) => [error.kind, sentenceText(error)])")
    quotes = str.maketrans("‘’", "''", "\u2068\u2069")
    plain = [[kind, text.translate(quotes)] for kind, text in said]
    assert sorted(plain) == sorted([error.kind, error.sentence] for error in errors)


# -- any text, any screen --------------------------------------------------------------------------------------------


def test_names_and_words_stay_text(show):
    words = ["</script>", "<img src=x onerror=alert(1)>", "&amp;", HOSTILE]
    key = document(HOSTILE, words, {HOSTILE: [[0, 1], [3, 3]]})
    html = viewer.page({HOSTILE: scoref.score([key], [document(HOSTILE, words, {"<b>": [[0, 0], [3, 3]]})])})
    page = show(html)
    assert names(page) == [HOSTILE]
    documents(page).get_by_role("link", name=HOSTILE).click()
    seen(page)
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator(".word").all_text_contents() == words
    page.keyboard.press("n")
    seen(page)
    assert page.locator("main img, main script").count() == 0


TEXTS = {
    "arabic": "قال الرئيس إن الوزير الجديد سيزور المدينة غدا ثم يعود الى بيته مع زوجته و اولاده".split(),  # noqa: SIM905
    "chinese": list("小明说他的老师昨天在北京见到了一位著名的作家然后他们一起去吃饭"),
    "emoji": ["👩‍👩‍👧‍👦", "🏳️‍🌈"] * 12,
    "long": ["x" * 300, "word", "y" * 300],
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_wider_than_a_narrow_screen(show, name):
    words = TEXTS[name]
    key = document(name * 20, words, {1: [[0, 0], [1, 2]], 2: [[0, len(words) - 1]]})
    html = viewer.page({name * 9: scoref.score([key], [document(name * 20, words, {1: [[0, 0]]})])})
    page = show(html, width=380, height=700)
    for place in ("#/", "#/doc/1", "#/doc/1?mode=side", "#/doc/1/error/1"):
        go(page, place)
        assert overflow(page) == 0


def test_lines_of_arabic_run_from_right_to_left(show):
    key = document("d", TEXTS["arabic"], {1: [[0, 0], [2, 2]]})
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    places = [cell["x"] for cell in (page.locator(".cell").nth(at).bounding_box() for at in range(4))]
    assert places == sorted(places, reverse=True)


def test_dark_is_chosen_by_the_system_or_by_hand(show, small):
    page = show(small, color_scheme="dark")
    assert luminance(page, "html") < 60
    page.get_by_role("button", name="Colours: auto").click()
    assert luminance(page, "html") > 200
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert luminance(page, "html") > 200


CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element instanceof SVGElement || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.matches(".unseen, .skip, .off, [disabled], noscript, script, style, option")) continue;
    const grounds = [];
    for (let each = element; each; each = each.parentElement) grounds.unshift(getComputedStyle(each).backgroundColor);
    const [a, b] = [light(rgb([...grounds, getComputedStyle(element).color])), light(rgb(grounds))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${element.tagName}.${element.className} ${element.textContent.slice(0, 30)} ${ratio}`);
  }
  return found;
}"""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_all_text_has_contrast(show, colours):
    words = [f"w{number}" for number in range(80)]
    key = document("d", words, {e: [[e, e], [e + 40, e + 40]] for e in range(40)})
    response = document("d", words, {e: [[e, e], [e + 41, e + 41]] for e in range(38)})
    html = viewer.page({"r": scoref.score([key], [response])})
    page = show(html, color_scheme=colours, reduced_motion="reduce")
    places = ("#/", "#/doc/1", "#/doc/1/error/1", "#/doc/1/key/3")
    found = {place: go(page, place).evaluate(CONTRAST) for place in places}
    assert {place: each for place, each in found.items() if each} == {}


NAMELESS = """() => [...document.querySelectorAll("button, a, select, input")].filter((each) =>
  !(each.getAttribute("aria-label") || each.labels?.[0]?.textContent || each.textContent).trim()).length"""


def test_everything_that_is_used_has_a_name(show, small):
    page = show(small)
    for place in ("#/", "#/doc/1/error/1"):
        assert go(page, place).evaluate(NAMELESS) == 0
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.get_by_role("main").count() == 1
        assert page.get_by_role("heading", level=1).count() == 1


def test_all_of_a_text_is_printed(show):
    words = [f"w{number}" for number in range(4000)]
    key = document("d", words, {1: [[0, 0], [3999, 3999]]}, sentences=tuple(range(0, 4000, 10)))
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    assert page.locator(".cell").count() < 4000
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".cell").count() == 4000
    assert not page.locator("#header").is_visible()


# -- several systems -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared():
    """Of ten documents the second system has every second one right, the first one only the last."""
    key = [document(f"d{n}", WORDS, {"a": [[0, 0], [9, 9]], "b": [[2, 4], [6, 6]]}) for n in range(10)]
    wrong = [document(each.id, WORDS, {"a": [[0, 0], [9, 9], [2, 4]], "b": [[6, 6]]}) for each in key]
    one = [*wrong[:9], key[9]]
    two = [key[n] if n % 2 == 0 else wrong[n] for n in range(10)]
    comparison = scoref.compare(key, {"one": one, "two": two}, trials=50)
    return viewer.page(comparison.systems, comparison)


def test_documents_are_compared(show, compared):
    page = show(compared, "#/compare")
    rows = page.locator("section", has=page.get_by_role("heading", name="Documents")).locator("tbody tr")
    order = [row.split()[0] for row in rows.all_inner_texts()]
    assert set(order[:5]) == {"d0", "d2", "d4", "d6", "d8"}  # here the second system is better
    assert order[-1] == "d9"  # here it is worse
    assert rows.locator("svg.diverging.worse").count() == 1
    assert [row.split()[3:5] for row in rows.all_inner_texts()] == [["2", "0"]] * 5 + [["0", "0"]] * 4 + [["0", "2"]]
    rows.last.get_by_role("link").nth(2).click()
    seen(page)
    assert address(page) == "#/doc/10?system=2"
    assert page.locator(".facts").inner_text().endswith("2 errors")
    page.get_by_label("System").select_option("one")
    page.locator(".facts", has_text="0 errors").wait_for()


def test_all_systems_are_shown_below_a_text(show, compared):
    page = show(compared, "#/doc/1?mode=all")
    labels = page.locator(".of-response .label").all_inner_texts()
    assert sum(label.startswith("A") for label in labels) == 4
    assert sum(label.startswith("B") for label in labels) == 4


def test_systems_are_switched_in_the_overview(show, compared):
    page = show(compared)
    assert page.locator(".systems [aria-current] .name").inner_text() == "one"
    page.locator(".systems a", has_text="two").click()
    seen(page)
    assert address(page) == "#/?system=2"
    assert page.locator(".systems [aria-current] .name").inner_text() == "two"


def test_on_a_page_of_annotators_nobody_is_called_key_or_response(show):
    from scoref.page.build import agreement_page

    html = agreement_page(scoref.agreement({"Ann": KEY, "Ben": RESPONSE}))
    page = show(html)
    assert page.inner_text("h1") == "Agreement of Ann and Ben"
    assert "precision" not in page.inner_text("table.scores")
    page = show(html, "#/doc/1?mode=side")
    assert page.inner_text(".columns").split() == ["Ann", "Ben"]
    assert not re.search(r"\b(key|response)\b", page.inner_text(".facts"))
