"""Drawings by the names of ``chess.svg``.

>>> from xiangqi import E2, H2, Board, svg
>>> game = Board()
>>> move = game.push_iccs("h2e2")
>>> drawing = svg.board(game, lastmove=move, arrows=[(H2, E2)], size=300)
>>> drawing[:4], 'width="300"' in drawing
('<svg', True)
"""

from __future__ import annotations

from collections.abc import Iterable

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.drawing.arrows import Arrow
from xiangqi.drawing.svg import Lettering, board_svg
from xiangqi.pictures import Picture
from xiangqi.pieces import RED, Color, Square

__all__ = ["Arrow", "board"]


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
