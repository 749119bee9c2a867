"""Trials: mutated files, and the check that is made on them. A trial follows from its number and its seed alone."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import traceback
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scoref import formats
from scoref.formats.marked.styles import STYLES
from scoref.protocol.protocol import PROTOCOLS
from scoref.results import saved

from .breaking import BREAKS, broken
from .checks import CHECKS
from .generate import WRITTEN, pair
from .mutate import chosen as mutated
from .options import COMMANDS, HOSTILE, drawn
from .running import Runner, written
from .seeds import BESIDE, OTHERS, SEEDS, suffix_of

TABLES = ("csv", "tsv", "parquet")
BRACKETS = ("conll", "conll-parts", "corefud", "corefud-sets")
DIVISIBLE = ("conll", "conll-parts", "jsonl-lines", "jsonl-shapes", "record")  # in parts, for several workers
NUGGETS = ("tbf", "tbf-tokens", "brat")
KINDS = (*SEEDS, *OTHERS, "parquet", "saved", "folder", "mixed")
_OWN = {"gap": "gap", "tokenize": "tokenize", "protocol": "protocol", "types": "types", "saved": "sums"}
_COMMANDS = (
    "validate",
    "validate",
    "agreement",
    "winobias",
    "errors",
    "by",
    "convert",
    "convert",
    "explain",
    "stability",
)


_WRITABLE = [each for each in formats.FORMATS.values() if each.writes]


class Trial(NamedTuple):
    """Files by their names, the check to make on them, the names of key and response, and options."""

    files: dict[str, bytes]
    check: str
    key: str
    response: str
    options: tuple[str, ...] = ()

    def wrong(self, folder: Path) -> tuple[list[str], int]:
        """What is wrong, and how many commands were run."""
        run = Runner()
        with written(self.files, folder):
            try:
                CHECKS[self.check](run, self.key, self.response, self.options)
            except Exception as reason:  # the library called without a command, or something not well formed
                place = traceback.extract_tb(reason.__traceback__)[-1]
                run.found(f"{type(reason).__name__} at {Path(place.filename).name}:{place.lineno}: {reason}")
        return run.wrong, run.runs


def trials(kind: str, chance: random.Random, check: str | None = None) -> list[Trial]:
    """The checks that are made on one input; that one alone, if it is named and the kind has it."""
    if kind in _OWN:
        key, response, files = _other(kind, chance)
        return [Trial(files, _OWN[kind], key, response)]
    if kind == "folder":
        key, response, files = _folder(chance)
        names = ("plain", "jobs") if chance.random() < 0.02 else ("plain", "itself", "agree", "valid")
        return [Trial(files, name, key, response, _problem(chance)) for name in (names[0], chance.choice(names[1:]))]
    if kind in BREAKS and check in (None, "refused") and chance.random() < (1 if check else 0.08):
        return _broken(kind, chance)
    key, response, files = _files(kind, chance)
    options = _reading(kind, chance) + _scoring(kind, chance)
    first = Trial(files, "plain", key, response, options)
    if check:
        return [each for each in (first, _second(kind, first, chance, check)) if each.check == check]
    return [first, _second(kind, first, chance)] if chance.random() < 0.45 else [first]


def _second(kind: str, first: Trial, chance: random.Random, check: str | None = None) -> Trial:
    """An invariant, on the same files."""
    names = ["itself", "itself", "valid", "valid", "outputs", "commands", "agree", "anything", "anything", "anything"]
    if kind not in TABLES:
        names += ["kept", "kept", "kept", "order", "order", "literal", "literal", "literal", "halves", "table"]
    elif kind != "mixed":
        names += ["engines"] * 3
    if kind not in (*NUGGETS, "mixed"):
        names += ["exchange", "exchange"]
    if kind in BRACKETS:
        names += ["brackets", "brackets"]
    if kind in DIVISIBLE:
        names += ["jobs"]
    name = chance.choice(names) if check not in names else check
    problem = _problem(chance)
    reading, options = _reading(kind, chance) + problem, first.options
    if name == "exchange":
        options = reading
    elif name in ("order", "brackets"):
        options = problem + _scoring(kind, chance, ordered=True)
    elif name == "kept":
        to = chance.choice(["jsonl", "conll", "corefud", "ua"] + [each.name for each in _WRITABLE])
        known = [each for each in PROTOCOLS if each not in _BY_LINE]  # mentions get the order of the other format
        options = ("--to", to, *reading, "--protocol", chance.choice(("conll-2012", "conll-2012", *known)))
    elif name == "valid":
        options = _reading(kind, chance)
    elif name in ("literal", "halves", "table", "engines"):
        options = ()
    elif name == "anything":
        command = chance.choice((*COMMANDS, *["score"] * 4))
        options = ("command", command, *drawn(command, chance))
    elif name == "outputs":
        options = ("command", chance.choice(("score", "compare", "errors", "agreement")), *options)
    elif name == "commands":
        options = ("command", chance.choice(_COMMANDS), *options)
    return first._replace(check=name, options=options)


def _reading(kind: str, chance: random.Random) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    if kind == "tbf-tokens" and chance.random() < 0.7:
        found += ("--tokens", "tokens")
    if kind.startswith("jsonl") and chance.random() < 0.1:
        found += ("--ends", "exclusive")
    if chance.random() < (0.3 if kind == "mixed" else 0.04):
        found += ("--format", chance.choice([*formats.FORMATS]))
    if kind.startswith("text-") and chance.random() < 0.1:
        found += ("--marks", chance.choice([*STYLES]))
    return found


def _problem(chance: random.Random) -> tuple[str, ...]:
    return ("--on-problem", "skip") if chance.random() < 0.4 else ()


_CHOICES = (
    ("--metrics", "all"), ("--layer", "all"), ("--layer", "bridging"), ("--layer", "deixis"), ("--match", "head"),
    ("--match", "min"), ("--match", "partial"), ("--singletons", "drop"), ("--duplicates", "first"),
    ("--duplicates", "error"), ("--average", "macro"), ("--zeros", "dependent-corrected"), ("--split", "only"),
    ("--split", "ignore"), ("--twinless", "pad-key"), ("--scope", "corpus"),
    ("--metrics", "mor,lea,blanc,ceafm,entities-exact,b3-sys,v-measure,ari"),
)  # fmt: skip
# Rules that are those of other scorers, in which the order of lines decides between what is equally good.
_BY_LINE = ("kbp-2015", "evmeval-1.8", "crac-2022", "crac-2023")


def _scoring(kind: str, chance: random.Random, ordered: bool = False) -> tuple[str, ...]:
    found = () if ordered else _problem(chance)
    known = [name for name in PROTOCOLS if not (ordered and name in _BY_LINE)]
    if chance.random() < 0.3 or (ordered and kind in NUGGETS):
        found += ("--protocol", chance.choice(known))
    if chance.random() < 0.5 and not ordered:
        found += chance.choice(_CHOICES)
    return found


def _files(kind: str, chance: random.Random) -> tuple[str, str, dict[str, bytes]]:
    """A key and a response of a kind; the response is mutated, the key sometimes."""
    if kind == "parquet":
        return _parquet(chance)
    if kind == "mixed":  # formats that need not fit
        one, other = (chance.choice([*SEEDS]) for _ in range(2))
        ours, theirs = _files(one, chance), _files(other, chance)
        return ours[0], theirs[1], theirs[2] | ours[2] | {theirs[1]: theirs[2][theirs[1]]}
    made = pair(kind, chance) if kind in WRITTEN and chance.random() < 0.5 else None
    key, response = made or (SEEDS[kind], SEEDS[kind])
    stem = chance.choice(HOSTILE) if kind not in BESIDE and chance.random() < 0.06 else "d"
    names = f"key/{stem}.{suffix_of(kind)}", f"response/{stem}.{suffix_of(kind)}"
    if kind in ("csv", "tsv") and chance.random() < 0.1:
        key, response = (_other_columns(text, chance) for text in (key, response))
    files = {
        names[0]: key.encode() if chance.random() < 0.75 else mutated(key, chance),
        names[1]: mutated(response, chance) if not made or chance.random() < 0.7 else response.encode(),
    }
    for name, text in BESIDE.get(kind, {}).items() if not made or kind != "brat" else ():
        for side in dict.fromkeys(name.format(each) for each in ("key", "response")):
            files[side] = text.encode() if chance.random() < 0.85 else mutated(text, chance)
    if chance.random() < 0.1:
        names = names[1], names[0]
    return *names, files


def _broken(kind: str, chance: random.Random) -> list[Trial]:
    """A valid key, and a response that is broken in a known way."""
    made = pair(kind, chance) if kind in WRITTEN and kind not in BESIDE else (SEEDS[kind], SEEDS[kind])
    found = broken(kind, made[1], chance) if made else None
    if not made or not found:
        return []
    names = f"key/d.{suffix_of(kind)}", f"response/d.{suffix_of(kind)}"
    files = {names[0]: made[0].encode(), names[1]: found[1].encode()}
    return [Trial(files, "refused", *names, ("broken", found[0]))]


def _other_columns(text: str, chance: random.Random) -> str:
    """A table in which a column has a hostile name."""
    header, _, rest = text.partition("\n")
    mark = "\t" if "\t" in header else ","
    names = header.split(mark)
    names[chance.randrange(len(names))] = '"' + chance.choice(HOSTILE).replace('"', '""') + '"'
    return f"{mark.join(names)}\n{rest}"


def _parquet(chance: random.Random) -> tuple[str, str, dict[str, bytes]]:
    files = {}
    for side in ("key", "response"):
        size = chance.choice((0, 1, 3, 6))
        columns = {
            "mention": chance.choices([*"abcde", None], k=size)
            if chance.random() < 0.2
            else chance.sample("abcdefgh", size),
            "entity": [chance.choice((1, 2, 3)) if chance.random() < 0.99 else None for _ in range(size)],
        }  # fmt: skip
        if chance.random() < 0.3:
            columns["document"] = [chance.choice("xy") for _ in range(size)]
        types: dict[str, str] = {}
        if chance.random() < 0.4:
            names = [chance.choice((name, name, chance.choice(HOSTILE))) for name in columns]
            types = {name: chance.choice(("", "", "", *_TYPES)) for name in names}
        data = _packed(json.dumps(columns), json.dumps(types), chance.random() < 0.03)
        if chance.random() < 0.3 and data:
            place = chance.randrange(len(data))
            data = (
                data[:place]
                + bytes([chance.randrange(256)]) * chance.randrange(3)
                + data[place + chance.randrange(3) :]
            )
        files[f"{side}/d.parquet"] = data
    return "key/d.parquet", "response/d.parquet", files


_TYPES = ("list", "struct", "decimal", "dictionary", "null", "binary", "uint64", "float", "bool", "date", "time", "map")


@cache
def _packed(columns: str, types: str = "{}", twice: bool = False) -> bytes:
    """A Parquet file of these columns, some of other types and names; perhaps with one of them for the second time."""
    import pyarrow
    import pyarrow.parquet

    known, other = json.loads(columns), json.loads(types)
    names = [*other] if len(other) == len(known) else [*known]
    arrays = [_typed(values, other.get(name, "")) for name, values in zip(names, known.values(), strict=True)]
    if twice:
        names, arrays = [*names, names[0]], [*arrays, arrays[0]]
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, names), out)
    return out.getvalue()


def _typed(values: list[object], type: str) -> object:
    """The values as an array of another type, each in some way that this has."""
    import pyarrow

    numbers = [None if each is None else each if isinstance(each, int) else ord(str(each)[0]) for each in values]
    made = {
        "list": lambda: pyarrow.array([[each] for each in values]),
        "struct": lambda: pyarrow.array([{"a": each} for each in values]),
        "decimal": lambda: pyarrow.array(numbers).cast(pyarrow.decimal128(30, 2)),
        "dictionary": lambda: pyarrow.array(
            [None if each is None else str(each) for each in values], pyarrow.string()
        ).dictionary_encode(),
        "null": lambda: pyarrow.nulls(len(values)),
        "binary": lambda: pyarrow.array([None if each is None else str(each).encode() for each in values]),
        "uint64": lambda: pyarrow.array(
            [None if each is None else 2**64 - 1 - each for each in numbers], pyarrow.uint64()
        ),
        "float": lambda: pyarrow.array([float("nan") if each is None else each / 2 for each in numbers]),
        "bool": lambda: pyarrow.array([None if each is None else each % 2 == 0 for each in numbers]),
        "date": lambda: pyarrow.array(numbers, pyarrow.int32()).cast(pyarrow.date32()),
        "time": lambda: pyarrow.array(numbers, pyarrow.int64()).cast(pyarrow.timestamp("us")),
        "map": lambda: pyarrow.array(
            [[("a", each)] for each in numbers], pyarrow.map_(pyarrow.string(), pyarrow.int64())
        ),
    }
    return made[type]() if type and values else pyarrow.array(values)


_FOLDED = ("conll", "jsonl", "corefud", "ua", "brat", "webanno", "ecb", "text-markdown", "clusters", "csv")


def _folder(chance: random.Random) -> tuple[str, str, dict[str, bytes]]:
    """Two folders of files, some of which are missing, renamed, packed, or something else."""
    kind = chance.choice(_FOLDED)
    files = {}
    for number in range(chance.choice((1, 2, 3))):
        key, response = (
            _files(kind, chance)[2].values()
            if kind not in BESIDE
            else (SEEDS[kind].encode(), mutated(SEEDS[kind], chance))
        )
        for side, data in (("key", key), ("response", response)):
            name = f"{side}/{chance.choice(('a', 'b', 'sub/c', f'd{number}', f'd{number}'))}.{suffix_of(kind)}"
            if chance.random() < 0.1:
                name = chance.choice(
                    (f"{side}/README", f"{side}/.hidden", f"{side}/x.bin", f"{name}.gz", f"{side}/=1\u202e")
                )
            if number == 0 or chance.random() < 0.9:
                files[name] = data
    return "key", "response", files


def _other(kind: str, chance: random.Random) -> tuple[str, str, dict[str, bytes]]:
    suffix = suffix_of(kind)
    if kind == "saved":
        text = mutated(_sums(chance.choice((*_FOLDED[:4], "tbf"))), chance)
        with contextlib.suppress(ValueError, AttributeError, RecursionError):
            record = {name: value for name, value in json.loads(text).items() if name != "checksum"}
            text = json.dumps({**record, "checksum": saved._checksum(record)}).encode()
        return "key.json", "response.json", {"key.json": _sums("conll").encode(), "response.json": text}
    files = {name: text.encode() for name, text in BESIDE.get(kind, {}).items()}
    key = next(iter(files), f"key.{suffix}")
    files.setdefault(key, OTHERS[kind].encode())
    return key, f"response.{suffix}", files | {f"response.{suffix}": mutated(OTHERS[kind], chance)}


@cache
def _sums(kind: str) -> str:
    """A saved evaluation."""
    import tempfile

    from scoref import score

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"key.{suffix_of(kind)}")
        path.write_text(SEEDS[kind], encoding="utf-8")
        saved.save(score(os.fspath(path), os.fspath(path)), Path(folder, "saved.json"))
        return Path(folder, "saved.json").read_text(encoding="utf-8")
