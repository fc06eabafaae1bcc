"""What begins the files of self-play: which kind of file it is, and how it was made.

The header is a magic of eight bytes, the version and the length of what follows (two unsigned
32-bit numbers, little-endian), and a JSON object that tells how the contents were made.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from xiangqi.errors import SampleError, quote

__all__ = ["FileKind", "check_same"]

_PROLOGUE: Final = struct.Struct("<8sII")
_MOST_HEADER: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file."""

    magic: bytes
    version: int

    def pack(self, facts: Mapping[str, Any]) -> bytes:
        """The header of a file that was made so."""
        header = json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()
        return _PROLOGUE.pack(self.magic, self.version, len(header)) + header

    def read(self, path: Path) -> tuple[dict[str, Any], int]:
        """What a file's header tells, and where its contents begin.

        Raises SampleError if the file is of another kind, OSError if it cannot be read.
        """
        with path.open("rb") as file:
            prologue = file.read(_PROLOGUE.size)
            if not prologue.startswith(self.magic) or len(prologue) < _PROLOGUE.size:
                begins = quote(prologue[:8])
                raise SampleError(str(path), f"begins with {begins}, expected {self.magic!r}")
            _, version, length = _PROLOGUE.unpack(prologue)
            if version != self.version:
                raise SampleError(str(path), f"version {version}, expected {self.version}")
            text = file.read(min(length, _MOST_HEADER))
        try:
            header = json.loads(text)
        except ValueError as error:
            raise SampleError(str(path), f"header {quote(text)}: {error}, expected JSON") from error
        if len(text) < length or not isinstance(header, dict):
            expected = f"expected an object of {length} bytes"
            raise SampleError(str(path), f"header {quote(text)}, {expected}")
        return header, _PROLOGUE.size + length


def check_same(path: Path, found: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Raise SampleError unless a file was made as its continuation will be."""
    for name in sorted(facts.keys() | found.keys()):
        if found.get(name) != facts.get(name):
            was, now = quote(found.get(name)), quote(facts.get(name))
            raise SampleError(str(path), f"{name} was {was} and is {now}, expected the same")
