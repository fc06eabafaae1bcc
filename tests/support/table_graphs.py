"""Random graphs of marked moves, for the solver of the tables and for its slow twin."""

from __future__ import annotations

import random

from tests.oracle.game import BLACK, RED
from tests.oracle.tables import Game, Move, wins_of
from xiangqi.core.testing import solve_moves
from xiangqi.referee.rules import RuleSet


def random_game(rng: random.Random, nodes: int, most_moves: int) -> Game:
    """Random nodes, as many of each side; moves lead from one side's to the other's."""
    moves = []
    offends = rng.random()
    for origin in range(2 * nodes):
        others = range(nodes, 2 * nodes) if origin < nodes else range(nodes)
        count = min(rng.choice((0, *range(1, most_moves + 1), most_moves)), nodes)
        for target in rng.sample(others, count):
            checks = rng.random() < offends / 2
            chases = not checks and rng.random() < offends
            moves.append(Move(origin, target, checks, chases, rng.random() < 0.8))
    return Game((RED,) * nodes + (BLACK,) * nodes, tuple(moves))


def compare(game: Game, rules: RuleSet) -> tuple[int, int, int]:
    """Solve a game fast and slowly; (decided nodes, those by rule, doubtful nodes).

    Where the fast way has no doubt the two must be equal, elsewhere what it calls won is won.
    """
    red = game.turns.count(RED)
    moves = [
        (of.origin, of.target, of.checks | of.chases << 1 | of.answers << 2 | of.answers << 3)
        for of in game.moves
    ]
    values, doubtful, violations = solve_moves(red, len(game.turns), moves, rules.switches)
    assert violations == 0, game
    for side in (RED, BLACK):
        fast = {
            node
            for node, (value, _, _) in enumerate(values)
            if value == (1 if game.turns[node] == side else -1)
        }
        slow = wins_of(game, side)
        assert fast == slow or (doubtful and fast <= slow), (game, side, values)
    return sum(v[0] != 0 for v in values), sum(v[2] > 0 for v in values), doubtful
