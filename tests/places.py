"""Where tests find files: the project's examples, and recorded material beside the project, which may be absent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"

# A further check with files of other projects. Without them it is left out: `conformance/` has what runs always.
BESIDE = f"needs the files of other projects beside this one, in {SHARED}"
beside = pytest.mark.skipif(not SHARED.is_dir(), reason=BESIDE)


def recorded(path: Path) -> list[object]:
    """The cases of a file, a line of JSON each, as parameters of a test that is left out if there is no file."""
    if not path.exists():
        return [pytest.param({}, marks=beside)]
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert cases, f"{path} is empty"
    return [pytest.param(case, id=case["id"]) for case in cases]
