from typing import Final

from typing_extensions import Buffer, Self, disjoint_base

ARCHITECTURE: Final[dict[str, int | str]]
PAYLOAD_SIZE: Final[int]

def kernels() -> list[str]: ...

@disjoint_base
class Network:
    def __new__(cls, payload: Buffer, *, kernel: str | None = None) -> Self: ...
