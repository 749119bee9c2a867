"""JSON without repeated keys, NaN and lone surrogates."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def loads(text: str) -> Any:
    """The value of a JSON text; a ValueError for bad JSON, repeated keys, NaN and lone surrogates."""
    try:
        value, end = _DECODER.raw_decode(text) if text[:1] == "{" else (None, -1)
        if end != len(text):  # blanks before or behind it, or something else
            value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\" in text and ("\\ud" in text or "\\uD" in text):  # perhaps a lone surrogate, which cannot be printed
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key '{next(name for name in names if names.count(name) > 1)}' twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
