"""Takes positions out of games of people, to begin self-play with.

    python -m train.starts games.jsonl.gz -o middle.epd
    python -m train.starts games.jsonl.gz -o sharp.epd --sharp
    xiangqi datagen sharp.games --openings sharp.epd --random-plies 2 --positions 1000000

Games that begin with random moves seldom see what games of people are about. One position of each
game is taken at most: any, drawn by lot, or a sharp one. Sharp is what wins games of people, a bare
king before chariots and cannons, material for time: a search finds neither side far ahead although
one has given material for it, or one has lost its advisors' guard to a side whose heavy pieces have
crossed the river. With ``--leave 8`` every eighth game is left for :mod:`train.held_out`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

from rich.progress import track

from train.people import draw_position, games_of_people
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.errors import XiangqiError
from xiangqi.games.tree import Game
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
"""Centipawns, roughly."""
SACRIFICE: Final = 350
HEAVY: Final = (ROOK, CANNON, KNIGHT)
ATTACKERS: Final = 3
"""Number of heavy pieces across the river that attack a king."""
GUARDS: Final = 1
"""Number of advisors that are no guard."""
PLIES: Final = range(16, 91)
"""Plies of a game."""
NODES: Final = 5_000
MAX_AHEAD: Final = 250


def is_sharp(board: Board) -> bool:
    """Has a side given material, or is a bare king attacked?"""
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
    """Chooses the position of a game."""

    def choose(self, game: Game) -> str | None:
        """Its FEN, if there is one. Raises XiangqiError for a game that cannot be played."""


class AnyChooser:
    """Draws lots among all positions."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, game: Game) -> str | None:
        """The FEN of a position in the middle of the game."""
        board = draw_position(game, self._rng, PLIES)
        return None if board is None else board.fen()


class SharpChooser:
    """Takes a sharp position, if there is one."""

    def __init__(self, network: str, seed: int) -> None:
        self._searcher = make_searcher(choose_network(network), hash_mb=1)
        self._limits = SearchLimits(nodes=NODES, no_capture_limit=WXF.no_capture_limit or 0)
        self._rng = random.Random(seed)

    def choose(self, game: Game) -> str | None:
        """The FEN of a sharp position with chances for both sides."""
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
    """The positions without their counters, none twice; games that cannot be played are passed
    over."""
    seen = set()
    for _, game in games:
        try:
            fen = chooser.choose(game)
        except XiangqiError:
            continue
        if fen is not None and (place := " ".join(fen.split()[:2])) not in seen:
            seen.add(place)
            yield f"{place} - - 0 1"


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Extract starting positions from people's games.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file of positions")
    parser.add_argument("--sharp", action="store_true", help="sharp positions only")
    parser.add_argument("--leave", type=int, default=0, help="leave out one of every N games")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Read, choose, write."""
    options = parse_options()
    games = track(
        games_of_people(options.games, options.leave), "Choosing", total=None, transient=True
    )
    try:
        chooser: Chooser = (
            SharpChooser(options.eval_file, options.seed)
            if options.sharp
            else AnyChooser(options.seed)
        )
        found = list(starts(games, chooser))
    except (OSError, XiangqiError) as refused:
        sys.exit(f"starts: {refused}")
    options.output.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    print(f"{len(found)} positions")


if __name__ == "__main__":
    main()
