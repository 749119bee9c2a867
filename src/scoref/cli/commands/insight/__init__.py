"""Commands that say where a score comes from.

In: options. Out: the text to print and the exit code.
Start with `errors.py`.
"""
