"""The views of the whole corpus, and reading: tangles, errors, systems against each other, search, texts."""

from __future__ import annotations

import pytest
from page_browser import KEY, OTHER, RESPONSE, WORDS, address, document, go, overflow, seen

import scoref
from places import EXAMPLES
from scoref.document.document import Document, Mention, stretch
from scoref.page import build as viewer

TALES = EXAMPLES / "tales"


@pytest.fixture(scope="module")
def tales():
    files = {name: TALES / f"{name}.conll" for name in ("rules", "model")}
    comparison = scoref.compare(TALES / "key.conll", files, trials=50)
    return viewer.page(comparison.systems, comparison), comparison


def rows(page):
    """How many errors the table says that it shows."""
    return int(page.locator("main [role=status]").first.inner_text().split()[0].replace(",", ""))


def test_every_count_of_the_first_view_leads_to_its_errors(show, tales):
    html, comparison = tales
    page = show(html)
    counts = scoref.Analysis(comparison.systems["rules"]).counts()
    assert any(counts.values())
    for kind, number in counts.items():
        if not number:
            continue
        go(page, "#/")
        page.locator(".waterfall tr", has_text=kind).get_by_role("link").click()
        seen(page)
        assert rows(page) == number
        assert page.get_by_label("Kind").input_value() == kind


@pytest.mark.parametrize("status", ["", "&status=broken"])
@pytest.mark.parametrize("mode", ["", "side", "differences", "all", "against"])
def test_every_mode_fits_a_phone_and_counts_the_errors_that_are_stepped_through(show, tales, mode, status):
    html, _ = tales
    page = show(html, f"#/doc/1?mode={mode}{status}", width=390, height=844)
    assert overflow(page) <= 0
    chosen = page.locator("#kind option").all_inner_texts()
    numbers = [int(text.rpartition("(")[2].rstrip(")")) for text in chosen]
    assert numbers[0] == sum(numbers[1:]) == int(page.locator(".errors .where").inner_text().split("/")[1])


COUNTS = """() => [...document.querySelectorAll('main a[href^="#/errors"]')]
  .map((link) => [link.getAttribute("href"), /^[\\d,]+/.exec(link.textContent.trim())?.[0]])
  .filter(([, number]) => number)"""

SIDES = {
    "several systems": (TALES / "key.conll", [TALES / "rules.conll", TALES / "model.conll"], {}),
    "the corpus": (TALES / "key.conll", [TALES / "rules.conll"], {"scope": "corpus"}),
    "all layers": (EXAMPLES / "key.conllua", [EXAMPLES / "response.conllua"], {"layer": "all"}),
    "nuggets": (EXAMPLES / "nuggets/key", [EXAMPLES / "nuggets/response"], {}),
}


@pytest.mark.parametrize("name", SIDES)
def test_every_count_that_is_a_link_opens_a_table_with_as_many_rows(show, name):
    key, responses, choices = SIDES[name]
    html = scoref.report(key, {file.stem: file for file in responses}, trials=20, **choices)
    page = show(html)
    views = ["#/", "#/doc/1", *(["#/?system=2", "#/compare"] if len(responses) > 1 else [])]
    counts = {}
    for view in views:
        go(page, view)
        counts |= {address: int(number.replace(",", "")) for address, number in page.evaluate(COUNTS)}
    assert len(counts) > 5
    found = {address: rows(go(page, address)) for address in counts}
    assert found == counts


def test_breakdowns_count_the_errors_of_each_group(show, tales):
    html, comparison = tales
    page = show(html)
    analysis = scoref.Analysis(comparison.systems["rules"])
    page.locator("summary", has_text="Breakdowns").click()
    for field in ("form", "position", "distance", "size"):
        table = page.get_by_role("region", name=f"mentions by {field}")
        cells = [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]
        assert sum(int(each[-1]) for each in cells) == len(analysis.errors)


def test_what_it_should_be_is_searched_and_sorted(show, tales):
    html, comparison = tales
    page = show(html, "#/errors?sort=should")
    mistakes = list(scoref.Analysis(comparison.systems["rules"]).mistakes())
    column = page.locator("thead th").all_inner_texts().index("should be")
    shown = [row.split("\t")[column] for row in page.locator("tbody tr").all_inner_texts()]
    numbers = [int(each.split()[0]) for each in shown if each.split()[0].isdigit()]
    assert numbers == sorted(numbers)
    assert len(shown) == len(mistakes)
    page.get_by_label("Should be", exact=True).fill("no such")
    page.wait_for_timeout(300)
    assert rows(page) == sum("no such" in mistake.should for mistake in mistakes) > 0
    assert "should=no+such" in address(page)


def test_errors_are_filtered_searched_and_sorted_and_the_address_says_so(show, tales):
    html, comparison = tales
    page = show(html, "#/errors")
    mistakes = list(scoref.Analysis(comparison.systems["rules"]).mistakes())
    assert rows(page) == len(mistakes)
    page.get_by_label("Words", exact=True).fill("he")
    page.wait_for_timeout(300)
    assert rows(page) == sum("he" in mistake.mentions[0].text.lower() for mistake in mistakes)
    page.get_by_role("button", name="document", exact=True).click()
    assert address(page) == "#/errors?words=he&sort=document"
    same = show(html, address(page))
    assert rows(same) == rows(page)
    assert same.locator("th[aria-sort]").inner_text() == page.locator("th[aria-sort]").inner_text()


def test_a_row_leads_to_its_error_in_the_text(show, tales):
    html, _ = tales
    page = show(html, "#/errors")
    page.locator("mark").first.wait_for()
    words = page.locator("mark").first.inner_text()
    page.get_by_role("region", name="Errors").locator("tbody a").first.click()
    seen(page)
    assert "/error/" in address(page)
    assert words in page.locator(".card-error").inner_text()


def test_statuses_of_errors_are_those_of_the_library(show, tales):
    from scoref.errors.listing import changes

    html, comparison = tales
    found = changes(*map(scoref.Analysis, comparison.systems.values()), both=True)
    page = show(html, "#/compare")
    for status, said in (("fixed", "fixed"), ("broken", "broken"), ("both", "wrong in both")):
        number = sum(change.status == said for change in found)
        assert page.locator(f".changes .is-{status}").inner_text() == f"{number} {said}"
        again = go(page, f"#/errors?status={status}&against=2")
        assert rows(again) == number
        go(page, "#/compare")


def test_a_text_shows_what_another_system_fixes_and_breaks(show, tales):
    html, _ = tales
    page = show(html, "#/doc/1?mode=against&status=broken")
    numbers = page.locator(".rivals .segments b").all_inner_texts()
    assert int(numbers[0]) == sum(map(int, numbers[1:]))
    page.keyboard.press("n")
    seen(page)
    assert page.locator(".card-error .status").inner_text() == "broken"


def test_tangles_are_ranked_as_by_the_library_and_lead_to_the_text(show, tales):
    html, comparison = tales
    page = show(html, "#/tangles")
    costs = [100 * each.cost["conll"] for each in scoref.Analysis(comparison.systems["rules"]).tangles]
    shown = [float(text) for text in page.locator(".tangle .cost").all_inner_texts()]
    assert shown == pytest.approx(costs[: len(shown)], abs=0.006)
    page.locator(".tangle .cover").first.click()
    seen(page)
    assert address(page).endswith("/tangle/1")
    assert page.locator(".panel svg.ribbons").count() == 1
    assert page.locator(".text .bar.on").count() > 0


def test_an_error_says_what_is_right_and_lights_both(show, small):
    page = show(small, "#/doc/1")
    page.get_by_label("Kind of error").select_option("conflated entities")
    page.locator("body").press("n")
    seen(page)
    said = " ".join(page.locator(".card-error p").first.inner_text().split())
    assert said == "his is in 1 Ada; the key has it in 2 the old man"
    lit = page.locator(".bar.on").evaluate_all("(bars) => [...new Set(bars.map((bar) => bar.dataset.e))].length")
    assert lit == 3  # Ada on both sides, the man


def test_words_are_found_in_all_texts(show, small):
    page = show(small, "#/search?words=the+OLD")
    page.get_by_text("1 place in 1 document").wait_for()
    page.locator(".hits a").click()
    seen(page)
    assert page.locator(".word.found").inner_text() == "the"


def test_a_copied_sentence_is_the_sentence(show):
    key = Document("d", tuple(WORDS), KEY.mentions, KEY.sentences, {"MISC": ["_"] * 7 + ["SpaceAfter=No"] + ["_"] * 5})
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    copied = page.evaluate("""() => {
      getSelection().selectAllChildren(document.querySelector(".line"));
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), cancelable: true, bubbles: true });
      document.querySelector(".line").dispatchEvent(event);
      return event.clipboardData.getData("text/plain");
    }""")
    assert copied == "Ada met the old man and his dog."


def test_another_mode_or_system_keeps_place_and_entity(show, tales):
    html, _ = tales
    page = show(html, "#/doc/1/key/6", height=500)
    name = page.locator(".panel h2").inner_text()
    page.get_by_role("button", name="side by side").click()
    assert seen(page).locator(".panel h2").inner_text() == name
    page.get_by_label("System").select_option("model")
    seen(page)
    page.wait_for_timeout(100)
    assert address(page) == "#/doc/1/key/6?system=2&mode=side"
    assert page.locator(".panel h2").inner_text() == name
    page.keyboard.press("Escape")
    seen(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    top = (
        "() => [...document.querySelectorAll('.sentence')].find((each) => each.getBoundingClientRect().bottom > 130).at"
    )
    before = page.evaluate(top)
    assert before > 0
    page.get_by_role("button", name="stacked").click()
    seen(page)
    assert abs(page.evaluate(top) - before) <= 1


def test_keys_go_from_mention_to_mention_of_an_entity(show, small):
    page = show(small, "#/doc/1/key/ada")
    page.keyboard.press(".")
    assert address(seen(page)) == "#/doc/1/key/ada/2"
    page.keyboard.press(",")
    assert address(seen(page)) == "#/doc/1/key/ada"


def test_errors_are_stepped_through_on_a_phone(show, tales):
    html, _ = tales
    page = show(html, "#/doc/1", width=390, height=844, has_touch=True)
    page.evaluate("scrollTo(0, 600)")
    for step in range(1, 4):
        page.get_by_role("button", name="Next error (n)").tap()
        seen(page)
        box = page.locator(".label.here").bounding_box()
        assert 50 < box["y"] < page.locator(".panel").bounding_box()["y"], step


def test_the_words_that_differ_are_marked(show):
    key = document("d", WORDS, {1: [[2, 4], [9, 9]]})
    page = show(
        viewer.page({"r": scoref.score([key], [document("d", WORDS, {1: [[3, 4], [9, 9]]})])}), "#/doc/1/error/1"
    )
    assert page.locator(".card-error ins").first.inner_text() == "the"
    assert page.locator(".word.differs").all_inner_texts() == ["the"]


def test_forced_colours_keep_the_bars(show, small):
    page = show(small, "#/doc/1", forced_colors="active")
    style = "(bar) => getComputedStyle(bar, '::before').borderBlockStartWidth"
    assert page.locator(".bar:not(.wrong)").first.evaluate(style) == "4px"


def test_entities_of_several_documents_are_linked(show):
    parts = [document(name, WORDS, {"ada": [[0, 0], [9, 9]], "man": [[2, 4]]}) for name in ("one", "two")]
    lacking = [document(name, WORDS, {"ada": [[0, 0], [9, 9]]}) for name in ("one", "two")]
    evaluation = scoref.score(parts, lacking, scope="corpus")
    page = show(viewer.page({"r": scoref.with_intervals(evaluation, 20)}), "#/doc/1/key/ada")
    page.get_by_text("2 mentions in 1 other document").wait_for()
    page.locator(".mentions a").first.click()
    seen(page)
    assert address(page) == "#/doc/2/key/ada"
    go(page, "#/")
    assert "interval" not in page.locator(".one-number").inner_text()
    costliest = page.locator(".view", has_text="the costliest first").locator("tbody a")
    assert costliest.count() > 0


def test_a_long_list_can_be_read_to_its_end(show):
    words = ["w"] * 400
    key = document("d", words, {1: [[n, n] for n in range(200)], 2: [[300, 300], [301, 301]]})
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1/key/1")
    more = page.locator(".mentions").first.locator(".more")
    assert more.inner_text() == "140 more"
    more.click()
    assert page.locator(".mentions").first.locator("li").count() == 200


def test_an_opaque_mention_needs_no_place(show):
    html = viewer.page({"r": scoref.score([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])})
    page = show(html, "#/errors")
    assert rows(page) > 0
    for place in ("#/tangles", "#/doc/1/error/1", "#/doc/1/tangle/1"):
        assert go(page, place).locator("[role=alert]").count() == 0


def test_two_scripts_never_define_the_same_name():
    import re

    names = []
    for path in viewer._ASSETS.glob("*.js"):
        names += re.findall(r"^(?:async )?(?:function|const|let) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(names) == len(set(names))


def test_speakers_are_shown(show):
    mentions = tuple(Mention(stretch(place, place), 1) for place in (0, 9))
    key = Document("d", tuple(WORDS), mentions, (0, 9), comments=((0, "# speaker = Bo"), (9, "# speaker = <b>Cy</b>")))
    page = show(viewer.page({"r": scoref.score([key], [key])}), "#/doc/1")
    speakers = page.locator(".turn").evaluate_all("(all) => all.map((each) => each.dataset.speaker)")
    assert speakers == ["Bo", "<b>Cy</b>"]


def test_documents_without_mentions_are_last(show):
    empty = document("a", ["Nobody", "came"], {})
    page = show(viewer.page({"r": scoref.score([empty, KEY, OTHER], [empty, RESPONSE, OTHER], singletons="keep")}))
    listed = page.get_by_role("region", name="Documents").locator("tbody tr").all_inner_texts()
    assert listed[-1].split()[:2] == ["a", "–"]


def fares(comparison, number):
    """How two systems fare with each mention of a document, from the marks of the library, one by one."""
    one, two = map(scoref.Analysis, comparison.systems.values())
    found = []
    marks = [each.marks(number) for each in (one, two)]
    documents = [each.evaluation.evidence.aligned[number] for each in (one, two)]
    for at in range(len(documents[0][0].mentions)):
        found.append(tuple(side[0][at] != "right" for side in marks))
    only = {}
    for system in range(2):
        for mention, mark in zip(documents[system][1].mentions, marks[system][1], strict=True):
            if mark in ("unmatched", "wrong span"):
                only.setdefault(mention.span, [False, False])[system] = True
    names = {(True, False): "fixed", (False, True): "broken", (True, True): "both", (False, False): "neither"}
    return [names[each] for each in [*found, *map(tuple, only.values())]]


@pytest.mark.parametrize("number", [0, 1])
def test_filters_of_two_systems_agree_with_the_marks(show, tales, number):
    html, comparison = tales
    page = show(html)
    expected = fares(comparison, number)
    of_key = expected[: len(comparison.systems["rules"].evidence.aligned[number][0].mentions)]
    numbers, drawn = {}, {}
    for fare in ("fixed", "broken", "both", "neither"):
        go(page, f"#/doc/{number + 1}?mode=against&status={fare}")
        numbers[fare] = int(page.locator(f".rivals .is-{fare} b").inner_text())
        page.evaluate("reading.blocks.forEach(fill)")
        shown = page.locator(".text .bar.starts:not(.unasked)").evaluate_all("(all) => all.map((bar) => bar.dataset.m)")
        drawn[fare] = sum(each.startswith("k:") for each in shown)
    assert numbers == {fare: expected.count(fare) for fare in numbers}
    assert drawn == {fare: of_key.count(fare) for fare in drawn}


def test_halves_of_a_bar_and_signs_are_of_their_system(show, tales):
    html, comparison = tales
    page = show(html, "#/doc/1?mode=against")
    page.evaluate("document.querySelectorAll('.rest').forEach((each) => each.click())")
    page.evaluate("reading.blocks.forEach(fill)")
    drawn = page.locator(".bar.of-key.starts").evaluate_all("""(bars) => bars.map((bar) => [
      Number(bar.dataset.m.slice(2)),
      [...bar.querySelectorAll('.half-bar')].map((half) => half.classList.contains('wrong')),
      bar.querySelector('.mark')?.textContent || ""])""")
    marks = [scoref.Analysis(each).marks(0)[0] for each in comparison.systems.values()]
    assert len(drawn) == len(marks[0])
    assert {at: halves for at, halves, _ in drawn} == {
        at: [one != "right", two != "right"] for at, (one, two) in enumerate(zip(*marks, strict=True))
    }
    signed = {at: {part[0] for part in signs.split()} for at, _, signs in drawn if signs}
    wrong = {at: {letter for letter, is_wrong in zip("AB", halves, strict=True) if is_wrong} for at, halves, _ in drawn}
    assert len(signed) > 10
    assert [at for at in signed if not signed[at] <= wrong[at]] == []
