"""Makes the table and the pictures of which-metric.md: python docs/counterexamples.py [--search].

With `--search` all cases are searched again, on two processors, and what is found is recorded in the package.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from scoref.axioms.findings import RECORD, Axioms, MetricFindings, axioms, record
from scoref.axioms.properties import PROPERTIES, Counterexample

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "which-metric.md"
BEGIN, END = "<!-- made by: python docs/counterexamples.py -->\n", "<!-- end of what is made -->\n"
MAIN = ("b3", "hota", "lea", "conll", "ceafe", "ceafm", "muc", "blanc", "pairwise", "mentions", "cc")
OFFICIAL = "conll-2012"

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
_SPURIOUS = "#aaaaaa"
_STEP, _GAP, _ROW, _SIDES, _WIDE = 17, 8, 30, (130, 320, 510), 820


def official() -> Axioms:
    """What is recorded under the official protocol."""
    return axioms(protocol=OFFICIAL)


def findings(result: Axioms) -> dict[str, MetricFindings]:
    """What was found for each metric."""
    return dict(next(iter(result.table.values())))


def failures(found: MetricFindings) -> dict[str, Counterexample]:
    """The properties that a metric lacks, with the smallest counterexamples."""
    return {name: case for name, case in found.found.items() if case is not None}


# -- pictures ---------------------------------------------------------------------------------------------------------


def picture(metric: str, found: MetricFindings) -> str:
    """An SVG with a row for each property that a metric lacks: key, response, second response, both scores."""
    rows = failures(found)
    height = _ROW * (len(rows) + 1) + 10
    heads = zip((4, *_SIDES, 700), ("property", "key", "response", "then", "f1"), strict=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {height}" width="{_WIDE}" height="{height}" '
        'font-family="DejaVu Sans, Arial, sans-serif" font-size="12">',
        f"<title>smallest counterexamples for {metric}</title>",
        f'<rect width="{_WIDE}" height="{height}" fill="white"/>',
        *(_text(place, 20, word, "#666666") for place, word in heads),
    ]
    for number, (name, case) in enumerate(rows.items(), 1):
        middle = _ROW * number + _ROW // 2 + 4
        colours = {m: _COLOURS[place % 7] for place, entity in enumerate(case.key.split("|")) for m in entity}
        parts.append(_text(4, middle + 4, name))
        for place, side in zip(_SIDES, case[1:4], strict=True):
            parts += [] if side is None else _side(place, middle, side, colours)
        parts.append(_text(700, middle + 4, scores(case)))
    return "\n".join([*parts, "</svg>", ""])


def scores(case: Counterexample) -> str:
    """The scores of a counterexample, in percent."""
    between = " → " if case.second is not None else " ↔ "
    return between.join(f"{100 * score:.2f}" for score in case.scores)


def _text(x: float, y: float, words: str, colour: str = "black", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}"{more}>{escape(words)}</text>'


def _side(x: float, y: float, side: str, colours: dict[str, str]) -> list[str]:
    """The entities of a side as bars, its mentions as dots in the colours of their key entities."""
    if not side or side.startswith("sizes"):
        return [_text(x, y + 4, f"all of {side}" if side else "nothing", "#666666")]
    parts, place = [], x + 8
    for entity in side.split("|"):
        width = _STEP * (len(entity) - 1) + 18
        parts.append(f'<rect x="{place - 9:g}" y="{y - 10}" width="{width}" height="20" rx="10" fill="#dddddd"/>')
        for mention in entity:
            parts.append(f'<circle cx="{place:g}" cy="{y}" r="7.5" fill="{colours.get(mention, _SPURIOUS)}"/>')
            parts.append(_text(place, y + 4, mention, "white", ' text-anchor="middle" font-size="11"'))
            place += _STEP
        place += _GAP
    return parts


# -- the page ---------------------------------------------------------------------------------------------------------


def table(result: Axioms) -> str:
    """Which of the main metrics has which property."""
    found = findings(result)
    lines = [f"| property | {' | '.join(MAIN)} |", f"|---|{'---|' * len(MAIN)}"]
    for name, each in PROPERTIES.items():
        cases = [found[metric].found[name] for metric in MAIN]
        lines.append(f"| `{name}`: {each.says} | {' | '.join('✓' if c is None else str(c.mentions) for c in cases)} |")
    return "\n".join([*lines, ""])


def gallery(result: Axioms) -> str:
    """The pictures of all other metrics."""
    others = [(name, found) for name, found in findings(result).items() if name not in MAIN]
    return "\n".join(f"`{name}` lacks {len(failures(found))} properties:\n\n{shown(name)}\n" for name, found in others)


def shown(metric: str) -> str:
    """The line that shows a picture."""
    return f"![The smallest counterexamples for {metric}](images/axioms-{metric}.svg)"


def files() -> dict[Path, str]:
    """What is made: the page and the pictures."""
    result = official()
    page = PAGE.read_text(encoding="utf-8")
    for text in (table(result), gallery(result)):
        before, _, rest = page.partition(BEGIN)
        page = f"{before}\0{text}{rest.partition(END)[2] and END}{rest.partition(END)[2]}"
    made = {DOCS / "images" / f"axioms-{name}.svg": picture(name, each) for name, each in findings(result).items()}
    return {PAGE: page.replace("\0", BEGIN), **made}


def main() -> None:
    """Write everything."""
    if "--search" in sys.argv[1:]:
        RECORD.write_text(record(axioms(search=True, jobs=2).table), encoding="utf-8")
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
