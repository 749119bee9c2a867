"""`prompts`: a prompt for each document of a key, with examples from another key if there is one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..document.document import Document, about
from ..formats import How, Hows, dumps
from ..formats.fitting import fitted
from ..pairing.pairs import Pair, datasets
from ..pairing.reading import Key, Side
from ..problems import Error, Problem, Problems
from . import wording
from .shapes import SHAPES, AnswerShape, Shown, showable

if TYPE_CHECKING:
    from ..protocol.keywords import OnProblem

SHOTS = 3  # examples, unless another number is asked for
# Fields of a key's record beside the document: the protocol by which it is scored, the dataset that it is of.
PROTOCOL, DATASET = "protocol", "dataset"
_OTHER = "take examples from another key, of other documents"


class Prompt(NamedTuple):
    """What to send to a model for one document; `id` is that of the document, for the answer."""

    id: str
    text: str
    instruction: str
    examples: tuple[tuple[str, str], ...]
    style: str
    key: Document
    protocol: str | None = None  # the official one of the key's format, if it is a file
    dataset: str = ""  # the file, or its folder, as means over datasets need it

    @property
    def prompt(self) -> str:
        """The whole prompt as one text."""
        shown = [(text, f"{answer}\n\n") for text, answer in self.examples]
        parts = [f"{wording.TEXT}{text}\n\n{wording.ANSWER}{answer}" for text, answer in [*shown, (self.text, "")]]
        return f"{self.instruction}\n\n{''.join(parts)}"

    @property
    def messages(self) -> list[dict[str, str]]:
        """The same as messages of a chat: the instruction, examples as turns, the text."""
        turns = [("system", self.instruction)]
        for text, answer in self.examples:
            turns += [("user", text), ("assistant", answer)]
        return [{"role": role, "content": content} for role, content in [*turns, ("user", self.text)]]

    @property
    def key_text(self) -> str:
        """The document of the key with its annotation, as a record of JSON lines; for what scores, not for models."""
        known = {PROTOCOL: self.protocol, DATASET: self.dataset} if self.protocol else {}
        return json.dumps({**known, **json.loads(dumps([self.key], "jsonl"))}, ensure_ascii=False)

    def to_dict(self, chat: bool = False, with_key: bool = False) -> dict[str, Any]:
        """A record of JSON lines."""
        name = {"id": self.id} if self.id else {}
        said = {"messages": self.messages} if chat else {"prompt": self.prompt}
        key = {"key": self.key_text} if with_key else {}
        return {**name, **said, "text": self.text, **key, "style": self.style, "version": wording.VERSION}


class Prompts(tuple[Prompt, ...]):
    """The prompts of a key, and what is to be known about them."""

    problems: tuple[Problem, ...]
    _notes: tuple[str, ...]

    def __new__(cls, prompts: Iterable[Prompt], notes: Sequence[str], problems: Sequence[Problem]) -> Prompts:
        """Make it."""
        made = super().__new__(cls, prompts)
        made._notes, made.problems = (*notes,), (*problems,)
        return made

    def notes(self) -> list[str]:
        """What examples do not show, and other remarks."""
        return [*self._notes]

    def dumps(self, chat: bool = False, with_key: bool = False) -> str:
        """JSON lines, one for each document; `with_key` also what an answer to it is scored against."""
        return "".join(json.dumps(each.to_dict(chat, with_key), ensure_ascii=False) + "\n" for each in self)


def prompts(
    key: Side,
    style: str = "markdown",
    *,
    few: Side | None = None,
    shots: int | None = None,
    singletons: str | None = None,
    on_problem: OnProblem = "raise",
    **keywords: Any,
) -> Prompts:
    r"""A prompt for each document of a key, whose answers `score` reads without an option.

    >>> from scoref import Document, Mention
    >>> key = Document("tale", ["Ada", "ran", "."], [Mention.at(0, 0, "Ada")])
    >>> only, = prompts(key, "json")
    >>> only.id, only.text, only.prompt[-25:]
    ('tale', 'Ada ran .', 'Text:\nAda ran .\n\nAnswer:\n')

    Args:
        key: the gold annotation, as in `score`; models see its words alone.
        style: the shape of answers: a style of marks, `"json"` or `"json-words"`.
        few: another key, whose first documents are examples; it may have none of this key's documents.
        shots: how many examples, without it 3 or as many as there are.
        singletons: whether entities with one mention are asked for, `"keep"` or `"drop"`; else as the key has them.
        on_problem: as in `score`.
        **keywords: how the key is read, as in `score`: `format="conll"`; `few` is read as its content says.

    Returns:
        The prompts in the order of the key, with `prompt`, `messages`, `to_dict()`; `dumps()` gives JSON lines.
    """
    if style not in SHAPES:
        raise Error("unknown-style", f"no style '{style}'", expected=f"one of {', '.join(SHAPES)}")
    if singletons not in (None, *wording.SINGLETONS):
        raise Error("unknown-choice", f"no singletons '{singletons}'", expected="keep or drop")
    if shots is not None and (few is None or shots < 1):
        raise Error("bad-shots", f"{shots} examples{'' if few is not None else ', but no key to take them from'}",
                    expected="a number from 1 on, and another key: --few KEY")  # fmt: skip
    problems = Problems(on_problem)
    read = Key(key)
    documents = _documents(read, problems, Hows.of(keywords).key)
    asked = singletons or ("keep" if _has_singletons(documents) else "drop")
    shape, notes, shown = SHAPES[style], [], list[Shown]()
    if few is not None:
        others = _documents(Key(few), problems, How())
        _refuse_common(documents, others)
        shown = _examples(others, shots, shape, asked)
        notes = _notes(shown, style, asked)
    examples = tuple((shape.shown(each.document), shape.answered(each.document)) for each in shown)
    instruction = shape.instruction(asked)
    of = datasets([Pair(each.id, each, each) for each in documents]) if read.protocol else ("",) * len(documents)
    made = [
        Prompt(each.id, shape.shown(each), instruction, examples, style, each, read.protocol, dataset)
        for each, dataset in zip(documents, of, strict=True)
    ]
    return Prompts(made, notes, problems.found)


def _documents(key: Key, problems: Problems, how: How) -> list[Document]:
    """The documents of a key with their words, refused if answers could not be told apart, or there are no words."""
    given = key.given(problems, how)
    if not isinstance(given, list):
        raise Error("no-words", f"the key is {given.what}, without words", expected="a key with a text",
                    remedy="name a file with words, or give documents: scoref.Document")  # fmt: skip
    documents, _ = fitted(given, "conll") if any(not each.words for each in given) else (given, [])
    seen: set[str] = set()
    for each in documents:
        if not each.words or {*each.words} <= {"_", "-", "[WORD]"}:
            raise about(each, remedy="name a key with words").error("no-words", "a document without words")
        if each.id in seen:
            message = "two documents of one name, whose answers could not be told apart"
            raise about(each, remedy="rename one of them").error("repeated-document", message, each.line)
        seen.add(each.id)
    if not documents:
        raise Error("no-document", "the key has no documents", expected="at least one")
    return documents


def _has_singletons(documents: Iterable[Document]) -> bool:
    return any(
        len(mentions) == 1 and name not in each.nonreferring
        for each in documents
        for name, mentions in each.entities().items()
    )


def _refuse_common(documents: Sequence[Document], others: Sequence[Document]) -> None:
    """Refuse examples that are documents of the key, by their names or their words, or a part of one."""
    names = {each.id for each in documents if each.id and not each.origin.numbered}
    texts = [(each, _plain(each)) for each in documents]
    for other in others:
        same = other.id in names and not other.origin.numbered
        text = _plain(other)
        if same or any(text in known or known in text for _, known in texts):
            what = "name" if same else "text"
            message = f"an example is a document of the key: the {what} is the same"
            raise about(other, remedy=_OTHER).error("same-documents", message, other.line)


def _plain(document: Document) -> str:
    return f" {' '.join(document.words).casefold()} "


def _examples(others: Sequence[Document], shots: int | None, shape: AnswerShape, singletons: str) -> list[Shown]:
    if shots is not None and shots > len(others):
        raise Error("bad-shots", f"{shots} examples, but {len(others)} documents to take them from",
                    expected=f"at most {len(others)}")  # fmt: skip
    return [showable(each, shape, singletons) for each in others[: shots or SHOTS]]


def _notes(shown: Sequence[Shown], style: str, singletons: str) -> list[str]:
    notes = []
    if left_out := sum(each.left_out for each in shown):
        what = "zeros, mentions with gaps or that cross another one"
        notes.append(f"{left_out} mentions of the examples cannot be shown in {style} and are left out: {what}")
    if singletons == "keep" and not _has_singletons(each.document for each in shown):
        notes.append("entities with one mention are asked for, but no example has one")
    if not any(each.document.mentions for each in shown):
        notes.append("nothing is annotated in the examples")
    return notes
