"""What documents lack that their mentions are matched or selected by; it is reported, and does not stop the work."""

from __future__ import annotations

from ..document.document import Document
from ..document.places import about
from ..problems import Problems


def check_parents(document: Document, problems: Problems) -> None:
    """Report zeros that depend on nothing, where zeros are matched by what they depend on."""
    report = about(document, problems, "this zero is matched by its position")
    for mention in map(document.mentions.__getitem__, document.mentions.zeros):
        if not mention.parents:
            line, entity = document.line_of(mention), str(mention.entity)
            report("no-parent", "a zero that depends on nothing", line, entity, "DEPS like 3:nsubj", fatal=False)


def check_minimums(document: Document, problems: Problems) -> None:
    """Report minimum spans that lie outside of their mentions; such mentions match exactly or not at all."""
    report = about(document, problems, "fix the file; until then this mention is matched by all its words")
    for mention in document.mentions:
        written = dict(mention.attributes).get("Min")
        if written and not mention.minimum:
            line, message = document.line_of(mention), "a minimum span outside of its mention"
            report("minimum-outside", message, line, f"Min={written}", "tokens of the mention", fatal=False)


def check_heads(document: Document, problems: Problems) -> None:
    """Report a document without heads, where mentions are matched by them."""
    mentions = document.mentions
    headers = [text for _, text in document.comments if "global.Entity" in text]
    unsaid = any("head" not in text.partition("=")[2].strip().split("-") for text in headers)
    headed = (index for index, head in enumerate(mentions.heads) if head is not None)
    if not unsaid and any(len(mentions.span(index)) > 1 for index in headed):
        return
    if any(len(mentions.span(index)) > 1 for index in range(len(mentions))):
        how = "the first word counts" if unsaid else "mentions of this document are matched by all their words"
        report = about(document, problems, f"use --match exact; here {how}")
        expected = "heads, as mentions are matched by them"
        report("no-heads", "a document whose mentions have no heads", document.line, None, expected, fatal=False)


def check_parse(document: Document, problems: Problems) -> None:
    """Report a document whose parse cannot be used: mentions there match by all their words, and none is dropped."""
    from ..document.trees import has_parse

    if document.mentions and not any(document.mentions.minimums) and not has_parse(document):
        remedy = "add the parse; until then mentions of this document are matched by all their words"
        expected = "the parse column of CoNLL-2012, with a * for each token"
        report = about(document, problems, remedy)
        report("no-parse", "a document without a parse of all its tokens", document.line, None, expected, fatal=False)
