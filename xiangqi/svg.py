"""Drawings of positions, as in ``chess.svg`` of python-chess, and of rulings, with arrows.

>>> from xiangqi import E2, H2, Board, svg
>>> game = Board()
>>> move = game.push_iccs("h2e2")
>>> drawing = svg.board(game, lastmove=move, arrows=[(H2, E2)], size=300)
>>> drawing[:4], 'width="300"' in drawing
('<svg', True)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.drawing.svg import Lettering, board_svg
from xiangqi.ground.errors.absent import missing_name
from xiangqi.pieces import RED, Color, Square
from xiangqi.pieces.arrows import Arrow
from xiangqi.referee.evidence import ply_arrows
from xiangqi.referee.ruling import Ruling

__all__ = ["Arrow", "Picture", "board", "draw_ruling"]


class Picture(str):
    """Text of an SVG drawing, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_ruling(ruling: Ruling) -> Picture:
    """Draw the last position of a ruling, with all checks, chases and protections of the cycle."""
    board = ruling.board()
    arrows = dict.fromkeys(
        arrow for report in ruling.plies for arrow in ply_arrows(report) if arrow.kind != "attack"
    )
    check = board.king(board.turn) if board.is_check() else None
    return Picture(board_svg(board.setup(), arrows=arrows, check=check))


def board(
    position: Board | None = None,
    *,
    orientation: Color = RED,
    lastmove: Move | None = None,
    check: Square | None = None,
    arrows: Iterable[Arrow | tuple[Square, Square]] = (),
    size: int | None = 480,
    coordinates: bool = True,
    lettering: Lettering = "traditional",
) -> Picture:
    """Draw a position, the starting position by default; notebooks show the result.

    ``orientation`` is the side at the bottom. ``lastmove`` and ``check``, the square of a general,
    are marked. An arrow is an :class:`Arrow` or a tuple of two squares. ``size`` is the width in
    pixels; with None the page decides. ``lettering`` is ``traditional``, ``simplified`` or
    ``letters``.
    """
    drawing = board_svg(
        (position or Board()).setup(),
        size=size,
        orientation=orientation,
        lastmove=None if lastmove is None else (lastmove.from_square, lastmove.to_square),
        arrows=[each if isinstance(each, Arrow) else Arrow(*each) for each in arrows],
        check=check,
        coordinates=coordinates,
        lettering=lettering,
    )
    return Picture(drawing)


if not TYPE_CHECKING:  # a type checker would accept any name of a module with __getattr__

    def __getattr__(name):
        raise missing_name("chess.svg", "module 'xiangqi.svg'", name)
