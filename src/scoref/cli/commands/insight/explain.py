"""Say why other tools or settings give other numbers for the same files."""

from __future__ import annotations

import argparse

from ....explanation.explain import explain
from ....layout.render import rendered
from ...evaluations import keywords, refuse_unreadable, shown
from ...options import add_scoring
from ...parsing import EVERYDAY, CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation, or an evaluation saved by score --save")
    output = "the system's output; left out if KEY is saved, or holds both"
    command.add_argument("response", nargs="?", metavar="RESPONSE", help=output)
    command.add_to(EVERYDAY, "--like", metavar="TOOL", help="a tool, a preset or a signature: what differs from it")
    number = "which settings print this number: 64.21 of any metric, conll=64.21 (may be given several times)"
    command.add_to(EVERYDAY, "--number", action="append", default=[], metavar="[METRIC[.PART]=]VALUE", help=number)
    add_scoring(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The explanation, as it was asked for."""
    refuse_unreadable(options.key, options.response)
    asked = {"like": options.like, "number": options.number or None}
    found = explain(options.key, options.response, **asked, **keywords(options))
    text = str(found) if options.output == "text" else rendered(found, options.output)
    return shown(text, ["", *found.remarks(), ""], found.to_dict()["yours"]["signature_full"], options)
