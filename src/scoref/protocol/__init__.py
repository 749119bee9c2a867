"""Every choice of an evaluation.

In: words of users, signatures, files. Out: a `Protocol`, complete and checked.
Start with `choices.py` (which collects what the stages declare), then `protocol.py` (with the presets) and `tools.py`
(other tools as protocols).
"""
