"""Bridging as language models predict it: strings, and answers to numbered anaphors, scored as mentions with names.

Numbers are those that `baseline_evaluation.py` of lauren-lizzy-levine/gumbridge prints, with the key that
`preprocess_tsv_for_baseline_prompts.py` makes of the same file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import scoref
from scoref.document.document import Bridge, Document

KEY = """#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat|salience|identity
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


#Text=The house had a door and a roof
1-1\t0-3\tThe\tplace[1]\tnew[1]\t_\t_\tbridge:entity-meronomy|bridge:entity-meronomy|coref\t1-4[2_1]|1-7[3_1]|2-1[4_1]
1-2\t4-9\thouse\tplace[1]\tnew[1]\t_\t_\t_\t_
1-3\t10-13\thad\t_\t_\t_\t_\t_\t_
1-4\t14-15\ta\tobject[2]\tacc[2]\t_\t_\tbridge:set-member;other\t3-1[6_2]
1-5\t16-20\tdoor\tobject[2]\tacc[2]\t_\t_\t_\t_
1-6\t21-24\tand\t_\t_\t_\t_\t_\t_
1-7\t25-26\ta\tobject[3]\tacc[3]\t_\t_\t_\t_
1-8\t27-31\troof\tobject[3]\tacc[3]\t_\t_\t_\t_

#Text=It had a door behind
2-1\t32-34\tIt\tplace[4]\tgiv[4]\t_\t_\tbridge:entity-property\t2-3[5_4]
2-2\t35-38\thad\t_\t_\t_\t_\t_\t_
2-3\t39-40\ta\tobject[5]\tacc[5]\t_\t_\tbridge\t3-1[6_5]
2-4\t41-45\tdoor\tobject[5]\tacc[5]\t_\t_\t_\t_
2-5\t46-52\tbehind\t_\t_\t_\t_\t_\t_

#Text=Both creaked
3-1\t53-57\tBoth\tobject[6]\tacc[6]\t_\t_\t_\t_
3-2\t58-65\tcreaked\t_\t_\t_\t_\t_\t_
"""

ANAPHORS = ["a door", "a door", "a door", "the roof", "Both"]
ANTECEDENTS = {"0": "It", "1": "a door", "2": "a door", "4": "no antecedent"}
SUBTYPES = {"0": "entity-meronomy", "1": "entity-property;other", "2": "set-member", "4": "set-member;other"}


@pytest.fixture
def key(tmp_path: Path) -> Document:
    path = tmp_path / "GUM_tale_house.tsv"
    path.write_text(KEY)
    (document,) = scoref.read(path)
    return document


def numbered(strings: Iterable[str]) -> Iterator[str]:
    """Strings as names: the second copy of a string is another name than the first."""
    seen: Counter[str] = Counter()
    for string in strings:
        seen[string] += 1
        yield f"{string} {seen[string]}"


def scored(key: Iterable[str], response: Iterable[str]) -> tuple[float, float, float]:
    sides = (scoref.clusters([[name] for name in names]) for names in (key, response))
    return tuple(scoref.score(*sides, metrics=["mentions"])["mentions"])  # type: ignore[return-value]


def subtypes_of(key: Document, anaphor: int) -> list[str]:
    """Those of the last link of an anaphor that has any stand for all its links."""
    said = [dict(bridge.attributes).get("Rel") for bridge in key.bridges if bridge.anaphor == anaphor]
    return [each for each in said if each][-1].split(";")


def test_rows_are_those_of_their_preparation(key: Document) -> None:
    texts = [key.text_of(each) for each in key.mentions]
    found = [(texts[bridge.anaphor], texts[bridge.antecedent]) for bridge in key.bridges]
    assert [anaphor for anaphor, _ in found] == ["a door", "a roof", "Both", "a door", "Both"]
    assert [antecedent for _, antecedent in found] == ["The house", "The house", "a door", "It", "a door"]


def test_anaphors_as_strings(key: Document) -> None:
    anaphors = [key.text_of(key.mentions[bridge.anaphor]) for bridge in key.bridges]
    assert scored(numbered(anaphors), numbered(ANAPHORS)) == pytest.approx((0.6, 0.6, 0.6))


def test_antecedents_as_strings(key: Document) -> None:
    """The accuracy over all links of the key is the recall."""

    def accepted(bridge: Bridge) -> set[str]:
        return {key.text_of(each) for each in key.entities()[key.mentions[bridge.antecedent].entity]}

    right = [number for number, said in ANTECEDENTS.items() if said in accepted(key.bridges[int(number)])]
    assert scored(map(str, range(len(key.bridges))), right)[0] == pytest.approx(0.4)


def test_subtypes_of_numbered_links(key: Document) -> None:
    ours = [f"{n} {name}" for n, bridge in enumerate(key.bridges) for name in subtypes_of(key, bridge.anaphor)]
    theirs = [f"{number} {name}" for number, said in SUBTYPES.items() for name in said.split(";")]
    assert scored(ours, theirs) == pytest.approx((0.5714285714285714, 0.6666666666666666, 0.6153846153846153))
