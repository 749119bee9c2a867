"""DocBin, the files in which spaCy keeps documents.

In: packed bytes with tokens and groups of spans. Out: documents.
Start with `read.py`, then `packing.py` (MessagePack, and the numbers that spaCy has for words). spaCy is not needed.
"""
