"""Scoring in parts: whatever the number of processes, the same scores, problems, messages and breakdowns."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import Error, processes
from scoref.formats import FORMATS
from scoref.processes import process_count
from scoref.results.evaluation import Evaluation
from scoref.run import parts

Lines = list[tuple[str, list[str]]]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def any_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(processes, "LEAST", 0)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether parts were added up, for each evaluation that several processes were asked for."""
    found: list[bool] = []
    in_parts = parts.scored_in_parts

    def watched(*arguments: Any) -> Evaluation | None:
        made = in_parts(*arguments)
        found.append(made is not None)
        return made

    monkeypatch.setattr(parts, "scored_in_parts", watched)
    return found


def texts(number: int, seed: int) -> Lines:
    """Documents as lines of cells; some mentions stand in two entities."""
    rng = random.Random(seed)
    cells = ["-", "(1)", "(2)", "(3)", "(1)|(2)", "(2)|(2)"]
    return [(f"(d{name}); part 000", rng.choices(cells, [8, 4, 4, 2, seed, seed], k=30)) for name in range(number)]


def conll(documents: Lines, path: str) -> str:
    lines = []
    for name, cells in documents:
        lines += [
            f"#begin document {name}",
            *(f"d 0 {n} word{n} {cell}" for n, cell in enumerate(cells)),
            "",
            "#end document",
        ]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n")
    return path


def everything(key: str, response: str, jobs: int | None, **keywords: Any) -> Any:
    try:
        found = scoref.score(key, response, metrics=["all"], jobs=jobs, **keywords)
    except Error as error:
        return str(error)
    return found.to_dict(), str(found), str(found.by("document")), str(found.by("size")), found.by_entity()[:5]


def same(key: str, response: str, **keywords: Any) -> None:
    first = everything(key, response, 1, **keywords)
    for jobs in (2, 3, 50):
        assert everything(key, response, jobs, **keywords) == first


@pytest.mark.parametrize("repeated", [0, 2])
def test_documents_of_two_files(used: list[bool], repeated: int) -> None:
    key, response = conll(texts(9, repeated), "key.conll"), conll(texts(9, repeated)[:], "response.conll")
    same(key, response)
    assert all(used)
    assert used
    response = conll([(name, cells[::-1]) for name, cells in texts(9, repeated)], "response.conll")
    same(key, response, settings=["duplicates:first", "singletons:drop"])
    same(key, key)
    same(key, response, protocol="conll-2012", duplicates="first", average="macro")
    assert all(used)


def test_json_lines(used: list[bool]) -> None:
    for seed, name in ((0, "key"), (1, "response")):
        conll(texts(9, seed), f"{name}.conll")
        scoref.write(scoref.read(f"{name}.conll", on_problem="skip"), f"{name}.jsonl")
    same("key.jsonl", "response.jsonl")
    assert all(used)
    assert used


@pytest.mark.parametrize("ending", ["conll", "conllu", "ann"])
def test_folders(used: list[bool], ending: str) -> None:
    for seed, side in ((0, "key"), (1, "response")):
        for number, document in enumerate(texts(6, seed)):
            plain = conll([(f"d{number}", document[1])], f"{side}.plain")
            Path(side).mkdir(exist_ok=True)
            scoref.write(scoref.read(plain), f"{side}/{number}.{ending}")
    same("key", "response")
    same("key", "response", average="datasets")
    assert used
    assert all(used) or ending != "conll"  # where something is missing, that is said of the whole


def changed(how: Callable[[Lines], Lines]) -> tuple[str, str]:
    return conll(texts(9, 1), "key.conll"), conll(how(texts(9, 1)), "response.conll")


@pytest.mark.parametrize(
    "how",
    [
        lambda documents: documents[::-1],
        lambda documents: documents[:-1],
        lambda documents: documents[1:],
        lambda documents: [*documents[:-1], ("(d0); part 000", documents[-1][1])],
        lambda documents: [*documents[:-1], ("(other); part 000", documents[-1][1])],
        lambda documents: [*documents[:-1], (documents[-1][0], ["(1", *documents[-1][1][1:]])],
        lambda documents: [*documents[:-1], (documents[-1][0], documents[-1][1][1:])],
    ],
    ids=["order", "missing", "first missing", "repeated", "extra", "unclosed", "shorter"],
)
@pytest.mark.parametrize("policy", ["raise", "skip"])
def test_what_is_to_be_said_is_said_of_the_whole(how: Callable[[Lines], Lines], policy: str) -> None:
    same(*changed(how), on_problem=policy)


@pytest.mark.parametrize(
    "change",
    [
        (b"\n", b"\r\n"),
        (b"\n", b"\r"),
        (b"\nd 0 5", b"\rd 0 5"),
        (b"word3", b"w\xff"),
        (b"#begin", b"# begin"),
        (b"d 0 0", b"\xef\xbb\xbfd 0 0"),
    ],
)
def test_bytes_that_are_unusual(change: tuple[bytes, bytes]) -> None:
    key, response = changed(lambda documents: documents)
    for path in (key, response):
        Path(path).write_bytes(Path(path).read_bytes().replace(*change))
    same(key, response)
    same(key, response, on_problem="skip")


def test_a_part_of_an_evaluation_is_found_again_and_can_be_pickled(used: list[bool]) -> None:
    key, response = conll(texts(9, 1), "key.conll"), conll(texts(9, 2), "response.conll")
    found = scoref.score(key, response, jobs=2)
    assert used == [True]
    again = pickle.loads(pickle.dumps(found))
    one = scoref.score(key, response)
    assert again.by_entity() == found.by_entity() == one.by_entity()
    scoref.save(found, "parts.sums")
    scoref.save(one, "one.sums")
    assert Path("parts.sums").read_text() == Path("one.sums").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes do not begin as copies of this one")
def test_if_nobody_says_how_many_processes_large_files_have_several(
    used: list[bool], monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    monkeypatch.setattr(processes, "start_method", lambda: "fork")
    monkeypatch.setattr(parts, "ordered_map", lambda function, items, _: map(function, items))  # there may be threads
    key, response = conll(texts(9, 0), "key.conll"), conll(texts(9, 1), "response.conll")
    argv = ("score", key, response, "--json")
    alone = run(*argv, "--jobs", "1")
    assert run(*argv) == alone
    assert not used  # they are small
    monkeypatch.setattr(processes, "_USUAL", 3000)
    assert run(*argv) == alone
    assert everything(key, response, None) == everything(key, response, 1)
    assert used == [True, True]
    assert run(*argv, "--by", "size")[0] == run("compare", key, key, response, "--names", "a,b", "--by", "size")[0] == 0
    assert run("errors", key, response)[0] == run("explain", key, response)[0] == 0
    assert run("report", key, key, response, "--names", "a,b", "-o", "page.html")[0] == 0
    assert used == [True, True]  # these need the documents


@pytest.mark.parametrize(("size", "number"), [(99_999_999, 1), (100_000_000, 2), (10**12, 3)])
def test_so_many_processes_as_pay(size: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    monkeypatch.setattr(processes, "start_method", lambda: "fork")
    assert process_count(size, None) == number


def test_a_process_with_threads_has_no_copies_unasked() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert process_count(10**12, None) == 1
    finally:
        done.set()
        thread.join()


def test_a_worker_of_somebody_else_has_no_workers() -> None:
    key, response = conll(texts(9, 0), "key.conll"), conll(texts(9, 1), "response.conll")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(process_count, (10**12, 2)) == pool.apply(process_count, (10**12, None)) == 1
    with multiprocessing.Pool(1) as pool:
        assert pool.apply(everything, (key, response, 2)) == everything(key, response, 1)


def test_how_far_parts_are_is_told() -> None:
    key, response = conll(texts(9, 0), "key.conll"), conll(texts(9, 1), "response.conll")
    told: list[tuple[str, int, int]] = []
    scoref.score(key, response, jobs=3, progress=lambda *said: told.append(said))
    assert told == [("parts scored", number, 3) for number in range(4)]


def test_what_needs_all_documents_is_not_divided(used: list[bool]) -> None:
    key, response = conll(texts(9, 0), "key.conll"), conll(texts(9, 1), "response.conll")
    same(key, response, scope="corpus")
    assert not any(used)


@pytest.mark.parametrize("name", ["conll", "jsonl"])
@pytest.mark.parametrize("number", [2, 3, 7, 50])
def test_borders_are_between_documents(name: str, number: int) -> None:
    sides = []
    for seed in (0, 3):
        conll(texts(7, seed), "side.conll")
        scoref.write(scoref.read("side.conll", on_problem="skip"), "side", name)
        sides.append((Path("side").read_bytes(), scoref.read("side", name)))
    (key, ours), (response, theirs) = sides
    borders = [(0, 0), *FORMATS[name].borders(key, response, number), (len(key), len(response))]
    assert len(borders) > min(number, 7) // 2 + 1
    names = []
    for side, data, documents in ((0, key, ours), (1, response, theirs)):
        found = []
        for first, end in pairwise(each[side] for each in borders):
            Path("one").write_bytes(data[first:end])
            found.append(scoref.read("one", name))
        assert [document for part in found for document in part] == documents
        names.append([[document.id for document in part] for part in found])
    assert names[0] == names[1]
    assert all(names[0])


@pytest.mark.parametrize("number", [1, 2])
def test_names_that_no_file_can_have_are_refused_by_any_number_of_processes(number: int) -> None:
    with pytest.raises(Error) as error:
        scoref.score("a\0b", "c", jobs=number)
    assert error.value.code == "unreadable-file"
