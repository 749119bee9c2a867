"""Results to text.

In: evaluations, comparisons, analyses. Out: what the commands print, as text, CSV, Markdown, LaTeX or JSON.
Start with `scores.py`.
"""
