"""A short run of the harness: the same trials every time. Longer runs: `python -m tests.fuzz --help`."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from .inject import SOURCE, text_of
from .patches import PATCHES, Patch
from .running import quickly
from .seeds import BESIDE, SEEDS, suffix_of
from .shrink import as_test, smaller
from .trials import KINDS, NUGGETS, Trial, trials

HERE = Path(__file__).resolve().parent
SECONDS = 60.0  # where the machine is slow, fewer inputs are tried
INPUTS = 1200


@pytest.mark.parametrize("kind", SEEDS)
def test_the_seeds_are_read_and_score_100(kind: str, tmp_path: Path):
    name = f"key/d.{suffix_of(kind)}"
    files = {name: SEEDS[kind].encode()} | {
        each.format("key"): text.encode() for each, text in BESIDE.get(kind, {}).items()
    }
    for check in ("itself", "valid", "agree", *(() if kind in NUGGETS else ("exchange",))):
        trial = Trial(files, check, name, name, ("--tokens", "tokens") if kind == "tbf-tokens" else ())
        assert trial.wrong(tmp_path)[0] == []


def test_mutated_files_give_scores_or_errors(tmp_path: Path):
    started = time.monotonic()
    with quickly():
        for number in range(INPUTS):
            kind = KINDS[number % len(KINDS)]
            for trial in trials(kind, random.Random(f"17-{number}-{kind}")):
                wrong, _ = trial.wrong(tmp_path)
                assert not wrong, as_test(smaller(trial, tmp_path, wrong), wrong, f"{kind}_17_{number}")
            if time.monotonic() - started > SECONDS:
                break
    assert number > 100


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: f"{patch.path}-{PATCHES.index(patch)}")
def test_bugs_can_be_put_into_the_source(patch: Patch):
    text = text_of(patch)
    compile(text, patch.path, "exec")
    assert text != (SOURCE / patch.path).read_text(encoding="utf-8")
    assert all((HERE.parent / folder).is_dir() for folder in patch.tests)


def test_there_are_enough_bugs():
    assert len({(patch.path, patch.old, patch.new) for patch in PATCHES}) == len(PATCHES) >= 40


def test_words_that_are_not_written_are_not_compared_and_in_a_running_text_they_are(tmp_path: Path):
    """What `--seed 78 --check kept --format conll` found: `-` in the place of a word fits any, but not in SGML."""
    rows = ["w0\t(1)", "{}\t-", "w2\t(1)"]
    files = {
        f"{side}/d.conll": "\n".join(["#begin document (d); part 000", *rows, "#end document\n"]).format(word).encode()
        for side, word in (("key", "d"), ("response", "-"))
    }
    trial = Trial(files, "kept", "key/d.conll", "response/d.conll", ("--to", "muc", "--protocol", "allennlp"))
    assert trial.wrong(tmp_path)[0] == []
