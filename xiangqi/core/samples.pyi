from typing import Final

from typing_extensions import Buffer

from xiangqi.core.board import CoreBoard

SAMPLE_SIZE: Final[int]
SHAPE: Final[dict[str, int]]

def features(board: CoreBoard) -> tuple[list[int], list[int], int]: ...
def fill_features(samples: Buffer) -> tuple[memoryview, memoryview]: ...
