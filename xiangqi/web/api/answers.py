"""Compute the answers to requests: rulings, legal moves, table values, converted files."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec import UNSET

from xiangqi.board import Board
from xiangqi.contract.answers import (
    ConvertedData,
    JudgedData,
    MovesData,
    TableValuesData,
    judge,
    list_moves,
)
from xiangqi.contract.errors import FieldError
from xiangqi.games.convert import convert_games
from xiangqi.games.formats import FORMATS, WriteOptions, read_games
from xiangqi.games.requests import GAME_KEYS, play_request
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.files import unzipped
from xiangqi.referee.rules import RuleSet
from xiangqi.tables.probing import Tablebase, compare_rules, default_folder, table_values
from xiangqi.web.api.messages import (
    MAX_PLIES,
    ConvertRequest,
    GameRequest,
    JudgeRequest,
    MovesRequest,
    TablesRequest,
)
from xiangqi.web.calls import choose_rules
from xiangqi.web.serve.messages import Refusal
from xiangqi.words.voice import Voice

__all__ = ["Answers", "play_game"]


def play_game(request: GameRequest) -> tuple[Board, RuleSet, Voice]:
    """Board after the moves of a request, its rule set, and its language and notation.

    Raises FenError, PositionError, RecordError, RuleSetError or FieldError.
    """
    rules = choose_rules(request.rules, request.occurrences)
    given = {key: getattr(request, key) for key in GAME_KEYS}
    board = play_request({key: value for key, value in given.items() if value is not UNSET})
    if board.ply() > MAX_PLIES:
        key = "moves" if request.position is UNSET else "position"
        raise FieldError(key, given[key], Fact("api.moves", most=MAX_PLIES))
    return board, rules, Voice(request.language, request.notation)


@dataclass(frozen=True, slots=True)
class Answers:
    """Computes answers within the limits of a service."""

    max_bytes: int
    """Maximum size of an unpacked file."""
    max_seconds: float
    """Time limit for converting a file."""
    tables: Path | None = None
    """Folder of endgame tables; None for the default folder."""

    def judge(self, request: JudgeRequest) -> JudgedData:
        """Judge the last position of a game."""
        board, rules, voice = play_game(request)
        data = judge(board, rules, voice, evidence=request.evidence, explain=request.explain)
        data["tables"] = compare_rules(self._tablebase(), board, voice)
        return data

    def list_moves(self, request: MovesRequest) -> MovesData:
        """List the legal moves of the last position, with the reason for those barred."""
        return list_moves(*play_game(request))

    def probe_tables(self, request: TablesRequest) -> TableValuesData:
        """Look up the last position and its legal moves in the endgame tables."""
        board, rules, voice = play_game(request)
        return table_values(self._tablebase(), board, rules, voice)

    def convert(self, request: ConvertRequest) -> ConvertedData:
        """Convert a file of games to another format."""
        writable = [name for name, known in FORMATS.items() if known.can_write]
        if request.to not in writable:
            raise FieldError("to", request.to, Fact("one_of", choices=tuple(writable)))
        if request.source_format not in (None, *FORMATS):
            raise FieldError("from", request.source_format, Fact("one_of", choices=(*FORMATS,)))
        target = FORMATS[request.to]
        if (request.text is None) == (request.data is None):
            raise FieldError("data", request.data, Fact("api.text_or_data"))
        source, packed = "data", request.data
        if packed is None:
            source, packed = "text", (request.text or "").encode("utf-8", "replace")
        with unzipped(io.BytesIO(packed), source) as plain:
            content = plain.read(self.max_bytes + 1)
        if len(content) > self.max_bytes:
            raise Refusal(413, Fact("request.large_file", most=self.max_bytes))
        if content.startswith(b"\x1f\x8b"):
            raise FormatError(source, "", Fact("file.gzip_twice"))
        games = read_games(io.BytesIO(content), request.source_format, source)
        out = io.BytesIO()
        options = WriteOptions(request.notation, "utf-8", request.lossy)
        report = convert_games(self._until_timeout(games), source, target, out, options)
        written = out.getvalue()
        return {
            "text": written.decode("utf-8") if target.is_text else None,
            "data": None if target.is_text else written,
            "games": report.read,
            "written": report.written,
            "problems": report.problems,
        }

    def _tablebase(self) -> Tablebase:
        return Tablebase(self.tables or default_folder())

    def _until_timeout(self, games: Iterator[Game]) -> Iterator[Game]:
        """Iterate over the games. Raises Refusal after the time limit."""
        deadline = time.monotonic() + self.max_seconds
        for game in games:
            if time.monotonic() > deadline:
                raise Refusal(504, Fact("serve.no_answer", seconds=f"{self.max_seconds:g}"))
            yield game
