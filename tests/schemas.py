"""Checks what commands print as JSON against its schema: in every test that runs one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from scoref.cli.program import names
from scoref.schemas.known import SCHEMAS, schema

try:
    import jsonschema
except ModuleNotFoundError:  # of the extra `test`: tests of schemas say that it is missing
    jsonschema = None


@cache
def _validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(schema(name))


def strictly(text: str) -> Any:
    """The value of JSON; an error for what only Python takes for JSON: NaN, Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def check(name: str, text: str) -> None:
    """Fail if the JSON is not as its schema says."""
    value = strictly(text)
    if jsonschema is None:
        return
    wrong = [*_wrong(_validator(name).iter_errors(value))]
    assert not wrong, f"scoref schema {name}: {'; '.join(wrong[:3])}"


def _wrong(errors: Iterable[Any]) -> Iterator[str]:
    """What is wrong; of several shapes that a value may have, what is wrong with the one that it fits best."""
    for error in errors:
        shapes: dict[object, list[Any]] = {}
        for each in error.context or ():
            shapes.setdefault(each.schema_path[0], []).append(each)
        if shapes:
            yield from _wrong(min(shapes.values(), key=len))
        else:
            yield f"{error.json_path}: {error.message[:200]}"


def printed(arguments: list[str], out: str) -> None:
    """Check what a command has printed, if it was asked for JSON."""
    if "--" in arguments:  # names of files follow
        arguments = arguments[: arguments.index("--")]
    command = next((word for word in arguments if word in names()), None)
    said = " ".join(arguments).replace("--output=", "--output ")
    asked = "--output json" in said or ("--json" in arguments and command != "board")
    if command in SCHEMAS and asked and out:
        check(command, out)
