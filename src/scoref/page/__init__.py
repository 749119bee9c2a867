"""The HTML page.

In: evaluations of one response or several. Out: one self-contained HTML file.
Start with `build.py` (the data of the page); `assets/` has its template, style and scripts.
"""
