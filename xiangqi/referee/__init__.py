"""Rule sets, rulings on repetitions, and their explanations.

``rules`` has rule sets as data; ``rule_checks`` validates their fields and reads the files of rule
books; ``ruling`` has rulings as data, with the game; ``judging`` makes them from the facts of the
core or from counted rounds (both converted in ``counters``), or from gains (``cxa``); ``outcome``
decides how a game ends; ``explanation`` words rulings, with the parts in ``reasons``;
``comparison`` compares rule sets.
"""
