"""JSON lines with clusters of spans.

In: a JSON object in each line. Out: documents; and back.
Start with `read.py`, then `shapes.py` (which keys mean what).
"""
