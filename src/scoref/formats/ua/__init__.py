"""CONLL-UA of Universal Anaphora.

In: files with a column for each layer. Out: documents; and back.
Start with `read.py`, then `lines.py` and `markables.py`.
"""
