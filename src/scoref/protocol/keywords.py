"""The keywords of `score` and of its callers as types, so that type checkers find misspelt ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Literal, TypedDict

from ..processes import Progress
from .protocol import Protocol

OnProblem = Literal["raise", "skip"]
Engine = Literal["auto", "numpy", "duckdb", "spark"]
Ends = Literal["inclusive", "exclusive"]
Drift = Literal["check", "ignore"]


class Choices(TypedDict, total=False):
    """Choices of a protocol; None leaves one as it is."""

    # choices: python docs/keywords.py --write
    match: (
        Literal["exact", "partial", "head", "min", "min-coval", "partial-craft", "dice", "partial-1.0", "head-1.1"]
        | None
    )
    singletons: Literal["keep", "drop", "links", "e2e", "asp", "barhom"] | None
    zeros: Literal["linear", "linear-1.1", "dependent", "dependent-corrected", "drop"] | None
    duplicates: Literal["first", "last", "keep", "list", "list-coval", "ua-1.0", "reference", "error"] | None
    twinless: Literal["as-is", "0", "all", "rn", "rn-all", "sys", "conll-2011", "pad-key", "common", "key"] | None
    nested: Literal["keep", "drop", "drop-coval"] | None
    mentions: Literal["all", "np"] | None
    words: Literal["check", "ignore"] | None
    lost: Literal["count", "drop"] | None
    invisible: Literal["none", "2015"] | None
    pieces: Literal["once", "twice"] | None
    mapping: Literal["span", "type", "realis", "type+realis"] | None
    sequencing: Literal["awareness", "evmeval-1.8"] | None
    files: Literal["strict", "evmeval-1.8"] | None
    empty: Literal["skip", "count"] | None
    extra: Literal["refuse", "ignore"] | None
    layer: Literal["identity", "deixis", "bridging", "non-referring", "all"] | None
    split: Literal["credit", "ignore", "only", "distribute"] | None
    credit: Literal["directional", "ua-1.0", "yu-2021"] | None
    links: Literal["key", "both", "always", "scorch", "maven-ere"] | None
    scope: str | None  # document, within, corpus, or a field of documents
    average: Literal["micro", "macro", "means", "weighted", "datasets"] | None
    weights: str | None  # none, form, or an attribute of mentions
    digits: Literal["exact", "cut-2", "round-2", "round-1"] | None
    beta: float | None
    threshold: float | None
    frequent: float | None
    types: str | None  # all, events, entities, linked, nil, or types in lower case, letters and digits, with commas
    heads: Literal["file", "tree", "none"] | None
    given: Literal["nothing", "anaphors"] | None
    antecedents: Literal["share", "any"] | None
    prefix: float | None
    window: float | None
    window_rule: Literal["clean", "bookcoref", "propp"] | None
    place: Literal["order", "unique"] | None
    agree: str | None  # none, type, or names of attributes with commas
    sampled: str | None  # none, uniform, or a column of weights, without blanks in its name
    # end of choices


class OneSided(Choices, total=False):
    """Choices, and how the files of one side are read; None where the keyword for both sides holds."""

    # one side: python docs/keywords.py --write
    key_format: str | None
    key_ends: Ends | None
    key_marks: str | None
    key_columns: str | Mapping[str, str] | None
    key_tokens: str | os.PathLike[str] | None
    key_glob: str | None
    response_format: str | None
    response_ends: Ends | None
    response_marks: str | None
    response_columns: str | Mapping[str, str] | None
    response_tokens: str | os.PathLike[str] | None
    response_glob: str | None
    # end of one side


class Inputs(OneSided, total=False):
    """The keywords of `score` for what is read, and how."""

    protocol: str | Protocol | None
    format: str | None
    ends: Ends
    tokens: str | os.PathLike[str] | None
    glob: str | None
    marks: str | None
    sentences: str | os.PathLike[str] | None
    drift: Drift
    max_size: int
    progress: Progress | None
    columns: str | Mapping[str, str] | None
    engine: Engine
    memory: str | None
    temp: str | os.PathLike[str] | None
    resume: str | os.PathLike[str] | None


class ScoringKeywords(Inputs, total=False):
    """All keywords of `score` except `metrics`."""

    on_problem: OnProblem | None
    jobs: int | None
    settings: Iterable[str]


class Keywords(ScoringKeywords, total=False):
    """The keywords of `score`."""

    metrics: Iterable[str] | None
