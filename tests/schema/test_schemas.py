"""Every command that prints JSON has a schema, and what it prints is as the schema says, under all protocols.

The fixture `run` checks what is printed, here and in all other tests.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import schemas
from places import EXAMPLES
from scoref.cli.program import names, parser
from scoref.curation.decisions import read_decisions
from scoref.problems import Error
from scoref.protocol.protocol import PROTOCOLS
from scoref.schemas.known import SCHEMAS, schema

jsonschema = pytest.importorskip("jsonschema", reason="no jsonschema: pip install jsonschema")

Run = Callable[..., tuple[int, str, str]]
CONLL = tuple(str(EXAMPLES / "tales" / f"{name}.conll") for name in ("key", "model", "rules"))
UA = tuple(str(EXAMPLES / f"{name}.conllua") for name in ("key", "response"))
NUGGETS = tuple(str(EXAMPLES / "nuggets" / name) for name in ("key", "response"))
KEY, MODEL, RULES = CONLL
FEW = ("--trials", "50")

CALLS: dict[str, tuple[str, ...]] = {
    "score": (KEY, MODEL, "--ci", "--by", "document", "--with", "match:head", "--metrics", "all", *FEW),
    "score by entity": (KEY, MODEL, "--by", "entity"),
    "score by size": (KEY, MODEL, "--by", "size"),
    "score by kind": (KEY, MODEL, "--by", "mention:form", "--metrics", "all", "--ci", *FEW),
    "errors by slices": (KEY, MODEL, "--slices"),
    "errors of several by slices": (KEY, MODEL, RULES, "--slices"),
    "compare by slices": (KEY, MODEL, RULES, "--slices", "--by", "mention:first", *FEW),
    "score of datasets": (KEY, MODEL, "--average", "datasets"),
    "score of all layers": (*UA, "--layer", "all"),
    "score of event nuggets": (*NUGGETS, "--format", "brat"),
    "compare": (KEY, MODEL, RULES, "--power", "--margin", "1", "--by", "document", "--with", "singletons:drop", *FEW),
    "compare by size": (KEY, MODEL, RULES, "--by", "size", *FEW),
    "compare runs": (KEY, f"A={MODEL},{RULES}", f"B={KEY}", "--by", "document", "--margin", "1", "--power", *FEW),
    "compare across": (KEY, MODEL, RULES, KEY, "--across", "document", "--pairs", "all", *FEW),
    "compare runs across": (KEY, f"A={MODEL},{RULES}", f"B={KEY}", "--across", "text", "--with", "match:head", *FEW),
    "errors": (KEY, MODEL, "--by", "form", "--with", "singletons:drop"),
    "errors of some kind": (KEY, MODEL, "--kind", "missing mention"),
    "errors of two": (KEY, MODEL, RULES),
    "errors of all layers": (*UA, "--layer", "all"),
    "errors of event nuggets": (*NUGGETS, "--format", "brat"),
    "explain": (KEY, MODEL, "--like", "e2e", "--number", "conll=64.21"),
    "explain all layers": UA,
    "agreement": (*CONLL, "--by", "document", *FEW),
    "stability": (KEY, MODEL, "--repetitions", "2"),
    "plan": (KEY, MODEL, "--difference", "2", *FEW),
    "plan of runs": (KEY, f"A={MODEL},{RULES}", *FEW),
    "axioms": ("--metrics", "conll,muc", "--protocol", "conll-2012"),
    "validate": CONLL,
    "validate submissions": (MODEL, RULES, "--key", KEY, "--metrics", "muc"),
    "list": (),
    "list metrics": ("metrics",),
    "list formats": ("formats",),
    "list protocols": ("protocols",),
    "list matchers": ("matchers",),
    "config": (),
    "config of score": ("score",),
    "doctor": (),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_what_commands_print_is_as_their_schemas_say(call: str, run: Run) -> None:
    code, out, err = run(call.split()[0], *CALLS[call], "--json")
    assert code == 0, err
    schemas.check(call.split()[0], out)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_scores_and_saved_evaluations_of_every_protocol(name: str, run: Run, tmp_path: Path) -> None:
    files = NUGGETS if name.startswith(("kbp", "evmeval")) else UA if name.startswith("codi") else CONLL[:2]
    if PROTOCOLS[name].scope == "corpus":  # EDL: mentions have types and ids of a knowledge base
        (tmp_path / "key.edl").write_text("d1\t0\t2\tE1\t1.0\tPER\nd2\t0\t2\tNIL1\t1.0\tPER\n", encoding="utf-8")
        files = (tmp_path / "key.edl",) * 2
    how = ("--format", "brat") if files is NUGGETS else ()
    code, out, err = run("score", *files, *how, "--protocol", name, "--save", tmp_path / "saved.json", "--json")
    assert code == 0, err
    schemas.check("score", out)
    schemas.check("evaluation", (tmp_path / "saved.json").read_text(encoding="utf-8"))
    code, out, err = run("merge", tmp_path / "saved.json", "--json")
    assert code == 0, err
    schemas.check("merge", out)


def test_tables_and_settings_of_projects(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in {"key": ("a,1", "b,1", "c,2"), "response": ("a,1", "b,2", "d,2")}.items():
        Path(f"{name}.csv").write_text("\n".join(["mention,entity", *rows, ""]), encoding="utf-8")
    Path("scoref.toml").write_text('key = "key.csv"\nmetrics = ["muc", "b3"]\nbeta = 2\n', encoding="utf-8")
    for command in ("score", "errors"):
        code, out, err = run(command, "key.csv", "response.csv", "--no-config", "--json")
        assert code == 0, err
        schemas.check(command, out)
    schemas.check("config", run("config", "--json")[1])
    schemas.check("config", run("config", "score", "--json")[1])


def test_problems_are_as_the_schemas_say(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text(Path(MODEL).read_text(encoding="utf-8")[:2500], encoding="utf-8")
    code, out, _ = run("validate", broken, "--json")
    assert code == 1
    schemas.check("validate", out)
    code, out, _ = run("validate", broken, "--key", KEY, "--json")
    assert code == 1
    schemas.check("validate", out)
    code, out, err = run("score", KEY, broken, "--on-problem", "skip", "--json")
    assert code == 0, err
    schemas.check("score", out)
    code, out, err = run("compare", KEY, MODEL, broken, "--on-problem", "skip", "--json", *FEW)
    assert code == 0, err
    schemas.check("compare", out)
    code, out, err = run("compare", KEY, f"A={MODEL},{broken}", f"B={RULES}", "--on-problem", "skip", "--json", *FEW)
    assert code == 0, err
    schemas.check("compare", out)


def test_boards_are_as_their_schema_says(run: Run, tmp_path: Path) -> None:
    subs = tmp_path / "subs"
    subs.mkdir()
    for path in (MODEL, RULES):
        (subs / Path(path).name).write_bytes(Path(path).read_bytes())
    (subs / "cut.conll").write_bytes(Path(MODEL).read_bytes()[:2500])
    asked = ("board", KEY, subs, "-o", tmp_path / "b.html", "--json", tmp_path / "b.json", "--reports", tmp_path / "r")
    assert run(*asked)[0] == 0
    schemas.check("board", (tmp_path / "b.json").read_text(encoding="utf-8"))
    code, out, err = run(*asked[:5], "--since", tmp_path / "b.json", "--output", "json")
    assert code == 0, err
    schemas.check("board", out)


@pytest.mark.parametrize("chat", [(), ("--chat",)])
def test_prompts_are_as_their_schema_says(chat: tuple[str, ...], run: Run) -> None:
    code, out, err = run("prompts", KEY, "--few", EXAMPLES / "key.conll", "--shots", "1", *chat)
    assert code == 0, err
    lines = out.splitlines()
    assert len(lines) == 4
    for line in lines:
        schemas.check("prompt", line)
    assert all(("messages" in json.loads(line)) == bool(chat) for line in lines)


DECIDED = {"document": "d", "mention": "4-6"}


@pytest.mark.parametrize(
    ("rows", "well"),
    [
        ([], True),
        ([{**DECIDED, "keep": True}, {**DECIDED, "mention": "1.1", "with": "4-6"}], True),
        ([{**DECIDED, "keep": True, "with": None}], True),
        ([DECIDED], False),
        ([{"document": "d", "keep": True}], False),
        ([{**DECIDED, "keep": "yes"}], False),
        ([{**DECIDED, "with": 5}], False),
        ({}, False),
    ],
)
def test_decisions_are_read_exactly_if_they_are_as_their_schema_says(rows: object, well: bool, tmp_path: Path) -> None:
    text = json.dumps({"annotators": ["ada", "bob"], "decisions": rows})
    (tmp_path / "d.json").write_text(text, encoding="utf-8")
    assert jsonschema.Draft202012Validator(schema("decisions")).is_valid(json.loads(text)) == well
    with contextlib.nullcontext() if well else pytest.raises(Error, match="bad-decisions"):
        assert len(read_decisions(tmp_path / "d.json")) == len(rows)  # type: ignore[arg-type]


def test_every_command_with_json_has_a_schema_and_is_tried_here() -> None:
    with_json = {name for name in names() if (each := parser(name).option("output")) and "json" in (each.choices or ())}
    assert with_json == SCHEMAS.keys() - {"evaluation", "prompt", "decisions"}
    tried = {call.split()[0] for call in CALLS}
    assert with_json - tried == {"board", "merge", "gap", "winobias"}  # in the tests above, and in those of bias


def objects(shape: Any) -> Iterator[dict[str, Any]]:
    """All shapes of objects in a schema."""
    if isinstance(shape, dict):
        if shape.get("type") == "object":
            yield shape
        for each in shape.values():
            yield from objects(each)
    elif isinstance(shape, list):
        for each in shape:
            yield from objects(each)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_know_all_keys(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert [each for each in objects(schema(name)) if each.get("additionalProperties", True) is True] == []


def test_a_missing_key_and_a_further_one_are_noticed(run: Run) -> None:
    whole = json.loads(run("score", KEY, MODEL, "--json")[1])
    needed = schema("score")["required"]
    changed = [{**whole, "more": 1}, *({key: value for key, value in whole.items() if key != one} for one in needed)]
    changed += [{**whole, "documents": "4"}, {**whole, "scores": {"muc": {"recall": 1}}}]
    validator = jsonschema.Draft202012Validator(schema("score"))
    assert validator.is_valid(whole)
    assert len(changed) > 10
    assert [each for each in changed if validator.is_valid(each)] == []


def test_nan_is_no_json() -> None:
    with pytest.raises(AssertionError, match="NaN is no JSON"):
        schemas.check("score", '{"documents": NaN}')


def test_schemas_are_printed(run: Run) -> None:
    assert json.loads(run("schema", "score")[1]) == schema("score")
    assert all(name in run("schema")[1] for name in SCHEMAS)
    code, out, err = run("schema", "scores")
    assert (code, out) == (2, "")
    assert "did you mean score?" in err
