"""The board that users hold: the compiled core's, with words, pictures and rulings.

Shaped after ``chess.Board`` of python-chess (https://python-chess.readthedocs.io), ; names differ
where Xiangqi does. ``placing`` edits and formats positions; ``board`` adds moves, as text and under
a rule set, and the referee.
"""

from xiangqi.board.board import Board

__all__ = ["Board"]
