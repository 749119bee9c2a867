"""What repairing errors would give.

In: errors and the mentions they name. Out: repaired responses, and what these would score.
Start with `repair.py`.
"""
