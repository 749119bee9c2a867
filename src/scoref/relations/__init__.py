"""Metrics that need more than the table of entities.

In: two documents and their lookups. Out: four counts for each pair of documents.
Start with `registry.py`.
"""
