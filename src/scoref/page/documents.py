"""The data of a document: its text, and the mentions, entities and errors of each side."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import sub

import numpy as np

from ..document.document import Document, Integers, owners_of
from ..errors.mistakes import MentionPlace
from ..layout.render import Json
from ..results.evaluation import Evaluation
from .answers import answer_of
from .findings import Findings, ruler, written
from .legible import legible
from .lettered import found_once, lettered, stepped
from .texts import PageText, runs_from_right


class TextEntities:
    """The entities of one side of a system, document after document, there in the order of their first mentions.

    `of` has their numbers in `twins`, `document` the numbers of documents, whose entities begin at `starts`.
    """

    def __init__(self, evaluation: Evaluation, found: Findings, side: int) -> None:
        twins, naming = found.twins, found.analysis.naming
        mentions, documents = twins.sides[side], twins.documents[side]
        self.starts = np.cumsum([0, *(len(each.names) for each in documents)])
        self.document = np.repeat(np.arange(len(documents)), np.diff(self.starts))
        place = self.starts[twins.in_documents(side, mentions.document)] + owners_of(documents)
        self.of = np.empty_like(self.document)
        self.of[place] = twins.in_documents(side, mentions.entity)
        self.partner = twins.partners[side][self.of]
        numbers = self.of.tolist()
        self.labels, self.hues = ([each[side][number] for number in numbers] for each in (found.labels, found.hues))
        self.tangles = found.tangles.of[side][self.of] if found.tangles else np.full_like(self.of, -1)
        best = naming.best[side][self.of]
        named = np.flatnonzero((self.tangles >= 0) & (mentions.document[best] == self.document))
        self._naming = np.stack((named - self.starts[self.document[named]], mentions.at[best[named]]), axis=-1)
        self._named = np.searchsorted(named, self.starts)
        self._counts = _contributions(evaluation, side, [*zip(mentions.home.tolist(), mentions.name, strict=True)])

    def here(self, number: int) -> slice:
        """Where the entities of a document are."""
        return slice(*self.starts[number : number + 2].tolist())

    def places(self, documents: Integers, entities: Integers) -> Integers:
        """The place of each of these entities in one of these documents; -1 where it is not there."""
        width = max(int(self.of.max(initial=0)), int(entities.max(initial=0))) + 1
        codes, wanted = self.document * width + self.of, documents * width + entities
        order = np.append(np.argsort(codes), -1)
        place = order[np.searchsorted(codes[order[:-1]], wanted)]
        there = (entities >= 0) & (place >= 0) & (np.append(codes, -1)[place] == wanted)
        return np.where(there, place - self.starts[documents], -1)

    def naming(self, number: int) -> list[list[int]]:
        """The entities of a document that have errors, each with the mention that names it, if that is there."""
        pairs: list[list[int]] = self._naming[slice(*self._named[number : number + 2])].tolist()
        return pairs

    def counts(self, number: int) -> list[list[float] | None]:
        """The counts of the entities of a document; None for entities without counts."""
        return [self._counts[entity] for entity in self.of[self.here(number)].tolist()]


def _contributions(evaluation: Evaluation, side: int, names: Sequence[Hashable]) -> list[list[float] | None]:
    """Numerators and denominators of entities, given by home and name, in the metric of `ruler`."""
    entities, metric = evaluation.evidence.entities[side], ruler(evaluation)
    if not metric:
        return [None] * len(names)
    counts = evaluation.evidence.entity_counts[metric][side].tolist()
    known: dict[Hashable, list[float]] = dict(
        zip(zip(entities.document, entities.name, strict=True), counts, strict=True)
    )
    return [known.get(name) for name in names]


class SystemTexts:
    """What the documents of a page have of one system, made for all of them at once."""

    def __init__(self, evaluation: Evaluation, found: Findings) -> None:
        twins = found.twins
        self.evaluation, self.found = evaluation, found
        self.sides = TextEntities(evaluation, found, 0), TextEntities(evaluation, found, 1)
        ours, theirs = self.sides
        self._partners = ours.places(theirs.document, theirs.partner)
        self._away = (ours.partner >= 0) & (theirs.places(ours.document, ours.partner) < 0)
        twin = np.append(twins.sides[0].at, -1)[twins.sides[1].twin]
        self._twins, self._near = twins.in_documents(1, twin), twins.in_documents(1, twins.differs.astype(np.int64))
        self._starts = np.cumsum([0, *(len(each.mentions) for each in twins.documents[1])])

    def alignment(self, number: int) -> Json:
        """The twin of each response mention, or -1, which are span errors, and the partner of each entity, or -1."""
        mentions = slice(*self._starts[number : number + 2].tolist())
        found: Json = {
            "twins": found_once(self._twins[mentions].tolist()),
            "partners": self._partners[self.sides[1].here(number)].tolist(),
        }
        if away := np.flatnonzero(self._away[self.sides[0].here(number)]).tolist():
            found["elsewhere"] = away
        near = np.flatnonzero(self._near[mentions]).tolist()
        return found | {"near": near} if near else found

    def tangles(self, number: int) -> list[list[object]]:
        """The tangles of a document: their numbers, what they cost, and their entities of both sides here."""
        there: dict[int, tuple[list[int], list[int]]] = {}
        for side, entities in enumerate(self.sides):
            for place, tangle in enumerate(entities.tangles[entities.here(number)].tolist()):
                if tangle >= 0:
                    there.setdefault(tangle, ([], []))[side].append(place)
        return [[tangle, self.found.tangle_costs[tangle], *both] for tangle, both in there.items()]

    def named(self, side: int, number: int) -> Json:
        """Labels and hues of the entities of a document, and the mentions that name entities in errors."""
        entities = self.sides[side]
        here = entities.here(number)
        found: Json = {"labels": entities.labels[here], "hues": entities.hues[here]}
        if self.found.tangles is not None and found["labels"]:
            found["naming"] = entities.naming(number)
        return found | {"numbers": entities.of[here].tolist()} if self.found.shared else found


def chunk(number: int, text: PageText, every: Sequence[SystemTexts]) -> Json:
    """The data of a document; a key side that several evaluations share is stored once."""
    keys: list[tuple[Document, list[MentionPlace], Json]] = []
    systems = []
    identities: dict[Hashable, int] = {}
    for each in every:
        key, response, _ = each.evaluation.evidence.aligned[number]
        read = each.evaluation.evidence.pairs[number]
        errors, further = written(each.found, number)
        same = [
            place
            for place, (other, others, _) in enumerate(keys)
            if (other is key or other.mentions == key.mentions) and others == further[0]
        ]
        if not same:
            keys.append((key, further[0], _side(key, read.key, further[0], text, each.named(0, number))))
        systems.append(
            {
                "key": same[0] if same else len(keys) - 1,
                "response": _side(response, read.response, further[1], text, each.named(1, number)),
                **each.alignment(number),
                "errors": errors,
                "tangles": each.tangles(number),
                "recall": each.sides[0].counts(number),
                "precision": each.sides[1].counts(number),
                **answer_of(read, response),
            }
        )
        if len(every) > 1:
            here = slice(*each.found.mistakes.starts[number : number + 2])
            systems[-1]["same"] = [identities.setdefault(one, len(identities)) for one in each.found.identities[here]]
    return {**_shown(text), "keys": [side for _, _, side in keys], "systems": systems}


def _shown(text: PageText) -> Json:
    """The text, and optional data like speakers and headings."""
    speakers = [(word, legible(name)) for word, name in text.layout.speakers]
    further = {"empty": text.empty, **text.layout._asdict(), "speakers": speakers, "rtl": runs_from_right(text.units)}
    lines = "\n".join(text.units)  # shorter and faster than a list, which is needed only if a unit has a line break
    units = lines if text.units and lines.count("\n") == len(text.units) - 1 else text.units
    found = {"kind": text.kind, "units": units, "sentences": text.sentences}
    return found | {name: value for name, value in further.items() if value}


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
