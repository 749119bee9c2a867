"""Which document of the response belongs to which of the key.

In: files or documents of two sides. Out: pairs of a key and a response document on the same words.
Start with `pairs.py`, then `reading.py` (the files of two sides), `batches.py` (sides that are Python values) and
`names.py` (which names mean the same).
"""
