"""The command ``xiangqi``: a module for each of its commands, which ``main`` lists.

``base`` has import, help and exit codes of commands; ``options`` has the options that several of
them share.
"""
