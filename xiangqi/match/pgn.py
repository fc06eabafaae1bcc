"""PGN of match games, in the form of fastchess.

The header names Red twice, as ``Red`` for Xiangqi programs and as ``White`` for Ordo and BayesElo.
Moves are in ICCS notation (``H2-E2``). The comment of a move has the engine's score and the time
taken, ``{+0.35/12 1.040s}``: the score in pawns from the mover's side or the moves to mate
(``+M5``), the depth, the seconds. The last comment adds the reason for the end of the game.

Source: https://github.com/Disservin/fastchess, pgn_builder.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from xiangqi.core.move import Move
from xiangqi.games.pgn import MovetextWriter, format_header
from xiangqi.games.record import Result
from xiangqi.notation import format_iccs
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.pieces.fen import STARTING_FEN, parse_fen

if TYPE_CHECKING:
    from chess.engine import PovScore

__all__ = ["DETAILS", "Ended", "Fault", "PlayedGame", "PlayedMove", "write_game"]

Ended: TypeAlias = Literal[
    "normal", "adjudication", "time forfeit", "abandoned", "illegal move", "unterminated"
]
"""Values of the header ``Termination``."""

LINE_LENGTH: Final = 79
"""PGN standard, section 8.2.2.1: export lines have fewer than 80 characters."""

DETAILS: Final[Mapping[str, str]] = {
    "nodes": "n",
    "seldepth": "sd",
    "nps": "nps",
    "hashfull": "hashfull",
    "pv": "pv",
}
"""Optional details of a comment: keys of the engine's info, and their names in the comment."""


class Fault(Enum):
    """Fault by which an engine loses a game."""

    CRASH = "crash"
    """The process ended."""
    CLOSED_PIPE = "closed pipe"
    """The process runs but has closed its output."""
    HANG = "hang"
    """The engine neither moved in time nor answered ``stop`` or ``isready``."""
    LATE = "late"
    """The engine exceeded its time."""
    ILLEGAL_MOVE = "illegal move"
    NO_MOVE = "no move"
    """The engine returned no move although it had one, in a position without a ruling."""
    PROTOCOL = "protocol"
    """The output cannot be parsed."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of a match game, with the engine's info."""

    move: Move
    info: Mapping[str, Any] = field(default_factory=dict)
    """Like ``chess.engine.InfoDict``, with Xiangqi moves."""
    seconds: float = 0.0
    """Seconds from sending ``go`` to receiving ``bestmove``."""
    is_book: bool = False
    """Is the move part of the opening?"""
    seconds_left: float | None = None
    """The mover's clock after the move, including the increment; None without a clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A finished game of a match."""

    red: str
    black: str
    result: Result
    termination: Ended
    reason: str
    """Reason for the result, in words: "Black is mated"."""
    moves: tuple[PlayedMove, ...] = ()
    fen: str = STARTING_FEN
    rules: str = ""
    """Rule set of the game."""
    ruling: str = ""
    """The referee's ruling on a repetition, in words; empty without one."""
    event: str = ""
    site: str = ""
    round: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    red_time_control: str = ""
    """Time control, as in PGN: ``40/60+0.6``."""
    black_time_control: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers, such as ``Opening``; they are written last and replace no other."""
    fault: Fault | None = None
    """The fault that lost the game, if any."""
    warnings: tuple[str, ...] = ()
    """Unexpected behaviour of the engines that did not lose the game."""


def write_game(game: PlayedGame, *, details: Collection[str] = ()) -> str:
    """Format the game as PGN, ending with an empty line so that games can be concatenated.

    ``details`` are keys of :data:`DETAILS` to add to the comments; ``timeleft`` adds the mover's
    clock. Raises ValueError for any other word, FenError for an invalid starting position.

    >>> game = PlayedGame(red="A", black="B", result="0-1", termination="abandoned",
    ...                   reason="A left", moves=(PlayedMove(Move.from_iccs("h2e2")),))
    >>> print(write_game(game))  # doctest: +ELLIPSIS
    [Game "Chinese Chess"]
    [Event "?"]
    ...
    [Termination "abandoned"]
    [Format "ICCS"]
    <BLANKLINE>
    1. H2-E2 {0.000s, A left} 0-1
    <BLANKLINE>
    <BLANKLINE>
    """
    for word in details:
        if word not in DETAILS and word != "timeleft":
            expected = ", ".join(sorted([*DETAILS, "timeleft"]))
            raise ValueError(f"invalid detail of a comment {word!r}: expected one of {expected}")
    tags = _headers(game)
    tags.update((name, value) for name, value in game.headers.items() if name not in tags)
    lines = [format_header(name, _CONTROL.sub(" ", value)) for name, value in tags.items() if value]
    return "\n".join([*lines, "", _movetext(game, details), "", ""])


def _movetext(game: PlayedGame, details: Collection[str]) -> str:
    writer = MovetextWriter(renumber=False, width=LINE_LENGTH)
    setup = parse_fen(game.fen)
    first = 2 * setup.fullmove_number + (setup.turn == BLACK)
    if not game.moves and game.reason:
        writer.visit_comment(_clean(game.reason))
    for ply, played in enumerate(game.moves):
        number, is_black = divmod(first + ply, 2)
        parts = list(_comment_parts(played, BLACK if is_black else RED, details))
        if ply == len(game.moves) - 1 and game.reason:
            parts.append(game.reason)
        writer.write_move(format_iccs(played.move), number, is_black=bool(is_black))
        writer.visit_comment(_clean(", ".join(parts)))
    return writer.text(game.result)


def _clean(comment: str) -> str:
    return _CONTROL.sub(" ", comment).replace("{", "(").replace("}", ")")


def _headers(game: PlayedGame) -> dict[str, str]:
    red_time, black_time = game.red_time_control, game.black_time_control
    is_same = red_time == black_time
    is_standard = parse_fen(game.fen) == parse_fen(STARTING_FEN)
    duration = ""
    if game.started is not None and game.ended is not None:
        minutes, seconds = divmod(round((game.ended - game.started).total_seconds()), 60)
        duration = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    return {
        "Game": "Chinese Chess",
        "Event": game.event or "?",
        "Site": game.site or "?",
        "Date": "????.??.??" if game.started is None else f"{game.started:%Y.%m.%d}",
        "Round": game.round or "?",
        "White": game.red,
        "Black": game.black,
        "Result": game.result,
        "Red": game.red,
        "SetUp": "" if is_standard else "1",
        "FEN": "" if is_standard else game.fen,
        "Variant": "xiangqi",
        "GameDuration": duration,
        "GameStartTime": _format_time(game.started),
        "GameEndTime": _format_time(game.ended),
        "PlyCount": str(len(game.moves)),
        "TimeControl": red_time if is_same else "",
        "WhiteTimeControl": "" if is_same else red_time,
        "BlackTimeControl": "" if is_same else black_time,
        "Rules": game.rules,
        "Ruling": game.ruling,
        "Termination": game.termination,
        "Format": "ICCS",
    }


def _format_time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S %z}".strip()


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def _comment_parts(played: PlayedMove, turn: Color, details: Collection[str]) -> Iterator[str]:
    if played.is_book:
        yield "book"
        return
    score = _format_score(played.info.get("score"), turn)
    depth = f"/{played.info['depth']}" if score and "depth" in played.info else ""
    yield f"{score}{depth} {played.seconds:.3f}s".lstrip()
    if "timeleft" in details and played.seconds_left is not None:
        yield f"tl={played.seconds_left:.3f}s"
    for key, word in DETAILS.items():
        if key in details and played.info.get(key) is not None:
            value = played.info[key]
            if key == "pv":
                value = '"' + " ".join(map(format_iccs, value)) + '"'
            yield f"{word}={value}"


def _format_score(score: PovScore | None, turn: Color) -> str:
    if score is None:
        return ""
    own = score.pov(turn)
    mate, pawns = own.mate(), own.score()
    if mate is not None:
        return f"{'+' if mate > 0 else '-'}M{abs(mate)}"
    return "" if pawns is None else f"{pawns / 100:+.2f}"
