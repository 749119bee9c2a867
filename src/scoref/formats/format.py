"""What a format is: how its files are recognised, what they can hold, and the modules that read and write them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ..document.document import Document, Mention
from ..document.spans import EMPTY, is_stretch
from ..problems import Error, Problems
from ..values import NamedTuple
from .source import Source, refusal

if TYPE_CHECKING:
    from mmap import mmap

Answer = TypeVar("Answer")

# What a format can hold. Documents lose the rest when they are written, and `fitting` says so.
HOLDS = {
    "documents": "several documents in a file; without it a file is one document",
    "words": "the words of the text",
    "sentences": "where sentences begin",
    "word places": "mentions at numbers of words",
    "character places": "mentions at numbers of characters; without it texts are cut into words",
    "gaps": "mentions that are not one stretch",
    "zeros": "mentions of empty nodes",
    "mention names": "mentions that have a name and no place",
    "entity names": "what entities are called",
    "split antecedents": "entities that are sets of others",
    "bridges": "bridging references",
    "deixis": "discourse deixis",
    "non-referring": "mentions that refer to nothing",
    "relations": "relations between mentions other than coreference",
    "heads": "heads of mentions",
    "minimum spans": "the least of a mention that has to be found",
    "types": "types of mentions",
    "attributes": "other attributes of mentions",
    "realis": "realis of event nuggets",
    "parse": "parse trees",
    "texts": "the names of the texts that a document is joined of",
    "brat lines": "lines of brat files that are kept and not read",
}

# Other properties of formats. Those that end in a colon are followed by a value.
TRAITS = {
    "read-only": "it cannot be written",
    "binary": "its files are packed bytes, no text",
    "both sides": "a file may have a key and a response",
    "named by file": "a document has the name of its file",
    "may be empty": "a file without any annotation is empty",
    "mentions alone": "its files have rows of mentions: a document without any is not in them",
    "folders of topics": "a folder is a topic, whose documents are in files of their names",
    "vague": "a file may look like this format by chance: it has it only if no other format fits",
    "any ending": "its files have any ending",
    "responses": "only responses are taken for it, if no other format fits",
    "replies": "what looks like it may also be the reply of a language model",
    "standoff": "its files are about a text that stands elsewhere: nobody looks for the words in them",
    "numbered": "entities are numbered anew when it is written: their names mean nothing",
    "tokens:": "the format in which its documents are written whose places are tokens, for which it has no place",
    "style:": "a style of marks that it can be written in",
    "aside:": "the ending of other files that folders of this format have",
    "room:": "where its modules are, if it is not called like the format",
}


_KINDS = {
    "gaps": "a mention that is not one stretch",
    "zeros": "a mention of an empty node",
    "mention names": "a mention without a place",
}


def _kind(mention: Mention) -> str | None:
    """The word of `HOLDS` that a format needs for such a mention; None for a stretch of words or characters."""
    if not mention.span:
        return "mention names"
    if is_stretch(mention.span):
        return None
    return "zeros" if any(place & EMPTY for place in mention.span) else "gaps"


class Format(NamedTuple):
    """A file format: how it is recognised, the protocol it is officially scored with, what its files can hold.

    Files are written with the first of its suffixes; the others name other ways to write it. `holds` are words of
    `HOLDS`, `traits` words of `TRAITS`.

    Its modules are found by its name, and imported when something is read or written: the module `formats/NAME.py`
    with functions `read` and `write`, or the package `formats/NAME/` with modules `read.py` and `write.py`. Beside
    `read` there may be a function `borders`, beside `write` there may be `WAYS`, `beside`, `fit` and `notes`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    protocol: str
    sniff: Callable[[bytes], bool]
    traits: tuple[str, ...] = ()
    holds: frozenset[str] = frozenset()

    @property
    def suffix(self) -> str:
        """The ending of its files."""
        return self.suffixes[0]

    @property
    def single(self) -> bool:
        """Whether a file holds one document."""
        return "documents" not in self.holds

    @property
    def of_words(self) -> bool:
        """Whether its files have all words of a text, and positions can only be words."""
        return "words" in self.holds and "character places" not in self.holds and "standoff" not in self.traits

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles of marks in which it can be written."""
        return self._said("style:")

    @property
    def of_tokens(self) -> str:
        """The format for its documents, once their places are tokens."""
        return next(iter(self._said("tokens:")), self.name)

    @property
    def aside(self) -> tuple[str, ...]:
        """The endings of other files that are usual in folders of this format."""
        return self._said("aside:")

    @property
    def room(self) -> str:
        """The module or package of its reader and writer."""
        return next(iter(self._said("room:")), self.name)

    def _said(self, trait: str) -> tuple[str, ...]:
        return tuple([word.removeprefix(trait) for word in self.traits if word.startswith(trait)])

    def named(self, document: Document, file: str) -> str:
        """The name of a document by its file; with any ending, of one that has no name of its own."""
        if "any ending" not in self.traits:
            return file.removesuffix(self.suffix)
        own = document.id and not document.origin.numbered
        return document.id if own else os.path.splitext(file)[0]

    def read(self, source: Source, problems: Problems) -> Iterator[Document]:
        """The documents of a file."""
        return self._find("read", "read")(source, problems)  # type: ignore[no-any-return]

    def borders(self, key: bytes | mmap, response: bytes | mmap, number: int) -> list[tuple[int, int]]:
        """Where to split two files, at the same documents, to read them in at most `number` parts."""
        return self._asked("read", "borders", [], key, response, number)

    @property
    def writes(self) -> bool:
        """Whether it can be written."""
        return "read-only" not in self.traits and self._find("write", "write") is not None

    def write(self, documents: list[Document], way: str | None = None) -> str | bytes:
        """The content of a file, in a style or for an ending; refuses mentions that the format cannot hold."""
        write = self._find("write", "WAYS")[way] if way else self._find("write", "write")
        refused = self._refused(documents)
        try:
            written: str | bytes = write(documents)
        except Exception as reason:
            if refused is None or isinstance(reason, Error):  # a more precise error
                raise
        if refused is not None:
            raise refused
        return written

    def _refused(self, documents: list[Document]) -> Error | None:
        """The error for documents or mentions that the format does not declare to hold."""
        if self.single and len(documents) != 1:
            message = f"a {self.name} file holds one document, not {len(documents)}"
            return Error("too-many-documents", message, remedy=f"write to a folder: --to {self.name}")
        for document in documents if not _KINDS.keys() <= self.holds else ():
            for mention in document.mentions:
                kind = _kind(mention)
                if kind and kind not in self.holds:
                    message = f"{_KINDS[kind]} cannot be written as {self.name}"
                    return refusal(document, "unwritable-mention", message, mention)
        return None

    def beside(self, documents: list[Document]) -> dict[str, str]:
        """The texts of files to write beside it, by their endings."""
        return self._asked("write", "beside", {}, documents)

    def fit(self, documents: list[Document]) -> tuple[list[Document], list[str]]:
        """The documents changed to fit its syntax, such as names of entities, and a sentence for each change."""
        return self._asked("write", "fit", (documents, []), documents)

    def notes(self, documents: list[Document]) -> list[str]:
        """Further notes for the user on writing these documents in this format."""
        return self._asked("write", "notes", [], documents)

    def _asked(self, part: str, name: str, otherwise: Answer, *arguments: Any) -> Answer:
        """The result of a function of the reading or writing module; `otherwise` if there is no such function."""
        function: Callable[..., Answer] | None = self._find(part, name)
        return function(*arguments) if function else otherwise

    def _find(self, part: str, name: str) -> Any:
        """A function or value of the reading or writing module; None if there is none."""
        module = import_module(f"{__package__}.{self.room}")
        if hasattr(module, "__path__"):
            wanted = f"{module.__name__}.{part}"
            try:
                module = import_module(wanted)
            except ModuleNotFoundError as reason:
                if reason.name != wanted:
                    raise
                return None
        return getattr(module, name, None)
