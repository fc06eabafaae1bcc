"""Plays won and drawn endings of the tables against another engine, which must not do better.

    python -m bench.endings tables --count 2000 --movetime 50

takes random positions from the tables of a folder that are won or drawn for the side to move.
Meihua plays that side with the tables, Fairy-Stockfish the other, and the referee rules. It prints
the results, and each game that ended worse than the tables say; the exit code is 1 if there was
one. Games drawn by the no-capture limit are counted separately.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from math import inf
from pathlib import Path
from random import Random
from time import monotonic

from chess.engine import Limit

from bench.peers import FAIRY_STOCKFISH, find_program
from xiangqi import Board, Outcome, Termination
from xiangqi.client import SimpleEngine
from xiangqi.core.tablebase import take_census
from xiangqi.engine import Engine, Limits
from xiangqi.referee.rules import WXF
from xiangqi.tables.files import SUFFIX, TableFile
from xiangqi.tables.making import random_positions
from xiangqi.tables.probing import LoadedTables, TableValue

DEPTH = 6


def positions(
    tables: LoadedTables, folder: Path, rng: Random
) -> Iterator[tuple[Board, TableValue]]:
    """Generate won and drawn positions for the side to move, of classes with pieces on both sides.

    Half of them depend on the repetition rules if the tables have any; these are rare otherwise.
    """
    files = [TableFile(path) for path in sorted(folder.glob(f"*.{WXF.name}{SUFFIX}"))]
    classes = [file.head.material for file in files if file.head.material.weak]
    with_rules = [
        file.head.material
        for file in files
        if any(level for _, _, level in take_census(file.head.material.pieces, file.cells()))
    ]
    while True:
        wants_rule = bool(with_rules) and rng.random() < 0.5
        for setup in random_positions(rng.choice(with_rules if wants_rule else classes), rng):
            board = Board(setup.fen())
            value = tables.probe(board, WXF.name)
            if value is None or value.value < 0 or not board.legal_moves:
                continue
            if value.by_rule == wants_rule:
                yield board, value
                break


def play(engine: Engine, other: SimpleEngine, board: Board, movetime_s: float) -> Outcome:
    """Play a game, in which Meihua moves first."""
    own = board.turn
    while True:
        outcome = board.outcome()
        if outcome is not None:
            return outcome
        if board.turn == own:
            move = engine.play(board, Limits(depth=DEPTH)).best
        else:
            move = other.play(board, Limit(time=movetime_s)).move
        if move is None:
            raise RuntimeError(f"{board.fen()}: no move was found")
        board.push(move)


def main() -> int:
    """Play and print the results; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of tables under WXF rules")
    parser.add_argument("--count", type=int, default=2_000, help="number of games (2000)")
    parser.add_argument("--movetime", type=int, default=50, help="opponent's ms a move (50)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the positions (1)")
    parser.add_argument("--minutes", type=float, default=inf, help="time limit for starting games")
    options = parser.parse_args()
    program = find_program(FAIRY_STOCKFISH)
    if program is None:
        print(f"{FAIRY_STOCKFISH} is not installed")
        return 2
    engine = Engine()
    engine.set_option("table_path", str(options.folder))
    tables = LoadedTables(options.folder, WXF.name)
    counts: Counter[tuple[str, str]] = Counter()
    failures = 0
    ends = monotonic() + 60 * options.minutes
    with SimpleEngine.popen([str(program)]) as other:
        games = positions(tables, options.folder, Random(options.seed))
        for _ in range(options.count):
            if monotonic() > ends:
                break
            board, value = next(games)
            own, fen = board.turn, board.fen()
            outcome = play(engine, other, board, options.movetime / 1000)
            points = 0 if outcome.winner is None else 1 if outcome.winner == own else -1
            kind = ("drawn", "won by rule" if value.by_rule else "won")[value.value]
            counts[kind, outcome.termination.name] += 1
            if points < value.value and outcome.termination is not Termination.NO_CAPTURE:
                failures += 1
                moves = " ".join(move.iccs() for move in board.move_stack)
                print(f"{kind} given away: position fen {fen} moves {moves}", flush=True)
    for (kind, ending), count in sorted(counts.items()):
        print(f"{kind}: {count} {ending}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
