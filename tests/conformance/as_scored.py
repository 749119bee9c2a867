"""How scoref scores the cases of the conformance suite as each of the recorded scorers does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import scoref
from suite import cases, scorers
from suite.cases import Case
from suite.files import FORMATS, WRITERS
from suite.numbers import triple, written
from suite.sides import Side

CONLL = {"protocol": "conll-2012"}
COVAL = {"protocol": "coval"}
UA = {"protocol": "codi-crac-2022"}
COREFUD = {"protocol": "crac-2024"}
AS: dict[str, dict[str, Any]] = {
    "perl-8.01": CONLL,
    "coval": COVAL,
    "coval remove_singletons": {**COVAL, "singletons": "drop"},
    "coval min_span": {**COVAL, "match": "min-coval"},
    "coval NP_only": {**COVAL, "mentions": "np"},
    "coval remove_nested": {**COVAL, "nested": "drop-coval"},
    "definition": CONLL,
    "definition of sets": {"protocol": "paun-2023", "format": "ua"},
    "e2e-coref": {"protocol": "e2e"},
    "allennlp": {"protocol": "allennlp"},
    "maverick": {"protocol": "maverick"},
    "tanl micro": CONLL,
    "tanl macro": {**CONLL, "average": "macro", "empty": "count"},
    "stanza": {"protocol": "stanza"},
    "scorch": {"protocol": "scorch"},
    "scorch functions": {**CONLL, "links": "scorch"},
    "neleval": {"protocol": "neleval"},
    "neleval prepared": CONLL,
    "ua-1.0": UA,
    "ua-1.0 remove_singletons": {**UA, "singletons": "drop"},
    "ua-1.0 remove_split_antecedent": {**UA, "split": "ignore"},
    "ua-1.0 only_split_antecedent": {**UA, "split": "only"},
    "ua-1.0 MIN": {**UA, "match": "min"},
    "ua-1.0 keep_non_referring": {**UA, "layer": "non-referring"},
    "ua-1.0 keep_bridging": {**UA, "layer": "bridging"},
    "ua-1.0 evaluate_discourse_deixis": {**UA, "layer": "deixis"},
    "corefud-1.2": COREFUD,
    "corefud-1.2 -s": {**COREFUD, "singletons": "keep"},
    "corefud-1.2 -s -a exact": {**COREFUD, "singletons": "keep", "match": "exact"},
    "corefud-1.2 -a partial": {**COREFUD, "match": "partial"},
    "corefud-1.2 -s -z linear": {**COREFUD, "singletons": "keep", "zeros": "linear"},
    "corefud-1.1": {"protocol": "crac-2023"},
    "corefud-1.1 -s -a partial": {"protocol": "crac-2023", "singletons": "keep", "match": "partial-1.0"},
    "corefud-1.0": {"protocol": "crac-2022"},
    "corefud-1.0 -s -x": {"protocol": "crac-2022", "singletons": "keep", "match": "exact"},
    "evmeval-1.8": {"protocol": "evmeval-1.8"},
}
ALONE = ("neleval",)  # what it gives for a document depends on the others

Numbers = dict[str, str]


def reads(scorer: str) -> str:
    """The format of the files that a scorer is given; CoNLL, if it is given clusters."""
    given = str(scorers.known()[scorer]["reads"])
    return given if given in FORMATS else "conll"


@cache
def every(name: str) -> tuple[Case, ...]:
    """The cases of a set, read once."""
    return tuple(cases.read(name))


def said(scorer: str, name: str) -> list[tuple[Case, Numbers]]:
    """The cases of a set for which a scorer gave numbers, with these."""
    found = [(case, scorers.of(case, scorer)) for case in every(name)]
    return [
        (case, numbers)
        for case, each in found
        if (numbers := {m: n for m, n in each.items() if ":" not in n and "nan" not in n})
    ]


def scored(scorer: str, given: list[Case], names: list[str], folder: Path) -> list[Numbers]:
    """What scoref gives: documents that are cases together, cases of several documents one by one."""
    if scorer == "evmeval-1.8":
        return [_nuggets(case, folder) for case in given]
    sets = scorer == "definition" and given[0].set == "anaphora"
    how = {"format": reads(scorer), **AS["definition of sets" if sets else scorer], "metrics": names, "words": "ignore"}
    format = how.pop("format")
    if scorer not in ALONE and all(isinstance(case.row["key"], str) for case in given):
        result = _of_files(format, given, how, folder)
        return [{name: triple(*each[name]) for name in names} for each in result.by_document().values()]
    if scorer in ("perl-8.01", *ALONE) or format != "conll":
        results = [_of_files(format, [case], how, folder) for case in given]
    else:
        results = [scoref.score(*clusters(case), **{**how, "words": "check"}) for case in given]
    return [{name: triple(*each[name]) for name in names} for each in results]


def _of_files(format: str, given: list[Case], how: dict[str, Any], folder: Path) -> scoref.Evaluation:
    files = []
    for which in ("key", "response"):
        files.append(folder / which)
        files[-1].write_text(FORMATS[format].together(given, which), encoding="utf-8")
    return scoref.score(*files, format=format, **how)


def _nuggets(case: Case, folder: Path) -> Numbers:
    """The scores of event nuggets: each combination of attributes, of coreference f1 alone, of sequences."""
    files = []
    for which in ("key", "response"):
        files.append(folder / f"{which}.tbf")
        files[-1].write_text(FORMATS["tbf"].written(case, which), encoding="utf-8")
    result = scoref.score(*files, format="tbf", **AS["evmeval-1.8"]).to_dict()
    parts = ("recall", "precision", "f1")
    found = {
        name + ("" if average == "micro" else "_macro"): triple(*(each[average][part] for part in parts))
        for name, each in result["nuggets"].items()
        for average in ("micro", "macro")
    }
    found |= {name: written(each["f1"]) for name, each in result["scores"].items()}
    return found | {n: triple(*(each[part] for part in parts)) for n, each in result.get("sequencing", {}).items()}


def as_format(case: Case, format: str, names: list[str], folder: Path) -> Numbers:
    """What scoref gives for a case as files of a format, under the reference scorer's protocol."""
    files = []
    for which in ("key", "response"):
        if format in WRITERS:
            files.append(WRITERS[format].write(case, which, folder))
        else:
            files.append(folder / which)
            files[-1].write_text(FORMATS[format].written(case, which), encoding="utf-8")
    result = scoref.score(*files, format=format, metrics=names, **CONLL)
    return {name: triple(*result[name]) for name in names}


def clusters(case: Case) -> tuple[list[list[list[tuple[int, int]]]], ...]:
    """The clusters of both sides, for each document; one that is missing has none."""
    return tuple([plain(text.side(which) or []) for text in case.texts()] for which in ("key", "response"))


def plain(side: Side) -> list[list[tuple[int, int]]]:
    """Entities as lists of spans."""
    return [[(spot.first[0], spot.last[0]) for spot in group.mentions] for group in side]
