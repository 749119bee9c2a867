"""Tables and notes in every format; the expected texts are written by hand."""

from __future__ import annotations

import json
import math

import pytest

from scoref.layout.grid import NOTHING, Cell, Grid, Number, TerminalWidth, text_table
from scoref.layout.render import OUTPUTS, Json, frame, html, rendered, text, written
from scoref.problems import Error

ROWS: list[tuple[Cell, ...]] = [("A & B", 0.5, Number(-0.1, "-10.00", "a")), ("=C", NOTHING, None)]
TABLE = Grid("f1", ("system", "muc", "gain"), ROWS)
LONG = "words " * 20


class Toy:
    """The least that a result has."""

    def grids(self) -> list[Grid]:
        return [TABLE, TABLE._replace(title="")]

    def notes(self) -> list[str]:
        return [LONG, "<b>\x1b", f"signature {LONG.replace(' ', '|')}"]

    def whole_grid(self) -> Grid:
        return TABLE

    def to_dict(self) -> Json:
        return {"é": 0.5}

    __str__ = text
    _repr_html_ = html


def test_text_has_the_tables_and_below_them_the_notes() -> None:
    first, second, notes = str(Toy()).split("\n\n")
    assert first.split("\n") == ["f1", "system    muc     gain", "A & B   50.00  -10.00ᵃ", "=C          –"]
    assert second == first.removeprefix("f1\n")
    *wrapped, escaped, signature = notes.split("\n")
    assert len(wrapped) == 2
    assert all(len(line) <= 80 for line in wrapped)
    assert escaped == "<b>\\x1b"
    assert signature == f"signature {LONG.replace(' ', '|')}"  # in one piece, however long it is


def test_commands_print_the_text_that_python_prints() -> None:
    assert rendered(Toy()) == str(Toy())


def test_html_of_notebooks_is_escaped() -> None:
    shown = Toy()._repr_html_()
    assert shown.count("<table>") == 2
    assert shown.count("<caption>f1</caption>") == 1
    assert "A &amp; B" in shown
    assert "-10.00<sup>a</sup>" in shown
    assert "&lt;b&gt;\\x1b<br>" in shown


def test_csv_is_one_table_with_full_precision_and_without_notes() -> None:
    assert rendered(Toy(), "csv") == "system,muc,gain\nA & B,0.5,-0.1\n'=C,,"


def test_notes_are_comments_of_latex_and_lines_of_markdown() -> None:
    assert rendered(Toy(), "latex").count("\n% ") == 3
    *_, notes = rendered(Toy(), "markdown").split("\n\n")
    assert notes.count("  \n") == 2


def test_json_keeps_letters() -> None:
    assert rendered(Toy(), "json") == '{"é": 0.5}'
    assert json.loads(rendered(Toy(), "json")) == Toy().to_dict()


def test_an_unknown_output_names_those_there_are() -> None:
    with pytest.raises(Error) as error:
        written([TABLE], [], "pdf")
    assert error.value.problem.code == "unknown-output"
    assert all(name in (error.value.problem.expected or "") for name in OUTPUTS)


def test_terminals_with_bold_type_show_headings_bold_and_the_signature_faint() -> None:
    shown = written([TABLE], ["note", "signature"], "text", TerminalWidth(80, bold=True))
    assert "\x1b[1msystem" in shown
    assert shown.endswith("note\n\x1b[2msignature\x1b[0m")
    assert "\x1b" not in written([TABLE], ["note", "signature"], "text", TerminalWidth(80))


def test_nothing_is_cut_without_a_terminal() -> None:
    wide = Grid("", ("name", *map(str, range(40))), [("x" * 200 + name, *[0.5] * 40) for name in "ab"])
    [header, *rows] = text_table(wide).split("\n")
    assert len(rows) == 2
    assert rows[0].startswith("x" * 200 + "a  50.00  ")
    assert len(header.split()) == 41
    assert all(len(line) <= 100 for line in text_table(wide, 100).split("\n"))


def test_frames_have_full_precision() -> None:
    pytest.importorskip("pandas")
    found = frame(TABLE)
    assert found.index.names == ["system"]
    assert found.loc["A & B"].tolist() == [0.5, -0.1]
    assert all(map(math.isnan, found.loc["=C"]))
    assert frame(TABLE._replace(rows=[("a", 1, 0.5)]), 2).index.tolist() == [("a", 1)]
