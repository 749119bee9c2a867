"""Why other tools and other settings give other numbers for the same files.

In: an evaluation with its evidence (or a saved one, as far as its sums allow). Out: an `Explanation`: what other tools
print, what each choice moves, which settings print a given number.
Start with `explain.py`, which puts the parts together; `experiments.py` scores one setting after the other.
"""
