"""Which response document answers which key document, and whether the two can be compared."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from ..document.document import UNWRITTEN, Document, about, unit_of
from ..problems import Error, Problem, Problems
from ..processes import ordered_map, process_count
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..answers.place import Answered
    from ..texts.projection import Drifted

DRIFTS = ("check", "ignore")
_NO_KEY = Document("")
_SLOW = 100  # times as long as reading a letter of another file takes aligning one of an answer, at least
_NAMED = "names of documents: lines #begin document NAME, or the key doc_key of JSON lines"


class Pair(NamedTuple):
    """A key document, the response to it, the name they go by in reports, and the file (dataset) they are from.

    `drifted` says how the text of the response differs from the key's, where they were aligned; `answered` what became
    of the answer of a language model.
    """

    name: str
    key: Document
    response: Document
    dataset: str = ""
    drifted: Drifted | None = None
    answered: Answered | None = None


def pair(
    files: Iterable[tuple[str, Sequence[Document], Sequence[Document]]],
    words: str,
    problems: Problems,
    extra: str = "refuse",
    drift: str = "check",
    place: str = "order",
    jobs: int | None = 1,
) -> list[Pair]:
    """Pairs of documents with the same name, file by file, with positions that count the same on both sides.

    A document missing from the response counts as empty and is reported; an extra one is an error. A text that has less
    than half of the key's words is an error, unless `drift` is `ignore`. `place` says how strings without positions get
    theirs. Running texts and answers are compared in so many processes.
    """
    if drift not in DRIFTS:
        raise Error("unknown-drift", f"no drift '{drift}'", expected=" or ".join(DRIFTS))
    found = [
        _compared(name, keys, responses, _Asked(words, drift, place, problems.strict, jobs))
        for name, keys, responses in files
    ]
    _check_strangers(found, problems, extra)
    helps = any(one.response and not one.wrong for file in found for one in file.pairs)
    pairs: list[Pair] = []
    for file in found:
        for one in file.pairs:
            pairs.append(_pair(one, file.name, problems, helps))
        for document in file.extra:
            report = about(document, problems, "remove it, or leave it out with --on-problem skip")
            message, expected = "a document that the key does not have", "only documents of the key"
            report("extra-document", message, document.line, None, expected, fatal=extra == "refuse")
    names = Counter(pair.name for pair in pairs)
    if len(names) == len(pairs):
        return pairs
    return [pair._replace(name=f"{pair.dataset}:{pair.name}") for pair in pairs]


class _Asked(NamedTuple):
    """Whether words must agree, whether texts may drift, how strings are placed, whether each answer must be read.

    `jobs` is the number of processes, None for as many as are worth it.
    """

    words: str
    drift: str
    place: str
    strict: bool
    jobs: int | None


class _Compared(NamedTuple):
    """A key document, its response or None, the problem that prevents comparing them, and other problems."""

    key: Document
    response: Document | None
    wrong: Problem | None = None
    reports: tuple[Problem, ...] = ()
    drifted: Drifted | None = None
    answered: Answered | None = None


class _ComparedFile(NamedTuple):
    """The documents of a file: those of the key with their responses, and those that the key does not have."""

    name: str
    pairs: list[_Compared]
    extra: list[Document]


def _compared(name: str, keys: Sequence[Document], responses: Sequence[Document], asked: _Asked) -> _ComparedFile:
    for side in (keys, responses):
        refuse_repeated(side)
    ours, theirs = [key.id for key in keys], [response.id for response in responses]
    ordered = {number: number for number in range(len(keys))}
    unnamed = _unnamed(keys, responses)
    partners, bare = ordered if unnamed or ours == theirs else {}, dict[int, int]()
    if not partners:
        from .names import same_documents, same_without_folders

        partners = same_documents(ours, theirs)
        bare = {} if partners else same_without_folders(ours, theirs)
        partners = partners or bare
    found = [_Compared(key, responses[partners[number]] if number in partners else None)
             for number, key in enumerate(keys)]  # fmt: skip
    unlike = [number for number, (key, response, *_) in enumerate(found) if response and not (
        key.words and key.words == response.words and not (key.is_running or response.is_running))]  # fmt: skip
    for number, one in zip(unlike, _all_in_common([found[each] for each in unlike], asked), strict=True):
        found[number] = one
    if unnamed and not (ours == theirs and keys[0].source == responses[0].source):  # else one file with both sides
        found[0] = found[0]._replace(reports=(*found[0].reports, _by_order(unnamed)))
    for number, other in [*bare.items()][:1]:
        report = _without_folders(keys[number], responses[other], len(bare))
        found[number] = found[number]._replace(reports=(*found[number].reports, report))
    taken = set(partners.values())
    return _ComparedFile(name, found, [each for number, each in enumerate(responses) if number not in taken])


def _all_in_common(found: Sequence[_Compared], asked: _Asked) -> Iterator[_Compared]:
    """The same for each of these, in several processes if much is to be aligned."""
    sides = [(one.key, one.response) for one in found if one.response is not None]
    letters = sum(len(response.origin.reply.text) for _, response in sides if response.origin.reply)
    jobs = process_count(_SLOW * letters, asked.jobs) if letters else 1
    results = ordered_map(partial(_apart, asked), sides, jobs) if jobs > 1 else map(partial(_apart, asked), sides)
    for one, (same, result) in zip(found, results, strict=True):
        yield result._replace(key=one.key) if same else result  # the very same value


def _apart(asked: _Asked, sides: tuple[Document, Document]) -> tuple[bool, _Compared]:
    """A pair with positions that count the same, and whether its key is as it was: then it is not sent back."""
    found = _in_common(*sides, asked)
    same = found.key is sides[0]
    return same, found._replace(key=_NO_KEY) if same else found


def _in_common(key: Document, response: Document, asked: _Asked) -> _Compared:
    """The same for a response with other words, or without words: its positions are converted to those of the key."""
    if _has_names_only(key) and _has_names_only(response):
        return _Compared(key, response)
    from ..answers.place import dropped_marks, on_key, refused
    from ..texts.letters import in_common
    from ..texts.projection import not_the_same, plainly_another

    if (read := on_key(key, response, asked.place)) is not None:
        reason = read.answered.reason if read.answered else None
        unread = refused(response, reason, asked.strict) if reason else None
        wrong = unread if unread and asked.strict else read.problem
        reports = (*([] if unread is None or asked.strict else [unread]), *dropped_marks(read, asked.strict))
        return _Compared(key, read.response, wrong, reports, read.drifted, read.answered)
    words, drift, *_ = asked
    if drift == "check" and (another := plainly_another(key, response)):
        return _Compared(key, response, another)
    try:
        common = in_common(key, response)
    except Error as error:
        return _Compared(key, response, error.problem)
    wrong = next((each for each in common.problems if each.fatal), None)
    if wrong is None and common.drifted:
        wrong = not_the_same(key, response, common.drifted) if drift == "check" else None
    elif wrong is None:
        wrong = _other_word(common.key, common.response, words)
    reports = tuple([each for each in common.problems if not each.fatal])
    return _Compared(common.key, common.response, wrong, reports, common.drifted)


def _has_names_only(document: Document) -> bool:
    """Whether its mentions, if there are any, are names, and nothing else is known of it."""
    bare = not (document.words or document.columns or document.origin.reply or document.is_running)
    return bare and unit_of(document) in ("names", "")


def _unnamed(keys: Sequence[Document], responses: Sequence[Document]) -> Sequence[Document]:
    """The documents of a side without names, which are paired in order with those of the other side; else nothing."""
    sides = (responses, keys) if keys and responses else ()
    side = next((side for side in sides if all(each.origin.numbered for each in side)), ())
    if side and len(keys) != len(responses):
        other, which = (keys, "key") if side is responses else (responses, "response")
        message = f"{len(side)} documents without names, but the {which} has {len(other)}: which belong together?"
        remedy = "name them as the other side does, or give as many documents, in the same order"
        raise about(side[0], remedy=remedy).of(None).error("unnamed-documents", message, None, None, _NAMED)
    return side


def _by_order(documents: Sequence[Document]) -> Problem:
    message = f"{len(documents)} documents without names go with those of the other side in their order"
    report = about(documents[0], remedy="nothing, if both sides have the same order").of(None)
    return report.problem("paired-by-order", message, documents[0].line, None, _NAMED, fatal=False)


def _without_folders(key: Document, response: Document, number: int) -> Problem:
    what = "1 document goes with one" if number == 1 else f"{number} documents go with those"
    message = f"{what} of the key by their names without folders, as no others are common"
    report = about(response, remedy="nothing, if they are the same documents")
    return report.problem("paired-without-folders", message, response.line, None, f"names like {key.id}", fatal=False)


def _pair(one: _Compared, file: str, problems: Problems, helps: bool) -> Pair:
    """The pair of a key document; the response is empty if it is missing or cannot be compared."""
    key, response = one.key, one.response
    if response is None:
        report = about(key, problems, "nothing, if it is meant: its response counts as empty")
        report("missing-document", f"the response lacks document {key.id or file}", key.line, fatal=False)
    for problem in one.reports:
        problems.add(problem)
    if one.wrong is not None:
        remedy = one.wrong.remedy or "score the response on the key's words"
        if helps:
            remedy += "; with --on-problem skip the document's response counts as empty"
        problems.add(replace(one.wrong, remedy=remedy))
    if response is None or one.wrong is not None:
        response = Document(key.id)
    else:  # response mentions are looked up in the key's parse
        response = response.having(words=key.words or response.words, columns=key.columns)
    drifted = one.drifted if one.wrong is None else None
    return Pair(key.id or file or "document", key, response, file, drifted, one.answered)


def _check_strangers(files: Sequence[_ComparedFile], problems: Problems, extra: str) -> None:
    """Report a response whose document names are all unknown to the key: it would score 0."""
    key = next((one.key for file in files for one in file.pairs), None)
    other = next((document for file in files for document in file.extra), None)
    if key is None or other is None or any(one.response for file in files for one in file.pairs):
        return
    report = about(other, problems, "name the documents of the response as the key does")
    message = "no document of the response has the name of one of the key"
    expected = f"names like {key.id}" if key.id else "names as in the key"
    report("no-common-document", message, other.line, None, expected, fatal=extra == "refuse")


def refuse_repeated(documents: Sequence[Document]) -> None:
    """Refuse two documents with the same name on one side: it is unclear which of them the other side means."""
    for name, number in Counter(document.id for document in documents).items():
        if number > 1:
            remedy = "rename documents, or put those of one name into files of their own"
            expected = "a name of its own for each document of a side"
            message = f"{number} documents with the name '{name}'"
            if name and all(each.origin.reply for each in documents):
                remedy = "score each of the model's answers, with mean and spread: scoref compare KEY FILE"
                expected, message = "one answer to each document", f"{number} answers to the document '{name}'"
            report = about(documents[0], remedy=remedy).of(name or None)
            raise report.error("repeated-document", message, None, None, expected)


def text_of(pairs: Iterable[Pair]) -> str:
    """Whether the texts of key and response are the same, or were aligned, or strings were looked up in the key."""
    pairs = [*pairs]
    aligned = any(pair.drifted and pair.drifted.drift.changed for pair in pairs)
    strings = any(pair.answered and pair.answered.strings for pair in pairs)
    return "mixed" if aligned and strings else "align" if aligned else "strings" if strings else "same"


def spans_of(pairs: Iterable[Pair]) -> str:
    """What positions count: words, tokens or characters, as in the first document that tells."""
    found = (unit_of(side) for pair in pairs for side in (pair.key, pair.response))
    unit = next((each for each in found if each), "words")
    return unit if unit in ("tokens", "characters") else "words"


def _other_word(key: Document, response: Document, words: str) -> Problem | None:
    """The first word that differs; documents without words are not compared."""
    ours, theirs = key.words, response.words
    if words == "ignore" or len(ours) != len(theirs) or ours == theirs:
        return None
    from ..texts.letters import ESCAPES

    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if our != their and our not in UNWRITTEN and their not in UNWRITTEN:
            if ESCAPES.get(our, our) == ESCAPES.get(their, their):
                continue
            place = f"{key.source}:{key.origin.lines[number]}" if key.origin.lines else f"{key.source}"
            report = about(response, remedy="score the response on the key's words, or with --words ignore")
            message, expected = "another word than in the key", f'"{our}" as in {place}'
            from ..spelling import code_points, look_alike

            if look_alike(our, their):
                message += f": it looks alike, but is {code_points(their)}"
                expected = f"{code_points(our)}, {expected}"
            return report.problem("different-word", message, response.line_at(number), their, expected)
    return None


def datasets(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The dataset of each document: the name of its file, relative to the folder if one was given.

    CorefUD files of a folder are each a dataset only if they are named like one, `cs_pdt-corefud-dev.conllu` or
    `cs.conllu`. Others are parts of a dataset, which is the folder: GUM comes a file a document.
    """
    alone = len({pair.key.source for pair in pairs}) == 1 and not pairs[0].dataset  # a single file, not a folder
    return tuple([_dataset(pair.dataset, pair.key.source or "", alone) for pair in pairs])


_CORPUS = r"([a-z]{1,2}|[a-z]{2,3}_.+)\.conllu"  # a language, and a treebank of it


@lru_cache
def _dataset(name: str, path: str, alone: bool) -> str:
    """The dataset of a file with that name in its folder; cached, as all its documents ask for it."""
    name = name or os.path.basename(path).removesuffix(".gz")
    folder, _, file = name.rpartition("/")
    if alone or not file.endswith(".conllu") or re.fullmatch(_CORPUS, file):
        return name
    return folder or os.path.basename(os.path.dirname(os.path.abspath(path))) or name
