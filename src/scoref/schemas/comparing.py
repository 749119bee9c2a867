"""The schemas of `compare`, of one run or of several, of `plan`, and of what is found among annotators and examples."""

from __future__ import annotations

from ..statistics.beside.datasets import Better
from ..statistics.bias import GENDERS, Tally
from ..statistics.comparison import Difference
from ..statistics.run_tests import ExchangeTest, RunDifference, RunMean
from .scores import FULL, MADE, PROBLEMS, RESAMPLED, SCORE
from .shapes import FLAG, NUMBER, TEXT, WHOLE, Schema, by_name, either, fields, many, maybe, of, record, says, word

_LETTERS = says(by_name(by_name(TEXT)), "By metric and system: those that share a letter do not differ significantly.")
_PAIR = {"metric": TEXT, "a": TEXT, "b": TEXT}
_OUTCOMES = word("equivalent", "not worse", "not better", "unknown")

_ASKED = {
    "slices": of("slices"),
    "power": record({
        "level": NUMBER, "power": NUMBER, "unit": TEXT, "units": WHOLE,
        "tests": many(record({
            **_PAIR,
            "detectable": says(maybe(NUMBER), "The smallest true difference that is found with this power."),
            "difference": NUMBER,
            "needed": says(maybe(WHOLE), "Units for that difference."),
            "enough": says(FLAG, "Whether any number of units is enough."),
        })),
    }),
    "margin": record({
        "margin": NUMBER, "level": NUMBER,
        "tests": many(record({
            **_PAIR, **dict.fromkeys(("p_worse", "p_better", "p_equivalent"), maybe(NUMBER)), "verdict": _OUTCOMES,
        })),
    }),
    "across": record({
        "field": TEXT, "groups": many(TEXT), "level": NUMBER,
        "tests": many(record(fields(Better, k_bonferroni=WHOLE, k_fisher=WHOLE))),
        "ranks": by_name(record({
            "means": by_name(NUMBER), **dict.fromkeys(("chi_square", "p", "p_iman_davenport", "critical_difference"),
                                                      maybe(NUMBER)),
        })),
    }),
}  # fmt: skip


def _compared(own: dict[str, Schema], settings: str, groups: Schema, left_out: Schema) -> Schema:
    """What both kinds of comparison have, and what only one of them has."""
    return record(
        {
            **MADE,
            "protocol": of("protocol"),
            "documents": WHOLE,
            **RESAMPLED,
            "pairs": word("first", "all"),
            "correction": TEXT,
            "letters": _LETTERS,
            **own,
        },
        {
            **_ASKED,
            "left_out": says(by_name(left_out), "By system, what --on-problem skip left out: problems by kind."),
            "drift": by_name(of("drift")),
            "answers": by_name(of("answers")),
            "settings": by_name(of(settings)),
            "by": says(by_name(by_name(groups)), "With --by: by the field, then by system."),
            "by_differences": says(
                by_name(by_name(by_name(record({"difference": NUMBER, "ci": maybe(of("interval"))})))),
                "With --by mention:FIELD, of two systems: by the field, the kind and the metric, the difference in f1.",
            ),
        },
    )


_ENDS = {"ci": maybe(of("interval")), "ci_percentile": maybe(of("interval"))}

COMPARED = {
    "comparison": _compared(
        {
            "least_p": says(NUMBER, "The smallest adjusted p-value that is possible."),
            "problems": by_name(PROBLEMS),
            "undefined": by_name(of("undefined")),
            "systems": by_name(of("scores")),
            "tests": many(record(fields(Difference, **_ENDS))),
        },
        "comparison",
        either(of("groups"), of("kinds")),
        by_name(WHOLE),
    ),
    "comparison_of_runs": _compared(
        {
            "problems": by_name(many(PROBLEMS)),
            "undefined": by_name(many(TEXT)),
            "systems": says(by_name(by_name(record(fields(RunMean, ci=maybe(of("interval")))))), "Means over runs."),
            "runs": by_name(many(of("scores"))),
            "tests": many(
                record(
                    fields(
                        RunDifference, ci=maybe(of("interval")), scope=word("these runs", "other runs"),
                        other_documents=maybe(of("exchange_test")), other_runs=maybe(of("exchange_test")),
                    )
                )
            ),
        },
        "comparison_of_runs",
        many(either(of("groups"), of("kinds"))),
        many(by_name(WHOLE)),
    ),
    "exchange_test": record(fields(ExchangeTest)),
}  # fmt: skip

COMPARISON = either(of("comparison"), of("comparison_of_runs"))

PLAN = record(
    {
        **MADE,
        "difference": NUMBER,
        "level": NUMBER,
        "power": NUMBER,
        "runs": WHOLE,
        **RESAMPLED,
        "system": says(
            by_name(
                record({"f1": NUMBER, "documents": NUMBER, "runs": maybe(NUMBER), "correlation": maybe(NUMBER)})
            ),
            "By metric: the f1, and the parts of its standard error.",
        ),
        "plan": many(
            record({"metric": TEXT, "correlation": NUMBER, **dict.fromkeys(("detectable",), maybe(NUMBER)),
                    "needed": maybe(WHOLE)})
        ),
    }
)  # fmt: skip

_MEASURES = by_name(record({"value": maybe(NUMBER)}, {"ci": of("interval")}))

AGREEMENT = record(
    {
        **FULL,
        "annotators": many(TEXT),
        "documents": WHOLE,
        "pairs": many(record({"a": TEXT, "b": TEXT, "measures": _MEASURES})),
        "all": says(_MEASURES, "Means of pairs, and α."),
        "notes": many(TEXT),
        "problems": PROBLEMS,
    },
    {**RESAMPLED, "by": by_name(by_name(_MEASURES))},
)

STABILITY = record(
    {
        **MADE,
        "mentions": WHOLE,
        "spurious": WHOLE,
        "repetitions": WHOLE,
        "seed": WHOLE,
        "removed": says(many(NUMBER), "The share of spurious mentions that was taken out."),
        "f1": says(by_name(many(NUMBER)), "By metric, at each share."),
    }
)

GAP = record(
    {
        **MADE,
        "examples": WHOLE,
        "missing": WHOLE,
        "scores": record(dict.fromkeys(("overall", *dict.fromkeys(GENDERS.values())), record(SCORE | fields(Tally)))),
        "bias": maybe(NUMBER),
        "problems": PROBLEMS,
    }
)

WINOBIAS = record(
    {
        **FULL,
        "documents": record({"pro": WHOLE, "anti": WHOLE}),
        "f1": by_name(record(dict.fromkeys(("pro", "anti", "mean", "difference"), NUMBER))),
        "scores": record({"pro": of("scores"), "anti": of("scores")}),
    }
)
