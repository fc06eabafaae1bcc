"""Make the package's games for the opening explorer: short self-play games with many openings.

``play`` begins a game with a line of the playing levels' book, or of ``--lines``, up to a random
ply; then the engine chooses among nearly equal moves at random up to ply 14, and plays its best
moves to the end. Outputs are JSON lines, appended to an existing file. ``pack`` counts the moves of
all games and writes the package's file::

    python tools/make_opening_games.py play build/openings/games.jsonl --games 3000
    python tools/make_opening_games.py pack build/openings/games.jsonl

A game depends only on the seed, the lines and its number, so several processes may share the work
(``--every 2 --first 0``, ``--every 2 --first 1``).
"""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path
from typing import Final

from rich.progress import track

from xiangqi.board import Board
from xiangqi.books.making import BookMaker, Recipe
from xiangqi.books.own_games import OWN_GAMES, OwnGames, pack_rows
from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo, SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import is_mate_score, make_searcher
from xiangqi.games.record import Result
from xiangqi.games.tree import Game
from xiangqi.match.adjudication import Adjudicator, DrawRule, ResignRule
from xiangqi.referee.outcome import win_for
from xiangqi.referee.rules import WXF
from xiangqi.web.serve.openings import OPENINGS

CHOSEN_PLIES: Final = 14
"""Ply up to which moves are chosen at random."""
LINES: Final = 5
MARGIN_CP: Final = 60
"""Maximum loss of a chosen move."""
TEMPERATURE_CP: Final = 20
NODES: Final = 1_500
CHOICE_NODES: Final = 6_000
MAX_MOVES: Final = 120
KEPT_PLIES: Final = 30
PACKED_PLIES: Final = 20
MIN_GAMES: Final = 2
"""Minimum number of games with a move that is packed."""


class Players:
    """Plays the games; ``lines`` are opening lines in coordinates."""

    def __init__(self, lines: list[list[str]], seed: int) -> None:
        self._lines = lines
        self._seed = seed
        self._searcher = make_searcher(choose_network(DEFAULT), hash_mb=1)

    def play(self, number: int) -> dict[str, object]:
        """Play the game with this number."""
        rng = random.Random(f"{self._seed}:{number}")
        self._searcher.clear()
        board = Board()
        line = rng.choice(self._lines)
        for move in line[: rng.randrange(len(line) + 1)]:
            board.push_iccs(move)
        while board.ply() < CHOSEN_PLIES:
            board.push(self._choose(board, rng))
        return {"moves": self._finish(board), "result": self._result}

    def _choose(self, board: Board, rng: random.Random) -> Move:
        """Choose among the best moves at random, by their scores."""
        found: dict[int, SearchInfo] = {}
        limits = SearchLimits(nodes=CHOICE_NODES, multipv=LINES)
        self._searcher.search(
            board, limits, WXF.switches, lambda info: found.__setitem__(info.multipv, info)
        )
        best = found[1].score
        close = [info for info in found.values() if best - info.score <= MARGIN_CP]
        weights = [math.exp((info.score - best) / TEMPERATURE_CP) for info in close]
        return rng.choices(close, weights)[0].pv[0]

    def _finish(self, board: Board) -> list[str]:
        """Play to the end; return the kept moves."""
        adjudicator = Adjudicator(
            DrawRule(movecount=8, score=15, movenumber=35),
            ResignRule(movecount=3, score=700, twosided=True),
            MAX_MOVES,
        )
        limits = SearchLimits(nodes=NODES, no_capture_limit=WXF.no_capture_limit or 0)
        result: Result | None = None
        while result is None:
            found = self._searcher.search(board, limits, WXF.switches)
            if is_mate_score(found.score):
                result = win_for(board.turn if found.score > 0 else not board.turn)
                break
            assert found.best is not None  # the game is not over
            board.push(found.best)
            outcome = board.outcome(WXF)
            decision = None if outcome else adjudicator.add_move(board, found.score)
            result = outcome.result() if outcome else decision.result if decision else None
        self._result = result
        return [move.iccs() for move in board.move_stack[:KEPT_PLIES]]


def play(options: argparse.Namespace) -> None:
    """Play games, and append them to the file."""
    lines = [line.split() for line in OPENINGS]
    if options.lines:
        lines += [line.split() for line in options.lines.read_text().splitlines()]
    players = Players(lines, options.seed)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    numbers = range(options.first, options.games, options.every)
    with options.file.open("a") as out:
        for number in track(numbers, "Playing"):
            out.write(json.dumps({"id": number, **players.play(number)}) + "\n")
            out.flush()


def pack(options: argparse.Namespace) -> None:
    """Write the package's file from files of games; equal games count once."""
    maker = BookMaker(Recipe(plies=PACKED_PLIES, min_games=MIN_GAMES))
    seen = set()
    for path in options.files:
        for line in path.read_text().splitlines():
            data = json.loads(line)
            moves = tuple(data["moves"])
            if moves not in seen:
                seen.add(moves)
                game = Game(headers={"Result": data["result"]})
                game.add_line(map(Move.from_iccs, moves))
                maker.add(game)
    packed = pack_rows(maker.rows())
    OWN_GAMES.write_bytes(packed)
    print(f"{maker.games} games, {OwnGames().count()} moves, {len(packed)} bytes")


def main() -> None:
    """Run the part given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(required=True)
    playing = parts.add_parser("play")
    playing.add_argument("file", type=Path)
    playing.add_argument("--games", type=int, default=3000)
    playing.add_argument("--lines", type=Path, help="further opening lines, one a line")
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--first", type=int, default=0)
    playing.add_argument("--every", type=int, default=1)
    playing.set_defaults(run=play)
    packing = parts.add_parser("pack")
    packing.add_argument("files", nargs="+", type=Path)
    packing.set_defaults(run=pack)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
