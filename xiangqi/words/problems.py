"""Problems of an impossible position, in each language."""

from __future__ import annotations

from typing import Final

from xiangqi.fen import Problem, Status, most_of
from xiangqi.pieces import KING, RED, Piece, square_name, square_rank
from xiangqi.words.sentences import Language

__all__ = ["say_problem"]

_STRAYS: Final = {
    Status.MISPLACED_KING: "在九宫之外",
    Status.MISPLACED_ADVISOR: "不在九宫内士可到的五点上",
    Status.MISPLACED_BISHOP: "不在己方象可到的七点上",
}


def say_problem(language: Language, problem: Problem) -> str:
    """Put a problem into a sentence.

    >>> from xiangqi.fen import find_problems, parse_fen, setup_status
    >>> setup = parse_fen("3k5/9/9/9/9/9/9/9/9/R8 w")
    >>> for one in find_problems(setup, setup_status(setup)):
    ...     print(say_problem("zh", one), "/", say_problem("en", one))
    红方没有帅 / red has no general
    """
    return problem.sentence() if language == "en" else _say_in_chinese(problem)


def _say_in_chinese(problem: Problem) -> str:
    status, piece, squares = problem.status, problem.piece, problem.squares
    side = _side(piece)
    name = piece.chinese("simplified")
    where = "、".join(map(square_name, squares))
    if not squares:
        return f"{side}没有{name}"
    if status == Status.KINGS_FACING:
        return f"{where}的将帅照面"
    if status == Status.OPPOSITE_CHECK:
        mover = _side(Piece(KING, not piece.color))
        return f"轮到{mover}走棋，而{where}的{side[0]}{name}正被将军"
    if not problem.fault:
        most = most_of(piece.piece_type)
        return f"{side}有{len(squares)}个{name}（{where}），至多{most}个"
    return f"{where}的{side[0]}{name}{_STRAYS.get(status) or _stray_soldier(problem)}"


def _stray_soldier(problem: Problem) -> str:
    rank = square_rank(problem.squares[0])
    is_behind = rank < 3 if problem.piece.color == RED else rank > 6
    return "在其起始横线之后" if is_behind else "未过河而横行"


def _side(piece: Piece) -> str:
    return "红方" if piece.color == RED else "黑方"
