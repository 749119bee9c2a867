"""In: the metrics and presets. Out: which property of a good metric each has, or its smallest counterexample.

Start with `properties`, which has the definitions; `cases` has all small keys and responses, `scoring` the f1 of each,
`findings` what was found, which is recorded in `recorded.jsonl`.
"""
