"""Lists of the metrics, formats, protocols and matchers of scoref."""

from __future__ import annotations

from typing import NamedTuple

from .. import formats
from ..matching.match import MATCHERS
from ..protocol.choices import CHOICES
from ..protocol.protocol import PROTOCOLS
from ..protocol.tools import tools_of
from ..relations.registry import METRICS

USUAL = "conll-2012"  # the protocol that others are compared with


class ListedMetric(NamedTuple):
    """A metric: its name, what it is, and the paper it is from."""

    name: str
    title: str
    citation: str


class ListedFormat(NamedTuple):
    """A format: its name, what it is, its official protocol, and whether scoref writes it, too."""

    name: str
    title: str
    protocol: str
    can_write: bool


class ListedProtocol(NamedTuple):
    """A preset: its name, the tools that score like it, its differences from CoNLL-2012, its metrics."""

    name: str
    tools: tuple[str, ...]
    changes: tuple[str, ...]
    metrics: tuple[str, ...]


class ListedMatcher(NamedTuple):
    """A matcher: its name, and which mentions count as the same."""

    name: str
    title: str


def list_metrics() -> list[ListedMetric]:
    """The metrics, as `scoref list metrics` shows them.

    >>> next(metric for metric in list_metrics() if metric.name == "lea").citation
    'Moosavi & Strube 2016'
    """
    return [ListedMetric(each.name, each.title, each.citation) for each in METRICS.values()]


def list_formats() -> list[ListedFormat]:
    """The formats of files, as `scoref list formats` shows them.

    >>> next(format for format in list_formats() if format.name == "conll").protocol
    'conll-2012'
    """
    known = formats.FORMATS.values()
    return [ListedFormat(each.name, each.title, each.protocol, "read-only" not in each.traits) for each in known]


def list_protocols() -> list[ListedProtocol]:
    """The presets of protocols, as `scoref list protocols` shows them.

    >>> next(protocol for protocol in list_protocols() if protocol.name == "crac-2026").changes
    ('match:head', ...)
    """
    usual = PROTOCOLS[USUAL]
    found = []
    for name, each in PROTOCOLS.items():
        words = {choice: getattr(each, choice) for choice in CHOICES}
        changes = tuple(f"{choice}:{word}" for choice, word in words.items() if word != getattr(usual, choice))
        found.append(ListedProtocol(name, tools_of(name), changes, each.metrics))
    return found


def list_matchers() -> list[ListedMatcher]:
    """The matchers, as `scoref list matchers` shows them.

    >>> [matcher.name for matcher in list_matchers()][:3]
    ['exact', 'partial', 'head']
    """
    return [ListedMatcher(each.name, each.title) for each in MATCHERS.values()]
