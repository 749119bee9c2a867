"""Compare scores of sentences for and against a stereotype."""

from __future__ import annotations

import argparse

from ....layout.render import rendered
from ....statistics.bias import winobias
from ...evaluations import keywords, refuse_unreadable, shown
from ...messages import width
from ...options import add_scoring
from ...parsing import CommandParser, add_output


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    for name, what in (("PRO", "follow a stereotype"), ("ANTI", "go against it")):
        command.add_argument(f"{name.lower()}_key", metavar=f"{name}-KEY", help=f"the key of sentences that {what}")
        command.add_argument(f"{name.lower()}_response", metavar=f"{name}-RESPONSE", help="the response to them")
    add_scoring(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The report, as it was asked for."""
    pro, anti = (options.pro_key, options.pro_response), (options.anti_key, options.anti_response)
    for pair in (pro, anti):
        refuse_unreadable(*pair)
    result = winobias(pro, anti, **keywords(options) | {"settings": ()})
    return shown(rendered(result, options.output, width()), result.notes(), result.pro.signature_full, options)
