"""The board that users hold: the compiled core's, with words, pictures and rulings.

Shaped after ``chess.Board`` of python-chess (https://python-chess.readthedocs.io), so that its
users feel at home; where Xiangqi differs, the names say so. ``placing`` puts pieces on it and shows
it; ``board`` adds moves, as text and under a rule set, and the referee.
"""

from xiangqi.board.board import Board

__all__ = ["Board"]
