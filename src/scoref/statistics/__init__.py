"""How sure scores are: of one system, of several, of annotators.

In: evaluations. Out: intervals, tests, comparisons of systems, agreement of annotators, gender bias, stability.
Start with `significance.py`, which knows only sums and resamples, then `systems.py`.
"""
