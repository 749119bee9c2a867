"""What is annotated, made up at random, and what its scores are by the definitions.

Nothing of scoref is used here: a text is lists of words, an entity a list of spans.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

Span = tuple[int, int]

PLAIN = [
    *[
        "Ada",
        "told",
        "the",
        "old",
        "plumber",
        "from",
        "Leeds",
        "that",
        "her",
        "tap",
        "was",
        "dripping",
        "and",
        "he",
        "came",
        "at",
        "once",
        "to",
        "see",
        "it",
    ]
]
LETTERS = ["naïve", "e\u0301tude", "她", "мир", "שלום", "ﬁn", "İ", "ß", "👩‍👧", "𝔸", "don't", "U.S.", "10:30",
    "3.50", "٣٤", "½"]  # fmt: skip
MEAN = ["(8)", "-", "_", "*", "a|b", "#", "##x", "<b>", "&amp;", "[WORD]", "]", "(#1)", "{2", "|[e1]", "\\N",
    '"', "%28", "=", "a=b", "e1<e2"]  # fmt: skip
MEANER = ["\u200b", "\u00a0", "\u2028x", "\x85", "\ufeff", "\x1b[31mred", "\x7f", "x" * 3000, "null", "NaN",
    "(1", "1)", "\u0301"]  # fmt: skip
NAMES = ["tale", "b", "news/a", "(tale/tap); part 000", "x y", "ä", "10", "1", "01", "a.b", "A"]
MEAN_NAMES = ["../up", "/abs", "a\\b", "*", "a?b", "<script>x9()</script>", "\u202ename", "-", "--json", "con",
    "a" * 300, "'q\"", "%s", "{0}", "a,b", "=1+1", "a;b", "# x", ".", " . "]  # fmt: skip
ENTITIES = ["1", "2", "3", "12", "e7", "x", "01", "0", "Ada"]
MEAN_ENTITIES = ["e-1", "-1", "ä", "<script>x9()</script>", "1.0", "1e5", "None", "NaN", "99999999999999999999",
    "a,b", "a:b", "٣", "A", "a", '"', "e\u0301", "=2"]  # fmt: skip


@dataclass(frozen=True)
class Text:
    """One document: its sentences, and a name of an entity for each span (first and last word)."""

    name: str
    sentences: tuple[tuple[str, ...], ...]
    spans: dict[Span, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """All words."""
        return [word for sentence in self.sentences for word in sentence]

    @property
    def entities(self) -> dict[str, set[Span]]:
        """The spans of each entity."""
        found: defaultdict[str, set[Span]] = defaultdict(set)
        for span, entity in self.spans.items():
            found[entity].add(span)
        return dict(found)


def texts(chance: random.Random, mean: float, most: int = 3) -> list[Text]:
    """Some documents with different names; `mean` is the share of hostile words and names."""
    number = chance.choice([1, 1, 1, 2, most])
    names: list[str] = []
    while len(names) < number:
        name = chance.choice(MEAN_NAMES if chance.random() < mean else NAMES)
        if name not in names:
            names.append(name)
    return [_text(name, chance, mean) for name in names]


def _text(name: str, chance: random.Random, mean: float) -> Text:
    sentences = tuple(
        tuple(_word(chance, mean) for _ in range(chance.randint(1, 9))) for _ in range(chance.randint(1, 4))
    )
    made = Text(name, sentences)
    for _ in range(chance.choice([0, 2, 4, 8, 8, 12])):
        made = added(made, chance, mean)
    return made


def _word(chance: random.Random, mean: float) -> str:
    if chance.random() < mean:
        return chance.choice(MEAN if chance.random() < 0.8 else MEANER)
    return chance.choice(LETTERS if chance.random() < 0.15 else PLAIN)


def _crosses(span: Span, other: Span) -> bool:
    first, second = sorted((span, other))
    return first[0] < second[0] <= first[1] < second[1]


def added(text: Text, chance: random.Random, mean: float = 0) -> Text:
    """With one span more, if there is room: in one sentence, never twice, crossing none."""
    at = chance.randrange(len(text.sentences))
    start = sum(map(len, text.sentences[:at]))
    first, last = sorted(start + chance.randrange(len(text.sentences[at])) for _ in range(2))
    span = (first, min(last, first + 4))
    if span in text.spans or any(_crosses(span, other) for other in text.spans):
        return text
    entity = chance.choice(MEAN_ENTITIES if chance.random() < mean else ENTITIES[: chance.choice([2, 5, 9])])
    return replace(text, spans=text.spans | {span: entity})


def answered(text: Text, chance: random.Random) -> Text:
    """As a system would have it: some spans are gone, new, or in other entities."""
    spans = dict(text.spans)
    for span in list(spans):
        what = chance.random()
        if what < 0.15:
            del spans[span]
        elif what < 0.35:
            spans[span] = chance.choice(ENTITIES)
    made = replace(text, spans=spans)
    for _ in range(chance.choice([0, 1, 3])):
        made = added(made, chance)
    return made


def renamed(text: Text, chance: random.Random) -> Text:
    """With other names of entities, and spans in another order."""
    old = sorted(set(text.spans.values()))
    new = dict(zip(old, chance.sample(range(100, 999), len(old)), strict=True))
    items = [(span, str(new[entity])) for span, entity in text.spans.items()]
    chance.shuffle(items)
    return replace(text, spans=dict(items))


# The definitions, on sets of spans.


def _sums(pairs: Iterable[tuple[list[set[Span]], list[set[Span]]]], metric: str) -> tuple[float, float]:
    above = below = 0.0
    for key, response in pairs:
        more, of = globals()[f"_{metric}"](key, response)
        above, below = above + more, below + of
    return above, below


def _mentions(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    ours, theirs = set().union(*key), set().union(*response)
    return len(ours & theirs), len(ours)


def _muc(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    parts = [sum(bool(entity & other) for other in response) + len(entity - set().union(*response)) for entity in key]
    return sum(len(entity) - part for entity, part in zip(key, parts, strict=True)), sum(len(e) - 1 for e in key)


def _b3(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    return (
        sum(len(entity & other) ** 2 / len(entity) for entity in key for other in response),
        sum(map(len, key)),
    )


def _pairwise(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    ours = {frozenset(pair) for entity in key for pair in combinations(entity, 2)}
    theirs = {frozenset(pair) for entity in response for pair in combinations(entity, 2)}
    return len(ours & theirs), len(ours)


def _lea(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    above = 0.0
    for entity in key:
        if len(entity) == 1:  # a singleton has a link to itself
            above += any(entity == other for other in response)
        else:
            links = len(entity) * (len(entity) - 1) / 2
            found = sum(len(entity & other) * (len(entity & other) - 1) / 2 for other in response)
            above += len(entity) * found / links
    return above, sum(map(len, key))


def _ceafe(key: list[set[Span]], response: list[set[Span]]) -> tuple[float, float]:
    return _best(key, tuple(response)), len(key)


def _best(key: list[set[Span]], response: tuple[set[Span], ...]) -> float:
    """The greatest total of 2n/(k + r), by trying everything that has something in common."""
    if not key:
        return 0.0
    first, rest = key[0], key[1:]
    best = _best(rest, response)
    for at, other in enumerate(response):
        if first & other:
            worth = 2 * len(first & other) / (len(first) + len(other))
            best = max(best, worth + _best(rest, response[:at] + response[at + 1 :]))
    return best


METRICS = ["mentions", "muc", "b3", "ceafe", "lea", "pairwise"]


def scores(key: list[Text], response: list[Text]) -> dict[str, dict[str, float]]:
    """Recall, precision and f1 by the definitions; documents are paired by name."""
    theirs = {text.name: text for text in response}
    pairs = [
        (list(text.entities.values()), list(theirs[text.name].entities.values()) if text.name in theirs else [])
        for text in key
    ]
    made = {}
    for metric in METRICS:
        found = []
        for sums in (_sums(pairs, metric), _sums([(b, a) for a, b in pairs], metric)):
            found.append(sums[0] / sums[1] if sums[1] else 0.0)
        recall, precision = found
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        made[metric] = {"recall": recall, "precision": precision, "f1": f1}
    return made
