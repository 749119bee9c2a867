"""Prints the table of docs/dependencies.md: python docs/dependencies.py (a test compares it with the page)."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Words of metadata that tell licences apart; packages write them in many ways.
_LICENCES = {
    "MPL": "MPL 2.0", "Mozilla": "MPL 2.0", "Apache": "Apache 2.0", "BSD": "BSD", "MIT": "MIT",
    "Permission is hereby granted, free of charge": "MIT", "Python Software Foundation": "PSF", "PSF": "PSF",
    "GPL-3.0-or-later": "GPL 3 or later", "GNU General Public License v3 or later": "GPL 3 or later",
}  # fmt: skip
_USES = {
    "": "always", "test": "developing: `pip install 'scoref[test]'`", "docs": "these pages: `scoref[docs]`",
    "plots": "`--plot`: `scoref[plots]`", "tokens": "`scoref tokenize`: `scoref[tokens]`",
    "tables": "tables in DuckDB, Parquet: `scoref[tables]`", "spark": "tables in Spark: `scoref[spark]`",
    "torch": "`CoreferenceScore`: `scoref[torch]`", "completion": "completion in shells: `scoref[completion]`",
    "inspect": "the scorer for Inspect: `scoref[inspect]`", "lm-eval": "the task for lm-eval: `scoref[lm-eval]`",
    "lighteval": "the task for lighteval: `scoref[lighteval]`", "recipes": "recipes of the docs: `scoref[recipes]`",
    "test-all": "comparing with others: `scoref[test-all]`",
}  # fmt: skip


def needed() -> dict[str, list[str]]:
    """For each package that the project names, the parts of the project that need it, '' being the core."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, list[str]] = {}
    for part, packages in {"": project["dependencies"], **project["optional-dependencies"]}.items():
        for requirement in packages:
            name = re.split(r"[^\w.-]", requirement)[0]
            if name != "scoref":
                found.setdefault(name, []).append(part)
    return found


def licence(package: str) -> str | None:
    """The licence that the metadata of an installed package names; None if there is none, or it is not installed."""
    try:
        said: PackageMetadata = metadata(package)
    except PackageNotFoundError:
        return None
    classifiers = [each for each in said.get_all("Classifier", []) if each.startswith("License")]
    text = " ".join([said.get("License-Expression", ""), *classifiers]).strip() or said.get("License", "")
    return next((name for word, name in _LICENCES.items() if re.search(rf"\b{word}\b", text)), text[:60]) or None


def rows() -> dict[str, tuple[str, str | None]]:
    """What the table says of each package: what it is for, and its licence, None if that is not known here."""
    order = list(_USES)
    found = {}
    for name, parts in sorted(needed().items(), key=lambda item: (min(map(order.index, item[1])), item[0])):
        shown = [part for part in parts if part != "test"] or parts  # what users need, too, is no matter of developing
        found[name] = ", ".join(_USES[part] for part in shown), licence(name)
    return found


if __name__ == "__main__":
    for package, (use, name) in rows().items():
        print(f"| {package} | {use} | {name or '?'} |")  # noqa: T201
