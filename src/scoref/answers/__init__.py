"""What a language model wrote in reply, and where its mentions are in the key.

In: the words of a key, and a reply as it came. Out: a document with mentions at these words, or why there are none.
Start with `place.py`, then `candidates.py` and the folder `kinds`.
"""
