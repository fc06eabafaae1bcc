"""Whole games.

One line of moves (``record``), a tree with variations (``tree``), the ``formats`` of files, ruling
on games (``arbiter``) and on archives of them (``archive``), and ``convert``.
"""
