"""Codabench's own unpacker takes the bundles: the code of its repository, without its database.

Set CODABENCH to a checkout of codalab/codabench. Everything that the unpacker imports of Django and of Codabench's
models is replaced; what it does with the YAML and the files is its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from places import BESIDE, EXAMPLES

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

Run = Callable[..., tuple[int, str, str]]
CODABENCH = os.environ.get("CODABENCH", "")
UNPACK = """
import datetime, json, sys, types
from pathlib import Path
import yaml

class Anything(types.ModuleType):
    def __getattr__(self, name):
        return type(name, (), {"CURRENT": "Current", "NEXT": "Next", "PREVIOUS": "Previous"})

for name in ("django", "django.core", "django.core.files", "django.test", "django.utils", "api", "api.serializers",
             "api.serializers.competitions", "api.serializers.leaderboards", "api.serializers.tasks",
             "competitions.models", "datasets", "datasets.models", "queues", "queues.models", "tasks", "tasks.models",
             "utils", "utils.storage"):
    sys.modules[name] = Anything(name)
sys.modules["django.utils"].timezone = types.SimpleNamespace(now=lambda: datetime.datetime.now(datetime.timezone.utc))
checkout, folder = sys.argv[1:]
sys.path.insert(0, checkout + "/src/apps")
from competitions.unpackers.v2 import V2Unpacker

record = yaml.safe_load(Path(folder, "competition.yaml").read_text())
unpacker = V2Unpacker(record, folder, types.SimpleNamespace(id=1, username="organiser"))
unpacker.unpack()
print(json.dumps(unpacker.competition, default=str))
"""


@pytest.mark.skipif(not CODABENCH, reason=BESIDE)
@pytest.mark.parametrize(
    ("key", "how"),
    [
        (
            "tales/key.conll",
            ("--title", 'Größe: "2027" # {yes}', "--start", "2027-01-31 12:00:00", "--end", "2027-02-28"),
        ),
        ("task/key", ("--average", "datasets", "--missing", "empty", "--time-limit", "100")),
    ],
)
def test_the_unpacker_takes_the_bundle(key: str, how: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    assert run("bundle", EXAMPLES / key, "-o", tmp_path / "b.zip", *how)[0] == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        packed.extractall(tmp_path / "b")
    done = subprocess.run([sys.executable, "-c", UNPACK, CODABENCH, tmp_path / "b"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONUTF8": "1"}, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    record = yaml.safe_load((tmp_path / "b" / "competition.yaml").read_text(encoding="utf-8"))
    assert found["title"] == record["title"]
    assert found["leaderboards"] == record["leaderboards"]
    assert [each["content"] for each in found["pages"]] == [
        (tmp_path / "b" / each["file"]).read_text(encoding="utf-8") for each in record["pages"]
    ]
    files = [found["tasks"]["0"][name] for name in ("scoring_program", "reference_data")]
    files += [*found["solutions"], found["phases"][0]["starting_kit"]]
    assert [each["file_name"] for each in files if not zipfile.is_zipfile(each["file_path"])] == []
    assert len(files) == 4
    assert found["phases"][0]["start"][:10] == record["phases"][0]["start"][:10]
    assert found["phases"][0]["execution_time_limit"] == (100 if "100" in how else 600)
