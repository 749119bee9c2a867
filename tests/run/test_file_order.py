"""Where a mention stands in several entities, official scorers go by the order of the file.

The fractions are those that the scorers give for these files: the reference scorer 8.01 (its commit f49f3f8) and coval
(87071a6). Both were also compared with scoref on some thousand random files with repeated mentions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref


def conll(path: Path, cells: str) -> Path:
    """A file with a word for each cell of the coreference column."""
    rows = "\n".join(f"d\t0\t{number}\tw{number}\t-\t{cell}" for number, cell in enumerate(cells.split()))
    path.write_text(f"#begin document d\n{rows}\n\n#end document\n", encoding="utf-8")
    return path


PERL = [  # key, response; recall and precision of MUC, B³, CEAFe
    ("(0)|(1) (0) (1)", "(0)|(1) (0) -", (0 / 2, 0 / 1), (1.5 / 4, 1.5 / 2), (1 / 2, 1 / 1)),
    ("(1)|(0) (0) (1)", "(0)|(1) (0) -", (1 / 2, 1 / 1), (2 / 4, 2 / 2), (1 / 2, 1 / 1)),
    ("(0)|(1) (0) (1)", "(1)|(0) (0) (1)", (1 / 2, 1 / 1), (2.5 / 4, 3 / 3), (5 / 6, 5 / 6)),
    ("(0|(1 0)|1) (0) (1)", "(0|(1 0)|1) (0) (1)", (0 / 2, 0 / 1), (2 / 4, 2.5 / 3), (5 / 6, 5 / 6)),
    ("(0|(1 0)|1) (0) (1)", "(1|(0 1)|0) (0) (1)", (1 / 2, 1 / 1), (2.5 / 4, 3 / 3), (5 / 6, 5 / 6)),
    ("(0|(1) 0)|(1) (0)|(1)", "(0|(1) 0)|(1) (0)|(1)", (1 / 3, 1 / 2), (3 / 5, 10 / 12), (5 / 6, 5 / 6)),
]


@pytest.mark.parametrize(("key", "response", "muc", "b3", "ceafe"), PERL)
def test_the_first_bracket_counts_for_the_reference_scorer(tmp_path, key, response, muc, b3, ceafe):
    found = scoref.score(conll(tmp_path / "key.conll", key), conll(tmp_path / "response.conll", response))
    for metric, expected in (("muc", muc), ("b3", b3), ("ceafe", ceafe)):
        assert found[metric][:2] == pytest.approx(expected), metric


def test_that_the_order_of_brackets_counts_is_said(tmp_path):
    key = conll(tmp_path / "key.conll", "(0)|(1) (0) (1)")
    clear = conll(tmp_path / "clear.conll", "(0) (1) (0)|(1)")
    codes = {
        (path.stem, duplicates): {problem.code for problem in scoref.score(path, path, duplicates=duplicates).problems}
        for path in (key, clear)
        for duplicates in ("reference", "list-coval", "first")
    }
    said = {which for which, found in codes.items() if "order-counts" in found}
    assert said == {("key", "reference"), ("key", "list-coval")}
    assert all("duplicate-mention" in found for found in codes.values())


@pytest.mark.parametrize("first", ["(0|(1 0)|1)", "(1|(0 0)|1)"])
def test_our_own_rule_does_not_depend_on_the_order_of_brackets(tmp_path, first):
    """Entity 0 goes on first."""
    key = conll(tmp_path / "key.conll", "(0 0) (0) (1) (1)")
    response = conll(tmp_path / "response.conll", f"{first} (0) (1) (1)")
    assert scoref.score(key, response, duplicates="first")["conll"].f1 == 1


COVAL = [  # key, response; recall and precision of MUC, B³, LEA
    ("(0 (1) 0) (0)|(1)", "(0 - 0) (0)", (0.5, 1), (0.625, 1), (0.5, 1)),
    ("(0 (1) 0) (0)|(1)", "- (1) - (1)", (0.5, 0), (0.625, 0.5), (0.5, 0)),
    ("(0)|(1) (0) (1)", "(0)|(1) (0) -", (0, 0), (0.375, 0.6667), (0, 0)),
]


@pytest.mark.parametrize(("key", "response", "muc", "b3", "lea"), COVAL)
def test_entities_are_in_the_order_in_which_their_first_mentions_end_for_coval(tmp_path, key, response, muc, b3, lea):
    files = conll(tmp_path / "key.conll", key), conll(tmp_path / "response.conll", response)
    found = scoref.score(*files, protocol="coval")
    for metric, expected in (("muc", muc), ("b3", b3), ("lea", lea)):
        assert found[metric][:2] == pytest.approx(expected, abs=5e-5), metric


@pytest.mark.parametrize("protocol", ["conll-2012", "coval", "e2e"])
@pytest.mark.parametrize(("key", "response"), [case[:2] for case in PERL])
def test_writing_a_file_again_keeps_the_order(tmp_path, key, response, protocol):
    files = conll(tmp_path / "key.conll", key), conll(tmp_path / "response.conll", response)
    again = [file.with_suffix(".again.conll") for file in files]
    for file, other in zip(files, again, strict=True):
        scoref.write(scoref.read(file), other)
    assert scoref.score(*again, protocol=protocol).scores == scoref.score(*files, protocol=protocol).scores


# -- CorefUD: scorers 1.0 (commit 9926f36) and 1.1 (8749913) -----------------------------------------------------------


def corefud(path: Path, cells: str) -> Path:
    """A file with a word for each value of Entity, or an empty node for one that begins with 0."""
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = s1"]
    word = empty = 0
    for cell in cells.split():
        zero = cell.startswith("0")
        word, empty = (word, empty + 1) if zero else (word + 1, 0)
        misc = "_" if cell.endswith("-") and "(" not in cell else f"Entity={cell.removeprefix('0')}"
        number, tree = (f"{word}.{empty}", "_\t_\t1:nsubj") if zero else (f"{word}", "0\troot\t_")
        lines.append(f"{number}\tw{number}\t_\tX\t_\t_\t{tree}\t{misc}")
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return path


def one(*entities: str) -> str:
    return "".join(f"({entity}-x-1-)" for entity in entities)


CRAC = [  # key, response; recall and precision of MUC and B³, the same for 1.0 and 1.1
    (f"{one('b')} {one('a', 'b')} {one('a')}", f"{one('c')} {one('c')} -", (0.5, 0), (0.625, 0.5)),
    (f"{one('a')} {one('b', 'a')} {one('b')}", f"{one('c')} {one('c')} -", (0.5, 0), (0.625, 0.5)),
    (f"{one('b')} {one('a', 'b')} {one('a')}", f"- {one('c')} {one('c')}", (0.5, 1), (0.625, 1)),
    (f"{one('a')} {one('b', 'a')} {one('b')}", f"- {one('c')} {one('c')}", (0.5, 1), (0.625, 1)),
    # entities that begin with one mention are in the order of their names
    (f"{one('a', 'b')} {one('b')} {one('a')}", f"{one('c')} {one('c')} -", (0.5, 1), (0.625, 1)),
    (f"{one('b', 'a')} {one('a')} {one('b')}", f"{one('c')} {one('c')} -", (0.5, 0), (0.625, 0.5)),
]


@pytest.mark.parametrize("protocol", ["crac-2022", "crac-2023"])
@pytest.mark.parametrize(("key", "response", "muc", "b3"), CRAC)
def test_the_entity_that_appears_last_counts_for_the_corefud_scorer(tmp_path, key, response, muc, b3, protocol):
    files = corefud(tmp_path / "key.conllu", key), corefud(tmp_path / "response.conllu", response)
    found = scoref.score(*files, protocol=protocol, singletons="keep", average="micro")
    assert (found["muc"][:2], found["b3"][:2]) == (pytest.approx(muc), pytest.approx(b3))
    by_name = key.startswith((one("a", "b"), one("b", "a")))
    assert by_name == ("order-counts" in {problem.code for problem in found.problems})


_TWO = (
    "(a-x-1-) 0(a-x-2- a) - (b-x-1-) (b-x-2- 0b)"  # by its first node the mention of a is a zero, by its head that of b
)
ZEROS = [  # response; recall and precision of `zero` in the scorer 1.1
    ("exact", _TWO, (1, 1)),
    ("exact", "(a-x-1-) 0(a-x-2- a) - - - 0-", (1, 1)),
    ("partial-1.0", _TWO, (1, 0.5)),
    ("partial-1.0", "(a-x-1-) 0(a-x-2- a) - - - 0-", (0, 0)),
    ("head-1.1", _TWO, (1, 1)),
    ("head-1.1", "(a-x-1-) 0(a-x-2- a) - - - 0-", (0, 0)),
]


@pytest.mark.parametrize(("match", "response", "expected"), ZEROS)
def test_zeros_are_told_by_heads_only_where_the_scorer_of_2023_looks_at_heads(tmp_path, match, response, expected):
    files = corefud(tmp_path / "key.conllu", _TWO), corefud(tmp_path / "response.conllu", response)
    choices = {"match": match, "singletons": "keep", "average": "micro", "metrics": ["zeros"]}
    assert scoref.score(*files, protocol="crac-2023", **choices)["zeros"][:2] == expected


# -- converted files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["conll-2012", "coval", "e2e", "kbp-2015"])
def test_json_lines_keep_the_order_of_repeated_mentions(tmp_path, protocol):
    """Clusters alone do not say which of two mentions at one place comes first."""
    key = conll(tmp_path / "key.conll", "- - (0 (2|0) (0)|2)|(2)|(0) (3)")
    response = conll(tmp_path / "response.conll", "- - - - (3)|(0) (3)")
    converted = [file.with_suffix(".jsonl") for file in (key, response)]
    for file, other in zip((key, response), converted, strict=True):
        scoref.write(scoref.read(file), other)
    assert scoref.score(*converted, protocol=protocol).scores == scoref.score(key, response, protocol=protocol).scores
