"""The compiled core, and the contract of its door.

``xiangqi.core.board`` is the only way in for Python (with the values of ``xiangqi.core.move``).
Whatever may be wrong with what comes in is checked there and answered with an error of
``xiangqi.errors``; behind it, in the C functions of the other modules, nothing is checked again
except by the assertions of a debug build.
"""
