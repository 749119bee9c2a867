"""CorefUD in CoNLL-U.

In: files with `Entity=` in their last column. Out: documents; and back.
Start with `read.py`, then `lines.py` and `brackets.py` (both by array operations) and `entities.py`.
"""
