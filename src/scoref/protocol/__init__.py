"""Every choice of an evaluation.

In: the user's options, signatures, files. Out: a `Protocol`, complete and checked.
Start with `choices.py` (which collects what the stages declare), then `protocol.py` (with the presets) and `tools.py`
(other tools as protocols).
"""
