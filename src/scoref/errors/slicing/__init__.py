"""Slices: mentions of one or two kinds that lose more than others of their documents.

In: evaluations with their evidence. Out: slices, as values and in words.
Start with `finding.py`; `search.py` has the procedure, on arrays.
"""
