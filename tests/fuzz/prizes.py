"""Chases by the Chinese rules that rest only on lines whose first capture is not their prize.

    python -m tests.fuzz.prizes --count 500
    python -m tests.fuzz.prizes games.pgn more.xqf

Of random repetitions, changed diagrams among them, or of games in files, each such move is printed
with its lines and prizes: what it would be without them depends on how a line is named, dated and
weighed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.fuzz.cxa import mixed_games
from tests.fuzz.cycles import position_line
from tests.fuzz.run import limited, make_parser
from xiangqi import Board, read_games, square_name
from xiangqi.games.record import GameRecord
from xiangqi.referee.cxa.facts import Threatened, find_move_facts
from xiangqi.referee.cxa.judging import mark_move
from xiangqi.referee.rule_parts import GainChase
from xiangqi.referee.rules import find_rule_set
from xiangqi.referee.ruling import Mark


def indirect_chases(board: Board, first: int) -> Iterator[tuple[int, bool, list[Threatened]]]:
    """Chases from a ply on: the ply, whether it rests on indirect lines alone, and its threats."""
    chase = find_rule_set("cxa2020").chase
    assert isinstance(chase, GainChase)
    for ply in range(first, board.ply()):
        marked = mark_move(find_move_facts(board, ply).facts, chase)
        if marked.mark is Mark.CHASE:
            counted = [threat for threat, clause in marked.threats if clause is None]
            captures = [one for one in counted if one.threat.is_capture]
            is_indirect = len(captures) == len(counted) and not any(
                one.threat.is_direct for one in captures
            )
            yield ply, is_indirect, counted


def repetitions(paths: Iterable[str]) -> Iterator[GameRecord]:
    """Games of files, each up to its first third occurrence of a position."""
    for path in paths:
        for game in read_games(path):
            board = Board(game.fen)
            for move in game.moves():
                board.push(move)
                if board.repetitions() == 3:
                    yield GameRecord(game.fen, tuple(one.iccs() for one in board.move_stack))
                    break


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=200)
    parser.add_argument("files", nargs="*", help="games instead of random repetitions")
    options = parser.parse_args()
    games = repetitions(options.files) if options.files else mixed_games(options.seed)
    seen: Counter[str] = Counter()
    for game in limited(games, options):
        board = game.play()
        _, first, _, _ = board.find_cycle(find_rule_set("cxa2020").switches)
        seen["repetitions"] += 1
        for ply, is_indirect, threats in indirect_chases(board, max(first, 0)):
            seen["chases"] += 1
            if not is_indirect:
                continue
            seen["chases by indirect lines alone"] += 1
            print(f"{position_line(game)}\n  ply {ply}, {board.move_stack[ply].iccs()}:")
            for one in threats:
                line = " ".join(move.iccs() for move in one.threat.line.moves)
                prizes = " ".join(square_name(square) for square in sorted(one.threat.prizes))
                print(f"    {line}: prize {prizes}, {one.novelty.value}", flush=True)
    for what, count in sorted(seen.items()):
        print(f"{count:9} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
