"""Runs a shared task: in come a key and submissions, out come verdicts, ranks and everything that shows them.

Start reading in `run.py`: it finds the submissions, judges each in a process of its own, and ranks those it accepts.
"""
