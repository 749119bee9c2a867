"""Names of documents and files: which names of the two sides mean the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from unicodedata import normalize

from ..document.grouping import distinct

_HEADER = re.compile(r"\((.*)\);\s*part\s*([0-9]{1,18})")
_NUMBERED = re.compile(r"(.+)_(0|[1-9][0-9]{0,17})")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,12}$")


def plain(name: str) -> str:
    """A name in the Unicode form NFC, so that letters with accents can be compared."""
    return name if name.isascii() else normalize("NFC", name)


def readings(name: str) -> tuple[tuple[str, int], ...]:
    """The ways to read a document's name, each as a text and the number of its part.

    CoNLL-2012 writes `(text); part 003`, the JSON lines made from it `text_3`; a text without parts is its part 0.

    >>> readings("(bc/cctv/00/cctv_0000); part 003")
    (('bc/cctv/00/cctv_0000', 3),)
    >>> readings("bc/cctv/00/cctv_0000_3")
    (('bc/cctv/00/cctv_0000_3', 0), ('bc/cctv/00/cctv_0000', 3))
    """
    name = plain(name).strip()
    if header := _HEADER.fullmatch(name):
        return ((header[1], int(header[2])),)
    found = [(name, 0)]
    if numbered := _NUMBERED.fullmatch(name):
        found.append((numbered[1], int(numbered[2])))
    return tuple(found)


def same_documents(keys: Sequence[str], responses: Sequence[str]) -> dict[int, int]:
    """The response document for each key document that has one, by their numbers.

    Equal names go together; then names that can be read the same way, if that is unambiguous. A document without a name
    is the only one of its side and goes with the only one of the other.

    >>> same_documents(["(a); part 000", "(a); part 001"], ["a_1", "a_0"])
    {0: 1, 1: 0}
    """
    if len(keys) == len(responses) == 1 and not (keys[0] and responses[0]):
        return {0: 0}
    there = {plain(name): number for number, name in enumerate(responses)}
    found = {number: there[plain(name)] for number, name in enumerate(keys) if plain(name) in there}
    if len(found) in (len(keys), len(responses)):
        return found
    ours = {number: readings(name) for number, name in enumerate(keys) if number not in found}
    taken = set(found.values())
    theirs = {number: readings(name) for number, name in enumerate(responses) if number not in taken}
    back = _only_ones(theirs, ours)
    return found | {number: other for number, other in _only_ones(ours, theirs).items() if back.get(other) == number}


def same_without_folders(keys: Sequence[str], responses: Sequence[str]) -> dict[int, int]:
    """The same by names without folders, if only one side has folders; such names must be unique on each side.

    >>> same_without_folders(["tales/bakery", "news/a", "tales/a"], ["a", "bakery"])
    {0: 1}
    """
    if all(any("/" in name for name in side) for side in (keys, responses)):
        return {}
    common = _common(keys, responses, _bare)
    return {number: other for number, other in common.items() if _bare(keys[number])}


def _common(keys: Sequence[str], responses: Sequence[str], naming: Callable[[str], str]) -> dict[int, int]:
    """The numbers of names that are equal after `naming` is applied, and unique on each side."""
    ours, theirs = ({naming(name): number for number, name in enumerate(side)} for side in (keys, responses))
    seen = [Counter(map(naming, side)) for side in (keys, responses)]
    return {ours[name]: theirs[name] for name in ours if seen[0][name] == seen[1][name] == 1}


def _only_ones(
    some: Mapping[int, tuple[tuple[str, int], ...]], others: Mapping[int, tuple[tuple[str, int], ...]]
) -> dict[int, int]:
    """For each of `some`, the one of `others` that shares a reading, if there is exactly one."""
    by_reading: dict[tuple[str, int], set[int]] = {}
    for number, each in others.items():
        for reading in each:
            by_reading.setdefault(reading, set()).add(number)
    fitting = {number: set().union(*(by_reading.get(reading, ()) for reading in each)) for number, each in some.items()}
    return {number: min(those) for number, those in fitting.items() if len(those) == 1}


def _bare(name: str) -> str:
    return plain(name).rpartition("/")[2]


def _without_ending(name: str) -> str:
    return _ENDING.sub("", plain(name))


def same_files(keys: Sequence[str], responses: Sequence[str]) -> dict[str, str]:
    """The response file for each key file that has one; names are relative to the two folders.

    Names are compared as they are, without folders, without endings, and without both; the comparison that pairs most
    files is taken. Names that are compared must be unique on each side.

    >>> same_files(["cs/dev.conllu", "de/train.conllu"], ["dev.conllu"])
    {'cs/dev.conllu': 'dev.conllu'}
    """
    namings = (plain, _bare, _without_ending, lambda name: _bare(_without_ending(name)))
    best = max((_common(keys, responses, naming) for naming in namings), key=len)
    return {keys[number]: responses[other] for number, other in best.items()}


def file_names(paths: list[str]) -> list[str]:
    """The names of files, with as many folders before them as it takes to tell them apart."""
    from pathlib import PurePath

    parts = [PurePath(path).parts for path in paths]
    for depth in range(1, max(map(len, parts)) + 1):
        names = ["/".join(each[-depth:]) or path for each, path in zip(parts, paths, strict=True)]
        if len(set(names)) == len(names):
            return names
    return [*distinct(paths)]
