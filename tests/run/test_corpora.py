"""A corpus is its documents: what one of them needs (several alignments, copies of mentions) changes no other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.matching.match import MATCHERS
from scoref.protocol.choices import CHOICES
from strategies import documents

NEED_MORE = ("min", "min-coval", "dice")  # matchers that need parse trees or event nuggets
METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise", "nonlinks", "mor", "zeros"]
SUMS = ["mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise"]  # over entities, whatever else there is

choices = st.fixed_dictionaries(
    {
        "match": st.sampled_from([name for name in MATCHERS if name not in NEED_MORE]),
        "zeros": st.sampled_from(CHOICES["zeros"].words),
        "duplicates": st.sampled_from([word for word in CHOICES["duplicates"].words if word != "error"]),
        "singletons": st.sampled_from(["keep", "drop"]),
    }
)


@settings(max_examples=150)
@given(documents, choices)
def test_counts_of_a_corpus_are_those_of_its_documents(corpus, choices):
    together = scoref.score(*corpus, metrics=METRICS, on_problem="skip", **choices)
    assert len(together.documents) == len(corpus[0])
    for number, pair in enumerate(zip(*corpus, strict=True)):
        alone = scoref.score(*pair, metrics=METRICS, on_problem="skip", **choices)
        assert {name: counts[number].tolist() for name, counts in together.counts.items()} == {
            name: pytest.approx(counts[0].tolist(), abs=1e-9) for name, counts in alone.counts.items()
        }


@settings(max_examples=60)
@given(
    documents, choices.filter(lambda each: each["duplicates"] != "reference")
)  # which knows no corpus as one document
def test_entities_that_no_documents_share_count_the_same_in_one_corpus(corpus, choices):
    apart, one = (
        scoref.score(*corpus, metrics=SUMS, on_problem="skip", scope=scope, **choices)
        for scope in ("document", "corpus")
    )
    for name in SUMS:
        assert one.counts[name].sum(axis=0).tolist() == pytest.approx(apart.counts[name].sum(axis=0).tolist(), abs=1e-9)
