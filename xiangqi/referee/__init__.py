"""Rule sets, rulings and their words.

``rules`` has rule sets as data, ``rule_checks`` the values of their fields and the files of rule
books; ``ruling`` is a finding with the game behind it; ``judging`` makes it from the facts of the
core, from rounds in a row (both in ``counters``) or from gains (``cxa``); ``outcome`` decides how a
game ends; ``explanation`` puts rulings into words, with the parts in ``reasons``; ``comparison``
compares rule sets.
"""
