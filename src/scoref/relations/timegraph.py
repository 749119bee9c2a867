"""Event sequencing as EvmEval 1.8 scores it: the numbers that it prints, which differ from the definition.

Links are added one after the other to a graph of time points. Beside the links, its numbers depend on:

- the order of links, which is that in which Python 2 lists a set of triples, and so depends on the ids of mentions;
- a bug: an event that is put before another one begins at the time -1000, wherever that one is;
- recall has a bonus for response links that follow from the key's without being among them. It may exceed 1.

Points have a time and a chain. Points of one chain are compared by their times, others by the crossing edges between
chains. Where EvmEval fails with a division by zero, there is no bonus here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..counting.metrics import Counts
from ..document.document import COREFERENCE, Document
from ..document.grouping import grouped

Link = tuple[int, int, str]
Point = tuple[int, int]  # a node, and 0 for its beginning or 1 for its end

_BITS = (1 << 64) - 1
_BONUS = 0.99


def awarded(key: Sequence[Link], response: Sequence[Link]) -> Counts:
    """The four counts (recall, then precision) of one document, from the links as `listed` gives them."""
    ours, theirs = TimeGraph(key), TimeGraph(response)
    g, s = ours.final(), theirs.final()
    all_ours, all_theirs = set(key), set(response)
    precise = sum(link in all_ours or ours.entails(link) for link in s)
    recalled = sum(link in all_theirs or theirs.entails(link) for link in g)
    kept = set(g)
    implied = sum(link not in kept and ours.entails(link) for link in s)
    nodes = {node for first, second, _ in g for node in (first, second)}
    both = len(nodes & {node for first, second, _ in s for node in (first, second)})
    room = 1 + both * (both - 1) // 2 - recalled
    bonus = _BONUS / room * implied if room else 0.0
    return recalled + bonus, len(g), precise, len(s)


# -- the links of a document, in their order ---------------------------------------------------------------------------


def listed(document: Document, kinds: Iterable[str], nodes: Sequence[int]) -> list[Link]:
    """The links of each kind, between nodes of mentions; `Subevent` comes before `After`."""
    node = {str(mention.id): number for mention, number in zip(document.mentions, nodes, strict=True)}
    clusters = [[*ends] for name, _, ends in document.relations if name == COREFERENCE]
    if not clusters:
        entities = grouped(mention.entity for mention in document.mentions).values()
        clusters = [[str(document.mentions[place].id) for place in each] for each in entities if len(each) > 1]
    inside = {id for members in clusters for id in members}
    clusters += [[id] for id in node if id not in inside]
    of = {id: number for number, members in enumerate(clusters) for id in members}
    found: list[Link] = []
    for kind in sorted(kinds, reverse=True):
        links = [ends for name, _, ends in document.relations if name == kind and len(ends) == 2]
        between = [(of[a], of[b]) for a, b in links if a in of and b in of and of[a] != of[b]]
        triples = ((x, y, kind) for a, b in _reduced(between) for x in clusters[a] for y in clusters[b])
        found += [(node[x], node[y], kind) for x, y, kind in as_listed(triples) if x in node and y in node]
    return found


def _reduced(links: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The links without those that follow from others; no link of a cycle of three or more is left."""
    after: dict[int, set[int]] = {}
    for a, b in links:
        after.setdefault(a, set()).add(b)
    reach: dict[int, set[int]] = {}
    for start in {node for link in links for node in link}:
        queue, reach[start] = [start], {start}
        while queue:
            more = after.get(queue.pop(), set()) - reach[start]
            reach[start] |= more
            queue += more
    return [(a, c) for a, c in links if not any(c in reach[b] for b in reach[a] - {a, c})]


# -- sets of Python 2 --------------------------------------------------------------------------------------------------


def as_listed(triples: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Triples in the order in which Python 2.7 (64 bits) lists them as a set.

    >>> links = [(f"e{n}", f"e{n + 1}", "After") for n in range(7)]
    >>> [first for first, _, _ in as_listed(links)]
    ['e6', 'e1', 'e3', 'e0', 'e2', 'e5', 'e4']
    """
    table: list[tuple[str, ...] | None] = [None] * 8
    count = 0
    for triple in triples:
        slot = _slot(table, triple)
        if table[slot] is None:
            table[slot] = triple
            count += 1
            if 3 * count >= 2 * len(table):
                table = _larger(table, count)
    return (each for each in table if each is not None)


def _larger(table: list[tuple[str, ...] | None], count: int) -> list[tuple[str, ...] | None]:
    size = 8
    while size <= count * (2 if count > 50_000 else 4):
        size *= 2
    new: list[tuple[str, ...] | None] = [None] * size
    for each in table:
        if each is not None:
            new[_slot(new, each)] = each
    return new


def _slot(table: list[tuple[str, ...] | None], triple: tuple[str, ...]) -> int:
    """The slot of the hash table where the triple is, or would be."""
    hashed = _tuple_hash(triple)
    mask = len(table) - 1
    index, perturb = hashed & mask, hashed
    slot = index
    while table[slot] is not None and table[slot] != triple:
        index = 5 * index + perturb + 1
        slot = index & mask
        perturb >>= 5
    return slot


def _tuple_hash(items: tuple[str, ...]) -> int:
    value, factor = 0x345678, 1000003
    for left, item in zip(range(len(items) - 1, -1, -1), items, strict=True):
        value = ((value ^ string_hash(item)) * factor) & _BITS
        factor += 82520 + 2 * left
    return _valid((value + 97531) & _BITS)


def string_hash(text: str) -> int:
    """The hash of a string, without a sign.

    >>> string_hash("After"), string_hash("e1")
    (8531567404105825195, 12928077669116636)
    """
    data = text.encode()
    value = data[0] << 7 if data else 0
    for byte in data:
        value = ((1000003 * value) ^ byte) & _BITS
    return _valid(value ^ len(data))


def _valid(value: int) -> int:
    return _BITS - 1 if value == _BITS else value  # Python 2 reserves -1 for errors, and takes -2 instead


# -- time --------------------------------------------------------------------------------------------------------------


class TimeGraph:
    """Points of time in chains, and edges between chains.

    `left` and `right` of a point are its neighbours: None at the end of a chain.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self.chain: dict[Point, int] = {}
        self.time: dict[Point, int] = {}
        self.left: dict[Point, set[Point] | None] = {}
        self.right: dict[Point, set[Point] | None] = {}
        self.edges: dict[int, list[tuple[Point, Point]]] = {}
        self.chains = 0
        self.inserted: dict[Link, str] = {}
        for link in links:
            if link not in self.inserted:
                self.inserted[link] = self._insert(*link)

    def final(self) -> list[Link]:
        """The links that are neither redundant nor violated, then those that are violated."""
        return [link for status in ("kept", "violated") for link, each in self.inserted.items() if each == status]

    def entails(self, link: Link) -> bool:
        """Whether a link follows."""
        x, y, kind = link
        if (x, 0) not in self.chain or (y, 0) not in self.chain:
            return False
        if kind == "After":
            return self._compare((x, 1), (y, 0)) == "<"
        return self._compare((x, 0), (y, 0)) == self._compare((y, 1), (x, 1)) == "<"

    def _insert(self, x: int, y: int, kind: str) -> str:
        before = kind == "After"
        there = (x, 0) in self.chain, (y, 0) in self.chain
        if all(there):
            return self._connect(x, y, before)
        if there[0]:
            (self._after if before else self._inside)(y, x)
        elif there[1]:
            (self._before if before else self._around)(x, y)
        else:
            order = [(x, 0), (x, 1), (y, 0), (y, 1)] if before else [(x, 0), (y, 0), (y, 1), (x, 1)]
            chain = self._new_chain()
            for number, point in enumerate(order):
                left = {order[number - 1]} if number else None
                right = {order[number + 1]} if number < 3 else None
                self._put(point, chain, 100_000 + 1000 * number, left, right)
        return "violated" if x == y else "kept"

    def _connect(self, x: int, y: int, before: bool) -> str:
        """Add a link between two nodes that are in the graph already."""
        pairs = [((x, 1), (y, 0))] if before else [((x, 0), (y, 0)), ((y, 1), (x, 1))]
        signs = [self._compare(*pair) for pair in pairs]
        if "=" in signs or ">" in signs:
            return "violated"
        if signs == ["<"] * len(signs):
            return "redundant"
        for pair in pairs:
            self._cross(*pair)
        return "kept"

    def _put(self, point: Point, chain: int, time: int, left: set[Point] | None, right: set[Point] | None) -> None:
        self.chain[point], self.time[point], self.left[point], self.right[point] = chain, time, left, right

    def _new_chain(self) -> int:
        self.chains += 1
        return self.chains

    def _cross(self, start: Point, end: Point) -> None:
        self.edges.setdefault(self.chain[start], []).append((start, end))

    def _before(self, n: int, d: int) -> None:
        first, last, begin = (n, 0), (n, 1), (d, 0)
        note = self.left[begin]
        chain = self.chain[begin] if note is None else self._new_chain()
        self._put(first, chain, -1000, None, {last})  # the bug: not relative to the other event
        self._put(last, chain, self.time[begin] - 1000, {first}, {begin})
        if note is None:
            self.left[begin] = {last}
        else:
            note.add(last)
            self._cross(last, begin)

    def _after(self, n: int, d: int) -> None:
        first, last, end = (n, 0), (n, 1), (d, 1)
        note = self.right[end]
        chain = self.chain[end] if note is None else self._new_chain()
        self._put(first, chain, self.time[end] + 1000, {end}, {last})
        self._put(last, chain, self.time[end] + 2000, {first}, None)
        if note is None:
            self.right[end] = {first}
        else:
            note.add(first)
            self._cross(end, first)

    def _around(self, n: int, d: int) -> None:
        first, last, begin, end = (n, 0), (n, 1), (d, 0), (d, 1)
        times = self.time[begin] - 1000, self.time[end] + 1000
        free = self.left[begin] is None and self.right[end] is None
        chains = (self.chain[begin], self.chain[end]) if free else (self._new_chain(),) * 2
        self._put(first, chains[0], times[0], None, {begin} if free else set())
        self._put(last, chains[1], times[1], {end} if free else {first}, None)
        if free:
            self.left[begin], self.right[end] = {first}, {last}
        else:
            self._cross(first, begin)
            self._cross(end, last)

    def _inside(self, n: int, d: int) -> None:
        first, last, begin, end = (n, 0), (n, 1), (d, 0), (d, 1)
        start, gap = self.time[begin], self.time[end] - self.time[begin]
        times = start + gap // 3, start + 2 * gap // 3
        near = end in (self.right[begin] or ()) and begin in (self.left[end] or ())
        near = near and self.chain[begin] == self.chain[end]
        chain = self.chain[begin] if near else self._new_chain()
        self._put(first, chain, times[0], {begin} if near else None, {last})
        self._put(last, chain, times[1], {first}, {end} if near else None)
        if near:
            self.right[begin] = {first}  # and the end still has its old neighbour
        else:
            self._cross(begin, first)
            self._cross(last, end)

    def _compare(self, p: Point, q: Point) -> str:
        """`<`, `=`, `>`, or '' if the order is not known."""
        if self.chain[p] == self.chain[q]:
            return "<" if self.time[p] < self.time[q] else "=" if self.time[p] == self.time[q] else ">"
        forth, back = self._reaches(p, q), self._reaches(q, p)
        return "=" if forth and back else "<" if forth else ">" if back else ""

    def _reaches(self, p: Point, q: Point) -> bool:
        """Whether a path leads from p to q, or to a point before q in its chain, that visits no chain twice."""
        if not self._leads(p, q, False):
            return False
        return self._leads(p, q, True) or self._reaches_by_any_path(p, q, frozenset([self.chain[p]]))

    def _leads(self, p: Point, q: Point, simple: bool) -> bool:
        """The same by a fast search that visits each point once; only paths without repeated chains if `simple`."""
        paths: list[tuple[Point, frozenset[int]]] = [(p, frozenset([self.chain[p]]))]
        seen = {p}
        while paths:
            point, path = paths.pop()
            if self.chain[point] == self.chain[q]:
                if self.time[point] <= self.time[q]:
                    return True
                continue
            for start, end in self.edges.get(self.chain[point], ()):
                open_ = not simple or self.chain[end] not in path
                if open_ and end not in seen and self.time[point] <= self.time[start]:
                    seen.add(end)
                    paths.append((end, path | {self.chain[end]} if simple else path))
        return False

    def _reaches_by_any_path(self, p: Point, q: Point, path: frozenset[int]) -> bool:
        """The same by trying all paths, as of two paths that meet in a point perhaps only one can go on."""
        if self.chain[p] == self.chain[q]:
            return self.time[p] <= self.time[q]
        return any(
            self._reaches_by_any_path(end, q, path | {self.chain[end]})
            for start, end in self.edges.get(self.chain[p], ())
            if self.time[p] <= self.time[start] and self.chain[end] not in path
        )
