"""Calls the stages, for all that users have.

In: files, documents, clusters or tables, and a protocol. Out: an `Evaluation`.
Start with `stages.py`, then `scorer.py` (the functions that users call).
"""
