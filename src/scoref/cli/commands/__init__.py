"""The commands, one module each, found by being there.

A module's name is the command's, and the first line of its text is what `scoref --help` says of it. `add(parser)`
declares its arguments; `run(options)` does the work and gives the text to print and the exit code.
"""
