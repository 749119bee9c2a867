"""UIMA CAS: XMI and JSON.

In: XMI with chains, relations or CorefAnnotator's entities, or the same in JSON. Out: documents; and back.
Start with `read.py`, then `cas.py` (feature structures of either syntax).
"""
