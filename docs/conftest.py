"""Which scripts of the pages hold no examples to be run, and need packages that are not always there."""

collect_ignore = ["conf.py", "site.py", "site_words.py"]
