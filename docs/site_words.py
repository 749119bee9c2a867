"""What pages of the site take from scoref itself: the help and the lists of its commands."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError

from scoref.cli import main

ROOT = Path(__file__).resolve().parents[1]


def output(arguments: list[str]) -> str:
    """What a command of scoref prints."""
    printed = io.StringIO()
    with mock.patch.dict(os.environ, COLUMNS="88", NO_COLOR="1"), contextlib.redirect_stdout(printed):
        if main(arguments):
            raise ExtensionError(f"scoref {' '.join(arguments)} has failed")
    return printed.getvalue()


class Run(Directive):
    """The output of a command: as it is, or as Markdown that is a part of the page."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"markdown": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Run the command."""
        text = output(self.arguments[0].split())
        if "markdown" not in self.options:
            return [nodes.literal_block(text, text, language="text")]
        part = nodes.Element()
        self.state.nested_parse(StringList(text.splitlines(), self.arguments[0]), self.content_offset, part)
        return part.children


# Pages that are files of the project's root, and what links in them are on the site.
ROOT_PAGES = {"contributing": "CONTRIBUTING.md", "changes": "CHANGELOG.md", "security": "SECURITY.md"}


def from_the_root(_: Any, name: str, source: list[str]) -> None:
    """Give a page the text of the file that it stands for."""
    if name in ROOT_PAGES:
        text = (ROOT / ROOT_PAGES[name]).read_text(encoding="utf-8").replace("](docs/", "](")
        for page, file in {**ROOT_PAGES, "start": "README.md"}.items():
            text = text.replace(f"]({file}", f"]({page}.md")
        source[0] = text


def setup(application: Any) -> dict[str, bool]:
    """Add the directive, and the pages of the root."""
    application.add_directive("scoref", Run)
    application.connect("source-read", from_the_root)
    return {"parallel_read_safe": True}
