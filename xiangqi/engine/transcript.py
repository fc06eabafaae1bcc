"""Log file of the dialogue between a GUI and the engine."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterable
from datetime import datetime
from typing import Final, TextIO

__all__ = ["HEARD", "SAID", "Transcript"]

HEARD: Final = ">>"
"""Marks a line from the GUI, as in the log of Stockfish."""
SAID: Final = "<<"
"""Marks a line of the engine."""
EARLIER_CHARACTERS: Final = 1 << 18
"""So much of what was said before there was a file is kept for it."""


class Transcript:
    """Notes lines with their time, to a file once there is one. Any thread may call it.

    The option that names the file comes after the handshake and perhaps after other options;
    they are remembered, so that the file tells the whole conversation.
    """

    def __init__(self) -> None:
        self._earlier: deque[str] = deque()
        self._size = 0
        self._file: TextIO | None = None
        self._lock = threading.Lock()

    def write_to(self, path: str) -> None:
        """Append to this file what was said before and all from now on; to none if it is empty.

        Raises OSError if it cannot be written; then all stays as it was.
        """
        with self._lock:
            file = self._open(path) if path else None
            self._close()
            self._file = file

    def note(self, mark: str, lines: Iterable[str]) -> OSError | None:
        """Note lines that were heard or said; an error in writing ends the file and is returned."""
        now = datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")
        entries = [f"{now} {mark} {line}\n" for line in lines]
        with self._lock:
            if self._file is None:
                self._remember(entries)
                return None
            try:
                self._file.writelines(entries)
            except OSError as error:
                self._close()
                return error
        return None

    def close(self) -> None:
        """End the file, if there is one."""
        with self._lock:
            self._close()

    def _open(self, path: str) -> TextIO:
        file = open(path, "a", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
        try:
            file.writelines(self._earlier)
        except OSError:
            with contextlib.suppress(OSError):
                file.close()
            raise
        self._earlier.clear()
        self._size = 0
        return file

    def _remember(self, entries: Iterable[str]) -> None:
        for entry in entries:
            self._earlier.append(entry)
            self._size += len(entry)
        while self._size > EARLIER_CHARACTERS:
            self._size -= len(self._earlier.popleft())

    def _close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # of a write that has failed already
                self._file.close()
            self._file = None
