"""Errors in other layers than coreference: event nuggets, split antecedents, bridging, non-referring mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..document.grouping import grouped
from ..formats import SIDES
from ..matching.lookup import Lookups, lookups
from ..matching.nuggets import agree, greedy, once, value
from ..pairing.pairs import Pair
from ..relations.anaphors import Bridged, bridged, entity_of, nonreferring, nonreferring_mentions
from ..results.evaluation import Evaluation
from .mistakes import MentionPlace, listed
from .twins import Twins

STATUSES = ("found", "partial", "wrong type", "wrong realis", "wrong type and realis", "missed", "spurious")
OTHER_KINDS = {
    "bridging": ("bridging antecedent wrong", "bridging anaphor missed", "bridging anaphor extra"),
    "non-referring": ("non-referring missed", "non-referring extra"),
}
_SETS = ("sets right", "sets missed", "sets extra", "members right", "members missed", "members extra")


class NuggetRow(NamedTuple):
    """A key mention beside its response mention, or one of them alone, and what is wrong."""

    document: str
    kind: str  # one of STATUSES
    dice: float
    key: MentionPlace | None
    response: MentionPlace | None

    @property
    def mentions(self) -> tuple[MentionPlace, ...]:
        """The key mention and the response mention, where they exist."""
        return tuple(place for place in (self.key, self.response) if place)

    @property
    def says(self) -> str:
        """What the response says of it."""
        if self.response is None:
            return f"{self.mentions[0].label} is missing"
        return f"{self.response.label} is {_labels(self.response)}"

    @property
    def should(self) -> str:
        """What the key says of it."""
        return f"the key has {self.key.label}, {_labels(self.key)}" if self.key else "the key has no such mention"

    @property
    def sentence(self) -> str:
        """What is wrong, and what is right."""
        return f"{self.says}; {self.should}"


def _labels(place: MentionPlace) -> str:
    """Type and realis of a nugget."""
    attributes = dict(place.mention.attributes)
    return " ".join(attributes[name] for name in ("type", "realis") if attributes.get(name)) or "without a type"


def nugget_rows(evaluation: Evaluation) -> list[NuggetRow]:
    """Every key mention beside the response mention that the span mapping gives it, then the others of the response.

    Of pairs with the same Dice coefficient, one with the same type, then with the same realis, is preferred.
    Kinds of rows: found, partial (part of the span), wrong type, wrong realis, wrong type and realis, missed, spurious.
    """
    rows: list[NuggetRow] = []
    for number, (key, response, _) in enumerate(evaluation.evidence.aligned):
        name = evaluation.names[number]
        ours = [MentionPlace("key", number, index, key) for index in range(len(key.mentions))]
        theirs = [MentionPlace("response", number, index, response) for index in range(len(response.mentions))]
        mapped = {k: (r, dice) for k, r, dice in greedy(key, response, prefer=("type", "realis"))}
        for k, mention in enumerate(key.mentions):
            if k not in mapped:
                rows.append(NuggetRow(name, "missed", 0.0, ours[k], None))
                continue
            other = response.mentions[mapped[k][0]]
            wrong = [name for name in ("type", "realis") if not agree(value(mention, name), value(other, name))]
            status = f"wrong {' and '.join(wrong)}" if wrong else "found" if mapped[k][1] == 1 else "partial"
            rows.append(NuggetRow(name, status, mapped[k][1], ours[k], theirs[mapped[k][0]]))
        used = {r for r, _ in mapped.values()}
        rows += [NuggetRow(name, "spurious", 0.0, None, place) for r, place in enumerate(theirs) if r not in used]
    return rows


class OtherError(NamedTuple):
    """An error in bridging or in non-referring mentions: its kind, its document, its mention as it was read.

    Bridging anaphors have the antecedents that the response gives them, and those of the key.
    """

    kind: str
    document: str
    mentions: tuple[MentionPlace, ...]
    given: tuple[MentionPlace, ...] = ()
    wanted: tuple[MentionPlace, ...] = ()

    @property
    def says(self) -> str:
        """What the response says of the mention."""
        label = self.mentions[0].label
        if self.kind in OTHER_KINDS["non-referring"]:
            return f"{label} does not refer" if self.kind == "non-referring extra" else f"{label} refers, or is missing"
        return f"{label} is bridged to {listed(self.given)}" if self.given else f"{label} is no bridging anaphor"

    @property
    def should(self) -> str:
        """What the key says of it."""
        if self.kind in OTHER_KINDS["non-referring"]:
            missed = self.kind == "non-referring missed"
            return "in the key it does not refer" if missed else "in the key it refers, or is no mention"
        return f"the key bridges it to {listed(self.wanted)}" if self.wanted else "it is none in the key"

    @property
    def sentence(self) -> str:
        """What is wrong, and what is right."""
        return f"{self.says}; {self.should}"


def further(evaluation: Evaluation, twins: Twins | None) -> dict[str, dict[str, float]]:
    """Counts of split antecedents (if `twins` are given), bridging, non-referring mentions; only those that exist."""
    counts_by_title = {
        "split antecedents": _set_counts(twins, evaluation.evidence.homes) if twins else {},
        "bridging": bridging_counts(evaluation),
        "non-referring": nonreferring_counts(evaluation),
    }
    return {title: counts for title, counts in counts_by_title.items() if counts}


def _set_counts(twins: Twins, homes: Sequence[int]) -> dict[str, float]:
    """Split antecedents: sets and members that are right, missed, extra; empty if there are no sets.

    Sets are paired by the mentions of their anaphors, members by mentions that they share.
    """
    if not any(document.sets for side in twins.documents for document in side):
        return {}
    shared: dict[int, dict[tuple[Hashable, Hashable], int]] = {home: {} for home in homes}
    key, response = twins.sides
    for row, column, number in zip(*(each.tolist() for each in twins.cells[:3]), strict=True):
        shared[int(key.home[row])][key.name[row], response.name[column]] = number
    counts: Counter[str] = Counter()
    for home, numbers in grouped(homes).items():
        documents = [[side[number] for number in numbers] for side in twins.documents]
        ours, theirs = ({name: each.sets[name] for each in side for name in each.sets} for side in documents)
        pairs = _paired(shared[home], list(ours), list(theirs))
        counts += _right_missed_extra("sets", len(pairs), len(ours), len(theirs))
        right = sum(len(_paired(shared[home], ours[k], theirs[r])) for k, r in pairs)
        counts += _right_missed_extra("members", right, *(sum(map(len, each.values())) for each in (ours, theirs)))
    return {name: counts[name] for name in _SETS}


def _right_missed_extra(what: str, right: int, ours: int, theirs: int) -> Counter[str]:
    return Counter({f"{what} right": right, f"{what} missed": ours - right, f"{what} extra": theirs - right})


def _paired(
    shared: Mapping[tuple[Hashable, Hashable], int], ours: Sequence[Hashable], theirs: Sequence[Hashable]
) -> list[tuple[Hashable, Hashable]]:
    """One-to-one pairs of key and response entities; those that share most mentions are paired first."""
    sharing = [(k, r) for k in range(len(ours)) for r in range(len(theirs)) if shared.get((ours[k], theirs[r]))]
    sharing.sort(key=lambda pair: (-shared[ours[pair[0]], theirs[pair[1]]], str(ours[pair[0]]), str(theirs[pair[1]])))
    return [(ours[k], theirs[r]) for k, r in once(sharing)]


def bridging_counts(evaluation: Evaluation) -> dict[str, float]:
    """Bridging anaphors: right, with a wrong antecedent, missed, extra; empty if there are none.

    An anaphor with several antecedents can be partly right, so counts can be fractions.
    """
    bridges = [bridge for *_, some in _bridges(evaluation) for bridge in some]
    recalls = [bridge.recall for bridge in bridges if bridge.key is not None and bridge.response is not None]
    missed = sum(bridge.response is None for bridge in bridges)
    numbers = (sum(recalls), len(recalls) - sum(recalls), missed, len(bridges) - len(recalls) - missed)
    names = ("right", "antecedent wrong", "anaphor missed", "anaphor extra")
    return dict(zip(names, numbers, strict=True)) if bridges else {}


def nonreferring_counts(evaluation: Evaluation) -> dict[str, float]:
    """Non-referring mentions: right, missed, extra; empty if there are none."""
    layer = _everything(evaluation, "non-referring")
    counts = [nonreferring(pair.key, pair.response, alignment) for _, pair, alignment in layer]
    recalled, ours, precise, theirs = (sum(column) for column in zip(*counts, strict=True)) if counts else [0] * 4
    return {"right": recalled, "missed": ours - recalled, "extra": theirs - precise} if ours or theirs else {}


def other_errors(evaluation: Evaluation) -> list[OtherError]:
    """Errors in bridging and in non-referring mentions."""
    errors: list[OtherError] = []
    for number, pair, bridges in _bridges(evaluation):
        for bridge in (each for each in bridges if each.recall < 1):
            kind = OTHER_KINDS["bridging"][2 if bridge.key is None else 1 if bridge.response is None else 0]
            both = (*_read(number, pair, 0, [bridge.key]), *_read(number, pair, 1, [bridge.response]))
            wanted, given = _antecedents(number, pair, 0, bridge.key), _antecedents(number, pair, 1, bridge.response)
            errors.append(OtherError(kind, evaluation.names[number], both[:1], given, wanted))
    for number, pair, alignment in _everything(evaluation, "non-referring"):
        alone = nonreferring_mentions(pair.key), nonreferring_mentions(pair.response)
        aligned = [(k, r) for k, r in zip(*alignment.every, strict=True) if k in alone[0] and r in alone[1]]
        for side, kind in enumerate(OTHER_KINDS["non-referring"]):
            places = _read(number, pair, side, sorted(alone[side] - {each[side] for each in aligned}))
            errors += [OtherError(kind, evaluation.names[number], (place,)) for place in places]
    return errors


def _bridges(evaluation: Evaluation) -> Iterator[tuple[int, Pair, list[Bridged]]]:
    for number, pair, alignment in _everything(evaluation, "bridging"):
        yield number, pair, bridged(pair.key, pair.response, alignment, entity_of(pair.key))


def _everything(evaluation: Evaluation, layer: str) -> Iterator[tuple[int, Pair, Lookups]]:
    """Documents as they were read, with their alignment, if the layer is scored and they are annotated with it."""
    protocol = evaluation.protocol
    pairs = evaluation.evidence.pairs if protocol.reading.layer in ("identity", layer, "all") else ()
    for number, pair in enumerate(pairs):
        if any(side.bridges or side.nonreferring for side in (pair.key, pair.response)):
            yield (
                number,
                pair,
                lookups(pair.key, pair.response, protocol.match, protocol.zeros, fields=protocol.matching.fields),
            )


def _antecedents(number: int, pair: Pair, side: int, anaphor: int | None) -> tuple[MentionPlace, ...]:
    """The antecedents that one side gives to a bridging anaphor."""
    bridges = (pair.key, pair.response)[side].bridges
    return _read(number, pair, side, dict.fromkeys(each.antecedent for each in bridges if each.anaphor == anaphor))


def _read(number: int, pair: Pair, side: int, indices: Iterable[int | None]) -> tuple[MentionPlace, ...]:
    """The places of mentions in a document as it was read."""
    document = (pair.key, pair.response)[side]
    return tuple(MentionPlace(SIDES[side], number, index, document) for index in indices if index is not None)
