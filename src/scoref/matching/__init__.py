"""Finds which mention of the response is which mention of the key.

In: two prepared documents. Out: `Lookups`, the partner of each mention on the other side.
Start with `match.py`, then `lookup.py` (both directions) and `assign.py` (the best one-to-one assignment).
"""
