"""Event nuggets in TBF.

In: `.tbf` files. Out: documents; and back.
Start with `read.py`, then `lines.py`.
"""
