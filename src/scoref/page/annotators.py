"""The data of a page without a key: pairs of annotators and how far they agree, the places where somebody decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ..curation.curate import Curation, curated
from ..curation.decisions import written
from ..curation.merging import AGREED, Merged, Option
from ..layout import grid
from ..layout.render import Json
from ..results.evaluation import Evaluation
from ..statistics.agreement import Agreement, annotated
from ..statistics.reliability import Measure
from .neutral import Neutral
from .texts import PageText

_HEADINGS = {
    "right %": "same %", "right": "same", "wrong antecedent": "other antecedent", "missed": "only {0}",
    "extra": "only {1}", "no antecedent": "antecedent only {0}", "false antecedent": "antecedent only {1}",
    "errors": "differences",
}  # fmt: skip


class Annotators(NamedTuple):
    """What a page of annotators needs beside evaluations of their pairs: the words of each pair, tables, places."""

    pairs: Sequence[Neutral]
    table: Json
    curation: Curation


def pairs_of(agreement: Agreement) -> tuple[dict[str, Evaluation], Annotators]:
    """The evaluations of all pairs by name, and what else the page shows of them."""
    names = [
        Neutral((agreement.annotators[a], agreement.annotators[b]), agreement.resampling)
        for a, b in agreement.evaluations
    ]
    systems = {
        " and ".join(each.pair): evaluation
        for each, evaluation in zip(names, agreement.evaluations.values(), strict=True)
    }
    curation = curated(annotated(agreement.annotators, agreement.evaluations), {})
    return systems, Annotators(names, _table(agreement), curation)


def _table(agreement: Agreement) -> Json:
    """Every measure of every pair, and of all: shown, with its interval; numbers are rounded here."""
    pairs = [[agreement.of(a, b) for a, b in combinations(agreement.annotators, 2)], [agreement.of()]]
    names = list(dict.fromkeys(name for some in pairs for each in some for name in each))
    rows = [[[_shown(each.get(name)) for name in names] for each in some] for some in pairs]
    notes = [note for note in agreement.notes() if not note.startswith("signature ")]
    return {
        "annotators": list(agreement.annotators),
        "measures": names,
        "pairs": rows[0],
        "all": rows[1][0],
        "notes": notes,
    }


def _shown(measure: Measure | None) -> list[object] | None:
    """A value to sort by, its text, and the text of its interval."""
    if measure is None:
        return None
    texts = grid.Grid("", ("a", "b", "c"), [(measure.cell, *measure.ends)]).shown(str)[0]
    return [measure.value, texts[0], f"{texts[1]} to {texts[2]}" if measure.ci else ""]


def in_their_words(systems: Sequence[Json], pairs: Sequence[Neutral]) -> str:
    """Say of systems which annotators they compare, and name these in breakdowns; gives the title of the page."""
    for system, each in zip(systems, pairs, strict=True):
        system["pair"] = each.pair
        for view in system["views"]:
            view["title"] = each.said(view["title"])
            view["header"] = [_HEADINGS.get(name, name).format(*each.pair) for name in view["header"]]
    return ", ".join(dict.fromkeys(name for each in pairs for name in each.pair))


def places_of(merged: Merged, number: int, text: PageText) -> list[Json]:
    """The places of a document on which annotators differ."""
    document = merged.document
    return [
        {
            "document": number, "what": place.what, "status": place.status, "mention": written(place.mention),
            "words": document.text_of(place.mention), "pieces": text.pieces(place.mention.span), "chosen": place.chosen,
            "options": [_option(each, document.text_of(each.other) if each.other else "") for each in place.options],
        }
        for place in merged.places
        if place.status != AGREED
    ]  # fmt: skip


def _option(option: Option, words: str) -> Json:
    keep, other, alone = option.decision
    decision: Mapping[str, object] = {} if keep is None else {"keep": keep}
    said = {**decision, "with": other} if other is not None or alone else decision
    return {"by": option.annotators, "words": words, "decision": said}
