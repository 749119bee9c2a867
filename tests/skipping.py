"""What is said of tests that were skipped."""

from __future__ import annotations

from collections import Counter

from places import SHARED


def said(found: Counter[str], everything: bool, further: bool) -> list[str]:
    """What is said of tests that were skipped, for each reason, and what that means; whether further checks ran."""
    lines = [f"{number:6} × {reason}" for reason, number in found.most_common()]
    if lines:
        lines.insert(0, f"{found.total()} tests skipped:")
    if not further:
        lines.append(f"further checks with files of other projects were left out: these are not in {SHARED}")
    if found and everything:
        lines.append(f"NOT EVERYTHING WAS RUN: {found.total()} tests need something that can be installed")
    return lines
