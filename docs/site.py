"""Makes the site of these pages: python docs/site.py [FOLDER] (needs scoref[docs], and no network).

The folder, `docs/build/site` by default, gets the site, and `offline.html`: everything on one page, in one file.
"""

from __future__ import annotations

import base64
import mimetypes
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

DOCS = Path(__file__).resolve().parent


def build(folder: Path, kind: str, read: Path) -> None:
    """Build the pages as HTML; a warning is an error. Pages that were read before are not read again."""
    options = ["--fail-on-warning", "--quiet", "-d", str(read)]
    environment = {**os.environ, "PYTHONPATH": str(DOCS.parent / "src")}  # notebooks are run in their own folder
    command = [sys.executable, "-m", "sphinx", *options, "-b", kind, str(DOCS), str(folder)]
    subprocess.run(command, env=environment, check=True)


def apart(text: str) -> str:
    """A page made of many, in which places of the same name are told apart by the names of their pages."""
    parts = re.split(r'(<span id="document-[^"]*"></span>)', text)
    for index in range(1, len(parts), 2):
        name = parts[index].split('"')[1].removeprefix("document-")
        part = re.sub(r'(<[^>]*?\bid=")(?!document-)', rf"\g<1>{name}/", parts[index + 1])
        parts[index + 1] = re.sub(r'href="#(?!document-)', f'href="#{name}/', part)
    return re.sub(r'href="#document-([^"#]+)#', r'href="#\1/', "".join(parts))


def packed(page: Path) -> str:
    """A page with its style sheets and pictures inside of it, without scripts."""
    text = apart(page.read_text(encoding="utf-8"))

    def file(address: str) -> Path | None:
        path = page.parent / unquote(address.split("?")[0].split("#")[0])
        return path if path.is_file() else None

    def style(match: re.Match[str]) -> str:
        sheet = file(match[1])
        return f"<style>{sheet.read_text(encoding='utf-8')}</style>" if sheet else match[0]

    def picture(match: re.Match[str]) -> str:
        image = file(match[2])
        if image is None:
            return match[0]
        kind = mimetypes.guess_type(image.name)[0] or "image/png"
        return f'{match[1]}"data:{kind};base64,{base64.b64encode(image.read_bytes()).decode()}"'

    text = re.sub(r'<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>', style, text)
    text = re.sub(r'<link [^>]*href="(?!#|data:)[^>]*>', "", text)  # search, icons, other pages: there are none
    text = re.sub(r'(<img [^>]*?src=)"([^"]+)"', picture, text)
    text = re.sub(r"<form.*?</form>", "", text, flags=re.DOTALL)
    return re.sub(r"<script[^>]*src=[^>]*></script>", "", text)


def main() -> None:
    """Make both."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else DOCS / "build" / "site").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        read, single = Path(scratch, "read"), Path(scratch, "single")
        build(folder, "html", read)
        build(single, "singlehtml", read)
        (folder / "offline.html").write_text(packed(single / "index.html"), encoding="utf-8")


if __name__ == "__main__":
    main()
