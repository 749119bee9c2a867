"""XML from files that nobody has to trust: parsed without entities, which could make a small file fill the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..problems import Error
from .source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


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

    builder = TreeBuilder()
    parser = expat.ParserCreate("utf-8")  # as all files are, whatever this one says of itself
    parser.buffer_text = True
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(source.data, True)
    except expat.ExpatError as reason:
        message, line = f"not XML: {expat.ErrorString(reason.code)}", reason.lineno
        raise Error("bad-xml", message, path=source.name, line=line, remedy="fix the file") from None
    return builder.close()
