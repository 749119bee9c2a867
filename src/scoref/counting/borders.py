"""Links within documents, and across their borders, where documents share entities (Upadhyay et al. 2016)."""

from __future__ import annotations

import numpy as np

from ..pairing.scope import cut
from .corpus import Corpus, CountingChoices, corpus
from .metrics import Links, Metric, counted
from .table import Floats


def links_at_borders(metric: Metric, whole: Corpus, choices: CountingChoices) -> Floats | None:
    """The counts of links within documents, or of those that cross their borders, for each group of documents."""
    how = metric.how
    if not isinstance(how, Links):
        return None
    parts = [(cut(key), cut(response), lookups) for key, response, lookups in whole.aligned]
    apart = corpus(parts, range(len(parts)))
    within = np.zeros((len(set(whole.homes)), 4))
    counts = counted(how, apart.of(metric, choices.credit), choices.twinless).documents
    np.add.at(within, [*whole.homes], counts)
    if how.borders == "within":
        return within
    return counted(how, whole.of(metric, choices.credit), choices.twinless).documents - within
