"""Choices as they are declared, what they may be, and protocols as values of parts."""

from __future__ import annotations

import pickle
import re
from dataclasses import fields

import pytest

import scoref
from places import EXAMPLES, ROOT
from scoref.choice import NEXT, SECOND
from scoref.cli import main
from scoref.explanation.experiments import Facts
from scoref.protocol.choices import CHOICES, OPTIONS, PARTS
from scoref.protocol.protocol import PROTOCOLS, Protocol

WORDS = [name for name, choice in CHOICES.items() if choice.words]
NUMBERS = [name for name, choice in CHOICES.items() if choice.range]
USUAL = PROTOCOLS["conll-2012"]

# As every version since 0.2 prints it: programs compare signatures as texts.
FULL = (
    "conll-2012|match:exact|singletons:keep|zeros:linear|duplicates:reference|twinless:as-is|nested:keep|mentions:all|"
    "words:check|text:same|lost:count|ends:inclusive|spans:words|invisible:none|pieces:once|mapping:type|"
    "sequencing:awareness|files:strict|empty:skip|extra:refuse|layer:identity|split:credit|credit:directional|links:key|"
    "scope:document|average:micro|weights:none|digits:exact|beta:1|threshold:1|frequent:5|types:all|"
    "heads:file|sentences:all|given:nothing|antecedents:share|prefix:100|window:0|window-rule:clean|place:order|agree:none|sampled:none|"
    "metrics:mentions,muc,b3,ceafe,conll"
)


# -- declarations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_says_what_it_is(name):
    choice = CHOICES[name]
    assert choice.help, f"{name} has no help: say in its Choice what it is about, for --help"
    assert bool(choice.words) != bool(choice.range), f"{name} has either words or a range"
    choice.check(choice.default)
    assert len(set(choice.words)) == len(choice.words)
    if choice.before is not None:
        choice.check(choice.before)
    if choice.subject:
        assert choice.subject.fact in {field.name for field in fields(Facts)}, (
            f"no count {choice.subject.fact} in Facts"
        )


def test_a_choice_belongs_to_one_part():
    assert sum(len(part._fields) for part in PARTS.values()) == len(CHOICES)
    assert not {*CHOICES} & {*PARTS, "name", "metrics", "reading"}


def test_places_in_signatures_are_taken_once():
    places = [choice.place for choice in CHOICES.values() if choice.since != NEXT]
    assert places == [*range(1, len(places) + 1)]


def row(choice: str) -> str:
    """The line of the page on protocols with a choice."""
    text = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8").partition("\n## The choices\n")[2]
    found = re.search(rf"^\| `{choice}` \|.*$", text, re.M)
    assert found, f"{choice} has no row in the table of choices in docs/protocols.md"
    return found[0]


@pytest.mark.parametrize("name", CHOICES)
def test_every_word_is_on_the_page_on_protocols(name):
    cells = row(CHOICES[name].spelled).split(" | ")
    words = re.findall("`(.+?)`", cells[1])
    wanted = [*CHOICES[name].words] or [f"{CHOICES[name].default:g}"]
    missing = [word for word in wanted if word not in words]
    assert not missing, f"docs/protocols.md does not say {name}:{missing[0]}"
    assert not [word for word in words if word not in wanted]
    assert words[0] == str(CHOICES[name].default).removesuffix(".0"), f"the default of {name} is the first in its row"


# -- what choices may be ---------------------------------------------------------------------------------------------

STRANGE = (1, 2.5, True, {}, [], ["exact"], b"exact", object(), "no such word", "")


def refused(**choices) -> scoref.Error:
    with pytest.raises(scoref.Error) as error:
        scoref.score([["a", "b"]], [["a", "b"]], **choices)
    assert error.value.code == "unknown-choice"
    return error.value


@pytest.mark.parametrize("name", [name for name in WORDS if name in OPTIONS])
def test_a_word_of_a_wrong_type_is_an_error(name):
    for value in STRANGE:
        error = refused(**{name: value})
        assert f"no {CHOICES[name].spelled} '{value}'" in str(error)
        assert str(CHOICES[name].default) in (error.problem.expected or "")


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_of_a_wrong_type_is_an_error(name):
    for value in (True, {}, [], "x", "1", b"1", -1, 1e10, float("nan"), float("inf")):
        refused(**{name: value})
    if name != "window":  # none
        refused(**{name: 0})


def test_names_and_metrics_of_wrong_types_are_errors():
    for choices in ({"name": 3}, {"name": "a|b"}, {"metrics": 3}, {"metrics": [3]}, {"metrics": {}}, {"mtach": "min"}):
        with pytest.raises(scoref.Error):
            USUAL.change(**choices)


@pytest.mark.parametrize("line", ["scope = 1", "weights = {}", "match = 3", 'beta = "x"', "types = []", "scope = true"])
def test_wrong_types_in_a_file_are_errors_with_its_path(line, tmp_path, capsys):
    path = tmp_path / "ours.toml"
    path.write_text(line, encoding="utf-8")
    files = [str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")]
    assert main(["score", *files, "--protocol", str(path)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "[unknown-choice]" in err
    assert "ours.toml" in err


@pytest.mark.parametrize("line", ["scope = {}", "weights = {}", "match = 3", 'beta = "x"', "types = []"])
def test_wrong_types_in_a_project_are_errors(line, tmp_path, capsys, monkeypatch):
    (tmp_path / "scoref.toml").write_text(line, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    files = [str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")]
    assert main(["score", *files]) == 2
    assert "error: " in capsys.readouterr().err


# -- protocols -------------------------------------------------------------------------------------------------------


def test_a_protocol_is_a_value_of_parts():
    assert [field.name for field in fields(Protocol)] == ["name", *PARTS, "metrics"]
    for name, choice in CHOICES.items():
        assert getattr(USUAL, name) == getattr(getattr(USUAL, choice.part), name) == choice.default
    with pytest.raises(AttributeError, match="mtach"):
        _ = USUAL.mtach


def test_a_change_leaves_the_rest_as_it_is():
    changed = USUAL.change(match="min", beta=2, singletons=None)
    assert changed.to_dict() == USUAL.to_dict() | {"match": "min", "beta": 2}
    assert changed.preparing is USUAL.preparing
    assert USUAL.change(match=None) is USUAL
    assert changed.change(match="exact", beta=1.0) == USUAL
    assert hash(changed) == hash(USUAL.change(beta=2, match="min"))


def test_a_protocol_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(PROTOCOLS)) == PROTOCOLS


def test_the_full_signature_keeps_its_order():
    assert USUAL.full() == FULL
    assert Protocol.parse(FULL) == USUAL
    assert (
        Protocol.parse(FULL.replace("heads:file|sentences:all|given:nothing|antecedents:share|", "")) == USUAL
    )  # as 0.2 wrote it
    own = FULL.replace("conll-2012|", "ours|").replace("match:exact", "match:min")
    assert Protocol.parse(own) == USUAL.change(name="ours", match="min")
    assert Protocol.parse(own).full() == own


@pytest.mark.parametrize("name", [name for name, choice in CHOICES.items() if choice.since <= SECOND])
def test_a_full_signature_of_no_preset_says_every_choice_of_the_second_version(name):
    own = re.sub(rf"\|{name}:[^|]*", "", FULL.replace("conll-2012|", "ours|"))
    with pytest.raises(scoref.Error, match=f"the signature does not say {name}"):
        Protocol.parse(own)


def test_choices_are_checked_when_they_are_made(monkeypatch):
    known = PROTOCOLS["e2e"]  # presets are made when they are asked for
    checked: list[str] = []
    check = type(CHOICES["match"]).check
    monkeypatch.setattr(
        type(CHOICES["match"]), "check", lambda self, value: (checked.append(self.name), check(self, value))
    )
    USUAL.change(match="min", singletons="drop")
    assert checked == ["match", "singletons"]
    known.signature()
    assert len(checked) == 2
