"""Prompts for language models, in shapes whose answers are read back.

In: the documents of a key, and of another key for examples. Out: a prompt for each document.
Start with `shapes.py`, then `prompts.py`; `wording.py` has what models are told.
"""
