"""Turns documents as they were read into documents as they are scored.

In: pairs of documents, and the choices on duplicates, singletons, zeros and the like. Out: the documents to score.
Start with `prepare.py`, which has the choices and applies the steps of `steps.py` and `sets.py` in order.
"""
