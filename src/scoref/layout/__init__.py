"""Tables and pictures, of anything.

In: tables of cells, notes, plain numbers. Out: text, CSV, Markdown, LaTeX, JSON, HTML of notebooks, frames, pictures.
Start with `grid.py`, what a table is; `render.py` writes tables with notes below them in any format. Nothing here knows
what a score is.
"""
