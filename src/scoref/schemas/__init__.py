"""JSON Schemas of everything that scoref prints as JSON, and of the files it saves.

In: the name of a command, or of a kind of file. Out: its schema, which names every key there is.

Start with `known.py`: it has all schemas by their names. What a value is made of is declared once: choices come from
their registry, and what is printed field by field comes from the fields of its class.
"""
