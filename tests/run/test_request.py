"""What users ask for is packed once: the keywords of `score`, their defaults, and what lists of names hold."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import scoref
from scoref import Error
from scoref.formats import ONE_SIDED
from scoref.protocol.choices import OPTIONS
from scoref.protocol.keywords import Keywords
from scoref.run.request import Request


def keywords(function: Any) -> dict[str, Any]:
    """The keywords that a function names, with their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}


def test_the_defaults_of_score_are_those_of_a_request() -> None:
    explicit, implicit = (Request.of("key", "response", each) for each in (keywords(scoref.score), {}))
    assert explicit._replace(key=implicit.key) == implicit


def test_the_type_of_keywords_has_all_that_score_takes() -> None:
    assert {*Keywords.__annotations__} == {*keywords(scoref.score), *ONE_SIDED, *OPTIONS}


@pytest.mark.parametrize("name", [*keywords(scoref.score), "**more"])
def test_every_parameter_of_score_is_explained(name: str) -> None:
    assert f"\n        {name}: " in (scoref.score.__doc__ or "")


def test_metrics_and_settings_may_be_read_once_only() -> None:
    settings = (text for text in ["singletons:drop", "twinless:sys"])
    result = scoref.score([["a", "b"]], [["a", "b"]], metrics=(name for name in ["muc", "b3"]), settings=settings)
    assert [*result] == ["muc", "b3"]
    assert [*result.settings] == ["singletons:drop", "twinless:sys"]


def test_a_word_that_is_no_keyword_is_refused() -> None:
    with pytest.raises(Error, match="singleton"):
        scoref.score([["a"]], [["a"]], singleton="drop")


def test_lists_say_what_the_registries_have() -> None:
    assert {"muc", "conll", "bridging-mentions"} <= {each.name for each in scoref.list_metrics()}
    assert {each.name: each.protocol for each in scoref.list_formats()}["corefud"] == "crac-2026"
    assert next(each for each in scoref.list_protocols() if each.name == "conll-2012").changes == ()
    assert {"exact", "head"} <= {each.name for each in scoref.list_matchers()}
