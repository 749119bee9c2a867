"""No result depends on the order of mentions (brackets in a cell), of documents, or on the names of entities."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import scoref
from scoref.counting.coreference import ON_TABLE
from scoref.document.document import Document, Mention, position
from scoref.matching.match import MATCHERS

SIZE = 7
NOUN_PHRASES = ("(NP(NP*", "*)", "(NP(NP*", "*)))", "(NP*", "*", "*)")


def side(random: Random, id: str) -> Document:
    """Nested, crossing and discontinuous mentions of few words, so that many compete; no place twice."""
    found: dict[tuple[int, ...], Mention] = {}
    for _ in range(random.choice([3, 6, 12])):
        first = random.randrange(SIZE)
        words = [word for word in range(first, min(first + random.choice([1, 2, 3, 5]), SIZE)) if random.random() < 0.9]
        span = tuple(position(word, empty) for word in words or [first] for empty in range(random.choice([1, 1, 1, 2])))
        head, kind = random.choice(span), random.choice(["x", "y"])
        parents = tuple({(position(random.randrange(3)), random.choice(["nsubj", "obj"])) for _ in range(2)})
        minimum = span[: random.choice([0, 1, 2])]
        found[span] = Mention(
            span, f"e{random.randrange(4)}", minimum=minimum, attributes=(("type", kind),), head=head,
            parents=parents if head & 255 else (),
        )  # fmt: skip
    columns = {"pos": ("NN",) * SIZE, "parse": NOUN_PHRASES}
    return Document(id, tuple(f"w{word}" for word in range(SIZE)), tuple(found.values()), (0,), columns)


def shuffled(documents: list[Document], random: Random, matcher: str) -> list[Document]:
    """Other orders and names; rows of event nuggets have an order, by which the official scorer decides."""
    found = []
    for each in random.sample(documents, len(documents)):
        names = list(each.entities())
        new = dict(zip(names, random.sample([f"x{number}" for number in range(99)], len(names)), strict=True))
        mentions = [mention._replace(entity=new[mention.entity]) for mention in each.mentions]
        found.append(
            replace(each, mentions=tuple(mentions if matcher == "dice" else random.sample(mentions, len(mentions))))
        )
    return found


@pytest.mark.parametrize("zeros", ["linear", "dependent", "dependent-corrected"])
@pytest.mark.parametrize(
    "matcher", [name for name in MATCHERS if name != "min-coval"]
)  # which takes the last of copies
def test_orders_and_names_change_nothing(matcher: str, zeros: str) -> None:
    choices = {"match": matcher, "zeros": zeros, "metrics": [*ON_TABLE, "blanc", "mor", "zeros"], "threshold": 0.3}
    random = Random(0)
    both = [[side(random, f"d{number}") for number in range(120)] for _ in range(2)]
    before = scoref.score(*both, **choices)
    after = scoref.score(*(shuffled(each, random, matcher) for each in both), **choices)
    places = [after.documents.index(name) for name in before.documents]
    for name, counts in before.counts.items():
        assert after.counts[name][places] == pytest.approx(counts, abs=1e-12), name
    assert after.scores == {name: pytest.approx(score, abs=1e-12) for name, score in before.scores.items()}


TOKENS = (
    ("The", "DT", "(S(NP(NP*"), ("small", "JJ", "*"), ("cat", "NN", "*)"), ("under", "IN", "(PP*"),
    ("the", "DT", "(NP*"), ("table", "NN", "*)))"), ("yawned", "VBD", "(VP*)"), ("and", "CC", "*"),
    ("it", "PRP", "(S(NP*)"), ("purred", "VBD", "(VP*)))"),
)  # fmt: skip


def conll(**cells: str) -> str:
    """The text with these cells of the coreference column, by token: w0, w1, ..."""
    rows = [
        f"d 0 {number} {word} {pos} {parse} - - - - * {cells.get(f'w{number}', '-')}"
        for number, (word, pos, parse) in enumerate(TOKENS)
    ]
    return "\n".join(["#begin document (d); part 000", *rows, "", "#end document", ""])


@pytest.mark.parametrize("first", ["(1|(2", "(2|(1"])
def test_minimum_spans_do_not_depend_on_the_order_of_brackets(tmp_path, first: str) -> None:
    """Two response mentions have the minimum span of the key mention: the one that shares most is its twin."""
    (tmp_path / "key").write_text(conll(w0="(1", w5="1)", w8="(1)"), encoding="utf-8")
    (tmp_path / "response").write_text(conll(w0=first, w2="2)", w4="1)", w8="(1)"), encoding="utf-8")
    found = scoref.score(tmp_path / "key", tmp_path / "response", format="conll", match="min", metrics=["muc", "lea"])
    assert found["muc"] == (1, 1, 1)
    assert found["lea"].recall == 1


@pytest.mark.parametrize("duplicates", ["first", "keep"])
@pytest.mark.parametrize(
    "matcher", [name for name, each in MATCHERS.items() if not each.alike and name not in ("dice", "min-coval")]
)
def test_scores_of_our_own_rules_lie_between_0_and_1(matcher: str, duplicates: str) -> None:
    """Also where mentions stand in several entities, or twice in one."""
    random = Random(0)
    sides: list[list[Document]] = [[], []]
    for number in range(60):
        for into in sides:
            each = side(random, f"d{number}")
            copies = [mention._replace(entity=f"e{random.randrange(4)}") for mention in each.mentions]
            names = list(each.entities())
            sets = {names[-1]: tuple(names[:2])} if len(names) > 2 else {}
            into.append(replace(each, mentions=(*each.mentions, *random.sample(copies, len(copies) // 2)), sets=sets))
    metrics = [*ON_TABLE.keys() - {"ari", "cc"}, "blanc", "mor", "zeros"]  # those two may be negative
    found = scoref.score(*sides, match=matcher, duplicates=duplicates, metrics=metrics, on_problem="skip")
    for name, scores in {**found.by_document(), "all": found.scores}.items():
        assert all(0 <= value <= 1 + 1e-12 for score in scores.values() for value in score), name
