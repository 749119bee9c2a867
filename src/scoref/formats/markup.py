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
        raise Error("xml-entities", "the file declares entities of its own", path=source.name,
                    line=parser.CurrentLineNumber, expected="XML without <!ENTITY ...>",
                    remedy="write what the entities stand for in their places")  # fmt: skip

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
        raise Error("bad-xml", f"not XML: {expat.ErrorString(reason.code)}", path=source.name, line=reason.lineno,
                    remedy="fix the file") from None  # fmt: skip
    return builder.close()
