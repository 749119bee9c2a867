"""The schemas of scores: of `score` and `merge`, of saved evaluations, and the shapes that other schemas share."""

from __future__ import annotations

from ..answers.candidates import REASONS
from ..answers.summary import COUNTED
from ..choice import Choice
from ..counting.metrics import Mean, Score, Whole
from ..problems import Problem
from ..protocol.choices import CHOICES
from ..relations.registry import METRICS
from ..results.evidence import EntityScore
from ..results.saved import VERSION
from ..results.scores import Factors, Resampling
from ..texts.align import KINDS
from .shapes import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    by_name,
    either,
    fields,
    many,
    maybe,
    of,
    record,
    row,
    says,
    word,
)  # fmt: skip

_FOUR = row(NUMBER, NUMBER, NUMBER, NUMBER)
_COUNTED = either(record({"recall": row(NUMBER, NUMBER), "precision": row(NUMBER, NUMBER)}), record({"sums": _FOUR}))


def _problem() -> Schema:
    every = fields(Problem)
    given = {name: TEXT if name != "line" else WHOLE for name in every if name not in ("code", "message", "fatal")}
    return record({"code": TEXT, "message": TEXT, "fatal": FLAG}, given)


def _choice(choice: Choice) -> Schema:
    if choice.range:
        least, most = choice.range
        return says({"type": "number", "minimum": least, "maximum": most}, choice.help)
    words = word(*choice.words)
    return says(either(words, TEXT) if choice.other or choice.from_file else words, choice.help)


SCORE = fields(Score)
_ERRORS = says(record(dict.fromkeys(SCORE, maybe(NUMBER))), "Of estimates from a sampled key.")
_NAMED = [
    part
    for name, each in METRICS.items()
    for part in (each.how.parts if isinstance(each.how, Whole) else each.how.of if isinstance(each.how, Mean) else ())
    if part != name and not (isinstance(each.how, Mean) and not each.how.geometric)
]
_PARTS = {part: NUMBER for part in _NAMED if part not in SCORE}  # that stand beside the value of a metric

# Shapes that several schemas use, by name.
SHARED: dict[str, Schema] = {
    "problem": says(_problem(), "What is wrong with input, or was found in it, with its place."),
    "protocol": says(
        record({"name": TEXT, **{name: _choice(each) for name, each in CHOICES.items()}, "metrics": many(TEXT)}),
        "Every choice of the evaluation.",
    ),
    "interval": says(row(NUMBER, NUMBER), "A 95 % interval."),
    "score": says(
        record(SCORE, {"ci": record({}, dict.fromkeys(SCORE, of("interval"))), "standard_error": _ERRORS} | _PARTS),
        "Fractions of 1, each perhaps with its interval; the named parts of a metric with one value, which is its f1.",
    ),
    "scores": says(by_name(of("score")), "By metric."),
    "groups": says(by_name(of("scores")), "By group of documents or of entities, then by metric."),
    "kinds": says(
        by_name(
            by_name(
                record({**SCORE, "counts": _COUNTED}, {"ci": record({}, dict.fromkeys(SCORE, of("interval")))} | _PARTS)
            )
        ),
        "By kind of mention, then by metric: the score with its counts, perhaps with intervals.",
    ),
    "counts": says(
        by_name(_COUNTED),
        "By metric: numerator and denominator of recall and of precision; the sums of a metric on whole clusterings.",
    ),
    "undefined": says(by_name(TEXT), "Metrics with nothing to count, and what they would count: their scores are 0."),
    "drift": says(
        record(
            {
                "steps": record(dict.fromkeys(KINDS, WHOLE)),
                "words": WHOLE,
                "share": says(NUMBER, "Of the key's words, those that are aligned."),
                "cut_off": says(by_name(record({"after": WHOLE, "of": WHOLE})), "By document."),
                "dropped": by_name(WHOLE),
                "mentions": WHOLE,
                "lost": says(WHOLE, "Mentions of the response, none of whose words is in the key."),
            }
        ),
        "How the text of a response differs from the key's.",
    ),
    "answers": says(
        record(
            {
                "answers": says(WHOLE, "Their number."),
                "read": says(WHOLE, "Those in which something could be read."),
                "kinds": says(by_name(WHOLE), "Of those, how many by kind: json, marks, lists, strings."),
                "reasons": record({}, dict.fromkeys(REASONS, WHOLE)),
                "without": says(by_name(word(*REASONS)), "By document, why nothing could be read."),
                "counts": record({}, dict.fromkeys(("truncated", *COUNTED), WHOLE)),
                "payloads": says(by_name(WHOLE), "Documents that are answered several times; the last time counts."),
                "several_documents": says(many(TEXT), "Documents in whose answer numbers name several."),
            },
            {"placement": says(row(NUMBER, NUMBER), "conll, with strings at other places: a 95 % interval.")},
        ),
        "What became of answers of language models.",
    ),
}

MADE = {
    "scoref": says(TEXT, "The version."),
    "signature": says(TEXT, "How the numbers were made: what differs from the preset."),
}
FULL = {**MADE, "signature_full": says(TEXT, "The same, with every choice named.")}
PROBLEMS = many(of("problem"))

RESAMPLED = {
    "resampling": record(fields(Resampling, "warnings")),
    "warnings": says(many(TEXT), "What makes intervals and tests unreliable."),
}

_BESIDE = {
    **RESAMPLED,
    "nuggets": says(by_name(record({"micro": of("score"), "macro": of("score")})), "The detection of event nuggets."),
    "sequencing": says(of("scores"), "The links of event nuggets."),
    "settings": says(of("groups"), "The scores of the other settings that were asked for with --with."),
    "drift": of("drift"),
    "answers": of("answers"),
    "factors": says(
        by_name(by_name(record(fields(Factors)))),
        "For metrics that are products: recall, precision or f1, and its parts.",
    ),
    "curve": says(
        record({"of": TEXT, "points": many(record({"at": TEXT, "signature": TEXT, "scores": of("scores")}))}),
        "With --curve: what it is of, and the scores at each point.",
    ),
    "detection": says(
        by_name(record({"f1": NUMBER, "mentions": NUMBER, "links": NUMBER, "share": maybe(NUMBER)})),
        "With --factors, by metric: what f1 loses by mentions and by links, and the share of mentions.",
    ),
    "datasets": says(of("groups"), "With --average datasets."),
    "documents_scores": says(of("groups"), "With --by document."),
    "by": says(by_name(either(of("groups"), of("kinds"))), "With --by, by the field."),
    "entities": says(
        many(record(fields(EntityScore, entity=TEXT, counts=by_name(row(NUMBER, NUMBER))))), "With --by entity."
    ),
}

EVALUATION = record(
    {
        **FULL,
        "protocol": of("protocol"),
        "documents": says(WHOLE, "Their number."),
        "problems": PROBLEMS,
        "notes": says(many(TEXT), "What is to be known beside the scores."),
        "undefined": of("undefined"),
        "scores": of("scores"),
        "counts": of("counts"),
    },
    _BESIDE,
)

SAVED = record(
    {
        "scoref-evaluation": {"const": VERSION},
        **MADE,
        "documents": many(TEXT),
        "datasets": says(many(TEXT), "The file that each document is from."),
        "key": says(many(TEXT), "A hash of the key's annotation of each document."),
        "response": many(TEXT),
        "fields": says(by_name(many(TEXT)), "What a field says of each document."),
        "counts": says(
            by_name(many(_FOUR)), "For each document: numerator and denominator of recall, then of precision."
        ),
        "problems": PROBLEMS,
        "settings": by_name(
            record(
                {"signature": TEXT, "counts": by_name(many(_FOUR))},
                dict.fromkeys(("documents", "datasets", "key", "response"), many(TEXT)),
            )
        ),
        "checksum": TEXT,
    },
    {
        "size": says(WHOLE, "The number of documents, if they were scored as one."),
        "counted": TEXT,
        "kinds": says(
            by_name(record({"counts": by_name(by_name(many(_FOUR))), "left_out": by_name(TEXT)})),
            "With --by mention:FIELD, by field and kind of mentions, what they count; why metrics are left out.",
        ),
    },
)

PLAIN_SCORES = by_name(record(SCORE))
OPTIONAL_TEXT = maybe(TEXT)
