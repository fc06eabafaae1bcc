"""Client for engines that speak UCCI, UCI or XBoard, built on ``chess.engine`` of python-chess.

Limits, scores and results have the types of :mod:`xiangqi.board.scores`, as for Meihua itself.
"""

from xiangqi.client.info import IllegalBestMoveError, PlayResult
from xiangqi.client.process import LineListener, split_command
from xiangqi.client.protocol import XiangqiProtocol, open_engine
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
