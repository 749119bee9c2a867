"""Runs a shared task: submissions are checked, scored alone with limits, ranked and shown.

In: a key and a folder of submissions. Out: a `Board`: ranks, reasons against rejected ones, and a page.

Start with `run.py`: it finds the submissions, judges each in a process of its own, and ranks those it accepts.
"""
