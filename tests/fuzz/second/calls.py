"""Calls of commands, with options at random: what `scoref COMMAND --help` offers, and what nobody would say."""

from __future__ import annotations

import random

CHOICES = {
    "--match": "exact partial head min min-coval partial-craft dice partial-1.0 head-1.1",
    "--singletons": "keep drop links e2e asp barhom",
    "--zeros": "linear linear-1.1 dependent dependent-corrected drop",
    "--duplicates": "first last keep list list-coval ua-1.0 reference error",
    "--twinless": "as-is 0 all rn rn-all sys conll-2011 pad-key common",
    "--nested": "keep drop drop-coval",
    "--mentions": "all np",
    "--words": "check ignore",
    "--lost": "count drop",
    "--invisible": "none 2015",
    "--pieces": "once twice",
    "--mapping": "span type realis type+realis",
    "--sequencing": "awareness evmeval-1.8",
    "--files": "strict evmeval-1.8",
    "--empty": "skip count",
    "--extra": "refuse ignore",
    "--layer": "identity deixis bridging non-referring all",
    "--split": "credit ignore only distribute",
    "--credit": "directional ua-1.0 yu-2021",
    "--links": "key both always scorch",
    "--scope": "document within corpus topic genre",
    "--average": "micro macro means weighted datasets",
    "--weights": "none form type weight",
    "--digits": "exact cut-2 round-2 round-1",
    "--heads": "file tree none",
    "--drift": "check ignore",
}
PROTOCOLS = [
    "conll-2011",
    "conll-2012",
    "crac-2022",
    "crac-2023",
    "crac-2024",
    "crac-2025",
    "crac-2026",
    "codi-crac-2021",
    "codi-crac-2022",
    "codi-crac-2022-deixis",
    "codi-crac-2022-bridging",
    "paun-2023",
    "zhou-choi-2018",
    "kbp-2015",
    "evmeval-1.8",
    "yu-2021",
    "coval",
    "e2e",
    "allennlp",
    "maverick",
    "stanza",
    "scorch",
    "asp",
    "barhom",
    "neleval",
    "corenlp",
]
MEASURES = [
    "mentions",
    "muc",
    "b3",
    "b3-classes",
    "ceafm",
    "ceafe",
    "lea",
    "pairwise",
    "nonlinks",
    "b3-0",
    "b3-all",
    "b3-rn",
    "b3-sys",
    "ceafm-rn",
    "ceafm-sys",
    "ceafe-rn",
    "ceafe-sys",
    "entities-exact",
    "links-within",
    "links-cross",
    "ari",
    "v-measure",
    "entities-macro",
    "entities-micro",
    "blanc",
    "kbp",
    "conll",
    "bridging-anaphors",
    "non-referring",
    "mor",
    "zeros",
    "anaphors:pronoun",
    "nugget-span",
    "after",
    "split-lenient",
    "split-links",
    "success@2",
    "all",
]
FIELDS = [
    "document",
    "text",
    "entity",
    "dataset",
    "genre",
    "size",
    "span",
    "type",
    "etype",
    "position",
    "distance",
    "form",
]
ODD = ["", "-1", "0", "1e400", "nan", "inf", "\x00", "é", "../x", "a=b=c", "--", "9" * 40, "a\nb", "²", "1.5",
    "-", "*", "%s", "[", "\udcff"]  # fmt: skip
FORMATS = [
    "booknlp",
    "brat",
    "clusters",
    "conll",
    "corefud",
    "ecb",
    "jsonl",
    "muc",
    "table",
    "tbf",
    "text",
    "ua",
    "webanno",
]
STYLES = ["markdown", "subscript", "colon", "crac", "m-pipe", "m-hash", "curly", "xml"]
OUTPUTS = ["text", "csv", "markdown", "latex", "json"]


def _several(chance: random.Random, names: list[str]) -> str:
    return ",".join(chance.choice(names) for _ in range(chance.choice([1, 1, 2, 4])))


def scoring(chance: random.Random) -> list[str]:
    """Options that change what counts."""
    made = []
    for option in chance.sample(list(CHOICES), chance.choice([0, 0, 1, 1, 2, 4])):
        made += [option, chance.choice(CHOICES[option].split())]
    if chance.random() < 0.4:
        made += ["--protocol", chance.choice(PROTOCOLS)]
    if chance.random() < 0.3:
        made += ["--metrics", _several(chance, MEASURES)]
    for option, values in (("--beta", "1 0 2.5"), ("--threshold", "1 0 0.5"), ("--frequent", "5 1 0")):
        if chance.random() < 0.05:
            made += [option, chance.choice(values.split())]
    return made


def reading(chance: random.Random) -> list[str]:
    """Options on how files are read."""
    made = []
    if chance.random() < 0.3:
        made += ["--on-problem", "skip"]
    side = chance.choice(["", "key-", "response-"])
    for option, values in (("format", FORMATS), ("ends", ["inclusive", "exclusive"]), ("marks", STYLES)):
        if chance.random() < 0.07:
            made += [f"--{side}{option}", chance.choice(values)]
    if chance.random() < 0.03:
        made += [
            "--columns",
            chance.choice(["mention=mention,entity=entity", "mention=entity", "a=b", "x", "entity=1,,"]),
        ]
    return made


def _said(chance: random.Random) -> list[str]:
    made = ["--output", chance.choice(OUTPUTS)] if chance.random() < 0.6 else []
    for option in ("--verbose", "--ascii"):
        if chance.random() < 0.1:
            made.append(option)
    if chance.random() < 0.15:
        made += ["--by", chance.choice(FIELDS)]
    return made


def _resampled(chance: random.Random) -> list[str]:
    made = ["--trials", chance.choice(["10", "50", "1"])]
    if chance.random() < 0.2:
        made += ["--unit", chance.choice(FIELDS)]
    if chance.random() < 0.2:
        made += ["--seed", chance.choice(["0", "7", "-1", "99999999999999999999"])]
    return made


def call(chance: random.Random, key: str, responses: list[str]) -> list[str]:
    """Any command for these files; what it writes is called `out` with some ending."""
    one = chance.choice(responses)
    command = chance.choice(
        [
            "score",
            "score",
            "score",
            "compare",
            "errors",
            "report",
            "explain",
            "agreement",
            "validate",
            "convert",
            "tokenize",
            "stability",
            "list",
            "merge",
        ]
    )
    made: list[str] = [command]
    if command in ("score", "errors", "explain", "stability"):
        made += [key, one, *scoring(chance), *reading(chance), *_said(chance)]
    if command == "score" and chance.random() < 0.2:
        made += ["--ci", *_resampled(chance)]
    if command == "score" and chance.random() < 0.2:
        made += [
            "--with",
            chance.choice(["match:exact", "singletons:drop", "average:macro", "x:y", "match", "layer:all"]),
        ]
    if command == "score" and chance.random() < 0.1:
        made += ["--save", "out.json"]
    if command == "errors":
        made += chance.choice([[], ["--list"], ["--list", "--kind", "missing mention"], ["--repaired", "out"]])
    if command == "explain":
        made += chance.choice([[], ["--like", chance.choice(["scorch", "e2e", "x"])], ["--number", "conll=50.00"]])
    if command == "stability":
        made += ["--repetitions", chance.choice(["1", "2"])]
    if command == "compare":
        made += [key, *responses, *(responses if len(responses) == 1 else []), *scoring(chance), *reading(chance)]
        made += [*_said(chance), *_resampled(chance)]
    if command == "report":
        made += [key, one, "-o", "out.html", *scoring(chance), *reading(chance), *_resampled(chance)]
    if command == "agreement":
        made += [key, *responses, *scoring(chance), *reading(chance), *_said(chance), *_resampled(chance)]
    if command == "validate":
        made += [key, *responses, *(["--json"] if chance.random() < 0.5 else [])]
    if command == "convert":
        made += [one, chance.choice(["-", "out", "out.x"]), "--to", chance.choice(FORMATS)]
        made += ["--on-problem", "skip"] if chance.random() < 0.3 else []
    if command == "tokenize":
        made += [one, "-o", "out"]
    if command == "merge":
        made += [one, *(["-o", "out.json"] if chance.random() < 0.3 else [])]
    if command == "list":
        made += [*chance.choice([[], ["metrics"], ["formats"], ["protocols"], ["matchers"]]), *_said(chance)]
    return _odd(made, chance)


def _odd(made: list[str], chance: random.Random) -> list[str]:
    """Perhaps with a word that is another, gone, or in another place."""
    if chance.random() < 0.12 and len(made) > 1:
        at = chance.randrange(1, len(made))
        made[at] = chance.choice(ODD) if not made[at].startswith("--") else made[at]
    if chance.random() < 0.04 and len(made) > 1:
        del made[chance.randrange(1, len(made))]
    if chance.random() < 0.04:
        made.append(chance.choice([*CHOICES, "--jsn", "--help", "--debug", "-x", "--jobs", "--sentences", "--types"]))
    return made
