"""Which mention of the key is which of the response.

In: two prepared documents. Out: `Lookups`, where each mention is found on the other side.
Start with `match.py`, then `lookup.py` (both directions) and `assign.py` (the best one-to-one assignment).
"""
