"""Writes a board: its page, its JSON, and a file behind each row, all of them or none."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..formats import save_all
from ..layout.grid import clean
from ..layout.render import json_text
from ..page.board import board_page
from .judging import Verdict
from .ranking import Board


def published(
    board: Board, page: str, json: str | None = None, reports: str | None = None, title: str = ""
) -> dict[str, str]:
    """Write the files of a board; gives the names of the files behind submissions, relative to the page."""
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    for verdict in [*(row.verdict for row in board.rows), *board.rejected] if reports is not None else ():
        text = verdict.report if verdict.accepted else reasons_text(verdict)
        if reports is not None and text:
            path = os.path.join(reports, *_parts(verdict)) + (".html" if verdict.accepted else ".txt")
            files[path] = text
            links[verdict.submission.name] = os.path.relpath(path, os.path.dirname(page) or ".").replace(os.sep, "/")
    record = board.to_dict()
    for each in (*record["accepted"], *record["rejected"]):
        each["report"] = links.get(each["name"])
    files[page] = board_page(record, links, title)
    if json is not None:
        files[json] = json_text(record) + "\n"
    save_all(files)
    return links


def _parts(verdict: Verdict) -> Iterator[str]:
    """The folder of a team, which is not called like the file of another one, and the name of a run."""
    *above, last = verdict.submission.name.split("/")
    yield from (f"{name}_" if name.endswith((".html", ".txt")) else name for name in above)
    yield last


def reasons_text(verdict: Verdict) -> str:
    """All reasons against a submission, for the team that sent it."""
    more = verdict.number - len(verdict.reasons)
    lines = [f"# scoref: why {verdict.submission.name} was rejected", ""]
    for problem in verdict.reasons:
        lines += [*map(clean, str(problem).split("\n")), ""]
    return "\n".join([*lines, *([f"and {more} more"] if more > 0 else []), ""])
