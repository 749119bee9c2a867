"""Print the JSON Schema of a command's JSON, or of a file that scoref writes."""

from __future__ import annotations

import argparse
import json

from ....layout.grid import Grid
from ....layout.render import written
from ....schemas.known import SCHEMAS, schema
from ...messages import width
from ...parsing import CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    named = "a command that prints JSON, or evaluation for saved ones; without it, all names"
    command.add_argument("name", nargs="?", metavar="NAME", help=named)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """A schema, or what there is."""
    if options.name is None:
        rows = [(name, what) for name, (what, _) in SCHEMAS.items()]
        return written([Grid("", ("schema", "what it describes"), rows, prose=True)], [], "text", width()), 0
    return json.dumps(schema(options.name), indent=2, ensure_ascii=False), 0
