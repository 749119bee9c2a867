"""Measures scoref against the limit of the machine, against other programs and against itself, in one command.

    python benchmarks/run.py                        everything that needs no other program
    python benchmarks/run.py limit start --quick    two parts, on smaller corpora
    python benchmarks/run.py scorers messy --peer perl=scorers/scorer.pl --peer coval=scorers/coval --peer scorch
    python benchmarks/run.py real --files LitBank=key.conll,response.conll --peer coval=scorers/coval
    python benchmarks/run.py --cpu --page docs/performance.md       writes what it measured into that page

What is compared is run in turn, several times, and the best time of each counts, so that the noise of the machine hits
all sides alike. `parts` has what is measured, `peers.py` the other programs.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from pathlib import Path

import numpy as np

import measuring
import page
import parts
import scoref
from peers import PEERS

OTHERS = ("pandas", "scikit-learn", "er-evaluation")  # peers on tables, which are packages and need no path


def main() -> None:
    """Run the parts that were asked for, print their tables, and write them to a page if there is one."""
    known = parts.found()
    options = _options(known)
    peers = dict(peer.partition("=")[::2] for peer in options.peer)
    if options.cpu:
        measuring.CLOCK["now"] = measuring.processor_time
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's import starts threads that wait for work by spinning
    versions = f"scoref {scoref.__version__}, numpy {np.__version__}, Python {sys.version.split()[0]}"
    how = f"{versions}, {'processor' if options.cpu else 'elapsed'} time, {os.cpu_count()} cores"
    with tempfile.TemporaryDirectory(dir=options.temp) as folder:
        # all processes find their bytecode cached, as that of an installed package is
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        whole = measuring.Settings(
            Path(folder), options.quick, options.large, options.repetitions or (1 if options.quick else 3), peers,
            options.python, options.patience, options.memory, dict(map(_pair, options.files)),
        )  # fmt: skip
        print(how, file=sys.stderr)
        for name in options.parts or known:
            print(f"{name} ...", file=sys.stderr)
            rows = []
            for row in known[name](whole.within(name)):
                rows.append(row)
                print(f"  {row.what}: {row.measured}", file=sys.stderr)
            figures = page.Figures(name, known[name].__doc__ or "", _command(name, options, rows), how, rows)
            print(page.markdown(figures) if options.markdown else page.text(figures), flush=True)
            if options.page:
                page.write(figures, options.page)
    if options.quick:
        print("--quick: the targets are meant for the full sizes.")


def _options(known: dict[str, measuring.Part]) -> argparse.Namespace:
    contents = "\n".join(f"  {name:<17} {(part.__doc__ or '').splitlines()[0]}" for name, part in known.items())
    parser = argparse.ArgumentParser(
        description=f"Measures scoref. Parts:\n{contents}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="names of parts (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller corpora, fewer repetitions")
    parser.add_argument("--large", action="store_true", help="tables of a hundred million mentions, too")
    parser.add_argument(
        "--peer", action="append", default=[], metavar="NAME[=PATH]", help=f"of {', '.join((*PEERS, *OTHERS))}"
    )
    parser.add_argument(
        "--files",
        action="append",
        default=[],
        metavar="NAME=KEY,RESPONSE",
        help="files of your own, for `real` and `where`",
    )
    parser.add_argument("--python", default=sys.executable, help="a Python that has the packages of peers")
    parser.add_argument("--repetitions", type=int, metavar="N", help="more of them for a noisy machine (default 3)")
    parser.add_argument("--cpu", action="store_true", help="processor time, for a machine that is busy otherwise")
    parser.add_argument("--patience", type=float, default=900, metavar="SECONDS", help="for a peer (default 900)")
    parser.add_argument("--memory", default="4GB", help="what DuckDB may take (default 4GB)")
    parser.add_argument("--temp", help="a folder with room for the corpora")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the figures of these parts into a page")
    options = parser.parse_args()
    given = {peer.partition("=")[0] for peer in options.peer}
    if unknown := {*options.parts} - {*known} | given - {*PEERS, *OTHERS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return options


def _pair(said: str) -> tuple[str, tuple[Path, Path]]:
    """A name, and the files of key and response."""
    name, _, paths = said.partition("=")
    key, _, response = paths.partition(",")
    return name, (Path(key), Path(response))


def _command(part: str, options: argparse.Namespace, rows: list[measuring.Row]) -> str:
    """What repeats one part; paths are left out, as they differ from machine to machine."""
    said = ["python", "benchmarks/run.py", part]
    said += [f"--{name}" for name in ("quick", "large", "cpu") if getattr(options, name)]
    said += ["--memory", options.memory] if options.memory != "4GB" and "tables" in part else []
    said += ["--repetitions", str(options.repetitions)] if options.repetitions else []
    for name, _ in map(_pair, options.files if part in ("real", "where") else ()):
        said += ["--files", f"{name}=KEY,RESPONSE"]
    for peer in options.peer:
        name, _, path = peer.partition("=")
        if any(name in row.what for row in rows):
            said += ["--peer", name + "=PATH" * bool(path)]
    return shlex.join(said)


if __name__ == "__main__":
    main()
