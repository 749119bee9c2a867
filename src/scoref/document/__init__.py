"""What a document is: positions, mentions, words, and what can be read off them.

In: what files and users say of a text. Out: `Document` values, which every stage works on.
Start with `document.py`, then `mentions.py` (values and arrays) and `clusters.py` (plain Python clusters).
"""
