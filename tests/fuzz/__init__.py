"""Mutated files through the commands: `python -m tests.fuzz --minutes N`, and a short run in the suite."""
