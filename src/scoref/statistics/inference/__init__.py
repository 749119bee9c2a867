"""Tests and intervals made from numbers alone: what holds for any score.

In: sums of units, scores of runs, p-values, ranks. Out: variances by their sources, p-values, quantiles.
Start with `spread.py`, which says how far scores vary with documents and with runs.
"""
