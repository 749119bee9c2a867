"""The schemas of what tells more than scores: `errors`, of texts and of tables, `explain` and `axioms`."""

from __future__ import annotations

from ..axioms.properties import PROPERTIES, Counterexample
from ..axioms.scoring import DIFFER
from ..errors.repairing.repaired import Cost
from ..errors.slicing.slices import VALUES, Slice, SliceSearch
from ..explanation.experiments import Facts
from ..explanation.fits import Chance
from ..tables.doubts import Overlap
from ..tables.engines.engine import Worst
from .scores import PLAIN_SCORES, PROBLEMS, SCORE
from .shapes import FLAG, NUMBER, TEXT, WHOLE, by_name, either, fields, many, maybe, of, record, row, says, word

_COUNTS = says(by_name(WHOLE), "By kind of error.")
_TWO = {"key": WHOLE, "response": WHOLE}
_MIXED = either(TEXT, NUMBER, {"type": "null"})

_ROW = {
    "says": says(TEXT, "What the response says."),
    "should": says(TEXT, "What is right."),
    "context": says(row(TEXT, TEXT), "The words before the mention, and those after it."),
    "form": TEXT,
    "distance": maybe(WHOLE),
    "tangle": maybe(WHOLE),
    "tangle_cost": maybe(NUMBER),
}

_SLICE = record({
    "sentence": says(TEXT, "All that follows, in words."),
    **fields(
        Slice, "places", kinds=says(many(row(TEXT, TEXT)), "Fields and kinds."),
        excess_ci=of("interval"), points_ci=of("interval"),
    ),
    "examples": says(
        many(record({"side": TEXT, "document": TEXT, "line": maybe(WHOLE), "text": TEXT})), "Mentions that lose most."
    ),
})  # fmt: skip
_FINDS = says(
    many(record({"share": NUMBER, "excess": NUMBER})),
    "The excess that slices with such a share of the mentions need to be found in 80 of 100 cases.",
)

MISTAKEN = {
    "place": record(
        {"side": TEXT, "line": maybe(WHOLE), "text": TEXT, "entity": TEXT}, {"id": TEXT, "span": TEXT}
    ),
    "entity": record({"entity": TEXT, "label": TEXT, "text": TEXT, "size": WHOLE}, {"missing": WHOLE, "extra": WHOLE}),
    "nugget": says(
        {"type": "object", "properties": {"id": TEXT, "span": TEXT, "line": maybe(WHOLE)},
         "required": ["id", "span", "line"], "additionalProperties": TEXT},
        "An event nugget with its attributes.",
    ),
    "errors_of_texts": record(
        {
            "signature": TEXT,
            "documents": WHOLE,
            "problems": PROBLEMS,
            "counts": _COUNTS,
            "costs": many(record(fields(Cost, reason=TEXT))),
            "documents_counts": by_name(_COUNTS),
            "settings": by_name(_COUNTS),
            "errors": many(
                record({
                    "kind": TEXT,
                    "document": TEXT,
                    "mentions": many(of("place")),
                    "anchor": maybe(of("place")),
                    "given": maybe(of("entity")),
                    "wanted": maybe(of("entity")),
                    "operations": many(
                        record({"operation": TEXT, "mentions": many(of("place")), "to": maybe(of("place"))})
                    ),
                    **_ROW,
                })
            ),
            "other_errors": many(
                record({
                    "kind": TEXT,
                    "document": TEXT,
                    "mention": maybe(of("place")),
                    **_ROW,
                    "given": many(of("place")),
                    "wanted": many(of("place")),
                })
            ),
            "views": says(by_name(many(by_name(_MIXED))), "Tables by their titles, rows by their columns."),
            "tangles": many(
                record({
                    "document": TEXT,
                    "documents": many(TEXT),
                    "cost": by_name(NUMBER),
                    "key": many(of("entity")),
                    "response": many(of("entity")),
                    "ribbons": says(many(row(WHOLE, WHOLE, WHOLE)), "Key entity, response entity, shared mentions."),
                })
            ),
            "deixis": maybe(of("errors_of_texts")),
            "nuggets": maybe(
                record({
                    "counts": _COUNTS,
                    "mentions": many(
                        record({
                            "document": TEXT, "status": TEXT, "dice": NUMBER,
                            "key": maybe(of("nugget")), "response": maybe(of("nugget")),
                        })
                    ),
                    "confusion": by_name(by_name(by_name(WHOLE))),
                })
            ),
        }
    ),
    "slices": record(
        {
            "metric": TEXT,
            "trials": WHOLE,
            "seed": WHOLE,
            "searches": many(
                record(
                    {
                        "value": word(*VALUES),
                        **fields(SliceSearch, "better", finds=_FINDS, slices=many(_SLICE)),
                    },
                    {"better": says(FLAG, "Of two systems: whether the second gains there, or loses.")},
                )
            ),
        },
        {"systems": says(row(TEXT, TEXT), "The two that are compared.")},
    ),
    "errors_by_slices": says(
        record({"scoref": TEXT, "signature": TEXT, "slices": either(of("slices"), by_name(of("slices")))}),
        "With --slices; of several responses, by the names of the further ones.",
    ),
    "changes": record(
        {
            "signature": TEXT,
            "documents": WHOLE,
            "problems": by_name(PROBLEMS),
            "systems": by_name(record({"scores": of("scores"), "counts": _COUNTS})),
            "changes": says(
                many(
                    record({
                        "from": TEXT, "to": TEXT,
                        "errors": many(
                            record({"status": TEXT, "kind": TEXT, "document": TEXT, "line": maybe(WHOLE),
                                    "mentions": TEXT})
                        ),
                    })
                ),
                "What each further response fixes and breaks.",
            ),
        }
    ),
    "errors_of_tables": record(
        {
            "mentions": record(fields(Overlap)),
            "singletons": record(_TWO),
            "largest": record(_TWO),
            "b3": record(SCORE),
            "problems": PROBLEMS,
            **dict.fromkeys(
                ("splits", "merges"),
                record({"entities": WHOLE, "of": WHOLE, "more": WHOLE, "worst": many(record(fields(Worst)))}),
            ),
        }
    ),
}  # fmt: skip

ERRORS = either(of("errors_of_texts"), of("changes"), of("errors_of_tables"), of("errors_by_slices"))

_YOURS = {"signature": TEXT, "signature_full": TEXT, "tools": many(TEXT), "scores": PLAIN_SCORES}
_FIT = record({
    "signature": TEXT, "name": maybe(TEXT), "tools": many(TEXT), "metrics": many(TEXT), "distance": NUMBER,
    "digits": TEXT, "exchanged": FLAG, "further": FLAG, "scores": PLAIN_SCORES,
})  # fmt: skip
_CHANGES = says(by_name(NUMBER), "By metric, in f1.")

_EXPLAINED = record(
    {
        "yours": record(_YOURS),
        "metric": says(TEXT, "The one that settings are ranked by."),
        "tools": many(
            record({
                **_YOURS, "name": TEXT, "how": TEXT, "choices": by_name(either(TEXT, NUMBER)), "difference": NUMBER,
                "exact": FLAG, "note": maybe(TEXT),
            })
        ),
        "missing": says(by_name(TEXT), "Tools that cannot score these files, with the reason."),
        "choices": many(
            record({
                "choice": TEXT, "words": by_name(_CHANGES), "why_none": maybe(TEXT), "unavailable": by_name(TEXT),
            })
        ),
        "parts": by_name(record({"choices": by_name(_CHANGES), "reasons": by_name(TEXT)})),
        "numbers": many(TEXT),
        "fits": many(_FIT),
        "nearest": many(_FIT),
        "chance": maybe(record(fields(Chance))),
        "counts": record({}, fields(Facts)),
        "problems": PROBLEMS,
    }
)  # fmt: skip
_PARTS_OF = dict.fromkeys(("first", "second", "difference", "mentions", "links"), NUMBER)
_AGAINST = says(
    record({"signatures": row(TEXT, TEXT), "differences": by_name(record(_PARTS_OF))}),
    "With --against: by metric both f1, and how much of the difference is mention detection, and linking.",
)
EXPLANATION = either(_EXPLAINED, _AGAINST)

_FOUND = record(
    {"holds": FLAG, "counterexample": maybe(record(fields(Counterexample, scores=many(NUMBER)),
                                                   {"signed_squares": many(NUMBER)}))},
    {"largest_changes": many(NUMBER)},
)  # fmt: skip

AXIOMS = record(
    {
        "scoref": TEXT,
        "mentions": says(WHOLE, "Of the largest cases that were searched."),
        "properties": record({}, dict.fromkeys(PROPERTIES, TEXT)),
        "conventions": many(
            record(
                {
                    "presets": many(TEXT),
                    **dict.fromkeys(DIFFER, TEXT),
                    "metrics": by_name(record({}, dict.fromkeys(PROPERTIES, _FOUND))),
                }
            )
        ),
    }
)
