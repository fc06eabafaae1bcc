"""Drives any engine that speaks UCCI, UCI or XBoard.

Built on ``chess.engine`` of python-chess. What engines are asked and what they tell has the types
of :mod:`xiangqi.scores`, as with our own engine.
"""

from xiangqi.client.process import LineListener, split_command
from xiangqi.client.protocol import XiangqiProtocol, open_engine
from xiangqi.client.results import IllegalBestMoveError, PlayResult
from xiangqi.client.session import DIALECTS
from xiangqi.client.simple import SimpleEngine

__all__ = [
    "DIALECTS",
    "IllegalBestMoveError",
    "LineListener",
    "PlayResult",
    "SimpleEngine",
    "XiangqiProtocol",
    "open_engine",
    "split_command",
]
