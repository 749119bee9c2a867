"""How the command line helps: help, wrong calls and what was meant, names in other spellings."""

from __future__ import annotations

import itertools
import json
import re
from argparse import SUPPRESS
from collections.abc import Callable
from pathlib import Path

import pytest

from places import EXAMPLES
from scoref.cli.parsing import ELSEWHERE, EVERYDAY, GROUPS
from scoref.cli.program import EVERYDAY_COMMANDS, commands, parser
from scoref.output.registries import LISTS
from scoref.protocol.metric_names import ALIASES, metric_name
from scoref.relations.registry import METRICS

Run = Callable[..., tuple[int, str, str]]

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- help -------------------------------------------------------------------------------------------------------------


def test_without_a_command_there_is_help(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert (code, out, err) == run("help") == run("--help") == run("-h")
    assert all(re.search(rf"^  {name} ", out, re.MULTILINE) for name in commands())
    first = out.index("everyday commands"), *(out.index(f"\n  {name} ") for name in EVERYDAY_COMMANDS)
    assert [*first] == sorted(first)


@pytest.mark.parametrize("name", commands())
def test_help_of_a_command(run: Run, name: str) -> None:
    assert run("help", name) == run(name, "--help")
    code, out, err = run("help", name)
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: scoref {name} ")
    titles = re.findall(r"^(\S.*):$", out, re.MULTILINE)
    further = f"further options, by topic (scoref help {name} TOPIC, or all)"
    titles = [title for title in titles if title not in ("arguments", further)]
    assert [title for title in GROUPS if title in titles] == titles


@pytest.mark.parametrize("name", commands())
def test_help_fits_a_screen_and_says_how_to_see_the_rest(run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commands with many options: every name, and by topic what each is; together the topics are all there is."""
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run("help", name)
    assert (code, err) == (0, "")
    options = [each for each in parser(name)._get_optional_actions() if each.help != SUPPRESS]
    assert all(option.option_strings[-1] in out for option in options)
    whole = run("help", name, "all")[1]
    if len(options) > 30:
        assert len(out.splitlines()) <= 40
        assert f"scoref help {name} TOPIC" in out
        assert all(len(line) <= 80 for line in out.splitlines())
        topics = [title for title in GROUPS if f"\n{title}:\n" in whole]
        parts = [run("help", name, *title.split())[1].split("\n\n", 1)[1] for title in topics]
        assert {" ".join(part.split()) in " ".join(whole.split()) for part in parts} == {True}
        assert all(option.option_strings[-1] in "".join(parts) for option in options)
    else:
        assert out == whole


def test_a_topic_of_help_that_is_not_there(run: Run) -> None:
    assert run("help", "score", "counts") == run("help", "score", "what", "counts")
    assert run("help", "score", "satistics")[2].splitlines()[1].strip() == "did you mean statistics? it was satistics"
    assert run("help", "score", "xyzzy")[0] == 2


def test_the_everyday_options_come_first() -> None:
    for name in EVERYDAY_COMMANDS:
        everyday = [action for action in parser(name).groups[EVERYDAY]._group_actions if action.help != SUPPRESS]
        assert {"protocol", "metrics"} <= {action.dest for action in everyday}
        assert 3 <= len(everyday) <= 6
        if name == "score":
            assert [action.dest for action in everyday] == ["protocol", "metrics", "by", "ci", "output"]


def test_list_without_a_word_has_all_names(run: Run) -> None:
    everything = json.loads(run("list", "--json")[1])
    assert list(everything) == list(LISTS)
    code, out, err = run("list")
    assert (code, err) == (0, "")
    assert all(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", out) for names in everything.values() for name in names
    )


# -- wrong calls ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("scroe k r", "scoref score"),
        ("help scor", "scoref score"),
        ("score k r --metrics bcup", "--metrics b3"),
        ("score k r --metrics muc bcup", "--metrics b3"),
        ("score k r --metrics ceef_e", "--metrics ceafe"),
        ("score k r --metrcs muc", "--metrics"),
        ("score k r --outptu=json", "--output"),
        ("score k r --match partail", "--match partial"),
        ("score k r --format conl", "--format conll"),
        ("score k r --protocol conll2012", "--protocol conll-2012"),
        ("score k r --remove_singletons", "--singletons drop"),
        ("score k r --min-spans", "--match min"),
        ("list metrisc", "scoref list metrics"),
        ("--versoin", "--version"),
        ("convert k r --to jsnol", "--to jsonl"),
        ("score k r --format latex", "--output latex"),
        ("score k r --format csv", "--output csv"),
        ("score k r --format json", "--format jsonl, or --output json"),
        ("compare k r s --latex", "--output latex"),
        ("score k r --csv", "--output csv"),
        ("score k r --markdown", "--output markdown"),
        ("score k r --macro", "--average macro"),
        ("score k r --micro", "--average micro"),
        ("score k r --no-singletons", "--singletons drop"),
        ("score k r --no_zeros", "--zeros drop"),
    ],
)
def test_a_wrong_call_says_what_was_meant_in_two_lines(run: Run, call: str, meant: str) -> None:
    code, out, err = run(*call.split())
    assert (code, out) == (2, "")
    what, hint = err.splitlines()
    assert what.startswith("error: ")
    assert f"did you mean {meant}? it was " in hint


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("score", "expected: scoref score KEY [RESPONSE] [options]"),
        ("compare k", "expected: scoref compare KEY SYSTEM... [options]"),
        ("report k r", "expected: scoref report KEY RESPONSE... -o F [options]"),
        ("score k r s", "expected: scoref score KEY [RESPONSE] [options]"),
        ("score k r --metrics", "write --metrics A,B"),
        ("score k r --singletons", "write --singletons keep|drop"),
        ("score k r --match xyzzy", "it takes exact, partial"),
        ("score k r --m muc", "see: scoref score --help"),
        ("score k r --metrics xyzzy", "see: scoref list metrics"),
        ("xyzzy", "see: scoref help"),
    ],
)
def test_a_wrong_call_without_a_guess_says_what_can_be_done(run: Run, call: str, says: str) -> None:
    code, out, err = run(*call.split())
    assert (code, out, err.count("\n")) == (2, "", 2)
    assert err.splitlines()[1].strip().startswith(says)


def test_names_of_other_scorers_are_options_that_there_are() -> None:
    known = parser("score")
    options = [meant.partition(" ") for meant in ELSEWHERE.values() if meant.startswith("--")]
    assert any(word for _, _, word in options)
    for option, _, word in options:
        action = known._option_string_actions[option]
        assert not word or known.value(action, word) == word


# -- names in other spellings -----------------------------------------------------------------------------------------

# As coval, the CorefUD scorer, the UA scorer, scorch and papers write them.
SPELLINGS = {
    "b3": ("bcub", "b3", "B3", "B³", "bcubed", "b-cubed", "b_cubed", "B-CUBED", "B^3"),
    "ceafe": ("CEAFe", "ceaf_e", "CEAF-E", "ceafφ4", "CEAFφ₄"),
    "ceafm": ("ceaf_m", "CEAFm"),
    "muc": ("MUC", "Muc"),
    "conll": ("CoNLL", "conll-2012"),
    "mor": ("MOR", "mention_overlap"),
    "zeros": ("zero", "ZEROS"),
    "blanc": ("BLANC",),
    "lea": ("LEA",),
}


@pytest.mark.parametrize(("name", "spelling"), [(name, each) for name, all in SPELLINGS.items() for each in all])
def test_metrics_have_their_other_names(run: Run, name: str, spelling: str) -> None:
    assert metric_name(spelling) == name
    code, out, _ = run("score", KEY, RESPONSE, "--metrics", spelling, "--json")
    assert code == 0
    assert out == run("score", KEY, RESPONSE, "--metrics", name, "--json")[1]


def test_no_spelling_means_two_metrics() -> None:
    names = [*METRICS]
    assert [metric_name(name) for name in names] == names
    assert [metric_name(name.upper()) for name in names] == names
    assert ALIASES.keys() <= {*names}
    assert not {*itertools.chain(*ALIASES.values())} & {*names}


def test_metrics_with_blanks_in_any_place(run: Run) -> None:
    expected = run("score", KEY, RESPONSE, "--metrics", "muc,b3,ceafe")
    assert expected[0] == 0
    for call in (
        ("score", KEY, RESPONSE, "--metrics", "muc", "bcub", "CEAFe"),
        ("score", "--metrics", "muc", "bcub", "CEAFe", KEY, RESPONSE),
        ("score", KEY, "--metrics", "muc,", "bcub", "CEAFe", RESPONSE),
        ("score", KEY, "--metrics", "muc", "b3,ceafe", "--output", "TEXT", RESPONSE),
    ):
        assert run(*call) == expected


def test_a_file_with_the_name_of_a_metric_is_a_file(run: Run) -> None:
    Path("muc").write_bytes(Path(KEY).read_bytes())
    Path("lea").write_bytes(Path(RESPONSE).read_bytes())
    assert run("score", "--metrics", "b3", "muc", "lea") == run("score", KEY, RESPONSE, "--metrics", "b3")
