"""What the project depends on: the page says it, licences included; nothing has a known weakness."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from places import ROOT

specification = importlib.util.spec_from_file_location("dependencies", ROOT / "docs" / "dependencies.py")
assert specification
assert specification.loader
dependencies = importlib.util.module_from_spec(specification)
specification.loader.exec_module(dependencies)


def test_the_page_lists_what_is_needed_with_its_licence():
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    page = {name: (use, licence) for name, use, licence in re.findall(r"^\| ([\w-]+) \| (.+) \| (.+) \|$", text, re.M)}
    page.pop("package")
    found = dependencies.rows()
    assert page == {name: (use, licence or page.get(name, ("", ""))[1]) for name, (use, licence) in found.items()}


def installed(names: list[str]) -> dict[str, str]:
    """The versions of installed packages, and of all that they need here."""
    versions: dict[str, str] = {}
    while names:
        name = names.pop()
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        if there.metadata["Name"] in versions:
            continue
        versions[there.metadata["Name"]] = there.version
        names += [re.split(r"[^\w.-]", each)[0] for each in there.requires or () if "extra ==" not in each]
    return versions


def test_nothing_that_users_get_has_a_known_weakness(tmp_path: Path):
    pytest.importorskip("pip_audit", reason="pip-audit is not installed: pip install 'scoref[test]'")
    names = [name for name, parts in dependencies.needed().items() if {*parts} - {"test", "docs"}]
    (tmp_path / "pinned.txt").write_text("".join(f"{name}=={version}\n" for name, version in installed(names).items()))
    command = [sys.executable, "-m", "pip_audit", "-r", "pinned.txt", "--no-deps", "--disable-pip", "--timeout", "10",
               "--format", "json", "--progress-spinner", "off"]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    try:
        answers = json.loads(done.stdout)["dependencies"]
    except ValueError:
        pytest.skip(f"the advisory service cannot be reached: {done.stderr.strip().splitlines()[-1:]}")
    known = [each for each in answers if "skip_reason" not in each]
    weak = {
        f"{each['name']} {each['version']}": [one["id"] for one in each["vulns"]] for each in known if each["vulns"]
    }
    assert weak == {}
    if len(known) < len(answers):
        unknown = ", ".join(each["name"] for each in answers if "skip_reason" in each)
        pytest.skip(f"the advisory service does not answer for {unknown}")
