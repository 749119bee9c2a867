"""What went wrong.

In: an evaluation with the documents it was made from. Out: errors with their places, costs and repairs.
Start with `mistakes.py` (what an error is), then `finding.py` (how errors are found) and `analysis.py` (the result).
"""
