"""Options that several commands share."""

from __future__ import annotations

import argparse

from .. import formats
from ..formats._marks import STYLES
from ..layout.plots import SUFFIXES
from ..output.scores import BREAKDOWNS
from ..output.sheet import OUTPUTS
from ..scoring.choices import CHOICES, FIELDS, FOUND
from ..scoring.grouping import DOCUMENT_FIELDS
from ..scoring.metrics import AVERAGES, METRICS
from ..scoring.protocol import PROTOCOLS
from ..scoring.relations import RELATIONS
from ..scoring.running import DRIFTS
from ..statistics.systems import SEED, TRIALS, UNIT
from ..tables.inputs import ENGINES

PLOT = f"draw a figure, by the name of the file ({', '.join(SUFFIXES)}); a folder gets all figures"
HELP = {
    "match": "which mentions count as the same",
    "singletons": "entities with one mention",
    "zeros": "zeros: matched by position, by what they depend on, or dropped",
    "duplicates": "the same mention twice: which occurrence counts",
    "twinless": "mentions that only one side has",
    "nested": "mentions inside mentions of the same entity",
    "mentions": "all mentions, or noun phrases only (needs a parse column)",
    "words": "whether the words of key and response must agree",
    "lost": "running text: mentions none of whose words is in the key",
    "invisible": "event nuggets: words that never count",
    "pieces": "event nuggets: characters that two pieces of a span share count once or twice in its length",
    "mapping": "event nuggets: what the same mentions agree in, for coreference and sequencing",
    "sequencing": "event nuggets: links by the definition, or as EvmEval 1.8 counts them",
    "files": "event nuggets: what is malformed is refused, or taken as EvmEval 1.8 takes it",
    "empty": "documents in which there is nothing to count: left out of means, or counted as 0",
    "extra": "documents that the key does not have",
    "layer": "which annotation of a Universal Anaphora file",
    "split": "split antecedents: scored with credit, ignored, or only they are scored",
    "credit": "what aligned sets of split antecedents are worth",
    "links": "BLANC: which kinds of links it leaves out",
    "scope": "where an entity lives: a document, a text within it, the documents of a FIELD (topic), the corpus",
    "weights": "what mentions weigh in B³, CEAF and LEA: the same, by their form, or as an attribute FIELD says",
    "average": "over documents: sums, the mean of their scores, or as other tools have it",
    "digits": "averages of exact scores, or of percentages that were rounded or cut off",
}


def add_report(command: argparse.ArgumentParser, ci: bool = True) -> None:
    """The options on what is made of an evaluation."""
    fields = f"{', '.join(BREAKDOWNS)} or an attribute of entities"
    command.add_argument("--by", metavar="FIELD", help=f"a breakdown as well as the total: {fields}")
    if ci:
        command.add_argument("--ci", action="store_true", help="a bootstrap interval for every score")
    add_resampling(command)
    command.add_argument("--plot", metavar="FILE", help=PLOT)


def add_resampling(command: argparse.ArgumentParser) -> None:
    """The options on how intervals and tests are made."""
    command.add_argument("--trials", type=positive, metavar="N",
                         help=f"resamples for intervals and tests (default {TRIALS}, more for many)")  # fmt: skip
    command.add_argument("--seed", type=natural, default=SEED, metavar="N", help=f"of random numbers (default {SEED})")
    fields = f"{', '.join(DOCUMENT_FIELDS)} or a comment of documents"
    command.add_argument("--unit", default=UNIT, metavar="FIELD",
                         help=f"what is resampled as a whole: {fields} (default {UNIT})")  # fmt: skip


def add_scoring(command: argparse.ArgumentParser) -> None:
    """The options that all commands share which score."""
    add_reading(command)
    add_tables(command)
    command.add_argument("--protocol", metavar="NAME", help=f"a preset: {', '.join(PROTOCOLS)} (default: the format's)")
    metrics = ", ".join((*METRICS, *AVERAGES, *RELATIONS))
    command.add_argument("--metrics", metavar="A,B", help=f"some of {metrics}, or all (default: the protocol's)")
    for choice, words in CHOICES.items():
        if choice in FIELDS:
            command.add_argument(f"--{choice}", metavar=f"{{{','.join(words)},FIELD}}", help=HELP[choice])
        elif choice not in FOUND:
            command.add_argument(f"--{choice}", choices=words, help=HELP[choice])
    command.add_argument("--drift", choices=DRIFTS, default="check",
                         help="running text without half of the key's words: an error, or scored")  # fmt: skip
    command.add_argument("--beta", type=float, metavar="N", help="LEA: how much more entities with a set weigh (1)")
    command.add_argument("--threshold", type=float, metavar="X", help="event nuggets: Dice needed for coreference (1)")
    command.add_argument("--frequent", type=positive, metavar="N",
                         help="major entities: how many mentions they have at least (5)")  # fmt: skip
    command.add_argument("--types", metavar="FILE", help="event nuggets: score only the types of the file, one a line")
    command.add_argument("--with", dest="settings", action="append", default=[], metavar="CHOICE:WORD",
                         help="score that setting too, in the same run (may be given several times)")  # fmt: skip
    command.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (default 1)")


def add_reading(command: argparse.ArgumentParser, policy: bool = True) -> None:
    """The options on how files are read."""
    command.add_argument("--format", choices=list(formats.FORMATS), help="default: found from the content")
    command.add_argument("--ends", choices=formats.ENDS, default="inclusive",
                         help="whether [3, 5] of a JSON file includes word 5 (default: inclusive)")  # fmt: skip
    command.add_argument("--glob", metavar="PATTERN", help="of folders read only files like this: '*.conll'")
    command.add_argument("--marks", choices=list(STYLES), help="running text: the style of marks (default: found)")
    command.add_argument("--tokens", metavar="DIR", help="event nuggets: folder of token tables, DOCUMENT.tab")
    if policy:
        command.add_argument("--on-problem", choices=("raise", "skip"), default="raise",
                             help="stop at malformed input, or leave it out and say so (default: raise)")  # fmt: skip


TABLES = ("engine", "memory", "temp")


def add_tables(command: argparse.ArgumentParser) -> None:
    """The options on tables."""
    command.add_argument("--columns", metavar="A=X,B=Y", help="tables: which column is the mention, the entity, the"
                         " document; further ones are fields (default: guessed from their names)")  # fmt: skip
    command.add_argument("--engine", choices=ENGINES, default="auto", help="tables: what counts them (default: auto)")
    command.add_argument("--memory", metavar="SIZE", help="tables: what DuckDB may take, like 4GB (default: its own)")
    command.add_argument("--temp", metavar="DIR", help="tables: where DuckDB puts what does not fit")


def add_output(command: argparse.ArgumentParser, outputs: tuple[str, ...] = OUTPUTS) -> None:
    """The options on what is printed."""
    command.add_argument("--output", choices=outputs, default="text", help="default: text")
    command.add_argument("--verbose", action="store_true", help="the whole signature, with every choice")
    command.add_argument("--json", action="store_const", const="json", dest="output", help="short for --output json")
    command.add_argument("--ascii", action="store_true", help="JSON: escapes for all that is not ASCII")


def positive(text: str) -> int:
    """A number from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def natural(text: str) -> int:
    """A number from 0 on."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("at least 0")
    return number
