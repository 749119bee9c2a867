"""Documents as they were read to documents as they are scored.

In: pairs of documents, and what the protocol says of duplicates, singletons, zeros and the like. Out: such documents.
Start with `prepare.py`, which has the choices, and takes the steps of `steps.py` and `sets.py` in their order.
"""
