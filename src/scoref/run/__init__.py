"""Scores whatever users give, by calling the stages in order.

In: files, documents, clusters or tables, and a protocol. Out: an `Evaluation`.
Start with `request.py` (what users ask for), then `stages.py`; `score.py` and `scorer.py` have what users call.
"""
