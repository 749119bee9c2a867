"""Texts that differ: where the words and mentions of a response are in the words of its key.

In: the words of a key, and another version of its text. Out: an alignment of the two, and mentions moved along it.
Start with `align.py`, then `projection.py` (mentions of marked text at the words of the key).
"""
