"""Minimum spans and noun phrases need the parse of the key: without one there is no score that claims to use it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref

Run = Callable[..., tuple[int, str, str]]

BITS = [("the", "DT", "(TOP(S(NP(NP*"), ("cat", "NN", "*)"), ("of", "IN", "(PP*"), ("Ada", "NNP", "(NP*)))")]
KEY, RESPONSE = ["(1", "-", "-", "1)|(1)"], ["(1", "1)", "-", "(1)"]


def conll(cells: list[str], parse: str | None = None, short: int | None = None, name: str = "d") -> str:
    """A document of twelve columns, its parse replaced, or one line too short."""
    lines = [f"#begin document {name}"]
    for number, ((word, tag, bit), cell) in enumerate(zip(BITS, cells, strict=True)):
        row = ["d", "0", str(number), word, tag, parse or bit, "-", "-", "-", "-", "*", cell]
        lines.append("\t".join(row[:4] + row[-1:] if number == short else row))
    return "\n".join([*lines, "#end document", ""])


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("option", [("--match", "min"), ("--mentions", "np")])
@pytest.mark.parametrize("how", [{"parse": "-"}, {"parse": "_"}, {"short": 1}])
def test_a_file_without_a_usable_parse_is_an_error(run: Run, option: tuple[str, str], how: dict[str, object]) -> None:
    Path("key").write_text(conll(KEY, **how))  # type: ignore[arg-type]
    Path("response").write_text(conll(RESPONSE))
    code, out, err = run("score", "key", "response", *option)
    assert (code, out) == (2, "")
    assert "[no-parse]" in err
    assert run("score", "key", "response")[0] == 0


@pytest.mark.parametrize("option", [("--match", "min"), ("--mentions", "np")])
@pytest.mark.parametrize("how", [{"parse": "-"}, {"short": 1}])
def test_a_document_without_a_usable_parse_is_reported(
    run: Run, option: tuple[str, str], how: dict[str, object]
) -> None:
    Path("key").write_text(conll(KEY) + conll(KEY, name="e", **how))  # type: ignore[arg-type]
    Path("response").write_text(conll(RESPONSE) + conll(RESPONSE, name="e"))
    code, out, _ = run("score", "key", "response", *option, "--json")
    result = json.loads(out)
    assert code == 0
    assert [(each["code"], each["line"], each["document"]) for each in result["problems"]] == [("no-parse", 7, "e")]
    if option[0] == "--match":  # the cat is the cat of Ada where there is a tree
        assert result["counts"]["mentions"]["recall"] == [3, 4]


def test_the_parse_of_the_key_is_used() -> None:
    Path("key").write_text(conll(KEY))
    Path("response").write_text(conll(RESPONSE, parse="-"))
    assert scoref.score("key", "response", match="min")["mentions"].f1 == 1


def test_a_short_line_costs_no_other_columns() -> None:
    Path("key").write_text(conll(KEY, short=1))
    (document,) = scoref.read("key")
    assert list(document.columns["pos"]) == ["DT", "-", "IN", "NNP"]
    scoref.write([document], "again.conll")
    assert scoref.read("again.conll") == [document]
