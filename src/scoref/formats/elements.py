"""The elements of an XML file with the lines that they begin on; one that declares entities or its type is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from ..problems import Error
from .source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NOT_XML = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # also if it is escaped
_VERSION = rb"""^(\s*<\?xml\s+version=["'])1\.1(["'])"""  # of XML, which differs in control characters only


def parsed(source: Source) -> Element:
    """The root of an XML file; each element has the attribute `:line`, the line it begins on."""
    from xml.etree.ElementTree import TreeBuilder
    from xml.parsers import expat

    def refuse(*_: object) -> NoReturn:
        message, remedy = "the file declares entities of its own", "write what the entities stand for in their places"
        line, expected = parser.CurrentLineNumber, "XML without <!ENTITY ...>"
        raise Error("xml-entities", message, path=source.name, line=line, expected=expected, remedy=remedy)

    def start(name: str, attributes: dict[str, str]) -> None:
        builder.start(name, attributes | {":line": str(parser.CurrentLineNumber)})

    def refuse_type() -> NoReturn:
        message, remedy = "the file declares its document type", "remove the declaration"
        line, expected = parser.CurrentLineNumber, "XML without <!DOCTYPE ...>"
        raise Error("xml-doctype", message, path=source.name, line=line, expected=expected, remedy=remedy)

    builder = TreeBuilder()
    parser = expat.ParserCreate("utf-8")  # whatever the file declares: it has been checked before
    parser.buffer_text = True
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    parser.EndDoctypeDeclHandler = refuse_type
    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(re.sub(_VERSION, rb"\g<1>1.0\g<2>", source.data), True)
    except expat.ExpatError as reason:
        message, line = f"not XML: {expat.ErrorString(reason.code)}", reason.lineno
        raise Error("bad-xml", message, path=source.name, line=line, remedy="fix the file") from None
    return builder.close()
