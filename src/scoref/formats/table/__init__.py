"""Tables of mentions as documents.

In: CSV, TSV and Parquet with a row for each mention. Out: documents; and back.
Start with `read.py`.
"""
