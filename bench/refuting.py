"""Checks the marks of an analysis by longer searches: ``python -m bench.refuting GAMES``.

Games, evenly spread over a collection, are analysed as by ``xiangqi analyse``; then the positions
before and after each marked move are searched again, with an empty hash and ten times the effort
(``--longer``). A mark is *refuted* if these searches see no fault, and *milder* if they justify a
lesser mark only. The games are not part of the project.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from xiangqi.analysis.engines import Analyst, Effort, EngineLine, borrow_analyst
from xiangqi.analysis.game import AnalysisSettings, PlyAnalysis, analyse_moves
from xiangqi.analysis.values import THRESHOLDS, MoveMark, mark_of_loss
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.formats import cut_games
from xiangqi.games.tree import Game, start_board

MIN_PLIES: Final = 20
"""Minimum length of a game in plies."""


def main() -> None:
    """Analyse games, check their marks and print the results, up to a number of games or a time."""
    parser = argparse.ArgumentParser(prog="python -m bench.refuting", description=__doc__)
    parser.add_argument("collection", type=Path, metavar="GAMES", help="file of games")
    parser.add_argument("--games", type=int, default=100, help="number of games (default: 100)")
    parser.add_argument("--nodes", type=int, default=20_000, help="per position (default: 20000)")
    parser.add_argument(
        "--longer", type=int, default=10, help="factor of the nodes for checking (default: 10)"
    )
    parser.add_argument("--minutes", type=float, default=60, help="time limit (default: 60)")
    parser.add_argument("--list", action="store_true", help="print each mark that does not hold")
    options = parser.parse_args()
    settings = AnalysisSettings(effort=Effort(nodes=options.nodes))
    analyst = CountingAnalyst(borrow_analyst(rules=settings.rules))
    end = time.monotonic() + 60 * options.minutes
    marks: Counter[tuple[MoveMark, str]] = Counter()
    games = plies = nodes = 0
    for number, game in _spread(options.collection, options.games):
        if time.monotonic() > end:
            break
        analyst.nodes = 0
        marked = find_marked(game, analyst, settings)
        games, plies, nodes = games + 1, plies + len(game.moves()), nodes + analyst.nodes
        for ply, before in marked:
            loss = loss_of(before, ply, analyst, settings, options.longer)
            assert ply.mark is not None  # only marked moves are checked
            verdict = judge_mark(ply.mark, loss)
            marks[ply.mark, verdict] += 1
            if options.list and verdict != "holds":
                row = {
                    "game": number,
                    "ply": ply.ply + 1,
                    "move": ply.move.iccs(),
                    "mark": ply.mark.sign,
                    "loss": round(ply.loss, 3),
                    "checked": round(loss, 3),
                }
                print(json.dumps(row), flush=True)
    print(f"{games} games, {options.nodes} nodes a position, checked with {options.longer} times")
    print(f"{plies} moves, {nodes / max(1, plies):.0f} nodes for each")
    for mark in THRESHOLDS:
        print(describe(mark, marks))


def describe(mark: MoveMark, marks: Counter[tuple[MoveMark, str]]) -> str:
    """Format the results of one kind of mark."""
    counts = [marks[mark, verdict] for verdict in ("holds", "milder", "refuted")]
    total = max(1, sum(counts))
    shares = [f"{count} ({count / total:.1%})" for count in counts]
    return (
        f"{mark.sign:2} {sum(counts)}: holds {shares[0]}, milder {shares[1]}, refuted {shares[2]}"
    )


def judge_mark(mark: MoveMark, loss: float) -> str:
    """Compare a mark with that of a loss: "holds", "milder" or "refuted"."""
    found = mark_of_loss(loss)
    if found is None:
        return "refuted"
    return "holds" if THRESHOLDS[found] >= THRESHOLDS[mark] else "milder"


def _spread(collection: Path, count: int) -> Iterator[tuple[int, Game]]:
    """Up to ``count`` games of a file, evenly spread, with their numbers."""
    total = sum(1 for _ in cut_games(collection))
    step = max(1, total // max(1, count))
    left = count
    for number, cut in enumerate(cut_games(collection), start=1):
        if number % step or not left:
            continue
        game = cut.read()
        if not game.errors and len(game.moves()) >= MIN_PLIES:
            left -= 1
            yield number, game


class CountingAnalyst:
    """An analyst that adds up the node limits of its searches."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self.name = analyst.name
        self.nodes = 0

    def new_game(self) -> None:
        """Clear all state of earlier games."""
        self._analyst.new_game()

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search, and count the nodes."""
        self.nodes += effort.nodes
        return self._analyst.search(board, effort, banned)

    def close(self) -> None:
        """Stop the engine."""
        self._analyst.close()


def find_marked(
    game: Game, analyst: Analyst, settings: AnalysisSettings
) -> list[tuple[PlyAnalysis, Board]]:
    """Analyse a game; return the moves marked as faults, each with the position before it."""
    moves = game.moves()
    marked = []
    for ply in analyse_moves(game.fen, moves, analyst, settings).plies:
        if ply.mark is not None and ply.mark is not MoveMark.GOOD:
            before = start_board(game.fen)
            for move in moves[: ply.ply]:
                before.push(move)
            marked.append((ply, before))
    return marked


def loss_of(
    before: Board, ply: PlyAnalysis, analyst: Analyst, settings: AnalysisSettings, longer: float
) -> float:
    """Loss of a move by searches with ``longer`` times the effort."""
    effort = settings.effort.times(longer)
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
