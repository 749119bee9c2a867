"""CoNLL-2011 and CoNLL-2012.

In: files with columns and brackets. Out: documents; and back.
Start with `read.py`, then `lines.py` and `brackets.py` (both by array operations).
"""
