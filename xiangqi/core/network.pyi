from typing import Final

from typing_extensions import Buffer, Self, disjoint_base

WIDTHS: Final[tuple[int, ...]]
KING_BUCKETS: Final[dict[str, int]]

def kernels() -> list[str]: ...
def architecture(hidden: int, kings: str) -> dict[str, int | str]: ...
def payload_size(hidden: int, kings: str) -> int: ...

@disjoint_base
class Network:
    def __new__(
        cls, payload: Buffer, *, hidden: int, kings: str, kernel: str | None = None
    ) -> Self: ...
