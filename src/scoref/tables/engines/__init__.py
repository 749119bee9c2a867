"""What counts large tables.

In: two tables of mentions and entities. Out: shapes of cells and entities, and assignments of entities.
Start with `engine.py` (the calls that all engines have), then `in_numpy.py`.
"""
