"""The journal of a match: what was configured, and one line for each finished game.

It is a file of JSON lines that is only added to, each line written through to the disk before the
match goes on. So a match that is killed at any moment loses no finished game, and the journal is
all that is needed to resume it. The first line tells the words of the configuration::

    {"match": [["-engine", "cmd=meihua", "depth=6"], ...], "version": "0.1.0", "pgn_start": 0}

and each further line a game, with ``game`` (its number), ``red``, ``black``, ``result``,
``termination``, ``reason``, ``ruling``, ``fault``, ``warnings``, ``fen``, ``opening`` (moves),
``moves`` and, for each of these, ``scores`` (centipawns of the engine's own scale from the mover's
side, mates being 100000 less the moves), ``depths`` and ``seconds``, and ``pgn``, the game as text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from xiangqi.errors import RecordError
from xiangqi.facts import Fact
from xiangqi.files import lock_file, open_output, remove_empty
from xiangqi.games.record import parse_json_line
from xiangqi.match.adjudication import MATE
from xiangqi.match.arguments import Said
from xiangqi.match.config import ConfigError
from xiangqi.match.game import FinishedGame
from xiangqi.match.pgn import PlayedMove
from xiangqi.match.schedule import ScheduledGame
from xiangqi.version import __version__

__all__ = ["MatchJournal", "PgnFile", "describe_game"]

_GAME_KEYS: Final = frozenset("game red black result fault fen opening pgn".split())
"""Keys of a game that a resumed match needs."""

DEFAULT_NAME: Final = "match"
SUFFIX: Final = ".jsonl"


def describe_game(
    game: ScheduledGame, finished: FinishedGame, opening: Sequence[str], pgn: str
) -> dict[str, Any]:
    """The line of a game."""
    played = finished.played
    return {
        "game": game.number,
        "round": played.round,
        "red": played.red,
        "black": played.black,
        "result": played.result,
        "termination": played.termination,
        "reason": played.reason,
        "ruling": played.ruling or None,
        "fault": None if finished.fault is None else finished.fault.value,
        "warnings": list(finished.warnings),
        "started": None if played.started is None else played.started.isoformat(),
        "ended": None if played.ended is None else played.ended.isoformat(),
        "fen": played.fen,
        "opening": list(opening),
        "moves": [one.move.iccs() for one in played.moves],
        "scores": [_score(one) for one in played.moves],
        "depths": [one.info.get("depth") for one in played.moves],
        "seconds": [round(one.seconds, 6) for one in played.moves],
        "pgn": pgn,
    }


def _score(played: PlayedMove) -> int | None:
    score = played.info.get("score")
    if score is None:
        return None
    value: int = score.relative.score(mate_score=MATE)
    return value


class MatchJournal:
    """An open journal."""

    def __init__(self, path: Path, file: BinaryIO, said: Sequence[Said], pgn_start: int) -> None:
        self.path = path
        self.said = tuple(said)
        """The words of the configuration."""
        self.pgn_start = pgn_start
        """Size of the PGN file before the match."""
        self.games: list[dict[str, Any]] = []
        """The lines of the games that were finished before it was opened."""
        self._file = file
        self._is_new = False

    @classmethod
    def create(cls, path: Path | None, said: Sequence[Said], pgn_start: int) -> MatchJournal:
        """Begin a journal, at a path that is free if none is given.

        Raises ConfigError if there is such a file: it may be the only record of another match.
        """
        paths = _free_names() if path is None else iter((path,))
        for name in paths:
            try:
                file = open_output(name, "x")
            except FileExistsError:
                continue
            except OSError as error:
                raise ConfigError("-jsonout file", str(name), f"a new file: {error}") from error
            lock_file(file)
            journal = cls(name, file, said, pgn_start)
            journal._is_new = True
            journal.tell_words(said)
            return journal
        expected = f"a new file (this one exists; -config file={path} resumes its match)"
        raise ConfigError("-jsonout file", str(path), expected)

    @classmethod
    def resume(cls, path: Path) -> MatchJournal:
        """Open a journal to add to it. A last line that is not complete is cut off.

        Raises ConfigError if there is no journal, RecordError for a line that cannot be read.
        """
        try:
            file = open_output(path, "r+")
        except OSError as error:
            raise ConfigError("-config file", str(path), f"a journal: {error}") from error
        try:
            if not lock_file(file):
                expected = "a journal that no other match is writing"
                raise ConfigError("-config file", str(path), expected)
            return cls._read(path, file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def _read(cls, path: Path, file: BinaryIO) -> MatchJournal:
        data = file.read()
        length = data.rfind(b"\n") + 1
        file.truncate(length)
        file.seek(length)
        words: Mapping[str, Any] = {}
        pgn_start = None
        games = []
        for number, line in enumerate(data[:length].splitlines(), start=1):
            record = _read_line(line, f"{path}:{number}")
            if "match" in record:
                words = record
                pgn_start = record.get("pgn_start", 0) if pgn_start is None else pgn_start
            elif record.keys() >= _GAME_KEYS:
                games.append(record)
            else:
                why = Fact("match.game_keys", keys=", ".join(sorted(_GAME_KEYS)))
                raise RecordError(None, line.decode(), why, f"{path}:{number}")
        try:
            said = [Said(word, tuple(values)) for word, *values in words["match"]]
        except (KeyError, TypeError, ValueError):
            raise ConfigError("-config file", str(path), "the journal of a match") from None
        journal = cls(path, file, said, pgn_start or 0)
        journal.games = games
        return journal

    def tell_words(self, said: Sequence[Said]) -> None:
        """Write the words that the match goes on with; the last ones count."""
        self.said = tuple(said)
        self.add(
            {
                "match": [[one.word, *one.values] for one in said],
                "version": __version__,
                "time": datetime.now().astimezone().isoformat(),
                "pgn_start": self.pgn_start,
            }
        )

    def add(self, record: Mapping[str, Any]) -> None:
        """Write one line through to the disk."""
        data = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        _write_all(self._file, data)
        self._is_new = self._is_new and "match" in record

    def close(self) -> None:
        """Close the file; a new one that has no game yet is not kept."""
        self._file.close()
        if self._is_new:
            self.path.unlink(missing_ok=True)


def _free_names() -> Iterator[Path]:
    yield Path(DEFAULT_NAME + SUFFIX)
    number = 2
    while True:
        yield Path(f"{DEFAULT_NAME}-{number}{SUFFIX}")
        number += 1


def _read_line(line: bytes, where: str) -> dict[str, Any]:
    try:
        return parse_json_line(line)
    except RecordError as error:
        raise RecordError(None, error.text, error.why, where) from error


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write through to the disk, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    os.fsync(file.fileno())


class PgnFile:
    """The games of a match at the end of a PGN file, always those of the journal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._is_new = not path.exists()
        try:
            self._file = open_output(path, "a")
        except OSError as error:
            raise ConfigError("-pgnout file", str(path), f"a file to add to: {error}") from error
        self.size = self._file.tell()
        """Its length in bytes when it was opened."""

    def add(self, pgn: str) -> None:
        """Write one game."""
        _write_all(self._file, pgn.encode())

    def complete(self, journal: MatchJournal) -> bool:
        """Write what was lost of the journal's games when the match was interrupted.

        False if the file holds something else than those games; it is left as it is then.
        """
        expected = "".join(str(game.get("pgn", "")) for game in journal.games).encode()
        with self.path.open("rb") as file:
            file.seek(journal.pgn_start)
            found = file.read()
        if not expected.startswith(found):
            return False
        _write_all(self._file, expected[len(found) :])
        return True

    def close(self) -> None:
        """Close the file; a new one without a game is not kept."""
        self._file.close()
        if self._is_new:
            remove_empty(self.path)
