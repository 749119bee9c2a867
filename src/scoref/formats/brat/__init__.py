"""brat standoff annotation.

In: `.ann` files and their texts. Out: documents; and back.
Start with `read.py`.
"""
