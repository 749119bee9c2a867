"""What is not the input's fault: disks that are full, streams that are closed, signals, defects of scoref itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from places import EXAMPLES
from scoref.cli import program
from scoref.cli.parsing import WRITTEN
from scoref.cli.writing import INPUTS
from scoref.problems import Error
from scoref.processes import ordered_map

Run = Callable[..., tuple[int, str, str]]

KEY = '[["a", "b"], ["c", "d"]]'
RESPONSE = '[["a", "b", "c"], ["d"]]'

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.json").write_text(KEY)
    Path("response.json").write_text(RESPONSE)


def shell(command: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which `scoref` is this one."""
    line = command.replace("scoref ", f"{sys.executable} -m scoref ")
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, env={**os.environ, "PYTHONUNBUFFERED": "", **env}, timeout=60
    )


# -- defects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (ZeroDivisionError("x"), 3, "a defect of scoref"),
        (KeyError("x\n\x1b[2J" + "y" * 9999), 3, "a defect of scoref"),
        (MemoryError(), 2, "[out-of-memory]"),
        (RecursionError(), 2, "[too-deep]"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (program.Terminated(), 143, "terminated"),
    ],
)
def test_whatever_happens_is_no_traceback(
    raised: BaseException, code: int, says: str, run: Run, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> Any:
        raise raised

    monkeypatch.setattr("scoref.cli.commands.scores.score.scored", fail)
    found = run("score", "key.json", "response.json")
    assert found[:2] == (code, "")
    assert says in found[2]
    assert "Traceback" not in found[2]
    assert "\x1b" not in found[2]
    assert len(found[2]) < 1000
    if code == 3:
        assert "scoref/" not in found[2] or "test_faults" in found[2]
        for arguments in (["--debug", "score"], ["score", "--debug"]):
            assert "Traceback" in run(*arguments, "key.json", "response.json")[2]


# -- streams ---------------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("scoref score key.json response.json > /dev/full", 2),
        ("scoref score key.json response.json >&-", 2),
        ("scoref --help > /dev/full", 2),
        ("scoref score key.json - <&-", 2),
        ("scoref score key.json nothing.json 2>&-", 2),
        ("scoref score key.json nothing.json 2>/dev/full", 2),
        ("scoref score key.json response.json 2>&- >/dev/null", 0),
        ("scoref score key.json response.json | true", 0),
        ("scoref score key.json $(printf 'x%.0s' {1..5000})", 2),
        ("scoref score key.json response.json --save $(printf 'x%.0s' {1..5000})", 2),
        ("scoref score key.json response.json --tokens $(printf 'x%.0s' {1..5000})", 0),
        ("scoref score key.json response.json --save /dev/full", 2),
        ("scoref score key.json $'response\\xff.json'", 2),
    ],
)
def test_streams_and_names_end_in_a_result_or_an_error(command: str, code: int):
    for env in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        found = shell(command, **env)
        assert found.returncode == code, found.stderr
        assert b"Traceback" not in found.stderr
        if code == 2:
            assert found.stdout == b""


@posix
def test_names_that_are_not_utf8_can_be_read_and_written():
    for env in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        name = "$'r\\xff\\xc3\\xa9.json'"
        shell(f"cp response.json {name}")
        found = shell(f"scoref compare key.json {name} key.json --json", **env)
        assert found.returncode == 0, found.stderr
        json.loads(found.stdout)
        found = shell(f"scoref report key.json {name} -o page.html && scoref score key.json {name}", **env)
        assert found.returncode == 0, found.stderr


# -- signals and workers ---------------------------------------------------------------------------------------------

SLOW = """
import signal, sys, time
from scoref.cli import program
from scoref.cli.commands.scores import score
from scoref.processes import ordered_map
def slow(options, response):
    for _ in ordered_map(time.sleep, [0.01, 60, 60, 60], 2):
        print("started", flush=True)
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let their background jobs ignore it
    score.scored = slow
    sys.argv = ["scoref", "score", "key.json", "response.json"]
    program.run()
"""


@posix
@pytest.mark.parametrize(
    ("number", "code", "says"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]
)
def test_signals_leave_one_line_and_no_workers(number: int, code: int, says: str):
    Path("slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [sys.executable, "slow.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    try:
        err = process.communicate(timeout=30)[1].decode()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    assert (process.returncode, err) == (code, f"{says}\n")
    patience = time.monotonic() + 20
    while left := _living(process.pid):
        assert time.monotonic() < patience, left
        time.sleep(0.1)


@posix
@pytest.mark.parametrize("module", ["dataclasses", "numpy"])
@pytest.mark.parametrize(
    ("number", "code", "says"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]
)
def test_signals_while_modules_are_imported(module: str, number: int, code: int, says: str):
    """The first modules that are imported, and packages with C code, which make an ImportError of any exception."""
    Path(f"{module}.py").write_text(
        f"import os\ntry:\n    os.kill(os.getpid(), {int(number)})\n    sum(range(10**7))\n"
        "except BaseException:\n    raise ImportError('the C extensions failed') from None\n"
    )
    command = (
        f"import signal; signal.signal({int(number)}, signal.{'SIG_DFL' if code == 143 else 'default_int_handler'})"
    )
    command += "; import runpy; runpy.run_module('scoref', run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", command, "score", "key.json", "response.json"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.decode()) == (code, b"", f"{says}\n")


def test_two_hyphens_end_options(run: Run):
    for name, text in (("-h", KEY), ("--json", RESPONSE), ("--no-config", RESPONSE), ("-", "")):
        Path(name).write_text(text)
    plain = run("score", "key.json", "response.json", "--metrics", "muc")
    assert run("score", "--metrics", "muc", "--", "-h", "--json") == plain
    assert run("score", "--metrics", "muc", "-h", "--", "--json")[1].startswith("usage: ")  # it stands before
    assert run("--", "score", "key.json", "--json")[1] == run("score", "key.json", "response.json")[1]
    code, out, _ = run("convert", "--", "-h", "--out.json")
    assert (code, out, Path("--out.json").exists()) == (0, "", True)
    assert run("score", "key.json", "--", "--", "--json")[0] == 2


def _living(group: int) -> list[str]:
    """The processes of a group that have not ended."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, of = status.read_text().rpartition(")")[2].split()[:3]
            found += [status.parent.name] * (state != "Z" and int(of) == group)
    return found


@posix
def test_a_lost_worker_is_an_error():
    with pytest.raises(Error) as error:
        list(ordered_map(os._exit, [1, 1, 1], 2))
    assert error.value.code == "lost-worker"


# -- outputs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "key.json", "response.json", "--save", "key.json"],
        ["score", "key.json", "response.json", "--save", "./response.json"],
        ["report", "key.json", "response.json", "-o", "link.html"],
        ["score", "key.json", "folder", "--save", "folder/key.json"],
        ["score", "key.json", "response.json", "--save", ""],
        ["report", "key.json", "response.json", "-o", ""],
        ["score", "key.json", "response.json", "--plot", ""],
    ],
)
def test_an_output_is_no_input_and_has_a_name(arguments: list[str], run: Run):
    Path("link.html").symlink_to("key.json")
    Path("folder").mkdir()
    Path("folder/key.json").write_text(RESPONSE)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "[output-is-input]" in err or "[no-name]" in err
    assert (Path("key.json").read_text(), Path("response.json").read_text()) == (KEY, RESPONSE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "key.json", "response.json", "--save", "out.json"],
        ["score", "key.json", "response.json", "--ci", "--plot", "out.svg"],
        ["report", "key.json", "response.json", "-o", "out.html"],
        ["convert", "key.json", "key.json", "--to", "clusters"],
        ["convert", "folder", "out", "--to", "clusters"],
    ],
)
def test_a_full_disk_leaves_what_was_there(arguments: list[str], run: Run, monkeypatch: pytest.MonkeyPatch):
    Path("folder").mkdir()
    for name in ("one.json", "two.json"):
        Path("folder", name).write_text(KEY)
    for path in ("out.json", "out.svg", "out.html", "out/one.json", "out/two.json"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text("old")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    calls = []

    def full(number: int) -> None:
        calls.append(number)
        if len(calls) == (2 if "folder" in arguments else 1):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    code, out, err = run(*arguments, "--force")
    assert (code, out) == (2, "")
    assert "No space left on device" in err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "key.json", "response.json", "--save", "out.json"],
        ["score", "key.json", "response.json", "--ci", "--plot", "out.svg"],
        ["score", "key.json", "response.json", "--plot", "out.png"],
        ["score", "key.json", "response.json", "--plot", "out.pdf"],
        ["score", "key.json", "response.json", "--save", "out.json.gz"],
        ["report", "key.json", "response.json", "-o", "out.html"],
        ["agreement", "key.json", "response.json", "-o", "out.html"],
        ["convert", "tap.conll", "out.jsonl"],
        ["convert", "tap.conll", "out.conllu"],
        ["convert", "folder", "out", "--to", "clusters"],
        ["errors", "key.json", "response.json", "--repaired", "out"],
    ],
)
def test_files_of_others_are_not_written_over(arguments: list[str], run: Run, run_aloud: Run):
    """What scoref wrote is written again, anything else only by force; and what is written is said."""
    if "--plot" in arguments:
        pytest.importorskip("matplotlib")
    Path("folder").mkdir()
    Path("folder/a.json").write_text(KEY)
    Path("tap.conll").write_bytes((EXAMPLES / "key.conll").read_bytes())
    before = {*Path().rglob("*")}
    code, out, err = run_aloud(*arguments)
    made = sorted(str(path) for path in {*Path().rglob("*")} - before if path.is_file())
    assert (code, bool(made)) == (0, True)
    if len(made) < 4 and arguments[0] != "report":
        assert [f"wrote {path}" for path in made] == [line for line in err.splitlines() if line.startswith("wrote")]
    else:
        assert f"wrote {len(made)} files in out" in err or out.startswith("out.html: ")
    assert run(*arguments) == (code, out, "".join(x for x in err.splitlines(True) if not x.startswith("wrote")))
    Path(made[-1]).write_text("somebody's")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "[existing-file]" in err
    assert made[-1] in err
    assert "--force" in err
    assert Path(made[-1]).read_text() == "somebody's"
    assert run(*arguments, "--force")[0] == 0
    Path(made[-1]).write_text("")  # nothing is lost
    assert run(*arguments)[0] == 0


def _linked() -> dict[Path, bytes]:
    """Files, folders and links to them; what is in them. The empty lines are not those that scoref writes."""
    data = (EXAMPLES / "key.conll").read_bytes() + b"\n\n\n"
    Path("data/deep").mkdir(parents=True)
    for number, name in enumerate(("in.conll", "data/a.conll", "data/deep/b.conll")):
        Path(name).write_bytes(data.replace(b"tale/", b"tale%d/" % number))
    Path("data/deep/c.conll").symlink_to("../../in.conll")
    Path("soft.conll").symlink_to("in.conll")
    Path("hard.conll").hardlink_to("in.conll")
    Path("elsewhere").symlink_to("data")
    Path("p.toml").write_text('preset = "conll-2012"')
    return _contents()


def _contents() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "in.conll", "in.conll", "--to", "clusters"],
        ["convert", "in.conll", "soft.conll", "--to", "clusters"],
        ["convert", "soft.conll", "in.conll", "--to", "clusters"],
        ["convert", "in.conll", "hard.conll", "--to", "jsonl"],
        ["convert", "in.conll", "data/deep/c.conll", "--to", "jsonl"],
        ["convert", "data", "in.conll"],
        ["convert", "data", "elsewhere/a.conll"],
        ["convert", "elsewhere", "data/deep/b.conll"],
        ["convert", "data", "elsewhere", "--to", "conll"],
        ["score", "in.conll", "in.conll", "--save", "hard.conll", "--force"],
        ["score", "data", "data", "--save", "in.conll", "--force"],
        ["score", "elsewhere", "elsewhere", "--protocol", "p.toml", "--save", "p.toml", "--force"],
        ["score", "data", "elsewhere", "--save", "data/deep/c.conll", "--force"],
        ["report", "in.conll", "in.conll", "-o", "soft.conll", "--force"],
        ["agreement", "data/a.conll", "data/deep/c.conll", "-o", "in.conll", "--force"],
    ],
)
def test_no_output_is_an_input_by_any_link(arguments: list[str], run: Run):
    before = _linked()
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "[output-is-input]" in err
    assert _contents() == before


@posix
def test_standard_input_is_no_output_either():
    before = _linked()
    done = shell("scoref convert - hard.conll --to clusters < in.conll")
    assert (done.returncode, b"[output-is-input]" in done.stderr) == (2, True)
    assert _contents() == before


def test_conversion_in_place_needs_force(run: Run):
    assert run("convert", "key.json", "key.json")[0] == 2
    assert Path("key.json").read_text() == KEY
    assert run("convert", "key.json", "key.json", "--force")[0] == 0
    assert Path("key.json").read_text() != KEY
    assert run("convert", "key.json", "key.json")[0] == 0  # it stays the same
    assert run("convert", "key.json", "response.json")[0] == 2
    assert Path("response.json").read_text() == RESPONSE


def test_a_text_and_its_table_may_be_in_one_folder(run: Run):
    Path("texts").mkdir()
    Path("texts/a.txt").write_text("A well-known tale.")
    assert run("tokenize", "texts", "-o", "texts")[0] == 0
    assert run("tokenize", "texts", "-o", "texts")[0] == 0
    code, _, err = run("tokenize", "texts", "-o", "texts", "--separators", "")
    assert (code, "[output-is-input]" in err) == (2, True)
    assert run("tokenize", "texts", "-o", "texts", "--separators", "", "--force")[0] == 0


def test_every_argument_that_names_a_file_is_known_as_input_or_output():
    others = {"temp", "resume", "columns", "shell", "of", "what", "topic", "name"}  # folders of DuckDB; words
    actions = [action for name in program.names() for action in program.parser(name)._actions]
    files = {each.dest for each in actions if each.metavar in ("FILE", "DIR", "F") or not each.option_strings} - others
    assert {"key", "save"} <= files <= {*INPUTS, *WRITTEN}


def test_outputs_keep_links_and_permissions(run: Run):
    Path("real.json").write_text("old")
    Path("real.json").chmod(0o640)
    Path("link.json").symlink_to("real.json")
    assert run("score", "key.json", "response.json", "--save", "link.json", "--force")[0] == 0
    assert Path("link.json").is_symlink()
    assert Path("real.json").read_text().startswith('{"scoref-evaluation"')
    assert Path("real.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Tale", "tale"), {"0000-Tale", "0001-tale"}),
        (("caf\u00e9", "cafe\u0301"), {"0000-caf\u00e9", "0001-cafe\u0301"}),
        (("aux", "x"), {"_aux", "x"}),
        (("NUL.old", "com1"), {"_NUL.old", "_com1"}),
        (("auxiliary", "com10"), {"auxiliary", "com10"}),
    ],
)
def test_names_of_files_fit_all_systems(names: tuple[str, str], expected: set[str], run: Run):
    """Some disks take capital letters for small ones; names of devices are no files on Windows, with any ending."""
    lines = [{"doc_key": name, "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]} for name in names]
    Path("in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("convert", "in.jsonl", "out", "--to", "brat")[0] == 0
    assert {path.stem for path in Path("out").glob("*.ann")} == expected


def test_many_files_are_written_together_or_not_at_all(run: Run, monkeypatch: pytest.MonkeyPatch):
    names = [f"d{number}" for number in range(100)]
    for word in ("old", "new"):
        lines = [{"doc_key": name, "sentences": [[word, "b"]], "clusters": [[[0, 0], [1, 1]]]} for name in names]
        Path(f"{word}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path("out").mkdir()
    Path("real.txt").write_text("what a link leads to")
    Path("out", "d7.txt").symlink_to(Path("real.txt").resolve())
    Path("out", "d8.txt").write_text("kept readable by all")
    Path("out", "d8.txt").chmod(0o604)
    assert run("convert", "old.jsonl", "out", "--to", "brat", "--force")[0] == 0
    before = {path: path.read_bytes() for path in Path("out").iterdir()}
    assert {path.name for path in before} == {f"{name}{ending}" for name in names for ending in (".ann", ".txt")}
    assert {data for path, data in before.items() if path.suffix == ".txt"} == {b"old b\n"}
    assert (Path("real.txt").read_bytes(), Path("out", "d7.txt").is_symlink()) == (b"old b\n", True)
    assert os.name == "nt" or Path("out", "d8.txt").stat().st_mode & 0o777 == 0o604

    def broken(*what: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("scoref.storing._sync" if sys.platform == "linux" else "os.fsync", broken)
    code, _, err = run("convert", "new.jsonl", "out", "--to", "brat", "--force")
    assert (code, "Input/output error" in err) == (2, True)
    assert {path: path.read_bytes() for path in Path("out").iterdir()} == before


def test_names_that_are_one_file_on_a_disk_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch):
    Path("folder").mkdir()
    for name in ("Tale", "tale", "other"):
        Path("folder", f"{name}.json").write_text(KEY)
    if len([*Path("folder").iterdir()]) == 3:  # names differ here
        assert run("convert", "folder", "out", "--to", "clusters")[0] == 0
    monkeypatch.setattr("scoref.storing._folds", lambda file: True)
    code, out, err = run("convert", "folder", "elsewhere", "--to", "clusters")
    assert (code, out) == (2, "")
    assert "on this disk it is the same file as Tale.json" in err
    assert not [*Path("elsewhere").iterdir()]


# -- what is printed, and read once ----------------------------------------------------------------------------------


def test_json_cannot_steer_a_terminal_and_is_ascii_on_request(run: Run):
    name = "\x9b2J\u202eé𝄞.json"
    Path(name).write_text(KEY)
    for more in ((), ("--ascii",)):
        code, printed, _ = run("compare", "key.json", name, "key.json", "--trials", 5, "--json", *more)
        assert code == 0
        assert list(json.loads(printed)["systems"]) == [name, "key.json"]
        assert not {"\x9b", "\u202e"} & {*printed}
        assert printed.isascii() == bool(more)


@posix
def test_types_may_come_from_a_pipe():
    line = "s\td\tE1\t0,4\tleft\tMovement\tActual\n"
    Path("key.tbf").write_text(f"#BeginOfDocument d\n{line}#EndOfDocument\n")
    for command in ("score key.tbf key.tbf", "errors key.tbf key.tbf key.tbf", "compare key.tbf key.tbf key.tbf"):
        done = shell(f"scoref {command} --types <(echo Movement)")
        assert (done.returncode, b"error" in done.stderr) == (0, False), done.stderr


def test_tables_are_validated_as_they_are_scored(run: Run):
    Path("key.csv").write_text("record_id,cluster\nr1,a\nr2\nr1,b\n")
    code, printed, _ = run("validate", "key.csv", "--json")
    assert code == 1
    found = json.loads(printed)["problems"]
    assert [(each["code"], each["line"]) for each in found] == [("bad-row", 3), ("duplicate-mention", 4)]
    Path("key.csv").write_text("x,y\nr1,a\nr2,a\n")
    assert run("validate", "key.csv")[0] == 1  # no column has a usual name
    assert run("validate", "key.csv", "--columns", "mention=x,entity=y")[:2] == (0, "0 problems in 1 file\n")


def test_nuggets_without_types_have_errors_and_a_page(run: Run):
    text = "#BeginOfDocument d\n{}#EndOfDocument\n"
    Path("key.tbf").write_text(text.format(""))
    Path("response.tbf").write_text(text.format("s\td\tE1\t0,4\tleft\t\tActual\n"))
    assert run("errors", "key.tbf", "response.tbf")[0] == 0
    assert run("report", "key.tbf", "response.tbf", "-o", "page.html")[0] == 0


# -- what a format has no place for ----------------------------------------------------------------------------------

_RICH = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s1
1\ta\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)
2\tb\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2-person-1-
3\tc\t_\t_\t_\t_\t2\tdep\t_\tEntity=e2)
4\td\t_\t_\t_\t_\t1\tdep\t_\tBridge=e1<e3:part|Entity=(e3-person-1-)|SplitAnte=e1<e3,e2<e3

"""


@pytest.mark.parametrize(
    ("to", "left"),
    [
        ("conll", {"split antecedents", "bridges", "heads", "attributes of mentions"}),
        ("clusters", {"split antecedents", "bridges", "heads", "attributes of mentions"}),
        ("ua", {"heads"}),
        ("jsonl", set()),
        ("corefud", set()),
    ],
)
def test_convert_says_what_is_left_out(to: str, left: set[str], run: Run):
    Path("in.conllu").write_text(_RICH)
    code, _, said = run("convert", "in.conllu", "out", "--to", to)
    assert code == 0
    assert {line.split(": ")[1] for line in said.splitlines()} == left


def test_convert_says_that_words_are_not_known(run: Run):
    Path("d.jsonl").write_text('{"doc_key": "d", "clusters": [[[0, 1]]]}\n')
    assert "the words are not known" in run("convert", "d.jsonl", "d.conll")[2]


def test_convert_says_that_a_text_without_words_cannot_be_read_beside_a_key(run: Run):
    full = '{"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]]}\n'
    Path("key.jsonl").write_text(full + '{"doc_key": "b", "sentences": [["y"]], "clusters": [[[0, 0]]]}\n')
    Path("response.jsonl").write_text(full + '{"doc_key": "b", "clusters": []}\n')
    assert not run("convert", "key.jsonl", "key.txt")[2]
    assert "1 document has no words" in run("convert", "response.jsonl", "response.txt")[2]
    code, out, _ = run("score", "key.txt", "response.txt")
    assert (code, "1 of 2 answers cannot be read and count as empty: 1 empty" in out) == (0, True)
    code, out, said = run("score", "key.txt", "response.txt", "--response-format", "text")
    assert (code, out, "not-the-same-text" in said) == (2, "", True)


def test_convert_says_that_no_style_can_be_found_where_nothing_is_marked(run: Run):
    Path("in.jsonl").write_text('{"doc_key": "d", "sentences": [["a"]], "clusters": []}\n')
    code, _, said = run("convert", "in.jsonl", "out.txt")
    assert (code, "--marks" in said) == (0, True)


def test_a_document_without_words_is_no_text(run: Run):
    Path("in.tbf").write_text("#BeginOfDocument d\n#EndOfDocument\n")
    assert run("convert", "in.tbf", "out.txt")[0] in (0, 2)
