"""Kinds of trials: files, calls, and what must hold for them beside what holds for all."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from .calls import call, scoring
from .files import ALONE, FORMATS, Files, written
from .hurt import BREAKABLE, broken, hurt
from .judge import Outcome, run
from .truth import METRICS, Text, answered, renamed, scores, texts

Found = tuple[int, list[str]]  # how many commands ran, and what was wrong
_CORE = ["--protocol", "conll-2012", "--metrics", ",".join(METRICS), "--json"]
_WORDS = ["conll", "corefud", "ua", "jsonl", "text", "muc", "ecb", "webanno", "brat", "booknlp"]


def put(folder: Path, files: Files) -> str:
    """Write files; the name of the first."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return next(iter(files))


def some(kind: str, chance: random.Random, mean: float) -> list[Text]:
    made = texts(chance, mean)
    return made[:1] if kind in ALONE else made


def judged(*done: Outcome) -> Found:
    wrong = [f"{' '.join(map(repr, each.call))}\n{what}" for each in done for what in each.wrong]
    return len(done), [_last_first(each) for each in wrong]


def _last_first(wrong: str) -> str:
    """What is wrong before the call, so that findings of one kind look alike."""
    said, _, what = wrong.partition("\n")
    return f"{what.splitlines()[0]}\n{said}\n" + "\n".join(what.splitlines()[1:])


def _close(one: Any, other: Any) -> bool:
    return all(
        abs(one[metric][part] - other[metric][part]) < 1e-9
        for metric in METRICS
        for part in ("recall", "precision", "f1")
    )


def _values(done: Outcome) -> Any:
    return done.said["scores"]


def oracle(folder: Path, chance: random.Random) -> Found:
    """Two plain files of any formats: accepted, and scored as the definitions say."""
    kind, other = chance.choice(FORMATS), ""
    key = some(kind, chance, 0)
    if kind in _WORDS and chance.random() < 0.5:
        other = chance.choice(_WORDS)
        key = key[:1] if other in ALONE else key
    key = _suited(key, {kind, other})
    response = [answered(text, chance) for text in key]
    if {"table", "text"} & {kind, other} and not all(text.spans for text in key + response):
        return 0, []  # such a table has no such documents, and such a text no marks that would be found
    names = [put(folder, written(kind, key, chance, "k")), put(folder, written(other or kind, response, chance, "r"))]
    extra = ["--key-format", kind, "--response-format", other or kind] if chance.random() < 0.2 else []
    extra += ["--match", "exact", "--invisible", "none", "--duplicates", "first"] if kind == "tbf" else []
    first = run(["score", *names, *_CORE, *extra], folder)
    back = run(["score", *reversed(names), *_CORE, *(extra if "--key-format" not in extra else [])], folder)
    if first.code != 0:
        first.wrong.append(f"a plain {kind} and {other or kind} refused: {first.err[:400]}")
    elif not first.wrong:
        true = scores(key, response)
        if not _close(_values(first), true):
            first.wrong.append(f"other than by definition ({kind} {other}): {_values(first)} {true} {first.reasons}")
        if back.code == 0 and not back.wrong and not _close(_exchanged(_values(back)), true):
            back.wrong.append(f"not exchanged ({kind} {other}): {_values(back)} {true}")
    return judged(first, back)


def _suited(key: list[Text], kinds: set[str]) -> list[Text]:
    """With names that all of these formats can hold."""
    if kinds & {"brat", "webanno", "booknlp", "clusters", ""}:
        return [replace(text, name="tale") for text in key] if len(key) == 1 else key
    return key


def _exchanged(values: Any) -> Any:
    return {m: {"recall": v["precision"], "precision": v["recall"], "f1": v["f1"]} for m, v in values.items()}


def itself(folder: Path, chance: random.Random) -> Found:
    """A file with hostile words and names against itself: 100, or a reason."""
    kind = chance.choice(FORMATS)
    key = some(kind, chance, chance.choice([0, 0.1, 0.4]))
    name = put(folder, written(kind, key, chance, "k", rich=chance.random() < 0.3))
    options = [] if chance.random() < 0.5 else ["--protocol", chance.choice(["conll-2012", "paun-2023", "coval"])]
    done = run(["score", name, name, *options, "--json"], folder)
    both = kind == "jsonl" and b"predicted_clusters" in (folder / name).read_bytes()
    if done.code == 0 and not done.wrong and not done.reasons and not both:
        said = done.said
        low = {
            metric: parts
            for metric, parts in said["scores"].items()
            if any(abs(value - 1) > 1e-9 for value in parts.values()) and metric not in said["undefined"]
        }
        if low and not said["undefined"]:
            done.wrong.append(f"{kind} against itself: {low}")
    return judged(done)


def same(folder: Path, chance: random.Random) -> Found:
    """Other order of documents and other names of entities, packed, as a folder, from a pipe: the same scores."""
    kind = chance.choice([each for each in FORMATS if each not in ALONE])
    key = some(kind, chance, chance.choice([0, 0.15]) if kind != "text" else 0)
    response = [answered(text, chance) for text in key]
    seed, way = chance.randrange(10**9), chance.randrange(5)
    rich = way != 0 and chance.random() < 0.3
    files = [written(kind, side, random.Random(seed), stem, rich) for side, stem in ((key, "k"), (response, "r"))]
    names = [put(folder, each) for each in files]
    options = [*scoring(chance), "--json"] if chance.random() < 0.5 else ["--json"]
    first = run(["score", *names, *options], folder)
    stdin = b""
    if way == 0:
        mixed = [renamed(text, chance) for text in chance.sample(response, len(response))]
        names[1] = put(folder, written(kind, mixed, random.Random(seed), "other"))
    elif way == 1:
        (folder / "r.gz").write_bytes(gzip.compress(next(iter(files[1].values()))))
        names[1] = "r.gz"
        names = [names[0], put(folder, {f"{names[1][:-3]}{_ending(files[1])}.gz": (folder / "r.gz").read_bytes()})]
    elif way == 2:
        stdin, names[1] = next(iter(files[1].values())), "-"
    elif way == 3:
        odd = chance.choice(["ä ö", "-x", "a[1]", "%s", "{x}", "é", "a#b", "x;y", "~", "$HOME", "a'b"])
        names[1] = "./" + put(folder, {f"{odd}{_ending(files[1])}": next(iter(files[1].values()))})
    else:
        names = ["K", "R"]
        for side, place in zip(files, names, strict=True):
            put(folder, {f"{place}/f{_ending(side)}": next(iter(side.values()))})
    second = run(["score", *names, *options], folder, stdin)
    wrong = _differ(first, second, options, way)
    count, found = judged(first, second)
    return count, found + wrong


def _ending(files: Files) -> str:
    name = next(iter(files))
    return name[name.index(".") :]


_ORDERED = ("crac-2022", "crac-2023", "kbp-2015", "evmeval-1.8", "partial-1.0", "head-1.1")


def _differ(first: Outcome, second: Outcome, options: list[str], way: int) -> list[str]:
    what = ["order", "packed", "pipe", "name", "folder"][way]
    if first.code != second.code:
        by_name = way == 4 or "[ambiguous" in second.err or "[unknown-format" in second.err
        return (
            []
            if by_name
            else [f"{what}: exit {first.code}, then {second.code}\n{second.call}\n{first.err}\n{second.err}"]
        )
    if first.code or first.wrong or second.wrong:
        return []
    if way == 4 and "datasets" in json.dumps(first.said["protocol"]["average"]):
        return []
    if way == 0 and first.said["protocol"]["scope"] != "document":
        return []  # names are shared by documents, and are given anew in each
    if way == 0 and ("order-counts" in first.out or any(word in options for word in _ORDERED)):
        return []
    one, other = first.said["scores"], second.said["scores"]
    if json.dumps(one) == json.dumps(other):
        return []
    if all(
        abs(one[m][p] - other.get(m, {}).get(p, 9)) < 1e-9 for m in one for p in one[m] if isinstance(one[m][p], float)
    ):
        return []
    return [f"{what}: other scores\n{second.call}\n{one}\n{other}"]


def converted(folder: Path, chance: random.Random) -> Found:
    """A file against what was made of it: 100, refused, or it was said what is lost."""
    kind, to = chance.choice(FORMATS), chance.choice([each for each in FORMATS if each not in ("booknlp", "clusters")])
    key = some(kind, chance, chance.choice([0, 0.1, 0.3]))
    name = put(folder, written(kind, key, chance, "k", rich=chance.random() < 0.4))
    endings = {"conll": "conll", "corefud": "conllu", "ua": "conllua", "jsonl": "jsonl", "text": "txt",
        "tbf": "tbf", "muc": "sgm", "ecb": "xml", "webanno": "tsv", "table": "csv", "brat": "ann"}  # fmt: skip
    first = run(["convert", name, f"out.{endings[to]}", "--to", to], folder)
    both = kind == "jsonl" and b"predicted_clusters" in (folder / name).read_bytes()
    if first.code or "table" in (kind, to) or "note" in first.err or both:
        return judged(first)
    options = ["--protocol", chance.choice(["conll-2012", "paun-2023"]), "--json"]
    own, done = (
        run(["score", name, name, *options], folder),
        run(["score", name, f"out.{endings[to]}", *options], folder),
    )
    if own.code == 0 and done.code == 0 and not done.wrong and not own.wrong:
        a, b = own.said["scores"], done.said["scores"]
        off = {m: (a[m], b[m]) for m in a if abs(a[m]["f1"] - b[m]["f1"]) > 1e-9}
        if off and not done.reasons and not own.reasons and "drift" not in done.said:
            done.wrong.append(f"{kind} to {to} loses scores: {off}")
    elif own.code == 0 and done.code == 2 and not _may_be_refused(done.err):
        done.wrong.append(f"{kind} to {to} is refused: {done.err[:600]}")
    return judged(first, own, done)


def _may_be_refused(err: str) -> bool:
    """Reasons that a converted file may be refused for: its units are others, or it cannot be told what it is."""
    return any(
        code in err
        for code in ("[mixed-", "[no-words", "[ambiguous-", "[different-units", "[no-marks", "[unknown-format")
    )


def damaged(folder: Path, chance: random.Random) -> Found:
    """A file that is wrong in a known way is refused, or what is wrong is reported; validate finds it, too."""
    kind = chance.choice(BREAKABLE)
    key = some(kind, chance, 0)
    good = put(folder, written(kind, key, chance, "k"))
    done = broken(kind, (folder / good).read_bytes().decode(), chance)
    if done is None:
        return 0, []
    said, what = done
    bad = put(folder, {f"bad{good[1:]}": said.encode()})
    names = chance.choice([[good, bad], [bad, good], [bad, bad]])
    formats = ["--format", kind] if chance.random() < 0.5 else []
    scored = run(["score", *names, "--json", *formats], folder)
    skipped = run(["score", *names, "--json", "--on-problem", "skip", *formats], folder)
    checked = run(["validate", bad, *formats], folder)
    if scored.code == 0 and not scored.reasons:
        scored.wrong.append(f"{kind}: {what}: scored without a word\n{said[:1500]}")
    if skipped.code == 0 and not skipped.reasons:
        skipped.wrong.append(f"{kind}: {what}: skipped without a word\n{said[:1500]}")
    if checked.code == 0 and scored.code == 2 and names == [bad, bad]:
        checked.wrong.append(f"{kind}: {what}: validate finds nothing, score: {scored.err[:300]}")
    return judged(scored, skipped, checked)


def lost(folder: Path, chance: random.Random) -> Found:
    """A document that is gone, or a word that is another, is refused or reported."""
    kind = chance.choice(["conll", "corefud", "ua", "jsonl", "muc"])
    key = [replace(text, name=f"d{at}") for at, text in enumerate(texts(chance, 0) + texts(chance, 0))]
    response, at = list(key), chance.randrange(len(key))
    what = chance.choice(["document", "word", "words", "extra"])
    if what == "document":
        del response[at]
    elif what == "extra":
        response.append(replace(key[at], name="new"))
    else:
        sentences = [list(sentence) for sentence in key[at].sentences]
        chosen = chance.choice(sentences)
        if what == "word":
            chosen[chance.randrange(len(chosen))] = "elsewhere"
        else:
            sentences.append(["quite", "others"])
        response[at] = replace(key[at], sentences=tuple(map(tuple, sentences)))
    names = [put(folder, written(kind, side, chance, stem)) for side, stem in ((key, "k"), (response, "r"))]
    done = run(["score", *names, "--json"], folder)
    if done.code == 0 and not done.reasons and not done.said.get("drift"):
        done.wrong.append(f"{kind}: a {what} differs, without a word")
    return judged(done)


def mutated(folder: Path, chance: random.Random) -> Found:
    """Damaged files of any format, through any command, with any options."""
    kind = chance.choice(FORMATS)
    key = some(kind, chance, chance.choice([0, 0.1, 0.4]))
    rich = chance.random() < 0.4
    answer = [answered(text, chance) for text in key]
    side = [written(kind, key, chance, "k", rich), written(kind, answer, chance, "r", rich)]
    if chance.random() < 0.1:
        side[1] = written(chance.choice(FORMATS), key, chance, "r")
    for files in side:
        for name in files:
            if chance.random() < 0.5:
                files[name] = hurt(files[name], chance)
    names = [put(folder, files) for files in side]
    stdin = b""
    if chance.random() < 0.05:
        stdin, names[1] = (folder / names[1]).read_bytes(), "-"
    return judged(run(call(chance, names[0], names[1:]), folder, stdin))


def asked(folder: Path, chance: random.Random) -> Found:
    """Good files, any command, any options; and the same again, which must say the same."""
    kind = chance.choice(FORMATS)
    key = some(kind, chance, chance.choice([0, 0.1]))
    rich = chance.random() < 0.5
    names = [put(folder, written(kind, key, chance, "k", rich))]
    for stem in "rs"[: chance.choice([1, 1, 2])]:
        names.append(put(folder, written(kind, [answered(text, chance) for text in key], chance, stem, rich)))
    said = call(chance, names[0], names[1:])
    if chance.random() < 0.003 and said[0] in ("score", "compare", "errors"):
        one, two = run([*said, "--jobs", "1"], folder), run([*said, "--jobs", "2"], folder)
        if (one.code, one.out) != (two.code, two.out) and "out" not in " ".join(said):
            two.wrong.append(f"jobs change the result: {one.out[:500]} {two.out[:500]}")
        return judged(one, two)
    return judged(run(said, folder))
