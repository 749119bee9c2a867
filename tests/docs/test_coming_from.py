"""The page for those who come from other scorers: old and new command have the same numbers.

The old numbers (`text` blocks) were printed by the other programs. The new ones (`console` blocks) are printed by
scoref: test_console_examples.py runs these commands.
"""

from __future__ import annotations

import re

import pytest

from places import ROOT

PAGE = ROOT / "docs" / "coming-from.md"
SECTIONS = dict(
    re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
)


def numbers(section: str, language: str) -> list[float]:
    """The numbers with digits behind the point, in percent."""
    blocks = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    found = re.findall(r"(?<![\w.])\d+\.\d+(?![\w.]*\.)", "\n".join(blocks))
    return [float(each) * (100 if each.startswith("0.") else 1) for each in found]


@pytest.mark.parametrize("title", [title for title, section in SECTIONS.items() if "```text" in section])
def test_every_number_of_the_old_program_is_printed_now(title):
    old, new = numbers(SECTIONS[title], "text"), numbers(SECTIONS[title], "console")
    assert old
    for number in old:
        assert min(abs(number - other) for other in new) <= 0.01 + 1e-9, number  # the Perl scorer cuts digits off


def test_eight_scorers_are_there():
    assert sum("```text" in section for section in SECTIONS.values()) == 8
