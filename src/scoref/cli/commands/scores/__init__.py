"""Commands that print scores.

In: options. Out: the text to print and the exit code.
Start with `score.py`.
"""
