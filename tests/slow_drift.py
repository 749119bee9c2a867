"""Alignment of a key's words with the pieces of a text, by the full table: slow, and as plain as can be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

Step = tuple[str, int, int, int, int]  # kind, first key word, key words, first piece, pieces

BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@cache
def norm(word: str) -> str:
    for old in ("“", "”", "„", "«", "»", "``", "''"):
        word = word.replace(old, '"')
    for old in ("‘", "’", "`"):
        word = word.replace(old, "'")
    for old in ("–", "—", "‑"):
        word = word.replace(old, "-")
    word = word.replace("…", "...")
    for old, new in BRACKETS.items():
        word = word.replace(old, new)
    return unicodedata.normalize("NFKC", word).casefold()


@cache
def levenshtein(first: str, second: str) -> int:
    if not first or not second:
        return len(first) + len(second)
    return min(
        levenshtein(first[1:], second) + 1,
        levenshtein(first, second[1:]) + 1,
        levenshtein(first[1:], second[1:]) + (first[0] != second[0]),
    )


def similar(first: str, second: str) -> bool:
    return first != second and levenshtein(first, second) <= max(len(first), len(second)) / 2


def steps(key: Sequence[str], pieces: Sequence[str], i: int, j: int) -> Iterator[tuple[str, int, int, int]]:
    """The steps that are allowed at a place, the first in the table first: kind, key words, pieces, cost."""
    n, m = len(key), len(pieces)
    if i < n and j < m:
        if key[i] == pieces[j]:
            yield "same", 1, 1, 0
        if norm(key[i]) == norm(pieces[j]):
            yield "respelt", 1, 1, 1
        for s in range(1, 5):
            for t in range(1, 5):
                if (s, t) != (1, 1) and i + s <= n and j + t <= m:
                    joined = "".join(map(norm, key[i : i + s])), "".join(map(norm, pieces[j : j + t]))
                    if joined[0] == joined[1]:
                        yield "regrouped", s, t, 1
        if similar(norm(key[i]), norm(pieces[j])):
            yield "similar", 1, 1, 4
    if i < n:
        yield "missing", 1, 0, 1 if j in (0, m) else 3
    if j < m:
        yield "added", 0, 1, 1 if i in (0, n) else 3


def align(key: Sequence[str], pieces: Sequence[str]) -> tuple[int, list[Step]]:
    """The least cost, and the steps that win all ties from the left."""
    n, m = len(key), len(pieces)
    rest = {(n, m): 0}
    chosen = {}
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            for kind, s, t, cost in steps(key, pieces, i, j):
                total = cost + rest[i + s, j + t]
                if (i, j) not in rest or total < rest[i, j]:
                    rest[i, j] = total
                    chosen[i, j] = kind, s, t
    found: list[Step] = []
    i = j = 0
    while (i, j) != (n, m):
        kind, s, t = chosen[i, j]
        found.append((kind, i, s, j, t))
        i, j = i + s, j + t
    return rest[0, 0], found


def place(key: Sequence[str], pieces: Sequence[str], found: Sequence[Step], first: int, last: int) -> object:
    """The first and the last key word of the pieces from `first` to `last`."""
    words = set()
    for kind, i, s, j, t in found:
        if kind in ("same", "respelt", "similar") and first <= j <= last:
            words.add(i)
        if kind == "regrouped":
            owners = [i + k for k in range(s) for _ in norm(key[i + k])]
            holders = [j + k for k in range(t) for _ in norm(pieces[j + k])]
            words |= {word for word, piece in zip(owners, holders, strict=True) if first <= piece <= last}
    return (min(words), max(words)) if words else None
