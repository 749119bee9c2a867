"""What is said of tests that were skipped."""

from __future__ import annotations

from collections import Counter

from places import SHARED


def beside(reason: str) -> bool:
    """Whether tests were skipped as material beside the project is not there: recorded cases of other scorers."""
    return "recorded" in reason or str(SHARED) in reason


def said(found: Counter[str], everything: bool) -> list[str]:
    """What is said of tests that were skipped, for each reason, and what that means."""
    lines = [f"{number:6} × {reason}" for reason, number in found.most_common()]
    if lines:
        lines.insert(0, f"{found.total()} tests skipped:")
    missing = sum(number for reason, number in found.items() if beside(reason))
    if missing:
        lines.append(f"recorded cases of other scorers are looked for in {SHARED}")
    if missing and everything:
        lines.append(f"NOT COMPARED WITH OTHER SCORERS: {missing} tests need the recorded cases, which are not there")
    if found.total() > missing and everything:
        lines.append(f"NOT EVERYTHING WAS RUN: {found.total() - missing} tests need something that can be installed")
    return lines
