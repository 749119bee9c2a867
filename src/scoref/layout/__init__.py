"""Tables and pictures, of anything.

In: grids of cells, plain numbers. Out: text, CSV, Markdown, LaTeX, HTML of notebooks, and pictures.
Start with `grid.py`. Nothing here knows what a score is.
"""
