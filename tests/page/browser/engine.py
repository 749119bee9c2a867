"""Runs the scripts of pages outside of a page: by node where it is there, else in Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess

import paging
from scoref.page import build as viewer

PURE = (
    "assign.js",
    "counting.js",
    "averages.js",
    "edits.js",
    "edited.js",
    "writing.js",
)  # they know nothing of browsers

# What a test asks: for each list of edits the scores of the corpus, or why they are refused.
DRIVER = """
function scoresAfterEdits({ overview: data, chunks, system, lists }) {
  overview = data;
  const changing = data.changing[system];
  const responses = chunks.map((chunk) => responseOf(chunk, system));
  return lists.map((edits) => {
    const found = [];
    for (const [number, response] of responses.entries()) {
      const here = edits.filter((edit) => Number(edit.split(".")[2]) === number);
      if (!here.length) continue;
      const state = changed(response, here);
      if (state.failed.length) return { failed: state.failed };
      const refused = refusalOf(state, changing);
      if (refused) return { refused };
      found.push([number, changed(response, []), state]);
    }
    return finishedScores(sumsAfter(changing, found), changing);
  });
}

function scoresOfDocuments({ overview: data, chunks, lists }) {
  overview = data;
  const [changing] = data.changing;
  return lists.map((edits) => {
    const state = changed(responseOf(chunks[edits[0].split(".")[2]], 0), edits);
    if (state.failed.length) return state.failed;
    return finishedScores([addendsOf(countsAfter(state, changing), changing)], changing);
  });
}

function writtenAfterEdits({ overview: data, chunks, system, lists }) {
  overview = data;
  return lists.map((edits) => chunks.map((chunk, number) => {
    const here = edits.filter((edit) => Number(edit.split(".")[2]) === number);
    const response = responseOf(chunk, system);
    const state = response && changed(response, here);
    const refused = unwritable(chunk, system, state);
    if (refused) return { refused };
    const written = writtenResponse(chunk, system, state, data.documents[number][0]);
    const refusedAsConll = unwritableAsConll(written);
    const conll = refusedAsConll ? null : conllLines(written);
    return { json: jsonLine(written), conll, refusedAsConll, failed: state.failed };
  }));
}

function documentsAfterEdits({ overview: data, chunks, lists }) {
  overview = data;
  return lists.map((edits) => {
    const state = changed(responseOf(chunks[edits[0].split(".")[2]], 0), edits);
    return editedChunk(state, data.changing[0]);
  });
}

const letters = (number) => `${number}`;
"""


def unpacked(page):
    """The data of a page: its overview, and its documents."""
    data = paging.unpacked(page)
    chunks = [data[f"document-{number}"] for number in range(len(data["overview"]["documents"]))]
    return data["overview"], chunks


def case(evaluations, lists, system=0):
    """What the driver is given: the data of the page of these evaluations, and lists of edits."""
    overview, chunks = unpacked(viewer.page(evaluations))
    return {"overview": overview, "chunks": chunks, "system": system, "lists": lists}


class Engine:
    """Calls a function of the scripts with every value of a list; `browser` is a function that gives Chromium."""

    def __init__(self, browser):
        scripts = "\n".join(viewer.asset(name) for name in PURE)
        self.source = f'"use strict";\nvar overview = null;\n{scripts}\n{DRIVER}'
        self.node = shutil.which("node")
        self.browser = browser

    def call(self, function, values):
        if not self.node:
            page = self.browser().new_page()
            try:
                return page.evaluate(f"(values) => {{ {self.source}\nreturn values.map({function}); }}", values)
            finally:
                page.close()
        given = json.dumps(json.dumps(values))
        ending = f"process.stdout.write(JSON.stringify(JSON.parse({given}).map({function})));"
        run = subprocess.run(
            [self.node, "-"], input=f"{self.source}\n{ending}", capture_output=True, text=True, check=True
        )
        return json.loads(run.stdout)
