"""Running text with marks, as language models write it.

In: texts in which mentions are marked. Out: documents; and back.
Start with `read.py`, then `marks.py` and `styles.py`.
"""
