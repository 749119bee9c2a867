"""How many small changes of the source the tests notice: `python -m tests.mutants --sample N --seed S`."""
