"""Runs one scorer on the cases that come on standard input, a line each: python -m peers.worker MODULE SCORER PATH."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

from suite.cases import Case


def main() -> None:
    """Print what it gives, a line for each case."""
    module, scorer, place = sys.argv[1:]
    cases = [Case(*json.loads(line)) for line in sys.stdin]
    out, sys.stdout = sys.stdout, sys.stderr  # what scorers print is not the answer
    for found in importlib.import_module(f"peers.{module}").score(Path(place), scorer, cases):
        out.write(json.dumps(found) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
