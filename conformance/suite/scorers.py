"""The scorers whose numbers are recorded, and who is followed in which set."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from .cases import HOME, Case
from .numbers import NEAR, same

SCORERS = HOME / "scorers.json"
DEFINITION = "definition"  # what `literal` gives

Scores = dict[str, str]


class Set(NamedTuple):
    """A set of cases: what it has, who made it, and which metrics follow which authority."""

    title: str
    authorities: dict[str, str]
    separate: bool = False  # each authority has numbers of its own for the same metrics: options of one scorer


_LINKS = {"perl-8.01": "mentions muc b3 ceafm ceafe blanc", "coval": "lea"}
_OWN = "b3-classes pairwise entities-exact b3-0 b3-all b3-rn b3-sys ceafm-rn ceafm-sys ceafe-rn ceafe-sys"
_TREES = ("coval", "coval remove_singletons", "coval min_span", "coval NP_only", "coval remove_nested")

_UA = {
    **dict.fromkeys(("ua-1.0", "ua-1.0 remove_singletons", "ua-1.0 remove_split_antecedent",
                     "ua-1.0 only_split_antecedent", "ua-1.0 MIN", "ua-1.0 evaluate_discourse_deixis"),
                    "muc b3 ceafm ceafe blanc lea"),
    "ua-1.0 keep_non_referring": "non-referring",
    "ua-1.0 keep_bridging": "bridging-anaphors bridging-mentions bridging-entities",
}  # fmt: skip
_COREFUD = dict.fromkeys(
    ("corefud-1.2", "corefud-1.2 -s", "corefud-1.2 -s -a exact", "corefud-1.2 -a partial", "corefud-1.2 -s -z linear",
     "corefud-1.1", "corefud-1.1 -s -a partial", "corefud-1.0", "corefud-1.0 -s -x"),
    "muc b3 ceafm ceafe blanc lea mor zeros",
)  # fmt: skip
_NUGGETS = ("span type realis type+realis span_macro type_macro realis_macro type+realis_macro muc b3 ceafm ceafe blanc"
            " kbp after subevent")  # fmt: skip

SETS = {
    "hand": Set("minimal cases, one idea each", _LINKS),
    "papers": Set("worked examples of papers, with what they print", {**_LINKS, DEFINITION: _OWN}),
    "small": Set("every key with every response of at most four mentions", {**_LINKS, DEFINITION: _OWN}),
    "partitions": Set("documents by chance, of one-word mentions", {**_LINKS, DEFINITION: _OWN}),
    "documents": Set("several documents by chance; some empty, some missing", _LINKS),
    "spans": Set("nested, crossing and repeated mentions by chance", _LINKS),
    "trees": Set("mentions with parse trees: minimum spans, noun phrases, nested mentions",
                 dict.fromkeys(_TREES, "mentions muc b3 ceafe lea"), True),
    "anaphora": Set("sets of entities, non-referring mentions, bridging, deixis, minimum spans",
                    {**_UA, DEFINITION: "muc b3 ceafm ceafe blanc lea"}, True),
    "broken": Set("broken files, which are to be refused", {"rules": "refuses"}),
    "nuggets": Set("event nuggets: spans, types, realis, coreference, sequences", {"evmeval-1.8": _NUGGETS}),
    "zeros": Set("heads, empty nodes, mentions in several pieces", _COREFUD, True),
}  # fmt: skip


@cache
def known() -> dict[str, dict[str, Any]]:
    """Every scorer: title, repository, commit, command, metrics, sets, when it was recorded."""
    return dict(json.loads(SCORERS.read_text(encoding="utf-8"))) if SCORERS.exists() else {}


def near(scorer: str) -> float:
    """How far a scorer's numbers may be from those of others, and be the same."""
    return float(known().get(scorer, {}).get("near", NEAR))


def of(case: Case, scorer: str) -> Scores:
    """What was recorded of a scorer for a case: what it differs in, and what it agrees with its authorities in."""
    expected: dict[str, Scores] = case.get("expected", {})
    differ = case.get("differ", {}).get(scorer, {})
    own: Scores = {**expected.get(scorer, {}), **differ}
    if SETS[case.set].separate or not (differ or scorer in case.get("agree", "").split(";")):
        return own
    has = known().get(scorer, {}).get("metrics", "").split()
    agreed = {metric: each for scores in expected.values() for metric, each in scores.items() if metric in has}
    return {**agreed, **own}


def recorded(case: Case, results: dict[str, Scores]) -> dict[str, Any]:
    """The line of a case with the results of scorers."""
    authorities = SETS[case.set].authorities
    row: dict[str, Any] = case.inputs
    expected = {
        name: {metric: results[name][metric] for metric in metrics.split() if metric in results[name]}
        for name, metrics in authorities.items()
        if name in results
    }
    agreed = {metric: each for scores in expected.values() for metric, each in scores.items()}
    agree, differ = [], {}
    for name in sorted({*results} - ({*authorities} if SETS[case.set].separate else set())):
        others = {m: each for m, each in results[name].items() if m not in expected.get(name, {})}
        wrong = {m: each for m, each in others.items() if m in agreed and not same(each, agreed[m], near(name))}
        if wrong:
            differ[name] = wrong
        elif any(metric in agreed for metric in others):
            agree.append(name)
    row["expected"] = {name: scores for name, scores in expected.items() if scores}
    return {**row, **({"agree": ";".join(agree)} if agree else {}), **({"differ": differ} if differ else {})}
