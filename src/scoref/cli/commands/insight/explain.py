"""Say why other tools or settings give other numbers for the same files."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, cast

from ....explanation.explain import explain
from ....layout.render import rendered
from ....protocol.choices import setting
from ....run.request import Key
from ...evaluations import keywords, refuse_unreadable, shown
from ...messages import width
from ...options import add_scoring
from ...parsing import EVERYDAY, CommandParser, add_output

if TYPE_CHECKING:
    from ....protocol.keywords import Keywords


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("key", metavar="KEY", help="the gold annotation, or an evaluation saved by score --save")
    output = "the system's output; left out if KEY is saved, or holds both"
    command.add_argument("response", nargs="?", metavar="RESPONSE", help=output)
    command.add_to(EVERYDAY, "--like", metavar="TOOL", help="a tool, a preset or a signature: what differs from it")
    number = "which settings print this number: 64.21 of any metric, conll=64.21 (may be given several times)"
    command.add_to(EVERYDAY, "--number", action="append", default=[], metavar="[METRIC[.PART]=]VALUE", help=number)
    against = "another response, or a setting like match:partial: how much of the difference is mention detection"
    command.add_to(EVERYDAY, "--against", metavar="OTHER", help=against)
    add_scoring(command)
    add_output(command)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The explanation, as it was asked for."""
    refuse_unreadable(options.key, options.response)
    if options.against is not None:
        return _against(options)
    asked = {"like": options.like, "number": options.number or None}
    found = explain(options.key, options.response, **asked, **keywords(options))
    text = str(found) if options.output == "text" else rendered(found, options.output)
    return shown(text, ["", *found.remarks(), ""], found.to_dict()["yours"]["signature_full"], options)


def _against(options: argparse.Namespace) -> tuple[str, int]:
    """How much of the difference to another response, or under another setting, is mention detection."""
    from ....explanation.shares import shares

    said, other = keywords(options), options.against
    of_files = os.path.exists(other) or ":" not in other
    refuse_unreadable(options.key, *([other] if of_files else []), saved_key=False)
    if of_files:
        key = Key(options.key)
        found = shares(key, options.response, **said).against(shares(key, other, **said))
    else:
        changed = {**said, **setting(other)}
        found = shares(options.key, options.response, **said).against(
            shares(options.key, options.response, **cast("Keywords", changed))
        )
    text = rendered(found, options.output, width())
    return shown(text, found.notes(), found.second.evaluation.signature_full, options)
