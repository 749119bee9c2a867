"""A diagnosis in three sentences: which mentions lose most, which tangle costs most, how much is mention detection.

Each has an interval and says where its mentions are; or it says why it cannot be made, such as with few documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors.outcomes import MARKS
from ..errors.slicing.finding import slices
from ..errors.slicing.search import LEAST as SLICED
from ..errors.slicing.slices import VALUES, Slice, SliceSearch
from ..explanation.shares import share_interval, shares
from ..layout.render import Json
from ..problems import Error
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling
from ..statistics.figures import proper
from ..statistics.samples import LEAST
from .findings import Findings
from .losses import DRAWS, FARED, SEARCHED, LossTable, sentence_of
from .neutral import MARKS as NEUTRAL
from .neutral import Neutral

_TRIALS = 500
_NOTHING = 1e-9
_NOUNS = {"pronoun": "pronouns", "name": "names", "noun phrase": "noun phrases", "zero": "zeros"}
_SAID = {  # what is said of a kind; other kinds of other fields are named
    "distance: same sentence": "in the sentence of their antecedent",
    "distance: first mention": "that are the first of their entity",
    "first: first": "that are the first of their entity",
    "first: later": "that are not the first of their entity",
    "nested: nested": "inside longer ones",
    "nested: not nested": "outside of longer ones",
    "quoted: quoted": "in quoted speech",
    "quoted: not quoted": "outside of quoted speech",
    "length: 0": "without words",
    "length: 1": "of one word",
}
_PATTERNS = {
    "distance": "{} behind their antecedent",
    "length": "of {} words",
    "size": "of entities with {} mentions",
    "position": "in the {} of the text",
}


def diagnosis(
    evaluation: Evaluation, found: Findings, metric: str, losses: LossTable | str, digits: int,
    neutral: Neutral | None = None,
) -> list[Json]:  # fmt: skip
    """The sentences of a system, or of a pair of annotators, in the metric that the page shows."""
    if not found.analysis.of_coreference:
        return []
    known = evaluation.intervals.resampling if evaluation.intervals else neutral.resampling if neutral else None
    resampling = known._replace(trials=min(known.trials, _TRIALS)) if known else None
    said = [
        _of_slices(losses, neutral),
        _of_tangles(found, metric, resampling, digits),
        _of_shares(evaluation, metric, resampling, neutral),
    ]
    return [each for each in said if each]


def sentence(parts: Sequence[str | list[str]], to: Json | None = None, link: str = "") -> Json:
    """A sentence: texts, and names in lists; where its link leads to, and what it says."""
    return {"said": [each for each in parts if each], "to": to, "link": link}


# -- slices ----------------------------------------------------------------------------------------------------------


def _of_slices(losses: LossTable | str, neutral: Neutral | None) -> Json:
    """The slice that costs most points; or why there is none."""
    if isinstance(losses, str):
        return sentence([neutral.said(losses) if neutral else losses])
    searches = losses.slices.searches
    every = [(one, each) for one in searches for each in one.slices]
    if every:
        one, worst = max(every, key=lambda pair: pair[1].points)
        return _of_slice(losses, one, worst, neutral)
    some = max(one.documents for one in searches)
    if some < SLICED:
        few = f"{some} document{'s' * (some != 1)}"
        return sentence([f"With {few} nothing can be said of kinds of mentions: that takes {SLICED} or more."])
    return sentence(
        ["No kind of mention stands out beyond chance. ", _could(searches, "differ by" if neutral else "lose")],
        {"view": "slices"},
        "all kinds",
    )


def _could(searches: Sequence[SliceSearch], lose: str) -> str:
    """What so many documents could have shown."""
    needed = [one.finds[share] for one in searches for share in one.finds if share == max(one.finds)]
    if not needed or min(needed) >= 1:
        return "So few documents could show none."
    least = max(each for each in needed if each < 1)
    return f"A fifth of the mentions would have to {lose} {least:.2f} more each than others, to be seen here."


def _of_slice(losses: LossTable, one: SliceSearch, worst: Slice, neutral: Neutral | None) -> Json:
    others = worst.loss - worst.excess
    many = f", {worst.loss / others:.1f} times " if others > _NOTHING else ""
    low, high = worst.excess_ci
    more = f"{worst.excess:.2f} more (95 % interval {low:.2f} to {high:.2f}), together {worst.points:.2f} points."
    kinds, metric = phrase(worst.kinds), proper(losses.metric)
    if neutral:
        own, other = neutral.pair if one.value == VALUES[0] else neutral.pair[::-1]
        far = f"{many}as much as others in their documents" if many else ""
        differ = f" differ by {worst.loss:.2f} of their {metric} each from those of "
        said: list[str | list[str]] = [f"{kinds} of ", [own], differ, [other], f"{far}: {more}"]
    else:
        far = f"{many}what others in their documents lose" if many else ""
        said = [f"{kinds} lose {worst.loss:.2f} of their {metric} {one.value} each{far}: {more}"]
    asked = {"of": one.value, "where": written(worst.kinds)}
    return sentence(said, {"view": "slices", "asked": asked}, f"these {worst.mentions:,} mentions")


def phrase(kinds: Sequence[tuple[str, str]]) -> str:
    """Kinds in words.

    >>> phrase([("distance", "6+ sentences"), ("form", "pronoun")]), phrase([("UPOS", "DET"), ("length", "3-4")])
    ('Pronouns 6+ sentences behind their antecedent', 'Mentions with UPOS DET, of 3-4 words')
    """
    noun = next((_NOUNS[kind] for field, kind in kinds if field == "form" and kind in _NOUNS), "")
    rest = [
        _SAID.get(f"{field}: {kind}") or _PATTERNS.get(field, f"with {field} {{}}").format(kind)
        for field, kind in kinds
        if not (field == "form" and kind in _NOUNS)
    ]
    said = f"{noun or 'mentions'} {', '.join(rest)}".strip()
    return said[0].upper() + said[1:]


def written(kinds: Sequence[tuple[str, str]]) -> str:
    """Kinds as an address of the page has them.

    >>> written([("form", "noun phrase"), ("Is|X", "a:b")])
    'form:noun phrase|Is%7CX:a%3Ab'
    """
    return "|".join(":".join(map(_escaped, each)) for each in kinds)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("|", "%7C").replace(":", "%3A")


def differences(systems: Mapping[str, Evaluation], losses: Sequence[LossTable | str]) -> list[Json]:
    """Of two systems, on which kind of mention each gains most on the other beyond chance."""
    known = [each for each in losses if not isinstance(each, str)]
    if len(systems) != 2 or len(known) != 2:
        return []
    (a, first), (b, second) = systems.items()
    fields = [name for name in known[0].searched if name in known[1].searched]
    try:
        found = slices(first, second, metric=known[0].metric, fields=fields, trials=DRAWS, most=SEARCHED, names=(a, b),
                       mentions=[each.mentions for each in known])  # fmt: skip
    except Error as error:
        return [sentence([sentence_of(error)])]
    if max(one.documents for one in found.searches) < SLICED:
        return []  # the first sentence says so
    said = []
    for better in (True, False):
        every = [(one, each) for one in found.searches if one.better is better for each in one.slices]
        if every:
            said.append(_of_difference([a, b], found.metric, *max(every, key=lambda pair: pair[1].points)))
    nothing = sentence(["No kind of mention sets ", [a], " and ", [b], " apart beyond chance."],
                       {"view": "slices", "system": 0, "asked": {"against": "2"}}, "all kinds")  # fmt: skip
    return said or [nothing]


def _of_difference(names: Sequence[str], metric: str, one: SliceSearch, best: Slice) -> Json:
    """What the better one gains there on the other; behind there, too, it may be less so than elsewhere."""
    winner = int(bool(one.better))
    low, high = best.excess_ci
    gains, more = ("gains", "more") if best.loss >= 0 else ("loses", "less")
    what = f" {gains} {abs(best.loss):.2f} of {proper(metric)} {one.value} each on "
    beyond = f", {best.excess:.2f} {more} than on the others of their documents (95 % interval {low:.2f} to {high:.2f})"
    together = f"{beyond}, together {best.points:.2f} points."
    said: list[str | list[str]] = [f"{phrase(best.kinds)}: ", [names[winner]], what, [names[1 - winner]], together]
    asked = {"of": one.value, "where": written(best.kinds), "against": str(winner + 1)}
    to = {"view": "slices", "system": 1 - winner, "asked": asked}
    return sentence(said, to, f"these {best.mentions:,} mentions")


# -- tangles ---------------------------------------------------------------------------------------------------------


def _of_tangles(found: Findings, metric: str, resampling: Resampling | None, digits: int) -> Json:
    """What the costliest tangle costs."""
    if not found.tangle_costs or found.tangle_costs[0] <= 0:
        return sentence([f"No tangle of entities costs points of {proper(metric)} F1."])
    tangle = found.analysis.tangles[0]
    entities = tangle.keys or tangle.responses
    name = max(entities, key=lambda each: each.size).place.text
    others = len(tangle.keys) + len(tangle.responses) - 1
    what = f" and the {others} entities that share its mentions" if others > 1 else ""
    cost = f"{found.tangle_costs[0]:.{digits}f} points of {proper(metric)} F1"
    ends = found.analysis.tangles.interval(0, metric, resampling) if resampling else None
    drawn = "with the other documents drawn again"
    note = f" (95 % interval {_points(ends, digits)}, {drawn})." if ends else f" (no interval: {_too_few(found)})."
    verb = "costs" if others <= 1 else "cost"
    return sentence(["", [name], f"{what} alone {verb} {cost}{note}"],
                     {"document": tangle.number, "tangle": 0}, "this tangle")  # fmt: skip


def _points(ends: Interval, digits: int) -> str:
    low, high = (f"{100 * end:.{digits}f}" for end in ends)
    return f"{low} to {high}"


def _too_few(found: Findings) -> str:
    documents = len(found.twins.aligned)
    return "there are few units to draw" if documents > LEAST else f"{documents} document{'s' * (documents != 1)}"


# -- mentions and links ----------------------------------------------------------------------------------------------


def _of_shares(evaluation: Evaluation, metric: str, resampling: Resampling | None, neutral: Neutral | None) -> Json:
    """How much of the loss is mention detection."""
    try:
        known = shares(evaluation)
    except Error as error:
        why = neutral.said(error.problem.message) if neutral else error.problem.message
        return sentence([f"How much is mention detection is not known: {why}."])
    name = metric if metric in known.losses else next(iter(known.losses))
    loss = known.losses[name]
    called = proper(name)
    lost = loss.mentions + loss.links
    if lost <= _NOTHING:
        return sentence([f"Nothing is {'different' if neutral else 'lost'} in {called} F1."])
    to: Json = {"view": "slices", "asked": {"where": f"{FARED}:{(NEUTRAL if neutral else MARKS)[-1]}"}}
    link = f"mentions that only one {'annotator' if neutral else 'side'} has"
    missed = "between the two" if neutral else "that are lost"
    if loss.share is None:
        text = f"Of {100 * lost:.1f} points of {called} F1 {missed}, mention detection is no share: it gains points."
        return sentence([text], to, link)
    ends = share_interval(known, name, resampling) if resampling else None
    note = f" (95 % interval {100 * ends[0]:.0f} to {100 * ends[1]:.0f} %)" if ends else " (no interval: few documents)"
    text = (
        f"Of the {100 * lost:.1f} points of {called} F1 {missed}, {100 * loss.share:.0f} % is mention "
        f"detection{note}, {100 - round(100 * loss.share):.0f} % is linking."
    )
    return sentence([text], to, link)
