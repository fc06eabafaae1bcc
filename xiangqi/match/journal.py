"""Journal of a match: its arguments, and a line for each finished game.

Each line is synced to disk before the match goes on, so that a killed match loses no finished game
and can be resumed. The first line has the arguments::

    {"match": [["-engine", "cmd=meihua", "depth=6"], ...], "version": "0.1.0", "pgn_start": 0}

Each further line is a game: ``game`` (its number), ``round``, ``red``, ``black``, ``result``,
``termination``, ``reason``, ``ruling``, ``fault``, ``warnings``, ``started``, ``ended``, ``fen``,
``opening`` (moves), ``moves``, ``pgn`` (the game as text) and, for each move, ``scores``,
``depths`` and ``seconds``. Scores are the engine's own, in centipawns from the mover's side; a mate
is 100000 less the moves to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from xiangqi.games.record import parse_json_line
from xiangqi.ground.errors import Fact, FormatError, RecordError
from xiangqi.ground.files import Journal, LockedError, open_output, remove_empty, write_all
from xiangqi.ground.installed import __version__
from xiangqi.match.adjudication import MATE
from xiangqi.match.arguments import Argument
from xiangqi.match.config import ConfigError
from xiangqi.match.pgn import PlayedGame, PlayedMove

__all__ = ["MatchJournal", "PgnFile", "describe_game"]

_GAME_KEYS: Final = frozenset("game red black result fault fen opening pgn".split())
"""Keys of a game that are required to resume a match."""

DEFAULT_NAME: Final = "match"
SUFFIX: Final = ".jsonl"


def describe_game(
    number: int, game: PlayedGame, opening: Sequence[str], pgn: str
) -> dict[str, Any]:
    """Make the journal record of a game; ``opening`` is the moves of its opening."""
    return {
        "game": number,
        "round": game.round,
        "red": game.red,
        "black": game.black,
        "result": game.result,
        "termination": game.termination,
        "reason": game.reason,
        "ruling": game.ruling or None,
        "fault": None if game.fault is None else game.fault.value,
        "warnings": list(game.warnings),
        "started": None if game.started is None else game.started.isoformat(),
        "ended": None if game.ended is None else game.ended.isoformat(),
        "fen": game.fen,
        "opening": list(opening),
        "moves": [one.move.iccs() for one in game.moves],
        "scores": [_score(one) for one in game.moves],
        "depths": [one.info.get("depth") for one in game.moves],
        "seconds": [round(one.seconds, 6) for one in game.moves],
        "pgn": pgn,
    }


def _score(played: PlayedMove) -> int | None:
    score = played.info.get("score")
    if score is None:
        return None
    value: int = score.relative.score(mate_score=MATE)
    return value


class MatchJournal:
    """An open journal of a match. Closing a new one without games deletes it."""

    def __init__(
        self, file: Journal, arguments: Sequence[Argument], pgn_start: int, is_new: bool
    ) -> None:
        self.path = file.path
        self.arguments = tuple(arguments)
        """Arguments of the configuration."""
        self.pgn_start = pgn_start
        """Length of the PGN file in bytes before the match."""
        self.games: list[dict[str, Any]] = []
        """Records of the games finished before it was resumed."""
        self._file = file
        self._is_new = is_new

    @classmethod
    def create(
        cls, path: Path | None, arguments: Sequence[Argument], pgn_start: int
    ) -> MatchJournal:
        """Create a journal, under an unused name if none is given.

        Raises ConfigError if the file exists: it may be the only record of another match.
        """
        paths = _free_names() if path is None else iter((path,))
        for name in paths:
            try:
                file = Journal(name, sync=True)
            except FormatError as error:
                if name.exists():
                    continue
                raise ConfigError(
                    "-jsonout file", str(name), Fact("match.new_file", error=error.why)
                ) from error
            journal = cls(file, arguments, pgn_start, is_new=True)
            journal.add_arguments(arguments)
            return journal
        expected = Fact("match.existing_file", path=str(path))
        raise ConfigError("-jsonout file", str(path), expected)

    @classmethod
    def resume(cls, path: Path) -> MatchJournal:
        """Open an existing journal to append to it; an incomplete last line is removed.

        Raises ConfigError if it cannot be opened or is no journal, RecordError for a bad line.
        """
        try:
            if not path.exists():
                raise FormatError(str(path), "", Fact("system.no_file"))
            file = Journal(path, resume=True, sync=True)
        except LockedError as error:
            expected = Fact("match.free_journal")
            raise ConfigError("-config file", str(path), expected) from error
        except FormatError as error:
            raise ConfigError(
                "-config file", str(path), Fact("match.journal_file", error=error.why)
            ) from error
        try:
            return cls._read(file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def _read(cls, file: Journal) -> MatchJournal:
        match: Mapping[str, Any] = {}
        pgn_start = None
        games = []
        for number, _, line in file.lines():
            where = f"{file.path}:{number}"
            try:
                record = parse_json_line(line.rstrip(b"\r\n"))
            except RecordError as error:
                raise RecordError(None, error.text, error.why, where) from error
            if "match" in record:
                match = record
                pgn_start = record.get("pgn_start", 0) if pgn_start is None else pgn_start
            elif record.keys() >= _GAME_KEYS:
                games.append(record)
            else:
                why = Fact("match.game_keys", keys=", ".join(sorted(_GAME_KEYS)))
                text = line.decode().rstrip("\n")
                raise RecordError(None, text, why, where)
        try:
            arguments = [Argument(word, tuple(values)) for word, *values in match["match"]]
        except (KeyError, TypeError, ValueError):
            raise ConfigError("-config file", str(file.path), Fact("match.journal")) from None
        journal = cls(file, arguments, pgn_start or 0, is_new=False)
        journal.games = games
        return journal

    def add_arguments(self, arguments: Sequence[Argument]) -> None:
        """Write the arguments for the rest of the match; the last line of arguments counts."""
        self.arguments = tuple(arguments)
        self._file.append(
            {
                "match": [[one.word, *one.values] for one in arguments],
                "version": __version__,
                "time": datetime.now().astimezone().isoformat(),
                "pgn_start": self.pgn_start,
            }
        )

    def add(self, record: Mapping[str, Any]) -> None:
        self._file.append(record)
        self._is_new = False

    def close(self) -> None:
        self._file.close()
        if self._is_new:
            self.path.unlink(missing_ok=True)


def _free_names() -> Iterator[Path]:
    yield Path(DEFAULT_NAME + SUFFIX)
    for number in count(2):
        yield Path(f"{DEFAULT_NAME}-{number}{SUFFIX}")


class PgnFile:
    """PGN file to which the games of a match are appended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._is_new = not path.exists()
        try:
            self._file = open_output(path, "a")
        except OSError as error:
            raise ConfigError(
                "-pgnout file", str(path), Fact("match.file_to_add", error=str(error))
            ) from error
        self.size = self._file.tell()
        """Length of the file in bytes when it was opened."""

    def add(self, pgn: str) -> None:
        write_all(self._file, pgn.encode(), sync=True)

    def complete(self, journal: MatchJournal) -> bool:
        """Append the games of the journal that an interruption has left out of the file.

        Returns False, and leaves the file unchanged, if it holds other games.
        """
        expected = "".join(str(game.get("pgn", "")) for game in journal.games).encode()
        with self.path.open("rb") as file:
            file.seek(journal.pgn_start)
            found = file.read()
        if not expected.startswith(found):
            return False
        write_all(self._file, expected[len(found) :], sync=True)
        return True

    def close(self) -> None:
        self._file.close()
        if self._is_new:
            remove_empty(self.path)
