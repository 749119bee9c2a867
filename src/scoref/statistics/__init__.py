"""Numbers of many documents and systems.

In: evaluations. Out: intervals, tests, comparisons of systems, saved evaluations and their sums.
Start with `significance.py`, which knows only sums and resamples, then `systems.py`.
"""
