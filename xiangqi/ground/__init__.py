"""Below all other packages: errors, texts, lines, files, processes.

- :mod:`~xiangqi.ground.errors`: exceptions, and the facts that they state
- :mod:`~xiangqi.ground.texts`: the texts in every language
- :mod:`~xiangqi.ground.lines`: text of other programs and files decoded into lines
- :mod:`~xiangqi.ground.files`: files written whole, journals, locks, TOML
- :mod:`~xiangqi.ground.installed`: the version, extras, lazy names
- :mod:`~xiangqi.ground.workers`: batches of work in processes or on a cluster
- :mod:`~xiangqi.ground.progress`: progress bars
- :mod:`~xiangqi.ground.exits`: exit codes, and what a program does at its end
- :mod:`~xiangqi.ground.chances`: win, draw and loss probabilities of a score
"""
