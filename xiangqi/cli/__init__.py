"""The command ``xiangqi``: one module for each command or pair of commands.

``main`` lists the commands, ``base`` has their import, help and exit codes, and ``options`` the
options that several commands share.
"""
