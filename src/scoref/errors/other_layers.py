"""Errors in other layers than coreference: split antecedents, bridging, non-referring mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..document.document import Document
from ..document.grouping import grouped
from ..matching.lookup import Lookups, lookups
from ..matching.nuggets import once
from ..pairing.pairs import Pair
from ..relations.anaphors import Bridged, bridged, entity_of, nonreferring, nonreferring_mentions
from ..results.evaluation import Evaluation
from .mistakes import MentionPlace, listed
from .twins import Aligned, Twins


class OtherError(NamedTuple):
    """An error in bridging or in non-referring mentions: its kind, its document, its mention as it was read.

    Bridging anaphors have the antecedents that the response gives them, and those of the key.
    """

    kind: str
    document: str
    mentions: tuple[MentionPlace]
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


OTHER_KINDS = {
    "bridging": ("bridging antecedent wrong", "bridging anaphor missed", "bridging anaphor extra"),
    "non-referring": ("non-referring missed", "non-referring extra"),
}

_BRIDGING = ("right", "antecedent wrong", "anaphor missed", "anaphor extra")
_SETS = ("sets right", "sets missed", "sets extra", "members right", "members missed", "members extra")


def set_counts(twins: Twins, homes: Sequence[int]) -> dict[str, int]:
    """Split antecedents: sets and members that are right, missed, extra; nothing where there are no sets.

    Sets are paired by the mentions of their anaphors, members by mentions that they share.
    """
    if not any(side.sets for pair in twins.aligned for side in pair[:2]):
        return {}
    shared: dict[int, dict[tuple[Hashable, Hashable], int]] = {home: {} for home in homes}
    ours, theirs = twins.sides
    for row, column, number in zip(*(each.tolist() for each in twins.cells[:3]), strict=True):
        shared[int(ours.home[row])][ours.name[row], theirs.name[column]] = number
    counts: Counter[str] = Counter()
    for home, numbers in grouped(homes).items():
        counts += _set_counts([twins.aligned[number] for number in numbers], shared[home])
    return {name: counts[name] for name in _SETS}


def bridging_counts(evaluation: Evaluation) -> dict[str, float]:
    """Bridging anaphors: right, with a wrong antecedent, missed, extra; nothing where there are none.

    Of an anaphor with several antecedents a part can be right.
    """
    bridges = [bridge for *_, some in _bridges(evaluation) for bridge in some]
    recalls = [bridge.recall for bridge in bridges if bridge.key is not None and bridge.response is not None]
    missed = sum(bridge.response is None for bridge in bridges)
    numbers = (sum(recalls), len(recalls) - sum(recalls), missed, len(bridges) - len(recalls) - missed)
    return dict(zip(_BRIDGING, numbers, strict=True)) if bridges else {}


def _bridges(evaluation: Evaluation) -> Iterator[tuple[int, Pair, list[Bridged]]]:
    for number, pair, alignment in _everything(evaluation, "bridging"):
        yield number, pair, bridged(pair.key, pair.response, alignment, entity_of(pair.key))


def nonreferring_counts(evaluation: Evaluation) -> dict[str, float]:
    """Mentions that do not refer: right, missed, extra; nothing where there are none."""
    layer = _everything(evaluation, "non-referring")
    counts = [nonreferring(pair.key, pair.response, alignment) for _, pair, alignment in layer]
    recalled, ours, precise, theirs = (sum(column) for column in zip(*counts, strict=True)) if counts else [0] * 4
    numbers = {"right": recalled, "missed": ours - recalled, "extra": theirs - precise}
    return numbers if ours or theirs else {}


def other_errors(evaluation: Evaluation) -> list[OtherError]:
    """Errors in bridging and in non-referring mentions."""
    errors: list[OtherError] = []
    for number, pair, bridges in _bridges(evaluation):
        for bridge in bridges:
            if bridge.recall < 1:
                both = bridge.key is not None and bridge.response is not None
                kind = OTHER_KINDS["bridging"][0 if both else 1 if bridge.response is None else 2]
                place = _read(number, pair, bridge.key, bridge.response)
                given = _antecedents("response", number, pair.response, bridge.response)
                wanted = _antecedents("key", number, pair.key, bridge.key)
                errors.append(OtherError(kind, evaluation.names[number], (place,), given, wanted))
    missing, extra = OTHER_KINDS["non-referring"]
    for number, pair, alignment in _everything(evaluation, "non-referring"):
        ours, theirs = nonreferring_mentions(pair.key), nonreferring_mentions(pair.response)
        both_sides = [(k, r) for k, r in zip(*alignment.every, strict=True) if k in ours and r in theirs]
        for k in sorted(ours - {k for k, _ in both_sides}):
            errors.append(OtherError(missing, evaluation.names[number], (_read(number, pair, k, None),)))
        for r in sorted(theirs - {r for _, r in both_sides}):
            errors.append(OtherError(extra, evaluation.names[number], (_read(number, pair, None, r),)))
    return errors


def _everything(evaluation: Evaluation, layer: str) -> Iterator[tuple[int, Pair, Lookups]]:
    """Documents as they were read, with their alignment, if the layer is scored and they are annotated with it."""
    protocol = evaluation.protocol
    for number, pair in enumerate(
        evaluation.evidence.pairs if protocol.reading.layer in ("identity", layer, "all") else ()
    ):
        if any(side.bridges or side.nonreferring for side in (pair.key, pair.response)):
            yield number, pair, lookups(pair.key, pair.response, protocol.matching.match, protocol.preparing.zeros)


def _read(number: int, pair: Pair, key: int | None, response: int | None) -> MentionPlace:
    """The place of a mention in the documents as they were read: in the key if the key has it."""
    if key is not None:
        return MentionPlace("key", number, key, pair.key)
    assert response is not None
    return MentionPlace("response", number, response, pair.response)


def _antecedents(side: str, number: int, document: Document, anaphor: int | None) -> tuple[MentionPlace, ...]:
    """The antecedents that one side gives to a bridging anaphor."""
    antecedents = [bridge.antecedent for bridge in document.bridges if bridge.anaphor == anaphor]
    return tuple(MentionPlace(side, number, index, document) for index in dict.fromkeys(antecedents))


def _set_counts(aligned: Sequence[Aligned], shared: Mapping[tuple[Hashable, Hashable], int]) -> Counter[str]:
    """Sets, and members of sets, that are right, missed and extra, of documents that share their entities."""
    sides = [key for key, _, _ in aligned], [response for _, response, _ in aligned]
    sets = [{name: members for each in side for name, members in each.sets.items()} for side in sides]
    counts: Counter[str] = Counter()

    def count(what: str, right: int, ours: int, theirs: int) -> None:
        numbers = {"right": right, "missed": ours - right, "extra": theirs - right}
        counts.update({f"{what} {name}": number for name, number in numbers.items()})

    pairs = _paired(shared, list(sets[0]), list(sets[1]))
    count("sets", len(pairs), len(sets[0]), len(sets[1]))
    right = sum(len(_paired(shared, sets[0][k], sets[1][r])) for k, r in pairs)
    count("members", right, *(sum(map(len, each.values())) for each in sets))
    return counts


def _paired(
    shared: Mapping[tuple[Hashable, Hashable], int], ours: Sequence[Hashable], theirs: Sequence[Hashable]
) -> list[tuple[Hashable, Hashable]]:
    """Entities of key and response that share mentions, one to one, those that share most first."""
    sharing = [(k, r) for k in range(len(ours)) for r in range(len(theirs)) if shared.get((ours[k], theirs[r]))]
    sharing.sort(key=lambda pair: (-shared[ours[pair[0]], theirs[pair[1]]], str(ours[pair[0]]), str(theirs[pair[1]])))
    return [(ours[k], theirs[r]) for k, r in once(sharing)]
