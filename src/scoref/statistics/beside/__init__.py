"""What can be asked beside a comparison: its power, a margin, in how many datasets a system is better.

In: estimates of differences, evaluations of systems. Out: small results with tables, notes and values for JSON.
Start with `asked.py`, which says what there is to ask.
"""
