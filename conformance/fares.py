"""Writes the page `docs/scorers.md`, How scorers fare, from what is recorded: python conformance/fares.py --write."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from peers import definition
from suite import cases, features, literal, scorers
from suite.cases import HOME, Case
from suite.numbers import same

PAGE = HOME.parent / "docs" / "scorers.md"
VERDICTS: dict[str, dict[str, str]] = json.loads((HOME / "verdicts.json").read_text(encoding="utf-8"))
COMMON = [name for name, each in scorers.SETS.items() if "perl-8.01" in each.authorities]

WRONG = ("crash", "hash order", "nan")

Row = tuple[object, ...]

PARTS = (
    """\
# How scorers fare

<!-- made by: python conformance/fares.py --write -->

The [conformance suite](conformance.md) {version} has {cases:,} cases. Scorers of coreference and of event nuggets were
run on those that they can read: {runs:,} runs in all. This page says where their numbers are the same, and shows the
smallest case of each difference.

## The cases
""",
    """
## The scorers

In the sets {common}
all scorers are compared with the reference scorer of the CoNLL tasks, and for LEA with coval. A case agrees if all
metrics that a scorer has do, to 1e-9. *hash order*: the number depends on the seed of Python's hashes.
""",
    """
In the other sets options and formats make the numbers, and each scorer is its own authority:
""",
    """
How they were run:
""",
    """
The classes of CoreNLP, which need a build, and the scorer of SemEval-2010, whose code is not to be had, were not run.

## By feature

Cases that agree, of all cases with that feature. A case may have several.
""",
    """
## Broken files

What is to be refused, and was not:
""",
    """
## Each disagreement

The smallest case of each, as [the suite writes it](conformance.md#how-a-case-is-written); scores are recall, precision,
f1. *definition* says whose numbers the metric's definition gives, computed in exact fractions by
`conformance/suite/literal.py`; another fraction stands there if it is nobody's. For repeated mentions the definitions,
which speak of sets, say nothing.
""",
)


class Difference(NamedTuple):
    """A metric in which a scorer gave something else than the authority of a case."""

    case: Case
    expected: str
    given: str


def every() -> list[Case]:
    """All cases."""
    return [case for name in cases.names() for case in cases.read(name)]


def table(header: Row, rows: Iterable[Row]) -> list[str]:
    """A table of Markdown; numbers are on the right."""
    body = [[str(cell) for cell in row] for row in rows]
    numbers = [all(row[at].replace(",", "").isdigit() or row[at] == "–" for row in body) for at in range(len(header))]
    marks = ["---:" if number else "---" for number in numbers]
    return ["| " + " | ".join(map(str, cells)) + " |" for cells in (header, marks, *body)]


def kind(given: str) -> str:
    """What became of a metric: a crash, a result that depends on hashes, no number, or another number."""
    if ":" in given:
        return given.partition(":")[0]
    return "nan" if "nan" in given else "differs"


def differences(chosen: list[Case]) -> dict[str, dict[str, list[Difference]]]:
    """For each scorer and metric the cases of common sets in which it gave something else."""
    found: dict[str, dict[str, list[Difference]]] = defaultdict(lambda: defaultdict(list))
    for case in chosen:
        agreed = {m: each for scores in case.row["expected"].values() for m, each in scores.items()}
        for scorer, wrong in case.get("differ", {}).items():
            for metric, given in wrong.items():
                found[scorer][metric].append(Difference(case, agreed[metric], given))
    return found


def compared(chosen: list[Case]) -> dict[str, list[tuple[Case, str]]]:
    """For each scorer the cases that it shares with an authority, and what became of the worst of its metrics."""
    found = defaultdict(list)
    for case in chosen:
        for scorer in filter(None, case.get("agree", "").split(";")):
            found[scorer].append((case, "agrees"))
        for scorer, wrong in case.get("differ", {}).items():
            kinds = {*map(kind, wrong.values())}
            found[scorer].append((case, next(k for k in ("crash", "hash order", "nan", "differs") if k in kinds)))
    return dict(found)


def overview(shared: dict[str, list[tuple[Case, str]]]) -> list[str]:
    """Each scorer that is compared with others: its version, when it was run, how many cases agree."""
    rows = []
    for name, pairs in sorted(shared.items()):
        facts, counts = scorers.known()[name], Counter(what for _, what in pairs)
        outcome = [counts[what] or "–" for what in ("agrees", "differs", "crash", "hash order", "nan")]
        if name != scorers.DEFINITION:
            rows.append((f"`{name}`", facts["version"], facts["recorded"], *outcome))
    return table(("scorer", "version", "run on", "agrees", "differs", "crash", "hash order", "nan"), rows)


def alone(chosen: list[Case]) -> list[str]:
    """Each scorer that is its own authority in some set: how many cases it was run on there, and what went wrong."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for case in chosen:
        for name, scores in case.row["expected"].items():
            if name != scorers.DEFINITION:
                kinds = {*map(kind, scores.values())} - {"differs"}
                counts[name, case.set].update(["cases", *kinds])
    rows = [
        (f"`{name}`", scorers.known()[name]["version"], each, *(found[what] or "–" for what in ("cases", *WRONG)))
        for (name, each), found in sorted(counts.items())
    ]
    return table(("scorer", "version", "set", "cases", *WRONG), rows)


def commands() -> list[str]:
    """How each scorer was run."""
    known = [(name, f) for name, f in sorted(scorers.known().items()) if f["repository"] and f["sets"] != "broken"]
    rows = [(f"`{name}`", f"`{f['command']}`", f["digits"], f.get("changes", "")) for name, f in known]
    return table(("scorer", "run as", "digits", "changed for the run"), rows)


def broken(chosen: list[Case]) -> list[str]:
    """Broken files: how many each scorer refused, and what it printed for the others."""
    refused: dict[str, Counter[bool]] = defaultdict(Counter)
    rows = []
    for case in chosen:
        for name in filter(None, case.get("agree", "").split(";")):
            refused[name][True] += 1
        for name, wrong in case.get("differ", {}).items():
            refused[name][False] += 1
            rows.append((f"`{name.partition(' ')[0]}`", case.row["name"], wrong["refuses"].removeprefix("no: ")))
    counts = [(f"`{name.partition(' ')[0]}`", _share(found)) for name, found in sorted(refused.items())]
    return [*table(("scorer", "refused"), counts), "", *table(("scorer", "file", "printed"), sorted(rows))]


def by_feature(shared: dict[str, list[tuple[Case, str]]]) -> list[str]:
    """The share of cases with each feature in which a scorer agrees."""
    names = sorted({*shared} - {scorers.DEFINITION})
    counts: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    kept = {case.name: features.of(case) for pairs in shared.values() for case, _ in pairs}
    for name, pairs in shared.items():
        for case, what in pairs:
            for feature in kept[case.name]:
                counts[feature, name][what == "agrees"] += 1
    rows = [
        (feature, *(_share(counts[feature, name]) for name in names))
        for feature in features.FEATURES
        if any(counts[feature, name] for name in names)
    ]
    return table(("feature", *names), rows)


def _share(counts: Counter[bool]) -> str:
    return f"{counts[True]}/{counts.total()}" if counts else "–"


def size(case: Case) -> tuple[int, int, str]:
    """How large a case is."""
    mentions = sum(
        len(g.mentions) for text in case.texts() for which in ("key", "response") for g in text.side(which) or []
    )
    return mentions, len(json.dumps(case.inputs)), case.name


def disagreements(found: dict[str, dict[str, list[Difference]]]) -> list[str]:
    """A section for each scorer: what differs, the smallest case, and what the definition gives."""
    lines: list[str] = []
    for scorer in sorted(found):
        lines += ["", f"### {scorers.known()[scorer]['title']}", ""]
        rows = []
        for metric, all_of_them in sorted(found[scorer].items()):
            numbers = [each for each in all_of_them if kind(each.given) == "differs"] or all_of_them
            least = min(numbers, key=lambda each: size(each.case))
            sides = (f"`{shown(least.case.row[which])}`" for which in ("key", "response"))
            rows.append((metric, len(all_of_them), *sides, least.expected, least.given, right(metric, least)))
        header = ("metric", "cases", "key", "response", "expected", "given", "definition")
        lines += table(header, rows)
        lines += ["", *(f"- {text}" for text in VERDICTS[scorer].values())]
    return lines


def shown(side: object) -> str:
    """A side of a case in a table."""
    texts = side if isinstance(side, list) else [side]
    return " / ".join("(missing)" if each is None else each or "(nothing)" for each in texts).replace("|", "\\|")


def right(metric: str, least: Difference) -> str:
    """Who gives what the definition gives; nobody, where it says nothing: repeated mentions."""
    if metric not in literal.METRICS or "repeated" in features.of(least.case):
        return "says nothing"
    [fractions] = definition.given(least.case, [metric]).values()
    sides = {"expected": least.expected, "given": least.given}
    agreeing = [name for name, numbers in sides.items() if same(numbers, fractions, 1e-6)]
    return " and ".join(agreeing) or fractions


def page() -> str:
    """The page."""
    chosen = every()
    sets = [(name, each.title, len([*cases.read(name)]), ", ".join(each.authorities)) for name, each in
            sorted(scorers.SETS.items()) if name in cases.names()]  # fmt: skip
    runs = sum(
        1 for case in chosen for name in scorers.known() if name != scorers.DEFINITION and scorers.of(case, name)
    )
    common = "`" + "`, `".join(sorted(COMMON)) + "`"
    shared = compared([case for case in chosen if case.set in COMMON])
    separate = [case for case in chosen if case.set not in COMMON and case.set != "broken"]
    parts = (
        table(("set", "what", "cases", "follows"), sets),
        overview(shared),
        alone(separate),
        commands(),
        [*by_feature(shared), "", *table(("feature", "means"), features.FEATURES.items())],
        broken([*cases.read("broken")]),
        disagreements(differences([case for case in chosen if case.set in COMMON])),
    )
    words = {"version": cases.VERSION, "cases": len(chosen), "runs": runs, "common": common}
    heads = (part.format(**words).strip().splitlines() for part in PARTS)
    return "\n".join([line for head, part in zip(heads, parts, strict=True) for line in (*head, "", *part, "")])


def main() -> None:
    """Print the page, or write it."""
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
    else:
        print(page())


if __name__ == "__main__":
    main()
