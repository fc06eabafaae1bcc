"""The command ``xiangqi``: a module for each of its commands, which ``main`` lists.

``base`` defines how a command is found, helps and ends; ``options`` has what several of them share.
"""
