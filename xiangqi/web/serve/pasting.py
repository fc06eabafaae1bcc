"""A game as text: pasted or typed in whatever form, and written as PGN."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from xiangqi.errors import FormatError, RecordError
from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.formats.base import HEAD_SIZE, WriteOptions
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.tree import Game, GameError
from xiangqi.referee.explanation import require_allowed
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.messages import text_of
from xiangqi.web.serve.positions import read_record
from xiangqi.web.serve.trees import describe_game, read_game
from xiangqi.words.voice import Voice

__all__ = ["describe_pasted", "read_move", "write_pgn"]

_SOURCE: Final = "text"
_FEN: Final = re.compile(
    r"\s*(?P<fen>[a-z0-9]+(?:/[a-z0-9]+){9}(?:\s+[wbr]\b(?:\s+(?:-|\d+)(?!\S)){0,4})?)"
    r"(?:\s+moves\b)?(?P<moves>.*)",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)


def describe_pasted(data: Mapping[str, Any]) -> dict[str, Any]:
    """The first game in ``text``, and what is wrong with it.

    ``more`` tells whether other games follow. Raises RecordError where no game can be read.
    """
    text = text_of(data, "text")
    games = list(islice(_read(text), 2))
    if not games:
        raise RecordError(None, text, "expected a game: moves, a position, or the text of a file")
    game = games[0]
    faults = [_name_fault(error) for error in game.errors]
    if faults and not game.moves():
        raise faults[0]
    return {
        **describe_game(game),
        "errors": [str(fault) for fault in faults],
        "more": len(games) > 1,
    }


def _name_fault(error: GameError) -> RecordError:
    """What is wrong, without the name of a file."""
    ply = None if error.ply is None else error.ply - 1
    return RecordError(ply, error.text, error.reason)


def read_move(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, str]:
    """The move that ``text`` means after a game, in whatever notation.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError for it, RecordError and its like
    for the game. A move that the rule set bars is illegal.
    """
    board = read_record(data).play()
    move = board.parse_move(text_of(data, "text").strip())
    require_allowed(board, move, rules, voice)
    return {"move": move.iccs()}


def write_pgn(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> bytes:
    """The game of a request as PGN, with the result by the rules.

    ``voice`` tells the notation of moves. A result that the headers have stays; else the header
    ``Rules`` tells by which rules it is one, and ``Ruling`` why. Raises
    RecordError and its like for the game, FormatError for what PGN has no place for, and Refusal.
    """
    game = read_game(data)
    if "Result" not in game.headers:
        ruled = rule_game(game, rules)
        game.headers["Result"] = "*" if ruled.outcome is None else ruled.outcome.result()
        game.headers["Rules"] = rules.describe()
        if ruled.outcome is not None:
            game.headers["Ruling"] = format_verdict(ruled, voice)
    out = io.BytesIO()
    PGN.write([game], out, WriteOptions(notation=voice.notation))
    return out.getvalue()


def _read(text: str) -> Iterator[Game]:
    found = _FEN.fullmatch(text)
    if found is not None:
        fen = " ".join(found["fen"].split())
        text = f'[FEN "{fen}"]\n\n{found["moves"]}'
    data = text.encode("utf-8", "backslashreplace")
    try:
        guess_format(data[:HEAD_SIZE], _SOURCE)
    except FormatError:
        # Moves alone have no mark to be known by; the reader of PGN takes them in any notation.
        return read_games(io.BytesIO(data), PGN.name, _SOURCE)
    return read_games(io.BytesIO(data), source=_SOURCE)
