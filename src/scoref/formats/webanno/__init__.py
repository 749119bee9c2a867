"""WebAnno TSV 3.

In: files with columns for layers of annotation. Out: documents; and back.
Start with `read.py`, then `lines.py` (tokens and layers), `chains.py` and `links.py` (two ways to say coreference).
"""
