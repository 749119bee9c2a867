"""What the reference scorer counts where mentions are repeated, against the slow version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_repeated
from scoref import clusters
from scoref.counting import repeated

SIDE = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), max_size=5)


@pytest.mark.parametrize("block", [1, 1 << 20])
@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=3))
def test_counts_are_those_of_all_links_as_sets(
    block: int, pairs: list[tuple[list[list[str]], list[list[str]]]]
) -> None:
    before, repeated._BLOCK = repeated._BLOCK, block
    try:
        found = repeated.repeated_counts([(clusters(key), clusters(response)) for key, response in pairs])
    finally:
        repeated._BLOCK = before
    links = [slow_repeated.blanc(*pair) for pair in pairs]
    expected = {
        "b3": [slow_repeated.b3(*pair) for pair in pairs],
        "pairwise": [coreference for coreference, _ in links],
        "nonlinks": [others for _, others in links],
    }
    assert {name: counts.tolist() for name, counts in found.items()} == expected
