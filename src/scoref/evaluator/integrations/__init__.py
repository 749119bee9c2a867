"""Metrics and evaluators of other packages, a module for each package that is needed.

In: what the other package gives to its metrics. Out: what it expects of them.
Start with `torch.py`.

A module is found by being here: its public classes are those of `scoref.evaluator`. It has the name of the extra that
installs what it imports, `pip install 'scoref[torch]'`, and is imported when somebody asks for one of its classes.
Those for harnesses of language models have functions, which harnesses find by the module's name; what they share is in
`harness.py` above.
"""
