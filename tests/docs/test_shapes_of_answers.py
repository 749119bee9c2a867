"""The table of shapes on the page about language models: each answer in it says the whole key."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import scoref
from places import ROOT
from scoref.prompting.shapes import EXAMPLE

PAGE = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("### Shapes\n")[2].partition("\n### ")[0]
ROWS = [each.replace("\\|", "|") for each in re.findall(r"^\| `(.+?)` \| ", TABLE, re.MULTILINE)]
KEY = replace(EXAMPLE, id="key")


def test_the_page_speaks_of_this_text():
    assert len(ROWS) >= 25
    sentence = " ".join(KEY.words).replace(" ,", ",").replace(" .", ".")
    assert f"*{sentence}*" in TABLE


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("around", ["{}", "<think>She is Ada.</think>\nSure! Here it is:\n\n{}\n\nI hope that helps!"])
def test_each_shape_is_read(row, around):
    result = scoref.score(KEY, scoref.answer(around.format(row.replace("↵", "\n"))))
    assert [result[metric].f1 for metric in ("mentions", "muc", "b3", "ceafe")] == [1, 1, 1, 1]
