"""What must hold of every input that is accepted: each check runs some commands on a key and a response.

A check is given a `Runner` in a folder with the files, the names of key and response, and options; what is wrong goes
to the runner.
"""

from __future__ import annotations

import base64
import contextlib
import csv
import io
import json
import random
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest import mock

import scoref
from scoref import Document, Error, formats, processes
from scoref.counting.metrics import Mean
from scoref.document.document import UNWRITTEN, Bridge
from scoref.relations.registry import how_of

from .oracles import ORACLES
from .running import Runner

Check = Callable[[Runner, str, str, tuple[str, ...]], None]
SYMMETRIC = "muc,b3,ceafm,ceafe,lea,pairwise,mentions,conll"
HARMLESS = ("passed-over", "paired-by-order", "unknown-words", "inclusive-ends", "header-line", "other-offsets")


def plain(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Scores lie within [0, 1], or there is an error."""
    run.json("score", key, response, *options)


def exchange(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Recall of one side is precision of the other."""
    if _hold_both(key, response):
        return
    there = run.json("score", key, response, *options, "--metrics", SYMMETRIC)
    if there is None or _problems(there) or there["protocol"]["text"] == "align" or "answers" in there:
        return  # only a response may be an answer of a language model
    back = run.json("score", response, key, *options, "--metrics", SYMMETRIC)
    if back is None:
        run.found(f"accepted, but not with the sides exchanged: {run.said}")
    elif not _problems(back):
        turned = {
            name: {"recall": score["precision"], "precision": score["recall"], "f1": score["f1"]}
            for name, score in back["scores"].items()
        }
        _same(run, "exchanged sides", there["scores"], turned)


def itself(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A file against itself is 100, or something is reported."""
    found = run.json("score", response, response, *options)
    if found is None or found["problems"] or found["notes"] or not _fair(found["protocol"]):
        return
    if _hold_both(response):
        return
    for name, score in found["scores"].items():
        if found["undefined"] and (name in found["undefined"] or isinstance(how_of(name), Mean)):
            continue
        if any(isinstance(value, float) and abs(value - 1) > 1e-9 for value in score.values()):
            run.found(f"against itself: {name} is {score}, and nothing is reported")


def jobs(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Several workers print what one does, however small the files are."""
    one = run.json("score", key, response, *options), run.said
    with mock.patch.object(processes, "LEAST", 0):
        for number in ("2", "5"):
            many = run.json("score", key, response, *options, "--jobs", number), run.said
            if one != many:
                run.found(f"one worker says {one}, {number} say {many}")


def order(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """The order of documents, of mentions and of entities, and their names, make no difference."""
    how = {
        name.removeprefix("--").replace("-", "_"): word for name, word in zip(options[::2], options[1::2], strict=True)
    }
    reading = {name: how.pop(name) for name in ("format", "tokens", "ends", "marks") if name in how}
    policy = how.pop("on_problem", "raise")
    try:
        sides = [scoref.read(path, on_problem=policy, side=side, **reading)
                 for path, side in ((key, "key"), (response, "response"))]  # fmt: skip
        before = scoref.score(*sides, on_problem=policy, **how)
    except Error:
        return
    if _problems({"problems": [each.to_dict() for each in before.problems]}):
        return  # with repeated mentions, the order says which counts
    if any(len(side) > 1 and not all(document.id for document in side) for side in sides):
        return  # documents without names go with those at the same place
    run.runs += 1
    chance = random.Random(0)
    moved = [[_reordered(document, chance) for document in chance.sample(side, len(side))] for side in sides]
    after = scoref.score(*moved, on_problem=policy, **how)
    _same(run, "another order", _scores(before), _scores(after))


def brackets(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """The order of brackets in a cell of CoNLL or CorefUD, where each names its entity, makes no difference."""
    before = run.json("score", key, response, *options)
    if before is None or _problems(before):
        return
    chance = random.Random(0)
    for path in (key, response):
        lines = Path(path).read_bytes().split(b"\n")
        Path(path).write_bytes(b"\n".join(_shuffled(line, chance) for line in lines))
    after = run.json("score", key, response, *options)
    if after is None:
        run.found(f"brackets in another order are refused: {run.said}")
    else:
        _same(run, "brackets in another order", before["scores"], after["scores"])


def _shuffled(line: bytes, chance: random.Random) -> bytes:
    """The line with the brackets of its last cell, or of its `Entity`, in another order."""
    cell = re.search(rb"(?<![^\t|])Entity=([^\t|]*)|[ \t]([(|)\w]+)[ \t\r]*$", line)
    if not cell or line.startswith(b"#"):
        return line
    group = 1 if cell[1] is not None else 2
    found = re.findall(rb"\([^()|]*\)?|[^()|]+\)", cell[group])
    bar = b"" if group == 1 else b"|"
    if bar.join(found) != cell[group]:
        return line  # something else
    found = chance.sample(found, len(found))
    if not bar:  # else what opens and what closes would be one
        found.sort(key=lambda bracket: bracket.startswith(b"("))
    return line[: cell.start(group)] + bar.join(found) + line[cell.end(group) :]


def kept(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """`convert` keeps the scores, or says what is lost, or refuses. The first option names the new format."""
    _, to, *rest = options
    reading, scoring = _split(tuple(rest))
    before = run.json("score", key, response, *reading, *scoring)
    ending = formats.named(to).suffix
    new = f"new-key{ending}", f"new-response{ending}"
    for side, old, path in zip(("key", "response"), (key, response), new, strict=True):
        side = side if run_reads_sides(old) else "key"
        written = run.text("convert", old, path, "--to", to, "--side", side, *reading) is not None
        if not written or any(not line.startswith(_LOSSLESS) for line in run.said.splitlines()):
            return
    if before is None or before["problems"] or "answers" in before or Path(new[0]).is_dir():
        return
    if before["protocol"]["text"] == "align":
        return
    names = [{document.id for document in scoref.read(path, to, on_problem="skip")} for path in new]
    if names[0] != names[1]:
        return  # the only document of a file needs no name, in some formats
    after = run.json("score", *new, *scoring, "--format", to)
    if after is None:
        code = r"no-positions|different-units|not-on-tables|unnamed-entities"  # what this protocol cannot match
        ignored = before["protocol"]["words"] == "ignore" or _unwritten(key, response, reading)
        code += "|different-text|not-the-same-text" * ignored  # not compared before
        if not re.search(rf"\[({code})\]", run.said):
            run.found(f"as {to} it is refused: {run.said}")
    elif after["problems"] or after["protocol"]["text"] == "align":
        return  # said; words that differ, and were not compared before
    elif before["protocol"]["match"] != "exact" and before["protocol"]["spans"] != after["protocol"]["spans"]:
        return  # parts of mentions, of characters and of words
    elif before["protocol"]["match"] == "head" and to == "corefud":
        return  # where the first word is the head of a mention that had none
    elif before["scores"].keys() == after["scores"].keys():
        _same(run, f"converted to {to}", before["scores"], after["scores"])


def _unwritten(key: str, response: str, reading: tuple[str, ...]) -> bool:
    """Whether words are left out, like `-` in a column: they are not compared, but in a running text they are."""
    how = {name.removeprefix("--"): word for name, word in zip(reading[::2], reading[1::2], strict=True)}
    how.pop("on-problem", None)
    sides = [scoref.read(path, on_problem="skip", side=side, **how)
             for path, side in ((key, "key"), (response, "response"))]  # fmt: skip
    return any(word in UNWRITTEN for side in sides for document in side for word in document.words)


_LOSSLESS = ("wrote ", "note: positions were characters: the text is cut into words")  # what is said, and nothing lost


def run_reads_sides(path: str) -> bool:
    """Whether a file may hold both sides."""
    return path.endswith(".jsonl")


def agree(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """`score`, `compare`, `merge`, `errors` and `report` have the same numbers."""
    first = run.json("score", key, response, *options, "--save", "saved.json")
    if first is None and "[not-on-tables]" in run.said:
        return  # metrics, which errors do without
    table = any(file.suffix in (".csv", ".parquet", ".tsv") for file in _all_files(key))
    if first is None:
        page = () if table else (("report", "-o", "page.html"),)  # which shows tables as documents
        for command, *more in (("compare", response, "--trials", "5"), ("errors",), *page):
            if run.text(command, key, response, *more, *options) is not None:
                run.found(f"{command} takes what score refuses")
        return
    for name, found in (
        ("merge", run.json("merge", "saved.json")),
        ("compare", run.json("compare", key, response, response, *options, "--trials", "5")),
    ):
        scores = (found or {}).get("scores") or next(iter((found or {}).get("systems", {}).values()), None)
        if scores is None:
            run.found(f"{name} refuses what score takes: {run.said}")
        else:
            _same(run, name, first["scores"], scores)
    if run.text("report", key, response, "-o", "page.html", "--trials", "5", *options) is not None:
        shown = _overview(run)["systems"][0]["scores"]
        scores = {name: dict(zip(("recall", "precision", "f1"), rest, strict=False)) for name, *rest in shown}
        there = {
            name: {part: score[part] for part in scores.get(name, score)} for name, score in first["scores"].items()
        }
        _same(run, "report", there, scores, 2e-6)
    elif not table:
        run.found(f"report refuses what score takes: {run.said}")
    errors = run.json("errors", key, response, *options)
    if errors is None and not table:
        run.found(f"errors refuses what score takes: {run.said}")
    for cost in (errors or {}).get("costs", [])[-1:]:
        _check_cost(run, first, cost["together"])


def _check_cost(run: Runner, found: dict[str, Any], gained: Mapping[str, float]) -> None:
    for name, value in gained.items():
        if not found["problems"] and name in found["scores"] and not value + found["scores"][name]["f1"] <= 1 + 1e-9:
            run.found(f"errors: {name} {found['scores'][name]['f1']} and {value} gained is more than 1")


def outputs(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """What is printed is well formed in every way of printing. The first option says which command."""
    _, command, *rest = options
    more = ("--trials", "5") if command == "compare" else ()
    table = run.text(command, key, response, *more, *rest, "--output", "csv")
    if table is not None:
        rows = [row for row in csv.reader(io.StringIO(table), strict=True) if row]
        if len({len(row) for row in rows}) > 1:
            run.found(f"{command}: rows of CSV with different numbers of cells: {table[:300]}")
        for cell in (cell for row in rows for cell in row):
            if re.match(r"[=+@-]", cell) and not re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", cell):
                run.found(f"{command}: a formula in CSV: {cell!r}")
    for kind in ("text", "markdown", "latex"):
        run.text(command, key, response, *more, *rest, "--output", kind, *(["--verbose"] if kind == "text" else []))


def commands(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A command other than `score`. The first option says which."""
    _, command, *rest = options
    if command == "validate":
        reading, _ = _split(tuple(rest), "--on-problem")
        found = run.json("validate", key, response, *reading)
        listed = run.text("validate", response, *reading)
        if found is not None and listed is None:
            run.found(f"validate as text refuses what it lists as JSON: {run.said}")
        return
    if command == "explain":
        run.json("explain", key, response, *rest)
    elif command == "stability":
        run.json("stability", key, response, "--repetitions", "2", *rest)
    elif command == "agreement":
        run.json("agreement", key, response, "--trials", "5", *rest)
    elif command == "winobias":
        run.json("winobias", key, response, response, key, *rest)
    elif command == "errors":
        run.text("errors", key, response, "--list", *rest)
        run.text("errors", key, response, "--repaired", "repaired", *rest)
    elif command == "by":
        run.json("score", key, response, "--ci", "--trials", "5", *rest)
    elif command == "convert":
        reading, _ = _split(tuple(rest))
        for to in ("conll", "jsonl"):
            run.text("convert", response, "-", "--to", to, *reading)


def valid(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """What `validate` finds nothing in, against itself, is not refused by `score`, and the other way round."""
    reading, _ = _split(options, "--on-problem")
    checked = run.json("validate", response, *reading)
    scored = run.json("score", response, response, *reading)
    over = {each["path"] for each in (scored or {}).get("problems", []) if each["code"] == "passed-over"}
    if checked is None and scored is not None:
        run.found("validate refuses to look at what score takes")
    if checked is None:
        return
    if scored is None and not checked["problems"] and not re.search(r"\[(unreadable|other-marks)", run.said):
        run.found(f"validate finds nothing, score does: {run.said}")
    elif scored is not None and any(
        each["fatal"]
        and each["path"] not in over
        and not ("--split ignore" in each["remedy"] and _ignores_sets(scored))
        for each in checked["problems"]
    ):
        run.found(f"score takes what validate calls wrong: {checked['problems']}")


def _ignores_sets(found: dict[str, Any]) -> bool:
    return bool(found["protocol"]["split"] == "ignore")


def sums(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A saved evaluation is added up and compared, or refused."""
    run.json("merge", response)
    run.json("merge", response, key, *options)
    run.json("compare", key, response, "--trials", "5")
    run.text("explain", response)


def gap(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """Answers, or entities, for the pronouns of GAP."""
    run.json("gap", key, response, *options)
    run.text("gap", response, key, *options, "--output", "csv")


def tokenize(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A text becomes a token table."""
    if run.text("tokenize", response, "-o", "tables") is not None:
        table = Path("tables", Path(response).stem + ".tab")
        if not table.is_file():
            run.found("tokenize says that it is done, and there is no table")


def protocol(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A protocol in a file."""
    run.json("score", key, key, "--protocol", response)


def types(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A list of event types."""
    run.json("score", key, key, "--types", response)
    run.json("validate", key, "--types", response)


def anything(run: Runner, key: str, response: str, options: tuple[str, ...]) -> None:
    """A command with any of its options. The first one says which command."""
    _, command, *rest = options
    files = {"validate": (response,), "winobias": (key, response, response, key)}.get(command, (key, response))
    run.text(command, *files, *rest)
    if "--output" not in rest and command != "validate":
        run.json(command, *files, *rest)


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (plain, exchange, itself, jobs, order, brackets, kept, agree, outputs, commands, valid, sums, gap,
                  tokenize, protocol, types, anything)
} | dict(ORACLES)  # fmt: skip


# -- what checks share -----------------------------------------------------------------------------------------------


def _fair(protocol: Mapping[str, str]) -> bool:
    """Whether a perfect response is 100: some tools take singletons, or documents without links, on one side only."""
    plain = protocol["singletons"] in ("keep", "drop") and protocol["empty"] == "skip"
    return plain and protocol["average"] not in ("means", "weighted") and protocol["links"] != "maven-ere"


def _all_files(path: str) -> list[Path]:
    return [each for each in (Path(path), *Path(path).rglob("*")) if each.is_file()]


def _hold_both(*paths: str) -> bool:
    """Whether a file may hold a key and a response: then it is not the same on both sides."""
    for file in (file for path in paths for file in _all_files(path)):
        with contextlib.suppress(Error):  # broken
            if b"predicted_clusters" in formats.load(file):
                return True
    return False


def _problems(found: dict[str, Any]) -> bool:
    return any(each["code"] not in HARMLESS for each in found["problems"])


def _scores(evaluation: scoref.Evaluation) -> dict[str, dict[str, float]]:
    return {name: score._asdict() for name, score in evaluation.scores.items()}


def _same(run: Runner, what: str, one: Mapping[str, Any], other: Mapping[str, Any], within: float = 1e-9) -> None:
    for name, score in one.items():
        for part, value in score.items():
            there = other.get(name, {}).get(part)
            if isinstance(value, float) and (there is None or abs(value - there) > within):
                run.found(f"{what}: {part} of {name} is {there}, not {value}")
                return


_SCORING = ("--protocol", "--metrics", "--layer", "--match", "--singletons", "--duplicates", "--average", "--split",
            "--zeros", "--twinless", "--scope")  # fmt: skip


def _split(options: tuple[str, ...], *without: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options on reading, and those on scoring."""
    pairs = [*zip(options[::2], options[1::2], strict=True)]
    reading = [each for name, word in pairs if name not in (*_SCORING, *without) for each in (name, word)]
    scoring = [each for name, word in pairs if name in _SCORING for each in (name, word)]
    return tuple(reading), tuple(scoring)


def _reordered(document: Document, chance: random.Random) -> Document:
    """The document with its mentions in another order, and other names of entities that sort in another order."""
    places = chance.sample(range(len(document.mentions)), len(document.mentions))
    new = {old: number for number, old in enumerate(places)}
    entities = list(dict.fromkeys([*document.entities(), *document.sets, *document.nonreferring,
                                   *(each for members in document.sets.values() for each in members)]))  # fmt: skip
    names = {entity: f"n{zlib.crc32(str(entity).encode())} {entity}" for entity in entities}
    return replace(
        document,
        mentions=tuple(document.mentions[old].of(names[document.mentions[old].entity]) for old in places),
        bridges=tuple(Bridge(new[each.anaphor], new[each.antecedent], each.attributes) for each in document.bridges),
        sets={names[name]: tuple(names[each] for each in members) for name, members in document.sets.items()},
        nonreferring=frozenset(names[name] for name in document.nonreferring),
        hidden=frozenset(names[name] for name in document.hidden if name in names),
        deixis=_reordered(document.deixis, chance) if document.deixis else None,
    )  # fmt: skip


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, str] = {}
        self.inside: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.inside = dict(attributes).get("id")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.data[self.inside] = data
            self.inside = None


def _overview(run: Runner) -> Any:
    """What the overview of the page says; each packed part must be JSON."""
    page = _Page()
    page.feed(Path("page.html").read_text(encoding="utf-8"))
    parts = {name: json.loads(zlib.decompress(base64.b64decode(text))) for name, text in page.data.items()}
    return parts["overview"]
