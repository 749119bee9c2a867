"""Answers of language models, as they came.

In: files of any ending, or JSON lines with a field that is the reply. Out: documents without words, with raw replies.
What a reply says is found beside the words of the key: `scoref.answers`.
Start with `read.py`.
"""
