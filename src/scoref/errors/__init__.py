"""What went wrong.

In: an evaluation with the documents it was made from. Out: errors with their places, their costs, and repairs.
Start with `repair.py` (what an error is), then `analysis.py` (all that is known of the errors of a response).
"""
