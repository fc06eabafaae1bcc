"""Do the marks of an analysis hold? ``python -m bench.refuting GAMES``.

Games of a collection, evenly spread over it, are analysed as ``xiangqi analyse`` does it; then the
positions before and after every marked move are searched anew, with an empty hash and forty times
the effort of a position. A mark is *refuted* where that search sees no fault at all, and
*milder* where it would give a lesser mark. The games are not part of the project.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from xiangqi.analysis.engines import Analyst, Effort, borrow_analyst
from xiangqi.analysis.game import PlyAnalysis, Settings, analyse_moves
from xiangqi.analysis.marks import THRESHOLDS, Mark, mark_of_loss
from xiangqi.board import Board
from xiangqi.games.formats import cut_games
from xiangqi.games.tree import Game, start_board

LONGER: Final = 40
"""How many times the effort of a position the search takes that checks a mark."""
LEAST_PLIES: Final = 20
"""Shorter games are passed over."""


def main() -> None:
    """Analyse, check, tell; and go on until the games or the time are used up."""
    parser = argparse.ArgumentParser(prog="python -m bench.refuting", description=__doc__)
    parser.add_argument("collection", type=Path, metavar="GAMES", help="a file of games")
    parser.add_argument("--games", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--nodes", type=int, default=20_000, help="a position (default: 20000)")
    parser.add_argument("--minutes", type=float, default=60, help="at most so long (default: 60)")
    parser.add_argument("--list", action="store_true", help="print each mark that does not hold")
    options = parser.parse_args()
    settings = Settings(effort=Effort(nodes=options.nodes))
    end = time.monotonic() + 60 * options.minutes
    marks: Counter[tuple[Mark, str]] = Counter()
    games = 0
    for number, game in _spread(options.collection, options.games):
        if time.monotonic() > end:
            break
        games += 1
        for ply, loss in check_game(game, settings):
            assert ply.mark is not None  # only marked moves are checked
            verdict = judge_mark(ply.mark, loss)
            marks[ply.mark, verdict] += 1
            if options.list and verdict != "holds":
                told = {"game": number, "ply": ply.ply + 1, "move": ply.move.iccs()}
                losses = {"loss": round(ply.loss, 3), "checked": round(loss, 3)}
                print(json.dumps({**told, "mark": ply.mark.sign, **losses}), flush=True)
    print(f"{games} games, {options.nodes} nodes a position, checked with {LONGER} times as many")
    for mark in THRESHOLDS:
        print(describe(mark, marks))


def describe(mark: Mark, marks: Counter[tuple[Mark, str]]) -> str:
    """What became of one kind of mark."""
    counts = [marks[mark, verdict] for verdict in ("holds", "milder", "refuted")]
    total = max(1, sum(counts))
    shares = [f"{count} ({count / total:.1%})" for count in counts]
    return (
        f"{mark.sign:2} {sum(counts)}: holds {shares[0]}, milder {shares[1]}, refuted {shares[2]}"
    )


def judge_mark(mark: Mark, loss: float) -> str:
    """Whether a mark holds if the move has really lost so much."""
    found = mark_of_loss(loss)
    if found is None:
        return "refuted"
    return "holds" if THRESHOLDS[found] >= THRESHOLDS[mark] else "milder"


def _spread(collection: Path, count: int) -> Iterator[tuple[int, Game]]:
    """So many games of a file, evenly spread."""
    total = sum(1 for _ in cut_games(collection))
    step = max(1, total // max(1, count))
    left = count
    for number, cut in enumerate(cut_games(collection), start=1):
        if number % step or not left:
            continue
        game = cut.read()
        if not game.errors and len(game.moves()) >= LEAST_PLIES:
            left -= 1
            yield number, game


def check_game(game: Game, settings: Settings) -> Iterator[tuple[PlyAnalysis, float]]:
    """The marked moves of a game, each with what it loses by the longer search."""
    moves = game.moves()
    analyst = borrow_analyst(rules=settings.rules)
    analysis = analyse_moves(game.fen, moves, analyst, settings)
    for ply in analysis.plies:
        if ply.mark is not None and ply.mark is not Mark.GOOD:
            before = start_board(game.fen)
            for move in moves[: ply.ply]:
                before.push(move)
            yield ply, loss_of(before, ply, analyst, settings)


def loss_of(before: Board, ply: PlyAnalysis, analyst: Analyst, settings: Settings) -> float:
    """What a move loses by a search that is longer than those of the analysis."""
    effort = settings.effort.times(LONGER)
    analyst.new_game()
    best = analyst.search(before, effort)
    after = before.copy()
    after.push(ply.move)
    left = None if after.outcome(settings.rules) is not None else analyst.search(after, effort)
    value = ply.after if left is None else left.value
    best_value = value if best is None else best.value
    return max(0.0, best_value.points(ply.side) - value.points(ply.side))


if __name__ == "__main__":
    main()
