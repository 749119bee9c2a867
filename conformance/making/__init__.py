"""The inputs of cases: made by hand, and made by seeded generators that give the same in every version of Python.

A module has `ROWS`: for each of its sets a function that gives its cases as they are written, without results.
"""
