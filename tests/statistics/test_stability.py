"""The thinned table against scoring thinned documents; the experiment of Cai & Strube; what is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Document, Error, clusters, score, stability
from scoref.statistics.stability import STEPS, VARIANTS, Stability

Result = tuple[int, str, str]
Run = Callable[..., Result]
Entities = list[list[str]]


def noisy(number: int, seed: int = 0) -> tuple[list[Entities], list[Entities]]:
    """Keys, and responses of a system whose tagger finds all mentions and as many spurious ones (s...)."""
    random = Random(seed)
    keys, responses = [], []
    for _ in range(number):
        key: dict[int, list[str]] = {}
        response: dict[int, list[str]] = {}
        for mention in range(12):
            entity = random.randrange(4)
            key.setdefault(entity, []).append(f"m{mention}")
            other = random.randrange(4) if random.random() < 0.2 else entity
            response.setdefault(other, []).append(f"m{mention}")
            alone = 10 + mention if random.random() < 0.5 else random.randrange(6)
            response.setdefault(alone, []).append(f"s{mention}")
        keys.append(list(key.values()))
        responses.append(list(response.values()))
    return keys, responses


def named(sides: list[Entities]) -> list[Document]:
    return [clusters(each, str(number)) for number, each in enumerate(sides)]


def slow(keys: list[Entities], responses: list[Entities], repetitions: int, seed: int, **choices: Any) -> np.ndarray:
    """Take mentions out of the response and score what is left; which mention of an entity goes makes no difference."""
    kept = 2 if choices.get("singletons") == "drop" else 1
    known = [{mention for entity in key if len(entity) >= kept for mention in entity} for key in keys]
    owners = [
        (document, entity)
        for document, response in enumerate(responses)
        for entity, mentions in enumerate(response)
        if len(mentions) >= kept
        for mention in mentions
        if mention not in known[document]
    ]
    random = np.random.default_rng(seed)
    total = np.zeros((len(STEPS), len(VARIANTS)))
    for _ in range(repetitions):
        order = random.permutation(len(owners)).tolist()
        for number, step in enumerate(STEPS):
            left = [[list(mentions) for mentions in response] for response in responses]
            for place in order[: round(step * len(order))]:
                document, entity = owners[place]
                mentions = left[document][entity]
                mentions.remove(next(mention for mention in mentions if mention not in known[document]))
            thinned = [[mentions for mentions in response if mentions] for response in left]
            result = score(named(keys), named(thinned), metrics=VARIANTS, **choices)
            total[number] += [each.f1 for each in result.scores.values()]
    return total / repetitions


@pytest.mark.parametrize("choices", [{}, {"singletons": "drop"}, {"average": "macro"}, {"twinless": "common"}])
def test_thinning_the_table_is_scoring_thinned_responses(choices: dict[str, str]) -> None:
    keys, responses = noisy(4)
    result = stability(named(keys), named(responses), repetitions=2, seed=3, **choices)
    assert result.f1 == pytest.approx(slow(keys, responses, 2, 3, **choices), abs=1e-12)


def test_it_starts_with_the_score_of_the_response_and_ends_without_spurious_mentions() -> None:
    keys, responses = noisy(4)
    result = stability(named(keys), named(responses), metrics=["all"], repetitions=1)
    start = score(named(keys), named(responses), metrics=["all"]).scores
    clean = [[[m for m in entity if m[0] == "m"] for entity in response] for response in responses]
    end = score(named(keys), named([[entity for entity in each if entity] for each in clean]), metrics=["all"]).scores
    for metric in result.metrics:
        assert result[metric][0] == pytest.approx(start[metric].f1, abs=1e-12)
        assert result[metric][-1] == pytest.approx(end[metric].f1, abs=1e-12)
    assert (result.spurious, result.mentions) == (48, 96)


def gain(result: Stability, metric: str) -> float:
    return result[metric][-1] - result[metric][0]


def test_what_cai_and_strube_found() -> None:
    """Section 3.2: B³-0 is almost constant, B³-all rises less than B³-sys, CEAF reacts most strongly."""
    keys, responses = noisy(40)
    result = stability(named(keys), named(responses))
    assert result["b3-0"] == pytest.approx([result["b3-0"][0]] * 11)
    assert 0 < gain(result, "b3-all") < gain(result, "b3-sys")
    assert gain(result, "ceafm") > 2 * gain(result, "ceafm-sys") > 0
    assert gain(result, "b3") > 2 * gain(result, "b3-sys")
    for metric in ("muc", "b3-sys", "ceafm-sys"):
        assert all(after > before for before, after in zip(result[metric], result[metric][1:], strict=False))


def test_without_spurious_mentions_nothing_moves() -> None:
    keys, _ = noisy(3)
    result = stability(named(keys), named(keys))
    assert result.spurious == 0
    assert result.f1 == pytest.approx(np.ones((11, len(VARIANTS))))


@pytest.mark.parametrize("choices", [{"duplicates": "keep"}, {"scope": "corpus"}])
def test_repeated_mentions_and_entities_across_documents(choices: dict[str, str]) -> None:
    keys = [clusters({"x": ["a", "b"], "y": ["c"]}, str(n)) for n in range(2)]
    responses = [clusters({"x": ["a", "s", "t"], "y": ["a", "b", "c"]}, str(n)) for n in range(2)]
    result = stability(keys, responses, metrics=["b3", "ceafm"], repetitions=1, **choices)
    start = score(keys, responses, metrics=["b3", "ceafm"], **choices)
    assert result.spurious == 4
    assert [result["b3"][0], result["ceafm"][0]] == [start["b3"].f1, start["ceafm"].f1]


def test_the_same_seed_gives_the_same_curves() -> None:
    keys, responses = (named(each) for each in noisy(5))
    one, two, other = (stability(keys, responses, repetitions=2, seed=seed) for seed in (1, 1, 2))
    assert (one.f1 == two.f1).all()
    assert (one.f1 != other.f1).any()
    assert "|split:ignore|" in one.signature
    assert "|trials:2|seed:1|" in one.signature


def test_bad_settings_are_refused() -> None:
    keys, responses = (named(each) for each in noisy(1))
    for keywords, code in (({"repetitions": 0}, "bad-trials"), ({"seed": -1}, "bad-trials"),
                           ({"metrics": ["mor"]}, "unknown-metric")):  # fmt: skip
        with pytest.raises(Error) as error:
            stability(keys, responses, **keywords)
        assert error.value.code == code


# -- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, sides in zip(("key", "response"), noisy(6), strict=True):
        Path(path).mkdir()
        for number, entities in enumerate(sides):
            Path(path, f"{number}.json").write_text(json.dumps(entities))


def test_as_tables(run: Run) -> None:
    code, out, err = run("stability", "key", "response", "--repetitions", "2")
    assert (code, err) == (0, "")
    lines = out.split("\n")
    assert lines[0] == "B³ variants: f1 with spurious mentions taken out"
    assert lines[1].split() == ["out", "muc", "b3", "b3-0", "b3-all", "b3-rn", "b3-sys"]
    assert lines[2].startswith("0 %   ")
    assert lines[12].startswith("100 %")
    assert ["b3-0", "+0.00", "hardly", "moves"] in [line.split() for line in lines]
    assert "72 of 144 response mentions are spurious (50.0 %); means of 2 repetitions" in lines
    assert all(len(line) <= 80 for line in lines if not line.startswith("signature"))
    for output in ("markdown", "latex"):
        assert run("stability", "key", "response", "--output", output, "--repetitions", "1")[0] == 0
    rows = run("stability", "key", "response", "--output", "csv", "--repetitions", "1")[1].split("\n")
    assert rows[0] == "out," + ",".join(VARIANTS)
    assert [row.split(",")[0] for row in rows[1:12]] == [str(step) for step in STEPS]


def test_as_json_and_as_a_picture(run: Run) -> None:
    code, out, _ = run("stability", "key", "response", "--json", "--metrics", "lea,b3-sys", "--seed", "1")
    result = json.loads(out)
    assert code == 0
    assert list(result["f1"]) == ["lea", "b3-sys"]
    assert len(result["f1"]["lea"]) == len(result["removed"]) == 11
    pytest.importorskip("matplotlib")
    assert run("stability", "key", "response", "--plot", "ceaf.svg", "--repetitions", "1")[0] == 0
    first = Path("ceaf.svg").read_bytes()
    assert b"mathregular{CEAFe}_{" in first  # with a subscript
    run("stability", "key", "response", "--plot", "ceaf.svg", "--repetitions", "1")
    assert Path("ceaf.svg").read_bytes() == first
    assert run("stability", "key", "response", "--plot", "all", "--repetitions", "2")[0] == 0
    assert {path.name for path in Path("all").iterdir()} == {"b3.pdf", "ceaf.pdf"}


def test_in_a_notebook() -> None:
    shown = scoref.stability([["a", "b"]], [["a", "b", "<x>"]], repetitions=1)._repr_html_()
    assert shown.count("<table>") == 3


def test_a_frame_has_a_row_for_each_step() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    result = scoref.stability([["a", "b"]], [["a", "b", "x"]], metrics=["b3", "muc"], repetitions=1)
    frame = result.to_frame()
    assert frame.index.tolist() == [*STEPS]
    assert {name: frame[name].tolist() for name in frame} == {"b3": result["b3"], "muc": result["muc"]}


@pytest.mark.parametrize("frequent", [1, 3, 5])
def test_major_entities_are_those_of_the_protocol(frequent):
    """Nothing taken out: what `score` gives with the same choice."""
    key = [list("abcde"), list("fgh"), ["i"]]
    response = [list("abcx"), list("fgde"), ["i", "y"]]
    how = {"metrics": ["entities-macro"], "frequent": frequent}
    assert (
        stability(key, response, repetitions=1, **how)["entities-macro"][0]
        == score(key, response, **how)["entities-macro"].f1
    )
