"""Below all other packages: errors, texts, lines, files, processes.

- :mod:`~xiangqi.ground.errors`: exceptions, and the facts that they state
- :mod:`~xiangqi.ground.texts`: the texts in every language
- :mod:`~xiangqi.ground.lines`: text of unknown encoding, settings as ``name=value``
- :mod:`~xiangqi.ground.files`: files written whole, journals, locks, TOML
- :mod:`~xiangqi.ground.installed`: the version, extras, lazy names
- :mod:`~xiangqi.ground.workers`: jobs in other processes or on a cluster
- :mod:`~xiangqi.ground.progress`: progress bars
- :mod:`~xiangqi.ground.exits`: exit codes, and signals of a program
- :mod:`~xiangqi.ground.chances`: the chances of a score
"""
