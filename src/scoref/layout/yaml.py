"""Plain values as YAML, for settings of other programs: every text in quotes, so that none is taken for more."""

from __future__ import annotations

import json

from .grid import clean


def yaml(value: object) -> str:
    """A mapping or a list as YAML in lines.

    >>> value = {"title": "yes: no", "tasks": [0], "pages": [{"file": "a.md", "hidden": False}], "end": None}
    >>> print(yaml(value), end="")
    title: "yes: no"
    tasks:
    - 0
    pages:
    - file: "a.md"
      hidden: false
    end: null
    """
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: object) -> list[str]:
    if isinstance(value, dict) and value:
        found = []
        for name, each in value.items():
            lines = _lines(each)
            nested = isinstance(each, dict | list) and each
            indent = "  " * isinstance(each, dict)
            found += [f"{name}:", *(indent + line for line in lines)] if nested else [f"{name}: {lines[0]}"]
        return found
    if isinstance(value, list) and value:
        return [f"{'  ' if number else '- '}{line}" for each in value for number, line in enumerate(_lines(each))]
    if isinstance(value, str):
        return [json.dumps("\n".join(map(clean, value.split("\n"))), ensure_ascii=False)]
    return [json.dumps(value)]
