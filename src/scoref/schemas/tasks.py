"""The schemas of `board` and `validate`, of files of prompts and decisions, and of `list`, `config` and `doctor`."""

from __future__ import annotations

from ..board.history import NAME, VERSION
from ..board.limits import MISSING
from ..output.registries import LISTS as LISTED
from .scores import FULL, PROBLEMS, RESAMPLED
from .shapes import FLAG, NUMBER, TEXT, WHOLE, by_name, either, many, maybe, of, record, says, word

_SENT = {
    "name": says(TEXT, "team, or team/run"),
    "team": TEXT,
    "run": TEXT,
    "path": TEXT,
    "digest": says(TEXT, "SHA-256 of what was sent in."),
    "seconds": NUMBER,
    "notes": says(many(TEXT), "What was repaired, left out or not seen."),
}
_REPORT = {"report": says(maybe(TEXT), "The file behind it, relative to the page.")}
_PLACE = {"rank": maybe(WHOLE), "score": maybe(NUMBER)}
_BEFORE = record(_PLACE)

BOARD = record(
    {
        NAME: {"const": VERSION},
        **FULL,
        "date": TEXT,
        "key": record({"path": TEXT, "digest": TEXT, "documents": WHOLE}),
        "protocol": of("protocol"),
        "main": says(TEXT, "The metric that submissions are ranked by."),
        "missing": word(*MISSING),
        "limits": record({"seconds": WHOLE, "memory": WHOLE}),
        "datasets": many(TEXT),
        "marks": says(TEXT, "What letters mean."),
        "accepted": many(
            record(
                {
                    **_SENT,
                    **_PLACE,
                    "letters": says(
                        TEXT, "Submissions that share one do not differ significantly; of more than 25, with commas."
                    ),
                    "scores": of("scores"),
                    "undefined": of("undefined"),
                    "datasets": of("groups"),
                    "missing_documents": WHOLE,
                    "sums_only": says(FLAG, "Whether it is a saved evaluation, whose files were not seen."),
                    "before": says(maybe(_BEFORE), "On the last board."),
                    "repeat": says(TEXT, "The command that repeats it."),
                },
                _REPORT,
            )
        ),
        "rejected": many(record({**_SENT, "reasons": PROBLEMS, "number_of_reasons": WHOLE}, _REPORT)),
        "withdrawn": says(many(TEXT), "On the last board, but not on this one."),
        "history": many(record({"date": TEXT, "accepted": many(record({"name": TEXT, **_PLACE}))})),
    },
    RESAMPLED,
)

VALIDATION = record(
    {"files": WHOLE, "problems": PROBLEMS, "remarks": says(PROBLEMS, "Remarks, which are no problems.")},
    {
        "submissions": says(many(record({"path": TEXT, "accepted": FLAG, "notes": many(TEXT)})), "With --key."),
        "signature": TEXT,
    },
)

_PLACE_OF_TEXT = {
    "document": TEXT,
    "mention": says(TEXT, "Its words from 0, as 4-6,9; an empty node as 4.1; or its id."),
}
_WITH = {"with": says(maybe(TEXT), "A mention of the same entity; null: it is alone.")}

DECISIONS = record(
    {
        "decisions": many(
            either(
                record({**_PLACE_OF_TEXT, "keep": says(FLAG, "Whether it is a mention.")}, _WITH),
                record({**_PLACE_OF_TEXT, **_WITH}),
            )
        )
    },
    {"annotators": many(TEXT)},
)

_PROMPTED = {"text": says(TEXT, "The text that the answer is about."), "style": TEXT, "version": WHOLE}

PROMPT = either(
    record({"prompt": TEXT, **_PROMPTED}, {"id": TEXT}),
    record({"messages": many(record({"role": word("system", "user", "assistant"), "content": TEXT})), **_PROMPTED},
           {"id": TEXT}),
)  # fmt: skip

_COLUMNS = {name: make().header for name, make in LISTED.items()}

LISTS = either(
    record(dict.fromkeys(_COLUMNS, many(TEXT))),
    *(many(record(dict.fromkeys(columns, TEXT))) for columns in _COLUMNS.values()),
)

CONFIG = record(
    {
        "file": maybe(TEXT),
        "settings": many(
            record(
                {"setting": TEXT, "value": either(TEXT, NUMBER, FLAG, many(TEXT), maybe(by_name(TEXT))), "from": TEXT}
            )
        ),
    }
)

DOCTOR = record(
    {
        **dict.fromkeys(("scoref", "python", "system", "settings"), TEXT),
        "packages": many(record(dict.fromkeys(("part", "package", "version", "needed", "state"), TEXT))),
        "you_can": many(TEXT),
    }
)
