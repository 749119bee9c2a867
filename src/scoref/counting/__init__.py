"""The table of entities, and what is counted on it.

In: documents and lookups. Out: for each metric numerators and denominators of entities and documents.
Start with `table.py`, then `metrics.py`.
"""
