"""The schemas of `board` and `validate`, and of the commands that say what there is: `list`, `config`, `doctor`."""

from __future__ import annotations

from ..board.history import NAME, VERSION
from ..board.limits import MISSING
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
                    "letters": says(TEXT, "Submissions that share one do not differ significantly."),
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

_TITLES = {
    "metrics": ("metric", "what it is", "source"),
    "formats": ("format", "what it is", "protocol", "can"),
    "protocols": ("protocol", "tools", "unlike conll-2012", "metrics"),
    "matchers": ("matcher", "which mentions count as the same"),
}

LISTS = either(
    record(dict.fromkeys(_TITLES, many(TEXT))),
    *(many(record(dict.fromkeys(columns, TEXT))) for columns in _TITLES.values()),
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
