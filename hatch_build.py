"""What the registry of packages shows: the README with links that work there, and where the project lives.

The home is that of the repository the package is built from: `SCOREF_HOME` (https://HOST/OWNER/NAME), or what GitHub's
actions say. Where nobody says, there are no addresses, and what would be a broken link is plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def home() -> str:
    """The address of the repository; '' if nobody says."""
    given = os.environ.get("SCOREF_HOME", "")
    if not given and os.environ.get("GITHUB_REPOSITORY"):
        given = f"{os.environ.get('GITHUB_SERVER_URL', '')}/{os.environ['GITHUB_REPOSITORY']}"
    return given.rstrip("/") if given.startswith("https://") else ""


def readme(text: str, home: str, version: str) -> str:
    """The text with absolute links and pictures, to the files of that version.

    >>> readme("See [score](docs/score.md#how), ![page](p.png).", "https://example.org/a/b", "1.0")
    'See [score](https://example.org/a/b/blob/v1.0/docs/score.md#how), ![page](https://example.org/a/b/raw/v1.0/p.png).'
    >>> readme("See [score](docs/score.md), ![page](p.png).", "", "1.0")
    'See score, .'
    """

    def absolute(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if not home:
            return "" if mark else words
        return f"{mark}[{words}]({home}/{'raw' if mark else 'blob'}/{_tag(version)}/{target})"

    return _LINK.sub(absolute, text)


def _tag(version: str) -> str:
    """What a version is called in the repository; one that is not released is the newest."""
    return "HEAD" if "dev" in version else f"v{version}"


def urls(home: str, version: str) -> dict[str, str]:
    """The addresses of the project."""
    places = {"Homepage": "", "Documentation": f"/tree/{_tag(version)}/docs", "Source": "", "Issues": "/issues",
              "Changelog": f"/blob/{_tag(version)}/CHANGELOG.md"}  # fmt: skip
    return {name: home + path for name, path in places.items()} if home else {}


class CustomMetadataHook(MetadataHookInterface):
    """Makes the parts of the metadata that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill them in."""
        root = Path(self.root)
        version = re.search(r'__version__ = "(.*)"', (root / "src/scoref/__init__.py").read_text(encoding="utf-8"))
        assert version is not None
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, home(), version[1])}
        metadata["urls"] = urls(home(), version[1])
