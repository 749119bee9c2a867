"""Commands that say what there is and how it is set up.

In: options. Out: the text to print and the exit code.
Start with `list.py`.
"""
