"""Makes one key of what several annotators marked.

In: the documents of each annotator, and what a curator decided. Out: a `Curation`: the documents of the key, and every
place with what was agreed, what a majority has, what was decided, what is open.

Start with `curate.py`: it reads and pairs what annotators marked, and merges it document by document.
"""
