"""What a problem tells: every test of some folders looks at it, whatever else it tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import scoref
from scoref.problems import Problem

FOLDERS = ("counting", "formats", "results", "statistics", "tables")  # whose tests look at all problems they meet
PACKAGE = Path(scoref.__file__).parent
ALL = "path line text expected remedy"

# A problem tells where it is, what is there, what was expected instead, and what to do. These tell less, as there is no
# more to say: it is the whole file, what is missing has no text, or documents came from no file.
LESS = {
    ALL: """
        not-on-tables bad-weight no-weight lone-documents bad-column broken-table bad-table different-columns
        unknown-column extra-document different-types nothing-in-common bad-columns small-set no-positions
        missing-member missing-entity cyclic-set empty-file missing-document mostly-other-records names-alike
        no-positions no-text order-counts
        bad-clusters bad-json bad-list bad-mention bad-words crossing-mentions duplicate-mention no-entities no-response
        no-token-table no-words repeated-document token-count too-far unnamed-document unnamed-entities
        unopened-document unwritable-mention wrong-encoding""",
    "path line text expected": """
        bad-list token-count""",
    "path line text remedy": """
        unopened-document unwritable-mention""",
    "path line expected remedy": """
        bad-json no-text not-accepted xml-doctype
        bad-clusters bad-entities bad-record bad-subtokens bad-words binary-file default-protocol
        different-units extra-document heads-from-trees no-common-document no-entities no-heads no-newdoc
        no-attribute no-kbids no-parse no-token-table no-types no-words
        not-the-same-text paired-by-order paired-without-folders repeated-document
        token-count too-deep unknown-relation unnamed-document unnamed-entities wrong-encoding xml-entities""",
    "path text expected remedy": """
        lone-documents bad-column
        bad-mention path-outside
        no-common-example""",
    "path line expected": """
        empty-document token-count""",
    "path line remedy": """
        bad-xml missing-document unknown-sentence unlisted-document""",
    "path expected remedy": """
        broken-table bad-table different-columns unknown-column extra-document different-types nothing-in-common
        bad-columns
        bad-docbin bad-mention no-entities too-deep too-large
        bad-encoding bad-evaluation empty-folder extra-example missing-annotation mixed-formats no-common-file
        no-attribute no-example no-kbids no-marks no-minimum no-response no-types passed-over
        repeated-document repeated-file
        unknown-format unknown-picture""",
    "text expected remedy": """
        small-set no-positions missing-member missing-entity cyclic-set bad-weight no-weight
        bad-runs duplicate-mention order-counts too-far unwritable-mention unwritable-name""",
    "path expected": """
        empty-file
        other-candidates unknown-word
        bad-list no-key unlisted-document""",
    "path remedy": """
        nothing-in-common missing-document mostly-other-records names-alike no-folder
        broken-zip
        ambiguous-format bad-evaluation broken-gzip circular-folder empty-file empty-folder extra-file
        no-document no-event-types out-of-memory read-twice repeated-file too-deep too-large unknown-words
        unreadable-file unreadable-folder unwritable-file""",
    "text expected": """
        bad-mention bad-signature crossing-mentions unwritable-name unwritable-word""",
    "text remedy": """
        crossing-mentions unwritable-entity unwritable-mention unwritable-name unwritable-relation
        unwritable-word""",
    "expected remedy": """
        undefined-metric not-sampled windowed-sets windowed-scope unknown-field not-kept no-entities weighted-sets
        heads-from-trees other-stages numbered-anew no-tags mixed-formats lost-executor
        no-kinds no-kbids no-attribute not-on-tables
        bad-documents bad-names bad-systems different-documents different-keys different-protocols
        different-settings different-versions extra-document missing-package no-common-document no-positions
        one-group one-system repeated-document repeated-run saved-evaluations scope-corpus unknown-choice
        unknown-curve unknown-marks unknown-metric unknown-style unscored-metric unwritable-text""",
    "path": """
        left-out-document""",
    "text": """
        bounded-metric
        unwritable-set unwritable-text""",
    "expected": """
        bad-arrays unknown-engine
        bad-clusters bad-difference bad-path bad-systems bad-trials bad-words no-evaluation no-key no-run
        no-writer one-annotator unknown-choice unknown-ends unknown-field unknown-format
        unknown-measure unknown-side unwritable-name""",
    "remedy": """
        windowed-errors
        all-lost counted-bytes moved-mentions names-alike other-attributes no-realis no-zeros nothing-in-common
        missing-document missing-package no-entities no-links no-mentions no-name no-singletons
        too-many-documents two-standard-inputs unwritable-entity unwritable-mention unwritable-text""",
    "": """
        left-out-document no-document unwritable-entity""",
}
FACTS: dict[str, set[str]] = {}
for facts, codes in LESS.items():
    for code in codes.split():
        FACTS.setdefault(code, set()).add(facts)


def told(problem: Problem) -> str:
    """The facts that a problem tells."""
    return " ".join(fact for fact in ALL.split() if getattr(problem, fact) is not None)


def _by_scoref() -> bool:
    """Whether the function that makes a problem is one of the package, and not a test."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in ("<string>", str(PACKAGE / "problems.py")) and frame.f_back:
        frame = frame.f_back
    return PACKAGE in Path(frame.f_code.co_filename).parents


@pytest.fixture(autouse=True)
def problems_tell_all(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every problem that was met in a test told what problems with its code tell."""
    if request.path.parent.name not in FOLDERS:
        yield
        return
    made, found = Problem.__init__, set()

    def init(self: Problem, *values: object, **named: object) -> None:
        made(self, *values, **named)  # type: ignore[arg-type]
        if _by_scoref():
            found.add((self.code, told(self)))

    monkeypatch.setattr(Problem, "__init__", init)
    yield
    wrong = sorted((code, facts) for code, facts in found if facts not in FACTS.get(code, {ALL}))
    assert not wrong, f"these tell less, or more, than problems with their code do: {wrong}"
