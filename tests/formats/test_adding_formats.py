"""Adding a format: one module and one entry of `FORMATS`; everything else follows, and what is missing is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import format_matrix
import scoref
import scoref.formats
from scoref.document.document import Document, Mention, position
from scoref.formats import FORMATS, Format
from scoref.formats.fitting import fitted
from scoref.problems import Error

Run = Callable[..., tuple[int, str, str]]
SCRATCH = "scratchpad"

# A line for each word, `word entity entity`, its mentions one word long; a blank line between sentences.
MODULE = '''
"""A toy."""

from pathlib import Path

from ..document.document import Document, Mention, Origin
from ..problems import Reporter
from .source import SKIP


def read(source, problems):
    report = Reporter(problems, source.name, remedy=SKIP)
    words, mentions, starts = [], [], [0]
    for number, line in enumerate(source.data.decode().split("\\n")[1:], 2):
        word, *entities = line.split() or [""]
        if not word:
            starts.append(len(words))
        elif not all(map(str.isalnum, entities)):
            report("bad-line", "an entity that is no name", number, line, "letters and numbers")
        else:
            mentions += [Mention.at(len(words), len(words), entity) for entity in entities]
            words.append(word)
    starts = tuple(sorted({start for start in starts if start < len(words)}))
    yield Document(Path(source.name).stem, words, tuple(mentions), starts, origin=Origin(source.name, 1))
'''
WRITER = """

def write(documents):
    (document,) = documents
    lines = ["%toy"]
    for index, word in enumerate(document.words):
        entities = [str(mention.entity) for mention in document.mentions if mention.span[0] >> 8 == index]
        lines += [""] * (index in document.sentences[1:]) + [" ".join([word, *entities])]
    return "\\n".join(lines) + "\\n"
"""


def is_toy(data: bytes) -> bool:
    return data.startswith(b"%toy")


TOY = Format("toy", "a toy", (".toy",), "conll-2012", is_toy)
HOLDS = frozenset(("words", "sentences", "word places", "entity names"))


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Format]]:
    """Adds a format: its module, and its entry."""
    import sys

    folder = tmp_path / SCRATCH
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(scoref.formats, "__path__", [*scoref.formats.__path__, str(folder)])

    def add_format(holds: frozenset[str] = frozenset(), text: str = MODULE + WRITER, **more: object) -> Format:
        (folder / "toy.py").write_text(text)
        format = TOY._replace(holds=holds, **more)
        monkeypatch.setitem(FORMATS, "toy", format)
        return format

    yield add_format
    sys.modules.pop("scoref.formats.toy", None)
    vars(scoref.formats).pop("toy", None)


def put() -> None:
    Path("key.toy").write_text("%toy\nAda 1\nsaw\nher 1\n\nShe 1\nlaughed\n")
    Path("response.toy").write_text("%toy\nAda 1\nsaw\nher 2\n\nShe 1\nlaughed\n")


@pytest.mark.parametrize("holds", [frozenset(), HOLDS])
def test_a_new_format_goes_from_end_to_end(add: Callable[..., Format], run: Run, holds: frozenset[str]):
    add(holds)
    put()
    (document,) = scoref.read("key.toy")
    assert (list(document.words), document.sentences) == (["Ada", "saw", "her", "She", "laughed"], (0, 3))
    code, out, err = run("score", "key.toy", "response.toy", "--json", "--metrics", "muc")
    assert (code, err) == (0, "")
    assert json.loads(out)["scores"]["muc"]["recall"] == 0.5  # one of two links
    assert run("validate", "key.toy")[0] == 0
    Path("bad.toy").write_text("%toy\nAda 1\nsaw ??\n")
    assert run("validate", "bad.toy")[:2] == (
        1,
        'bad.toy:3: an entity that is no name  [bad-line]  at "saw ??"  expected letters and numbers\n'
        "1 problem in 1 file\n",
    )
    assert "toy" in run("list", "formats")[1]
    assert "toy" in run("convert", "--help")[1]


@pytest.mark.parametrize("other", [name for name, format in FORMATS.items() if format.writes])
def test_a_new_format_is_converted_to_and_from_all_others(add: Callable[..., Format], run: Run, other: str):
    add(HOLDS)
    put()
    to = FORMATS[other]
    code, out, err = run("convert", "key.toy", f"there{to.suffix}")
    assert (code, out, err) == (0, "", "")
    code, out, err = run("convert", f"there{to.suffix}", "back.toy")
    if "mention names" in to.holds:  # names are no places
        assert code == 2
        assert "a mention without a place cannot be written as toy  [unwritable-mention]" in err
        return
    assert (code, out) == (0, "")
    assert ("positions were characters" in err) == ("word places" not in to.holds and "words" in to.holds)
    if "words" in to.holds:
        assert scoref.score("key.toy", "back.toy")["conll"].f1 == 1
    else:
        assert "the words are not known" in err


@pytest.mark.parametrize("other", [name for name, format in FORMATS.items() if format.writes])
def test_what_a_format_that_declares_nothing_loses_is_said(add: Callable[..., Format], run: Run, other: str):
    add()
    document = replace(format_matrix.example(FORMATS["conll"]), columns={})
    single = tuple(mention for mention in document.mentions if len(mention.span) == 1)
    path = format_matrix.put(FORMATS[other], Path(), replace(document, mentions=single))
    code, _, err = run("convert", path, "out.toy", "--format", other)
    if "mention names" in FORMATS[other].holds:
        assert (code, "[unwritable-mention]" in err) == (2, True)
        return
    assert code == 0
    for thing in ("words: 9", "sentences: 2") if "words" in FORMATS[other].holds else ():
        assert f"note: {thing} left out, as toy has no place for them\n" in err or other == "text"


def test_a_new_format_joins_the_matrix(add: Callable[..., Format], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    format = add(HOLDS)
    one_word = tuple(mention for mention in format_matrix.example(format).mentions if len(mention.span) == 1)
    monkeypatch.setattr(format_matrix, "example", lambda _: Document("", format_matrix.WORDS, one_word, (0, 5)))
    format_matrix.check_round_trip(format, tmp_path)
    format_matrix.check_hostile(format, tmp_path)


@pytest.mark.parametrize("holds", [frozenset(), HOLDS])
def test_a_new_format_loses_nothing_silently(add: Callable[..., Format], holds: frozenset[str]):
    format_matrix.check_losses(add(holds))


def test_a_format_that_declares_more_than_it_does_is_found_out(add: Callable[..., Format], tmp_path: Path):
    with pytest.raises(AssertionError, match="toy declares to hold"):
        format_matrix.check_round_trip(add(HOLDS | {"types"}), tmp_path)


def test_what_is_missing_for_a_new_format_is_said(add: Callable[..., Format]):
    page = "a page docs/format-toy.md that says what its files look like"
    assert [*format_matrix.missing(add(HOLDS))] == [page]
    assert [*format_matrix.missing(add(HOLDS | {"wisdom"}, protocol="none", traits=("odd", "size:1")))] == [
        page,
        "a meaning of 'wisdom', which is not in HOLDS",
        "a meaning of 'odd', which is not in TRAITS",
        "a meaning of 'size:', which is not in TRAITS",
        "a protocol that there is, instead of none",
    ]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ('"""A toy."""\n', ["read(source, problems)", "write(documents)", "what it holds", "an example"]),
        (MODULE, ["write(documents)", "what it holds", "an example"]),
    ],
)
def test_what_a_module_lacks_is_said(add: Callable[..., Format], text: str, lacks: list[str]):
    _, *said = format_matrix.missing(add(text=text))
    assert [lack in sentence for lack, sentence in zip(lacks, said, strict=True)] == [True] * len(lacks)


def test_a_format_without_a_module_is_said(add: Callable[..., Format]):
    said = [*format_matrix.missing(add(traits=("room:nowhere",)))]
    assert "a reader: the module scoref.formats.nowhere, or scoref.formats.nowhere.read" in said


def test_a_format_without_a_writer_is_not_written(add: Callable[..., Format], run: Run):
    add(HOLDS, text=MODULE)
    put()
    code, out, err = run("convert", "key.toy", "out.toy")
    assert (code, out) == (2, "")
    assert "toy files can be read, but not written  [no-writer]" in err


def test_a_format_of_one_document_is_written_to_a_folder(add: Callable[..., Format], run: Run):
    add(HOLDS)
    one, two = (Document(name, ("Ada",), (Mention.at(0, 0, "1"),), (0,)) for name in "ab")
    with pytest.raises(Error, match="a toy file holds one document, not 2"):
        scoref.write([one, two], "both.toy")
    scoref.write([one, two], "both.jsonl")
    assert run("convert", "both.jsonl", "folder", "--to", "toy")[0] == 0
    assert len([*Path("folder").iterdir()]) == 2


def test_mentions_of_a_kind_that_a_format_does_not_hold_are_refused(add: Callable[..., Format]):
    add(HOLDS)
    for span, words in (((256, 768), "not one stretch"), ((position(0, 1),), "an empty node")):
        document = Document("d", ("a", "b", "c", "d"), (Mention(span, "1"),), (0,))
        with pytest.raises(Error, match=words):
            scoref.write([document], "out.toy")
    assert fitted([Document("d", ("a",), (Mention.at(0, 0, "1"),), (0,))], "toy")[1] == []
