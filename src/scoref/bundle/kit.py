"""The kit that teams start with: the key's texts without annotation, a baseline, and how to check a submission."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ..board.judging import Task, Verdict, judged
from ..board.repeating import reading
from ..board.submissions import Submission
from ..document.document import Document
from ..document.mentions import Mention
from ..document.spans import position
from ..formats import Format, Source, files, load, named_by_file, read_source
from ..formats.files import rendered
from ..problems import Error, Problems
from ..run.request import Request
from .settings import TaskSettings

DATA, BASELINE = "data", "baseline"
_LEAST = 2  # mentions of an entity of the baseline

Change = Callable[[Document], Document]


def without_annotation(document: Document) -> Document:
    """The document with its words alone."""
    return replace(document, mentions=(), sets={}, nonreferring=frozenset(), hidden=frozenset(), bridges=(),
                   relations=(), deixis=None)  # fmt: skip


def with_repeated_names(document: Document) -> Document:
    """The baseline: all places of a word that is written with a capital are one entity, if there are several.

    >>> found = with_repeated_names(Document("d", ("Ada", "met", "Bo", ".", "Ada", "left", ".")))
    >>> [(mention.span, mention.entity) for mention in found.mentions]
    [(range(0, 1, 256), 1), (range(1024, 1025, 256), 1)]
    """
    places: dict[str, list[int]] = {}
    for number, word in enumerate(document.words):
        if word[:1].isupper():
            places.setdefault(word, []).append(number)
    entities = enumerate((each for each in places.values() if len(each) >= _LEAST), 1)
    found = [(number, entity) for entity, numbers in entities for number in numbers]
    mentions = [Mention((position(number),), entity, head=position(number)) for number, entity in sorted(found)]
    return replace(without_annotation(document), mentions=mentions)


def changed(task: Task, change: Change, name: str) -> dict[str, bytes]:
    """The files of the key with all documents changed: a file called `name`, or the files of a folder of that name."""
    how = task.request.reading.key
    found: dict[str, bytes] = {}
    for inside, path in files(task.key, how.glob).items():
        to, documents = _read(path, inside, how)
        target = f"{name}/{inside}" if inside else name + _ending(path, to)
        written = rendered([change(each) for each in documents], target, to.name)
        found |= {each: text if isinstance(text, bytes) else text.encode() for each, text in written.items()}
    return found


def _read(path: str, inside: str, how: Any) -> tuple[Format, list[Document]]:
    source = Source(load(path, how.max_size), path, "key", how.ends, how.tokens, how.files, how.marks)
    to, documents = read_source(source, how.format, Problems("skip"))
    if "read-only" in to.traits:
        message = f"scoref does not write {to.name} files, so the key's annotation cannot be taken out"
        raise Error("no-blind-data", message, path=path,
                    remedy="give the data that teams get: --blind PATH --baseline PATH")  # fmt: skip
    return to, named_by_file(documents, to, inside)


def _ending(path: str, to: Format) -> str:
    name = os.path.basename(path).removesuffix(".gz")
    return next((each for each in (to.suffix, *to.suffixes) if name.endswith(each)), to.suffix)


def place(names: Iterable[str], name: str) -> str:
    """What to call the file or the folder of that name, from the names of its files."""
    (one,) = {each.partition("/")[0] for each in names if each.startswith(name)}
    return one


def judged_well(task: Task, path: str, what: str) -> Verdict:
    """The verdict on something that has to be accepted; an error with the first reason if it is not."""
    (verdict,) = judged(task, [Submission(what, path)])
    if not verdict.accepted:
        reason = verdict.reasons[0]
        raise Error("rejected-baseline", f"the task rejects its own {what}: {reason.message}", path=reason.path,
                    line=reason.line, expected=reason.expected,
                    remedy="give other ones: --blind PATH --baseline PATH")  # fmt: skip
    return verdict


def check_command(task: Task, settings: TaskSettings, data: str, submission: str) -> str:
    """The command that checks a submission as the task does, with the key's texts alone."""
    as_here = Request.of(data, None, settings.keywords)  # type: ignore[arg-type]
    words = [
        "scoref",
        "validate",
        submission,
        "--key",
        data,
        *reading(as_here),
        "--protocol",
        task.protocol.signature(),
    ]
    return shlex.join([*words, *(("--missing", task.missing) if task.missing != "reject" else ())])
