"""A second attack, by somebody who had not read the first one: own inputs, own calls, own judgement.

`python -m tests.fuzz --second --count 1000 --seed 1`. It was written from docs/ and the help of the commands, and
shares no line with the other modules of this folder, so that what one overlooks the other may see.
"""

from .loop import attack

__all__ = ["attack"]
