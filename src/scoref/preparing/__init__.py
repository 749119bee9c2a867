"""Documents as they were read to documents as they are scored.

In: pairs of documents, and what the protocol says of duplicates, singletons, zeros and the like. Out: such documents.
Start with `steps.py`; `run/prepare.py` calls them in their order.
"""
