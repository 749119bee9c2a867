"""What a document is: positions, mentions, words, and what follows from them.

In: annotated text from files and users. Out: `Document` values, which every stage works on.
Start with `document.py`, then `mentions.py` (values and arrays) and `clusters.py` (plain Python clusters).
"""
