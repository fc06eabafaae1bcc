"""Self-play, to train a network with: whole games, with the scores of the searches.

Each game begins with random legal moves, is played with a node limit for each move under full
repetition rules, and is adjudicated by its scores. A game depends only on the settings and its
number: any number of workers gives the same games in the same order.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from typing import Any, Final, cast

from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits, SearchResult
from xiangqi.engine import is_mate_score
from xiangqi.engine.network import DEFAULT, HAND_MADE, choose_network
from xiangqi.engine.searcher import PARAMETERS, make_searcher
from xiangqi.games.record import POINTS, Result
from xiangqi.installed import __version__
from xiangqi.match.adjudication import Adjudicator, DrawRule, ResignRule
from xiangqi.match.openings import START, Opening
from xiangqi.referee.outcome import win_for
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.selfplay.samples import SelfplayGame, is_quiet
from xiangqi.workers import Workers, run_in_order

__all__ = ["GenerationSettings", "SelfPlay", "generate_games", "new_adjudicator", "play_game"]

HASH_MB: Final = 1
"""Hash size: enough for a few thousand nodes, and quickly cleared."""

MAX_TRIES: Final = 1_000
"""Number of random openings tried before an unbalanced one is accepted."""

MAX_MOVES: Final = 200
"""Maximum number of moves of each side, after which the game is drawn."""

RESIGN: Final = ResignRule(movecount=3, score=1_500, twosided=True)
DRAW: Final = DrawRule(movecount=10, score=10, movenumber=50)


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """Settings that determine the games."""

    nodes: int = 2_048
    """Node limit of each move."""
    soft_nodes: int = 0
    """If not 0, a search ends with the iteration that exceeds this number of nodes, at the latest
    after ``nodes``."""
    seed: int = 1
    random_plies: int = 8
    """Number of random moves at the start of a game, or one less, so that Red and Black
    alternate."""
    imbalance: int = 250
    """Maximum score of a side, in centipawns, after an accepted opening."""
    rules: RuleSet = WXF
    openings: tuple[Opening, ...] = (START,)
    """Openings; each game begins with a random one, then random moves."""
    network: str = DEFAULT
    """Evaluation, as :func:`xiangqi.engine.network.choose_network` takes it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name

    def facts(self) -> dict[str, Any]:
        """Settings as JSON data, for the header of a file.

        Network and openings are given by their hashes. The engine's version and its search
        parameters are included, since the games depend on them.
        """
        facts = asdict(self)
        facts["version"] = __version__
        facts["search"] = {parameter.name: parameter.default for parameter in PARAMETERS}
        openings = json.dumps([[opening.fen, *opening.moves] for opening in self.openings])
        facts["openings"] = {
            "count": len(self.openings),
            "sha256": hashlib.sha256(openings.encode()).hexdigest(),
        }
        network = choose_network(self.network)
        facts["network"] = HAND_MADE if network is None else network.sha256
        return cast("dict[str, Any]", json.loads(json.dumps(facts)))


def new_adjudicator() -> Adjudicator:
    """Adjudicator of decided and drawn games."""
    return Adjudicator(DRAW, RESIGN, MAX_MOVES)


class SelfPlay:
    """Self-play games under the same settings, one after the other."""

    def __init__(
        self,
        settings: GenerationSettings,
        changes: Mapping[str, int] | None = None,
        hash_mb: int = HASH_MB,
    ) -> None:
        """``changes`` are search parameters with other values than the defaults."""
        self.settings = settings
        self._limits = SearchLimits(
            nodes=settings.nodes,
            soft_nodes=settings.soft_nodes,
            no_capture_limit=settings.rules.no_capture_limit or 0,
        )
        self._searcher = make_searcher(
            choose_network(settings.network), changes=changes, hash_mb=hash_mb
        )

    def play(self, number: int) -> SelfplayGame:
        """Play a game."""
        board = self.begin(number)
        adjudicator = new_adjudicator()
        unsearched = board.ply()
        scores: list[int] = []
        quiet = 0
        result = None
        while result is None:
            found = self.search(board)
            scores.append(found.score)
            quiet += found.best is not None and is_quiet(board, found.best, found.score)
            result = self.play_on(board, found, adjudicator)
        moves = board.move_stack
        return SelfplayGame(
            number,
            board.root_setup(),
            moves,
            scores[: len(moves) - unsearched],
            round(2 * POINTS[result]),
            quiet,
        )

    def search(self, board: Board) -> SearchResult:
        """Search result of a position."""
        return self._searcher.search(board, self._limits, self.settings.rules.switches)

    def clear(self) -> None:
        """Clear everything learnt in other games."""
        self._searcher.clear()

    def begin(self, number: int) -> Board:
        """Board at the start of a game, after random legal moves, with a balanced score."""
        self.clear()
        settings = self.settings
        rng = random.Random(f"{settings.seed}:{number}")
        for _ in range(MAX_TRIES):
            board = rng.choice(settings.openings).board()
            for _ in range(settings.random_plies + rng.randrange(2)):
                if not board.is_game_over(settings.rules):
                    board.push(rng.choice(board.list_moves()))
            goes_on = not board.is_game_over(settings.rules)
            if goes_on and abs(self.search(board).score) <= settings.imbalance:
                return board
        return rng.choice(settings.openings).board()

    def play_on(self, board: Board, found: SearchResult, adjudicator: Adjudicator) -> Result | None:
        """Play the found move; return the result if that ends the game."""
        if is_mate_score(found.score):
            return win_for(board.turn if found.score > 0 else not board.turn)
        assert found.best is not None  # the game goes on, so that there are legal moves
        board.push_unchecked(found.best)
        outcome = board.outcome(self.settings.rules)
        if outcome is not None:
            return outcome.result()
        decision = adjudicator.add_move(board, found.score)
        return None if decision is None else decision.result


def play_game(settings: GenerationSettings, number: int) -> SelfplayGame:
    """Play one game."""
    return SelfPlay(settings).play(number)


def generate_games(
    settings: GenerationSettings, workers: Workers, *, first: int = 0
) -> Generator[SelfplayGame, None, None]:
    """Iterate endlessly over games in the order of their numbers.

    Any executor of :mod:`concurrent.futures` plays them, see :mod:`xiangqi.workers`. A game that
    crashes its workers repeatedly becomes a draw without moves. Raises WorkersError.
    """
    numbers = ((number,) for number in count(first))
    yield from run_in_order(partial(_play_batch, settings), numbers, workers, _not_played)


def _play_batch(settings: GenerationSettings, numbers: tuple[int, ...]) -> SelfplayGame:
    (number,) = numbers
    return play_game(settings, number)


def _not_played(number: int) -> SelfplayGame:
    return SelfplayGame(number, Board().setup(), (), (), 1, 0)
