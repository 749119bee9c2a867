"""What a page must know to change a response and count it again: how metrics count, sums, what was left out.

Which mentions match is decided by the library alone. The page changes which response mentions there are, and in which
entities. It counts the tables of changed documents, and takes all others from the sums. Where that would not give
exactly the number of the library nothing can be changed, and a sentence says why: in a report, in a document, for a
metric, or for single mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..counting.metrics import Links, Mean, Metric, OneToOne, PerEntity, Related, Whole
from ..document.document import Document, Mention, word_of
from ..document.spans import EMPTY
from ..formats.jsonl.write import to_record
from ..layout.render import Json
from ..matching.lookup import Lookups
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS, needed
from ..results.averages import counted, leaves, parts, required
from ..results.evaluation import Evaluation
from .legible import legible
from .texts import PageText

_USUAL = {  # choices that must have this value, and why nothing can be changed if they do not
    "layer": ("identity", "only coreference can be changed, the layer identity"),
    "scope": ("document", "entities are shared by documents, and the page counts one document at a time"),
    "weights": ("none", "mentions have weights"),
    "nested": ("keep", "nested mentions are left out before scoring, and which these are depends on the entities"),
    "mentions": ("all", "mentions that are no noun phrases are left out before scoring, and what that leaves alone"),
}  # fmt: skip
_KEPT = ("head", "parents", "minimum", "id")  # of a mention, what matchers ask for beside its words


def changing(evaluation: Evaluation) -> Json | str:
    """How the page counts an evaluation after changes; or why it cannot."""
    protocol = evaluation.protocol
    for choice, (word, why) in _USUAL.items():
        if getattr(protocol, choice) != word:
            return why
    if protocol.preparing.split not in ("credit", "ignore"):
        return "plural mentions count by rules of their own"
    if protocol.cuts:
        return "texts are cut before they are scored"
    reasons = {name: why for name in protocol.metrics if (why := _uncounted(name))}
    known = tuple(name for name in protocol.metrics if name not in reasons)
    if not known:
        return f"the page does not count {', '.join(reasons)}"
    protocol = protocol.change(metrics=known)
    counting, averaging = protocol.counting, protocol.averaging
    found: Json = {
        "metrics": known,
        "leaves": {leaf: counted((leaf,), protocol) for leaf in leaves(known)},
        "parts": {name: parts(name) for name in dict.fromkeys((*known, *_inside(known))) if parts(name)},
        "how": {name: _how(METRICS[name]) for name in dict.fromkeys([*required(protocol), *needed(known)])},
        "blends": {leaf: _blend(METRICS[leaf].how) for leaf in leaves(known) if isinstance(METRICS[leaf].how, Mean)},
        "choices": {"singletons": counting.singletons, "twinless": counting.twinless, **averaging._asdict()},
        "sums": replace(evaluation, protocol=protocol).sums().tolist(),
    }
    if reasons:
        found["uncounted"] = reasons
    if averaging.average == "datasets":
        numbers: dict[str, int] = {}
        found["datasets"] = [numbers.setdefault(name, len(numbers)) for name in evaluation.datasets]
    why = _no_new_mentions(protocol)
    return found | {"closed": why} if why else found


def _uncounted(name: str) -> str:
    """Why the page does not count a metric; '' if it does."""
    for part in needed([name]):
        how = METRICS[part].how if part in METRICS else None
        if isinstance(how, Whole) and how.similarity:
            return "where several alignments of entities are equally good, it depends on which is taken"
        if not isinstance(how, PerEntity | OneToOne | Whole) or isinstance(how, Links | Related):
            return "it needs more than the entities and their common mentions"
    return ""


def _inside(names: Sequence[str]) -> list[str]:
    """The means that means are made of."""
    found = [part for name in names for part in parts(name)]
    return [*found, *_inside(found)] if found else []


def _how(metric: Metric) -> Json:
    """How a metric counts, by the names of the functions in `coreference` and `clusterings`."""
    how = metric.on_table
    found: Json = {"singletons": how.rules.singletons, "twinless": how.rules.twinless, "summed": how.rules.summed}
    if isinstance(how, OneToOne):
        return found | {"similarity": how.similarity.name}
    if isinstance(how, Whole):
        return found | {"sums": how.sums.__name__, "ratios": how.ratios.__name__}
    over = how.over.__name__ if isinstance(how, PerEntity) and how.over else None
    return found | {"cell": how.cell.__name__, "entity": how.entity.__name__, "over": over}


def _blend(how: object) -> Json:
    assert isinstance(how, Mean)
    return {"of": how.of, "skip_empty": how.skip_empty, "geometric": how.geometric}


def _no_new_mentions(protocol: Protocol) -> str:
    """Why no mentions can be added; '' if they can."""
    if protocol.matching.match != "exact":
        return f"which mentions match by {protocol.matching.match} is decided by the library, so that none can be added"
    if protocol.preparing.types != "all":
        return "only mentions of some types are scored, and a new one has no type"
    return ""


# -- a document --------------------------------------------------------------------------------------------------------


def changes_in(number: int, text: PageText, evaluations: Sequence[Evaluation]) -> list[Json | str]:
    """For each system what its response in a document has beside the mentions that are shown; or why it stays as it is.

    `further` are mentions that were read and not scored: [number of the entity in `names`, whether it is scored as soon
    as its entity has more mentions, its twin or -1, pieces]. `fixed` are mentions that must be scored, or not, as
    they were, as the library would match others else: their numbers, or True for all. `spans` has the units of
    mentions that cannot be told from their pieces, `kept` what matchers ask for, `heads` those of key and response;
    `near` is 0 if span errors stay as they were, as they depend on more than words and heads. `id` is the name of the
    document in its file, if the page calls it otherwise.
    """
    return [_changes(evaluation, number, text) for evaluation in evaluations]


class _Sides(NamedTuple):
    """Key and response of a document as they are scored, the response as it was read, and what it has more."""

    key: Document
    response: Document
    read: Document
    protocol: Protocol
    left: list[Mention]
    revived: list[bool]

    @property
    def every(self) -> list[Mention]:
        """The mentions of the response, those not scored behind the others."""
        return [*self.response.mentions, *self.left]


def _changes(evaluation: Evaluation, number: int, text: PageText) -> Json | str:
    key, response, lookups = evaluation.evidence.aligned[number]
    read, protocol = evaluation.evidence.pairs[number].response, evaluation.protocol
    if why := _refused(key, response, lookups, read, protocol):
        return why
    left = _left_out(response, read)
    if left is None:
        return "mentions were changed before they were scored"
    if text.places is not None:  # the page has no place for empty nodes that no scored mention has
        left = [mention for mention in left if text.places.keys() >= {*mention.span}]
    sides = _Sides(key, response, read, protocol, left, _revived(left, read, protocol))
    found: Json = {}
    if left:
        names = {name: place for place, name in enumerate(dict.fromkeys(mention.entity for mention in left))}
        found["names"] = [legible(str(name)) for name in names]
        twins = _twins(sides)
        found["further"] = [
            [names[mention.entity], int(revived), twin, *text.pieces(mention.span)]
            for mention, revived, twin in zip(left, sides.revived, twins, strict=True)
        ]
    if fixed := _fixed(sides):
        found["fixed"] = fixed
    if text.empty:
        found["spans"] = {str(at): units for at, units in enumerate(_units(sides.every, text)) if units}
        found["spans"] |= {f"k{at}": units for at, units in enumerate(_units(key.mentions, text)) if units}
        found["nodes"] = [[word_of(place), place & EMPTY] for place in sorted(text.places or ()) if place & EMPTY]
    if protocol.matching.match != "exact" or protocol.preparing.zeros.startswith("dependent"):
        records = to_record(replace(response, mentions=sides.every)).get("mentions", [])
        found["kept"] = [{name: record[name] for name in _KEPT if name in record} for record in records]
    if protocol.matching.match == "dice" or read.origin.mentions or text.kind not in ("words", "numbers"):
        found["near"] = 0
    elif any(head is not None for side in (key, response) for head in side.mentions.heads):
        found["heads"] = [[*key.mentions.heads], [mention.head for mention in sides.every]]
    if read.id != evaluation.names[number]:
        found["id"] = read.id
    if read.origin.numbered:
        found["numbered"] = True
    return found


def _refused(key: Document, response: Document, lookups: Lookups, read: Document, protocol: Protocol) -> str:
    """Why nothing of a document can be changed; '' if it can."""
    sides = (key, response) if protocol.preparing.split == "ignore" else (key, response, read)
    if any(side.sets or side.hidden for side in sides):
        return "it has split antecedents, which count by their members"
    if key.repeats() or response.repeats() or any(lookups.copies):
        return "it has repeated mentions, which count by rules of their own"
    if not lookups.recall is lookups.precision is lookups.every:
        return "its mentions are not matched one to one"
    if protocol.preparing.zeros == "drop" and read.mentions.zeros:
        return "it has zeros, which are left out before scoring"
    return ""


def _left_out(response: Document, read: Document) -> list[Mention] | None:
    """The mentions that were read and are not scored; None if those that are scored are not among them."""
    if response.mentions is read.mentions or len(response.mentions) == len(read.mentions):
        return []
    scored = Counter((mention.span, mention.id, mention.entity) for mention in response.mentions)
    found = []
    for mention in read.mentions:
        place = mention.span, mention.id, mention.entity
        if scored[place]:
            scored[place] -= 1
        else:
            found.append(mention)
    return None if scored.total() else found


def _revived(left: Sequence[Mention], read: Document, protocol: Protocol) -> list[bool]:
    """Which of these mentions are only left out as they are alone in their entities."""
    if protocol.counting.singletons != "drop" or not left:
        return [False] * len(left)
    sizes = Counter(read.mentions.entities)
    return [sizes[each.entity] == 1 and each.entity not in read.nonreferring for each in left]


def _identity(sides: _Sides) -> Callable[[Mention], Hashable]:
    """What makes two mentions the same."""
    heads = sides.protocol.matching.match == "head"
    return lambda mention: (mention.span or mention.id, mention.head if heads else None)


def _twins(sides: _Sides) -> list[int]:
    """The key mention that each mention that is not scored would match, or -1."""
    name = _identity(sides)
    known = {name(mention): at for at, mention in enumerate(sides.key.mentions)}
    heads: dict[int, int] = {}
    if sides.protocol.matching.match == "head":
        heads = {each.head: at for at, each in enumerate(sides.key.mentions) if each.head is not None}
    found = []
    for mention in sides.left:
        same = known.get(name(mention), -1)
        other = heads.get(mention.head, -1) if same < 0 and mention.head is not None else -1
        shares = other >= 0 and not {*mention.span}.isdisjoint(sides.key.mentions[other].span)
        found.append(other if shares else same)
    return found


def _fixed(sides: _Sides) -> list[int] | bool:
    """The response mentions on which it depends how others are matched, so that they must be scored or not as before.

    By words each mention matches by itself. By heads it does, too, if no other mention of its side has its head.
    """
    matching = sides.protocol.matching.match
    dependent = sides.protocol.preparing.zeros.startswith("dependent")
    if matching == "exact" and not dependent:
        return []
    every = sides.every
    zeros = dependent and any(each.is_zero for each in every)
    if matching == "exact":
        return [at for at, mention in enumerate(every) if mention.is_zero] if zeros else []
    if matching != "head" or (sides.left and sides.protocol.reading.heads != "file"):
        return True
    ours, theirs = (Counter(each.head for each in side) for side in (sides.key.mentions, every))
    tied = {each.head for each in (*sides.key.mentions, *every) if zeros and each.is_zero}

    def alone(mention: Mention) -> bool:
        head = mention.head
        if head is None:
            return not (zeros and mention.is_zero)
        return head not in tied and (not ours[head] or ours[head] == theirs[head] == 1)

    return [at for at, mention in enumerate(every) if not alone(mention)]


def _units(mentions: Sequence[Mention], text: PageText) -> list[list[int] | None]:
    """The units of each mention, where they are not the words of its pieces (or else its only empty nodes)."""
    empty, places = {*text.empty}, text.places or {}
    found: list[list[int] | None] = []
    for mention in mentions:
        pieces = text.pieces(mention.span)
        covered = [unit for at in range(0, len(pieces), 2) for unit in range(pieces[at], pieces[at + 1] + 1)]
        guessed = [unit for unit in covered if unit not in empty] or covered
        units = sorted(places[place] for place in mention.span)
        found.append(None if units == guessed else units)
    return found
