"""How an explanation is worded: settings as options and signatures, differences in points, indented lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from ..layout.grid import Number, clean, signed
from ..protocol.protocol import PROTOCOLS, Protocol
from .effects import NONE, different

WIDTH = 80


def options(protocol: Protocol) -> str:
    """The command-line options that select a protocol."""
    if protocol.name not in PROTOCOLS:
        return f"--protocol '{protocol.signature()}'"
    changed = different(PROTOCOLS[protocol.name], protocol)
    return " ".join([f"--protocol {protocol.name}", *(f"--{choice} {getattr(protocol, choice)}" for choice in changed)])


def brief(protocol: Protocol) -> str:
    """The signature without the metrics."""
    usual = PROTOCOLS.get(protocol.name)
    alike = usual and usual.reading.layer == protocol.reading.layer
    return (protocol.change(metrics=usual.metrics) if usual and alike else protocol).signature()


def points(difference: float) -> Number:
    """A difference in points with two digits, or four if two would show 0.00."""
    number = signed(difference)
    small = NONE <= abs(difference) < 5e-5
    return number._replace(shown=f"{100 * difference:+.4f}") if small and abs(difference) >= 5e-7 else number


def indented(text: str, start: str = "  ") -> list[str]:
    """Text wrapped to lines; `start` stands before the first, and the others are indented as far."""
    behind = " " * len(start)
    cleaned = clean(text)
    if not cleaned:
        return [start.rstrip()]
    return textwrap.wrap(cleaned, WIDTH, initial_indent=start, subsequent_indent=behind, break_on_hyphens=False)


def all_indented(texts: Iterable[str]) -> Iterator[str]:
    """The lines of several texts, all of them indented."""
    return (line for text in texts for line in indented(text))


def inverted(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """For each reason the names that have it."""
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(reason, []).append(name)
    return names


def joined(sentences: Iterable[str]) -> str:
    """Reasons in one line, each once."""
    return "; ".join(dict.fromkeys(each for each in sentences if each))
