"""What the tests of the page in a browser share: small documents, and how one gets around in a page."""

from __future__ import annotations

import re

import pytest

from scoref.document.document import Document, Mention, stretch

WAIT = 10_000  # milliseconds; nothing here takes so long
HOSTILE = "<script>alert(1)</script>"


def document(id, words, entities, **more):
    """A document in which a mention is a pair of first and last word."""
    mentions = [Mention(stretch(*span), name) for name, spans in entities.items() for span in spans]
    return Document(id, tuple(words), tuple(mentions), **more)


WORDS = "Ada met the old man and his dog . She liked it .".split()  # noqa: SIM905
KEY = document(
    "tale", WORDS, {"ada": [[0, 0], [9, 9]], "man": [[2, 4], [6, 6]], "dog": [[6, 7], [11, 11]]}, sentences=(0, 9)
)
# her man is in two parts, one of them with Ada; `it` is not found
RESPONSE = document("tale", WORDS, {"x": [[0, 0], [9, 9], [6, 6]], "y": [[2, 4]], "z": [[6, 7]]}, sentences=(0, 9))
OTHER = document("other tale", ["He", "slept", "."], {1: [[0, 0]]}, sentences=(0,))


# A text has its first words a moment after its sentences: these are drawn when the browser says that they are near.
DRAWN = """() => (!document.querySelector(".pack .sentence") || document.querySelector(".word") !== null)
  && !document.querySelector(".context mark bdi:empty")"""
READY = f"""() => decodeURIComponent(document.documentElement.dataset.ready) === decodeURIComponent(location.hash)
  && ({DRAWN})()"""


def seen(page, ready=READY):
    """Waits until the page shows what its address asks for; its policy lets no library wait inside of it."""
    for _ in range(WAIT // 20):
        if page.evaluate(ready):
            return page
        page.wait_for_timeout(20)
    raise TimeoutError(page.url)


def go(page, place):
    page.evaluate("(place) => { location.hash = place }", place)
    return seen(page)


def again(page, place):
    """Opens the page anew at another address, as from a bookmark."""
    file = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(file + place)
    page.wait_for_selector("html[data-ready]")
    return seen(page, DRAWN)


def violations(page):
    """What axe finds wrong in the page: each rule, with the first of the elements that break it."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="pip install axe-playwright-python")
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.AXE_SCRIPT)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then((found) => found.violations)")
    return [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found]


def documents(page):
    return page.get_by_role("region", name="Documents")


def names(page):
    return documents(page).locator("tbody th").all_inner_texts()


def address(page):
    return page.evaluate("location.hash")


def luminance(page, selector):
    colour = page.evaluate("(selector) => getComputedStyle(document.querySelector(selector)).backgroundColor", selector)
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# for each word on the screen: the word, its distance from the edge of its line, and that in a paragraph of plain text
PLAIN = """(() => {
  const found = [];
  for (const line of document.querySelectorAll(".line")) {
    const words = [...line.querySelectorAll(".word")];
    const text = [...line.querySelectorAll(".word, .blank")].length ? textOfLine(line) : "";
    const plain = document.createElement("p");
    plain.textContent = text;
    plain.style.cssText = `position: absolute; left: 0; top: 0; overflow-wrap: anywhere; white-space: pre-line;
      width: ${line.getBoundingClientRect().width}px`;
    line.parentNode.append(plain);
    let at = 0;
    for (const word of words) {
      at = text.indexOf(word.textContent, at);
      const range = document.createRange();
      range.setStart(plain.firstChild, at);
      at += word.textContent.length;
      range.setEnd(plain.firstChild, at);
      const [here, there] = [word, range].map((each) => [...each.getClientRects()]
        .reduce((a, b) => (b.width > a.width ? b : a))); // WebKit gives empty ones, too
      found.push([word.textContent, here.left - line.getBoundingClientRect().left,
        there.left - plain.getBoundingClientRect().left]);
    }
    plain.remove();
  }
  return found;
  function textOfLine(line) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let text = "";
    while (walker.nextNode()) {
      const { parentNode, textContent } = walker.currentNode;
      if (!parentNode.closest(".bar")) text += textContent;
    }
    return text;
  }
})()"""


def stands(page):
    """Where each word stands, and where it would in plain text; lines are laid out anew when the width has changed."""
    for _ in range(WAIT // 20):
        if found := page.evaluate(PLAIN):
            return found
        page.wait_for_timeout(20)
    raise TimeoutError(page.url)
