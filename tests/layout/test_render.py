"""Tables and notes in every format; the expected texts are written by hand."""

from __future__ import annotations

import json
import math
import re

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


HOSTILE = [
    "[all is well](https://evil.example)", "![x](https://evil.example/x.png)", "@ada", "cc @org/team, @ada",
    "a@evil.example", "<img src=x onerror=alert(1)>", "<!-- x", "&lt;b&gt;", "https://evil.example", "HTTP://evil.example",
    "www.evil.example", "see #12", "org/repo#12", "`code`", "**bold** and _thin_", "__init__", "~~gone~~",
    "[x]: https://evil.example", "[x][y]", "a | b",
    "back\\slash", "\\[x](y)", "\\@ada", "<https://evil.example>", "-- | --",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_no_markdown(name: str) -> None:
    """What a renderer makes of names as titles, headings, cells and notes: these names, nothing else."""
    module = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    renderer = module.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    shown = written([Grid(name, ("system", name), [(name, 0.5)])], [f"system {name}", "signature"], "markdown")
    tokens = [each for token in renderer.parse(shown) for each in (token, *(token.children or ()))]
    kinds = [token.type for token in tokens]
    assert not {"link_open", "image", "html_inline", "html_block", "code_inline", "em_open", "s_open"} & {*kinds}
    assert kinds.count("strong_open") == 1  # the title
    assert kinds.count("th_open") + kinds.count("td_open") == 4
    texts = "".join(token.content for token in tokens if token.type in ("text", "text_special"))
    assert texts.replace("\u200b", "") == f"{name}system{name}{name}50.00system {name}signature"
    assert not re.search(r"@\w|#\d|https?://|www\.", texts, re.IGNORECASE)  # GitHub looks for these in what is shown


@pytest.mark.parametrize(
    "name",
    ["bn/cnn_0210", "(tale/tap); part 000", "B³", "CEAFφ₄", "a.conll", "x-1.0+2", "success@1", "ä (3)", "a # b"],
)
def test_plain_names_stay_as_they_are_in_markdown(name: str) -> None:
    assert (
        written([Grid("", ("system",), [(name,)])], [name], "markdown") == f"| system |\n| --- |\n| {name} |\n\n{name}"
    )


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
