"""Tokens of running texts.

In: texts, token tables. Out: tokens with their characters, and mentions by the tokens that they touch.
Start with `tables.py`, then `spans.py`.
"""
