"""Documents to numbers.

In: the documents of a key and of a response, and a `Protocol`. Out: an `Evaluation`, sums per document and metric.
Start with `run.py`, which calls the stages in order: pairing, normalise, match, table, split, metrics, relations.
"""
