"""The scorers whose numbers are recorded: a module each, which runs one that its user has, by its path.

A module has `SCORERS`: for each configuration what it is. `score(place, scorer, cases)` gives, for each case, a
dictionary from metrics to "recall precision f1", or to what happened instead: "crash: NAME", "silent".
"""
