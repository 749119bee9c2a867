"""What became of the answers of an evaluation, as JSON and as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..layout.render import Json
from ..texts.projection import drift_sentences
from .candidates import REASONS
from .place import Answered

# What is counted, and how it is said.
COUNTED = {
    "moved": "{} whose text is not at its numbers, placed at the nearest place of its text",
    "lost": "{} not in the key",
    "surplus": "{} more often listed than in the key",
    "duplicate": "{} listed twice in an entity, counted once",
    "outside": "{} marked in remarks around the text, no mention",
    "unclosed": "{} never closed",
    "unopened": "{} never opened",
    "numbers_ignored": "{} whose numbers fit no reading, placed by its text",
}
_SHOWN = 3  # documents that are named


def summary(answers: Mapping[str, Answered]) -> Json:
    """How many answers there are, of which kind, why there is nothing in some of them, and what was counted."""
    counts = sum((each.counts for each in answers.values()), Counter[str]())
    reasons = Counter(each.reason for each in answers.values() if each.reason)
    several = [name for name, each in answers.items() if each.counts["payloads"] > 1]
    return {
        "answers": len(answers),
        "read": len(answers) - reasons.total(),
        "kinds": dict(Counter(each.kind for each in answers.values() if not each.reason)),
        "reasons": {reason: reasons[reason] for reason in REASONS if reasons[reason]},
        "without": {name: each.reason for name, each in answers.items() if each.reason},
        "counts": {name: counts[name] for name in ("truncated", *COUNTED) if counts[name]},
        "payloads": {name: answers[name].counts["payloads"] for name in several},
        "several_documents": [name for name, each in answers.items() if each.documents > 1],
    }


def counted(counts: Counter[str] | Mapping[str, int]) -> list[str]:
    """What was counted of the mentions of answers, in words."""
    return [COUNTED[name].format(f"{counts[name]:,}") for name in COUNTED if name in counts]


def sentences(drift: Json, found: Json, lost: str) -> list[str]:
    """How texts differ and what became of answers, in sentences; nothing where all was read as it stands."""
    lines = drift_sentences(drift, lost)
    if not found:
        return lines
    if found["reasons"]:
        why = ", ".join(f"{number} {reason}" for reason, number in found["reasons"].items())
        lines.append(f"{len(found['without'])} of {found['answers']} answers cannot be read and count as empty: {why}")
    counts = found["counts"]
    if counts.get("truncated"):
        lines.append(f"{counts['truncated']} of {found['answers']} answers broke off")
    if said := counted(counts):
        how = "count as mentions that the key lacks" if lost == "count" else "are left out"
        behind = f"; those not in the key {how}" if counts.keys() & {"lost", "surplus"} else ""
        lines.append(f"mentions in answers: {', '.join(said)}{behind}")
    if found["payloads"]:
        number, names = len(found["payloads"]), ", ".join([*found["payloads"]][:_SHOWN])
        lines.append(f"{number} of {found['answers']} answers answer several times, the last counts: {names}")
    if found["several_documents"]:
        names = ", ".join(found["several_documents"][:_SHOWN])
        lines.append(f"numbers of mentions name several documents, or sentences, which are not read: {names}")
    if found.get("placement"):
        low, high = found["placement"]
        lines.append(
            f"placement {100 * low:.1f}–{100 * high:.1f}: conll, if strings that occur again are placed at random"
        )
    return lines
