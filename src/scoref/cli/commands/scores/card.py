"""Print the results of a model for its card at Hugging Face, from a saved evaluation."""

from __future__ import annotations

import argparse

from ....output.card import Carded, card
from ....results.merging import adapted
from ....results.saved import load
from ...options import add_metrics
from ...parsing import EVERYDAY, CommandParser


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    command.add_argument("stats", metavar="STATS", help="an evaluation saved by score --save")
    command.add_to(EVERYDAY, "--model", required=True, metavar="NAME", help="the name of the model")
    command.add_to(EVERYDAY, "--data", required=True, metavar="NAME", help="the name of the dataset: OntoNotes 5")
    command.add_to(EVERYDAY, "--data-id", metavar="ID", help="what Hugging Face calls it (default: made of the name)")
    command.add_to(EVERYDAY, "--data-split", metavar="NAME", help="of the dataset: test")
    add_metrics(command, "the metrics that were saved")


def run(options: argparse.Namespace) -> tuple[str, int]:
    """The `model-index` as YAML."""
    evaluation = adapted(load(options.stats), options.metrics)
    said = Carded(options.model, options.data, options.data_id, options.data_split)
    return card(evaluation, said).rstrip("\n"), 0
