"""MAVEN-ERE.

In: JSON lines of keys and of responses. Out: documents.
Start with `read.py`.
"""
