from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
import slow_drift
from places import SHARED, recorded
from scoref.formats.marked.marks import scan
from scoref.texts import align as drift
from scoref.texts import costs, cuts, steps
from scoref.texts.align import align, norm, place

FILE = SHARED / "data" / "marked-text" / "cases.jsonl"

# Few words, so that there are ties; parts of each other, so that they can be regrouped; forms of one norm.
WORDS = [
    "a", "b", "ab", "A", "B", "aB", "abc", "c", "bc", "bca", "“", '"', "``", "'", "n't", "couldn't", "could", "xyz",
    "The", "the", "-LRB-", "(", "…", "...", "plumber", "plumbr",
]  # fmt: skip


@pytest.mark.parametrize("case", recorded(FILE))
def test_recorded_cases(case):
    found = scan(case["text"], case["style"])
    drifted = align(case["words"], found.pieces)
    placed = [(place(drifted, m.first, m.last) or (None, None), m.entity) for m in found.mentions]
    assert [[*span, entity] for span, entity in placed] == case["mentions"]
    counts = {kind: count for kind, count in drifted.counts.items() if count}
    assert {**counts, "cost": drifted.cost, "missing-at-end": drifted.missing_at_end} == case["alignment"]


def changed(words, vocabulary, rate, random):
    """The words with some lost, added, respelt, replaced, joined or cut."""
    found = []
    joining = False
    for word in words:
        kind = random.randrange(6) if random.random() < rate else None
        new = {
            0: [], 1: [word, random.choice(vocabulary)], 2: [word.swapcase()], 3: [random.choice(vocabulary)],
            4: [word[:1], word[1:]] if len(word) > 1 else [word],
        }.get(kind, [word])  # fmt: skip
        if joining and found and new:
            found[-1] += new.pop(0)
        found += new
        joining = kind == 5
    return found


def pair(random):
    """A key and a text that goes back to it, with all that can happen to its ends; sometimes another text."""
    vocabulary = random.sample(WORDS, random.randint(1, len(WORDS)))
    letters = "abcdefgh"
    vocabulary += ["".join(random.choices(letters, k=random.randint(1, 5))) for _ in range(random.choice([0, 3, 30]))]
    key = random.choices(vocabulary, k=random.randint(0, random.choice([6, 40])))
    pieces = changed(key, vocabulary, random.choice([0.02, 0.1, 0.3, 0.8]), random)
    other = random.choices(vocabulary, k=random.randint(0, 12))
    cut = random.randint(0, len(pieces))
    cases = [pieces[:cut], pieces[cut:], other + pieces, pieces + other, other, pieces[:cut] + pieces, pieces, pieces]
    pieces = random.choice(cases)
    return random.choice(
        [(key, pieces), (key, pieces), (pieces, key), ([*key, *([""] * random.randint(0, 1))], pieces)]
    )


def repeating(random):
    """A key that says the same over and over, with few words that occur once, and a text with parts in other places."""
    base = random.choices(["a", "b", "ab", "qqqq"], k=random.randint(1, 5))
    key = [chr(0x4E00 + n) if random.random() < 0.3 else base[n % len(base)] for n in range(random.randint(5, 40))]
    pieces = list(key)
    for _ in range(random.randint(0, 5)):
        start, other = random.randint(0, len(pieces)), random.randint(0, len(pieces))
        end = start + random.randint(1, 6)
        part = pieces[start:end]
        pieces[start:end] = random.choice([[], part * 2, [*part, *base], ["".join(part)], [w.upper() for w in part]])
        pieces[other:other] = random.choice([[], [], part])
    return random.choice([(key, pieces), (pieces, key), (key, pieces[random.randint(0, 9) :])])


def assert_as_slow(key, pieces):
    cost, slow_steps = slow_drift.align(key, pieces)
    found = align(key, pieces)
    assert [tuple(step) for step in found.steps] == slow_steps
    assert found.cost == cost
    for first in range(len(pieces)):
        for last in range(first, min(first + 4, len(pieces))):
            assert place(found, first, last) == slow_drift.place(key, pieces, slow_steps, first, last)


@settings(max_examples=200)
@given(st.randoms(use_true_random=True))
def test_fast_is_slow(random):
    assert_as_slow(*pair(random))


@settings(max_examples=400)
@given(st.randoms(use_true_random=True))
def test_cutting_changes_nothing(random):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drift, "_TABLE", random.choice([0, 30]))
        patch.setattr(cuts, "_DOUBLINGS", random.choice([0, 1, 2, 3]))
        patch.setattr(cuts, "_SMALL_GAP", random.choice([0, 9, 4096]))
        patch.setattr(costs, "_CELLS", random.choice([1, 500]))
        patch.setattr(costs, "_LARGEST", random.choice([8, 256]))
        patch.setattr(costs, "_KEPT", random.choice([1, 100]))
        patch.setattr(steps, "_PATTERNS", random.choice([1, 256]))
        assert_as_slow(*random.choice([pair, repeating])(random))


def test_most_of_a_long_text_is_never_computed(monkeypatch):
    random = Random(0)
    key = ["".join(random.choices("abcdefgh", k=random.randint(1, 8))) for _ in range(2000)]
    pieces = changed(key, key, 0.03, random)
    computed = []
    solve = costs.solve

    def counted(both, boxes):
        computed.extend((i2 - i1 + 1) * (j2 - j1 + 1) for i1, j1, i2, j2 in boxes)
        return solve(both, boxes)

    monkeypatch.setattr(drift, "solve", counted)
    align(key, pieces)
    assert sum(computed) < 0.02 * len(key) * len(pieces)


@given(st.text(alphabet="aB-LRC“”„«»`'‘’–—‑…Ａﬁß´ ", max_size=12))
def test_norm(word):
    assert norm(word) == slow_drift.norm(word)


@given(st.lists(st.text(alphabet="abc" * 9 + "é", min_size=0, max_size=7), min_size=2, max_size=6, unique=True))
def test_similar_words(words):
    first, second = np.nonzero(~np.eye(len(words), dtype=bool))
    found = steps.similar(steps.lexicon(words), first, second)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    assert found.tolist() == [slow_drift.similar(words[a], words[b]) for a, b in pairs]


@pytest.mark.parametrize("size", [16, 17, 32, 33, 64, 65, 100])
def test_long_words_are_similar_up_to_half(size):
    words = ["a" * size, "a" * (size - size // 2) + "b" * (size // 2), "a" * (size - size // 2 - 1)]
    found = steps.similar(steps.lexicon(words), np.array([0, 1, 0, 2]), np.array([1, 0, 2, 0]))
    assert found.tolist() == [True, True, False, False]


@settings(max_examples=100)
@given(st.randoms(use_true_random=True))
def test_mentions_whose_words_survive_are_found_again(random):
    """No two words are similar, and the ends are kept, where leaving out words is cheap: the best way is known."""
    size = random.randint(20, 60)
    key = ["".join(random.choices(letters, k=9)) + letters for letters in map(chr, range(0x4E00, 0x4E00 + size))]
    survives = [random.random() < 0.9 or not 8 <= number < size - 8 for number in range(size)]
    found, pieces, places = [], [], {}
    for number, word in enumerate(key):
        if survives[number]:
            places[number] = len(pieces)
            pieces.append(word)
        if random.random() < 0.1 and 8 <= number < size - 8:
            pieces.append(random.choice(["added", "words"]))
    text = list(pieces)
    for entity in range(5):
        first = random.randrange(size)
        last = min(first + random.randrange(6), size - 1)
        words = [number for number in range(first, last + 1) if survives[number]]
        if words:
            text[places[words[0]]] = "[" + text[places[words[0]]]
            text[places[words[-1]]] += f"](#{entity})"
            found.append((words[0], words[-1]))
    scanned = scan(" ".join(text), "markdown")
    drifted = align(key, scanned.pieces)
    assert scanned.pieces == pieces
    assert drifted.counts["same"] == sum(survives)
    starts, ends = (sorted(words) for words in zip(*found, strict=True)) if found else ([], [])
    spans = [place(drifted, m.first, m.last) for m in scanned.mentions]
    assert [sorted(words) for words in zip(*spans, strict=True)] == ([starts, ends] if found else [])


def test_a_table_that_is_too_large_is_an_error(monkeypatch):
    """Texts in reverse order, and texts that repeat themselves, have no words that surely belong together."""
    random = Random(2)
    words = [f"w{random.randrange(9000)}" for _ in range(160)]
    another = changed(words, words, 0.1, random)
    sides = (words, words[::-1]), (words * 3, another * 3)
    expected = [slow_drift.align(*side)[0] for side in sides]
    assert [align(*side).cost for side in sides] == expected
    monkeypatch.setattr(drift, "MOST", 20_000)
    for key, text in sides:
        with pytest.raises(scoref.Error, match="nothing that can be put side by side for sure") as raised:
            align(key, text)
        assert raised.value.code == "too-long-to-align"
    assert align(words, another).cost == slow_drift.align(words, another)[0]  # which is computed in small tables


def test_tables_of_one_text_add_up(monkeypatch):
    """Two stretches in reverse order, each of them short enough alone, are too much together."""
    words = [f"w{number}" for number in range(4000)]
    one = [*words[:1000], *words[1000:1060][::-1], *words[1060:]]
    both = [*one[:3000], *words[3000:3060][::-1], *words[3060:]]
    monkeypatch.setattr(drift, "MOST", 1_000_000)
    assert align(words, both).changed
    monkeypatch.setattr(drift, "MOST", 700_000)
    assert align(words, one).changed
    with pytest.raises(scoref.Error, match="nothing that can be put side by side for sure"):
        align(words, both)


def test_what_is_too_long_is_located(monkeypatch, tmp_path):
    monkeypatch.setattr(drift, "MOST", 100_000)
    words = [f"w{Random(number).randrange(9000)}" for number in range(400)]
    keys = tmp_path / "key.conll"
    lines = [f"doc 0 {number} {word} (1)" for number, word in enumerate(words)]
    keys.write_text("#begin document (doc); part 000\n" + "\n".join(lines) + "\n\n#end document\n")
    text = tmp_path / "doc.txt"
    text.write_text(" ".join(f"[{word}](#1)" for word in words[:0:-1]))
    with pytest.raises(scoref.Error) as raised:
        scoref.score(keys, text, drift="ignore", response_format="text")
    assert (raised.value.code, raised.value.path) == ("too-long-to-align", str(text))
    result = scoref.score(keys, text, drift="ignore", response_format="text", on_problem="skip")
    assert result["mentions"].recall == 0
    assert result.problems[0].code == "too-long-to-align"


def test_ends():
    found = align(list("abcdefgh"), list("cde"))
    assert (found.missing_at_end, found.share) == (3, 3 / 8)
    assert align(list("ab"), []).missing_at_end == 2
    assert align([], []).share == 1
    assert not align(["a"], ["a"]).changed
    assert align(["a"], ["A"]).changed
    assert align(["a", "b"], []).missing_at_end == 2
    assert align([], ["a", "b"]).cost == 2
