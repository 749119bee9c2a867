"""What the reference scorer counts where mentions are repeated, against the slow version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_repeated
from scoref import clusters
from scoref.scoring import repeated

SIDE = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), max_size=5)


@pytest.mark.parametrize("block", [1, 1 << 22])
@given(SIDE, SIDE)
def test_counts_are_those_of_all_links_as_sets(block: int, key: list[list[str]], response: list[list[str]]) -> None:
    before, repeated._BLOCK = repeated._BLOCK, block
    try:
        found = repeated.repeated_counts(clusters(key), clusters(response))
    finally:
        repeated._BLOCK = before
    coreference, others = slow_repeated.blanc(key, response)
    expected = {"b3": slow_repeated.b3(key, response), "pairwise": coreference, "nonlinks": others}
    assert {name: counts.tolist() for name, counts in found.items()} == expected
