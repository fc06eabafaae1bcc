"""What the client's commands give back, with Xiangqi's moves in python-chess's shapes."""

from __future__ import annotations

import chess.engine
from chess.engine import EngineError, InfoDict

from xiangqi.core.move import Move
from xiangqi.errors import quote

__all__ = ["IllegalBestMoveError", "PlayResult"]


class PlayResult(chess.engine.PlayResult):
    """What an engine played. Without a move it says that there is none, or resigns."""

    move: Move | None  # type: ignore[assignment]
    ponder: Move | None  # type: ignore[assignment]

    def __init__(
        self,
        move: Move | None,
        ponder: Move | None = None,
        info: InfoDict | None = None,
        *,
        draw_offered: bool = False,
        resigned: bool = False,
        seconds: float = 0.0,
    ) -> None:
        super().__init__(None, None, info, draw_offered=draw_offered, resigned=resigned)
        self.move = move
        self.ponder = ponder
        self.seconds = seconds
        """From writing ``go`` to reading the answer."""


class IllegalBestMoveError(EngineError):
    """The engine answered with something that is no legal move.

    >>> print(IllegalBestMoveError("a0a9", "the red rook on a0 cannot reach a9"))
    the engine played 'a0a9': the red rook on a0 cannot reach a9
    """

    def __init__(self, text: str, why: str) -> None:
        super().__init__(text, why)
        self.text = text
        """What the engine said."""
        self.why = why

    def __str__(self) -> str:
        return f"the engine played {quote(self.text)}: {self.why}"
