"""Other tools' conventions: which tools print which numbers, each as a protocol.

A convention stands for one or more tools that give the same numbers. `note` says what the protocol cannot express.
`UNREPRODUCED` lists tools whose numbers cannot be reproduced, with the reason.
"""

from __future__ import annotations

from typing import NamedTuple

from .protocol import Protocol, preset


class Convention(NamedTuple):
    """A convention: its name, preset and choices, the tools that follow it, how they compute, and a note."""

    name: str
    base: str
    choices: dict[str, str]
    tools: tuple[str, ...]
    how: str
    note: str = ""

    @property
    def protocol(self) -> Protocol:
        """The protocol of the tools."""
        return preset(self.base).change(**self.choices)


CONVENTIONS: tuple[Convention, ...] = (
    Convention("reference", "conll-2012", {}, ("Perl 8.01", "Perl 7", "lea-scorer", "spaCy (LEA)", "TANL micro",
               "Seq2seqCoref micro", "neleval (prepared)"), "the reference scorer"),
    Convention("coval", "coval", {}, ("coval",), "the reference scorer; repeated mentions as lists"),
    Convention("ua", "conll-2012", {"links": "both", "duplicates": "keep", "credit": "ua-1.0"},
               ("Universal Anaphora scorer 1.0",
               "CorefUD scorer 1.2 (exact, with singletons)"), "BLANC leaves out links that both sides lack"),
    Convention("maverick", "maverick", {}, ("maverick", "xcore", "bookcoref", "fast-coref", "long-doc-coref",
               "incremental-coref", "PyPI coreference"), "singletons: not in LEA"),
    Convention("e2e", "e2e", {}, ("e2e-coref", "SpanBERT coref", "coref-hoi", "s2e-coref", "fastcoref", "LingMess",
               "deep-coref", "corefeval", "AllenNLP"), "singletons: not in B³, in CEAF those of the key only"),
    Convention("asp", "asp", {}, ("ASP",), "singletons: own ones not in B³, in CEAF those of the key only"),
    Convention("barhom", "barhom", {}, ("Barhom et al. (ECB+)",), "singletons: never partners in B³",
               "prints no average"),
    Convention("corefud", "conll-2012", {"links": "both", "singletons": "drop", "duplicates": "keep"},
               ("CorefUD scorer 1.2 without heads",), "singletons dropped"),
    Convention("wl-coref", "conll-2012", {"singletons": "drop"}, ("wl-coref (LEA)", "CoreNLP EvalUtils"),
               "singletons dropped", "EvalUtils: recall and precision exchanged"),
    Convention("tanl-macro", "conll-2012", {"average": "macro", "empty": "count"}, ("TANL macro",
               "Seq2seqCoref macro"), "mean over documents"),
    Convention("stanza", "stanza", {}, ("stanza",), "f1 of mean recall and mean precision",
               "the printed average is that of head words; this is that of spans"),
    Convention("scorch", "scorch", {}, ("scorch",), "padded key, weighted mean"),
    Convention("hf-coval", "neleval", {}, ("neleval coref_metrics", "Hugging Face evaluate coval"),
               "entity names shared by all documents"),
    Convention("corenlp", "corenlp", {}, ("CoreNLP dcoref",), "twinless mentions as in the CoNLL scorer 4",
               "prints no CEAF and no average"),
    Convention("perl-average", "conll-2012", {"digits": "cut-2"}, ("cort", "neuralcoref", "wl-coref calculate_conll",
               "CoreNLP CorefScorer", "e2e evaluate_conll"), "average of Perl's lines, cut off after two digits"),
    Convention("booknlp", "conll-2012", {"digits": "cut-2"}, ("BookNLP", "lrec2020-coref"),
               "key and response exchanged", "BookNLP, lrec2020-coref: recall and precision exchanged"),
)  # fmt: skip

SCORERS: dict[str, str] = {  # of shared tasks and papers, by preset
    "conll-2011": "Perl 8.01",
    "crac-2022": "CorefUD scorer 1.0",
    "crac-2023": "CorefUD scorer 1.1",
    **dict.fromkeys(("crac-2024", "crac-2025", "crac-2026"), "CorefUD scorer 1.2"),
    **dict.fromkeys(
        ("codi-crac-2021", "codi-crac-2022", "codi-crac-2022-deixis", "codi-crac-2022-bridging"),
        "Universal Anaphora scorer 1.0",
    ),
    "evmeval-1.8": "EvmEval 1.8",
    "zhou-choi-2018": "the evaluators of Zhou & Choi",
    "allennlp": "AllenNLP",
}

# Scorers that need more than spans.
OFFICIAL: tuple[Convention, ...] = tuple(
    Convention(name, name, {}, (SCORERS[name],), how)
    for name, how in (
        ("crac-2022", "partial matching, singletons dropped"),
        ("crac-2023", "heads match, singletons dropped"),
        ("crac-2026", "heads match, zeros by what they depend on"),
    )
)

UNREPRODUCED: dict[str, str] = {
    "AllenNLP, allow_singletons": "doubles every singleton of the response",
    "SemEval-2010 scorer": "its code is not to be had",
}


def tools_of(name: str) -> tuple[str, ...]:
    """The tools that compute as the preset of that name."""
    others = [tool for each in CONVENTIONS if each.base == name and not each.choices for tool in each.tools]
    return tuple(dict.fromkeys([*([SCORERS[name]] if name in SCORERS else []), *others]))
