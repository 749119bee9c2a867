"""MAVEN-ERE: files of keys and responses, and the numbers that its script prints for invented ones.

The script is evaluate.py of THU-KEG/MAVEN-ERE at ac81a97, with scikit-learn 1.9.1: `python evaluate.py IN OUT`, where
IN has the key as ref/test.jsonl and the response as res/test_prediction.jsonl. These two are written by
`python tests/relations/test_maven.py SEED IN`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.problems import Error

Run = Callable[..., tuple[int, str, str]]
Lines = list[dict[str, Any]]
TEMPORAL = ("BEFORE", "OVERLAP", "CONTAINS", "SIMULTANEOUS", "ENDS-ON", "BEGINS-ON")
CAUSAL = ("CAUSE", "PRECONDITION")


def invented(seed: int) -> tuple[Lines, Lines]:
    """A key and a response of a few documents, of a shape that depends on the seed."""
    chance = random.Random(seed)
    key, response = [], []
    for number in range(chance.randint(1, 4)):
        events, names = [], []
        for event in range(chance.randint(0, 6)):
            ids = [f"d{number}e{event}m{each}" for each in range(chance.choice([1, 1, 1, 2, 3]))]
            mentions = [{"id": id, "trigger_word": "w", "sent_id": 0, "offset": [len(names) + n, len(names) + n + 1]}
                        for n, id in enumerate(ids)]  # fmt: skip
            names += ids
            events.append({"id": f"d{number}E{event}", "type": "T", "mention": mentions})
        times = [f"d{number}T{each}" for each in range(chance.randint(0, 3))]
        record = {"id": f"doc{number}", "title": "t", "tokens": [["w"] * max(len(names), 1)], "events": events,
                  "TIMEX": [{"id": id, "mention": "w", "sent_id": 0, "offset": [0, 1]} for id in times]}  # fmt: skip
        whole = [event["id"] for event in events]
        record |= _relations(chance, whole, whole + times, chance.choice([0.1, 0.3]))
        key.append(record)
        if chance.random() < 0.15:
            continue
        named = [name for name in names if chance.random() < 0.9] + ["strange"] * chance.randint(0, 1)
        chance.shuffle(named)
        cuts = sorted(chance.sample(range(len(named) + 1), min(len(named), 3)))
        chains = [named[a:b] for a, b in zip([0, *cuts], [*cuts, len(named)], strict=True)]
        answer = {"id": f"doc{number}", "coreference": [chain for chain in chains if chain]}
        if events and chance.random() < 0.6:  # nearly right
            answer["coreference"] = [[m["id"] for m in event["mention"]] for event in events[1:]]
        answer |= _relations(chance, [*names, "strange"], [*names, *times, "strange"], chance.choice([0.05, 0.2]))
        for field in [*answer][2:]:
            if chance.random() < 0.15:
                del answer[field]
        response.append(answer)
    return key, response


def _relations(chance: random.Random, ends: list[str], with_times: list[str], share: float) -> dict[str, Any]:
    """Relations of pairs by chance, some with two labels."""

    def pairs(of: list[str]) -> list[list[str]]:
        return [[a, b] for a in of for b in of if a != b and chance.random() < share / 2]

    return {
        "temporal_relations": {label: pairs(with_times) for label in TEMPORAL[: chance.randint(1, 6)]},
        "causal_relations": {label: pairs(ends) for label in CAUSAL},
        "subevent_relations": pairs(ends),
    }


def put(seed: int, folder: Path) -> tuple[Path, Path]:
    """The files of a key and of a response."""
    paths = folder / "ref" / "test.jsonl", folder / "res" / "test_prediction.jsonl"
    for path, lines in zip(paths, invented(seed), strict=True):
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return paths


# By seed: precision, recall, f1 of B³, CEAFe, MUC, BLANC, temporal, causal and subevent relations; the mean of all.
PRINTED = {
    1: "78.79 100.00 88.14 92.38 71.85 80.83 50.00 100.00 66.67 70.00 93.48 75.08 "
    "20.00 7.14 10.53 0.00 0.00 0.00 0.00 0.00 0.00 22.05",
    4: "60.00 69.05 64.21 67.62 59.17 63.11 28.57 33.33 30.77 51.03 51.50 50.58 "
    "3.70 1.41 2.04 7.69 8.70 8.16 0.00 0.00 0.00 15.59",
    5: "54.52 83.33 65.92 67.90 50.93 58.20 45.45 62.50 52.63 53.01 56.44 48.06 "
    "8.33 0.92 1.65 0.00 0.00 0.00 8.33 3.57 5.00 15.71",
    6: "100.00 100.00 100.00 100.00 100.00 100.00 0.00 0.00 0.00 50.00 50.00 50.00 "
    "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 15.62",
    7: "100.00 87.50 93.33 77.78 93.33 84.85 100.00 66.67 80.00 96.15 87.50 90.86 "
    "0.00 0.00 0.00 0.00 0.00 0.00 20.00 20.00 20.00 26.81",
    9: "100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 "
    "4.00 4.76 4.35 0.00 0.00 0.00 0.00 0.00 0.00 26.09",
    13: "100.00 85.71 92.31 80.95 94.44 87.18 0.00 0.00 0.00 45.45 50.00 47.62 "
    "7.69 12.50 9.52 0.00 0.00 0.00 0.00 0.00 0.00 16.58",
    15: "100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 100.00 "
    "7.14 3.12 4.35 18.18 25.00 21.05 100.00 20.00 33.33 39.68",
    16: "100.00 75.00 85.71 65.15 89.58 75.44 100.00 25.00 40.00 91.67 60.00 62.12 "
    "7.14 6.67 6.90 0.00 0.00 0.00 0.00 0.00 0.00 18.18",
    17: "84.21 78.95 81.49 65.48 70.51 67.90 40.00 33.33 36.36 59.52 57.50 58.19 "
    "6.25 5.56 5.88 0.00 0.00 0.00 50.00 11.11 18.18 21.26",
    18: "100.00 92.31 96.00 80.95 94.44 87.18 100.00 85.71 92.31 99.29 94.44 96.70 "
    "3.39 12.50 5.33 9.38 16.67 12.00 0.00 0.00 0.00 27.59",
    21: "100.00 85.71 92.31 75.76 92.59 83.33 100.00 60.00 75.00 97.62 83.33 88.78 "
    "13.33 5.00 7.27 30.00 15.79 20.69 28.57 16.67 21.05 33.47",
    22: "100.00 50.00 66.67 37.50 75.00 50.00 0.00 0.00 0.00 0.00 0.00 0.00 "
    "33.33 14.29 20.00 0.00 0.00 0.00 0.00 0.00 0.00 12.29",
    23: "70.00 85.96 77.17 89.29 71.43 79.37 63.64 77.78 70.00 65.71 73.91 67.65 "
    "0.00 0.00 0.00 0.00 0.00 0.00 16.67 7.69 10.53 21.02",
    24: "100.00 86.67 92.86 82.14 95.83 88.46 100.00 33.33 50.00 96.43 62.50 68.15 "
    "22.22 8.70 12.50 0.00 0.00 0.00 0.00 0.00 0.00 21.84",
}
METRICS = ("b3", "ceafe", "muc", "blanc", "temporal", "causal", "subevent-links")


@pytest.mark.parametrize("seed", PRINTED)
def test_numbers_of_the_script_of_maven(seed: int, tmp_path: Path) -> None:
    result = scoref.score(*put(seed, tmp_path))
    ours = [part for name in METRICS for part in (result[name].precision, result[name].recall, result[name].f1)]
    assert [f"{100 * part:.2f}" for part in (*ours, result["maven-ere"].f1)] == PRINTED[seed].split()


KEY = {
    "id": "d", "tokens": [["Ada", "ran", "and", "fell"], ["The", "fall", "hurt", "on", "Monday"]],
    "events": [
        {"id": "E1", "type": "Run", "mention": [{"id": "m1", "sent_id": 0, "offset": [1, 2]}]},
        {"id": "E2", "type": "Fall", "mention": [{"id": "m2", "sent_id": 0, "offset": [3, 4]},
                                                 {"id": "m3", "sent_id": 1, "offset": [0, 2]}]},
    ],
    "TIMEX": [{"id": "T1", "mention": "Monday", "type": "DATE", "sent_id": 1, "offset": [4, 5]}],
    "temporal_relations": {"BEFORE": [["E1", "E2"]], "CONTAINS": [["T1", "E2"]]},
    "causal_relations": {"CAUSE": [["E1", "E2"]]}, "subevent_relations": [],
}  # fmt: skip
RESPONSE = {"id": "d", "coreference": [["m2", "m3"]], "temporal_relations": {"BEFORE": [["m1", "m3"], ["x", "m1"]]}}


def written(folder: Path, name: str, **record: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(record) + "\n")
    return path


def test_events_become_entities_and_their_relations_hold_for_all_mentions(tmp_path: Path) -> None:
    (key,) = scoref.read(written(tmp_path, "key.jsonl", **KEY))
    assert [(each.entity, each.id, key.text_of(each)) for each in key.mentions] == [
        ("E1", "m1", "ran"), ("E2", "m2", "fell"), ("E2", "m3", "The fall")
    ]  # fmt: skip
    assert (key.id, key.sentences, dict(key.mentions[0].attributes)) == ("d", (0, 4), {"type": "Run"})
    assert [(name, ends) for name, _, ends in key.relations] == [
        ("TIMEX", ("T1",)), ("temporal:BEFORE", ("m1", "m2")), ("temporal:BEFORE", ("m1", "m3")),
        ("temporal:CONTAINS", ("T1", "m2")), ("temporal:CONTAINS", ("T1", "m3")),
        ("causal:CAUSE", ("m1", "m2")), ("causal:CAUSE", ("m1", "m3")),
    ]  # fmt: skip


def test_relations_of_what_the_key_lacks_count_unless_the_response_has_the_mentions_of_the_key(tmp_path: Path) -> None:
    sides = written(tmp_path, "key.jsonl", **KEY), written(tmp_path, "response.jsonl", **RESPONSE)
    assert scoref.score(*sides)["temporal"][:2] == (1 / 4, 1)
    assert scoref.score(*sides, twinless="as-is")["temporal"][:2] == (1 / 4, 1 / 2)


def test_a_key_is_the_same_in_json_lines_of_spans(tmp_path: Path, run: Run) -> None:
    path, other = written(tmp_path, "key.jsonl", **KEY), tmp_path / "other.jsonl"
    assert run("convert", path, other, "--to", "jsonl")[0] == 0
    scores = [scoref.score(path, each, protocol="maven-ere", words="check") for each in (path, other)]
    assert [each["maven-ere"].f1 for each in scores] == [scores[0]["kbp"].f1 / 4 + 2 / 4] * 2  # there are no subevents
    assert scores[0]["b3"] == scores[1]["b3"] == (1, 1, 1)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tokens": None}, "bad-words"),
        ({"events": [{"id": "E1", "mention": [{"id": "m1", "sent_id": 2, "offset": [1, 2]}]}]}, "bad-mention"),
        ({"events": [{"id": "E1", "mention": [{"id": "m1", "sent_id": 0, "offset": [1, 5]}]}]}, "bad-mention"),
        ({"events": [{"id": "E1", "mention": [{"id": "E1", "sent_id": 0, "offset": [1, 2]}]}]}, "repeated-id"),
        ({"events": [{"mention": []}]}, "unnamed-document"),
        ({"temporal_relations": {"BEFORE": [["E1", "E9"]]}}, "bad-relation"),
        ({"temporal_relations": {"BEFORE": [["E1", "E1"]]}}, "bad-relation"),
        ({"temporal_relations": {"AFTER": [["E1", "E2"]]}}, "unknown-label"),
        ({"subevent_relations": {"x": 1}}, "bad-relations"),
        ({"causal_relations": [["E1", "E2"]]}, "bad-relations"),
    ],
)
def test_what_is_wrong_with_a_key_is_located(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    path = written(tmp_path, "key.jsonl", **(KEY | change))
    with pytest.raises(Error) as error:
        scoref.read(path, "maven")
    assert (error.value.code, error.value.path, error.value.line) == (code, str(path), 1)


def test_a_pair_with_two_labels_has_the_later_one_and_is_reported(tmp_path: Path) -> None:
    two = {"temporal_relations": {"BEFORE": [["E1", "E2"]], "OVERLAP": [["E1", "E2"]]}}
    key = written(tmp_path, "key.jsonl", **(KEY | two))
    result = scoref.score(key, written(tmp_path, "response.jsonl", **RESPONSE))
    assert result["temporal"][:2] == (0, 0)
    assert [problem.code for problem in result.problems if problem.line] == ["repeated-relation"]


if __name__ == "__main__":
    put(int(sys.argv[1]), Path(sys.argv[2]))
