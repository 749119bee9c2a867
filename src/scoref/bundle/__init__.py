"""Makes the bundle of a Codabench competition: the key, a program that scores, a kit to start with, pages, columns.

In: the task of a board. Out: one zip file. `scoring.py` is what runs there: it judges a submission as a board does.

Start with `competition.py`.
"""
