"""From sums to scores.

In: counts of documents and entities. Out: an `Evaluation`: scores, averages, breakdowns, saved files.
Start with `evaluation.py`, then `averages.py`, which has the sums, and `evidence.py`.
"""
