"""Files, folders and what is in them: which are read, how they are called, and what is said of those that are not."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import formats
from scoref.document.document import Document, Mention, Origin, position, stretch
from scoref.formats import How, Hows, Source, checked, files, load, load_text
from scoref.formats import source as module
from scoref.formats.source import (
    first_crossing,
    ids_of,
    joined_words,
    numbered_pieces,
    only,
    refusal_at,
    size_of,
    with_words,
)
from scoref.problems import Error, Problem, Problems

CONLL = "#begin document {}\nw\t(1)\n#end document\n"


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


def problem(call: Any, *arguments: Any, **named: Any) -> Problem:
    with pytest.raises(Error) as error:
        call(*arguments, **named)
    return error.value.problem


def facts(found: Problem) -> tuple[object, ...]:
    return found.code, found.path, found.line, found.document, found.text, found.expected, found.remedy


# -- bytes ------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10)
    (tmp_path / "b").write_bytes(gzip.compress(b"x" * 10))
    assert load(tmp_path / "a") == load(tmp_path / "b", 10) == b"x" * 10
    path = str(tmp_path / "b")
    found = problem(load, path, 9)
    assert facts(found) == ("too-large", path, None, None, None, None, "check the file, or allow more with --max-size")
    assert found.message == f"a file of {os.path.getsize(path)} bytes that is more than 9 unpacked"


def test_a_packed_file_is_read_in_parts(tmp_path: Path) -> None:
    part, path = 1 << 20, tmp_path / "a"
    for size in (part, 2 * part, 2 * part + 1):
        path.write_bytes(gzip.compress(bytes(size), 1))
        assert load(path, size) == bytes(size)
        assert problem(load, path, size - 1).code == "too-large"
        if size > part:
            assert problem(load, path, part).code == "too-large"


def test_what_cannot_be_unpacked_or_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(b"x" * 99)[:-9])
    found = problem(load, path)
    assert facts(found) == ("broken-gzip", str(path), None, None, None, None, "copy or download the file again")
    remedy = "check the name; a relative name is looked up from the current folder"
    for name in (str(tmp_path / "nothing"), "a\0b", str(tmp_path)):
        found = problem(load, name)
        assert facts(found) == ("unreadable-file", name, None, None, None, None, remedy)
        assert found.message.startswith("cannot read the file: ")
    assert problem(load, str(tmp_path / "nothing")).message == "cannot read the file: No such file or directory"


def test_standard_input_is_a_file_called_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"abc")))
    assert load("-") == b"abc"
    monkeypatch.setattr(sys, "stdin", None)
    assert problem(load, "-").message == "cannot read the file: standard input is closed"


def test_a_byte_order_mark_of_a_text_is_a_character(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfAda\r\nran")
    (tmp_path / "b").write_bytes(b"Ada")
    assert (load_text(tmp_path / "a"), load_text(tmp_path / "b")) == (" Ada\r\nran", "Ada")
    (tmp_path / "c").write_bytes(b"Ad\xe9")
    assert problem(load_text, tmp_path / "c").code == "wrong-encoding"


def taken(data: bytes) -> tuple[bytes, list[tuple[object, ...]]]:
    problems = Problems("skip")
    found = checked(Source(data, "f"), problems).data
    return found, [facts(each) for each in problems.found]


LATIN = "convert it (iconv -f LATIN1 -t UTF-8), or put � for what is not UTF-8 with --on-problem skip"


def test_text_is_utf_8_in_lines() -> None:
    source = Source(b"a\nb", "f")
    assert checked(source, Problems()) is source
    assert taken(b"\xef\xbb\xbfa\r\nb\rc\n") == (b"a\nb\nc\n", [])
    assert taken(zlib.compress(b"x")) == (zlib.compress(b"x"), [])
    said = [
        ("wrong-encoding", "f", line, None, text, "UTF-8", LATIN) for line, text in ((2, "b'\\xe9'"), (4, "b'\\xff'"))
    ]
    assert taken(b"a\nb\xe9\nc\n\xff") == ("a\nb\ufffd\nc\n\ufffd".encode(), said)
    assert taken("é".encode() * 99999) == ("é".encode() * 99999, [])
    long = ("é" * 70000 + "\n").encode()
    assert taken(long * 2 + b"\xe9")[1][0][2] == 3


def test_what_is_no_text_is_refused() -> None:
    remedy = "convert the file to UTF-8 (iconv -f UTF-16 -t UTF-8)"
    for mark in (b"\xff\xfe", b"\xfe\xff"):
        found = problem(checked, Source(mark + b"a", "f"), Problems("skip"))
        assert facts(found) == ("wrong-encoding", "f", 1, None, None, "UTF-8", remedy)
    found = problem(checked, Source(b"a\nb\0c\n\0", "f"), Problems("skip"))
    remedy = "name a text file; unpack archives and documents of word processors first"
    assert facts(found) == ("binary-file", "f", 2, None, None, "a text file in UTF-8", remedy)
    for data in (b"", b" \n\t", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"):
        found = problem(checked, Source(data, "f"), Problems("skip"))
        assert facts(found) == ("empty-file", "f", None, None, None, None, "check how the file was written")


def test_the_memory_is_that_of_the_machine_or_the_least_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module._memory()
    names = [tmp_path / name for name in ("a", "b", "c", "d", "e")]
    for path, text in zip(names, ("max", "0", "4096\n", "8192", "-1"), strict=True):
        path.write_text(text)
    monkeypatch.setattr(module, "_GROUPS", tuple(map(str, names[:2])))
    assert module._memory() == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= whole
    monkeypatch.setattr(module, "_GROUPS", tuple(map(str, (*names, tmp_path / "nothing"))))
    assert module._memory() == 4096
    monkeypatch.setattr(module, "_GROUPS", ())
    monkeypatch.delattr(os, "sysconf")
    assert module._memory() == 1 << 60


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("side", "key or response or predictions"), ("ends", "inclusive or exclusive"),
        ("files", "strict or evmeval-1.8"),
    ],
)  # fmt: skip
def test_options_of_a_source_are_known_words(option: str, expected: str) -> None:
    how, side = (How(), "x") if option == "side" else (How(**{option: "x"}), "key")  # type: ignore[arg-type]
    found = problem(how.source, "f", side, b"")
    assert (found.code, found.message, found.expected) == (f"unknown-{option}", f"no {option} 'x'", expected)


# -- what writers share -----------------------------------------------------------------------------------------------


def test_documents_without_words_have_as_many_as_their_mentions_need() -> None:
    mentions = (Mention(stretch(2, 4), "1"), Mention((position(3, 2),), "1"), Mention((), "1", "m"))
    document = Document("d", (), mentions)
    assert size_of(document) == 5
    assert size_of(Document("d", deixis=document)) == 5
    assert size_of(Document("d", ("a",), mentions)) == 1
    assert size_of(Document("d")) == size_of(Document("d", (), mentions[2:])) == 0
    assert [*with_words(document).words] == ["_"] * 5
    worded = Document("d", ("a",))
    assert with_words(worded) is worded


def test_what_is_too_far_away_is_refused() -> None:
    far = Mention(stretch(9_999_999, 10_000_000), "1", "E1")
    document = Document("d", (), (far,), origin=Origin("f", 3, (), {"E1": 7}))
    remedy = "check the number, or choose a format that has no words: jsonl, tbf, brat"
    found = facts(problem(size_of, document))
    assert found == ("too-far", "f", 7, "d", "E1 9999999,10000001", "places below 10000000", remedy)
    assert size_of(Document("d", (), (Mention(stretch(0, 9_999_999), "1"),))) == 10_000_000
    found = facts(
        refusal_at(Document("", ("a",), origin=Origin("f", 3)), "x", "y", Mention(stretch(0, 0), "1"), "z", "r").problem
    )
    assert found == ("x", "f", 3, None, "a", "z", "r")


def test_one_document_a_file() -> None:
    one = Document("d")
    assert only([one], "a file", "r") is one
    for documents in ([], [one, one]):
        found = problem(only, documents, "a file", "r")
        assert (found.code, found.message, found.remedy) == (
            "too-many-documents", f"a file holds one document, not {len(documents)}", "r",
        )  # fmt: skip


def test_words_are_joined_to_lines() -> None:
    text, places = joined_words(Document("d", ("Ada", "ran", "I", "é"), (), (0, 2)))
    assert text == "Ada ran\nI é"
    assert [text[first:end] for first, end in places] == ["Ada", "ran", "I", "é"]
    assert joined_words(Document("d")) == ("", [])


def test_ids_that_mentions_have_or_numbers() -> None:
    def ids(*given: object) -> list[str]:
        return ids_of(Document("d", ("a",), [Mention(stretch(0, 0), "1", id) for id in given]))  # type: ignore[arg-type]

    assert ids("x", 3) == ["x", "3"]
    assert ids("x", None) == ids("x", "x") == ids(1, "1") == ["1", "2"]


def test_pieces_of_a_span_by_numbers() -> None:
    order = {position(word): number for number, word in enumerate((0, 1, 2, 5, 6))}
    order[position(6, 1)] = 5
    assert numbered_pieces(stretch(0, 2), order) == [(0, 2)]
    assert numbered_pieces((position(2), position(5)), order) == [(2, 3)]
    assert numbered_pieces((position(0), position(2), position(5), position(6, 1)), order) == [(0, 0), (2, 3), (5, 5)]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], None), ([(0, 4), (1, 2), (2, 4)], None), ([(0, 2), (2, 4)], None), ([(0, 2), (1, 3)], (1, 3)),
        ([(0, 3), (0, 2)], None), ([(0, 2), (0, 2)], None), ([(1, 3), (0, 2)], (1, 3)),
        ([(0, 9), (1, 3), (3, 5), (4, 6)], (4, 6)), ([(0, 4), (1, 2), (3, 5)], (3, 5)),
    ],
)  # fmt: skip
def test_the_first_span_that_crosses(spans: list[tuple[int, int]], expected: tuple[int, int] | None) -> None:
    assert first_crossing(spans) == expected


# -- folders ----------------------------------------------------------------------------------------------------------


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(CONLL.format(name))
    return folder


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "b.conll", "a/x.conll", "a/.hidden", ".git/y", "c.conll.gz")
    os.symlink(tmp_path / "a", tmp_path / "link")
    path = str(tmp_path)
    assert files(path) == {
        "a/x.conll": f"{path}/a/x.conll", "b.conll": f"{path}/b.conll", "c.conll": f"{path}/c.conll.gz",
        "link/x.conll": f"{path}/link/x.conll",
    }  # fmt: skip
    assert [*files(tmp_path, "x.*")] == ["a/x.conll", "link/x.conll"]
    assert [*files(tmp_path, "a/*")] == ["a/x.conll"]
    assert [*files(tmp_path, "*.conll")] == ["a/x.conll", "b.conll", "c.conll", "link/x.conll"]
    assert files(f"{path}/b.conll", "x") == {"": f"{path}/b.conll"}
    assert files(f"{path}/nothing") == {"": f"{path}/nothing"}


def test_files_aside_are_left_out_where_the_format_is_there(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "annotation.conf")
    assert [*files(tmp_path)] == ["a.txt", "annotation.conf"]
    put(tmp_path, "a.ann")
    assert [*files(tmp_path)] == ["a.ann"]


def test_folders_without_files_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path)
    empty = facts(problem(files, path))
    assert empty == ("empty-folder", path, None, None, None, None, "check the name of the folder")
    put(tmp_path, "a")
    found = problem(files, path, "x*", "--key-glob")
    assert facts(found) == (
        "empty-folder",
        path,
        None,
        None,
        None,
        None,
        "check the name of the folder, and --key-glob",
    )
    assert found.message == "the folder has no files like x*"
    assert problem(files, path, "x*").remedy == "check the name of the folder, and --glob"


def test_what_in_folders_cannot_be_read_is_said(tmp_path: Path) -> None:
    put(tmp_path, "a", "a.gz", "b/c")
    found = facts(problem(files, tmp_path))
    assert found == ("repeated-file", f"{tmp_path}/a.gz", None, None, None, None, "remove one of them")
    os.remove(tmp_path / "a.gz")
    os.symlink(tmp_path / "nothing", tmp_path / "b" / "link")
    found = problem(files, tmp_path)
    assert facts(found) == ("unreadable-file", f"{tmp_path}/b/link", None, None, None, None, "remove or repair it")
    assert found.message == "a link that leads nowhere: No such file or directory"
    os.remove(tmp_path / "b" / "link")
    os.symlink(tmp_path, tmp_path / "b" / "link")
    found = facts(problem(files, tmp_path))
    assert found == ("circular-folder", f"{tmp_path}/b/link", None, None, None, None, "remove the link")
    os.remove(tmp_path / "b" / "link")
    os.mknod(tmp_path / "pipe", stat.S_IFIFO | 0o600)
    assert "pipe" in files(tmp_path)


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    found = problem(files, tmp_path)
    remedy = "make it readable, or move it away"
    assert facts(found) == ("unreadable-folder", str(tmp_path), None, None, None, None, remedy)
    assert found.message == "cannot read the folder: Permission denied"


def test_documents_are_named_by_files_in_formats_that_do_so(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a/x.ann", "y.ann"):
        (tmp_path / name).write_text("T1\tX 0 3\tAda\n")
    assert [each.id for each in scoref.read(tmp_path)] == ["a/x", "y"]
    assert [each.id for each in scoref.read(tmp_path / "a" / "x.ann")] == ["x"]
    named = formats.named("answer")
    assert named.named(Document("own"), "a/x.txt") == "own"
    assert named.named(Document("1", origin=Origin(numbered=True)), "a/x.txt") == "a/x"
    assert named.named(Document(""), "a/x.txt") == "a/x"
    assert formats.named("brat").named(Document("own"), "a/x.ann") == "a/x"


def test_folders_are_topics_in_formats_that_have_topics() -> None:
    ecb, conll = formats.named("ecb"), formats.named("conll")
    topic = Document("d", comments=((0, "# x"),))
    (found,) = formats.of_folder([topic], ecb, "7/8/a.xml")
    assert found.comments == ((0, "# topic = 7/8"), (0, "# x"))
    own = Document("d", comments=((0, "# topic = 1"),))
    assert formats.of_folder([own], ecb, "7/a.xml") == [own]
    assert formats.of_folder([topic], ecb, "a.xml") == [topic]
    assert formats.of_folder([topic], conll, "7/a.conll") == [topic]
    assert [each.comments for each in formats.named_by_file([topic], ecb, "7/a.xml")] == [
        ((0, "# topic = 7"), (0, "# x"))
    ]


# -- reading and writing ----------------------------------------------------------------------------------------------


def test_what_is_read_is_a_path() -> None:
    found = problem(scoref.read, 3)
    assert (found.code, found.message, found.expected) == ("bad-path", "3 is no path", "the path of a file or a folder")


def read(text: str, format: str | None = None, **how: Any) -> Any:
    return formats.read_source(Source(text.encode(), "f", **how), format, Problems("skip"))


def test_files_without_documents_are_refused() -> None:
    found = problem(read, "x\t-\n", "conll")
    assert facts(found) == (
        "no-document",
        "f",
        None,
        None,
        None,
        None,
        "check the file, or name another format with --format",
    )
    assert found.message == "no document in this conll file"


def test_only_some_formats_hold_both_sides() -> None:
    found = problem(read, CONLL.format("a"), side="predictions")
    expected = "KEY and RESPONSE, or JSON lines with clusters and predicted_clusters"
    assert facts(found) == ("no-response", "f", None, None, None, expected, "name the response as well")
    assert found.message == "no response, and a conll file holds the key alone"
    line = '{"id": "a", "tokens": ["x"], "clusters": [], "predicted_clusters": [[[0, 0]]]}'
    assert len(read(line, side="predictions")[1][0].mentions) == 1


def test_documents_without_words_are_said_where_words_are_all() -> None:
    problems = Problems("skip")
    empty = "#begin document a\n#end document\n"
    formats.read_source(Source((CONLL.format("b") + empty).encode(), "f"), None, problems)
    assert [(*facts(each), each.fatal) for each in problems.found] == [
        ("empty-document", "f", 4, "a", None, "the words of its text", None, False)
    ]
    problems = Problems("skip")
    formats.read_source(Source(b"#BeginOfDocument a\n#EndOfDocument\n", "f"), None, problems)
    assert not problems.found


@pytest.mark.parametrize(
    ("error", "code", "remedy"),
    [
        (MemoryError, "out-of-memory", "read fewer or smaller files at a time"),
        (RecursionError, "too-deep", "check how the file was written"),
    ],
)
def test_files_that_need_too_much(
    error: type[Exception], code: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(formats.Format, "read", fail)
    assert facts(problem(read, CONLL.format("a"))) == (code, "f", None, None, None, None, remedy)


def raised(text: str) -> str | None:
    with pytest.raises(Error) as error:
        formats.read_source(Source(text.encode(), "f"), "conll", Problems())
    return error.value.problem.remedy


def test_skipping_is_offered_where_a_mention_would_be_left() -> None:
    text = "#begin document a\nw\t(1)\nw\tx\n#end document\n"
    assert raised(text) == "fix the file, or count and skip such places with --on-problem skip"
    assert raised(text.replace("(1)", "-")) == "fix the file"


def test_what_is_written_is_documents(tmp_path: Path) -> None:
    found = problem(scoref.write, [3], tmp_path / "a.conll")
    assert (found.code, found.message) == ("bad-documents", "3 is no document")
    assert found.expected == "documents: scoref.clusters makes them"
    assert found.remedy == "read them: scoref.write(scoref.read(path), other)"
    found = problem(scoref.write, 3, tmp_path / "a.conll")
    assert (found.code, found.message) == ("bad-documents", "3 is no document")


def test_documents_of_one_name_are_not_written_to_one_file(tmp_path: Path) -> None:
    one, two = (Document("d", ("a",), origin=Origin("f", line)) for line in (3, 7))
    found = facts(problem(scoref.write, [one, two], tmp_path / "a.conll"))
    assert found == ("repeated-document", "f", 7, None, None, "another name than in f:3", "rename one of them")
    other = Document("d", ("a",), origin=Origin("g"))
    found = facts(problem(scoref.write, [other, two], tmp_path / "x", "conll"))
    remedy = "name a folder to write to, without an ending, and --to conll"
    assert found == ("repeated-document", "f", 7, None, None, "another name than in g", remedy)
    scoref.write([Document("", ("a",)), Document("", ("b",))], tmp_path / "a.jsonl")
    assert not (tmp_path / "x").exists()


def test_all_files_are_written_or_none(tmp_path: Path) -> None:
    document = Document("d", ("Ada",), (Mention(stretch(0, 0), "1"),))
    scoref.write(document, tmp_path / "a" / "d.ann")
    assert (tmp_path / "a" / "d.txt").read_text() == "Ada\n"
    scoref.write(document, tmp_path / "d.conll.gz")
    data = (tmp_path / "d.conll.gz").read_bytes()
    assert gzip.decompress(data).decode().startswith("#begin document d\n")
    assert data[4:8] == bytes(4)  # no time: the same documents are the same bytes
    scoref.write(document, tmp_path / "d.tsv", "table")
    assert (tmp_path / "d.tsv").read_text() == "document\tmention\tentity\nd\t0-0\t1\n"
    assert sorted(formats.rendered([document], "x/d.ann.gz", "brat")) == ["x/d.ann.gz", "x/d.txt"]


def test_formats_that_cannot_be_written_and_styles_that_there_are_not() -> None:
    found = problem(formats.dumps, [Document("d")], "maven")
    assert (found.code, found.message) == ("no-writer", "maven files can be read, but not written")
    assert found.expected is not None
    assert found.expected.startswith("one of brat, clusters, conll, ")
    assert "maven" not in found.expected
    remedy = "leave the style out, or write the format text"
    found = problem(formats.dumps, [Document("d")], "text", "x")
    assert (found.code, found.expected, found.remedy) == ("unknown-style", "one of markdown, crac", remedy)
    found = problem(formats.dumps, [Document("d")], "conll", "x")
    assert (found.code, found.expected, found.remedy) == ("unknown-style", "a format with styles: text", remedy)
    found = problem(formats.dumps, [Document("d", ("a\ud800b",))], "conll")
    assert (found.code, found.text) == ("unwritable-text", "'\\ud800'")


# -- options ----------------------------------------------------------------------------------------------------------


def test_options_of_one_side_override_those_of_both() -> None:
    found = Hows.of({"format": "conll", "key_format": "jsonl", "tokens": "t", "response_glob": "*.x", "max_size": 3})
    assert found.key == How("jsonl", tokens="t", max_size=3, own=("key_format",))
    assert found.response == How("conll", tokens="t", glob="*.x", max_size=3, own=("response_glob",))
    assert Hows.of({"key_ends": None, "ends": "exclusive"}).key.own == ()
    assert Hows.of({}) == Hows()
    assert found.each(sample=2) == Hows(found.key._replace(sample=2), found.response._replace(sample=2))
    assert found.of_sides(3) == [found.key, found.response, found.response]
    columns = Hows.of({"columns": "mention=a,entity=b", "response_columns": "entity=c"})
    assert columns.key.columns == (("mention", "a"), ("entity", "b"))
    assert columns.response.columns == (("mention", "a"), ("entity", "c"))


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("inclusive", "inclusive", "inclusive"), ("exclusive", "exclusive", "exclusive"),
        ("exclusive", "inclusive", "key-exclusive"), ("inclusive", "exclusive", "response-exclusive"),
    ],
)  # fmt: skip
def test_how_ends_are_said(key: str, response: str, expected: str) -> None:
    assert Hows(How(ends=key), How(ends=response)).ends == expected
    assert expected in formats.FOUND_ENDS


def test_words_of_options_are_known() -> None:
    found = problem(Hows.of, {"key_format": "x"})
    assert (found.code, found.message) == ("unknown-format", "no key_format 'x'")
    assert found.expected is not None
    assert found.expected.startswith("one of answer, booknlp")
    found = problem(Hows.of, {"response_ends": "x"})
    assert (found.code, found.expected) == ("unknown-ends", "one of inclusive, exclusive")
    found = problem(Hows.of, {"response_marks": "x"})
    assert found.code == "unknown-marks"
    assert found.remedy == "name another with --response-marks, or leave it out: it is found"
    found = problem(Hows.of, {"key_columns": "=x"})
    assert (found.code, found.text, found.remedy) == ("bad-columns", "=x", "check --key-columns")
    assert problem(Hows.of, {"columns": "a=b,a=c"}).code == problem(Hows.of, {"columns": "a="}).code == "bad-columns"


def test_how_a_side_is_read_makes_its_sources(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"xyz")
    how = How(ends="exclusive", tokens=tmp_path, files="evmeval-1.8", marks="curly", max_size=3)
    path = tmp_path / "a"
    assert how.source(path, "response") == Source(
        b"xyz", str(path), "response", "exclusive", str(tmp_path), "evmeval-1.8", "curly"
    )
    assert how.source(path, "key", b"q") == Source(
        b"q", str(path), "key", "exclusive", str(tmp_path), "evmeval-1.8", "curly"
    )
    assert How().source(path, "key").tokens is None
    path.write_bytes(gzip.compress(b"wxyz"))
    assert problem(how.source, path, "key").code == "too-large"


def test_a_package_that_is_not_there_is_named_with_how_to_install_it() -> None:
    from scoref.formats.table import required

    for extra in ("tables", "spark"):
        found = problem(required, "no_such_package", extra)
        assert facts(found) == ("missing-package", *[None] * 5, f"install it: pip install 'scoref[{extra}]'")
        assert found.message == "this needs the package no_such_package, which is not installed"
    assert required("json").__name__ == "json"


@pytest.mark.parametrize("place", [0, 1, 2, 70_000, 140_000 - 1])
def test_a_byte_that_is_not_utf8_is_found_wherever_it_is(place: int) -> None:
    """Long files are looked at in parts, which end with lines."""
    data = (b"a" * 699 + b"\n") * 200
    problems = Problems("skip")
    found = checked(Source(data[:place] + b"\xff" + data[place + 1 :], "f"), problems)
    assert [problem.line for problem in problems.found] == [place // 700 + 1]
    assert found.data.decode().count("�") == 1
    plain = Source(data[:place] + "é".encode() + data[place + 1 :], "f")
    assert checked(plain, Problems()) is plain
