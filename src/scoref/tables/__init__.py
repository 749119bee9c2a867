"""Tables of mentions and entities, of any size.

In: files or frames with a row for each mention, and a `Protocol`. Out: an `Evaluation`, as from documents.
Start with `shapes.py` (what metrics need of a table), then `engines/sql.py` (how an engine counts it) and `run.py`.
"""
