"""Gender bias: the figures of GAP (Webster et al. 2018), and a pro/anti report for WinoBias (Zhao et al. 2018)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Unpack

import numpy as np

from .. import __version__, formats
from ..counting.metrics import Score
from ..document.document import Document, about, word_of
from ..layout import grid, render
from ..layout.render import Json
from ..problems import Error, Problem, Problems, Reporter, by_kind
from ..protocol.keywords import Keywords, OnProblem
from ..results.evaluation import Evaluation
from ..run.request import Request, Side
from ..run.score import scored

KEY_COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL")
RESPONSE_COLUMNS = ("ID", "A-coref", "B-coref")
GENDERS = {"he": "masculine", "his": "masculine", "him": "masculine",
           "she": "feminine", "her": "feminine", "hers": "feminine"}  # fmt: skip
GROUPS = ("overall", "masculine", "feminine")

_WORDS = {"true": True, "false": False}
_NEITHER = "an answer that is neither TRUE nor FALSE"

Path = str | os.PathLike[str]
Answers = Mapping[str, tuple[bool | None, bool | None]]


class Example(NamedTuple):
    """One example of GAP: a text, a pronoun in it, two names, and which of them the pronoun refers to."""

    id: str
    text: str
    pronoun: str
    places: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # characters of the pronoun and of the names
    right: tuple[bool, bool]


class Tally(NamedTuple):
    """Counts of decisions whether a pronoun refers to a name: true and false, positive and negative."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def score(self) -> Score:
        """Recall, precision and f1."""
        return Score.of(np.array([self.tp, self.tp + self.fn, self.tp, self.tp + self.fp], np.float64))


@dataclass(frozen=True)
class Gap:
    """The figures of the GAP challenge: overall, by the gender of the pronoun, and their ratio."""

    tallies: Mapping[str, Tally]
    examples: int
    missing: int
    problems: tuple[Problem, ...] = ()

    __str__ = render.text
    _repr_html_ = render.html

    @property
    def signature(self) -> str:
        """The name of the figures, and the version."""
        return f"gap|scoref:{__version__}"

    @property
    def bias(self) -> float | None:
        """F1 of feminine pronouns, divided by that of masculine ones; None where one of them is 0."""
        masculine, feminine = (self.tallies[name].score.f1 for name in GROUPS[1:])
        return feminine / masculine if masculine and feminine else None

    def whole_grid(self) -> grid.Grid:
        """A row for each group, and the bias in f1."""
        groups = self._groups()
        nothing = (None,) * len(Tally._fields)
        return groups._replace(rows=[*groups.rows, ("feminine / masculine", None, None, self.bias, *nothing)])

    def grids(self) -> list[grid.Grid]:
        """A row for each group, and the bias."""
        bias = grid.Number(self.bias, f"{self.bias:.4f}") if self.bias is not None else "not defined"
        return [self._groups(), grid.Grid("", ("bias", "feminine / masculine"), [("f1", bias)])]

    def _groups(self) -> grid.Grid:
        rows = [(name, *tally.score, *tally) for name, tally in self.tallies.items()]
        return grid.Grid("", ("pronouns", "recall", "precision", "f1", *Tally._fields), rows)

    def notes(self) -> list[str]:
        """The lines below the table."""
        lines = [f"{self.examples} examples, two names each"]
        if self.missing:
            lines.append(f"{self.missing} examples have no answer: both names count as missed (fn)")
        return [*lines, *by_kind(self.problems), f"signature {self.signature}"]

    def to_frame(self) -> render.DataFrame:
        """The figures as a frame of pandas: a row for each group of pronouns, and one for the bias."""
        return render.frame(self.whole_grid())

    def to_dict(self) -> Json:
        """The figures as `scoref gap --json` prints them."""
        return {
            "scoref": __version__,
            "signature": self.signature,
            "examples": self.examples,
            "missing": self.missing,
            "scores": {name: {**each.score._asdict(), **each._asdict()} for name, each in self.tallies.items()},
            "bias": self.bias,
            "problems": [each.to_dict() for each in self.problems],
        }


def gap(key: Path, response: Path, *, format: str | None = None, on_problem: OnProblem = "raise") -> Gap:
    """Score a response to GAP: a table of answers, or the entities that a system found in the texts, in any format.

    In entities the answer to a name is yes if the smallest mention that contains it, and the smallest that contains the
    pronoun, are of one entity; if both names are in the same mention, both answers are no.
    """
    problems = Problems(on_problem)
    examples = _examples(os.fspath(key), problems)
    answers = _answers(os.fspath(response), examples, format, problems)
    _refuse_others(examples, answers, os.fspath(response), problems)
    tallies = {name: [0, 0, 0, 0] for name in GROUPS}
    for example in examples:
        for right, answer in zip(example.right, answers.get(example.id, (None, None)), strict=True):
            decision = 2 if answer is None else (0 if right else 1) if answer else 2 if right else 3
            for name in ("overall", GENDERS[example.pronoun.lower()]):
                tallies[name][decision] += 1
    missing = sum(None in answers.get(example.id, (None,)) for example in examples)
    return Gap({name: Tally(*each) for name, each in tallies.items()}, len(examples), missing, tuple(problems.found))


def _rows(report: Reporter, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table, with their line numbers, as dictionaries by column; a header line is skipped."""
    try:
        text = formats.load(str(report.path)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not UTF-8: {error.reason}"
        raise report.error("bad-encoding", message, expected="a table in UTF-8", remedy="convert it to UTF-8") from None
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[0] == columns[0]):
            continue
        if len(cells) == len(columns):
            yield number, dict(zip(columns, cells, strict=True))
        else:
            report("bad-row", f"{len(cells)} cells", number, cells[0], f"{len(columns)}: {', '.join(columns)}")


def _examples(path: str, problems: Problems) -> list[Example]:
    report = Reporter(problems, path, remedy=formats.SKIP)
    examples: dict[str, Example] = {}
    for number, row in _rows(report, KEY_COLUMNS):
        try:
            example = _example(row)
        except ValueError as reason:
            whole = "\t".join(row.values())
            report.of(row["ID"])("bad-row", str(reason), number, whole, "an example as in gap-test.tsv")
            continue
        if example.id in examples:
            message = f"{example.id} for the second time"
            report.of(example.id)("repeated-example", message, number, example.id, "each example once")
        examples.setdefault(example.id, example)
    if not examples:
        raise Error("no-example", "no example of GAP in this file", path=path,
                    expected=f"a table with the columns {', '.join(KEY_COLUMNS)}",
                    remedy="give the key of GAP first, then the answers")  # fmt: skip
    return list(examples.values())


def _example(row: Mapping[str, str]) -> Example:
    if row["Pronoun"].lower() not in GENDERS:
        raise ValueError(f"the pronoun {row['Pronoun']}, expected one of {', '.join(GENDERS)}")
    places = []
    for name in ("Pronoun", "A", "B"):
        offset = row[f"{name}-offset"]
        start = int(offset) if offset.isdecimal() and len(offset) <= 12 else -1
        if start < 0 or row["Text"][start : start + len(row[name])] != row[name]:
            raise ValueError(f"'{row[name]}' is not at {row[f'{name}-offset']} in the text")
        places.append((start, start + len(row[name])))
    right = [_WORDS.get(row[f"{name}-coref"].lower()) for name in "AB"]
    if None in right:
        raise ValueError(_NEITHER)
    return Example(row["ID"], row["Text"], row["Pronoun"], (places[0], places[1], places[2]),
                   (bool(right[0]), bool(right[1])))  # fmt: skip


def _answers(path: str, examples: Sequence[Example], format: str | None, problems: Problems) -> Answers:
    """The answers in a table, or those derived from the entities of a system."""
    data = formats.load(path)
    first = data.lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")[0]
    answers: dict[str, tuple[bool | None, bool | None]] = {}
    if format is not None or first.count(b"\t") != 2 or first.lstrip()[:1] in (b"{", b"["):
        texts = {example.id: example for example in examples}
        documents = formats.read_source(formats.Source(data, path, "response"), format, problems)[1]
        return {each.id: _from_entities(each, texts[each.id]) if each.id in texts else (None, None)
                for each in documents}  # fmt: skip
    report = Reporter(problems, path, remedy=formats.SKIP)
    for number, row in _rows(report, RESPONSE_COLUMNS):
        both = [_WORDS.get(row[name].strip().lower()) for name in RESPONSE_COLUMNS[1:]]
        if None in both or row["ID"] in answers:
            what = "an example for the second time" if row["ID"] in answers else _NEITHER
            expected = "each example once, with TRUE or FALSE for A and B"
            report.of(row["ID"])("bad-answer", what, number, "\t".join(row.values()), expected)
        else:
            answers[row["ID"]] = both[0], both[1]
    return answers


def _refuse_others(examples: Sequence[Example], answers: Answers, path: str, problems: Problems) -> None:
    """Report answers to unknown examples; an error if no answer is to an example of the key."""
    known = {example.id for example in examples}
    others = [name for name in answers if name not in known]
    if len(others) == len(answers):
        raise Error("no-common-example", "no answer is to an example of the key", path=path,
                    text=others[0] if others else None, expected=f"answers to {examples[0].id} and others",
                    remedy="check whether key and response are of the same part of GAP")  # fmt: skip
    for name in others:
        report = Reporter(problems, path, name, "check whether key and response are of the same part of GAP")
        message = "an answer to an example that the key does not have"
        report("extra-example", message, expected="examples of the key", fatal=False)


def _from_entities(document: Document, example: Example) -> tuple[bool, bool]:
    """For both names, whether the entities of a system link them to the pronoun."""
    where = _characters(document, example.text)
    spans = [(where[mention.span[0]][0], where[mention.span[-1]][1]) if mention.span else (0, 0)
             for mention in document.mentions]  # fmt: skip

    def smallest(start: int, end: int) -> int | None:
        inside = [n for n, (first, last) in enumerate(spans) if first <= start and end <= last]
        return min(inside, key=lambda n: spans[n][1] - spans[n][0], default=None)

    pronoun, *names = (smallest(*place) for place in example.places)
    if pronoun is None or (names[0] is not None and names[0] == names[1]):
        return False, False
    entity = document.mentions[pronoun].entity
    same = [each is not None and document.mentions[each].entity == entity for each in names]
    return same[0], same[1]


def _characters(document: Document, text: str) -> Mapping[int, tuple[int, int]]:
    """For each position its first and last character in the text; without words, positions are characters."""
    places = {place for mention in document.mentions for place in mention.span}
    if not document.words:
        return {place: (word_of(place), word_of(place) + 1) for place in places}
    words, end = [], 0
    for word in document.words:
        start = text.find(word, end)
        if start < 0 or text[end:start].strip():
            message = f"the word '{word}' is not the next one of the text"
            raise about(document).error(
                "different-word", message, document.line, text[end : end + 40], "the words of the text, in order",
                remedy="give character offsets, or a table of answers",
            )  # fmt: skip
        end = start + len(word)
        words.append((start, end))
    return {place: words[word_of(place)] for place in places}


# -- WinoBias ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WinoBias:
    """The scores of sentences that follow a stereotype (pro), and of those that go against it (anti)."""

    pro: Evaluation
    anti: Evaluation

    __str__ = render.text
    _repr_html_ = render.html

    def whole_grid(self) -> grid.Grid:
        """For each metric the f1 of both, their mean, and how far they are apart."""
        both = [(metric, self.pro[metric].f1, self.anti[metric].f1) for metric in self.pro]
        rows = [(metric, pro, anti, (pro + anti) / 2, abs(pro - anti)) for metric, pro, anti in both]
        return grid.Grid("", ("metric", "pro", "anti", "mean", "difference"), rows)

    def grids(self) -> list[grid.Grid]:
        """The table."""
        return [self.whole_grid()._replace(title="f1")]

    def notes(self) -> list[str]:
        """The lines below the table."""
        sizes = f"{len(self.pro.documents)} and {len(self.anti.documents)} documents"
        named = (("pro", self.pro), ("anti", self.anti))
        said = [f"{name}: {note}" for name, each in named for note in (*each.remark_notes(), *each.problem_notes())]
        return [sizes, *said, f"signature {self.pro.signature}"]

    def to_frame(self) -> render.DataFrame:
        """The f1 as a frame of pandas: a row for each metric."""
        return render.frame(self.whole_grid())

    def to_dict(self) -> Json:
        """The report as `scoref winobias --json` prints it."""
        header, rows = self.whole_grid().header[1:], self.whole_grid().rows
        return {
            "scoref": self.pro.version,
            "signature": self.pro.signature,
            "signature_full": self.pro.signature_full,
            "documents": {"pro": len(self.pro.documents), "anti": len(self.anti.documents)},
            "f1": {str(row[0]): dict(zip(header, row[1:], strict=True)) for row in rows},
            "scores": {"pro": self.pro.scores_dict(), "anti": self.anti.scores_dict()},
        }


def winobias(pro: tuple[Side, Side], anti: tuple[Side, Side], **keywords: Unpack[Keywords]) -> WinoBias:
    """Score the key and response of the pro-stereotypical sentences, and those of the others; keywords as in `score`.

    >>> result = winobias(([["doctor", "he"]], [["doctor", "he"]]), ([["doctor", "she"]], [["doctor"], ["she"]]))
    >>> [cell for cell in result.whole_grid().rows[1]]
    ['muc', 1.0, 0.0, 0.5, 1.0]
    """
    return WinoBias(scored(Request.of(*pro, keywords)), scored(Request.of(*anti, keywords)))
