"""Where problems of documents are: the file and the name of a document, the line and the words of a mention."""

from __future__ import annotations

from ..problems import Problems, Reporter
from .document import Document, Mention


def about(document: Document, problems: Problems | None = None, remedy: str | None = None) -> Reporter:
    """What reports problems of a document, or makes them, where no `problems` are given.

    >>> from scoref.document.document import Origin
    >>> print(about(Document("bn_01", origin=Origin("a.conll", 3))).problem("no-heads", "no heads", 3))
    no heads  [no-heads]
      where     a.conll:3, document bn_01
    """
    return Reporter(problems or Problems(), document.source, document.id, remedy)


def place(document: Document, mention: Mention) -> tuple[int | None, str]:
    """The line of a mention and its words, as a reporter takes them."""
    return document.line_of(mention), document.text_of(mention)
