"""The kinds of payloads that are found in a reply: JSON, marks in the text, tables, lists.

In: a text, and the strings and words of a key. Out: what is listed, or marked.
Start with `shapes.py` (JSON, read by `lenient.py`) and `marks.py`.
"""
