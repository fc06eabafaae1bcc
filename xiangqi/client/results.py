"""Results of the client's commands."""

from __future__ import annotations

from xiangqi.errors import quote
from xiangqi.scores import EngineError, PlayResult

__all__ = ["IllegalBestMoveError", "PlayResult"]


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
