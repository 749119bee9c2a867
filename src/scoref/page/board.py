"""The page of a board: one static HTML file with the ranks, the datasets, the rejected submissions and how to repeat.

All rows are in the HTML itself, so that it can be read and searched without scripts; a script sorts and filters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from ..layout.grid import clean, signed, without_common_end
from ..layout.render import Json
from ..problems import Problem, varied
from .build import asset

_SHOWN = 5  # reasons of a rejected submission


def board_page(board: Json, links: Mapping[str, str] | None = None, title: str = "") -> str:
    """The HTML for the JSON of a board; `links` are the files behind each submission, relative to the page."""
    links, board = links or {}, {**board, "accepted": _with_further(board["accepted"])}
    title = title or f"Board of {board['key']['path']}"
    parts = [_head(board, title), _find(), _ranks(board, links)]
    parts += [_datasets(board)] * bool(board["datasets"] and board["accepted"])
    parts += [_rejected(board, links)] * bool(board["rejected"])
    parts += [_how(board), _history(board)]
    filling = {"TITLE": escape(f"{clean(title)} – scoref"), "STYLE": asset("style.css") + asset("board.css"),
               "BODY": "\n".join(parts), "SCRIPT": asset("board.js")}  # fmt: skip
    pieces = asset("board.html").split("%%")
    return "".join(filling[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _with_further(accepted: Sequence[Json]) -> list[Json]:
    """The submissions, each with whether a better one of its team stands before it."""
    teams = [each["team"] for each in accepted]
    return [{**each, "further": each["team"] in teams[:place]} for place, each in enumerate(accepted)]


def _text(value: object) -> str:
    """Text of a file or a team: escaped, and isolated from the direction of the text around it."""
    return f"<bdi>{escape(clean(str(value)))}</bdi>"


def _head(board: Json, title: str) -> str:
    accepted, rejected = len(board["accepted"]), len(board["rejected"])
    facts = f"{accepted} accepted, {rejected} rejected · {board['key']['documents']} documents · {board['date']}"
    return (f'<div class="head"><div class="title"><h1>{_text(title)}</h1>'
            f'<p class="facts">{escape(facts)}</p></div></div>')  # fmt: skip


def _find() -> str:
    return ('<p class="find" hidden><label class="unseen" for="words">Names</label>'
            '<input type="search" id="words" placeholder="Find a team or a run">'
            '<label><input type="checkbox" id="best"> the best run of each team</label></p>')  # fmt: skip


def _table(name: str, caption: str, header: Sequence[tuple[str, bool]], rows: Sequence[str], order: int = -1) -> str:
    heads = [
        f'<th scope="col"{" class=number" if number else ""}{" aria-sort=ascending" if place == order else ""}>'
        f"{_text(label)}</th>"
        for place, (label, number) in enumerate(header)
    ]
    table = (f'<table class="data board" id="{escape(name)}"><caption>{escape(caption)}</caption>'
             f"<thead><tr>{''.join(heads)}</tr></thead><tbody>\n{chr(10).join(rows)}\n</tbody></table>")  # fmt: skip
    return f'<div class="scrolls" tabindex="0" role="region" aria-label="{escape(name)}">{table}</div>'


def _number(value: float | None, mark: str = "", kind: str = "") -> str:
    shown = "–" if value is None else f"{100 * value:.2f}"
    raised = f"<sup>{escape(mark)}</sup>" if mark else ""
    data = "" if value is None else repr(value)
    return f'<td class="number{kind}" data-value="{data}">{shown}{raised}</td>'


def _row(each: Json, cells: Sequence[str]) -> str:
    further = " data-further" * each.get("further", False)
    return f'<tr data-name="{escape(each["name"])}"{further}>{"".join(cells)}</tr>'


def _named(each: Json, links: Mapping[str, str]) -> str:
    """The name of a submission, a link if there is a file behind it, with a mark if it is no clean result."""
    mark = "<sup>*</sup>" if each["notes"] and "rank" in each else ""
    name = _text(each["name"])
    if each["name"] in links:
        name = f'<a href="{escape(quote(links[each["name"]]))}">{name}</a>'
    return f'<th scope="row">{name}{mark}</th>'


def _f1(each: Json, metric: str) -> float | None:
    return None if metric in each["undefined"] else float(each["scores"][metric]["f1"])


def _ranks(board: Json, links: Mapping[str, str]) -> str:
    main = board["main"]
    others = [name for name in board["protocol"]["metrics"] if name != main]
    compared = bool(board["history"])
    intervals = any("ci" in each["scores"][main] for each in board["accepted"])
    header = [("rank", True), ("submission", False), (main, True), *([("95 % interval", True)] * intervals)]
    header += [(name, True) for name in others] + [("before", False)] * compared + [("what repeats it", False)]
    rows = []
    for each in board["accepted"]:
        ci = each["scores"][main].get("ci", {}).get("f1")
        ends = f"{100 * ci[0]:.2f} – {100 * ci[1]:.2f}" if ci else ""
        cells = [f'<td class="number" data-value="{each["rank"] or ""}">{each["rank"] or "–"}</td>']
        cells += [_named(each, links), _number(each["score"], each["letters"], " main")]
        cells += [f'<td class="number" data-value="{ci[0] if ci else ""}">{ends}</td>'] * intervals
        cells += [_number(_f1(each, name)) for name in others]
        cells += [f"<td>{_before(each)}</td>"] * compared
        rows.append(_row(each, [*cells, f"<td>{_details(each)}</td>"]))
    if not rows:
        return '<section class="card"><h2>Ranks</h2><p class="note">No submission was accepted.</p></section>'
    caption = f"f1 in percent; {board['marks']}" if board["marks"] else "f1 in percent"
    starred = [f"<p>{_text(each['name'])}*: {_text(note)}</p>" for each in board["accepted"] for note in each["notes"]]
    notes = f'<div class="notes warning">{"".join(starred)}</div>' if starred else ""
    return f'<section class="card"><h2>Ranks</h2>{_table("ranks", caption, header, rows, 0)}{notes}</section>'


def _before(each: Json) -> str:
    before = each["before"]
    if before is None:
        return "new"
    if before["score"] is None or each["score"] is None:
        return escape(str(before["rank"] or "–"))
    change = each["score"] - before["score"]
    kind = "up" if change > 0 else "down" if change < 0 else "quiet"
    return f'{before["rank"]} <span class="{kind}">{signed(change).shown}</span>'


def _details(each: Json) -> str:
    digest = f"<p>SHA-256 of the submission: <code>{escape(each['digest'])}</code></p>"
    return f"<details><summary>command</summary><code>{_text(each['repeat'])}</code>{digest}</details>"


def _datasets(board: Json) -> str:
    main, names = board["main"], board["datasets"]
    scores = [[each["datasets"].get(name, {}).get(main, {}).get("f1") for name in names] for each in board["accepted"]]
    best = [max((score for score in column if score is not None), default=None) for column in zip(*scores, strict=True)]
    rows = [
        _row(each, [_named(each, {}), *(_number(score, "", " main" * (score == most and score is not None))
                                        for score, most in zip(own, best, strict=True))])
        for each, own in zip(board["accepted"], scores, strict=True)
    ]  # fmt: skip
    header = [("submission", False), *((name, True) for name in without_common_end(names))]
    return f'<section class="card"><h2>Datasets</h2>{_table("by dataset", f"{main} f1", header, rows)}</section>'


def _rejected(board: Json, links: Mapping[str, str]) -> str:
    rows = []
    for each in board["rejected"]:
        shown = varied([Problem(**reason) for reason in each["reasons"]], _SHOWN)
        reasons = [f"<li>{_reason(reason)}</li>" for reason in shown]
        more = each["number_of_reasons"] - len(reasons)
        if more > 0:
            reasons.append(f"<li>and {more:,} more</li>")
        number = f'<td class="number">{each["number_of_reasons"]}</td>'
        rows.append(_row(each, [_named(each, links), number, f'<td class="why"><ul>{"".join(reasons)}</ul></td>']))
    header = [("submission", False), ("reasons", True), ("the first ones", False)]
    table = _table("rejected", "not ranked; each reason is one thing to mend", header, rows)
    return f'<section class="card"><h2>Rejected</h2>{table}</section>'


def _reason(problem: Problem) -> str:
    facts = (problem.place, problem.expected and f"expected {problem.expected}",
             problem.remedy and f"you can {problem.remedy}")  # fmt: skip
    rest = "".join(f'<br><span class="quiet">{_text(fact)}</span>' for fact in facts if fact)
    return f"{_text(problem.message)} <code>{escape(problem.code)}</code>{rest}"


def _how(board: Json) -> str:
    empty = "counts as empty, which is noted" if board["missing"] == "empty" else "is a reason to reject"
    mean = board["protocol"]["average"] == "datasets"
    what = f"the mean over {len(board['datasets'])} datasets of the f1" if mean and board["datasets"] else "the f1"
    lines = [f"Ranked by {what} of {escape(board['main'])}. A document that a submission lacks {empty}.",
             f"The digest of the key: <code>{escape(board['key']['digest'])}</code>",
             *(_text(f"warning: {each}") for each in board.get("warnings", ())),
             f"<code>{_text(board['signature'])}</code>"]  # fmt: skip
    said = "".join(f"<p>{line}</p>" for line in lines)
    return f'<section class="card"><h2>How it was scored</h2><div class="notes">{said}</div></section>'


def _history(board: Json) -> str:
    """The boards before, with the best submission of each; and what is gone since the last."""
    if not board["history"]:
        return ""
    lines = []
    for each in board["history"]:
        first = next((one for one in each["accepted"] if one["rank"] == 1), None)
        led = f", led by {_text(first['name'])} with {100 * first['score']:.2f}" if first else ""
        lines.append(f"<p>{escape(each['date'])}: {len(each['accepted'])} accepted{led}</p>")
    if board["withdrawn"]:
        lines.append(f"<p>gone since the last: {_text(', '.join(board['withdrawn']))}</p>")
    return f'<section class="card"><h2>Before</h2><div class="notes">{"".join(lines)}</div></section>'
