"""The data of a document: its text, and the mentions, entities and errors of each side."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import sub

import numpy as np

from ..document.document import Document, Integers
from ..errors.mistakes import MentionPlace
from ..errors.twins import Twins
from ..layout.render import Json
from ..results.evaluation import Evaluation
from .answers import answer_of
from .findings import Findings, written
from .legible import legible
from .lettered import found_once, lettered, stepped
from .texts import PageText, runs_from_right


def chunk(number: int, text: PageText, evaluations: Sequence[Evaluation], found: Sequence[Findings]) -> Json:
    """The data of a document; a key side that several evaluations share is stored once."""
    keys: list[tuple[Document, list[MentionPlace], Json]] = []
    systems = []
    identities: dict[Hashable, int] = {}
    for evaluation, findings in zip(evaluations, found, strict=True):
        key, response, _ = evaluation.evidence.aligned[number]
        home = evaluation.evidence.homes[number]
        read = evaluation.evidence.pairs[number]
        errors, further = written(findings, number)
        numbers = [_numbers(findings.twins, side, number) for side in range(2)]
        same = [
            place
            for place, (other, others, _) in enumerate(keys)
            if (other is key or other.mentions == key.mentions) and others == further[0]
        ]
        if not same:
            side = _side(key, read.key, further[0], text, _named(findings, 0, number, numbers[0]))
            keys.append((key, further[0], side))
        systems.append(
            {
                "key": same[0] if same else len(keys) - 1,
                "response": _side(response, read.response, further[1], text, _named(findings, 1, number, numbers[1])),
                **_alignment(findings.twins, number, numbers),
                "errors": errors,
                "tangles": _tangles(findings, numbers),
                "recall": findings.entities[0].of(home, key.names),
                "precision": findings.entities[1].of(home, response.names),
                **answer_of(read, response),
            }
        )
        if len(found) > 1:
            here = slice(*findings.mistakes.starts[number : number + 2])
            systems[-1]["same"] = [identities.setdefault(each, len(identities)) for each in findings.identities[here]]
    return {**_shown(text), "keys": [side for _, _, side in keys], "systems": systems}


def _tangles(findings: Findings, numbers: Sequence[Sequence[int]]) -> list[list[object]]:
    """The tangles of a document: their numbers, what they cost, and their entities of both sides here."""
    if not findings.tangle_costs:
        return []
    there: dict[int, tuple[list[int], list[int]]] = {}
    for side, entities in enumerate(numbers):
        for place, tangle in enumerate(findings.analysis.tangles.of[side][entities].tolist()):
            if tangle >= 0:
                there.setdefault(tangle, ([], []))[side].append(place)
    return [[tangle, findings.tangle_costs[tangle], *both] for tangle, both in there.items()]


def _shown(text: PageText) -> Json:
    """The text, and optional data like speakers and headings."""
    speakers = [(word, legible(name)) for word, name in text.layout.speakers]
    further = {"empty": text.empty, **text.layout._asdict(), "speakers": speakers, "rtl": runs_from_right(text.units)}
    lines = "\n".join(text.units)  # shorter and faster than a list, which is needed only if a unit has a line break
    units = lines if text.units and lines.count("\n") == len(text.units) - 1 else text.units
    found = {"kind": text.kind, "units": units, "sentences": text.sentences}
    return found | {name: value for name, value in further.items() if value}


def _numbers(twins: Twins, side: int, number: int) -> list[int]:
    """The numbers that the entities of a document have in `twins`, in the order of their first mentions there."""
    entities: Integers = twins.sides[side].entity[twins.ranks(side, number)]
    return list(dict.fromkeys(entities.tolist()))


def _named(findings: Findings, side: int, number: int, numbers: Sequence[int]) -> Json:
    """Labels and hues of the entities of a document, and the mentions that name entities in errors."""
    found: Json = {
        "labels": [findings.labels[side][each] for each in numbers],
        "hues": [findings.hues[side][each] for each in numbers],
    }
    if findings.analysis.of_coreference and numbers:
        naming, of = findings.analysis.naming, findings.analysis.tangles.of[side]
        wrong = [place for place, tangle in enumerate(of[numbers].tolist()) if tangle >= 0]
        places = [(place, naming.entity(side, numbers[place]).place) for place in wrong]
        found["naming"] = [[place, each.index] for place, each in places if each.number == number]
    return found | {"numbers": numbers} if findings.shared else found


def _alignment(twins: Twins, number: int, numbers: Sequence[Sequence[int]]) -> Json:
    """The twin of each response mention (or -1), which twins are span errors, the partner of each entity (or -1)."""
    theirs = twins.ranks(1, number)
    here = {entity: place for place, entity in enumerate(numbers[0])}, {*numbers[1]}
    twin, indices = twins.sides[1].twin[theirs], twins.sides[0].at
    found: Json = {
        "twins": found_once((np.where(twin >= 0, indices[twin], -1) if len(indices) else twin).tolist()),
        "partners": [here[0].get(partner, -1) for partner in twins.partners[1][numbers[1]].tolist()],
    }
    partnered = twins.partners[0][numbers[0]].tolist()
    away = [place for place, partner in enumerate(partnered) if partner >= 0 and partner not in here[1]]
    if away:
        found["elsewhere"] = away
    near = np.flatnonzero(twins.differs[theirs]).tolist()
    return found | {"near": near} if near else found


def _side(document: Document, read: Document, further: Sequence[MentionPlace], text: PageText, named: Json) -> Json:
    """The mentions and entities of one side, with all that is known of them; mentions not scored come last."""
    names = document.mentions.names
    numbers = {name: number for number, name in enumerate(names)}
    side: Json = {"entities": [legible(str(name)) for name in names], **named}
    for place in further:
        side["entities"].append(legible(str(place.entity)))
        side["labels"].append("·")
        side["hues"].append(-1)
    if further:
        side["scored"] = len(document.mentions)
    side |= _placed(document, further, text) | _said(document, further, text)
    if document.sets:
        known = [(numbers[name], members) for name, members in document.sets.items() if name in numbers]
        side["sets"] = [[number, [legible(str(each)) for each in members]] for number, members in known]
    marks = [(document.hidden, "counts only as a member of sets"), (read.nonreferring, "does not refer")]
    found = [[numbers[name], said] for there, said in marks if there for name in numbers if name in there]
    if found:
        side["marks"] = found
    if read.bridges:
        side["bridges"] = _bridges(document, read)
    return side


def _placed(document: Document, further: Sequence[MentionPlace], text: PageText) -> Json:
    """The entity of each mention, the first unit and the further units of its first piece, and its line.

    `pieces` has the pieces of mentions that have others than one, by their indices. Lines are relative to first units,
    and so are small numbers.
    """
    mentions, origin = document.mentions, document.origin
    owners = [*mentions.owners, *range(len(mentions.names), len(mentions.names) + len(further))]
    if mentions.ends is not None and text.places is None and not origin.mentions and not further:
        firsts, lasts, pieces = mentions.ends[::2].tolist(), mentions.ends[1::2].tolist(), {}
        known = len(origin.lines)
        lines = [origin.lines[word] if word < known else origin.line for word in firsts]
    else:
        spans = [*mentions.spans, *(place.mention.span for place in further)]
        each = [*map(text.pieces, spans)]
        firsts, lasts = ([pieces[end] if pieces else 0 for pieces in each] for end in range(2))
        pieces = {number: pieces for number, pieces in enumerate(each) if len(pieces) != 2}
        lines = [*map(document.line_of, mentions), *(place.line for place in further)]
    found: Json = {"owners": lettered(owners), "firsts": stepped(firsts), "more": lettered(map(sub, lasts, firsts))}
    if pieces:
        found["pieces"] = pieces
    if None not in lines:
        found["lines"] = stepped([*map(sub, lines, firsts)])
    elif any(lines):
        found["lines"] = [None if line is None else line - first for line, first in zip(lines, firsts, strict=True)]
    return found


def _said(document: Document, further: Sequence[MentionPlace], text: PageText) -> Json:
    """The words of mentions that are not in the text, and the attributes of mentions."""
    found: Json = {}
    spoken = text.kind in ("none", "pieces")
    if not (spoken or further or document.mentions.opaque or any(document.mentions.attributes)):
        return found
    scored = [*document.mentions]
    every = [*scored, *(place.mention for place in further)]
    if spoken or not all(mention.span for mention in every):
        found["texts"] = [*map(document.text_of, scored), *(place.text for place in further)]
    if any(mention.attributes for mention in every):  # each different set of attributes once, and indices
        numbers: dict[tuple[tuple[str, str], ...], int] = {}
        each = [numbers.setdefault(mention.attributes, len(numbers)) for mention in every]
        found["attributes"] = {"known": [[[*map(legible, pair)] for pair in some] for some in numbers], "each": each}
    return found


def _bridges(document: Document, read: Document) -> list[list[object]]:
    """Each bridge: indices of anaphor and antecedent among scored mentions, or -1, their words, its attributes."""
    index = {(mention.span, mention.id): number for number, mention in enumerate(document.mentions)}
    found = []
    for bridge in read.bridges:
        ends = [read.mentions[end] for end in (bridge.anaphor, bridge.antecedent)]
        places = [index.get((end.span, end.id), -1) for end in ends]
        found.append([*places, *map(read.text_of, ends), list(map(list, bridge.attributes))])
    return found
