"""The page in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import browser
import corpus
from measuring import Row, Settings, at_least, at_most, process, scoref_command

MODES = {"stacked": "", "side by side": "side", "differences": "differences", "all systems": "all",
         "A against B": "against"}  # fmt: skip


def reading(settings: Settings) -> Iterator[Row]:
    """One long document in Chromium: until each way to show it is there, and frames a second while it is scrolled.

    With `--cpu`, the time of the thread that runs the page.
    """
    tokens = 20_000 if settings.quick else 200_000
    (text,) = corpus.texts(1, tokens)
    other = text._replace(response=[mention for number, mention in enumerate(text.key) if number % 7])
    key, first = corpus.write_conll([text], settings.within("first").folder)
    _, second = corpus.write_conll([other], settings.within("second").folder)
    file = settings.folder / "report.html"
    process(*scoref_command(), "report", key, first, second, "--names", "A,B", "-o", file)()
    with browser.chromium() as chromium:
        if chromium is None:
            yield Row("a document in Chromium", "no playwright, or no Chromium")
            return
        for name, mode in MODES.items():
            runs = [browser.look(chromium, file, f"#/doc/1?mode={mode}") for _ in range(settings.repetitions)]
            what = f"{name}, {tokens:,} tokens"
            yield at_most(f"{what}: opened", min(run.seconds for run in runs), 2, "s")
            yield at_least("its frames a second, reading on", max(run.reading for run in runs), 30, "Hz")
            yield at_least("its frames a second, leafing through", max(run.leafing for run in runs), 30, "Hz")


PARTS = (reading,)
