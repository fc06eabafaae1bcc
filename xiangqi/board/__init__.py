"""Public board class: the compiled core's board with notations, diagrams and rulings.

Modelled on ``chess.Board`` of python-chess (https://python-chess.readthedocs.io); names differ
where Xiangqi does. ``placing`` edits and formats positions; ``board`` adds moves, notations, rule
sets and the referee.
"""

from xiangqi.board.board import Board

__all__ = ["Board"]
