"""Extracts starting positions for self-play from human games.

    python -m train.starts games.jsonl.gz -o middle.epd
    python -m train.starts games.jsonl.gz -o sharp.epd --sharp
    python -m train.datagen sharp.games --openings sharp.epd --random-plies 2 --positions 1000000

Games that begin with random moves rarely reach the positions typical of human games. At most one
position of each game is taken: a random one or, with ``--sharp``, a sharp one, in which a side has
sacrificed material, or has lost advisors while the opponent's heavy pieces have crossed the river,
and yet a search finds neither side far ahead. With ``--leave 8`` every eighth game is left for
:mod:`train.held_out`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

from rich.progress import track

from train.game_files import SampleError
from train.people import draw_position, numbered_games
from xiangqi.analysis.puzzles import position_of
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.tree import Game
from xiangqi.ground.errors import XiangqiError
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    Color,
    square_rank,
)
from xiangqi.referee.rules import WXF

VALUES: Final = {ROOK: 900, CANNON: 450, KNIGHT: 400, ADVISOR: 200, BISHOP: 200, PAWN: 100}
"""Approximate values in centipawns."""
SACRIFICE: Final = 350
"""Minimum difference of material in centipawns."""
HEAVY: Final = (ROOK, CANNON, KNIGHT)
ATTACKERS: Final = 3
"""Minimum number of heavy pieces across the river that count as an attack."""
GUARDS: Final = 1
"""Maximum number of advisors of a king without a guard."""
PLIES: Final = range(16, 91)
"""Plies of a game to choose from."""
NODES: Final = 5_000
MAX_AHEAD: Final = 250
"""Maximum absolute score of a sharp position, in centipawns."""


def is_sharp(board: Board) -> bool:
    """Has a side sacrificed material, or is a king without a guard attacked?"""
    balance = 0
    guards = {RED: 0, BLACK: 0}
    attackers = {RED: 0, BLACK: 0}
    for square, piece in board.piece_map().items():
        side = piece.color
        value = VALUES.get(piece.piece_type, 0)
        balance += value if side == RED else -value
        guards[side] += piece.piece_type == ADVISOR
        attackers[side] += piece.piece_type in HEAVY and _has_crossed(square, side)
    return abs(balance) >= SACRIFICE or any(
        guards[side] <= GUARDS and attackers[not side] >= ATTACKERS for side in (RED, BLACK)
    )


def _has_crossed(square: int, side: Color) -> bool:
    return (square_rank(square) > 4) == (side == RED)


class Chooser(Protocol):
    """Chooses a position of a game."""

    def choose(self, game: Game) -> str | None:
        """FEN of the position, or None. Raises XiangqiError for an invalid game."""


class AnyChooser:
    """Chooses any position at random."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, game: Game) -> str | None:
        """FEN of a random position of the game."""
        board = draw_position(game, self._rng, PLIES)
        return None if board is None else board.fen()


class SharpChooser:
    """Chooses a sharp position at random."""

    def __init__(self, network: str, seed: int) -> None:
        self._searcher = make_searcher(choose_network(network), hash_mb=1)
        self._limits = SearchLimits(nodes=NODES, no_capture_limit=WXF.no_capture_limit or 0)
        self._rng = random.Random(seed)

    def choose(self, game: Game) -> str | None:
        """FEN of a sharp position in which neither side is far ahead, among five candidates."""
        board = Board(game.fen)
        sharp = []
        for move in game.moves():
            board.push(move)
            if board.ply() in PLIES and not board.is_check() and is_sharp(board):
                sharp.append(board.fen())
        self._rng.shuffle(sharp)
        return next((fen for fen in sharp[:5] if self._is_open(Board(fen))), None)

    def _is_open(self, board: Board) -> bool:
        self._searcher.clear()
        found = self._searcher.search(board, self._limits, WXF.switches)
        return abs(found.score) <= MAX_AHEAD


def starts(games: Iterable[tuple[int, Game]], chooser: Chooser) -> Iterator[str]:
    """Choose a position of each game, without counters; skip duplicates and invalid games."""
    seen = set()
    for _, game in games:
        try:
            fen = chooser.choose(game)
        except XiangqiError:
            continue
        if fen is not None and (position := position_of(fen)) not in seen:
            seen.add(position)
            yield f"{position} - - 0 1"


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Extract starting positions from human games.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file of positions")
    parser.add_argument("--sharp", action="store_true", help="sharp positions only")
    parser.add_argument("--leave", type=int, default=0, help="leave out one of every N games")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Read the games, choose positions and write them."""
    options = parse_options()
    games = track(
        numbered_games(options.games, options.leave), "Choosing", total=None, transient=True
    )
    try:
        chooser: Chooser = (
            SharpChooser(options.eval_file, options.seed)
            if options.sharp
            else AnyChooser(options.seed)
        )
        found = list(starts(games, chooser))
    except (OSError, SampleError, XiangqiError) as error:
        sys.exit(f"starts: {error}")
    options.output.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    print(f"{len(found)} positions")


if __name__ == "__main__":
    main()
