"""EDL, entity discovery and linking.

In: a line for each mention, with the id of its entity. Out: documents; and back.
Start with `read.py`.
"""
