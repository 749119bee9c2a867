"""What the suite is made of: cases as they are written, the files they stand for, numbers, slow definitions.

Nothing here imports scoref. Start with `cases`, which reads the lines of `../cases`; `sides` has the small language in
which keys and responses are written, `files` turns them into files of each format, `literal` has each metric as its
paper defines it, in exact fractions.
"""
