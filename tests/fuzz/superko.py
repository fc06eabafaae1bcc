"""Random games under a superko rule: do the core and the oracle bar the same moves in every one?

    python -m tests.fuzz.superko --count 1000

The sides like to go back where they came from, so that positions often come back. Half of the games
keep to the prohibition, half go on over it. In each position the lists of the legal, the barred and
the allowed moves are compared under both prohibitions, and whether the last move was barred. The
exit code is 1 if there was any difference.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.fuzz.run import limited, make_parser
from tests.oracle.game import Position, apply, legal_moves, read_fen
from tests.oracle.superko import KINDS, is_same, recreates
from xiangqi import RULE_SETS, Board, Move, Outcome, RuleSet, Termination
from xiangqi.casebook.random_cycles import random_playout, random_sparse

MAX_PLIES = 60
HOMESICK = 0.7
"""Number of last moves that a side takes back, if it can."""


@dataclass(frozen=True)
class SuperkoGame:
    """A game as both sides of the comparison know it."""

    board: Board
    positions: list[Position]

    def differences(self) -> Iterator[str]:
        """Differences between core and oracle on the last position."""
        *before, now = self.positions
        legal = legal_moves(now)
        for kind in KINDS:
            rules = RULE_SETS[f"superko-{kind}"]
            barred = {move for move in legal if recreates(self.positions, move, kind)}
            is_barred = any(is_same(now, earlier, kind) for earlier in before)
            yield from self._compare(rules, legal, barred, is_barred)

    def _compare(
        self, rules: RuleSet, legal: list[str], barred: set[str], is_barred: bool
    ) -> Iterator[str]:
        board = self.board
        allowed = [move for move in legal if move not in barred]
        if sorted(move.iccs() for move in board.legal_moves) != legal:
            yield f"legal: {legal}"
        if {move.iccs() for move in board.barred_moves(rules)} != barred:
            yield f"{rules.name}: barred {sorted(barred)}, found {board.barred_moves(rules)}"
        if sorted(move.iccs() for move in board.allowed_moves(rules)) != allowed:
            yield f"{rules.name}: allowed {allowed}, found {board.allowed_moves(rules)}"
        if [m.iccs() for m in board.legal_moves if board.is_allowed(m, rules)] != [
            move.iccs() for move in board.allowed_moves(rules)
        ]:
            yield f"{rules.name}: single moves are answered otherwise than all at once"
        outcome = board.outcome(rules)
        if outcome != self._expected(rules, legal, allowed, is_barred):
            yield f"{rules.name}: found {outcome}; barred now: {is_barred}, allowed: {allowed}"

    def _expected(
        self, rules: RuleSet, legal: list[str], allowed: list[str], is_barred: bool
    ) -> Outcome | None:
        board = self.board
        if is_barred:
            return Outcome(Termination.BARRED_MOVE, board.turn)
        if legal and not allowed:
            return Outcome(Termination.ALL_BARRED, not board.turn)
        return board.outcome(rules.replace({"prohibition": "none", "occurrences": 1000}))


def random_superko_games(seed: int) -> Iterator[Iterator[SuperkoGame]]:
    """Games without end, each as all its positions, the same ones for the same seed."""
    rng = Random(seed)
    while True:
        yield positions_of_game(rng)


def positions_of_game(rng: Random) -> Iterator[SuperkoGame]:
    """A game that goes to and fro, position by position; always the same object, which grows."""
    board = random_playout(rng) if rng.random() < 0.4 else random_sparse(rng)
    game = SuperkoGame(board, [read_fen(board.fen())])
    rules = RULE_SETS[f"superko-{rng.choice(KINDS)}"] if rng.random() < 0.5 else None
    yield game
    while len(game.positions) <= MAX_PLIES:
        moves = board.list_moves() if rules is None else board.allowed_moves(rules)
        if not moves:
            return
        move = choose(board, moves, rng)
        board.push(move)
        game.positions.append(apply(game.positions[-1], move.iccs()))
        yield game


def choose(board: Board, moves: list[Move], rng: Random) -> Move:
    """A move, most likely one that goes back, or brings one of the last pieces elsewhere."""
    own = board.move_stack[-2::-2][:3]
    back = [move for last in own for move in moves if move.from_square == last.to_square]
    home = [move for move in back if any(move.to_square == last.from_square for last in own)]
    for choice in (home, back):
        if choice and rng.random() < HOMESICK:
            return rng.choice(choice)
    return rng.choice(moves)


def main() -> int:
    """The program; the exit code."""
    options = make_parser(__doc__, count=1000).parse_args()
    failures = 0
    seen: Counter[str] = Counter()
    for positions in limited(random_superko_games(options.seed), options):
        for game in positions:
            seen["positions"] += 1
            for name in ("superko-positional", "superko-situational"):
                barred = len(game.board.barred_moves(RULE_SETS[name]))
                seen[f"{name}: barred moves"] += barred
                seen[f"{name}: positions with a barred move"] += barred > 0
            for found in game.differences():
                failures += 1
                moves = " ".join(move.iccs() for move in game.board.move_stack)
                print(f"position fen {game.board.root_fen()} moves {moves}\n  {found}", flush=True)
    for what, number in seen.most_common():
        print(f"{number:9} {what}")
    print(f"{failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
