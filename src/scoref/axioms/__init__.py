"""In: the metrics and presets. Out: which property of a good metric each has, or its smallest counterexample.

Start with `search`, which asks every property of every metric; `properties` has their definitions, `cases` all small keys
and responses, `scoring` the f1 of each.
"""
