"""Commands that check and make files.

In: options. Out: the text to print and the exit code.
Start with `convert.py`.
"""
