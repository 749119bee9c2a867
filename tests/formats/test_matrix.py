"""Every format by what it declares: nothing is missing, what it holds comes back, the rest is said, broken files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import format_matrix
from scoref.formats import FORMATS
from scoref.formats.format import HOLDS

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_missing_for_a_format(name: str):
    assert [*format_matrix.missing(FORMATS[name])] == []


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_holds_comes_back(name: str, tmp_path: Path):
    format_matrix.check_round_trip(FORMATS[name], tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_does_not_hold_is_said(name: str):
    format_matrix.check_losses(FORMATS[name])


@pytest.mark.parametrize("name", FORMATS)
def test_broken_files_are_errors_of_their_file(name: str, tmp_path: Path):
    format_matrix.check_hostile(FORMATS[name], tmp_path)


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if "binary" not in format.traits])
def test_a_byte_order_mark_and_other_line_ends_do_not_matter(name: str, tmp_path: Path, run: Run):
    path = format_matrix.put(FORMATS[name], tmp_path)
    before = run("score", path, path, "--json", "--format", name)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("score", path, path, "--json", "--format", name) == before
    assert before[0] == (2 if "responses" in FORMATS[name].traits else 0)  # a key without words


def test_every_thing_is_held_by_some_format():
    assert {*HOLDS} == frozenset().union(*(format.holds for format in FORMATS.values()))
